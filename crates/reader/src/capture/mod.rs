//! Captures: the output of a command, or standard input, kept as a file with a handle.
//!
//! The state directory holds one directory per session, with one per capture: `output`, the bytes, `record.json`, and,
//! if it differs from the bytes, the text `shown`.
//! A capture gets its number in one step, by a rename, once it is complete.

mod keep;
mod record;
mod session;

pub use keep::{Keeper, Taken};
pub use keep::{Mode, save};
pub use keep::{Running, Streams};
pub use record::{Ansi, Capture, Ended, Handle, KeptTo, Record, Shown, check_name, signal_name};
pub use session::{Dropped, Session, Unfinished};
