//! Cuts decoded text and its source bytes at the same character.

use encoding_rs::Encoding as Whatwg;

use super::decode::{Run, TextDecoder};
use super::types::{DecodedText, Encoding, LONGEST};
use crate::newline::{self, Units};
use crate::utf8::floor_char;

impl Encoding {
    /// The length of the first character of `bytes`, if it is valid and complete.
    pub fn first_char(self, bytes: &[u8]) -> Option<usize> {
        let width = self.units().width();
        (width..=bytes.len().min(LONGEST)).step_by(width).find(|&len| {
            let mut decoder = TextDecoder::new(self);
            matches!(decoder.next_run(&bytes[..len], 0), Some(Run::Text(text)) if text.source.len() == len)
        })
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
            Encoding::Legacy(whatwg) if whatwg.is_single_byte() => (n, chars()),
            Encoding::Legacy(_) if self.encoding.has_state() => (0, 0),
            Encoding::Legacy(whatwg) => self.edge_by_decoding(whatwg, n),
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
}

#[cfg(test)]
mod tests {
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
