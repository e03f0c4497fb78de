//! Delivers an answer part after part, of one file or of several, keeps the hashes that it shows, and reports at the end.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf, absolute};

use super::content::{self, ContentOptions, ContentStats, Segment, Sink};
use super::continuation::PrecedingSlice;
use super::file_info::{encoding_info, refresh, refuse_torn};
use super::format::{Body, Format, Frame, List, Part, Renderer, Section, Tail};
use super::highlight::Colors;
use super::options::{AnswerOptions, OutputOptions, ReadOptions};
use super::output::Out;
use super::receipt::{
    Checked, Envelope, FileInfo, LeftOut, LeftOutOfSearch, Markup, Members, SearchInfo, SearchResult,
    SliceResult, TimeInfo,
};
use super::request::{Opened, Planned};
use super::wording::worded;
use super::{damage, notes};
use rread_reader::Reader;
use rread_source::Change;
use rread_source::stdin::{note, warn};
use rread_text::{Address, Anchor, Error, Result, Sentence, setting};

const SEGMENTS: List = List { member: "segments", element: "file_contents" };

/// Notes about cut slices on standard error; one note counts the others.
const CUT_NOTES: u64 = 3;

/// Parts are not kept: however many there are, memory stays the same.
pub struct Response {
    pub out: Out,
    pub format: Format,
    renderer: Box<dyn Renderer>,
    frame: Option<Frame>,
    /// The files, in the order in which they were answered.
    pub(super) files: Vec<FileInfo>,
    last: Option<Box<dyn Envelope>>,
    is_truncated: bool,
    /// Slices with a note that a budget cut them.
    cut_notes: u64,
    /// The file whose heading is due.
    heading: Option<PathBuf>,
    /// Whether a file had a heading.
    is_headed: bool,
    /// Whether text shows where each file begins.
    has_headings: bool,
    /// Whether the answer is about several files.
    pub of_files: bool,
    metadata_only: bool,
    /// Receipts leave out what is not needed to go on.
    pub is_brief: bool,
    first_error: Option<Error>,
    /// The receipt after a list without contents.
    summary: Option<Box<dyn Envelope>>,
    /// The files that a search of directories did not read.
    left_out: Option<LeftOut>,
    /// Notes for standard error after the answer, each about a file or about all.
    notes: Vec<(Option<PathBuf>, String)>,
}

/// The scope of an answer, and how much of it is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    /// The answer is about several files.
    pub of_files: bool,
    /// In text, the parts of several files have headings, as in `tail`.
    pub has_headings: bool,
    pub metadata_only: bool,
    /// Receipts leave out what is not needed to go on.
    pub is_brief: bool,
}

impl Shape {
    /// The shape of an answer with content.
    pub fn of(content: &AnswerOptions, of_files: bool) -> Self {
        let (metadata_only, is_brief) = (content.metadata_only, content.brief);
        Shape { of_files, has_headings: false, metadata_only, is_brief }
    }
}

/// Begins an answer, lets `fill` write its parts, and ends it. Returns the first error that a part reports.
pub fn respond(
    output: &OutputOptions,
    shape: Shape,
    fill: impl FnOnce(&mut Response) -> Result<()>,
) -> Result<()> {
    let (format, out) = (output.format, output.out()?);
    let renderer = output.renderer(out.is_terminal);
    let mut response = Response {
        out,
        format,
        renderer,
        frame: None,
        files: Vec::new(),
        last: None,
        is_truncated: false,
        cut_notes: 0,
        heading: None,
        is_headed: false,
        has_headings: shape.has_headings && format == Format::Text,
        of_files: shape.of_files,
        metadata_only: shape.metadata_only,
        is_brief: shape.is_brief,
        first_error: None,
        summary: None,
        left_out: None,
        notes: Vec::new(),
    };
    fill(&mut response)?;
    let ended = response.finish();
    response.show_place(output.use_color(response.out.is_terminal))?;
    for (path, text) in &response.notes {
        path.as_ref().map_or_else(|| note(text), |path| warn(path, text));
    }
    ended
}

