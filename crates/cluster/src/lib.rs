//! SQL queries of which other machines do a part: a client cuts the plan, and workers read and aggregate the files.
//!
//! **Nothing below knows of it:** `rread_sql` has the trait [`Cluster`](rread_sql::Cluster), which [`Workers`] implements. The
//! parts of a plan are those of `datafusion-distributed`. What travels is a plan whose leaf is our own read of files, so a
//! worker reads what `select` reads alone.
//!
//! ```
//! use std::sync::Arc;
//!
//! use rread_cluster::{ClusterAccess, Workers};
//!
//! let workers = Workers::new(vec!["10.0.0.7:7180".to_owned()], Arc::new(ClusterAccess::default()), 4 << 20);
//! assert_eq!(workers.addresses.len(), 1);
//! ```
//!
//! Modules, lowest first; each uses only those before it: `wire`, plans, errors and counts on their way; `channel`, the
//! workers and the connections to them; `plan` cuts; `incoming`, the connections to a worker; `worker`, the server.

#![allow(missing_docs)]

mod channel;
mod incoming;
mod plan;
mod wire;
mod worker;

pub use channel::{ClusterAccess, Workers};
pub use wire::ReadSettings;
pub use wire::{OpenedBy, Opening};
pub use worker::{WorkerOptions, check_identity, serve};

/// For tests that damage plans.
#[doc(hidden)]
pub mod internals {
    pub use crate::channel::Connections;
    pub use crate::plan::tables;
    pub use crate::wire::ScanCodec;
    pub use crate::wire::SentScan;
    pub use crate::worker::{runtime, session_of};
    pub use {datafusion_distributed, datafusion_proto, futures, http, tokio};
}
