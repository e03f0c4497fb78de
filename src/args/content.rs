//! Options about the content of an answer and about its form.

use std::env;

use clap::{Args, ValueEnum};

use super::choice::{ENCODINGS_OF_BYTES, FORMATS, HASH_STYLES, INVALID_BYTES, choice, named};
use super::environment::{size_from, theme};
use super::input::InputArgs;
use crate::progress::Progress;
use crate::standard::stdout;
use rread_answer::content::{Encode, InvalidBytes};
use rread_answer::options::{Color, Highlight, budget_with_room};
use rread_answer::{AnswerOptions, Format, OutputOptions, highlight, worded};
use rread_reader::selection::Context;
use rread_source::version::Version;
use rread_text::hashline::WIDTH;
use rread_text::range::parse_size;
use rread_text::{Error, HashStyle, HashlineForm, Result};

/// How the content is converted, and its budgets.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Content")]
pub(crate) struct ContentArgs {
    /// Read a binary file as if it were text
    #[arg(short = 'a', long)]
    pub(crate) text: bool,
    /// Write the exact bytes of any file, binary or not, in this encoding
    #[arg(long, value_parser = choice(ENCODINGS_OF_BYTES), value_name = "CODE", conflicts_with_all = ["number", "max_columns", "invalid"])]
    pub(crate) encode: Option<Encode>,
    /// What to do with bytes that are not valid in the encoding of the file [default: replace]
    ///
    /// Raw output keeps them as they are. All other formats replace and count them.
    #[arg(long, value_parser = choice(INVALID_BYTES), value_name = "HOW")]
    pub(crate) invalid: Option<InvalidBytes>,
    /// Number the lines, right-aligned to 6 digits and followed by →
    #[arg(short, long)]
    pub(crate) number: bool,
    /// Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character
    /// [default: RREAD_MAX_BYTES]
    #[arg(long, value_name = "N", value_parser = size)]
    pub(crate) max_bytes: Option<u64>,
    /// Stop before the content exceeds about N tokens, as --max-bytes stops
    ///
    /// The number of tokens is an estimate without a tokenizer: 3 bytes a token, 1 for each CJK character. The receipt
    /// has it as estimated_tokens, as it has with --metadata-only.
    #[arg(long, value_name = "N", value_parser = size)]
    pub(crate) max_tokens: Option<u64>,
    /// Stop after N lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_lines: Option<u64>,
    /// Clip lines to N characters, and count the clipped lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_columns: Option<u64>,
    /// Print the receipt without the content, to see how large it would be
    #[arg(long)]
    pub(crate) metadata_only: bool,
    /// Leave out of the receipt all but lines, total_lines, truncated and next, and what is out of the ordinary
    #[arg(long)]
    pub(crate) brief: bool,
    /// Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7
    #[arg(long, value_name = "VERSION", value_parser = version)]
    pub(crate) expect: Option<Version>,
    /// With --expect, accept a file to which text was appended
    #[arg(long, requires = "expect")]
    pub(crate) expect_prefix: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

impl ContentArgs {
    pub(crate) fn options(&self) -> Result<AnswerOptions> {
        Ok(AnswerOptions {
            text: self.text,
            encode: self.encode,
            invalid: self.invalid,
            number: self.number,
            max_bytes: self.max_bytes,
            default_max_bytes: default_max_bytes()?,
            max_tokens: self.max_tokens,
            max_lines: self.max_lines,
            max_columns: self.max_columns,
            metadata_only: self.metadata_only,
            brief: self.brief,
            expect: self.expect.clone(),
            expect_prefix: self.expect_prefix,
            read: self.input.options()?,
        })
    }
}

/// As [`budget_with_room`] with the default of the environment.
pub(crate) fn budget_of_bytes(option: Option<u64>, least: u64, what: &str) -> Result<Option<u64>> {
    budget_with_room(option, default_max_bytes()?, least, what)
}

pub(crate) fn default_max_bytes() -> Result<Option<u64>> {
    size_from("RREAD_MAX_BYTES")
}

pub(crate) fn size(text: &str) -> std::result::Result<u64, String> {
    parse_size(text).map_err(|error| worded(&error.message))
}

pub(crate) fn version(text: &str) -> std::result::Result<Version, String> {
    text.parse().map_err(|error: Error| worded(&error.message))
}

/// Context and header of line ranges.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Lines around")]
pub(crate) struct AroundArgs {
    /// Show N lines before and after every line range
    #[arg(short = 'C', long, value_name = "N", default_value_t = 0)]
    pub(crate) context: u64,
    /// Show N lines before every line range
    #[arg(short = 'B', long, value_name = "N")]
    pub(crate) before_context: Option<u64>,
    /// Show N lines after every line range
    #[arg(short = 'A', long, value_name = "N")]
    pub(crate) after_context: Option<u64>,
    /// Put the first N lines of the file before the slice, unless it holds them already (CSV)
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "encode")]
    pub(crate) header: u64,
}

