//! The index on disk: a header and pages of records, each with a checksum.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::store::{Store, UnfinishedFile};
use rread_source::file::FileSource;
use rread_source::object::Object;
use rread_source::version::{Stamp, inode_changed};
use rread_source::{Decoding, Source, read_full};
use rread_text::Units;

/// Bytes of a page; the header takes one.
const PAGE: usize = 4096;

/// Records per page; the checksum takes the rest.
const PER_PAGE: u64 = 255;

/// The last two digits are the version of the format.
const MAGIC: u64 = u64::from_le_bytes(*b"rread-05");

/// Bytes of the file per record.
pub const INDEX_BLOCK: usize = 64 << 10;

/// The part of a file after the last whole block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remainder {
    /// The number of newlines.
    pub newlines: u64,
    /// Whether the file ends without a newline.
    pub unterminated: bool,
}

/// The facts that the index has of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockRecord {
    /// Newlines from the start of the file to the end of the block.
    pub newlines: u64,
    /// The fingerprint of [`Units::fingerprint`].
    pub fingerprint: u64,
}

impl BlockRecord {
    /// The record of a block with these `bytes`, after `before` newlines.
    pub fn of(bytes: &[u8], before: u64, units: Units) -> Self {
        let (newlines, fingerprint) = units.fingerprint(bytes);
        BlockRecord { newlines: before.saturating_add(newlines), fingerprint }
    }
}

/// The beginning of an index file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexHeader {
    /// The file that is indexed.
    pub identity: Identity,
    /// The end of the file, if the index reaches it.
    pub tail: Option<Remainder>,
    /// The number of records.
    pub blocks: u64,
}

/// Records, most of them on disk, the last page of them in memory.
#[derive(Debug, Default)]
pub struct RecordPages {
    file: Option<FileSource>,
    /// The file being written, which has no name yet.
    new: Option<UnfinishedFile>,
    /// Makes the pages of one file invalid in another.
    salt: u64,
    full: u64,
    last: Vec<BlockRecord>,
    cached: Option<(u64, Vec<BlockRecord>)>,
}

impl RecordPages {
    /// Opens the saved index `name`; fails unless it is an intact index of this version.
    pub fn open(store: &Store, name: &OsStr) -> io::Result<(IndexHeader, Self)> {
        let file = store.open(name)?;
        // The store evicts by last use; an hour is precise enough.
        let stale = file.metadata()?.modified()?.elapsed().is_ok_and(|age| age.as_secs() > 3600);
        if stale {
            let _ = store.touch(name);
        }
        let file = FileSource::new(file)?;
        let (header, salt) = IndexHeader::read(&file)?;
        // The file must have all blocks of its header, so that no arithmetic with them overflows later.
        let end = header.blocks.div_ceil(PER_PAGE).checked_add(1).and_then(|n| n.checked_mul(PAGE as u64));
        if end.is_none_or(|end| file.size().is_none_or(|size| size < end)) {
            return Err(damage_error());
        }
        let full = header.blocks / PER_PAGE;
        let mut pages = RecordPages { file: Some(file), salt, full, ..RecordPages::default() };
        let rest = usize::try_from(header.blocks % PER_PAGE).unwrap_or(0);
        if rest > 0 {
            pages.last = pages.read_page(full)?;
            pages.last.truncate(rest);
        }
        Ok((header, pages))
    }

    /// The file, and where in it the checkpoints of a compressed file begin: after the records.
    pub fn checkpoints(&self, header: &IndexHeader) -> io::Result<(File, u64)> {
        let (file, _) = self.file.as_ref().and_then(|file| file.info().file).ok_or_else(damage_error)?;
        Ok((file.try_clone()?, (1 + header.blocks.div_ceil(PER_PAGE)) * PAGE as u64))
    }

