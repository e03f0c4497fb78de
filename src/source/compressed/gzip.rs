//! The header and trailer of gzip and BGZF members (RFC 1952).

use crc32fast::Hasher;

use super::decode_error::{DecodeError, Result};
use super::deflate::Wrapper;
use super::raw_input::RawInput;

/// Bits of the header's flags (RFC 1952, section 2.3.1).
const HEADER_CRC: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;

#[derive(Default)]
pub(super) struct Gzip(Hasher);

impl Wrapper for Gzip {
    fn read_header(input: &mut RawInput) -> Result<()> {
        let [_, _, _, flags, ..] = input.take::<10>()?;
        if flags & EXTRA != 0 {
            let length = u16::from_le_bytes(input.take()?);
            input.skip(u64::from(length));
        }
        for field in [NAME, COMMENT] {
            if flags & field != 0 {
                skip_past_nul(input)?;
            }
        }
        if flags & HEADER_CRC != 0 {
            input.take::<2>()?;
        }
        Ok(())
    }

    fn resume(sum: u32, length: u64) -> Self {
        Gzip(Hasher::new_with_initial_len(sum, length))
    }

    fn update(&mut self, text: &[u8]) {
        self.0.update(text);
    }

    fn sum(&self) -> u32 {
        self.0.clone().finalize()
    }

    fn check_trailer(&self, input: &mut RawInput, length: u64) -> Result<()> {
        let sum = u32::from_le_bytes(input.take()?);
        let low_length = u32::from_le_bytes(input.take()?);
        if sum != self.sum() {
            return Err(DecodeError::wrong_checksum(length));
        }
        if u64::from(low_length) != length & u64::from(u32::MAX) {
            return Err(DecodeError::wrong_length(length));
        }
        Ok(())
    }
}

fn skip_past_nul(input: &mut RawInput) -> Result<()> {
    loop {
        let bytes = input.fill()?;
        let (found, all) = (memchr::memchr(0, bytes), bytes.len());
        if all == 0 {
            return Err(DecodeError::cut_off());
        }
        input.consume(found.map_or(all, |nul| nul + 1));
        if found.is_some() {
            return Ok(());
        }
    }
}
