//! `rread worker`: does parts of the queries of other machines.

#[cfg(feature = "cluster")]
pub(crate) mod run;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::OutputArgs;

/// Do parts of the queries that rread select --workers sends from other machines
///
/// A worker prints its address, and runs until it is stopped. Without --token-file, it listens only to its own machine, and
/// keeps a token in the state directory, where the clients and workers of the same user find it. It
/// reads with its own credentials, and only below its roots: rread refuses a path that leads out of a directory by .. or by a
/// link. Both sides have the same version of rread. Without TLS, whoever sees the network sees the token and the rows.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread worker --root s3://logs/
  rread worker --listen 10.0.0.7:7180 --token-file ~/.rread-token --root s3://logs/ --memory 8GiB
  rread worker --listen 0.0.0.0:7180 --token-file token --tls-cert worker.pem --tls-key worker.key --root /data")]
pub(crate) struct WorkerArgs {
    /// Where clients connect; port 0 is any free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7180")]
    listen: String,
    /// URL or directory below which clients may read; may be given several times
    #[arg(long, value_name = "URL|DIR", required = true)]
    root: Vec<PathBuf>,
    /// The file with the secret that clients and other workers know, at least 16 characters [default: one that only this user
    /// can read, whose path the worker prints]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Use at most SIZE of memory for sorting, grouping and joining, of all queries together; the worker ends when it takes four times that
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = crate::args::size)]
    memory: u64,
    /// End a query that takes longer than DURATION, such as 10m
    #[arg(long, value_name = "DURATION", value_parser = crate::args::input::duration)]
    timeout: Option<Duration>,
    /// Encrypt, with the certificate in this file (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Trust other workers whose certificate is signed by one of those in this file (PEM) [default: the certificate itself]
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_ca: Option<PathBuf>,
    /// Check the options, the roots and the address, and end
    #[arg(long)]
    check: bool,
    #[arg(skip)]
    pub(crate) output: OutputArgs,
}

#[cfg(not(feature = "cluster"))]
impl WorkerArgs {
    pub(crate) fn run(self) -> rread_text::error::Result<()> {
        Err(rread_text::error::Error::usage("this rread was built without workers")
            .hint("cargo install --path . --features cluster (in a checkout)"))
    }
}
