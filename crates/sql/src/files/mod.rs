//! Files as one table: their names and types are those of all, and they are read one after another.
//!
//! `columns` looks at the beginning of each file and finds the columns of all, `partition` those in the names of directories
//! and the files that a query excludes, `open` puts the table together, `rows` is the table and its read as the engine sees
//! them, and `reads` counts what was read.

pub mod columns;
pub mod open;
pub mod partition;
pub mod reads;
pub mod rows;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rread_reader::Reader;
use rread_source::access::Watch;
use rread_text::{Address, Error, Kind, Result, setting};

use reads::FilesProgress;

/// The hidden column with the path of the file.
pub const FILE: &str = "_file";

/// Opens a file with the options of the user; a watch follows the reads of its stored bytes.
pub type OpenFile = dyn Fn(&Path, Option<Arc<dyn Watch>>) -> Result<Reader> + Send + Sync;

/// The facts of a listing about a file that was not opened.
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
    /// The reader of the only file: then its rows are read from it, and no answer names it.
    pub only: Option<Arc<Reader>>,
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
    /// The reader and the name of the only file.
    pub(crate) fn only(&self) -> Option<(&Arc<Reader>, &Path)> {
        Some((self.only.as_ref()?, self.paths.first().map_or(Path::new("-"), PathBuf::as_path)))
    }

    /// The facts about the file at `place` before it is opened.
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
