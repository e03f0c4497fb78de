//! Stands for the module `cluster` in a build without the feature `cluster`.

use super::args::SelectArgs;
use rread_sql::Workers;
use rread_text::error::{Error, Result};

/// None, unless the user names some: then the error names the feature to build.
pub(super) fn workers(args: &SelectArgs) -> Result<Option<Workers>> {
    let given =
        args.cluster.workers.is_some() || args.cluster.token_file.is_some() || args.cluster.tls_ca.is_some();
    if given || crate::args::environment::workers().is_some() {
        return Err(Error::usage("this rread was built without workers")
            .hint("cargo install --path . --features cluster (in a checkout)"));
    }
    Ok(None)
}

/// Those that are left after some were lost.
pub(super) fn left(workers: &Workers) -> Result<Workers> {
    Ok(workers.clone())
}

/// How the files are opened, for workers.
pub(super) fn opening(_: &SelectArgs) -> String {
    String::new()
}
