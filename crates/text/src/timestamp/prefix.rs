//! The text before a record that other programs put there: the name of a service, a pod, a job or a file.

use std::collections::HashMap;

use super::cursor::digits;
use super::members::is_object;
use super::pattern::begins_with_clock;
use super::pattern::{MONTHS, WEEKDAYS};
use super::position::{MAX_OFFSET, after_color, ends};

/// The ends of prefixes: after the n-th such byte. A bar and a bracket say so themselves; after another byte, the texts
/// before it must also be few. Of two that read as much, the first one wins.
const PREFIXES: [(u8, usize); 14] = [
    (b'|', 1),
    (b'|', 2),
    (b']', 1),
    (b']', 2),
    (b'\t', 1),
    (b'\t', 2),
    (b'>', 1),
    (b')', 1),
    (b'}', 1),
    (b' ', 1),
    (b' ', 2),
    (b' ', 3),
    (b':', 1),
    (b':', 2),
];

/// The end of the prefix that the lines of a log have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prefix {
    byte: u8,
    nth: usize,
}

impl Prefix {
    /// The prefix of a line and the record after it.
    #[inline]
    pub(super) fn split(self, line: &[u8]) -> Option<(&[u8], &[u8])> {
        // The text of an object of JSON is not a prefix.
        if line.starts_with(b"{\"") {
            return None;
        }
        let head = &line[..line.len().min(MAX_OFFSET)];
        let (name, body) = line.split_at(ends(self.byte, head).nth(self.nth - 1)?);
        let body = after_color(body);
        let body = if self.byte == b' ' { body } else { body.strip_prefix(b" ").unwrap_or(body) };
        Some((name, after_color(body)))
    }
}

/// Whether most lines have an object of JSON behind a prefix: its text has no time of the record.
pub(super) fn are_before_objects(lines: &[&[u8]]) -> bool {
    let is_one = |line: &&&[u8]| !is_object(line) && memchr::memmem::find(line, b"{\"").is_some();
    lines.iter().filter(is_one).count() * 2 > lines.len()
}

/// The prefixes that nearly all lines have.
pub(super) fn of_lines(lines: &[&[u8]]) -> impl Iterator<Item = Prefix> {
    let prefixes = PREFIXES.into_iter().map(|(byte, nth)| Prefix { byte, nth });
    prefixes.filter(|prefix| {
        let names: Vec<&[u8]> = lines.iter().filter_map(|line| Some(prefix.split(line)?.0)).collect();
        let mut distinct = names.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let is_named = matches!(prefix.byte, b'|' | b']');
        // The beginning of a time is not the name of a source.
        let clocks = names.iter().filter(|name| begins_a_time(name)).count();
        names.len() * 10 >= lines.len() * 9
            && clocks * 2 <= names.len()
            && (is_named || distinct.len() * 4 <= names.len())
    })
}

/// Whether a text is the beginning of a time: it has a clock, begins with a date, or ends inside a clock, as `14:` does.
fn begins_a_time(name: &[u8]) -> bool {
    let is_date = match digits(name) {
        0 => name.first_chunk::<3>().is_some_and(|word| {
            let word = word.map(|byte| byte | 0x20);
            MONTHS.contains(&&word) || WEEKDAYS.contains(&&word)
        }),
        number => matches!(name.get(number..), Some([b'-' | b'/', b'0'..=b'9', ..])),
    };
    let hour = name.strip_suffix(b":").unwrap_or_default();
    let numbers = hour.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let before = &hour[..hour.len() - numbers];
    let is_hour = matches!(numbers, 1 | 2)
        && before.last().is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'T' | b':'));
    is_date || is_hour || begins_with_clock(name)
}

/// The lines of samples without the prefix, each with the number of its source: of those that have the same prefix.
pub(super) fn sources<'l>(samples: &[Vec<&'l [u8]>], prefix: Option<Prefix>) -> Vec<Vec<(&'l [u8], usize)>> {
    let mut numbers: HashMap<&[u8], usize> = HashMap::new();
    let mut of_line = |line: &'l [u8]| {
        let (name, body) = prefix.and_then(|prefix| prefix.split(line)).unwrap_or((b"", line));
        let next = numbers.len();
        (body, *numbers.entry(name).or_insert(next))
    };
    samples.iter().map(|sample| sample.iter().map(|line| of_line(line)).collect()).collect()
}
