//! The options and arguments that several commands share.

pub(crate) mod around;
pub(crate) mod content;
pub(crate) mod environment;
pub(crate) mod file;
pub(crate) mod hash;
pub(crate) mod input;
pub(crate) mod output;

use crate::error::Error;
use crate::range::parse_size;
use crate::source::version::Version;

pub(crate) use around::AroundArgs;
pub(crate) use content::ContentArgs;
pub(crate) use hash::HashArgs;
pub(crate) use input::{InputArgs, SourceArgs, ViewArgs};
pub(crate) use output::OutputArgs;

pub(crate) fn size(text: &str) -> std::result::Result<u64, String> {
    parse_size(text).map_err(|error| error.message)
}

fn version(text: &str) -> std::result::Result<Version, String> {
    text.parse().map_err(|error: Error| error.message)
}
