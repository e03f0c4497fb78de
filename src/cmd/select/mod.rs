//! `rread select`: SQL queries on the table in a file.

#[cfg(feature = "sql")]
mod answer;
mod args;

use crate::args::OutputArgs;
use rread_text::error::Result;

pub(crate) use args::SelectArgs;

impl SelectArgs {
    pub(crate) fn output(&self) -> &OutputArgs {
        &self.format
    }

    #[cfg(feature = "sql")]
    pub(crate) fn run(self) -> Result<()> {
        answer::run(&self).map_err(|error| error.about(&self.file))
    }

    #[cfg(not(feature = "sql"))]
    pub(crate) fn run(self) -> Result<()> {
        self.table.check().map_err(|error| error.about(&self.file))?;
        Err(rread_text::error::Error::usage("this rread was built without SQL")
            .hint("cargo install --path . --features sql (in a checkout)"))
    }
}
