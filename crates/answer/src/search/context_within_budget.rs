//! The shown lines: hits with their context, until the budget is spent.

use crate::content::Sink;
use rread_reader::search::group::UnitPart;
use rread_reader::search::group::{Grouper, Show};
use rread_reader::search::worker::Hit;
use rread_text::error::Result;

/// A place where a search can go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resume {
    pub(super) offset: u64,
    pub(super) line: u64,
    /// It is inside the line.
    pub(super) is_inside: bool,
}

/// The lines that are shown so far, and the first hit that is not.
pub(super) struct ShownContext<'a> {
    pub(super) grouper: Grouper<'a>,
    pub(super) lines: u64,
    /// The budget is spent.
    pub(super) is_cut: bool,
    /// The first hit that is not shown, or the first line of the match that has it.
    pub(super) next: Option<Resume>,
    /// The first line of the last match of several lines, if others are shown before it.
    pub(super) begun: Option<Resume>,
    /// The next answer repeats the lines of a match that are shown.
    pub(super) repeats: bool,
}

impl ShownContext<'_> {
    /// Shows `hits` with their context until the budget is spent.
    pub(super) fn take(&mut self, hits: &[Hit], text: &[u8], show: &mut Show<'_>) -> Result<()> {
        for hit in hits {
            if self.is_cut {
                break;
            }
            let place = Resume { offset: hit.start, line: hit.newlines + 1, is_inside: false };
            if !hit.goes_on() {
                self.begun = hit.spanned.map(|_| place).filter(|_| self.lines > 0);
            }
            if self.grouper.hit(hit, text, show)? {
                self.lines += u64::from(hit.part.is_none_or(|part| part == UnitPart::Match));
            } else {
                self.is_cut = true;
                // A search finds no match whose first line it does not have.
                let begun = self.begun.filter(|_| hit.goes_on());
                self.repeats = begun.is_some();
                self.next = begun.or(Some(place));
            }
        }
        Ok(())
    }

    /// Shows the context after the last hit.
    pub(super) fn finish(&mut self, show: &mut Show<'_>) -> Result<()> {
        if !self.is_cut {
            self.is_cut = !self.grouper.after(u64::MAX, show)?;
        }
        Ok(())
    }
}

/// For measuring.
pub(super) struct Nothing;

impl Sink for Nothing {
    fn write(&mut self, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn is_read(&self) -> bool {
        false
    }
}
