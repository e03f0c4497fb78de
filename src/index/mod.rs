//! The line index: how many newlines stand before each block of a file, kept between runs.
//!
//! An index covers the beginning of a file in blocks of 64 KiB. For each it holds the newlines up to the block's end and a
//! fingerprint of its bytes, 16 bytes a block (0.024 % of the file), in pages that are checked as they are read. What
//! makes an index believed is in [`identity`], its bytes on disk in [`pages`].

pub mod identity;
pub mod pages;

use std::fs::Metadata;
use std::io;
use std::time::Duration;

use identity::{Identity, Trust, View};
use pages::{Header, Pages, Place, Record};

use crate::buffer::Buffer;
use crate::source::{Decoding, Learned, Source, read_full};
use crate::store::Store;

/// Bytes of the file for which there is one record.
pub const BLOCK: usize = 64 << 10;

/// The part of a file behind the last whole block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// Newlines in it.
    pub newlines: u64,
    /// Whether the file ends without a newline.
    pub unterminated: bool,
}

/// What became of the index during this run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// There was none, and none was made.
    #[default]
    None,
    /// It was there.
    Hit,
    /// It was made.
    Built,
    /// It was there and covers more now.
    Extended,
}

impl Outcome {
    /// The word for it in receipts.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::None => "none",
            Outcome::Hit => "hit",
            Outcome::Built => "built",
            Outcome::Extended => "extended",
        }
    }
}

/// Whether indexes are used, and for what.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Where they live.
    pub store: Store,
    /// Whether they may be written.
    pub write: bool,
    /// Smaller files, in bytes, are not indexed.
    pub min_size: u64,
    /// Bytes that all indexes together may take.
    pub limit: u64,
}

/// Files below this many bytes are scanned in one or two milliseconds, which is about what starting takes.
pub(crate) const MIN_SIZE: u64 = 16 << 20;

/// Bytes that all indexes together may take: enough for some 4 TiB of files.
pub const LIMIT: u64 = 1 << 30;

/// Up to so many blocks (32 MiB), all are verified before an index is believed for a file that has grown.
const VERIFIED_WHOLE: u64 = 512;

/// Blocks verified in larger files.
const SAMPLES: u64 = 128;

/// Blocks (256 MiB of a file) after which a scan keeps what it has learned: an interrupted one loses no more.
pub const CHECKPOINT: u64 = 4096;

/// How many times its size a compressed file counts when it is small enough to do without an index.
const DECODING: u64 = 8;

/// How many times its size an object counts: fetching it takes so much longer than reading a file.
const FETCHING: u64 = 16;

/// The index of one open file.
#[derive(Debug)]
pub struct Index {
    policy: Policy,
    identity: Identity,
    view: View,
    pages: Pages,
    /// What was known of where decoding can be taken up again.
    learned: Learned,
    /// Whether a stored index was believed.
    adopted: bool,
    /// Blocks that it had.
    found: u64,
    /// Whether the last of those has been compared with the file.
    checked: bool,
    /// Whether what lies behind them has been.
    tail_checked: bool,
    /// What lies behind the last block, if the index reaches the end of the file as it is now.
    tail: Option<Tail>,
    /// Whether anything has been learned that is not saved.
    dirty: bool,
    saved: bool,
    /// Bytes of the file that were read to see whether the index can be believed.
    verified: u64,
}

impl Index {
    /// The index of `source`, as far as there is one to be believed; empty otherwise. `None` where there is to be none.
    /// And how many bytes of the file were read for that.
    pub fn open(
        source: &dyn Source,
        identity: Identity,
        view: View,
        policy: &Policy,
    ) -> (Option<Index>, u64) {
        // Without an inode, as on Windows, one file cannot be told from another.
        if identity.stamp.inode == 0 {
            return (None, 0);
        }
        let decoding = if view.decompressed { DECODING } else { 1 };
        let work = if identity.is_object() { decoding.saturating_mul(FETCHING) } else { decoding };
        // A smaller file gets no index by itself, but one that was asked for is used.
        let is_small = identity.stamp.size.saturating_mul(work) < policy.min_size;
        let mut index = Index {
            policy: Policy { write: policy.write && !is_small, ..policy.clone() },
            identity,
            view,
            pages: Pages::default(),
            learned: Learned::default(),
            adopted: false,
            found: 0,
            checked: false,
            tail_checked: false,
            tail: None,
            dirty: false,
            saved: false,
            verified: 0,
        };
        if let Ok((header, pages)) = Pages::open(&policy.store, &identity.file_name(view)) {
            index.adopt(&header, pages, source);
        }
        let verified = index.verified;
        ((index.adopted || !is_small).then_some(index), verified)
    }

