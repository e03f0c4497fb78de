//! The last search, the filter, and how patterns match.

use std::sync::Arc;

use crate::view::worker::{Job, MatchTally, highlighter};
use rread_reader::search::matcher::LineMatcher;
use rread_reader::search::pattern::{Case, Pattern};
use rread_text::error::Result;

pub(super) struct Search {
    case: Case,
    hides_matches: bool,
    /// Only lines that match are shown.
    pub(super) filter: Option<Arc<Pattern>>,
    last: Option<LastSearch>,
    /// Whether the file has grown since the matches were counted.
    is_behind: bool,
}

struct LastSearch {
    pattern: Arc<Pattern>,
    matcher: LineMatcher,
    goes_back: bool,
    /// Whether the job that runs goes back: N turns round.
    runs_back: bool,
    tally: Arc<MatchTally>,
    /// The offset of the last hit.
    hit: Option<u64>,
    /// Whether the hit has not been shown yet.
    is_hit_new: bool,
}

impl Search {
    pub(super) fn new(case: Case) -> Self {
        Search { case, hides_matches: false, filter: None, last: None, is_behind: false }
    }

    pub(super) fn compile(&self, text: &str, invert: bool, sequences: bool) -> Result<Arc<Pattern>> {
        let patterns = vec![text.to_owned()];
        let pattern = Pattern { patterns, case: self.case, invert, sequences, ..Pattern::default() };
        pattern.check(false).and_then(|()| pattern.check(true))?;
        Ok(Arc::new(pattern))
    }

    /// Makes `pattern` the last search; returns the job that counts its matches, or `None` if it cannot be highlighted.
    pub(super) fn start(&mut self, pattern: &Arc<Pattern>, goes_back: bool) -> Option<Job> {
        let matcher = highlighter(pattern).ok()?;
        let tally = Arc::new(MatchTally::default());
        self.last = Some(LastSearch {
            pattern: Arc::clone(pattern),
            matcher,
            goes_back,
            runs_back: goes_back,
            tally: Arc::clone(&tally),
            hit: None,
            is_hit_new: false,
        });
        Some(Job::Tally(Arc::clone(pattern), tally))
    }

    /// Counts the matches in what was appended to the file.
    pub(super) fn count_on(&mut self) -> Option<Job> {
        self.is_behind = false;
        let last = self.last.as_ref()?;
        Some(Job::Tally(Arc::clone(&last.pattern), Arc::clone(&last.tally)))
    }

    /// The file has grown while matches were counted.
    pub(super) fn fall_behind(&mut self) {
        self.is_behind = true;
    }

    pub(super) fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Counts the matches again: the file has changed.
    pub(super) fn count_again(&mut self) -> Option<Job> {
        self.last.as_mut()?.tally = Arc::default();
        self.count_on()
    }

    pub(super) fn turn(&mut self, goes_back: bool) {
        if let Some(last) = &mut self.last {
            last.goes_back = goes_back;
        }
    }

    /// The pattern for the next match, in the direction of the search or `against` it, and whether that is back.
    pub(super) fn next(&mut self, against: bool) -> Option<(Arc<Pattern>, bool)> {
        let last = self.last.as_mut()?;
        last.runs_back = last.goes_back != against;
        Some((Arc::clone(&last.pattern), last.runs_back))
    }

    pub(super) fn runs_back(&self) -> bool {
        self.last.as_ref().is_some_and(|last| last.runs_back)
    }

    pub(super) fn set_hit(&mut self, offset: u64) {
        if let Some(last) = &mut self.last {
            last.hit = Some(offset);
            last.is_hit_new = true;
        }
    }

    pub(super) fn hit(&self) -> Option<u64> {
        self.last.as_ref()?.hit
    }

    /// The last hit, the first time that it is asked for.
    pub(super) fn take_new_hit(&mut self) -> Option<u64> {
        let last = self.last.as_mut().filter(|last| last.is_hit_new)?;
        last.is_hit_new = false;
        last.hit
    }

    /// The matcher of the last search, unless matches are not highlighted.
    pub(super) fn highlighter(&self) -> Option<&LineMatcher> {
        self.last.as_ref().filter(|_| !self.hides_matches).map(|last| &last.matcher)
    }

    /// `3 of 120`, for the hit or for the screen that begins at `top`.
    pub(super) fn position(&self, top: u64) -> Option<String> {
        self.last.as_ref().map(|last| last.tally.position(last.hit.unwrap_or(top)))
    }

    /// Highlights matches, or not; returns the words for it.
    pub(super) fn toggle_matches(&mut self) -> &'static str {
        self.hides_matches = !self.hides_matches;
        if self.hides_matches { "matches are not highlighted" } else { "matches are highlighted" }
    }

    /// Ignores case, or not; returns the words for it.
    pub(super) fn toggle_case(&mut self) -> &'static str {
        let was_sensitive = self.case == Case::Sensitive;
        self.case = if was_sensitive { Case::Smart } else { Case::Sensitive };
        if was_sensitive {
            "searches ignore case, unless a pattern has an upper-case letter"
        } else {
            "searches respect case"
        }
    }
}
