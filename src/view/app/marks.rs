//! The numbers of the lines that a filter leaves on the screen.

use super::app::App;
use super::worker::Job;

impl App {
    /// The starts of the lines on the screen whose numbers are not known.
    fn unnumbered(&mut self) -> Vec<u64> {
        let shown = self.viewport.shown(&self.passage).unwrap_or_default();
        let starts = shown.iter().map(|part| self.passage.pieces[part.piece].start);
        starts.filter(|start| !self.numbered.contains_key(start)).collect()
    }

    /// Has them counted, if that is quick or it `must` be.
    pub(super) fn number_filtered(&mut self, must: bool) {
        let offsets = self.unnumbered();
        if !offsets.is_empty() {
            self.order(Job::Numbers { offsets, must }, if must { "counting lines" } else { "" });
        } else if self.counts() && self.total.is_none() && !self.facts.is_live {
            self.order(Job::Lines, "counting lines");
        }
    }

    /// Takes the numbers of newlines before these places.
    pub(super) fn numbered(&mut self, numbers: Vec<(u64, u64)>) {
        // Numbers may have been switched on meanwhile, and then these lines are counted to.
        let goes_on = !numbers.is_empty() || self.counts();
        let (first, last) = (self.passage.pieces.first(), self.passage.pieces.last());
        if let (Some(first), Some(last)) = (first, last) {
            let span = first.start..=last.start;
            self.numbered.retain(|start, _| span.contains(start));
        }
        self.numbered.extend(numbers);
        if goes_on {
            self.moved();
        }
    }
}
