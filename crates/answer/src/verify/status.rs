//! The status of each line that does not match: moved, changed, gone, or past the end of the file. A moved line is found
//! nearby by its hash, and only unambiguous ones are reported.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::check::{self, AnchorCheck, Hashed, Lines, MismatchedAnchor, has_letters, merge, tags};
use crate::content::{self, Budget, ContentOptions, ContentStats, Segment};
use crate::receipt::{self, Status};
use rread_reader::Reader;
use rread_reader::selection::Context;
use rread_source::memory::Buffer;
use rread_text::hashline::Tag;
use rread_text::{Anchor, HashlineForm, Result};

pub(super) struct Statuses {
    pub(super) mismatches: Vec<receipt::Mismatch>,
    pub(super) affected: Vec<(u64, u64)>,
    /// Lines that came between two that stood one after another.
    pub(super) new: Vec<(u64, u64)>,
}

impl Statuses {
    pub(super) fn is_short(&self) -> bool {
        self.mismatches.iter().any(|mismatch| mismatch.status == Status::PastEnd)
    }
}

#[derive(Clone, Copy, Debug)]
struct FoundLine {
    line: u64,
    shift: i128,
}

impl FoundLine {
    fn now(self) -> i128 {
        i128::from(self.line) + self.shift
    }
}

/// The expected position of a line, from the moves of its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ExpectedLine {
    line: u64,
    /// Whether its neighbours leave no room for it.
    is_gone: bool,
}

pub(super) fn find(reader: &Reader, checked: &AnchorCheck, moved: &[Moved]) -> Result<Statuses> {
    let to: HashMap<Anchor, u64> = moved.iter().map(|moved| (moved.from, moved.to)).collect();
    let is_lost = |mismatch: &&MismatchedAnchor| mismatch.now.is_some() && !to.contains_key(&mismatch.anchor);
    let mut lost: Vec<u64> = checked.mismatches.iter().filter(is_lost).map(|lost| lost.anchor.line).collect();
    lost.dedup();
    let expected: HashMap<u64, ExpectedLine> =
        lost.iter().copied().zip(expect_lines(&lost, &find_lines(checked, moved))).collect();
    let at = |mismatch: &MismatchedAnchor| {
        let place = expected.get(&mismatch.anchor.line).filter(|_| is_lost(&mismatch))?;
        Some((place.line, mismatch.anchor.tag.form()))
    };
    // A line that stayed was hashed already.
    let is_elsewhere =
        |(mismatch, (line, _)): &(&MismatchedAnchor, (u64, HashlineForm))| *line != mismatch.anchor.line;
    let all = checked.mismatches.iter().filter_map(|mismatch| Some((mismatch, at(mismatch)?)));
    let wanted: Vec<(u64, HashlineForm)> = all.filter(is_elsewhere).map(|(_, at)| at).collect();
    let there = tags(reader, &wanted)?;
    let mut mismatches = Vec::with_capacity(checked.mismatches.len());
    let mut affected = Vec::new();
    for mismatch in &checked.mismatches {
        let anchor = mismatch.anchor;
        let (status, now) = match (to.get(&anchor), mismatch.now, expected.get(&anchor.line)) {
            (Some(to), ..) => (Status::Moved, Some(Anchor { line: *to, ..anchor })),
            (None, Some(here), Some(place)) => {
                let form = anchor.tag.form();
                let tag = if place.line == anchor.line {
                    Some(here.tag(form))
                } else {
                    there.tags.get(&(place.line, form)).copied()
                };
                let line = if tag.is_some() { place.line } else { there.total };
                let is_same = tag == Some(anchor.tag) && !place.is_gone;
                affected.extend((line > 0 && !is_same).then_some(line));
                match tag {
                    Some(tag) if is_same => (Status::Moved, Some(Anchor { line, tag })),
                    Some(tag) if !place.is_gone => (Status::Changed, Some(Anchor { line, tag })),
                    _ => (Status::Gone, None),
                }
            }
            _ => (Status::PastEnd, None),
        };
        mismatches.push(receipt::Mismatch { anchor, status, now });
    }
    affected.sort_unstable();
    let affected = merge(affected.into_iter().map(|line| (line, line)));
    let new = find_new(&mismatches, &checked.intact);
    Ok(Statuses { mismatches, affected, new })
}

