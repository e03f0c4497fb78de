//! Refuses text whose records are not those of one table, and finds the option that makes them so.

use rread_text::error::{Error, Result, counted};
use rread_text::layout::Csv;
use rread_text::sentence::{Sentence, setting};

use super::boundaries::{after_lines, line_ends};
use super::chunks::invalid;
use super::csv::text_of;
use super::sample::CsvSample;

/// Lines before a table that a hint looks for.
const PREFACE: u64 = 20;

/// Delimiters that a hint may name.
const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// The part of a sample that is enough to find a hint.
const ENOUGH: usize = 64 << 10;

/// Finds the delimiter of a text that surely has one.
pub type FindDelimiter<'a> = &'a dyn Fn(&str, &Csv) -> Option<u8>;

/// Fails if most records after the first have another number of values: then the layout is wrong, and leaving out such
/// records would leave out the table. `text` begins after the lines that `csv` skips; `found` finds delimiters, unless
/// the user gave one.
pub fn check_fit(text: &[u8], csv: &Csv, found: Option<FindDelimiter<'_>>) -> Result<()> {
    let text = text_of(text)?;
    let Some(sample) = CsvSample::of(text, csv) else { return Ok(()) };
    let (records, misfits) = (sample.records, sample.misfits);
    if let Some((at, values)) = sample.first_misfit.filter(|_| 2 * misfits > records) {
        let line = 1 + csv.skip_lines + line_ends(&text.as_bytes()[..at], csv.newline);
        let (values, columns) = (counted(values as u64, "value"), counted(sample.width as u64, "column"));
        let message = format!(
            "line {line}: the record has {values}, the table has {columns}; {misfits} of the first {records} records do not fit, so this is not the layout of the table"
        );
        return Err(Error { hint: Some(remedy(text, csv, found)), ..invalid(message, None) });
    }
    found.map_or(Ok(()), |found| check_title(text, csv, found))
}

/// Fails if the first line has one value and the lines below several: a title hides the delimiter of the table below it.
pub(crate) fn check_title(text: &str, csv: &Csv, found: FindDelimiter<'_>) -> Result<()> {
    if CsvSample::width_of(text, csv) == 1
        && let Some(hint) = preface(beginning(text, csv), csv, Some(found), true)
    {
        let message = format!(
            "line {}: the first line has one value, the lines below have several, so the table does not begin here",
            1 + csv.skip_lines
        );
        return Err(Error { hint: Some(hint), ..invalid(message, None) });
    }
    Ok(())
}

fn beginning<'t>(text: &'t str, csv: &Csv) -> &'t str {
    let Some(head) = text.as_bytes().get(..ENOUGH) else { return text };
    // Whole lines are whole characters.
    let end = memchr::memrchr(csv.newline, head).map_or(0, |at| at + 1);
    text.get(..end).unwrap_or(text)
}

fn remedy(text: &str, csv: &Csv, found: Option<FindDelimiter<'_>>) -> Sentence {
    let text = beginning(text, csv);
    if let Some(hint) = preface(text, csv, found, false) {
        return hint;
    }
    let unquoted = Csv { quote: None, ..csv.clone() };
    if csv.quote.is_some() && is_table(text, &unquoted, 2) {
        return setting("quote").then(" '' makes quotes ordinary characters");
    }
    for delimiter in DELIMITERS.into_iter().filter(|delimiter| *delimiter != csv.delimiter) {
        if is_table(text, &Csv { delimiter, ..csv.clone() }, 2) {
            return setting("delimiter").then(format!(" {}", named(delimiter)));
        }
    }
    as_lines(text)
}

/// The end of the hint for text that has no layout of a table.
const ONE_VALUE: &str = " makes each line one value, _1";

/// Whether no option makes a table of the text of an error of [`check_fit`].
pub(crate) fn is_no_layout(error: &Error) -> bool {
    error.hint.as_ref().is_some_and(|hint| hint.plain().ends_with(ONE_VALUE))
}

/// The options that make each line one value.
fn as_lines(text: &str) -> Sentence {
    let unused = b"|\t;~^@".iter().find(|byte| !text.as_bytes().contains(byte)).copied().unwrap_or(b'\x01');
    let delimiter = if unused == b'\x01' { "$'\\x01'".to_owned() } else { named(unused) };
    let csv = setting("input").then(" csv ").then(setting("no-header"));
    csv.then(" ")
        .then(setting("quote"))
        .then(" '' ")
        .then(setting("delimiter"))
        .then(format!(" {delimiter}{ONE_VALUE}"))
}

fn named(delimiter: u8) -> String {
    if delimiter == b'\t' { "tab".to_owned() } else { format!("'{}'", char::from(delimiter)) }
}

/// The option that leaves out what is above the table. With `all`, every record has to fit.
fn preface(text: &str, csv: &Csv, found: Option<FindDelimiter<'_>>, all: bool) -> Option<Sentence> {
    let with_delimiter = |text: &str, csv: Csv| match found {
        Some(found) => Some(Csv { delimiter: found(text, &csv)?, ..csv }),
        None => Some(csv),
    };
    let most = if all { u64::MAX } else { 10 };
    let mark = text.bytes().next().filter(u8::is_ascii_punctuation);
    if let Some(mark) =
        mark.filter(|mark| csv.comment.is_none() && Some(*mark) != csv.quote && *mark != csv.delimiter)
    {
        let commented = with_delimiter(text, Csv { comment: Some(mark), ..csv.clone() });
        if commented.is_some_and(|csv| mark != csv.delimiter && is_table_of(text, &csv, 2, most)) {
            let mark = char::from(mark).to_string().replace('\'', "'\\''");
            let comment = setting("comment").then(format!(" '{mark}'"));
            return Some(comment.then(" leaves out the lines that begin with it"));
        }
    }
    let skipped = csv.skip_lines;
    (1..=PREFACE).find_map(|count| {
        let (rest, missing) = after_lines(text.as_bytes(), count, csv.newline);
        let rest = text_of(rest).ok().filter(|_| missing == 0)?;
        let csv = with_delimiter(rest, Csv { skip_lines: 0, ..csv.clone() })?;
        let count = skipped + count;
        is_table_of(rest, &csv, 2, most)
            .then(|| setting("skip-lines").then(format!(" {count} leaves out the lines before the table")))
    })
}

fn is_table(text: &str, csv: &Csv, width: usize) -> bool {
    is_table_of(text, csv, width, 10)
}

/// Whether `text` has records of at least `width` values of which at most one of `most` does not fit.
fn is_table_of(text: &str, csv: &Csv, width: usize, most: u64) -> bool {
    CsvSample::of(text, csv).is_some_and(|sample| {
        let is_fit = sample.misfits.saturating_mul(most) <= sample.records;
        sample.width >= width && sample.records > 0 && is_fit
    })
}
