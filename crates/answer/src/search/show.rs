//! How a search shows its lines: as text or groups of JSON while it goes on; beside a receipt, measured first.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::is_separator;

use super::find::{FileOutcome, FileSearch};
use super::lines::LineWriter;
use super::options::{LineParts, Shows};
use super::unit::{LineMarks, paint};
use crate::content::{Budget, ContentStats, CutBy, Sink};
use crate::deliver::{Held, Response, Shape, respond};
use crate::format::{Body, Format, Frame, Section};
use crate::merge::files::add;
use crate::options::{AnswerOptions, OutputOptions};
use crate::pages::{self, PagesOfLines};
use crate::receipt::{
    Checked, ContentInfo, FilesFound, FoundMatch, LeftOut, LineWindows, ListInfo, MatchedLines, NameInfo,
    PageOfDocument, SearchInfo, SearchResult, ShownRange,
};
use rread_reader::{ShownLine, UnitKind};
use rread_source::swapped::swap_ends;
use rread_text::{Context, Result, address, printable};

/// Bytes of content that are kept between searching and showing; with more, the file is searched again.
const KEPT: usize = 1 << 20;

impl FileSearch<'_> {
    /// Searches, and measures what will be shown.
    pub(super) fn measure(&mut self) -> Result<FileOutcome> {
        let mut shown = self.shown();
        let mut measured = Measured {
            writer: self.writer(self.style(), self.left),
            kept: Kept { content: Some(Vec::new()) },
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
            Ok(self.goes_on(&shown))
        })?;
        if shows_lines {
            shown.finish(&mut |line, held| measured.line(line, held))?;
            measured.writer.finish(&mut measured.kept)?;
        }
        let mut found = self.found(tally, &shown, &measured.writer)?;
        // Context may be on the next page.
        found.info.page = measured.pages.receipt();
        found.kept = measured.kept.content;
        Ok(found)
    }

    /// The line that says what was `found`, if there is one; before the lines of one of several files, its heading.
    pub(super) fn line_of_file(&self, name: &str, info: &SearchInfo) -> Option<Vec<u8>> {
        if self.file.is_walked && !self.options.shows_walked(info.matched_lines) {
            return None;
        }
        let line = match self.options.shows {
            Shows::Lines => {
                let matches = if info.matches == 1 { "match" } else { "matches" };
                let clipped =
                    info.content.clipped_lines.map_or(String::new(), |lines| format!(", {lines} clipped"));
                let next =
                    info.next.as_ref().map_or(String::new(), |next| format!("; next: --in {}", next.range));
                format!("==> {name}: {} {matches}{clipped}{next} <==\n", info.matches)
            }
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
        let found = self.found(tally, &shown, &writer)?;
        self.end(response, found)
    }

    /// Shows groups of lines as parts of a JSON answer while it searches.
    pub(super) fn as_groups(&mut self, response: &mut Response) -> Result<FileOutcome> {
        let mut shown = self.shown();
        let (name, writer) = (NameInfo::of(&self.file.request.path), self.writer(self.style(), self.left));
        let mut groups = Groups { name, writer, group: None };
        let mut file = Some(self.opened.bare_file_info(None));
        // --passthru shows a file without a match, too.
        if (!self.file.is_walked || self.options.passes_through)
            && let Some(file) = file.take()
        {
            response.begin(file, true)?;
        }
        let tally = self.each(&mut |hits, text| {
            if let Some(file) = file.take() {
                response.begin(file, true)?;
            }
            self.make_room(&mut shown, hits, self.style())?;
            shown.take(hits, text, &mut |line, held| groups.line(line, held, response))?;
            Ok(self.goes_on(&shown))
        })?;
        let is_empty = file.is_some();
        shown.finish(&mut |line, held| groups.line(line, held, response))?;
        groups.close(response)?;
        let found = self.found(tally, &shown, &groups.writer)?;
        if is_empty { Ok(found) } else { self.end(response, found) }
    }

    /// The name of the file as raw and text show it, without secrets: on one line on a terminal, and else the bytes
    /// with which a program opens the file.
    pub(super) fn name(&self) -> Vec<u8> {
        let path = &self.file.request.path;
        let mut name = match address::display(path) {
            name if self.is_for_people => printable(&name).into_bytes(),
            Cow::Borrowed(_) => path.as_os_str().as_encoded_bytes().to_vec(),
            Cow::Owned(name) if name == path.to_string_lossy() => {
                path.as_os_str().as_encoded_bytes().to_vec()
            }
            Cow::Owned(name) => name.into_bytes(),
        };
        if self.file.request.content.read.source.access.null_data {
            swap_ends(&mut name);
        }
        with_separator(name, self.options.lines.path_separator.as_deref())
    }

    /// The marks of lines of several files that are mixed.
    pub(super) fn marks_of_merged(&self) -> LineMarks {
        let (marks, format) = (self.style(), self.opened.format);
        let has_name = self.options.lines.names.unwrap_or(self.of_files && format != Format::Raw);
        let path = (has_name && format != Format::Json).then(|| self.name());
        LineMarks { path, heading: None, separators: false, stops_in_lines: false, ..marks }
    }

    pub(super) fn columns(&self) -> Option<u64> {
        let is_alone = self.options.lines.parts == LineParts::Matches;
        let default = (self.opened.format.has_receipt() && !is_alone).then_some(COLUMNS);
        self.file.request.content.max_columns.or(default)
    }

    /// The style of grep; in JSON, lines as they stand in the file.
    pub(super) fn style(&self) -> LineMarks {
        let (format, options) = (self.opened.format, &self.options.lines);
        let has_receipt = format.has_receipt();
        let only = self.spans.first().filter(|_| self.spans.len() == 1);
        let marks = LineMarks {
            columns: self.columns(),
            shares_columns: has_receipt && self.file.request.content.max_columns.is_none(),
            most: self.options.max_count.zip(only.map(|span| span.start..span.end)),
            stops_in_lines: has_receipt,
            collects: format == Format::Json,
            options: options.clone(),
            ..LineMarks::default()
        };
        if format == Format::Json {
            return marks;
        }
        let has_name = options.names.unwrap_or(self.of_files && format == Format::Text) && !has_receipt;
        let is_above = has_name && options.heading;
        LineMarks {
            path: (has_name && !options.heading).then(|| self.name()),
            heading: is_above.then(|| [if self.is_first { &b""[..] } else { b"\n" }, &self.name()].concat()),
            null: self.options.null,
            has_fields: format != Format::Raw,
            separators: self.file.request.context != Context::default()
                || self.options.unit != UnitKind::Line && !self.options.passes_through,
            follows_file: !has_receipt && !is_above && !self.is_first && !self.options.passes_through,
            ends_lines: true,
            color: self.color,
            ..marks
        }
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
            let have_room = writer.units.stats.newlines + hits.len() as u64 <= most;
            if !(copies && have_room && writer.copy(hits, text, sink)?) {
                shown.take(hits, text, &mut |line, held| {
                    Ok(writer.units.stats.newlines < most && writer.line(line, held, sink)?)
                })?;
            }
            Ok(if shown.is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        shown.finish(&mut |line, held| {
            Ok(writer.units.stats.newlines < most && writer.line(line, held, sink)?)
        })?;
        writer.finish(sink)?;
        // The receipt has been written: content that does not agree with it must not pass for a success.
        if writer.units.stats.content_bytes == measured.content_bytes {
            Ok(())
        } else {
            Err(search.reader().rewritten_error())
        }
    }
}

impl Body for Again<'_, '_> {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let options = self.search.options;
        let name = |end: u8| {
            let mut name = Vec::new();
            paint(&mut name, &options.lines.colors.path, self.search.color, &self.search.name());
            name.push(if options.null { 0 } else { end });
            name
        };
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
}

const MAX_GROUP_LINES: u64 = 1000;
const MAX_GROUP_BYTES: usize = 256 << 10;

/// Lines that are shown together, with their content.
pub(super) struct Group {
    pub(super) first: ShownLine,
    pub(super) last: ShownLine,
    pub(super) content: Vec<u8>,
    pub(super) stats: ContentStats,
    matches: Vec<FoundMatch>,
    windows: Vec<LineWindows>,
}

impl Group {
    /// A group without content, which begins with `line` unless another one is shown before.
    pub(super) fn new(line: ShownLine) -> Self {
        let (content, stats) = (Vec::new(), ContentStats::default());
        Group { first: line, last: line, content, stats, matches: Vec::new(), windows: Vec::new() }
    }

    /// Shows a line; false if it is the last one for which the budget has room.
    pub(super) fn line(
        &mut self,
        line: ShownLine,
        held: Option<&[u8]>,
        writer: &mut LineWriter<'_>,
    ) -> Result<bool> {
        let (before, from) = (writer.units.stats, self.content.len());
        let is_whole = writer.line(line, held, &mut self.content)?;
        let count = self.content[from..].split_inclusive(|byte| *byte == b'\n').count() as u64;
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
        if self.stats.newlines == 0 {
            self.first = line;
        }
        self.last = line;
        self.count(&writer.units.stats, &before);
        Ok(is_whole)
    }

    /// Adds what was written between the counts `before` and `now`.
    fn count(&mut self, now: &ContentStats, before: &ContentStats) {
        let mut part = ContentStats {
            content_bytes: now.content_bytes - before.content_bytes,
            newlines: now.newlines - before.newlines,
            clipped_lines: now.clipped_lines - before.clipped_lines,
            token_thirds: now.token_thirds.map(|sum| sum - before.token_thirds.unwrap_or(0)),
            ..ContentStats::default()
        };
        part.invalid.count = now.invalid.count - before.invalid.count;
        add(&mut self.stats, &part);
    }

    /// Whether it goes on as another one, so that memory stays the same.
    pub(super) fn is_full(&self) -> bool {
        self.last.number - self.first.number + 1 >= MAX_GROUP_LINES || self.content.len() >= MAX_GROUP_BYTES
    }

    /// Adds a group that follows at once.
    pub(super) fn join(&mut self, next: Group) {
        self.last = next.last;
        self.content.extend(next.content);
        self.matches.extend(next.matches);
        self.windows.extend(next.windows);
        add(&mut self.stats, &next.stats);
    }

    /// Writes it as a segment of JSON about the file `name`.
    pub(super) fn write(self, name: NameInfo, page: PageOfDocument, response: &mut Response) -> Result<()> {
        let envelope = MatchedLines {
            name,
            actual_range: ShownRange {
                start_line: self.first.number,
                end_line: self.last.number,
                start_byte: self.first.start,
                end_byte: self.last.next,
            },
            matches: self.matches,
            windows: self.windows,
            truncated: self.stats.clipped_lines > 0,
            content: ContentInfo::from(&self.stats),
            page,
        };
        let mut body = Held(self.content);
        let sections = response.content(&mut body);
        response.part(Box::new(envelope), sections)
    }
}

/// The groups of one file on their way to the answer.
struct Groups<'a> {
    name: NameInfo,
    writer: LineWriter<'a>,
    group: Option<Group>,
}

