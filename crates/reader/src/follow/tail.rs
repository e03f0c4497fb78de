//! One followed file: the position, the identity of the open file, and what happened to its name.

use std::collections::VecDeque;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::reader::Reader;
use crate::times::Passing;
use rread_source::access::Access;
use rread_source::file::{FileSource, read_at};
use rread_source::memory::Buffer;
use rread_source::version::Stamp;
use rread_source::{Source, retried, stdin};
use rread_text::{Choice, Encoding, Error, Kind, Result, setting};

/// Bytes of the head that are compared to notice a truncated file that grew past the position again.
const HEAD: usize = 4096;

const READ_BLOCK: usize = 256 << 10;

/// Files that wait to be read, if a file is rotated faster than it is read.
const MAX_NEWER: usize = 64;

const MAX_MARK: u64 = 4;

/// In nanoseconds; FAT has 2 s.
const STEP_OF_TIMES: i128 = 2_000_000_000;

rread_text::words! { name,
    /// An event of a followed file.
    pub enum Event {
        /// Another file has the name; the old one was read to its end.
        Rotated = "rotated",
        /// The file became shorter, or its beginning changed; it is read from its start.
        Truncated = "truncated",
        /// The file was missing and is there now.
        Appeared = "appeared",
        /// The name has gone. The open file is still read.
        Gone = "gone",
    }
}

/// The next thing to do with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The buffer has bytes from this offset.
    Bytes(u64),
    /// Something happened to the file.
    Event(Event),
    /// Nothing more until the file changes.
    Idle,
}

/// The place where the text of a file begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartAt {
    /// So many lines before the end.
    LastLines(u64),
    /// At this line, from 1; at the end, if it has not come yet.
    Line(u64),
    /// So many bytes before the end.
    LastBytes(u64),
    /// At this byte, from 1.
    Byte(u64),
}

/// How a file is opened for the first time.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The place where it begins.
    pub at: StartAt,
    /// The window of time has a start; it applies instead of `at`.
    pub has_since: bool,
    /// Look at every record for it.
    pub scan: bool,
    /// The encoding that the user chose.
    pub choice: Choice,
    /// Any bytes will do.
    pub raw: bool,
}

struct Opened {
    file: File,
    position: u64,
    /// The first bytes of the file, up to the position.
    head: Vec<u8>,
    /// The stamp at the last comparison of the head.
    seen: Option<Stamp>,
}

/// A followed file. Without a name, it is standard input, and only the open file counts.
pub struct Tail {
    /// The name that is followed; `None` for standard input.
    pub name: Option<PathBuf>,
    opened: Option<Opened>,
    is_gone: bool,
    /// Files that got the name after the open one, in this order.
    newer: VecDeque<File>,
    /// Why the file that has the name cannot be opened.
    pub obstacle: Option<String>,
    /// The encoding of the text that was there at the start; `None` if there was none.
    pub encoding: Option<Encoding>,
    /// That encoding, if nobody named it and it is evident.
    pub evident_encoding: Option<String>,
    /// The number of the first line, if counting was cheap.
    pub line: Option<u64>,
    /// False if there was text and a window of time, and the text had no times that rread recognises.
    pub has_times: bool,
}

