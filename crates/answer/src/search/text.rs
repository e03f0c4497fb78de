//! A search as raw or text: the lines, while the search goes on.

use std::ops::ControlFlow;

use super::find::{FileOutcome, FileSearch};
use crate::deliver::Response;
use rread_text::error::Result;

impl FileSearch<'_> {
    /// Shows lines in raw or text while it searches.
    pub(super) fn as_text(&mut self, response: &mut Response) -> Result<FileOutcome> {
        let mut shown = self.shown();
        let mut writer = self.writer(self.style(), self.left);
        response.begin(self.opened.bare_file_info(None), false)?;
        let copies = self.copies(&writer);
        let is_stream = self.reader().known_size().is_none();
        let out = &mut response.out;
        let tally = self.each(&mut |hits, text| {
            self.make_room(&mut shown, hits, self.style())?;
            if copies && writer.copy(hits, text, out)? {
                shown.lines += hits.len() as u64;
            } else {
                shown.take(hits, text, &mut |line, held| writer.line(line, held, out))?;
            }
            if is_stream {
                out.flush()?;
            }
            Ok(if shown.is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        shown.finish(&mut |line, held| writer.line(line, held, out))?;
        writer.finish(out)?;
        writer.check_progress(self.file.request.budget()?)?;
        let found = self.found(tally, &shown, &writer);
        self.end(response, found)
    }
}
