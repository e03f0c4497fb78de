//! `rread select`: SQL queries on the table in a file, or in many.

#[cfg_attr(not(feature = "sql"), path = "disabled.rs")]
mod answer;
mod args;
#[cfg(feature = "sql")]
#[cfg_attr(not(feature = "cluster"), path = "no_cluster.rs")]
mod cluster;
#[cfg(feature = "sql")]
mod listing;
#[cfg(feature = "sql")]
mod sources;

use crate::args::OutputArgs;
use rread_text::error::{Error, Result};

pub(crate) use args::SelectArgs;

impl SelectArgs {
    pub(crate) fn output(&self) -> &OutputArgs {
        &self.format
    }

    pub(crate) fn run(mut self) -> Result<()> {
        self.divide();
        let about = |error: Error| match &self.files[..] {
            [file] if error.path.is_none() => error.about(file),
            _ => error,
        };
        answer::run(&self).map_err(about)
    }
}
