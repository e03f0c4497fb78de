//! An agent that knows nothing: from a wrong first call to the answer by the commands that the answers name.

use std::fs;
use std::process::{Child, Command, Output, Stdio};

use rread_testkit::sandbox::{AtHome, Sandbox, binary, documents, fixture_bytes, numbered};
use serde_json::Value;

/// Calls until the agent gives up.
const MOST_CALLS: usize = 6;

/// The budget of all calls of the agent.
const BUDGET: usize = 4000;

const FORMATS: [&str; 2] = ["frontmatter", "json"];

struct Agent<'a> {
    folder: &'a Sandbox,
    format: &'a str,
    /// The decoded content of all answers.
    content: String,
    /// Everything printed, for goals that are not content.
    printed: String,
    calls: Vec<String>,
}

/// What an answer says: its content, and how to go on.
#[derive(Default)]
struct Answer {
    content: String,
    /// A command line.
    hint: Option<String>,
    /// An option for the same call.
    encoding: Option<String>,
    /// `lines 3:+2` or a whole command, and the file.
    next: Option<(String, String)>,
}

impl<'a> Agent<'a> {
    fn new(folder: &'a Sandbox, format: &'a str) -> Self {
        Agent { folder, format, content: String::new(), printed: String::new(), calls: Vec::new() }
    }

    /// In a POSIX shell, as programs run it.
    fn call(&mut self, line: &str) -> Output {
        self.calls.push(line.to_owned());
        let path = std::env::var("PATH").unwrap_or_default();
        let bin = self.folder.path(".bin");
        let path = format!("{}:{}:{path}", bin.display(), binary().parent().unwrap().display());
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(self.folder.path("")).stdin(Stdio::null());
        command.at_home(&self.folder.home());
        command.env("PATH", path).env("RREAD_FORMAT", self.format).env("RREAD_SESSION", "agent");
        command.env("RREAD_STATE_DIR", self.folder.path(".state")).env("TZ", "UTC");
        command.env("RREAD_MAX_BYTES", BUDGET.to_string()).output().unwrap()
    }

    /// Calls `first`, and then what each answer names, until `goal` is reached.
    #[track_caller]
    fn solve(mut self, first: &str, goal: impl Fn(&Agent, i32) -> bool) -> Vec<String> {
        let mut line = first.to_owned();
        while self.calls.len() < MOST_CALLS {
            let output = self.call(&line);
            let (stdout, stderr) =
                (String::from_utf8_lossy(&output.stdout), String::from_utf8(output.stderr).unwrap());
            self.printed += &format!("{stdout}{stderr}");
            let answer = Answer::of(&stdout, &stderr);
            self.content += &answer.content;
            if goal(&self, output.status.code().unwrap()) {
                return self.calls;
            }
            line = match answer.following(&line) {
                Some(next) => next,
                None => panic!("{:?} leads nowhere:\n{stdout}\n{stderr}", self.calls),
            };
        }
        panic!("{:?} do not reach the goal:\n{}", self.calls, self.printed);
    }
}

impl Answer {
    fn of(stdout: &str, stderr: &str) -> Answer {
        let mut answer = Answer::default();
        if stdout.starts_with("---\n") && stdout.contains("\ncontent_bytes: ") {
            for document in documents(stdout.as_bytes(), true) {
                let fact = |key: &str| Some(document.fact(key).to_owned()).filter(|text| !text.is_empty());
                answer.content += &decoded(&document.content, document.fact("encode"));
                answer.encoding = fact("encoding_hint");
                answer.hint = fact("time.hint").or(fact("hint"));
                answer.next = fact("next").zip(fact("path"));
            }
        } else if stdout.starts_with('{') {
            for value in serde_json::Deserializer::from_str(stdout).into_iter::<Value>() {
                answer.add_json(&value.unwrap());
            }
        } else {
            answer.content += stdout;
            // A list has its hint at its end.
            let hint = stdout.lines().find_map(|line| line.strip_prefix("hint: "));
            answer.hint = hint.filter(|_| stdout.starts_with("---\n")).map(str::to_owned);
        }
        let complaint: Option<Value> = stderr.lines().find_map(|line| serde_json::from_str(line).ok());
        let hint = complaint.and_then(|error| error["hint"].as_str().map(str::to_owned));
        let line = stderr.lines().find_map(|line| line.strip_prefix("hint: ").map(str::to_owned));
        answer.hint = hint.or(line).or(answer.hint);
        answer
    }

