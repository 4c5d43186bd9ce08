//! The fast pass and the check order have one answer: on every case there is, and on every case damaged.

use crate::support::{cases, verdict};

#[test]
fn every_case_has_its_verdict() {
    let cases = cases::directories();
    assert!(cases.len() >= 388 + 20, "only {} cases were found", cases.len());
    for case in &cases {
        let found = verdict::standalone(&case.bytes, &case.limits);
        match (&case.reject, found) {
            (None, Ok(_)) => {}
            (Some((code, step, offset)), Err((found_code, found_step, found_offset))) => {
                assert_eq!(code, found_code.name(), "{}", case.name);
                assert!(step.is_none_or(|step| found_step.map(u64::from) == Some(step)), "{}", case.name);
                assert!(offset.is_none_or(|offset| offset == found_offset), "{}: {found_offset}", case.name);
            }
            (expected, found) => panic!("{}: {expected:?} expected, {found:?} found", case.name),
        }
    }
}

#[test]
fn damaged_cases_have_one_verdict() {
    // A cheap generator: the damage has to differ, not to be random.
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % bound.max(1)
    };
    let mut accepted = 0;
    let rounds = if cfg!(target_arch = "x86_64") { 40 } else { 4 };
    for case in cases::directories() {
        if case.bytes.len() > 20_000 {
            continue;
        }
        for _ in 0..rounds {
            let mut bytes = case.bytes.clone();
            match below(6) {
                0 => bytes.truncate(below(bytes.len())),
                1 => bytes.extend(core::iter::repeat_n(below(2) as u8, below(130))),
                2 if bytes.len() > 64 => {
                    // The table and its fields are where most rules are.
                    let table = (bytes.len() - 64).min(1024);
                    let at = 64 + below(table);
                    bytes[at] = below(256) as u8;
                }
                3 if bytes.len() > 8 => {
                    let at = below(bytes.len() - 8) / 8 * 8;
                    let number = [0, 1, 64, u64::MAX, 1 << 63, u64::MAX - 63][below(6)];
                    bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
                }
                _ if !bytes.is_empty() => {
                    let at = below(bytes.len());
                    bytes[at] ^= 1 << below(8);
                }
                _ => {}
            }
            let alone = verdict::standalone(&bytes, &case.limits);
            accepted += usize::from(alone.is_ok());
            let _ = verdict::embedded(&bytes, &case.limits);
        }
    }
    assert!(accepted > 100, "damage that never passes tests little: {accepted}");
}
