//! A file that grows: whether the screen stays at its end, and the place that it may still get.

use super::facts::FileFacts;
use super::tasks::{Effect, Tasks};
use crate::worker::Job;

/// Search this far back again when more arrives: the last line may have been partial.
const AGAIN: u64 = 64 << 10;

pub(super) struct Following {
    pub(super) is_on: bool,
    sought: Option<Sought>,
}

/// A place that a stream may not have yet.
struct Sought {
    job: Job,
    words: &'static str,
    /// The size of the file when the search began.
    size: u64,
    /// Whether it was not there, and the stream goes on.
    is_waiting: bool,
}

impl Following {
    pub(super) fn new(is_on: bool) -> Self {
        Following { is_on, sought: None }
    }

    /// Looks for a place that a stream may not have yet.
    pub(super) fn seek(&mut self, job: Job, words: &'static str, facts: &FileFacts, tasks: &mut Tasks) {
        let size = facts.size.unwrap_or(0);
        self.sought = Some(Sought { job: job.clone(), words, size, is_waiting: false });
        if matches!(job, Job::Percent(_)) && self.waits_for_more(facts, tasks) {
            return;
        }
        tasks.order(job, words);
    }

    pub(super) fn forget_place(&mut self) {
        self.sought = None;
    }

    /// The place is not there: returns whether it may still come, and then waits for it.
    pub(super) fn waits_for_more(&mut self, facts: &FileFacts, tasks: &mut Tasks) -> bool {
        let size = facts.size.unwrap_or(0);
        let Some(sought) = self.sought.as_mut().filter(|sought| facts.is_live || size > sought.size) else {
            return false;
        };
        sought.is_waiting = true;
        let has_grown = size > sought.size;
        tasks.mark_running(sought.job.role(), sought.words);
        tasks.emit(Effect::Want(u64::MAX));
        if has_grown {
            self.seek_again(facts, tasks);
        }
        true
    }

    /// More has come, or the end.
    pub(super) fn seek_again(&mut self, facts: &FileFacts, tasks: &mut Tasks) {
        let Some(sought) = self.sought.as_mut().filter(|sought| sought.is_waiting) else { return };
        if facts.is_live && matches!(sought.job, Job::Percent(_)) {
            return;
        }
        // Of several matches, those that were found before count too.
        if let Job::Find(request) = &mut sought.job
            && request.nth == 1
        {
            let again = sought.size.saturating_sub(AGAIN);
            (request.from, request.whole_line) = (again.max(request.from), again > request.from);
        }
        sought.size = facts.size.unwrap_or(0);
        sought.is_waiting = false;
        tasks.order(sought.job.clone(), sought.words);
    }
}
