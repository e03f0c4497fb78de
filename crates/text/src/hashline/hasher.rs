//! Hashes a line that arrives in pieces, in constant memory.

use xxhash_rust::xxh32::{Xxh32, xxh32};

use super::anchor::HashStyle;
use crate::newline::Units;

/// The hash of a line, of which pieces have arrived.
#[derive(Clone)]
pub struct LineHasher {
    units: Units,
    state: Xxh32,
    /// The last bytes, whose role depends on the next ones: a carriage return, or the start of a space or a code unit.
    held: Vec<u8>,
    style: HashStyle,
    fresh: bool,
}

impl LineHasher {
    /// A hasher of lines whose newlines have these `units`.
    pub fn new(style: HashStyle, units: Units) -> Self {
        LineHasher { units, state: Xxh32::new(0), held: Vec::new(), style, fresh: true }
    }

    /// Adds a piece of the line, without its newline.
    pub fn update(&mut self, piece: &[u8]) {
        self.fresh &= piece.is_empty();
        match self.style {
            HashStyle::Xxh32 => self.bytes(piece),
            HashStyle::Omp => self.visible(piece),
        }
    }

    /// The hash of the line, which ends at a newline if `terminated`, else at the end of the file. Resets the hasher.
    pub fn finish(&mut self, terminated: bool) -> u32 {
        let is_return = self.style == HashStyle::Xxh32 && terminated;
        if !is_return || !self.units.ends_with(&self.held, b'\r') {
            self.state.update(&self.held);
        }
        let hash = self.state.digest();
        self.held.clear();
        self.state.reset(0);
        self.fresh = true;
        hash
    }

    /// The hash of the line that `rest` ends, without its newline but with its carriage return; a newline follows.
    /// Resets the hasher.
    pub fn whole(&mut self, rest: &[u8]) -> u32 {
        if self.fresh && self.style == HashStyle::Xxh32 {
            let end = if self.units.ends_with(rest, b'\r') { self.units.width() } else { 0 };
            return xxh32(&rest[..rest.len() - end], 0);
        }
        if self.fresh && rest.len() <= CHUNK && self.units.width() == 1 && rest.is_ascii() {
            let (seen, len) = squeeze_ascii(rest);
            return xxh32(&seen[..len], 0);
        }
        self.update(rest);
        self.finish(true)
    }

    /// Hashes all bytes but a final carriage return.
    fn bytes(&mut self, piece: &[u8]) {
        let width = self.units.width();
        if piece.len() >= width {
            self.state.update(&self.held);
            // A piece may begin inside a unit. Hold back at most one unit.
            let keep = if width == 1 { usize::from(piece.ends_with(b"\r")) } else { width };
            let (now, later) = piece.split_at(piece.len() - keep);
            self.state.update(now);
            self.held.clear();
            self.held.extend_from_slice(later);
            return;
        }
        self.held.extend_from_slice(piece);
        let surplus = self.held.len().saturating_sub(width);
        self.state.update(&self.held[..surplus]);
        self.held.drain(..surplus);
    }

    /// Hashes all bytes but white space.
    fn visible(&mut self, piece: &[u8]) {
        for chunk in piece.chunks(CHUNK) {
            if self.held.is_empty() && self.units.width() == 1 && chunk.is_ascii() {
                let (seen, len) = squeeze_ascii(chunk);
                self.state.update(&seen[..len]);
                continue;
            }
            for byte in chunk {
                self.held.push(*byte);
                self.settle();
            }
        }
    }

    fn settle(&mut self) {
        if self.units.width() > 1 {
            if self.held.len() == self.units.width() {
                if !self.units.code(&self.held).is_some_and(is_space) {
                    self.state.update(&self.held);
                }
                self.held.clear();
            }
            return;
        }
        match utf8_space(&self.held) {
            Some(true) => self.held.clear(),
            Some(false) => {}
            // The bytes before the last one are not white space; the last one may begin some.
            None => {
                let Some(last) = self.held.pop() else { return };
                if self.held.is_empty() {
                    return self.state.update(&[last]);
                }
                self.state.update(&self.held);
                self.held.clear();
                match utf8_space(&[last]) {
                    Some(true) => {}
                    Some(false) => self.held.push(last),
                    None => self.state.update(&[last]),
                }
            }
        }
    }
}

const CHUNK: usize = 256;

/// The ASCII bytes that are not white space, at most [`CHUNK`], and their number. Branch-free, for speed.
fn squeeze_ascii(chunk: &[u8]) -> ([u8; CHUNK], usize) {
    let (mut seen, mut len) = ([0; CHUNK], 0);
    for byte in chunk {
        seen[len % CHUNK] = *byte;
        len += usize::from(!matches!(byte, b'\t'..=b'\r' | b' '));
    }
    (seen, len)
}

/// `\s` of a JavaScript regular expression (ECMA-262, WhiteSpace and LineTerminator).
fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t'..='\r' | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{2028}' | '\u{2029}'
            | '\u{202F}' | '\u{205F}' | '\u{3000}' | '\u{FEFF}'
    )
}

