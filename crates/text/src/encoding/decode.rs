//! Decodes blocks into runs: text, invalid sequences, and characters that the end of the block cuts.

use encoding_rs::{DecoderResult, Encoding as Whatwg, GB18030, GBK, mem};

use super::types::{DecodedText, Encoding};
use crate::utf8;

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
        TextDecoder { encoding, units: Vec::new(), utf8: Vec::new(), state: EscapeState::default() }
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
            return Some(Run::Invalid(&bytes[..bytes.len().min(units.width() - off)]));
        }
        let step = match encoding {
            Encoding::Utf8 => {
                return utf8::next_run(bytes).map(|(run, _)| match run {
                    utf8::Utf8Run::Text(text) => {
                        Run::Text(DecodedText { utf8: text, source: text, at, encoding })
                    }
                    utf8::Utf8Run::Invalid(bad) => Run::Invalid(bad),
                    utf8::Utf8Run::Cut(bad) => Run::Cut(bad),
                });
            }
            Encoding::Utf16 { big_endian } => self.utf16(chunk, big_endian),
            Encoding::Utf32 { big_endian } => self.utf32(chunk, big_endian),
            Encoding::Legacy(whatwg) if encoding.has_state() => self.by_line(whatwg, chunk),
            Encoding::Legacy(whatwg) => self.legacy(whatwg, b"", chunk),
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
