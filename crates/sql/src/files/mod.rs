//! Many files as one table: their names and types are those of all, and they are read one after another.
//!
//! `head` looks at the beginning of each file, `columns` finds the columns of all, `partition` those in the names of
//! directories, `prune` the files that a query excludes, `rows` reads the others, `late` looks at those that nothing looked
//! at before, `plan` is the read as a node of a plan, `provider` the table as the engine sees it, `version` is that of all,
//! `progress` counts what was read, and `open` puts it together.

mod columns;
mod head;
mod late;
mod open;
mod partition;
mod plan;
mod progress;
mod provider;
mod prune;
mod reads;
mod rows;
mod set;
mod version;

pub use open::not_excluded;
pub(crate) use open::open;
#[cfg(feature = "cluster")]
pub(crate) use progress::Passed;
pub use progress::{FilesProgress, FilesRead};
pub use prune::PartitionConditions;
pub use reads::FilesSummary;
pub(crate) use reads::Reads;
pub use set::{FILE, Listed, OpenFile, TableFiles};
#[cfg(feature = "cluster")]
pub(crate) use {
    columns::{FoundColumns, TableKind},
    head::{Head, Look, NAMES},
    late::LateLook,
    partition::Partitions,
    plan::FilesScan,
    reads::MoreRead,
    rows::{FilesTable, Scan},
};
