//! Looks ahead, on other threads, for the files below a directory that have no match: the answer leaves them out.

use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;

use super::options::other_encoding;
use super::options::{SearchOptions, SearchedFile};
use crate::format::Format;
use rread_reader::LineMatcher;
use rread_reader::search::scan::Search;
use rread_reader::search::worker::Wants;
use rread_source::Decoding;
use rread_source::limits::processors;
use rread_text::{Address, Kind, Result};

/// Bytes of text in a file that is looked at ahead; in a longer one, the search itself uses all cores.
const MOST: u64 = 32 << 20;

/// With fewer files, starting threads costs more than they save.
const LEAST_FILES: usize = 16;

/// After so many files to show, and more of them than without a match, looking ahead is mostly done twice.
const USELESS: usize = 64;

/// The result of looking at a file ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    WithoutMatch,
    /// Left out, as the answer has to say.
    Binary,
    /// To be searched as if nobody had looked: it has a match, or a fault to report, or is long.
    ToSearch,
}

/// The verdicts on the files of a search, by their positions.
pub(super) struct LookAhead<'f> {
    files: &'f [SearchedFile<'f>],
    options: &'f SearchOptions,
    format: Format,
    /// Whoever comes to a file first reaches its verdict, and others wait for it.
    verdicts: Vec<OnceLock<Verdict>>,
    /// No file before it is open.
    next: AtomicUsize,
    without_match: AtomicUsize,
    to_search: AtomicUsize,
    is_over: AtomicBool,
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
    // An object that was looked at would be requested again.
    let is_remote = files.iter().any(|file| file.is_walked && Address::of(&file.request.path).is_some());
    if cores < 2
        || walked < LEAST_FILES
        || is_partial
        || is_remote
        || has_window
        || options.needs_every_file()
    {
        return answer(None);
    }
    let ahead = LookAhead {
        files,
        options,
        format,
        verdicts: files.iter().map(|_| OnceLock::new()).collect(),
        next: AtomicUsize::new(0),
        without_match: AtomicUsize::new(0),
        to_search: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        // Whoever answers mostly waits for these.
        for _ in 0..cores {
            scope.spawn(|| while ahead.look_at_next() {});
        }
        let answered = answer(Some(&ahead));
        ahead.is_over.store(true, SeqCst);
        answered
    })
}

impl LookAhead<'_> {
    /// The verdict on the file at `index`, once the thread that looks at it has one; it is to be searched if none does.
    pub(super) fn verdict(&self, index: usize) -> Verdict {
        *self.verdicts[index].get_or_init(|| Verdict::ToSearch)
    }

    /// Looks at the next open file; returns false if there is none, or no use in looking at it.
    fn look_at_next(&self) -> bool {
        let (found, passed) = (self.to_search.load(SeqCst), self.without_match.load(SeqCst));
        if self.is_over.load(SeqCst) || found > USELESS.max(passed) {
            return false;
        }
        let index = self.next.fetch_add(1, SeqCst);
        let Some(file) = self.files.get(index) else { return false };
        self.verdicts[index].get_or_init(|| {
            let verdict = if file.is_walked { self.look(file) } else { Verdict::ToSearch };
            let count = if verdict == Verdict::ToSearch { &self.to_search } else { &self.without_match };
            count.fetch_add(1, SeqCst);
            verdict
        });
        true
    }

    fn look(&self, file: &SearchedFile<'_>) -> Verdict {
        match self.search(file) {
            Ok(true) => Verdict::WithoutMatch,
            // The answer leaves binary files out, unless they may be archives to search.
            Err(error) if error.kind == Kind::Binary && !self.options.takes_archives => Verdict::Binary,
            _ => Verdict::ToSearch,
        }
    }

    fn search(&self, file: &SearchedFile<'_>) -> Result<bool> {
        let opened = file.request.open(self.format, false)?;
        let reader = &opened.reader;
        let crlf = self.options.lines.crlf || reader.has_crlf()?;
        let matcher = LineMatcher::new(&self.options.pattern, reader.encoding(), crlf)?;
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
