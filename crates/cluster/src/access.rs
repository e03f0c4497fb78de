//! The workers of a query, and how they and a client trust each other.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::wire::ReadSettings;

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
    pub(crate) lost: Arc<Mutex<Vec<String>>>,
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

    pub(crate) fn lost(&self) -> MutexGuard<'_, Vec<String>> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn note_lost(&self, address: &str) {
        let mut lost = self.lost();
        if !lost.iter().any(|known| known == address) {
            lost.push(address.to_owned());
        }
    }
}
