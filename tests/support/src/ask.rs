//! Requests to the reader with and without an index, compared with the naive oracle.

use std::path::Path;

use rread_reader::index::{Outcome, Policy};
use rread_reader::reader::{Reader, Tuning};
use rread_reader::selection::{Context, Selection};
use rread_source::open::open;
use rread_text::error::Kind;
use rread_text::range::{Form, Place, Range, Unit};

use crate::naive::{Expected, Whole};
use crate::rng::Rng;

/// Bytes of a file per record of the index.
pub const B: usize = rread_reader::index::INDEX_BLOCK;

/// One request to the reader.
#[derive(Clone, Debug)]
pub enum Request {
    /// Boundaries after so many lines, in ascending order.
    Front(Vec<u64>),
    /// Where the last so many lines begin, in ascending order.
    Back(Vec<u64>),
    Count,
    /// Newlines before a byte, and the start of its line.
    Before(u64),
    /// Ranges as on the command line.
    Select {
        ranges: Vec<Range>,
        context: Context,
        header: u64,
        numbers: bool,
    },
    /// The full scan.
    FullScan,
    /// What the reader knows without a scan.
    Known,
}

impl Request {
    /// A random request, mostly near the edges of blocks.
    pub fn any(rng: &mut Rng, whole: &Whole) -> Request {
        match rng.below(12) {
            0 => Request::Count,
            1 => Request::Known,
            2 if rng.one_in(3) => Request::FullScan,
            2 | 3 => Request::Before(offset(rng, whole)),
            4 => Request::Back(some_lines(rng, whole)),
            5 | 6 => Request::Front(some_lines(rng, whole)),
            _ => {
                let ranges = (0..1 + rng.below(4)).map(|_| range(rng, whole)).collect();
                let around = |rng: &mut Rng| if rng.one_in(3) { rng.below(5) as u64 } else { 0 };
                let context = Context { before: around(rng), after: around(rng) };
                Request::Select { ranges, context, header: around(rng), numbers: rng.one_in(3) }
            }
        }
    }
}

/// A random offset, mostly at the edge of a block.
fn offset(rng: &mut Rng, whole: &Whole) -> u64 {
    let size = whole.bytes.len();
    let near = rng.below(size / B + 1) * B + rng.below(3);
    let at = if rng.one_in(3) { rng.below(size + 1) } else { near.saturating_sub(1) };
    at.min(size) as u64
}

/// A random line number, mostly at the edge of a block, sometimes past the end.
fn line(rng: &mut Rng, whole: &Whole) -> u64 {
    let at = offset(rng, whole);
    let before = whole.bounds.partition_point(|bound| *bound <= at) as u64;
    match rng.below(20) {
        0 => 1,
        1 => whole.lines() + rng.below(3) as u64,
        _ => before + rng.below(2) as u64,
    }
    .max(1)
}

fn some_lines(rng: &mut Rng, whole: &Whole) -> Vec<u64> {
    let mut lines: Vec<u64> = (0..1 + rng.below(4)).map(|_| line(rng, whole)).collect();
    lines.sort_unstable();
    lines
}

fn range(rng: &mut Rng, whole: &Whole) -> Range {
    let (a, b) = (line(rng, whole), line(rng, whole));
    let back = |n: u64| Place::Back((whole.lines() + 1).saturating_sub(n).max(1));
    let place = |rng: &mut Rng, n: u64| if rng.one_in(3) { back(n) } else { Place::Front(n) };
    let (low, high) = (a.min(b), a.max(b));
    let form = match rng.below(4) {
        0 => Form::One(place(rng, a)),
        1 => Form::Counted(place(rng, a), rng.below(2000) as u64),
        2 => Form::Between(Some(back(low)), None),
        _ => Form::Between(Some(place(rng, low)), Some(Place::Front(high))),
    };
    Range { unit: Unit::Lines, form }
}

