//! The options of `rread select`.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::Args;
#[cfg(feature = "sql")]
use clap::FromArgMatches;

use crate::args::choice::{DATE_ORDERS, INPUTS, ROW_STYLES, choice};
use crate::args::input::{EncodingArgs, existing};
use crate::args::{OutputArgs, SourceArgs, TimeArgs};
#[cfg(feature = "sql")]
use rread_answer::options::ReadOptions;
use rread_answer::{OutputOptions, SourceOptions};
use rread_source::version::Version;
use rread_text::layout::{DateOrder, Divider, RowStyle};
use rread_text::{Error, Input, Result};

/// Run an SQL query on the table in a file
///
/// The files together are the table t (also s3object and, of one file, its name up to the first dot): CSV, JSON, JSON lines
/// or Parquet, by content and name, and, with the feature documents, workbooks, whose sheets are tables. SQLite
/// runs the query on a database. Other text with times is a log: its rows are records, with _line, _time, _level and line.
/// The engine is Apache DataFusion. It runs only queries, and reads only FILE.
///
/// Many files have the columns of the first, in any order; --union allows others. A condition on _file, the path of the
/// file, spares the other files.
///
/// Names of columns match without regard to case; _1 is the first column, _2 the second. Rows come in the order of the files
/// if the query only picks rows and columns, otherwise in that of ORDER BY; with a budget or --offset, they always come in
/// the same order, so that answers join. Text that is not valid in its encoding becomes U+FFFD.
#[derive(Args, Clone, Debug)]
#[command(override_usage = "rread select [OPTIONS] <FILE>... <SQL>")]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    "timeout" => {
        let help = "Stop the whole query after DURATION, such as 60s, with exit code 3";
        arg.help(help).long_help(format!("{help}\n\nWithout this option, rread waits 30s for a server that sends \
            nothing, and a query may take any time."))
    }
    _ => arg,
}))]
#[command(after_help = "Examples:
  rread select sales.csv \"SELECT region, sum(amount) AS total FROM t GROUP BY region ORDER BY total DESC\"
  rread select app.jsonl.gz \"SELECT time, message FROM t WHERE level = 'error'\" --output jsonl --raw
  rread select s3://bucket/events.parquet \"SELECT count(*) FROM t\"
  rread select users.dat \"SELECT _1, _3 FROM t LIMIT 5\" --no-header --delimiter ':' --output table
  rread select book.xlsx \"SELECT * FROM t WHERE price > 10\" --sheet Prices
  rread select app.db \"SHOW TABLES\"
  rread select users.csv \"SELECT * FROM t JOIN o ON o.user = t.id\" --table 'o=orders/*.jsonl'
  rread select 'logs/*.csv.gz' \"SELECT _file, count(*) FROM t GROUP BY 1 ORDER BY 2 DESC\"
  rread select 's3://bucket/logs/**/*.jsonl.gz' \"SELECT count(*) FROM t\"
  rread select 'logs/*.csv.gz' --files
  rread select app.log \"SELECT _level, count(*) FROM t GROUP BY 1\" --since 06:00 --until +1h
  rread select 's3://bucket/logs/**' \"SELECT level, count(*) FROM t GROUP BY 1\" --workers 10.0.0.7:7180,10.0.0.8:7180
  rread select big.csv \"SELECT * FROM t\" --max-rows 100 --offset 200")]
pub(crate) struct SelectArgs {
    /// Files of the table: paths, patterns in quotes, directories, prefixes of objects, @LIST for a list of names; - is
    /// standard input
    #[arg(value_name = "FILE", value_parser = crate::args::input::file())]
    pub(super) file: PathBuf,
    /// The query, such as SELECT * FROM t WHERE price > 10; only --files needs none
    #[arg(value_name = "SQL", allow_hyphen_values = true, required_unless_present = "files")]
    pub(super) sql: Option<OsString>,
    /// Further files, and then the query.
    #[arg(value_name = "FILE", hide = true)]
    more: Vec<OsString>,
    /// All files, after [`SelectArgs::divide`].
    #[arg(skip)]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) set: SetArgs,
    /// Write the rows in this style
    #[arg(long, value_parser = choice(ROW_STYLES), value_name = "STYLE", default_value = "csv")]
    pub(super) output: RowStyle,
    #[command(flatten)]
    pub(super) table: TableArgs,
    #[command(flatten)]
    pub(super) time: TimeArgs,
    #[command(flatten)]
    pub(super) rows: RowArgs,
    /// Use at most SIZE of memory for sorting, grouping and joining [default: 512MiB]
    ///
    /// rread writes what does not fit to temporary files; the smaller side of a join must fit. The rest of the
    /// program takes 100 to 200 MB more. A query whose values need more than that, or more than four times SIZE, is an
    /// error.
    #[arg(long, value_name = "SIZE", value_parser = crate::args::size)]
    pub(super) memory: Option<u64>,
    /// Print the receipt without the rows
    #[arg(long)]
    pub(super) metadata_only: bool,
    /// Leave out of the receipt all but the number of rows, truncated and next, and what is out of the ordinary
    #[arg(long)]
    pub(super) brief: bool,
    #[command(flatten)]
    pub(super) cluster: ClusterArgs,
    #[command(flatten)]
    pub(super) source: SourceArgs,
    #[command(flatten)]
    pub(super) encoding: EncodingArgs,
    #[command(flatten)]
    pub(crate) format: OutputArgs,
    /// The options of a tool, in place of those that were typed.
    #[arg(skip)]
    #[cfg_attr(not(feature = "sql"), allow(dead_code))]
    of_tool: Option<(SourceOptions, OutputOptions)>,
}

