//! The files of a table, and how they are opened.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::progress::FilesProgress;
use rread_reader::reader::Reader;
use rread_source::access::Watch;
use rread_text::address::Address;
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::setting;

/// The hidden column with the path of the file.
pub const FILE: &str = "_file";

/// Opens a file with the options of the user; a watch follows the reads of its stored bytes.
pub type OpenFile = dyn Fn(&Path, Option<Arc<dyn Watch>>) -> Result<Reader> + Send + Sync;

/// What a listing says of a file that was not opened.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    pub size: Option<u64>,
    pub version: Option<String>,
}

/// The files of a table.
#[derive(Clone)]
pub struct TableFiles {
    /// In the order of the rows.
    pub paths: Vec<PathBuf>,
    /// For each of the paths, if there was a listing.
    pub listed: Vec<Listed>,
    /// Directories `key=value` that the query excludes and whose files were not listed.
    pub excluded: Vec<PathBuf>,
    pub open: Arc<OpenFile>,
    /// The options of the user with which `open` opens them, for another process that opens them the same way.
    pub opening: Arc<str>,
    /// Columns that a file lacks are NULL in it.
    pub union: bool,
    /// Directories `key=value` are columns.
    pub partitions: bool,
    /// Files that cannot be read are left out and counted.
    pub skip_unreadable: bool,
    /// The version of all of them that is expected.
    pub expected: Option<String>,
    /// How much of them was read.
    pub progress: FilesProgress,
}

impl TableFiles {
    /// What is known of the file at `place` before it is opened.
    pub(super) fn listed(&self, place: usize) -> Listed {
        self.listed.get(place).cloned().unwrap_or_default()
    }

    /// Whether opening the file at `place` is a request to a server.
    pub(super) fn is_remote(&self, place: usize) -> bool {
        let path = &self.paths[place];
        Address::of(path).is_some() && path.symlink_metadata().is_err()
    }
}

impl fmt::Debug for TableFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableFiles").field("paths", &self.paths).finish_non_exhaustive()
    }
}

/// The error of a file that cannot be read, with the option that leaves it out.
pub(super) fn unreadable(error: Error, path: &Path) -> Error {
    let error = error.about(path);
    let is_gone = matches!(error.kind, Kind::NotFound | Kind::Permission | Kind::Network | Kind::Io);
    let has_better = matches!(error.kind, Kind::Usage | Kind::Changed) || error.hint.is_some() && !is_gone;
    if has_better {
        return error;
    }
    error.hint(setting("skip-unreadable").then(" leaves such files out"))
}
