//! Stands for the module `answer` in a build without the feature `sql`.

use super::args::SelectArgs;
use rread_text::{Error, Result};

/// Checks the options, and names the feature to build.
pub(super) fn run(args: &SelectArgs) -> Result<()> {
    args.query()?;
    args.table.check()?;
    args.time.window_or_times()?;
    Err(Error::usage("this rread was built without SQL")
        .hint("cargo install --path . --features sql (in a checkout)"))
}
