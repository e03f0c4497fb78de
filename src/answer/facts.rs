//! One answer from request to exit: open, check, locate, align, measure, render.

use super::damage::{self, up_to_damage};
use super::deliver::Response;
use super::plan::{Plan, Planned, Planner};
use super::request::Request;
use crate::content::{Budget, ContentOptions};
use crate::encoding::Encoding;
use crate::envelope::{Answer, Checked, Compression, Part};
use crate::error::Result;
use crate::format::Format;
use crate::hints;
use crate::progress::Progress;
use crate::reader::Reader;

impl Request<'_> {
    /// Answers on standard output.
    pub(crate) fn answer(&self) -> Result<()> {
        self.try_answer().map_err(|error| error.about(&self.path))
    }

    fn try_answer(&self) -> Result<()> {
        let mut response = Response::new(self.output, false)?;
        let (reader, options) = self.open(&response)?;
        let plan = self.plan(&reader, &options, response.format, self.budget()?)?;
        // One range alone is answered or refused; several are answered as far as they can be.
        if let [Planned { part: Part { outcome: Err(error), .. }, .. }] = &plan.parts[..] {
            return Err(error.clone());
        }
        response.begin(self.envelope(&reader, response.format, &plan))?;
        for planned in plan.parts {
            response.part(&reader, &options, planned)?;
        }
        response.end(&reader)?;
        response.finish()
    }

    /// Opens the file and refuses what can be refused before anything is located.
    pub(crate) fn open(&self, response: &Response<'_>) -> Result<(Reader, ContentOptions)> {
        let format = response.format;
        self.check(format)?;
        let policy = self.content.input.policy()?;
        let reader = self.content.input.open(&self.path).map_err(|error| self.or_changed(error))?;
        // Bytes alone, without a receipt, have nothing to learn from an index, unless they have to be decoded.
        let is_compressed = reader.source().info().decoding.is_some();
        if let Some(policy) = policy.filter(|_| is_compressed || self.is_about_lines(format)) {
            reader.use_index(&self.path, &policy);
        }
        self.check_version(&reader)?;
        self.check_content(&reader)?;
        self.check_options(format, &reader)?;
        let options = self.options(format, &reader, &response.out);
        Ok((reader, options))
    }

    /// Finds, aligns and measures every range within `left` of the budget.
    pub(crate) fn plan(
        &self,
        reader: &Reader,
        options: &ContentOptions,
        format: Format,
        left: Budget,
    ) -> Result<Plan> {
        let _progress = Progress::watch(reader);
        let mut plan = up_to_damage(reader, || self.plan_once(reader, options, format, left))?;
        if format.has_receipt() {
            plan.parts.iter_mut().for_each(|planned| damage::check_part(reader, planned));
        }
        reader.save_index(false);
        Ok(plan)
    }

    fn plan_once(
        &self,
        reader: &Reader,
        options: &ContentOptions,
        format: Format,
        left: Budget,
    ) -> Result<Plan> {
        let mut located = self.locate(reader, format, left)?;
        for (range, slice) in self.ranges.iter().zip(&mut located.slices) {
            if let Some(error) = damage::refusal_of(reader, &self.path, *range, slice) {
                *slice = Err(error);
            }
        }
        let header_end = located.header_end;
        let mut planner = Planner { request: self, reader, options, format, left, header_end };
        let planned = self.ranges.iter().zip(&located.slices);
        let parts = planned.map(|(range, slice)| planner.plan(*range, slice)).collect::<Result<_>>()?;
        Ok(Plan { parts, total_lines: located.total_lines, left: planner.left })
    }

    /// What holds for the whole file, as far as `plan` brought it to light.
    pub(crate) fn envelope(&self, reader: &Reader, format: Format, plan: &Plan) -> Answer<'_> {
        // A slice that begins at a known line and ends with the file tells how many lines there are.
        let counted = plan.parts.iter().filter_map(|planned| planned.part.outcome.as_ref().ok()).find_map(
            |delivered| {
                let at_end = Some(delivered.end) == reader.told_size();
                // An empty slice behind a line without an end stands in that line.
                let tells = at_end && (delivered.lines? > 0 || delivered.end == 0);
                Some(delivered.first_line? + delivered.lines?).filter(|_| tells).map(|n| n - 1)
            },
        );
        let counted = plan.total_lines.filter(|_| reader.has_true_end()).or(counted);
        let total_lines = counted.or_else(|| damage::known_lines(reader));
        let several = self.several || self.ranges.len() > 1;
        let answer = self.file_answer(reader, format, total_lines);
        // What is delivered from what is held costs nothing more.
        let delivered = plan.parts.iter().filter_map(|planned| planned.part.outcome.as_ref().ok());
        let bytes = delivered.fold(0u64, |sum, part| sum.saturating_add(part.end - part.start));
        let traffic = answer.traffic.filter(|traffic| bytes <= traffic.held);
        let checked = plan.parts.iter().filter_map(|planned| planned.part.outcome.as_ref().ok());
        let checked = checked.map(|delivered| delivered.checked).max().unwrap_or_default();
        Answer { several, traffic, ..answer.with(checked) }
    }

    /// What holds for a file that has `total_lines`, if that is known.
    pub(crate) fn file_answer(
        &self,
        reader: &Reader,
        format: Format,
        total_lines: Option<u64>,
    ) -> Answer<'_> {
        let decided = reader.decided();
        // Plain UTF-8 goes without saying, and so does what is no text.
        let named = !(reader.is_binary() || decided.encoding == Encoding::Utf8 && !decided.unknown);
        let guess = if format.has_receipt() { reader.encoding_guess() } else { None };
        let version = if format.has_receipt() { reader.version().ok().flatten() } else { None };
        Answer {
            path: &self.path,
            size: reader.told_size(),
            total_lines,
            // Where its first or last bytes cannot be read, the file has no version; the slice may be fine.
            version: version.map(|version| version.to_string()),
            bom: decided.bom,
            encoding: named.then(|| decided.name()),
            encoding_source: named.then_some(decided.origin),
            encoding_hint: guess.as_deref().map(|guess| hints::encoding_hint(&self.path, reader, guess)),
            encoding_guess: guess.filter(|_| decided.unknown),
            aligned_to: decided.encoding,
            encode: self.content.encode,
            several: false,
            metadata_only: self.content.metadata_only,
            index: reader.index_outcome(),
            bytes_scanned: reader.scanned(),
            change: reader.changed(),
            unverified: reader.is_unverified(),
            traffic: reader.source().info().traffic,
            compression: compression(reader),
            damaged: damage::damaged(reader),
        }
    }
}

/// How what `reader` reads is compressed, as far as it has seen.
pub(crate) fn compression(reader: &Reader) -> Option<Compression> {
    let decoding = reader.source().info().decoding?;
    Some(Compression {
        format: decoding.format(),
        size: decoding.input().size(),
        trailing_garbage: decoding.has_trailing_garbage(),
        is_damaged: decoding.damage().is_some(),
        is_salvaged: decoding.is_salvaged(),
        checked: Checked::Right,
    })
}
