//! Captures: what a command put out, or what came on standard input, kept as files that a handle names.
//!
//! The state directory has a directory for each session, that one for each capture: `output`, the plain bytes, and
//! `record.json`. A capture gets its number, and with it its name, in one step when all of it is there.

mod handle;
mod keep;
mod names;
mod record;
mod run;
mod save;
mod session;
mod signals;

pub use handle::{Handle, check_name};
pub use keep::{Keeper, Taken};
pub use record::{Ended, KeptTo, Record, signal_name};
pub use run::{Running, Streams, outlive_interrupt};
pub use save::{Mode, Saved, save};
pub use session::{Capture, Dropped, Session, Unfinished};
