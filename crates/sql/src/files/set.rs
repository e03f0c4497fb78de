//! The files of a table, and how they are opened.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rread_reader::reader::Reader;
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::setting;

/// The hidden column with the path of the file.
pub const FILE: &str = "_file";

/// Opens a file with the options of the user.
pub type OpenFile = dyn Fn(&Path) -> Result<Reader> + Send + Sync;

/// The files of a table.
#[derive(Clone)]
pub struct TableFiles {
    /// In the order of the rows.
    pub paths: Vec<PathBuf>,
    pub open: Arc<OpenFile>,
    /// Columns that a file lacks are NULL in it.
    pub union: bool,
    /// Directories `key=value` are columns.
    pub partitions: bool,
    /// Files that cannot be read are left out and counted.
    pub skip_unreadable: bool,
}

impl fmt::Debug for TableFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableFiles").field("paths", &self.paths).finish_non_exhaustive()
    }
}

/// The error of a file that cannot be read, with the option that leaves it out.
pub(super) fn unreadable(error: Error, path: &Path) -> Error {
    let error = error.about(path);
    let is_missing = !matches!(error.kind, Kind::Usage | Kind::Changed);
    if is_missing && error.hint.is_none() {
        return error.hint(setting("skip-unreadable").then(" leaves such files out"));
    }
    error
}