/// Sends `request` to the file at `path` with the content `whole`, and checks the answer.
/// Returns the outcome of the index and the bytes that the answer reports as scanned.
pub fn ask(
    path: &Path,
    whole: &Whole,
    policy: Option<&Policy>,
    tuning: Tuning,
    request: &Request,
    case: &dyn std::fmt::Display,
) -> (Outcome, u64) {
    let reader = Reader::new(open(path).unwrap(), tuning).unwrap();
    if let Some(policy) = policy {
        reader.use_index(path, policy);
    }
    check(&reader, whole, request, case);
    let known = reader.known_lines();
    assert!(known.is_none_or(|n| n == whole.lines()), "{known:?} lines known after {request:?}: {case}");
    reader.save_index(false);
    (reader.index_outcome(), reader.scanned())
}

/// Sends `request` to `reader`, whose content is `whole`.
pub fn check(reader: &Reader, whole: &Whole, request: &Request, case: &dyn std::fmt::Display) {
    let reported = |lines: Option<u64>| {
        assert!(
            lines.is_none_or(|n| n == whole.lines()),
            "{lines:?} lines reported after {request:?}: {case}"
        );
    };
    match request {
        Request::Front(counts) => {
            let found = reader.find_lines(counts, false).unwrap();
            let got: Vec<_> = found.boundaries.iter().map(|mark| (mark.offset, mark.lines)).collect();
            let there = |n: &u64| (whole.after(*n), Some((*n).min(whole.lines())));
            assert_eq!(got, counts.iter().map(there).collect::<Vec<_>>(), "{request:?}: {case}");
            reported(found.total_lines);
        }
        Request::Back(counts) => {
            let found = reader.find_lines_back(counts).unwrap();
            let expected: Vec<u64> = counts.iter().map(|n| whole.before_last(*n)).collect();
            assert_eq!(found.offsets, expected, "{request:?}: {case}");
            reported(found.total_lines);
        }
        Request::Count => assert_eq!(reader.count_lines().unwrap(), whole.lines(), "{request:?}: {case}"),
        Request::Before(offset) => {
            let newlines = reader.newlines_before(*offset).unwrap();
            assert_eq!(newlines, whole.newlines_before(*offset), "{request:?}: {case}");
            let at = whole.bounds.partition_point(|bound| bound <= offset);
            let start = if *offset == whole.size() { None } else { Some(whole.bounds[at - 1]) };
            let found = reader.line_start(*offset).unwrap();
            assert!(start.is_none_or(|start| start == found), "{start:?} {found} {request:?}: {case}");
        }
        Request::Select { ranges, context, header, numbers } => {
            let selection = Selection { ranges, context: *context, header: *header, numbers: *numbers };
            let located = selection.locate(reader).unwrap();
            reported(located.total_lines);
            assert_eq!(located.header_end, whole.after(*header), "{request:?}: {case}");
            for (range, slice) in ranges.iter().zip(&located.slices) {
                let what = format!("{range} of {request:?}: {case}");
                match (whole.locate(*range, *context), slice) {
                    (Expected::Slice { start, end, first_line, .. }, Ok(slice)) => {
                        assert_eq!((slice.start, slice.end), (start, end), "{what}");
                        assert!(slice.first_line.is_none() || slice.first_line == first_line, "{what}");
                        assert!(slice.first_line.is_some() || !numbers, "{what}");
                    }
                    (Expected::OutOfRange, Err(error)) => assert_eq!(error.kind, Kind::OutOfRange, "{what}"),
                    (Expected::Crossed, Err(error)) => assert_eq!(error.kind, Kind::InvalidRange, "{what}"),
                    (expected, got) => panic!("{expected:?}, {got:?}: {what}"),
                }
            }
        }
        Request::FullScan => {
            let full_scan = reader.full_scan().unwrap();
            assert_eq!(full_scan.lines, whole.lines(), "{request:?}: {case}");
            let newlines = whole.newlines_before(whole.size());
            assert_eq!(full_scan.lf + full_scan.crlf, newlines, "{request:?}: {case}");
        }
        Request::Known => {}
    }
}
