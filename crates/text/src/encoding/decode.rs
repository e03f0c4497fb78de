//! An encoding, edges of its characters, and decoding blocks into runs: text, invalid sequences, and characters that the end of the block cuts.

use encoding_rs::{DecoderResult, Encoding as Whatwg, GB18030, GBK, ISO_2022_JP, mem};

use crate::newline::{self, Units};
use crate::sniff::BOM;

/// Bytes decoded at a time; source and text fit into the second-level cache.
const CHUNK: usize = 64 << 10;

/// Bytes that are decoded alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run<'a> {
    /// Valid text, at most 64 KiB of it.
    Text(DecodedText<'a>),
    /// One ill-formed sequence: in UTF-8 a maximal subpart, in UTF-16 and UTF-32 one unit, else what the WHATWG
    /// decoder replaces by one U+FFFD.
    Invalid(&'a [u8]),
    /// The beginning of a character that the end of the input cuts; at the end of the file, one invalid sequence.
    Cut(&'a [u8]),
}

/// Decodes consecutive runs; keeps the state of an encoding that has one.
pub struct TextDecoder {
    encoding: Encoding,
    units: Vec<u16>,
    utf8: Vec<u8>,
    state: EscapeState,
    /// Whether the text ends where the bytes do.
    is_end: bool,
}

/// The state of ISO-2022-JP: the last escape sequence of the line, and whether nothing followed it yet.
#[derive(Clone, Copy, Default)]
struct EscapeState {
    escape: Option<[u8; 3]>,
    is_last: bool,
}

/// A run as lengths: of the UTF-8 text and its source, or of invalid source.
enum Step {
    Text(usize, usize),
    Invalid(usize),
    Cut(usize),
}

impl TextDecoder {
    /// Decoding must begin at the start of a character, or of a line if the encoding has state.
    pub fn new(encoding: Encoding) -> Self {
        TextDecoder {
            encoding,
            units: Vec::new(),
            utf8: Vec::new(),
            state: EscapeState::default(),
            is_end: false,
        }
    }

    /// As [`TextDecoder::new`], for bytes that are whole lines or end with the text.
    pub fn of_whole(encoding: Encoding) -> Self {
        TextDecoder { is_end: true, ..TextDecoder::new(encoding) }
    }

    /// Sets whether the text ends where the next bytes do.
    pub fn ends(&mut self, is_end: bool) {
        self.is_end = is_end;
    }

    /// The first run of `bytes`, which lie at `at` in the file. The next call must begin where this run ends.
    pub fn next_run<'a>(&'a mut self, bytes: &'a [u8], at: u64) -> Option<Run<'a>> {
        if bytes.is_empty() {
            return None;
        }
        let chunk = &bytes[..bytes.len().min(CHUNK)];
        let encoding = self.encoding;
        let units = encoding.units();
        // Code units are aligned to the start of the file; the rest of a cut unit is not text.
        let off = usize::try_from(at - units.floor(at)).unwrap_or(0);
        if off > 0 {
            return Some(Run::Invalid(&bytes[..bytes.len().min(units.width - off)]));
        }
        let encoding = match encoding {
            Encoding::Mixed(whatwg) => {
                let (kind, len) = mixed_lines(chunk, self.is_end && chunk.len() == bytes.len());
                let kind = if kind == Encoding::Utf8 { kind } else { Encoding::Legacy(whatwg) };
                return self.run_of(kind, &bytes[..len], at);
            }
            encoding => encoding,
        };
        self.run_of(encoding, bytes, at)
    }

    fn run_of<'a>(&'a mut self, encoding: Encoding, bytes: &'a [u8], at: u64) -> Option<Run<'a>> {
        let chunk = &bytes[..bytes.len().min(CHUNK)];
        let step = match encoding {
            Encoding::Utf8 => {
                let error = simdutf8::compat::from_utf8(bytes).err();
                let valid = error.map_or(bytes.len(), |error| error.valid_up_to());
                let text = &bytes[..valid];
                return Some(match error.map(|error| error.error_len()) {
                    _ if valid > 0 => Run::Text(DecodedText { utf8: text, source: text, at, encoding }),
                    Some(Some(length)) => Run::Invalid(&bytes[..length]),
                    _ => Run::Cut(bytes),
                });
            }
            Encoding::Utf16 { big_endian } => self.utf16(chunk, big_endian),
            Encoding::Utf32 { big_endian } => self.utf32(chunk, big_endian),
            Encoding::Legacy(whatwg) if encoding.has_state() => self.by_line(whatwg, chunk),
            Encoding::Legacy(whatwg) | Encoding::Mixed(whatwg) => self.legacy(whatwg, b"", chunk),
        };
        Some(match step {
            Step::Text(text, source) => {
                Run::Text(DecodedText { utf8: &self.utf8[..text], source: &bytes[..source], at, encoding })
            }
            Step::Invalid(len) => Run::Invalid(&bytes[..len]),
            Step::Cut(len) => Run::Cut(&bytes[..len]),
        })
    }

    fn utf16(&mut self, chunk: &[u8], big_endian: bool) -> Step {
        let (pairs, rest) = chunk.as_chunks::<2>();
        if pairs.is_empty() {
            return Step::Cut(rest.len());
        }
        self.units.clear();
        match big_endian {
            true => self.units.extend(pairs.iter().map(|pair| u16::from_be_bytes(*pair))),
            false => self.units.extend(pairs.iter().map(|pair| u16::from_le_bytes(*pair))),
        }
        let valid = mem::utf16_valid_up_to(&self.units);
        if valid == 0 {
            let may_go_on = self.units.len() == 1 && (0xD800..0xDC00).contains(&self.units[0]);
            return if may_go_on { Step::Cut(2) } else { Step::Invalid(2) };
        }
        self.make_room(3 * valid);
        Step::Text(mem::convert_utf16_to_utf8(&self.units[..valid], &mut self.utf8), 2 * valid)
    }

    fn utf32(&mut self, chunk: &[u8], big_endian: bool) -> Step {
        let (quads, rest) = chunk.as_chunks::<4>();
        if quads.is_empty() {
            return Step::Cut(rest.len());
        }
        self.make_room(4 * quads.len());
        let (mut text, mut source) = (0, 0);
        for quad in quads {
            let code = if big_endian { u32::from_be_bytes(*quad) } else { u32::from_le_bytes(*quad) };
            let Some(c) = char::from_u32(code) else { break };
            text += c.encode_utf8(&mut self.utf8[text..]).len();
            source += 4;
        }
        if source == 0 { Step::Invalid(4) } else { Step::Text(text, source) }
    }

    /// Decodes `chunk` as if it followed `prefix`.
    fn legacy(&mut self, whatwg: &'static Whatwg, prefix: &[u8], chunk: &[u8]) -> Step {
        let mut decoder = whatwg.new_decoder_without_bom_handling();
        let room = decoder.max_utf8_buffer_length_without_replacement(chunk.len()).unwrap_or(0);
        self.make_room(room + 16);
        let _ = decoder.decode_to_utf8_without_replacement(prefix, &mut self.utf8, false);
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(chunk, &mut self.utf8, false);
        let malformed = |result| match result {
            DecoderResult::Malformed(invalid, after) => Some((usize::from(invalid), usize::from(after))),
            DecoderResult::InputEmpty | DecoderResult::OutputFull => None,
        };
        let Some((invalid, after)) = malformed(result) else {
            // The buffer is large enough. Bytes that the decoder holds back become malformed at the end.
            let (end, ..) = decoder.decode_to_utf8_without_replacement(b"", &mut self.utf8[written..], true);
            let (cut, after) = malformed(end).unwrap_or((0, 0));
            let held = (cut + after).min(read);
            // At the end of input, the standard makes a cut sequence of GB 18030 invalid as a whole; elsewhere only
            // its first byte. A slice must show the same as the file.
            let cut = if whatwg == GB18030 || whatwg == GBK { cut.min(1) } else { cut };
            return if held == read { Step::Cut(cut.min(read)) } else { Step::Text(written, read - held) };
        };
        match read.saturating_sub(invalid + after) {
            0 => Step::Invalid(invalid.clamp(1, chunk.len())),
            source => Step::Text(written, source),
        }
    }

    /// ISO-2022-JP: every line begins in ASCII (RFC 1468), and `\n` ends it in any state.
    fn by_line(&mut self, whatwg: &'static Whatwg, chunk: &[u8]) -> Step {
        if chunk[0] == b'\n' {
            self.state = EscapeState::default();
            self.make_room(1);
            self.utf8[0] = b'\n';
            return Step::Text(1, 1);
        }
        let line_end = memchr::memchr(b'\n', chunk);
        let line = &chunk[..line_end.unwrap_or(chunk.len())];
        // The escape sequence restores the state; two in a row are an error.
        let repeats = line[0] != 0x1B || self.state.is_last;
        let escape = self.state.escape.filter(|_| repeats);
        let step = self.legacy(whatwg, escape.as_ref().map_or(&[], |escape| &escape[..]), line);
        match step {
            Step::Text(_, source) => self.remember(&line[..source]),
            Step::Invalid(_) => self.state.is_last = false,
            // A newline also ends a cut character.
            Step::Cut(len) if line_end.is_some() => return Step::Invalid(len),
            Step::Cut(_) => {}
        }
        step
    }

    fn remember(&mut self, text: &[u8]) {
        self.state.is_last = false;
        let escapes = memchr::memrchr(0x1B, text).and_then(|at| text.get(at..at + 3));
        if let Some([a, b, c]) = escapes {
            self.state = EscapeState { escape: Some([*a, *b, *c]), is_last: text.ends_with(&[*a, *b, *c]) };
        }
    }

    fn make_room(&mut self, bytes: usize) {
        if self.utf8.len() < bytes {
            self.utf8.resize(bytes, 0);
        }
    }
}

/// The lines at the start of `bytes` that are all UTF-8, or all of another encoding, and which they are. Lines of ASCII may be
/// either. The last line may be cut; if the text ends there, it cuts no character.
fn mixed_lines(bytes: &[u8], is_end: bool) -> (Encoding, usize) {
    let other = Encoding::Legacy(encoding_rs::WINDOWS_1252);
    let judge = |bytes: &[u8]| match simdutf8::compat::from_utf8(bytes) {
        Ok(_) => None,
        Err(error) if error.error_len().is_none() && !is_end && !bytes.ends_with(b"\n") => None,
        Err(error) => Some(error.valid_up_to()),
    };
    let Some(invalid) = judge(bytes) else { return (Encoding::Utf8, bytes.len()) };
    let start = memchr::memrchr(b'\n', &bytes[..invalid]).map_or(0, |end| end + 1);
    if start > 0 {
        return (Encoding::Utf8, start);
    }
    let mut end = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if end > 0 && !line.is_ascii() && judge(line).is_none() {
            break;
        }
        end += line.len();
    }
    (other, end)
}

impl Encoding {
    /// `bytes` at `offset` of a file as UTF-8, with U+FFFD for invalid sequences. A character that the end cuts is one if
    /// `is_end`, and is left out if not.
    pub fn decode_lossy(self, bytes: &[u8], offset: u64, is_end: bool) -> Vec<u8> {
        let mut text = Vec::with_capacity(bytes.len());
        let mut decoder = TextDecoder::new(self);
        decoder.ends(is_end);
        let mut used = 0;
        while let Some(run) = decoder.next_run(&bytes[used..], offset + used as u64) {
            match run {
                Run::Text(run) => {
                    text.extend_from_slice(run.utf8);
                    used += run.source.len();
                }
                Run::Cut(_) if !is_end => break,
                Run::Invalid(bad) | Run::Cut(bad) => {
                    text.extend_from_slice("\u{FFFD}".as_bytes());
                    used += bad.len();
                }
            }
        }
        text
    }

    /// The length of the first character of `bytes`, if it is valid and complete.
    pub fn first_char(self, bytes: &[u8]) -> Option<usize> {
        let width = self.units().width;
        (width..=bytes.len().min(MAX_CHARACTER)).step_by(width).find(|&len| {
            let mut decoder = TextDecoder::new(self);
            matches!(decoder.next_run(&bytes[..len], 0), Some(Run::Text(text)) if text.source.len() == len)
        })
    }

    /// The label, in lower case.
    pub fn name(self) -> String {
        match self {
            Encoding::Utf8 => "utf-8".to_owned(),
            Encoding::Utf16 { big_endian } => format!("utf-16{}", if big_endian { "be" } else { "le" }),
            Encoding::Utf32 { big_endian } => format!("utf-32{}", if big_endian { "be" } else { "le" }),
            Encoding::Legacy(whatwg) | Encoding::Mixed(whatwg) => whatwg.name().to_ascii_lowercase(),
        }
    }

    /// The units of its newlines.
    pub fn units(self) -> Units {
        match self {
            Encoding::Utf8 | Encoding::Legacy(_) | Encoding::Mixed(_) => Units::BYTES,
            Encoding::Utf16 { big_endian } => Units::pairs(big_endian),
            Encoding::Utf32 { big_endian } => Units::quads(big_endian),
        }
    }

    /// The byte order mark; empty for a legacy encoding.
    pub fn mark(self) -> &'static [u8] {
        match self {
            Encoding::Utf8 => BOM,
            Encoding::Utf16 { big_endian: false } => b"\xFF\xFE",
            Encoding::Utf16 { big_endian: true } => b"\xFE\xFF",
            Encoding::Utf32 { big_endian: false } => b"\xFF\xFE\0\0",
            Encoding::Utf32 { big_endian: true } => b"\0\0\xFE\xFF",
            Encoding::Legacy(_) | Encoding::Mixed(_) => b"",
        }
    }

    /// The encoding, if it was guessed: UTF-8 is evident in any line, so a guess of single bytes is one of the other lines.
    pub fn guessed(self) -> Self {
        match self {
            Encoding::Legacy(whatwg) if whatwg.is_single_byte() => Encoding::Mixed(whatwg),
            encoding => encoding,
        }
    }

    /// Whether escape sequences change the meaning of later bytes; such text can be cut only at line ends.
    pub fn has_state(self) -> bool {
        self == Encoding::Legacy(ISO_2022_JP)
    }
}

