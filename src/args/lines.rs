//! Options of the commands that return lines: context, header and hashlines.

use clap::Args;

use super::choice::{HASH_STYLES, choice};
use rread_answer::options::AnswerOptions;
use rread_reader::selection::Context;
use rread_text::error::{Error, Result};
use rread_text::hashline::{HashStyle, HashlineForm, WIDTH};

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
    /// the bytes alone, and JSON has a segment for each run of records of one file.
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
            (content.encode.is_some(), "--encode", "--raw"),
            (header > 0, "--header", "rread lines FILE 1"),
            (content.expect_prefix, "--expect-prefix", "--expect"),
        ];
        match refused.into_iter().find(|(is_given, ..)| self.merge && *is_given) {
            Some((_, name, hint)) => {
                Err(Error::usage(format!("{name} is about one file, and --merge mixes several")).hint(hint))
            }
            None => Ok(()),
        }
    }
}
