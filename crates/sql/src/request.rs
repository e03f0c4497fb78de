//! A query and its options.

use std::time::Duration;

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
}
