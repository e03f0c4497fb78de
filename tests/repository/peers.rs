//! The script that compares rread with its peers: what it counts is right, and wrong output ends it.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use rread_testkit::home::AtHome;
use tempfile::TempDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn installed(programs: &[&str]) -> bool {
    let missing = programs.iter().find(|name| Command::new(name).arg("--version").output().is_err());
    if let Some(name) = missing {
        eprintln!("SKIPPED: {name} is not installed, so benches/peers.py is not tried");
    }
    missing.is_none()
}

/// The rows of hex dumps against `hexdump`, of a few KiB.
fn rows(rread: &Path) -> Output {
    let folder = TempDir::new().unwrap();
    let mut script = Command::new("python3");
    script.arg(root().join("benches/peers.py")).arg(rread).arg(folder.path());
    script.args(["--no-documents", "--size", "1", "--seconds", "0", "--only", "hexdump"]);
    script.at_home(folder.path()).output().unwrap()
}

#[test]
fn the_examples_of_the_counting_functions_hold() {
    if !installed(&["python3"]) {
        return;
    }
    for module in ["chart", "documents", "oracles", "programs", "releases", "results", "rows", "words"] {
        let file = format!("benches/{module}.py");
        let mut doctest = Command::new("python3");
        doctest.args(["-m", "doctest", "-v"]).arg(&file).current_dir(root()).env("PYTHONPATH", "benches");
        let output = doctest.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("\nTest passed."), "{file}: {text}");
    }
}

#[test]
fn a_row_is_measured_only_if_the_output_is_right() {
    if !installed(&["python3", "hexdump"]) {
        return;
    }
    let right = rows(Path::new(env!("CARGO_BIN_EXE_rread")));
    let table = String::from_utf8_lossy(&right.stdout);
    assert!(right.status.success(), "{right:?}");
    assert!(table.contains("| `hexdump ") && table.contains("| the same bytes |"), "{table}");

    let folder = TempDir::new().unwrap();
    let wrong = folder.path().join("rread");
    let program = env!("CARGO_BIN_EXE_rread");
    std::fs::write(&wrong, format!("#!/bin/sh\n'{program}' \"$@\" | tr 1 2\n")).unwrap();
    std::fs::set_permissions(&wrong, std::fs::Permissions::from_mode(0o755)).unwrap();
    let refused = rows(&wrong);
    let table = String::from_utf8_lossy(&refused.stdout);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(table.contains("| **wrong: not the bytes of hexdump** | worse |"), "{table}");
}