impl<'a> DecodedText<'a> {
    /// Splits after `n` bytes of text. Source that cannot be cut there (one code for two code points, or a line of
    /// an encoding with state) goes to the second part.
    pub fn split_at(&self, n: usize) -> (DecodedText<'a>, DecodedText<'a>) {
        let (_, source) = self.edge(n);
        let first = DecodedText { utf8: &self.utf8[..n], source: &self.source[..source], ..*self };
        let at = self.at + source as u64;
        (first, DecodedText { utf8: &self.utf8[n..], source: &self.source[source..], at, ..*self })
    }

    /// The first `n` bytes of the text, without a rest. With state, they stand for the whole source.
    pub fn clip(&self, n: usize) -> DecodedText<'a> {
        if self.encoding.has_state() {
            DecodedText { utf8: &self.utf8[..n], ..*self }
        } else {
            self.split_at(n).0
        }
    }

    /// The most characters that fit into `room` bytes of content.
    pub fn within(&self, room: usize, raw: bool) -> DecodedText<'a> {
        let (text, source) = match (self.encoding, raw) {
            (Encoding::Utf8, _) | (_, false) => self.edge(floor_char(self.utf8, room)),
            (encoding, true) if encoding.has_state() && room < self.source.len() => (0, 0),
            (encoding, true) => {
                let mut decoder = TextDecoder::new(encoding);
                match decoder.next_run(&self.source[..room.min(self.source.len())], 0) {
                    Some(Run::Text(text)) => (text.utf8.len(), text.source.len()),
                    _ => (0, 0),
                }
            }
        };
        DecodedText { utf8: &self.utf8[..text.min(self.utf8.len())], source: &self.source[..source], ..*self }
    }

    /// The last character boundary within `n` bytes of text that is also one of the source, as an index into both.
    fn edge(&self, n: usize) -> (usize, usize) {
        if n >= self.utf8.len() {
            return (self.utf8.len(), self.source.len());
        }
        let text = &self.utf8[..n];
        let chars = || text.iter().map(|byte| usize::from(*byte & 0xC0 != 0x80)).sum::<usize>();
        match self.encoding {
            Encoding::Utf8 => (n, n),
            Encoding::Utf16 { .. } => {
                let astral = text.iter().map(|byte| usize::from(*byte >= 0xF0)).sum::<usize>();
                (n, 2 * (chars() + astral))
            }
            Encoding::Utf32 { .. } => (n, 4 * chars()),
            Encoding::Legacy(whatwg) | Encoding::Mixed(whatwg) if whatwg.is_single_byte() => (n, chars()),
            Encoding::Legacy(_) if self.encoding.has_state() => (0, 0),
            Encoding::Legacy(whatwg) | Encoding::Mixed(whatwg) => self.edge_by_decoding(whatwg, n),
        }
    }

    /// Decodes character by character from the last newline, which is one byte in every encoding.
    fn edge_by_decoding(&self, whatwg: &'static Whatwg, n: usize) -> (usize, usize) {
        let lines = newline::count(&self.utf8[..n]);
        let after_lines = |bytes| Units::BYTES.after_nth(bytes, lines).unwrap_or(0);
        let (mut text, mut source) = (after_lines(self.utf8), after_lines(self.source));
        let mut character = [0; 16];
        while text < n {
            let Some(len) = self.encoding.first_char(&self.source[source..]) else { break };
            let mut decoder = whatwg.new_decoder_without_bom_handling();
            let bytes = &self.source[source..source + len];
            let (_, _, written) = decoder.decode_to_utf8_without_replacement(bytes, &mut character, true);
            if text + written > n {
                break;
            }
            (text, source) = (text + written, source + len);
        }
        (text, source)
    }

    /// The offset in the file of the first byte after this text.
    pub fn end(&self) -> u64 {
        self.at + self.source.len() as u64
    }

    /// The bytes of the file if `raw`, else the text in UTF-8.
    pub fn content(&self, raw: bool) -> &'a [u8] {
        if raw { self.source } else { self.utf8 }
    }
}