/// Answers with facts alone; a `list` has several.
pub fn respond_facts<E: Envelope + 'static>(
    output: &OutputOptions,
    list: Option<List>,
    facts: impl IntoIterator<Item = E>,
) -> Result<()> {
    respond(output, Shape::default(), |response| {
        response.start(Frame { list, ..Frame::default() })?;
        facts.into_iter().try_for_each(|info| response.part(Box::new(info), Vec::new()))
    })
}

impl Response {
    pub fn begin(&mut self, file: FileInfo, several: bool) -> Result<()> {
        refuse_torn(file.details.signs.change)?;
        let list = (several || self.of_files).then_some(SEGMENTS);
        let facts = if self.of_files { Members::new() } else { file.list_members()? };
        let (of_files, is_brief) = (self.of_files, self.is_brief);
        self.start(Frame { list, has_content: true, facts, of_files, is_brief })?;
        notes::say_guess(&file.path, file.details.signs.guessed_encoding.as_deref(), self.format);
        self.heading = (self.has_headings && self.of_files).then(|| file.path.clone());
        self.files.push(file);
        Ok(())
    }

    /// In text, the next part is about this file, one of several.
    pub fn heading(&mut self, path: &Path) {
        self.heading = Some(path.to_owned()).filter(|_| self.format == Format::Text);
    }

    /// Writes what comes before the first part, once.
    pub fn start(&mut self, frame: Frame) -> Result<()> {
        if self.frame.is_none() {
            self.renderer.begin(&mut self.out, &frame)?;
            self.frame = Some(frame);
        }
        Ok(())
    }

    /// Begins an answer about several files, if none of them has begun one: a search found nothing.
    pub fn start_files(&mut self) -> Result<()> {
        let (list, is_brief) = (Some(SEGMENTS), self.is_brief);
        self.start(Frame { list, has_content: true, of_files: true, is_brief, ..Frame::default() })
    }

    pub fn has_begun(&self) -> bool {
        self.frame.is_some()
    }

    pub fn slice(&mut self, opened: &Opened<'_>, mut planned: Planned) -> Result<()> {
        let (reader, options) = (&opened.reader, &opened.options);
        let segments = std::mem::take(&mut planned.segments);
        if let Some(file) = self.files.last_mut() {
            // A stream may have come to its end since the answer was begun.
            file.size = file.size.or_else(|| reader.reported_size());
        }
        let has_content = !segments.is_empty();
        if !self.format.has_receipt() {
            // Everything before damage is written before the damage is reported.
            reader.end_at_damage();
        }
        let is_measured = self.format.has_receipt() && planned.unmeasured.is_none();
        let expected = planned.result.outcome.as_ref().ok().filter(|_| is_measured);
        let expected = expected.map(|returned| returned.stats);
        let colors = opened.colors.as_ref();
        let mut body = SegmentsBody { colors, ..SegmentsBody::new(reader, options, segments, expected) };
        let sections = self.content(&mut body);
        self.write(&planned.result, sections)?;
        let written = body.written;
        if let Some(stats) = written.filter(|_| planned.unmeasured.is_some()) {
            complete(&mut planned, reader, &stats);
            if let Some(file) = self.files.last_mut() {
                file.total_lines = file.total_lines.or_else(|| planned.total_lines(reader));
            }
        }
        self.note(&planned.result)?;
        let told = written.filter(|_| opened.request.content.invalid.is_none());
        told.iter().for_each(|stats| self.note_replaced(reader, stats));
        if has_content {
            self.note_damage(reader, &mut planned.result)?;
        }
        self.last = Some(Box::new(planned.result));
        Ok(())
    }

    /// Says `text` on standard error after the answer, of a file or of all.
    pub fn note_after(&mut self, path: Option<&Path>, text: String) {
        self.notes.push((path.map(Path::to_owned), text));
    }

    /// Names the encoding in which characters may be readable that text shows as U+FFFD; once for each file.
    pub(super) fn note_replaced(&mut self, reader: &Reader, stats: &ContentStats) {
        let is_told = self.format == Format::Text && stats.invalid.count > 0;
        let Some(file) = self.files.last().filter(|_| is_told) else { return };
        let hint = encoding_info(&file.path, reader, false).encoding_hint;
        let note =
            hint.map(|hint| (Some(file.path.clone()), format!("not all of it is UTF-8; {hint} may read it")));
        let note = note.filter(|note| !self.notes.contains(note));
        self.notes.extend(note);
    }

