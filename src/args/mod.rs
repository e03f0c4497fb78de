//! The options and arguments that several commands share.

pub(crate) mod choice;
pub(crate) mod content;
pub(crate) mod environment;
pub(crate) mod file;
pub(crate) mod input;
pub(crate) mod lines;
pub(crate) mod output;
pub(crate) mod time;
#[cfg(feature = "cluster")]
pub(crate) mod token;

pub(crate) use content::{ContentArgs, size};
pub(crate) use input::{EncodingArgs, InputArgs, SourceArgs, ViewArgs};
pub(crate) use lines::{AroundArgs, HashArgs, MergeArgs};
pub(crate) use output::{HighlightArgs, OutputArgs};
pub(crate) use time::{TimeArgs, TimeReadingArgs};
