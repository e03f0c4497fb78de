//! The first bytes of a file, and whether they are those of a format.

pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The first bytes of a file, and what else is known of it.
#[derive(Clone, Copy, Debug)]
pub struct FirstBytes<'a> {
    /// The first bytes.
    pub bytes: &'a [u8],
    /// Whether the name of the file has an ending of the format.
    pub is_named: bool,
    /// Whether the name has an ending of another format.
    pub is_other: bool,
    /// Whether more bytes come without waiting.
    pub is_sized: bool,
    /// Whether no more bytes will be shown.
    pub is_last: bool,
}

/// Whether the first bytes are those of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The file is a document of the format.
    Is,
    /// The file is not.
    Not,
    /// The next bytes decide; it is not, if there are none.
    Open,
}
