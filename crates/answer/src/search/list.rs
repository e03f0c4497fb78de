//! Lists lines that no file has: the names of files that would be searched, or the types of files.

use super::find::{FileOutcome, FileSearch};
use super::options::Shows;
use crate::content::{Budget, ContentStats};
use crate::deliver::{Held, Response, Shape, respond};
use crate::format::{Format, Frame};
use crate::options::{AnswerOptions, OutputOptions};
use crate::receipt::{Checked, FilesFound, LeftOut, ListInfo};
use rread_text::Result;

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
        is_full |= exceeds(budget, &stats, &line);
        if is_full {
            continue;
        }
        info.listed += 1;
        stats.newlines += 1;
        stats.content_bytes += line.len() as u64;
        body.0.extend_from_slice(&line);
    }
    info.truncated = is_full;
    info.content_bytes = body.len();
    let shape = Shape { metadata_only: content.metadata_only, ..Shape::default() };
    respond(output, shape, |response| {
        response.start(Frame { has_content: true, ..Frame::default() })?;
        let sections = response.content(&mut body);
        response.part(Box::new(info), sections)
    })
}

/// Whether the budget has no room for `line` after the lines of `stats`.
pub(super) fn exceeds(budget: Budget, stats: &ContentStats, line: &[u8]) -> bool {
    let thirds = crate::content::thirds(line);
    budget.lines.is_some_and(|max| stats.newlines >= max)
        || budget.exceeded_limit(stats, line.len(), usize::try_from(thirds).unwrap_or(usize::MAX)).is_some()
}

/// The lines so far, and their sums.
#[derive(Default)]
pub(super) struct PerFile {
    lines: Vec<u8>,
    stats: ContentStats,
    info: FilesFound,
    is_used: bool,
}

impl PerFile {
    /// Takes what was found, if one line says all of it; otherwise the file has a receipt of its own.
    pub(super) fn take(
        &mut self,
        search: &FileSearch<'_>,
        found: &FileOutcome,
        response: &Response,
        budget: Budget,
    ) -> bool {
        let is_one_of_many =
            response.of_files && response.format.has_receipt() && response.format != Format::Json;
        let is_line =
            matches!(search.options.shows, Shows::Count | Shows::Matches | Shows::Name | Shows::NameWithout);
        if !(is_one_of_many && is_line) || search.file.request.content.metadata_only {
            return false;
        }
        let file = search.opened.bare_file_info(found.total_lines);
        let is_sound = found.checked == Checked::Right && found.info.next.is_none();
        if !(is_sound && file.details.is_ordinary() && file.name.is_plain()) {
            return false;
        }
        let line = search.line_of_file(&file.name.path, found);
        self.is_used |= line.is_some() || !search.file.is_walked;
        self.info.matches += found.info.matches;
        self.info.matched_lines += found.info.matched_lines;
        let Some(line) = line else { return true };
        self.info.files += 1;
        let decoded = file.details.decoding.decoded.filter(|format| !self.info.decoded.contains(format));
        self.info.decoded.extend(decoded);
        if self.info.truncated || exceeds(budget, &self.stats, &line) {
            self.info.truncated = true;
            return true;
        }
        self.stats.newlines += 1;
        self.stats.content_bytes += line.len() as u64;
        self.lines.extend(line);
        true
    }

    /// Writes the lines, if there are files; returns what is still to be said of the others.
    pub(super) fn write(self, left_out: LeftOut, response: &mut Response) -> Result<LeftOut> {
        if !self.is_used {
            return Ok(left_out);
        }
        let mut body = Held(self.lines);
        let left_out = Some(left_out).filter(|left_out| !left_out.is_empty());
        let info = FilesFound { content_bytes: body.len(), left_out, ..self.info };
        response.start(Frame { has_content: true, ..Frame::default() })?;
        let sections = response.content(&mut body);
        response.part(Box::new(info), sections)?;
        Ok(LeftOut::default())
    }
}