/// The most bytes of a character or an invalid sequence; in ISO-2022-JP, an incomplete escape can precede it.
pub const MAX_CHARACTER: usize = 8;

/// The encoding of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    #[default]
    Utf8,
    /// UTF-16.
    Utf16 {
        /// Whether the high byte of a unit is first.
        big_endian: bool,
    },
    /// UTF-32, which the WHATWG standard omits.
    Utf32 {
        /// Whether the high byte of a unit is first.
        big_endian: bool,
    },
    /// An older encoding of the WHATWG Encoding Standard. The newline of all of them is the byte `\n`.
    Legacy(&'static Whatwg),
    /// An encoding of single bytes that was guessed: it holds for lines that are not UTF-8.
    Mixed(&'static Whatwg),
}

/// Text as UTF-8 and as it is in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodedText<'a> {
    /// The text in UTF-8.
    pub utf8: &'a [u8],
    /// The bytes of the file that were decoded.
    pub source: &'a [u8],
    /// The offset of `source` in the file.
    pub at: u64,
    pub(super) encoding: Encoding,
}

/// The most bytes of a character.
pub const MAX_CHAR: usize = 4;

/// The start and the end of the valid character that a cut at `at` would split.
/// `window` must reach three bytes to both sides of `at`, or to the ends of the file.
/// A lead byte always begins a new sequence, so three bytes are enough. A cut never moves over invalid bytes.
pub fn split_char(window: &[u8], at: usize) -> Option<(usize, usize)> {
    let is_continuation = |b: &u8| b & 0xC0 == 0x80;
    if !window.get(at).is_some_and(is_continuation) {
        return None;
    }
    let start = (at.saturating_sub(MAX_CHAR - 1)..at).rev().find(|&i| !is_continuation(&window[i]))?;
    let most = window.len().min(start + MAX_CHAR);
    let end = (start + 1..=most).find(|&end| std::str::from_utf8(&window[start..end]).is_ok())?;
    (end > at).then_some((start, end))
}