    pub fn refuse(&mut self, result: SliceResult) -> Result<()> {
        self.write(&result, self.content(&mut Held(Vec::new())))?;
        self.note(&result)?;
        self.last = Some(Box::new(result));
        Ok(())
    }

    /// The content of a part that has one piece, unless contents are left out.
    pub fn content<'b>(&self, body: &'b mut dyn Body) -> Vec<Section<'b>> {
        if self.metadata_only { Vec::new() } else { vec![Section::content(body)] }
    }

    pub fn part(&mut self, envelope: Box<dyn Envelope>, sections: Vec<Section<'_>>) -> Result<()> {
        self.write(&*envelope, sections)?;
        self.last = Some(envelope);
        Ok(())
    }

    fn write(&mut self, envelope: &dyn Envelope, sections: Vec<Section<'_>>) -> Result<()> {
        let no_file = FileInfo::default();
        let file = self.files.last().unwrap_or(&no_file);
        if envelope.error().is_none()
            && let Some(path) = self.heading.take()
        {
            let is_first = !std::mem::replace(&mut self.is_headed, true);
            self.out.heading(&path, is_first)?;
        }
        self.renderer.part(&mut self.out, Part { envelope, file, sections })
    }

    /// Remembers what went wrong with `result`; formats without a receipt report it on standard error.
    fn note(&mut self, result: &SliceResult) -> Result<()> {
        match &result.outcome {
            Err(error) => self.fail(error.clone()),
            Ok(returned) => {
                self.is_truncated |= returned.cut_by().is_some();
                self.note_cut(returned.cut_note())?;
            }
        }
        Ok(())
    }

    /// Says on standard error, where no receipt does, that a part is cut; of many, the first few and the sum at the end.
    pub(super) fn note_cut(&mut self, note: Option<String>) -> Result<()> {
        let Some(note) = note.filter(|_| !self.format.has_receipt()) else { return Ok(()) };
        self.cut_notes += 1;
        if self.cut_notes <= CUT_NOTES {
            // The content comes before the note about it.
            self.out.flush()?;
            warn(self.path(), &note);
        }
        Ok(())
    }

    /// Remembers the first error. Without a receipt, every further one is reported here.
    pub fn fail(&mut self, error: Error) {
        if self.first_error.is_some() && !self.format.has_receipt() {
            warn(error.path.as_deref().unwrap_or(self.path()), &worded(&error.message));
        }
        self.remember(error);
    }

    /// Remembers an error that the answer itself reports; the first one is the outcome of the command.
    pub fn remember(&mut self, error: Error) {
        self.first_error.get_or_insert(error);
    }

    fn note_damage(&mut self, reader: &Reader, result: &mut SliceResult) -> Result<()> {
        let Ok(returned) = &mut result.outcome else { return Ok(()) };
        if !self.format.has_receipt() {
            let end = reader.known_size().map_or(returned.end, |size| size.min(returned.end));
            let reaches = returned.reaches_damage || reader.is_cut_short() && end < returned.end;
            // The check may wait for more input: everything is written before.
            self.out.flush()?;
            returned.checked = damage::check(reader, returned.start, end, reaches);
        }
        if let Some(file) = self.files.last_mut().filter(|file| file.details.decoding.compression.is_some()) {
            file.details.signs.checked = file.details.signs.checked.max(returned.checked);
        }
        if let Some(error) = damage::failure(reader, self.path(), result) {
            self.fail(error);
        }
        Ok(())
    }

    /// Adds what a search found in the file that was begun last.
    pub fn found(&mut self, info: &SearchInfo, total_lines: Option<u64>, checked: Checked) {
        self.is_truncated |= info.is_truncated();
        if let Some(file) = self.files.last_mut() {
            file.search = Some(info.clone());
            file.total_lines = file.total_lines.or(total_lines);
            file.details.signs.checked = checked;
        }
    }

    /// Writes the receipt after the parts of a list without contents.
    pub fn summary(&mut self, envelope: Box<dyn Envelope>) -> Result<()> {
        if self.format != Format::Json {
            return self.part(envelope, Vec::new());
        }
        self.summary = Some(envelope);
        Ok(())
    }

    /// Says what a search of directories did not read: JSON in its last receipt, the others in one of its own.
    pub fn left_out(&mut self, left_out: LeftOut) -> Result<()> {
        if self.format != Format::Json && left_out.has_gaps() {
            self.start_files()?;
            let info = LeftOutOfSearch { left_out: left_out.clone(), content_bytes: 0 };
            self.part(Box::new(info), Vec::new())?;
        }
        self.left_out = Some(left_out).filter(|left_out| !left_out.is_empty());
        Ok(())
    }

    pub fn end(&mut self, reader: &Reader, options: &ReadOptions) -> Result<()> {
        // Everything is in or through the pipe before that.
        self.out.flush()?;
        let Some(file) = self.files.last_mut() else { return Ok(()) };
        refresh(file, reader);
        refuse_torn(file.details.signs.change)?;
        keep_hashes(file, reader, options);
        if !self.format.has_receipt() {
            notes::sentences(&file.details.signs).iter().for_each(|sentence| warn(&file.path, sentence));
            if let Some(TimeInfo { since: Some(_), last: Some(last), hint: Some(hint), .. }) =
                &file.details.time
                && self.format == Format::Text
                && !self.of_files
            {
                warn(&file.path, &format!("the window is after the last record, which is of {last}; {hint}"));
            }
        }
        Ok(())
    }

    /// Ends the answer; returns the first error of a part, after everything has been written.
    fn finish(&mut self) -> Result<()> {
        if self.has_begun() {
            self.write_tail()?;
        }
        self.out.flush()?;
        let more = self.cut_notes.saturating_sub(CUT_NOTES);
        if more > 0 {
            let (slices, them) = if more == 1 { ("slice was", "it") } else { ("slices were", "them") };
            let cut = Sentence::from(format!("{more} more {slices} cut; "));
            note(&worded(&cut.then(setting("json")).then(format!(" lists {them}"))));
        }
        self.first_error.take().map_or(Ok(()), Err)
    }

    fn write_tail(&mut self) -> Result<()> {
        let no_file = FileInfo::default();
        let is_list = self.frame.as_ref().is_some_and(|frame| frame.list.is_some());
        let tail = match (&self.last, &self.summary) {
            (Some(last), _) if !is_list => Tail::Part(&**last, self.files.last().unwrap_or(&no_file)),
            (_, Some(summary)) => Tail::Summary(&**summary),
            _ => Tail::Files(&self.files, self.is_truncated, self.left_out.as_ref()),
        };
        self.renderer.finish(&mut self.out, tail)
    }

    /// Says to a person at a terminal, below the text, what was shown and how to go on.
    fn show_place(&mut self, has_color: bool) -> Result<()> {
        let is_seen = self.format == Format::Text && self.out.is_terminal && io::stderr().is_terminal();
        let is_list = self.frame.as_ref().is_some_and(|frame| frame.list.is_some());
        let [file] = &self.files[..] else { return Ok(()) };
        let receipt = match (&self.last, &file.search) {
            _ if !is_seen || is_list => return Ok(()),
            (_, Some(_)) => SearchResult.people(file, Markup::Yaml, false)?,
            (Some(last), None) => last.people(file, Markup::Yaml, false)?,
            (None, None) => return Ok(()),
        };
        if let Some(place) = notes::of_place(&file.path, &receipt) {
            self.out.dim_line(&place, has_color)?;
        }
        self.out.flush()
    }

    fn path(&self) -> &Path {
        self.files.last().map_or(Path::new(""), |file| &file.path)
    }
}

