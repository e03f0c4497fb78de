//! How one piece is drawn: its text or its fold, with its colors and the matches in it.

use std::ops::Range;

use super::app::App;
use super::fold::fold;
use super::level_color::tint;
use super::matches;
use super::style::Style;

/// If more than half of so many lines are records in JSON, the status line names the key that folds them.
const FIRST: usize = 8;

pub(super) struct Face<'a> {
    pub(super) text: &'a [u8],
    pub(super) styles: &'a [(usize, Style)],
    pub(super) tint: Style,
    pub(super) matches: Vec<Range<usize>>,
}

impl App {
    /// The piece at `index` of the passage, which is laid out.
    pub(super) fn face(&self, index: usize) -> Face<'_> {
        let piece = &self.passage.pieces[index];
        let search = self.search.as_ref().filter(|_| !self.hides_matches);
        let matches = search.map(|search| &search.matcher);
        let matches = matches.and_then(|matcher| matches::inside(matcher, &self.passage.pieces, index).ok());
        let matches = matches.unwrap_or_default();
        if let Some(folded) = self.viewport.folded(index) {
            let matches = folded.shown(&matches);
            return Face { text: &folded.text, styles: &folded.styles, tint: folded.tint, matches };
        }
        // The colors of a line depend on those before, which a filter leaves out.
        let colored = self.syntax.styles(piece).filter(|_| self.filter.is_none());
        let level = tint(&piece.text);
        let keeps_level = level != Style::default() && self.syntax.keeps_levels;
        let (styles, tint) = match colored {
            Some(styles) if !keeps_level => (styles, Style::default()),
            _ => (&[][..], level),
        };
        Face { text: &piece.text, styles, tint, matches }
    }

    /// Names the key that folds JSON lines if the first screen has them.
    pub(super) fn offer_fold(&mut self) {
        if self.is_offered || self.passage.pieces.is_empty() {
            return;
        }
        self.is_offered = true;
        let from = self.passage.find(self.viewport.top().piece).unwrap_or(0);
        let first = self.passage.pieces[from..].iter().filter(|piece| !piece.text.is_empty()).take(FIRST);
        let is_record = |text: &[u8]| fold(text).is_some_and(|folded| folded.is_record);
        let records = first.clone().filter(|piece| is_record(&piece.text)).count();
        if 2 * records > first.count() && !self.viewport.folds() && self.message.is_none() {
            self.say("o shows each JSON line as time, level and message");
        }
    }

    /// Folds JSON lines, or shows them as they are.
    pub(super) fn toggle_fold(&mut self) {
        let folds = !self.viewport.folds();
        self.viewport.fold(&self.passage, folds);
        self.lay_out(self.viewport.layout());
        self.say(if folds { "JSON lines: time, level and message first" } else { "JSON lines as they are" });
    }
}
