//! The header and trailer of zlib data (RFC 1950).

use adler2::Adler32;

use super::decode_error::{DecodeError, Result};
use super::deflate::Wrapper;
use super::raw_input::RawInput;

/// The header flag for a preset dictionary (RFC 1950, section 2.2).
const DICTIONARY: u8 = 0x20;

/// No usual tool decompresses zlib data with a preset dictionary.
const DECOMPRESS: &str = "python3 -c 'import sys, zlib; d = zlib.decompressobj(zdict=open(\"DICTIONARY\", \"rb\").read()); \
    sys.stdout.buffer.write(d.decompress(sys.stdin.buffer.read()))'";

#[derive(Default)]
pub(super) struct Zlib(Adler32);

impl Wrapper for Zlib {
    fn read_header(input: &mut RawInput) -> Result<()> {
        let [method, flags] = input.take()?;
        let is_deflate = method & 0x0F == 8 && method >> 4 <= 7;
        if !is_deflate || !u16::from_be_bytes([method, flags]).is_multiple_of(31) {
            return Err(DecodeError::damage("its header is not a zlib header"));
        }
        if flags & DICTIONARY != 0 {
            return Err(DecodeError::needs_dictionary(DECOMPRESS));
        }
        Ok(())
    }

    fn resume(sum: u32, _length: u64) -> Self {
        Zlib(Adler32::from_checksum(sum))
    }

    fn update(&mut self, text: &[u8]) {
        self.0.write_slice(text);
    }

    fn sum(&self) -> u32 {
        self.0.checksum()
    }

    fn check_trailer(&self, input: &mut RawInput, length: u64) -> Result<()> {
        let sum = u32::from_be_bytes(input.take()?);
        if sum == self.sum() { Ok(()) } else { Err(DecodeError::wrong_checksum(length)) }
    }
}