impl AroundArgs {
    pub(crate) fn context(&self) -> Context {
        Context {
            before: self.before_context.unwrap_or(self.context),
            after: self.after_context.unwrap_or(self.context),
        }
    }
}

/// Whether lines come with hashes, and in which form.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Content")]
pub(crate) struct HashArgs {
    /// Write each line with its number and hash: N#hhhhhh|text, which verify can compare later
    ///
    /// The hash is the low 24 bits of the xxHash32 of the bytes of the line in the file, without \n or \r\n. It is
    /// always the hash of the whole line, even if a range or a budget shows only a part of it.
    #[arg(long, conflicts_with = "encode")]
    pub(crate) hash: bool,
    /// Write N digits of the hash, 4 to 8 [default: 6]
    #[arg(long, value_name = "N", requires = "hash", conflicts_with = "encode", value_parser = clap::value_parser!(u8).range(4..=8))]
    pub(crate) hash_width: Option<u8>,
    /// How the hash is computed and written
    #[arg(
        long,
        value_parser = choice(HASH_STYLES),
        value_name = "STYLE",
        requires = "hash",
        conflicts_with = "encode",
        default_value = "xxh32"
    )]
    pub(crate) hash_style: HashStyle,
}

impl HashArgs {
    /// Also turns on `number`, since a hashline has one.
    pub(crate) fn form(&self, content: &mut AnswerOptions) -> Result<Option<HashlineForm>> {
        if self.hash_style == HashStyle::Omp && self.hash_width.is_some() {
            return Err(Error::usage(
                "--hash-width applies to --hash-style xxh32; a tag of omp always has two letters",
            )
            .hint("leave out --hash-width or --hash-style"));
        }
        content.number |= self.hash;
        let form = HashlineForm { style: self.hash_style, width: self.hash_width.unwrap_or(WIDTH) };
        Ok(self.hash.then_some(form))
    }
}

/// Whether files are merged.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Time")]
pub(crate) struct MergeArgs {
    /// Merge the records of all files: in the order of their times, then of the files
    ///
    /// A record is a line with a time and the lines without one after it. The order of a file stays: a record that is
    /// earlier than one before it follows that one. Text, frontmatter and XML have path:line: before each line, raw has
    /// the bytes alone, and JSON has a segment for each run of records of one file. The context of a search is the lines
    /// before and after in this order, of any file.
    #[arg(long)]
    pub(crate) merge: bool,
    /// With --merge, write no path and no number before lines
    #[arg(long, requires = "merge")]
    pub(crate) no_path: bool,
}

impl MergeArgs {
    /// Refuses options that have no meaning for the records of several files.
    pub(crate) fn check(self, content: &AnswerOptions, header: u64) -> Result<()> {
        let refused = [
            (content.encode.is_some(), ("--encode", "--raw")),
            (header > 0, ("--header", "rread lines FILE 1")),
            (content.expect_prefix, ("--expect-prefix", "--expect")),
        ];
        refuse(refused.map(|(is_given, row)| (is_given && self.merge, row)), |(name, hint)| {
            Error::usage(format!("{name} is about one file, and --merge mixes several")).hint(hint)
        })
    }
}

