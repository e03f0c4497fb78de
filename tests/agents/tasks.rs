//! The fourteen reading tasks: rread takes at most as many calls and bytes as the shell's tools.

use std::path::Path;
use std::process::Command;

use rread_testkit::sandbox::binary;

#[test]
fn fourteen_tasks_take_at_most_the_calls_and_bytes_of_the_shell() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents/tasks.py");
    let output = match Command::new("python3").arg(script).arg(binary()).output() {
        Ok(output) => output,
        Err(cause) => return eprintln!("SKIPPED: python3: {cause}"),
    };
    let report = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{report}\n{errors}");
    if report.starts_with("SKIPPED") {
        return eprintln!("{report}");
    }
    assert_eq!(report.lines().filter(|line| line.starts_with("| ")).count(), 1 + 14 + 1, "{report}");
}
