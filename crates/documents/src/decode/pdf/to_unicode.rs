//! Maps from the codes of a font to characters (`ToUnicode`, ISO 32000-2, 9.10.3), as they are written: with errors.
//!
//! `hayro` reads no character of a map with an error, so rread reads such a map entry by entry and writes it again.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hayro_interpret::hayro_cmap::{BfString, CMap, CMapName, load_embedded};
use hayro_interpret::hayro_syntax::object::String as PdfString;
use hayro_interpret::hayro_syntax::reader::{Reader, ReaderExt as _};

/// Stands for the text of a glyph that takes room and has none. Simple fonts ignore U+0000, which broken maps have.
pub(super) const SILENT: char = '\u{10}';

/// The most codes of one map, and of one range of it.
const MAX_ENTRIES: u32 = 1 << 16;

/// The most codes that the ranges of one map may have together: later ranges may replace earlier ones.
const MAX_STEPS: u32 = 4 * MAX_ENTRIES;

/// The entries of a map.
#[derive(Clone, Debug, Default)]
pub(super) struct Map {
    /// The characters of each code, in UTF-16.
    texts: BTreeMap<u32, Vec<u16>>,
    /// The name of a map that has the other codes.
    base: Option<Vec<u8>>,
    /// The codes so far, also those that were replaced.
    steps: u32,
}

/// The words before lists, how many codes an entry of them begins with, and whether it has a number in place of
/// characters, as some programs write.
const LISTS: [(&[u8], usize, bool); 4] = [
    (b"beginbfchar", 1, false),
    (b"beginbfrange", 2, false),
    (b"begincidchar", 1, true),
    (b"begincidrange", 2, true),
];

/// The source of the characters of a code.
enum Text<'a> {
    Units(Vec<u16>),
    List(Vec<Token<'a>>),
}

impl Map {
    /// Reads the map `bytes`; entries that make no sense are left out.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let (mut map, mut numbers) = (Map::default(), Map::default());
        let mut tokens = Tokens::new(bytes);
        // Outside of lists, the count is 0.
        let (mut count, mut has_numbers, mut before) = (0, false, None);
        let mut codes: Vec<Option<u32>> = Vec::new();
        while let Some(token) = tokens.next() {
            match token {
                Token::Word(word) if has_numbers && codes.len() == count => {
                    let first = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
                    if let Some(c) = first.and_then(char::from_u32) {
                        numbers.add(&codes, Text::Units(c.encode_utf16(&mut [0; 2]).to_vec()));
                    }
                    codes.clear();
                }
                Token::Word(word) => {
                    codes.clear();
                    let list = LISTS.iter().find(|(name, ..)| *name == word);
                    // A word inside of a list is an error.
                    let is_end = word.starts_with(b"begin") || word.starts_with(b"end");
                    match list.map(|(_, count, has_numbers)| (*count, *has_numbers)) {
                        Some(list) => (count, has_numbers) = list,
                        None if is_end => (count, has_numbers) = (0, false),
                        None if word == b"usecmap" => map.base = before.take(),
                        None => {}
                    }
                }
                Token::Name(name) if count == 0 => before = Some(name.to_vec()),
                _ if count == 0 => {}
                Token::String(code) if codes.len() < count => codes.push(number(&code)),
                token if codes.len() == count && !has_numbers => {
                    let text = match token {
                        Token::Open => Some(Text::List(tokens.list())),
                        other => units(&other).map(Text::Units),
                    };
                    if let Some(text) = text {
                        map.add(&codes, text);
                    }
                    codes.clear();
                }
                _ => codes.clear(),
            }
        }
        // Beside characters, numbers are those of glyphs.
        if map.is_empty() { numbers } else { map }
    }

    /// Adds an entry for one code, or for those from the first to the last.
    fn add(&mut self, codes: &[Option<u32>], text: Text<'_>) {
        let (Some(Some(first)), Some(Some(last))) = (codes.first(), codes.last()) else { return };
        let range = *first..=(*last).clamp(*first, first.saturating_add(MAX_ENTRIES - 1));
        for code in range.take(MAX_STEPS.saturating_sub(self.steps) as usize) {
            let found = match &text {
                Text::List(list) => list.get((code - first) as usize).map(units),
                Text::Units(units) => add_to_last(units, code - first).map(Some),
            };
            let Some(found) = found else { break };
            found.into_iter().for_each(|units| self.insert(code, units));
        }
    }

    fn insert(&mut self, code: u32, units: Vec<u16>) {
        self.steps += 1;
        let has_room = self.texts.len() < MAX_ENTRIES as usize || self.texts.contains_key(&code);
        if has_room && String::from_utf16(&units).is_ok() {
            self.texts.insert(code, units);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.known_base().is_none()
    }

    /// The name of the other map, if rread has it.
    fn known_base(&self) -> Option<&[u8]> {
        self.base.as_deref().filter(|name| load_embedded(CMapName::from_bytes(name)).is_some())
    }

    /// Whether `hayro` reads the map `bytes` as this.
    pub(super) fn is_read_from(&self, bytes: &[u8]) -> bool {
        let Some(map) = CMap::parse(bytes, load_embedded) else { return self.is_empty() };
        self.texts.iter().all(|(code, units)| {
            map.lookup_bf_string(*code).is_some_and(|found| match found {
                BfString::Char(c) => units.as_slice() == &*c.encode_utf16(&mut [0; 2]),
                BfString::String(text) => text.encode_utf16().eq(units.iter().copied()),
            })
        })
    }

    /// The map in a form that `hayro` reads.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut text = "begincmap\n".to_owned();
        if let Some(base) = self.known_base() {
            let _ = writeln!(text, "/{} usecmap", String::from_utf8_lossy(base));
        }
        text.push_str("beginbfrange\n");
        let mut entries = self.texts.iter().peekable();
        while let Some((first, units)) = entries.next() {
            let mut last = *first;
            // Characters after one another are one entry. `hayro` counts only in the last unit.
            let follows = |code: u32, next: &[u16], last: u32| {
                units.len() == 1
                    && code == last + 1
                    && add_to_last(units, code - first).as_deref() == Some(next)
            };
            while entries.next_if(|(code, next)| follows(**code, next, last)).is_some() {
                last += 1;
            }
            let _ = write!(text, "<{first:08x}> <{last:08x}> <");
            for unit in units {
                let _ = write!(text, "{unit:04x}");
            }
            text.push_str(">\n");
        }
        text.push_str("endbfrange\nendcmap\n");
        text.into_bytes()
    }
}

