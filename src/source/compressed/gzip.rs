//! gzip and BGZF (RFC 1951, RFC 1952): members with a checksum each; any block boundary is a place to take up again.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_STOP_ON_BLOCK_BOUNDARY, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{BlockBoundaryState, DecompressorOxide, decompress};

use super::decoder::{CUT_OFF, Decoder, Fault, Step, Then};
use super::feed::Feed;
use super::restart::{Deflate, Inside};

/// Bits of the header's flags (RFC 1952, section 2.3.1).
const HEADER_CRC: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;

/// Bytes of text that a deflate block may refer back to.
pub(super) const WINDOW: usize = 32 << 10;

pub(super) struct Gzip {
    feed: Feed,
    inflate: Box<DecompressorOxide>,
    sum: crc32fast::Hasher,
    /// Bytes of text of this member, of which the trailer has the lowest 32 bits.
    length: u64,
}

impl Gzip {
    pub(super) fn new(feed: Feed) -> Self {
        Gzip { feed, inflate: Box::default(), sum: crc32fast::Hasher::new(), length: 0 }
    }

    /// Passes over text that ends with a NUL.
    fn skip_text(&mut self) -> Result<(), Fault> {
        loop {
            let there = self.feed.fill()?;
            match memchr::memchr(0, there) {
                Some(end) => {
                    self.feed.consume(end + 1);
                    return Ok(());
                }
                None if there.is_empty() => return Err(Fault::cut_off()),
                None => {
                    let all = there.len();
                    self.feed.consume(all);
                }
            }
        }
    }

    fn check_trailer(&mut self) -> Result<(), Fault> {
        let sum = u32::from_le_bytes(self.feed.take()?);
        let length = u32::from_le_bytes(self.feed.take()?);
        if sum != std::mem::take(&mut self.sum).finalize() {
            return Err(Fault::damage("the checksum of the text before is wrong"));
        }
        if u64::from(length) != self.length & u64::from(u32::MAX) {
            return Err(Fault::damage("the length of the text before is wrong"));
        }
        Ok(())
    }
}

impl Decoder for Gzip {
    fn feed(&mut self) -> &mut Feed {
        &mut self.feed
    }

    fn begin(&mut self) -> Result<(), Fault> {
        let [_, _, _, flags, ..] = self.feed.take::<10>()?;
        if flags & EXTRA != 0 {
            let length = u16::from_le_bytes(self.feed.take()?);
            self.feed.skip(u64::from(length));
        }
        for text in [NAME, COMMENT] {
            if flags & text != 0 {
                self.skip_text()?;
            }
        }
        if flags & HEADER_CRC != 0 {
            self.feed.take::<2>()?;
        }
        self.inflate.init();
        (self.sum, self.length) = (crc32fast::Hasher::new(), 0);
        Ok(())
    }

    fn window(&self) -> usize {
        WINDOW
    }

    fn resume(&mut self, inside: &Inside, _window: &[u8]) -> Result<(), Fault> {
        let Inside::Deflate(inside) = inside else { return self.begin() };
        *self.inflate = DecompressorOxide::from_block_boundary_state(&BlockBoundaryState {
            num_bits: inside.bit_count,
            bit_buf: inside.bits,
            ..BlockBoundaryState::default()
        });
        self.sum = crc32fast::Hasher::new_with_initial_len(inside.sum, inside.length);
        self.length = inside.length;
        Ok(())
    }

    fn decode(&mut self, text: &mut [u8], at: usize, mark: bool) -> Result<Step, Fault> {
        let stop = if mark { TINFL_FLAG_STOP_ON_BLOCK_BOUNDARY } else { 0 };
        let flags = TINFL_FLAG_HAS_MORE_INPUT | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF | stop;
        let input = self.feed.fill()?;
        let ended = input.is_empty();
        let (status, taken, given) = decompress(&mut self.inflate, input, text, at, flags);
        self.feed.consume(taken);
        self.sum.update(&text[at..at + given]);
        self.length += given as u64;
        let then = match status {
            // What was taken in before may still have something to give.
            TINFLStatus::NeedsMoreInput if ended && given == 0 => Then::Damage(CUT_OFF.to_owned()),
            TINFLStatus::NeedsMoreInput | TINFLStatus::HasMoreOutput => Then::More,
            TINFLStatus::Done => match self.check_trailer() {
                Ok(()) => Then::End,
                Err(Fault::Damage(what)) => Then::Damage(what),
                Err(fault) => return Err(fault),
            },
            TINFLStatus::BlockBoundary => {
                let state = self.inflate.block_boundary_state().unwrap_or_default();
                Then::Place(Inside::Deflate(Deflate {
                    bit_count: state.num_bits,
                    bits: state.bit_buf,
                    sum: self.sum.clone().finalize(),
                    length: self.length,
                }))
            }
            _ => Then::Damage("no deflate data can look like this".to_owned()),
        };
        Ok(Step { given, then })
    }
}
