//! Names of members of ZIP archives: in Unicode, in an encoding that the user names or that is evident, else in code page 437.

use rread_text::encoding::Encoding;

/// The flag of names in UTF-8.
const UTF_8: u16 = 1 << 11;

/// The version of the Unicode field.
const VERSION: u8 = 1;

/// The upper half of code page 437. The lower half is ASCII.
const UPPER: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
                     └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// The name that the bytes `header` and the Unicode field `unicode` spell.
pub(super) fn name_of(
    header: &[u8],
    flags: u16,
    unicode: Option<&[u8]>,
    encoding: Option<Encoding>,
) -> Vec<u8> {
    if let Some(name) = unicode.and_then(|field| of_field(field, header)) {
        return name.to_owned();
    }
    match encoding {
        _ if !is_old(header, flags) => header.to_owned(),
        Some(encoding) => encoding.decode_lossy(header, 0, true),
        None => of_code_page(header).into_bytes(),
    }
}

/// Whether the name `header` is in an encoding that the archive does not say. Many programs write UTF-8 without the flag,
/// and few texts in another encoding are valid UTF-8.
pub(super) fn is_old(header: &[u8], flags: u16) -> bool {
    flags & UTF_8 == 0 && std::str::from_utf8(header).is_err()
}

/// `name` with `/` between its parts, if a program of Windows wrote `\\`.
pub(super) fn with_slashes(mut name: Vec<u8>) -> Vec<u8> {
    if !name.contains(&b'/') {
        name.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
    }
    name
}

/// The name in a Unicode field, if the field was made for the name `header`.
fn of_field<'a>(field: &'a [u8], header: &[u8]) -> Option<&'a [u8]> {
    let (head, name) = field.split_first_chunk::<5>()?;
    let [version, sum @ ..] = head;
    let is_current = *version == VERSION && u32::from_le_bytes(*sum) == crc32fast::hash(header);
    (is_current && !name.is_empty() && std::str::from_utf8(name).is_ok()).then_some(name)
}

pub(super) fn of_code_page(bytes: &[u8]) -> String {
    let upper: Vec<char> = UPPER.chars().collect();
    let decoded = |byte: &u8| match byte.checked_sub(0x80) {
        None => char::from(*byte),
        Some(at) => upper.get(usize::from(at)).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    bytes.iter().map(decoded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rread_text::encoding::Choice;

    fn field(version: u8, of: &[u8], name: &[u8]) -> Vec<u8> {
        [&[version][..], &crc32fast::hash(of).to_le_bytes(), name].concat()
    }

    #[test]
    fn names_are_the_characters_that_their_encoding_means() {
        let old = b"Gr\x94\xE1e.txt";
        let new = "Größe.txt".as_bytes();
        for (header, flags, unicode, name) in [
            (&old[..], 0, None, new),
            (old, UTF_8, None, old),
            (new, 0, None, new),
            (b"a.txt", 0, None, b"a.txt"),
            // A valid field wins, also over a name in ASCII or with the flag.
            (b"Gr__e.txt", 0, Some(field(1, b"Gr__e.txt", new)), new),
            (old, 0, Some(field(1, old, "Größe 2".as_bytes())), "Größe 2".as_bytes()),
            (new, UTF_8, Some(field(1, new, b"plain")), b"plain"),
            // An invalid one does not count: another version, another name, no UTF-8, nothing, cut off.
            (old, 0, Some(field(2, old, b"x")), new),
            (old, 0, Some(field(1, b"renamed", b"x")), new),
            (old, 0, Some(field(1, old, old)), new),
            (old, 0, Some(field(1, old, b"")), new),
            (old, 0, Some(vec![1, 2, 3]), new),
        ] {
            assert_eq!(
                name_of(header, flags, unicode.as_deref(), None),
                name,
                "{header:?} {flags} {unicode:?}"
            );
        }
    }

    #[test]
    fn the_code_page_has_a_character_for_each_byte() {
        let all: Vec<u8> = (0..=255).collect();
        let text = of_code_page(&all);
        let mut seen: Vec<char> = text.chars().collect();
        assert_eq!(text.as_bytes()[..128], all[..128]);
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 256);
        for (byte, character) in
            [(0x80, 'Ç'), (0x9B, '¢'), (0xB0, '░'), (0xDF, '▀'), (0xE1, 'ß'), (0xFF, '\u{a0}')]
        {
            assert_eq!(of_code_page(&[byte]), character.to_string());
        }
    }

    #[test]
    fn an_encoding_holds_for_names_of_which_the_archive_says_none() {
        let Ok(Choice::Label { encoding, .. }) = "shift_jis".parse() else { unreachable!() };
        let header = b"\x83\x8D\x83O/\x83G\x83\x89\x81[.txt";
        assert_eq!(name_of(header, 0, None, Some(encoding)), "ログ/エラー.txt".as_bytes());
        assert_eq!(name_of("é".as_bytes(), 0, None, Some(encoding)), "é".as_bytes());
        assert_eq!(name_of(header, UTF_8, None, Some(encoding)), header);
        for (name, expected) in [("a\\b.log", "a/b.log"), ("a\\", "a/"), ("a/b\\c", "a/b\\c"), ("a", "a")] {
            assert_eq!(with_slashes(name.into()), expected.as_bytes());
        }
    }
}
