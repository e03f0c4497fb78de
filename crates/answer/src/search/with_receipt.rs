//! A search beside a receipt: searched and measured first, shown then.

use std::ops::ControlFlow;

use super::find::{FileOutcome, FileSearch};
use super::lines::LineWriter;
use super::options::Shows;
use crate::content::Sink;
use crate::deliver::Response;
use crate::format::{Body, Format, Section};
use crate::output::Out;
use crate::pages::PagesOfLines;
use crate::receipt::SearchResult;
use rread_reader::search::group::ShownLine;
use rread_text::error::Result;

/// Bytes of content that are kept between searching and showing; with more, the file is searched again.
const KEPT: usize = 1 << 20;

impl FileSearch<'_> {
    /// Searches, and measures what will be shown.
    pub(super) fn measure(&mut self) -> Result<FileOutcome> {
        let mut shown = self.shown();
        let mut measured = Measured {
            writer: self.writer(self.style(), self.left),
            kept: Kept::default(),
            pages: PagesOfLines::of(self.reader()),
        };
        let shows_lines = self.options.shows == Shows::Lines;
        let copies = self.copies(&measured.writer) && !measured.pages.are_known();
        let tally = self.each(&mut |hits, text| {
            if shows_lines {
                self.make_room(&mut shown, hits, self.style())?;
                if copies && measured.writer.copy(hits, text, &mut measured.kept)? {
                    shown.lines += hits.len() as u64;
                } else {
                    shown.take(hits, text, &mut |line, held| measured.line(line, held))?;
                }
            }
            Ok(if shown.is_cut && self.stops_when_cut() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        })?;
        if shows_lines {
            shown.finish(&mut |line, held| measured.line(line, held))?;
            measured.writer.finish(&mut measured.kept)?;
        }
        measured.writer.check_progress(self.file.request.budget()?)?;
        let mut found = self.found(tally, &shown, &measured.writer);
        // Context may be on the next page.
        found.info.page = measured.pages.receipt();
        found.kept = measured.kept.content;
        Ok(found)
    }

    /// The line that says what was `found`, if there is one.
    pub(super) fn line_of_file(&self, name: &str, found: &FileOutcome) -> Option<Vec<u8>> {
        if self.file.is_walked && !self.options.shows_walked(found.info.matched_lines) {
            return None;
        }
        let info = &found.info;
        let line = match self.options.shows {
            Shows::Count => format!("{name}: {}\n", info.counted()),
            Shows::Matches => format!("{name}: {}\n", info.matches),
            Shows::Name if info.matched_lines > 0 => format!("{name}\n"),
            Shows::NameWithout if info.matched_lines == 0 => format!("{name}\n"),
            _ => return None,
        };
        Some(line.into_bytes())
    }

    /// Writes the answer for what was `found`: its receipt, and its lines again.
    pub(super) fn answer(&mut self, response: &mut Response, found: FileOutcome) -> Result<FileOutcome> {
        if self.file.is_walked && !self.options.shows_walked(found.info.matched_lines) {
            return Ok(found);
        }
        let mut file = self.opened.bare_file_info(found.total_lines);
        file.search = Some(found.info.clone());
        file.details.signs.checked = found.checked;
        response.begin(file, response.format == Format::Json)?;
        if response.format != Format::Json {
            let mut body = Again { search: self, found: &found };
            let is_bare = self.options.shows != Shows::Lines && response.format.has_receipt();
            let is_left_out = self.file.request.content.metadata_only || is_bare;
            let sections = if is_left_out { Vec::new() } else { vec![Section::content(&mut body)] };
            response.part(Box::new(SearchResult), sections)?;
        }
        self.end(response, found)
    }
}

/// The content to show: measured, and kept if it is little.
struct Measured<'s> {
    writer: LineWriter<'s>,
    kept: Kept,
    pages: PagesOfLines<'s>,
}

impl Measured<'_> {
    fn line(&mut self, line: ShownLine, held: Option<&[u8]>) -> Result<bool> {
        let is_shown = self.writer.line(line, held, &mut self.kept)?;
        if is_shown || self.writer.stopped_at.is_some() {
            self.pages.add(line.number, line.start);
        }
        Ok(is_shown)
    }
}

/// Keeps content as long as it is little.
struct Kept {
    content: Option<Vec<u8>>,
}

impl Default for Kept {
    fn default() -> Self {
        Kept { content: Some(Vec::new()) }
    }
}

impl Sink for Kept {
    fn write(&mut self, content: &[u8]) -> Result<()> {
        if let Some(kept) = &mut self.content {
            kept.extend_from_slice(content);
        }
        if self.content.as_ref().is_some_and(|kept| kept.len() > KEPT) {
            self.content = None;
        }
        Ok(())
    }

    fn is_read(&self) -> bool {
        self.content.is_some()
    }
}

/// The content beside a receipt: what was found, written when its turn comes.
struct Again<'s, 'a> {
    search: &'s FileSearch<'a>,
    found: &'s FileOutcome,
}

impl Again<'_, '_> {
    fn lines(&self, sink: &mut dyn Sink) -> Result<()> {
        let search = self.search;
        if let Some(content) = &self.found.kept {
            return sink.write(content);
        }
        let measured = &self.found.info.stats;
        // A budget decides how wide the first line is.
        let mut writer = search.writer(search.style(), search.left);
        let mut shown = search.shown();
        let most = measured.newlines;
        let copies = search.copies(&writer);
        search.each(&mut |hits, text| {
            let have_room = writer.stats().newlines + hits.len() as u64 <= most;
            if !(copies && have_room && writer.copy(hits, text, sink)?) {
                shown.take(hits, text, &mut |line, held| {
                    Ok(writer.stats().newlines < most && writer.line(line, held, sink)?)
                })?;
            }
            Ok(if shown.is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        shown
            .finish(&mut |line, held| Ok(writer.stats().newlines < most && writer.line(line, held, sink)?))?;
        writer.finish(sink)?;
        // The receipt has been written: content that does not agree with it must not pass for a success.
        if writer.stats().content_bytes == measured.content_bytes {
            Ok(())
        } else {
            Err(search.reader().rewritten_error())
        }
    }
}

impl Body for Again<'_, '_> {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let name = |end: u8| {
            [&self.search.paint_name()[..], &[if self.search.options.null { 0 } else { end }]].concat()
        };
        let options = self.search.options;
        let is_without = self.found.info.matched_lines == 0;
        let count = match options.shows {
            Shows::Matches => self.found.info.matches,
            _ => self.found.info.counted(),
        };
        let has_name = options.lines.names.unwrap_or(self.search.of_files);
        match options.shows {
            Shows::Lines => self.lines(sink),
            Shows::Name if !is_without => sink.write(&name(b'\n')),
            Shows::NameWithout if is_without => sink.write(&name(b'\n')),
            Shows::Count | Shows::Matches if count > 0 || options.with_zero || !self.search.of_files => {
                if has_name {
                    sink.write(&name(b':'))?;
                }
                sink.write(format!("{count}\n").as_bytes())
            }
            _ => Ok(()),
        }
    }

    fn plain(&mut self, out: &mut Out) -> Result<()> {
        self.write(out)
    }
}