/// A code of up to four bytes.
fn number(bytes: &[u8]) -> Option<u32> {
    (1..=4).contains(&bytes.len()).then(|| bytes.iter().fold(0, |code, byte| code << 8 | u32::from(*byte)))
}

/// The characters that a token is, in UTF-16.
fn units(token: &Token<'_>) -> Option<Vec<u16>> {
    match token {
        Token::String(bytes) => {
            // A glyph without a text of its own is a part of another one.
            if bytes.is_empty() {
                return Some(SILENT.encode_utf16(&mut [0; 2]).to_vec());
            }
            let (first, pairs) = if bytes.len() % 2 == 1 { bytes.split_at(1) } else { bytes.split_at(0) };
            let pairs = pairs.as_chunks().0.iter().map(|pair| u16::from_be_bytes(*pair));
            let mut units: Vec<u16> = first.iter().map(|byte| u16::from(*byte)).chain(pairs).collect();
            // Some programs write a byte order mark before the characters.
            if units.len() > 1 && units[0] == 0xFEFF {
                units.remove(0);
            }
            Some(units)
        }
        Token::Name(name) => Some(named(std::str::from_utf8(name).ok()?)?.encode_utf16(&mut [0; 2]).to_vec()),
        _ => None,
    }
}

/// The character of a glyph with this name: a letter, or a number after `uni` or `u`.
pub(super) fn named(name: &str) -> Option<char> {
    let code = name.strip_prefix("uni").or_else(|| name.strip_prefix('u')).filter(|code| code.len() >= 4);
    let mut letters = name.chars();
    match (code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32), name) {
        (Some(c), _) => Some(c),
        (None, "space") => Some(' '),
        _ => letters.next().filter(|_| letters.as_str().is_empty()),
    }
}

