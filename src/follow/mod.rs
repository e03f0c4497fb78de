//! Follows growing files: what was appended, across rotation and truncation.
//!
//! [`tail`] is the state of one file, [`held`] keeps the beginning of a line until it ends, [`watch`] waits for changes
//! without polling where the system reports them, and [`wake`] has the threads that wait for anything else.

pub(crate) mod held;
pub(crate) mod tail;
pub(crate) mod wake;
pub(crate) mod watch;