/// Lines between the new places of two lines that stood one after another, unless they are places of other lines.
fn find_new(mismatches: &[receipt::Mismatch], intact: &[u64]) -> Vec<(u64, u64)> {
    let places = mismatches.iter().filter_map(|mismatch| Some((mismatch.anchor.line, mismatch.now?.line)));
    let places: BTreeMap<u64, u64> = places.chain(intact.iter().map(|line| (*line, *line))).collect();
    let taken: HashSet<u64> = places.values().copied().collect();
    let after = |(line, now): (&u64, &u64)| Some(now + 1..*places.get(&(line + 1))?);
    let new: BTreeSet<u64> =
        places.iter().filter_map(after).flatten().filter(|line| !taken.contains(line)).collect();
    merge(new.into_iter().map(|line| (line, line)))
}

fn find_lines(checked: &AnchorCheck, moved: &[Moved]) -> Vec<FoundLine> {
    let shifted = moved.iter().map(|moved| FoundLine {
        line: moved.from.line,
        shift: i128::from(moved.to) - i128::from(moved.from.line),
    });
    let intact = checked.intact.iter().map(|line| FoundLine { line: *line, shift: 0 });
    let mut all: Vec<FoundLine> = intact.chain(shifted).collect();
    all.sort_by_key(|found| found.line);
    all.dedup_by_key(|found| found.line);
    all
}

/// `lost` must be sorted.
fn expect_lines(lost: &[u64], found: &[FoundLine]) -> Vec<ExpectedLine> {
    let around = |line: u64| {
        let before = found.partition_point(|found| found.line < line);
        (before, before + usize::from(found.get(before).is_some_and(|found| found.line == line)))
    };
    let mut expected = Vec::with_capacity(lost.len());
    for gap in lost.chunk_by(|a, b| around(*a) == around(*b)) {
        let (before, after) = around(gap[0]);
        // The start of the file does not move.
        let start = FoundLine { line: 0, shift: 0 };
        let before = before.checked_sub(1).map_or(start, |at| found[at]);
        expected.extend(expect_between(gap, before, found.get(after).copied()));
    }
    expected
}

fn expect_between(lost: &[u64], before: FoundLine, after: Option<FoundLine>) -> Vec<ExpectedLine> {
    let shifted = |line: u64, shift: i128| u64::try_from(i128::from(line) + shift).unwrap_or(line).max(1);
    let all_shifted = |shift| {
        let line = |line: &u64| ExpectedLine { line: shifted(*line, shift), is_gone: false };
        lost.iter().map(line).collect()
    };
    let Some(after) = after else { return all_shifted(before.shift) };
    // A block was moved from or to here, so its lines say nothing about those between.
    if before.now() >= after.now() {
        return all_shifted(0);
    }
    let removed = usize::try_from(before.shift - after.shift).unwrap_or(0);
    let kept = lost.len().saturating_sub(removed);
    let place = |(n, line): (usize, &u64)| {
        let is_nearer_after = after.line - line < line - before.line;
        let shift = if removed == 0 && is_nearer_after { after.shift } else { before.shift };
        let line = shifted(*line, shift);
        let end = shifted(after.line, after.shift);
        ExpectedLine { line: line.min(end), is_gone: n >= kept }
    };
    lost.iter().enumerate().map(place).collect()
}

pub(super) struct Excerpt {
    pub(super) segments: Vec<Segment>,
    pub(super) stats: ContentStats,
    /// Lines that the budget cut off, including a partial one.
    pub(super) next: Vec<(u64, u64)>,
}

/// The changed lines with their context, and new lines; the last lines, if anchors are past the end of the file.
pub(super) fn show(
    reader: &Reader,
    statuses: &Statuses,
    total_lines: Option<u64>,
    options: &ContentOptions,
    context: Context,
    budget: Budget,
) -> Result<Excerpt> {
    let wide = |(start, end): (u64, u64)| {
        (start.saturating_sub(context.before).max(1), end.saturating_add(context.after))
    };
    let tail = total_lines.filter(|total| statuses.is_short() && *total > 0 && context.before > 0);
    let tail = tail.map(|total| (total.saturating_add(1).saturating_sub(context.before).max(1), total));
    let mut shown: Vec<(u64, u64)> =
        statuses.affected.iter().copied().map(wide).chain(statuses.new.iter().copied()).chain(tail).collect();
    shown.sort_unstable();
    let mut ranges = merge(shown.into_iter());
    let counts: Vec<u64> = ranges.iter().flat_map(|(start, end)| [start - 1, *end]).collect();
    let found = check::find(reader, &counts, false)?;
    let mut segments = Vec::with_capacity(ranges.len());
    for (range, marks) in ranges.iter_mut().zip(found.boundaries.chunks(2)) {
        let [first, last] = marks else { continue };
        range.1 = last.lines.unwrap_or(range.1);
        segments.push(Segment { start: first.offset, end: last.offset, line: range.0 });
    }
    let stats = content::measure(reader, &segments, options, budget, None)?;
    if stats.cut.is_none() {
        return Ok(Excerpt { segments, stats, next: Vec::new() });
    }
    segments = content::before(&segments, stats.end);
    segments.retain(|segment| segment.start < segment.end);
    let next = skip_lines(&ranges, stats.newlines);
    Ok(Excerpt { segments, stats, next })
}