/// The characters of the code that is `offset` after the first of a range with `units`.
fn add_to_last(units: &[u16], offset: u32) -> Option<Vec<u16>> {
    if offset == 0 {
        return Some(units.to_vec());
    }
    let text = String::from_utf16(units).ok()?;
    let last = text.chars().next_back()?;
    let next = char::from_u32(u32::from(last).checked_add(offset)?)?;
    let mut units = units[..units.len() - last.len_utf16()].to_vec();
    units.extend(next.encode_utf16(&mut [0; 2]).iter());
    Some(units)
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    String(Vec<u8>),
    Name(&'a [u8]),
    Word(&'a [u8]),
    /// The start and the end of a list.
    Open,
    Close,
}

pub(super) struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Tokens { rest: bytes }
    }

    /// The strings and names up to the end of a list.
    pub(super) fn list(&mut self) -> Vec<Token<'a>> {
        let mut list = Vec::new();
        let mut ahead = Tokens { rest: self.rest };
        while let Some(token) = ahead.next() {
            match token {
                Token::String(_) | Token::Name(_) => list.push(token),
                Token::Close => {
                    self.rest = ahead.rest;
                    break;
                }
                // The list has no end: the word belongs to what comes after it.
                Token::Word(_) | Token::Open => break,
            }
            self.rest = ahead.rest;
        }
        list
    }

    /// The bytes before one for which `is_end` is true.
    fn until(&mut self, is_end: impl Fn(&u8) -> bool) -> &'a [u8] {
        let end = self.rest.iter().position(is_end).unwrap_or(self.rest.len());
        let (part, rest) = self.rest.split_at(end);
        self.rest = rest;
        part
    }

    /// The bytes of a string in hexadecimal digits, after its start. Without an end, it ends before what is not a digit.
    fn hexadecimal(&mut self) -> Vec<u8> {
        let before = self.rest;
        let mut digits = self.until(|byte| !byte.is_ascii_hexdigit() && !is_blank(byte));
        match self.rest.strip_prefix(b">") {
            Some(rest) => self.rest = rest,
            // The last letters may be those of a word.
            None => {
                let end = digits.iter().rposition(is_blank).filter(|_| !self.rest.is_empty());
                digits = &digits[..end.unwrap_or(digits.len())];
                self.rest = &before[digits.len()..];
            }
        }
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let digits: Vec<u8> = digits.iter().filter_map(|byte| digit(*byte)).collect();
        // A missing digit is 0 (ISO 32000-2, 7.3.4.3).
        digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect()
    }
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

