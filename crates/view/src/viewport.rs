//! The part of a file that the screen shows, and how it moves: pure, without any reading.

use std::ops::Range;

use super::fold::{Folded, fold};
use super::layout::Layout;
use super::piece::{PIECE, Passage, Piece};

/// The first row of the screen: a piece, and where the row begins in its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Top {
    pub piece: u64,
    pub text: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// So many rows down, or up if negative.
    Rows(i64),
    /// The line with the byte at this offset becomes the first of the screen.
    To(u64),
    End,
}

/// The result of a movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveResult {
    Done,
    /// The rest needs the pieces around this offset; the movement is what is left.
    Needs(u64, Movement),
}

/// A piece on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisiblePiece {
    /// The index of the piece in the passage.
    pub piece: usize,
    /// The rows of this piece that the screen shows.
    pub rows: Range<usize>,
}

#[derive(Clone, Debug)]
pub struct Viewport {
    pub layout: Layout,
    pub rows: usize,
    pub top: Top,
    /// Whether JSON lines are folded.
    pub folds: bool,
    /// The pieces of the passage, as far as they were needed.
    laid: Vec<Option<Laid>>,
}

/// A piece as it is shown.
#[derive(Clone, Debug)]
struct Laid {
    /// The starts of its rows in the text that is shown.
    starts: Box<[u32]>,
    folded: Option<Folded>,
}

/// A row of a passage: the index of the piece, and of the row in it.
type At = (usize, usize);

impl Viewport {
    pub fn new(layout: Layout, rows: usize) -> Self {
        Viewport { layout, rows: rows.max(1), top: Top::default(), folds: false, laid: Vec::new() }
    }

    /// The pieces that a passage needs before and after the one that was asked for.
    pub fn reach(&self) -> (usize, usize) {
        (self.rows + 8, 2 * self.rows + 8)
    }

    /// Forgets what is known of the passage, which is another one now.
    pub fn forget(&mut self) {
        self.laid.clear();
    }

    /// Changes the geometry; the first row remains the one with the same text.
    pub fn resize(&mut self, layout: Layout, rows: usize) {
        (self.layout, self.rows) = (layout, rows.max(1));
        self.laid.clear();
    }

    /// Folds JSON lines, or shows them as they are. The first row begins a line unless that is shown as before.
    pub fn fold(&mut self, passage: &Passage, folds: bool) {
        let first = passage.find(self.top.piece).map(|piece| &passage.pieces[piece]);
        if first.is_some_and(|piece| folded(piece).is_some()) {
            self.top.text = 0;
        }
        self.folds = folds;
        self.laid.clear();
    }

    /// The text that is shown for a piece that was laid out with [`Viewport::starts`], if that is not its own.
    pub fn folded(&self, piece: usize) -> Option<&Folded> {
        self.laid.get(piece)?.as_ref()?.folded.as_ref()
    }

    pub fn starts(&mut self, passage: &Passage, piece: usize) -> &[u32] {
        if self.laid.len() != passage.pieces.len() {
            self.laid = vec![None; passage.pieces.len()];
        }
        let (layout, folds) = (self.layout, self.folds);
        let lay = |piece: &Piece| {
            let folded = if folds { folded(piece) } else { None };
            Laid { starts: layout.rows(folded.as_ref().map_or(&piece.text, |folded| &folded.text)), folded }
        };
        match (self.laid.get_mut(piece), passage.pieces.get(piece)) {
            (Some(laid), Some(piece)) => &laid.get_or_insert_with(|| lay(piece)).starts,
            _ => &[0],
        }
    }

    /// Moves, as far as `passage` reaches.
    pub fn go(&mut self, passage: &Passage, movement: Movement) -> MoveResult {
        if passage.pieces.is_empty() && passage.starts_file && passage.ends_file {
            self.top = Top::default();
            return MoveResult::Done;
        }
        match movement {
            Movement::Rows(by) => self.by_rows(passage, by),
            Movement::To(offset) => match passage.find(offset) {
                Some(piece) => {
                    let row = self.row_of(passage, piece, offset);
                    self.to(passage, (piece, row), movement, offset)
                }
                None => MoveResult::Needs(offset, movement),
            },
            Movement::End => match passage.pieces.len().checked_sub(1).filter(|_| passage.ends_file) {
                Some(last) => {
                    let row = self.starts(passage, last).len() - 1;
                    self.to(passage, (last, row), movement, u64::MAX)
                }
                None => MoveResult::Needs(u64::MAX, movement),
            },
        }
    }

    /// The row of a long piece in which `offset` lies; the first one if that is near: the line begins there.
    fn row_of(&mut self, passage: &Passage, piece: usize, offset: u64) -> usize {
        let found = &passage.pieces[piece];
        let within = offset.checked_sub(found.start).and_then(|within| usize::try_from(within).ok());
        let Some(within) = within.filter(|within| *within < found.text.len()) else { return 0 };
        self.starts(passage, piece);
        let within = self.folded(piece).map_or(within, |folded| folded.map_offset(within));
        self.row_at(passage, piece, within)
    }

