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
//! Modules, lowest first; each uses only those before it: `error`, errors and counts on their way; `wire`, the leaf as bytes;
//! `channel`, the connections and who is there; `progress`, how far the workers are; `codec`, plans in both directions;
//! `plan` cuts; `incoming`, the connections to a worker; `worker`, the server.

#![allow(missing_docs)]

mod channel;
mod codec;
mod error;
mod incoming;
mod plan;
mod progress;
mod wire;
mod worker;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::setting;

pub use channel::{FoundWorkers, find};
pub use codec::{OpenedBy, Opening};
pub use wire::ReadSettings;
pub use worker::{WorkerOptions, check_identity, serve};

/// What tests need that damage plans.
#[doc(hidden)]
pub mod internals {
    pub use crate::channel::Connections;
    pub use crate::codec::{ScanCodec, WorkerSide};
    pub use crate::plan::tables;
    pub use crate::progress::Running;
    pub use crate::wire::SentScan;
    pub use crate::worker::{runtime, session_of};
    pub use {datafusion_distributed, datafusion_proto, futures, http, tokio};
}

/// Workers that answered, in the order in which work is given to them.
#[derive(Clone)]
pub struct Workers {
    /// Each as HOST:PORT.
    pub addresses: Vec<String>,
    pub access: Arc<ClusterAccess>,
    /// The bytes from which on a query is sent.
    pub least: u64,
    /// How the files are opened.
    pub options: ReadSettings,
    /// Says what happens to workers.
    pub note: Arc<dyn Fn(&str) + Send + Sync>,
    /// Workers that were lost meanwhile.
    lost: Arc<Mutex<Vec<String>>>,
}

/// How a process and the workers of a cluster trust each other.
#[derive(Clone, Default)]
pub struct ClusterAccess {
    /// The secret that all of them know.
    pub token: Option<String>,
    /// The version of the program, which is the same everywhere.
    pub version: String,
    /// Certificates, in PEM, of who signs those of the workers; without, connections are not encrypted.
    pub ca: Option<Vec<u8>>,
}

impl fmt::Debug for ClusterAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClusterAccess(version {})", self.version)
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.addresses.fmt(f)
    }
}

impl Workers {
    pub fn new(addresses: Vec<String>, access: Arc<ClusterAccess>, least: u64) -> Self {
        let (options, note) = (ReadSettings::default(), Arc::new(|_: &str| ()));
        Workers { addresses, access, least, options, note, lost: Arc::default() }
    }

    /// Those of the workers that answer.
    ///
    /// # Errors
    ///
    /// None answers, or one refuses.
    pub fn answering(self) -> Result<Self> {
        let FoundWorkers { addresses, dead } = find(&self.addresses, &self.access)?;
        if addresses.is_empty() {
            let message = match &dead[..] {
                [] => "no worker is left".into(),
                [one] => one.message.clone(),
                [first, ..] => {
                    first.message.clone().then(format!("; none of the {} workers answers", dead.len()))
                }
            };
            let hint = setting("workers").then(" with others, or without it");
            return Err(Error::new(Kind::Network, message).hint(hint));
        }
        for error in &dead {
            (self.note)(&format!("{}; it is left out", error.message.plain()));
        }
        Ok(Workers { addresses, lost: Arc::default(), ..self })
    }

    fn lost(&self) -> MutexGuard<'_, Vec<String>> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note_lost(&self, address: &str) {
        let mut lost = self.lost();
        if !lost.iter().any(|known| known == address) {
            lost.push(address.to_owned());
        }
    }
}
