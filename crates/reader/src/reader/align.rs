//! Moving byte offsets to character edges, so that a cut splits no character.

use super::Reader;
use rread_source::memory::Buffer;
use rread_text::encoding::{MAX_CHAR, MAX_CHARACTER, split_char};
use rread_text::{Encoding, Result, Run, TextDecoder};

/// How to treat a cut that would split a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Include the whole character.
    #[default]
    Expand,
    /// Exclude the whole character.
    Shrink,
    /// Cut exactly at the offset.
    None,
}

impl Align {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Align::Expand => "expand",
            Align::Shrink => "shrink",
            Align::None => "none",
        }
    }
}

/// First and past-the-last offset of the character that a cut splits.
type Split = Result<Option<(u64, u64)>>;

impl Reader {
    /// Moves both ends of a byte range to character edges, or to line edges in a stateful encoding.
    pub fn align(&self, start: u64, end: u64, align: Align) -> Result<(u64, u64)> {
        if align == Align::None || start >= end {
            return Ok((start, end));
        }
        let (first, last) = (self.split_char(start)?, self.split_char(end)?);
        Ok(match align {
            Align::Shrink if !self.encoding().has_state() => {
                let start = first.map_or(start, |c| c.1);
                (start, last.map_or(end, |c| c.0).max(start))
            }
            // Excluding a line that no range can hold would never move forward.
            _ => (first.map_or(start, |c| c.0), last.map_or(end, |c| c.1)),
        })
    }

    fn split_char(&self, offset: u64) -> Split {
        match self.encoding() {
            Encoding::Utf8 => self.split_utf8(offset),
            Encoding::Utf16 { big_endian } => self.split_pair(offset, big_endian),
            Encoding::Utf32 { .. } => self.split_unit(offset),
            Encoding::Mixed(_) if self.is_in_utf8_line(offset)? => self.split_utf8(offset),
            Encoding::Legacy(whatwg) | Encoding::Mixed(whatwg) if whatwg.is_single_byte() => Ok(None),
            encoding if encoding.has_state() => self.split_line(offset),
            encoding => self.split_multi_byte(offset, encoding),
        }
    }

    fn split_utf8(&self, offset: u64) -> Split {
        const REACH: u64 = MAX_CHAR as u64 - 1;
        // Read past the cut only if it matters: a stream may not have these bytes yet.
        if !self.ends_inside_utf8(offset)? {
            return Ok(None);
        }
        let from = offset.saturating_sub(REACH);
        let window = self.read_span(from..self.reach(offset.saturating_add(REACH))?)?;
        let split = split_char(&window, usize::try_from(offset - from).unwrap_or(0));
        Ok(split.map(|(start, end)| (from + start as u64, from + end as u64)))
    }

    /// Whether `end` lies inside a UTF-8 character, or inside a code unit of another encoding.
    pub fn ends_inside_character(&self, end: u64) -> Result<bool> {
        if self.encoding() != Encoding::Utf8 {
            return Ok(self.units().floor(end) != end);
        }
        self.ends_inside_utf8(end)
    }

    /// Whether the line around `offset`, as far as it is near, is UTF-8 with a character that is cut there.
    fn is_in_utf8_line(&self, offset: u64) -> Result<bool> {
        const NEAR: u64 = 64 << 10;
        if !self.ends_inside_utf8(offset)? {
            return Ok(false);
        }
        let from = offset.saturating_sub(NEAR);
        let window = self.read_span(from..self.reach(offset.saturating_add(NEAR))?)?;
        let at = usize::try_from(offset - from).unwrap_or(0).min(window.len());
        let start = memchr::memrchr(b'\n', &window[..at]).map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', &window[at..]).map_or(window.len(), |end| at + end);
        let is_cut = start == 0 && from > 0;
        let skipped = window[start..end].iter().take_while(|byte| is_cut && **byte & 0xC0 == 0x80).count();
        Ok(match std::str::from_utf8(&window[start + skipped..end]) {
            Ok(_) => true,
            Err(error) => error.error_len().is_none() && end == window.len(),
        })
    }

