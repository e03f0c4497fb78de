//! The reading tasks: rread takes at most as many calls and bytes as the shell's tools.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use rread_testkit::sandbox::binary;

#[test]
fn reading_tasks_take_at_most_the_calls_and_bytes_of_the_shell() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents/tasks.py");
    let built = [
        ("documents", cfg!(feature = "documents")),
        ("sql", cfg!(feature = "sql")),
        ("sqlite", cfg!(feature = "sqlite")),
    ];
    let features = built.iter().filter(|(_, is_built)| *is_built).map(|(name, _)| *name);
    let features = features.collect::<Vec<_>>().join(",");
    let output = match Command::new("python3")
        .arg(script)
        .args([binary().as_os_str(), OsStr::new("--features"), OsStr::new(&features)])
        .output()
    {
        Ok(output) => output,
        Err(cause) => return eprintln!("SKIPPED: python3: {cause}"),
    };
    let report = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{report}\n{errors}");
    if report.starts_with("SKIPPED") {
        return eprintln!("{report}");
    }
    assert_eq!(report.lines().filter(|line| line.starts_with("| ")).count(), 1 + 28 + 2, "{report}");
}
