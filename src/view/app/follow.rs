//! Goes to places, also to lines and matches that a stream does not have yet.

use std::sync::Arc;

use super::app::{App, Effect, LOOKING, Sought};
use super::viewport::Movement;
use super::worker::{Job, Role};

/// Bytes before the end of what had come that are searched again: the last line may have been half of one.
const AGAIN: u64 = 64 << 10;

impl App {
    /// Looks for a place that a stream may not have yet.
    pub(super) fn seek(&mut self, job: Job, what: &'static str) {
        let size = self.facts.size.unwrap_or(0);
        self.sought = Some(Sought { job: job.clone(), what, size, is_waiting: false });
        if matches!(job, Job::Percent(_)) && self.awaits_more() {
            return;
        }
        self.order(job, what);
    }

    /// The place is not there: whether it may still come, and is waited for.
    pub(super) fn awaits_more(&mut self) -> bool {
        let (size, is_live) = (self.facts.size.unwrap_or(0), self.facts.is_live);
        let Some(sought) = self.sought.as_mut().filter(|sought| is_live || size > sought.size) else {
            return false;
        };
        sought.is_waiting = true;
        let (role, what, is_new) = (sought.job.role(), sought.what, size > sought.size);
        self.busy.insert(role, what);
        self.emit(Effect::Want(u64::MAX));
        if is_new {
            self.seek_again();
        }
        true
    }

    /// The stream has ended: its matches are counted again.
    pub(super) fn tally_again(&mut self) {
        let Some(search) = &mut self.search else { return };
        search.tally = Arc::default();
        let job = Job::Tally(Arc::clone(&search.pattern), Arc::clone(&search.tally));
        self.busy.insert(job.role(), "");
        self.emit(Effect::Order(job));
    }

    /// More has come, or the end.
    pub(super) fn seek_again(&mut self) {
        let (size, is_live) = (self.facts.size.unwrap_or(0), self.facts.is_live);
        let Some(sought) = self.sought.as_mut().filter(|sought| sought.is_waiting) else { return };
        if is_live && matches!(sought.job, Job::Percent(_)) {
            return;
        }
        if let Job::Find { from, .. } = &mut sought.job {
            *from = sought.size.saturating_sub(AGAIN).max(*from);
        }
        (sought.size, sought.is_waiting) = (size, false);
        let (job, what) = (sought.job.clone(), sought.what);
        self.order(job, what);
    }

    /// Goes to the end; that of a stream moves, and so does the screen until the next movement.
    pub(super) fn go_to_end(&mut self) {
        self.supersede();
        self.marks.insert('\'', self.viewport.top().piece);
        self.follow |= self.facts.is_live;
        self.emit(Effect::Want(u64::MAX));
        self.go(Movement::End);
    }

    /// Stops what would lead to another place than the one that is gone to now.
    fn supersede(&mut self) {
        self.sought = None;
        for role in [Role::Seek, Role::Count] {
            let what = self.busy.get(&role).copied();
            if what.is_some_and(|what| role == Role::Seek || what == LOOKING) {
                self.busy.remove(&role);
                self.emit(Effect::Stop(role));
            }
        }
    }

    /// Forgets the movements that wait for a passage.
    pub(super) fn abandon(&mut self) {
        (self.waiting, self.is_stale) = (None, false);
        self.pending.clear();
    }

    /// Goes to a place from which `''` returns.
    pub(super) fn jump(&mut self, offset: u64) {
        self.supersede();
        self.marks.insert('\'', self.viewport.top().piece);
        self.follow = false;
        self.go(Movement::To(offset));
    }
}
