//! The shape of the source: which package may need which, which module may name which, and who may touch files.

use std::collections::{BTreeMap, BTreeSet};

use super::packaging::metadata;
use super::uses::{Code, Module, Uses, code_of};

/// The folders of the packages, lowest first.
pub const PACKAGES: [&str; 9] = [
    "crates/text",
    "crates/documents",
    "crates/source",
    "crates/reader",
    "crates/sql",
    "crates/cluster",
    "crates/answer",
    "crates/view",
    ".",
];

/// What a package may need of this repository.
const NEEDS: [(&str, &[&str]); 9] = [
    ("rread-text", &[]),
    ("rread-documents", &[]),
    ("rread-source", &["rread-documents", "rread-text"]),
    ("rread-reader", &["rread-source", "rread-text"]),
    ("rread-sql", &["rread-documents", "rread-reader", "rread-source", "rread-text"]),
    ("rread-cluster", &["rread-reader", "rread-source", "rread-sql", "rread-text"]),
    ("rread-answer", &["rread-documents", "rread-reader", "rread-source", "rread-text"]),
    ("rread-view", &["rread-answer", "rread-reader", "rread-source", "rread-text"]),
    (
        "rread",
        &[
            "rread-answer",
            "rread-cluster",
            "rread-documents",
            "rread-reader",
            "rread-source",
            "rread-sql",
            "rread-text",
            "rread-view",
        ],
    ),
];

/// Packages of others that one package alone needs.
const NEEDED_BY_ONE: [(&str, &str); 8] = [
    ("clap", "rread"),
    ("crossterm", "rread-view"),
    ("datafusion", "rread-sql"),
    ("datafusion-distributed", "rread-cluster"),
    ("hayro-interpret", "rread-documents"),
    ("object_store", "rread-source"),
    ("rmcp", "rread"),
    ("rusqlite", "rread-source"),
];

/// Lines that a file may have; more only where they are one type and its methods.
const LONGEST: usize = 700;

/// Words that lead out of memory. Addresses of the network are data, sockets are not.
const OUTSIDE: [&str; 11] = [
    "fs",
    "File",
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "stdin",
    "stdout",
    "stderr",
    "env",
    "process",
    "thread",
];

/// Words that only sources and the reader have a use for.
const FILE_WORDS: [&str; 6] = ["fs", "File", "OpenOptions", "Seek", "SeekFrom", "BufReader"];

/// Words for files in `src/cmd`, with the reason: file, word, why.
const FILES_IN_COMMANDS: &[(&str, &str, &str)] = &[
    ("from.rs", "fs", "a list of ranges is an input of its own, not the file that is read"),
    ("from.rs", "File", "a list of ranges is an input of its own, not the file that is read"),
    ("lines.rs", "BufReader", "the messages of a client are not the file that is read"),
    ("cluster.rs", "fs", "a test writes a list of workers"),
    ("stat.rs", "fs", "permissions and times are metadata, which no source has"),
];

/// The direct dependencies of every package, without those for tests alone.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let known = metadata(&["--no-deps"]).unwrap();
    let packages = known["packages"].as_array().unwrap();
    let needs = |package: &serde_json::Value| {
        let all =
            package["dependencies"].as_array().unwrap().iter().filter(|needed| needed["kind"].is_null());
        all.map(|needed| needed["name"].as_str().unwrap().to_owned()).collect()
    };
    packages.iter().map(|package| (package["name"].as_str().unwrap().to_owned(), needs(package))).collect()
}

#[test]
fn a_package_needs_only_those_below_it() {
    let all = dependencies();
    for (package, allowed) in NEEDS {
        let ours: Vec<&str> =
            all[package].iter().map(String::as_str).filter(|name| name.starts_with("rread")).collect();
        assert_eq!(ours, allowed, "{package}");
    }
    for (needed, owner) in NEEDED_BY_ONE {
        let users: Vec<&String> =
            all.iter().filter(|(_, names)| names.contains(needed)).map(|(user, _)| user).collect();
        assert_eq!(users, [owner], "{needed}");
    }
}

#[test]
fn text_does_no_input_or_output() {
    for code in code_of("crates/text") {
        let words = code.words();
        let found: Vec<&&str> = OUTSIDE.iter().filter(|word| words.contains(**word)).collect();
        assert!(found.is_empty(), "{} names {found:?}", code.path.display());
    }
}

