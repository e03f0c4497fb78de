//! The facts about the file that the state depends on.

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
    /// The time at which the view ends.
    pub(crate) until: Option<String>,
    /// Whether it is in a store or on a web server.
    pub(crate) is_object: bool,
    /// Whether the text is that of several files, which had the name one after another.
    pub(crate) is_joined: bool,
    /// Whether it is standard input, which another command cannot read again.
    pub(crate) is_stream: bool,
    /// Whether an editor can open it.
    pub(crate) is_plain: bool,
}

impl FileFacts {
    pub(crate) fn is_open(&self) -> bool {
        !self.name.is_empty()
    }
}
