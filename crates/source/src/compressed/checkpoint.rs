//! Checkpoints: offsets where decoding can continue, with the decoder state and the text before, which is kept compressed.
//! The line index keeps them between runs.

use std::io::{self, Write};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::damage::CheckedSpans;
use crate::file::FileSource;
use crate::{Source, limits, read_full};

/// The most checkpoints of a file. Two neighbours are at most a 128th of the text apart, whatever its size.
const MAX_CHECKPOINTS: usize = 256;

/// The least bytes of text between checkpoints.
const SPACING: u64 = 1 << 20;

/// The least number of windows between two checkpoints.
const WINDOWS_APART: u64 = 12;

/// Bytes of all windows together, compressed.
const WINDOW_BYTES: u64 = 20 << 20;

/// Compressed bytes after a checkpoint that are compared before it is used.
pub(super) const PROBE: usize = 256;

#[derive(Clone, Debug)]
pub struct Checkpoint {
    pub text_offset: u64,
    pub raw_offset: u64,
    /// The decoder state inside a member; `None` where a member begins.
    pub state: Option<DecoderState>,
    pub window: Option<Window>,
    /// A hash of the next [`PROBE`] compressed bytes; `None` if the file itself lists the checkpoint.
    pub probe: Option<u64>,
}

impl Checkpoint {
    pub(super) fn at_member(text_offset: u64, raw_offset: u64) -> Self {
        Checkpoint { text_offset, raw_offset, state: None, window: None, probe: None }
    }

    fn window_span(&self) -> Option<WindowSpan> {
        self.window.as_ref().map(|window| window.span)
    }
}

/// The checkpoints of a file, in order, and the rest of what decoding has shown.
#[derive(Clone, Debug, Default)]
pub struct Checkpoints {
    /// Shared with the other decoders of the file.
    list: Arc<Vec<Checkpoint>>,
    windows: Windows,
    /// Bytes of text between checkpoints, once that is more than [`SPACING`].
    spacing: u64,
    /// Whether the file itself lists its checkpoints: none are added.
    pub is_table: bool,
    /// Whether the text size was known before decoding, so that the text must match it.
    is_size_declared: bool,
    /// The size of the text, once it is known.
    pub text_size: Option<u64>,
    /// The raw offset of bytes that belong to no member.
    pub garbage: Option<u64>,
    /// The text that agrees with its checksums.
    pub checked: CheckedSpans,
}

impl Checkpoints {
    pub(super) fn of_table() -> Self {
        Checkpoints { is_table: true, is_size_declared: true, ..Checkpoints::default() }
    }

    /// No checkpoints yet, for a text whose size is declared elsewhere.
    pub(super) fn of_size(text_size: u64) -> Self {
        Checkpoints { is_size_declared: true, text_size: Some(text_size), ..Checkpoints::default() }
    }

    /// Drops all checkpoints after one turned out to be wrong, and the size if it came with them.
    pub(super) fn forget(&mut self) {
        let declared = self.declared_size().filter(|_| !self.is_table);
        *self = declared.map_or_else(Checkpoints::default, Checkpoints::of_size);
    }

    /// The text size, if it was known before decoding.
    pub(super) fn declared_size(&self) -> Option<u64> {
        self.text_size.filter(|_| self.is_size_declared)
    }

    /// The least text offset for another checkpoint, if it needs `window` bytes.
    pub(super) fn due_at(&self, window: usize) -> u64 {
        if self.is_table {
            return u64::MAX;
        }
        let spacing = self.spacing.max(SPACING).max(window as u64 * WINDOWS_APART);
        self.list.last().map_or(0, |last| last.text_offset).saturating_add(spacing)
    }

    /// Stores the window of the next checkpoint. If that fails, no more checkpoints are due.
    pub(super) fn store_window(&mut self, text: &[u8]) -> Option<Window> {
        let window = self.windows.store(text).ok();
        if window.is_none() {
            self.spacing = u64::MAX;
        }
        window
    }

    /// Adds a checkpoint after the last. When there are too many, drops every second.
    pub(super) fn add(&mut self, checkpoint: Checkpoint) {
        let windows: u64 = self.list.iter().filter_map(Checkpoint::window_span).map(|span| span.length).sum();
        Arc::make_mut(&mut self.list).push(checkpoint);
        if (self.list.len() >= MAX_CHECKPOINTS || windows > WINDOW_BYTES) && !self.is_table {
            self.list = Arc::new(self.list.iter().skip(1).step_by(2).cloned().collect());
            // Large windows put checkpoints further apart than the spacing.
            let apart = self.list.last().map_or(0, |last| last.text_offset) / self.list.len() as u64;
            self.spacing = apart.max(self.spacing.max(SPACING).saturating_mul(2));
        }
    }

