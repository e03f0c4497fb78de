//! Syntax colors of pieces: what is known of them, and what a parser is asked.

use std::collections::BTreeMap;

use super::piece::Piece;
use super::style::Style;
use crate::args::Highlight;
use rread_text::error::Result;

/// The style of each part of a line, and where it ends.
pub(crate) type Styles = Box<[(usize, Style)]>;

/// A line for the parser.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Offsets in the file.
    pub(super) start: u64,
    pub(super) end: u64,
    /// Empty for a long line, which counts as an empty one.
    pub(super) text: Vec<u8>,
}

/// Lines to color.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The version of the file that they are from.
    pub(super) version: u64,
    pub(super) language: Highlight,
    pub(super) lines: Vec<Line>,
    /// The first of them whose colors are wanted.
    pub(super) from: usize,
    pub(super) starts_file: bool,
}

/// The answer.
#[derive(Clone, Debug)]
pub(crate) struct Colored {
    pub(super) version: u64,
    pub(super) outcome: Result<Outcome>,
}

#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    Lines {
        lines: Vec<(u64, u64, Styles)>,
        keeps_levels: bool,
    },
    /// The file is in no language, or its parser is too slow.
    Plain,
}

/// The colors that are known, and what is waited for.
#[derive(Clone, Debug, Default)]
pub(super) struct Syntax {
    pub(super) language: Highlight,
    pub(super) is_off: bool,
    pub(super) is_plain: bool,
    /// Whether that is so because the file could not be read.
    pub(super) is_unread: bool,
    pub(super) is_waiting: bool,
    pub(super) keeps_levels: bool,
    pub(super) version: u64,
    /// By the start of the line: its end, and its styles.
    pub(super) lines: BTreeMap<u64, (u64, Styles)>,
}

impl Syntax {
    pub(super) fn new(language: Highlight) -> Self {
        Syntax { language, is_off: matches!(language, Highlight::Never), ..Syntax::default() }
    }

    /// The file has other content now, or may be in another language.
    pub(super) fn forget(&mut self) {
        *self = Syntax {
            language: self.language,
            is_off: self.is_off,
            is_waiting: self.is_waiting,
            version: self.version + 1,
            ..Syntax::default()
        };
    }

    /// The file was opened again.
    pub(super) fn opened(&mut self) {
        if self.is_unread {
            self.forget();
        }
    }

    /// The styles of the text of `piece`, if they are known and there are any.
    pub(super) fn styles(&self, piece: &Piece) -> Option<&[(usize, Style)]> {
        let (end, styles) = self.lines.get(&piece.start)?;
        (*end == piece.end && !styles.is_empty() && !self.is_off).then_some(styles)
    }

    pub(super) fn knows(&self, piece: &Piece) -> bool {
        !is_colored(piece) || self.lines.get(&piece.start).is_some_and(|(end, _)| *end == piece.end)
    }
}

/// A part of a long line is plain.
fn is_colored(piece: &Piece) -> bool {
    piece.starts_line && piece.ends_line
}

impl Line {
    pub(super) fn of(piece: &Piece) -> Self {
        let text = if is_colored(piece) { piece.text.clone() } else { Vec::new() };
        Line { start: piece.start, end: piece.end, text }
    }

    /// As the parser reads it: valid text with as many bytes, and a newline.
    pub(super) fn parsed(&self) -> String {
        let mut text = String::with_capacity(self.text.len() + 1);
        for chunk in self.text.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
        }
        text.push('\n');
        text
    }
}

impl Wanted {
    /// An answer without a parser, for rehearsals: half of each line is red.
    pub(super) fn striped(self) -> Colored {
        let of = |line: &Line| {
            let length = line.text.len();
            let styles = [(length / 2, Style::colored(1)), (length + 1, Style::default())];
            (line.start, line.end, Box::from(styles) as Styles)
        };
        let lines = self.lines[self.from.min(self.lines.len())..].iter().map(of).collect();
        Colored { version: self.version, outcome: Ok(Outcome::Lines { lines, keeps_levels: true }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parser_reads_as_many_bytes() {
        let line = Line { start: 0, end: 5, text: b"a\xff\xe6\x97b".to_vec() };
        assert_eq!(line.parsed(), "a???b\n");
    }
}
