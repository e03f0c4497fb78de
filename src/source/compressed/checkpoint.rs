//! Places where decoding can be taken up again: found on the way, thinned out, kept with the line index.

use std::io::{self, Write};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::checked_spans::CheckedSpans;
use super::decoder_state::DecoderState;
use super::window::{Window, Windows};
use crate::source::file::FileSource;
use crate::source::read_full;

/// The most checkpoints that are kept. Between two of them lies at most a 128th of the text, whatever its size.
const MOST: usize = 256;

/// Bytes of text between checkpoints, at first.
const SPACING: u64 = 1 << 20;

/// How many windows lie between two checkpoints at least.
const APART: u64 = 12;

/// Bytes of all windows together, as they are kept.
const WINDOWS: u64 = 20 << 20;

/// Compressed bytes behind a checkpoint that have to be what they were.
pub(super) const PROBE: usize = 256;

/// A checkpoint where decoding can be taken up again.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// Bytes of text before it.
    pub text: u64,
    /// Bytes of compressed data before it.
    pub input: u64,
    /// Where it lies inside a member; otherwise a member begins there.
    pub state: Option<DecoderState>,
    /// The text before it that what follows refers to.
    pub window: Option<Window>,
    /// A hash of the compressed bytes that follow, of checkpoints that were found on the way.
    pub probe: Option<u64>,
}

impl Checkpoint {
    /// The checkpoint where a member begins, so many bytes of text and of compressed data from the start.
    pub(crate) fn at_member(text: u64, input: u64) -> Self {
        Checkpoint { text, input, state: None, window: None, probe: None }
    }

    /// Bytes of its window as they are kept.
    fn window_length(&self) -> u64 {
        self.window.as_ref().and_then(Window::kept).map_or(0, |kept| kept.length)
    }

    /// Whether all that it needs could be kept.
    fn is_whole(&self) -> bool {
        self.window.as_ref().is_none_or(|window| window.kept().is_some())
    }
}

/// All checkpoints of a file, in order.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    list: Vec<Checkpoint>,
    windows: Windows,
    spacing: u64,
    /// Whether the file itself names them, so that nothing is to be learned.
    is_table: bool,
    /// Whether the length of the text was told before anything was decoded, so that it has to come true.
    pub(super) is_told: bool,
    /// The length of the text, once decoding came to its end.
    pub text_size: Option<u64>,
    /// Whether bytes follow there that belong to no member.
    pub garbage: bool,
    /// What of the text has agreed with its checksums.
    pub checked: CheckedSpans,
}

impl Default for Checkpoints {
    fn default() -> Self {
        Checkpoints {
            list: Vec::new(),
            windows: Windows::default(),
            spacing: SPACING,
            is_table: false,
            is_told: false,
            text_size: None,
            garbage: false,
            checked: CheckedSpans::default(),
        }
    }
}

impl Checkpoints {
    /// For checkpoints that the file itself names: all are kept, and no others are looked for.
    pub(crate) fn of_table() -> Self {
        Checkpoints { is_table: true, is_told: true, ..Checkpoints::default() }
    }

    /// For a text that is known to be so many bytes long.
    pub(crate) fn of_size(text_size: u64) -> Self {
        Checkpoints { is_told: true, text_size: Some(text_size), ..Checkpoints::default() }
    }

    /// Forgets what turned out to be wrong: all checkpoints, and with them what the file itself says of its size.
    pub fn forget(&mut self) {
        let told = self.text_size.filter(|_| self.is_told && !self.is_table);
        *self = told.map_or_else(Checkpoints::default, Checkpoints::of_size);
    }

    /// Whether the file itself names the checkpoints.
    pub fn is_table(&self) -> bool {
        self.is_table
    }

    /// Where in the text the next checkpoint, with so many bytes of `window`, is far enough from the last to be worth keeping.
    pub(crate) fn due_at(&self, window: usize) -> u64 {
        if self.is_table {
            return u64::MAX;
        }
        let spacing = self.spacing.max(window as u64 * APART);
        self.list.last().map_or(0, |last| last.text).saturating_add(spacing)
    }

    /// Whether a checkpoint at `text` is.
    pub(crate) fn is_due(&self, text: u64, window: usize) -> bool {
        text >= self.due_at(window)
    }

