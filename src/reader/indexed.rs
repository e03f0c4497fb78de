//! The reader's use of the line index: where scans may start, what they teach it, when it is kept.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};
use std::thread;

use super::scan::Counted;
use super::{Mark, Reader};
use crate::buffer::Buffer;
use crate::error::Result;
use crate::index::identity::{Identity, View};
use crate::index::{BLOCK, Index, Outcome, Policy, Tail};

impl Reader {
    /// Lets this reader use, and where `policy` says so keep, the index of the file at `path`; if it was opened by its
    /// path, of the file at that one.
    pub fn use_index(&self, path: &Path, policy: &Policy) {
        let path = self.path.as_deref().unwrap_or(path);
        let Some(identity) = self.identity(path) else { return };
        // A file whose size is not what it says is not worth it.
        let is_whole = match self.source.info().decoding {
            Some(decoding) => decoding.input().size() == Some(identity.stamp.size),
            None => self.known_size() == Some(identity.stamp.size),
        };
        if is_whole {
            let (index, verified) = Index::open(self.source(), identity, self.view(), policy);
            self.note_scanned(verified);
            *self.index() = index;
        }
    }

    /// Which file this is, opened as `path`; none where it cannot be told from others.
    pub fn identity(&self, path: &Path) -> Option<Identity> {
        Identity::of_source(self.source(), &own_name(path)?)
    }

    /// What of the file is read, for which it has an index of its own.
    pub fn view(&self) -> View {
        View { decompressed: self.source.info().decoding.is_some(), units: self.units() }
    }

    /// Keeps what the scans of this reader have taught the index; `always` also if it is little.
    pub fn save_index(&self, always: bool) {
        let metadata = self.metadata_now();
        if let Some(index) = self.index().as_mut() {
            index.save(self.source(), metadata.as_ref(), always);
        }
    }

    /// What the system says of the file now.
    pub(crate) fn metadata_now(&self) -> Option<Metadata> {
        self.stored().info().file.and_then(|(file, _)| file.metadata().ok())
    }

    /// What became of the index.
    pub fn index_outcome(&self) -> Outcome {
        self.index().as_ref().map_or(Outcome::None, Index::outcome)
    }

    /// Takes over how many lines the bytes have, counted by the byte `\n` when they were kept.
    pub(crate) fn set_told_lines(&mut self, lines: u64) {
        self.told_lines = Some(lines);
    }

    /// The number that was taken over, where it counts what this reader counts.
    fn told_lines(&self) -> Option<u64> {
        let encoding = self.encoding();
        let counts_bytes = self.units().width() == 1 && !encoding.has_state();
        self.told_lines.filter(|_| counts_bytes && self.source.info().decoding.is_none())
    }

    /// The number of lines, if it was taken over, or the index knows it and what lies behind the last block is what it was.
    pub fn known_lines(&self) -> Option<u64> {
        if let Some(lines) = self.told_lines() {
            return Some(lines);
        }
        let unchecked = self.index().as_ref().and_then(Index::unchecked_tail);
        if let Some(tail) = unchecked {
            let covered = self.index().as_ref().map_or(0, Index::covered);
            if self.read_tail(covered).ok() != Some(tail) {
                self.forget_index();
            }
            if let Some(index) = self.index().as_mut() {
                index.set_tail_checked();
            }
        }
        self.index().as_mut()?.total_lines().ok().flatten()
    }

    /// Looks at what lies behind the last whole block, at `covered`.
    fn read_tail(&self, covered: u64) -> Result<Tail> {
        let size = self.size()?;
        let mut bytes =
            Buffer::new(usize::try_from(size.saturating_sub(covered)).unwrap_or(BLOCK).min(BLOCK));
        self.read_exact(&mut bytes, covered)?;
        self.note_scanned(bytes.len() as u64);
        Ok(Tail { newlines: self.units().count(&bytes), unterminated: self.is_unterminated(size)? })
    }

    /// Bytes from the start of the file that the index covers.
    pub(crate) fn indexed_bytes(&self) -> u64 {
        self.index().as_ref().map_or(0, Index::covered)
    }

    /// Whether counting all lines costs next to nothing: the file is small, or the index knows most of it.
    pub(crate) fn is_cheap_to_count(&self) -> bool {
        self.known_size().is_some_and(|size| self.is_cheap_to_count_before(size))
    }

    /// Whether counting the lines before `offset` costs next to nothing.
    pub(crate) fn is_cheap_to_count_before(&self, offset: u64) -> bool {
        let covered = self.index().as_ref().map_or(0, Index::covered);
        offset.saturating_sub(covered) <= self.tuning.small
    }

    /// Bytes and newlines that the index covers. What goes on from there rests on the last block, so that is
    /// looked at first.
    pub(super) fn covered(&self) -> (u64, u64) {
        let found = self.index().as_ref().map_or(0, Index::unchecked_end);
        if let Some(last) = found.checked_sub(1) {
            let mut block = Block::default();
            match self.load(last, &mut block) {
                Ok(true) => {}
                // Not what it was, or not to be read: then it is no good to start from.
                _ => self.forget_index(),
            }
        }
        let mut index = self.index();
        let Some(index) = index.as_mut() else { return (0, 0) };
        index.set_checked();
        let covered = index.covered();
        match index.newlines_before(covered / BLOCK as u64) {
            Ok(newlines) => (covered, newlines),
            Err(_) => {
                index.forget(self.source());
                (0, 0)
            }
        }
    }

