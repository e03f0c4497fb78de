//! Captures: the output of a command, or standard input, kept as a file with a handle.
//!
//! The state directory holds one directory per session, with one per capture: `output`, the bytes, and `record.json`.
//! A capture gets its number in one step, by a rename, once it is complete.

// It is public for the fuzz targets only.
#![allow(missing_docs)]

mod handle;
mod keep;
mod published;
mod record;
mod run;
mod save;
mod session;

pub use handle::Handle;
pub(crate) use handle::check_name;
pub(crate) use keep::{Keeper, Taken};
pub use published::Capture;
pub use record::Record;
pub(crate) use record::{Ended, KeptTo, signal_name};
pub(crate) use run::Running;
pub use save::{Mode, save};
pub use session::Session;
pub(crate) use session::{Dropped, Unfinished};
