//! The words of levels in logs.

/// The levels, each with its words in lower case.
const WORDS: [(&str, &[&str]); 7] = [
    ("trace", &["trace", "trc", "verbose", "finest", "finer"]),
    ("debug", &["debug", "dbg", "debu", "fine"]),
    ("info", &["info", "inf", "information", "informational"]),
    ("notice", &["notice"]),
    ("warn", &["warn", "warning", "wrn"]),
    ("error", &["error", "err", "erro", "severe"]),
    ("fatal", &["fatal", "ftl", "critical", "crit", "alert", "emerg", "emergency", "panic"]),
];

/// The levels.
pub fn levels() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(level, _)| *level)
}

/// The level that a word means, in any case of its letters.
pub fn level_of(word: &[u8]) -> Option<&'static str> {
    if word.len() < 3 || word.len() > 13 {
        return None;
    }
    let is_of = |words: &[&str]| words.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()));
    WORDS.iter().find(|(_, words)| is_of(words)).map(|(level, _)| *level)
}