fn is_delimiter(byte: &u8) -> bool {
    is_blank(byte) || matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let (first, after) = self.rest.split_first()?;
            match first {
                b'%' => drop(self.until(|byte| matches!(byte, b'\n' | b'\r'))),
                b'<' if after.first() == Some(&b'<') => self.rest = &after[1..],
                b'<' => {
                    self.rest = after;
                    return Some(Token::String(self.hexadecimal()));
                }
                b'(' => {
                    let mut reader = Reader::new(self.rest);
                    let string = reader.read_without_context::<PdfString<'_>>();
                    self.rest = if string.is_some() { &self.rest[reader.offset()..] } else { after };
                    if let Some(string) = string {
                        return Some(Token::String(string.as_bytes().to_vec()));
                    }
                }
                b'/' => {
                    self.rest = after;
                    return Some(Token::Name(self.until(is_delimiter)));
                }
                b'[' | b']' => {
                    self.rest = after;
                    return Some(if *first == b'[' { Token::Open } else { Token::Close });
                }
                // White space, and what has no start.
                byte if is_delimiter(byte) => self.rest = after,
                _ => return Some(Token::Word(self.until(is_delimiter))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &str) -> Vec<(u32, String)> {
        let map =
            Map::read(format!("/CIDInit/ProcSet findresource begin begincmap {list} endcmap end").as_bytes());
        let again = map.write();
        assert!(map.is_read_from(&again), "{list}");
        map.texts.iter().map(|(code, units)| (*code, String::from_utf16(units).unwrap())).collect()
    }

    #[test]
    fn each_entry_that_makes_sense_is_kept() {
        let silent = SILENT.to_string();
        for (list, expected) in [
            ("1 beginbfchar <01> <0041> endbfchar", &[(1, "A")][..]),
            ("1 beginbfrange <01> <03> <0041> endbfrange", &[(1, "A"), (2, "B"), (3, "C")]),
            (
                "1 beginbfrange <0001> <0003> [<0041> <00660069> <0043>] endbfrange",
                &[(1, "A"), (2, "fi"), (3, "C")],
            ),
            // Stray tokens, odd digits, blanks in codes, comments.
            ("/CMapName /Foo> def beginbfchar <01> <0041> endbfchar", &[(1, "A")]),
            ("/Foo) def beginbfchar <01> <0041> endbfchar", &[(1, "A")]),
            ("/Foo << /Registry (Ad(ob)e\\)) >> def beginbfchar < 0 1 > <00 41> endbfchar", &[(1, "A")]),
            ("beginbfchar <01> <0041> % <02> <0042>\n<03> <0043> endbfchar", &[(1, "A"), (3, "C")]),
            ("beginbfchar <1> <004> endbfchar", &[(16, "@")]),
            ("beginbfchar <01> <41> endbfchar", &[(1, "A")]),
            // Errors cost an entry, and not those after it.
            ("beginbfchar <0102030405> <0041> <02> <0042> endbfchar", &[(2, "B")]),
            ("beginbfchar <01> <D800> <02> <0042> endbfchar", &[(2, "B")]),
            ("beginbfchar <01> <0041> junk <02> <0042> endbfchar", &[(1, "A"), (2, "B")]),
            ("beginbfchar <01> <0041", &[(1, "A")]),
            ("beginbfchar <01> <0041> endbfrange 9 beginbfchar <02> <0042>", &[(1, "A"), (2, "B")]),
            ("beginbfrange <03> <01> <0041> endbfrange", &[(3, "A")]),
            ("beginbfrange <01> <09> [<0041>] endbfrange beginbfchar <0A> <0042>", &[(1, "A"), (10, "B")]),
            ("beginbfrange <01> <01> [<0041> <0042>] <02> <02> <0043>", &[(1, "A"), (2, "C")]),
            ("beginbfrange <D7> <D8> <D7FE> endbfrange", &[(0xD7, "\u{D7FE}"), (0xD8, "\u{D7FF}")]),
            ("beginbfrange <01> <02> <D7FF> endbfrange", &[(1, "\u{D7FF}")]),
            // Later entries count, characters outside of the first plane, marks of the byte order, names.
            (
                "beginbfrange <01> <03> <0041> endbfrange beginbfchar <02> <0078>",
                &[(1, "A"), (2, "x"), (3, "C")],
            ),
            ("beginbfrange <01> <02> <D83DDFFF> endbfrange", &[(1, "\u{1F7FF}"), (2, "\u{1F800}")]),
            ("beginbfchar <01> <FEFF0041> endbfchar", &[(1, "A")]),
            ("beginbfchar <01> /A <02> /uni0042 <03> /space endbfchar", &[(1, "A"), (2, "B"), (3, " ")]),
            ("beginbfchar <01> (\0A) endbfchar", &[(1, "A")]),
            ("beginbfchar <01> <> endbfchar", &[(1, silent.as_str())]),
            // Numbers are characters where the map has no others.
            ("begincidrange <0400> <0401> 1024 endcidrange", &[(0x400, "Ѐ"), (0x401, "Ё")]),
            ("begincidchar <01> 65 <02> x <03> 66 endcidchar", &[(1, "A"), (3, "B")]),
            ("begincidrange <00> <FF> 0 endcidrange beginbfchar <01> <0041> endbfchar", &[(1, "A")]),
            ("begincodespacerange <00> <FF> endcodespacerange", &[]),
            ("", &[]),
        ] {
            let found = read(list);
            let found: Vec<(u32, &str)> = found.iter().map(|(code, text)| (*code, text.as_str())).collect();
            assert_eq!(found, expected, "{list}");
        }
    }

    #[test]
    fn a_map_may_use_another() {
        let map = Map::read(b"/Adobe-Japan1-UCS2 usecmap beginbfchar <0001> <0041> endbfchar");
        assert!(!map.is_empty() && map.is_read_from(&map.write()));
        let read = CMap::parse(&map.write(), load_embedded).unwrap();
        assert_eq!(read.lookup_bf_string(843), Some(BfString::Char('あ')));
        assert_eq!(read.lookup_bf_string(1), Some(BfString::Char('A')));
        assert!(Map::read(b"/Nowhere usecmap").is_empty());
    }

    /// Each of the ranges has all codes.
    #[test]
    fn many_wide_ranges_take_no_more_time_than_one_map_may() {
        let started = std::time::Instant::now();
        let wide = "<0000> <FFFF> <0041>\n".repeat(3000);
        let map = Map::read(format!("beginbfrange {wide} endbfrange").as_bytes());
        assert_eq!(map.texts.len(), 0xD800 - 0x41);
        assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
    }

    #[test]
    fn a_range_of_all_codes_is_short_again() {
        let map = Map::read(b"beginbfrange <0000> <FFFF> <0000> <00000000> <FFFFFFFF> <0041> endbfrange");
        assert!(map.write().len() < 200, "{}", map.write().len());
    }
}
