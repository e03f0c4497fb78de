//! The line index: the number of newlines before each block of a file, saved between runs.
//!
//! An index covers the start of a file in blocks of 64 KiB. A record of 16 bytes a block (0.024 % of the file) holds the
//! newlines up to its end and a fingerprint. This file decides when to trust an index,
//! [`pages`] stores it.

pub mod pages;

use std::fs::Metadata;
use std::io;
use std::time::Duration;

use pages::{BlockRecord, Identity, IndexHeader, RecordPages, Trust, View};

use crate::store::Store;
use rread_source::memory::Buffer;
use rread_source::{CheckpointStats, Decoding, Source, read_full};

pub use pages::{INDEX_BLOCK, Remainder};

rread_text::words! { name,
    /// The outcome of using the index of a file.
    #[derive(Default)]
    pub enum Outcome {
        /// There is none.
        #[default]
        None = "none",
        /// A saved index was trusted and stays as it is.
        Hit = "hit",
        /// A new one was saved.
        Built = "built",
        /// A saved index now covers more.
        Extended = "extended",
    }
}

/// Which files have an index, and where.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The directory.
    pub store: Store,
    /// Whether to save indexes; if not, saved ones are still read.
    pub write: bool,
    /// Bytes from which a file is indexed.
    pub min_size: u64,
    /// The most bytes of all indexes together.
    pub limit: u64,
}

/// Scanning a smaller file takes one or two milliseconds, about as long as starting.
pub const MIN_SIZE: u64 = 16 << 20;

/// The most bytes of all indexes together: enough for some 4 TiB of files.
pub const MAX_BYTES: u64 = 1 << 30;

/// A grown file of up to so many blocks (32 MiB) is validated whole.
const VALIDATED_WHOLE: u64 = 512;

/// Blocks that are validated in a larger file.
const SAMPLES: u64 = 128;

/// Blocks (256 MiB of a file) after which a scan saves the index: an interrupted one loses no more.
pub const CHECKPOINT: u64 = 4096;

/// The factor for the size of a compressed file, compared with [`Policy::min_size`].
const DECODING: u64 = 8;

/// The same factor for objects: fetching takes so much longer than reading a file.
const FETCHING: u64 = 16;

/// The index of one file in memory.
#[derive(Debug)]
pub struct Index {
    policy: Policy,
    identity: Identity,
    view: View,
    pages: RecordPages,
    /// The saved checkpoints, to notice new ones.
    checkpoints: CheckpointStats,
    /// Whether a saved index is trusted.
    adopted: bool,
    /// Blocks of the saved index.
    pub(crate) found: u64,
    /// Whether the last of these was compared with the file.
    pub(crate) checked: bool,
    pub(crate) tail_checked: bool,
    /// The tail, if the index reaches the current end of the file.
    pub(crate) tail: Option<Remainder>,
    dirty: bool,
    saved: bool,
    validated: u64,
}

impl Index {
    /// The trusted saved index of `source`, else an empty one, or `None` for a file too small for one; and the bytes of
    /// the file that validating read.
    pub fn open(
        source: &dyn Source,
        identity: Identity,
        view: View,
        policy: &Policy,
    ) -> (Option<Index>, u64) {
        // Without an inode, nothing distinguishes two files.
        if identity.stamp.inode == 0 {
            return (None, 0);
        }
        let decoding = if view.decompressed { DECODING } else { 1 };
        let work = if identity.is_object() { decoding.saturating_mul(FETCHING) } else { decoding };
        // A small file gets no index by itself, but a requested one is used.
        let is_small = identity.stamp.size.saturating_mul(work) < policy.min_size;
        let mut index = Index {
            policy: Policy { write: policy.write && !is_small, ..policy.clone() },
            identity,
            view,
            pages: RecordPages::default(),
            checkpoints: CheckpointStats::default(),
            adopted: false,
            found: 0,
            checked: false,
            tail_checked: false,
            tail: None,
            dirty: false,
            saved: false,
            validated: 0,
        };
        if let Ok((header, pages)) = RecordPages::open(&policy.store, &identity.file_name(view)) {
            index.adopt(&header, pages, source);
        }
        let validated = index.validated;
        ((index.adopted || !is_small).then_some(index), validated)
    }

