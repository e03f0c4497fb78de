//! `rread select`: SQL queries on the table in a file.

#[cfg_attr(not(feature = "sql"), path = "disabled.rs")]
mod answer;
mod args;

use crate::args::OutputArgs;
use rread_text::error::Result;

pub(crate) use args::SelectArgs;

impl SelectArgs {
    pub(crate) fn output(&self) -> &OutputArgs {
        &self.format
    }

    pub(crate) fn run(self) -> Result<()> {
        answer::run(&self).map_err(|error| error.about(&self.file))
    }
}
