//! Tests of the reader as a library: against a naive oracle, over every kind of source, under faults.

mod conformance;
mod content;
mod costs;
mod faults;
mod first;
mod oracle;
mod pages;
mod ranges;
mod streams;
mod timed;
