//! The part of a text that a number of columns has room for.

use std::ops::Range;

/// At most `columns` characters of `text`, with the byte `at` in the first third unless the text begins or ends there.
pub(super) fn around(text: &[u8], at: usize, columns: u64) -> Range<usize> {
    let Ok(columns) = usize::try_from(columns) else { return 0..text.len() };
    let is_edge = |byte: &u8| byte & 0xC0 != 0x80;
    let back = |from: usize, count: usize| {
        let mut edges = (0..from).rev().filter(|at| is_edge(&text[*at]));
        // Invalid text may begin with a byte that is not an edge.
        count.checked_sub(1).map_or(from, |others| edges.nth(others).unwrap_or(0))
    };
    let forward = |from: usize, count: usize| {
        let mut edges = (from..text.len()).filter(|at| is_edge(&text[*at]));
        edges.nth(count).unwrap_or(text.len())
    };
    let start = back(at, columns / 3);
    let end = forward(start, columns);
    if end < text.len() {
        return start..end;
    }
    back(text.len(), columns)..text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_shows_the_match_and_as_many_characters_as_asked() {
        let text = "ééééé needle ooooooooooooooo".as_bytes();
        let at = 11;
        for columns in 1..40 {
            let window = around(text, at, columns);
            assert!(window.start <= at && (at < window.end), "{columns}: {window:?}");
            let shown = std::str::from_utf8(&text[window]).unwrap();
            assert_eq!(shown.chars().count() as u64, columns.min(28));
        }
        assert_eq!(around(text, 0, 3), 0..6);
        assert_eq!(around(b"", 0, 3), 0..0);
    }

    #[test]
    fn a_short_line_that_begins_in_the_middle_of_a_character_is_whole() {
        let text = b"\x8Cwiat\xB3o: cena 37 z\xB3";
        assert_eq!(around(text, 10, 500), 0..text.len());
        assert_eq!(around(text, 10, 5), 9..14);
    }
}