impl Groups<'_> {
    /// Adds a line; false if the budget has no room for it.
    fn line(&mut self, line: ShownLine, held: Option<&[u8]>, response: &mut Response) -> Result<bool> {
        if line.follows_gap || self.group.as_ref().is_some_and(Group::is_full) {
            self.close(response)?;
        }
        let is_new = self.group.is_none();
        let group = self.group.get_or_insert_with(|| Group::new(line));
        let is_whole = group.line(line, held, &mut self.writer)?;
        if is_new && !is_whole && self.writer.stopped_at.is_none() {
            self.group = None;
        }
        Ok(is_whole)
    }

    /// Writes the group, if there is one.
    fn close(&mut self, response: &mut Response) -> Result<()> {
        let Some(mut group) = self.group.take() else { return Ok(()) };
        let before = self.writer.units.stats;
        self.writer.finish(&mut group.content)?;
        group.count(&self.writer.units.stats, &before);
        group.stats.invalid.first_byte = self.writer.units.stats.invalid.first_byte;
        let span = group.first.start..group.last.next;
        let page = pages::of_span(self.writer.units.reader, span, Some(group.first.number))?;
        group.write(self.name.clone(), page, response)
    }
}

/// The most characters of a line beside a receipt.
const COLUMNS: u64 = 300;

