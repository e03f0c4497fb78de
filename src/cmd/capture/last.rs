//! The last page of a failed command, since errors are at the end of its output.

use super::answer::Answering;
use crate::capture::Record;
use crate::content::{self, Budget, ContentOptions, Segment};
use crate::envelope::LastPage;
use crate::paging::{LEAST, Pager};
use crate::range::Place;
use crate::reader::Reader;

impl Answering<'_> {
    /// The budget of the first page if the last page is shown too; otherwise `None`.
    pub(super) fn shares(&self, record: &Record) -> Option<Budget> {
        let failed = record.ended.is_some_and(|ended| !ended.is_success());
        // Without a receipt between them, two pages with a gap look like one text.
        let is_shown = failed && self.format.has_receipt() && !self.metadata_only;
        let Budget { bytes, lines } = self.budget;
        let has_room = bytes.is_none_or(|n| n / 2 >= LEAST) && lines.is_none_or(|n| n >= 2);
        (is_shown && has_room)
            .then(|| Budget { bytes: bytes.map(|n| n - n / 2), lines: lines.map(|n| n - n / 2) })
    }

    /// The last page, or as much of its end as fits into the budget `left`.
    pub(super) fn last_page(
        &self,
        reader: &Reader,
        options: &ContentOptions,
        left: Budget,
        total_lines: Option<u64>,
    ) -> Option<LastPage> {
        let mut size = self.page_size;
        while size >= LEAST {
            // An unreadable page is left out: the message says how to read the end.
            let page = Pager::new(reader, size).page(Place::Back(1)).ok()?;
            let segment = Segment { start: page.start, end: page.end, line: 1 };
            let mut stats = content::measure(reader, &[segment], options, left).ok()?;
            if stats.cut.is_none() {
                stats.end = page.end;
                let first_line = total_lines?.saturating_sub(stats.lines()) + 1;
                let number = (size == self.page_size).then_some(page.number);
                return Some(LastPage { number, start: page.start, first_line, stats });
            }
            size /= 2;
        }
        None
    }
}