    /// Takes over a stored index if it can be believed.
    fn adopt(&mut self, header: &Header, pages: Pages, source: &dyn Source) {
        let trust = header.identity.trust(&self.identity);
        let same_size = header.identity.stamp.size == self.identity.stamp.size;
        // A few blocks say nothing of the length of a text that is decoded, nor of all that it refers back to.
        if trust == Trust::No || self.view.decompressed && trust != Trust::Exact {
            return;
        }
        if let Some(decoding) = source.info().decoding
            && let Ok((file, offset)) = pages.checkpoints(header)
            && decoding.load_checkpoints(file, offset)
        {
            self.learned = decoding.learned();
        }
        self.found = pages.len();
        self.pages = pages;
        self.adopted = true;
        match trust {
            Trust::Exact => {
                self.tail = header.tail;
                // Whatever is used is verified block by block. The end of compressed text would take decoding, and
                // that of an object is what it was as long as the server says that the object is.
                let stands = self.view.decompressed || self.identity.is_object();
                (self.checked, self.tail_checked) = (stands, stands);
                // The first bytes of an object come with what is said of it: looking at them costs nothing.
                if self.identity.is_object()
                    && self.found > 0
                    && !self.verify(source, 0).is_ok_and(|same| same)
                {
                    self.forget(source);
                }
            }
            _ if self.samples_agree(source) => {
                // Renamed and otherwise the same.
                if same_size {
                    self.tail = header.tail;
                }
            }
            _ => self.forget(source),
        }
    }

