//! `rread select`: SQL queries on the table in a file, or in many.

#[cfg_attr(not(feature = "sql"), path = "disabled.rs")]
mod answer;
mod args;
#[cfg(feature = "cluster")]
mod cluster;
#[cfg(feature = "sql")]
mod sources;

use rread_text::{Error, Result};

pub(crate) use args::SelectArgs;

impl SelectArgs {
    pub(crate) fn run(mut self) -> Result<()> {
        self.divide();
        #[cfg(feature = "sql")]
        sources::name_tables(&mut self)?;
        let about = |error: Error| match &self.files[..] {
            [file] if error.path.is_none() => error.about(file),
            _ => error,
        };
        answer::run(&self).map_err(about)
    }

    /// None, unless the user names some: then the error names the feature to build.
    #[cfg(all(feature = "sql", not(feature = "cluster")))]
    fn workers(&self) -> Result<Option<std::sync::Arc<dyn rread_sql::Cluster>>> {
        let args::ClusterArgs { workers, token_file, tls_ca } = &self.cluster;
        let is_given = workers.is_some() || token_file.is_some() || tls_ca.is_some();
        if is_given || crate::args::environment::workers().is_some() {
            return Err(Error::usage("this rread was built without workers")
                .hint("cargo install --path . --features cluster (in a checkout)"));
        }
        Ok(None)
    }
}
