//! Search: the lines of a source that match a pattern, found block by block on all cores.
//!
//! [`pattern`] compiles what the user typed, [`matcher`] finds matching lines in a block of whole lines, [`worker`] reads
//! one stripe of a file, [`scan`] runs workers side by side and returns their batches in the order of the file, and
//! [`occurrences`] finds the matches in what is shown and adds lines of context.

#[cfg(test)]
mod decoded_tests;
pub mod matcher;
#[cfg(test)]
mod matches_tests;
mod multiline;
pub mod occurrences;
pub mod pattern;
pub mod scan;
mod steps;
pub mod unit;
pub mod walk;
pub mod worker;