/// The path `name` with `separator` between its parts.
pub fn with_separator(name: Vec<u8>, separator: Option<&[u8]>) -> Vec<u8> {
    let Some(separator) = separator else { return name };
    let parts = name.split(|byte| is_separator(char::from(*byte)));
    parts.collect::<Vec<_>>().join(separator)
}

/// Lists `lines` within the budget.
pub fn list(
    lines: impl Iterator<Item = Vec<u8>>,
    content: &AnswerOptions,
    output: &OutputOptions,
) -> Result<()> {
    let budget = content.budget()?;
    let (mut info, mut body, mut is_full) = (ListInfo::default(), Held(Vec::new()), false);
    let mut stats = ContentStats::default();
    for line in lines {
        info.total += 1;
        is_full |= budget.less(&stats).exceeded(&line).is_some();
        if is_full {
            continue;
        }
        info.listed += 1;
        stats.newlines += 1;
        stats.content_bytes += line.len() as u64;
        body.0.extend_from_slice(&line);
    }
    info.truncated = is_full;
    info.content_bytes = body.length();
    let shape = Shape { metadata_only: content.metadata_only, ..Shape::default() };
    respond(output, shape, |response| {
        response.start(Frame { has_content: true, ..Frame::default() })?;
        let sections = response.content(&mut body);
        response.part(Box::new(info), sections)
    })
}

