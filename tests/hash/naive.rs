//! Hashes and anchors straight from the definition, with the whole file in memory.

use xxhash_rust::xxh32::xxh32;

/// The lines of `bytes`, with their newlines, in code units of `width` bytes, the newline's own byte first.
pub fn lines(bytes: &[u8], width: usize) -> Vec<&[u8]> {
    let (mut lines, mut start) = (Vec::new(), 0);
    for end in (width..=bytes.len()).step_by(width) {
        let unit = &bytes[end - width..end];
        if unit[0] == b'\n' && unit[1..].iter().all(|byte| *byte == 0) {
            lines.push(&bytes[start..end]);
            start = end;
        }
    }
    if start < bytes.len() {
        lines.push(&bytes[start..]);
    }
    lines
}

/// A line without its line ending.
pub fn body(line: &[u8], width: usize) -> &[u8] {
    let ends = |line: &[u8], c: u8| {
        line.len() >= width
            && line[line.len() - width] == c
            && line[line.len() - width + 1..].iter().all(|b| *b == 0)
    };
    if !ends(line, b'\n') {
        return line;
    }
    let line = &line[..line.len() - width];
    if ends(line, b'\r') { &line[..line.len() - width] } else { line }
}

/// The digits for a line without its newline.
pub fn digits(body: &[u8], width: usize) -> String {
    format!("{:08x}", xxh32(body, 0))[8 - width..].to_owned()
}

/// The letters for a line of UTF-8 without its newline.
pub fn letters(body: &str) -> String {
    let is_space = |c: char| c == '\u{FEFF}' || c.is_whitespace() && c != '\u{85}';
    let seen: String = body.chars().filter(|c| !is_space(*c)).collect();
    let byte = xxh32(seen.as_bytes(), 0).to_le_bytes()[0];
    let letter = |nibble: u8| char::from(b"ZPMQVRWSNKTXJBYH"[usize::from(nibble)]);
    format!("{}{}", letter(byte >> 4), letter(byte & 15))
}

/// A small generator of numbers that look random (a linear congruential one, Knuth's constants).
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}