    /// The number of records.
    pub fn len(&self) -> u64 {
        self.full * PER_PAGE + self.last.len() as u64
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record of the block `index`, from 0.
    pub fn get(&mut self, index: u64) -> io::Result<BlockRecord> {
        let (page, slot) = (index / PER_PAGE, usize::try_from(index % PER_PAGE).unwrap_or(0));
        self.page(page)?.get(slot).copied().ok_or_else(damage_error)
    }

    /// The first record with at least `n` newlines up to its end. Lines have similar lengths in most files, so every
    /// other step interpolates; the steps between halve the bounds.
    pub fn find(&mut self, n: u64) -> io::Result<Option<u64>> {
        let Some(last) = self.len().checked_sub(1) else { return Ok(None) };
        let mut high = (last, self.get(last)?.newlines);
        if high.1 < n {
            return Ok(None);
        }
        let mut low = (0, 0);
        for step in 0.. {
            let (pages, span) = (low.0 / PER_PAGE..=high.0 / PER_PAGE, high.1.saturating_sub(low.1).max(1));
            let share = u128::from(n.saturating_sub(low.1)) * u128::from(high.0 - low.0) / u128::from(span);
            let guess = if step % 2 == 0 { u64::try_from(share).unwrap_or(0) } else { (high.0 - low.0) / 2 };
            let page = ((low.0 + guess) / PER_PAGE).clamp(*pages.start(), *pages.end());
            let records = self.page(page)?;
            let (first, last) =
                (records.first().ok_or_else(damage_error)?, records.last().ok_or_else(damage_error)?);
            let start = page * PER_PAGE;
            if last.newlines < n {
                low = (start + records.len() as u64, last.newlines);
            } else if first.newlines >= n {
                high = (start, first.newlines);
            } else {
                let slot = records.partition_point(|record| record.newlines < n);
                return Ok(Some(start + slot as u64));
            }
            if low.0 > high.0 {
                return Err(damage_error());
            }
            if low.0 == high.0 {
                return Ok(Some(low.0));
            }
        }
        Ok(None)
    }

    /// Appends a record; full pages go to a new file.
    pub fn push(&mut self, record: BlockRecord, store: &Store) -> io::Result<()> {
        if self.new.is_none() {
            self.begin(store)?;
        }
        self.last.push(record);
        if self.last.len() as u64 == PER_PAGE {
            let page = encode_page(&self.last, self.salt, self.full);
            self.new.as_mut().ok_or_else(damage_error)?.file().write_all(&page)?;
            self.full += 1;
            self.last.clear();
        }
        Ok(())
    }

    /// Starts a new file with a copy of the saved pages.
    fn begin(&mut self, store: &Store) -> io::Result<()> {
        let mut new = store.create()?;
        new.file().write_all(&[0; PAGE])?;
        if let Some(old) = self.file.take() {
            let mut old = old.into_file();
            old.seek(SeekFrom::Start(PAGE as u64))?;
            io::copy(&mut io::Read::take(old, self.full * PAGE as u64), new.file())?;
        } else {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            self.salt = xxh3_64_with_seed(&now.as_nanos().to_le_bytes(), u64::from(std::process::id()));
        }
        self.file = Some(FileSource::new(new.file().try_clone()?)?.with_size(u64::MAX));
        self.new = Some(new);
        Ok(())
    }

    /// Writes the rest, the checkpoints of `decoding` and the header, and publishes the file.
    pub fn save(
        &mut self,
        header: &IndexHeader,
        decoding: Option<&dyn Decoding>,
        store: &Store,
        name: &OsStr,
        limit: u64,
    ) -> io::Result<()> {
        if self.new.is_none() {
            self.begin(store)?;
        }
        let mut new = self.new.take().ok_or_else(damage_error)?;
        if !self.last.is_empty() {
            new.file().write_all(&encode_page(&self.last, self.salt, self.full))?;
        }
        if let Some(decoding) = decoding {
            decoding.save_checkpoints(new.file())?;
        }
        new.file().seek(SeekFrom::Start(0))?;
        new.file().write_all(&header.encode(self.salt))?;
        let file = store.publish(new, name, limit)?;
        self.file = Some(FileSource::new(file)?);
        Ok(())
    }

    fn page(&mut self, page: u64) -> io::Result<&[BlockRecord]> {
        if page == self.full {
            return Ok(&self.last);
        }
        if self.cached.as_ref().is_none_or(|(number, _)| *number != page) {
            self.cached = Some((page, self.read_page(page)?));
        }
        Ok(self.cached.as_ref().map_or(&[], |(_, records)| records))
    }

    fn read_page(&self, page: u64) -> io::Result<Vec<BlockRecord>> {
        let mut bytes = [0; PAGE];
        let file: &dyn Source = self.file.as_ref().ok_or_else(damage_error)?;
        // A short read fails the checksum below.
        read_full(file, &mut bytes, (page + 1) * PAGE as u64)?;
        let (records, sum) = bytes.split_at(PAGE - 8);
        if xxh3_64_with_seed(records, self.salt ^ page).to_le_bytes() != sum {
            return Err(damage_error());
        }
        let (words, _) = records.as_chunks::<16>();
        Ok(words
            .iter()
            .map(|pair| BlockRecord { newlines: word(&pair[..8]), fingerprint: word(&pair[8..]) })
            .collect())
    }
}

fn damage_error() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the index is damaged")
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| (value << 8) | u64::from(*byte))
}

