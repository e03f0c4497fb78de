//! Reads the Rust files of a package and finds which of its modules use which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The names of a module from the root of its crate: `["search", "scan"]`.
pub type Module = Vec<String>;

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A Rust file.
pub struct Code {
    /// From the `src` folder on.
    pub path: PathBuf,
    pub text: String,
    tokens: TokenStream,
}

impl Code {
    pub fn new(path: &Path, text: String) -> Self {
        let tokens = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Code { path: path.to_owned(), text, tokens }
    }

    pub fn name(&self) -> &str {
        self.path.file_name().unwrap().to_str().unwrap()
    }

    pub fn module(&self) -> Module {
        let path = self.path.with_extension("");
        let mut names: Module = path.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
        names.pop_if(|last| last == "mod" || last == "lib");
        names
    }

    /// Every word outside of comments and strings.
    pub fn words(&self) -> BTreeSet<String> {
        let mut words = BTreeSet::new();
        collect_words(self.tokens.clone(), &mut words);
        words
    }
}

/// The Rust files of the package in `folder`.
pub fn code_of(folder: &str) -> Vec<Code> {
    let src = root().join(folder).join("src");
    let mut paths = Vec::new();
    collect_files(&src, &mut paths);
    assert!(paths.len() > 5, "{folder}: the source was not found");
    let code =
        |path: PathBuf| Code::new(path.strip_prefix(&src).unwrap(), fs::read_to_string(&path).unwrap());
    paths.into_iter().map(code).collect()
}

fn collect_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match path.extension() {
            _ if path.is_dir() => collect_files(&path, found),
            Some(extension) if extension == "rs" => found.push(path),
            _ => {}
        }
    }
}

fn collect_words(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => drop(found.insert(word.to_string())),
            TokenTree::Group(group) => collect_words(group.stream(), found),
            _ => {}
        }
    }
}

/// A path in the code, and how many inline modules are around it.
type PathAt = (usize, Vec<String>);

/// Adds the paths in `tokens`, but not those of tests.
fn collect_paths(tokens: TokenStream, depth: usize, found: &mut Vec<PathAt>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += match token {
            TokenTree::Ident(word) if word == "mod" => match tokens.get(at + 2) {
                Some(TokenTree::Group(group)) => {
                    if !is_for_tests(&tokens[..at]) {
                        collect_paths(group.stream(), depth + 1, found);
                    }
                    3
                }
                _ => 1,
            },
            TokenTree::Ident(_) => path(&tokens[at..], &[], depth, found),
            TokenTree::Group(group) => {
                collect_paths(group.stream(), depth, found);
                1
            }
            _ => 1,
        };
    }
}

/// The tokens of the root of a crate without `pub use …;`, which names what is above the root.
fn without_exports(tokens: &TokenStream) -> TokenStream {
    let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let items = all.split_inclusive(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';'));
    let is_word =
        |token: Option<&TokenTree>, word| matches!(token, Some(TokenTree::Ident(name)) if name == word);
    let kept = items.filter(|item| !(is_word(item.first(), "pub") && is_word(item.get(1), "use")));
    kept.flatten().cloned().collect()
}

/// Whether the tokens before an item end with `#[cfg(test)]`, perhaps before its visibility.
fn is_for_tests(before: &[TokenTree]) -> bool {
    let attribute = before.iter().rev().take(3).find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
            Some(group.stream().to_string())
        }
        _ => None,
    });
    attribute.is_some_and(|text| text.replace(' ', "") == "cfg(test)")
}

