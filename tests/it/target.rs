//! Where the tests ran: printed, and asserted where the environment says what is expected, so that a run for
//! another processor that quietly ran on this one fails.

use std::env::consts::ARCH;

#[test]
fn the_tests_ran_on_the_target_that_was_asked_for() {
    // Seen in memory, not believed from the compiler's settings.
    let little = 0x0102_0304u32.to_ne_bytes() == [4, 3, 2, 1];
    assert_eq!(little, cfg!(target_endian = "little"));
    let endian = if little { "little" } else { "big" };
    println!("target: {ARCH}, {endian}-endian, {} bit, kernels: scalar", usize::BITS);
    for (variable, found) in [("KILN_EXPECT_TARGET", ARCH), ("KILN_EXPECT_ENDIAN", endian)] {
        if let Some(expected) = std::env::var_os(variable) {
            assert_eq!(expected, found, "{variable}");
        }
    }
}

#[test]
fn a_number_has_the_same_bytes_on_every_target() {
    assert_eq!(kiln::to_vec(&0x0102_0304u32), Ok(vec![4, 3, 2, 1]));
    assert_eq!(kiln::from_slice(&[0, 0, 0x80, 0x3f]), Ok(1.0f32));
}
