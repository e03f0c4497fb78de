//! The facts about the file that the state depends on, and whether the screen stays at the end of a file that grows; what the
//! loop has to do for the state, and the jobs that run.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::merged::MergedName;
use crate::worker::{Job, ROLES, Role};
use rread_text::counted;

#[derive(Clone, Debug, Default)]
pub(crate) struct FileFacts {
    /// The name for people; empty until the file is open.
    pub(crate) name: String,
    /// The name for a shell.
    pub(crate) quoted: String,
    /// The size if it is known; of a stream, the bytes that have come.
    pub(crate) size: Option<u64>,
    /// Whether it is a stream that has not ended.
    pub(crate) is_live: bool,
    /// Whether it is a stream whose rest could not be read or kept, so that what has come is not all.
    pub(crate) is_cut_short: bool,
    /// The time at which the view ends.
    pub(crate) until: Option<String>,
    /// Whether it is in a store or on a web server.
    pub(crate) is_object: bool,
    /// Whether it is standard input, which another command cannot read again.
    pub(crate) is_stream: bool,
    /// Whether an editor can open it.
    pub(crate) is_plain: bool,
    /// If the text is that of several logs.
    pub(crate) merged: Option<MergedFacts>,
}

/// The facts about a text of several logs.
#[derive(Clone, Debug, Default)]
pub(crate) struct MergedFacts {
    pub(crate) files: Arc<Vec<MergedName>>,
    /// Whether the names of files stand before lines.
    pub(crate) shows_files: bool,
    /// The note when it is opened.
    pub(crate) notes: String,
    /// The options of a command line that read times in the same way, each after a blank.
    pub(crate) options: String,
}

impl MergedFacts {
    /// `a.log, b.log (2 files merged)`
    pub(crate) fn name(&self) -> String {
        let names: Vec<&str> = self.files.iter().map(|file| file.name.as_str()).collect();
        format!("{} ({} merged)", names.join(", "), counted(names.len() as u64, "file"))
    }
}

impl FileFacts {
    pub(crate) fn is_open(&self) -> bool {
        !self.name.is_empty()
    }
}

/// Search this far back again when more arrives: the last line may have been partial.
const AGAIN: u64 = 64 << 10;

pub(super) struct Following {
    pub(super) is_on: bool,
    pub(super) sought: Option<Sought>,
}

/// A place that a stream may not have yet.
pub(super) struct Sought {
    job: Job,
    words: &'static str,
    /// The size of the file when the search began.
    size: u64,
    /// Whether it was not there, and the stream goes on.
    is_waiting: bool,
}

impl Following {
    /// Looks for a place that a stream may not have yet.
    pub(super) fn seek(&mut self, job: Job, words: &'static str, facts: &FileFacts, tasks: &mut Tasks) {
        let size = facts.size.unwrap_or(0);
        self.sought = Some(Sought { job: job.clone(), words, size, is_waiting: false });
        if matches!(job, Job::Percent(_)) && self.waits_for_more(facts, tasks) {
            return;
        }
        tasks.order(job, words);
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
    pub(super) effects: Vec<Effect>,
    /// The words of each job in the status line; none for a job that is not mentioned.
    pub(super) running: BTreeMap<Role, &'static str>,
}

impl Tasks {
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

    /// The jobs that the status line mentions.
    pub(super) fn mentioned(&self) -> impl Iterator<Item = (Role, &'static str)> {
        let running = self.running.iter().map(|(role, words)| (*role, *words));
        running.filter(|(_, words)| !words.is_empty())
    }
}
