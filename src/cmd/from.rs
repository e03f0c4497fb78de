//! Ranges from a file or a pipe: lists, JSON, and the output of grep and compilers.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use serde_json::Value;

use super::files::FileRanges;
use crate::args::environment::session;
use rread_answer::SourceOptions;
use rread_source::stdin::is_one_stream;
use rread_text::range::{pasted_place, without_mark};
use rread_text::{Error, Form, Place, Range, Result, Sentence, Unit, parse_mixed};

/// Colons in the name of a file that are looked at.
const FEW: usize = 8;

/// Maximum bytes of a list of ranges.
const LIMIT: u64 = 256 << 20;

pub(super) fn read(source: &Path, file: &Path) -> Result<Vec<Range>> {
    let text = text(source, file, "ranges", "rg -n PATTERN FILE | rread ranges FILE --from -")?;
    let ranges = parse(&text, file).map_err(|error| error.at(source))?;
    if ranges.is_empty() {
        return Err(Error::usage("has no ranges").at(source).hint("one range a line, such as 100:120"));
    }
    Ok(ranges)
}

/// Reads the lines that the output of grep or a compiler names: each file once, in the order of first mention.
pub(super) fn read_named(source: &Path) -> Result<Vec<FileRanges>> {
    let text = all_of(source, "ranges", "rg -n PATTERN | rread ranges --from -")?;
    let parts = text.lines().filter_map(parse_match);
    let mut files: Vec<FileRanges> = Vec::new();
    let mut places: HashMap<&Path, usize> = HashMap::new();
    for Part { path, range } in parts {
        let Some(path) = path else { continue };
        let at = *places.entry(path).or_insert(files.len());
        if at == files.len() {
            check_apart(source, path)?;
            files.push(FileRanges { path: path.to_owned(), ranges: Vec::new() });
        }
        files[at].ranges.push(range);
    }
    if files.is_empty() {
        let message = "its lines have no file name; give FILE, or use grep -H";
        return Err(Error::usage(message).at(source).hint("grep -Hn PATTERN FILE | rread ranges --from -"));
    }
    Ok(files)
}

/// Reads `source`, or standard input for `-`; `what` and `hint` go into errors.
pub(super) fn text(source: &Path, file: &Path, what: &str, hint: &str) -> Result<String> {
    check_apart(source, file)?;
    all_of(source, what, hint)
}

/// The list of ranges and FILE must not share one stream.
fn check_apart(source: &Path, file: &Path) -> Result<()> {
    if source == Path::new("-") && file == source {
        return Err(Error::usage("standard input cannot be both FILE and --from"));
    }
    if is_one_stream(source, file) && source != file {
        let (source, file) = (source.display(), file.display());
        return Err(Error::usage(format!(
            "{file} and --from {source} are the same stream, which can be read only once"
        )));
    }
    Ok(())
}

