//! No two files of the source use each other in a circle, except those listed here with the reason.

use std::collections::{BTreeMap, BTreeSet};

use super::architecture::{Code, code, is_of_word, root};

/// Circles that are allowed, each with its files in order and the reason.
const ALLOWED: &[(&str, &str)] =
    &[("query/dialect/expressions query/dialect/rewrite", "the rewriter and its expressions recurse")];

/// A file, by the names of its module: `["source", "open"]`.
type Module = Vec<String>;

fn module_of(code: &Code) -> Module {
    let inside = code.path.strip_prefix(root()).unwrap().with_extension("");
    let mut names: Module = inside.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
    if ["mod", "lib"].contains(&code.name().trim_end_matches(".rs")) {
        names.pop();
    }
    names
}

/// The end of the block that `text` opens at `open`.
fn end_of_block(text: &str, open: usize) -> usize {
    let mut depth = 0;
    let end = text[open..].find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    });
    end.map_or(text.len(), |end| open + end + 1)
}

/// `text` without its modules of tests.
fn without_tests(text: &str) -> String {
    let Some((before, rest)) = text.split_once("#[cfg(test)]\nmod ") else { return text.to_owned() };
    let end = rest.find(['{', ';']).unwrap();
    let end = if rest[end..].starts_with('{') { end_of_block(rest, end) } else { end + 1 };
    format!("{before}{}", without_tests(&rest[end..]))
}

/// Every path in `text`, with groups in braces spread out, and where it begins.
fn paths(text: &str) -> Vec<(usize, Vec<&str>)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = text[at..].find(is_of_word).map(|start| at + start) {
        let begins = !text[..start].ends_with([':', '$', '.']);
        let mut all = Vec::new();
        at = start + path(&text[start..], &[], &mut all).max(1);
        if begins {
            found.extend(all.into_iter().map(|path| (start, path)));
        }
    }
    found
}

/// Adds the paths that `text` begins with to `found`, each after `before`; returns their length.
fn path<'a>(text: &'a str, before: &[&'a str], found: &mut Vec<Vec<&'a str>>) -> usize {
    let (mut names, mut at) = (before.to_vec(), 0);
    loop {
        let rest = &text[at..];
        let length = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        if length > 0 {
            names.push(&rest[..length]);
            at += length;
        } else if rest.starts_with('{') {
            let end = end_of_block(text, at);
            let mut inside = at + 1;
            while let Some(next) = text[inside..end].find(is_of_word) {
                inside += next;
                inside += path(&text[inside..end], &names, found);
            }
            return end;
        }
        if length == 0 || !text[at..].starts_with("::") {
            found.push(names);
            return at;
        }
        at += 2;
    }
}

/// The modules of files, and which of them use which.
struct Uses(BTreeMap<Module, BTreeSet<Module>>);

impl Uses {
    fn of(code: &[Code]) -> Self {
        // The program is a crate of its own.
        let files = code.iter().filter(|code| code.name() != "main.rs");
        let texts: BTreeMap<Module, String> =
            files.map(|code| (module_of(code), without_tests(&code.text))).collect();
        let uses = texts.iter().map(|(own, text)| (own.clone(), used(own, text, &texts)));
        Uses(uses.collect())
    }

    fn reached_from(&self, start: &Module) -> BTreeSet<&Module> {
        let mut reached = BTreeSet::new();
        let mut left: Vec<&Module> = self.0[start].iter().collect();
        while let Some(module) = left.pop() {
            if reached.insert(module) {
                left.extend(&self.0[module]);
            }
        }
        reached
    }

    /// Files that use each other, each circle in order.
    fn circles(&self) -> BTreeSet<Vec<String>> {
        let reached: BTreeMap<&Module, BTreeSet<&Module>> =
            self.0.keys().map(|module| (module, self.reached_from(module))).collect();
        let circle = |own: &&Module| {
            let others = reached[*own].iter().filter(|other| reached[**other].contains(*own));
            others.map(|other| other.join("/")).collect::<Vec<_>>()
        };
        self.0.keys().map(|own| circle(&own)).filter(|circle| circle.len() > 1).collect()
    }
}

