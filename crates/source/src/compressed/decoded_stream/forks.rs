//! Several decoders of one file: each decodes from one checkpoint to another, and shows that it came there.

use std::io;
use std::sync::Arc;

use super::DecodedStream;
use crate::Decoded;
use crate::compressed::checkpoint::{Checkpoint, DecoderState};

impl DecodedStream {
    /// Text offsets where other decoders may start, at least `apart` bytes apart; none if the text size is unknown.
    pub(in super::super) fn starts(&self, apart: u64) -> Vec<u64> {
        let Some(size) = self.checkpoints.text_size.filter(|_| self.first_damage.is_none()) else {
            return Vec::new();
        };
        let is_all_checked = self.checkpoints.checked.missing(&(0..size)).is_none();
        let is_start = |checkpoint: &&Checkpoint| match checkpoint.state {
            // A decoder that resumes inside a frame cannot compare its checksum: an earlier read must have done that.
            Some(DecoderState::Zstd { has_checksum, .. }) => !has_checksum || is_all_checked,
            _ => true,
        };
        let mut starts: Vec<u64> = Vec::new();
        for checkpoint in self.checkpoints.all().iter().filter(is_start) {
            let at = checkpoint.text_offset;
            if at < size && starts.last().map_or(at > 0, |last| at - last >= apart) {
                starts.push(at);
            }
        }
        starts
    }

    /// Another decoder of the same file, for another thread.
    pub(in super::super) fn fork(&self) -> io::Result<Self> {
        let raw = Arc::clone(&self.input.source);
        let mut fork = DecodedStream::without_table(raw, self.format, &self.path)?;
        fork.checkpoints = self.checkpoints.for_fork();
        fork.ends_at_damage = self.ends_at_damage;
        Ok(fork)
    }

    /// Watches from now on whether the decoder passes the checkpoint at `text_offset`.
    pub(in super::super) fn await_checkpoint(&mut self, text_offset: Option<u64>) {
        let awaited = text_offset.and_then(|at| self.checkpoints.before(at));
        self.awaited = awaited.filter(|checkpoint| Some(checkpoint.text_offset) == text_offset).cloned();
        // After a long line the decoder may be past it; the next read starts again before it.
        self.is_lost |= text_offset.is_some_and(|at| self.end() > at);
    }

    /// Decodes on to the awaited checkpoint; reports what this decoder found.
    pub(in super::super) fn decoded(&mut self) -> Decoded {
        while let Some(awaited) = self.awaited.as_ref().map(|awaited| awaited.text_offset) {
            // Damage is noted; who reads on meets another failure again.
            if self.end() > awaited || !matches!(self.advance(), Ok(true)) {
                break;
            }
            self.meet_after();
        }
        self.meet_after();
        Decoded {
            has_arrived: self.awaited.is_none(),
            damage: self.first_damage.clone(),
            checked: self.checkpoints.checked.clone(),
        }
    }

    pub(in super::super) fn distrust_checkpoints(&mut self) {
        self.resumes = false;
        if !self.checkpoints.is_table {
            self.checkpoints.forget();
        }
    }

    /// Adopts what another decoder of this file found.
    pub(in super::super) fn adopt(&mut self, decoded: &Decoded) {
        self.checkpoints.checked.add_all(&decoded.checked);
        if let Some(damage) = &decoded.damage
            && self.first_damage.as_ref().is_none_or(|first| damage.text < first.text)
        {
            self.first_damage = Some(damage.clone());
        }
    }

    /// Whether the decoder must stop at every state to find the awaited one.
    pub(super) fn awaits_state(&self) -> bool {
        matches!(self.awaited.as_ref().and_then(|awaited| awaited.state), Some(DecoderState::Deflate { .. }))
    }

    pub(super) fn meet_state(&mut self, state: DecoderState) {
        let here = (self.end(), self.input.position(), Some(state));
        self.awaited.take_if(|it| (it.text_offset, it.raw_offset, it.state) == here);
    }

    /// Before a member, or a block of zstd.
    pub(super) fn meet_at_position(&mut self) {
        let here = (self.end(), self.input.position());
        let is_met = |awaited: &Checkpoint| {
            matches!(awaited.state, None | Some(DecoderState::Zstd { .. }))
                && (awaited.text_offset, awaited.raw_offset) == here
        };
        self.awaited.take_if(|awaited| is_met(awaited));
    }

    /// The library for .xz does not stop between blocks, but it goes on only after a block without damage.
    fn meet_after(&mut self) {
        let (end, in_member) = (self.end(), self.in_member);
        let is_met = |awaited: &Checkpoint| {
            let is_after = end > awaited.text_offset || end == awaited.text_offset && !in_member;
            matches!(awaited.state, Some(DecoderState::Xz { .. })) && is_after
        };
        self.awaited.take_if(|awaited| is_met(awaited));
    }
}
