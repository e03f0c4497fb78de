//! An answer on its way out: part after part as they come, of one file or of several, and what is said at the end.

use super::damage;
use super::facts::compression;
use super::plan::Planned;
use crate::args::OutputArgs;
use crate::content::{self, ContentOptions, ContentStats, Segment, Sink};
use crate::envelope::{Answer, Checked, Compression, Part};
use crate::error::{Error, Kind, Result};
use crate::format::{Body, Ending, Format, Renderer, renderer};
use crate::output::Out;
use crate::reader::Reader;
use crate::source::Change;

/// An answer on its way out. Parts are not kept: however many there are, memory stays the same.
pub(crate) struct Response<'a> {
    /// Standard output.
    pub(crate) out: Out,
    /// The format asked for.
    pub(crate) format: Format,
    renderer: Box<dyn Renderer>,
    /// What holds for each file, in the order they were answered.
    answers: Vec<Answer<'a>>,
    last: Option<Part>,
    truncated: bool,
    /// Whether it is about several files.
    pub(crate) of_files: bool,
    first_error: Option<Error>,
}

impl<'a> Response<'a> {
    /// An answer in the way that `output` says; about one file, or any number of them if `of_files`.
    ///
    /// # Errors
    /// `usage` for a format that is none, `write` when standard output is closed.
    pub(crate) fn new(output: &OutputArgs, of_files: bool) -> Result<Self> {
        let format = output.format()?;
        let out = Out::stdout()?;
        let renderer = renderer(format, output.use_color(&out));
        let answers = Vec::new();
        Ok(Response {
            out,
            format,
            renderer,
            answers,
            last: None,
            truncated: false,
            of_files,
            first_error: None,
        })
    }

    /// Begins with what `answer` is about. Of several files, the first begins.
    ///
    /// # Errors
    /// `changed`, when what was read may be half of one file and half of another; those of writing.
    pub(crate) fn begin(&mut self, answer: Answer<'a>) -> Result<()> {
        refuse_torn(answer.change)?;
        match (self.of_files, self.answers.is_empty()) {
            (true, true) => self.renderer.begin(&mut self.out, None)?,
            (true, false) => {}
            (false, _) => self.renderer.begin(&mut self.out, Some(&answer))?,
        }
        if self.format == Format::Raw && answer.encode.is_none() && !self.out.is_terminal() {
            note_wide(&answer);
        }
        self.answers.push(answer);
        Ok(())
    }

    /// A part of the file that was begun with last, its content straight from `reader`.
    ///
    /// # Errors
    /// Those of reading and writing, and `changed` when the content is not what the receipt says.
    pub(crate) fn part(&mut self, reader: &Reader, options: &ContentOptions, planned: Planned) -> Result<()> {
        let Planned { part, segments } = planned;
        if let Some(answer) = self.answers.last_mut() {
            // A stream may have come to its end since the answer was begun.
            answer.size = answer.size.or_else(|| reader.told_size());
        }
        let delivered = part.outcome.as_ref().ok();
        let expected = delivered.filter(|_| self.format.has_receipt()).map(|d| d.stats);
        let has_content = !segments.is_empty();
        if !self.format.has_receipt() {
            // All that comes before damage is put out, and then the damage is said.
            reader.end_at_damage();
        }
        self.put(part, &mut FileBody { reader, options, segments, expected })?;
        if has_content { self.note_damage(reader) } else { Ok(()) }
    }

    /// Notes what is wrong with the part that was written last, if damage is in it.
    fn note_damage(&mut self, reader: &Reader) -> Result<()> {
        let (Some(part), Some(answer)) = (&mut self.last, self.answers.last_mut()) else { return Ok(()) };
        let Ok(delivered) = &mut part.outcome else { return Ok(()) };
        if !self.format.has_receipt() {
            let end = reader.known_size().map_or(delivered.end, |size| size.min(delivered.end));
            let reaches = delivered.reaches_damage || reader.is_cut_short() && end < delivered.end;
            // Everything is out before it is waited for more.
            self.out.flush()?;
            delivered.checked = damage::check(reader, delivered.start, end, reaches);
        }
        if let Some(compression) = &mut answer.compression {
            compression.checked = compression.checked.max(delivered.checked);
        }
        if let Some(error) = damage::failure(reader, answer.path, part) {
            match self.first_error {
                Some(_) if !self.format.has_receipt() => crate::stdio::warn(answer.path, &error.message),
                Some(_) => {}
                None => self.first_error = Some(error),
            }
        }
        Ok(())
    }

    /// A part for which there is nothing to deliver.
    pub(crate) fn refused(&mut self, part: Part) -> Result<()> {
        self.put(part, &mut NoBody)
    }

