//! UTF-8 boundaries: edges of characters.

/// The most bytes of a character.
pub const MAX_CHAR: usize = 4;

/// The start and the end of the valid character that a cut at `at` would split.
/// `window` must reach three bytes to both sides of `at`, or to the ends of the file.
/// A lead byte always begins a new sequence, so three bytes are enough. A cut never moves over invalid bytes.
pub fn split_char(window: &[u8], at: usize) -> Option<(usize, usize)> {
    let is_continuation = |b: &u8| b & 0xC0 == 0x80;
    if !window.get(at).is_some_and(is_continuation) {
        return None;
    }
    let start = (at.saturating_sub(MAX_CHAR - 1)..at).rev().find(|&i| !is_continuation(&window[i]))?;
    let most = window.len().min(start + MAX_CHAR);
    let end = (start + 1..=most).find(|&end| std::str::from_utf8(&window[start..end]).is_ok())?;
    (end > at).then_some((start, end))
}

/// The largest index of valid `text` that is at most `limit` and splits no character.
pub fn floor_char(text: &[u8], limit: usize) -> usize {
    if limit >= text.len() {
        return text.len();
    }
    (0..=limit).rev().find(|&i| text[i] & 0xC0 != 0x80).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_is_moved_exactly_when_it_splits_a_valid_character() {
        let text = "aé漢😀z".as_bytes();
        let starts: Vec<usize> = "aé漢😀z".char_indices().map(|(i, _)| i).chain([text.len()]).collect();
        for at in 0..=text.len() {
            let expected = if starts.contains(&at) {
                None
            } else {
                let next = starts.iter().position(|&s| s > at).unwrap();
                Some((starts[next - 1], starts[next]))
            };
            assert_eq!(split_char(text, at), expected, "at {at}");
        }
        for invalid in [&b"a\x80\x80b"[..], b"\xE2\x82a", b"\xF0\x9F\x92", b"\xC0\x80", b"\xED\xA0\x80"] {
            for at in 0..=invalid.len() {
                assert_eq!(split_char(invalid, at), None, "{invalid:02x?} at {at}");
            }
        }
    }
}
