//! The file that is viewed, for several threads: each reads through a snapshot, which can be stopped.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::merged::MergedText;
use crate::options::MergeRequest;
use rread_answer::TimeWindow;
use rread_answer::window::find_window;
use rread_reader::{Policy, Reader};
use rread_source::version::Stamp;
use rread_source::{Change, Source, SourceInfo, lock};
use rread_text::{Error, Result, call, shell};

/// Opens the file, again if it has changed.
pub type Opener = dyn Fn() -> Result<Reader> + Send + Sync;

/// Bytes of a stream that are read before somebody looks at them.
const AHEAD: u64 = 4 << 20;

const BLOCK: usize = 64 << 10;

/// The name of a file, and what is wanted of it.
#[derive(Clone, Debug, Default)]
pub struct ViewRequest {
    pub path: PathBuf,
    pub policy: Option<Policy>,
    /// A window with an end, which is the end of the view.
    pub window: Option<Arc<TimeWindow>>,
    /// Several logs that are one text, instead of the file.
    pub merge: Option<Arc<MergeRequest>>,
}

pub(crate) struct ViewedFile {
    pub(crate) reader: Reader,
    wanted: ViewRequest,
    /// The bytes in the window of time.
    window: Option<Range<u64>>,
    /// Of a stream that may still be waiting for its writer.
    live: Option<Live>,
    pub(crate) merged: Option<MergedText>,
    pub(crate) has_crlf: bool,
}

/// The part of a stream that has come.
#[derive(Default)]
struct Live {
    arrived: AtomicU64,
    has_ended: AtomicBool,
    /// Whether nobody looks at it any more.
    is_given_up: AtomicBool,
    wanted: Mutex<u64>,
    more: Condvar,
}

/// Says whether the work of a thread is still wanted, and how far it is.
#[derive(Debug, Default)]
pub(crate) struct Control {
    /// The number of the job that runs, and of the last one that is not wanted any more.
    pub(crate) running: AtomicU64,
    pub(crate) stopped: AtomicU64,
    pub(crate) passed: AtomicU64,
    /// The number of the last job that has ended.
    pub(crate) done: AtomicU64,
}

impl Control {
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) >= self.running.load(Ordering::Relaxed)
    }

    fn check(&self) -> io::Result<()> {
        if self.is_stopped() { Err(io::Error::other("stopped")) } else { Ok(()) }
    }
}

impl ViewedFile {
    pub(crate) fn open(wanted: ViewRequest, opener: &Opener) -> Result<Arc<Self>> {
        let (reader, merged) = match &wanted.merge {
            Some(request) => MergedText::open(request).map(|(reader, merged)| (reader, Some(merged)))?,
            None => (opener()?, None),
        };
        // It has the checkpoints of a decoder; other threads open indexes of their own.
        if let Some(policy) = wanted.policy.as_ref().filter(|_| reader.source().info().decoding.is_some()) {
            reader.use_index(&wanted.path, policy);
        }
        let live = (reader.known_size().is_none() && reader.stored().size().is_none()).then(Live::default);
        let window = wanted.window.as_ref().map(|time| window(&reader, time, &wanted.path, live.is_some()));
        let window = window.transpose()?;
        let has_crlf = live.is_none() && reader.has_crlf()?;
        Ok(Arc::new(ViewedFile { reader, wanted, window, live, merged, has_crlf }))
    }

    /// The file as it is now.
    pub(crate) fn reopen(&self, opener: &Opener) -> Result<Arc<Self>> {
        let text = ViewedFile::open(self.wanted.clone(), opener)?;
        if self.merged.is_some() {
            text.read_up_to(self.size_of_file().unwrap_or(0))?;
        }
        Ok(text)
    }

    /// Reads so much of a stream, so that the place on the screen is there when it is read again.
    fn read_up_to(&self, size: u64) -> Result<()> {
        let Some(live) = &self.live else { return Ok(()) };
        let (mut buffer, mut at) = (vec![0; BLOCK], 0);
        while at <= size && !live.has_ended.load(Ordering::Acquire) {
            match self.reader.source().read_at(&mut buffer, at) {
                Ok(0) => live.has_ended.store(true, Ordering::Release),
                Ok(got) => at += got as u64,
                Err(cause) => return Err(Error::read("cannot read", &cause)),
            }
            live.arrived.store(at, Ordering::Release);
        }
        Ok(())
    }

    pub(crate) fn is_decoded(&self) -> bool {
        self.reader.source().info().decoding.is_some()
    }

    /// Whether more may come by itself.
    pub(crate) fn is_live(&self) -> bool {
        self.live.as_ref().is_some_and(|live| !live.has_ended.load(Ordering::Acquire))
    }

    /// The size as far as it is known: of a stream, what has come; of a window of time, its end.
    pub(crate) fn size(&self) -> Option<u64> {
        self.window.as_ref().map(|window| window.end).or_else(|| self.size_of_file())
    }

    fn size_of_file(&self) -> Option<u64> {
        match &self.live {
            Some(live) => Some(live.arrived.load(Ordering::Acquire)),
            None => self.reader.known_size(),
        }
    }

    /// The size for a thread that `counts`: the line index is that of the whole file.
    pub(crate) fn size_for(&self, counts: bool) -> Option<u64> {
        if counts { self.size_of_file() } else { self.size() }
    }

    pub(crate) fn window(&self) -> Option<Range<u64>> {
        self.window.clone()
    }