    /// Verifies the first block, the last and a choice of those between that differs from time to time.
    fn samples_agree(&mut self, source: &dyn Source) -> bool {
        let blocks = self.pages.len();
        if blocks <= VERIFIED_WHOLE {
            return (0..blocks).all(|block| self.verify(source, block).is_ok_and(|same| same));
        }
        let mut seed = u64::from_le_bytes(self.identity.changed.to_le_bytes());
        let chosen = (0..SAMPLES - 2).map(|_| {
            // Knuth's multiplicative generator; any spread will do.
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 20) % blocks
        });
        let chosen: Vec<u64> = chosen.chain([0, blocks - 1]).collect();
        chosen.into_iter().all(|block| self.verify(source, block).is_ok_and(|same| same))
    }

    fn verify(&mut self, source: &dyn Source, block: u64) -> io::Result<bool> {
        let mut bytes = Buffer::new(BLOCK);
        let got = read_full(source, &mut bytes, block * BLOCK as u64)?;
        self.verified += got as u64;
        self.is_block(block, &bytes[..got])
    }

    /// Whether `bytes` are what block number `block` was when it was indexed.
    ///
    /// # Errors
    /// `InvalidData` when the index itself is damaged.
    pub(crate) fn is_block(&mut self, block: u64, bytes: &[u8]) -> io::Result<bool> {
        let before = self.newlines_before(block)?;
        let record = self.pages.get(block)?;
        let now = Record::of(bytes, before, self.view.units);
        Ok(bytes.len() == BLOCK && now == record)
    }

    /// Bytes from the start of the file that are covered.
    pub fn covered(&self) -> u64 {
        self.pages.len() * BLOCK as u64
    }

    /// The number of blocks of the stored index, until the last of them has been compared with the file; 0 then.
    pub(crate) fn unchecked_end(&self) -> u64 {
        if self.checked { 0 } else { self.found }
    }

    /// Takes note that the last stored block is what it was.
    pub(crate) fn set_checked(&mut self) {
        self.checked = true;
    }

    /// Newlines in the blocks before block number `block`, which may be the one past the last.
    pub fn newlines_before(&mut self, block: u64) -> io::Result<u64> {
        match block.checked_sub(1) {
            None => Ok(0),
            Some(previous) => Ok(self.pages.get(previous)?.newlines),
        }
    }

    /// The block that holds the `n`-th newline (from 1), if that is covered.
    /// Fails with `InvalidData` when the index is damaged.
    pub(crate) fn block_of_newline(&mut self, n: u64) -> io::Result<Option<u64>> {
        self.pages.find(n)
    }

    /// What lies behind the last block, if the index reaches the end of the file, until that has been compared
    /// with the file.
    pub(crate) fn unchecked_tail(&self) -> Option<Tail> {
        self.tail.filter(|_| !self.tail_checked)
    }

    /// Takes note that what lies behind the last block is what it was.
    pub(crate) fn set_tail_checked(&mut self) {
        self.tail_checked = true;
    }

    /// The number of lines of the file, if the index reaches its end.
    /// Fails with `InvalidData` when the index is damaged.
    pub fn total_lines(&mut self) -> io::Result<Option<u64>> {
        let Some(tail) = self.tail else { return Ok(None) };
        let newlines = self.newlines_before(self.pages.len())?;
        Ok(Some(newlines.saturating_add(tail.newlines).saturating_add(u64::from(tail.unterminated))))
    }

    /// Learns the block that follows those covered; any other is passed over. Says whether it is time to save.
    pub fn learn(&mut self, offset: u64, newlines: u64, fingerprint: u64) -> bool {
        if !self.policy.write || offset != self.covered() {
            return false;
        }
        let Ok(before) = self.newlines_before(self.pages.len()) else { return false };
        let record = Record { newlines: before.saturating_add(newlines), fingerprint };
        // Where it cannot be kept, only the index suffers.
        if self.pages.push(record, &self.policy.store).is_ok() {
            self.dirty = true;
        } else {
            self.policy.write = false;
        }
        self.policy.write && self.pages.len().is_multiple_of(CHECKPOINT)
    }

    /// Learns what lies behind the last whole block.
    pub fn learn_tail(&mut self, tail: Tail) {
        if self.tail != Some(tail) {
            self.tail = Some(tail);
            self.tail_checked = true;
            self.dirty = true;
        }
    }

    /// Drops everything: it is not about `source` as it is now.
    pub fn forget(&mut self, source: &dyn Source) {
        if let Some(decoding) = source.info().decoding {
            decoding.forget_checkpoints();
        }
        self.learned = Learned::default();
        self.pages = Pages::default();
        self.adopted = false;
        self.found = 0;
        self.tail = None;
        self.dirty = false;
    }

    /// Whether there is anything to learn.
    pub fn learns(&self) -> bool {
        self.policy.write
    }

    /// Whether the file was changed so recently that a further change might go unnoticed.
    pub fn is_racy(&self) -> bool {
        self.identity.racy
    }

    /// How long to wait until that is over; `None` where waiting is not worth it.
    pub fn pause(&mut self) -> Option<Duration> {
        self.identity.pause()
    }

    /// Takes note that time has passed: if nothing has changed, what is read from now on can be trusted.
    pub fn settle(&mut self, now: &Identity) {
        if now.stamp == self.identity.stamp && now.changed == self.identity.changed {
            self.identity.racy = now.racy;
        }
    }

    /// What the system says now of the file that this index is about, whose metadata are `metadata`.
    pub(crate) fn identity_now(&self, metadata: Option<&Metadata>) -> Option<Identity> {
        match metadata {
            Some(metadata) => Some(self.identity.again(metadata)),
            None => Some(self.identity).filter(Identity::is_object),
        }
    }

    /// Keeps what has been learned, if that is worth it; `metadata` is the file's after the scan.
    pub fn save(&mut self, source: &dyn Source, metadata: Option<&Metadata>, always: bool) {
        let decoding = source.info().decoding;
        self.dirty |= decoding.map(Decoding::learned).is_some_and(|now| now != self.learned);
        let grown = self.pages.len() - self.found.min(self.pages.len());
        // A large index is copied for every change; a little more of the file can be scanned again instead.
        let worth = always || self.pages.len() < 65_536 || grown >= self.pages.len() / 64;
        let Some(now) = self.identity_now(metadata) else { return };
        let grew = now.stamp.size > self.identity.stamp.size;
        let unchanged = now.stamp == self.identity.stamp && now.changed == self.identity.changed;
        if !self.dirty || !self.policy.write || !worth || !(grew || unchanged) {
            return;
        }
        // What was appended while the scan ran is not in it; whether more was changed cannot be told.
        let identity = Identity { racy: self.identity.racy || !unchanged, ..self.identity };
        let header = Header { identity, tail: self.tail, blocks: self.pages.len() };
        let name = self.identity.file_name(self.view);
        let place = Place { store: &self.policy.store, name: &name, limit: self.policy.limit };
        if self.pages.save(&header, decoding, &place).is_ok() {
            self.dirty = false;
            self.saved = true;
            self.found = self.pages.len();
        } else {
            self.policy.write = false;
        }
    }

    /// What became of it.
    pub fn outcome(&self) -> Outcome {
        match (self.adopted, self.saved) {
            (false, true) => Outcome::Built,
            (true, true) => Outcome::Extended,
            (true, false) => Outcome::Hit,
            (false, false) => Outcome::None,
        }
    }
}
