//! One followed file: the position, the identity of the open file, and what happened to its name.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::encoding::{Choice, Encoding};
use crate::error::{Error, Kind, Result};
use crate::reader::Reader;
use crate::source::access::Access;
use crate::source::file::{FileSource, read_at};
use crate::source::stamp::Stamp;
use crate::source::{Source, standard};
use crate::times::Passing;

/// Bytes of the head that are compared to notice a truncated file that grew past the position again.
const HEAD: usize = 4096;

/// An event of a followed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Rotated,
    Truncated,
    Appeared,
    Gone,
}

impl Event {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Event::Rotated => "rotated",
            Event::Truncated => "truncated",
            Event::Appeared => "appeared",
            Event::Gone => "gone",
        }
    }
}

/// The next thing to do with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// So many bytes were read, from this offset.
    Bytes(usize, u64),
    Event(Event),
    /// Nothing more until the file changes.
    Idle,
}

/// How a file is opened for the first time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    pub(crate) lines: u64,
    /// The window of time has a start, which counts instead of the lines.
    pub(crate) has_since: bool,
    /// Look at every record for it.
    pub(crate) scan: bool,
    pub(crate) choice: Choice,
    /// Any bytes will do.
    pub(crate) raw: bool,
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
pub(crate) struct Tail {
    name: Option<PathBuf>,
    opened: Option<Opened>,
    is_gone: bool,
    /// The name means another file, which is still empty: the writer may not have changed over.
    is_replaced: bool,
    /// The encoding of the text that was there at the start; `None` if there was none.
    pub(crate) encoding: Option<Encoding>,
    /// The number of the first line, if counting was cheap.
    pub(crate) line: Option<u64>,
    /// False if there was text and a window of time, and the text had no times that rread recognises.
    pub(crate) has_times: bool,
}