fn skip_lines(ranges: &[(u64, u64)], count: u64) -> Vec<(u64, u64)> {
    let mut left = count;
    let mut rest = Vec::new();
    for (start, end) in ranges {
        let here = left.min(end - start + 1);
        left -= here;
        if start + here <= *end {
            rest.push((start + here, *end));
        }
    }
    rest
}

/// Lines to search before and after the old position.
const REACH: u64 = 200;

/// Bytes to search before and after it, since lines may be long.
const BYTES: u64 = 4 << 20;

/// Anchors in one batch, which limits the memory for the lines around them.
const TOGETHER: usize = 4096;

/// Bits of hash that must agree: among the 400 lines in reach, an 8-bit tag fits several by chance.
const PROOF: u64 = 20;

#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    pub(super) from: Anchor,
    pub(super) to: u64,
}

pub(super) fn find_moved(reader: &Reader, checked: &AnchorCheck) -> Result<Vec<Moved>> {
    let mut moved = Vec::new();
    for mismatches in checked.mismatches.chunks(TOGETHER) {
        let near = near(reader, mismatches)?;
        let candidates =
            mismatches.iter().map(|mismatch| candidates(mismatch.anchor, &near, &checked.intact));
        moved.extend(choose(mismatches, candidates.collect(), &checked.intact));
    }
    Ok(moved)
}

struct Near {
    line: u64,
    hashed: Hashed,
}

fn near(reader: &Reader, mismatches: &[MismatchedAnchor]) -> Result<Vec<Near>> {
    let mut lines = Lines::new(reader, has_letters(mismatches.iter().map(|mismatch| mismatch.anchor)));
    let mut near: Vec<Near> = Vec::new();
    let (mut line, mut at) = (0, 0);
    for MismatchedAnchor { anchor, now, place } in mismatches {
        let before = place.lines.unwrap_or(0);
        let is_inside = now.is_none() && reader.is_unterminated(place.offset)?;
        // At the end of the file, the offset is after the last line, or in it if it has no line end.
        let here = if is_inside { before } else { before + 1 };
        let Some(reach) = REACH.checked_sub(anchor.line.saturating_sub(here)) else { continue };
        let (first, first_at) = back(reader, here, place.offset, reach)?;
        if first > line {
            (line, at) = (first, first_at);
        }
        let end = place.offset.saturating_add(BYTES);
        while line <= anchor.line.saturating_add(REACH) && at < end {
            let Some(hashed) = lines.at(at)? else { break };
            near.push(Near { line, hashed });
            (line, at) = (line + 1, hashed.next);
        }
    }
    Ok(near)
}

/// The start of the line `reach` lines before `line`, which contains `offset`; a later line if the lines are long.
fn back(reader: &Reader, line: u64, offset: u64, reach: u64) -> Result<(u64, u64)> {
    let units = reader.units();
    // The newline before the line itself counts as the first.
    let mut left = reach.saturating_add(1);
    let (mut seen, mut end) = (0, offset);
    let mut found = (line, offset);
    let mut block = Buffer::default();
    while end > 0 && offset - end < BYTES {
        let start = units.floor(end.saturating_sub(64 << 10));
        reader.read_exact(block.at(start, usize::try_from(end - start).unwrap_or(0)), start)?;
        if let Some(at) = units.after_nth_back(&block, left) {
            return Ok((line.saturating_sub(seen + left - 1), start + at as u64));
        }
        let newlines = units.count(&block);
        if let Some(at) = units.after_first(&block) {
            found = (line.saturating_sub(seen + newlines - 1), start + at as u64);
        }
        (left, seen, end) = (left - newlines, seen + newlines, start);
    }
    Ok(if end == 0 { (line.saturating_sub(seen), 0) } else { found })
}

