//! The look-ups for a list of ranges: the boundaries that they need, found in one pass from each end of the file.

use crate::reader::Reader;
use rread_text::range::{Boundary, Point, RangeBoundaries};
pub use rread_text::range::{Context, Slice};
use rread_text::{Error, Kind, Range, Result, Unit};

/// Ranges to find in one file.
#[derive(Clone, Debug)]
pub struct Selection<'a> {
    /// The ranges, of lines or bytes, in any order.
    pub ranges: &'a [Range],
    /// Lines to add to every range of lines.
    pub context: Context,
    /// Lines at the start of the file that go before every slice.
    pub header: u64,
    /// Whether line numbers are needed even if they cost a scan.
    pub numbers: bool,
}

/// The most that a caller writes: so many lines, and the content of so many bytes after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The number of lines.
    pub lines: u64,
    /// The number of bytes after them.
    pub bytes: u64,
}

/// The slices that were found.
#[derive(Clone, Debug)]
pub struct Located {
    /// A slice for every range, or why it has none.
    pub slices: Vec<Result<Slice>>,
    /// The offset after the header.
    pub header_end: u64,
    /// The lines of the file, if the pass had to count them.
    pub total_lines: Option<u64>,
}

impl<'a> Selection<'a> {
    /// `ranges` alone: no context, no header, and line numbers only if they cost nothing.
    pub fn of(ranges: &'a [Range]) -> Self {
        Selection { ranges, context: Context::default(), header: 0, numbers: false }
    }

    /// Finds all slices: at most one pass from the front and one from the end.
    pub fn locate(&self, reader: &Reader) -> Result<Located> {
        self.locate_within(reader, None)
    }

