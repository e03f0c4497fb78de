//! The matches in a line, windows around them, and the groups of lines that a search shows.

use std::ops::Range;

use super::matcher::{LONG_LINE_BLOCKS, LineMatcher, LinePart, SPANNED_BLOCKS};
use crate::reader::Reader;
use crate::reader::find_lines::LineWalk;
use rread_text::{Context, Encoding, Result};

/// Bytes after the last match of a line that may decide about it, if matches may have several lines.
const MARGIN: u64 = 64 << 10;

/// The start of a part is a multiple of this, which is whole units of any encoding.
const ALIGNED: u64 = 8;

/// A match in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The bytes of the match.
    pub bytes: Range<u64>,
    /// The bytes to highlight: whole characters, without the end of the line.
    pub mark: Range<u64>,
    /// The first character of the match in its line, from 1; `None` in a line that is too long to be held.
    pub column: Option<u64>,
    /// The first byte of the match in the text of its line, from 1.
    pub byte_column: u64,
    /// The text that replaces the match, if [`LineMatcher::replaces`].
    pub replacement: Vec<u8>,
}

/// The part of a line around a match.
pub struct Surroundings<'p> {
    part: &'p LinePart,
    body: &'p [u8],
    found: Range<usize>,
    line: ShownLine,
}

/// The part of a line that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The bytes that are shown.
    pub bytes: Range<u64>,
    /// Whether the line begins before, and whether it goes on after them.
    pub cut: (bool, bool),
    /// Runs of NULs in the bytes, which are said in words.
    pub nuls: Vec<Range<u64>>,
}

impl Excerpt {
    /// These bytes.
    pub fn of(bytes: Range<u64>) -> Self {
        Excerpt { bytes, cut: (false, false), nuls: Vec::new() }
    }

    /// The whole of `line`.
    pub fn whole(line: ShownLine) -> Self {
        Excerpt::of(line.start..line.next)
    }

    /// At most `columns` characters of `line`, from its beginning.
    pub fn beginning(
        reader: &Reader,
        matcher: &LineMatcher,
        line: ShownLine,
        columns: Option<u64>,
    ) -> Result<Self> {
        // Reading cannot resume inside a line of an encoding with state, so such a line is shown whole.
        let Some(columns) = columns.filter(|_| !reader.encoding().has_state()) else {
            return Ok(Excerpt::whole(line));
        };
        let end = line.next.min(line.start.saturating_add(held_bytes(reader)));
        let part = LinePart::read(reader, line.start..end)?;
        let body = if end == line.next { matcher.without_end(part.text()) } else { part.text() };
        Ok(Surroundings { part: &part, body, found: 0..0, line }.window(columns))
    }
}

impl Surroundings<'_> {
    /// At most `columns` characters of the line around the match, and of the lines below into which the match goes on.
    pub fn window(&self, columns: u64) -> Excerpt {
        self.window_in(self.body, columns, 0)
    }

    /// The same without the lines below, and with all of a match of at most `widest` bytes.
    pub fn window_of_line(&self, matcher: &LineMatcher, columns: u64, widest: usize) -> Excerpt {
        let (part, next) = (self.part, self.line.next);
        if self.line.spanned.is_none() || part.end() < next {
            return self.window_in(self.body, columns, widest);
        }
        self.window_in(matcher.without_end(&part.text()[..part.text_at(next)]), columns, widest)
    }

    fn window_in(&self, body: &[u8], columns: u64, widest: usize) -> Excerpt {
        let (part, line) = (self.part, self.line);
        let mut window = around(body, self.found.start.min(body.len()), columns);
        if self.found.len() <= widest {
            window.end = window.end.max(self.found.end.min(body.len()));
        }
        // A part of the first line does not have the byte order mark.
        let mark = if line.start == 0 && part.at <= 4 { part.at } else { 0 };
        let cut = (
            window.start > 0 || part.at > line.start + mark,
            window.end < body.len() || part.end() < line.next,
        );
        let bytes = match cut {
            (false, false) => line.start..line.next,
            (false, true) => line.start.max(part.offset(0))..part.offset(window.end),
            (true, true) => part.offset(window.start)..part.offset(window.end),
            (true, false) => part.offset(window.start)..line.next,
        };
        Excerpt { cut, ..Excerpt::of(bytes) }
    }
}

