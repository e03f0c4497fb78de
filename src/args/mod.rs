//! The options and arguments that several commands share.

pub mod around;
pub mod content;
pub mod environment;
pub mod file;
pub mod hash;
pub mod input;
pub mod output;

use crate::error::Error;
use crate::range::parse_size;
use crate::source::version::Version;

pub use around::AroundArgs;
pub use content::ContentArgs;
pub use hash::HashArgs;
pub use input::{InputArgs, SourceArgs, ViewArgs};
pub use output::OutputArgs;

pub(crate) fn size(text: &str) -> std::result::Result<u64, String> {
    parse_size(text).map_err(|error| error.message)
}

fn version(text: &str) -> std::result::Result<Version, String> {
    text.parse().map_err(|error: Error| error.message)
}
