//! Follows the file of the viewer by its name, as `rread follow` does, and keeps its text together across rotations.

use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::viewed_file::Opener;
use rread_reader::follow::FileChain;
use rread_reader::follow::tail::{self, Step, Tail};
use rread_reader::follow::watch::{QUEUE, Watch};
use rread_reader::reader::{Reader, Tuning};
use rread_source::memory::Buffer;
use rread_source::version::Stamp;
use rread_text::encoding::{Choice, Decided, Origin};
use rread_text::error::{Error, Result};

/// Events that come within this time are reported together.
const TOGETHER: Duration = Duration::from_millis(20);

/// How often the file is looked at where the system reports no changes, and at least.
const POLL: Duration = Duration::from_millis(250);
const LOOK: Duration = Duration::from_secs(1);

/// What happened to a followed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FollowNews {
    Grew,
    /// It is read from its start again; older text has gone.
    Truncated,
    /// The text goes on with the next file of that name, and so many bytes at its start were given up.
    Rotated {
        dropped: u64,
    },
    /// The name means nothing now, or a file that cannot be opened for this reason.
    Gone(Option<String>),
    Appeared,
}

/// Takes news; returns whether anybody listens.
pub(crate) type ReportNews = Box<dyn Fn(Result<FollowNews>) -> bool + std::marker::Send>;

/// The text of a followed file, and the thread that follows it.
pub(crate) struct Follower {
    chain: Arc<Mutex<FileChain>>,
    is_over: Arc<AtomicBool>,
}

impl Follower {
    /// Follows `name` from `position` of `file` on, which has or had this name.
    pub(crate) fn start(
        name: Option<PathBuf>,
        file: &File,
        position: u64,
        report: ReportNews,
    ) -> Result<Self> {
        let failed = |cause| Error::read("cannot follow", &cause);
        let file = file.try_clone().map_err(failed)?;
        let chain = FileChain::new(file.try_clone().map_err(failed)?, position);
        let chain = Arc::new(Mutex::new(chain));
        let is_over = Arc::new(AtomicBool::new(false));
        let tail = Tail::resume(name, file, position).map_err(failed)?;
        let watched = Watched { tail, chain: Arc::clone(&chain), is_over: Arc::clone(&is_over), report };
        let started = thread::Builder::new().name("follow".to_owned()).spawn(move || watched.run());
        started.map_err(|cause| Error::read("cannot start a thread", &cause))?;
        Ok(Follower { chain, is_over })
    }

    /// The text as far as it was followed.
    pub(crate) fn chain(&self) -> FileChain {
        lock(&self.chain).clone()
    }
}

/// The text of a followed file at one time.
pub(crate) struct FollowedText {
    pub(crate) chain: FileChain,
    /// The encoding of the text before.
    pub(crate) decided: Decided,
}

impl FollowedText {
    /// Whether the text is that of the file that has the name now.
    fn is_of_name(&self, path: &Path) -> bool {
        let identity = |metadata: &Metadata| {
            let stamp = Stamp::of(metadata);
            (stamp.device, stamp.inode)
        };
        let (Some((last, _)), Ok(named)) = (self.chain.last(), path.metadata()) else {
            return path == Path::new("-");
        };
        self.chain.files() == 1 && last.metadata().is_ok_and(|open| identity(&open) == identity(&named))
    }

    fn open(&self, path: &Path) -> Result<Reader> {
        let source = Box::new(self.chain.clone());
        if self.decided.origin == Origin::Option {
            return Ok(Reader::of_text(source, self.decided.encoding));
        }
        let mut reader = Reader::new(source, Tuning::default())?;
        reader.read_as(Choice::Auto, path)?;
        Ok(reader)
    }
}

/// Opens what `own` opens, or the text of the followed file if its name does not mean that text any more.
pub(crate) fn opener(
    own: &Arc<Opener>,
    followed: &Arc<Mutex<Option<FollowedText>>>,
    path: &Path,
) -> Arc<Opener> {
    let (own, followed, path) = (Arc::clone(own), Arc::clone(followed), path.to_owned());
    Arc::new(move || match &*followed.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(text) if !text.is_of_name(&path) => text.open(&path),
        _ => own(),
    })
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn lock(chain: &Mutex<FileChain>) -> MutexGuard<'_, FileChain> {
    chain.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Watched {
    tail: Tail,
    chain: Arc<Mutex<FileChain>>,
    is_over: Arc<AtomicBool>,
    report: ReportNews,
}

impl Watched {
    fn run(mut self) {
        let (sender, wakes) = sync_channel(QUEUE);
        let mut watch = Watch::new(false, sender);
        watch.add(0, self.tail.name(), false, None);
        let mut buffer = Buffer::default();
        loop {
            match self.read(&mut watch, &mut buffer) {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    (self.report)(Err(error));
                    return;
                }
            }
            let pause = if watch.polled().is_empty() { LOOK } else { POLL };
            if wakes.recv_timeout(pause).is_ok() {
                thread::sleep(TOGETHER);
                while wakes.try_recv().is_ok() {}
            }
            watch.take_changed();
        }
    }

    /// Reads what has come, and reports it; returns whether anybody listens.
    fn read(&mut self, watch: &mut Watch, buffer: &mut Buffer) -> Result<bool> {
        let mut unreported: Option<Instant> = None;
        loop {
            if self.is_over.load(Ordering::Relaxed) {
                return Ok(false);
            }
            let step = self.tail.step(buffer)?;
            if let Step::Bytes(at) = step {
                lock(&self.chain).set_len_of_last(at + buffer.len() as u64);
                if unreported.get_or_insert_with(Instant::now).elapsed() < TOGETHER {
                    continue;
                }
            }
            if unreported.take().is_some() && !self.send(FollowNews::Grew) {
                return Ok(false);
            }
            match step {
                Step::Bytes(_) => {}
                Step::Event(event) => {
                    let news = self.news(event)?;
                    if !self.send(news) {
                        return Ok(false);
                    }
                    watch.add(0, self.tail.name(), self.tail.is_unsettled(), self.tail.place().as_deref());
                }
                Step::Idle => {
                    let place = self.tail.place();
                    // What came before a new watch caused no event.
                    if !self.tail.is_unsettled() || !watch.add(0, self.tail.name(), true, place.as_deref()) {
                        return Ok(true);
                    }
                }
            }
        }
    }

    fn send(&self, news: FollowNews) -> bool {
        (self.report)(Ok(news))
    }

    fn news(&self, event: tail::Event) -> Result<FollowNews> {
        let file = || self.tail.file().map_err(|cause| Error::read("cannot follow", &cause));
        let mut chain = lock(&self.chain);
        Ok(match event {
            tail::Event::Gone => FollowNews::Gone(self.tail.obstacle().map(str::to_owned)),
            tail::Event::Truncated => {
                if let Some(file) = file()? {
                    *chain = FileChain::new(file, 0);
                }
                FollowNews::Truncated
            }
            tail::Event::Appeared if !self.tail.starts_over() => FollowNews::Appeared,
            tail::Event::Rotated | tail::Event::Appeared => match file()? {
                Some(file) => FollowNews::Rotated { dropped: chain.push(file) },
                None => FollowNews::Appeared,
            },
        })
    }
}
