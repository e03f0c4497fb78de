//! The tests write nothing into the home of the user who runs them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rread_testkit::sandbox::Sandbox;
use tempfile::TempDir;

use crate::capture::support::Lab;

/// Ways to name the program that is built.
const PROGRAM: [&str; 5] = [
    "CARGO_BIN_EXE_rread",
    "cargo_bin!",
    "Command::new(binary())",
    "sandbox::binary()",
    "Command::new(PROGRAM)",
];

/// Files that name the program and start nothing, or start it in a home of their own.
const SPARED: [(&str, &str); 7] = [
    ("frozen/mod.rs", "through World::run"),
    ("support/src/home.rs", "names it for others"),
    ("capture/managed.rs", "through Lab::program"),
    ("capture/limits.rs", "through Lab::program"),
    ("index/store.rs", "through Lab::command_of"),
    ("select/program.rs", "reads the file, and starts nothing"),
    ("cloud/credentials/server.rs", "in an environment that is empty but for its own variables"),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    found.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn every_test_that_starts_the_program_gives_it_a_home() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let (mut starting, mut wrong) = (0, Vec::new());
    for path in sources(&tests) {
        let name = path.strip_prefix(&tests).unwrap().to_str().unwrap().replace('\\', "/");
        let text = fs::read_to_string(&path).unwrap();
        if name == "repository/home.rs" || !PROGRAM.iter().any(|word| text.contains(word)) {
            continue;
        }
        starting += 1;
        if !text.contains(".at_home(") && !SPARED.iter().any(|(spared, _)| *spared == name) {
            wrong.push(name);
        }
    }
    assert!(starting > 15, "only {starting} files were understood");
    assert!(wrong.is_empty(), "no .at_home(…) of tests/support/src/home.rs in {wrong:?}");
}

/// Checks that `home` stays empty while the program keeps everything that it can keep.
fn keeps(home: &Path) {
    let sandbox = Sandbox::with("f", "a line of text\n".repeat(200_000));
    let indexed = sandbox.line_env("lines f 190000 --raw", &[("RREAD_INDEX_MIN", "1")]).ok();
    assert_eq!(indexed.text(), "a line of text\n");
    sandbox.piped("capture --name x", "text\n").ok();
    assert!(sandbox.home().exists(), "nothing was kept, so this proves nothing");
    Lab::new().run(&["capture", "--name", "x", "--", "echo", "text"]).ok();
    assert_eq!(fs::read_dir(home).unwrap().count(), 0, "something is in the home of whoever runs the tests");
}

#[test]
fn a_fresh_home_stays_empty() {
    const CHILD: &str = "RREAD_TEST_OF_HOME";
    if let Some(home) = env::var_os(CHILD) {
        return keeps(Path::new(&home));
    }
    let home = TempDir::new().unwrap();
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "repository::home::a_fresh_home_stays_empty"]).env(CHILD, home.path());
    for name in ["HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "RREAD_CACHE_DIR", "RREAD_STATE_DIR"] {
        command.env(name, home.path());
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}
