//! Reads of a header at any offset, a block at a time, with a bound on how much is looked at.

use crate::error::Error;
use crate::reader::Reader;

/// Bytes read at once: more than any field of a header.
const BLOCK: usize = 4 << 10;

/// Blocks that are read of one file at most: 16 MiB.
const BLOCKS: u32 = 4096;

/// Why a header could not be read to its end.
pub(super) enum Fault {
    /// The file ends inside it.
    Ends,
    /// It goes on for longer than any header does.
    Endless,
    /// It says what cannot be; the words continue `is a PNG …`.
    Odd(String),
    /// The file cannot be read.
    Read(Error),
}

impl Fault {
    pub(super) fn odd<T>(words: impl Into<String>) -> Found<T> {
        Err(Fault::Odd(words.into()))
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Fault::Read(error)
    }
}

/// What was looked for in a header.
pub(super) type Found<T> = std::result::Result<T, Fault>;

/// The order of the bytes of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

/// A block of the file that moves to wherever something is looked up.
pub(super) struct Window<'a> {
    reader: &'a Reader,
    start: u64,
    block: Vec<u8>,
    left: u32,
}

impl<'a> Window<'a> {
    pub(super) fn new(reader: &'a Reader) -> Self {
        Window { reader, start: 0, block: Vec::new(), left: BLOCKS }
    }

    /// The size of the file, if it is known without reading on.
    pub(super) fn size(&self) -> Option<u64> {
        self.reader.known_size()
    }

    /// The `count` bytes at `at`, at most a block.
    pub(super) fn bytes(&mut self, at: u64, count: usize) -> Found<&[u8]> {
        if at.checked_sub(self.start).is_none_or(|from| from + count as u64 > self.block.len() as u64) {
            self.move_to(at, count)?;
        }
        let from = usize::try_from(at - self.start).unwrap_or(usize::MAX);
        self.block.get(from..).and_then(|block| block.get(..count)).ok_or(Fault::Ends)
    }

    fn move_to(&mut self, at: u64, count: usize) -> Found<()> {
        self.left = self.left.checked_sub(1).ok_or(Fault::Endless)?;
        self.block.clear();
        self.block.resize(BLOCK.max(count), 0);
        self.start = at;
        let mut got = 0;
        // Of a stream, what is there comes at once.
        while got < count {
            let Some(offset) = at.checked_add(got as u64) else { break };
            match self.reader.read(&mut self.block[got..], offset) {
                Ok(0) => break,
                Ok(more) => got += more,
                Err(error) => {
                    self.block.clear();
                    return Err(error.into());
                }
            }
        }
        self.block.truncate(got);
        Ok(())
    }

    pub(super) fn array<const N: usize>(&mut self, at: u64) -> Found<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(at, N)?);
        Ok(array)
    }

    pub(super) fn byte(&mut self, at: u64) -> Found<u8> {
        Ok(self.array::<1>(at)?[0])
    }

    /// The number of `width` bytes, at most 8, at `at`.
    pub(super) fn number(&mut self, at: u64, width: usize, order: Order) -> Found<u64> {
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        let bytes = self.bytes(at, width)?;
        Ok(match order {
            Order::Little => bytes.iter().rev().fold(0, add),
            Order::Big => bytes.iter().fold(0, add),
        })
    }

    /// The offset of the first `needle` at or behind `from`; `Endless` after as many blocks as there may be.
    pub(super) fn find(&mut self, needle: [u8; 2], from: u64) -> Found<u64> {
        let mut at = from;
        loop {
            // The last byte of a block is looked at again, with the one behind it.
            self.move_to(at, BLOCK)?;
            if let Some(found) = memchr::memmem::find(&self.block, &needle) {
                return Ok(at + found as u64);
            }
            if self.block.len() < BLOCK {
                return Err(Fault::Ends);
            }
            at += BLOCK as u64 - 1;
        }
    }
}
