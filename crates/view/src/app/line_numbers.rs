//! What stands before lines, and the numbers of lines as far as they are known.

use std::collections::BTreeMap;

use std::sync::Arc;

use crate::glyph::width;
use crate::layout::Margin;
use crate::merged::MergedName;
use crate::piece::{Origin, Passage, Piece};

/// Columns of a line number and of the blank after it.
const WIDTH: usize = 8;

/// A screen with fewer columns has no room for numbers.
const NARROW: usize = 20;

pub(super) struct LineNumbers {
    pub(super) is_on: bool,
    margin: Margin,
    width: usize,
    known: Known,
    /// The files of a text of several.
    files: Option<Arc<Vec<MergedName>>>,
    /// The lines of the file.
    pub(super) total: Option<u64>,
}

/// The known numbers, as newlines before offsets.
enum Known {
    /// Of one line; the numbers of those around it follow from it.
    One(Option<(u64, u64)>),
    /// Of each line by itself: a filter leaves out those between them.
    Each(BTreeMap<u64, u64>),
}

impl LineNumbers {
    pub(super) fn new(is_on: bool) -> Self {
        let (margin, known) = (Margin::default(), Known::One(None));
        LineNumbers { is_on, margin, width: WIDTH, known, files: None, total: None }
    }

    /// Takes the files of a text of several. Their names are shown with `shows_files`, if nothing else is.
    pub(super) fn set_files(&mut self, files: Arc<Vec<MergedName>>, shows_files: bool) {
        self.files = Some(files);
        if shows_files && !self.is_on {
            self.set_margin(Some(Margin::Origins));
        }
    }

    /// `api.log:812`, for the line of the piece at `offset`.
    pub(super) fn origin(&self, passage: &Passage, offset: u64) -> Option<String> {
        let Origin { file, line } = passage.origin_at(offset)?;
        let MergedName { name, has_lines, .. } = self.files.as_ref()?.get(file)?;
        Some(if *has_lines { format!("{name}:{line}") } else { name.clone() })
    }

    /// Forgets the numbers: the content has changed.
    pub(super) fn forget(&mut self) {
        self.filter(matches!(self.known, Known::Each(_)));
    }

    /// Forgets the numbers: a filter was set or removed.
    pub(super) fn filter(&mut self, is_filtered: bool) {
        self.known = if is_filtered { Known::Each(BTreeMap::new()) } else { Known::One(None) };
    }

    /// The line at `offset` has so many newlines before it.
    pub(super) fn learn(&mut self, offset: u64, newlines: u64) {
        if let Known::One(known) = &mut self.known {
            *known = Some((offset, newlines));
        }
    }

    /// As [`LineNumbers::learn`], for lines in `passage`: those that a filter leaves, or one.
    pub(super) fn learn_all(&mut self, numbers: Vec<(u64, u64)>, passage: &Passage) {
        let known = match &mut self.known {
            Known::One(known) => return *known = numbers.first().copied().or(*known),
            Known::Each(known) => known,
        };
        if let (Some(first), Some(last)) = (passage.pieces.first(), passage.pieces.last()) {
            let span = first.start..=last.start;
            known.retain(|start, _| span.contains(start));
        }
        known.extend(numbers);
    }

    /// Keeps what is known about `old` for the passage that replaces it, if they share a line.
    pub(super) fn carry_over(&mut self, old: &Passage, new: &Passage) {
        let starts = || new.pieces.iter().filter(|piece| piece.starts_line).map(|piece| piece.start);
        let Some((first, last)) = starts().next().zip(starts().next_back()) else { return };
        let known = [first, last].into_iter().find_map(|start| Some((start, self.number_at(old, start)?)));
        if let Some((offset, number)) = known {
            self.learn(offset, number - 1);
        }
    }

