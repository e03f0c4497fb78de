//! The range grammar: text to ranges, with a message for each kind of mistake; and places in files as editors, chats and
//! compilers write them.

use super::resolve::{Form, Place, Range, Unit};
use crate::error::{Error, Result};
use crate::sentence::Sentence;

/// Parses a comma-separated list of ranges of `unit`, such as `1:5,40:45`. Lists of bytes may be HTTP ranges too, such
/// as `bytes=0-499` (RFC 9110, section 14.1.2), which include both ends.
///
/// # Errors
///
/// [`Kind::InvalidRange`](crate::error::Kind::InvalidRange), with what to type instead as the hint.
pub fn parse_list(text: &str, unit: Unit) -> Result<Vec<Range>> {
    if let Some(specs) = text.trim().strip_prefix("bytes=").filter(|_| unit == Unit::Bytes) {
        return specs.split(',').map(|spec| http_form(spec.trim())).collect();
    }
    text.split(',').map(|item| parse_one(item.trim(), unit, "")).collect()
}

/// Parses a list that mixes units: `b0:512` and `bytes=0-511` are bytes, `l5` and `5` are lines.
///
/// # Errors
///
/// [`Kind::InvalidRange`](crate::error::Kind::InvalidRange), with what to type instead as the hint.
pub fn parse_mixed(text: &str) -> Result<Vec<Range>> {
    let text = text.trim();
    if text.starts_with("bytes=") {
        return parse_list(text, Unit::Bytes);
    }
    text.split(',')
        .map(|item| {
            let item = item.trim();
            if let Some(spec) = item.strip_prefix("bytes=") {
                return http_form(spec);
            }
            match item.strip_prefix('b') {
                Some(bytes) => parse_one(bytes, Unit::Bytes, "b"),
                None => parse_one(item.strip_prefix('l').unwrap_or(item), Unit::Lines, ""),
            }
        })
        .collect()
}

fn refuse<T>(message: impl Into<Sentence>, hint: impl Into<Sentence>) -> Result<T> {
    Err(Error::invalid_range(message).hint(hint))
}

/// Hints repeat the `prefix` that the user wrote before `text`.
fn parse_one(text: &str, unit: Unit, prefix: &str) -> Result<Range> {
    if text.is_empty() {
        return refuse("a range is empty", example(unit));
    }
    let form = match text.split_once(':') {
        None => lone(text, unit, prefix)?,
        Some((start, rest)) => match rest.strip_prefix('+') {
            Some(count) if start.is_empty() => {
                let first = u64::from(unit == Unit::Lines);
                return refuse(
                    format!("'{text}' has a count but no start"),
                    format!("write {first}:+{count}"),
                );
            }
            Some(count) => Form::Counted(parse_place(start, unit)?, parse_count(count, unit)?),
            None if rest.contains(':') => {
                return refuse(format!("'{text}' has more than one ':'"), example(unit));
            }
            None => {
                let place = |side: &str| (!side.is_empty()).then(|| parse_place(side, unit)).transpose();
                Form::Between(place(start)?, place(rest)?)
            }
        },
    };
    Range { unit, form }.check()
}

/// A range without a colon. In bytes it is always an error whose hint shows the alternatives.
fn lone(text: &str, unit: Unit, prefix: &str) -> Result<Form> {
    // A leading '-' is a sign; a later one joins two numbers.
    let dash = text.char_indices().skip(1).find(|(_, c)| *c == '-');
    let dashed = dash.map(|(at, _)| (text[..at].trim(), text[at + 1..].trim()));
    // A word without digits, such as an option after `--`, is not a pair of numbers.
    let dashed = dashed.filter(|_| text.contains(|c: char| c.is_ascii_digit()));
    match (unit, dashed) {
        (Unit::Lines, None) => match parse_place(text, unit)? {
            Place::Back(0) => Err(Error::invalid_range("line -0 does not exist: the last line is -1")),
            place => Ok(Form::One(place)),
        },
        (Unit::Lines, Some((start, end))) if start.starts_with('-') || end.starts_with('-') => {
            refuse(format!("'{text}' mixes '-' as a sign and as a range"), format!("write {start}:{end}"))
        }
        (Unit::Lines, Some((start, end))) => {
            Ok(Form::Between(Some(parse_place(start, unit)?), Some(parse_place(end, unit)?)))
        }
        (Unit::Bytes, None) => {
            parse_place(text, unit)?;
            refuse(
                format!(
                    "'{prefix}{text}' alone is not a byte range: '{prefix}{text}:' is everything from there, '{prefix}{text}:+1' is one byte"
                ),
                format!("write {prefix}{text}:+1"),
            )
        }
        (Unit::Bytes, Some((start, end))) => match (parse_place(start, unit), parse_place(end, unit)) {
            (Ok(Place::Front(_)), Ok(Place::Front(last))) => refuse(
                format!(
                    "'{prefix}{text}' is ambiguous in bytes: {prefix}{start}:{end} leaves byte {last} out and bytes={start}-{end} takes it in"
                ),
                format!("write {prefix}{start}:{end} or bytes={start}-{end}"),
            ),
            _ => refuse(format!("'{text}' is not a byte range"), example(unit)),
        },
    }
}

