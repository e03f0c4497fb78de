//! zlib (RFC 1950): one stream of deflate between a header of two bytes and a checksum.

use adler2::Adler32;

use super::decoder::{Decoder, Fault, Step, Then};
use super::decoder_state::{DecoderState, DeflateState};
use super::deflate::{Came, Inflate, WINDOW};
use super::feed::Feed;

/// The bit of the header's flags that says that a dictionary is needed (RFC 1950, section 2.2).
const DICTIONARY: u8 = 0x20;

pub(super) struct Zlib {
    feed: Feed,
    inflate: Inflate,
    sum: Adler32,
    /// Bytes of text so far.
    length: u64,
}

impl Zlib {
    pub(super) fn new(feed: Feed) -> Self {
        Zlib { feed, inflate: Inflate::default(), sum: Adler32::new(), length: 0 }
    }

    fn check_trailer(&mut self) -> Result<(), Fault> {
        let sum = u32::from_be_bytes(self.feed.take()?);
        if sum != self.sum.checksum() {
            return Err(Fault::checksum("the checksum of the text before is wrong", self.length));
        }
        self.length = 0;
        Ok(())
    }
}

impl Decoder for Zlib {
    fn feed(&mut self) -> &mut Feed {
        &mut self.feed
    }

    fn begin(&mut self) -> Result<(), Fault> {
        let [method, flags] = self.feed.take()?;
        let is_deflate = method & 0x0F == 8 && method >> 4 <= 7;
        if !is_deflate || !u16::from_be_bytes([method, flags]).is_multiple_of(31) {
            return Err(Fault::damage("no zlib data begins like this"));
        }
        if flags & DICTIONARY != 0 {
            return Err(Fault::damage("it needs a dictionary, which nobody has"));
        }
        self.inflate.begin();
        (self.sum, self.length) = (Adler32::new(), 0);
        Ok(())
    }

    fn window(&self) -> usize {
        WINDOW
    }

    fn resume(&mut self, state: &DecoderState, _window: &[u8]) -> Result<(), Fault> {
        let DecoderState::Deflate(state) = state else { return self.begin() };
        self.inflate.resume(state);
        self.sum = Adler32::from_checksum(state.sum);
        self.length = state.length;
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        Some(self.length)
    }

    fn decode(&mut self, text: &mut [u8], at: usize, mark: bool) -> Result<Step, Fault> {
        let (given, came) = self.inflate.decode(&mut self.feed, text, at, mark)?;
        self.sum.write_slice(&text[at..at + given]);
        self.length += given as u64;
        let then = match came {
            Came::More => Then::More,
            Came::Damage(what) => Then::Damage(what.to_owned()),
            Came::End => Then::after(self.check_trailer())?,
            Came::Boundary { bit_count, bits } => Then::Place(DecoderState::Deflate(DeflateState {
                bit_count,
                bits,
                sum: self.sum.checksum(),
                length: self.length,
            })),
        };
        Ok(Step { given, then })
    }
}