/// Fails with what `say` says of the first row that is given.
pub(crate) fn refuse<R>(
    rows: impl IntoIterator<Item = (bool, R)>,
    say: impl FnOnce(R) -> Error,
) -> Result<()> {
    rows.into_iter().find(|(is_given, _)| *is_given).map_or(Ok(()), |(_, row)| Err(say(row)))
}

/// When to use color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb
    #[default]
    Auto,
    /// Always
    #[value(alias = "ansi")]
    Always,
    /// Never
    Never,
}

/// How the answer is written.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write the answer in this format [default: frontmatter, or RREAD_FORMAT]
    ///
    /// The format never depends on whether standard output is a terminal. With json, errors on standard error are
    /// JSON too. Commands without content (stat, where, index) write plain YAML in raw and text.
    #[arg(short, long, value_parser = choice(FORMATS), value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Short for --format json
    #[arg(long, conflicts_with_all = ["format", "raw", "xml"])]
    pub(crate) json: bool,
    /// Short for --format raw: the bytes of the file and nothing else
    #[arg(long, conflicts_with_all = ["format", "xml"])]
    pub(crate) raw: bool,
    /// Short for --format xml
    #[arg(long, conflicts_with = "format")]
    pub(crate) xml: bool,
    /// Colour metadata keys, line numbers, matches and hex dumps
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: ColorChoice,
}

/// Whether source code is colored, and in which language it is.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(crate) struct HighlightArgs {
    /// Colour source code where --color allows it: auto, LANGUAGE (a name or an extension: rust, py) or never [default:
    /// auto]
    ///
    /// With auto, the name of the file shows the language, or its first line, as in bat. Frontmatter and text have
    /// colours, the other formats never. RREAD_THEME names another theme of bat than ansi, which uses the colours of
    /// the terminal.
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) highlight: Option<String>,
}

impl HighlightArgs {
    pub(crate) fn choice(&self) -> Result<Highlight> {
        match self.highlight.as_deref() {
            None => Ok(Highlight::Auto),
            Some("auto") if cfg!(feature = "highlight") => Ok(Highlight::Auto),
            Some("never") => Ok(Highlight::Never),
            Some(name) => highlight::find_language(name).map(Highlight::As),
        }
    }
}

impl OutputArgs {
    pub(crate) fn options(&self) -> Result<OutputOptions> {
        Ok(OutputOptions {
            format: self.format()?,
            color: self.color(),
            theme: theme(),
            out: stdout,
            renders: None,
            progress: Some(|reader| Box::new(Progress::watch(reader))),
        })
    }

    pub(crate) fn format(&self) -> Result<Format> {
        match self {
            OutputArgs { json: true, .. } => Ok(Format::Json),
            OutputArgs { raw: true, .. } => Ok(Format::Raw),
            OutputArgs { xml: true, .. } => Ok(Format::Xml),
            OutputArgs { format: Some(format), .. } => Ok(*format),
            _ => format_from_environment(),
        }
    }

    fn color(&self) -> Color {
        let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_able = || !set("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb");
        match self.color {
            ColorChoice::Always => Color::Always,
            ColorChoice::Auto if is_able() => Color::OnTerminal,
            ColorChoice::Auto | ColorChoice::Never => Color::Never,
        }
    }
}

pub(crate) fn format_from_environment() -> Result<Format> {
    let Some(name) = env::var_os("RREAD_FORMAT").filter(|name| !name.is_empty()) else {
        return Ok(Format::default());
    };
    let name = name.to_string_lossy();
    named(FORMATS, &name).ok_or_else(|| {
        Error::usage(format!("RREAD_FORMAT is '{name}', which is not a format"))
            .hint("export RREAD_FORMAT=json (or frontmatter, raw, text, xml)")
    })
}
