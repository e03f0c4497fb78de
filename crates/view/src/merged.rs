//! Several logs as one text in the order of time. The text is a stream, which is merged as far as it is looked at and kept
//! as any other; for each place of it, the file, the line and the time are kept beside it.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

use super::options::MergeRequest;
use super::piece::{Origin, Piece};
use rread_answer::answers::{all_members_of, check_streams};
use rread_answer::merge::files::{Set, expand, prepare};
use rread_answer::request::Opened;
use rread_answer::{ContentOptions, Format, Merging, Request, Segment, Sink, content, notes, worded};
use rread_reader::Reader;
use rread_reader::times::TypedTimes;
use rread_reader::times::merge::{Merge, RecordStart, RunPart};
use rread_source::file::read_at;
use rread_source::spool::Spool;
use rread_source::{lock, start_thread};
use rread_text::{Encoding, Error, Form, Kind, Range as Named, Result, Timestamp, Unit, address, printable};

/// The text of several logs.
#[derive(Debug)]
pub(crate) struct MergedText {
    pub(crate) names: Arc<Vec<MergedName>>,
    /// Notes about files that are not in the text, or not as a whole.
    pub(crate) notes: Vec<String>,
    times: Option<TypedTimes>,
    /// The file and the line of each piece.
    pub(crate) origins: Arc<Origins>,
}

impl MergedText {
    /// Starts the thread that merges the files, and waits for its look at each of them.
    pub(crate) fn open(request: &Arc<MergeRequest>) -> Result<(Reader, Self)> {
        let request = Arc::clone(request);
        let (looks, looked) = sync_channel(1);
        let (sender, blocks) = sync_channel(WAITING);
        let run = move || {
            let ends = sender.clone();
            if let Err(error) = merge(&request, &looks, sender) {
                // One of the two waits for it.
                let _ = looks.try_send(Err(error.clone()));
                let _ = ends.send(Err(error.into_io()));
            }
        };
        start_thread("merge", run)?;
        let died = |_| Error::new(Kind::Io, "the merging thread died");
        let merged = looked.recv().map_err(died)??;
        let stream = MergedStream { blocks, block: Cursor::default() };
        Ok((Reader::of_text(Box::new(Spool::new(Box::new(stream))), Encoding::Utf8), merged))
    }

    /// The place of the first record at or after a time that a user typed, and what to say if it is not there.
    pub(crate) fn find_time(&self, text: &str) -> Result<(Option<u64>, Option<String>)> {
        let times = self.times.as_ref().ok_or_else(|| Error::usage("the files have no records"))?;
        let time = times.time(text)?;
        let found = self.origins.first_since(time)?;
        let missing = || format!("no record is at or after {}", times.format_time(time));
        Ok((found, found.is_none().then(missing)))
    }
}

/// Entries in memory; more are in an unnamed temporary file.
const MOST: usize = 4096;

/// The bytes of an entry in the file.
const LENGTH: usize = 32;

/// The merged bytes after an entry in which lines are counted: what lies further from one is a single line.
const FAR: u64 = 1 << 20;

/// A place of the text where a record begins, or goes on after one of another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    offset: u64,
    file: usize,
    line: u64,
    /// In nanoseconds; of what goes on, that of the record before.
    time: i64,
}

/// The entries of a text, in its order, which is that of their times too.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    list: Mutex<List>,
}

#[derive(Debug, Default)]
struct List {
    /// Entries that are not in the file yet.
    recent: Vec<Entry>,
    file: Option<File>,
    kept: u64,
}

/// A time as it is kept.
fn nanoseconds(time: Timestamp) -> i64 {
    let nanoseconds = time.as_nanosecond();
    i64::try_from(nanoseconds).unwrap_or(if nanoseconds < 0 { i64::MIN } else { i64::MAX })
}

impl Origins {
    fn add(&self, entry: Entry) -> Result<()> {
        let mut list = lock(&self.list);
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
    fn first_since(&self, time: Timestamp) -> Result<Option<u64>> {
        let (time, list) = (nanoseconds(time), lock(&self.list));
        let place = list.partition(|entry| entry.time < time)?;
        Ok(list.get(place)?.map(|entry| entry.offset))
    }

    /// The file and the line of each piece, which are in order; pieces between them may be left out.
    pub(crate) fn of(&self, pieces: &[Piece], reader: &Reader) -> Result<Vec<Origin>> {
        let Some(first) = pieces.first() else { return Ok(Vec::new()) };
        let list = lock(&self.list);
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

/// Bytes that are sent together.
const BLOCK: usize = 64 << 10;

/// Blocks that wait for the reader of the stream.
const WAITING: usize = 2;

/// A request for the whole of each file.
fn requests(request: &MergeRequest) -> Vec<Request<'_>> {
    let whole = Named { unit: Unit::Bytes, form: Form::Between(None, None) };
    let of_file = |path: &PathBuf| Request {
        ranges: vec![whole],
        takes_archives: true,
        is_merged: true,
        ..Request::new(path.clone(), &request.content, &request.output)
    };
    request.files.iter().map(of_file).collect()
}

fn merging(request: &MergeRequest) -> Merging<'_> {
    Merging { names: request.names, is_plain_alone: true, ..Merging::new(&request.times) }
}

/// Writes the text to standard output, as `lines` does.
pub(crate) fn copy(request: &MergeRequest) -> Result<()> {
    rread_answer::merge::merge(requests(request), &merging(request))
}

/// A file of a merged text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MergedName {
    /// The name for people.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// Whether the numbers of its lines are known.
    pub(crate) has_lines: bool,
}