/// The largest index of valid `text` that is at most `limit` and splits no character.
pub fn floor_char(text: &[u8], limit: usize) -> usize {
    if limit >= text.len() {
        return text.len();
    }
    (0..=limit).rev().find(|&i| text[i] & 0xC0 != 0x80).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(encoding: Encoding, bytes: &[u8], step: usize) -> String {
        let mut decoder = TextDecoder::new(encoding);
        let (mut all, mut at, mut reach) = (String::new(), 0, step);
        while at < bytes.len() {
            let end = bytes.len().min(reach.max(at + 1));
            let source = match decoder.next_run(&bytes[at..end], at as u64).unwrap() {
                Run::Cut(_) if end < bytes.len() => {
                    reach = end + step;
                    continue;
                }
                Run::Text(text) => {
                    all.push_str(std::str::from_utf8(text.utf8).unwrap());
                    text.source.len()
                }
                Run::Invalid(bad) | Run::Cut(bad) => {
                    all.push('\u{FFFD}');
                    bad.len()
                }
            };
            at += source;
            reach = reach.max(at);
        }
        all
    }

    #[test]
    fn runs_of_hostile_bytes_are_the_ones_of_the_standard_library() {
        // Every sequence of four bytes, with one representative of each class of bytes.
        let classes = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
            0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ];
        let mut bytes = Vec::new();
        // Miri tries one in 1009 of them: it interprets the code.
        for index in (0..classes.len().pow(4)).step_by(if cfg!(miri) { 1009 } else { 1 }) {
            bytes.clear();
            let mut rest = index;
            for _ in 0..4 {
                bytes.push(classes[rest % classes.len()]);
                rest /= classes.len();
            }
            let ours = Encoding::Utf8.decode_lossy(&bytes, 0, true);
            assert_eq!(ours, String::from_utf8_lossy(&bytes).as_bytes(), "{bytes:02x?}");
        }
    }

    #[test]
    fn pieces_of_any_size_decode_to_what_the_whole_does() {
        let mut state = 9u64;
        let mut random = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % limit
        };
        let legacy = ["shift_jis", "euc-jp", "euc-kr", "gbk", "gb18030", "big5", "windows-1253", "ibm866"];
        for label in legacy {
            let whatwg = Whatwg::for_label(label.as_bytes()).unwrap();
            for _ in 0..if cfg!(miri) { 2 } else { 300 } {
                let len = random(60);
                let class = |n: u64| match n {
                    0 => 0x30..0x3A,
                    1 => 0x40..0x7F,
                    2 => 0x0A..0x21,
                    _ => 0x80..0x100,
                };
                let byte = |random: &mut dyn FnMut(u64) -> u64| {
                    let range = class(random(6));
                    u8::try_from(range.start + random(range.end - range.start)).unwrap()
                };
                let bytes: Vec<u8> = (0..len).map(|_| byte(&mut random)).collect();
                // A character cut by the end must decode like one cut by a newline.
                let before_newline = [&bytes[..], b"\n"].concat();
                let (expected, _) = whatwg.decode_without_bom_handling(&before_newline);
                let expected = expected.strip_suffix('\n').unwrap();
                for step in [1, 2, 3, 7, 100] {
                    let got = decoded(Encoding::Legacy(whatwg), &bytes, step);
                    assert_eq!(got, expected, "{label} {bytes:02x?} by {step}");
                }
            }
        }
    }

    #[test]
    fn state_is_kept_from_piece_to_piece_and_ends_with_the_line() {
        let (bytes, ..) = encoding_rs::ISO_2022_JP.encode("日本語 and ASCII、また\nnext 行\n");
        for step in [1, 2, 3, 5, 100] {
            let got = decoded(Encoding::Legacy(encoding_rs::ISO_2022_JP), &bytes, step);
            assert_eq!(got, "日本語 and ASCII、また\nnext 行\n", "by {step}");
        }
        let unclosed = decoded(Encoding::Legacy(encoding_rs::ISO_2022_JP), b"\x1B$B\x46\x7C\nabc\n", 4);
        assert_eq!(unclosed, "日\nabc\n");
    }
}

