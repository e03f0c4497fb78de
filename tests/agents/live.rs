//! The harness for live agents: its checker accepts true answers and refuses others, and it counts what it shows.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use rread_testkit::sandbox::binary;

#[test]
fn the_harness_for_live_agents_checks_and_counts() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents/live_test.py");
    let features = if cfg!(feature = "mcp") { "mcp" } else { "none" };
    let arguments = [script.as_os_str(), binary().as_os_str(), OsStr::new(features)];
    match Command::new("python3").args(arguments).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(cause) => eprintln!("SKIPPED: python3: {cause}"),
    }
}
