//! UTF-8 boundaries: finds characters and invalid bytes.

/// Bytes that are all text, or all not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utf8Run<'a> {
    /// Valid UTF-8.
    Text(&'a [u8]),
    /// One maximal subpart of an ill-formed sequence (Unicode 16, section 3.9, U+FFFD substitution).
    Invalid(&'a [u8]),
    /// The beginning of a character that the end of the input cuts.
    Cut(&'a [u8]),
}

/// Splits off the first run of `bytes`; `None` if `bytes` is empty.
pub fn next_run(bytes: &[u8]) -> Option<(Utf8Run<'_>, &[u8])> {
    if bytes.is_empty() {
        return None;
    }
    let error = match simdutf8::compat::from_utf8(bytes) {
        Ok(_) => return Some((Utf8Run::Text(bytes), &[])),
        Err(error) => error,
    };
    if error.valid_up_to() > 0 {
        let (text, rest) = bytes.split_at(error.valid_up_to());
        return Some((Utf8Run::Text(text), rest));
    }
    Some(match error.error_len() {
        Some(len) => {
            let (bad, rest) = bytes.split_at(len);
            (Utf8Run::Invalid(bad), rest)
        }
        None => (Utf8Run::Cut(bytes), &[]),
    })
}

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
    fn runs_of_hostile_bytes_are_the_ones_of_the_standard_library() {
        // Every sequence of four bytes, with one representative of each class of bytes.
        let classes = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
            0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ];
        let mut bytes = Vec::new();
        // Miri tries one in 1009 of them: it interprets the code.
        for index in (0..classes.len().pow(4)).step_by(if cfg!(miri) { 1009 } else { 1 }) {
            bytes.clear();
            let mut rest = index;
            for _ in 0..4 {
                bytes.push(classes[rest % classes.len()]);
                rest /= classes.len();
            }
            let mut ours = String::new();
            let mut left = &bytes[..];
            while let Some((run, rest)) = next_run(left) {
                match run {
                    Utf8Run::Text(text) => ours.push_str(std::str::from_utf8(text).unwrap()),
                    Utf8Run::Invalid(_) | Utf8Run::Cut(_) => ours.push('\u{FFFD}'),
                }
                left = rest;
            }
            assert_eq!(ours, String::from_utf8_lossy(&bytes), "{bytes:02x?}");
        }
    }

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
