//! `-f PATTERNS` of grep and rg after `rread search`, where `-f` is the format.

use std::ffi::OsString;
use std::path::Path;

use crate::args::choice::format_of;

/// Short options of `rread search` whose value is the rest of the word, or the next word.
const WITH_VALUE: &str = "eABCmEgtTdjMr";

/// `args` with `--file PATTERNS` in place of `-f PATTERNS`, where PATTERNS is a file, or `-`, and not a format.
pub(crate) fn of_grep(args: Vec<OsString>) -> Vec<OsString> {
    if args.get(1).is_none_or(|command| command != "search") {
        return args;
    }
    let mut words: Vec<OsString> = Vec::with_capacity(args.len());
    let mut rest = args.into_iter();
    words.extend(rest.by_ref().take(2));
    while let Some(word) = rest.next() {
        if word == "--" {
            words.push(word);
            words.extend(rest);
            break;
        }
        match last_option(word.to_str().unwrap_or_default()) {
            Some((before, 'f', value)) => {
                let (before, attached) = (before.to_owned(), value.to_owned());
                let next = if attached.is_empty() { rest.next() } else { None };
                let value = next.clone().unwrap_or_else(|| OsString::from(&attached));
                if names_patterns(&value) {
                    words.extend((before.len() > 1).then(|| OsString::from(&before)));
                    words.extend([OsString::from("--file"), value]);
                } else {
                    words.push(word);
                    words.extend(next);
                }
            }
            Some((_, _, "")) => {
                words.push(word);
                words.extend(rest.next());
            }
            _ => words.push(word),
        }
    }
    words
}

/// The first short option of `word` that has a value: what comes before it, its letter and the rest.
fn last_option(word: &str) -> Option<(&str, char, &str)> {
    let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
    let (at, letter) = letters.char_indices().find(|(_, c)| *c == 'f' || WITH_VALUE.contains(*c))?;
    let at = at + 1;
    Some((&word[..at], letter, &word[at + letter.len_utf8()..]))
}

fn names_patterns(value: &OsString) -> bool {
    let is_format = value.to_str().is_some_and(|value| format_of(value).is_some());
    !is_format && (value == "-" || Path::new(value).exists() && !Path::new(value).is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_patterns_is_not_a_format() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pat");
        std::fs::write(&file, "x\n").unwrap();
        let file = file.to_str().unwrap();
        for (typed, expected) in [
            ("-f PAT x", "--file PAT x"),
            ("-fPAT x", "--file PAT x"),
            ("-vf PAT x", "-v --file PAT x"),
            ("-viFfPAT", "-viF --file PAT"),
            ("-f -", "--file -"),
            ("-f text x", "-f text x"),
            ("-fjson x", "-fjson x"),
            ("-f /no/file x", "-f /no/file x"),
            ("-ef PAT", "-ef PAT"),
            ("-e -f PAT", "-e -f PAT"),
            ("-C1 -f PAT", "-C1 --file PAT"),
            ("-- -f PAT", "-- -f PAT"),
            ("--file -f", "--file -f"),
            ("-f", "-f"),
        ] {
            let line = format!("rread search {typed}").replace("PAT", file);
            let args = line.split(' ').map(OsString::from).collect();
            let words: Vec<String> =
                of_grep(args).iter().map(|word| word.to_string_lossy().into_owned()).collect();
            assert_eq!(words.join(" "), format!("rread search {expected}").replace("PAT", file), "{typed}");
        }
        let args: Vec<OsString> = ["rread", "lines", "-f", file].iter().map(OsString::from).collect();
        assert_eq!(of_grep(args.clone()), args);
    }
}
