//! Options that choose one of the values of a type from a crate below, which knows no command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rread_answer::Format;
use rread_answer::content::{Encode, InvalidBytes};
use rread_reader::{Align, Ansi, UnitKind};
use rread_text::layout::{DateOrder, RowStyle};
use rread_text::{HashStyle, Input};

/// Words of a command line: the word, its value, and its help.
pub(crate) type Choices<T> = &'static [(&'static str, T, &'static str)];

pub(crate) const ALIGNMENTS: Choices<Align> = &[
    ("expand", Align::Expand, "Include the whole character"),
    ("shrink", Align::Shrink, "Exclude the whole character"),
    ("none", Align::None, "Cut exactly at the offset"),
];

pub(crate) const ANSI: Choices<Ansi> = &[
    ("strip", Ansi::Strip, "Without escape sequences, overwritten progress and overstrikes"),
    ("keep", Ansi::Keep, "As they were written"),
];

pub(crate) const UNITS: Choices<UnitKind> = &[
    ("line", UnitKind::Line, "A line"),
    ("record", UnitKind::Record, "A line with a time, and those after it without one, such as a stack trace"),
    (
        "block",
        UnitKind::Block,
        "What indentation, brackets or a heading encloses: a function, a section, an entry",
    ),
];

pub(crate) const FORMATS: Choices<Format> = &[
    ("frontmatter", Format::Frontmatter, "YAML between `---` lines, then the content"),
    ("json", Format::Json, "One JSON document"),
    ("raw", Format::Raw, "The bytes of the file and nothing else"),
    ("text", Format::Text, "The content alone, as UTF-8"),
    ("xml", Format::Xml, "The keys of frontmatter as attributes, with all text escaped"),
];

pub(crate) const INVALID_BYTES: Choices<InvalidBytes> = &[
    ("replace", InvalidBytes::Replace, "Each invalid sequence becomes U+FFFD"),
    ("error", InvalidBytes::Error, "Refuse the text, with the offset of the first invalid byte"),
    ("escape", InvalidBytes::Escape, "Each invalid byte becomes \\xNN"),
];

pub(crate) const ENCODINGS_OF_BYTES: Choices<Encode> = &[
    ("base64", Encode::Base64, "RFC 4648, section 4, with padding"),
    ("hex", Encode::Hex, "Two lower-case digits for each byte"),
    (
        "hexdump",
        Encode::Hexdump,
        "Offset, 16 bytes in hex, and their characters in each row, as hexdump -v -C",
    ),
];

pub(crate) const HASH_STYLES: Choices<HashStyle> = &[
    ("xxh32", HashStyle::Xxh32, "N#hhhhhh|text: digits of the xxHash32 of the bytes of the line"),
    ("omp", HashStyle::Omp, "N#XX:text: two letters that ignore white space, as in the oh-my-pi editor"),
];

pub(crate) const DATE_ORDERS: Choices<DateOrder> = &[
    ("dmy", DateOrder::Dmy, "As in 31/01/2026"),
    ("mdy", DateOrder::Mdy, "As in 01/31/2026"),
    ("ymd", DateOrder::Ymd, "Only dates that begin with the year; others are text"),
];

pub(crate) const INPUTS: Choices<Input> = &[
    ("csv", Input::Csv, "Comma-separated values (RFC 4180), or with another delimiter"),
    ("json", Input::Json, "JSON values one after another, or an array of them"),
    ("jsonl", Input::Jsonl, "A JSON object a line, or an array"),
    ("parquet", Input::Parquet, "Apache Parquet"),
    ("lines", Input::Lines, "A row for each line of any text: _line and line"),
    ("log", Input::Log, "A row for each record of a log: _line, _time, _level and line"),
];

pub(crate) const ROW_STYLES: Choices<RowStyle> = &[
    (
        "csv",
        RowStyle::Csv,
        "Values with commas between, names in the first line (RFC 4180); NULL is empty, an empty text is \"\"",
    ),
    ("jsonl", RowStyle::Jsonl, "A JSON object a line"),
    ("json", RowStyle::Json, "An array of JSON objects"),
    ("table", RowStyle::Table, "Aligned columns, for people"),
];

/// Parses one of the words of `choices`.
pub(crate) fn choice<T>(choices: Choices<T>) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let words = choices.iter().map(|(word, _, help)| PossibleValue::new(*word).help(*help));
    PossibleValuesParser::new(words).try_map(|word| named(choices, &word).ok_or("is not one of the words"))
}

/// What the word `name` of `choices` means.
pub(crate) fn named<T: Copy>(choices: Choices<T>, name: &str) -> Option<T> {
    choices.iter().find(|(word, ..)| *word == name).map(|(_, value, _)| *value)
}
