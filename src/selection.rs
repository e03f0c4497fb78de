//! From what was asked to where it lies: ranges become points to find, points found become slices.

use crate::error::{Error, Kind, Result, counted};
use crate::range::{Form, Place, Point, Range, Unit};
use crate::reader::{Mark, Reader};

/// What one range turned out to be, before characters and budgets have had their say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The first byte.
    pub start: u64,
    /// Past the last byte.
    pub end: u64,
    /// The number of the first line, for lines, where it is known.
    pub first_line: Option<u64>,
    /// Whether the slice is what the words say, neither clamped nor widened.
    pub exact: bool,
    /// Whether the file ends before the range does.
    pub short: bool,
}

/// How much to add around every line range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// Lines before.
    pub before: u64,
    /// Lines after.
    pub after: u64,
}

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
                Unit::Bytes => self.byte_slice(*range, reader),
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
        let mut points: Vec<Point> = lines.iter().flat_map(|range| self.points(*range, None)).collect();
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
            points.extend(lines.iter().flat_map(|range| self.points(*range, Some(total))));
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
            let [_, _, Point::Front(earlier), later] = self.points(*range, None) else { continue };
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
        let all = from_front(lines.iter().flat_map(|range| self.points(*range, Some(total))));
        let rest = all.into_iter().rev().filter(|n| front.binary_search(n).is_err());
        let rest: Vec<u64> = rest.collect();
        let counts: Vec<u64> = rest.iter().map(|n| total.saturating_sub(*n)).collect();
        let offsets = reader.find_lines_back(&counts)?.offsets;
        let mut front: Vec<(u64, Mark)> = front.into_iter().zip(found.marks).collect();
        let at = |(n, offset): (u64, u64)| (n, Mark { offset, lines: Some(n.min(total)) });
        front.extend(rest.into_iter().zip(offsets).map(at));
        front.sort_unstable_by_key(|(n, _)| *n);
        Ok(Marks { front, counted: Some(total), total: Some(total), ..Marks::default() })
    }

    /// The points of a range: start and end as asked, then with context. In a file whose `total` is
    /// known, all of them from the front.
    fn points(&self, range: Range, total: Option<u64>) -> [Point; 4] {
        let (start, end) = match total {
            None => (range.start(), range.end()),
            Some(total) => {
                let start = range.start().from_front(total);
                (Point::Front(start), Point::Front(range.end_from(start, total)))
            }
        };
        let earlier = match start {
            Point::Front(n) => Point::Front(n.saturating_sub(self.context.before)),
            Point::Back(n) => Point::Back(n.saturating_add(self.context.before)),
        };
        let later = match end {
            Point::Front(n) => Point::Front(n.saturating_add(self.context.after)),
            Point::Back(n) => Point::Back(n.saturating_sub(self.context.after)),
        };
        [start, end, earlier, later]
    }

    fn line_slice(&self, range: Range, marks: &Marks, reader: &Reader) -> Result<Slice> {
        let [start, end, earlier, later] = self.points(range, marks.counted);
        let first = marks.mark(start, reader)?;
        check_start(range, first, reader.known_size())?;
        let last = marks.mark(end, reader)?;
        let is_short =
            |mark: Mark| matches!((later, mark.lines), (Point::Front(n), Some(there)) if n > there);
        let empty = |mark: Mark| Slice {
            start: mark.offset,
            end: mark.offset,
            first_line: mark.lines.map(|n| n + 1),
            exact: true,
            short: is_short(last),
        };
        if let (Point::Back(_), Point::Front(_)) = (range.start(), range.end())
            && last.offset < first.offset
            && let Form::Between(Some(start), Some(end)) = range.form
        {
            return Err(range.crossed(&start.to_string(), &end.to_string()));
        }
        if last.offset <= first.offset {
            return Ok(empty(first));
        }
        let (wide_first, wide_last) = (marks.mark(earlier, reader)?, marks.mark(later, reader)?);
        // The end counted from the front and the end of the file must be one.
        let is_end = |mark: Mark| marks.counted.is_some() && mark.lines == marks.counted;
        if is_end(wide_last) && Some(wide_last.offset) != reader.known_size() {
            return Err(reader.rewritten());
        }
        let clamped_start =
            matches!((range.start(), marks.total), (Point::Back(n), Some(total)) if n > total);
        let clamped_end = matches!((end, last.lines), (Point::Front(n), Some(there)) if n > there)
            || matches!(range.form, Form::Counted(Place::Back(n), count) if count > n);
        Ok(Slice {
            start: wide_first.offset,
            end: wide_last.offset,
            first_line: wide_first.lines.map(|n| n + 1),
            exact: wide_first == first && wide_last == last && !clamped_start && !clamped_end,
            short: is_short(wide_last),
        })
    }

    fn byte_slice(&self, range: Range, reader: &Reader) -> Result<Slice> {
        let total = match (range.start(), range.end()) {
            (Point::Front(start), Point::Front(end)) => reader.reach(start.max(end))?,
            _ => reader.size()?,
        };
        let start = range.start().from_front(total);
        if start > total {
            return Err(Error::new(
                Kind::OutOfRange,
                format!("start_byte ({start}) is beyond the end of the file ({})", counted(total, "byte")),
            ));
        }
        let asked_end = range.end_from(start, total);
        let end = asked_end.min(total);
        let clamped_start = matches!(range.start(), Point::Back(n) if n > total);
        let exact = !clamped_start && asked_end == end;
        if end < start && matches!(range.start(), Point::Back(_)) {
            return Err(range.crossed(&start.to_string(), &end.to_string()));
        }
        Ok(Slice { start, end: end.max(start), first_line: None, exact, short: asked_end > total })
    }
}

/// Refuses a start past the end of the file, and a single line that is not there.
fn check_start(range: Range, first: Mark, size: Option<u64>) -> Result<()> {
    let (Point::Front(before), Some(there)) = (range.start(), first.lines) else { return Ok(()) };
    let single = matches!(range.form, Form::One(Place::Front(_)));
    let missing = single && Some(first.offset) == size && size != Some(0);
    if there < before || missing {
        let line = before.saturating_add(1);
        return Err(Error::new(
            Kind::OutOfRange,
            format!("line {line} is beyond the end of the file ({})", counted(there, "line")),
        ));
    }
    Ok(())
}

/// The boundaries that were found.
#[derive(Default)]
struct Marks {
    front: Vec<(u64, Mark)>,
    back: Vec<(u64, u64)>,
    /// The number of lines, when it was known in time for points from the end to be looked for from the front.
    counted: Option<u64>,
    /// The number of lines, as far as it is known in the end.
    total: Option<u64>,
}

impl Marks {
    fn mark(&self, point: Point, reader: &Reader) -> Result<Mark> {
        Ok(match point {
            Point::Front(n) => look_up(&self.front, n)?,
            Point::Back(0) => Mark { offset: reader.size()?, lines: self.total },
            Point::Back(n) => {
                let lines = self.total.map(|total| total.saturating_sub(n));
                Mark { offset: look_up(&self.back, n)?, lines }
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
