//! Problems, each with the command that solves it.

use std::path::PathBuf;

use rread_answer::receipt::ProblemInfo;
use rread_answer::wording::{hint, line};
use rread_text::error::{Error, Result};
use rread_text::quote::quoted;

/// In the order in which they were found.
#[derive(Default)]
pub(super) struct Problems(Vec<ProblemInfo>);

impl Problems {
    pub(super) fn add(&mut self, error: &Error) {
        let problem = ProblemInfo { problem: line(error), hint: hint(error) };
        // Several parts of rread may meet the same problem.
        if self.0.iter().all(|other| other.problem != problem.problem) {
            self.0.push(problem);
        }
    }

    /// The value, or `None` and a problem.
    pub(super) fn note<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.add(&error)).ok()
    }

    pub(super) fn into_all(self) -> Vec<ProblemInfo> {
        self.0
    }
}

/// The command that removes `paths`.
pub(super) fn removal(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| quoted(path).to_string()).collect();
    format!("rm {}", paths.join(" "))
}