fn encode_page(records: &[BlockRecord], salt: u64, number: u64) -> [u8; PAGE] {
    let mut page = [0; PAGE];
    for (slot, record) in page.chunks_exact_mut(16).zip(records) {
        slot[..8].copy_from_slice(&record.newlines.to_le_bytes());
        slot[8..].copy_from_slice(&record.fingerprint.to_le_bytes());
    }
    let sum = xxh3_64_with_seed(&page[..PAGE - 8], salt ^ number);
    page[PAGE - 8..].copy_from_slice(&sum.to_le_bytes());
    page
}

impl IndexHeader {
    fn encode(&self, salt: u64) -> [u8; PAGE] {
        let Identity { stamp, changed, born, name, racy } = self.identity;
        let tail = self.tail.unwrap_or(Remainder { newlines: 0, unterminated: false });
        let flags = [racy, self.tail.is_some(), tail.unterminated];
        let flags = flags.iter().enumerate().map(|(bit, flag)| u64::from(*flag) << bit).sum();
        let modified = i64::try_from(stamp.modified).unwrap_or(i64::MAX);
        let words = [
            MAGIC,
            INDEX_BLOCK as u64,
            flags,
            stamp.device,
            stamp.inode,
            stamp.size,
            u64::from_le_bytes(modified.to_le_bytes()),
            u64::from_le_bytes(changed.to_le_bytes()),
            u64::from_le_bytes(born.to_le_bytes()),
            name,
            salt,
            self.blocks,
            tail.newlines,
        ];
        let mut page = [0; PAGE];
        for (slot, word) in page.chunks_exact_mut(8).zip(words) {
            slot.copy_from_slice(&word.to_le_bytes());
        }
        let sum = xxh3_64(&page[..PAGE - 8]);
        page[PAGE - 8..].copy_from_slice(&sum.to_le_bytes());
        page
    }

    /// The header and the salt of an index file.
    fn read(file: &FileSource) -> io::Result<(Self, u64)> {
        let mut page = [0; PAGE];
        let got = read_full(file, &mut page, 0)?;
        IndexHeader::decode(&page[..got]).ok_or_else(damage_error)
    }

    fn decode(page: &[u8]) -> Option<(Self, u64)> {
        let (content, sum) = page.split_at_checked(PAGE - 8)?;
        if xxh3_64(content).to_le_bytes() != sum {
            return None;
        }
        let mut words = content.chunks_exact(8).map(word);
        let mut next = || words.next();
        if next()? != MAGIC || next()? != INDEX_BLOCK as u64 {
            return None;
        }
        let flags = next()?;
        let flag = |bit: u32| flags >> bit & 1 == 1;
        let (device, inode, size) = (next()?, next()?, next()?);
        let mut time = || Some(i64::from_le_bytes(next()?.to_le_bytes()));
        let (modified, changed, born) = (i128::from(time()?), time()?, time()?);
        let (name, salt, blocks, newlines) = (next()?, next()?, next()?, next()?);
        let stamp = Stamp { device, inode, size, modified };
        let identity = Identity { stamp, changed, born, name, racy: flag(0) };
        let tail = flag(1).then_some(Remainder { newlines, unterminated: flag(2) });
        Some((IndexHeader { identity, tail, blocks }, salt))
    }
}