/// Parses one HTTP range without `bytes=`: `0-499`, `500-`, `-500`.
fn http_form(spec: &str) -> Result<Range> {
    let wrong = || {
        Error::invalid_range(format!("'bytes={spec}' is not an HTTP range"))
            .hint("write bytes=0-499, bytes=500- or bytes=-500")
    };
    let (first, last) = spec.split_once('-').ok_or_else(wrong)?;
    let number = |text: &str| digits(text, Unit::Bytes).map_err(|_| wrong());
    let form = match (first.is_empty(), last.is_empty()) {
        (true, true) => return Err(wrong()),
        (true, false) => Form::Between(Some(Place::Back(number(last)?)), None),
        (false, true) => Form::Between(Some(Place::Front(number(first)?)), None),
        (false, false) => {
            let (start, last) = (number(first)?, number(last)?);
            let range = Range::whole(Unit::Bytes);
            if start > last {
                return Err(range.crossed_error(&start.to_string(), &last.to_string()));
            }
            Form::Between(Some(Place::Front(start)), last.checked_add(1).map(Place::Front))
        }
    };
    Ok(Range { unit: Unit::Bytes, form })
}

/// Parses `N` or `-N`, in bytes with an optional size suffix.
///
/// # Errors
///
/// [`Kind::InvalidRange`](crate::error::Kind::InvalidRange), with what to type instead as the hint.
pub fn parse_place(text: &str, unit: Unit) -> Result<Place> {
    let text = text.trim();
    if text.strip_prefix('+').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        return refuse(
            format!("'{text}' starts with '+'; '+' is valid only between ':' and a count"),
            format!("write {}", text.trim_start_matches('+')),
        );
    }
    match text.strip_prefix('-') {
        Some(rest) => Ok(Place::Back(number(rest, text, unit)?)),
        None => match number(text, text, unit)? {
            0 if unit == Unit::Lines => {
                Err(Error::invalid_range("line 0 does not exist: lines are numbered from 1"))
            }
            n => Ok(Place::Front(n)),
        },
    }
}

/// Parses a count of lines, or of bytes with an optional size suffix.
///
/// # Errors
///
/// [`Kind::InvalidRange`](crate::error::Kind::InvalidRange), with what to type instead as the hint.
pub fn parse_count(text: &str, unit: Unit) -> Result<u64> {
    let text = text.trim();
    if text.starts_with(['+', '-']) {
        return Err(Error::invalid_range(format!("'{text}' is not a count: a count has no sign")));
    }
    number(text, text, unit)
}

/// Parses a size in bytes, such as `4096`, `4KiB`, `1M` or `10kB`.
///
/// # Errors
///
/// [`Kind::InvalidRange`](crate::error::Kind::InvalidRange), with what to type instead as the hint.
pub fn parse_size(text: &str) -> Result<u64> {
    parse_count(text, Unit::Bytes)
}

