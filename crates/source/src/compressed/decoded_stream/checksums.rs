//! Reads on to a checksum to find whether text agrees with it.

use std::ops::Range;

use super::DecodedStream;
use crate::compressed::checkpoint::Checkpoint;
use crate::compressed::format::CompressionFormat;

/// The most compressed bytes to read for a checksum: a tenth of a second of work.
const NEAR: u64 = 8 << 20;

const NEAR_BY_NETWORK: u64 = 1 << 20;

/// The most text to decode for it: a decompression bomb has more.
const MAX_TEXT: u64 = 128 << 20;

const BGZF_MEMBER: u64 = 64 << 10;

impl DecodedStream {
    /// Notes the text whose checksum the decoder has compared by now.
    pub(super) fn note_checked(&mut self) {
        let end = self.end();
        let Some(unchecked) = self.decoder.unchecked() else {
            self.unchecked_from = end;
            return;
        };
        let mut checked = end.saturating_sub(unchecked);
        if self.format == CompressionFormat::Xz && self.checkpoints.is_table {
            // The library compares the checksum of a block before it returns text of the next.
            let block =
                self.checkpoints.before(end.saturating_sub(1)).map_or(0, |checkpoint| checkpoint.text_offset);
            checked = checked.max(block);
        }
        if checked > self.unchecked_from {
            self.checkpoints.checked.add(self.unchecked_from..checked);
            self.unchecked_from = checked;
        }
    }

    /// After a resume, finds where the text begins whose checksum is still to come.
    pub(super) fn begin_checking(&mut self) {
        let end = self.end();
        self.unchecked_from = self.decoder.unchecked().map_or(end, |unchecked| end.saturating_sub(unchecked));
    }

    /// Whether `span` agrees with its checksums. Reads on to them if they are near, but never waits for a stream.
    pub(in super::super) fn check_span(&mut self, span: &Range<u64>) -> bool {
        let Some(missing) = self.checkpoints.checked.missing(span) else {
            self.find_end();
            return true;
        };
        if self.uncheckable_from.is_some_and(|from| missing >= from) {
            return false;
        }
        let is_checked = self.read_to_checksum(span, missing);
        self.input.waits = true;
        if is_checked {
            self.find_end();
        } else {
            self.uncheckable_from = Some(self.unchecked_from.min(missing));
        }
        is_checked
    }

    fn read_to_checksum(&mut self, span: &Range<u64>, missing: u64) -> bool {
        let checkpoint = self.checkpoint_before_check(missing);
        let goes_on = !self.is_lost && self.unchecked_from <= missing;
        let from = match &checkpoint {
            _ if goes_on => self.input.position(),
            checkpoint => checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.raw_offset),
        };
        let near = if self.input.source.info().object.is_some() { NEAR_BY_NETWORK } else { NEAR };
        if self.next_checksum(from).is_some_and(|next| next.saturating_sub(from) > near) {
            return false;
        }
        if !goes_on && self.resume_at(checkpoint).is_err() {
            return false;
        }
        let text = self.end();
        while self.checkpoints.checked.missing(span).is_some() {
            self.input.waits = false;
            let read = self.input.position().saturating_sub(from);
            if read > near || self.end().saturating_sub(text) > MAX_TEXT {
                return false;
            }
            match self.advance() {
                Ok(true) => {}
                // Damage is noted; another error comes back when somebody reads on.
                Ok(false) | Err(_) => break,
            }
        }
        self.checkpoints.checked.missing(span).is_none()
    }

    /// The nearest checkpoint from which the checksum of the text at `offset` can be compared.
    fn checkpoint_before_check(&self, offset: u64) -> Option<Checkpoint> {
        match self.format {
            // A decoder that resumes inside a frame cannot compare the frame's checksum.
            CompressionFormat::Zstd => self.checkpoints.member_before(offset).cloned(),
            _ => self.checkpoints.before(offset).cloned(),
        }
    }

    /// The raw offset where the member or block at `raw_offset` ends at the latest; unknown in a stream.
    fn next_checksum(&self, raw_offset: u64) -> Option<u64> {
        let size = self.input.source.size();
        if self.format == CompressionFormat::Bgzf {
            return Some(raw_offset.saturating_add(BGZF_MEMBER).min(size.unwrap_or(u64::MAX)));
        }
        self.checkpoints.member_after(raw_offset).or(size)
    }

    /// Notes the end of the text once all compressed bytes are read.
    fn find_end(&mut self) {
        let is_at_end = self.input.source.size() == Some(self.input.position());
        if is_at_end
            && !self.in_member
            && !self.is_lost
            && self.damage.is_none()
            && self.checkpoints.text_size.is_none()
        {
            let _ = self.advance();
        }
    }
}
