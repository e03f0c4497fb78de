//! How a table is written in a file.

/// The ways in which a file can hold a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Input {
    /// Comma-separated values (RFC 4180), or with another delimiter
    Csv,
    /// JSON values one after another, or an array of them
    Json,
    /// A JSON object a line, or an array
    Jsonl,
    /// Apache Parquet
    Parquet,
}

impl Input {
    /// The word for it in receipts and options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Input::Csv => "csv",
            Input::Json => "json",
            Input::Jsonl => "jsonl",
            Input::Parquet => "parquet",
        }
    }
}

/// How values stand in a file of delimited values. All of these are single bytes of ASCII.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csv {
    /// Between values.
    pub delimiter: u8,
    /// Around values that hold any of the others; twice for itself. None, if nothing is quoted.
    pub quote: Option<u8>,
    /// Before a quote, or itself, in a quoted value, where that is not a second quote.
    pub escape: Option<u8>,
    /// Lines that begin with it are no records.
    pub comment: Option<u8>,
    /// Whether the first record names the columns.
    pub header: bool,
    /// Unquoted values that stand for NULL, beside the empty one.
    pub nulls: Vec<String>,
}

impl Default for Csv {
    fn default() -> Self {
        Csv {
            delimiter: b',',
            quote: Some(b'"'),
            escape: None,
            comment: None,
            header: true,
            nulls: Vec::new(),
        }
    }
}

/// How text holds a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Delimited values.
    Csv(Csv),
    /// JSON values one after another, with or without white space between, or an array of them.
    Json {
        /// Whether the first record, where records are arrays, names the columns.
        header: bool,
    },
    /// A JSON value a line.
    Jsonl {
        /// Whether the first record, where records are arrays, names the columns.
        header: bool,
    },
}

/// The ways in which rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Style {
    /// Values with commas between, names in the first line (RFC 4180); NULL is empty, an empty text is ""
    #[default]
    Csv,
    /// A JSON object a line
    Jsonl,
    /// An array of JSON objects
    Json,
    /// Columns for people
    Table,
}

impl Style {
    /// The word for it in receipts and options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Style::Csv => "csv",
            Style::Jsonl => "jsonl",
            Style::Json => "json",
            Style::Table => "table",
        }
    }
}
