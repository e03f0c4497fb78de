//! What the loop has to do for the state, and the jobs that run.

use std::collections::BTreeMap;

use crate::worker::{Job, ROLES, Role};

/// An effect that the loop has to run.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    Order(Job),
    Stop(Role),
    /// Reads a stream up to this offset.
    Want(u64),
    /// Stops reading ahead in the stream.
    Enough,
    /// Puts a text on the clipboard.
    Copy(String),
    /// Opens an editor at a line.
    Edit(Option<u64>),
    Suspend,
    Redraw,
    Quit,
}

/// Words of the job that counts lines if the screen goes to the line that it looks for.
pub(super) const LOOKING: &str = "looking for the line";

/// Words of the job that opens the file again on request.
pub(super) const RELOADING: &str = "reading again";

pub(super) const COUNTING: &str = "counting lines";

#[derive(Default)]
pub(super) struct Tasks {
    effects: Vec<Effect>,
    /// The words of each job in the status line; none for a job that is not mentioned.
    running: BTreeMap<Role, &'static str>,
}

impl Tasks {
    pub(super) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    pub(super) fn emit(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Starts `job`, which the status line calls `words`.
    pub(super) fn order(&mut self, job: Job, words: &'static str) {
        self.mark_running(job.role(), words);
        self.emit(Effect::Order(job));
    }

    pub(super) fn mark_running(&mut self, role: Role, words: &'static str) {
        self.running.insert(role, words);
    }

    /// The job of `role` has ended, or its report is of no use any more.
    pub(super) fn finish(&mut self, role: Role) {
        self.running.remove(&role);
    }

    pub(super) fn stop(&mut self, role: Role) {
        if self.running.remove(&role).is_some() {
            self.emit(Effect::Stop(role));
        }
    }

    pub(super) fn stop_all(&mut self) {
        for role in ROLES {
            self.stop(role);
        }
    }

    /// Stops the jobs that would move the screen.
    pub(super) fn stop_seeking(&mut self) {
        self.stop(Role::Seek);
        if self.is_running_as(Role::Count, LOOKING) {
            self.stop(Role::Count);
        }
    }

    pub(super) fn is_running(&self, role: Role) -> bool {
        self.running.contains_key(&role)
    }

    pub(super) fn is_running_as(&self, role: Role, words: &str) -> bool {
        self.running.get(&role) == Some(&words)
    }

    pub(super) fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    /// The jobs that the status line mentions.
    pub(super) fn mentioned(&self) -> impl Iterator<Item = (Role, &'static str)> {
        let running = self.running.iter().map(|(role, words)| (*role, *words));
        running.filter(|(_, words)| !words.is_empty())
    }
}
