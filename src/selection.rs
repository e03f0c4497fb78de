//! From what was asked to where it lies: ranges become points to find, points found become slices.

use crate::error::{Error, Kind, Result};
use crate::range::{Boundary, FoundLines, Point, Range, Unit};
pub use crate::range::{Context, Slice};
use crate::reader::Reader;

/// Everything that is to be found in one go.
#[derive(Clone, Debug)]
pub struct Selection<'a> {
    /// The ranges, in the order asked.
    pub ranges: &'a [Range],
    /// Context of the line ranges.
    pub context: Context,
    /// Lines at the start of the file that go before every slice.
    pub header: u64,
    /// Whether line numbers are needed even where they cost a scan.
    pub numbers: bool,
}

/// How much a caller delivers at most: so many lines, and the content of so many bytes after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Lines.
    pub lines: u64,
    /// Bytes of the source.
    pub bytes: u64,
}

/// What was found for a [`Selection`].
#[derive(Clone, Debug)]
pub struct Located {
    /// A slice for every range, or why there is none.
    pub slices: Vec<Result<Slice>>,
    /// Where the header lines end.
    pub header_end: u64,
    /// The number of lines, if it is known now.
    pub total_lines: Option<u64>,
}

impl Selection<'_> {
    /// Finds all slices: at most one pass from the front and one from the end.
    pub fn locate(&self, reader: &Reader) -> Result<Located> {
        self.locate_within(reader, None)
    }

    /// As [`Selection::locate`], for a caller that delivers less than `reach`: a slice whose end lies further than that after
    /// its start may end anywhere beyond.
    pub(crate) fn locate_within(&self, reader: &Reader, reach: Option<Reach>) -> Result<Located> {
        let marks = self.find(reader, reach).or_else(|error| match error.kind {
            // Once more, without what was remembered.
            Kind::Changed => self.find(reader, reach),
            _ => Err(error),
        })?;
        let header_end = marks.mark(Point::Front(self.header), reader)?.offset;
        let slices = self
            .ranges
            .iter()
            .map(|range| match range.unit {
                Unit::Bytes => byte_slice(*range, reader),
                Unit::Lines => self.line_slice(*range, &marks, reader),
            })
            .map(|slice| match slice {
                Err(error) if matches!(error.kind, Kind::OutOfRange | Kind::InvalidRange) => Ok(Err(error)),
                Err(error) => Err(error),
                Ok(slice) => Ok(Ok(slice)),
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Located { slices, header_end, total_lines: marks.total })
    }

    /// Finds every line boundary that the slices need.
    fn find(&self, reader: &Reader, reach: Option<Reach>) -> Result<Marks> {
        let lines: Vec<Range> = self.ranges.iter().copied().filter(|r| r.unit == Unit::Lines).collect();
        let mut points: Vec<Point> =
            lines.iter().flat_map(|range| range.points(self.context, None)).collect();
        points.push(Point::Front(self.header));
        let ends = reach.map_or(Vec::new(), |reach| self.budget_ends(&lines, reach.lines));
        points.extend(ends.iter().map(|end| Point::Front(*end)));
        let back = sorted(points.iter().filter_map(|point| match point {
            Point::Back(n) if *n > 0 => Some((*n, 0)),
            _ => None,
        }));
        if !back.is_empty() && reader.known_size().is_none() {
            return self.find_while_draining(&lines, &points, reader);
        }
        let mut marks = Marks { back, ..Marks::default() };
        if !marks.back.is_empty() {
            if self.numbers || reader.is_cheap_to_count() {
                marks.counted = Some(reader.count_lines()?);
            } else {
                let counts: Vec<u64> = marks.back.iter().map(|(n, _)| *n).collect();
                let found = reader.find_lines_back(&counts)?;
                marks.back = counts.into_iter().zip(found.offsets).collect();
                marks.counted = found.total_lines;
            }
        }
        if let Some(total) = marks.counted {
            // With the total at hand everything can be counted from the front.
            points.extend(lines.iter().flat_map(|range| range.points(self.context, Some(total))));
        }
        let front = from_front(points);
        let to_end = !lines.is_empty() && reader.is_cheap_to_count() && marks.counted.is_none();
        let found = match reach.filter(|_| !to_end && marks.back.is_empty()) {
            Some(reach) => {
                let needed = ends.into_iter().fold(self.last_start(&lines), u64::max);
                reader.find_lines_within(&front, needed, reach.bytes)?
            }
            None => reader.find_lines(&front, to_end)?,
        };
        marks.front = front.into_iter().zip(found.marks).collect();
        if let (Some(counted), Some(total)) = (marks.counted, found.total_lines)
            && counted != total
        {
            // What the index said of the end was not true of the file, and is forgotten by now.
            return Err(reader.rewritten());
        }
        marks.total = marks.counted.or(found.total_lines);
        Ok(marks)
    }

    /// The lines before the last place at which content begins.
    fn last_start(&self, lines: &[Range]) -> u64 {
        let starts = lines.iter().filter_map(|range| match range.start() {
            Point::Front(n) => Some(n),
            Point::Back(_) => None,
        });
        starts.max().unwrap_or(0).max(self.header)
    }

    /// How many lines come before the place where a budget of `left` lines ends each range, if it has one. Every range leaves
    /// less of it to the next.
    fn budget_ends(&self, lines: &[Range], mut left: u64) -> Vec<u64> {
        let mut ends = Vec::new();
        if left == 0 {
            return ends;
        }
        for range in lines {
            let [_, _, Point::Front(earlier), later] = range.points(self.context, None) else { continue };
            let header = self.header.min(earlier);
            let last = if let Point::Front(later) = later { later } else { u64::MAX };
            ends.push(earlier.saturating_add(left.saturating_sub(header)).min(last));
            left = left.saturating_sub(header.saturating_add(last.saturating_sub(earlier)));
        }
        ends
    }

    /// Finds the same in a source that has to be read to its end for it: what is counted from the front on the way
    /// there, together with the number of lines, and the rest on the way back.
    fn find_while_draining(&self, lines: &[Range], points: &[Point], reader: &Reader) -> Result<Marks> {
        let front = from_front(points.iter().copied());
        let found = reader.find_lines(&front, true)?;
        // Without a number, a failure came behind the last line looked for: it is met again.
        let total = found.total_lines.map_or_else(|| reader.count_lines(), Ok)?;
        let all = from_front(lines.iter().flat_map(|range| range.points(self.context, Some(total))));
        let rest = all.into_iter().rev().filter(|n| front.binary_search(n).is_err());
        let rest: Vec<u64> = rest.collect();
        let counts: Vec<u64> = rest.iter().map(|n| total.saturating_sub(*n)).collect();
        let offsets = reader.find_lines_back(&counts)?.offsets;
        let mut front: Vec<(u64, Boundary)> = front.into_iter().zip(found.marks).collect();
        let at = |(n, offset): (u64, u64)| (n, Boundary { offset, lines: Some(n.min(total)) });
        front.extend(rest.into_iter().zip(offsets).map(at));
        front.sort_unstable_by_key(|(n, _)| *n);
        Ok(Marks { front, counted: Some(total), total: Some(total), ..Marks::default() })
    }

    fn line_slice(&self, range: Range, marks: &Marks, reader: &Reader) -> Result<Slice> {
        let points = range.points(self.context, marks.counted);
        let [start, end, earlier, later] = points;
        let at = |point| marks.mark(point, reader);
        let boundaries = [at(start)?, at(end)?, at(earlier)?, at(later)?];
        let [.., last] = boundaries;
        let (total_lines, total_bytes) = (marks.total, reader.known_size());
        let slice = range.resolve_lines(&FoundLines { points, boundaries, total_lines, total_bytes })?;
        // The end counted from the front and the end of the file must be one.
        let is_end = marks.counted.is_some() && last.lines == marks.counted;
        if slice.start < slice.end && is_end && Some(last.offset) != total_bytes {
            return Err(reader.rewritten());
        }
        Ok(slice)
    }
}

