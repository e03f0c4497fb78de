//! The part of the file on the screen, the movements that wait for more of it, and the marks: places that a letter names.

use std::collections::{BTreeMap, VecDeque};

use crate::chopped::{Aim, Chop};
use crate::fold::fold;
use crate::layout::Layout;
use crate::piece::{Passage, Piece};
use crate::viewport::{MoveResult, Movement, Viewport, VisiblePiece};

/// If more than half of so many lines are records in JSON, the status line names the key that folds them.
const FIRST: usize = 8;

pub(super) struct Screen {
    /// Size of the terminal, in cells.
    pub(super) columns: usize,
    pub(super) lines: usize,
    pub(super) viewport: Viewport,
    pub(super) passage: Passage,
    /// Movements that wait for a passage.
    pending: VecDeque<Movement>,
    /// The offset of the last passage that was ordered and the movement that needs it, until it comes.
    waiting: Option<(u64, Movement)>,
    /// The columns for which the next passage is ordered.
    pub(super) aim: Aim,
    /// Whether the passage that comes is older than the file.
    is_stale: bool,
    /// Whether the passage is older than the file: its end is not that of the file any more.
    is_outdated: bool,
    /// Whether the passage was ordered to show the end.
    was_for_end: bool,
    /// Whether the first lines were searched for records in JSON.
    has_looked_for_records: bool,
}

/// The result of the pending movements.
pub(super) enum Step {
    Done,
    /// The passage at this offset must come first.
    Needs(u64, Movement),
    /// The passage does not fill the screen.
    NeedsMore,
}

impl Screen {
    /// A screen without its size; [`Screen::resize`] sets it.
    pub(super) fn new(chop: bool, sequences: bool, folds: bool) -> Self {
        let layout = Layout { columns: 1, wrap: !chop, left: 0, sequences };
        let mut viewport = Viewport::new(layout, 1);
        viewport.fold(&Passage::default(), folds);
        Screen {
            columns: 1,
            lines: 1,
            viewport,
            passage: Passage::default(),
            pending: VecDeque::new(),
            waiting: None,
            aim: Aim::default(),
            is_stale: false,
            is_outdated: false,
            was_for_end: false,
            has_looked_for_records: false,
        }
    }

    /// The rows for text: all but the status line.
    pub(super) fn rows(&self) -> usize {
        self.viewport.rows
    }

    pub(super) fn layout(&self) -> Layout {
        self.viewport.layout
    }

    pub(super) fn piece(&self, index: usize) -> &Piece {
        &self.passage.pieces[index]
    }

    /// The offset of the first piece on the screen.
    pub(super) fn top(&self) -> u64 {
        self.viewport.top.piece
    }

    /// The end of the last line on the screen.
    pub(super) fn bottom(&mut self) -> u64 {
        let visible = self.visible().unwrap_or_default();
        visible.last().map_or(0, |last| self.piece(last.piece).end)
    }

    /// The start of the first line that begins on the screen or after it.
    pub(super) fn first_line(&self) -> Option<u64> {
        let from = self.passage.find(self.top())?;
        self.passage.pieces[from..].iter().find(|piece| piece.starts_line).map(|piece| piece.start)
    }

    /// The pieces on the screen; `None` if the passage does not have them.
    pub(super) fn visible(&mut self) -> Option<Vec<VisiblePiece>> {
        self.viewport.visible(&self.passage)
    }

    /// The columns of the longest line on the screen.
    pub(super) fn longest_line(&mut self) -> usize {
        let layout = self.viewport.layout;
        let visible = self.visible().unwrap_or_default();
        let columns = visible.iter().map(|part| {
            let piece = self.piece(part.piece);
            let text = self.viewport.folded(part.piece).map_or(&piece.text, |folded| &folded.text);
            let from = piece.cut.as_ref().map_or(0, |cut| cut.columns.start);
            layout.column(from, text, text.len())
        });
        columns.max().unwrap_or(0)
    }

    /// The starts of the rows of a piece in its text.
    pub(super) fn row_starts(&mut self, piece: usize) -> &[u32] {
        self.viewport.starts(&self.passage, piece)
    }

