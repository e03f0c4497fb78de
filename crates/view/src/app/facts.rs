//! The facts about the file that the state depends on.

use std::sync::Arc;

use crate::merged::MergedName;
use rread_text::error::counted;

#[derive(Clone, Debug, Default)]
pub(crate) struct FileFacts {
    /// The name for people; empty until the file is open.
    pub(crate) name: String,
    /// The name for a shell.
    pub(crate) quoted: String,
    /// The size if it is known; of a stream, the bytes that have come.
    pub(crate) size: Option<u64>,
    /// Whether it is a stream that has not ended.
    pub(crate) is_live: bool,
    /// Whether it is a stream whose rest could not be read or kept, so that what has come is not all.
    pub(crate) is_cut_short: bool,
    /// The time at which the view ends.
    pub(crate) until: Option<String>,
    /// Whether it is in a store or on a web server.
    pub(crate) is_object: bool,
    /// Whether it is standard input, which another command cannot read again.
    pub(crate) is_stream: bool,
    /// Whether an editor can open it.
    pub(crate) is_plain: bool,
    /// If the text is that of several logs.
    pub(crate) merged: Option<MergedFacts>,
}

/// The facts about a text of several logs.
#[derive(Clone, Debug, Default)]
pub(crate) struct MergedFacts {
    pub(crate) files: Arc<Vec<MergedName>>,
    /// Whether the names of files stand before lines.
    pub(crate) shows_files: bool,
    /// What to say when it is opened.
    pub(crate) notes: String,
    /// The options of a command line that read times in the same way, each after a blank.
    pub(crate) options: String,
}

impl MergedFacts {
    /// `a.log, b.log (2 files merged)`
    pub(crate) fn name(&self) -> String {
        let names: Vec<&str> = self.files.iter().map(|file| file.name.as_str()).collect();
        format!("{} ({} merged)", names.join(", "), counted(names.len() as u64, "file"))
    }
}

impl FileFacts {
    pub(crate) fn is_open(&self) -> bool {
        !self.name.is_empty()
    }
}
