//! Real clients: the official Python package and the official inspector, over standard input and output.

use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use rread_testkit::home::AtHome;
use serde_json::Value;

use super::client::next_of;

/// Where `.ci/servers` installs them.
fn installed(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dir = std::env::var_os("RREAD_SERVERS").map_or_else(|| root.join("target/servers"), PathBuf::from);
    let path = dir.join(name);
    if !path.exists() {
        eprintln!("SKIPPED: {} is missing; .ci/servers installs it", path.display());
        return None;
    }
    Some(path)
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn output(command: &mut Command) -> String {
    let home = tempfile::TempDir::new().unwrap();
    let output = command.current_dir(fixtures()).at_home(home.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn the_python_client_is_served() {
    let Some(python) = installed("mcp/bin/python") else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/client.py");
    let text = output(Command::new(python).arg(script).arg(cargo_bin("rread")));
    assert_eq!(text.lines().last(), Some("all right"), "{text}");
}

#[test]
fn the_inspector_is_served() {
    let Some(bin) = installed("inspector/node_modules/.bin") else { return };
    let inspect = |args: &[&str]| -> Value {
        let mut command = Command::new(bin.join("node"));
        command.arg(bin.join("mcp-inspector")).arg("--cli").arg(cargo_bin("rread")).arg("mcp");
        serde_json::from_str(&output(command.args(args))).unwrap()
    };
    let tools = inspect(&["--method", "tools/list"]);
    let expected = 6 + usize::from(cfg!(feature = "sql"));
    assert_eq!(tools["tools"].as_array().unwrap().len(), expected, "{tools}");
    // Arguments of the command line come as strings or as numbers.
    let read = [
        "--method",
        "tools/call",
        "--tool-name",
        "read",
        "--tool-arg",
        "path=service.log",
        "--tool-arg",
        "lines=3",
    ];
    let result = inspect(&read);
    let text = result["content"][0]["text"].as_str().unwrap();
    let next = next_of(text.lines().next().unwrap()).unwrap();
    assert_eq!(next["lines"], "4:+1", "{text}");
    let search = [
        "--method",
        "tools/call",
        "--tool-name",
        "search",
        "--tool-arg",
        "pattern=ERROR",
        "--tool-arg",
        "path=service.log",
        "--tool-arg",
        "count=true",
    ];
    assert_eq!(inspect(&search)["structuredContent"]["matched_lines"], 20);
}

#[test]
#[cfg(unix)]
fn a_client_solves_the_reading_tasks_with_the_server_alone() {
    let Some(python) = installed("mcp/bin/python") else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/tasks.py");
    let text = output(Command::new(python).arg(script).arg(cargo_bin("rread")).arg("2000000"));
    assert_eq!(text.lines().filter(|line| line.starts_with("| ")).count(), 1 + 14 + 1, "{text}");
}
