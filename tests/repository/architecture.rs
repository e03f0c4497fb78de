//! The shape of the source: which module may name which, who may touch files, and how long a file may be.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines that a file may have.
const LONGEST: usize = 400;

/// Words for files in `src/cmd`, with the reason: file, word, why.
const FILES_IN_COMMANDS: &[(&str, &str, &str)] = &[
    ("from.rs", "fs", "a list of ranges is an input of its own, not the file that is read"),
    ("from.rs", "File", "a list of ranges is an input of its own, not the file that is read"),
    ("stat.rs", "fs", "permissions and times are metadata, which no source has"),
];

/// Words that only sources and the reader under them have a use for.
const FILE_WORDS: &[&str] = &["fs", "File", "OpenOptions", "Seek", "SeekFrom", "BufReader"];

/// A file of the source without its comments.
pub struct Code {
    pub path: PathBuf,
    pub text: String,
}

impl Code {
    /// The module at the top that the file belongs to; `lib` and `main` are those two.
    fn module(&self) -> String {
        let inside = self.path.strip_prefix(root()).unwrap();
        let first = inside.components().next().unwrap();
        Path::new(&first).file_stem().unwrap().to_str().unwrap().to_owned()
    }

    /// Whether the file is a module at the top by itself, so that its `super` is the root.
    fn is_at_the_top(&self) -> bool {
        self.path.parent() == Some(&root())
    }

    pub fn name(&self) -> &str {
        self.path.file_name().unwrap().to_str().unwrap()
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.text.split(|c: char| !is_of_word(c)).filter(|word| !word.is_empty())
    }

    /// The modules, and other things of the root, that the file names.
    fn names(&self) -> BTreeSet<&str> {
        let mut names = self.after("crate::");
        if self.is_at_the_top() {
            names.extend(self.after("super::"));
        }
        // In a nested module or folder this leads to a file below the root.
        let folders = || self.path.ancestors().skip(1).take_while(|folder| *folder != root());
        let is_below = |name: &str| folders().any(|folder| folder.join(format!("{name}.rs")).exists());
        names.extend(self.after("super::super::").into_iter().filter(|name| !is_below(name)));
        names.retain(|name| *name != "super" && *name != "self");
        names
    }

    /// What follows `prefix`: one name, or the first names in the braces.
    fn after(&self, prefix: &str) -> BTreeSet<&str> {
        let at_start = |at: usize| !self.text[..at].ends_with(|c| is_of_word(c) || c == ':' || c == '$');
        let places = self.text.match_indices(prefix).filter(|(at, _)| at_start(*at));
        places.flat_map(|(at, _)| first_names(&self.text[at + prefix.len()..])).collect()
    }
}

