//! Places in files as editors, chats, code hosts, compilers and stacks write them.

use super::parse::parse_place;
use super::resolve::{Place, Unit};

/// The name of a file and its lines in `text`, such as `x.rs#L10-L20`, `x.ts(10,5)`, `File "x.py", line 10` and
/// `at f (x.js:10:5)`. A name and a colon alone are `FILE:RANGES` already.
pub fn pasted_place(text: &str) -> Option<(&str, String)> {
    let text = text.trim().trim_end_matches([':', ',', ';', '.']);
    let text = text.strip_prefix("at ").unwrap_or(text);
    // `f (x.js:10:5)`
    if let Some((_, inner)) =
        text.strip_suffix(')').and_then(|text| text.rsplit_once(" (").or(text.rsplit_once('(')))
    {
        let found = after_colon(inner);
        if found.is_some() {
            return found;
        }
    }
    in_words(text).or_else(|| after_hash(text)).or_else(|| in_brackets(text)).or_else(|| after_colon(text))
}

/// `File "x.py", line 10`, `x.py line 10`, `x.php on line 10`, `"x.c", line 10: error`.
fn in_words(text: &str) -> Option<(&str, String)> {
    let (before, after) = text.split_once(" line ").or_else(|| text.split_once(" lines "))?;
    let (first, rest) = number(after)?;
    let last = rest.trim_start().trim_start_matches(['-', '–']);
    let last = if last.len() < rest.trim_start().len() { number(last.trim_start()) } else { None };
    let name = before.trim_end_matches([',', ':']).trim_end_matches(" on").trim_end_matches(" at");
    let quoted = name.rsplit_once('"').and_then(|(rest, _)| rest.rsplit_once('"')).map(|(_, name)| name);
    let name = quoted.unwrap_or_else(|| name.rsplit(' ').next().unwrap_or(name));
    named(name, first, last.map(|(last, _)| last))
}

/// `x.rs#L10`, `x.rs#L10-L20`, `x.rs#L10C5-L20C9`, `x.rs#10-20`.
fn after_hash(text: &str) -> Option<(&str, String)> {
    let (name, place) = text.rsplit_once('#')?;
    named_lines(name, place)
}

/// `x.rs:L10-L20`, `x.rs:10`, `x.rs:10:5`; `x.rs:10-20` is a range.
fn after_colon(text: &str) -> Option<(&str, String)> {
    text.match_indices(':').find_map(|(colon, _)| named_lines(&text[..colon], &text[colon + 1..]))
}

fn named_lines<'t>(name: &'t str, place: &str) -> Option<(&'t str, String)> {
    let (first, rest) = number(place.trim_start_matches(['L', 'l']))?;
    let rest = without_column(rest);
    let last = rest.strip_prefix('-').map(|rest| number(rest.trim_start_matches(['L', 'l'])));
    match last {
        None if rest.is_empty() || rest.starts_with([':', ' ', '?']) => named(name, first, None),
        Some(Some((last, rest))) if without_column(rest).is_empty() => named(name, first, Some(last)),
        _ => None,
    }
}

/// `C5` or `:5` after the number of a line.
fn without_column(rest: &str) -> &str {
    let column = rest.strip_prefix(['C', 'c', ':']).and_then(number);
    column.map_or(rest, |(_, rest)| rest)
}

/// `x.ts(10,5)`, `x.cs(10)`, `x.ts(10:5)`, `x.c(10-20)`, `x.kt: (10, 5)`, `x.js[10,5]`.
fn in_brackets(text: &str) -> Option<(&str, String)> {
    text.match_indices(['(', '[']).find_map(|(at, _)| {
        let name = text[..at].trim_end().trim_end_matches(':');
        let (first, rest) = number(&text[at + 1..])?;
        let last = rest.strip_prefix('-').and_then(number).map(|(last, _)| last);
        let is_place = rest.trim_start().starts_with([')', ']', ',', ':']) || last.is_some();
        named(name, first, last).filter(|_| is_place)
    })
}

fn named(name: &str, first: u64, last: Option<u64>) -> Option<(&str, String)> {
    let last = last.filter(|last| *last >= first).map_or(String::new(), |last| format!(":{last}"));
    let is_name = !name.is_empty() && first > 0 && parse_place(name, Unit::Lines).is_err();
    is_name.then(|| (name, format!("{}{last}", Place::Front(first))))
}

/// The number at the beginning of `text`, and the rest.
fn number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// `name` without what chats and diffs put before it: `@x.rs`, `a/x.rs`, `b/x.rs`.
pub fn without_mark(name: &str) -> Option<&str> {
    ["@", "a/", "b/"].iter().find_map(|mark| name.strip_prefix(mark)).filter(|rest| !rest.is_empty())
}
