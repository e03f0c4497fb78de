//! gzip and BGZF (RFC 1952): members of deflate with a checksum each.

use super::decoder::{Decoder, Fault, Step, Then};
use super::decoder_state::{DecoderState, DeflateState};
use super::deflate::{Came, Inflate, WINDOW};
use super::feed::Feed;

/// Bits of the header's flags (RFC 1952, section 2.3.1).
const HEADER_CRC: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;

pub(super) struct Gzip {
    feed: Feed,
    inflate: Inflate,
    sum: crc32fast::Hasher,
    /// Bytes of text of this member, of which the trailer has the lowest 32 bits.
    length: u64,
}

impl Gzip {
    pub(super) fn new(feed: Feed) -> Self {
        Gzip { feed, inflate: Inflate::default(), sum: crc32fast::Hasher::new(), length: 0 }
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
            return Err(Fault::checksum("the checksum of the text before is wrong", self.length));
        }
        if u64::from(length) != self.length & u64::from(u32::MAX) {
            return Err(Fault::checksum("the length of the text before is wrong", self.length));
        }
        self.length = 0;
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
        self.inflate.begin();
        (self.sum, self.length) = (crc32fast::Hasher::new(), 0);
        Ok(())
    }

    fn window(&self) -> usize {
        WINDOW
    }

    fn resume(&mut self, state: &DecoderState, _window: &[u8]) -> Result<(), Fault> {
        let DecoderState::Deflate(state) = state else { return self.begin() };
        self.inflate.resume(state);
        self.sum = crc32fast::Hasher::new_with_initial_len(state.sum, state.length);
        self.length = state.length;
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        Some(self.length)
    }

    fn decode(&mut self, text: &mut [u8], at: usize, mark: bool) -> Result<Step, Fault> {
        let (given, came) = self.inflate.decode(&mut self.feed, text, at, mark)?;
        self.sum.update(&text[at..at + given]);
        self.length += given as u64;
        let then = match came {
            Came::More => Then::More,
            Came::Damage(what) => Then::Damage(what.to_owned()),
            Came::End => Then::after(self.check_trailer())?,
            Came::Boundary { bit_count, bits } => Then::Place(DecoderState::Deflate(DeflateState {
                bit_count,
                bits,
                sum: self.sum.clone().finalize(),
                length: self.length,
            })),
        };
        Ok(Step { given, then })
    }
}
