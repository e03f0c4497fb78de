//! deflate (RFC 1951) in its wrappers, gzip, zlib and none: decoding can continue at any block boundary.

use adler2::Adler32;
use crc32fast::Hasher;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_STOP_ON_BLOCK_BOUNDARY, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{BlockBoundaryState, DecompressorOxide, decompress};

use crate::Source;
use crate::compressed::checkpoint::DecoderState;
use crate::compressed::damage::{DecodeError, Result};
use crate::compressed::decoder::{Begins, Decoder, RawInput, Step, StepEnd};

/// Bytes of text that a block may refer back to.
const WINDOW: usize = 32 << 10;

/// Flags of a gzip header (RFC 1952, section 2.3.1).
const HEADER_CRC: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;

/// The flag of a zlib header for a preset dictionary (RFC 1950, section 2.2).
const ZLIB_DICTIONARY: u8 = 0x20;

/// No usual tool decompresses zlib data with a preset dictionary.
const ZLIB_WITH_DICTIONARY: &str = "python3 -c 'import sys, zlib; d = zlib.decompressobj(zdict=open(\"DICTIONARY\", \"rb\").read()); \
    sys.stdout.buffer.write(d.decompress(sys.stdin.buffer.read()))'";

/// Flags that no version of gzip has.
const UNKNOWN: u8 = 0xE0;

/// The extra field of BGZF, with the size of the member.
const BGZF_FIELD: &[u8] = b"\x06\0BC\x02\0";

/// Whether a member of gzip, perhaps of BGZF, begins with `head`.
pub(super) fn begins_gzip(head: &[u8]) -> Begins {
    match head {
        [0x1F, 0x8B, 8, flags, ..] if flags & UNKNOWN == 0 => Begins::Yes,
        [0x1F, 0x8B, 8, _, ..] => Begins::No,
        _ => Begins::with(head, &[&[0x1F, 0x8B, 8, 0]]),
    }
}

pub(super) fn begins_bgzf(head: &[u8]) -> Begins {
    match (begins_gzip(head), head) {
        (Begins::Yes, [_, _, _, flags, _, _, _, _, _, _, field @ ..]) if flags & EXTRA != 0 => {
            Begins::with(field, &[BGZF_FIELD])
        }
        (Begins::Yes, [_, _, _, flags, ..]) if flags & EXTRA != 0 => Begins::Perhaps,
        (Begins::Yes, _) => Begins::No,
        (begins, _) => begins,
    }
}

pub(super) fn begins_gzip_alone(head: &[u8]) -> Begins {
    match begins_bgzf(head) {
        Begins::Yes => Begins::No,
        Begins::No | Begins::Perhaps => begins_gzip(head),
    }
}

/// A checksum under way.
pub(super) trait Checksum: Default + Send {
    /// Continues after `length` bytes of text with the checksum `sum`.
    fn resumed(sum: u32, length: u64) -> Self;

    fn update(&mut self, text: &[u8]);

    fn sum(&self) -> u32;
}

impl Checksum for Hasher {
    fn resumed(sum: u32, length: u64) -> Self {
        Hasher::new_with_initial_len(sum, length)
    }

    fn update(&mut self, text: &[u8]) {
        Hasher::update(self, text);
    }

    fn sum(&self) -> u32 {
        self.clone().finalize()
    }
}

impl Checksum for Adler32 {
    fn resumed(sum: u32, _length: u64) -> Self {
        Adler32::from_checksum(sum)
    }

    fn update(&mut self, text: &[u8]) {
        self.write_slice(text);
    }

    fn sum(&self) -> u32 {
        self.checksum()
    }
}

/// A header and a trailer around a deflate stream.
pub(super) trait Wrapper: Send {
    type Sum: Checksum;

    fn read_header(input: &mut RawInput) -> Result<()>;

    /// Compares the checksum and the length of a text with those after it.
    fn check_trailer(&self, input: &mut RawInput, sum: u32, length: u64) -> Result<()>;
}

#[derive(Default)]
pub(super) struct Deflate<W: Wrapper> {
    inflate: Box<DecompressorOxide>,
    wrapper: W,
    checksum: W::Sum,
    length: u64,
}

impl<W: Wrapper> Deflate<W> {
    pub(super) fn new(wrapper: W) -> Self {
        Deflate { inflate: Box::default(), wrapper, checksum: W::Sum::default(), length: 0 }
    }
}

impl<W: Wrapper> Decoder for Deflate<W> {
    fn begin(&mut self, input: &mut RawInput) -> Result<()> {
        W::read_header(input)?;
        self.inflate.init();
        (self.checksum, self.length) = (W::Sum::default(), 0);
        Ok(())
    }

