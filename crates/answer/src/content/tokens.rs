//! Estimates the tokens of text without a tokenizer: three bytes of UTF-8 are a token, and so is every CJK character.
//!
//! CJK are Han, Hiragana, Katakana, Hangul, CJK punctuation and fullwidth forms: U+1100–11FF, U+2E80–A4CF, U+A960–A97F,
//! U+AC00–D7FF, U+F900–FAFF, U+FE30–FE4F, U+FF00–FFEF and U+20000–3FFFF. All other bytes together are a third of a token
//! each, rounded up.
//!
//! Below U+10000 a CJK character has three bytes, so its bytes are a third of a token each, too. Only those of four bytes
//! have to be found.

use memchr::memchr;

use rread_text::encoding::{MAX_CHAR, floor_char};

/// Estimates are added up in thirds of a token, and rounded up at the end.
pub const THIRDS: u64 = 3;

/// The first byte of characters of four bytes below U+40000.
const LEAD: u8 = 0xF0;

/// The most pairs that a sum in a byte holds; a multiple of every vector width.
const BYTE_SUM: usize = 192;

/// The estimate of `text`, valid UTF-8, in thirds of a token.
pub fn thirds(text: &[u8]) -> u64 {
    let bytes = text.len() as u64;
    // Most text has no such character.
    let Some(first) = memchr(LEAD, text) else { return bytes };
    // The compiler makes vector code of the sums: about 20 GB/s in the cache, whatever the text.
    let text = &text[first..];
    let seconds = text.get(1..).unwrap_or_default();
    let chunks = text.chunks(BYTE_SUM).zip(seconds.chunks(BYTE_SUM));
    let wide = |(first, second): (&u8, &u8)| u8::from(starts_wide(*first, *second));
    let sum = |first: &[u8], second: &[u8]| first.iter().zip(second).map(wide).sum::<u8>();
    let wide: u64 = chunks.map(|(first, second)| u64::from(sum(first, second))).sum();
    bytes - wide
}

/// The length of the longest beginning of `text` that is at most `room` thirds of a token and splits no character.
pub(super) fn fitting(text: &[u8], room: u64) -> usize {
    let (mut end, mut room) = (0, room);
    loop {
        let rest = &text[end..];
        // A byte is at most a third.
        let step = match floor_char(rest, usize::try_from(room).unwrap_or(usize::MAX)) {
            0 if room >= THIRDS && matches!(rest, [first, second, ..] if starts_wide(*first, *second)) => {
                MAX_CHAR
            }
            0 => return end,
            step => step,
        };
        room -= thirds(&rest[..step]);
        end += step;
    }
}

/// Whether a character that starts with these bytes is one of U+20000–3FFFF: four bytes, but one token.
fn starts_wide(first: u8, second: u8) -> bool {
    (first == LEAD) & (second >= 0xA0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_costs_what_the_documents_say() {
        for c in '\0'..=char::MAX {
            // Twice, so that the rounding shows whether it is two characters or their bytes.
            let text = format!("{c}{c}");
            assert_eq!(
                thirds(text.as_bytes()).div_ceil(THIRDS),
                rread_testkit::tokens::tokens(text.as_bytes()),
                "{c:?}"
            );
        }
    }

    #[test]
    fn the_longest_beginning_fits() {
        for text in ["a𠀀bc漢𠀀𠀀😀é", "𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀", "😀𠀀😀𠀀abc", ""]
        {
            for room in 0..50 {
                let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
                let expected = ends.filter(|end| thirds(&text.as_bytes()[..*end]) <= room).max();
                assert_eq!(Some(fitting(text.as_bytes(), room)), expected, "{text} in {room}");
            }
        }
    }
}
