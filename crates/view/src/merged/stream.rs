//! The thread that merges, and the stream of its text.

use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::origins::{Entry, Origins, nanoseconds};
use crate::options::MergeRequest;
use rread_answer::answers::check_streams;
use rread_answer::answers::members_of;
use rread_answer::content::{self, ContentOptions, Segment, Sink};
use rread_answer::format::Format;
use rread_answer::merge::files::prepare;
use rread_answer::merge::files::{Set, expand};
use rread_answer::merge::mix::Merging;
use rread_answer::notes;
use rread_answer::request::{Opened, Request};
use rread_answer::wording::worded;
use rread_reader::times::TypedTimes;
use rread_reader::times::merge::{Merge, Piece, RecordStart};
use rread_text::address;
use rread_text::encoding::Encoding;
use rread_text::error::{Error, Kind, Result, printable};
use rread_text::range::{Form, Range as Named, Unit};

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

/// What a look at each file shows before they are merged.
pub(super) struct Looked {
    pub(super) names: Vec<MergedName>,
    pub(super) notes: Vec<String>,
    pub(super) times: Option<TypedTimes>,
}

/// The merged text. When it is dropped, the thread ends.
pub(super) struct MergedStream {
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

/// Starts the thread, and waits for its look at the files.
pub(super) fn start(request: Arc<MergeRequest>, origins: Arc<Origins>) -> Result<(Looked, MergedStream)> {
    let (looks, looked) = sync_channel(1);
    let (sender, blocks) = sync_channel(WAITING);
    let run = move || {
        let ends = sender.clone();
        if let Err(error) = merge(&request, &origins, &looks, sender) {
            // One of the two waits for it.
            let _ = looks.try_send(Err(error.clone()));
            let _ = ends.send(Err(error.into_io()));
        }
    };
    let started = thread::Builder::new().name("merge".to_owned()).spawn(run);
    started.map_err(|cause| Error::read("cannot start a thread", &cause))?;
    let died = |_| Error::new(Kind::Io, "the merging thread died");
    let looked = looked.recv().map_err(died)??;
    Ok((looked, MergedStream { blocks, block: Cursor::default() }))
}

fn merge(
    request: &MergeRequest,
    origins: &Origins,
    looks: &SyncSender<Result<Looked>>,
    blocks: SyncSender<io::Result<Vec<u8>>>,
) -> Result<()> {
    check_streams(request.files.iter().map(PathBuf::as_path))?;
    let merging = merging(request);
    let (requests, refused) = expand(requests(request), members_of, Request::of_found_member);
    let requests: Vec<&Request<'_>> = requests.iter().collect();
    // As for a terminal: nothing is noted on standard error.
    let set = prepare(&requests, refused, &merging, (Format::Raw, true), (false, false))?;
    if set.merged.is_empty()
        && let Some(error) = set.failures().first()
    {
        return Err(error.clone());
    }
    let _ = looks.send(Ok(look(&set)));
    let mut text = Text { origins, blocks, block: Vec::new(), length: 0, time: i64::MIN };
    let mut merge = Merge::new(&set, &set.merged).with_records();
    while let Some(run) =
        merge.next_run(&mut |opened: &Opened<'_>, piece: Piece<'_>| text.piece(opened, piece))?
    {
        if run.is_unterminated {
            text.write(b"\n")?;
        }
        if let Some(error) = merge.with_open(run.file, |opened| Ok(damage(opened)))? {
            text.send()?;
            let _ = text.blocks.send(Err(error.into_io()));
            return Ok(());
        }
    }
    text.send()?;
    merge.finish()
}

/// The error of a compressed file whose text ends early.
fn damage(opened: &Opened<'_>) -> Option<Error> {
    let reader = &opened.reader;
    let damage = reader.damage().filter(|_| !reader.is_salvaged())?;
    Some(reader.damage_error(&damage).about(&opened.request.path))
}

fn look(set: &Set<'_>) -> Looked {
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
    let times = set.merged.iter().map(|file| file.typed_times());
    Looked {
        names: (0..set.merged.len()).map(name).collect(),
        notes,
        times: times.max_by_key(|times| times.last()).cloned(),
    }
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
    fn piece(&mut self, opened: &Opened<'_>, piece: Piece<'_>) -> Result<()> {
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
    fn part(&mut self, opened: &Opened<'_>, piece: &Piece<'_>, part: Range<u64>) -> Result<()> {
        let reader = &opened.reader;
        let mark = reader.encoding().mark().len() as u64;
        let start = if part.start == 0 && reader.decided().bom { mark.min(part.end) } else { part.start };
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
        content::deliver(reader, &[segment], &options, self).map(drop)
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
