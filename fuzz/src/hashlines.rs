//! Hashlines: anchors are read as they are written, and `verify` finds the lines that have changed and no others.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::sync::LazyLock;

use rread_text::error::Kind;
use rread_text::hashline::{Anchor, HashStyle, HashlineForm, Tag};
use tinyjson::JsonValue;

use crate::input::Input;
use crate::program::{Folder, run as rread};
use rread_testkit::naive::hashline;

static FOLDER: LazyLock<Folder> = LazyLock::new(Folder::new);

pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    if input.one_in(3) {
        anchor(&String::from_utf8_lossy(input.rest()));
    } else {
        verify(input);
    }
}

/// What is read is written again in the same way, and read by one who knows nothing but the form.
fn anchor(text: &str) {
    match text.parse::<Anchor>() {
        Ok(anchor) => {
            assert_eq!(naive(text), Some(anchor.to_string()), "{text:?}");
            assert_eq!(anchor.to_string().parse::<Anchor>().unwrap(), anchor, "{text:?}");
            assert!(anchor.line > 0);
            if let Tag::Digits { width, .. } = anchor.tag {
                assert!((4..=8).contains(&width), "{text:?}");
            }
        }
        Err(error) => {
            assert_eq!(naive(text), None, "{text:?}: {error}");
            assert_eq!(error.kind, Kind::Usage, "{text:?}");
        }
    }
}

/// `12#a1b2c3`, with the text of the line behind a `|` or `:`, or nothing but blanks.
fn naive(text: &str) -> Option<String> {
    let (number, rest) = text.trim_start().split_once('#')?;
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    let line = number.parse::<u64>().ok().filter(|line| is_number && *line > 0)?;
    let word: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    let behind = rest.strip_prefix(&word)?;
    if !(behind.starts_with('|') || behind.starts_with(':') || behind.trim().is_empty()) {
        return None;
    }
    let is_hex = (4..=8).contains(&word.len()) && word.chars().all(|c| c.is_ascii_hexdigit());
    let is_letters = word.len() == 2 && word.chars().all(|c| "ZPMQVRWSNKTXJBYH".contains(c));
    let word = if is_letters { word } else { word.to_lowercase() };
    (is_hex || is_letters).then(|| format!("{line}#{word}"))
}

/// A text as it was, anchors of some of its lines, the text as it is now.
fn verify(mut input: Input) {
    let form = HashlineForm {
        style: if input.one_in(4) { HashStyle::Omp } else { HashStyle::Xxh32 },
        width: 4 + u8::try_from(input.below(5)).unwrap(),
    };
    let (picks, edits) = (input.number(), input.bytes(24));
    let before: Vec<&[u8]> = input.rest().split_inclusive(|b| *b == b'\n').collect();
    if before.is_empty() || before.iter().any(|line| line.contains(&0)) {
        return;
    }
    let now = edited(&before, edits);
    let mut list = Vec::new();
    let mut expected = BTreeSet::new();
    for (line, number) in before.iter().zip(1u64..).filter(|(_, n)| picks >> (n % 64) & 1 == 1) {
        let was = hashline(line, number, form);
        let is = usize::try_from(number)
            .ok()
            .and_then(|n| now.get(n - 1))
            .map(|line| hashline(line, number, form));
        if is.as_ref() != Some(&was) {
            expected.insert(number);
        }
        list.extend(was.bytes());
        list.extend(line.iter().filter(|b| !matches!(b, b'\n' | b'\r')));
        list.push(b'\n');
    }
    if list.is_empty() {
        return;
    }
    let (text, list) = (FOLDER.file("text", &now.concat()), FOLDER.file("anchors", &list));
    let [verify, from, json, no_index, as_text, encoding, label] =
        ["verify", "--from", "--json", "--no-index", "--text", "-E", "utf-8"].map(OsStr::new);
    let (text, list) = (text.as_os_str(), list.as_os_str());
    let run = rread(&[verify, text, from, list, json, no_index, as_text, encoding, label]);
    // What begins with the mark of another encoding is refused.
    if run.code == 6 {
        return;
    }
    assert_eq!(run.code, u8::from(!expected.is_empty()), "{expected:?}: {}", run.told());
    let answer: JsonValue = String::from_utf8(run.stdout).unwrap().parse().unwrap();
    let mismatches: &Vec<JsonValue> = answer["metadata"]["mismatches"].get().unwrap();
    let found: Vec<f64> = mismatches.iter().map(|m| *m["line"].get::<f64>().unwrap()).collect();
    let expected: Vec<f64> = expected.iter().map(|n| f64::from(u32::try_from(*n).unwrap())).collect();
    assert_eq!(
        found,
        expected,
        "{:?} to {:?}",
        before.concat().escape_ascii().to_string(),
        now.concat().escape_ascii().to_string()
    );
}

/// `lines` with some of them changed, removed, doubled or swapped.
fn edited(lines: &[&[u8]], edits: &[u8]) -> Vec<Vec<u8>> {
    let mut now: Vec<Vec<u8>> = lines.iter().map(|line| line.to_vec()).collect();
    for edit in edits.chunks_exact(2) {
        let at = usize::from(edit[1]) % now.len().max(1);
        match (edit[0] % 6, now.get(at).cloned()) {
            (0, Some(_)) => drop(now.remove(at)),
            (1, Some(line)) => now.insert(at, line),
            (2, Some(_)) => now.swap(at, 0),
            (3, Some(_)) => now[at].insert(0, edit[0]),
            (4, Some(_)) => now.truncate(at),
            _ => {}
        }
    }
    // As lines again: one that is not the last may have lost its end.
    now.concat().split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect()
}