pub fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn first_names(path: &str) -> Vec<&str> {
    let word = |text: &str| text.find(|c| !is_of_word(c)).unwrap_or(text.len());
    let Some(group) = path.strip_prefix('{') else {
        return Some(&path[..word(path)]).filter(|name| !name.is_empty()).into_iter().collect();
    };
    let (mut depth, mut names, mut expected) = (1, Vec::new(), true);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => expected = true,
            c if is_of_word(c) && expected => {
                names.push(&group[at..at + word(&group[at..])]);
                expected = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every Rust file under `folder`, with its whole text.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found = entries.flat_map(|path| match path.extension() {
        _ if path.is_dir() => files(&path),
        Some(extension) if extension == "rs" => vec![(path.clone(), fs::read_to_string(&path).unwrap())],
        _ => Vec::new(),
    });
    found.collect()
}

pub fn code() -> Vec<Code> {
    let code: Vec<Code> =
        files(&root()).into_iter().map(|(path, text)| Code { text: bare(&text), path }).collect();
    assert!(code.len() > 20, "the source was not found");
    code
}

/// `text` without its comments and strings.
fn bare(text: &str) -> String {
    let (mut rest, mut code) = (text, String::new());
    while let Some(c) = rest.chars().next() {
        let in_word = code.ends_with(is_of_word);
        let passed = match rest {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("'\"'") => 3,
            _ if rest.starts_with('"') => string(rest),
            _ if !in_word => raw_string(rest).unwrap_or(0),
            _ => 0,
        };
        if passed == 0 {
            code.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            code.push(' ');
            rest = &rest[passed..];
        }
    }
    code
}

/// The length of the string that `text` begins with.
fn string(text: &str) -> usize {
    let mut escaped = true;
    let end = text.find(|c| {
        let ends = c == '"' && !escaped;
        // The quote that opens the string is passed over as if it were escaped.
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 1)
}

/// The length of the raw string that `text` begins with, if it does.
fn raw_string(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let content = inside.trim_start_matches('#');
    let end = format!("\"{}", &inside[..inside.len() - content.len()]);
    let length = content.strip_prefix('"')?.find(&end)?;
    Some(text.len() - content.len() + 1 + length + end.len())
}

/// The modules, lowest first, as the first page of the documentation lists them.
fn modules() -> Vec<String> {
    let text = fs::read_to_string(root().join("lib.rs")).unwrap();
    let page: String = text.lines().filter_map(|line| line.strip_prefix("//!")).collect();
    let links = page.split("[`").skip(1).map(|rest| rest.split("`]").next().unwrap().to_owned());
    links.collect()
}

#[test]
fn the_documentation_lists_every_module_once() {
    let text = fs::read_to_string(root().join("lib.rs")).unwrap();
    let declared = text.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    let mut declared: Vec<String> = declared.map(str::to_owned).collect();
    let mut listed = modules();
    declared.sort();
    listed.sort();
    assert_eq!(listed, declared);
}

#[test]
fn a_module_names_only_those_before_it() {
    let modules = modules();
    let rank = |name: &str| modules.iter().position(|module| module == name);
    let (mut wrong, mut edges) = (Vec::new(), 0);
    for code in code() {
        let module = code.module();
        // What is not in the list (the root, the program) is above all.
        let own = rank(&module).unwrap_or(modules.len());
        for name in code.names() {
            edges += 1;
            if name != module && rank(name).is_none_or(|rank| rank >= own) {
                wrong.push(format!("{} names {name}", code.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(edges > 80, "only {edges} names were found: the source was not understood");
}

#[test]
fn renderers_know_neither_readers_nor_sources() {
    for code in code().iter().filter(|code| code.module() == "format") {
        for name in ["reader", "source", "selection"] {
            assert!(!code.names().contains(name), "{} names {name}", code.path.display());
        }
        let word = code.words().find(|word| FILE_WORDS.contains(word));
        assert_eq!(word, None, "in {}", code.path.display());
    }
}

#[test]
fn commands_do_not_touch_files_by_themselves() {
    let mut used = BTreeSet::new();
    for code in code().iter().filter(|code| code.module() == "cmd") {
        for word in code.words().filter(|word| FILE_WORDS.contains(word)) {
            let allowed =
                FILES_IN_COMMANDS.iter().any(|(file, what, _)| *file == code.name() && *what == word);
            assert!(allowed, "{} names {word}: reading is the reader's", code.path.display());
            used.insert((code.name().to_owned(), word.to_owned()));
        }
    }
    assert_eq!(used.len(), FILES_IN_COMMANDS.len(), "an exception is no longer needed: {used:?}");
}

#[test]
fn every_file_says_what_it_is_for_and_is_short() {
    let mut wrong = Vec::new();
    for (path, text) in files(&root()) {
        if !text.starts_with("//! ") {
            wrong.push(format!("{} does not open with //!", path.display()));
        }
        let lines = text.lines().count();
        if lines > LONGEST {
            wrong.push(format!("{} has {lines} lines, more than {LONGEST}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_left_to_do_and_nothing_prints_past_the_output() {
    for code in code() {
        for word in ["todo!", "unimplemented!", "dbg!", "println!", "eprintln!", "print!", "eprint!"] {
            let found = code.text.match_indices(word).any(|(at, _)| !code.text[..at].ends_with(is_of_word));
            assert!(!found, "{} has {word}", code.path.display());
        }
    }
}

#[test]
fn names_are_found_in_every_form_of_path() {
    let code = |path: &str, text: &str| Code { path: root().join(path), text: text.to_owned() };
    let names = |path, text| code(path, text).names().into_iter().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        names("cmd/x.rs", "use crate::{body::{self, Sink}, error::Error, range};"),
        ["body", "error", "range"]
    );
    assert_eq!(
        names("cmd/x.rs", "use super::answer; use super::super::reader::Reader; pub(crate) fn f()"),
        ["reader"]
    );
    assert_eq!(
        names("next.rs", "use super::cmd; let x = crate::newline::count(b); $crate::y"),
        ["cmd", "newline"]
    );
    assert_eq!(
        bare("a(\"// \\\" b\", '\"', r#\"c\"d\"#) // e\nf(br\"\\\", \"\\\\\");"),
        "a( ,  ,  )  \nf( ,  );"
    );
    assert_eq!(code("cmd/x.rs", "").module(), "cmd");
    assert_eq!(code("next.rs", "").module(), "next");
}
