//! Tests that measure their process.

use std::env;
use std::process::Command;

/// Marks the process that runs one test.
const ALONE: &str = "TILEBASE_TEST_ALONE";

/// Returns whether this process runs only one test, as a test needs that counts the memory of its
/// process. Otherwise starts such a process with the test, and waits for it.
///
/// # Panics
/// If the other process fails, or has no test of this name.
pub fn is_alone(test: &str) -> bool {
    if env::var_os(ALONE).is_some() {
        return true;
    }
    let mut program = Command::new(env::current_exe().expect("a test knows its program"));
    let output = program.args(["--exact", test, "--nocapture"]).env(ALONE, "1").output();
    let output = output.expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    #[expect(clippy::print_stdout, reason = "the report of a test")]
    {
        print!("{text}");
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("\ntest result: ok. 1 passed"), "{errors}");
    false
}
