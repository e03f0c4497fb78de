//! Layouts of tables in files, and output styles.

/// The kinds of tables in files.
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
    /// The word in receipts and options.
    pub fn name(self) -> &'static str {
        match self {
            Input::Csv => "csv",
            Input::Json => "json",
            Input::Jsonl => "jsonl",
            Input::Parquet => "parquet",
        }
    }
}

/// The syntax of delimited values. Each character is a single ASCII byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csv {
    /// Separates values.
    pub delimiter: u8,
    /// Surrounds values that contain special characters, and is doubled inside them; `None` disables quoting.
    pub quote: Option<u8>,
    /// Escapes a quote, or itself, in a quoted value; then quotes are not doubled.
    pub escape: Option<u8>,
    /// Begins a line that is not a record.
    pub comment: Option<u8>,
    /// Whether the first record names the columns.
    pub header: bool,
    /// Unquoted values that mean NULL, besides the empty one.
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

/// The syntax of a table in text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Delimited values
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

/// The output styles of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum RowStyle {
    /// Values with commas between, names in the first line (RFC 4180); NULL is empty, an empty text is ""
    #[default]
    Csv,
    /// A JSON object a line
    Jsonl,
    /// An array of JSON objects
    Json,
    /// Aligned columns, for people
    Table,
}

impl RowStyle {
    /// The word in receipts and options.
    pub fn name(self) -> &'static str {
        match self {
            RowStyle::Csv => "csv",
            RowStyle::Jsonl => "jsonl",
            RowStyle::Json => "json",
            RowStyle::Table => "table",
        }
    }
}
