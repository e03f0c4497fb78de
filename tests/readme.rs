//! The README and the pages in `docs/`: runs every `console` example, and checks links, lists and the picture.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rread_testkit::home::AtHome;
use tempfile::TempDir;

/// A command of a `console` block and the output shown below it.
struct Example {
    command: String,
    shown: Vec<String>,
}

impl Example {
    /// The exit code that a comment at the end of the command promises: `# exit code 5`.
    fn exit_code(&self) -> i32 {
        self.command.rsplit_once("# exit code ").map_or(0, |(_, code)| code.parse().expect("an exit code"))
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Pages for those who work on rread, which are not in the book.
const DEVELOPERS: &str = "docs/dev";

/// The names of the README and of every page, as the root of the repository names them.
fn documents() -> Vec<String> {
    let of = |folder: &'static str| {
        let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
        let names = entries.map(|name| name.to_str().unwrap().to_owned());
        names.filter(|name| name.ends_with(".md")).map(move |name| format!("{folder}/{name}"))
    };
    let mut pages: Vec<String> = of("docs").chain(of(DEVELOPERS)).collect();
    pages.sort();
    pages.splice(0..0, ["README.md", "CONTRIBUTING.md"].map(str::to_owned));
    pages
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
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

/// Whether `line` is as shown: up to `…`, if the shown line ends with one.
fn matches(shown: &str, line: &str) -> bool {
    match shown.strip_suffix('…') {
        Some(start) => line.starts_with(start),
        None => shown == line,
    }
}

/// Compares the printed lines with the shown ones; the line `…` stands for any number of lines.
fn compare(shown: &[String], printed: &[&str]) -> Result<(), String> {
    let mut rest = printed.iter();
    let mut skips = false;
    for line in shown {
        if line == "…" {
            skips = true;
            continue;
        }
        let found = if skips { rest.find(|printed| matches(line, printed)) } else { rest.next() };
        match found {
            Some(printed) if matches(line, printed) => skips = false,
            found => return Err(format!("shown:   {line}\nprinted: {}", found.unwrap_or(&"(nothing)"))),
        }
    }
    let is_open = shown.last().is_some_and(|line| line.ends_with('…'));
    match rest.next() {
        Some(more) if !is_open => Err(format!("not shown: {more}")),
        _ => Ok(()),
    }
}

/// Where the examples of a page run: they share a home, with indexes and captures, the folder that `cd` names, and
/// the format that `export` sets.
struct Session {
    home: TempDir,
    folder: PathBuf,
    format: String,
}

impl Session {
    fn new() -> Self {
        Session { home: TempDir::new().unwrap(), folder: root().to_owned(), format: String::new() }
    }

    /// Runs an example; an error says what differs.
    fn run(&mut self, example: &Example) -> Result<(), String> {
        let (home, program) = (self.home.path(), Path::new(env!("CARGO_BIN_EXE_rread")));
        let left = home.join(".left");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut shell = Command::new("sh");
        // The next example runs where this one ends.
        let leave = r#"{ pwd; echo "${RREAD_FORMAT-}"; } > "$HOME/.left""#;
        let script = format!("{}\nstatus=$?\n{leave}\nexit $status", example.command);
        shell.args(["-c", &script]).current_dir(&self.folder);
        shell.env("PATH", format!("{}:{path}", program.parent().unwrap().display())).at_home(home);
        // An empty variable counts as not set.
        shell.env("RREAD_FORMAT", &self.format);
        // Some examples write a file.
        shell.env("TMPDIR", home);
        let output = shell.output().unwrap();
        let left = fs::read_to_string(left).unwrap();
        let (folder, format) = left.split_once('\n').unwrap();
        (self.folder, self.format) = (PathBuf::from(folder), format.trim_end().to_owned());
        let mut text = String::from_utf8(output.stdout).unwrap();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        // A terminal shows both.
        text += &String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(example.exit_code()) {
            return Err(format!("{}\n{text}", output.status));
        }
        let printed: Vec<&str> = text.lines().collect();
        compare(&example.shown, &printed).map_err(|what| format!("{what}\n\n{text}"))
    }
}

#[test]
fn every_example_prints_what_is_shown() {
    let mut faults = Vec::new();
    let mut count = 0;
    for document in documents() {
        let mut session = Session::new();
        for example in examples(&read(&document)) {
            count += 1;
            if let Err(fault) = session.run(&example) {
                faults.push(format!("{document}\n$ {}\n{fault}", example.command));
            }
        }
    }
    assert!(faults.is_empty(), "{} of {count} examples\n\n{}", faults.len(), faults.join("\n"));
    assert!(count >= 40, "the documents have lost their examples: {count}");
}

/// The programs in `text`: a block of Python or sh that a block of text follows, and the lines that this one has.
fn programs(text: &str) -> Vec<(&str, &str, Vec<String>)> {
    let blocks: Vec<&str> = text.split("```").skip(1).step_by(2).collect();
    let pairs = blocks.windows(2).filter_map(|pair| {
        let ((language, code), (_, shown)) = (pair[0].split_once('\n')?, pair[1].split_once("text\n")?);
        let is_program = matches!(language, "python" | "sh") && pair[1].starts_with("text\n");
        is_program.then(|| (language, code, shown.lines().map(str::to_owned).collect()))
    });
    pairs.collect()
}

#[test]
fn every_program_prints_what_is_shown() {
    let session = Session::new();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", Path::new(env!("CARGO_BIN_EXE_rread")).parent().unwrap().display());
    let runs = |name: &str| Command::new(name).arg("--version").output().is_ok();
    let mut count = 0;
    let document = "docs/programs.md";
    for (language, code, shown) in programs(&read(document)) {
        let name = if language == "python" { "python3" } else { "sh" };
        count += 1;
        if !runs(name) || code.contains("jq ") && !runs("jq") {
            eprintln!("SKIPPED: {document}: {name} or jq cannot be run");
            continue;
        }
        let mut program = Command::new(name);
        program.args(["-c", code]).current_dir(root()).env("PATH", &path).at_home(session.home.path());
        program.env("PYTHONPATH", "packaging/python").env("PYTHONDONTWRITEBYTECODE", "1");
        let output = program.output().unwrap();
        assert!(output.status.success(), "{document}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let compared = compare(&shown, &text.lines().collect::<Vec<_>>());
        assert_eq!(compared, Ok(()), "{document}");
    }
    assert_eq!(count, 4);
}

/// Each group of users has a page with one task, from its first command to its last.
#[test]
fn the_pages_of_tasks_are_sessions_with_a_picture() {
    for name in ["incident", "bug", "ci"] {
        let page = read(&format!("docs/{name}.md"));
        let commands = examples(&page);
        assert!(commands.len() > 8, "{name}: {} commands", commands.len());
        assert!(
            commands.iter().any(|example| example.command.contains(&format!("fixtures/{name}"))),
            "{name}"
        );
        assert!(page.contains(&format!("]({name}.svg)")) && root().join(format!("docs/{name}.svg")).exists());
        assert!(links(&read("docs/SUMMARY.md")).contains(&format!("{name}.md")), "{name}");
    }
}

#[test]
fn shown_lines_are_compared_with_printed_ones() {
    let shown = |lines: &[&str]| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
    let printed = ["a", "b", "c"];
    for right in
        [&["a", "b", "c"][..], &["a", "…"], &["…", "c"], &["a", "…", "c"], &["…", "b…"], &["a…"], &["…"]]
    {
        assert_eq!(compare(&shown(right), &printed), Ok(()), "{right:?}");
    }
    for wrong in [&["a", "b"][..], &["a", "c", "…"], &["…", "b"], &["…", "d"], &["a", "b", "c", "d"], &[]]
    {
        assert!(compare(&shown(wrong), &printed).is_err(), "{wrong:?}");
    }
}

/// The lines of a document outside its blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        inside ^= is_fence;
        !inside && !is_fence
    })
}

