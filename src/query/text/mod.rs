//! Tables in text: from bytes to record batches, in order, in constant memory.

use crate::error::Result;

/// Text that is read from front to back.
pub trait Text: Send {
    /// Appends what comes next to `buffer`: whole characters of UTF-8, without a byte order mark, some 256 KiB of them
    /// where there is so much. Returns false, and appends nothing, at the end.
    ///
    /// # Errors
    /// Those of reading.
    fn read(&mut self, buffer: &mut Vec<u8>) -> Result<bool>;
}
