//! The pages of `rread help agent COMMAND`: runs every call and every option in them, and checks what they show.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, thread};

use clap::CommandFactory;
use rread::AGENT_GUIDE;
use rread::internals::cli::Cli;
use rread_testkit::sandbox::Sandbox;

use super::guide::{GuideFolder, known};

fn commands() -> Vec<String> {
    let program = Cli::command();
    program.get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

fn page_of(command: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/agent/{command}.txt"));
    fs::read_to_string(path).unwrap().replace("\r\n", "\n")
}

/// A line of a section: the words before the first two blanks, the text after them, and the lines of output below it.
struct Row<'a> {
    words: &'a str,
    told: &'a str,
    shown: Vec<&'a str>,
}

/// The rows of the section whose heading begins with `heading`.
fn section<'a>(page: &'a str, heading: &str) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    let lines = page.lines().skip_while(|line| !line.starts_with(heading)).skip(1);
    for line in lines.take_while(|line| line.starts_with("  ")) {
        match (line.strip_prefix("    "), rows.last_mut()) {
            (Some(output), Some(row)) => row.shown.push(output),
            _ => {
                let (words, told) = line[2..].split_once("  ").unwrap_or((&line[2..], ""));
                rows.push(Row { words, told: told.trim(), shown: Vec::new() });
            }
        }
    }
    rows
}

/// Whether this build has the feature that `line` needs.
fn is_built(line: &str) -> bool {
    let needs = |words: &str| line.starts_with(words) || line.contains(&format!("| {words}"));
    (cfg!(feature = "sql") || !needs("rread select"))
        && (cfg!(feature = "mcp") || !needs("rread mcp"))
        && (cfg!(feature = "cluster") || !needs("rread worker"))
}

/// Runs `line`, which must end with `code`; returns everything that it printed.
fn printed(folder: &GuideFolder, line: &str, code: i32) -> String {
    let output = folder.sh(&folder.filled(line));
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{line}: {text}");
    text.into_owned()
}

/// Runs the rows and checks what they show; the exit code is in their text if it is not 0.
fn run(folder: &GuideFolder, rows: &[Row], seen: &mut String) {
    for Row { words, told, shown } in rows.iter().filter(|row| is_built(row.words)) {
        let code = told.strip_prefix("exit ").and_then(|told| told.split(':').next());
        let text = printed(folder, words, code.map_or(0, |code| code.parse().unwrap()));
        for line in shown {
            assert!(text.contains(line), "{words} does not print {line:?}: {text}");
        }
        *seen += &text;
    }
}

#[test]
fn every_command_has_a_short_page() {
    for command in commands() {
        let page = page_of(&command);
        assert_eq!(Sandbox::new().line(&format!("help agent {command}")).ok().text(), page);
        assert!(page.starts_with(&format!("rread {command} ")), "{page}");
        assert!(page.len() <= 1536, "{command}: {}", page.len());
        for line in page.lines() {
            assert!(line.len() <= 100 && line.trim_end() == line && line.is_ascii(), "{command}: {line}");
        }
        for heading in ["\nCALLS\n", "\nOPTIONS, ", "\nEXIT\n", "\nTRAPS: "] {
            assert!(page.contains(heading), "{command}: {heading}");
        }
    }
}

#[test]
fn every_line_of_the_pages_is_true() {
    thread::scope(|scope| {
        for command in commands() {
            scope.spawn(move || every_line_is_true(&command));
        }
    });
}

fn every_line_is_true(command: &str) {
    let (page, folder, mut seen) = (page_of(command), GuideFolder::new(), String::new());
    let calls = section(&page, "CALLS");
    assert!(calls.len() >= 2, "{command}");
    run(&folder, &calls, &mut seen);
    let begins = format!("rread {command}");
    let base = calls.iter().map(|row| row.words).find(|words| words.starts_with(&begins)).unwrap();
    if is_built(base) {
        for option in section(&page, "OPTIONS") {
            let line = match base.split_once(" -- ") {
                Some((before, after)) => format!("{before} {} -- {after}", option.words),
                None => format!("{base} {}", option.words),
            };
            seen += &printed(&folder, &line, 0);
        }
    }
    run(&folder, &section(&page, "EXIT"), &mut seen);
    for row in section(&page, "RECEIPT").iter().filter(|_| is_built(base)) {
        for key in row.words.split(", ") {
            let forms = [format!("{key}:"), format!("\"{key}\":")];
            assert!(forms.iter().any(|form| seen.contains(form)), "{command}: no answer has {key}");
        }
    }
}

#[test]
fn options_named_in_the_text_exist() {
    let (mut program, mut all) = (Cli::command(), BTreeSet::new());
    program.build();
    known(&program, &mut all);
    for command in commands() {
        let (page, mut own) = (page_of(&command), BTreeSet::new());
        known(program.find_subcommand(&command).unwrap(), &mut own);
        for line in page.lines() {
            // The text beside an option names options of the same command.
            let words = if line.starts_with("  -") { &own } else { &all };
            for word in line.split([' ', ',', ';', ':', '.', ')', '(']) {
                let is_option = word.starts_with("--") && word.len() > 2;
                assert!(!is_option || words.contains(word), "{command}: {word}");
            }
        }
    }
}

#[test]
fn help_without_a_command_is_the_guide_and_unknown_commands_are_named() {
    let sandbox = Sandbox::with("help", "one\n");
    assert_eq!(sandbox.line("help agent").ok().text(), AGENT_GUIDE);
    let both = page_of("lines") + &page_of("search");
    assert_eq!(sandbox.line("help agent lines search").ok().text(), both);
    let refused = sandbox.line("help agent serch").refused(2);
    assert_eq!(refused.stderr.lines().last(), Some("hint: rread help agent search"), "{refused}");
    for command in ["lines", "search", "capture", "verify"] {
        assert!(refused.stderr.contains(command), "{refused}");
    }
    let error = sandbox.line("help agent nosuch --json").refused_json(2);
    assert_eq!(error["kind"], "usage");
    // As for every name of a command, a file named help needs a path or a command before it.
    assert!(sandbox.line("help lines").ok().text().contains("Usage: rread lines"));
    assert_eq!(sandbox.line("./help --raw").ok().text(), "one\n");
}
