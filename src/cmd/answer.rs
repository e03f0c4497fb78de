//! One answer from question to exit: open, check, locate, align, measure, render.

use crate::body::{self, Shape, Sink, Stretch, Tally};
use crate::cmd::plan::{Planned, Planner, hinted};
use crate::cmd::progress::Progress;
use crate::cmd::question::Question;
use crate::encoding::Encoding;
use crate::error::{Error, Kind, Result};
use crate::output::Out;
use crate::reader::Reader;
use crate::render::{Body, Format, renderer};
use crate::report::{Answer, Compression, Part};
use crate::selection::Located;
use crate::source::Change;

impl Question<'_> {
    /// Answers on standard output.
    ///
    /// # Errors
    /// Whatever kept the answer from being complete; a range that is past the end only after the others.
    pub fn answer(&self) -> Result<()> {
        self.try_answer().map_err(|error| match error.path {
            // Failed writes are about standard output, not about the file.
            None if !matches!(error.kind, Kind::Write | Kind::BrokenPipe) => error.at(&self.path),
            _ => error,
        })
    }

    fn try_answer(&self) -> Result<()> {
        let format = self.output.format()?;
        let budget = self.budget()?;
        self.check(format)?;
        let policy = self.content.input.policy()?;
        let reader = self.content.input.open(&self.path).map_err(|error| self.or_changed(error))?;
        // Bytes alone, without a receipt, have nothing to learn from an index, unless they have to be decoded.
        let is_compressed = reader.source().compressed().is_some();
        if let Some(policy) = policy.filter(|_| is_compressed || self.is_about_lines(format)) {
            reader.use_index(&self.path, &policy);
        }
        self.check_version(&reader)?;
        self.check_content(&reader)?;
        self.check_shape(format, &reader)?;
        let mut out = Out::stdout()?;
        let progress = Progress::watch(&reader);
        let shape = self.shape(format, &reader, &out);
        let located = self.locate(&reader, budget)?;
        let mut planner = Planner {
            question: self,
            reader: &reader,
            shape: &shape,
            format,
            left: budget,
            located: &located,
        };
        // One range alone is answered or refused; several are answered as far as they can be.
        if let [Err(error)] = &located.slices[..] {
            return Err(hinted(error.clone(), self.ranges[0].unit, &self.path));
        }
        let planned = self.ranges.iter().zip(&located.slices);
        let planned: Vec<Planned> =
            planned.map(|(range, slice)| planner.plan(*range, slice)).collect::<Result<_>>()?;
        reader.save_index(false);
        drop(progress);
        self.render(&reader, &shape, format, &located, planned, &mut out)
    }

    fn render(
        &self,
        reader: &Reader,
        shape: &Shape,
        format: Format,
        located: &Located,
        planned: Vec<Planned>,
        out: &mut Out,
    ) -> Result<()> {
        let (parts, stretches): (Vec<Part>, Vec<Vec<Stretch>>) =
            planned.into_iter().map(|p| (p.part, p.stretches)).unzip();
        let mut answer = self.envelope(reader, format, located, &parts);
        refuse_torn(answer.change)?;
        let mut renderer = renderer(format, self.output.use_color(out));
        renderer.begin(out, &answer)?;
        for (part, stretches) in parts.iter().zip(stretches) {
            let expected = part.outcome.as_ref().ok().filter(|_| format.has_receipt()).map(|d| d.tally);
            let mut body = FileBody { reader, shape, stretches, expected };
            renderer.part(out, &answer, part, &mut body)?;
        }
        // Everything is in or through the pipe before the file is looked at for the last time.
        out.flush()?;
        answer.change = reader.changed().or(answer.change);
        answer.compression = compression(reader);
        refuse_torn(answer.change)?;
        renderer.finish(out, &answer, &parts)?;
        out.flush()?;
        if !format.has_receipt() {
            self.note_cuts(&parts, &answer);
        }
        match parts.into_iter().find_map(|part| part.outcome.err()) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn envelope(&self, reader: &Reader, format: Format, located: &Located, parts: &[Part]) -> Answer<'_> {
        // A slice that begins at a known line and ends with the file tells how many lines there are.
        let counted = parts.iter().filter_map(|part| part.outcome.as_ref().ok()).find_map(|delivered| {
            let at_end = Some(delivered.end) == reader.known_size();
            // An empty slice behind a line without an end stands in that line.
            let tells = at_end && (delivered.lines? > 0 || delivered.end == 0);
            Some(delivered.first_line? + delivered.lines?).filter(|_| tells).map(|n| n - 1)
        });
        let decided = reader.decided();
        // Plain UTF-8 goes without saying, and so does what is no text.
        let named = !(reader.is_binary() || decided.encoding == Encoding::Utf8 && !decided.unknown);
        let version = if format.has_receipt() { reader.version().ok().flatten() } else { None };
        Answer {
            path: &self.path,
            size: reader.known_size(),
            total_lines: located.total_lines.or(counted).or_else(|| reader.known_lines()),
            // Where its first or last bytes cannot be read, the file has no version; the slice may be fine.
            version: version.map(|version| version.to_string()),
            bom: decided.bom,
            encoding: named.then(|| decided.name()),
            encoding_source: named.then_some(decided.origin),
            encoding_guess: if format.has_receipt() { reader.encoding_guess() } else { None },
            aligned_to: decided.encoding,
            encode: self.content.encode,
            several: self.several || self.ranges.len() > 1,
            metadata_only: self.content.metadata_only,
            index: reader.index_outcome(),
            bytes_scanned: reader.scanned(),
            change: reader.changed(),
            compression: compression(reader),
        }
    }

    /// Says on standard error what the formats without a receipt cannot say.
    fn note_cuts(&self, parts: &[Part], answer: &Answer<'_>) {
        let cuts = parts.iter().filter_map(|part| part.outcome.as_ref().ok()?.cut_note());
        let change = answer.change.map(|change| format!("changed while it was read ({})", change.name()));
        let garbage = answer.compression.is_some_and(|compression| compression.trailing_garbage);
        let garbage = garbage.then(|| "bytes behind the compressed data belong to none of it".to_owned());
        for note in cuts.chain(change).chain(garbage) {
            crate::warn(&self.path, &note);
        }
    }
}

