//! Asks for the syntax colors of the pieces on the screen, which is drawn without them first.

use std::ops::Range;

use super::app::App;
use super::syntax::{Colored, Line, Outcome, Wanted};
use crate::args::Highlight;
use rread_text::error::{Error, Kind};

/// Bytes before the screen that the parser reads, as before a slice.
const WINDOW: usize = 64 << 10;

/// Screens before and after the one that is shown, which are colored with it.
const MARGIN: usize = 2;

impl App {
    /// The lines whose colors the screen needs, to be asked for once it has been drawn.
    pub(crate) fn uncolored(&mut self) -> Option<Wanted> {
        let syntax = &self.syntax;
        let is_off = !cfg!(feature = "highlight") || !self.settings.colors || self.filter.is_some();
        if is_off || syntax.is_off || syntax.is_plain || syntax.is_waiting {
            return None;
        }
        let shown = self.viewport.shown(&self.passage)?;
        let (first, last) = (shown.first()?.piece, shown.last()?.piece);
        let (pieces, syntax) = (&self.passage.pieces, &mut self.syntax);
        if pieces[first..=last].iter().all(|piece| syntax.knows(piece)) {
            return None;
        }
        let margin = MARGIN * self.viewport.rows();
        let wanted = first.saturating_sub(margin)..(last + 1 + margin).min(pieces.len());
        let wanted = unknown(wanted, |index| syntax.knows(&pieces[index]));
        let (mut begin, mut bytes) = (wanted.start, 0);
        while begin > 0 && bytes < WINDOW {
            begin -= 1;
            bytes += pieces[begin].text.len() + 1;
        }
        let starts_file = begin == 0 && self.passage.starts_file;
        let lines = pieces[begin..wanted.end].iter().map(Line::of).collect();
        syntax.is_waiting = true;
        let (version, language) = (syntax.version, syntax.language);
        Some(Wanted { version, language, lines, from: wanted.start - begin, starts_file })
    }

    pub(crate) fn colored(&mut self, colored: Colored) {
        let syntax = &mut self.syntax;
        syntax.is_waiting = false;
        if colored.version != syntax.version {
            return;
        }
        match colored.outcome {
            Ok(Outcome::Lines { lines, keeps_levels }) => {
                syntax.keeps_levels = keeps_levels;
                syntax.lines.extend(lines.into_iter().map(|(start, end, styles)| (start, (end, styles))));
                // Memory is that of one passage.
                if let (Some(first), Some(last)) = (self.passage.pieces.first(), self.passage.pieces.last()) {
                    let span = first.start..=last.start;
                    syntax.lines.retain(|start, _| span.contains(start));
                }
            }
            Ok(Outcome::Plain) => syntax.is_plain = true,
            Err(Error { kind: Kind::Usage, message, .. }) => {
                syntax.is_plain = true;
                self.say(message);
            }
            // The thread that reads the screen says why.
            Err(_) => (syntax.is_plain, syntax.is_unread) = (true, true),
        }
    }

    pub(super) fn toggle_syntax(&mut self) {
        if !cfg!(feature = "highlight") {
            return self.say("this rread was built without syntax colours");
        }
        if !self.settings.colors {
            return self.say("there are no colours: NO_COLOR is set, or this terminal has none");
        }
        self.syntax.is_off = !self.syntax.is_off;
        if matches!(self.syntax.language, Highlight::Never) {
            self.syntax.language = Highlight::Auto;
        }
        self.say(if self.syntax.is_off { "no syntax colours" } else { "syntax colours" });
    }
}

/// `wanted` without what is known at its ends.
fn unknown(wanted: Range<usize>, knows: impl Fn(usize) -> bool) -> Range<usize> {
    let start = wanted.clone().find(|index| !knows(*index)).unwrap_or(wanted.end);
    let end = (start..wanted.end).rev().find(|index| !knows(*index)).map_or(start, |last| last + 1);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_at_the_ends_is_not_asked_for() {
        for (known, expected) in
            [(&[][..], 2..8), (&[2, 3], 4..8), (&[7], 2..7), (&[4, 5], 2..8), (&[2, 3, 4, 6, 7], 5..6)]
        {
            assert_eq!(unknown(2..8, |index| known.contains(&index)), expected, "{known:?}");
        }
    }
}