/// The workers of a cluster.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Workers")]
pub(super) struct ClusterArgs {
    /// Let these workers do the query: HOST:PORT,..., @FILE with one on each line, or dns:NAME:PORT for all addresses of a
    /// name [default: RREAD_WORKERS]
    ///
    /// Each is a process rread worker of the same version, and reads the files with its own credentials. The rows and
    /// the receipt are those of a query that runs here, and so is the order where the query or the files decide it. A query
    /// of one file, or of less than 4 MiB, runs here: workers in the receipt is 0. rread leaves out a worker that does not answer, and says so. If it loses one later, it
    /// sends the whole query once more to the others. It prints no row before the query has succeeded.
    #[arg(long, value_name = "WORKERS")]
    pub(super) workers: Option<String>,
    /// The file with the secret that the workers know
    #[arg(long, value_name = "FILE")]
    pub(super) token_file: Option<PathBuf>,
    /// Encrypt, and trust workers whose certificate is signed by one of those in this file (PEM)
    #[arg(long, value_name = "FILE")]
    pub(super) tls_ca: Option<PathBuf>,
}

/// Whether a word is a query, by its first word.
pub(super) fn is_query(word: &OsStr) -> bool {
    const VERBS: [&str; 6] = ["SELECT", "WITH", "FROM", "DESCRIBE", "SHOW", "EXPLAIN"];
    let text = word.to_string_lossy();
    let verb = text.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
    text.trim().contains(' ') && VERBS.contains(&&*verb)
}

/// How many files are one table.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Many files")]
pub(super) struct SetArgs {
    /// Make FILE the table NAME, for joins; several times for several tables, or for several files of one
    #[arg(long, value_name = "NAME=FILE")]
    pub(super) table: Vec<OsString>,
    /// Columns that some of the files lack are NULL there
    #[arg(long)]
    pub(super) union: bool,
    /// Do not make columns of directories such as day=2026-11-01
    #[arg(long)]
    pub(super) no_partitions: bool,
    /// Leave out and count files that cannot be read
    #[arg(long)]
    pub(super) skip_unreadable: bool,
    /// List the names of the files, one a line, and open none; with SQL, those that it does not exclude
    #[arg(long = "files", id = "files")]
    pub(super) list: bool,
    /// With --files, end names with a NUL, for xargs -0; with --raw or -f text
    #[arg(short = '0', long, requires = "files")]
    pub(super) print0: bool,
    /// Query the files only if they are in the state VERSION of an earlier receipt; otherwise exit with 7
    #[arg(long, value_name = "VERSION", value_parser = crate::args::content::version)]
    pub(super) expect: Option<Version>,
}