    /// Finds those of `counts` that the index covers, from where `marks` ends.
    pub(super) fn find_indexed(&self, counts: &[u64], marks: &mut Vec<Mark>) -> Result<()> {
        let known = marks.len();
        let mut block = Block::default();
        self.announce(&counts[known..]);
        while let Some(&wanted) = counts.get(marks.len()) {
            let found = match self.index().as_mut().map(|index| index.block_of_newline(wanted)) {
                None | Some(Ok(None)) => return Ok(()),
                Some(Ok(Some(number))) => Some(number),
                Some(Err(_)) => None,
            };
            let offset = match found {
                Some(number) if self.load(number, &mut block)? => {
                    self.units().after_nth(&block.bytes, wanted - block.before)
                }
                _ => None,
            };
            match offset {
                Some(offset) => {
                    marks.push(Mark { offset: block.start() + offset as u64, lines: Some(wanted) })
                }
                // The index is damaged, or not about this file as it is: nothing it said counts.
                None => {
                    self.forget_index();
                    marks.truncate(known);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Tells the source which blocks hold the newlines of `counts`, if there are few.
    fn announce(&self, counts: &[u64]) {
        if self.source.info().object.is_none() {
            return;
        }
        let mut index = self.index();
        let Some(index) = index.as_mut() else { return };
        let mut block = |count: Option<&u64>| index.block_of_newline(*count?).ok().flatten();
        if let (Some(first), Some(last)) = (block(counts.first()), block(counts.last()))
            && last.checked_sub(first).is_some_and(|more| more < 16)
        {
            self.source.advise(first * BLOCK as u64..(last + 1) * BLOCK as u64);
        }
    }

    /// Newlines before `offset`, if the index covers that.
    pub(crate) fn indexed_newlines_before(&self, offset: u64) -> Result<Option<u64>> {
        if offset >= self.index().as_ref().map_or(0, Index::covered) {
            return Ok(None);
        }
        let mut block = Block::default();
        if !self.load(offset / BLOCK as u64, &mut block)? {
            self.forget_index();
            return Ok(None);
        }
        let within = usize::try_from(offset - block.start()).unwrap_or(BLOCK);
        Ok(Some(block.before + self.units().count(&block.bytes[..within])))
    }

    /// Reads block `number`, unless `block` is it, and says whether it is what was indexed.
    fn load(&self, number: u64, block: &mut Block) -> Result<bool> {
        if block.number == number && !block.bytes.is_empty() {
            return Ok(true);
        }
        block.number = number;
        let start = block.start();
        self.read_exact(block.bytes.at(start, BLOCK), start)?;
        self.note_scanned(BLOCK as u64);
        let mut index = self.index();
        let Some(index) = index.as_mut() else { return Ok(false) };
        let Ok(before) = index.newlines_before(number) else { return Ok(false) };
        block.before = before;
        Ok(index.is_block(number, &block.bytes).unwrap_or(false))
    }

    /// Whether scans teach the index anything.
    pub(super) fn learns(&self) -> bool {
        self.index().as_ref().is_some_and(Index::learns)
    }

    /// Teaches the index a block that follows those it covers, and keeps what it has learned from time to time.
    pub(super) fn learn(&self, counted: &Counted) {
        let learn = |index: &mut Index| index.learn(counted.offset, counted.newlines, counted.fingerprint);
        let is_due = counted.len == BLOCK && self.index().as_mut().is_some_and(learn);
        if is_due {
            self.save_index(false);
        }
    }

    /// Teaches the index the end of the file: so many newlines in all.
    pub(super) fn learn_tail(&self, newlines: u64, unterminated: bool, end: u64) {
        let (covered, before) = self.covered();
        // Where damage is, there may be more behind it.
        let whole = self.known_size() == Some(end)
            && !self.is_cut_short()
            && end.saturating_sub(covered) < BLOCK as u64;
        // Fewer than the index counts means that the file is another by now.
        let Some(newlines) = newlines.checked_sub(before).filter(|_| whole) else { return };
        if let Some(index) = self.index().as_mut().filter(|index| index.learns()) {
            index.learn_tail(Tail { newlines, unterminated });
        }
    }

    /// Whether the file was changed so recently that a further change might go unnoticed.
    pub(super) fn is_racy(&self) -> bool {
        self.index().as_ref().is_some_and(|index| index.learns() && index.is_racy())
    }

    /// Waits the few milliseconds after which a further change of the file cannot go unnoticed, if there is
    /// something to be learned and the file has changed just now.
    pub(super) fn settle(&self) {
        if !self.is_racy() {
            return;
        }
        let Some(pause) = self.index().as_mut().and_then(Index::pause) else { return };
        thread::sleep(pause);
        let metadata = self.metadata_now();
        if let Some(index) = self.index().as_mut()
            && let Some(now) = index.identity_now(metadata.as_ref())
        {
            index.settle(&now);
        }
    }

    fn forget_index(&self) {
        if let Some(index) = self.index().as_mut() {
            index.forget(self.source());
        }
    }

    fn index(&self) -> MutexGuard<'_, Option<Index>> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of the file itself where `path` is that of standard input, if the system tells it; an index under a
/// name that stands for any file would take one for another.
fn own_name(path: &Path) -> Option<PathBuf> {
    if path != Path::new("-") {
        return Some(path.to_owned());
    }
    let name = Path::new("/dev/stdin").canonicalize().ok()?;
    Some(name).filter(|name| !name.starts_with("/dev") && !name.starts_with("/proc"))
}

/// A block of the file that agrees with the index.
#[derive(Default)]
struct Block {
    number: u64,
    before: u64,
    bytes: Buffer,
}

impl Block {
    fn start(&self) -> u64 {
        self.number * BLOCK as u64
    }
}