/// Whether `bytes` are UTF-8 white space: yes, not yet, or `None` for no.
fn utf8_space(bytes: &[u8]) -> Option<bool> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.chars().all(is_space).then_some(true);
    }
    match bytes {
        [0xC2 | 0xE1 | 0xE2 | 0xE3 | 0xEF]
        | [0xE1, 0x9A]
        | [0xE2, 0x80 | 0x81]
        | [0xE3, 0x80]
        | [0xEF, 0xBB] => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashline::HashlineForm;

    const WIDE: [bool; 2] = [false, true];

    fn tag_of(style: HashStyle, line: &[u8]) -> String {
        HashlineForm { style, ..HashlineForm::default() }
            .tag(LineHasher::new(style, Units::BYTES).whole(line))
            .to_string()
    }

    #[test]
    fn known_lines_have_their_known_tags() {
        let lines = [("", "ZR"), ("};", "TK"), ("  }", "PN"), ("    if (", "VK")];
        for (line, expected) in lines {
            assert_eq!(tag_of(HashStyle::Omp, line.as_bytes()), expected, "{line}");
        }
        // Test vectors of xxHash: the empty input, and others from the reference implementation.
        assert_eq!(xxh32(b"", 0), 0x02CC_5D05);
        assert_eq!(xxh32(b"abc", 0), 0x32D1_53FF);
        assert_eq!(tag_of(HashStyle::Xxh32, b""), "cc5d05");
        assert_eq!(tag_of(HashStyle::Xxh32, b"abc\r"), "d153ff");
    }

    /// The hash of the whole line, straight from the definition.
    fn naive(style: HashStyle, units: Units, line: &[u8], terminated: bool) -> u32 {
        let bytes = match style {
            HashStyle::Xxh32 if terminated && units.ends_with(line, b'\r') => {
                line[..line.len() - units.width()].to_vec()
            }
            HashStyle::Xxh32 => line.to_vec(),
            HashStyle::Omp if units.width() > 1 => {
                let chunks = line.chunks(units.width());
                chunks.filter(|unit| !units.code(unit).is_some_and(is_space)).flatten().copied().collect()
            }
            HashStyle::Omp => {
                let seen = |valid: &str| valid.chars().filter(|c| !is_space(*c)).collect::<String>();
                let chunk = |chunk: std::str::Utf8Chunk<'_>| {
                    [seen(chunk.valid()).as_bytes(), chunk.invalid()].concat()
                };
                line.utf8_chunks().flat_map(chunk).collect()
            }
        };
        xxh32(&bytes, 0)
    }

    #[test]
    fn a_line_in_pieces_has_the_hash_of_the_whole() {
        let alphabet =
            b"a|b| |\t|\r|\0|\xC2|\xA0|\xE2|\x80|\x8A|\xE3|\x80\x80|\xEF\xBB\xBF|\xE1\x9A\x80|\xE2\x80\xA8|\
            \xC3\xA9|\xF0|\x20\0|\0\x20|\r\0|\0\r|\x28\x20|\xFF\xFE";
        let alphabet: Vec<&[u8]> = alphabet.split(|byte| *byte == b'|').collect();
        let mut state = 5u64;
        let mut random = move |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % limit
        };
        let wide = WIDE.map(|big| [Units::pairs(big), Units::quads(big)]);
        for units in wide.into_iter().flatten().chain([Units::BYTES]) {
            for case in 0..if cfg!(miri) { 20 } else { 4000 } {
                let mut line: Vec<u8> =
                    (0..random(24)).flat_map(|_| alphabet[random(alphabet.len())]).copied().collect();
                // A line that a newline ends consists of whole units.
                line.truncate(line.len() / units.width() * units.width());
                for style in [HashStyle::Xxh32, HashStyle::Omp] {
                    let mut hasher = LineHasher::new(style, units);
                    for terminated in [true, false] {
                        let mut rest = &line[..];
                        while !rest.is_empty() {
                            let (piece, left) = rest.split_at(1 + random(rest.len().min(5)));
                            hasher.update(piece);
                            rest = left;
                        }
                        let expected = naive(style, units, &line, terminated);
                        assert_eq!(hasher.finish(terminated), expected, "{case} {units:?} {line:02x?}");
                        if terminated {
                            assert_eq!(hasher.whole(&line), expected, "{case} {units:?} {line:02x?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn exactly_the_white_space_of_javascript_is_ignored() {
        // Miri would take an hour for all characters.
        let [low, high] =
            if cfg!(miri) { [0..0x3100, 0xFE00..0xFF80] } else { [0..0xFE00, 0xFE00..0x11_0000] };
        let characters = || low.clone().chain(high.clone()).filter_map(char::from_u32);
        let spaces: Vec<u32> = characters().filter(|c| is_space(*c)).map(u32::from).collect();
        let expected = (9..=13).chain([0x20, 0xA0, 0x1680]).chain(0x2000..=0x200A);
        let expected = expected.chain([0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF]);
        assert_eq!(spaces, expected.collect::<Vec<_>>());
        for c in characters() {
            let with = tag_of(HashStyle::Omp, format!("a{c}b").as_bytes());
            let mut hasher = LineHasher::new(HashStyle::Omp, Units::BYTES);
            let plain = if is_space(c) { "ab".to_owned() } else { format!("a{c}b") };
            hasher.state.update(plain.as_bytes());
            let expected = HashlineForm { style: HashStyle::Omp, ..HashlineForm::default() }
                .tag(hasher.state.digest())
                .to_string();
            assert_eq!(with, expected, "{c:?}");
        }
    }
}