/// How what `reader` reads is compressed, as far as it has seen.
pub(super) fn compression(reader: &Reader) -> Option<Compression> {
    let compressed = reader.source().compressed()?;
    Some(Compression {
        format: compressed.format().name(),
        size: compressed.stored().size(),
        trailing_garbage: compressed.has_trailing_garbage(),
    })
}

/// Refuses to pass for a success what may be half of one file and half of another. A file that only
/// grew gave a true beginning.
pub(super) fn refuse_torn(change: Option<Change>) -> Result<()> {
    match change {
        None | Some(Change::Appended) => Ok(()),
        Some(change) => Err(Error::new(Kind::Changed, format!("was {} while it was read", change.name()))
            .hint("run the same command again")),
    }
}

/// The content of a part, straight from the file.
struct FileBody<'a> {
    reader: &'a Reader,
    shape: &'a Shape,
    stretches: Vec<Stretch>,
    expected: Option<Tally>,
}

impl FileBody<'_> {
    /// The receipt is out already: what does not agree with it must not pass for success.
    fn check(&self, got: &Tally) -> Result<()> {
        match &self.expected {
            Some(expected)
                if (expected.content_bytes, expected.newlines, expected.invalid)
                    != (got.content_bytes, got.newlines, got.invalid) =>
            {
                Err(Error::new(Kind::Changed, "was rewritten while it was read")
                    .hint("run the same command again"))
            }
            _ => Ok(()),
        }
    }
}

impl Body for FileBody<'_> {
    fn pour(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let got = body::deliver(self.reader, &self.stretches, self.shape, sink)?;
        self.check(&got)
    }

    fn plain(&mut self, out: &mut Out) -> Result<()> {
        match body::deliver_plain(self.reader, &self.stretches, self.shape, out)? {
            Some(got) => self.check(&got),
            None => Ok(()),
        }
    }
}