    /// Keeps the text before a checkpoint that is about to be added.
    pub(crate) fn keep_window(&mut self, text: &[u8]) -> io::Result<Window> {
        self.windows.keep(text)
    }

    /// Looks for no more checkpoints: there is no room for their windows.
    pub(crate) fn give_up(&mut self) {
        self.spacing = u64::MAX;
    }

    /// Adds a checkpoint behind the last.
    pub fn add(&mut self, checkpoint: Checkpoint) {
        // Without the last, whose window may be on its way.
        let windows: u64 = self.list.iter().map(Checkpoint::window_length).sum();
        self.list.push(checkpoint);
        if (self.list.len() >= MOST || windows > WINDOWS) && !self.is_table {
            let mut index = 0;
            self.list.retain(|_| {
                index += 1;
                index % 2 == 0
            });
            // Where windows are large, the checkpoints lie further apart than the spacing says.
            let apart = self.list.last().map_or(0, |last| last.text) / self.list.len() as u64;
            self.spacing = apart.max(self.spacing.saturating_mul(2));
        }
    }

    /// The last checkpoint at or before `text`.
    pub fn before(&self, text: u64) -> Option<&Checkpoint> {
        let behind = self.list.partition_point(|checkpoint| checkpoint.text <= text);
        self.list[..behind].last()
    }

    /// The last checkpoint at or before `text` where a member begins.
    pub(crate) fn member_before(&self, text: u64) -> Option<&Checkpoint> {
        let behind = self.list.partition_point(|checkpoint| checkpoint.text <= text);
        self.list[..behind].iter().rev().find(|checkpoint| checkpoint.state.is_none())
    }

    /// Where the next member, or block of .xz, begins after `input` in the compressed data, if that is known.
    pub(crate) fn member_after(&self, input: u64) -> Option<u64> {
        let starts =
            |checkpoint: &&Checkpoint| matches!(checkpoint.state, None | Some(DecoderState::Xz { .. }));
        let behind = self.list.partition_point(|checkpoint| checkpoint.input <= input);
        self.list[behind..].iter().find(starts).map(|checkpoint| checkpoint.input)
    }

    /// The text before the checkpoint at `input`, if there is one.
    pub(crate) fn text_at(&self, input: u64) -> Option<u64> {
        let found = self.list.binary_search_by_key(&input, |checkpoint| checkpoint.input).ok()?;
        Some(self.list[found].text)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Writes all that is known, with a checksum: the checkpoints, then their windows. Places that the file itself names are not written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let is_kept = |checkpoint: &&Checkpoint| !self.is_table && checkpoint.is_whole();
        let checkpoints: Vec<&Checkpoint> = self.list.iter().filter(is_kept).collect();
        let mut bytes = Vec::new();
        let mut word = |word: u64| bytes.extend(word.to_le_bytes());
        word(checkpoints.len() as u64);
        word(self.spacing);
        // What the file itself says of its size is read again.
        word(self.text_size.filter(|_| !self.is_table).map_or(0, |size| size.saturating_add(1)));
        word(u64::from(self.garbage));
        word(self.checked.length_from_start());
        for checkpoint in &checkpoints {
            word(checkpoint.text);
            word(checkpoint.input);
            checkpoint.state.map_or([0; 2], DecoderState::to_words).into_iter().for_each(&mut word);
            word(checkpoint.probe.unwrap_or(0));
            let kept = checkpoint.window.as_ref().and_then(Window::kept);
            word(kept.map_or(0, |kept| kept.length));
            word(kept.map_or(0, |kept| kept.sum));
        }
        out.write_all(&bytes)?;
        out.write_all(&xxh3_64(&bytes).to_le_bytes())?;
        for window in checkpoints.iter().filter_map(|checkpoint| checkpoint.window.as_ref()) {
            out.write_all(&window.bytes()?)?;
        }
        Ok(())
    }