fn all_of(source: &Path, what: &str, hint: &str) -> Result<String> {
    bytes_of(source, what, hint).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads all of `source`, or of standard input for `-`; `what` and `hint` go into errors.
pub(super) fn bytes_of(source: &Path, what: &str, hint: &str) -> Result<Vec<u8>> {
    let bytes = if source == Path::new("-") {
        if io::stdin().is_terminal() {
            return Err(
                Error::usage(format!("standard input is a terminal: there are no {what} to read")).hint(hint)
            );
        }
        slurp(io::stdin())
    } else {
        let captures = SourceOptions { captures: session().ok(), ..SourceOptions::default() };
        File::open(captures.stored_path(source)?).and_then(slurp)
    };
    bytes.map_err(|cause| Error::read(&format!("cannot read the {what}"), &cause).at(source))
}

fn slurp(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(LIMIT).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == LIMIT {
        return Err(io::Error::other("larger than 256 MiB"));
    }
    Ok(bytes)
}

fn parse(text: &str, file: &Path) -> Result<Vec<Range>> {
    if text.trim_start().starts_with(['[', '{']) {
        return json(text);
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).collect();
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    // A matched line may look like a range, and a range may be mistyped, so most lines decide for all.
    // `12:` is a range and also an empty match on line 12: it does not vote, and several of them alone are matches.
    let is_vote =
        |line: &&&str| line.strip_suffix(':').is_none_or(|n| n.bytes().any(|b| !b.is_ascii_digit()));
    let voters: Vec<&&str> = lines.iter().filter(is_vote).collect();
    let ranges = voters.iter().filter(|line| looks_like_ranges(line)).count();
    let is_list = if voters.is_empty() { lines.len() == 1 } else { ranges * 2 >= voters.len() };
    if is_list {
        let wrong = |line: &str, error: Error| Error {
            message: Sentence::from(format!("'{line}': ")).then(error.message),
            ..error
        };
        let lists = lines.iter().map(|line| parse_mixed(line).map_err(|error| wrong(line, error)));
        return Ok(lists.collect::<Result<Vec<_>>>()?.concat());
    }
    let found: Vec<Part<'_>> = lines.iter().filter_map(|line| parse_match(line)).collect();
    if found.is_empty() {
        return Err(Error::invalid_range(format!("'{}' is neither a range nor a matched line", lines[0]))
            .hint("one range a line, such as 100:120, or the output of rg -n"));
    }
    of_file(found, file)
}

/// The ranges of the parts that are of `file`, or do not say of which file they are.
fn of_file(parts: Vec<Part<'_>>, file: &Path) -> Result<Vec<Range>> {
    let other = parts.iter().find_map(|part| part.path);
    let plain = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_owned();
    let is_ours = |part: &Part<'_>| part.path.is_none_or(|path| plain(path) == plain(file));
    let ranges: Vec<Range> = parts.into_iter().filter(is_ours).map(|part| part.range).collect();
    match other {
        Some(other) if ranges.is_empty() => {
            let (other, file) = (other.display(), file.display());
            Err(Error::usage(format!("names lines of {other}, but not of {file}")))
        }
        _ => Ok(ranges),
    }
}

fn looks_like_ranges(line: &str) -> bool {
    line.contains(|c: char| c.is_ascii_digit())
        && line.chars().all(|c| c.is_ascii_digit() || ":+-_,bl= KMGTPEik".contains(c) || c == 'B')
        || parse_mixed(line).is_ok()
}

/// A part of a file, or of the only one.
struct Part<'a> {
    path: Option<&'a Path>,
    range: Range,
}

impl<'a> Part<'a> {
    fn line(path: Option<&'a str>, line: u64) -> Self {
        Part {
            path: path.map(Path::new),
            range: Range { unit: Unit::Lines, form: Form::One(Place::Front(line)) },
        }
    }
}

/// Parses `12:text`, `12-text` (context), `path:12:text`, `path:12:5: error`, and other places that programs print.
fn parse_match(text: &str) -> Option<Part<'_>> {
    let there = |path: &str| Path::new(path).is_file();
    let pasted = pasted_place(text.trim_start().trim_start_matches("--> ")).and_then(|(name, lines)| {
        // Words may come first: `from x.rb:10:in`, `panicked at x.rs:10:5`.
        let names = [Some(name), without_mark(name), name.rsplit(' ').next()];
        let name = names.into_iter().flatten().find(|name| there(name))?;
        let range = parse_mixed(&lines).ok()?.into_iter().next()?;
        Some(Part { path: Some(Path::new(name)), range })
    });
    pasted.or_else(|| parse_line_of_match(text))
}

fn parse_line_of_match(text: &str) -> Option<Part<'_>> {
    // rustc prints an arrow first.
    let text = text.trim_start().trim_start_matches("--> ");
    if let Some(line) = leading_number(text, ':') {
        return Some(Part::line(None, line));
    }
    let mut places = text.match_indices(':').filter_map(|(colon, _)| {
        let line = leading_number(&text[colon + 1..], ':')?;
        (colon > 0).then_some((&text[..colon], line))
    });
    let first = places.next();
    // A name may have colons and numbers.
    let is_there = |(path, _): &(&str, u64)| Path::new(path).is_file();
    let named = match first.filter(|first| !is_there(first)) {
        Some(_) => places.take(FEW).find(is_there).or(first),
        None => first,
    };
    let context = leading_number(text, '-').or_else(|| leading_number(text, '='));
    match (named, context) {
        // `2026-01-31.log:12:text` is not a context line if that file exists.
        (Some((path, _)), Some(line)) if !Path::new(path).is_file() => Some(Part::line(None, line)),
        (Some((path, line)), _) => Some(Part::line(Some(path), line)),
        (None, line) => line.map(|line| Part::line(None, line)),
    }
}

