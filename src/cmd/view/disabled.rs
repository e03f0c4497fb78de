//! The refusals of a build without the viewer.

use std::path::Path;

use super::ViewerArgs;
use rread_answer::options::{AnswerOptions, Highlight, OutputOptions, TimeReading};
use rread_text::error::{Error, Result};
use rread_text::range::Range;

impl ViewerArgs {
    pub(crate) fn run(self) -> Result<()> {
        Err(not_built())
    }
}

/// Refuses, as `rread view` does.
pub(crate) fn show_lines(
    _: &Path,
    _: (Option<String>, Option<&Range>),
    _: (&AnswerOptions, &OutputOptions),
    _: &TimeReading,
    _: Highlight,
) -> Result<()> {
    Err(not_built())
}

fn not_built() -> Error {
    Error::usage("this rread was built without the viewer")
        .hint("cargo install --path . --features view (in a checkout)")
}