fn number(text: &str, shown: &str, unit: Unit) -> Result<u64> {
    let split = text.find(|c: char| !(c.is_ascii_digit() || c == '_')).unwrap_or(text.len());
    let (head, suffix) = text.split_at(split);
    if text.is_empty() {
        return refuse("a number is missing", example(unit));
    }
    if head.is_empty() {
        return refuse(format!("'{shown}' is not a number"), example(unit));
    }
    let value = digits(head, unit)?;
    if suffix.is_empty() {
        return Ok(value);
    }
    if unit == Unit::Lines {
        let what = format!("'{shown}' is not a line number: line numbers are plain decimals");
        return refuse(what, example(unit));
    }
    let Some(factor) = factor(suffix) else {
        let hint = "write K M G T or KiB MiB GiB TiB (powers of 1024), or kB MB GB TB (powers of 1000)";
        return refuse(format!("'{shown}' has an unknown size suffix '{suffix}'"), hint);
    };
    value.checked_mul(factor).ok_or_else(|| too_large(shown))
}

fn digits(text: &str, unit: Unit) -> Result<u64> {
    let between = !text.starts_with('_') && !text.ends_with('_') && !text.contains("__");
    if text.is_empty() || !between || !text.bytes().all(|b| b.is_ascii_digit() || b == b'_') {
        return refuse(
            format!("'{text}' is not a number: '_' is allowed only between digits"),
            example(unit),
        );
    }
    text.bytes()
        .filter(u8::is_ascii_digit)
        .try_fold(0u64, |sum, digit| sum.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
        .ok_or_else(|| too_large(text))
}

/// `K` and `KiB` are powers of 1024, as in coreutils; `kB` is a power of 1000.
fn factor(suffix: &str) -> Option<u64> {
    let (letter, base) = match suffix.split_at_checked(1)? {
        ("k", "") => ("K", 1024),
        ("k", "B") => ("K", 1000),
        (letter, "" | "iB") => (letter, 1024u64),
        (letter, "B") => (letter, 1000),
        _ => return None,
    };
    let power = u32::try_from("KMGTPE".find(letter)?).ok()?;
    base.checked_pow(power + 1)
}

fn too_large(text: &str) -> Error {
    Error::invalid_range(format!("'{text}' is too large: the largest number is {}", u64::MAX))
}

fn example(unit: Unit) -> &'static str {
    match unit {
        Unit::Bytes => "write 0:4096, 4KiB:+512, -1MiB: or bytes=0-499",
        Unit::Lines => "write 100:120, 100:+21, :50, 7, -20: or 1:5,40:45",
    }
}

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

/// `File "x.py", line 10`, `x.py line 10`, `x.php on line 10`, `"x.c", line 10: error`, `in x.cs:line 10`.
fn in_words(text: &str) -> Option<(&str, String)> {
    let (before, after) = [" line ", " lines ", ":line "].iter().find_map(|word| text.split_once(word))?;
    let (first, rest) = first_number(after)?;
    let last = rest.trim_start().trim_start_matches(['-', '–']);
    let last = if last.len() < rest.trim_start().len() { first_number(last.trim_start()) } else { None };
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
    let (first, rest) = first_number(place.trim_start_matches(['L', 'l']))?;
    let rest = without_column(rest);
    let last = rest.strip_prefix('-').map(|rest| first_number(rest.trim_start_matches(['L', 'l'])));
    match last {
        None if rest.is_empty() || rest.starts_with([':', ' ', '?']) => named(name, first, None),
        Some(Some((last, rest))) if without_column(rest).is_empty() => named(name, first, Some(last)),
        _ => None,
    }
}

/// `C5` or `:5` after the number of a line.
fn without_column(rest: &str) -> &str {
    let column = rest.strip_prefix(['C', 'c', ':']).and_then(first_number);
    column.map_or(rest, |(_, rest)| rest)
}

/// `x.ts(10,5)`, `x.cs(10)`, `x.ts(10:5)`, `x.c(10-20)`, `x.kt: (10, 5)`, `x.js[10,5]`.
fn in_brackets(text: &str) -> Option<(&str, String)> {
    text.match_indices(['(', '[']).find_map(|(at, _)| {
        let name = text[..at].trim_end().trim_end_matches(':');
        let (first, rest) = first_number(&text[at + 1..])?;
        let last = rest.strip_prefix('-').and_then(first_number).map(|(last, _)| last);
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
fn first_number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// `name` without what chats and diffs put before it: `@x.rs`, `a/x.rs`, `b/x.rs`.
pub fn without_mark(name: &str) -> Option<&str> {
    ["@", "a/", "b/"].iter().find_map(|mark| name.strip_prefix(mark)).filter(|rest| !rest.is_empty())
}
