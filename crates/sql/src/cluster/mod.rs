//! A query on several machines: its client cuts the plan, and workers read and aggregate the files.
//!
//! The parts of a plan are those of `datafusion-distributed`. What travels is a plan whose leaf is our own read of files, so
//! a worker reads what `select` reads alone. `words` are errors on their way, `report` what a worker counted, `options`
//! and `wire` the leaf as bytes, `codec` both directions, `channel` the connections, `worker` the server, `find` who is
//! there, `plan` cuts, `stoppable` ends the rows before their end, `progress` shows how far the workers are, and `deadline`
//! ends what takes a worker too long; `checked` is for tests that damage plans.

mod channel;
mod checked;
mod codec;
mod deadline;
mod find;
mod options;
mod plan;
mod progress;
mod report;
mod stoppable;
mod wire;
mod words;
mod worker;

#[doc(hidden)]
pub use checked::{CheckedWorker, check_plan, plan_bytes, send_plan, task_bytes};
pub use codec::{OpenedBy, Opening};
pub use find::{FoundWorkers, find};
pub(crate) use plan::{Sent, error_of, plan};
pub use worker::{WorkerOptions, check_identity, serve};