    /// The number of the line of the piece at `offset`, if it is known.
    pub(super) fn number_at(&self, passage: &Passage, offset: u64) -> Option<u64> {
        match &self.known {
            Known::Each(known) => known.get(&offset).map(|newlines| newlines + 1),
            Known::One(known) => {
                let index = passage.pieces.iter().position(|piece| piece.start == offset)?;
                passage.number(index, (*known)?)
            }
        }
    }

    /// The number of the line at `offset` if lines were as long everywhere as in `passage`.
    pub(super) fn estimate(&self, passage: &Passage, offset: u64) -> Option<u64> {
        let pieces = &passage.pieces;
        let (first, last) = (pieces.first()?, pieces.last()?);
        let lines = pieces.iter().filter(|piece| piece.starts_line).count();
        if lines == 0 || matches!(self.known, Known::Each(_)) {
            return None;
        }
        let bytes = u128::from((last.end - first.start).max(1));
        let number = u128::from(offset) * lines as u128 / bytes;
        Some(u64::try_from(number).unwrap_or(u64::MAX).saturating_add(1))
    }

    /// Whether numbers of lines are shown.
    pub(super) fn counts(&self) -> bool {
        self.is_on && self.margin.counts()
    }

    /// The columns before the text of a screen with so many.
    pub(super) fn width(&self, columns: usize) -> usize {
        match (self.is_on && columns >= NARROW, self.margin) {
            (false, _) => 0,
            // The text needs room too.
            (true, Margin::Origins) => self.width.min(columns / 3),
            (true, _) => self.width,
        }
    }

    /// The text before the first row of `piece`, for [`LineNumbers::width`] columns without the blank.
    pub(super) fn label(&self, passage: &Passage, piece: &Piece, number: Option<u64>) -> String {
        if self.margin == Margin::Origins {
            let origin = self.origin(passage, piece.start).filter(|_| piece.starts_line);
            return origin.unwrap_or_default();
        }
        let number = match (number, self.estimate(passage, piece.start)) {
            (Some(number), _) => number.to_string(),
            (None, Some(number)) => format!("~{number}"),
            (None, None) => "~".to_owned(),
        };
        let label = self.margin.label(piece, &number);
        let hidden = label.len().saturating_sub(self.width - 1);
        label[hidden..].to_owned()
    }

    /// Makes room for the numbers in `passage`; returns whether the width has changed.
    pub(super) fn widen(&mut self, passage: &Passage) -> bool {
        let last = passage.pieces.last().map_or(0, |piece| piece.start);
        if self.margin == Margin::Origins {
            let columns = |piece: &Piece| self.origin(passage, piece.start).map_or(0, |name| width(&name));
            return self.grow(passage.pieces.iter().map(columns).max().unwrap_or(0) + 1);
        }
        let number = self.number_at(passage, last).or_else(|| self.estimate(passage, last));
        let number = number.unwrap_or_else(|| match &self.known {
            Known::Each(known) => known.values().max().map_or(0, |newlines| newlines + 1),
            Known::One(_) => 0,
        });
        self.grow(self.margin.columns(number, last) + 1)
    }

    fn grow(&mut self, needed: usize) -> bool {
        let is_wider = needed > self.width;
        self.width = needed.max(self.width);
        is_wider
    }

    /// Shows what the key `#` shows next; returns the words for it.
    pub(super) fn next_margin(&mut self) -> &'static str {
        let first = if self.files.is_some() { Margin::Origins } else { Margin::default() };
        let next = if self.is_on { self.margin.next() } else { Some(first) };
        self.set_margin(next)
    }

    /// Shows numbers, or nothing.
    pub(super) fn toggle(&mut self) {
        self.set_margin((!self.is_on).then(Margin::default));
    }

    /// The words for what is shown.
    pub(super) fn name(&self) -> &'static str {
        if self.is_on { self.margin.name() } else { "no line numbers" }
    }

    fn set_margin(&mut self, margin: Option<Margin>) -> &'static str {
        self.is_on = margin.is_some();
        self.margin = margin.unwrap_or_default();
        self.width = WIDTH;
        self.name()
    }
}
