//! The guide for agents: runs every command line in it, and checks its length and its copy in docs/agents.md.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use clap::CommandFactory;
use rread::AGENT_GUIDE;
use rread::internals::cli::Cli;
use rread_testkit::sandbox::{AtHome, Sandbox, binary, fixture_bytes, yaml};

const BEGIN: &str = "<!-- src/agent.txt, written here by .ci/regenerate -->\n```text\n";
const END: &str = "```\n<!-- End of the guide -->\n";

/// The rows of the guide that begin with a command line, and the text beside it.
fn rows() -> Vec<(&'static str, &'static str)> {
    let rows = AGENT_GUIDE.lines().filter_map(|line| line.strip_prefix("  "));
    let rows = rows.filter(|row| row.starts_with("rread ") || row.contains("| rread "));
    rows.map(|row| row.split_once("  ").map_or((row, ""), |(line, told)| (line, told.trim()))).collect()
}

/// Adds all subcommands and long options of `command`, at any depth.
pub fn known(command: &clap::Command, words: &mut BTreeSet<String>) {
    let options = command.get_arguments().filter_map(|arg| arg.get_long());
    words.extend(options.map(|long| format!("--{long}")));
    for below in command.get_subcommands() {
        words.insert(below.get_name().to_owned());
        known(below, words);
    }
}

fn words() -> BTreeSet<String> {
    let (mut program, mut words) = (Cli::command(), BTreeSet::new());
    program.build();
    known(&program, &mut words);
    words
}

/// A folder with the files that the guide names.
pub struct GuideFolder(Sandbox);

impl GuideFolder {
    pub fn new() -> Self {
        let sandbox = Sandbox::with("app.log", fixture_bytes("service.log"));
        sandbox.file("a.log", fixture_bytes("service.log"));
        sandbox.file("b.log", fixture_bytes("service.log"));
        fs::create_dir(sandbox.path("logs")).unwrap();
        fs::create_dir(sandbox.path("src")).unwrap();
        sandbox.file("logs/app.log", fixture_bytes("service.log"));
        sandbox.file("src/a.py", "def f():\n    return NAME\n");
        sandbox.file("t.csv", "a,b\n1,2\n");
        sandbox.file("logo.png", fixture_bytes("tiny.png"));
        sandbox.file("app.log.gz", fixture_bytes("service.log.gz"));
        sandbox.file("odd.txt", "\u{6F22}\u{5B57}\n");
        let tool = sandbox.path("make");
        fs::write(
            &tool,
            "#!/bin/sh\ni=0; while [ $i -lt 2000 ]; do echo \"$1: step $i\"; i=$((i + 1)); done; echo \"$1: error in step $i\"\n",
        )
        .unwrap();
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
        GuideFolder(sandbox)
    }

    pub fn sh(&self, line: &str) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{}:{path}", self.0.path("").display(), binary().parent().unwrap().display());
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(self.0.path("")).env("PATH", path);
        command.at_home(&self.0.home());
        command.env("RREAD_CACHE_DIR", self.0.path("cache")).env("RREAD_STATE_DIR", self.0.path("state"));
        command.env("RREAD_SESSION", "guide").output().unwrap()
    }

    fn text(&self, line: &str) -> String {
        let output = self.sh(line);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && errors.is_empty() && !output.stdout.is_empty(),
            "{line}: {errors}"
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// A line of the guide with values in folder of VERSION and HASH.
    pub fn filled(&self, line: &str) -> String {
        let mut line = line.to_owned();
        if line.contains("VERSION") {
            let version = self.text("rread stat app.log -f text");
            line = line.replace("VERSION", &yaml(&version)["version"]);
        }
        while let Some((before, _)) = line.split_once("#HASH") {
            let number = before.rsplit(' ').next().unwrap();
            let hashed = self.text(&format!("rread lines app.log {number} --hash -f text"));
            line = line.replacen(&format!("{number}#HASH"), hashed.split_once('|').unwrap().0, 1);
        }
        line
    }
}

