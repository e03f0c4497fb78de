//! The ends of records in a text that arrives piece by piece.

#[derive(Debug)]
pub(super) struct Malformed {
    pub at: usize,
    pub message: &'static str,
    pub hint: Option<&'static str>,
}

/// Finds the ends of records in a buffer that grows at its end and shrinks at its start.
pub(super) trait Boundaries: Send {
    /// Returns the end of the last whole record, or 0. `last` means that no more text follows.
    fn scan(&mut self, buffer: &mut [u8], last: bool) -> Result<usize, Malformed>;

    /// Forgets the first `at` bytes, which end with a record. Returns the ends of values, unless records are lines.
    fn cut(&mut self, at: usize) -> Vec<usize>;
}

pub(super) fn no_record(line: &[u8], comment: Option<u8>) -> bool {
    matches!(line, [] | [b'\n' | b'\r'] | [b'\r', b'\n'])
        || comment.is_some() && line.first().copied() == comment
}
