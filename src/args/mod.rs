//! The options and arguments that several commands share.

pub(crate) mod choice;
pub(crate) mod content;
pub(crate) mod environment;
pub(crate) mod input;
pub(crate) mod time;
#[cfg(feature = "cluster")]
pub(crate) mod token;

pub(crate) use content::{AroundArgs, HashArgs, MergeArgs};
pub(crate) use content::{ContentArgs, refuse, size};
pub(crate) use content::{HighlightArgs, OutputArgs};
pub(crate) use input::{EncodingArgs, InputArgs, SourceArgs, ViewArgs};
pub(crate) use time::{TimeArgs, TimeReadingArgs};