fn held_bytes(reader: &Reader) -> u64 {
    (LONG_LINE_BLOCKS * reader.block()) as u64
}

/// How a line is read: part by part.
struct PartLimits {
    /// Bytes of a part.
    most: u64,
    /// Past the last byte to read.
    end: u64,
    /// No match that begins here or later belongs to the line.
    until: u64,
}

/// Passes each match that begins in `line`, in order and without overlaps; `take` returns whether to go on. `held` has
/// the bytes of the line, if they are at hand.
pub fn each(
    reader: &Reader,
    matcher: &LineMatcher,
    line: ShownLine,
    held: Option<&[u8]>,
    take: &mut dyn FnMut(Occurrence, &Surroundings<'_>) -> Result<bool>,
) -> Result<()> {
    let mut parts = PartLimits { most: held_bytes(reader), end: line.next, until: line.next };
    if let Some(spanned) = line.spanned {
        // All of it belongs to a match that began before.
        if line.first_match.is_none() {
            return Ok(());
        }
        parts.end = spanned.matches_end.max(line.next).saturating_add(MARGIN);
        parts.end = reader.known_size().map_or(parts.end, |size| size.min(parts.end));
        let held = (SPANNED_BLOCKS * reader.block()) as u64;
        parts.most = parts.most.max(held.min(parts.end - line.start));
    }
    let is_long = parts.end - line.start > parts.most;
    let first = line.first_match.unwrap_or(line.start);
    let mut walk = PartWalk {
        line,
        at: line.start,
        counted: (!is_long).then_some(0),
        bytes: 0,
        from: 0,
        last_end: None,
    };
    // In other encodings, the place in the text is known only after decoding all before it.
    if is_long && line.first_match.is_some() && reader.encoding() == Encoding::Utf8 {
        let near = first.saturating_sub(parts.most / 4).max(line.start);
        walk.at = if near == line.start { near } else { (near - near % ALIGNED).max(line.start) };
        let mark = if line.start == 0 && reader.decided.bom { Encoding::Utf8.mark().len() as u64 } else { 0 };
        walk.bytes = (walk.at - line.start).saturating_sub(mark);
    }
    loop {
        let part = match held.filter(|_| !is_long && line.spanned.is_none()) {
            Some(bytes) => LinePart::of(reader.encoding(), bytes.to_vec(), line.start),
            None => LinePart::read(reader, walk.at..parts.end.min(walk.at + parts.most))?,
        };
        walk.from = walk.from.max(part.text_at(first));
        if !walk.part(&part, &parts, matcher, take)? {
            return Ok(());
        }
    }
}

/// The state of a walk over the parts of a line.
struct PartWalk {
    line: ShownLine,
    /// The offset of the part.
    at: u64,
    /// Characters of the line before the part, if they are counted.
    counted: Option<u64>,
    /// Bytes of the text of the line before the part.
    bytes: u64,
    /// Matches begin here or later in the text of the part.
    from: usize,
    /// The end of the last match in that text.
    last_end: Option<usize>,
}

impl PartWalk {
    /// Passes the matches that begin in the part which the next one will not have; returns whether there is a next one.
    fn part(
        &mut self,
        part: &LinePart,
        parts: &PartLimits,
        matcher: &LineMatcher,
        take: &mut dyn FnMut(Occurrence, &Surroundings<'_>) -> Result<bool>,
    ) -> Result<bool> {
        let is_last = part.end() >= parts.end;
        let joins_lines = self.line.spanned.is_some();
        let body = if is_last && !joins_lines { matcher.without_end(part.text()) } else { part.text() };
        let half = parts.most / 2 / ALIGNED * ALIGNED;
        let edge = if is_last { body.len() + 1 } else { part.text_at(part.at + half) };
        // The empty text after the last newline is not a line.
        let has_end = joins_lines && (part.end() > parts.until || body.ends_with(b"\n"));
        let end = if has_end { part.text_at(parts.until) } else { edge };
        let (edge, is_last) = (edge.min(end), is_last || end < edge);
        let (mut counted, mut from, mut last_end) = ((0, self.counted), self.from, self.last_end);
        let mut going = Ok(true);
        matcher.matches_in_part(body, self.from, self.last_end, !is_last, &mut |found| {
            if found.start >= edge {
                return false;
            }
            counted.1 = counted.1.map(|before| before + characters(&body[counted.0..found.start]));
            counted.0 = found.start;
            // An empty match must not be found again.
            (last_end, from) = (Some(found.end), found.end + usize::from(found.is_empty()));
            let column = counted.1.map(|before| before + 1);
            let byte_column = self.bytes + found.start as u64 + 1;
            going = occurrence(part, matcher, body, found.clone(), (column, byte_column))
                .and_then(|one| take(one, &Surroundings { part, body, found, line: self.line }));
            matches!(going, Ok(true))
        })?;
        if is_last || !going? {
            return Ok(false);
        }
        let dropped = half.saturating_sub(parts.most / 8 / ALIGNED * ALIGNED);
        let text_dropped = part.text_at(part.at + dropped);
        self.from = from.max(edge) - text_dropped;
        self.last_end = last_end.and_then(|end| end.checked_sub(text_dropped));
        self.counted = self.counted.map(|before| before + characters(&part.text()[..text_dropped]));
        self.bytes += text_dropped as u64;
        self.at = part.at + dropped;
        Ok(true)
    }
}

fn occurrence(
    part: &LinePart,
    matcher: &LineMatcher,
    body: &[u8],
    found: Range<usize>,
    (column, byte_column): (Option<u64>, u64),
) -> Result<Occurrence> {
    let bytes = part.offset(found.start)..part.offset(found.end);
    let replacement = matcher.replacement(body, &found)?;
    let last = body.strip_suffix(b"\n").unwrap_or(body);
    let last = last.strip_suffix(b"\r").unwrap_or(last).len();
    // A pattern of bytes may match a part of a character.
    let start = unit_at(body, found.start).map_or(found.start, |unit| unit.start);
    let end = unit_at(body, found.end).map_or(found.end, |unit| unit.end).min(last);
    let mark = if found.is_empty() || end <= start { 0..0 } else { part.offset(start)..part.offset(end) };
    Ok(Occurrence { bytes, mark, column, byte_column, replacement })
}

/// A window of a line, and the matches in it.
#[derive(Clone, Debug)]
pub struct MatchWindow {
    /// The part of the line, and whether more stands before and after it.
    pub excerpt: Excerpt,
    /// The matches that begin in it.
    pub matches: Vec<Occurrence>,
}

/// What windows of a line show.
#[derive(Clone, Copy, Debug)]
pub struct WindowLimits {
    /// Characters of a window.
    pub columns: u64,
    /// Bytes of a match that its window shows whole.
    pub widest: usize,
    /// Windows.
    pub windows: u64,
    /// Matches in them.
    pub matches: u64,
    /// Runs of NULs are said in words.
    pub says_nuls: bool,
}

/// The windows around the matches in `line`, and the start of the first match that none of them shows.
pub fn windows(
    reader: &Reader,
    matcher: &LineMatcher,
    line: ShownLine,
    held: Option<&[u8]>,
    limits: WindowLimits,
) -> Result<(Vec<MatchWindow>, Option<u64>)> {
    let (mut windows, mut more, mut count): (Vec<MatchWindow>, _, _) = (Vec::new(), None, 0);
    each(reader, matcher, line, held, &mut |found, around| {
        let (shown, last) = (windows.len() as u64, windows.last_mut());
        let shown_to = last.as_ref().map_or(0, |window| window.excerpt.bytes.end);
        let last = last.filter(|_| found.bytes.end.min(line.next) <= shown_to);
        let is_nul = |nuls: &Range<u64>| nuls.start <= found.bytes.start && found.bytes.end <= nuls.end;
        if last.as_ref().is_some_and(|last| last.excerpt.nuls.iter().any(is_nul)) {
            return Ok(true);
        }
        if count >= limits.matches || last.is_none() && shown >= limits.windows {
            more = Some(found.bytes.start);
            return Ok(false);
        }
        count += 1;
        if let Some(last) = last {
            last.matches.push(found);
            return Ok(true);
        }
        let mut excerpt = around.window_of_line(matcher, limits.columns, limits.widest);
        excerpt.bytes.start = excerpt.bytes.start.max(shown_to.min(found.bytes.start));
        if limits.says_nuls && excerpt.cut != (false, false) {
            add_nuls(reader, matcher, &mut excerpt, line)?;
        }
        windows.push(MatchWindow { excerpt, matches: vec![found] });
        Ok(true)
    })?;
    Ok((windows, more))
}

/// The least NULs that are said in words.
const LEAST_NULS: u64 = 16;

/// Adds the runs of NULs to `excerpt`, which then has all of the first and the last one; they take no room.
fn add_nuls(reader: &Reader, matcher: &LineMatcher, excerpt: &mut Excerpt, line: ShownLine) -> Result<()> {
    const STEP: u64 = 64 << 10;
    let width = reader.units().width;
    let is_nul = |unit: &[u8]| unit.iter().all(|byte| *byte == 0);
    let mut at = excerpt.bytes.start;
    while at > line.start {
        let from = line.start.max(at.saturating_sub(STEP));
        let before = reader.read_span(from..at)?;
        at -= (before.rchunks(width).take_while(|unit| is_nul(unit)).count() * width) as u64;
        if at > from {
            break;
        }
    }
    let (mut begun, least) = (None, LEAST_NULS * width as u64);
    loop {
        let end = excerpt.bytes.end;
        'line: while at < line.next {
            for unit in reader.read_span(at..line.next.min(at + STEP))?.chunks(width) {
                if is_nul(unit) {
                    begun = begun.or(Some(at));
                } else if let Some(start) = begun.take().filter(|start| at - start >= least) {
                    excerpt.nuls.push(start..at);
                }
                if begun.is_none() && at >= end {
                    break 'line;
                }
                at += unit.len() as u64;
            }
        }
        excerpt.nuls.extend(begun.take().map(|start| start..at).filter(|run| run.end - run.start >= least));
        let Some(last) = excerpt.nuls.last().filter(|last| excerpt.cut.1 && last.end >= end) else { break };
        let room = (end - last.start.max(excerpt.bytes.start)) / width as u64;
        let rest = Excerpt::beginning(reader, matcher, ShownLine { start: last.end, ..line }, Some(room))?;
        (at, excerpt.bytes.end, excerpt.cut.1) = (last.end, rest.bytes.end, rest.cut.1);
    }
    if let Some(first) = excerpt.nuls.first() {
        excerpt.bytes.start = excerpt.bytes.start.min(first.start);
        excerpt.cut.0 &= excerpt.bytes.start > line.start;
    }
    Ok(())
}

/// How many of `bytes`, from the first on, are white space inside a line.
pub fn leading_space(reader: &Reader, bytes: &Range<u64>) -> Result<u64> {
    const STEP: u64 = 1 << 12;
    let mut at = bytes.start;
    while at < bytes.end {
        let part = LinePart::read(reader, at..bytes.end.min(at + STEP))?;
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\x0b' | b'\x0c' | b'\r');
        let space = part.text().iter().take_while(|byte| is_space(byte)).count();
        if space < part.text().len() {
            let is_start = space == 0 && at == bytes.start;
            return Ok(if is_start { 0 } else { part.offset(space) - bytes.start });
        }
        at = part.end();
    }
    Ok(at - bytes.start)
}

/// The character, or the invalid bytes that one U+FFFD stands for, if `at` lies inside of it.
fn unit_at(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_inner = |byte: u8| byte & 0xC0 == 0x80;
    if !is_inner(*text.get(at)?) {
        return None;
    }
    let start = (at.saturating_sub(3)..at).rev().find(|at| !is_inner(text[*at]))?;
    let chunk = text[start..text.len().min(start + 4)].utf8_chunks().next()?;
    let first = chunk.valid().chars().next();
    let end = start + first.map_or(chunk.invalid().len(), char::len_utf8);
    (end > at).then_some(start..end)
}

/// Characters of `text`, which may have invalid bytes.
fn characters(text: &[u8]) -> u64 {
    if text.is_ascii() { text.len() as u64 } else { String::from_utf8_lossy(text).chars().count() as u64 }
}

/// At most `columns` characters of `text`, with the byte `at` in the first third unless the text begins or ends there.
pub(super) fn around(text: &[u8], at: usize, columns: u64) -> Range<usize> {
    let Ok(columns) = usize::try_from(columns) else { return 0..text.len() };
    let is_edge = |byte: &u8| byte & 0xC0 != 0x80;
    let back = |from: usize, count: usize| {
        let mut edges = (0..from).rev().filter(|at| is_edge(&text[*at]));
        // Invalid text may begin with a byte that is not an edge.
        count.checked_sub(1).map_or(from, |others| edges.nth(others).unwrap_or(0))
    };
    let forward = |from: usize, count: usize| {
        let mut edges = (from..text.len()).filter(|at| is_edge(&text[*at]));
        edges.nth(count).unwrap_or(text.len())
    };
    let start = back(at, columns / 3);
    let end = forward(start, columns);
    if end < text.len() {
        return start..end;
    }
    back(text.len(), columns)..text.len()
}

/// A line that was searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hit {
    /// The first byte.
    pub start: u64,
    /// The start of the next line, or the end of the file.
    pub next: u64,
    /// Newlines before it, if wanted.
    pub newlines: u64,
    /// Matches in it, if wanted; 1 for a line without a match that was searched for.
    pub matches: u64,
    /// Its bytes, newline included, in the text of the batch; `None` for a long line, and if they are not wanted.
    pub text: Option<Range<usize>>,
    /// In a long line, and where matches before do not count, the start of the first match in the file.
    pub first_match: Option<u64>,
    /// The ends of matches of several lines, if matches may have several lines.
    pub spanned: Option<Spanned>,
    /// Its part in a unit, if units are more than lines.
    pub part: Option<UnitPart>,
    /// Whether it is the first line that is shown of a unit.
    pub opens_unit: bool,
}

