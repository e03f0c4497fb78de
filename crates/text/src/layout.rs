//! Layouts of tables in files, and output styles.

use serde::{Deserialize, Serialize};

crate::words! { name,
    /// The format of a file that has a table.
    #[derive(Default, Deserialize, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Input {
        /// Comma-separated values (RFC 4180), or with another delimiter
        #[default]
        Csv = "csv",
        /// JSON values one after another, or an array of them
        Json = "json",
        /// A JSON object a line, or an array
        Jsonl = "jsonl",
        /// Apache Parquet
        Parquet = "parquet",
        /// A sheet of a workbook
        Sheet = "sheet",
        /// An SQLite database, which runs the query
        Sqlite = "sqlite",
        /// A row for each line of any text
        Lines = "lines",
        /// A row for each record of a log: a line with a time and the lines after it
        Log = "log",
    }
}

/// Each character is a single ASCII byte.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Csv {
    /// Between two values of a record.
    pub delimiter: u8,
    /// The text in its place, if that is not one byte.
    pub divider: Option<Divider>,
    /// `None` disables quoting.
    pub quote: Option<u8>,
    /// Escapes a quote, or itself, in a quoted value; then quotes are not doubled.
    pub escape: Option<u8>,
    /// A line that begins with it is not a record.
    pub comment: Option<u8>,
    /// Whether the first record names the columns.
    pub header: bool,
    /// Unquoted values that mean NULL, besides the empty one.
    pub nulls: Vec<String>,
    /// Ends a line: `\n`, or `\r` in a text that has no other line ends.
    pub newline: u8,
    /// Lines before the table, which are not read.
    pub skip_lines: u64,
    /// Whether values that a record lacks at its end are NULL.
    pub pad: bool,
    /// Whether each record ends with a delimiter after its last value, which adds nothing.
    pub trailing: bool,
    /// Whether the first column has no name in the header, which is one value shorter than the records.
    pub unnamed_first: bool,
    /// How numbers and dates are written.
    pub forms: Forms,
}

/// How numbers and dates are written.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct Forms {
    /// The decimal point is a comma.
    pub decimal_comma: bool,
    /// Between groups of three digits.
    pub thousands: Option<u8>,
    /// The order of dates that do not begin with the year; without it, such dates are text.
    pub dates: Option<DateOrder>,
}

impl Forms {
    /// Whether numbers have a decimal point, and nothing between thousands.
    pub fn has_usual_numbers(self) -> bool {
        !self.decimal_comma && self.thousands.is_none()
    }

    /// The forms that a text beside two tables can only mean.
    pub fn and(self, other: Forms) -> Forms {
        let evident = |dates: Option<DateOrder>| dates.filter(|order| *order != DateOrder::Unclear);
        let other = Forms { dates: evident(other.dates), ..other };
        let dates =
            evident(self.dates).or(other.dates).filter(|one| other.dates.is_none_or(|other| other == *one));
        let thousands = self.thousands.filter(|one| other.thousands == Some(*one));
        Forms { decimal_comma: self.decimal_comma || other.decimal_comma, thousands, dates }
    }
}

crate::words! { name,
    /// The order of day and month before the year.
    #[derive(Deserialize, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum DateOrder {
        /// The year comes first; other dates are text
        Ymd = "ymd",
        /// As in 31/01/2026
        Dmy = "dmy",
        /// As in 01/31/2026
        Mdy = "mdy",
        /// Nothing shows which of the two: the dates are text
        Unclear = "dmy or mdy",
    }
}

/// The text between values, if it is not one byte.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub enum Divider {
    /// Several characters.
    Text(String),
    /// Spaces and tabs, as many as there are; those around a line divide nothing.
    Blanks,
}

impl Divider {
    /// The byte that is put in its place: the unit separator of ASCII.
    pub const BYTE: u8 = 0x1f;
}

impl Default for Csv {
    fn default() -> Self {
        let (escape, comment, nulls) = (None, None, Vec::new());
        Csv {
            delimiter: b',',
            divider: None,
            quote: Some(b'"'),
            escape,
            comment,
            header: true,
            nulls,
            newline: b'\n',
            skip_lines: 0,
            pad: false,
            trailing: false,
            unnamed_first: false,
            forms: Forms::default(),
        }
    }
}

/// The syntax of a table in text. `header` is whether the first array names the columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Comma-separated values.
    Csv(Csv),
    /// JSON values in sequence, with or without white space between them, or an array of them.
    Json {
        /// Whether the first array names the columns.
        header: bool,
    },
    /// A JSON value per line.
    Jsonl {
        /// Whether the first array names the columns.
        header: bool,
    },
}

crate::words! { name,
    /// The style in which rows are written.
    #[derive(Default)]
    pub enum RowStyle {
        /// Values with commas between, names in the first line (RFC 4180); NULL is empty, an empty text is ""
        #[default]
        Csv = "csv",
        /// A JSON object a line
        Jsonl = "jsonl",
        /// An array of JSON objects
        Json = "json",
        /// Aligned columns, for people
        Table = "table",
    }
}