struct Candidate {
    to: u64,
    shift: i128,
    has_words: bool,
    /// The run of anchors with the same shift that it belongs to.
    run: usize,
}

/// Lines with the hash of `anchor`, except those in `intact`.
fn candidates(anchor: Anchor, near: &[Near], intact: &[u64]) -> Vec<Candidate> {
    let from = near.partition_point(|near| near.line < anchor.line.saturating_sub(REACH));
    let within = near[from..].iter().take_while(|near| near.line <= anchor.line.saturating_add(REACH));
    let same = within.filter(|near| near.hashed.tag(anchor.tag.form()) == anchor.tag);
    same.filter(|near| intact.binary_search(&near.line).is_err())
        .map(|near| Candidate {
            to: near.line,
            shift: i128::from(near.line) - i128::from(anchor.line),
            has_words: near.hashed.has_words,
            run: 0,
        })
        .collect()
}

/// How far the move of a line may differ from that of the nearest line whose move is sure.
const NEIGHBOURS: u128 = 16;

/// Prefers a candidate that moved with a line that is unique nearby, then one between such lines, then the one whose
/// neighbours moved alike, then the nearest: files repeat lines such as `retries = 3`. Lines without words, such as a brace,
/// and short tags need neighbours as proof. Only lines that moved with a unique one are against the order of the others. No
/// two lines move to the same line.
fn choose(mismatches: &[MismatchedAnchor], mut all: Vec<Vec<Candidate>>, intact: &[u64]) -> Vec<Moved> {
    let runs = runs(mismatches, &mut all);
    let alone = all.iter().filter(|candidates| candidates.len() == 1).map(|candidates| candidates[0].run);
    let proven: HashSet<usize> = alone.collect();
    let is_proven = |candidate: &Candidate| proven.contains(&candidate.run);
    let moves = mismatches.iter().zip(&all).flat_map(|(mismatch, candidates)| {
        let sure = candidates.iter().filter(|candidate| is_proven(candidate));
        sure.map(|candidate| (mismatch.anchor.line, candidate.shift))
    });
    let sure: BTreeMap<u64, i128> = intact.iter().map(|line| (*line, 0)).chain(moves).collect();
    let mut chosen: Vec<(Moved, u64, bool)> = Vec::new();
    for (mismatch, candidates) in mismatches.iter().zip(&all) {
        let line = mismatch.anchor.line;
        let around = [sure.range(..line).next_back(), sure.range(line..).next()];
        let nearest = around.into_iter().flatten().min_by_key(|(other, _)| other.abs_diff(line));
        let far = |one: &Candidate| one.shift.abs_diff(nearest.map_or(0, |(_, shift)| *shift));
        let fits = |one: &&Candidate| {
            let is_near = nearest.is_none() || far(one) <= NEIGHBOURS;
            runs[one.run] >= PROOF && (is_proven(one) || is_near)
        };
        let [before, after] = around.map(|sure| sure.map(|(line, shift)| i128::from(*line) + shift));
        let is_between = |one: &Candidate| {
            before.is_none_or(|before| before < one.to.into())
                && after.is_none_or(|after| after > one.to.into())
        };
        let key = |one: &&Candidate| (is_proven(one), is_between(one), runs[one.run], Reverse(far(one)));
        let fitting = || candidates.iter().filter(fits);
        let Some(best) = fitting().max_by_key(key) else { continue };
        if fitting().filter(|one| key(one) == key(&best)).count() == 1 {
            chosen.push((Moved { from: mismatch.anchor, to: best.to }, runs[best.run], is_proven(best)));
        }
    }
    let places = chosen.iter().map(|(moved, support, _)| (moved.from.line, moved.to, *support));
    let in_order = in_order(places.chain(intact.iter().map(|line| (*line, *line, PROOF))).collect());
    let mut claims: HashMap<u64, Vec<(u64, u64)>> = HashMap::new();
    for (moved, support, _) in &chosen {
        claims.entry(moved.to).or_default().push((*support, moved.from.line));
    }
    let is_kept = |(moved, support, is_proven): &(Moved, u64, bool)| {
        let others = claims.get(&moved.to).into_iter().flatten();
        let mut others = others.filter(|(_, from)| *from != moved.from.line);
        let is_placed = *is_proven || in_order.contains(&(moved.from.line, moved.to));
        is_placed && others.all(|(other, _)| other < support)
    };
    chosen.into_iter().filter(is_kept).map(|(moved, ..)| moved).collect()
}