/// The page of a crate, and the modules that it lists, lowest first.
fn page(code: &[Code]) -> (String, Vec<String>) {
    let lib = code.iter().find(|code| code.name() == "lib.rs").unwrap();
    let page: String = lib.text.lines().filter_map(|line| line.strip_prefix("//!")).collect();
    let (page, list) = page.split_once("Modules, lowest first").expect("no list of modules");
    // `mod@` tells rustdoc that the module is meant, where a macro has its name.
    let names =
        list.split('`').skip(1).step_by(2).map(|name| name.trim_start_matches("mod@").to_owned()).collect();
    (page.to_owned(), names)
}

fn declared(code: &[Code]) -> BTreeSet<String> {
    let names = code.iter().map(Code::module);
    let names = names.filter(|module| module.len() == 1 && *module != ["main"] && !is_test(module));
    names.map(|module| module[0].clone()).collect()
}

/// Whether the module is a file of tests.
fn is_test(module: &Module) -> bool {
    module.last().is_some_and(|name| name.ends_with("_tests"))
}

#[test]
fn a_module_uses_only_those_before_it() {
    let mut edges = 0;
    for package in PACKAGES {
        let code = code_of(package);
        let (_, order) = page(&code);
        assert_eq!(
            order.iter().cloned().collect::<BTreeSet<_>>(),
            declared(&code),
            "{package}: the list of modules"
        );
        // What stands in `disabled` takes the place of a module in a build without its feature.
        let named = |module: &Module| module.iter().find(|part| *part != "disabled").cloned();
        let rank = |module: &Module| order.iter().position(|name| Some(name) == named(module).as_ref());
        for (own, used) in Uses::of(&code).0.into_iter().filter(|(own, _)| !is_test(own)) {
            // The root of a crate is above all; what others name in it are its own types.
            for other in used.iter().filter(|other| !other.is_empty() && !own.is_empty()) {
                edges += 1;
                assert!(rank(other) <= rank(&own), "{package}: {own:?} uses {other:?}");
            }
        }
    }
    assert!(edges > 500, "only {edges} uses were found: the source was not understood");
}

#[test]
fn no_two_files_use_each_other_in_a_circle() {
    for package in PACKAGES {
        assert_eq!(Uses::of(&code_of(package)).circles(), BTreeSet::new(), "{package}");
    }
}

#[test]
fn every_crate_has_a_page_with_its_rule_and_an_example() {
    for package in PACKAGES.iter().filter(|package| **package != ".") {
        let (page, _) = page(&code_of(package));
        assert!(page.contains("**") && page.contains("``` "), "{package}");
    }
}

#[test]
fn renderers_know_neither_readers_nor_sources() {
    for code in code_of("crates/answer").iter().filter(|code| code.path.starts_with("format")) {
        let words = code.words();
        let found: Vec<&&str> = ["rread_reader", "rread_source"]
            .iter()
            .chain(&FILE_WORDS)
            .filter(|word| words.contains(**word))
            .collect();
        assert!(found.is_empty(), "{} names {found:?}", code.path.display());
    }
}

#[test]
fn commands_do_not_touch_files_by_themselves() {
    let mut used = BTreeSet::new();
    for code in code_of(".").iter().filter(|code| code.path.starts_with("cmd")) {
        let words = code.words();
        for word in FILE_WORDS.iter().filter(|word| words.contains(**word)) {
            let allowed =
                FILES_IN_COMMANDS.iter().any(|(file, what, _)| *file == code.name() && what == word);
            assert!(allowed, "{} names {word}: reading is the reader's", code.path.display());
            used.insert((code.name().to_owned(), *word));
        }
    }
    assert_eq!(used.len(), FILES_IN_COMMANDS.len(), "an exception is no longer needed: {used:?}");
}

#[test]
fn every_file_says_what_it_is_for_and_is_short() {
    let mut wrong = Vec::new();
    for code in PACKAGES.into_iter().flat_map(code_of) {
        if !code.text.starts_with("//! ") {
            wrong.push(format!("{} does not open with //!", code.path.display()));
        }
        let lines = code.text.lines().count();
        if lines > LONGEST {
            wrong.push(format!("{} has {lines} lines, more than {LONGEST}", code.path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
