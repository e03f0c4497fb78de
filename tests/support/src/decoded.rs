//! A naive decoder that decodes the whole text in memory.

use encoding_rs::Encoding as Whatwg;
use rread_reader::reader::encoding::Align;
use rread_reader::reader::full_scan::{FullScan, Invalid, Longest};
use rread_text::encoding::Encoding;

use crate::naive::odd;
use crate::rng::Rng;

/// A character or an invalid sequence and its bytes in the file.
#[derive(Clone, Debug)]
pub struct Item {
    pub start: u64,
    pub end: u64,
    /// `None` for what is invalid.
    pub text: Option<String>,
}

/// A whole text, decoded.
pub struct Whole {
    pub bytes: Vec<u8>,
    pub encoding: Encoding,
    pub items: Vec<Item>,
    /// Where lines begin; the last boundary is the end.
    pub bounds: Vec<u64>,
}

impl Whole {
    pub fn new(bytes: Vec<u8>, encoding: Encoding) -> Self {
        let items = match encoding {
            Encoding::Utf8 => panic!("UTF-8 has tests of its own"),
            Encoding::Utf16 { big_endian } => utf16(&bytes, big_endian),
            Encoding::Utf32 { big_endian } => utf32(&bytes, big_endian),
            Encoding::Legacy(whatwg) => legacy(&bytes, whatwg),
            Encoding::Mixed(_) => panic!("only a guess is mixed"),
        };
        let mut bounds = vec![0];
        bounds.extend(items.iter().filter(|item| item.text.as_deref() == Some("\n")).map(|item| item.end));
        if bounds[bounds.len() - 1] < bytes.len() as u64 {
            bounds.push(bytes.len() as u64);
        }
        Whole { bytes, encoding, items, bounds }
    }

    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub fn lines(&self) -> u64 {
        self.bounds.len() as u64 - 1
    }

    pub fn after(&self, lines: u64) -> u64 {
        self.bounds[usize::try_from(lines.min(self.lines())).unwrap()]
    }

    pub fn newlines_before(&self, offset: u64) -> u64 {
        let newlines = self.items.iter().filter(|item| item.text.as_deref() == Some("\n"));
        newlines.filter(|item| item.end <= offset).count() as u64
    }

    /// The content of the items that lie from `start` to `end`.
    pub fn content(&self, start: u64, end: u64) -> String {
        let items = self.items.iter().filter(|item| item.start >= start && item.end <= end);
        items.map(|item| item.text.as_deref().unwrap_or("\u{FFFD}")).collect()
    }

    pub fn invalid(&self, start: u64, end: u64) -> Invalid {
        let mut invalid = Invalid::default();
        let items = self.items.iter().filter(|item| item.start >= start && item.end <= end);
        items.filter(|item| item.text.is_none()).for_each(|item| invalid.add(item.start));
        invalid
    }

    /// Characters are never cut, and neither are units of more than one byte.
    pub fn align(&self, start: u64, end: u64, align: Align) -> (u64, u64) {
        let width = self.encoding.units().width as u64;
        let is_whole = |item: &&Item| item.text.is_some() || width > 1 && item.end - item.start == width;
        let split =
            |at: u64| self.items.iter().filter(is_whole).find(|item| item.start < at && at < item.end);
        if start >= end {
            return (start, end);
        }
        match align {
            Align::None => (start, end),
            Align::Expand => (split(start).map_or(start, |c| c.start), split(end).map_or(end, |c| c.end)),
            Align::Shrink => {
                let start = split(start).map_or(start, |c| c.end);
                (start, split(end).map_or(end, |c| c.start).max(start))
            }
        }
    }

    pub fn full_scan(&self) -> FullScan {
        let width = self.encoding.units().width as u64;
        let mut longest = Longest::default();
        for (index, ends) in self.bounds.windows(2).enumerate() {
            let terminated = self.newlines_before(ends[1]) > self.newlines_before(ends[0]);
            let bytes = ends[1] - ends[0] - if terminated { width } else { 0 };
            if index == 0 || bytes > longest.bytes {
                longest = Longest { line: index as u64 + 1, bytes };
            }
        }
        let is = |item: &Item, text: &str| item.text.as_deref() == Some(text);
        let crlf =
            self.items.windows(2).filter(|pair| is(&pair[0], "\r") && is(&pair[1], "\n")).count() as u64;
        let lf = self.newlines_before(self.size()) - crlf;
        let has_returns = lf + crlf == 0 && self.items.iter().any(|item| is(item, "\r"));
        FullScan {
            lines: self.lines(),
            lf,
            crlf,
            has_returns,
            longest,
            invalid: self.invalid(0, self.size()),
            odd: odd(|| {
                self.items.iter().filter_map(|item| Some((item.start, item.text.as_ref()?.chars().next()?)))
            }),
        }
    }
}

fn utf16(bytes: &[u8], big_endian: bool) -> Vec<Item> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| match big_endian {
        true => u16::from_be_bytes(*pair),
        false => u16::from_le_bytes(*pair),
    });
    let mut items = Vec::new();
    let mut start = 0;
    for item in char::decode_utf16(units) {
        let len = item.as_ref().map_or(1, |c| c.len_utf16()) as u64 * 2;
        items.push(Item { start, end: start + len, text: item.ok().map(String::from) });
        start += len;
    }
    if !rest.is_empty() {
        items.push(Item { start, end: start + 1, text: None });
    }
    items
}