/// The modules that the file of `own` uses.
fn used(own: &Module, text: &str, texts: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let blocks: Vec<(usize, usize)> = text
        .match_indices("mod ")
        .filter_map(|(at, _)| {
            let open = at + text[at..].find(['{', ';'])?;
            text[open..].starts_with('{').then(|| (open, end_of_block(text, open)))
        })
        .collect();
    let depth = |at: usize| blocks.iter().filter(|(open, end)| (open..end).contains(&&at)).count();
    let mut imported: BTreeMap<&str, Module> = BTreeMap::new();
    let mut used = BTreeSet::new();
    // A word alone is a name of the file's own, or the `crate` of `pub(crate)`.
    let all: Vec<_> = paths(text).into_iter().filter(|(_, path)| path.len() > 1).collect();
    // Names of modules that the file imports begin paths, too.
    for _ in 0..2 {
        for (at, path) in &all {
            let mut depth = depth(*at);
            let (mut module, mut rest) = match path[0] {
                "crate" => (Vec::new(), &path[1..]),
                "super" | "self" => (own.clone(), &path[..]),
                name => match imported.get(name) {
                    Some(module) => (module.clone(), &path[1..]),
                    None if depth == 0 => (own.clone(), &path[..]),
                    None => continue,
                },
            };
            while let Some((name, left)) = rest.split_first() {
                match *name {
                    "self" => {}
                    "super" if depth > 0 => depth -= 1,
                    "super" => drop(module.pop()),
                    name => {
                        module.push(name.to_owned());
                        if !texts.contains_key(&module) {
                            module.pop();
                            break;
                        }
                    }
                }
                rest = left;
            }
            let last = path[path.len() - 1];
            if module.last().is_some_and(|name| name == last) {
                imported.insert(last, module.clone());
            }
            if module != *own {
                used.insert(module);
            }
        }
    }
    used
}

#[test]
fn no_two_files_use_each_other_in_a_circle() {
    let found = Uses::of(&code()).circles();
    let allowed: BTreeSet<Vec<String>> =
        ALLOWED.iter().map(|(files, _)| files.split(' ').map(str::to_owned).collect()).collect();
    let list = |circles: &BTreeSet<Vec<String>>, others: &BTreeSet<Vec<String>>| {
        circles
            .difference(others)
            .map(|circle| format!("\n    (\"{}\", OLD),", circle.join(" ")))
            .collect::<String>()
    };
    let (new, gone) = (list(&found, &allowed), list(&allowed, &found));
    assert!(new.is_empty(), "files use each other in a circle:{new}\nremove from ALLOWED:{gone}");
    assert!(gone.is_empty(), "these circles are gone, remove them from ALLOWED:{gone}");
}

#[test]
fn paths_lead_to_files() {
    let code = |path: &str, text: &str| Code { path: root().join(path), text: text.to_owned() };
    let files = [
        code("lib.rs", "mod a; mod b; use a::one::One;"),
        code("a/mod.rs", "mod one; mod two; pub use one::{self, One}; use two::Two as Other;"),
        code("a/one.rs", "use crate::{b, a::{two::{X, Y}}}; use super::super::b::f; mod x { use super::y; }"),
        code(
            "a/two.rs",
            "fn f() { b::g() }\n#[cfg(test)]\nmod tests { use super::super::one; }\nuse super::Z;",
        ),
        code("b.rs", "fn f() {}"),
    ];
    let uses = Uses::of(&files);
    let of = |module: &[&str]| {
        let module: Module = module.iter().map(|&name| name.to_owned()).collect();
        uses.0[&module].iter().map(|used| used.join("/")).collect::<Vec<_>>()
    };
    assert_eq!(of(&[]), ["a/one"]);
    assert_eq!(of(&["a"]), ["a/one", "a/two"]);
    assert_eq!(of(&["a", "one"]), ["a/two", "b"]);
    assert_eq!(of(&["a", "two"]), ["a"]);
    assert_eq!(uses.circles().into_iter().collect::<Vec<_>>(), [["a", "a/one", "a/two"]]);
}