fn byte_slice(range: Range, reader: &Reader) -> Result<Slice> {
    range.resolve_bytes(match (range.start(), range.end()) {
        (Point::Front(start), Point::Front(end)) => reader.reach(start.max(end))?,
        _ => reader.size()?,
    })
}

/// The boundaries that were found.
#[derive(Default)]
struct Marks {
    front: Vec<(u64, Boundary)>,
    back: Vec<(u64, u64)>,
    /// The number of lines, when it was known in time for points from the end to be looked for from the front.
    counted: Option<u64>,
    /// The number of lines, as far as it is known in the end.
    total: Option<u64>,
}

impl Marks {
    fn mark(&self, point: Point, reader: &Reader) -> Result<Boundary> {
        Ok(match point {
            Point::Front(n) => look_up(&self.front, n)?,
            Point::Back(0) => Boundary { offset: reader.size()?, lines: self.total },
            Point::Back(n) => {
                let lines = self.total.map(|total| total.saturating_sub(n));
                Boundary { offset: look_up(&self.back, n)?, lines }
            }
        })
    }
}

/// What was found for `key`. Everything is looked for before it is looked up; better no answer than
/// that of a neighbour.
fn look_up<T: Copy>(found: &[(u64, T)], key: u64) -> Result<T> {
    match found.binary_search_by_key(&key, |(key, _)| *key) {
        Ok(at) => Ok(found[at].1),
        Err(_) => Err(Error::new(Kind::Io, format!("the boundary {key} was not looked for"))),
    }
}

/// The line counts of those points that are counted from the front.
fn from_front(points: impl IntoIterator<Item = Point>) -> Vec<u64> {
    sorted(points.into_iter().filter_map(|point| match point {
        Point::Front(n) => Some(n),
        Point::Back(_) => None,
    }))
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}