/// Completes the receipt of content that was measured while it was written; JSON has the receipt after the content.
fn complete(planned: &mut Planned, reader: &Reader, stats: &ContentStats) {
    let (Some(delivery), Ok(returned)) = (planned.unmeasured.take(), &mut planned.result.outcome) else {
        return;
    };
    returned.stats = *stats;
    returned.lines = Some(stats.lines());
    returned.next = PrecedingSlice { lines: stats.lines(), ..delivery }.next(reader.known_size());
    damage::hide_next(reader, returned);
}

pub struct SegmentsBody<'a> {
    pub reader: &'a Reader,
    pub options: &'a ContentOptions,
    pub segments: Vec<Segment>,
    /// The stats in the receipt, if the content was measured before.
    pub expected: Option<ContentStats>,
    /// The stats of the written content; `None` if the kernel copied it.
    pub written: Option<ContentStats>,
    /// The colors of content that is written as it is.
    pub colors: Option<&'a Colors>,
}

impl<'a> SegmentsBody<'a> {
    pub fn new(
        reader: &'a Reader,
        options: &'a ContentOptions,
        segments: Vec<Segment>,
        expected: Option<ContentStats>,
    ) -> Self {
        SegmentsBody { reader, options, segments, expected, written: None, colors: None }
    }

