//! The words and the numbers of levels in logs.

/// The levels, each with its words in lower case.
const WORDS: [(&str, &[&str]); 7] = [
    ("trace", &["trace", "trc", "vrb", "verbose", "finest", "finer"]),
    ("debug", &["debug", "dbg", "dbug", "debu", "fine"]),
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

/// The level that a number means: a severity of syslog (RFC 5424, section 6.2.1), as GELF and journald write it, or a number of
/// bunyan and pino.
pub fn level_of_number(digits: &[u8]) -> Option<&'static str> {
    Some(match std::str::from_utf8(digits).ok()?.parse::<u32>().ok()? {
        0..=2 => "fatal",
        3 => "error",
        4 => "warn",
        5 => "notice",
        6 => "info",
        7 => "debug",
        10..=19 => "trace",
        20..=29 => "debug",
        30..=39 => "info",
        40..=49 => "warn",
        50..=59 => "error",
        60..=69 => "fatal",
        _ => return None,
    })
}