/// The merged text. When it is dropped, the thread ends.
struct MergedStream {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Cursor<Vec<u8>>,
}

impl Read for MergedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.block.position() == self.block.get_ref().len() as u64 {
            match self.blocks.recv() {
                Ok(block) => self.block = Cursor::new(block?),
                Err(_) => return Ok(0),
            }
        }
        self.block.read(buffer)
    }
}

fn merge(
    request: &MergeRequest,
    looks: &SyncSender<Result<MergedText>>,
    blocks: SyncSender<io::Result<Vec<u8>>>,
) -> Result<()> {
    check_streams(request.files.iter().map(PathBuf::as_path))?;
    let merging = merging(request);
    let (requests, refused) = expand(requests(request), all_members_of, Request::of_found_member);
    let requests: Vec<&Request<'_>> = requests.iter().collect();
    // As for a terminal: nothing is noted on standard error.
    let set = prepare(&requests, refused, &merging, (Format::Raw, true), (false, false))?;
    if set.merged.is_empty()
        && let Some(error) = set.failures().first()
    {
        return Err(error.clone());
    }
    let origins = Arc::new(Origins::default());
    let _ = looks.send(Ok(look(&set, Arc::clone(&origins))));
    let mut text = Text { origins: &origins, blocks, block: Vec::new(), length: 0, time: i64::MIN };
    let mut merge = Merge::new(&set, &set.merged).with_records();
    while let Some(run) =
        merge.next_run(&mut |opened: &Opened<'_>, piece: RunPart<'_>| text.piece(opened, piece))?
    {
        if run.is_unterminated {
            text.write(b"\n")?;
        }
        if let Some(error) = merge.with_open(run.file, |opened| Ok(opened.refused_damage()))? {
            text.send()?;
            let _ = text.blocks.send(Err(error.into_io()));
            return Ok(());
        }
    }
    text.send()?;
    merge.finish()
}

/// The text before its first byte, after a look at each file.
fn look(set: &Set<'_>, origins: Arc<Origins>) -> MergedText {
    let mut notes: Vec<String> = Vec::new();
    for entry in &set.entries {
        let name = printable(&address::display(&entry.request.path));
        let failure = entry.failure.as_ref().map(|error| format!("{name}: {}", worded(&error.message)));
        notes.extend(failure);
        notes.extend(entry.notices().map(|notice| format!("{name}: {}", notes::of_notice(notice))));
    }
    let name = |position: usize| {
        let entry = set.entry(position);
        let path = entry.request.path.clone();
        MergedName { name: printable(&address::display(&path)), path, has_lines: entry.has_lines }
    };
    let times = set.merged.iter().map(|file| &file.typed_times);
    let times = times.max_by_key(|times| times.last).cloned();
    MergedText { names: Arc::new((0..set.merged.len()).map(name).collect()), notes, times, origins }
}

/// The text as it is sent.
struct Text<'o> {
    origins: &'o Origins,
    blocks: SyncSender<io::Result<Vec<u8>>>,
    block: Vec<u8>,
    /// The bytes of the text before the next one.
    length: u64,
    /// The time of the last record.
    time: i64,
}

impl Text<'_> {
    /// Adds whole lines of a file, record by record.
    fn piece(&mut self, opened: &Opened<'_>, piece: RunPart<'_>) -> Result<()> {
        let mut at = piece.start;
        if piece.records.first().is_none_or(|record| record.start > at) {
            self.enter(piece.file, piece.line, None)?;
        }
        for record in piece.records {
            self.part(opened, &piece, at..record.start)?;
            self.enter(piece.file, record.line, Some(record))?;
            at = record.start;
        }
        self.part(opened, &piece, at..piece.end)
    }

    fn enter(&mut self, file: usize, line: u64, record: Option<&RecordStart>) -> Result<()> {
        self.time = record.map_or(self.time, |record| nanoseconds(record.time));
        self.origins.add(Entry { offset: self.length, file, line, time: self.time })
    }

    /// Adds a part of the lines, as UTF-8; invalid bytes of a file in UTF-8 stay.
    fn part(&mut self, opened: &Opened<'_>, piece: &RunPart<'_>, part: Range<u64>) -> Result<()> {
        let reader = &opened.reader;
        let mark = reader.encoding().mark().len() as u64;
        let start = if part.start == 0 && reader.decided.bom { mark.min(part.end) } else { part.start };
        if start >= part.end {
            return Ok(());
        }
        let raw = reader.encoding() == Encoding::Utf8;
        let within = |at: u64| usize::try_from(at - piece.start).unwrap_or(usize::MAX);
        let held = piece.bytes.filter(|_| raw).and_then(|bytes| bytes.get(within(start)..within(part.end)));
        if let Some(bytes) = held {
            return self.write(bytes);
        }
        let options = ContentOptions { raw, ..ContentOptions::default() };
        let segment = Segment { start, end: part.end, line: piece.line };
        content::deliver(reader, &[segment], &options, None, self).map(drop)
    }

    fn send(&mut self) -> Result<()> {
        let block = std::mem::take(&mut self.block);
        if block.is_empty() {
            return Ok(());
        }
        self.blocks.send(Ok(block)).map_err(|_| Error::new(Kind::BrokenPipe, "nobody reads the text"))
    }
}

impl Sink for Text<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.block.extend_from_slice(bytes);
        self.length += bytes.len() as u64;
        if self.block.len() >= BLOCK { self.send() } else { Ok(()) }
    }
}