    fn up_to(&self, text_offset: u64) -> &[Checkpoint] {
        &self.list[..self.list.partition_point(|checkpoint| checkpoint.text_offset <= text_offset)]
    }

    /// The last checkpoint at or before `text_offset`.
    pub fn before(&self, text_offset: u64) -> Option<&Checkpoint> {
        self.up_to(text_offset).last()
    }

    /// The last checkpoint at or before `text_offset` where a member begins.
    pub(super) fn member_before(&self, text_offset: u64) -> Option<&Checkpoint> {
        self.up_to(text_offset).iter().rev().find(|checkpoint| checkpoint.state.is_none())
    }

    /// The raw offset of the next known member, or block of .xz, after `raw_offset`.
    pub(super) fn member_after(&self, raw_offset: u64) -> Option<u64> {
        let begins = |it: &&Checkpoint| matches!(it.state, None | Some(DecoderState::Xz { .. }));
        let after = self.list.partition_point(|checkpoint| checkpoint.raw_offset <= raw_offset);
        self.list[after..].iter().find(begins).map(|checkpoint| checkpoint.raw_offset)
    }

    pub(super) fn all(&self) -> &[Checkpoint] {
        &self.list
    }

    /// The checkpoints for another decoder of the file, which adds none.
    pub(super) fn for_fork(&self) -> Self {
        Checkpoints {
            list: Arc::clone(&self.list),
            windows: Windows::default(),
            spacing: u64::MAX,
            checked: CheckedSpans::default(),
            ..*self
        }
    }

    /// The text offset of the checkpoint at exactly `raw_offset`.
    pub(super) fn text_offset_of(&self, raw_offset: u64) -> Option<u64> {
        let found = self.list.binary_search_by_key(&raw_offset, |checkpoint| checkpoint.raw_offset).ok()?;
        Some(self.list[found].text_offset)
    }

    /// The number of checkpoints.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Writes the checkpoints with a checksum, then their windows. The file's own table is read from the file again.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let checkpoints: Vec<&Checkpoint> = self.list.iter().filter(|_| !self.is_table).collect();
        let size = self.text_size.filter(|_| !self.is_table).map_or(0, |size| size.saturating_add(1));
        let length = self.checked.length_from_start();
        let garbage = self.garbage.map_or(0, |at| at.saturating_add(1));
        let mut words = vec![checkpoints.len() as u64, self.spacing, size, garbage, length];
        for checkpoint in &checkpoints {
            let [state, more] = checkpoint.state.map_or([0; 2], DecoderState::to_words);
            let (length, sum) = checkpoint.window_span().map_or((0, 0), |span| (span.length, span.sum));
            let probe = checkpoint.probe.unwrap_or(0);
            words.extend([checkpoint.text_offset, checkpoint.raw_offset, state, more, probe, length, sum]);
        }
        let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        out.write_all(&bytes)?;
        out.write_all(&xxh3_64(&bytes).to_le_bytes())?;
        for window in checkpoints.iter().filter_map(|checkpoint| checkpoint.window.as_ref()) {
            out.write_all(&window.bytes()?)?;
        }
        Ok(())
    }

    /// Reads the result of [`Checkpoints::write`] at `at` of `file`; `None` if it is damaged.
    pub fn read(file: FileSource, at: u64) -> Option<Self> {
        let mut head = [0; 8];
        read_full(&file, &mut head, at).ok().filter(|got| *got == head.len())?;
        let count =
            usize::try_from(u64::from_le_bytes(head)).ok().filter(|count| *count <= MAX_CHECKPOINTS)?;
        let mut bytes = vec![0; 8 * (HEADER_WORDS + CHECKPOINT_WORDS * count + CHECKSUM_WORDS)];
        read_full(&file, &mut bytes, at).ok().filter(|got| *got == bytes.len())?;
        let (content, sum) = bytes.split_last_chunk::<8>()?;
        if xxh3_64(content).to_le_bytes() != *sum {
            return None;
        }
        let words: Vec<u64> =
            content.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let ([_, spacing, text_size, garbage, checked], rest) = words.split_first_chunk::<HEADER_WORDS>()?;
        let mut checkpoints = Checkpoints {
            spacing: *spacing,
            text_size: text_size.checked_sub(1),
            garbage: garbage.checked_sub(1),
            checked: CheckedSpans::up_to(*checked),
            ..Checkpoints::default()
        };
        let (file, mut list) = (Arc::new(file), Vec::with_capacity(count));
        let mut window_at = at + bytes.len() as u64;
        for words in rest.as_chunks::<CHECKPOINT_WORDS>().0 {
            let [text_offset, raw_offset, state, more, probe, length, sum] = *words;
            let state = DecoderState::from_words([state, more]);
            let span = WindowSpan { at: window_at, length, sum };
            let window = (length > 0).then(|| Window { file: Arc::clone(&file), span });
            window_at = window_at.checked_add(length)?;
            list.push(Checkpoint { text_offset, raw_offset, state, window, probe: Some(probe) });
        }
        checkpoints.list = Arc::new(list);
        Some(checkpoints)
    }

    /// The offsets in the text, after the first, at which decoding can begin.
    pub fn starts(&self) -> Vec<u64> {
        self.list.iter().map(|checkpoint| checkpoint.text_offset).filter(|at| *at > 0).collect()
    }

    /// The offset in the compressed input of the last checkpoint.
    pub fn last_raw_offset(&self) -> u64 {
        self.list.last().map_or(0, |checkpoint| checkpoint.raw_offset)
    }
}