#[test]
fn every_command_line_is_true() {
    let folder = GuideFolder::new();
    let rows = rows();
    assert!(rows.len() >= 15, "the guide has lost its examples: {rows:?}");
    for (line, told) in rows {
        if line.starts_with("rread select") && !cfg!(feature = "sql") {
            // tests/select runs it in builds with SQL.
            continue;
        }
        folder.text(&folder.filled(line));
        // The text beside a command has other ranges that it takes.
        let (start, _) = line.rsplit_once(' ').unwrap();
        let counts_from_the_end =
            |word: &str| word.strip_prefix('-').is_some_and(|n| n.parse::<u64>().is_ok());
        let is_range = |word: &&str| {
            word.starts_with(|c: char| c.is_ascii_digit() || ":-".contains(c)) && word.contains(':')
        };
        let takes_ranges =
            ["rread lines ", "rread bytes ", "rread page "].iter().any(|words| line.starts_with(words));
        for range in
            told.split([' ', ';', ')', '(']).filter(|word| is_range(word) || counts_from_the_end(word))
        {
            if takes_ranges {
                folder.text(&format!("{start} {range}"));
            }
        }
        for option in told.split([' ', ';', ':', ')']).filter(|word| word.starts_with("--")) {
            assert!(words().contains(option), "{option}: {line}");
        }
    }
}

#[test]
fn options_and_actions_beside_the_examples_work() {
    let folder = GuideFolder::new();
    for line in [
        "rread stat app.log --count",
        "rread where app.log --line 100",
        "rread lines app.log --max-lines 5 --metadata-only",
        "rread bytes logo.png --encode base64",
        "rread lines app.log 7 -E latin1",
        "rread --schema tools",
        "rread image logo.png --thumbnail 512",
        "rread page app.log -1",
        "rread capture -- make x && rread capture list && rread capture save fd:1 out.txt && rread capture drop fd:1",
    ] {
        assert_ne!(folder.text(line), "", "{line}");
    }
}

#[test]
fn what_is_read_by_the_guide_is_what_comes() {
    let folder = GuideFolder::new();
    fs::write(folder.0.path("odd"), b"\xE6\xBC\xA2\xE5\xAD\x97 \xFF\n").unwrap();
    let mut seen = BTreeSet::new();
    for line in [
        "rread lines app.log 100:120",
        "rread bytes odd 1:4",
        "rread lines odd",
        "rread lines app.log --max-bytes 8000",
        "rread lines app.log -1:",
        "rread ranges app.log 1,9999 2>/dev/null",
    ] {
        let output = folder.sh(line);
        let text = String::from_utf8(output.stdout).unwrap();
        seen.extend(text.lines().filter_map(|line| Some(line.split_once(':')?.0.to_owned())));
    }
    // `notices` needs a file that changes during the read.
    seen.insert("notices".to_owned());
    let (_, receipt) = AGENT_GUIDE.split_once("\nRECEIPT\n").unwrap();
    let (receipt, _) = receipt.split_once("\n\n").unwrap();
    let rows = receipt.lines().filter_map(|line| line.strip_prefix("  "));
    let keys: Vec<&str> = rows.flat_map(|row| row.split("  ").next().unwrap().split(", ")).collect();
    assert!(keys.len() > 8, "{keys:?}");
    for key in keys {
        assert!(seen.contains(key), "no receipt has {key}");
    }
    // `next` becomes a command line as the guide says.
    let answer = folder.text("rread lines app.log 100:120");
    let next = answer.lines().find_map(|line| line.strip_prefix("next: ")).unwrap();
    let (command, range) = next.split_once(' ').unwrap();
    assert!(folder.text(&format!("rread {command} app.log {range}")).contains("\nlines: 121-141\n"));
    let error: serde_json::Value =
        serde_json::from_slice(&folder.sh("rread lines app.log 9999 --json").stderr).unwrap();
    assert_eq!(error.as_object().unwrap().keys().collect::<Vec<_>>(), ["error", "kind", "hint", "path"]);
    assert_eq!(folder.sh("rread lines app.log --expect dOAsBqE2Cyc1fEs4").status.code(), Some(7));
}

#[test]
fn the_guide_is_short_and_is_what_is_printed() {
    assert_eq!(Sandbox::new().line("--help-agent").ok().text(), AGENT_GUIDE);
    assert!(AGENT_GUIDE.len() <= 2800, "{}", AGENT_GUIDE.len());
    assert!(AGENT_GUIDE.ends_with('\n'));
    for line in AGENT_GUIDE.lines() {
        assert!(line.chars().count() <= 100 && line.trim_end() == line && line.is_ascii(), "{line}");
    }
}

#[test]
fn the_page_for_agents_has_the_same_text() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/agents.md");
    let page = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (before, rest) = page.split_once(BEGIN).expect("docs/agents.md has no guide");
    let (text, after) = rest.split_once(END).expect("the guide in docs/agents.md has no end");
    if std::env::var_os("RREAD_REGENERATE").is_some_and(|value| value == "1") {
        fs::write(&path, format!("{before}{BEGIN}{AGENT_GUIDE}{END}{after}")).unwrap();
        return;
    }
    assert!(text == AGENT_GUIDE, "docs/agents.md is not current: .ci/regenerate");
}
