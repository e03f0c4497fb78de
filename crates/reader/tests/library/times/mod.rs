//! Windows of time: found by bisection, against a look at every record, and what they cost.

mod costs;
mod layouts;
mod merge;
mod windows;
