//! Control characters of content, which a terminal would obey.

/// Bytes of sequences that are kept for the rest of a line.
const LONGEST_OPEN: usize = 512;

/// The first control character except tab, and its index.
pub(super) fn first_control(text: &[u8]) -> Option<(usize, char)> {
    let special = |byte: &u8| (*byte < 0x20 && *byte != b'\t') || matches!(*byte, 0x7F | 0xC2);
    let mut from = 0;
    loop {
        let at = from + text[from..].iter().position(special)?;
        match (text[at], text.get(at + 1)) {
            (0xC2, Some(low @ 0x80..=0x9F)) => return Some((at, char::from(*low))),
            // The lead byte of another character.
            (0xC2, _) => from = at + 1,
            (byte, _) => return Some((at, char::from(byte))),
        }
    }
}

/// The length of the sequence for colors and attributes (SGR) at the start of `text`, if there is one.
pub fn color_length(text: &[u8]) -> Option<usize> {
    let params = text.strip_prefix(b"\x1b[")?;
    let length = params.iter().take_while(|byte| byte.is_ascii_digit() || b";:".contains(byte)).count();
    (params.get(length) == Some(&b'm')).then_some(length + 3)
}

/// The length of `text` without the beginning of such a sequence at its end.
pub fn before_open_color(text: &[u8]) -> usize {
    let Some(at) = memchr::memrchr(b'\x1b', text) else { return text.len() };
    let is_open = match &text[at + 1..] {
        [] => true,
        [b'[', params @ ..] => params.iter().all(|byte| byte.is_ascii_digit() || b";:".contains(byte)),
        _ => false,
    };
    if is_open && text.len() - at <= LONGEST_OPEN { at } else { text.len() }
}

/// Changes `colors`, the sequences that hold at the start of `text`, to those that hold at its end: a line has its own.
pub fn open_colors(colors: &mut Vec<u8>, text: &[u8]) {
    let line = memchr::memrchr(b'\n', text).map_or(0, |newline| newline + 1);
    if line > 0 {
        colors.clear();
    }
    let line = &text[line..];
    for at in memchr::memchr_iter(b'\x1b', line) {
        let Some(length) = color_length(&line[at..]) else { continue };
        let sequence = &line[at..at + length];
        if matches!(sequence, b"\x1b[m" | b"\x1b[0m") || colors.len() + length > LONGEST_OPEN {
            colors.clear();
        }
        if !matches!(sequence, b"\x1b[m" | b"\x1b[0m") {
            colors.extend_from_slice(sequence);
        }
    }
}

/// `\x1b`, or `\u{9b}` beyond ASCII.
pub(super) fn escape_control(c: char) -> String {
    let code = u32::from(c);
    if code < 0x80 { format!("\\x{code:02x}") } else { format!("\\u{{{code:x}}}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_color_waits_for_its_end() {
        for (text, expected) in [
            (&b"a \x1b"[..], 2),
            (b"a \x1b[", 2),
            (b"a \x1b[1;3", 2),
            (b"a \x1b[1;31m", 9),
            (b"a \x1b[31mred", 10),
            (b"a \x1b]0", 5),
            (b"a", 1),
            (b"", 0),
        ] {
            assert_eq!(before_open_color(text), expected, "{text:?}");
        }
    }

    #[test]
    fn colors_go_on_to_the_end_of_their_line() {
        for (parts, expected) in [
            (&[&b"a \x1b[31mred"[..]][..], &b"\x1b[31m"[..]),
            (&[b"\x1b[31mred", b"more"], b"\x1b[31m"),
            (&[b"\x1b[31mred", b" \x1b[1mbold"], b"\x1b[31m\x1b[1m"),
            (&[b"\x1b[31mred", b" \x1b[m"], b""),
            (&[b"\x1b[31mred", b" \x1b[0mx\x1b[4m"], b"\x1b[4m"),
            (&[b"\x1b[31mred", b"\n"], b""),
            (&[b"\x1b[31mred", b"x\ny\x1b[7m"], b"\x1b[7m"),
            (&[b"\x1b[2J"], b""),
        ] {
            let mut colors = Vec::new();
            parts.iter().for_each(|part| open_colors(&mut colors, part));
            assert_eq!(colors, expected, "{parts:?}");
        }
    }
}
