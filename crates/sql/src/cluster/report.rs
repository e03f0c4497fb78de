//! The counts of a worker on their way to its client, and the first error of each kind.

use serde::{Deserialize, Serialize};

use super::words::SentError;
use crate::files::{FilesTable, MoreRead};
use crate::text::{LeftOut, Noted};
use rread_source::object::Traffic;
use std::sync::PoisonError;

#[derive(Debug, Default, Deserialize, Serialize)]
struct SentNoted {
    count: u64,
    first: Option<SentError>,
}

impl SentNoted {
    fn of(noted: &Noted) -> Self {
        SentNoted { count: noted.count, first: noted.first.as_ref().map(SentError::of) }
    }

    fn noted(self) -> Noted {
        Noted { count: self.count, first: self.first.map(SentError::error) }
    }
}

/// The counts of one read of a table.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Report {
    /// The number of the table on the client.
    pub id: u64,
    bytes: u64,
    files: u64,
    empty: u64,
    invalid: Option<(u64, u64)>,
    unreadable: SentNoted,
    records: SentNoted,
    members: SentNoted,
    repeated: SentNoted,
    unparsed: SentNoted,
    pub requests: u64,
    pub bytes_fetched: u64,
}

impl Report {
    /// The counts of `table` so far.
    pub fn of(id: u64, table: &FilesTable, traffic: Traffic) -> Self {
        let MoreRead { bytes, files, empty, invalid, unreadable } = table.reads.so_far();
        let left_out = table.left_out.lock().unwrap_or_else(PoisonError::into_inner);
        Report {
            id,
            bytes,
            files,
            empty,
            invalid,
            unreadable: SentNoted::of(&unreadable),
            records: SentNoted::of(&left_out.records),
            members: SentNoted::of(&left_out.members),
            repeated: SentNoted::of(&left_out.repeated),
            unparsed: SentNoted::of(&left_out.unparsed),
            requests: traffic.requests,
            bytes_fetched: traffic.bytes_fetched,
        }
    }

    /// Adds the counts to those of `table`.
    pub fn add_to(self, table: &FilesTable) {
        let Report { bytes, files, empty, invalid, .. } = self;
        table.reads.add(MoreRead { bytes, files, empty, invalid, unreadable: self.unreadable.noted() });
        table.left_out.lock().unwrap_or_else(PoisonError::into_inner).add(LeftOut {
            records: self.records.noted(),
            members: self.members.noted(),
            repeated: self.repeated.noted(),
            unparsed: self.unparsed.noted(),
        });
    }
}