    fn window(&self) -> usize {
        WINDOW
    }

    fn resume(&mut self, input: &mut RawInput, state: &DecoderState, _window: &[u8]) -> Result<()> {
        let DecoderState::Deflate { bit_count, bits, sum, length } = *state else { return self.begin(input) };
        *self.inflate = DecompressorOxide::from_block_boundary_state(&BlockBoundaryState {
            num_bits: bit_count,
            bit_buf: bits,
            ..BlockBoundaryState::default()
        });
        (self.checksum, self.length) = (W::Sum::resumed(sum, length), length);
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        Some(self.length)
    }

    fn decode(&mut self, input: &mut RawInput, text: &mut [u8], at: usize, mark: bool) -> Result<Step> {
        let stop = if mark { TINFL_FLAG_STOP_ON_BLOCK_BOUNDARY } else { 0 };
        let flags = TINFL_FLAG_HAS_MORE_INPUT | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF | stop;
        let bytes = input.fill()?;
        let ended = bytes.is_empty();
        let (status, taken, decoded) = decompress(&mut self.inflate, bytes, text, at, flags);
        input.consume(taken);
        self.checksum.update(&text[at..at + decoded]);
        self.length += decoded as u64;
        let end = match status {
            // At the end of the input, the decompressor may still hold text.
            TINFLStatus::NeedsMoreInput if ended && decoded == 0 => StepEnd::Failed(DecodeError::cut_off()),
            TINFLStatus::NeedsMoreInput | TINFLStatus::HasMoreOutput => StepEnd::More,
            TINFLStatus::BlockBoundary => {
                let BlockBoundaryState { num_bits, bit_buf, .. } =
                    self.inflate.block_boundary_state().unwrap_or_default();
                StepEnd::Checkpoint(DecoderState::Deflate {
                    bit_count: num_bits,
                    bits: bit_buf,
                    sum: self.checksum.sum(),
                    length: self.length,
                })
            }
            TINFLStatus::Done => {
                let trailer = self.wrapper.check_trailer(input, self.checksum.sum(), self.length);
                StepEnd::after(trailer.inspect(|()| self.length = 0))?
            }
            _ => StepEnd::Failed(DecodeError::damage("a block is invalid")),
        };
        Ok(Step { decoded, end })
    }
}

/// The header and trailer of gzip and BGZF members (RFC 1952).
#[derive(Default)]
pub(super) struct Gzip;

impl Wrapper for Gzip {
    type Sum = Hasher;

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

    fn check_trailer(&self, input: &mut RawInput, sum: u32, length: u64) -> Result<()> {
        let expected = u32::from_le_bytes(input.take()?);
        let low_length = u32::from_le_bytes(input.take()?);
        if sum != expected {
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

/// The header and trailer of zlib data (RFC 1950).
#[derive(Default)]
pub(super) struct Zlib;

impl Wrapper for Zlib {
    type Sum = Adler32;

    fn read_header(input: &mut RawInput) -> Result<()> {
        let [method, flags] = input.take()?;
        let is_deflate = method & 0x0F == 8 && method >> 4 <= 7;
        if !is_deflate || !u16::from_be_bytes([method, flags]).is_multiple_of(31) {
            return Err(DecodeError::damage("its header is not a zlib header"));
        }
        if flags & ZLIB_DICTIONARY != 0 {
            return Err(DecodeError::needs_dictionary(ZLIB_WITH_DICTIONARY));
        }
        Ok(())
    }

    fn check_trailer(&self, input: &mut RawInput, sum: u32, length: u64) -> Result<()> {
        let expected = u32::from_be_bytes(input.take()?);
        if sum == expected { Ok(()) } else { Err(DecodeError::wrong_checksum(length)) }
    }
}

/// No wrapper: a container has the checksum, such as a ZIP archive.
pub(super) struct Bare {
    /// `None` if the container does not say it.
    expected: Option<u32>,
}

impl Bare {
    /// The wrapper of the data in `source`, whose container has the checksum.
    pub(super) fn of(source: &dyn Source) -> Self {
        Bare { expected: source.info().contained.map(|contained| contained.crc) }
    }
}

impl Wrapper for Bare {
    type Sum = Hasher;

    fn read_header(_: &mut RawInput) -> Result<()> {
        Ok(())
    }

    fn check_trailer(&self, _: &mut RawInput, sum: u32, length: u64) -> Result<()> {
        if self.expected == Some(sum) { Ok(()) } else { Err(DecodeError::wrong_checksum(length)) }
    }
}