    pub(super) fn is_at_end(&mut self) -> bool {
        self.viewport.is_at_end(&self.passage)
    }

    /// Whether a part of the last line of the file is on the screen, or room after it.
    pub(super) fn shows_last_line(&mut self) -> bool {
        let last = self.visible().unwrap_or_default().last().map(|last| last.piece + 1);
        self.passage.ends_file && last.unwrap_or(0) == self.passage.pieces.len()
    }

    pub(super) fn resize(&mut self, columns: usize, lines: usize) {
        self.columns = columns.max(1);
        self.lines = lines.max(1);
    }

    /// Lays out the text anew, after a margin of so many columns.
    pub(super) fn lay_out(&mut self, layout: Layout, margin: usize) {
        let columns = self.columns.saturating_sub(margin).max(1);
        self.viewport.resize(Layout { columns, ..layout }, self.lines.saturating_sub(1).max(1));
    }

    /// Scrolls cut lines sideways to the column `left`.
    pub(super) fn scroll_to(&mut self, left: usize) {
        let layout = self.viewport.layout;
        self.viewport.resize(Layout { left, ..layout }, self.viewport.rows);
    }

    /// Whether a line on the screen goes on after the text that is known of it.
    pub(super) fn has_open_line(&mut self) -> bool {
        let visible = self.visible().unwrap_or_default();
        visible.iter().any(|part| self.piece(part.piece).cut.as_ref().is_some_and(|cut| cut.goes_on))
    }

    /// Whether the passage has the text for the layout, which was `old` when it was ordered.
    pub(super) fn has_text_for_layout(&mut self, old: Layout) -> bool {
        let now = self.viewport.layout;
        if now.wrap || old.wrap {
            return now.wrap == old.wrap;
        }
        let right = now.left.saturating_add(now.columns);
        let visible = self.visible().unwrap_or_default();
        now.sequences == old.sequences
            && visible.iter().all(|part| {
                self.piece(part.piece).cut.as_ref().is_none_or(|cut| {
                    (cut.columns.start == 0 || cut.columns.start <= now.left)
                        && (!cut.goes_on || right <= cut.columns.end)
                })
            })
    }

    /// How the lines of a passage for `movement` are cut, if they are.
    pub(super) fn chop(&mut self, movement: Movement) -> Option<Chop> {
        let aim = std::mem::take(&mut self.aim);
        let (layout, rows) = (self.viewport.layout, self.viewport.rows);
        let goes_up = matches!(movement, Movement::Rows(by) if by < 0);
        (!layout.wrap).then_some(Chop { layout, rows, aim, goes_up })
    }

    /// Adds a movement; one that does not depend on those before it replaces them.
    pub(super) fn add(&mut self, movement: Movement) {
        match (movement, self.pending.back_mut()) {
            (Movement::Rows(by), Some(Movement::Rows(last))) => *last = last.saturating_add(by),
            (Movement::Rows(_), _) => self.pending.push_back(movement),
            (Movement::To(_) | Movement::End, _) => {
                self.pending.clear();
                self.waiting = None;
                self.pending.push_back(movement);
            }
        }
    }

    /// Makes the pending movements, as far as the passage reaches.
    pub(super) fn advance(&mut self) -> Step {
        let ends_file = self.passage.ends_file;
        while let Some(movement) = self.pending.pop_front() {
            // What has come since decides where a movement to the end of this passage leads.
            let is_trusted = !self.is_outdated || movement == Movement::End && self.was_for_end;
            self.passage.ends_file &= is_trusted;
            let moved = self.viewport.go(&self.passage, movement);
            self.passage.ends_file = ends_file;
            if let MoveResult::Needs(at, rest) = moved {
                self.pending.push_front(rest);
                return Step::Needs(at, rest);
            }
        }
        if self.visible().is_some() { Step::Done } else { Step::NeedsMore }
    }

