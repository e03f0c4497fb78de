//! The reader's use of the line index: where scans start, what they teach it, and when it is saved.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::thread;

use super::Reader;
use super::full_scan::CountedBlock;
use crate::index::pages::{Identity, View};
use crate::index::{INDEX_BLOCK, Index, Outcome, Policy, Remainder};
use rread_source::lock;
use rread_source::memory::Buffer;
use rread_text::Result;
use rread_text::range::Boundary;

impl Reader {
    /// Uses the index of the file, and saves it if `policy` allows; `path` names a file that was not opened by path.
    pub fn use_index(&self, path: &Path, policy: &Policy) {
        let path = self.path.as_deref().unwrap_or(path);
        let Some(identity) = self.identity(path) else { return };
        // Skip files that have another size than they report.
        let is_whole = match self.source.info().decoding {
            // Its lines are those of this version of the program.
            Some(decoding) if decoding.document().is_some() => false,
            Some(decoding) => decoding.input().size() == Some(identity.stamp.size),
            None => self.known_size() == Some(identity.stamp.size),
        };
        if is_whole {
            let (index, validated) = Index::open(self.source(), identity, self.view(), policy);
            self.note_scanned(validated);
            *lock(&self.index) = index;
        }
    }

    /// The identity of the file, which was opened as `path`.
    pub fn identity(&self, path: &Path) -> Option<Identity> {
        Identity::of_source(self.source(), &own_name(path)?)
    }

    /// How the file is read.
    pub fn view(&self) -> View {
        View { decompressed: self.source.info().decoding.is_some(), units: self.units() }
    }

    /// Saves what the scans have taught the index; with `always`, even if that is little.
    pub fn save_index(&self, always: bool) {
        let metadata = self.metadata_now();
        if let Some(index) = lock(&self.index).as_mut() {
            index.save(self.source(), metadata.as_ref(), always);
        }
    }

    pub(crate) fn metadata_now(&self) -> Option<Metadata> {
        self.stored().info().file.and_then(|(file, _)| file.metadata().ok())
    }

    /// The outcome of using the index.
    pub fn index_outcome(&self) -> Outcome {
        lock(&self.index).as_ref().map_or(Outcome::None, Index::outcome)
    }

    /// Trusts the number of bytes `\n` that the capture counted; `is_stripped` says that this is not all that it stored.
    pub fn set_captured(&mut self, lines: u64, is_stripped: bool) {
        self.trusted_lines = Some(lines);
        self.is_stripped = is_stripped;
    }

    fn trusted_lines(&self) -> Option<u64> {
        let encoding = self.encoding();
        let counts_bytes = self.units().width == 1 && !encoding.has_state();
        self.trusted_lines.filter(|_| counts_bytes && self.source.info().decoding.is_none())
    }

    /// The number of lines, if trusted, or if the index has it and the bytes after its last block are unchanged.
    pub fn known_lines(&self) -> Option<u64> {
        if let Some(lines) = self.trusted_lines() {
            return Some(lines);
        }
        let unchecked =
            lock(&self.index).as_ref().and_then(|index| index.tail.filter(|_| !index.tail_checked));
        if let Some(tail) = unchecked {
            if self.read_tail(self.indexed_bytes()).ok() != Some(tail) {
                self.forget_index();
            }
            if let Some(index) = lock(&self.index).as_mut() {
                index.tail_checked = true;
            }
        }
        lock(&self.index).as_mut()?.total_lines().ok().flatten()
    }

    fn read_tail(&self, covered: u64) -> Result<Remainder> {
        let size = self.size()?;
        let mut bytes = Buffer::new(
            usize::try_from(size.saturating_sub(covered)).unwrap_or(INDEX_BLOCK).min(INDEX_BLOCK),
        );
        self.read_exact(&mut bytes, covered)?;
        self.note_scanned(bytes.len() as u64);
        Ok(Remainder { newlines: self.units().count(&bytes), unterminated: self.is_unterminated(size)? })
    }

    /// The bytes from the start that the index covers.
    pub fn indexed_bytes(&self) -> u64 {
        lock(&self.index).as_ref().map_or(0, Index::covered)
    }

    /// Whether counting all lines is cheap: the file is small, or the index covers most of it.
    pub fn is_cheap_to_count(&self) -> bool {
        self.known_size().is_some_and(|size| self.is_cheap_to_count_before(size))
    }

    /// Whether counting the lines before `offset` is cheap.
    pub fn is_cheap_to_count_before(&self, offset: u64) -> bool {
        offset.saturating_sub(self.indexed_bytes()) <= self.tuning.small
    }

    /// Bytes and newlines that the index covers. Validates the last block first, because scans continue from it.
    pub(super) fn covered(&self) -> (u64, u64) {
        let found = lock(&self.index).as_ref().map_or(0, |index| if index.checked { 0 } else { index.found });
        if let Some(last) = found.checked_sub(1) {
            let mut block = VerifiedBlock::default();
            match self.load(last, &mut block) {
                Ok(true) => {}
                // A changed or unreadable block is not a start.
                _ => self.forget_index(),
            }
        }
        let mut index = lock(&self.index);
        let Some(index) = index.as_mut() else { return (0, 0) };
        index.checked = true;
        let covered = index.covered();
        match index.newlines_before(covered / INDEX_BLOCK as u64) {
            Ok(newlines) => (covered, newlines),
            Err(_) => {
                index.forget(self.source());
                (0, 0)
            }
        }
    }