    fn adopt(&mut self, header: &IndexHeader, pages: RecordPages, source: &dyn Source) {
        let trust = header.identity.trust(&self.identity);
        let same_size = header.identity.stamp.size == self.identity.stamp.size;
        // A sample of blocks proves neither the length of a decoded text nor the data it refers back to.
        if trust == Trust::No || self.view.decompressed && trust != Trust::Exact {
            return;
        }
        if let Some(decoding) = source.info().decoding
            && let Ok((file, offset)) = pages.checkpoints(header)
            && decoding.load_checkpoints(file, offset)
        {
            self.checkpoints = decoding.checkpoint_stats();
        }
        self.found = pages.len();
        self.pages = pages;
        self.adopted = true;
        match trust {
            Trust::Exact => {
                self.tail = header.tail;
                // Reads validate each block that they use; validating the end would decode a whole compressed file.
                // The tag vouches for an object.
                let is_trusted = self.view.decompressed || self.identity.is_object();
                (self.checked, self.tail_checked) = (is_trusted, is_trusted);
                // Opening an object has fetched its first bytes, so validating them is free.
                if self.identity.is_object()
                    && self.found > 0
                    && !self.validate(source, 0).is_ok_and(|same| same)
                {
                    self.forget(source);
                }
                if self.identity.can_be_set_back() && !self.view.decompressed && !self.samples_agree(source) {
                    self.forget(source);
                }
            }
            _ if self.samples_agree(source) => {
                if same_size {
                    self.tail = header.tail;
                }
            }
            _ => self.forget(source),
        }
    }

