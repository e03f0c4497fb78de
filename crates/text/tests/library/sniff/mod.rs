//! Text or binary: the rule on samples.

mod samples;
mod wide;