const HEADER_WORDS: usize = 5;
const CHECKPOINT_WORDS: usize = 7;
const CHECKSUM_WORDS: usize = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecoderState {
    /// Between two blocks of a deflate stream.
    Deflate {
        /// Bits of the last byte that belong to the next block, 0 to 7.
        bit_count: u8,
        bits: u8,
        /// The checksum and the length of the member's text so far.
        sum: u32,
        length: u64,
    },
    /// Before a block of a zstd frame.
    Zstd {
        /// The last three offsets, the latest first.
        offsets: [u32; 3],
        /// The frame's window descriptor.
        descriptor: u8,
        has_checksum: bool,
    },
    /// Before a block of an .xz stream; the file offsets of the stream, of its index, and of its end.
    Xz { stream: u64, index: u64, end: u64 },
}

impl DecoderState {
    /// The lowest byte of the first word is the kind. Blocks of .xz are in the file's own index, so they get zeros.
    pub(super) fn to_words(self) -> [u64; 2] {
        match self {
            DecoderState::Deflate { bit_count, bits, sum, length } => {
                [u64::from(u32::from_le_bytes([1, bit_count, bits, 0])) | u64::from(sum) << 32, length]
            }
            DecoderState::Zstd { offsets: [a, b, c], descriptor, has_checksum } => {
                let low = u32::from_le_bytes([2, descriptor, u8::from(has_checksum), 0]);
                [u64::from(low) | u64::from(a) << 32, u64::from(b) << 32 | u64::from(c)]
            }
            DecoderState::Xz { .. } => [0; 2],
        }
    }

    pub(super) fn from_words([state, more]: [u64; 2]) -> Option<Self> {
        let [kind, first, second, _, number @ ..] = state.to_le_bytes();
        let number = u32::from_le_bytes(number);
        let [low, high] = [more, more >> 32].map(|half| u32::try_from(half & u64::from(u32::MAX)));
        match kind {
            1 if first < 8 => {
                Some(DecoderState::Deflate { bit_count: first, bits: second, sum: number, length: more })
            }
            2 => Some(DecoderState::Zstd {
                offsets: [number, high.ok()?, low.ok()?],
                descriptor: first,
                has_checksum: second == 1,
            }),
            _ => None,
        }
    }
}

/// Bytes of text in the largest window.
const MAX_WINDOW: usize = 8 << 20;

/// The compression level: higher levels take much longer for little.
const LEVEL: i32 = 3;

#[derive(Clone, Copy, Debug)]
pub(super) struct WindowSpan {
    pub(super) at: u64,
    pub(super) length: u64,
    /// A hash of the compressed window.
    pub(super) sum: u64,
}

#[derive(Clone, Debug)]
pub struct Window {
    pub(super) file: Arc<FileSource>,
    pub(super) span: WindowSpan,
}

impl Window {
    pub(super) fn text(&self) -> io::Result<Vec<u8>> {
        zstd::bulk::decompress(&self.bytes()?, MAX_WINDOW)
    }

