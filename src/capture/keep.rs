//! From a stream to the disk, in constant memory: what is beyond the limit is counted, and the stream is read to its end
//! whatever happens, so that who writes to it is never held up or ended by us.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use super::record::{KeptTo, Record};
use super::session::Unfinished;
use crate::buffer::Buffer;
use crate::newline;
use crate::source::limit;
use crate::source::spool::read_when_ready;

/// Bytes asked of the stream at a time.
const BLOCK: usize = 256 << 10;

/// Takes a stream into an unfinished capture.
#[derive(Debug)]
pub(crate) struct Keeper {
    limit: u64,
    kept_to: KeptTo,
    passed: Arc<AtomicU64>,
}

/// What was taken of a stream.
#[derive(Debug)]
pub(crate) struct Taken {
    /// What is known of it; how a command ended and what it was is not in it.
    pub record: Record,
    /// Why reading ended before the stream did.
    pub failed_read: Option<io::Error>,
    /// Why not everything below the limit could be kept.
    pub failed_write: Option<io::Error>,
}

impl Keeper {
    /// Keeps at most `limit` bytes, of the `state_limit` that all captures have together.
    pub fn new(limit: u64, state_limit: u64) -> Self {
        let limits = [
            (limit, KeptTo::Limit),
            (state_limit, KeptTo::StateLimit),
            // Writing past this one would end the whole program by a signal.
            (limit::file_size().unwrap_or(u64::MAX), KeptTo::FileSizeLimit),
        ];
        let (limit, kept_to) = limits.into_iter().min_by_key(|(limit, _)| *limit).unwrap_or(limits[0]);
        Keeper { limit, kept_to, passed: Arc::default() }
    }

    /// How many bytes have come so far, for those who watch.
    pub fn passed(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.passed)
    }

    /// Takes all of `stream`.
    pub fn take(&self, stream: &mut dyn Read, unfinished: &mut Unfinished) -> Taken {
        let mut taken = Taken { record: Record::default(), failed_read: None, failed_write: None };
        let mut block = Buffer::new(BLOCK);
        loop {
            match read_when_ready(stream, &mut block) {
                Ok(0) => break,
                Ok(got) => {
                    self.passed.fetch_add(got as u64, Ordering::Relaxed);
                    self.keep(&block[..got], &mut unfinished.output, &mut taken);
                }
                Err(cause) => {
                    taken.failed_read = Some(cause);
                    break;
                }
            }
        }
        if taken.record.kept < taken.record.produced && taken.failed_write.is_none() {
            taken.record.kept_to = Some(self.kept_to);
        }
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        taken.record.taken = since_1970.as_secs();
        taken
    }

    fn keep(&self, bytes: &[u8], output: &mut File, taken: &mut Taken) {
        let record = &mut taken.record;
        record.produced = record.produced.saturating_add(bytes.len() as u64);
        let room = usize::try_from(self.limit - record.kept).unwrap_or(usize::MAX);
        let bytes = &bytes[..bytes.len().min(room)];
        if bytes.is_empty() || taken.failed_write.is_some() {
            return;
        }
        if let Err(cause) = output.write_all(bytes) {
            taken.failed_write = Some(cause);
            return;
        }
        record.kept += bytes.len() as u64;
        record.newlines += newline::count(bytes);
        record.unterminated = !bytes.ends_with(b"\n");
    }
}
