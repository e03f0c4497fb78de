//! A line as a terminal shows it in the end: without escape sequences, overwritten and erased.

use memchr::{memchr, memchr3};
use unicode_width::UnicodeWidthChar;

const ESCAPE: u8 = 0x1B;
const BACKSPACE: u8 = 0x08;

/// The most columns that a cursor moves beyond the text, or that tabs divide; programs that address columns have screens.
const MAX_COLUMN: usize = 4096;

/// A tab moves to the next multiple of so many columns.
const TAB: usize = 8;

/// Whether `text` has what a terminal acts on: escape sequences, backspaces, or a carriage return before more of a line.
pub fn acts(text: &[u8]) -> bool {
    let overwrites = |at: usize| !matches!(text.get(at + 1), None | Some(b'\n'));
    memchr::memchr2(ESCAPE, BACKSPACE, text).is_some() || memchr::memchr_iter(b'\r', text).any(overwrites)
}

/// A line of UTF-8 as a terminal shows it, as long as before, with blanks at its end; `None` if it is shown as it is.
pub fn padded_line(line: &[u8]) -> Option<Vec<u8>> {
    let mut shown = plain(line)?;
    let end = if shown.ends_with(b"\r\n") { 2 } else { usize::from(shown.ends_with(b"\n")) };
    let end = shown.split_off(shown.len() - end);
    let room = line.len() - end.len();
    // Moves of the cursor may be longer than the line: then gaps are shorter.
    let (mut excess, mut last) = (shown.len().saturating_sub(room), 0);
    shown.retain(|byte| {
        let goes = excess > 0 && (last, *byte) == (b' ', b' ');
        (excess, last) = (excess - usize::from(goes), *byte);
        !goes
    });
    shown.resize(room, b' ');
    shown.extend(end);
    Some(shown)
}

/// `text`, lines of UTF-8, as a terminal shows them; `None` if it shows them as they are. Newlines stay, and so does a
/// carriage return before one.
pub fn plain(text: &[u8]) -> Option<Vec<u8>> {
    if !acts(text) {
        return None;
    }
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let body = line.strip_suffix(b"\n").unwrap_or(line);
        let body = body.strip_suffix(b"\r").filter(|_| body.len() < line.len()).unwrap_or(body);
        match memchr3(ESCAPE, BACKSPACE, b'\r', body) {
            None => out.extend_from_slice(body),
            Some(_) if without_colors(body, &mut out) => {}
            Some(_) => out.extend(Screen::of(body)),
        }
        out.extend_from_slice(&line[body.len()..]);
    }
    Some(out)
}

/// Appends a line whose only sequences are colors, as most are, without them; false if it has others, or overwrites.
fn without_colors(line: &[u8], out: &mut Vec<u8>) -> bool {
    let (start, mut rest) = (out.len(), line);
    while let Some(at) = memchr(ESCAPE, rest) {
        out.extend_from_slice(&rest[..at]);
        let parameters = rest[at + 1..].strip_prefix(b"[").unwrap_or_default();
        let length = parameters.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b';' | b':')).count();
        match parameters.get(length) {
            Some(b'm') => rest = &parameters[length + 1..],
            _ => {
                out.truncate(start);
                return false;
            }
        }
    }
    out.extend_from_slice(rest);
    let is_text = out[start..].iter().all(|byte| *byte >= b' ' || *byte == b'\t');
    if !is_text {
        out.truncate(start);
    }
    is_text
}

/// The characters of a line, and the column of the next one. A character of several columns is in the first of its cells.
#[derive(Default)]
struct Screen<'l> {
    cells: Vec<&'l [u8]>,
    column: usize,
}

impl<'l> Screen<'l> {
    fn of(line: &'l [u8]) -> Vec<u8> {
        let (mut screen, mut at) = (Screen::default(), 0);
        while let Some(byte) = line.get(at) {
            at += match byte {
                b'\r' => {
                    screen.column = 0;
                    1
                }
                &BACKSPACE => {
                    screen.column = screen.column.saturating_sub(1);
                    1
                }
                &ESCAPE => screen.sequence(&line[at..]),
                b'\t' => {
                    screen.tab();
                    1
                }
                0..0x20 => 1,
                _ => {
                    let (length, width) = character(&line[at..]);
                    screen.write(&line[at..at + length], width);
                    length
                }
            };
        }
        screen.cells.concat()
    }

    fn write(&mut self, cell: &'l [u8], width: usize) {
        let end = self.column + width;
        self.divide(self.column);
        self.divide(end);
        self.cells.resize(self.cells.len().max(end), b" ");
        self.cells[self.column..end].fill(b"");
        self.cells[self.column] = cell;
        self.column = end;
    }

    /// A tab moves over text as it is, and after it makes room.
    fn tab(&mut self) {
        let width = if self.column < MAX_COLUMN { TAB } else { 1 };
        let end = (self.column / width + 1) * width;
        let from = self.column.max(self.cells.len());
        if from < end {
            self.column = from;
            self.write(b"\t", end - from);
        }
        self.column = end;
    }

    /// Makes blanks of a character that begins before the column and ends after it: a part of it goes.
    fn divide(&mut self, column: usize) {
        let is_rest = |cell: &&[u8]| cell.is_empty();
        if self.cells.get(column).is_some_and(is_rest) {
            let start = self.cells[..column].iter().rposition(|cell| !is_rest(cell)).unwrap_or(0);
            let rest = self.cells[column..].iter().take_while(|cell| is_rest(cell)).count();
            self.cells[start..column + rest].fill(b" ");
        }
    }