#[cfg(test)]
mod cut_tests {
    use super::*;

    #[test]
    fn text_and_source_are_cut_at_the_same_character() {
        let text = "aé漢😀\nz\u{0A0D}ñ日本\n語";
        let wide = |big_endian: bool| [Encoding::Utf16 { big_endian }, Encoding::Utf32 { big_endian }];
        for encoding in [wide(true), wide(false)].concat() {
            let bytes: Vec<Vec<u8>> = text.chars().map(|c| encoded(c, encoding)).collect();
            check(text, &bytes, encoding);
        }
        for label in ["gb18030", "euc-jp", "shift_jis", "big5"] {
            let whatwg = Whatwg::for_label(label.as_bytes()).unwrap();
            let text = "日本 and 語\nabc 日";
            let bytes = text.chars().map(|c| whatwg.encode(&c.to_string()).0.into_owned());
            check(text, &bytes.collect::<Vec<_>>(), Encoding::Legacy(whatwg));
        }
    }

    fn encoded(c: char, encoding: Encoding) -> Vec<u8> {
        let code = u32::from(c);
        match encoding {
            Encoding::Utf16 { big_endian: true } => {
                c.encode_utf16(&mut [0; 2]).iter().flat_map(|u| u.to_be_bytes()).collect()
            }
            Encoding::Utf16 { .. } => {
                c.encode_utf16(&mut [0; 2]).iter().flat_map(|u| u.to_le_bytes()).collect()
            }
            Encoding::Utf32 { big_endian: true } => code.to_be_bytes().to_vec(),
            _ => code.to_le_bytes().to_vec(),
        }
    }

