//! `rread select`: the answer to a question in SQL about the table in a file.

#[cfg(feature = "sql")]
mod answer;

use std::path::PathBuf;

use clap::Args;

use super::input::EncodingArgs;
use super::question::about;
use super::{OutputArgs, SourceArgs};
use crate::error::{Error, Kind, Result};
use crate::query::layout::{Input, Style};

/// Answer a question in SQL about the table in a file
///
/// The file is the table t (also s3object, and the file's name up to its first dot). CSV, JSON, JSON lines and Parquet are told by
/// content and name; of Parquet, only what the query needs is read. The engine is Apache DataFusion. Nothing but queries
/// is run, and nothing but FILE is read.
///
/// Columns are found without regard to case; _1, _2 and so on are the first, the second and the others. Rows come in the order of the file where
/// the query only picks rows and columns, otherwise in that of ORDER BY; with --offset, --max-rows or --max-bytes in
/// the same order each time, so that one answer goes on where the other ended. --timeout is also the time that the whole
/// query may take. What is not valid in the encoding of FILE becomes U+FFFD.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread select sales.csv \"SELECT region, sum(amount) AS total FROM t GROUP BY region ORDER BY total DESC\"
  rread select app.jsonl.gz \"SELECT time, message FROM t WHERE level = 'error'\" --output jsonl --raw
  rread select s3://bucket/events.parquet \"SELECT count(*) FROM t\"
  rread select users.dat \"SELECT _1, _3 FROM t LIMIT 5\" --no-header --delimiter ':' --output table
  rread select big.csv \"SELECT * FROM t\" --max-rows 100 --offset 200")]
pub struct SelectArgs {
    /// File to read; - is standard input
    #[arg(value_name = "FILE", value_parser = super::file())]
    file: PathBuf,
    /// The query, such as SELECT * FROM t WHERE price > 10
    #[arg(value_name = "SQL", allow_hyphen_values = true)]
    sql: String,
    /// Write the rows in this style
    #[arg(long, value_enum, value_name = "STYLE", default_value_t)]
    output: Style,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    rows: RowArgs,
    /// Hold at most SIZE in memory for sorting, grouping and joining
    ///
    /// What does not fit is written to temporary files; of a join, the smaller side has to fit. The rest of the program
    /// takes 100 to 200 MB more.
    #[arg(long, value_name = "SIZE", default_value = "512MiB", value_parser = super::size)]
    memory: u64,
    /// Give the envelope without the rows
    #[arg(long)]
    metadata_only: bool,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    encoding: EncodingArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// How the table stands in the file.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Table")]
struct TableArgs {
    /// What kind of table it is [default: by content and name]
    #[arg(long, value_enum, value_name = "KIND")]
    input: Option<Input>,
    /// The character between values of a CSV, or tab [default: what its first lines have, of , tab ; and |]
    #[arg(long, value_name = "CHAR", value_parser = character)]
    delimiter: Option<u8>,
    /// The first record of a CSV is one like the others; columns are called _1, _2 and so on
    #[arg(long)]
    no_header: bool,
    /// The character around values of a CSV; '' for none
    #[arg(long, value_name = "CHAR", default_value = "\"", value_parser = character_or_none)]
    quote: Option<u8>,
    /// The character before a quote in a quoted value [default: a quote]
    #[arg(long, value_name = "CHAR", value_parser = character)]
    escape: Option<u8>,
    /// Lines of a CSV that begin with this character are no records
    #[arg(long, value_name = "CHAR", value_parser = character)]
    comment: Option<u8>,
    /// A value of a CSV that stands for NULL, as the empty one does; may be given several times
    #[arg(long, value_name = "WORD")]
    null: Vec<String>,
    /// Types of columns, instead of what the first MiB looks like: amount:float64,zip:utf8 or *:utf8
    ///
    /// Types are utf8, bool, int8 to int64, uint8 to uint64, float32, float64, decimal(P,S), date, timestamp, timestamptz and time.
    #[arg(long, value_name = "COLUMN:TYPE,...")]
    schema: Option<String>,
    /// Leave out records that have too few or too many values, or one that is not of its column's type, and count them
    #[arg(long)]
    skip_bad: bool,
}

/// Which rows are given.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Rows")]
struct RowArgs {
    /// Leave out the first N rows of the result
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u64,
    /// Give at most N rows, and say how to go on
    #[arg(long, visible_alias = "max-lines", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_rows: Option<u64>,
    /// Give at most N bytes of whole rows, and say how to go on [default: RREAD_MAX_BYTES]
    #[arg(long, value_name = "N", value_parser = super::size)]
    max_bytes: Option<u64>,
}

impl SelectArgs {
    /// How the answer is written.
    #[must_use]
    pub fn output(&self) -> &OutputArgs {
        &self.format
    }

    /// Runs the command.
    ///
    /// # Errors
    /// `no_rows`, after the answer, if there is none; whatever kept the answer from being given.
    pub fn run(self) -> Result<()> {
        self.answer().map_err(|error| match error.kind {
            Kind::Write | Kind::BrokenPipe => error,
            _ => about(&self.file, error),
        })
    }

    #[cfg(feature = "sql")]
    fn answer(&self) -> Result<()> {
        answer::run(self)
    }

    #[cfg(not(feature = "sql"))]
    fn answer(&self) -> Result<()> {
        self.table.check()?;
        Err(Error::usage("this rread was built without SQL")
            .hint("cargo install --path . --features sql (in a checkout)"))
    }
}

impl TableArgs {
    /// Refuses characters that mean two things.
    fn check(&self) -> Result<()> {
        let roles = [
            ("--delimiter", self.delimiter),
            ("--quote", self.quote.filter(|quote| *quote != 0)),
            ("--comment", self.comment),
        ];
        for (index, (role, character)) in roles.iter().enumerate() {
            let other = roles[..index].iter().find(|other| character.is_some() && other.1 == *character);
            if let Some((other, _)) = other {
                return Err(Error::usage(format!("{other} and {role} are the same character")));
            }
        }
        Ok(())
    }
}

/// One character of ASCII that ends no line.
fn character(text: &str) -> std::result::Result<u8, String> {
    match text {
        "tab" | "\\t" => Ok(b'\t'),
        _ => match text.as_bytes() {
            [byte] if byte.is_ascii() && !matches!(byte, b'\n' | b'\r' | 0) => Ok(*byte),
            _ => Err("give one character of ASCII, or tab".to_owned()),
        },
    }
}

/// The same, or 0 for none.
fn character_or_none(text: &str) -> std::result::Result<u8, String> {
    if text.is_empty() { Ok(0) } else { character(text) }
}
