//! Captures: the output of a command, or standard input, kept as a file with a handle.
//!
//! The state directory holds one directory per session, with one per capture: `output`, the bytes, `record.json`, and,
//! if it differs from the bytes, the text `shown`.
//! A capture gets its number in one step, by a rename, once it is complete.

mod handle;
mod keep;
mod marks;
mod published;
mod record;
mod run;
mod save;
mod session;
mod shown;
mod strip;

pub use handle::Handle;
pub use handle::check_name;
pub use keep::{Keeper, Taken};
pub use published::Capture;
pub use record::{Ansi, Record, Shown};
pub use record::{Ended, KeptTo, signal_name};
pub use run::{Running, Streams};
pub use save::{Mode, save};
pub use session::Session;
pub use session::{Dropped, Unfinished};