    /// Obeys the sequence at the beginning of `text`; returns its length.
    fn sequence(&mut self, text: &'l [u8]) -> usize {
        let ends = |from: usize, is_end: fn(&u8) -> bool| {
            text[from.min(text.len())..].iter().position(is_end).map_or(text.len(), |end| from + end + 1)
        };
        match text.get(1) {
            Some(b'[') => {
                let end = ends(2, |byte| (0x40..0x7f).contains(byte));
                if let Some((last, parameters)) = text[2.min(end)..end].split_last() {
                    self.control(*last, parameters);
                }
                end
            }
            // OSC, DCS, SOS, PM and APC end at BEL or at the string terminator.
            Some(b']' | b'P' | b'X' | b'^' | b'_') => {
                let end = ends(2, |byte| *byte == 0x07 || *byte == ESCAPE);
                end + usize::from(text[end - 1] == ESCAPE && text.get(end) == Some(&b'\\'))
            }
            Some(b' '..=b'/') => ends(2, |byte| (0x30..0x7f).contains(byte)),
            Some(_) => 2,
            None => 1,
        }
    }

    /// The control sequences that move in the line and erase.
    fn control(&mut self, last: u8, parameters: &[u8]) {
        let first = parameters.split(|byte| *byte == b';').next().unwrap_or_default();
        let number = std::str::from_utf8(first).ok().and_then(|text| text.parse::<usize>().ok());
        let count = number.unwrap_or(1).clamp(1, MAX_COLUMN);
        let (column, length) = (self.column, self.cells.len());
        if !b"CaDG`m".contains(&last) {
            [column, column + 1, column + count].into_iter().for_each(|column| self.divide(column));
        }
        match (last, number.unwrap_or(0)) {
            (b'C' | b'a', _) => self.column = (column + count).min(length.max(MAX_COLUMN)),
            (b'D', _) => self.column = column.saturating_sub(count),
            (b'G' | b'`', _) => self.column = count - 1,
            (b'K' | b'J', 0) => self.cells.truncate(column),
            (b'K' | b'J', 1) => self.cells.iter_mut().take(column + 1).for_each(|cell| *cell = b" "),
            (b'K', 2) => self.cells.clear(),
            (b'J', 2 | 3) => self.cells.clear(),
            (b'X', _) => self.cells.iter_mut().skip(column).take(count).for_each(|cell| *cell = b" "),
            (b'P', _) if column < length => drop(self.cells.drain(column..(column + count).min(length))),
            (b'@', _) if column < length => drop(self.cells.splice(column..column, vec![&b" "[..]; count])),
            _ => {}
        }
    }
}

/// The length and the columns of the character at the beginning of `text`, with the marks on it; an invalid byte is one.
fn character(text: &[u8]) -> (usize, usize) {
    let Some(begins) = first(text) else { return (1, 1) };
    let mut length = begins.len_utf8();
    while let Some(mark) = first(&text[length..]).filter(|mark| mark.width() == Some(0)) {
        length += mark.len_utf8();
    }
    (length, begins.width().unwrap_or(1).max(1))
}

/// The first character of `text`, if it is valid.
fn first(text: &[u8]) -> Option<char> {
    text[..text.len().min(4)].utf8_chunks().next()?.valid().chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_several_columns_are_overwritten_as_a_terminal_does() {
        for (line, expected) in [
            ("漢字\rab", "ab字"),
            ("漢字\ra", "a 字"),
            ("漢字\x1b[3Gab", "漢ab"),
            ("漢字\x1b[2Gab", " ab "),
            ("漢字\x08\x08語", "漢語"),
            ("漢字x\r\x1b[Kb", "b"),
            ("漢字x\x1b[2G\x1b[K", " "),
            ("漢字x\r\x1b[P", " 字x"),
            ("e\u{301}x\ra", "ax"),
            ("ae\u{301}x\rb", "be\u{301}x"),
            ("a\tb\rX", "X\tb"),
            ("a\tb\rXYZ", "XYZ     b"),
            ("a\tbc\r123456789", "123456789c"),
            ("abcdefghij\r\tX", "abcdefghXj"),
            ("abc\r\tX", "abc\tX"),
            ("10%\t1 MB\r100%\t2 MB", "100%    2 MB"),
        ] {
            assert_eq!(String::from_utf8(Screen::of(line.as_bytes())).unwrap(), expected, "{line:?}");
        }
    }

    #[test]
    fn a_line_without_colors_is_what_the_screen_shows() {
        let parts = [
            "\x1b[1m",
            "\x1b[38;5;1m",
            "\x1b[4:3m",
            "\x1b[m",
            "a",
            "é",
            "\t",
            " ",
            "\x1b[K",
            "\r",
            "\x08",
            "\x07",
            "\x1b]0;t\x07",
            "\x1b[3",
            "\x1b[2Cm",
            "\x1b",
        ];
        let mut fast = 0;
        for n in 0..parts.len().pow(4) {
            let nth = |place: u32| parts[n / parts.len().pow(place) % parts.len()];
            let line = [nth(0), nth(1), nth(2), nth(3)].concat();
            let mut out = b"before".to_vec();
            if without_colors(line.as_bytes(), &mut out) {
                assert_eq!(out, [b"before", &Screen::of(line.as_bytes())[..]].concat(), "{line:?}");
                fast += 1;
            } else {
                assert_eq!(out, b"before", "{line:?}");
            }
        }
        assert_eq!(fast, 8_usize.pow(4));
    }
}
