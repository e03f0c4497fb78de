//! Finds moved lines nearby by their hash, and reports only unambiguous ones.

use std::collections::HashMap;

use super::check::{AnchorCheck, Hashed, Lines, MismatchedAnchor, has_letters};
use rread_reader::reader::Reader;
use rread_source::memory::Buffer;
use rread_text::error::Result;
use rread_text::hashline::{Anchor, Tag};

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

pub(super) fn find(reader: &Reader, checked: &AnchorCheck) -> Result<Vec<Moved>> {
    let mut moved = Vec::new();
    for mismatches in checked.mismatches.chunks(TOGETHER) {
        let near = near(reader, mismatches)?;
        let candidates =
            mismatches.iter().map(|mismatch| candidates(mismatch.anchor, &near, &checked.intact));
        moved.extend(choose(mismatches, candidates.collect()));
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

/// Prefers the candidate whose neighbours moved alike, then the nearest. Lines without words, such as a brace, and
/// short tags need neighbours as proof. No two lines move to the same line.
fn choose(mismatches: &[MismatchedAnchor], mut all: Vec<Vec<Candidate>>) -> Vec<Moved> {
    let runs = runs(mismatches, &mut all);
    let support = |candidate: &Candidate| runs[candidate.run];
    let mut chosen: Vec<(Moved, u64)> = Vec::new();
    for (mismatch, candidates) in mismatches.iter().zip(&all) {
        let key = |candidate: &&Candidate| (support(candidate), -candidate.shift.abs());
        let Some(best) = candidates.iter().max_by_key(key) else { continue };
        let as_good = candidates.iter().filter(|candidate| key(candidate) == key(&best)).count();
        if as_good == 1 && support(best) >= PROOF {
            chosen.push((Moved { from: mismatch.anchor, to: best.to }, support(best)));
        }
    }
    let mut claims: HashMap<u64, Vec<(u64, u64)>> = HashMap::new();
    for (moved, support) in &chosen {
        claims.entry(moved.to).or_default().push((*support, moved.from.line));
    }
    let is_sole = |(moved, support): &(Moved, u64)| {
        let others = claims.get(&moved.to).into_iter().flatten();
        others.filter(|(_, from)| *from != moved.from.line).all(|(other, _)| other < support)
    };
    chosen.into_iter().filter(is_sole).map(|(moved, _)| moved).collect()
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