    /// A reader of what is there now, whose reads `control` can stop; with the line index if it `counts` lines.
    pub(crate) fn snapshot(self: &Arc<Self>, control: &Arc<Control>, counts: bool) -> Reader {
        let bounded = self.live.is_some() || self.window.is_some();
        let end = self.size_for(counts).filter(|_| bounded);
        let source = Snapshot { text: Arc::clone(self), end, control: Arc::clone(control) };
        let reader = Reader::of_text(Box::new(source), self.reader.encoding());
        if let Some(policy) = self.wanted.policy.as_ref().filter(|_| counts && !self.is_decoded()) {
            reader.use_index(&self.wanted.path, policy);
        }
        reader
    }

    /// Device and inode of the file that the path names now.
    pub(crate) fn identity_of_name(&self) -> Option<(u64, u64)> {
        let now = Stamp::of(&self.wanted.path.metadata().ok()?);
        Some((now.device, now.inode))
    }

    /// Whether the path now names another file.
    pub(crate) fn is_replaced(&self) -> bool {
        let info = self.reader.stored().info();
        let (Some(metadata), Some(now)) = (info.metadata, self.identity_of_name()) else { return false };
        let then = Stamp::of(metadata);
        info.object.is_none()
            && self.wanted.path.as_os_str() != "-"
            && (then.device, then.inode) != now
            && now.1 != 0
    }

    pub(crate) fn is_object(&self) -> bool {
        self.reader.stored().info().object.is_some()
    }

    /// Lets a stream be read up to `offset` and some more.
    pub(crate) fn want(&self, offset: u64) {
        let Some(live) = &self.live else { return };
        let mut wanted = lock(&live.wanted);
        *wanted = offset.saturating_add(AHEAD).max(*wanted);
        live.more.notify_all();
    }

    /// Stops reading ahead in the stream.
    pub(crate) fn enough(&self) {
        let Some(live) = &self.live else { return };
        let arrived = live.arrived.load(Ordering::Acquire);
        *lock(&live.wanted) = arrived.saturating_sub(1);
    }

    /// Ends the reading of a stream.
    pub(crate) fn give_up(&self) {
        let Some(live) = &self.live else { return };
        live.is_given_up.store(true, Ordering::Release);
        live.more.notify_all();
    }

    /// Reads a stream as it comes, and calls `grew` after each part and at the end.
    pub(crate) fn draw(&self, grew: &mut dyn FnMut(Result<()>) -> bool) {
        let Some(live) = &self.live else { return };
        let fork = self.reader.source().info().decoding.and_then(|decoding| decoding.fork().ok());
        let source = fork.as_deref().unwrap_or(self.reader.source());
        let mut buffer = vec![0; BLOCK];
        let mut at = live.arrived.load(Ordering::Acquire);
        loop {
            let mut wanted = lock(&live.wanted);
            let is_over = || live.is_given_up.load(Ordering::Acquire);
            while *wanted < at && !is_over() {
                wanted = live.more.wait(wanted).unwrap_or_else(PoisonError::into_inner);
            }
            drop(wanted);
            if is_over() {
                return;
            }
            let read = source.read_at(&mut buffer, at);
            match read {
                Ok(got) => at += got as u64,
                Err(ref cause) if cause.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => {}
            }
            live.arrived.store(at, Ordering::Release);
            let has_ended = read.as_ref().map_or(true, |got| *got == 0);
            live.has_ended.store(has_ended, Ordering::Release);
            let result = read.map(drop).map_err(|cause| Error::read("cannot read", &cause));
            if !grew(result) || has_ended {
                return;
            }
        }
    }

    /// Waits a moment, then reports what happened to the file since it was opened.
    pub(crate) fn next_change(&self, pause: Duration) -> Option<Change> {
        thread::sleep(pause);
        if self.live.is_some() || self.is_object() {
            return None;
        }
        self.reader.changed().or_else(|| self.is_replaced().then_some(Change::Replaced))
    }
}

/// The bytes of a window of time, from the first record in it to the last.
fn window(reader: &Reader, time: &TimeWindow, path: &Path, is_live: bool) -> Result<Range<u64>> {
    if is_live {
        let missing = "--until needs a file whose end is known, and a stream may go on";
        let lines = call("lines").file(path).with("until", "06:01").on("raw").again();
        return Err(Error::usage(missing).hint(lines.then(shell(" | ")).then(call("view").file("-"))));
    }
    let spans = find_window(reader, time, path)?.spans;
    let start = spans.first().map_or(0, |span| span.start);
    Ok(start..spans.last().map_or(start, |span| span.end))
}

/// The text as it was at one time.
struct Snapshot {
    text: Arc<ViewedFile>,
    end: Option<u64>,
    control: Arc<Control>,
}

impl Source for Snapshot {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.check()?;
        let left = self.end.map_or(u64::MAX, |end| end.saturating_sub(offset));
        let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if wanted == 0 {
            return Ok(0);
        }
        let got = self.text.reader.source().read_at(&mut buffer[..wanted], offset)?;
        self.control.passed.fetch_add(got as u64, Ordering::Relaxed);
        // While scans use all cores, a key would otherwise wait until the slice of time of one of them ends.
        thread::yield_now();
        Ok(got)
    }

    fn size(&self) -> Option<u64> {
        self.end.or_else(|| self.text.reader.known_size())
    }

    fn inner(&self) -> Option<&dyn Source> {
        Some(self.text.reader.source())
    }

    fn check(&self) -> io::Result<()> {
        self.control.check()
    }

    /// Without the decoder: forks of it could not be stopped.
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo { decoding: None, ..self.text.reader.source().info() }
    }
}