impl Tail {
    /// The file at `path`, which may be missing; `None` if it is a stream.
    pub fn open(path: &Path, start: Start, passing: Option<&mut Passing>) -> Result<Option<Self>> {
        let mut tail = Tail { line: Some(1), ..Tail::of(Some(path.to_owned())) };
        if path == Path::new("-") {
            let file = stdin::stream()?;
            if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
                return Ok(None);
            }
            tail.name = None;
        } else {
            match path.metadata() {
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Some(tail)),
                Ok(metadata) if is_stream(&metadata) => return Ok(None),
                _ => {}
            }
        }
        let mut reader = Reader::open_as(path, &Access { raw: true, ..Access::default() })?;
        if start.choice != Choice::Auto {
            reader.read_as(start.choice, path).map_err(|error| error.at(path))?;
        }
        tail.start(&reader, start, passing).map_err(|error| error.about(path))?;
        Ok(Some(tail))
    }

    fn of(name: Option<PathBuf>) -> Self {
        Tail {
            name,
            opened: None,
            is_gone: false,
            newer: VecDeque::new(),
            obstacle: None,
            encoding: None,
            evident_encoding: None,
            line: None,
            has_times: true,
        }
    }

    fn start(&mut self, reader: &Reader, start: Start, passing: Option<&mut Passing>) -> Result<()> {
        if reader.is_binary() && !start.raw {
            return Err(Error::new(Kind::Binary, "is not text, and its lines cannot be followed")
                .hint(setting("raw").then(" follows the bytes of any file")));
        }
        let Some((file, base)) = reader.source().info().file else {
            return Err(Error::new(
                Kind::SpecialFile,
                "does not grow: the system makes its content when it is read",
            ));
        };
        let failed = |cause: io::Error| Error::read("cannot open", &cause);
        let file = file.try_clone().map_err(failed)?;
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(Error::new(Kind::SpecialFile, "is a device, which does not grow"));
        }
        let from = match passing {
            None => start_of(reader, start)?,
            Some(passing) => {
                let since = passing.start(reader, start.scan)?;
                self.has_times = since.is_some() || reader.known_size() == Some(0);
                // Without times, those that come later decide.
                if start.has_since { since.unwrap_or(0) } else { start_of(reader, start)? }
            }
        };
        self.line = match from {
            0 => Some(1),
            _ if reader.is_cheap_to_count_before(from) => Some(reader.newlines_before(from)? + 1),
            _ => None,
        };
        // Fewer bytes may be the beginning of a byte order mark.
        let is_known = from > 0 || reader.known_size().is_none_or(|size| size >= MAX_MARK);
        self.encoding = is_known.then(|| reader.encoding());
        self.evident_encoding = reader.evident_encoding();
        let position = base + from;
        let mut head = vec![0; usize::try_from(position).unwrap_or(HEAD).min(HEAD)];
        retried(|| read_at(&file, &mut head, 0)).map_err(failed)?;
        self.opened = Some(Opened { file, position, head, seen: None });
        Ok(())
    }

    /// Whether the name means nothing now, or a file that is not followed yet.
    pub fn is_unsettled(&self) -> bool {
        self.opened.is_none() || self.is_gone || !self.newer.is_empty()
    }

    /// The name that the open file has now, where the system reports it: a rotation may move it to another directory.
    pub fn place(&self) -> Option<PathBuf> {
        place(&self.opened.as_ref()?.file)
    }

    /// Whether the next bytes are the first of a file.
    pub fn starts_over(&self) -> bool {
        self.opened.as_ref().is_none_or(|opened| opened.position == 0)
    }

    /// Whether a file is open.
    pub fn is_open(&self) -> bool {
        self.opened.is_some()
    }

    /// Reads what follows into `buffer`, or reports what happened.
    pub fn step(&mut self, buffer: &mut Buffer) -> Result<Step> {
        // The name comes first: a read after a rename also gets the last bytes before it.
        let is_there = self.check_name();
        if let Some(opened) = &mut self.opened {
            let read = opened.step(buffer).map_err(|cause| Error::read("cannot read", &cause))?;
            if read != Step::Idle {
                return Ok(read);
            }
        }
        Ok(self.go_on(is_there).map_or(Step::Idle, Step::Event))
    }

    /// Opens the file that has the name now, if it is another one; false if there is none that can be opened.
    pub fn check_name(&mut self) -> bool {
        let Some(path) = self.name.as_deref() else { return true };
        let found = match path.metadata() {
            Ok(found) if found.is_file() => found,
            _ => {
                self.obstacle = None;
                return false;
            }
        };
        let is_same_as = |file: &File| file.metadata().is_ok_and(|old| is_same(&old, &found));
        if self.opened.as_ref().is_some_and(|opened| is_same_as(&opened.file)) {
            // A rename was undone.
            self.newer.retain(|file| length(file) > 0);
        }
        self.newer.retain(|file| length(file) > 0 || !is_unlinked(file));
        let last = self.newer.back().or(self.opened.as_ref().map(|opened| &opened.file));
        if last.is_some_and(is_same_as) || self.newer.len() == MAX_NEWER {
            return true;
        }
        match File::open(path) {
            Ok(file) => {
                self.newer.push_back(file);
                self.obstacle = None;
            }
            Err(cause) => {
                self.obstacle = Some(rread_text::error::reason(&cause));
                return false;
            }
        }
        true
    }

    /// Changes over to the next file, after the open one was read to its end.
    fn go_on(&mut self, is_there: bool) -> Option<Event> {
        self.name.as_ref()?;
        let is_old_there = self.opened.as_ref().is_some_and(|opened| !is_unlinked(&opened.file));
        // While the new file is empty, the writer may go on with the old one: logrotate creates the file first.
        let is_next = !is_old_there || self.newer.iter().any(|file| length(file) > 0);
        if is_next && let Some(file) = self.newer.pop_front() {
            let is_return = self.opened.is_none();
            self.opened = Some(Opened { file, position: 0, head: Vec::new(), seen: None });
            self.is_gone = false;
            return Some(if is_return { Event::Appeared } else { Event::Rotated });
        }
        if is_there {
            let is_back = self.newer.is_empty() && std::mem::take(&mut self.is_gone);
            return is_back.then_some(Event::Appeared);
        }
        if !is_old_there {
            // A file without a name cannot come back, and would keep its room on the disk.
            self.opened = None;
        }
        (!std::mem::replace(&mut self.is_gone, true)).then_some(Event::Gone)
    }

    /// The state of the open file, if everything in it was read.
    pub fn version(&self) -> Option<String> {
        let opened = self.opened.as_ref()?;
        let source = FileSource::new(opened.file.try_clone().ok()?).ok()?;
        let is_all = source.size() == Some(opened.position);
        source.version().ok().flatten().filter(|_| is_all).map(|version| version.to_string())
    }
}

