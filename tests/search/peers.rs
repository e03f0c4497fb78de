//! Random texts, patterns and options: the lines are those of `grep -n`, and of `rg -n` where it is installed.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRng, TestRunner};
use rread_testkit::sample::cases;
use rread_testkit::sandbox::{AtHome, Sandbox, binary};

/// Patterns that grep -P, rg and rread read alike.
const PATTERNS: [&str; 14] = [
    "error", "^a", "b$", "^$", "", "[0-9]+", "x.*y", r"\bab\b", "a|b", "(ab)+", "é", "zzz", "[^a]b", "n{2,3}",
];

fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        5 => "[ab ]{1,6}",
        3 => Just("\n".to_owned()),
        2 => Just("error".to_owned()),
        1 => Just("é".to_owned()),
        1 => Just("x1y22\n\n".to_owned()),
        1 => "[a-z0-9 ]{40,200}",
        1 => Just("nnn".to_owned()),
    ];
    prop::collection::vec(word, 0..120).prop_map(|words| words.concat())
}

fn flags() -> impl Strategy<Value = Vec<&'static str>> {
    let flags = ["-i", "-v", "-w", "-x", "-F", "-C1", "-A2", "-B3", "-m2", "-c"];
    prop::sample::subsequence(flags.to_vec(), 0..4)
}

fn output(program: &Path, words: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(program);
    command.args(words).current_dir(folder).env("LC_ALL", "C.UTF-8");
    command.at_home(&folder.join(".home"));
    command.output().unwrap()
}

fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// What peers print, with a newline after a last line that has none.
fn terminated(text: &[u8]) -> String {
    let end = if text.last().is_some_and(|last| *last != b'\n') { "\n" } else { "" };
    shown(text) + end
}

#[test]
fn random_searches_find_what_grep_and_ripgrep_find() {
    let rg = Path::new("rg");
    let has_rg = Command::new(rg).arg("--version").output().is_ok();
    if !has_rg {
        eprintln!("SKIPPED: rg is not installed, so rread is compared with grep alone");
    }
    let sandbox = Sandbox::new();
    let folder = sandbox.path("");
    let mut runner = TestRunner::new_with_rng(
        Config { cases: cases(2000, 150), failure_persistence: None, ..Config::default() },
        TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let strategy = (text(), prop::sample::select(PATTERNS.to_vec()), flags());
    runner
        .run(&strategy, |(text, pattern, flags)| {
            fs::write(folder.join("t"), &text).unwrap();
            let ours = output(
                binary(),
                &[&["search", "-f", "text"], &flags[..], &["-e", pattern, "t"]].concat(),
                &folder,
            );
            // grep has ways of its own with an empty pattern.
            let is_odd = pattern.is_empty() && ["-w", "-x", "-v"].iter().any(|flag| flags.contains(flag));
            // To grep -P, é is not a part of a word.
            let is_word = flags.contains(&"-w") || pattern.contains(r"\b");
            if !is_odd && !is_word {
                let style = if flags.contains(&"-F") { "-F" } else { "-P" };
                let flags: Vec<&str> = flags.iter().copied().filter(|flag| *flag != "-F").collect();
                let theirs = output(
                    Path::new("grep"),
                    &[&["-n", "--binary-files=text", style], &flags[..], &["-e", pattern, "t"]].concat(),
                    &folder,
                );
                prop_assert_eq!(
                    shown(&ours.stdout),
                    terminated(&theirs.stdout),
                    "grep {:?} {:?}",
                    pattern,
                    flags
                );
                prop_assert_eq!(ours.status.code(), theirs.status.code());
            }
            // In rg 13, -A and -B undo -C, and after the last of -m, context that matches is marked as a match. grep and
            // rread do neither.
            let has = |flag| flags.contains(&flag);
            let has_odd_context =
                has("-C1") && (has("-A2") || has("-B3") || has("-m2")) || has("-m2") && has("-A2");
            if has_rg && !flags.contains(&"-c") && !has_odd_context {
                let theirs = output(
                    rg,
                    &[&["-n", "--no-config", "--color=never"], &flags[..], &["-e", pattern, "t"]].concat(),
                    &folder,
                );
                prop_assert_eq!(
                    shown(&ours.stdout),
                    terminated(&theirs.stdout),
                    "rg {:?} {:?}",
                    pattern,
                    flags
                );
                prop_assert_eq!(ours.status.code(), theirs.status.code());
                let raw = output(
                    binary(),
                    &[&["search", "--raw"], &flags[..], &["-e", pattern, "t"]].concat(),
                    &folder,
                );
                let theirs = output(
                    rg,
                    &[&["-N", "--no-config", "--color=never"], &flags[..], &["-e", pattern, "t"]].concat(),
                    &folder,
                );
                prop_assert_eq!(
                    shown(&raw.stdout),
                    terminated(&theirs.stdout),
                    "rg -N {:?} {:?}",
                    pattern,
                    flags
                );
            }
            // The content beside a receipt is the text, as long as no line is clipped.
            let receipt = output(
                binary(),
                &[&["search", "--max-columns", "100000"], &flags[..], &["-e", pattern, "t"]].concat(),
                &folder,
            );
            let receipt = String::from_utf8(receipt.stdout).unwrap();
            let content = receipt.splitn(3, "---\n").nth(2).unwrap();
            if !flags.contains(&"-c") {
                prop_assert_eq!(content, shown(&ours.stdout));
            }
            Ok(())
        })
        .unwrap();
}