fn utf32(bytes: &[u8], big_endian: bool) -> Vec<Item> {
    let units = bytes.chunks(4).zip((0u64..).step_by(4));
    let item = |(unit, start): (&[u8], u64)| {
        let code = <[u8; 4]>::try_from(unit).ok();
        let code = code.map(|b| if big_endian { u32::from_be_bytes(b) } else { u32::from_le_bytes(b) });
        let text = code.and_then(char::from_u32).map(String::from);
        Item { start, end: start + unit.len() as u64, text }
    };
    units.map(item).collect()
}

/// Character by character; that this is what decoding in one go gives is checked.
fn legacy(bytes: &[u8], whatwg: &'static Whatwg) -> Vec<Item> {
    // What breaks off at the end breaks off in the same way before a newline: a slice cannot tell the two apart.
    let bytes = &[bytes, b"\n"].concat();
    let decode = |bytes| whatwg.decode_without_bom_handling_and_without_replacement(bytes);
    let mut items: Vec<Item> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let valid = (1..=4.min(bytes.len() - at)).find_map(|len| Some((len, decode(&bytes[at..at + len])?)));
        let (len, text) = match valid {
            Some((len, text)) => (len, Some(text.into_owned())),
            None => {
                let mut decoder = whatwg.new_decoder_without_bom_handling();
                let mut text = [0; 64];
                let (result, ..) = decoder.decode_to_utf8_without_replacement(
                    &bytes[at..bytes.len().min(at + 8)],
                    &mut text,
                    true,
                );
                let encoding_rs::DecoderResult::Malformed(len, _) = result else { panic!("{result:?}") };
                (usize::from(len), None)
            }
        };
        items.push(Item { start: at as u64, end: (at + len) as u64, text });
        at += len;
    }
    let joined: String = items.iter().map(|item| item.text.as_deref().unwrap_or("\u{FFFD}")).collect();
    assert_eq!(joined, whatwg.decode_without_bom_handling(bytes).0, "{} {bytes:02x?}", whatwg.name());
    items.pop();
    items
}

pub fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf16 { big_endian } => {
            let swap = |unit: u16| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
            text.encode_utf16().flat_map(swap).collect()
        }
        Encoding::Utf32 { big_endian } => {
            let swap =
                |c: char| if big_endian { u32::from(c).to_be_bytes() } else { u32::from(c).to_le_bytes() };
            text.chars().flat_map(swap).collect()
        }
        Encoding::Legacy(whatwg) | Encoding::Mixed(whatwg) => whatwg.encode(text).0.into_owned(),
    }
}

pub const WIDE: [Encoding; 4] = [
    Encoding::Utf16 { big_endian: false },
    Encoding::Utf16 { big_endian: true },
    Encoding::Utf32 { big_endian: false },
    Encoding::Utf32 { big_endian: true },
];

pub fn legacy_named(label: &str) -> Encoding {
    Encoding::Legacy(Whatwg::for_label(label.as_bytes()).unwrap())
}

/// Pieces with all that is hard: U+0A0D and U+0D0A hold the bytes of newlines, U+0A0A twice.
const PIECES: [&str; 13] =
    ["𠀀", "a", "bc ", "\n", "\r\n", "\r", "\u{0A0D}", "\u{0D0A}", "\u{0A0A}", "😀", "漢", "é", "\u{FEFF}"];

/// A text of many lines in `encoding`, now and then with something in it that is none.
pub fn any(rng: &mut Rng, encoding: Encoding) -> Vec<u8> {
    let pieces = ["a", "日", "本", "bc 9", "\n", "\r\n", "\r", "ア", "0", "é", "~", "\t"];
    let mut bytes = Vec::new();
    let damage = rng.one_in(2);
    for _ in 0..rng.below(90) {
        let wide = encoding.units().width > 1;
        let piece = if wide { rng.pick(&PIECES) } else { rng.pick(&pieces) };
        let is_legacy = matches!(encoding, Encoding::Legacy(_));
        // What the encoding has no bytes for would be written as a reference of HTML.
        let fits = !is_legacy || matches!(encoding, Encoding::Legacy(w) if !w.encode(piece).2);
        if fits {
            bytes.extend(encoded(piece, encoding));
        }
        if damage && rng.one_in(9) {
            match encoding {
                Encoding::Utf16 { big_endian } => {
                    let unit: u16 = rng.pick(&[0xD83D, 0xDE00, 0xDFFF, 0xD800]);
                    bytes.extend(if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() });
                }
                Encoding::Utf32 { big_endian } => {
                    let unit: u32 = rng.pick(&[0xD83D, 0x11_0000, 0x0A00_0000, 0xFFFF_FFFF]);
                    bytes.extend(if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() });
                }
                _ => bytes.push(rng.pick(&[0x80, 0x81, 0x8F, 0xA0, 0xFE, 0xFF, 0xE3, 0x95])),
            }
        }
    }
    if damage && rng.one_in(2) {
        let keep = bytes.len() - rng.below(4).min(bytes.len());
        bytes.truncate(keep);
    }
    bytes
}
