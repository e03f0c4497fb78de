//! The first and last bytes of a file, and numbers in them.

/// The first and last bytes of a file.
#[derive(Clone, Copy, Debug)]
pub struct FileEnds<'a> {
    /// The first bytes.
    pub head: &'a [u8],
    /// The last bytes; empty if they are not known.
    pub tail: &'a [u8],
    /// The size of the file in bytes, if known.
    pub size: Option<u64>,
}

impl<'a> FileEnds<'a> {
    /// The bytes at `offset`, if they are among the known ones.
    pub(super) fn bytes(&self, offset: u64, length: usize) -> Option<&'a [u8]> {
        let within = |bytes: &'a [u8], start: u64| {
            let from = usize::try_from(offset.checked_sub(start)?).ok()?;
            bytes.get(from..from.checked_add(length)?)
        };
        let tail_start = || self.size?.checked_sub(self.tail.len() as u64);
        within(self.head, 0).or_else(|| within(self.tail, tail_start()?))
    }

    pub(super) fn array<const N: usize>(&self, offset: u64) -> Option<[u8; N]> {
        self.bytes(offset, N)?.try_into().ok()
    }

    pub(super) fn fields(self, is_big_endian: bool) -> Fields<'a> {
        Fields { ends: self, is_big_endian }
    }
}

/// Numbers in one byte order.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    pub(super) ends: FileEnds<'a>,
    pub(super) is_big_endian: bool,
}

impl Fields<'_> {
    pub(super) fn u16(&self, offset: u64) -> Option<u16> {
        let bytes = self.ends.array(offset)?;
        Some(if self.is_big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    pub(super) fn u32(&self, offset: u64) -> Option<u32> {
        let bytes = self.ends.array(offset)?;
        Some(if self.is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    pub(super) fn u64(&self, offset: u64) -> Option<u64> {
        let bytes = self.ends.array(offset)?;
        Some(if self.is_big_endian { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }
}

/// The name that a table has for `number`, or the number.
pub(super) fn name_of(table: &[(u32, &str)], number: u32) -> String {
    let found = table.iter().find(|(known, _)| *known == number);
    found.map_or_else(|| format!("0x{number:x}"), |(_, name)| (*name).to_owned())
}

/// The text before the first NUL; `None` if there is no NUL.
pub(super) fn before_nul(bytes: &[u8]) -> Option<&[u8]> {
    bytes.iter().position(|byte| *byte == 0).map(|nul| &bytes[..nul])
}
