//! The sums over all files of a search, as `rg --stats` prints them.

use std::time::Instant;

use crate::receipt::SearchInfo;

/// The sums so far.
pub(super) struct Sums {
    begun: Instant,
    matches: u64,
    lines: u64,
    files_with_match: u64,
    files: u64,
    printed: u64,
    searched: u64,
}

impl Sums {
    pub(super) fn new() -> Self {
        let (matches, lines, files_with_match) = (0, 0, 0);
        Sums { begun: Instant::now(), matches, lines, files_with_match, files: 0, printed: 0, searched: 0 }
    }

    pub(super) fn add(&mut self, info: &SearchInfo) {
        self.matches += info.matches;
        self.lines += info.matched_lines;
        self.files_with_match += u64::from(info.matched_lines > 0);
        self.files += 1;
        self.printed += info.stats.content_bytes;
        self.searched += info.searched.end_byte.saturating_sub(info.searched.start_byte);
    }

    /// How many files were searched.
    pub(super) fn files(&self) -> u64 {
        self.files
    }

    pub(super) fn text(&self) -> String {
        let Sums { matches, lines, files_with_match, files, printed, searched, begun } = self;
        let seconds = begun.elapsed().as_secs_f64();
        format!(
            "\n{matches} matches\n{lines} matched lines\n{files_with_match} files contained matches\n\
             {files} files searched\n{printed} bytes printed\n{searched} bytes searched\n\
             {seconds:.6} seconds spent searching\n{seconds:.6} seconds\n"
        )
    }
}
