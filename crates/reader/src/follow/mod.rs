//! Follows growing files: what was appended, across rotation and truncation.
//!
//! [`tail`] is the state of one file, [`held`] keeps the beginning of a line until it ends, [`watch`] waits for changes
//! without polling where the system reports them, [`wake`] has the threads that wait for anything else, and [`chain`] makes
//! one text of the files that a name had.

pub mod chain;
pub mod held;
pub mod tail;
pub mod wake;
pub mod watch;