/// The lines so far, and their sums.
#[derive(Default)]
pub(super) struct PerFile {
    lines: Vec<u8>,
    info: FilesFound,
    is_used: bool,
}

impl PerFile {
    /// Takes what was found, if one line says all of it beside the lines that match; otherwise the file has a receipt of its
    /// own.
    pub(super) fn take(
        &mut self,
        search: &FileSearch<'_>,
        found: &mut FileOutcome,
        left: Budget,
        response: &mut Response,
    ) -> Result<bool> {
        let shows_lines = search.options.shows == Shows::Lines;
        let is_brief = response.is_brief && response.format == Format::Frontmatter;
        let has_list = response.of_files && response.format.has_receipt() && response.format != Format::Json;
        if !has_list || shows_lines && !is_brief || search.file.request.content.metadata_only {
            return Ok(false);
        }
        let file = search.opened.bare_file_info(found.total_lines);
        let info = &mut found.info;
        let is_whole =
            if shows_lines { found.kept.is_some() && !info.is_unit_cut } else { info.next.is_none() };
        let is_sound = is_whole
            && found.checked == Checked::Right
            && info.page == PageOfDocument::default()
            && info.content.invalid_utf8.is_none()
            && file.details.is_ordinary()
            && file.name.is_plain();
        if !(is_sound || shows_lines) {
            return Ok(false);
        }
        let line = search.line_of_file(&file.name.path, info);
        self.is_used |= line.is_some() || !search.file.is_walked;
        self.info.matches += info.matches;
        self.info.matched_lines += info.matched_lines;
        let Some(line) = line else { return Ok(true) };
        self.info.files += 1;
        let cut = if shows_lines { info.stats.cut } else { left.exceeded(&line) };
        self.info.truncated |= cut.is_some();
        self.info.cut_by = self.info.cut_by.or(cut.map(CutBy::key));
        if !is_sound {
            return self.flush(response).map(|()| false);
        }
        let decoded = file.details.decoding.decoded.filter(|format| !self.info.decoded.contains(format));
        self.info.decoded.extend(decoded);
        if self.info.truncated && !shows_lines {
            return Ok(true);
        }
        info.stats.newlines += 1;
        info.stats.content_bytes += line.len() as u64;
        info.stats.count_tokens(&line);
        self.lines.extend(line);
        self.lines.extend(found.kept.iter().flatten());
        if self.lines.len() > KEPT && shows_lines {
            self.flush(response)?
        }
        Ok(true)
    }

    /// Writes what is held, after a receipt with the sums so far.
    fn flush(&mut self, response: &mut Response) -> Result<()> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let mut body = Held(std::mem::take(&mut self.lines));
        let info = FilesFound { content_bytes: body.length(), ..self.info.clone() };
        response.start_files()?;
        response.part(Box::new(info), vec![Section::content(&mut body)])
    }

    /// Writes the lines, if there are files; returns what is still to be said of the others.
    pub(super) fn write(self, left_out: LeftOut, response: &mut Response) -> Result<LeftOut> {
        if !self.is_used {
            return Ok(left_out);
        }
        let mut body = Held(self.lines);
        let left_out = Some(left_out).filter(|left_out| !left_out.is_empty());
        let info = FilesFound { content_bytes: body.length(), left_out, ..self.info };
        match response.is_brief {
            true => response.start_files()?,
            false => response.start(Frame { has_content: true, ..Frame::default() })?,
        }
        let sections = response.content(&mut body);
        response.part(Box::new(info), sections)?;
        Ok(LeftOut::default())
    }
}
