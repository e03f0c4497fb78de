//! `rread select`: SQL queries on the table in a file.

#[cfg_attr(not(feature = "sql"), path = "disabled.rs")]
mod answer;
mod args;

use std::path::Path;

use crate::args::OutputArgs;
use rread_text::error::{Error, Kind, Result};

pub(crate) use args::SelectArgs;

impl SelectArgs {
    pub(crate) fn output(&self) -> &OutputArgs {
        &self.format
    }

    pub(crate) fn run(self) -> Result<()> {
        answer::run(&self).map_err(|error| one_file(error, &self.file).about(&self.file))
    }
}

/// Says that `file` is not one file, if that is why it cannot be opened.
fn one_file(error: Error, file: &Path) -> Error {
    let name = file.to_string_lossy();
    let is_pattern = error.kind == Kind::NotFound && name.contains(['*', '?', '[', '{']);
    let is_prefix = error.kind == Kind::Usage && name.contains("://") && name.ends_with('/');
    let what = match error.kind {
        _ if is_pattern => "no file has this name; as a pattern it would mean several",
        Kind::IsDirectory => "is a directory",
        _ if is_prefix => "is a prefix of objects",
        _ => return error,
    };
    let sentence = format!("{what}, and rread select reads one FILE");
    Error { message: sentence.into(), ..error }.hint("run rread select once for each file")
}
