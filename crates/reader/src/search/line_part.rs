//! A part of a line in memory, and the places of its text in the file.

use std::ops::Range;

use crate::reader::Reader;
use rread_text::encoding::{Encoding, Run, TextDecoder, floor_char};
use rread_text::error::Result;

/// Bytes of text between places that are known in the file: each match is looked for from the last one of them.
const STEP: usize = 256;

/// A part of a line in memory, with its text in UTF-8.
pub(super) struct LinePart {
    /// The text, if the bytes are not UTF-8.
    decoded: Vec<u8>,
    encoding: Encoding,
    /// The bytes of the file, and the offset of the first.
    bytes: Vec<u8>,
    pub(super) at: u64,
    /// The starts of short runs of text, in `decoded` and in `bytes`; empty for UTF-8.
    runs: Vec<(usize, usize)>,
}

impl LinePart {
    /// The bytes of `span`, without the byte order mark of the file.
    pub(super) fn read(reader: &Reader, span: Range<u64>) -> Result<Self> {
        let encoding = reader.encoding();
        let mark = if span.start == 0 && reader.decided().bom { encoding.mark().len() as u64 } else { 0 };
        let at = (span.start + mark).min(span.end);
        let mut bytes = vec![0; usize::try_from(span.end - at).unwrap_or(0)];
        reader.read_exact(&mut bytes, at)?;
        Ok(LinePart::of(encoding, bytes, at))
    }

    /// The part of a file in `encoding` that has `bytes` at `at`.
    pub(super) fn of(encoding: Encoding, bytes: Vec<u8>, at: u64) -> Self {
        let mut part = LinePart { decoded: Vec::new(), encoding, bytes, at, runs: Vec::new() };
        if encoding == Encoding::Utf8 {
            return part;
        }
        let mut decoder = TextDecoder::of_whole(encoding);
        let mut used = 0;
        while let Some(run) = decoder.next_run(&part.bytes[used..], at + used as u64) {
            part.runs.push((part.decoded.len(), used));
            match run {
                Run::Text(text) => {
                    let mut rest = text;
                    // A run of text with state cannot be split.
                    while rest.utf8.len() > STEP && !encoding.has_state() {
                        rest = rest.split_at(floor_char(rest.utf8, STEP)).1;
                        let passed = text.utf8.len() - rest.utf8.len();
                        let source = text.source.len() - rest.source.len();
                        part.runs.push((part.decoded.len() + passed, used + source));
                    }
                    part.decoded.extend_from_slice(text.utf8);
                    used += text.source.len();
                }
                Run::Invalid(bad) | Run::Cut(bad) => {
                    part.decoded.extend_from_slice("\u{FFFD}".as_bytes());
                    used += bad.len();
                }
            }
        }
        part
    }

    pub(super) fn text(&self) -> &[u8] {
        if self.encoding == Encoding::Utf8 { &self.bytes } else { &self.decoded }
    }

    /// Past the last byte.
    pub(super) fn end(&self) -> u64 {
        self.at + self.bytes.len() as u64
    }

    /// The place in the text of the byte at `offset` of the file; the end of the text if that is past the part.
    pub(super) fn text_at(&self, offset: u64) -> usize {
        let within = usize::try_from(offset.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let within = within.min(self.bytes.len());
        let run = self.runs.partition_point(|run| run.1 <= within);
        let Some((text, source)) = run.checked_sub(1).map(|run| self.runs[run]) else { return within };
        let before =
            LinePart::of(self.encoding, self.bytes[source..within].to_vec(), self.at + source as u64);
        text + before.text().len()
    }

    /// The offset in the file of the character at `at` of the text.
    pub(super) fn offset(&self, at: usize) -> u64 {
        if self.encoding.has_state() {
            return self.at + self.longest_with(at) as u64;
        }
        let run = self.runs.partition_point(|run| run.0 <= at);
        let Some((text, source)) = run.checked_sub(1).map(|run| self.runs[run]) else {
            return self.at + at as u64;
        };
        let here = self.at + source as u64;
        let end = self.runs.get(run).map_or(self.bytes.len(), |next| next.1);
        let mut decoder = TextDecoder::of_whole(self.encoding);
        match decoder.next_run(&self.bytes[source..end], here) {
            Some(Run::Text(run)) => run.split_at((at - text).min(run.utf8.len())).1.at,
            Some(Run::Invalid(bad) | Run::Cut(bad)) if at > text => here + bad.len() as u64,
            _ => here,
        }
    }

    /// The longest beginning of whole characters whose text is at most `len` long. A run of text with state cannot be
    /// split.
    fn longest_with(&self, len: usize) -> usize {
        let decoded = |end: usize| {
            let (mut decoder, mut used, mut text) = (TextDecoder::new(self.encoding), 0, 0);
            while let Some(run) = decoder.next_run(&self.bytes[used..end], self.at + used as u64) {
                let (utf8, source) = match run {
                    Run::Text(run) => (run.utf8.len(), run.source.len()),
                    Run::Invalid(bad) => ('\u{FFFD}'.len_utf8(), bad.len()),
                    Run::Cut(_) => break,
                };
                (text, used) = (text + utf8, used + source);
            }
            (text, used)
        };
        let (mut fits, mut exceeds) = (0, self.bytes.len() + 1);
        while exceeds - fits > 1 {
            let middle = usize::midpoint(fits, exceeds);
            if decoded(middle).0 <= len { fits = middle } else { exceeds = middle }
        }
        decoded(fits).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(c: char, encoding: Encoding) -> Vec<u8> {
        match encoding {
            Encoding::Utf16 { big_endian } => {
                let bytes = |unit: &u16| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
                c.encode_utf16(&mut [0; 2]).iter().flat_map(bytes).collect()
            }
            Encoding::Legacy(whatwg) => whatwg.encode(c.encode_utf8(&mut [0; 4])).0.into_owned(),
            _ => c.to_string().into_bytes(),
        }
    }

    /// Long enough for several runs, with characters of several lengths.
    #[test]
    fn every_character_of_a_long_line_has_its_place() {
        let text: String = (0..600).map(|n| ['a', '漢', 'x', '日', '本'][n % 5]).collect();
        let whatwg = [encoding_rs::GB18030, encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP, encoding_rs::BIG5];
        let wide = [false, true].map(|big_endian| Encoding::Utf16 { big_endian });
        for encoding in wide.into_iter().chain(whatwg.map(Encoding::Legacy)) {
            let bytes: Vec<u8> = text.chars().flat_map(|c| encoded(c, encoding)).collect();
            let at = 1000;
            let part = LinePart::of(encoding, bytes, at);
            assert_eq!(String::from_utf8_lossy(part.text()), text);
            assert!(part.runs.len() > 3);
            let mut offset = at;
            for (place, c) in text.char_indices() {
                assert_eq!((part.offset(place), part.text_at(offset)), (offset, place), "{encoding:?}");
                offset += encoded(c, encoding).len() as u64;
            }
        }
    }
}