/// The layout of the table in the file.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Table")]
pub(super) struct TableArgs {
    /// The kind of table [default: by content and name]
    #[arg(long, value_parser = choice(INPUTS), value_name = "KIND")]
    pub(super) input: Option<Input>,
    /// Find values in records and lines, and make columns of them: clf, combined, logfmt, json, '<a> <_> \"<b>\"' or a regex
    ///
    /// clf and combined are the logs of web servers, logfmt is key=value, and json begins at the first brace of a record. In
    /// a pattern, <name> is a value, <_> is left out, and all else is the text between; a regular expression has named
    /// groups: '(?<user>\w+)@(?<host>\S+)'. Types are those of the first MiB, or of --schema. A record of another form has
    /// NULLs; the receipt counts such records, and --skip-bad leaves them out.
    #[arg(long, value_name = "FORM")]
    pub(super) parse: Option<String>,
    /// The sheet of a workbook that is the table t, by name or number [default: the first visible one with values]
    ///
    /// The other sheets are tables, too: SELECT * FROM "Sheet 2".
    #[arg(long, value_name = "NAME|N", allow_hyphen_values = true, conflicts_with = "no_decompress")]
    pub(super) sheet: Option<String>,
    /// The characters between the values of a CSV, tab, or blanks for as many spaces and tabs as there are [default: the one
    /// of , tab ; and | that its records show]
    #[arg(long, value_name = "CHARS", value_parser = delimiter)]
    pub(super) delimiter: Option<Delimiter>,
    /// The first record holds the names of the columns [default: if it is not like the records below it]
    ///
    /// Without this option and --no-header, rread compares the first record with the types of the values below it. If
    /// nothing decides, as in a table of text alone, it holds the names, and the receipt has the notice header_assumed.
    #[arg(long, overrides_with = "no_header")]
    pub(super) header: bool,
    /// Read the first record like the others, and call the columns _1, _2 and so on
    #[arg(long, overrides_with = "header")]
    pub(super) no_header: bool,
    /// Leave out the first N lines of a CSV, which come before the table
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(super) skip_lines: u64,
    /// Make values NULL that a record of a CSV lacks at its end
    #[arg(long)]
    pub(super) pad: bool,
    /// The character around values of a CSV; '' for none [default: a double quote, if its values show no other]
    #[arg(long, value_name = "CHAR", value_parser = |text: &str| if text.is_empty() { Ok(0) } else { character(text) })]
    pub(super) quote: Option<u8>,
    /// The character before a quote in a quoted value [default: a quote, or a backslash if the values show it]
    #[arg(long, value_name = "CHAR", value_parser = character)]
    pub(super) escape: Option<u8>,
    /// Ignore lines of a CSV that begin with this character
    #[arg(long, value_name = "CHAR", value_parser = character)]
    pub(super) comment: Option<u8>,
    /// Read this value of a CSV as NULL, like the empty one; may be given several times
    #[arg(long, value_name = "WORD")]
    pub(super) null: Vec<String>,
    /// The decimal point of numbers in a CSV: . or , [default: a comma if semicolons divide values, and the numbers show it]
    #[arg(long, value_name = "CHAR", value_parser = decimal)]
    pub(super) decimal: Option<u8>,
    /// The character between thousands in numbers of a CSV, as in 1,250 or 1.250
    #[arg(long, value_name = "CHAR", value_parser = character)]
    pub(super) thousands: Option<u8>,
    /// The order of day and month in dates of a CSV that end with the year [default: the only one that all values have]
    #[arg(long, value_name = "ORDER", value_parser = choice(DATE_ORDERS))]
    pub(super) date_order: Option<DateOrder>,
    /// Types of columns, instead of those inferred from the first MiB: amount:float64,zip:utf8 or *:utf8
    ///
    /// Types are utf8, bool, int8 to int64, uint8 to uint64, float32, float64, decimal(P,S), date, timestamp,
    /// timestamptz and time.
    #[arg(long, value_name = "COLUMN:TYPE,...")]
    pub(super) schema: Option<String>,
    /// Leave out and count records that have too few or too many values, or a value of another type
    #[arg(long)]
    pub(super) skip_bad: bool,
}

/// Which rows are returned.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Rows")]
pub(super) struct RowArgs {
    /// Leave out the first N rows of the result
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) offset: u64,
    /// Return at most N rows, and say how to go on
    #[arg(long, visible_alias = "max-lines", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_rows: Option<u64>,
    /// Return whole rows of at most N bytes, and say how to go on [default: RREAD_MAX_BYTES]
    #[arg(long, value_name = "N", value_parser = crate::args::size)]
    pub(super) max_bytes: Option<u64>,
}

impl SelectArgs {
    /// Divides the words into files and the query, which comes last. A list of files needs none.
    pub(super) fn divide(&mut self) {
        self.files = vec![self.file.clone()];
        let mut words: Vec<OsString> = self.sql.take().into_iter().chain(self.more.drain(..)).collect();
        // SQL may begin with a hyphen, so the parser takes this option for it.
        let is_nul = |word: &OsString| word.to_str().is_some_and(|word| word.trim() == "-0");
        if self.set.list && words.iter().any(is_nul) {
            self.set.print0 = true;
            words.retain(|word| !is_nul(word));
        }
        let is_file = |word: &OsString| self.set.list && (existing(word).exists() || !is_query(word));
        if !words.last().is_some_and(is_file) {
            self.sql = words.pop();
        }
        self.files.extend(words.iter().map(|word| existing(word)));
    }