    /// The passage to read again, and the movement on it: the end, or what the screen shows.
    pub(super) fn reread(&mut self, end: bool) -> (u64, Movement) {
        let (at, movement) = if end { (u64::MAX, Movement::End) } else { (self.top(), Movement::Rows(0)) };
        if !self.pending.contains(&movement) {
            self.pending.push_front(movement);
        }
        (at, movement)
    }

    pub(super) fn wait_for(&mut self, at: u64, movement: Movement) {
        self.waiting = Some((at, movement));
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// The passage that is waited for, and the next movement.
    pub(super) fn awaited(&self) -> (Option<(u64, Movement)>, Option<Movement>) {
        (self.waiting, self.pending.front().copied())
    }

    /// The file has grown: the passage is older than it, and so is one that comes.
    pub(super) fn outdate(&mut self) {
        self.is_outdated = true;
        self.mark_stale();
    }

    /// The passage that comes, if any, will be older than the file.
    pub(super) fn mark_stale(&mut self) {
        self.is_stale = self.is_waiting();
    }

    /// Stops waiting for a passage.
    pub(super) fn forget_order(&mut self) {
        self.waiting = None;
        self.is_stale = false;
    }

    /// Forgets the movements that wait for a passage.
    pub(super) fn abandon(&mut self) {
        self.forget_order();
        self.pending.clear();
    }

    /// Shows a passage that was ordered; returns whether the file has grown since.
    pub(super) fn show(&mut self, passage: Passage) -> bool {
        let left = passage.left;
        self.passage = passage;
        self.viewport.forget();
        left.into_iter().for_each(|left| self.scroll_to(left));
        self.was_for_end = matches!(self.waiting.take(), Some((_, Movement::End)));
        self.is_outdated = std::mem::take(&mut self.is_stale);
        self.is_outdated
    }

    pub(super) fn clear(&mut self) {
        self.pending.clear();
        self.passage = Passage::default();
        self.viewport.forget();
    }

    /// Removes the last line of the file if the passage has it: it may have been partial.
    pub(super) fn drop_last_line(&mut self) {
        if self.passage.ends_file {
            self.passage.pieces.pop();
            self.passage.ends_file = false;
            self.viewport.forget();
        }
    }

    /// Folds JSON lines, or shows them as they are; returns the words for it.
    pub(super) fn toggle_fold(&mut self) -> &'static str {
        let folds = !self.viewport.folds;
        self.viewport.fold(&self.passage, folds);
        if folds { "JSON lines: time, level and message first" } else { "JSON lines as they are" }
    }

    /// Whether most of the first lines of the file are JSON records that are not folded. Looks once.
    pub(super) fn has_unfolded_records(&mut self) -> bool {
        if self.has_looked_for_records || self.passage.pieces.is_empty() {
            return false;
        }
        self.has_looked_for_records = true;
        let from = self.passage.find(self.top()).unwrap_or(0);
        let first = self.passage.pieces[from..].iter().filter(|piece| !piece.text.is_empty()).take(FIRST);
        let is_record = |text: &[u8]| fold(text).is_some_and(|folded| folded.is_record);
        let records = first.clone().filter(|piece| is_record(&piece.text)).count();
        2 * records > first.count() && !self.viewport.folds
    }
}

/// The mark of the place from which the last jump began.
const BEFORE_JUMP: char = '\'';

#[derive(Default)]
pub(super) struct Marks {
    offsets: BTreeMap<char, u64>,
    /// A mark to set once the movements before it are done.
    pub(super) unset: Option<char>,
}

impl Marks {
    pub(super) fn get(&self, letter: char) -> Option<u64> {
        self.offsets.get(&letter).copied()
    }

    /// Removes a mark; returns whether there was one.
    pub(super) fn remove(&mut self, letter: char) -> bool {
        self.offsets.remove(&letter).is_some()
    }

    /// The movements have led to `offset`.
    pub(super) fn arrive(&mut self, offset: u64) {
        if let Some(letter) = self.unset.take() {
            self.offsets.insert(letter, offset);
        }
    }

    pub(super) fn leave(&mut self, offset: u64) {
        self.offsets.insert(BEFORE_JUMP, offset);
    }
}