impl Hit {
    /// Whether a match that began in a line before it goes on in it.
    pub fn goes_on(&self) -> bool {
        self.spanned.is_some_and(|spanned| spanned.covered_to > self.start)
    }

    /// Whether it is shown with a line before it: of the same match, or of the same unit.
    pub fn has_line_before(&self) -> bool {
        self.goes_on() || self.part.is_some() && !self.opens_unit
    }
}

/// Matches of several lines that have a part in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanned {
    /// The end of the match that began before the line; the start of the line without one.
    pub covered_to: u64,
    /// The end of the last match that begins in the line; the start of the line without one.
    pub matches_end: u64,
}

/// The part that a line has in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitPart {
    /// The line is one that was searched for.
    Match,
    /// The line belongs to a unit that is shown.
    Rest,
    /// The line encloses the unit.
    Head,
}

/// A line to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShownLine {
    /// The first byte.
    pub start: u64,
    /// The start of the next line, or the end of the file.
    pub next: u64,
    /// Its number, if numbers are wanted.
    pub number: u64,
    /// Whether it was searched for; otherwise it is context.
    pub is_hit: bool,
    /// The start of the first match, in a hit that is too long to be held, or whose first matches do not count.
    pub first_match: Option<u64>,
    /// The ends of matches of several lines, if matches may have several lines.
    pub spanned: Option<Spanned>,
    /// Whether lines between this one and the one shown before it are left out.
    pub follows_gap: bool,
    /// Whether it encloses the lines below.
    pub is_head: bool,
    /// Whether the line shown before it is such a line.
    pub follows_head: bool,
}

