//! The Python module of the wheel, with this program on PATH.

use std::env;
use std::process::Command;

use rread_testkit::sandbox::binary;

use super::uses::root;

#[test]
fn the_python_module_passes_its_tests() {
    let module = root().join("packaging/python");
    let has_pytest = Command::new("python3").args(["-c", "import pytest"]).output();
    if !has_pytest.is_ok_and(|run| run.status.success()) {
        eprintln!("skipped: no pytest");
        return;
    }
    let folders = [binary().parent().unwrap().to_owned()];
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(folders.into_iter().chain(env::split_paths(&path))).unwrap();
    let mut tests = Command::new("python3");
    tests.args(["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"]).arg(module.join("tests"));
    let run = tests.env("PYTHONPATH", &module).env("PATH", path).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}
