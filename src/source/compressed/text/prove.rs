//! Reading on to the checksum: whether the text that was given is what was compressed.

use std::ops::Range;

use super::Text;
use crate::source::compressed::format::Format;
use crate::source::compressed::restart::Restart;

/// Compressed bytes that are read to compare a checksum: a tenth of a second of work.
const NEAR: u64 = 8 << 20;

/// The same of an object, where they have to be fetched.
const NEAR_BY_NETWORK: u64 = 1 << 20;

/// Bytes of text that they may decode to; a bomb has more.
const MOST_TEXT: u64 = 128 << 20;

/// The largest member of a BGZF file.
const BGZF_MEMBER: u64 = 64 << 10;

impl Text {
    /// Takes note of what the decoder has compared with a checksum by now.
    pub(super) fn note_proven(&mut self) {
        let end = self.end();
        let Some(unchecked) = self.decoder.unchecked() else {
            self.unproven = end;
            return;
        };
        let mut proven = end.saturating_sub(unchecked);
        if self.format == Format::Xz && self.restarts.is_table() {
            // The library compares the checksum of a block before it gives anything of the next.
            let block = self.restarts.before(end.saturating_sub(1)).map_or(0, |place| place.text);
            proven = proven.max(block);
        }
        if proven > self.unproven {
            self.restarts.proven.add(self.unproven..proven);
            self.unproven = proven;
        }
    }

    /// Takes note of where the text begins whose checksum is still to come, after the decoder was set to another place.
    pub(super) fn begin_proof(&mut self) {
        let end = self.end();
        self.unproven = self.decoder.unchecked().map_or(end, |unchecked| end.saturating_sub(unchecked));
    }

    /// Whether the checksums of `span` were right. Reads on to them if they are near, and never waits for a stream.
    pub(in super::super) fn prove(&mut self, span: &Range<u64>) -> bool {
        let Some(missing) = self.restarts.proven.missing(span) else {
            self.look_for_the_end();
            return true;
        };
        if self.no_proof_from.is_some_and(|from| missing >= from) {
            return false;
        }
        let is_proven = self.read_to_checksum(span, missing);
        self.decoder.feed().waits = true;
        if is_proven {
            self.look_for_the_end();
        } else {
            self.no_proof_from = Some(self.unproven.min(missing));
        }
        is_proven
    }

    fn read_to_checksum(&mut self, span: &Range<u64>, missing: u64) -> bool {
        let place = self.place_to_prove(missing);
        let goes_on = !self.is_lost && self.unproven <= missing;
        let position = self.decoder.feed().position();
        let from = if goes_on { position } else { place.as_ref().map_or(0, |place| place.input) };
        let near = if self.stored.info().object.is_some() { NEAR_BY_NETWORK } else { NEAR };
        if self.next_checksum(from).is_some_and(|next| next.saturating_sub(from) > near) {
            return false;
        }
        if !goes_on && self.take_up(place).is_err() {
            return false;
        }
        let text = self.end();
        while self.restarts.proven.missing(span).is_some() {
            let feed = self.decoder.feed();
            feed.waits = false;
            let read = feed.position().saturating_sub(from);
            if read > near || self.end().saturating_sub(text) > MOST_TEXT {
                return false;
            }
            match self.advance() {
                Ok(true) => {}
                // Damage has been noted; who reads on will hear of anything else.
                Ok(false) | Err(_) => break,
            }
        }
        self.restarts.proven.missing(span).is_none()
    }

    /// Where decoding has to begin to come to the checksum of the text at `offset`.
    fn place_to_prove(&self, offset: u64) -> Option<Restart> {
        let place = match self.format {
            // Taken up inside a frame, its checksum cannot be compared.
            Format::Zstd => self.restarts.member_before(offset),
            _ => self.restarts.before(offset),
        };
        place.cloned()
    }

    /// Where in the compressed data the member or block that is at `input` has ended at the latest; unknown of a stream.
    fn next_checksum(&self, input: u64) -> Option<u64> {
        let size = self.stored.size();
        match (self.format, self.restarts.member_after(input)) {
            (Format::Bgzf, _) => Some(input.saturating_add(BGZF_MEMBER).min(size.unwrap_or(u64::MAX))),
            (_, Some(next)) => Some(next),
            (_, None) => size,
        }
    }

    /// Takes note of the end where nothing is left of the compressed data.
    fn look_for_the_end(&mut self) {
        let is_at_end = self.stored.size() == Some(self.decoder.feed().position());
        if is_at_end
            && !self.inside
            && !self.is_lost
            && self.damage.is_none()
            && self.restarts.text_size.is_none()
        {
            // What is wrong with it has been noted, if anything is.
            let _ = self.advance();
        }
    }
}