/// Adds the paths that `tokens` begin with, each after `before`; returns how many tokens they take.
fn path(tokens: &[TokenTree], before: &[String], depth: usize, found: &mut Vec<PathAt>) -> usize {
    let (mut names, mut at) = (before.to_vec(), 0);
    loop {
        match tokens.get(at) {
            Some(TokenTree::Ident(name)) => names.push(name.to_string()),
            Some(TokenTree::Group(group)) if at > 0 && group.delimiter() == Delimiter::Brace => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                let mut next = 0;
                while next < inside.len() {
                    next += path(&inside[next..], &names, depth, found);
                }
                return at + 1;
            }
            // Between two names of a group, what stands before the group is not used itself.
            Some(TokenTree::Punct(mark)) if mark.as_char() == ',' => return 1,
            _ => {
                found.push((depth, names));
                return at.max(1);
            }
        }
        at += 1;
        let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
        if !is_colon(tokens.get(at)) || !is_colon(tokens.get(at + 1)) {
            found.push((depth, names));
            return at;
        }
        at += 2;
    }
}

/// The modules of a package, and which of them use which.
pub struct Uses(pub BTreeMap<Module, BTreeSet<Module>>);

impl Uses {
    pub fn of(code: &[Code]) -> Self {
        // `main.rs` is a crate of its own.
        let files = || code.iter().filter(|code| code.name() != "main.rs");
        let modules: BTreeSet<Module> = files().map(Code::module).collect();
        let uses = files().map(|code| {
            let own = code.module();
            let mut paths = Vec::new();
            let tokens = if own.is_empty() { without_exports(&code.tokens) } else { code.tokens.clone() };
            collect_paths(tokens, 0, &mut paths);
            let used = used(&own, &paths, &modules);
            (own, used)
        });
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

    /// Modules that use each other, each circle in order.
    pub fn circles(&self) -> BTreeSet<Vec<String>> {
        let reached: BTreeMap<&Module, BTreeSet<&Module>> =
            self.0.keys().map(|module| (module, self.reached_from(module))).collect();
        let circle = |own: &Module| {
            let others = reached[own].iter().filter(|other| reached[**other].contains(own));
            others.map(|other| other.join("/")).collect::<Vec<_>>()
        };
        self.0.keys().map(circle).filter(|circle| circle.len() > 1).collect()
    }
}

/// The modules that the file of `own` uses, as its `paths` name them.
fn used(own: &Module, paths: &[PathAt], modules: &BTreeSet<Module>) -> BTreeSet<Module> {
    let mut imported: BTreeMap<&str, Module> = BTreeMap::new();
    let mut used = BTreeSet::new();
    // Names of modules that the file imports begin paths, too.
    for _ in 0..2 {
        // A word alone is a name of the file's own, or the `crate` of `pub(crate)`.
        for (depth, path) in paths.iter().filter(|(_, path)| path.len() > 1) {
            let mut depth = *depth;
            let (mut module, rest) = match path[0].as_str() {
                "crate" => (Vec::new(), &path[1..]),
                "super" | "self" => (own.clone(), &path[..]),
                name => match imported.get(name) {
                    Some(module) => (module.clone(), &path[1..]),
                    None if depth == 0 => (own.clone(), &path[..]),
                    None => continue,
                },
            };
            for name in rest {
                match name.as_str() {
                    "self" => {}
                    "super" if depth > 0 => depth -= 1,
                    "super" => drop(module.pop()),
                    name => {
                        module.push(name.to_owned());
                        if !modules.contains(&module) {
                            module.pop();
                            break;
                        }
                    }
                }
            }
            let last = path[path.len() - 1].as_str();
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
fn paths_lead_to_modules() {
    let code = |path: &str, text: &str| Code::new(Path::new(path), text.to_owned());
    let files = [
        code("lib.rs", "mod a; mod b; use a::one::One; pub use b::f;"),
        code("a/mod.rs", "mod one; mod two; pub use one::{self, One}; use two::Two as Other;"),
        code("a/one.rs", "use crate::{b, a::{two::{X, Y}}}; use super::super::b::f; mod x { use super::y; }"),
        code(
            "a/two.rs",
            "fn f() { b::g(\"crate::b\") } // crate::b\n#[cfg(test)]\nmod tests { use super::super::one; }\nuse super::Z;",
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