    /// As [`Selection::locate`], for a caller that writes at most `reach`: a slice that ends further than that after its
    /// start may get any end beyond.
    pub fn locate_within(&self, reader: &Reader, reach: Option<Reach>) -> Result<Located> {
        let table = self.find(reader, reach).or_else(|error| match error.kind {
            // The reader has dropped the index that was wrong: try once without it.
            Kind::Changed => self.find(reader, reach),
            _ => Err(error),
        })?;
        let header_end = table.boundary(Point::Front(self.header), reader)?.offset;
        let slices = self
            .ranges
            .iter()
            .map(|range| match range.unit {
                Unit::Bytes => byte_slice(*range, reader),
                Unit::Lines => self.line_slice(*range, &table, reader),
            })
            .map(|slice| match slice {
                Err(error) if !matches!(error.kind, Kind::OutOfRange | Kind::InvalidRange) => Err(error),
                slice => Ok(slice),
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Located { slices, header_end, total_lines: table.total })
    }

    fn find(&self, reader: &Reader, reach: Option<Reach>) -> Result<BoundaryTable> {
        let lines: Vec<Range> = self.ranges.iter().copied().filter(|r| r.unit == Unit::Lines).collect();
        let mut points = self.points(&lines, None);
        points.push(Point::Front(self.header));
        let ends = reach.map_or(Vec::new(), |reach| self.budget_ends(&lines, reach.lines));
        points.extend(ends.iter().map(|end| Point::Front(*end)));
        let back = sort(points.iter().filter_map(|point| match point {
            Point::Back(n) if *n > 0 => Some(*n),
            _ => None,
        }));
        if !back.is_empty() && reader.known_size().is_none() {
            return self.find_while_draining(&lines, &points, reader);
        }
        let mut table = BoundaryTable::default();
        if !back.is_empty() {
            if self.numbers || reader.is_cheap_to_count() {
                table.counted = Some(reader.count_lines()?);
            } else {
                let found = reader.find_lines_back(&back)?;
                table.back = back.iter().copied().zip(found.offsets).collect();
                table.counted = found.total_lines;
            }
        }
        if table.counted.is_some() {
            points.extend(self.points(&lines, table.counted));
        }
        let front = from_front(points);
        let to_end = !lines.is_empty() && reader.is_cheap_to_count() && table.counted.is_none();
        let found = match reach.filter(|_| !to_end && back.is_empty()) {
            Some(reach) => {
                let starts = from_front(lines.iter().map(|range| range.start()));
                let needed = starts.into_iter().chain(ends).fold(self.header, u64::max);
                reader.find_lines_within(&front, needed, reach.bytes)?
            }
            None => reader.find_lines(&front, to_end)?,
        };
        table.front = front.into_iter().zip(found.boundaries).collect();
        if let (Some(counted), Some(total)) = (table.counted, found.total_lines)
            && counted != total
        {
            // The index was wrong about the end of the file; the reader has dropped it.
            return Err(reader.rewritten_error());
        }
        table.total = table.counted.or(found.total_lines);
        Ok(table)
    }

    fn points(&self, lines: &[Range], total: Option<u64>) -> Vec<Point> {
        lines.iter().flat_map(|range| range.points(self.context, total)).collect()
    }

    /// For each range, the lines before the point where a budget of `left` lines ends it. Every range leaves less of the
    /// budget to the next.
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

    /// As [`Selection::find`], in a stream that must be read to its end: boundaries that count from the front are found
    /// on the way there, together with the total, and the others on the way back.
    fn find_while_draining(
        &self,
        lines: &[Range],
        points: &[Point],
        reader: &Reader,
    ) -> Result<BoundaryTable> {
        let front = from_front(points.iter().copied());
        let found = reader.find_lines(&front, true)?;
        // No total: reading failed past the last requested line. Count again so that the error surfaces.
        let total = found.total_lines.map_or_else(|| reader.count_lines(), Ok)?;
        let all = from_front(self.points(lines, Some(total)));
        let rest: Vec<u64> = all.into_iter().rev().filter(|n| front.binary_search(n).is_err()).collect();
        let counts: Vec<u64> = rest.iter().map(|n| total.saturating_sub(*n)).collect();
        let offsets = reader.find_lines_back(&counts)?.offsets;
        let mut front: Vec<(u64, Boundary)> = front.into_iter().zip(found.boundaries).collect();
        let at = |(n, offset): (u64, u64)| (n, Boundary { offset, lines: Some(n.min(total)) });
        front.extend(rest.into_iter().zip(offsets).map(at));
        front.sort_unstable_by_key(|(n, _)| *n);
        Ok(BoundaryTable { front, back: Vec::new(), counted: Some(total), total: Some(total) })
    }

    fn line_slice(&self, range: Range, table: &BoundaryTable, reader: &Reader) -> Result<Slice> {
        let points = range.points(self.context, table.counted);
        let [start, end, earlier, later] = points;
        let at = |point| table.boundary(point, reader);
        let boundaries = [at(start)?, at(end)?, at(earlier)?, at(later)?];
        let [.., last] = boundaries;
        let (total_lines, total_bytes) = (table.total, reader.known_size());
        let slice = range.resolve_lines(&RangeBoundaries { points, boundaries, total_lines, total_bytes })?;
        // The end as counted from the front must be the end of the file.
        let is_end = table.counted.is_some() && last.lines == table.counted;
        if slice.start < slice.end && is_end && Some(last.offset) != total_bytes {
            return Err(reader.rewritten_error());
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

/// Boundaries by the number of lines before or after them.
#[derive(Default)]
struct BoundaryTable {
    front: Vec<(u64, Boundary)>,
    back: Vec<(u64, u64)>,
    /// The total, if known early enough to find points that count from the end from the front instead.
    counted: Option<u64>,
    /// The total, if known after all passes.
    total: Option<u64>,
}

impl BoundaryTable {
    fn boundary(&self, point: Point, reader: &Reader) -> Result<Boundary> {
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

/// The value of `key`. [`Selection::find`] finds every key first; an error is better than the value of a neighbour.
fn look_up<T: Copy>(found: &[(u64, T)], key: u64) -> Result<T> {
    match found.binary_search_by_key(&key, |(key, _)| *key) {
        Ok(at) => Ok(found[at].1),
        Err(_) => Err(Error::new(Kind::Io, format!("the boundary {key} was not looked for"))),
    }
}

/// The line counts of the points that count from the front.
fn from_front(points: impl IntoIterator<Item = Point>) -> Vec<u64> {
    sort(points.into_iter().filter_map(|point| match point {
        Point::Front(n) => Some(n),
        Point::Back(_) => None,
    }))
}

fn sort(items: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut items: Vec<u64> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use rread_text::range::parse_list;

    #[test]
    fn a_line_budget_ends_each_range_and_shrinks_for_the_next() {
        for (list, header, left, expected) in [
            ("1:5", 0, 3, vec![3]),
            ("1:5", 0, 9, vec![5]),
            ("1:5,11:15", 0, 7, vec![5, 12]),
            ("1:5,11:15", 0, 5, vec![5, 10]),
            ("11:15", 2, 5, vec![13]),
            ("11:", 0, 5, vec![15]),
            ("-5:", 0, 5, vec![]),
            ("1:5", 0, 0, vec![]),
        ] {
            let ranges = parse_list(list, Unit::Lines).unwrap();
            let selection = Selection { header, ..Selection::of(&ranges) };
            assert_eq!(selection.budget_ends(&ranges, left), expected, "{list}, {left} lines");
        }
    }
}
