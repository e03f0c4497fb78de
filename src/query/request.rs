//! A query and its options.

use std::time::Duration;

use super::layout::{Csv, Input};

#[derive(Clone, Debug)]
pub(crate) struct QueryRequest {
    /// The query.
    pub sql: String,
    /// The kind of the table, if the user gave it.
    pub input: Option<Input>,
    /// The syntax, if the values are delimited.
    pub csv: Csv,
    /// Whether the user gave the delimiter; otherwise rread recognises it.
    pub is_delimited: bool,
    /// Types of columns, as `name:type,…`.
    pub types: Option<String>,
    /// Whether invalid records are left out.
    pub skip_bad: bool,
    /// The most bytes of memory for sorting, grouping and joining.
    pub memory: usize,
    /// The time limit of the query.
    pub timeout: Option<Duration>,
    /// Whether the rows must come in the same order every time.
    pub repeatable: bool,
}
