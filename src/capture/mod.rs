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

pub use handle::Handle;
pub(crate) use handle::check_name;
pub(crate) use keep::{Keeper, Taken};
pub use record::Record;
pub(crate) use record::{Ended, KeptTo, signal_name};
pub use run::Streams;
pub(crate) use run::{Running, outlive_interrupt};
pub use save::{Mode, save};
pub use session::{Capture, Session};
pub(crate) use session::{Dropped, Unfinished};