    pub(super) fn bytes(&self) -> io::Result<Vec<u8>> {
        let span = self.span;
        let mut bytes = vec![0; usize::try_from(span.length).map_err(io::Error::other)?.min(MAX_WINDOW)];
        let got = read_full(&*self.file, &mut bytes, span.at)?;
        if got < bytes.len() || xxh3_64(&bytes) != span.sum {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a window is damaged"));
        }
        Ok(bytes)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Windows {
    file: Option<Arc<FileSource>>,
    /// The bytes that were written.
    length: u64,
}

impl Windows {
    /// Stores `text` at the end of the file.
    pub(super) fn store(&mut self, text: &[u8]) -> io::Result<Window> {
        if limits::is_file_size_limited() {
            return Err(io::Error::other("the size of files is limited"));
        }
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => Arc::new(FileSource::new(tempfile::tempfile()?)?.with_size(u64::MAX)),
        };
        let bytes = zstd::bulk::compress(text, LEVEL)?;
        if let Some((mut writer, _)) = file.info().file {
            writer.write_all(&bytes)?;
        }
        let span = WindowSpan { at: self.length, length: bytes.len() as u64, sum: xxh3_64(&bytes) };
        self.length += span.length;
        self.file = Some(Arc::clone(&file));
        Ok(Window { file, span })
    }
}

#[cfg(test)]
impl Windows {
    pub(super) fn unwritable() -> Self {
        let file = FileSource::new(std::fs::File::open("Cargo.toml").unwrap()).unwrap();
        Windows { file: Some(Arc::new(file)), length: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint(text: u64) -> Checkpoint {
        let state = DecoderState::Deflate { bit_count: 3, bits: 5, sum: u32::MAX, length: text };
        Checkpoint {
            text_offset: text,
            raw_offset: text / 4,
            state: (!text.is_multiple_of(3)).then_some(state),
            window: None,
            probe: Some(1),
        }
    }

    #[test]
    fn checkpoints_are_few_and_evenly_spaced() {
        let mut checkpoints = Checkpoints::default();
        for text in (0..4_000u64).map(|n| n * SPACING / 2) {
            if text >= checkpoints.due_at(0) {
                checkpoints.add(checkpoint(text));
            }
            assert!(checkpoints.len() < MAX_CHECKPOINTS);
        }
        let end = 4_000 * SPACING / 2;
        let mut last = 0;
        for text in (0..end).step_by(1 << 19) {
            let found = checkpoints.before(text).map_or(0, |checkpoint| checkpoint.text_offset);
            assert!(text - found <= end / 100, "{text} {found}");
            assert!(found >= last);
            last = found;
        }
    }

    fn kept(bytes: &[u8]) -> Option<Checkpoints> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"before").unwrap();
        file.write_all(bytes).unwrap();
        Checkpoints::read(FileSource::new(file).unwrap(), 6)
    }

    #[test]
    fn written_checkpoints_come_back_unless_a_byte_changes() {
        let mut checkpoints = Checkpoints { text_size: Some(0), ..Checkpoints::default() };
        for n in 1..20 {
            let window = checkpoints.store_window(format!("the window of {n}").as_bytes()).unwrap();
            checkpoints.add(Checkpoint { window: Some(window), ..checkpoint(n * SPACING + n) });
        }
        let mut bytes = Vec::new();
        checkpoints.write(&mut bytes).unwrap();
        let again = kept(&bytes).unwrap();
        assert_eq!((again.len(), again.text_size), (19, Some(0)));
        for (checkpoint, n) in again.list.iter().zip(1..) {
            let before = &checkpoints.list[n - 1];
            assert_eq!(
                (checkpoint.text_offset, checkpoint.raw_offset, checkpoint.state),
                (before.text_offset, before.raw_offset, before.state)
            );
            assert_eq!(checkpoint.probe, before.probe);
            assert_eq!(
                checkpoint.window.as_ref().unwrap().text().unwrap(),
                format!("the window of {n}").as_bytes()
            );
        }
        for at in 0..bytes.len() {
            let mut touched = bytes.clone();
            touched[at] ^= 4;
            let is_good = |checkpoint: &Checkpoint| {
                checkpoint.window.as_ref().is_none_or(|window| window.text().is_ok())
            };
            let windows_are_good = |checkpoints: Checkpoints| checkpoints.list.iter().all(is_good);
            assert!(!kept(&touched).is_some_and(windows_are_good), "byte {at}");
            assert!(!kept(&bytes[..at]).is_some_and(windows_are_good), "up to byte {at}");
        }
    }

    #[test]
    fn windows_of_any_size_come_back() {
        let mut windows = Windows::default();
        let texts: Vec<Vec<u8>> = [1, 100, 256 << 10, 768 << 10, 7, MAX_WINDOW]
            .iter()
            .map(|size| {
                (0..*size).map(|n| u8::try_from((n % 251 * (n % 251) + size) % 251).unwrap()).collect()
            })
            .collect();
        let stored: Vec<Window> = texts.iter().map(|text| windows.store(text).unwrap()).collect();
        for (window, text) in stored.iter().zip(&texts).rev() {
            assert!(window.clone().text().unwrap() == *text);
        }
    }

    #[test]
    fn after_a_failed_write_no_window_is_saved() {
        for size in [100, 256 << 10] {
            let mut windows = Windows::unwritable();
            let text = vec![b'x'; size];
            if let Ok(window) = windows.store(&text) {
                assert!(window.text().is_err());
            }
            assert!(windows.store(&text).is_err());
        }
    }
}