impl ShownLine {
    /// The line of `hit`.
    pub fn of(hit: &Hit) -> Self {
        let Hit { start, next, newlines, first_match, spanned, part, .. } = *hit;
        let number = newlines + 1;
        let is_hit = part.is_none_or(|part| part == UnitPart::Match);
        let is_head = part == Some(UnitPart::Head);
        let (follows_gap, follows_head) = (false, false);
        ShownLine { start, next, number, is_hit, is_head, first_match, spanned, follows_gap, follows_head }
    }
}

/// Takes the lines to show, with the bytes of those that are at hand; returns whether to go on.
pub type Show<'s> = dyn FnMut(ShownLine, Option<&[u8]>) -> Result<bool> + 's;

/// Turns hits into lines to show.
pub struct Grouper<'a> {
    reader: &'a Reader,
    context: Context,
    walk: LineWalk<'a>,
    /// The last line that was shown.
    last: Option<ShownLine>,
    /// Lines of context that may still follow it.
    owed: u64,
    /// Context may not begin before this offset.
    skipped_to: u64,
}

impl<'a> Grouper<'a> {
    /// Starts at the beginning of the file.
    pub fn new(reader: &'a Reader, context: Context) -> Self {
        let mut grouper =
            Grouper { reader, context, walk: LineWalk::new(reader), last: None, owed: 0, skipped_to: 0 };
        if context.after == u64::MAX {
            // All lines are shown: those before the first hit follow the beginning of the file.
            (grouper.last, grouper.owed) = (Some(ShownLine::default()), u64::MAX);
        }
        grouper
    }