fn leading_number(text: &str, stop: char) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let number = text[..end].parse().ok().filter(|line| *line > 0)?;
    text[end..].starts_with(stop).then_some(number)
}

/// Parses `[{"start": 10, "end": 20}]`, with `start_line`, `start_byte` and so on as in receipts.
fn json(text: &str) -> Result<Vec<Range>> {
    let wrong = |what: &str| {
        Error::invalid_range(format!("the JSON is not a list of ranges: {what}"))
            .hint(r#"write [{"start": 10, "end": 20}]"#)
    };
    let value: Value = serde_json::from_str(text).map_err(|cause| wrong(&cause.to_string()))?;
    let items = match value {
        Value::Array(items) => items,
        single => vec![single],
    };
    let lists = items.iter().map(|item| match item {
        Value::Object(_) => {
            json_range(item).ok_or_else(|| wrong(&item.to_string()))?.map(|range| vec![range])
        }
        Value::Number(_) => parse_mixed(&item.to_string()),
        Value::String(list) => parse_mixed(list),
        other => Err(wrong(&other.to_string())),
    });
    Ok(lists.collect::<Result<Vec<_>>>()?.concat())
}

fn json_range(item: &Value) -> Option<Result<Range>> {
    const KEYS: [(Unit, [&str; 2]); 3] = [
        (Unit::Lines, ["start", "end"]),
        (Unit::Lines, ["start_line", "end_line"]),
        (Unit::Bytes, ["start_byte", "end_byte"]),
    ];
    let members = item.as_object()?;
    // Members of two rows are refused, since some would be ignored.
    let fits = |keys: &[&str; 2]| members.keys().all(|key| keys.contains(&key.as_str()));
    let (unit, keys) = KEYS.into_iter().find(|(_, keys)| fits(keys))?;
    let [start, end] = keys.map(|key| json_position(item.get(key)));
    let (start, end) = (start?, end?);
    if start.is_none() && end.is_none() {
        return None;
    }
    if unit == Unit::Lines && [start, end].contains(&Some(Place::Front(0))) {
        return Some(Err(Error::invalid_range("line 0 does not exist: lines are numbered from 1")));
    }
    Some(Range { unit, form: Form::Between(start, end) }.check())
}

/// `Some(None)` if the member is missing or null, `None` if it is not a number.
fn json_position(value: Option<&Value>) -> Option<Option<Place>> {
    let Some(value) = value.filter(|value| !value.is_null()) else { return Some(None) };
    let back = || value.as_i64().map(|n| Place::Back(n.unsigned_abs()));
    value.as_u64().map(Place::Front).or_else(back).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let show = |range: &Range| format!("{} {range}", range.unit.command());
        parse(text, Path::new("src/main.rs")).unwrap().iter().map(show).collect()
    }

    #[test]
    fn every_form_of_input_is_understood() {
        assert_eq!(
            shown("5\n100:120\n\nb0:512\n-3:\n"),
            ["lines 5", "lines 100:120", "bytes 0:512", "lines -3:"]
        );
        assert_eq!(shown(r#"[{"start": 10, "end": 20}, {"start_byte": 5}]"#), ["lines 10:20", "bytes 5:"]);
        assert_eq!(shown("12:fn main() {\n13-\n40:}\n"), ["lines 12", "lines 13", "lines 40"]);
        assert_eq!(
            shown("src/main.rs:12:5: error\n  |\n./src/main.rs:7:x\nlib.rs:9:y\n"),
            ["lines 12", "lines 7"]
        );
        assert_eq!(shown("12:\n13:an empty line above\n14:here\n"), ["lines 12", "lines 13", "lines 14"]);
    }

    #[test]
    fn a_typing_error_in_a_list_is_not_taken_for_a_match() {
        assert!(parse("5:10\n20:30\n100:12O\n", Path::new("f")).is_err());
        assert!(parse("words and nothing else\n", Path::new("f")).is_err());
        assert!(parse("other.rs:3:x\n", Path::new("f")).is_err());
        assert!(parse("[{\"begin\": 1}]", Path::new("f")).is_err());
        assert!(parse("[{\"start\": 9, \"end\": 3}]", Path::new("f")).is_err());
    }
}
