//! Lists lines that no file has: the names of files that would be searched, or the types of files.

use crate::content::{Budget, ContentStats, Sink};
use crate::deliver::{Shape, respond};
use crate::format::{Body, Frame};
use crate::options::{AnswerOptions, OutputOptions};
use crate::output::Out;
use crate::receipt::ListInfo;
use rread_text::error::Result;

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
    let thirds = crate::content::tokens::thirds(line);
    budget.lines.is_some_and(|max| stats.newlines >= max)
        || budget.exceeded_limit(stats, line.len(), usize::try_from(thirds).unwrap_or(usize::MAX)).is_some()
}

/// Content in memory.
pub(super) struct Held(pub(super) Vec<u8>);

impl Held {
    /// The length in the answer.
    pub(super) fn len(&self) -> u64 {
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
