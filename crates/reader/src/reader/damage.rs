//! Damaged compressed files: where their readable text ends, and whether the checksums agree.

use std::io;
use std::ops::Range;

use super::Reader;
use crate::index::BLOCK;
use rread_source::compressed::damage::Damage;
use rread_source::{Change, Decoded, Decoding, Paged};
use rread_text::error::{Error, Kind, Result, counted};
use rread_text::sentence::{call, setting};

impl Reader {
    /// The decoder, if the source is decoded text.
    pub fn decoding(&self) -> Option<&dyn Decoding> {
        self.source.info().decoding
    }

    /// The source as a document with pages of its own.
    pub fn document(&self) -> Option<&dyn Paged> {
        self.decoding().and_then(Decoding::document)
    }

    /// The bytes of page `number` of the document; `None` past its last page.
    pub(crate) fn page_of_document(&self, number: u64) -> Result<Option<Range<u64>>> {
        let span = self.document().map_or(Ok(None), |document| document.span(number));
        span.map_err(|cause| Error::read("cannot read that page", &cause))
    }

    /// The first damage that a read met.
    pub fn damage(&self) -> Option<Damage> {
        self.decoding().and_then(Decoding::damage)
    }

    /// Whether the source was opened to end at its first damage.
    pub fn is_salvaged(&self) -> bool {
        self.decoding().is_some_and(Decoding::is_salvaged)
    }

    /// Where decoders on other threads may start, at least `apart` bytes apart; none while there is something to teach
    /// the index, whose blocks come in order.
    pub(crate) fn starts_of_decoders(&self, apart: u64) -> Vec<u64> {
        let is_learning = self.learns()
            && self.known_size().is_none_or(|size| size.saturating_sub(self.indexed_bytes()) >= BLOCK as u64);
        let width = self.units().width() as u64;
        let mut starts = match self.decoding() {
            Some(decoding) if !is_learning => decoding.starts(apart),
            _ => Vec::new(),
        };
        starts.retain(|start| start.is_multiple_of(width));
        starts
    }

    /// Adopts what another decoder of this text found.
    pub(crate) fn adopt(&self, decoded: &Decoded) {
        let Some(decoding) = self.decoding() else { return };
        decoding.adopt(decoded);
        if !decoded.has_arrived && decoded.damage.is_none() {
            self.forget_index();
            decoding.distrust_checkpoints();
        }
    }

    /// From now on, the first damage counts as the end of the text and is not an error.
    pub fn end_at_damage(&self) {
        if let Some(decoding) = self.decoding() {
            decoding.end_at_damage();
        }
    }

    /// Whether the known size is only that of the text before damage.
    pub fn is_cut_short(&self) -> bool {
        self.decoding().is_some_and(Decoding::is_cut_short)
    }

    /// The size for receipts: unknown if damage hides the end.
    pub fn reported_size(&self) -> Option<u64> {
        self.known_size().filter(|_| self.has_true_end())
    }

    /// Whether the end of the text is that of the file: no read met damage, or damage counts as the end.
    pub fn has_true_end(&self) -> bool {
        self.is_salvaged() || self.damage().is_none()
    }

    /// Whether the text of `span` agrees with its checksums. Reads on to nearby checksums.
    pub fn checksums_match(&self, span: Range<u64>) -> bool {
        self.decoding().is_none_or(|decoding| decoding.check_span(span))
    }

    pub(super) fn read_error(&self, cause: &io::Error, offset: u64) -> Error {
        let damage = cause.get_ref().and_then(|inner| inner.downcast_ref::<Damage>());
        match damage {
            Some(_) if self.changed().is_some_and(|change| change != Change::Appended) => {
                self.rewritten_error()
            }
            None if offset == u64::MAX - 1 => Error::read("cannot read to its end", cause),
            None => Error::read(&format!("cannot read at byte {offset}"), cause),
            // The decoder checks the last checksum before it returns the last byte.
            Some(damage) => self.damage_error(&self.damage().unwrap_or_else(|| damage.clone())),
        }
    }

    /// The error of a read that needs bytes after `damage`.
    pub fn damage_error(&self, damage: &Damage) -> Error {
        let before = counted(damage.text, "byte");
        let error = Error::new(Kind::Io, format!("{damage}; {before} of text come before the damage"));
        match (damage.text, &self.path) {
            (1.., Some(path)) => error.hint(call("lines").file(path).word("-20:").on("salvage")),
            _ => error.hint(setting("no-decompress").then(" reads the compressed bytes as they are")),
        }
    }
}