    fn ends_inside_utf8(&self, end: u64) -> Result<bool> {
        let last = self.read_span(end.saturating_sub(MAX_CHAR as u64 - 1)..end)?;
        let mut rest = &last[..];
        while let Err(error) = std::str::from_utf8(rest) {
            let Some(length) = error.error_len() else { return Ok(true) };
            rest = &rest[error.valid_up_to() + length..];
        }
        Ok(false)
    }

    /// A whole code unit; an incomplete one at the end of the file does not count.
    fn split_unit(&self, offset: u64) -> Split {
        let units = self.units();
        let start = units.floor(offset);
        if start == offset {
            return Ok(None);
        }
        let end = start + units.width() as u64;
        Ok((self.reach(end)? == end).then_some((start, end)))
    }

    fn split_pair(&self, offset: u64, big_endian: bool) -> Split {
        let unit = |at: u64| -> Result<u16> {
            if self.reach(at + 2)? < at + 2 {
                return Ok(0);
            }
            let mut bytes = [0; 2];
            self.read_exact(&mut bytes, at)?;
            Ok(if big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
        };
        let is_high = |unit: u16| (0xD800..0xDC00).contains(&unit);
        let is_low = |unit: u16| (0xDC00..0xE000).contains(&unit);
        let inside = self.split_unit(offset)?;
        let start = self.units().floor(offset);
        if start >= 2 && is_high(unit(start - 2)?) && is_low(unit(start)?) {
            return Ok(Some((start - 2, start + 2)));
        }
        match inside {
            Some((start, end)) if is_high(unit(start)?) && is_low(unit(end)?) => Ok(Some((start, end + 2))),
            inside => Ok(inside),
        }
    }

    /// Bytes up to 0x2F are whole characters in all these encodings, so decoding starts at the last of them.
    fn split_multi_byte(&self, offset: u64, encoding: Encoding) -> Split {
        let mut edge = self.last_single(offset)?;
        let mut decoder = TextDecoder::new(encoding);
        let mut block = Buffer::default();
        while edge < offset {
            let len = usize::try_from(offset - edge).unwrap_or(usize::MAX).min(64 << 10);
            self.read_exact(block.at(edge, len), edge)?;
            match decoder.next_run(&block, edge) {
                Some(Run::Text(text)) => edge = text.end(),
                Some(Run::Invalid(bad)) => edge += bad.len() as u64,
                Some(Run::Cut(_)) => {
                    let reach = self.reach(edge.saturating_add(MAX_CHARACTER as u64))?;
                    self.read_exact(block.at(edge, usize::try_from(reach - edge).unwrap_or(0)), edge)?;
                    if let Some(len) = encoding.first_char(&block) {
                        return Ok(Some((edge, edge + len as u64)));
                    }
                    edge += match decoder.next_run(&block, edge) {
                        Some(Run::Invalid(bad) | Run::Cut(bad)) => bad.len() as u64,
                        _ => 1,
                    };
                }
                None => break,
            }
        }
        Ok(None)
    }

    /// The last byte before `offset` that is always a whole character, or 0.
    fn last_single(&self, offset: u64) -> Result<u64> {
        let mut block = Buffer::default();
        let (mut end, mut step) = (offset, 256);
        while end > 0 {
            let start = end.saturating_sub(step);
            self.read_exact(block.at(start, usize::try_from(end - start).unwrap_or(0)), start)?;
            if let Some(at) = block.iter().rposition(|byte| *byte < 0x30) {
                return Ok(start + at as u64);
            }
            end = start;
            step = (step * 4).min(self.block() as u64);
        }
        Ok(0)
    }

    fn split_line(&self, offset: u64) -> Split {
        let start = self.line_start(offset)?;
        if start == offset {
            return Ok(None);
        }
        let mut block = vec![0; self.block().min(8 << 10)];
        let mut end = offset;
        loop {
            let got = self.read(&mut block, end)?;
            match self.units().after_first(&block[..got]) {
                Some(at) => return Ok(Some((start, end + at as u64))),
                None if got == 0 => return Ok(Some((start, end))),
                None => end += got as u64,
            }
        }
    }
}
