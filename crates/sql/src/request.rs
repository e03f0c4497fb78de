//! A query and its options.

use std::time::Duration;

use rread_reader::times::TimeOptions;
use rread_text::layout::{Csv, Input};

#[derive(Clone, Debug)]
pub struct QueryRequest {
    pub sql: String,
    pub input: Option<Input>,
    pub csv: Csv,
    /// The user gave the delimiter; otherwise rread recognises it.
    pub is_delimited: bool,
    /// Whether the first record holds the names; without a word of the user, rread decides.
    pub header: Option<bool>,
    /// Types of columns, as `name:type,…`.
    pub types: Option<String>,
    pub skip_bad: bool,
    /// In bytes, for sorting, grouping and joining.
    pub memory: usize,
    pub timeout: Option<Duration>,
    pub repeatable: bool,
    /// The form of the records of a log, whose values are columns.
    pub parse: Option<String>,
    /// Of a log.
    pub time: TimeRequest,
}

/// How the times of a log are read, and the window that is asked for.
#[derive(Clone, Debug, Default)]
pub struct TimeRequest {
    pub options: TimeOptions,
    /// The user gave one of these options.
    pub is_given: bool,
    pub since: Option<String>,
    pub until: Option<String>,
}

impl TimeRequest {
    pub(crate) fn has_window(&self) -> bool {
        self.since.is_some() || self.until.is_some()
    }
}