    fn row_at(&mut self, passage: &Passage, piece: usize, text: usize) -> usize {
        self.starts(passage, piece).partition_point(|start| *start as usize <= text).saturating_sub(1)
    }

    /// The row of the passage that is the first of the screen.
    fn place(&mut self, passage: &Passage) -> Option<At> {
        let piece = passage.find(self.top.piece)?;
        let is_same = passage.pieces[piece].start == self.top.piece;
        let text = if is_same { self.top.text } else { 0 };
        Some((piece, self.row_at(passage, piece, text)))
    }

    fn by_rows(&mut self, passage: &Passage, by: i64) -> MoveResult {
        let Some(from) = self.place(passage) else {
            return MoveResult::Needs(self.top.piece, Movement::Rows(by));
        };
        let wanted = usize::try_from(by.unsigned_abs()).unwrap_or(usize::MAX);
        if by < 0 {
            let (at, left) = self.up(passage, from, wanted);
            self.put(passage, at);
            return self.rest(passage.starts_file, left, -1);
        }
        // The last row of the file stays at the bottom, so the last row of the screen moves.
        let (bottom, missing) = self.down(passage, from, self.rows - 1);
        if missing > 0 {
            return self.to(passage, from, Movement::Rows(by), self.top.piece);
        }
        let (_, left) = self.down(passage, bottom, wanted);
        let (at, _) = self.down(passage, from, wanted - left);
        self.put(passage, at);
        self.rest(passage.ends_file, left, 1)
    }

    /// A movement in `direction` of which so many rows are left.
    fn rest(&self, is_end: bool, left: usize, direction: i64) -> MoveResult {
        if left == 0 || is_end {
            return MoveResult::Done;
        }
        let by = i64::try_from(left).unwrap_or(i64::MAX) * direction;
        MoveResult::Needs(self.top.piece, Movement::Rows(by))
    }

    /// Makes `at` the first row, or one above it, so that the screen is full.
    fn to(&mut self, passage: &Passage, at: At, movement: Movement, offset: u64) -> MoveResult {
        let (_, missing) = self.down(passage, at, self.rows - 1);
        let (at, left) = self.up(passage, at, missing);
        if missing > 0 && !passage.ends_file || left > 0 && !passage.starts_file {
            return MoveResult::Needs(offset, movement);
        }
        self.put(passage, at);
        MoveResult::Done
    }

    fn put(&mut self, passage: &Passage, (piece, row): At) {
        let text = self.starts(passage, piece).get(row).map_or(0, |start| *start as usize);
        self.top = Top { piece: passage.pieces[piece].start, text };
    }

    /// The row `by` rows after `at`, and how many rows of them the passage does not have.
    fn down(&mut self, passage: &Passage, (mut piece, mut row): At, by: usize) -> (At, usize) {
        let mut left = by;
        loop {
            let after = self.starts(passage, piece).len() - 1 - row;
            if left <= after {
                return ((piece, row + left), 0);
            }
            if piece + 1 == passage.pieces.len() {
                return ((piece, row + after), left - after);
            }
            left -= after + 1;
            (piece, row) = (piece + 1, 0);
        }
    }

    fn up(&mut self, passage: &Passage, (mut piece, mut row): At, by: usize) -> (At, usize) {
        let mut left = by;
        loop {
            if left <= row {
                return ((piece, row - left), 0);
            }
            if piece == 0 {
                return ((0, 0), left - row);
            }
            left -= row + 1;
            piece -= 1;
            row = self.starts(passage, piece).len() - 1;
        }
    }

    /// The pieces on the screen; `None` if they are not in `passage`.
    pub fn visible(&mut self, passage: &Passage) -> Option<Vec<VisiblePiece>> {
        let (first, row) = match self.place(passage) {
            None if passage.pieces.is_empty() => return Some(Vec::new()),
            place => place?,
        };
        let mut visible = Vec::new();
        let mut left = self.rows;
        let mut from = row;
        for piece in first..passage.pieces.len() {
            let to = self.starts(passage, piece).len().min(from + left);
            left -= to - from;
            visible.push(VisiblePiece { piece, rows: from..to });
            from = 0;
            if left == 0 {
                break;
            }
        }
        (left == 0 || passage.ends_file).then_some(visible)
    }

    /// Whether the last row of the file is on the screen.
    pub fn is_at_end(&mut self, passage: &Passage) -> bool {
        let visible = self.visible(passage).unwrap_or_default();
        let last = visible.last().map(|last| last.piece + 1);
        passage.ends_file
            && last.unwrap_or(0) == passage.pieces.len()
            && visible.last().is_none_or(|last| last.rows.end == self.starts(passage, last.piece).len())
    }
}

/// A whole line that can be folded.
fn folded(piece: &Piece) -> Option<Folded> {
    if piece.is_whole() && piece.text.len() <= PIECE { fold(&piece.text) } else { None }
}

#[cfg(test)]
#[path = "viewport_tests.rs"]
mod tests;
