//! The groups of a search as parts of a JSON answer, one after another.

use std::ops::ControlFlow;

use super::find::{FileOutcome, FileSearch};
use super::lines::LineWriter;
use super::list::Held;
use crate::content::ContentStats;
use crate::deliver::Response;
use crate::format::Section;
use crate::pages;
use crate::receipt::{ContentInfo, FoundMatch, LineWindows, MatchedLines, MatchedRange, NameInfo};
use rread_reader::search::group::ShownLine;
use rread_text::error::Result;

/// Lines and bytes after which a group goes on as another one, so that memory stays the same.
pub(super) const LINES: u64 = 1000;
pub(super) const BYTES: usize = 256 << 10;

impl FileSearch<'_> {
    /// Shows groups of lines as parts of a JSON answer while it searches.
    pub(super) fn as_groups(&mut self, response: &mut Response) -> Result<FileOutcome> {
        let mut shown = self.shown();
        let mut writer = self.writer(self.style(), self.left);
        let mut file = Some(self.opened.bare_file_info(None));
        let mut groups = Groups::new(NameInfo::of(&self.file.request.path));
        if !self.file.is_walked
            && let Some(file) = file.take()
        {
            response.begin(file, true)?;
        }
        let tally = self.each(&mut |hits, text| {
            if let Some(file) = file.take() {
                response.begin(file, true)?;
            }
            self.make_room(&mut shown, hits, self.style())?;
            shown.take(hits, text, &mut |line, held| groups.line(line, held, &mut writer, response))?;
            Ok(if shown.is_cut && self.stops_when_cut() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        })?;
        let is_empty = file.is_some() && !self.options.passes_through;
        shown.finish(&mut |line, held| groups.line(line, held, &mut writer, response))?;
        writer.finish(&mut groups.content)?;
        groups.close(&writer, response)?;
        writer.check_progress(self.file.request.budget()?)?;
        let found = self.found(tally, &shown, &writer);
        if is_empty { Ok(found) } else { self.end(response, found) }
    }
}

/// A group on its way to the answer.
#[derive(Default)]
struct Groups {
    name: NameInfo,
    content: Vec<u8>,
    lines: Option<(ShownLine, ShownLine)>,
    matches: Vec<FoundMatch>,
    windows: Vec<LineWindows>,
    /// The stats of the writer when the group began.
    before: ContentStats,
}

impl Groups {
    fn new(name: NameInfo) -> Self {
        Groups { name, ..Groups::default() }
    }

    /// Adds a line; false if the budget has no room for it.
    fn line(
        &mut self,
        line: ShownLine,
        held: Option<&[u8]>,
        writer: &mut LineWriter<'_>,
        response: &mut Response,
    ) -> Result<bool> {
        let is_full = self.lines.is_some_and(|(first, last)| last.number - first.number + 1 >= LINES);
        if line.follows_gap || is_full || self.content.len() >= BYTES {
            writer.finish(&mut self.content)?;
            self.close(writer, response)?;
        }
        if self.lines.is_none() {
            self.before = writer.stats();
        }
        let before = self.content.len();
        let is_whole = writer.line(line, held, &mut self.content)?;
        let count = self.content[before..].split_inclusive(|byte| *byte == b'\n').count() as u64;
        if count > 1 && line.spanned.is_none() {
            self.windows.push(LineWindows { line: line.number, count });
        }
        if !is_whole && writer.stopped_at.is_none() {
            return Ok(false);
        }
        self.matches.extend(writer.found.drain(..).map(|found| FoundMatch {
            line: line.number,
            start_byte: found.bytes.start,
            end_byte: found.bytes.end,
            column: found.column,
        }));
        let first = self.lines.map_or(line, |(first, _)| first);
        self.lines = Some((first, line));
        Ok(is_whole)
    }

    /// Writes the group, if there is one.
    fn close(&mut self, writer: &LineWriter<'_>, response: &mut Response) -> Result<()> {
        let Some((first, last)) = self.lines.take() else { return Ok(()) };
        let mut stats = writer.stats();
        stats.content_bytes -= self.before.content_bytes;
        stats.token_thirds = stats.token_thirds.map(|sum| sum - self.before.token_thirds.unwrap_or(0));
        stats.clipped_lines -= self.before.clipped_lines;
        stats.invalid.count -= self.before.invalid.count;
        stats.cut = None;
        let envelope = MatchedLines {
            name: self.name.clone(),
            actual_range: MatchedRange {
                start_line: first.number,
                end_line: last.number,
                start_byte: first.start,
                end_byte: last.next,
            },
            matches: std::mem::take(&mut self.matches),
            windows: std::mem::take(&mut self.windows),
            truncated: stats.clipped_lines > 0,
            content: ContentInfo::from(&stats),
            page: pages::of_span(writer.units.reader, first.start..last.next, Some(first.number))?,
        };
        let mut body = Held(std::mem::take(&mut self.content));
        response.part(Box::new(envelope), vec![Section::content(&mut body)])
    }
}
