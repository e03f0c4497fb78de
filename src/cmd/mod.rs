//! The subcommands, and the options that several of them share.

pub mod answer;
pub mod bytes;
pub mod capture;
mod damage;
mod files;
mod from;
mod hash;
mod horizon;
pub mod image;
pub mod index;
mod input;
pub mod lines;
pub mod locate;
mod many;
mod neighbours;
pub mod page;
mod plan;
mod progress;
mod question;
pub mod ranges;
mod refusal;
mod response;
pub mod select;
pub mod stat;
pub mod verify;

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};

pub use hash::HashArgs;
pub use input::{InputArgs, SourceArgs, ViewArgs, cache_dir, policy, session};

use crate::address::Address;
use crate::body::{Encode, InvalidBytes};
use crate::capture::Handle;
use crate::error::{Error, Result};
use crate::output::Out;
use crate::range::{Range, parse_mixed, parse_size};
use crate::render::Format;
use crate::source::sqlite;
use crate::source::version::Version;

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How the answer is written.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Write the answer in this format [default: frontmatter, or RREAD_FORMAT]
    ///
    /// The format never depends on whether standard output is a terminal. With json, errors on standard error are
    /// JSON too. Commands without content (stat, where, index) write plain YAML in raw and text.
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Short for --format json
    #[arg(long, conflicts_with_all = ["format", "raw", "xml"])]
    pub json: bool,
    /// Short for --format raw: the bytes of the file and nothing else
    #[arg(long, conflicts_with_all = ["format", "xml"])]
    pub raw: bool,
    /// Short for --format xml
    #[arg(long, conflicts_with = "format")]
    pub xml: bool,
    /// Colour metadata keys and line numbers
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub color: Color,
}

impl OutputArgs {
    /// The format asked for, by option or by `RREAD_FORMAT`.
    ///
    /// # Errors
    /// `usage` when the variable names none.
    pub fn format(&self) -> Result<Format> {
        match self {
            OutputArgs { json: true, .. } => Ok(Format::Json),
            OutputArgs { raw: true, .. } => Ok(Format::Raw),
            OutputArgs { xml: true, .. } => Ok(Format::Xml),
            OutputArgs { format: Some(format), .. } => Ok(*format),
            _ => format_from_environment(),
        }
    }

    /// Whether to paint what goes to `out`.
    #[must_use]
    pub fn use_color(&self, out: &Out) -> bool {
        let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                out.is_terminal()
                    && !set("NO_COLOR")
                    && env::var_os("TERM").is_none_or(|term| term != OsStr::new("dumb"))
            }
        }
    }
}

/// The format that `RREAD_FORMAT` names.
///
/// # Errors
/// `usage` when it names none.
pub fn format_from_environment() -> Result<Format> {
    match env::var_os("RREAD_FORMAT").filter(|name| !name.is_empty()) {
        None => Ok(Format::default()),
        Some(name) => Format::from_str(&name.to_string_lossy(), false).map_err(|_| {
            Error::usage(format!("RREAD_FORMAT is '{}', which is not a format", name.to_string_lossy()))
                .hint("export RREAD_FORMAT=json (or frontmatter, raw, text, xml)")
        }),
    }
}

/// What becomes of the bytes, and how much of them there may be.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Content")]
pub struct ContentArgs {
    /// Read a binary file as if it were text
    #[arg(short = 'a', long)]
    pub text: bool,
    /// Write the exact bytes of any file, binary or not, in this encoding
    #[arg(long, value_enum, value_name = "CODE", conflicts_with_all = ["number", "max_columns", "invalid"])]
    pub encode: Option<Encode>,
    /// What to do with bytes that are not valid in the encoding of the file [default: replace]
    ///
    /// Raw output keeps them as they are. All other formats replace and count them.
    #[arg(long, value_enum, value_name = "HOW")]
    pub invalid: Option<InvalidBytes>,
    /// Number the lines: right-aligned to 6, then →
    #[arg(short, long)]
    pub number: bool,
    /// Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character
    /// [default: RREAD_MAX_BYTES]
    #[arg(long, value_name = "N", value_parser = size)]
    pub max_bytes: Option<u64>,
    /// Stop after N lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_lines: Option<u64>,
    /// Clip lines to N characters, and count the clipped lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_columns: Option<u64>,
    /// Print the receipt without the content: how large would it be?
    #[arg(long)]
    pub metadata_only: bool,
    /// Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7
    #[arg(long, value_name = "VERSION", value_parser = version)]
    pub expect: Option<Version>,
    /// With --expect, accept a file to which text was appended
    #[arg(long, requires = "expect")]
    pub expect_prefix: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

impl ContentArgs {
    /// The budget of bytes, by option or by `RREAD_MAX_BYTES`.
    ///
    /// # Errors
    /// `usage` when it is no size, or too small for one character.
    pub fn max_bytes(&self) -> Result<Option<u64>> {
        let Some((name, budget)) = budget_of_bytes(self.max_bytes)? else { return Ok(None) };
        // Less would give empty slices for ever to a caller that follows `next`.
        let (least, what) = match (self.number, self.invalid) {
            (true, _) => (64, "a line number and one character"),
            (false, Some(InvalidBytes::Escape)) => (12, "one escaped sequence"),
            (false, _) => (4, "one character"),
        };
        if budget < least {
            return Err(Error::usage(format!("{name} is {budget}, too small for {what}"))
                .hint(format!("--max-bytes {least} is the least")));
        }
        Ok(Some(budget))
    }
}

/// The budget of bytes and the name of what set it: the `option` or `RREAD_MAX_BYTES`.
fn budget_of_bytes(option: Option<u64>) -> Result<Option<(&'static str, u64)>> {
    match (option, env::var("RREAD_MAX_BYTES")) {
        (Some(n), _) => Ok(Some(("--max-bytes", n))),
        (None, Ok(text)) if !text.is_empty() => {
            let wrong = |error: Error| Error::usage(format!("RREAD_MAX_BYTES: {}", error.message));
            Ok(Some(("RREAD_MAX_BYTES", parse_size(&text).map_err(wrong)?)))
        }
        _ => Ok(None),
    }
}

/// Context and header of line ranges.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Lines around")]
pub struct AroundArgs {
    /// Show N lines before and after every line range
    #[arg(short = 'C', long, value_name = "N", default_value_t = 0)]
    pub context: u64,
    /// Show N lines before every line range
    #[arg(short = 'B', long, value_name = "N")]
    pub before_context: Option<u64>,
    /// Show N lines after every line range
    #[arg(short = 'A', long, value_name = "N")]
    pub after_context: Option<u64>,
    /// Put the first N lines of the file before the slice, unless it holds them already (CSV)
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "encode")]
    pub header: u64,
}