impl Tail {
    /// The file at `path`, which may be missing; `None` if it is a stream.
    pub(crate) fn open(path: &Path, start: Start, passing: Option<&mut Passing>) -> Result<Option<Self>> {
        let mut tail = Tail {
            name: Some(path.to_owned()),
            opened: None,
            is_gone: false,
            is_replaced: false,
            encoding: None,
            line: Some(1),
            has_times: true,
        };
        if path == Path::new("-") {
            let file = standard::stream()?;
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

    fn start(&mut self, reader: &Reader, start: Start, passing: Option<&mut Passing>) -> Result<()> {
        if reader.is_binary() && !start.raw {
            return Err(Error::new(Kind::Binary, "is not text, and its lines cannot be followed")
                .hint("--raw follows the bytes of any file"));
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
            None => last_lines(reader, start)?,
            Some(passing) => {
                let since = passing.start(reader, start.scan)?;
                self.has_times = since.is_some() || reader.known_size() == Some(0);
                // Without times, those that come later decide.
                if start.has_since { since.unwrap_or(0) } else { last_lines(reader, start)? }
            }
        };
        self.line = match from {
            0 => Some(1),
            _ if reader.is_cheap_to_count_before(from) => Some(reader.newlines_before(from)? + 1),
            _ => None,
        };
        self.encoding = (reader.known_size() != Some(0)).then(|| reader.encoding());
        let position = base + from;
        let mut head = vec![0; usize::try_from(position).unwrap_or(HEAD).min(HEAD)];
        reader_of(&file, &mut head, 0).map_err(failed)?;
        self.opened = Some(Opened { file, position, head, seen: None });
        Ok(())
    }

    /// Whether the name means nothing now, or a file that is not followed yet.
    pub(crate) fn is_unsettled(&self) -> bool {
        self.opened.is_none() || self.is_gone || self.is_replaced
    }

    pub(crate) fn name(&self) -> Option<&Path> {
        self.name.as_deref()
    }

    /// Whether the next bytes are the first of a file.
    pub(crate) fn starts_over(&self) -> bool {
        self.opened.as_ref().is_none_or(|opened| opened.position == 0)
    }

    pub(crate) fn is_open(&self) -> bool {
        self.opened.is_some()
    }

    /// Reads what follows into `buffer`, or reports what happened.
    pub(crate) fn step(&mut self, buffer: &mut [u8]) -> Result<Step> {
        if let Some(opened) = &mut self.opened {
            let read = opened.step(buffer).map_err(|cause| Error::read("cannot read", &cause))?;
            if read != Step::Idle {
                return Ok(read);
            }
        }
        Ok(self.check_name().map_or(Step::Idle, Step::Event))
    }

    fn check_name(&mut self) -> Option<Event> {
        let path = self.name.as_deref()?;
        let old = self.opened.as_ref().and_then(|opened| opened.file.metadata().ok());
        let found = path.metadata().ok().filter(Metadata::is_file);
        let Some(found) = found else {
            // A file without a name cannot come back, and would keep its room on the disk.
            if old.is_none_or(|old| is_unlinked(&old)) {
                self.opened = None;
            }
            return (!std::mem::replace(&mut self.is_gone, true)).then_some(Event::Gone);
        };
        if old.as_ref().is_some_and(|old| is_same(old, &found)) {
            self.is_replaced = false;
            return std::mem::take(&mut self.is_gone).then_some(Event::Appeared);
        }
        // Until the new file has bytes, the writer may go on with the old one: logrotate creates the file first.
        self.is_replaced = found.len() == 0 && old.as_ref().is_some_and(|old| !is_unlinked(old));
        if self.is_replaced {
            return None;
        }
        let file = File::open(path).ok()?;
        let is_return = old.is_none();
        self.opened = Some(Opened { file, position: 0, head: Vec::new(), seen: None });
        self.is_gone = false;
        Some(if is_return { Event::Appeared } else { Event::Rotated })
    }

    /// The state of the open file, if everything in it was read.
    pub(crate) fn version(&self) -> Option<String> {
        let opened = self.opened.as_ref()?;
        let source = FileSource::new(opened.file.try_clone().ok()?).ok()?;
        let is_all = source.size() == Some(opened.position);
        source.version().ok().flatten().filter(|_| is_all).map(|version| version.to_string())
    }
}

impl Opened {
    fn step(&mut self, buffer: &mut [u8]) -> io::Result<Step> {
        let stamp = Stamp::of(&self.file.metadata()?);
        let is_new = self.seen.is_none_or(|seen| seen != stamp);
        if stamp.size < self.position || (is_new && !self.has_same_head()?) {
            (self.position, self.seen) = (0, None);
            self.head.clear();
            return Ok(Step::Event(Event::Truncated));
        }
        self.seen = Some(stamp);
        let at = self.position;
        let got = reader_of(&self.file, buffer, at)?;
        if self.head.len() < HEAD && at == self.head.len() as u64 {
            self.head.extend_from_slice(&buffer[..got.min(HEAD - self.head.len())]);
        }
        self.position += got as u64;
        Ok(if got == 0 { Step::Idle } else { Step::Bytes(got, at) })
    }

    fn has_same_head(&self) -> io::Result<bool> {
        let mut now = [0; HEAD];
        let now = &mut now[..self.head.len()];
        Ok(reader_of(&self.file, now, 0)? == now.len() && *now == *self.head)
    }
}

/// The start of the last lines that were asked for.
fn last_lines(reader: &Reader, start: Start) -> Result<u64> {
    let found = reader.find_lines_back(&[start.lines])?;
    Ok(found.offsets.first().copied().unwrap_or(0))
}

fn reader_of(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    loop {
        match read_at(file, buffer, offset) {
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
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

#[cfg(unix)]
fn is_unlinked(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.nlink() == 0
}

#[cfg(not(unix))]
fn is_unlinked(_: &Metadata) -> bool {
    true
}

/// Systems without inodes notice a new file by its size and its head.
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    let (a, b) = (Stamp::of(a), Stamp::of(b));
    (a.device, a.inode) == (b.device, b.inode)
}