    #[cfg(feature = "sql")]
    pub(super) fn read_options(&self) -> ReadOptions {
        let source = self.of_tool.as_ref().map(|(source, _)| source.clone());
        let encoding = self.encoding.encoding.clone();
        ReadOptions {
            source: source.unwrap_or_else(|| self.source.options()),
            encoding,
            ..ReadOptions::default()
        }
    }

    #[cfg(feature = "sql")]
    pub(super) fn output_options(&self) -> Result<OutputOptions> {
        self.of_tool.as_ref().map_or_else(|| self.format.options(), |(_, output)| Ok(output.clone()))
    }

    /// Whether an option says only how files are read: it opens none.
    pub(crate) fn reads_with(option: &str) -> bool {
        let command = TimeArgs::augment_args(TableArgs::augment_args(clap::Command::new("select")));
        option == "union" || command.get_arguments().any(|argument| argument.get_long() == Some(option))
    }

    /// The query; of a list of files, an empty one if none is given.
    pub(super) fn query(&self) -> Result<String> {
        let text = self.sql.clone().unwrap_or_default().into_string();
        text.map_err(|_| Error::usage("the query is not valid UTF-8").hint("the query comes last"))
    }
}

#[cfg(feature = "sql")]
impl SelectArgs {
    /// The query of a tool, which opens `files` by `source`; `options` are written as on a command line.
    pub(crate) fn of_tool(
        options: Vec<OsString>,
        files: &[PathBuf],
        sql: &str,
        source: SourceOptions,
        output: OutputOptions,
    ) -> Result<Self> {
        let files_of = files.iter().map(|file| file.clone().into_os_string());
        let words = options.into_iter().chain(["--".into()]).chain(files_of).chain([sql.into()]);
        let command = SelectArgs::augment_args(clap::Command::new("select").no_binary_name(true));
        let matches = command.try_get_matches_from(words);
        let parsed = matches.and_then(|matches| SelectArgs::from_arg_matches(&matches));
        let first_line = |error: clap::Error| {
            Error::usage(error.to_string().lines().next().unwrap_or_default().replacen("error: ", "", 1))
        };
        let select = parsed.map_err(first_line)?;
        let file = files.first().cloned().unwrap_or_default();
        Ok(SelectArgs { file, of_tool: Some((source, output)), ..select })
    }
}

impl TableArgs {
    /// Refuses one character with two meanings.
    pub(super) fn check(&self) -> Result<()> {
        let roles = [
            ("--delimiter", self.delimiter.as_ref().map(|delimiter| delimiter.byte)),
            ("--quote", Some(self.quote.unwrap_or(b'"')).filter(|quote| *quote != 0)),
            ("--comment", self.comment),
        ];
        let point = self.decimal.unwrap_or(b'.');
        if self.thousands == Some(point) {
            return Err(Error::usage("--decimal and --thousands are the same character")
                .hint(if point == b'.' { "--decimal ," } else { "--thousands ." }));
        }
        for (index, (role, character)) in roles.iter().enumerate() {
            let other = roles[..index].iter().find(|other| character.is_some() && other.1 == *character);
            if let Some((other, _)) = other {
                return Err(Error::usage(format!("{other} and {role} are the same character")));
            }
        }
        Ok(())
    }
}

/// An ASCII character that does not end a line.
fn character(text: &str) -> std::result::Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        // As terminals show control characters.
        [b'^', sign @ (b'A'..=b'I' | b'K' | b'L' | b'N'..=b'_')] => Ok(sign - b'@'),
        [byte] if byte.is_ascii() && !matches!(byte, b'\n' | b'\r' | 0) => Ok(*byte),
        _ => Err("give one character of ASCII, or tab".to_owned()),
    }
}

/// The text between values: one byte, or the text that a byte stands for.
#[derive(Clone, Debug)]
pub(super) struct Delimiter {
    pub(super) byte: u8,
    #[cfg_attr(not(feature = "sql"), allow(dead_code))]
    pub(super) divider: Option<Divider>,
}

fn delimiter(text: &str) -> std::result::Result<Delimiter, String> {
    let divider = match text {
        "blanks" => Some(Divider::Blanks),
        _ if character(text).is_ok() => None,
        _ if text.is_empty() || text.contains(['\n', '\r', '\0']) => {
            return Err("give characters of one line, tab, or blanks".to_owned());
        }
        _ => Some(Divider::Text(text.to_owned())),
    };
    Ok(Delimiter { byte: character(text).unwrap_or(Divider::BYTE), divider })
}

/// A decimal point.
fn decimal(text: &str) -> std::result::Result<u8, String> {
    match text {
        "." => Ok(b'.'),
        "," => Ok(b','),
        _ => Err("give . or ,".to_owned()),
    }
}
