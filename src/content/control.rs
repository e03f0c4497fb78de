//! Control characters of content, which a terminal would obey.

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
pub(super) fn color_length(text: &[u8]) -> Option<usize> {
    let params = text.strip_prefix(b"\x1b[")?;
    let length = params.iter().take_while(|byte| byte.is_ascii_digit() || b";:".contains(byte)).count();
    (params.get(length) == Some(&b'm')).then_some(length + 3)
}

/// `\x1b`, or `\u{9b}` beyond ASCII.
pub(super) fn escape_control(c: char) -> String {
    let code = u32::from(c);
    if code < 0x80 { format!("\\x{code:02x}") } else { format!("\\u{{{code:x}}}") }
}