impl AroundArgs {
    /// The context of every line range.
    #[must_use]
    pub fn context(&self) -> crate::selection::Context {
        crate::selection::Context {
            before: self.before_context.unwrap_or(self.context),
            after: self.after_context.unwrap_or(self.context),
        }
    }
}

/// Whether there is anything of that name, be it a link that leads nowhere; or it has the form of a capture's handle, or
/// of an address in a database or on a server, where any colon may be of a name.
fn is_there(path: &Path) -> bool {
    let is_elsewhere = sqlite::is_address(path) || Address::of(path).is_some();
    path.symlink_metadata().is_ok() || Handle::of(path).is_some() || is_elsewhere
}

/// Whether `word` is FILE: a file of that name, standard input, a capture, an address, or a file with its ranges. A
/// directory is none: it cannot be read.
pub(crate) fn names_file(word: &OsStr) -> bool {
    let path = unshielded(word);
    let has_ranges =
        || split_ranges(&path, parse_mixed).is_ok_and(|(name, ranges)| ranges.is_some() && is_there(&name));
    path == Path::new("-") || if is_there(&path) { !path.is_dir() } else { has_ranges() }
}

/// The parser of FILE: takes off the blank that was put before what looks like a place from the end.
#[must_use]
pub fn file() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(|name| unshielded(&name))
}

/// The name that `word` is, without the blank that was put before what looks like a place from the end.
pub(crate) fn unshielded(word: &OsStr) -> PathBuf {
    match word.to_str().and_then(|text| text.strip_prefix(' ')) {
        Some(plain) if is_place(plain.trim_start()) => PathBuf::from(plain),
        _ => PathBuf::from(word),
    }
}

fn is_place(text: &str) -> bool {
    matches!(text.as_bytes(), [b'-', b'0'..=b'9', ..])
}

fn size(text: &str) -> std::result::Result<u64, String> {
    parse_size(text).map_err(|error| error.message)
}

fn version(text: &str) -> std::result::Result<Version, String> {
    text.parse().map_err(|error: Error| error.message)
}

/// What `FILE` means: a file of that name if there is one; else `FILE:RANGES`, as grep and stack traces
/// print it, if the part before a colon is a file and `parse` understands the part after it.
///
/// # Errors
/// Those of `parse`, when what stands before the colon is a file and only the ranges are wrong.
pub fn split_ranges(
    file: &Path,
    parse: impl Fn(&str) -> Result<Vec<Range>>,
) -> Result<(PathBuf, Option<Vec<Range>>)> {
    let plain = || (file.to_owned(), None);
    let colons = at_colons(file);
    if colons.is_empty() || is_there(file) {
        return Ok(plain());
    }
    let handle = file.to_str().and_then(Handle::before_ranges);
    let handle = handle.map(|(name, ranges)| (OsStr::new(name), ranges));
    for (name, ranges) in handle.into_iter().chain(colons.iter().copied()) {
        let name = Path::new(name);
        if name.is_file() || Handle::of(name).is_some() {
            let ranges = parse(without_column(ranges)).map_err(|error| error.at(name))?;
            return Ok((name.to_owned(), Some(ranges)));
        }
    }
    // No such file either way: name the one that was most likely meant.
    Ok(colons
        .into_iter()
        .find_map(|(name, ranges)| Some((PathBuf::from(name), Some(parse(without_column(ranges)).ok()?))))
        .filter(|(name, _)| !name.as_os_str().is_empty())
        .unwrap_or_else(plain))
}

/// What stands before and after each colon of `file`. A name need not be UTF-8, ranges are.
#[cfg(unix)]
fn at_colons(file: &Path) -> Vec<(&OsStr, &str)> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = file.as_os_str().as_bytes();
    let after = |colon: usize| std::str::from_utf8(&bytes[colon + 1..]).ok();
    let colons = memchr::memchr_iter(b':', bytes);
    colons.filter_map(|colon| Some((OsStr::from_bytes(&bytes[..colon]), after(colon)?))).collect()
}

/// What stands before and after each colon of `file`.
#[cfg(not(unix))]
fn at_colons(file: &Path) -> Vec<(&OsStr, &str)> {
    let text = file.to_str().unwrap_or_default();
    text.match_indices(':').map(|(colon, _)| (OsStr::new(&text[..colon]), &text[colon + 1..])).collect()
}

/// `5` for `5:10` and `5:10:`, which compilers print after FILE for a line and a column; every other text as it is.
fn without_column(ranges: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match ranges.strip_suffix(':').unwrap_or(ranges).split_once(':') {
        Some((line, column)) if is_number(line) && is_number(column) => line,
        _ => ranges,
    }
}
