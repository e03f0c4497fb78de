//! The options that say what becomes of the bytes, and how much of them is returned.

use std::env;

use clap::Args;

use super::input::InputArgs;
use super::{size, version};
use crate::content::{Encode, InvalidBytes};
use crate::error::{Error, Result};
use crate::range::parse_size;
use crate::source::version::Version;

/// What becomes of the bytes, and how much of them there may be.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Content")]
pub(crate) struct ContentArgs {
    /// Read a binary file as if it were text
    #[arg(short = 'a', long)]
    pub(crate) text: bool,
    /// Write the exact bytes of any file, binary or not, in this encoding
    #[arg(long, value_enum, value_name = "CODE", conflicts_with_all = ["number", "max_columns", "invalid"])]
    pub(crate) encode: Option<Encode>,
    /// What to do with bytes that are not valid in the encoding of the file [default: replace]
    ///
    /// Raw output keeps them as they are. All other formats replace and count them.
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) invalid: Option<InvalidBytes>,
    /// Number the lines: right-aligned to 6, then →
    #[arg(short, long)]
    pub(crate) number: bool,
    /// Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character
    /// [default: RREAD_MAX_BYTES]
    #[arg(long, value_name = "N", value_parser = size)]
    pub(crate) max_bytes: Option<u64>,
    /// Stop after N lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_lines: Option<u64>,
    /// Clip lines to N characters, and count the clipped lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_columns: Option<u64>,
    /// Print the receipt without the content: how large would it be?
    #[arg(long)]
    pub(crate) metadata_only: bool,
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
    /// From the option or `RREAD_MAX_BYTES`; at least one character long.
    pub(crate) fn max_bytes(&self) -> Result<Option<u64>> {
        let Some((name, budget)) = budget_of_bytes(self.max_bytes)? else { return Ok(None) };
        // With less, a caller that follows `next` would get empty slices forever.
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

/// With the name of the `option` or variable that set it.
pub(crate) fn budget_of_bytes(option: Option<u64>) -> Result<Option<(&'static str, u64)>> {
    match (option, env::var("RREAD_MAX_BYTES")) {
        (Some(n), _) => Ok(Some(("--max-bytes", n))),
        (None, Ok(text)) if !text.is_empty() => {
            let wrong = |error: Error| Error::usage(format!("RREAD_MAX_BYTES: {}", error.message));
            Ok(Some(("RREAD_MAX_BYTES", parse_size(&text).map_err(wrong)?)))
        }
        _ => Ok(None),
    }
}