/// The header of a saved index, for listing.
pub fn read_header(file: File) -> io::Result<IndexHeader> {
    IndexHeader::read(&FileSource::new(file)?).map(|(header, _)| header)
}

/// The extension of the files that hold indexes.
pub const EXTENSION: &str = "idx";

/// Two changes within this time may have the same timestamp: kernels stamp files by timer ticks of 1 to 10 ms.
const TICK: Duration = Duration::from_millis(20);

/// The same for file systems that store whole or even seconds.
const COARSE_TICK: Duration = Duration::from_millis(2_100);

/// The value of [`Identity::changed`] for objects, which have no inode.
const OBJECT: i64 = i64::MIN;

/// A file or object at one time, as far as an index depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Device, inode, size and modification time; for an object, hashes in their place.
    pub stamp: Stamp,
    /// The last change of the inode, in nanoseconds since 1970: no program can set it back. 0 on Windows.
    pub changed: i64,
    /// The creation of the inode, in nanoseconds since 1970, or 0. A reused inode is younger. 0 on Windows, where a file
    /// that has the name of a removed one gets its time of creation.
    pub born: i64,
    /// A hash of the name that opened it.
    pub name: u64,
    /// Whether it changed so recently that another change could have the same timestamp.
    pub racy: bool,
}

/// How a file is read: each view has an index of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Whether it is the text of compressed data.
    pub decompressed: bool,
    /// The units of its newlines.
    pub units: Units,
}

/// How far a saved index holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The file is as it was.
    Exact,
    /// The file has grown or was renamed; if a sample of blocks is unchanged, so are the others.
    Sampled,
    /// The file is another one, or was rewritten.
    No,
}

impl Identity {
    /// The identity of `source`, opened as `path`; `None` if nothing distinguishes it from others.
    pub fn of_source(source: &dyn Source, path: &Path) -> Option<Self> {
        match source.info().object {
            Some(object) => Identity::of_object(object, source),
            None => {
                let metadata = source.info().metadata?;
                let file = source.stored().info().file;
                let stamp =
                    file.map_or_else(|| Stamp::of(metadata), |(file, _)| Stamp::of_open(file, metadata));
                Some(Identity::with_name(stamp, metadata, name_hash(path)))
            }
        }
    }

    fn of_object(object: &Object, source: &dyn Source) -> Option<Self> {
        let tag = object.strong_etag()?;
        let url = url_hash(&object.url);
        let since = |time: SystemTime| time.duration_since(UNIX_EPOCH).ok();
        let modified = object.modified.and_then(since).map_or(0, |time| i128::from(time.as_secs()));
        let state = xxh3_64(format!("{tag}\n{}", object.endpoint).as_bytes()).max(1);
        let stamp = Stamp { device: url, inode: state, size: source.stored().size()?, modified };
        Some(Identity { stamp, changed: OBJECT, born: 0, name: url, racy: object.unverified.is_some() })
    }

    /// Whether this is an object.
    pub fn is_object(&self) -> bool {
        self.changed == OBJECT
    }

    /// The identity of the file `path`, whose metadata is `metadata`.
    pub fn of(metadata: &Metadata, path: &Path) -> Self {
        let opened = if cfg!(windows) { File::open(path).ok() } else { None };
        let stamp = opened.map_or_else(|| Stamp::of(metadata), |file| Stamp::of_open(&file, metadata));
        Identity::with_name(stamp, metadata, name_hash(path))
    }

    /// The identity of the same name, whose metadata is now `metadata`; of the same open file, where metadata has no inode.
    pub fn again(&self, metadata: &Metadata) -> Self {
        let mut stamp = Stamp::of(metadata);
        if stamp.inode == 0 {
            (stamp.device, stamp.inode) = (self.stamp.device, self.stamp.inode);
        }
        Identity::with_name(stamp, metadata, self.name)
    }