    fn add_json(&mut self, value: &Value) {
        let of_file = &value["metadata"];
        let segments = value["segments"].as_array().filter(|segments| !segments.is_empty());
        for part in segments.unwrap_or(&vec![value.clone()]) {
            let facts = &part["metadata"];
            let either = |key: &str| facts[key].as_str().or(of_file[key].as_str()).map(str::to_owned);
            let code = either("encode").unwrap_or_default();
            self.content += &decoded(part["content"].as_str().unwrap_or_default(), &code);
            self.encoding = either("encoding_hint");
            let hint =
                |facts: &&Value| facts["time"]["hint"].as_str().or(facts["hint"].as_str()).map(str::to_owned);
            self.hint = [facts, of_file].iter().copied().find_map(|facts| hint(&facts));
            let next = [facts, of_file].into_iter().map(|facts| &facts["next"]).find(|next| !next.is_null());
            let next = next.map(|next| {
                let range = next["range"].as_str().unwrap_or_default();
                match next["command"].as_str().unwrap() {
                    "search" => format!("--in {range}"),
                    command => format!("{command} {range}"),
                }
            });
            self.next = next.zip(either("path"));
        }
    }

    /// The next command line, after `line`.
    fn following(self, line: &str) -> Option<String> {
        let encoding = self.encoding.filter(|option| !line.contains(option.as_str()));
        let next = self.next.map(|(next, path)| {
            match next.split_once(' ') {
                // The same search, in other lines.
                Some(("--in", _)) => format!("{} {next}", line.split(" --in ").next().unwrap()),
                Some((command, range)) if !next.contains(&path) => {
                    format!("rread {command} '{path}' {range} {}", options(line))
                }
                _ => format!("rread {next}"),
            }
        });
        self.hint.or_else(|| encoding.map(|option| format!("{line} {option}"))).or(next)
    }
}

/// The options of a command line, which come after its ranges.
fn options(line: &str) -> String {
    let is_option = |word: &str| word.starts_with("--") || word == "-E";
    line.split(' ').skip_while(|word| !is_option(word)).collect::<Vec<_>>().join(" ")
}