/// The heaviest increasing subsequence of `found`, which has lines, their new places and weights: the lines that keep their
/// order and have the largest weight together.
fn in_order(mut found: Vec<(u64, u64, u64)>) -> HashSet<(u64, u64)> {
    // One line may have two tags; descending places keep them from being two lines in order.
    found.sort_unstable_by_key(|(from, to, _)| (*from, Reverse(*to)));
    // The best chain that ends at each place, as its weight and its last line; heavier ones end later.
    let mut ends: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
    let mut previous = Vec::with_capacity(found.len());
    for (at, (_, to, weight)) in found.iter().enumerate() {
        let before = ends.range(..to).next_back().map(|(_, end)| *end);
        let weight = before.map_or(0, |(weight, _)| weight) + weight;
        previous.push(before.map(|(_, at)| at));
        if ends.get(to).is_some_and(|(other, _)| *other >= weight) {
            continue;
        }
        let beaten = |ends: &BTreeMap<u64, (u64, usize)>| {
            ends.range(to..).next().filter(|(_, (other, _))| *other <= weight).map(|(to, _)| *to)
        };
        while let Some(to) = beaten(&ends) {
            ends.remove(&to);
        }
        ends.insert(*to, (weight, at));
    }
    let last = ends.into_values().next_back().map(|(_, at)| at);
    std::iter::successors(last, |at| previous[*at]).map(|at| (found[at].0, found[at].1)).collect()
}

/// Groups candidates of one shift on consecutive lines into runs. Returns for each run how many bits of hash agree in
/// lines with words.
fn runs(mismatches: &[MismatchedAnchor], all: &mut [Vec<Candidate>]) -> Vec<u64> {
    let mut runs = Vec::new();
    let mut before: HashMap<i128, usize> = HashMap::new();
    for (mismatch, candidates) in mismatches.iter().zip(all) {
        let bits = bits(mismatch.anchor.tag);
        let mut here = HashMap::new();
        for candidate in candidates {
            let run = before.get(&candidate.shift).copied().unwrap_or(runs.len());
            if run == runs.len() {
                runs.push(0);
            }
            runs[run] += if candidate.has_words { bits } else { 0 };
            candidate.run = run;
            here.insert(candidate.shift, run);
        }
        before = here;
    }
    runs
}

fn bits(tag: Tag) -> u64 {
    match tag {
        Tag::Digits { width, .. } => 4 * u64::from(width),
        Tag::Letters(_) => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `find_lines` has old and new line numbers; `!` marks lines that are gone.
    fn rendered(lost: &[u64], found: &[(u64, u64)]) -> String {
        let found_line =
            |(line, now): &(u64, u64)| FoundLine { line: *line, shift: i128::from(*now) - i128::from(*line) };
        let found: Vec<FoundLine> = found.iter().map(found_line).collect();
        let shown = |line: &ExpectedLine| format!("{}{}", line.line, if line.is_gone { "!" } else { "" });
        expect_lines(lost, &found).iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_line_is_gone_only_where_its_neighbours_closed_up() {
        for (lost, found, expected) in [
            (&[5][..], &[][..], "5"),
            (&[5], &[(4, 4), (6, 6)], "5"),
            // Deleted, and nothing else.
            (&[5], &[(4, 4), (6, 5)], "5!"),
            // Two lines above, and this one deleted or changed.
            (&[5], &[(4, 6), (6, 7)], "7!"),
            (&[5], &[(4, 6), (6, 8)], "7"),
            // Far from its neighbours, one of which is the start of the file.
            (&[50], &[(10, 10), (90, 89)], "50!"),
            (&[50], &[(90, 85)], "50!"),
            (&[88], &[(10, 10), (90, 20)], "20!"),
            // Three lines became two, and four.
            (&[5, 6, 7], &[(4, 4), (8, 7)], "5 6 7!"),
            (&[5, 6, 7], &[(4, 4), (8, 9)], "5 6 8"),
            // A block went elsewhere.
            (&[5], &[(4, 30), (6, 6)], "5"),
            // No neighbour after it.
            (&[9], &[(8, 10)], "11"),
            // The line itself is known by another anchor.
            (&[5], &[(4, 4), (5, 5), (6, 6)], "5"),
            (&[u64::MAX], &[(1, 2)], "18446744073709551615"),
        ] {
            assert_eq!(rendered(lost, found), expected, "{lost:?} {found:?}");
        }
    }
}
