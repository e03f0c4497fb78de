//! Looks ahead, on other threads, for the files below a directory that have no match: the answer leaves them out.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use super::options::{SearchOptions, SearchedFile};
use super::other_reading::other_encoding;
use crate::format::Format;
use rread_reader::search::matcher::LineMatcher;
use rread_reader::search::scan::Search;
use rread_reader::search::worker::Wants;
use rread_source::Decoding;
use rread_source::limits::processors;
use rread_text::error::{Kind, Result};

/// Bytes of text in a file that is looked at ahead; in a longer one, the search itself uses all cores.
const MOST: u64 = 32 << 20;

/// With fewer files, starting threads costs more than they save.
const LEAST_FILES: usize = 16;

/// After so many files to show, and more of them than without a match, looking ahead is mostly done twice.
const USELESS: usize = 64;

/// No position.
const NONE: usize = usize::MAX;

const OPEN: u8 = 0;
const CLAIMED: u8 = 1;
const WITHOUT_MATCH: u8 = 2;
/// To be searched as if nobody had looked: it has a match, or a fault to report, or is long.
const TO_SEARCH: u8 = 3;
/// Left out, as the answer has to say.
const BINARY: u8 = 4;

/// The verdicts on the files of a search, by their positions.
pub(super) struct LookAhead<'f> {
    files: &'f [SearchedFile<'f>],
    options: &'f SearchOptions,
    format: Format,
    verdicts: Vec<AtomicU8>,
    /// No file before it is open.
    next: AtomicUsize,
    without_match: AtomicUsize,
    to_search: AtomicUsize,
    is_over: AtomicBool,
    /// The position whose verdict a thread waits for, with the lock and the signal for it.
    awaited: AtomicUsize,
    lock: Mutex<()>,
    reached: Condvar,
}

/// Runs `answer` with the verdicts on `files`, which other threads reach meanwhile; with `None` if that does not help.
pub(super) fn with<T>(
    files: &[SearchedFile<'_>],
    options: &SearchOptions,
    format: Format,
    answer: impl FnOnce(Option<&LookAhead<'_>>) -> T,
) -> T {
    let cores = processors();
    let walked = files.iter().filter(|file| file.is_walked).count();
    let is_partial = !options.within.is_empty() || options.last.is_some();
    let has_window = files.iter().any(|file| file.request.time.is_some());
    let needs_all = options.needs_every_file();
    let needs_all = needs_all || options.has_units() && options.pattern.invert;
    if cores < 2 || walked < LEAST_FILES || is_partial || has_window || needs_all {
        return answer(None);
    }
    let ahead = LookAhead {
        files,
        options,
        format,
        verdicts: files.iter().map(|_| AtomicU8::new(OPEN)).collect(),
        next: AtomicUsize::new(0),
        without_match: AtomicUsize::new(0),
        to_search: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
        awaited: AtomicUsize::new(NONE),
        lock: Mutex::new(()),
        reached: Condvar::new(),
    };
    thread::scope(|scope| {
        for _ in 1..cores {
            scope.spawn(|| while ahead.look_at_next() {});
        }
        let answered = answer(Some(&ahead));
        ahead.is_over.store(true, SeqCst);
        answered
    })
}

/// Why a file is passed over.
pub(super) enum Passed {
    WithoutMatch,
    Binary,
}

impl LookAhead<'_> {
    /// Whether the file at `index` has no match and nothing to report, or is binary; `None` if it is to be searched. Looks
    /// at other files while it waits for the thread that looks at this one.
    pub(super) fn without_match(&self, index: usize) -> Option<Passed> {
        loop {
            match self.claim(index) {
                Ok(()) => return None,
                Err(CLAIMED) => {
                    if !self.look_at_next() {
                        self.wait(index);
                    }
                }
                Err(WITHOUT_MATCH) => return Some(Passed::WithoutMatch),
                Err(BINARY) => return Some(Passed::Binary),
                Err(_) => return None,
            }
        }
    }

    fn claim(&self, index: usize) -> std::result::Result<(), u8> {
        self.verdicts[index].compare_exchange(OPEN, CLAIMED, SeqCst, SeqCst).map(|_| ())
    }

    fn wait(&self, index: usize) {
        let held = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.awaited.store(index, SeqCst);
        let is_claimed = |_: &mut ()| self.verdicts[index].load(SeqCst) == CLAIMED;
        drop(self.reached.wait_while(held, is_claimed));
        self.awaited.store(NONE, SeqCst);
    }

    /// Looks at the next open file; returns false if there is none, or no use in looking at it.
    fn look_at_next(&self) -> bool {
        let (found, passed) = (self.to_search.load(SeqCst), self.without_match.load(SeqCst));
        if self.is_over.load(SeqCst) || found > USELESS.max(passed) {
            return false;
        }
        let index = self.next.fetch_add(1, SeqCst);
        let Some(file) = self.files.get(index) else { return false };
        if self.claim(index).is_ok() {
            let verdict = if file.is_walked { self.look(file) } else { TO_SEARCH };
            let count = if verdict == TO_SEARCH { &self.to_search } else { &self.without_match };
            count.fetch_add(1, SeqCst);
            self.verdicts[index].store(verdict, SeqCst);
            // A signal is a system call. The thread that waits has said so before it looked at the verdict.
            if self.awaited.load(SeqCst) == index {
                drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
                self.reached.notify_one();
            }
        }
        true
    }

    fn look(&self, file: &SearchedFile<'_>) -> u8 {
        match self.search(file) {
            Ok(true) => WITHOUT_MATCH,
            // The answer leaves binary files out, unless they may be archives to search.
            Err(error) if error.kind == Kind::Binary && !self.options.takes_archives => BINARY,
            _ => TO_SEARCH,
        }
    }

    fn search(&self, file: &SearchedFile<'_>) -> Result<bool> {
        let opened = file.request.open(self.format, false)?;
        let reader = &opened.reader;
        let matcher = LineMatcher::new(&self.options.pattern, reader.encoding(), reader.has_crlf()?)?;
        let matcher = if reader.source().info().is_plain { matcher.plain() } else { matcher };
        if reader.known_size().is_some_and(|size| size > MOST) {
            return Ok(false);
        }
        let wants = Wants { hits: true, ..Wants::default() };
        let search = Search { reader, matcher, wants };
        let searched = search.run(0..MOST, 0, &mut |_, _| Ok(ControlFlow::Break(())))?;
        let has_match = searched.is_none();
        let is_whole = reader.known_size().is_some_and(|size| size <= MOST);
        let has_garbage = reader.decoding().and_then(Decoding::trailing_garbage).is_some();
        let has_fault = reader.damage().is_some() || reader.is_cut_short() || has_garbage;
        let is_silent = || other_encoding(reader, &self.options.pattern).is_none();
        Ok(!has_match && is_whole && !has_fault && is_silent() && reader.changed().is_none())
    }
}