    /// Shows what is due before `hit`, and the hit.
    pub fn hit(&mut self, hit: &Hit, text: &[u8], show: &mut Show<'_>) -> Result<bool> {
        let number = hit.newlines + 1;
        if !self.after(hit.start, show)? {
            return Ok(false);
        }
        let shown = self.last.map_or(0, |last| last.next).max(self.skipped_to);
        let mut start = hit.start;
        let mut before = Vec::new();
        while (before.len() as u64) < self.context.before && start > shown {
            let next = start;
            start = self.walk.start_of_line_before(start, shown)?;
            before.push(start..next);
        }
        let count = before.len() as u64;
        for (n, line) in (0..).zip(before.iter().rev()) {
            if !self.show(line.clone(), number.saturating_sub(count - n), None, None, show)? {
                return Ok(false);
            }
        }
        let held = hit.text.clone().and_then(|range| text.get(range));
        let go_on = self.show(hit.start..hit.next, number, Some(hit), held, show)?;
        self.owed = self.context.after;
        Ok(go_on)
    }

    /// Shows the next hit without the context before it.
    pub fn skip_context_before(&mut self, hit: &Hit) {
        self.skipped_to = hit.start;
    }

    /// Shows the context after the last hit, up to `end`.
    pub fn after(&mut self, end: u64, show: &mut Show<'_>) -> Result<bool> {
        while let Some(last) = self.last.filter(|last| self.owed > 0 && last.next < end) {
            self.owed -= 1;
            let walked = self.walk.line(last.next, &mut |_| {})?;
            if walked.next == last.next {
                break;
            }
            if !self.show(last.next..walked.next, last.number + 1, None, None, show)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn show(
        &mut self,
        line: Range<u64>,
        number: u64,
        hit: Option<&Hit>,
        held: Option<&[u8]>,
        show: &mut Show<'_>,
    ) -> Result<bool> {
        let follows_head = self.last.is_some_and(|last| last.is_head);
        let follows_gap = self.last.is_some_and(|last| last.next < line.start);
        let shown = match hit {
            Some(hit) => ShownLine { follows_gap, follows_head, ..ShownLine::of(hit) },
            None => {
                ShownLine { start: line.start, next: line.end, number, follows_gap, ..ShownLine::default() }
            }
        };
        self.last = Some(shown);
        // The text of the first line begins after the byte order mark.
        let is_marked = line.start == 0 && self.reader.decided.bom;
        show(shown, held.or_else(|| self.walk.held(line).filter(|_| !is_marked)))
    }
}

#[cfg(test)]
mod columns_tests {
    use super::*;

    #[test]
    fn a_window_shows_the_match_and_as_many_characters_as_asked() {
        let text = "ééééé needle ooooooooooooooo".as_bytes();
        let at = 11;
        for columns in 1..40 {
            let window = around(text, at, columns);
            assert!(window.start <= at && (at < window.end), "{columns}: {window:?}");
            let shown = std::str::from_utf8(&text[window]).unwrap();
            assert_eq!(shown.chars().count() as u64, columns.min(28));
        }
        assert_eq!(around(text, 0, 3), 0..6);
        assert_eq!(around(b"", 0, 3), 0..0);
    }

    #[test]
    fn a_short_line_that_begins_in_the_middle_of_a_character_is_whole() {
        let text = b"\x8Cwiat\xB3o: cena 37 z\xB3";
        assert_eq!(around(text, 10, 500), 0..text.len());
        assert_eq!(around(text, 10, 5), 9..14);
    }
}