    fn with_name(stamp: Stamp, metadata: &Metadata, name: u64) -> Self {
        let born = if cfg!(windows) { 0 } else { metadata.created().map_or(0, nanoseconds) };
        let mut identity = Identity { stamp, changed: inode_changed(metadata), born, name, racy: false };
        identity.racy = !identity.is_settled(nanoseconds(SystemTime::now()));
        identity
    }

    /// Whether another change at `now` would get a different timestamp, which may also lie in the future.
    fn is_settled(&self, now: i64) -> bool {
        let last = self.last_change();
        let is_coarse = last % 1_000_000_000 == 0;
        let tick = if is_coarse { COARSE_TICK } else { TICK };
        u128::from(now.abs_diff(last)) > tick.as_nanos()
    }

    /// Whether a program that restores the modification time can hide a rewrite of the same size.
    pub fn can_be_set_back(&self) -> bool {
        self.changed == 0
    }

    /// The time of the last change that the system recorded.
    pub(super) fn last_change(&self) -> i64 {
        let modified = i64::try_from(self.stamp.modified).unwrap_or(i64::MAX);
        if self.can_be_set_back() { modified } else { self.changed }
    }

    /// The wait until an unchanged file is no longer racy; `None` if that is too long.
    pub fn pause(&self) -> Option<Duration> {
        (self.racy && self.last_change() % 1_000_000_000 != 0).then_some(TICK + Duration::from_millis(1))
    }

    /// Whether both are the same file, perhaps with other content.
    pub fn is_same_file(&self, other: &Identity) -> bool {
        let key = |identity: &Identity| (identity.stamp.device, identity.stamp.inode, identity.born);
        key(self) == key(other)
    }

    /// How far an index of this state of the file holds for its state `now`.
    pub fn trust(&self, now: &Identity) -> Trust {
        let (then_size, now_size) = (self.stamp.size, now.stamp.size);
        if !self.is_same_file(now) || now_size < then_size {
            return Trust::No;
        }
        if now_size > then_size {
            return Trust::Sampled;
        }
        let same_time = self.stamp.modified == now.stamp.modified;
        match (same_time && !self.racy, self.changed == now.changed, self.name == now.name) {
            (true, true, _) => Trust::Exact,
            // A rename sets ctime. With the same name, assume a rewrite with mtime restored.
            (true, false, false) => Trust::Sampled,
            _ => Trust::No,
        }
    }

    /// The name of the index file: one for all names of the file, another for each view.
    pub fn file_name(&self, view: View) -> OsString {
        let text = if view.decompressed { "-text" } else { "" };
        let units = view.units.name().map_or(String::new(), |name| format!("-{name}"));
        format!("{}{text}{units}.{EXTENSION}", self.file_stem()).into()
    }

    /// The prefix of all index names of the file; `-` or `.` follows.
    pub fn file_stem(&self) -> String {
        format!("{:x}-{:x}", self.stamp.device, self.stamp.inode)
    }
}

/// The prefix of all index names of the object at `url`.
pub fn object_stem(url: &str) -> String {
    format!("{:x}", url_hash(url))
}

fn name_hash(path: &Path) -> u64 {
    let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    xxh3_64(canonical.as_os_str().as_encoded_bytes())
}

fn url_hash(url: &str) -> u64 {
    xxh3_64(url.as_bytes())
}

fn nanoseconds(time: SystemTime) -> i64 {
    let after = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(after.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_settled_when_no_change_can_have_its_timestamp() {
        let second = 1_000_000_000;
        let identity = |changed: i64, modified: i64| Identity {
            stamp: Stamp { device: 1, inode: 2, size: 3, modified: i128::from(modified) },
            changed,
            born: 0,
            name: 4,
            racy: false,
        };
        // A time in whole seconds may come from a file system without finer ones.
        for (last, tick) in [(second * 5 + 1, 20_000_000), (second * 5, 2_100_000_000)] {
            for (changed, modified) in [(last, second * 77), (0, last)] {
                let settled = |now: i64| identity(changed, modified).is_settled(now);
                assert!(
                    !settled(last) && !settled(last + tick) && !settled(last - tick),
                    "{changed} {modified}"
                );
                assert!(settled(last + tick + 1) && settled(last - tick - 1), "{changed} {modified}");
            }
        }
    }
}
