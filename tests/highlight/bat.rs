//! The colours of bat, where it is installed: character by character, in whole files and in slices.

use std::path::Path;
use std::process::Command;

use rread_testkit::sandbox::{Run, Sandbox};

use super::paint::{C, Painted, agreement, painted, root, sources, visible};

/// The name of bat; Debian calls it batcat.
fn bat() -> Option<&'static str> {
    let found =
        ["bat", "batcat"].into_iter().find(|name| Command::new(name).arg("--version").output().is_ok());
    if found.is_none() {
        eprintln!("SKIPPED: bat is not installed, so colours are not compared with it");
    }
    found
}

fn painted_by(bat: &str, path: &Path, more: &[&str]) -> Painted {
    let plain = ["--theme=GitHub", "--style=plain", "--color=always", "--paging=never", "--wrap=never"];
    let mut command = Command::new(bat);
    for name in ["BAT_THEME", "BAT_OPTS", "BAT_STYLE", "NO_COLOR"] {
        command.env_remove(name);
    }
    let output = command
        .args(plain)
        .args(more)
        .arg(path)
        .env("BAT_CONFIG_PATH", "")
        .env("COLORTERM", "truecolor")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    visible(&painted(&String::from_utf8(output.stdout).unwrap()))
}

/// rread with the theme of [`painted_by`], which looks the same in all versions of bat.
fn ours(sandbox: &Sandbox, path: &Path, words: &[&str]) -> Painted {
    let mut command = sandbox.command();
    command.args(["lines", path.to_str().unwrap(), "-f", "text", "--color", "always"]).args(words);
    let run = Run::of(command.env("RREAD_THEME", "GitHub").env("COLORTERM", "truecolor")).ok();
    visible(&painted(run.text()))
}

/// The share of `same` in `all`, in tenths of a percent.
fn share((all, same): (usize, usize)) -> usize {
    same * 1000 / all.max(1)
}

#[test]
fn whole_files_have_the_colours_of_bat() {
    let Some(bat) = bat() else { return };
    let sandbox = Sandbox::with("program.c", C);
    // The syntaxes of a version of bat are older or newer than those of rread.
    let names = [
        "Cargo.toml",
        "Cargo.lock",
        "README.md",
        "crates/answer/src/schema.json",
        "benches/compare.py",
        "completions/rread.bash",
    ];
    let others = names.into_iter().map(|name| root().join(name)).chain([sandbox.path("program.c")]);
    let (mut all, mut same) = (0, 0);
    // Every ninth source is enough: they are alike.
    for path in others.chain(sources().into_iter().step_by(9)) {
        let found = agreement(&ours(&sandbox, &path, &[]), &painted_by(bat, &path, &[]), &path);
        assert!(share(found) >= 970, "{}: {found:?}", path.display());
        (all, same) = (all + found.0, same + found.1);
    }
    eprintln!("{same} of {all} characters have the colours of bat");
    assert!(all > 100_000 && share((all, same)) >= 995, "{same} of {all}");
}

#[test]
fn slices_have_the_colours_of_bat() {
    let Some(bat) = bat() else { return };
    let sandbox = Sandbox::new();
    let (mut all, mut same) = (0, 0);
    for path in sources().iter().step_by(8) {
        let length = std::fs::read_to_string(path).unwrap().lines().count();
        let (first, last) = (length / 2, length / 2 + 39);
        let theirs = painted_by(bat, path, &[&format!("--line-range={first}:{last}")]);
        let found = agreement(&ours(&sandbox, path, &[&format!("{first}:{last}")]), &theirs, path);
        (all, same) = (all + found.0, same + found.1);
    }
    eprintln!("{same} of {all} characters have the colours of bat");
    assert!(all > 10_000 && share((all, same)) >= 995, "{same} of {all}");
}
