//! The options that say what becomes of the bytes, and how much of them is returned.

use clap::Args;

use super::choice::{ENCODINGS_OF_BYTES, INVALID_BYTES, choice};
use super::environment::size_from;
use super::input::InputArgs;
use rread_answer::content::{Encode, InvalidBytes};
use rread_answer::options::{AnswerOptions, budget_with_room};
use rread_answer::wording::worded;
use rread_source::version::Version;
use rread_text::error::{Error, Result};
use rread_text::range::parse_size;

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
