//! Tests of the reader as a library: against a naive oracle, over every kind of source, under faults.

mod content;
mod faults;
mod streams;