fn decoded(content: &str, code: &str) -> String {
    let bytes = match code {
        "hex" => {
            let digit = |digit: u8| u8::try_from(char::from(digit).to_digit(16).unwrap()).unwrap();
            content.as_bytes().chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
        }
        _ => content.as_bytes().to_vec(),
    };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// From `first` to an answer with `wanted` in its content, in both formats; the file is made by `make`.
#[track_caller]
fn reaches(make: impl Fn(&Sandbox), first: &str, wanted: &str) {
    reaches_goal(make, first, |agent, _| agent.content.contains(wanted));
}

#[track_caller]
fn reaches_goal(make: impl Fn(&Sandbox), first: &str, goal: impl Fn(&Agent, i32) -> bool) {
    for format in FORMATS {
        let folder = Sandbox::new();
        make(&folder);
        let calls = Agent::new(&folder, format).solve(first, &goal);
        assert!(calls.len() > 1, "{calls:?}: the first call is not wrong");
    }
}

fn file(name: &'static str, content: impl Into<Vec<u8>>) -> impl Fn(&Sandbox) {
    let content = content.into();
    move |folder| folder.file(name, &content)
}

fn log() -> String {
    String::from_utf8(fixture_bytes("service.log")).unwrap()
}

fn last_line() -> String {
    log().lines().last().unwrap().to_owned()
}

#[test]
fn a_line_longer_than_the_budget() {
    let text = format!("{{\"a\":\"{}NEEDLE{}\"}}", "x".repeat(4 * BUDGET), "y".repeat(600_000));
    reaches(file("one.json", text), "rread one.json", "NEEDLE");
}

#[test]
fn text_in_other_encodings() {
    let utf16: Vec<u8> = numbered(300).encode_utf16().flat_map(u16::to_le_bytes).collect();
    reaches(file("wide.txt", utf16), "rread lines wide.txt 9999", "line 300\n");
    // An encoding that is evident needs no hint.
    let (polish, _, _) = encoding_rs::WINDOWS_1250.encode("Kraków, Łódź.\n");
    reaches(file("old.txt", polish.repeat(20)), "rread lines old.txt", "Kraków, Łódź");
}

#[test]
fn pictures_and_binary_files() {
    reaches(file("pic.txt", fixture_bytes("tiny.png")), "rread lines pic.txt", "data:image/png;base64,");
    let bytes: Vec<u8> = (0..=255).chain(*b"\0\0NEEDLE\0").chain(0..=255).collect();
    reaches(file("blob", bytes), "rread lines blob", "NEEDLE");
    reaches(file("nuls", b"name\0value\0NEEDLE\0\n".repeat(20)), "rread lines nuls", "NEEDLE");
}

#[test]
fn compressed_and_damaged_files() {
    reaches(file("app.log", fixture_bytes("service.log.gz")), "rread lines app.log 9999", &last_line());
    let mut damaged = fixture_bytes("service.log.gz");
    damaged.truncate(damaged.len() * 3 / 4);
    let is_text = |agent: &Agent, code| {
        let lines: Vec<&str> = agent.content.split_inclusive('\n').collect();
        code == 0 && lines.len() >= 2 && lines[..2].iter().all(|line| log().contains(line))
    };
    reaches_goal(file("damaged.gz", damaged), "rread lines damaged.gz -3:", is_text);
}

#[test]
fn databases_and_archives() {
    let make = |folder: &Sandbox| {
        let mut database = b"SQLite format 3\0".to_vec();
        database.resize(8192, 0);
        folder.file("data.txt", database);
        // A stand-in for the program, which is not everywhere.
        fs::create_dir(folder.path(".bin")).unwrap();
        let script = "#!/bin/sh\n[ \"$2\" = .dump ] && head -c 6 \"$1\" && echo ' NEEDLE'\n";
        folder.file(".bin/sqlite3", script);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(folder.path(".bin/sqlite3"), mode).unwrap();
    };
    // The feature reads a database itself, and this one is damaged.
    if cfg!(not(feature = "sqlite")) {
        reaches(make, "rread lines data.txt", "SQLite NEEDLE");
    }
    let make = |folder: &Sandbox| {
        folder.file("inner.txt", "NEEDLE\n");
        let done =
            Command::new("tar").args(["-cf", "a.tar", "inner.txt"]).current_dir(folder.path("")).status();
        assert!(done.unwrap().success());
    };
    reaches(make, "rread bytes a.tar", "NEEDLE");
}

#[test]
fn directories_and_odd_names() {
    let make = |folder: &Sandbox| {
        fs::create_dir(folder.path("logs")).unwrap();
        folder.file("logs/inner.txt", "NEEDLE\n");
    };
    reaches(make, "rread lines logs", "inner.txt");
    reaches(file("a b\nc.txt", "NEEDLE\n"), "rread lines 'a bc.txt'", "NEEDLE");
    reaches(file("a b\nc.txt", "NEEDLE\n"), r"rread lines 'a b\nc.txt' 1:5", "NEEDLE");
    reaches(file("it's $HOME", "NEEDLE\n"), "rread lines \"its \\$HOME\"", "NEEDLE");
    for first in ["rread lines -x", "rread -x", "rread lines -x 1:5"] {
        reaches(file("-x", "NEEDLE\n"), first, "NEEDLE");
    }
}

#[test]
fn misspelt_names_and_habits() {
    let make = |folder: &Sandbox| folder.file("service.log", numbered(3000));
    for first in [
        "rread lines servise.log 301",
        "rread servise.log:301",
        "rread search '^line 301$' servise.log",
        "rread bytes servise.log 2500:4000",
        "rread lnes service.log 301",
        "rread sed -n 300,302p service.log",
        "rread lines service.log 300,302p",
        "rread lines -n 301 service.log",
        "rread service.log 300-302 --max-line 5",
        "rread grep -n 'line 301$' service.log",
        "rread head -n 301 service.log",
        "rread lines --head 301 service.log",
    ] {
        reaches(make, first, "line 301\n");
    }
    for first in ["rread tail service.log", "rread lines service.log --tail 5"] {
        reaches(make, first, "line 3000\n");
    }
}

#[test]
fn ranges_that_are_not_in_the_file() {
    let make = |folder: &Sandbox| folder.file("f", numbered(3000));
    reaches(make, "rread lines f 1000000", "line 3000\n");
    reaches(make, "rread lines f 50:40", "line 45\n");
    reaches(make, "rread page f 99", "line 3000\n");
    reaches(make, "rread search line f --in 4000:5000", "line 3000\n");
    reaches_goal(make, "rread bytes f 6", |agent, code| code == 0 && agent.content == "\n");
    reaches_goal(make, "rread ranges f 1,b6", |agent, code| {
        code == 0 && agent.content.ends_with("line 1\n\n")
    });
    reaches(make, "rread lines f 1:2500", "line 1000\n");
    let is_empty = |agent: &Agent, code| code == 0 && agent.printed.contains("empty");
    reaches_goal(file("empty", ""), "rread lines empty 5", is_empty);
}

#[test]
fn bad_patterns_and_windows() {
    reaches(file("f", "f(x) NEEDLE\n"), "rread search '(x' f", "NEEDLE");
    reaches(file("f", "f(x) NEEDLE\n"), "rread search -e '(x' -i f", "NEEDLE");
    for first in ["rread lines app.log --since 2030-01-01", "rread search ERROR app.log --since 23:00"] {
        reaches(file("app.log", log()), first, &last_line());
    }
}

/// First calls that agents typed who knew nothing of rread: the answer comes with the call, or with the one that it names.
#[track_caller]
fn answers_soon(make: impl Fn(&Sandbox), first: &str, wanted: &str) {
    for format in FORMATS {
        let folder = Sandbox::new();
        make(&folder);
        let calls = Agent::new(&folder, format).solve(first, |agent, _| agent.printed.contains(wanted));
        assert!(calls.len() <= 2, "{first}: {calls:?}");
    }
}

#[test]
fn what_agents_tried_in_archives() {
    let make = |folder: &Sandbox| {
        fs::create_dir_all(folder.path("runs/7")).unwrap();
        folder.file("runs/7/run.log", numbered(200).replace("line 150\n", "line 150 SIGSEGV\n"));
        let mut tar = Command::new("tar");
        tar.args(["-czf", "bundle.tar.gz", "runs"]).current_dir(folder.path(""));
        assert!(tar.status().unwrap().success());
    };
    for first in [
        "rread search SIGSEGV bundle.tar.gz -A 3",
        "rread search SIGSEGV tar:bundle.tar.gz",
        "rread search SIGSEGV 'tar:bundle.tar.gz/**/run.log'",
        "rread grep -rn SIGSEGV bundle.tar.gz",
        "rread search -z SIGSEGV .",
        "rread lines bundle.tar.gz/runs/7/run.log 150",
        "rread lines 'tar:bundle.tar.gz/**/run.log' 150",
    ] {
        answers_soon(make, first, "150 SIGSEGV");
    }
    for first in ["rread stat bundle.tar.gz --list", "rread lines bundle.tar.gz"] {
        answers_soon(make, first, "runs/7/run.log");
    }
}

#[test]
fn what_agents_tried_with_the_options_of_rg() {
    let make = |folder: &Sandbox| {
        folder.file("app.log", numbered(3000).replace("line 301\n", "line 301 NEEDLE\n"));
    };
    for first in [
        "rread search -o 'NEEDLE' app.log",
        "rread search -n NEEDLE app.log",
        "rread search --no-heading NEEDLE app.log",
        "rread search --pcre2 NEEDLE app.log",
        "rread search --context=2 NEEDLE app.log",
        "rread search --include '*.log' NEEDLE .",
        "rread rg -n NEEDLE app.log",
        "rread search --json NEEDLE app.log",
    ] {
        answers_soon(make, first, "NEEDLE");
    }
}

#[cfg(feature = "documents")]
#[test]
fn what_agents_tried_in_notebooks() {
    let cell = r#"{"cell_type": "code", "execution_count": 17, "metadata": {}, "outputs": [], "source": ["step(17)"]}"#;
    let notebook = format!(r#"{{"cells": [{cell}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}"#);
    answers_soon(
        file("train.ipynb", notebook),
        r#"rread search 'execution_count": 17' train.ipynb"#,
        "step(17)",
    );
}

#[test]
fn captures_that_are_not_there() {
    let make = |folder: &Sandbox| {
        folder.file("f", numbered(3000));
        Agent::new(folder, "text").call("rread capture -- cat f");
    };
    reaches_goal(make, "rread lines fd:9", |agent, code| code == 0 && agent.printed.contains("cat f"));
}

#[test]
fn files_that_have_changed() {
    for (format, now) in
        FORMATS.into_iter().flat_map(|format| ["old\nNEEDLE\n", "NEEDLE\n"].map(|now| (format, now)))
    {
        let folder = Sandbox::with("f", "old\n");
        let version = folder.line("stat f --json").ok().json()["version"].as_str().unwrap().to_owned();
        folder.file("f", now);
        let first = format!("rread lines f --expect {version}");
        let calls = Agent::new(&folder, format).solve(&first, |agent, _| agent.content.contains("NEEDLE"));
        assert!(calls.len() > 1, "{calls:?}");
    }
}

/// Ends when the test ends.
struct Writer(Child);

impl Drop for Writer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_fifo_that_stays_open() {
    for format in FORMATS {
        let folder = Sandbox::new();
        assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
        let mut writer = Command::new("sh");
        writer.args(["-c", "exec > pipe; echo NEEDLE; exec sleep 60"]).current_dir(folder.path(""));
        let writer = Writer(writer.spawn().unwrap());
        let calls = Agent::new(&folder, format)
            .solve("rread lines pipe", |agent, _| agent.content.contains("NEEDLE"));
        assert!(calls.len() > 1, "{calls:?}");
        drop(writer);
    }
}

#[test]
fn look_around_leads_to_searches_that_answer() {
    let make =
        file("app.log", "id=7 ok\nfoobar\nfoo alone\nERROR DEBUG\nERROR real\nunknown\nknown NEEDLE\n");
    for (pattern, wanted) in [
        ("foo(?!bar)", "3:foo alone\n"),
        ("(?<!un)known", "7:known NEEDLE\n"),
        ("^(?!.*DEBUG).*ERROR", "ERROR real\n"),
        ("^(?=.*NEEDLE)(?=.*known)", "known NEEDLE\n"),
        ("foo(?=bar)", "foobar\n"),
    ] {
        let folder = Sandbox::new();
        make(&folder);
        let mut agent = Agent::new(&folder, "frontmatter");
        let refused = agent.call(&format!("rread search '{pattern}' app.log"));
        let stderr = String::from_utf8(refused.stderr).unwrap();
        let hint =
            stderr.lines().find_map(|line| line.strip_prefix("hint: ")).unwrap_or_else(|| panic!("{stderr}"));
        let answer = agent.call(hint);
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        assert!(answer.status.success() && text.ends_with(wanted), "{hint}: {text}");
        let matching = text
            .lines()
            .filter(|line| line.contains("foo") || line.contains("known") || line.contains("ERROR"));
        assert_eq!(matching.count(), 1, "{hint}: {text}");
    }
    let ids = "id=77 ok\nid=78 ok\nno=77\n";
    for (options, wanted) in [
        ("-o '(?<=id=)[0-9]+'", "77\n78\n"),
        ("-ic '(?<=ID=)7'", "2\n"),
        ("--ignore-case --json -m 1 '(?<=ID=)78'", "id=78"),
        ("-l --max-bytes 100 -e '(?<=id=)78'", "id=78"),
        ("--regexp='(?<=id=)78' -C 1", "id=78"),
    ] {
        reaches(file("f", ids), &format!("rread search {options} f"), wanted);
    }
}

#[test]
fn a_member_after_the_colon_of_an_archive() {
    let make = |folder: &Sandbox| {
        fs::create_dir(folder.path("etc")).unwrap();
        folder.file("etc/x", "NEEDLE\n");
        let done =
            Command::new("tar").args(["-czf", "b.tar.gz", "etc"]).current_dir(folder.path("")).status();
        assert!(done.unwrap().success());
    };
    reaches(make, "rread lines b.tar.gz:etc/x", "NEEDLE");
    reaches(make, "rread search EEDL b.tar.gz:etc/x", "NEEDLE");
    reaches(make, "rread b.tar.gz:etc/x 1:2", "NEEDLE");
}