impl Opened {
    fn step(&mut self, buffer: &mut Buffer) -> io::Result<Step> {
        let at = self.position;
        let stamp = Stamp::of(&self.file.metadata()?);
        if stamp.size < at || (self.seen != Some(stamp) && !self.has_same_head()?) {
            return Ok(self.start_again());
        }
        self.seen = Some(stamp).filter(is_settled);
        let new = usize::try_from(stamp.size - at).unwrap_or(usize::MAX).min(READ_BLOCK);
        if new == 0 {
            return Ok(Step::Idle);
        }
        let got = retried(|| read_at(&self.file, buffer.at(at, new), at))?;
        let after = Stamp::of(&self.file.metadata()?);
        let end = at + got as u64;
        // These bytes may be those of other text: the file was truncated since, and grew past the position again.
        if after != stamp && after.size >= end && !self.has_same_head()? {
            return Ok(self.start_again());
        }
        buffer.truncate(got);
        if self.head.len() < HEAD && at == self.head.len() as u64 {
            self.head.extend_from_slice(&buffer[..got.min(HEAD - self.head.len())]);
        }
        self.position = end;
        Ok(if got == 0 { Step::Idle } else { Step::Bytes(at) })
    }

    fn start_again(&mut self) -> Step {
        (self.position, self.seen) = (0, None);
        self.head.clear();
        Step::Event(Event::Truncated)
    }

    fn has_same_head(&self) -> io::Result<bool> {
        let mut now = [0; HEAD];
        let now = &mut now[..self.head.len()];
        Ok(retried(|| read_at(&self.file, now, 0))? == now.len() && *now == *self.head)
    }
}

/// The offset of the requested place.
fn start_of(reader: &Reader, start: Start) -> Result<u64> {
    let size = reader.size()?;
    // A unit of the encoding is not cut.
    let width = reader.units().width as u64;
    Ok(match start.at {
        StartAt::LastLines(lines) => reader.find_lines_back(&[lines])?.offsets.first().copied().unwrap_or(0),
        StartAt::Line(line) => {
            let found = reader.find_lines(&[line.saturating_sub(1)], false)?;
            found.boundaries.first().map_or(size, |boundary| boundary.offset)
        }
        StartAt::LastBytes(bytes) => size.saturating_sub(bytes) / width * width,
        StartAt::Byte(byte) => byte.saturating_sub(1).min(size) / width * width,
    })
}

/// Whether a later change will have another time: the clock of a file system moves in steps of some milliseconds.
fn is_settled(stamp: &Stamp) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i128::try_from(now.as_nanos()).is_ok_and(|now| stamp.modified + STEP_OF_TIMES < now)
}

fn length(file: &File) -> u64 {
    file.metadata().map_or(0, |metadata| metadata.len())
}

#[cfg(unix)]
fn is_stream(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_stream(_: &Metadata) -> bool {
    false
}

#[cfg(target_os = "linux")]
fn place(file: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()
}

#[cfg(not(target_os = "linux"))]
fn place(_: &File) -> Option<PathBuf> {
    None
}

#[cfg(unix)]
fn is_unlinked(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|metadata| metadata.nlink() == 0)
}

#[cfg(not(unix))]
fn is_unlinked(_: &File) -> bool {
    true
}

/// Systems without inodes notice a new file by its size and its head.
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    let (a, b) = (Stamp::of(a), Stamp::of(b));
    (a.device, a.inode) == (b.device, b.inode)
}
