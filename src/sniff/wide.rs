//! UTF-16 and UTF-32 without a byte order mark, told from binary data by the characters that come out.

use std::iter;

/// What the sample would be as text in each encoding of wide units, and which of them it is.
///
/// A sample is text in one of them when it decodes without a mistake, holds hardly any control
/// characters, keeps to one script beside Latin, and has spaces, line ends or the punctuation of East Asia.
/// Of 6,345 binary files of a Linux system none passes.
pub(super) fn detect(head: &[u8], whole: bool) -> Option<&'static str> {
    let (pairs, _) = head.as_chunks::<2>();
    let (quads, _) = head.as_chunks::<4>();
    let le16 = Tally::of_units(pairs.iter().map(|pair| u16::from_le_bytes(*pair)), whole);
    let be16 = Tally::of_units(pairs.iter().map(|pair| u16::from_be_bytes(*pair)), whole);
    let le32 = Tally::of(quads.iter().map(|quad| char::from_u32(u32::from_le_bytes(*quad))));
    let be32 = Tally::of(quads.iter().map(|quad| char::from_u32(u32::from_be_bytes(*quad))));
    let readings = [("utf-16le", le16), ("utf-16be", be16), ("utf-32le", le32), ("utf-32be", be32)];
    let texts = readings.into_iter().filter_map(|(label, tally)| Some((label, tally?)));
    let best = texts.filter(|(_, tally)| tally.is_text()).max_by_key(|(_, tally)| tally.evidence());
    best.map(|(label, _)| label)
}

/// Writing systems: pages of 256 characters of Unicode, some of them joined.
const LATIN: u8 = 0x00;
const COMMON: u8 = 0x20;
const EAST_ASIAN: u8 = 0x30;
const REST: u8 = 0xE0;

/// Counts of what a sample holds, read in one encoding.
struct Tally {
    chars: usize,
    ascii: usize,
    /// Blanks, line ends, and the stops and commas of East Asia.
    spaces: usize,
    controls: usize,
    /// Characters that are two of ASCII if the sample is one of bytes.
    twins: usize,
    /// Characters beyond ASCII, by writing system.
    scripts: [u16; 256],
}

impl Tally {
    fn of_units(units: impl DoubleEndedIterator<Item = u16> + Clone, whole: bool) -> Option<Tally> {
        let is_cut = !whole && units.clone().next_back().is_some_and(|unit| (0xD800..0xDC00).contains(&unit));
        let mut chars = char::decode_utf16(units).map(Result::ok).peekable();
        // The end of the sample may part a pair of surrogates.
        Tally::of(iter::from_fn(move || {
            let c = chars.next()?;
            if is_cut && c.is_none() && chars.peek().is_none() { None } else { Some(c) }
        }))
    }

    /// `None` if any of the characters is none, or one that no text has.
    fn of(chars: impl Iterator<Item = Option<char>>) -> Option<Tally> {
        let mut tally = Tally { chars: 0, ascii: 0, spaces: 0, controls: 0, twins: 0, scripts: [0; 256] };
        for c in chars {
            tally.add(u32::from(c?))?;
        }
        Some(tally)
    }

    fn add(&mut self, code: u32) -> Option<()> {
        self.chars += 1;
        match code {
            0 => return None,
            0x09 | 0x0A | 0x0C | 0x0D | 0x20 => {
                self.spaces += 1;
                self.ascii += 1;
            }
            0x08 | 0x0B | 0x1B | 0x21..=0x7E => self.ascii += 1,
            // Private use is no better than a control character here.
            0x00..=0x9F | 0xE000..=0xF8FF | 0xF_0000.. => self.controls += 1,
            0xFDD0..=0xFDEF => return None,
            _ if code & 0xFFFE == 0xFFFE => return None,
            _ => {
                // Ideographic space, comma and full stop, and the fullwidth comma.
                self.spaces += usize::from(matches!(code, 0x3000..=0x3002 | 0xFF0C));
                let is_ascii = |byte: u32| (0x20..0x7F).contains(&byte);
                // Most of Hiragana is such a twin, of a zero.
                self.twins += usize::from(is_ascii(code >> 8) && is_ascii(code & 0xFF) && code >> 8 != 0x30);
                self.scripts[usize::from(script(code))] += 1;
            }
        }
        Some(())
    }

    /// How much speaks for this reading when another one is possible.
    fn evidence(&self) -> usize {
        self.ascii + self.spaces
    }

    fn is_text(&self) -> bool {
        if self.chars < 2 || self.controls * 100 > self.chars {
            return false;
        }
        if self.ascii * 20 >= self.chars * 19 {
            return true;
        }
        let count = |script: u8| usize::from(self.scripts[usize::from(script)]);
        let of_script = |script: &u8| ![LATIN, COMMON, REST].contains(script);
        let main = (0..=u8::MAX).filter(of_script).map(count).max().unwrap_or(0);
        let strange = self.chars - self.ascii - count(LATIN) - count(COMMON) - main;
        strange * 10 <= self.chars
            // Letters with marks stand among those without.
            && count(LATIN) <= self.ascii.max(main)
            // Strings with NULs between them look Chinese: a fourth of true Chinese text looks like ASCII.
            && self.twins * 5 <= (self.chars - self.ascii) * 3
            && self.spaces > 0
            && self.spaces * 500 >= self.chars
    }
}

/// The writing system of a character beyond ASCII, by blocks of Unicode 16.
fn script(code: u32) -> u8 {
    match code >> 8 {
        0x00..=0x02 | 0x1E => LATIN,
        // Extended Greek; Arabic, its extensions and its presentation forms; Ethiopic; Canadian Aboriginal.
        0x1F => 0x03,
        0x06 | 0x08 | 0xFB..=0xFE => 0x06,
        0x12 | 0x13 => 0x12,
        0x14..=0x16 => 0x14,
        // Punctuation, signs and arrows; mathematical letters; emoji.
        0x20..=0x2B | 0x1D4..=0x1D7 | 0x1F0..=0x1FA => COMMON,
        // Kana, Han, Yi and Hangul.
        0x11 | 0x2E..=0xA4 | 0xAC..=0xD7 | 0xF9 | 0xFA | 0xFF | 0x200..=0x33F => EAST_ASIAN,
        page => u8::try_from(page).unwrap_or(REST),
    }
}