    /// The receipt has been written: content that does not agree with it must not pass for a success.
    fn check(&self, got: &ContentStats) -> Result<()> {
        let key = |stats: &ContentStats| (stats.content_bytes, stats.newlines, stats.invalid);
        let is_expected = self.expected.as_ref().is_none_or(|expected| key(expected) == key(got));
        if is_expected { Ok(()) } else { Err(self.reader.rewritten_error()) }
    }
}

impl Body for SegmentsBody<'_> {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let got = content::deliver(self.reader, &self.segments, self.options, None, sink)?;
        self.written = Some(got);
        self.check(&got)
    }

    fn plain(&mut self, out: &mut Out) -> Result<()> {
        self.written = match self.colors {
            Some(colors) => Some(colors.deliver(self.reader, &self.segments, self.options, out)?),
            None => content::deliver_plain(self.reader, &self.segments, self.options, out)?,
        };
        self.written.map_or(Ok(()), |got| self.check(&got))
    }
}

/// Content in memory.
pub struct Held(pub Vec<u8>);

impl Held {
    /// The length in the answer.
    pub fn length(&self) -> u64 {
        String::from_utf8_lossy(&self.0).len() as u64
    }
}

impl Body for Held {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        // Names of files may have any bytes; answers are text.
        sink.write(String::from_utf8_lossy(&self.0).as_bytes())
    }

    fn plain(&mut self, out: &mut Out) -> Result<()> {
        out.write(&self.0)
    }
}

/// Keeps the hashes of the lines that were shown, under the version in the receipt. A hash that cannot be kept is no
/// fault of the answer.
pub(crate) fn keep_hashes(file: &FileInfo, reader: &Reader, options: &ReadOptions) {
    let anchors = reader.take_hashes();
    if anchors.is_empty() {
        return;
    }
    // Without a receipt, nobody has asked for the version yet: after a change it is another one.
    let now = || match file.details.signs.change {
        None => reader.version().ok().flatten().map(|version| version.to_string()),
        Some(Change::Appended | Change::Truncated | Change::Rewritten | Change::Replaced) => None,
    };
    let (Some(version), Some((kept, true))) =
        (file.details.version.clone().flatten().or_else(now), &options.hashes)
    else {
        return;
    };
    let _ = kept.keep(&place(&file.path), &version, anchors);
}

/// The hashes that were shown of a version of the file at `path`, ascending by line.
pub fn shown_hashes(options: &ReadOptions, path: &Path, version: &str) -> Vec<Anchor> {
    options.hashes.as_ref().map(|(kept, _)| kept.of(&place(path), version)).unwrap_or_default()
}

/// The versions of the file at `path` that hashes were shown of, the last first.
pub fn shown_versions(options: &ReadOptions, path: &Path) -> Vec<String> {
    options.hashes.as_ref().map(|(kept, _)| kept.versions(&place(path))).unwrap_or_default()
}

/// One name for a file, from wherever it is named.
fn place(path: &Path) -> Cow<'_, Path> {
    match path.canonicalize() {
        Ok(path) => Cow::Owned(path),
        // A URL is the same everywhere; the member of an archive is named with its archive.
        Err(_) if Address::of(path).is_some() => Cow::Borrowed(path),
        Err(_) => absolute(path).map_or(Cow::Borrowed(path), Cow::Owned),
    }
}