    fn check(text: &str, bytes: &[Vec<u8>], encoding: Encoding) {
        let all = bytes.concat();
        let mut decoder = TextDecoder::new(encoding);
        let Some(Run::Text(whole)) = decoder.next_run(&all, 0) else { panic!("no text in {all:02x?}") };
        assert_eq!(whole.utf8, text.as_bytes(), "{encoding:?}");
        let mut source = 0;
        for ((index, c), bytes) in text.char_indices().zip(bytes) {
            let (first, rest) = whole.split_at(index);
            assert_eq!((first.source.len(), rest.at), (source, source as u64), "{index} {encoding:?}");
            for room in index..index + c.len_utf8() {
                assert_eq!(whole.within(room, false).source.len(), source, "{room} {encoding:?}");
            }
            for room in source..source + bytes.len() {
                let raw = whole.within(room, true);
                assert_eq!((raw.utf8.len(), raw.source.len()), (index, source), "{room} {encoding:?}");
            }
            source += bytes.len();
        }
    }

    #[test]
    fn a_character_of_two_code_points_is_not_cut() {
        let mut decoder = TextDecoder::new(Encoding::Legacy(encoding_rs::BIG5));
        let Some(Run::Text(text)) = decoder.next_run(b"a\x88\x62b", 0) else { panic!("no text") };
        assert_eq!(std::str::from_utf8(text.utf8).unwrap(), "a\u{CA}\u{304}b");
        assert_eq!(text.within(3, false).utf8, b"a");
        assert_eq!(text.within(5, false).source, b"a\x88\x62");
    }