    /// What [`Checkpoints::write`] wrote at `at` of `file`; `None` when it is damaged.
    pub fn read(file: FileSource, at: u64) -> Option<Self> {
        let mut head = [0; 8];
        read_full(&file, &mut head, at).ok().filter(|got| *got == head.len())?;
        let count = usize::try_from(u64::from_le_bytes(head)).ok().filter(|count| *count <= MOST)?;
        let mut bytes = vec![0; 8 * (HEADER + WORDS * count)];
        read_full(&file, &mut bytes, at).ok().filter(|got| *got == bytes.len())?;
        let (content, sum) = bytes.split_last_chunk::<8>()?;
        if xxh3_64(content).to_le_bytes() != *sum {
            return None;
        }
        let mut words = content.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).skip(1);
        let mut word = || words.next();
        let (spacing, text_size, garbage) = (word()?, word()?.checked_sub(1), word()? != 0);
        let checked = CheckedSpans::up_to(word()?);
        let mut checkpoints = Checkpoints { spacing, text_size, garbage, checked, ..Checkpoints::default() };
        let file = Arc::new(file);
        let mut window_at = at + bytes.len() as u64;
        for _ in 0..count {
            let (text, input) = (word()?, word()?);
            let state = DecoderState::from_words([word()?, word()?]);
            let (probe, length, sum) = (Some(word()?), word()?, word()?);
            let window = (length > 0).then(|| Window::stored(&file, window_at, length, sum));
            window_at = window_at.checked_add(length)?;
            checkpoints.list.push(Checkpoint { text, input, state, window, probe });
        }
        Some(checkpoints)
    }
}

/// Words before the checkpoints, and the checksum behind them.
const HEADER: usize = 6;

/// Words of a checkpoint.
const WORDS: usize = 7;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::compressed::decoder_state::DeflateState;

    fn checkpoint(text: u64) -> Checkpoint {
        let state =
            DecoderState::Deflate(DeflateState { bit_count: 3, bits: 5, sum: u32::MAX, length: text });
        Checkpoint {
            text,
            input: text / 4,
            state: (!text.is_multiple_of(3)).then_some(state),
            window: None,
            probe: Some(1),
        }
    }

    #[test]
    fn there_are_never_many_and_they_lie_evenly() {
        let mut checkpoints = Checkpoints::default();
        for text in (0..4_000u64).map(|n| n * SPACING / 2) {
            if checkpoints.is_due(text, 0) {
                checkpoints.add(checkpoint(text));
            }
            assert!(checkpoints.len() < MOST);
        }
        let end = 4_000 * SPACING / 2;
        let mut last = 0;
        for text in (0..end).step_by(1 << 19) {
            let found = checkpoints.before(text).map_or(0, |checkpoint| checkpoint.text);
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
    fn a_place_whose_window_could_not_be_kept_is_none() {
        let mut checkpoints = Checkpoints { windows: Windows::unwritable(), ..Checkpoints::default() };
        checkpoints.add(checkpoint(3));
        let window = checkpoints.keep_window(&[b'x'; 1 << 20]).unwrap();
        checkpoints.add(Checkpoint { window: Some(window), ..checkpoint(5) });
        let mut bytes = Vec::new();
        checkpoints.write(&mut bytes).unwrap();
        let again = kept(&bytes).unwrap();
        assert_eq!((again.len(), again.list[0].text), (1, 3));
    }

    #[test]
    fn what_was_kept_comes_back_unless_it_was_touched() {
        let mut checkpoints = Checkpoints { text_size: Some(0), ..Checkpoints::default() };
        for n in 1..20 {
            let window = checkpoints.keep_window(format!("the window of {n}").as_bytes()).unwrap();
            checkpoints.add(Checkpoint { window: Some(window), ..checkpoint(n * SPACING + n) });
        }
        let mut bytes = Vec::new();
        checkpoints.write(&mut bytes).unwrap();
        let again = kept(&bytes).unwrap();
        assert_eq!((again.len(), again.text_size), (19, Some(0)));
        for (checkpoint, n) in again.list.iter().zip(1..) {
            let before = &checkpoints.list[n - 1];
            assert_eq!(
                (checkpoint.text, checkpoint.input, checkpoint.state),
                (before.text, before.input, before.state)
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
            let windows_are_good = |checkpoints: Checkpoints| {
                checkpoints
                    .list
                    .iter()
                    .all(|checkpoint| checkpoint.window.as_ref().is_none_or(|window| window.text().is_ok()))
            };
            assert!(!kept(&touched).is_some_and(windows_are_good), "byte {at}");
            assert!(!kept(&bytes[..at]).is_some_and(windows_are_good), "up to byte {at}");
        }
    }
}
