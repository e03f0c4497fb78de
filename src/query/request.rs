//! A query and its options.

use std::time::Duration;

use super::layout::{Csv, Input};

#[derive(Clone, Debug)]
pub(crate) struct QueryRequest {
    pub sql: String,
    /// The kind of the table, if the user gave it.
    pub input: Option<Input>,
    pub csv: Csv,
    /// Whether the user gave the delimiter; otherwise rread recognises it.
    pub is_delimited: bool,
    /// Types of columns, as `name:type,…`.
    pub types: Option<String>,
    /// Whether invalid records are left out.
    pub skip_bad: bool,
    /// Bytes for sorting, grouping and joining.
    pub memory: usize,
    pub timeout: Option<Duration>,
    /// Whether rows must come in the same order every time.
    pub repeatable: bool,
}
