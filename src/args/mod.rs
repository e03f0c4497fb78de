//! The options and arguments that several commands share.

pub(crate) mod choice;
pub(crate) mod content;
pub(crate) mod environment;
pub(crate) mod input;
pub(crate) mod output;
pub(crate) mod time;
#[cfg(feature = "cluster")]
pub(crate) mod token;

pub(crate) use content::{AroundArgs, HashArgs, MergeArgs};
pub(crate) use content::{ContentArgs, size};
pub(crate) use input::{EncodingArgs, InputArgs, SourceArgs, ViewArgs};
pub(crate) use output::{HighlightArgs, OutputArgs};
pub(crate) use time::{TimeArgs, TimeReadingArgs};
