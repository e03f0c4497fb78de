//! A search for a string, with options and a budget: following `next`, every line that a naive search finds comes once.

use std::ffi::OsStr;

use serde_json::Value;

use crate::input::Input;
use crate::program::{Folder, run as rread};

/// Budgets; each has room for a line number and a character.
const BUDGETS: [&[&str]; 6] = [
    &[],
    &["--max-bytes", "64"],
    &["--max-bytes", "200", "--max-columns", "9"],
    &["--max-lines", "1"],
    &["--max-lines", "3", "-C", "1"],
    &["-m", "2"],
];

pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let budget = input.pick(&BUDGETS);
    let (is_inverted, is_whole, is_packed) = (input.one_in(3), input.one_in(3), input.one_in(3));
    let pattern = input.words(6).replace(|c: char| c.is_control() || "\u{FFFD}\u{FEFF}".contains(c), "");
    // Control characters would make it binary, and a byte order mark is not text.
    let text =
        String::from_utf8_lossy(input.rest()).replace(|c: char| c.is_control() || c == '\u{FEFF}', "\n");
    if text.is_empty() {
        return;
    }
    let lines = text.split_terminator('\n').zip(1u64..);
    let is_wanted = |line: &str| {
        let is_found = if is_whole { line == pattern } else { line.contains(&pattern) };
        is_found != is_inverted
    };
    let expected: Vec<u64> = lines.filter(|(line, _)| is_wanted(line)).map(|(_, number)| number).collect();
    let packed = || {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let lab = Folder::new();
    let path = lab.file("text", &if is_packed { packed() } else { text.clone().into_bytes() });
    let mut options = vec!["--json", "--text", "-F"];
    options.extend(is_inverted.then_some("-v"));
    options.extend(is_whole.then_some("-x"));
    assert_eq!(
        walked(path.as_os_str(), &text, &pattern, &options, budget),
        expected.len() as u64,
        "{pattern:?} {text:?}"
    );
}

/// How many lines all answers on the way along `next` show. A long line may go on in the next answer.
fn walked(path: &OsStr, text: &str, pattern: &str, options: &[&str], budget: &[&str]) -> u64 {
    let (mut count, mut within) = (0, String::new());
    for _ in 0..10_000 {
        let mut words = vec![OsStr::new("search")];
        words.extend(options.iter().chain(budget).map(OsStr::new));
        words.extend([OsStr::new("-e"), OsStr::new(pattern), path]);
        if !within.is_empty() {
            words.extend([OsStr::new("--in"), OsStr::new(&within)]);
        }
        let answered = rread(&words);
        assert!(answered.code <= 1, "{words:?}: {}", answered.told());
        let answer: Value = serde_json::from_slice(&answered.stdout).unwrap();
        let metadata = &answer["metadata"];
        let goes_on =
            within.strip_prefix('b').and_then(|range| range.split(':').next()?.parse::<usize>().ok());
        let is_inside = goes_on.is_some_and(|at| at > 0 && text.as_bytes()[at - 1] != b'\n');
        count += metadata["shown"].as_u64().unwrap() - u64::from(is_inside);
        let segments = answer["segments"].as_array().unwrap();
        let length: usize = segments.iter().map(|one| one["content"].as_str().unwrap().len()).sum();
        assert_eq!(metadata["content_bytes"].as_u64(), Some(length as u64), "{words:?}");
        match metadata["next"]["range"].as_str() {
            Some(range) => range.clone_into(&mut within),
            None => return count,
        }
    }
    panic!("{pattern:?} goes on for ever: {within}");
}
