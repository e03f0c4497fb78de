//! The answer of `rread capture`: short output as it is, otherwise a handle and the first page.

use std::path::Path;

use rread_answer::continuation::{Next, NextOptions};
use rread_answer::deliver::{Held, SegmentsBody};
use rread_answer::receipt::{Captured, LastPage};
use rread_answer::{Budget, ContentOptions, Format, Frame, Out, Response, Section, Segment, content};
pub use rread_reader::capture::{Ansi, Capture, Dropped, Record, Session, Unfinished};
use rread_reader::capture::{Ended, KeptTo, signal_name};
use rread_reader::paging::Pager;
use rread_reader::{MIN_PAGE_SIZE, PAGE_SIZE, Reader};
use rread_source::Decoding;
use rread_source::access::Access;
use rread_source::stdin::warn;
use rread_text::{Encoding, Error, Place, Range, Result, Unit, counted};

pub(super) struct Answering<'a> {
    pub(super) session: &'a Session,
    pub(super) format: Format,
    pub(super) page_size: u64,
    /// Output of at most this many bytes is printed as it is.
    pub(super) direct: u64,
    pub(super) budget: Budget,
    pub(super) max_columns: Option<u64>,
    pub(super) metadata_only: bool,
    pub(super) is_brief: bool,
    pub(super) state_limit: u64,
    pub(super) ansi: Ansi,
}

