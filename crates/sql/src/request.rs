//! A query and its options.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rread_reader::reader::Reader;
use rread_reader::times::TimeOptions;
use rread_text::layout::{Csv, Input};

#[derive(Clone, Debug)]
pub struct QueryRequest {
    pub sql: String,
    pub input: Option<Input>,
    pub csv: Csv,
    /// The user gave the delimiter; otherwise rread recognises it.
    pub is_delimited: bool,
    /// Whether the first record holds the names; without a word of the user, rread decides.
    pub header: Option<bool>,
    /// Types of columns, as `name:type,…`.
    pub types: Option<String>,
    pub skip_bad: bool,
    /// In bytes, for sorting, grouping and joining.
    pub memory: usize,
    pub timeout: Option<Duration>,
    pub repeatable: bool,
    /// Find the columns of the result, and no rows.
    pub heads_only: bool,
    /// Whether the table has hidden columns, such as `_line`: of several tables, only t has.
    pub has_hidden: bool,
    /// Whether there are other tables than t: then an option may be for one of them.
    pub has_others: bool,
    /// The form of the records of a log, whose values are columns.
    pub parse: Option<String>,
    /// Of a log.
    pub time: TimeRequest,
    /// The processes that may do a part of the work.
    pub workers: Option<Workers>,
}

/// Workers that answered, in the order in which work is given to them.
#[derive(Clone, Debug)]
pub struct Workers {
    /// Each as HOST:PORT.
    pub addresses: Vec<String>,
    pub access: Arc<ClusterAccess>,
    /// The bytes from which on a query is sent.
    pub least: u64,
    /// Those that were lost meanwhile.
    lost: Arc<Mutex<Vec<String>>>,
}

/// The work of all workers for a query.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkDone {
    /// How many had a part of it; 0 if the query ran here.
    pub workers: u64,
    pub tasks: u64,
    /// Their requests to servers, and the bytes of the responses.
    pub requests: u64,
    pub bytes_fetched: u64,
}

/// How a process and the workers of a cluster trust each other.
#[derive(Clone, Default)]
pub struct ClusterAccess {
    /// The secret that all of them know.
    pub token: Option<String>,
    /// The version of the program, which is the same everywhere.
    pub version: String,
    pub tls: Option<ClusterTls>,
}

/// The encryption of a cluster.
#[derive(Clone)]
pub struct ClusterTls {
    /// Certificates, in PEM, of who signs those of the workers.
    pub ca: Vec<u8>,
}

impl fmt::Debug for ClusterAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClusterAccess(version {})", self.version)
    }
}

impl Workers {
    pub fn new(addresses: Vec<String>, access: Arc<ClusterAccess>, least: u64) -> Self {
        Workers { addresses, access, least, lost: Arc::default() }
    }

    #[cfg(feature = "cluster")]
    pub(crate) fn note_lost(&self, address: &str) {
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        if !lost.iter().any(|known| known == address) {
            lost.push(address.to_owned());
        }
    }

    /// The workers that were lost during a query.
    pub fn lost(&self) -> Vec<String> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl QueryRequest {
    /// The options that the user gave for the layout of a CSV.
    pub(crate) fn csv_options(&self) -> impl Iterator<Item = &'static str> {
        let (csv, usual) = (&self.csv, Csv::default());
        let options = [
            ("delimiter", self.is_delimited),
            ("quote", csv.quote != usual.quote),
            ("escape", csv.escape.is_some()),
            ("comment", csv.comment.is_some()),
            ("skip-lines", csv.skip_lines > 0),
            ("pad", csv.pad),
        ];
        options.into_iter().filter(|(_, is_given)| *is_given).map(|(option, _)| option)
    }
}

/// How the times of a log are read, and the window that is asked for.
#[derive(Clone, Debug, Default)]
pub struct TimeRequest {
    pub options: OptionsOf,
    /// The user gave one of these options.
    pub is_given: bool,
    pub since: Option<String>,
    pub until: Option<String>,
}

/// How the times of each file are read: files can have zones of their own.
#[derive(Clone)]
pub struct OptionsOf(pub Arc<dyn Fn(&Path) -> TimeOptions + Send + Sync>);

impl OptionsOf {
    /// The options for the file that `reader` reads.
    pub(crate) fn of(&self, reader: &Reader) -> TimeOptions {
        (self.0)(reader.path().unwrap_or(Path::new("-")))
    }
}

impl Default for OptionsOf {
    fn default() -> Self {
        OptionsOf(Arc::new(|_| TimeOptions::default()))
    }
}

impl fmt::Debug for OptionsOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OptionsOf")
    }
}

impl TimeRequest {
    pub(crate) fn has_window(&self) -> bool {
        self.since.is_some() || self.until.is_some()
    }
}
