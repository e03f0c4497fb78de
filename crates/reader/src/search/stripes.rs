//! The parts of a file that the threads of a search take in turn.

use std::ops::Range;

use super::worker::Edge;
use crate::reader::Reader;

/// Blocks (of 256 KiB) that one thread searches at a time.
pub(super) const STRIPE_BLOCKS: u64 = 16;

/// Blocks that one thread searches before others start: the requested line is often among the first.
const FIRST_BLOCKS: u64 = 4;

/// Stripes that touch each other; the part of the search before them is for one thread.
pub(super) struct Stripes {
    starts: Starts,
    end: u64,
}

enum Starts {
    Every {
        first: u64,
        length: u64,
    },
    /// At checkpoints, from which a decoder can start.
    Checkpoints(Vec<u64>),
}

impl Stripes {
    /// The stripes of `span`; none if one thread is faster.
    pub(super) fn of(reader: &Reader, span: &Range<u64>) -> Self {
        let block = reader.block() as u64;
        let (first, length) = (span.start.saturating_add(FIRST_BLOCKS * block), STRIPE_BLOCKS * block);
        let starts = if reader.known_size().is_none() {
            Starts::Checkpoints(Vec::new())
        } else if !reader.source().info().is_sequential {
            Starts::Every { first, length }
        } else {
            let mut starts = reader.starts_of_decoders(length);
            starts.retain(|at| (first..span.end).contains(at));
            Starts::Checkpoints(starts)
        };
        Stripes { starts, end: span.end }
    }

    pub(super) fn get(&self, number: u64) -> Option<Range<u64>> {
        let start = |number: u64| match &self.starts {
            Starts::Every { first, length } => Some(first.saturating_add(number.saturating_mul(*length))),
            Starts::Checkpoints(starts) => starts.get(usize::try_from(number).ok()?).copied(),
        };
        let start_at = start(number).filter(|start| *start < self.end)?;
        Some(start_at..start(number + 1).map_or(self.end, |next| next.min(self.end)))
    }

    pub(super) fn start(&self) -> u64 {
        self.get(0).map_or(self.end, |stripe| stripe.start)
    }

    pub(super) fn end(&self) -> u64 {
        self.end
    }

    pub(super) fn are_decoded(&self) -> bool {
        matches!(self.starts, Starts::Checkpoints(_))
    }

    /// Who searches a line that begins at `at`, where a stripe ends.
    pub(super) fn edge_at(&self, at: u64) -> Edge {
        if self.are_decoded() && at < self.end { Edge::This } else { Edge::Next }
    }
}