    #[test]
    fn a_first_character_is_a_whole_one() {
        let sjis = Encoding::Legacy(encoding_rs::SHIFT_JIS);
        assert_eq!(sjis.first_char(b"\x93\xFA\x96\x7B"), Some(2));
        assert_eq!(sjis.first_char(b"\x93"), None);
        assert_eq!(sjis.first_char(b"\xB1\xB2"), Some(1));
        let gb = Encoding::Legacy(encoding_rs::GB18030);
        assert_eq!(gb.first_char(b"\x94\x39\xDA\x33z"), Some(4));
        let utf16 = Encoding::Utf16 { big_endian: true };
        assert_eq!(utf16.first_char(b"\xD8\x3D\xDE\x00"), Some(4));
        assert_eq!(utf16.first_char(b"\xD8\x3D\0a"), None);
        assert_eq!(utf16.first_char(b"\0a\0b"), Some(2));
        assert_eq!(Encoding::Utf8.first_char("é".as_bytes()), Some(2));
    }
}

#[cfg(test)]
mod boundary_tests {
    use super::*;

    #[test]
    fn a_cut_is_moved_exactly_when_it_splits_a_valid_character() {
        let text = "aé漢😀z".as_bytes();
        let starts: Vec<usize> = "aé漢😀z".char_indices().map(|(i, _)| i).chain([text.len()]).collect();
        for at in 0..=text.len() {
            let expected = if starts.contains(&at) {
                None
            } else {
                let next = starts.iter().position(|&s| s > at).unwrap();
                Some((starts[next - 1], starts[next]))
            };
            assert_eq!(split_char(text, at), expected, "at {at}");
        }
        for invalid in [&b"a\x80\x80b"[..], b"\xE2\x82a", b"\xF0\x9F\x92", b"\xC0\x80", b"\xED\xA0\x80"] {
            for at in 0..=invalid.len() {
                assert_eq!(split_char(invalid, at), None, "{invalid:02x?} at {at}");
            }
        }
    }
}
