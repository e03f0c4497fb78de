//! The README is run: every `console` block is executed and its output compared.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(unix)]

#[path = "shared/home.rs"]
mod home;

use std::path::Path;
use std::process::Command;

use home::AtHome;

/// A command of a `console` block and the output shown below it.
struct Example {
    command: String,
    shown: Vec<String>,
}

fn examples(readme: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match line.strip_prefix("$ ") {
                Some(command) => examples.push(Example { command: command.to_owned(), shown: Vec::new() }),
                None => examples.last_mut().expect("output before a command").shown.push(line.to_owned()),
            },
        }
    }
    examples
}

/// Whether `line` is as shown: up to `…`, where one stands at the end.
fn matches(shown: &str, line: &str) -> bool {
    match shown.strip_suffix('…') {
        Some(start) => line.starts_with(start),
        None => shown == line,
    }
}

#[test]
fn every_example_gives_what_is_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_rread"));
    let path = std::env::var("PATH").unwrap_or_default();
    let examples = examples(&readme);
    assert!(examples.len() >= 12, "the README has lost its examples");
    // Not the indexes of whoever runs the tests; one folder for all, since some examples speak of the same index.
    let cache = tempfile::TempDir::new().unwrap();
    for example in examples {
        let output = Command::new("sh")
            .args(["-c", &example.command])
            .current_dir(root)
            .env("PATH", format!("{}:{path}", program.parent().unwrap().display()))
            .at_home(cache.path())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "$ {}\n{errors}", example.command);
        let lines: Vec<&str> = text.lines().collect();
        for (index, shown) in example.shown.iter().enumerate() {
            // A line that is only `…` stands for everything that follows.
            if shown == "…" {
                break;
            }
            let line = lines.get(index).copied().unwrap_or("(nothing)");
            assert!(matches(shown, line), "$ {}\nshown: {shown}\ngiven: {line}\n\n{text}", example.command);
        }
        let is_open = example.shown.last().is_some_and(|line| line.ends_with('…'));
        assert!(is_open || lines.len() == example.shown.len(), "$ {}\n{text}", example.command);
    }
}