/// The anchors of the headings in GitHub and mdBook.
fn headings(text: &str) -> BTreeSet<String> {
    let titles =
        prose(text).filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let slug = |title: &str| {
        let kept = title.to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>()
    };
    titles.map(slug).collect()
}

/// The targets of links and pictures outside backticks.
fn links(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for line in prose(text) {
        let line: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
        targets.extend(line.split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned()));
    }
    targets
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut count = 0;
    for document in documents() {
        let text = read(&document);
        for link in links(&text) {
            if link.contains("://") {
                continue;
            }
            count += 1;
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let folder = Path::new(&document).parent().unwrap();
            let target = if file.is_empty() { PathBuf::from(&document) } else { folder.join(file) };
            assert!(root().join(&target).is_file(), "{document}: {link}");
            // The book has no pages but those of its folder.
            let is_of_book = document.starts_with("docs/") && !document.starts_with(DEVELOPERS);
            assert!(!is_of_book || !file.contains('/'), "{document}: {link} leaves docs/");
            if !heading.is_empty() {
                assert!(headings(&read(target.to_str().unwrap())).contains(heading), "{document}: {link}");
            }
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn the_book_has_every_page_once() {
    let listed = links(&read("docs/SUMMARY.md"));
    let unique: BTreeSet<String> = listed.iter().map(|name| format!("docs/{name}")).collect();
    assert_eq!(listed.len(), unique.len(), "{listed:?}");
    let is_of_book = |name: &String| name.starts_with("docs/") && !name.starts_with(DEVELOPERS);
    let there = documents().into_iter().filter(|name| is_of_book(name) && name != "docs/SUMMARY.md");
    assert_eq!(unique, there.collect());
    assert!(read("book.toml").contains("src = \"docs\""));
    // mdBook writes the first page to `index.html`, and these pages too.
    assert!(!unique.contains("docs/index.md") && !unique.contains("docs/README.md"));
    for name in unique {
        let text = read(&name);
        assert!(text.starts_with("# ") && headings(&text).len() > 1, "{name} has no title or no sections");
    }
}

/// The names of the members of objects anywhere in `schema`.
fn members(schema: &serde_json::Value, names: &mut BTreeSet<String>) {
    if let Some(properties) = schema.get("properties").and_then(|properties| properties.as_object()) {
        names.extend(properties.keys().cloned());
    }
    schema.as_object().into_iter().flat_map(|object| object.values()).for_each(|value| members(value, names));
    schema.as_array().into_iter().flatten().for_each(|value| members(value, names));
}

#[test]
fn the_page_of_receipts_has_every_key() {
    let schema = serde_json::from_str(&read("crates/answer/src/schema.json")).unwrap();
    let mut names = BTreeSet::new();
    members(&schema, &mut names);
    assert!(names.len() > 100, "{names:?}");
    let page = read("docs/receipts.md");
    let code = page.split('`').skip(1).step_by(2);
    let words = code.flat_map(|code| code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    let words: BTreeSet<&str> = words.collect();
    let missing: Vec<&String> = names.iter().filter(|name| !words.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "docs/receipts.md does not have {missing:?}");
}

#[test]
fn the_page_of_the_architecture_lists_every_module() {
    let page = read("docs/dev/architecture.md");
    let (_, block) = page.split_once("\nsrc/\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let listed: BTreeSet<&str> = block.split([' ', ',', '\n']).collect();
    for entry in fs::read_dir(root().join("src")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let name = if entry.path().is_dir() { format!("{name}/") } else { name };
        assert!(listed.contains(name.as_str()), "docs/dev/architecture.md does not list src/{name}");
    }
}

#[test]
fn the_pictures_of_a_terminal_are_current() {
    let has_viewer = cfg!(all(unix, feature = "view"));
    for script in ["docs/terminal.py", "docs/viewer.py"].into_iter().take(1 + usize::from(has_viewer)) {
        let mut python = Command::new("python3");
        python.arg(root().join(script)).args(["--check", "--program", env!("CARGO_BIN_EXE_rread")]);
        match python.current_dir(root()).output() {
            Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
            Err(error) => eprintln!("SKIPPED: python3 cannot be run: {error}"),
        }
    }
}
