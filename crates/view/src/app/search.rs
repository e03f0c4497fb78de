//! The last search, the filters, and how patterns match.

use std::sync::Arc;

use crate::find::FindRequest;
use crate::glyph::seen;
use crate::prompt::Modifiers;
use crate::worker::{Job, MatchTally, highlighter};
use rread_reader::search::pattern::SeenLines;
use rread_reader::{Case, LineMatcher, Pattern};
use rread_text::Result;

pub(super) struct Search {
    pub(super) case: Case,
    pub(super) hides_matches: bool,
    /// Whether patterns match what escape sequences and overstrikes make of the text, as the screen shows it.
    sees_screen: bool,
    /// Only lines that match all of them are shown.
    pub(super) filters: Vec<Arc<Pattern>>,
    last: Option<LastSearch>,
    /// Whether the file has grown since the matches were counted.
    pub(super) is_behind: bool,
}

struct LastSearch {
    text: String,
    modifiers: Modifiers,
    pattern: Arc<Pattern>,
    /// Of what is marked: lines without a match have none.
    matcher: Option<LineMatcher>,
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
    pub(super) fn new(case: Case, hides_matches: bool, sees_screen: bool) -> Self {
        Search { case, hides_matches, sees_screen, filters: Vec::new(), last: None, is_behind: false }
    }

    fn compile(&self, text: &str, modifiers: Modifiers) -> Result<Arc<Pattern>> {
        let pattern = Pattern {
            patterns: vec![text.to_owned()],
            case: self.case,
            fixed: modifiers.literal,
            invert: modifiers.invert,
            seen: self.sees_screen.then_some(seen as SeenLines),
            ..Pattern::default()
        };
        pattern.check(false).and_then(|()| pattern.check(true))?;
        Ok(Arc::new(pattern))
    }

    /// Makes `text` the last search; returns the job that counts its matches.
    pub(super) fn start(&mut self, text: &str, modifiers: Modifiers, goes_back: bool) -> Result<Job> {
        let pattern = self.compile(text, modifiers)?;
        let matcher = if pattern.invert { None } else { Some(highlighter(&pattern)?) };
        let tally = Arc::new(MatchTally::default());
        let filters = self.filters.clone();
        let job = Job::Tally { pattern: Arc::clone(&pattern), filters, tally: Arc::clone(&tally) };
        self.last = Some(LastSearch {
            text: text.to_owned(),
            modifiers,
            pattern,
            matcher,
            goes_back,
            runs_back: goes_back,
            tally,
            hit: None,
            is_hit_new: false,
        });
        Ok(job)
    }

    /// Compiles the last pattern again, after an option has changed; returns the job that counts its matches.
    fn start_again(&mut self) -> Option<Job> {
        let last = self.last.take()?;
        let job = self.start(&last.text, last.modifiers, last.goes_back).ok()?;
        if let Some(new) = &mut self.last {
            (new.runs_back, new.hit) = (last.runs_back, last.hit);
        }
        Some(job)
    }

    /// The last pattern with other modifiers.
    pub(super) fn modified(&mut self, modifiers: Modifiers, goes_back: bool) -> Option<Result<Job>> {
        let text = self.last.as_ref()?.text.clone();
        Some(self.start(&text, modifiers, goes_back))
    }

    /// Shows only the lines that match `text` too.
    pub(super) fn add_filter(&mut self, text: &str, modifiers: Modifiers) -> Result<()> {
        let pattern = self.compile(text, modifiers)?;
        self.filters.push(pattern);
        Ok(())
    }

    pub(super) fn is_filtered(&self) -> bool {
        !self.filters.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Counts the matches in what was appended to the file.
    pub(super) fn count_on(&mut self) -> Option<Job> {
        self.is_behind = false;
        let last = self.last.as_ref()?;
        let (pattern, tally) = (Arc::clone(&last.pattern), Arc::clone(&last.tally));
        Some(Job::Tally { pattern, filters: self.filters.clone(), tally })
    }

    /// Counts the matches again: the file or the filters have changed.
    pub(super) fn count_again(&mut self) -> Option<Job> {
        self.last.as_mut()?.tally = Arc::default();
        self.count_on()
    }

    pub(super) fn turn(&mut self, goes_back: bool) {
        if let Some(last) = &mut self.last {
            last.goes_back = goes_back;
        }
    }

    /// The search for the next match from no place yet, in the direction of the last one or `against` it.
    pub(super) fn next(&mut self, against: bool, nth: u64) -> Option<FindRequest> {
        let last = self.last.as_mut()?;
        last.runs_back = last.goes_back != against;
        Some(FindRequest {
            pattern: Arc::clone(&last.pattern),
            filters: self.filters.clone(),
            from: 0,
            back: last.runs_back,
            nth: nth.max(1),
            wraps: last.modifiers.wrap,
            chopped: false,
            whole_line: false,
        })
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

    /// The last hit has not been shown yet.
    pub(super) fn keep_new_hit(&mut self) {
        if let Some(last) = &mut self.last {
            last.is_hit_new = true;
        }
    }

    /// The matcher of the last search, unless matches are not highlighted.
    pub(super) fn highlighter(&self) -> Option<&LineMatcher> {
        self.last.as_ref().filter(|_| !self.hides_matches)?.matcher.as_ref()
    }

    /// `3 of 120`, for the hit or for the screen that begins at `top`.
    pub(super) fn position(&self, top: u64) -> Option<String> {
        self.last.as_ref().map(|last| last.tally.position(last.hit.unwrap_or(top)))
    }

    /// Changes when case counts, for the last search too; returns the job that counts its matches.
    pub(super) fn set_case(&mut self, case: Case) -> Option<Job> {
        self.case = case;
        self.start_again()
    }

    /// Has patterns match what the screen shows, or the bytes of the file; returns the job that counts the matches.
    pub(super) fn see_screen(&mut self, sees_screen: bool) -> Option<Job> {
        self.sees_screen = sees_screen;
        self.start_again()
    }
}
