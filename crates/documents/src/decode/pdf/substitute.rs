//! The font that stands for one which is not in the document: TrueType with one empty glyph.

use std::sync::Arc;

use hayro_interpret::font::FontData;

/// The name of a table, numbers at offsets in it, and its length.
type FontTable = (&'static [u8; 4], &'static [(usize, u16)], usize);

/// Tables of a TrueType font with one glyph: units of the em, no metrics, and the number of glyphs.
const TABLES: [FontTable; 4] = [
    (b"head", &[(0, 1), (12, 0x5F0F), (14, 0x3CF5), (18, 1000)], 54),
    (b"hhea", &[(0, 1), (34, 1)], 36),
    (b"hmtx", &[], 4),
    (b"maxp", &[(1, 0x0050), (4, 1)], 6),
];

/// The bytes of the font.
pub(super) fn substitute_font() -> FontData {
    Arc::new(substitute_bytes())
}

pub(super) fn substitute_bytes() -> Vec<u8> {
    let mut directory = vec![0, 1, 0, 0, 0, 4, 0, 0x40, 0, 2, 0, 0];
    let mut tables = Vec::new();
    let start = directory.len() + 16 * TABLES.len();
    for (name, values, length) in TABLES {
        let number = |value: usize| u32::try_from(value).unwrap_or(0).to_be_bytes();
        directory.extend(name);
        directory.extend([0; 4]);
        directory.extend(number(start + tables.len()));
        directory.extend(number(length));
        let mut table = vec![0; length.next_multiple_of(4)];
        for (at, value) in values {
            table[*at..at + 2].copy_from_slice(&value.to_be_bytes());
        }
        tables.extend(table);
    }
    directory.extend(tables);
    directory
}