impl Answering<'_> {
    pub(super) fn answer(
        &self,
        response: &mut Response,
        unfinished: Unfinished,
        record: Record,
    ) -> Result<()> {
        let mut is_printed = false;
        if record.produced <= self.direct && record.kept == record.produced && !self.metadata_only {
            let reader = open_raw(&record.text_file(&unfinished.path(), self.ansi))?;
            // Binary output is printed only in formats that add nothing to it, and not on a terminal.
            let shows_bytes = self.is_verbatim() && !(self.format.has_receipt() && response.out.is_terminal);
            is_printed =
                (shows_bytes || !reader.is_binary()) && self.fits(&reader, &record, &response.out)?;
            if is_printed && record.name.is_none() {
                return self.print(response, &reader, &record, self.envelope(&reader, &record));
            }
            // The reader is closed here: some systems do not rename open files.
        }
        let capture = self.session.publish(unfinished, record).map_err(name_state_dir)?;
        let evicted = self.session.evict(self.state_limit, &capture);
        if is_printed {
            self.print_kept(response, &capture, evicted)
        } else {
            self.preview(response, &capture, evicted)
        }
    }

    /// A named capture is kept even if it is short enough to print.
    fn print_kept(&self, response: &mut Response, capture: &Capture, evicted: Dropped) -> Result<()> {
        let reader = open_raw(&capture.text(self.ansi))?;
        let pages = Pager::new(&reader, self.page_size).pages();
        let mut envelope = Captured {
            is_whole: true,
            fd: Some(capture.handle().to_string()),
            version: reader.version()?.map(|version| version.to_string()),
            pages: pages.map(|pages| (pages, self.page_size)).filter(|_| !reader.is_binary()),
            evicted,
            ..self.envelope(&reader, &capture.record)
        };
        envelope.message =
            Some(format!("{}{}", kept_message(&envelope), go_on(capture, self.ansi, None, true)));
        self.print(response, &reader, &capture.record, envelope)
    }

    /// Whether output that is not kept is printed without a receipt.
    fn is_verbatim(&self) -> bool {
        matches!(self.format, Format::Frontmatter | Format::Raw | Format::Text)
    }

    fn fits(&self, reader: &Reader, record: &Record, out: &Out) -> Result<bool> {
        let segments = [Segment { start: 0, end: record.size(self.ansi), line: 1 }];
        let stats = content::measure(reader, &segments, &self.options(reader, out), self.budget, None)?;
        Ok(stats.cut.is_none() && stats.clipped_lines == 0)
    }

    fn print(
        &self,
        response: &mut Response,
        reader: &Reader,
        record: &Record,
        envelope: Captured,
    ) -> Result<()> {
        let is_verbatim = self.is_verbatim();
        let options = ContentOptions {
            raw: is_verbatim && (reader.encoding() == Encoding::Utf8 || !response.out.is_terminal),
            max_columns: None,
            ..self.options(reader, &response.out)
        };
        let segments = vec![Segment { start: 0, end: record.size(self.ansi), line: 1 }];
        let answer = Captured {
            stats: content::measure(reader, &segments, &options, Budget::default(), None)?,
            total_lines: Some(lines(reader, record, self.ansi)?),
            ..envelope
        };
        let element = answer.fd.is_some().then_some("preview");
        let mut body = SegmentsBody::new(reader, &options, segments, None);
        let sections = vec![Section { element, ..Section::content(&mut body) }];
        self.write(response, answer, if self.metadata_only { Vec::new() } else { sections })?;
        response.out.flush()?;
        if let Some(ended) = record.ended.filter(|ended| !ended.is_success() && is_verbatim) {
            let program = record.command.as_ref().and_then(|words| words.first());
            warn(Path::new(program.map_or("-", String::as_str)), &ending(ended));
        }
        Ok(())
    }

    fn preview(&self, response: &mut Response, capture: &Capture, evicted: Dropped) -> Result<()> {
        let record = &capture.record;
        let reader = Reader::open_as(&capture.text(self.ansi), &Access::default())?;
        let fd = Some(capture.handle().to_string());
        let version = reader.version()?.map(|version| version.to_string());
        let common = Captured { fd, version, evicted, ..self.envelope(&reader, record) };
        if reader.is_binary() {
            let message = format!("{}{}", kept_message(&common), binary_hint(capture));
            let answer = Captured { mime: Some(reader.mime()?), message: Some(message.clone()), ..common };
            let mut nothing = Held(Vec::new());
            // Every JSON receipt has the member `content`.
            let is_shown = self.format == Format::Json && !self.metadata_only;
            let sections = if is_shown { vec![Section::content(&mut nothing)] } else { Vec::new() };
            self.write(response, answer, sections)?;
            return response.out.flush().inspect(|()| self.note(capture, &message));
        }
        let pager = Pager::new(&reader, self.page_size);
        let page = pager.page(Place::Front(1))?;
        let options = self.options(&reader, &response.out);
        // The size of decompressed content is unknown before it is decoded.
        let format = reader.source().info().decoding.map(Decoding::format);
        let (decoded, compression) =
            if reader.document().is_some() { (format, None) } else { (None, format) };
        let shares = self.shares(record).filter(|_| format.is_none() && !page.is_last);
        let mut segments = vec![Segment { start: page.start, end: page.end, line: 1 }];
        let budget = shares.unwrap_or(self.budget);
        let mut stats = content::measure(&reader, &segments, &options, budget, None)?;
        let size = Some(self.page_size).filter(|size| *size != PAGE_SIZE);
        let mut next = (!page.is_last).then_some(Next::Page { number: 2, size });
        if stats.cut.is_some() {
            segments = content::before(&segments, stats.end);
            let rest = Range::after(Unit::Bytes, stats.end, Some(self.page_size));
            next = Some(Next::Slice(rest, NextOptions::default()));
        } else {
            stats.end = page.end;
        }
        let (pages, total_lines) = match format {
            Some(_) => (None, None),
            None => {
                (pager.pages().map(|pages| (pages, self.page_size)), Some(lines(&reader, record, self.ansi)?))
            }
        };
        let left = self.budget.less(&stats);
        let last = shares.and_then(|_| self.last_page(&reader, &options, left, total_lines));
        let mut answer = Captured { stats, next, decoded, compression, pages, total_lines, last, ..common };
        let message = kept_message(&answer) + &go_on(capture, self.ansi, next, !self.metadata_only);
        answer.message = Some(message.clone());
        self.pages(response, &reader, &options, segments, answer)?;
        response.out.flush().inspect(|()| self.note(capture, &message))
    }

    fn pages(
        &self,
        response: &mut Response,
        reader: &Reader,
        options: &ContentOptions,
        segments: Vec<Segment>,
        answer: Captured,
    ) -> Result<()> {
        let mut first = SegmentsBody::new(reader, options, segments, Some(answer.stats));
        let last = answer.last.as_ref();
        let receipts = |last: &LastPage| Ok((last.people(answer.fd.as_deref())?, last.people(None)?));
        let receipt = last.map(receipts).transpose()?;
        let mut last =
            last.map(|last| SegmentsBody::new(reader, options, vec![last.segment()], Some(last.stats)));
        let mut sections = Vec::with_capacity(2);
        if !self.metadata_only {
            sections.push(Section { element: Some("preview"), ..Section::content(&mut first) });
        }
        if let Some(body) = &mut last {
            sections.push(Section { member: "last_page", element: Some("last_page"), receipt, body });
        }
        self.write(response, answer, sections)
    }

    fn write(&self, response: &mut Response, answer: Captured, sections: Vec<Section<'_>>) -> Result<()> {
        response.start(Frame { has_content: true, is_brief: self.is_brief, ..Frame::default() })?;
        response.part(Box::new(answer), sections)
    }

    /// The budget of the first page if the last page is shown too; otherwise `None`.
    fn shares(&self, record: &Record) -> Option<Budget> {
        let failed = record.ended.is_some_and(|ended| !ended.is_success());
        // Without a receipt between them, two pages with a gap look like one text.
        let is_shown = failed && self.format.has_receipt() && !self.metadata_only;
        let Budget { bytes, lines, .. } = self.budget;
        let has_room = bytes.is_none_or(|n| n / 2 >= MIN_PAGE_SIZE) && lines.is_none_or(|n| n >= 2);
        (is_shown && has_room).then(|| Budget {
            bytes: bytes.map(|n| n - n / 2),
            lines: lines.map(|n| n - n / 2),
            ..self.budget
        })
    }

    /// The last page, or as much of its end as fits into the budget `left`.
    fn last_page(
        &self,
        reader: &Reader,
        options: &ContentOptions,
        left: Budget,
        total_lines: Option<u64>,
    ) -> Option<LastPage> {
        let mut size = self.page_size;
        while size >= MIN_PAGE_SIZE {
            // An unreadable page is left out: the message says how to read the end.
            let page = Pager::new(reader, size).page(Place::Back(1)).ok()?;
            let segment = Segment { start: page.start, end: page.end, line: 1 };
            let mut stats = content::measure(reader, &[segment], options, left, None).ok()?;
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

    /// Formats without a receipt get its message on standard error.
    fn note(&self, capture: &Capture, message: &str) {
        if self.format.has_receipt() {
            return;
        }
        let ended = capture.record.ended.filter(|ended| !ended.is_success());
        let ended = ended.map_or(String::new(), |ended| format!("the command {}. ", ending(ended)));
        warn(Path::new(&capture.handle().to_string()), &format!("{ended}{message}"));
    }

    fn options(&self, reader: &Reader, out: &Out) -> ContentOptions {
        let raw = self.format == Format::Raw && (reader.encoding() == Encoding::Utf8 || !out.is_terminal);
        ContentOptions {
            raw,
            max_columns: self.max_columns,
            show_controls: out.is_terminal && self.format != Format::Json,
            skip_bom: !raw && reader.decided.bom,
            ..ContentOptions::default()
        }
    }

    fn envelope(&self, reader: &Reader, record: &Record) -> Captured {
        let decided = reader.decided;
        let plain = reader.is_binary() || decided.encoding == Encoding::Utf8 && !decided.unknown;
        Captured {
            record: record.clone(),
            encoding: (!plain).then(|| decided.name()),
            size: record.size(self.ansi),
            is_stripped: record.is_stripped(self.ansi),
            ..Captured::default()
        }
    }
}

pub(super) fn open_raw(path: &Path) -> Result<Reader> {
    Reader::open_as(path, &Access { raw: true, ..Access::default() })
}

fn lines(reader: &Reader, record: &Record, ansi: Ansi) -> Result<u64> {
    let encoding = reader.encoding();
    if encoding.units().width == 1 && !encoding.has_state() {
        return Ok(record.lines(ansi));
    }
    reader.count_lines()
}

/// Adds the hint of an error of the state directory.
pub(super) fn name_state_dir(error: Error) -> Error {
    error.hint("RREAD_STATE_DIR=DIR, a directory with room in it that is yours alone")
}

pub(super) fn ending(ended: Ended) -> String {
    match ended {
        Ended::Status(status) => format!("ended with exit status {status}"),
        Ended::Signal(signal) => format!("was ended by {}", signal_name(signal)),
    }
}

fn kept_message(answer: &Captured) -> String {
    let Record { produced, kept, kept_to, .. } = &answer.record;
    let fd = answer.fd.as_deref().unwrap_or_default();
    let pages = answer.pages.map_or(String::new(), |(pages, _)| format!(", {}", counted(pages, "page")));
    let kept = match kept_to {
        None => format!("{} of output are kept as {fd}{pages}.", counted(*produced, "byte")),
        Some(why) => {
            let limit = match why {
                KeptTo::Limit => "--limit",
                KeptTo::StateLimit => "RREAD_STATE_MAX",
                KeptTo::FileSizeLimit => "ulimit -f",
            };
            format!("The first {kept} of {produced} bytes of output are kept as {fd}{pages} ({limit}).")
        }
    };
    let stripped =
        if answer.is_stripped { " Escape sequences are left out; --ansi keep shows them." } else { "" };
    kept + stripped
}

/// How to read on after the first page, if it is shown.
fn go_on(capture: &Capture, ansi: Ansi, next: Option<Next>, is_shown: bool) -> String {
    let fd = capture.handle();
    // What is stored and what is shown have the same numbers of lines, but not the same pages.
    let keep =
        if capture.record.is_stripped(Ansi::Strip) && ansi == Ansi::Keep { " --ansi keep" } else { "" };
    let end = format!("the end: rread lines {fd} -20:{keep}");
    match next {
        _ if !is_shown => format!(" Read it with: rread page {fd}{keep}; {end}"),
        Some(Next::Slice(range, _)) => format!(
            " Cut by a budget; go on with: rread bytes {fd} {range}{keep}; by pages: rread page {fd}{keep}; {end}"
        ),
        Some(next @ Next::Page { .. }) => {
            let size = next.page_size().map_or(String::new(), |size| format!(" --page-size {size}"));
            format!(" This is page 1; go on with: rread page {fd} 2{size}{keep}; {end}")
        }
        None => {
            let all = if capture.record.kept_to.is_some() { "all that is kept" } else { "all of it" };
            format!(" This is {all}; again: rread lines {fd}{keep}")
        }
    }
}

fn binary_hint(capture: &Capture) -> String {
    let fd = capture.handle();
    format!(
        " It is not text; its bytes: rread bytes {fd} 0:256 --encode hexdump; to a file: rread capture save {fd} FILE"
    )
}