    /// Validates the first block, the last, and a sample between them that differs with every state of the file.
    fn samples_agree(&mut self, source: &dyn Source) -> bool {
        let blocks = self.pages.len();
        if blocks <= VALIDATED_WHOLE {
            return (0..blocks).all(|block| self.validate(source, block).is_ok_and(|same| same));
        }
        let mut seed = self.identity.last_change().cast_unsigned();
        let chosen = (0..SAMPLES - 2).map(|_| {
            // Knuth's multiplicative generator; any spread will do.
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 20) % blocks
        });
        let chosen: Vec<u64> = chosen.chain([0, blocks - 1]).collect();
        chosen.into_iter().all(|block| self.validate(source, block).is_ok_and(|same| same))
    }

    fn validate(&mut self, source: &dyn Source, block: u64) -> io::Result<bool> {
        let mut bytes = Buffer::new(INDEX_BLOCK);
        let got = read_full(source, &mut bytes, block * INDEX_BLOCK as u64)?;
        self.validated += got as u64;
        self.is_block(block, &bytes[..got])
    }

    pub(crate) fn is_block(&mut self, block: u64, bytes: &[u8]) -> io::Result<bool> {
        let before = self.newlines_before(block)?;
        let record = self.pages.get(block)?;
        let now = BlockRecord::of(bytes, before, self.view.units);
        Ok(bytes.len() == INDEX_BLOCK && now == record)
    }

    /// The bytes from the start of the file that the index covers.
    pub fn covered(&self) -> u64 {
        self.pages.len() * INDEX_BLOCK as u64
    }

    /// Newlines before block number `block`, which may be one past the last.
    pub fn newlines_before(&mut self, block: u64) -> io::Result<u64> {
        match block.checked_sub(1) {
            None => Ok(0),
            Some(previous) => Ok(self.pages.get(previous)?.newlines),
        }
    }

    /// The block with the `n`-th newline (from 1), if the index covers it.
    pub(crate) fn block_of_newline(&mut self, n: u64) -> io::Result<Option<u64>> {
        self.pages.find(n)
    }

    /// The number of lines, if the index reaches the end of the file.
    pub fn total_lines(&mut self) -> io::Result<Option<u64>> {
        let Some(tail) = self.tail else { return Ok(None) };
        let newlines = self.newlines_before(self.pages.len())?;
        Ok(Some(newlines.saturating_add(tail.newlines).saturating_add(u64::from(tail.unterminated))))
    }

    /// Learns the next block and ignores any other. Returns whether it is time to save.
    pub fn learn(&mut self, offset: u64, newlines: u64, fingerprint: u64) -> bool {
        if !self.policy.write || offset != self.covered() {
            return false;
        }
        let Ok(before) = self.newlines_before(self.pages.len()) else { return false };
        let record = BlockRecord { newlines: before.saturating_add(newlines), fingerprint };
        // A failed write stops the index, not the read.
        if self.pages.push(record, &self.policy.store).is_ok() {
            self.dirty = true;
        } else {
            self.policy.write = false;
        }
        self.policy.write && self.pages.len().is_multiple_of(CHECKPOINT)
    }

    /// Learns what follows the last whole block, which is the end of the file.
    pub fn learn_tail(&mut self, tail: Remainder) {
        if self.tail != Some(tail) {
            self.tail = Some(tail);
            self.tail_checked = true;
            self.dirty = true;
        }
    }

    /// Drops everything: it does not describe the current `source`.
    pub fn forget(&mut self, source: &dyn Source) {
        if let Some(decoding) = source.info().decoding {
            decoding.forget_checkpoints();
        }
        self.checkpoints = CheckpointStats::default();
        self.pages = RecordPages::default();
        self.adopted = false;
        self.found = 0;
        self.tail = None;
        self.dirty = false;
    }

    /// Whether the index takes new blocks.
    pub fn learns(&self) -> bool {
        self.policy.write
    }

    /// Whether the file changed too recently to trust its timestamp.
    pub fn is_racy(&self) -> bool {
        self.identity.racy
    }

    /// The wait after which the timestamp can be trusted; `None` if there is no need, or it is too long.
    pub fn pause(&self) -> Option<Duration> {
        self.identity.pause()
    }

    /// After a pause: if the file is unchanged, later reads can be trusted.
    pub fn settle(&mut self, now: &Identity) {
        if now.stamp == self.identity.stamp && now.changed == self.identity.changed {
            self.identity.racy = now.racy;
        }
    }

    pub(crate) fn identity_now(&self, metadata: Option<&Metadata>) -> Option<Identity> {
        match metadata {
            Some(metadata) => Some(self.identity.again(metadata)),
            None => Some(self.identity).filter(Identity::is_object),
        }
    }

    /// Saves the index if that is worth it; `metadata` is the file's after the scan.
    pub fn save(&mut self, source: &dyn Source, metadata: Option<&Metadata>, always: bool) {
        let decoding = source.info().decoding;
        self.dirty |= decoding.map(Decoding::checkpoint_stats).is_some_and(|now| now != self.checkpoints);
        let grown = self.pages.len() - self.found.min(self.pages.len());
        // Every save copies the index, so a large one waits until it has grown enough.
        let worth = always || self.pages.len() < 65_536 || grown >= self.pages.len() / 64;
        let Some(now) = self.identity_now(metadata) else { return };
        let grew = now.stamp.size > self.identity.stamp.size;
        let unchanged = now.stamp == self.identity.stamp && now.changed == self.identity.changed;
        if !self.dirty || !self.policy.write || !worth || !(grew || unchanged) {
            return;
        }
        // The file may have grown during the scan; it is unknown whether it changed elsewhere too.
        let identity = Identity { racy: self.identity.racy || !unchanged, ..self.identity };
        let header = IndexHeader { identity, tail: self.tail, blocks: self.pages.len() };
        let name = self.identity.file_name(self.view);
        let Policy { store, limit, .. } = &self.policy;
        if self.pages.save(&header, decoding, store, &name, *limit).is_ok() {
            self.dirty = false;
            self.saved = true;
            self.found = self.pages.len();
        } else {
            self.policy.write = false;
        }
    }

    /// The outcome of using it.
    pub fn outcome(&self) -> Outcome {
        match (self.adopted, self.saved) {
            (false, true) => Outcome::Built,
            (true, true) => Outcome::Extended,
            (true, false) => Outcome::Hit,
            (false, false) => Outcome::None,
        }
    }
}