    fn put(&mut self, part: Part, body: &mut dyn Body) -> Result<()> {
        let Some(answer) = self.answers.last() else { return Ok(()) };
        self.renderer.part(&mut self.out, answer, &part, body)?;
        match &part.outcome {
            // What has no receipt tells each failure, the first in the end.
            Err(error) if self.first_error.is_some() && !self.format.has_receipt() => {
                crate::stdio::warn(answer.path, &error.message);
            }
            Err(error) => {
                self.first_error.get_or_insert_with(|| error.clone());
            }
            Ok(delivered) => {
                self.truncated |= delivered.cut_by().is_some();
                if let Some(note) = delivered.cut_note().filter(|_| !self.format.has_receipt()) {
                    // What was put is out before it is talked about.
                    self.out.flush()?;
                    crate::stdio::warn(answer.path, &note);
                }
            }
        }
        self.last = Some(part);
        Ok(())
    }

    /// Looks at the file that was begun with last for the last time.
    ///
    /// # Errors
    /// `changed`, as for [`Response::begin`]; those of writing.
    pub(crate) fn end(&mut self, reader: &Reader) -> Result<()> {
        // Everything is in or through the pipe before that.
        self.out.flush()?;
        let Some(answer) = self.answers.last_mut() else { return Ok(()) };
        answer.change = reader.changed().or(answer.change);
        let checked = answer.compression.map_or(Checked::Right, |compression| compression.checked);
        answer.compression = compression(reader).map(|compression| Compression { checked, ..compression });
        answer.damaged = damage::damaged(reader);
        answer.bytes_scanned = reader.scanned();
        answer.traffic = reader.source().info().traffic;
        refuse_torn(answer.change)?;
        if !self.format.has_receipt() {
            note_file(answer);
        }
        Ok(())
    }

    /// Ends the answer.
    pub(crate) fn finish(mut self) -> Result<()> {
        let ending = Ending {
            answers: &self.answers,
            last: self.last.as_ref(),
            truncated: self.truncated,
            of_files: self.of_files,
        };
        self.renderer.finish(&mut self.out, ending)?;
        self.out.flush()?;
        self.first_error.map_or(Ok(()), Err)
    }
}

/// Says that raw output is not UTF-8: a search in it finds nothing, and says nothing.
fn note_wide(answer: &Answer<'_>) {
    let is_empty = answer.size == Some(answer.aligned_to.mark().len() as u64);
    if answer.aligned_to.units().width() > 1 && !is_empty {
        let name = answer.aligned_to.name();
        crate::stdio::warn(answer.path, &format!("the raw bytes are {name}; -f text is the text in UTF-8"));
    }
}

/// Says on standard error what the formats without a receipt cannot say of the file.
fn note_file(answer: &Answer<'_>) {
    let change = answer.change.map(|change| format!("changed while it was read ({})", change.name()));
    let garbage = answer.compression.is_some_and(|compression| compression.trailing_garbage);
    let garbage = garbage.then(|| "extra bytes after the compressed data were ignored".to_owned());
    let unverified = "the server says nothing by which a change during the read could be noticed".to_owned();
    let unverified = answer.unverified.then_some(unverified);
    for note in change.into_iter().chain(garbage).chain(unverified) {
        crate::stdio::warn(answer.path, &note);
    }
}

/// Refuses to pass for a success what may be half of one file and half of another. A file that only
/// grew gave a true beginning.
pub(crate) fn refuse_torn(change: Option<Change>) -> Result<()> {
    match change {
        None | Some(Change::Appended) => Ok(()),
        Some(change) => Err(Error::new(Kind::Changed, format!("was {} while it was read", change.name()))
            .hint("run the same command again")),
    }
}

/// The content of a part, straight from the file.
pub(crate) struct FileBody<'a> {
    pub(crate) reader: &'a Reader,
    pub(crate) options: &'a ContentOptions,
    pub(crate) segments: Vec<Segment>,
    /// What the receipt says of it, if it was measured.
    pub(crate) expected: Option<ContentStats>,
}

impl FileBody<'_> {
    /// The receipt is out already: what does not agree with it must not pass for success.
    fn check(&self, got: &ContentStats) -> Result<()> {
        match &self.expected {
            Some(expected)
                if (expected.content_bytes, expected.newlines, expected.invalid)
                    != (got.content_bytes, got.newlines, got.invalid) =>
            {
                Err(self.reader.rewritten())
            }
            _ => Ok(()),
        }
    }
}

impl Body for FileBody<'_> {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let got = content::deliver(self.reader, &self.segments, self.options, sink)?;
        self.check(&got)
    }

    fn plain(&mut self, out: &mut Out) -> Result<()> {
        match content::deliver_plain(self.reader, &self.segments, self.options, out)? {
            Some(got) => self.check(&got),
            None => Ok(()),
        }
    }
}

/// The content of a part that has none.
struct NoBody;

impl Body for NoBody {
    fn write(&mut self, _: &mut dyn Sink) -> Result<()> {
        Ok(())
    }

    fn plain(&mut self, _: &mut Out) -> Result<()> {
        Ok(())
    }
}
