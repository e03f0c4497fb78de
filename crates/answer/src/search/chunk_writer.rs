//! Writes the chunks of several files within a budget: as text, or as groups of JSON.

use super::chunks::Chunk;
use super::groups::{BYTES, LINES};
use super::list::Held;
use crate::content::{Budget, ContentStats, CutBy};
use crate::merge::files::Set;
use crate::merge::mix::{Target, Walked, add};
use crate::receipt::{ContentInfo, MatchedLines, MatchedRange, NameInfo, PageOfDocument};
use rread_text::error::Result;

/// Writes chunks, and counts what it writes.
pub(super) struct ChunkWriter<'s> {
    set: &'s Set<'s>,
    /// The line between chunks that do not touch.
    separator: Option<Vec<u8>>,
    left: Budget,
    pub(super) walked: Walked,
    /// The file and the end of the last chunk.
    pub(super) last: Option<(usize, u64)>,
    /// A group of JSON that may go on.
    group: Option<(usize, Chunk)>,
}

impl<'s> ChunkWriter<'s> {
    pub(super) fn new(set: &'s Set<'s>, separator: Option<Vec<u8>>, left: Budget, walked: Walked) -> Self {
        ChunkWriter { set, separator, left, walked, last: None, group: None }
    }

    /// The limit that has no room for a chunk and a line before it.
    pub(super) fn exceeds(&self, chunk: &Chunk) -> Option<CutBy> {
        let separator = self.separator.as_ref().map_or(0, Vec::len);
        let thirds = usize::try_from(chunk.stats.token_thirds.unwrap_or(0)).unwrap_or(usize::MAX);
        match self.left.lines {
            Some(lines) if chunk.stats.newlines > lines => Some(CutBy::Lines),
            _ => self.left.exceeded_limit(
                &ContentStats::default(),
                chunk.content.len() + separator,
                thirds.saturating_add(separator),
            ),
        }
    }

    /// Writes a chunk.
    pub(super) fn chunk(&mut self, position: usize, chunk: Chunk, target: &mut Target<'_>) -> Result<()> {
        let touches = self.last == Some((position, chunk.first.start));
        let file = &mut self.walked.files[position];
        let (start, _) = file.range.unwrap_or((chunk.first.start, 0));
        file.range = Some((start, chunk.last.next));
        let (first, _) = file.lines.unwrap_or((chunk.first.number, 0));
        file.lines = Some((first, chunk.last.number));
        file.records += 1;
        file.matches += chunk.found;
        let is_first = self.last.replace((position, chunk.last.next)).is_none();
        let mut stats = chunk.stats;
        let separator = self.separator.as_deref().filter(|_| !touches && !is_first).unwrap_or_default();
        if !matches!(target, Target::Segments(_)) {
            stats.content_bytes += separator.len() as u64;
        }
        if let Target::Sink(sink) = target {
            sink.write(separator)?;
            sink.write(&chunk.content)?;
        }
        self.left = self.left.less(&stats);
        add(&mut self.walked.stats, &stats);
        if matches!(target, Target::Segments(_)) {
            self.grouped(position, chunk, touches, target)?;
        }
        Ok(())
    }

    /// Joins a chunk with the group before it, or begins another one.
    fn grouped(
        &mut self,
        position: usize,
        chunk: Chunk,
        touches: bool,
        target: &mut Target<'_>,
    ) -> Result<()> {
        if let Some((_, group)) = self.group.as_mut().filter(|_| touches)
            && group.last.number - group.first.number < LINES
            && group.content.len() < BYTES
        {
            group.last = chunk.last;
            group.content.extend(chunk.content);
            group.matches.extend(chunk.matches);
            group.windows.extend(chunk.windows);
            add(&mut group.stats, &chunk.stats);
            return Ok(());
        }
        self.flush(target)?;
        self.group = Some((position, chunk));
        Ok(())
    }

    /// Writes the group of JSON, if there is one.
    pub(super) fn flush(&mut self, target: &mut Target<'_>) -> Result<()> {
        let (Some((position, group)), Target::Segments(response)) = (self.group.take(), target) else {
            return Ok(());
        };
        let entry = self.set.entry(position);
        let envelope = MatchedLines {
            name: NameInfo::of(&entry.request.path),
            actual_range: MatchedRange {
                start_line: group.first.number,
                end_line: group.last.number,
                start_byte: group.first.start,
                end_byte: group.last.next,
            },
            matches: group.matches,
            windows: group.windows,
            truncated: group.stats.clipped_lines > 0,
            content: ContentInfo::from(&group.stats),
            page: PageOfDocument::default(),
        };
        let mut body = Held(group.content);
        let sections = response.content(&mut body);
        response.part(Box::new(envelope), sections)
    }
}
