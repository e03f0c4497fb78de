//! The file, the line and the time of each record of a merged text: in memory while they are few, then in an unnamed
//! temporary file.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rread_reader::reader::Reader;
use rread_source::file::read_at;
use rread_text::error::{Error, Result};
use rread_text::timestamp::Timestamp;

use crate::piece::{Origin, Piece};

/// Entries in memory.
const MOST: usize = 4096;

/// The bytes of an entry in the file.
const LENGTH: usize = 32;

/// The merged bytes after an entry in which lines are counted: what lies further from one is a single line.
const FAR: u64 = 1 << 20;

/// A place of the text where a record begins, or goes on after one of another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) offset: u64,
    pub(super) file: usize,
    pub(super) line: u64,
    /// In nanoseconds; of what goes on, that of the record before.
    pub(super) time: i64,
}

/// The entries of a text, in its order, which is that of their times too.
#[derive(Debug, Default)]
pub(super) struct Origins {
    list: Mutex<List>,
}

#[derive(Debug, Default)]
struct List {
    /// Those that are not in the file yet.
    recent: Vec<Entry>,
    file: Option<File>,
    kept: u64,
}

/// A time as it is kept.
pub(super) fn nanoseconds(time: Timestamp) -> i64 {
    let nanoseconds = time.as_nanosecond();
    i64::try_from(nanoseconds).unwrap_or(if nanoseconds < 0 { i64::MIN } else { i64::MAX })
}

impl Origins {
    pub(super) fn add(&self, entry: Entry) -> Result<()> {
        let mut list = self.list();
        list.recent.push(entry);
        if list.recent.len() < MOST {
            return Ok(());
        }
        list.write().map_err(|cause| {
            let folder = std::env::temp_dir();
            Error::read(&format!("cannot keep the places of records in {}", folder.display()), &cause)
        })
    }

    /// The first record at or after `time`.
    pub(super) fn first_since(&self, time: Timestamp) -> Result<Option<u64>> {
        let (time, list) = (nanoseconds(time), self.list());
        let place = list.partition(|entry| entry.time < time)?;
        Ok(list.get(place)?.map(|entry| entry.offset))
    }

    /// The file and the line of each piece, which are in order; pieces between them may be left out.
    pub(super) fn of(&self, pieces: &[Piece], reader: &Reader) -> Result<Vec<Origin>> {
        let Some(first) = pieces.first() else { return Ok(Vec::new()) };
        let list = self.list();
        let mut place = list.partition(|entry| entry.offset <= first.start)?.saturating_sub(1);
        let mut next = list.get(place)?;
        let mut at = Entry { offset: 0, file: 0, line: 1, time: 0 };
        let mut origins = Vec::with_capacity(pieces.len());
        for piece in pieces {
            while let Some(entry) = next.filter(|entry| entry.offset <= piece.start) {
                (at, place) = (entry, place + 1);
                next = list.get(place)?;
            }
            at.line += newlines(reader, at.offset, piece.start)?;
            at.offset = piece.start;
            origins.push(Origin { file: at.file, line: at.line });
        }
        Ok(origins)
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The newlines between two places of one record.
fn newlines(reader: &Reader, from: u64, to: u64) -> Result<u64> {
    let length = to - from;
    if length == 0 || length > FAR {
        return Ok(0);
    }
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
    let got = reader.read_at_least(bytes.len(), &mut bytes, from)?;
    Ok(memchr::memchr_iter(b'\n', &bytes[..got]).count() as u64)
}

impl List {
    fn write(&mut self) -> std::io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(tempfile::tempfile()?),
        };
        let bytes: Vec<u8> = self.recent.iter().flat_map(Entry::bytes).collect();
        // On Windows a read at an offset moves the position of the next write.
        file.seek(SeekFrom::Start(self.kept * LENGTH as u64))?;
        file.write_all(&bytes)?;
        self.kept += self.recent.len() as u64;
        self.recent.clear();
        Ok(())
    }

    fn len(&self) -> u64 {
        self.kept + self.recent.len() as u64
    }

    /// How many entries at the beginning are `before` a place.
    fn partition(&self, before: impl Fn(&Entry) -> bool) -> Result<u64> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle)? {
                Some(entry) if before(&entry) => low = middle + 1,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    fn get(&self, place: u64) -> Result<Option<Entry>> {
        let recent = place.checked_sub(self.kept).map(|place| usize::try_from(place).unwrap_or(usize::MAX));
        if let Some(recent) = recent {
            return Ok(self.recent.get(recent).copied());
        }
        let Some(file) = &self.file else { return Ok(None) };
        let (mut bytes, mut filled) = ([0; LENGTH], 0);
        while filled < LENGTH {
            let got = read_at(file, &mut bytes[filled..], place * LENGTH as u64 + filled as u64);
            match got.map_err(|cause| Error::read("cannot read the places of records", &cause))? {
                0 => return Ok(None),
                got => filled += got,
            }
        }
        Ok(Some(Entry::of(&bytes)))
    }
}

impl Entry {
    fn bytes(&self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        let members = [self.offset, self.file as u64, self.line, self.time.cast_unsigned()];
        for (eight, member) in bytes.chunks_exact_mut(8).zip(members) {
            eight.copy_from_slice(&member.to_le_bytes());
        }
        bytes
    }

    fn of(bytes: &[u8; LENGTH]) -> Self {
        let (eights, _) = bytes.as_chunks();
        let member = |at: usize| eights.get(at).map_or(0, |eight| u64::from_le_bytes(*eight));
        let file = usize::try_from(member(1)).unwrap_or(0);
        Entry { offset: member(0), file, line: member(2), time: member(3).cast_signed() }
    }
}
