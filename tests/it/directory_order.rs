//! Of several faults the first in the check order is the result: every pair of faults that can stand in one
//! directory, the later one where it would be met first by a reader that goes through the bytes.

use crate::support::{block, verdict};
use block::{d, put, sample};
use kiln::{Code, Code::*, Limits};

struct Fault {
    reject: (Code, u8, u64),
    /// What is written where.
    edits: Vec<(usize, Vec<u8>)>,
    /// How many bytes the buffer goes on after the block.
    more: usize,
    limits: Limits,
}

fn fault(reject: (Code, u8, usize), edits: &[(usize, &[u8])]) -> Fault {
    Fault {
        reject: (reject.0, reject.1, reject.2 as u64),
        edits: edits.iter().map(|&(at, field)| (at, field.to_vec())).collect(),
        more: 0,
        limits: Limits::DEFAULT,
    }
}

/// Faults of the sample, one or more for each letter, in the order of the check. Where a letter goes through all
/// descriptors, its fault is in a late one.
fn faults() -> Vec<Fault> {
    let word = |number: u64| number.to_le_bytes();
    let capped = |reject, limits| Fault { limits, ..fault(reject, &[]) };
    vec![
        fault((Frame, 1, 0), &[(0, b"KLNS")]),
        fault((Frame, 2, 4), &[(4, &[1])]),
        fault((Frame, 2, 6), &[(7, &[0x80])]),
        fault((Frame, 2, 63), &[(63, &[1])]),
        capped((Limit, 3, 8), Limits::DEFAULT.with_count(6)),
        capped((Limit, 3, 16), Limits::DEFAULT.with_bytes(15)),
        fault((Type, 4, 24), &[(24, &word(0))]),
        fault((Limit, 6, 40), &[(40, &word(u64::MAX))]),
        fault((Eof, 6, 976), &[(40, &word(1 << 40))]),
        fault((Type, 7, 32), &[(32, &word(960))]),
        fault((Type, 7, 1000), &[(1000, &[1])]),
        fault((Frame, 8, d(6) + 56), &[(d(6) + 56, &[1])]),
        fault((Type, 8, d(6) + 8), &[(d(6) + 8, &[1])]),
        fault((Type, 8, d(6) + 12), &[(d(6) + 8, &[12]), (d(6) + 12, &[5])]),
        fault((Type, 8, d(4) + 20), &[(d(4) + 20, &[1])]),
        fault((Type, 8, d(4) + 24), &[(d(4) + 24, &[1])]),
        fault((Type, 8, d(5) + 16), &[(d(5) + 16, &[11])]),
        fault((Type, 8, d(5) + 20), &[(d(5) + 20, &[5])]),
        fault((Type, 8, 974), &[(d(5) + 20, &[2])]),
        fault((Type, 8, 6), &[(6, &[1])]),
        fault((Utf8, 8, 970), &[(970, &[0xff])]),
        fault((Utf8, 8, 973), &[(973, &[0xff])]),
        fault((Type, 8, 966), &[(966, b"w")]),
        // Within 9a one descriptor comes wholly before the next.
        fault((Limit, 9, d(0) + 64), &[(d(0) + 64, &word(1 << 63))]),
        fault((Type, 9, d(1) + 2), &[(d(1) + 2, &[9])]),
        fault((Type, 9, d(2) + 120), &[(d(2) + 120, &[1])]),
        fault((Type, 9, d(3) + 48), &[(d(3) + 48, &[9])]),
        fault((Type, 9, d(4) + 40), &[(d(4) + 40, &word(960))]),
        fault((Type, 9, d(5) + 48), &[(d(5) + 48, &[37])]),
        fault((Type, 9, d(6)), &[(d(6), &[0])]),
        fault((Type, 9, d(6) + 40), &[(d(6) + 40, &word(1378))]),
        fault((Type, 10, d(2) + 40), &[(d(2) + 40, &word(1153))]),
        fault((Type, 10, d(3) + 40), &[(d(3) + 40, &word(1217))]),
        Fault { more: 1, ..fault((Type, 10, 40), &[(40, &word(387))]) },
        fault((Type, 10, 1090 + 60), &[(1090 + 60, &[1])]),
        fault((Type, 11, 1090), &[(1090, &[2])]),
        fault((Type, 11, 1409), &[(1409, &[0x1c])]),
        fault((Type, 11, d(0) + 28), &[(d(0) + 28, &[0])]),
        fault((Type, 11, d(0) + 32), &[(d(0) + 32, &[6])]),
        fault((Type, 11, d(2) + 36), &[(d(2) + 36, &[3])]),
        fault((Type, 11, d(3) + 4), &[(d(3) + 4, &[1])]),
        fault((Type, 11, d(6) + 3), &[(d(6) + 3, &[3])]),
        Fault { more: 2, ..fault((Trailing, 12, 1410), &[]) },
    ]
}

/// Whether both can be there: they write different bytes, and only one of them says how long the buffer is.
fn can_meet(a: &Fault, b: &Fault) -> bool {
    let covered = |fault: &Fault| -> Vec<usize> {
        fault.edits.iter().flat_map(|(at, field)| *at..at + field.len()).collect()
    };
    let (first, second) = (covered(a), covered(b));
    !first.iter().any(|at| second.contains(at))
}

fn damaged(faults: &[&Fault]) -> (Vec<u8>, Limits) {
    let mut bytes = sample();
    let mut limits = Limits::DEFAULT;
    for fault in faults {
        for (at, field) in &fault.edits {
            put(&mut bytes, *at, field);
        }
        bytes.resize(bytes.len().max(1410 + fault.more), 0);
        limits.count = limits.count.min(fault.limits.count);
        limits.bytes = limits.bytes.min(fault.limits.bytes);
    }
    (bytes, limits)
}

#[test]
fn each_fault_alone() {
    for fault in faults() {
        let (bytes, limits) = damaged(&[&fault]);
        let (code, step, offset) = fault.reject;
        assert_eq!(verdict::both_with(&bytes, &limits), Err((code, Some(step), offset)));
    }
}

#[test]
fn of_two_faults_the_first_in_the_order_counts() {
    let faults = faults();
    let mut pairs = 0;
    for (index, first) in faults.iter().enumerate() {
        for second in &faults[index + 1..] {
            if !can_meet(first, second) {
                continue;
            }
            pairs += 1;
            let (bytes, limits) = damaged(&[first, second]);
            let (code, step, offset) = first.reject;
            let found = verdict::both_with(&bytes, &limits);
            assert_eq!(found, Err((code, Some(step), offset)), "with {:?} as well", second.reject);
        }
    }
    assert!(pairs > 800, "only {pairs} pairs were tested");
}

#[test]
fn of_all_faults_that_can_meet_the_first_counts() {
    let faults = faults();
    for start in 0..faults.len() {
        let mut together: Vec<&Fault> = Vec::new();
        for fault in &faults[start..] {
            if together.iter().all(|other| can_meet(other, fault)) {
                together.push(fault);
            }
        }
        let (bytes, limits) = damaged(&together);
        let (code, step, offset) = faults[start].reject;
        assert_eq!(verdict::both_with(&bytes, &limits), Err((code, Some(step), offset)));
    }
}