    pub(super) fn find_indexed(&self, counts: &[u64], boundaries: &mut Vec<Boundary>) -> Result<()> {
        let known = boundaries.len();
        let mut block = VerifiedBlock::default();
        self.advise(&counts[known..]);
        while let Some(&wanted) = counts.get(boundaries.len()) {
            let found = match lock(&self.index).as_mut().map(|index| index.block_of_newline(wanted)) {
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
                    boundaries.push(Boundary { offset: block.start() + offset as u64, lines: Some(wanted) })
                }
                // The index is damaged or about another state of the file: drop all that came from it.
                None => {
                    self.forget_index();
                    boundaries.truncate(known);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Advises the source of the blocks with the newlines of `counts`, if they are few.
    fn advise(&self, counts: &[u64]) {
        if self.source.info().object.is_none() {
            return;
        }
        let mut index = lock(&self.index);
        let Some(index) = index.as_mut() else { return };
        let mut block = |count: Option<&u64>| index.block_of_newline(*count?).ok().flatten();
        if let (Some(first), Some(last)) = (block(counts.first()), block(counts.last()))
            && last.checked_sub(first).is_some_and(|more| more < 16)
        {
            self.source.advise(first * INDEX_BLOCK as u64..(last + 1) * INDEX_BLOCK as u64);
        }
    }

    /// The number of newlines before `offset`; `None` if the index does not cover it.
    pub fn indexed_newlines_before(&self, offset: u64) -> Result<Option<u64>> {
        if offset >= self.indexed_bytes() {
            return Ok(None);
        }
        let mut block = VerifiedBlock::default();
        if !self.load(offset / INDEX_BLOCK as u64, &mut block)? {
            self.forget_index();
            return Ok(None);
        }
        let within = usize::try_from(offset - block.start()).unwrap_or(INDEX_BLOCK);
        Ok(Some(block.before + self.units().count(&block.bytes[..within])))
    }

    fn load(&self, number: u64, block: &mut VerifiedBlock) -> Result<bool> {
        if block.number == number && !block.bytes.is_empty() {
            return Ok(true);
        }
        block.number = number;
        let start = block.start();
        self.read_exact(block.bytes.at(start, INDEX_BLOCK), start)?;
        self.note_scanned(INDEX_BLOCK as u64);
        let mut index = lock(&self.index);
        let Some(index) = index.as_mut() else { return Ok(false) };
        let Ok(before) = index.newlines_before(number) else { return Ok(false) };
        block.before = before;
        Ok(index.is_block(number, &block.bytes).unwrap_or(false))
    }

    pub(crate) fn learns(&self) -> bool {
        lock(&self.index).as_ref().is_some_and(Index::learns)
    }

    /// Teaches the index the block after those it covers, and saves it from time to time.
    pub(crate) fn learn(&self, counted: &CountedBlock) {
        let learn = |index: &mut Index| index.learn(counted.offset, counted.newlines, counted.fingerprint);
        let is_due = counted.len == INDEX_BLOCK && lock(&self.index).as_mut().is_some_and(learn);
        if is_due {
            self.save_index(false);
        }
    }

    /// Teaches the index the end of the file: what follows its last block, up to `end`.
    pub fn learn_tail(&self, newlines: u64, unterminated: bool, end: u64) {
        let (covered, before) = self.covered();
        // More text may follow damage.
        let whole = self.known_size() == Some(end)
            && !self.is_cut_short()
            && end.saturating_sub(covered) < INDEX_BLOCK as u64;
        // Fewer newlines than the index has: the file has changed.
        let Some(newlines) = newlines.checked_sub(before).filter(|_| whole) else { return };
        if let Some(index) = lock(&self.index).as_mut().filter(|index| index.learns()) {
            index.learn_tail(Remainder { newlines, unterminated });
        }
    }

    pub(super) fn is_racy(&self) -> bool {
        lock(&self.index).as_ref().is_some_and(|index| index.learns() && index.is_racy())
    }

    /// If the index learns and the file has just changed, waits some milliseconds until another change would show.
    pub fn settle(&self) {
        if !self.is_racy() {
            return;
        }
        let Some(pause) = lock(&self.index).as_ref().and_then(Index::pause) else { return };
        thread::sleep(pause);
        let metadata = self.metadata_now();
        if let Some(index) = lock(&self.index).as_mut()
            && let Some(now) = index.identity_now(metadata.as_ref())
        {
            index.settle(&now);
        }
    }

    pub(super) fn forget_index(&self) {
        if let Some(index) = lock(&self.index).as_mut() {
            index.forget(self.source());
        }
    }
}

/// The path itself, or the name of the file on standard input: `/dev/stdin` names any file.
fn own_name(path: &Path) -> Option<PathBuf> {
    if path != Path::new("-") {
        return Some(path.to_owned());
    }
    let name = Path::new("/dev/stdin").canonicalize().ok()?;
    Some(name).filter(|name| !name.starts_with("/dev") && !name.starts_with("/proc"))
}

#[derive(Default)]
struct VerifiedBlock {
    number: u64,
    before: u64,
    bytes: Buffer,
}

impl VerifiedBlock {
    fn start(&self) -> u64 {
        self.number * INDEX_BLOCK as u64
    }
}
