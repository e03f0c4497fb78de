//! Painted text as characters with their styles.

use std::path::{Path, PathBuf};

use rread_testkit::sandbox::{Run, Sandbox};

/// A character and the codes of SGR that are in force.
pub type Painted = Vec<(char, Vec<String>)>;

/// Reads text with SGR sequences; panics at any other escape sequence.
pub fn painted(text: &str) -> Painted {
    let (mut painted, mut style, mut rest) = (Vec::new(), Vec::new(), text);
    while let Some(c) = rest.chars().next() {
        if let Some(sequence) = rest.strip_prefix("\x1b[") {
            let end = sequence.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap();
            assert!(sequence[end..].starts_with('m'), "not a colour: {:?}", &rest[..rest.len().min(20)]);
            apply(&sequence[..end], &mut style);
            rest = &sequence[end + 1..];
            continue;
        }
        assert_ne!(c, '\x1b', "not a colour: {:?}", &rest[..rest.len().min(20)]);
        painted.push((c, style.clone()));
        rest = &rest[c.len_utf8()..];
    }
    assert!(style.is_empty(), "the last colour ends");
    painted
}

fn apply(codes: &str, style: &mut Vec<String>) {
    let mut codes = codes.split(';');
    while let Some(code) = codes.next() {
        let is_color = |code: &String| code.starts_with('3') && code != "3";
        match code {
            "" | "0" => style.clear(),
            "39" => style.retain(|code| !is_color(code)),
            "38" => {
                style.retain(|code| !is_color(code));
                let depth = codes.next().unwrap();
                let count = if depth == "5" { 1 } else { 3 };
                let color: Vec<&str> = codes.by_ref().take(count).collect();
                style.push(format!("38;{depth};{}", color.join(";")));
            }
            _ if code.starts_with('3') && code.len() == 2 => {
                style.retain(|code| !is_color(code));
                style.push(code.to_owned());
            }
            _ => style.push(code.to_owned()),
        }
        style.sort();
    }
}

/// The characters that one sees.
pub fn visible(painted: &Painted) -> Painted {
    painted.iter().filter(|(c, _)| !c.is_whitespace()).cloned().collect()
}

/// The characters of `a` and `b`, which have the same text, and those of them that have the same style.
pub fn agreement(a: &Painted, b: &Painted, path: &Path) -> (usize, usize) {
    let text = |painted: &Painted| painted.iter().map(|(c, _)| *c).collect::<String>();
    assert_eq!(text(a), text(b), "{}", path.display());
    (a.len(), a.iter().zip(b).filter(|(a, b)| a == b).count())
}

/// `rread lines` in colours, in the format text.
pub fn lines(sandbox: &Sandbox, path: &Path, words: &[&str]) -> Run {
    let path = path.to_str().unwrap();
    sandbox.run(["lines", path].iter().chain(words).chain(&["-f", "text", "--color", "always"])).ok()
}

/// The result of `run`, which is run again while it differs: on a machine that is busy for long, rread goes on without
/// waiting for the parser.
pub fn patiently<T: PartialEq>(expected: &T, run: impl Fn() -> T) -> T {
    (0..10).map(|_| run()).find(|found| found == expected).unwrap_or_else(run)
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Source files of this repository.
pub fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    found.sort();
    found
}

pub const C: &str = r#"/* A program
 * with a long comment. */
#include <stdio.h>
#define LIMIT 0x10 /* sixteen */

static const char *const NAMES[] = { "one\n", "two \"quoted\"", 0 };

int main(int argc, char **argv) {
    for (unsigned i = 0; NAMES[i] != NULL && i < LIMIT; i++) {
        printf("%s: %d\n", NAMES[i], (int)i); // each
    }
    return argc > 1 ? argv[1][0] == 'x' : 0;
}
"#;
