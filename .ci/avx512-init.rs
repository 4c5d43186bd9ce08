//! The first and only program of the machine that .ci/avx512 emulates: runs the commands one after another, says how
//! many passed, and reboots.

use std::process::Command;
use std::time::Duration;

unsafe extern "C" {
    fn reboot(how: i32) -> i32;
}

/// RB_AUTOBOOT of <sys/reboot.h>.
const AGAIN: i32 = 0x0123_4567;

fn main() {
    let (mut passed, mut failed) = (0, 0);
    println!("\nbegin");
    for command in std::fs::read_to_string("/commands").expect("the commands").lines() {
        println!("-- {command}");
        let mut words = command.split(' ');
        let status = Command::new(words.next().expect("a program")).args(words).status();
        match status {
            Ok(status) if status.success() => passed += 1,
            other => {
                println!("-- {other:?}");
                failed += 1;
            }
        }
    }
    println!("end: {passed} passed, {failed} failed");
    // The serial port takes its time.
    std::thread::sleep(Duration::from_secs(5));
    // SAFETY: takes a number and comes back only when it is refused.
    unsafe { reboot(AGAIN) };
}
