//! Finds the matching lines in a block of whole lines, and the matches in a line; a part of a line with its place in the file.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use grep_matcher::{Captures, LineMatchKind, Matcher};
use grep_regex::RegexMatcher;
use memchr::{memchr, memrchr};

use super::pattern::{Compiled, Pattern, SeenLines};
use super::steps::Steps;
use crate::reader::Reader;
use rread_text::encoding::floor_char;
use rread_text::{Encoding, Error, Kind, Result, Run, TextDecoder, Units};

/// Takes a line of a block, and its text in UTF-8; returns whether to go on.
pub(super) type TakeLine<'t> = dyn FnMut(Range<usize>, &[u8]) -> Result<bool> + 't;

/// A compiled pattern, and the encoding of the text that it searches.
#[derive(Clone)]
pub struct LineMatcher {
    /// Shared by the files of a search, so that what it remembers of one helps with the next.
    regex: Arc<RegexMatcher>,
    /// Whether the lines without a match are searched for.
    pub invert: bool,
    crlf: bool,
    /// Whether what follows a match decides about it.
    looks_ahead: bool,
    /// For a client.
    steps: Option<Arc<Steps>>,
    seen: Option<SeenLines>,
    encoding: Encoding,
    /// The text that replaces matches, with `$1` and `$name` for groups.
    replacement: Option<Arc<[u8]>>,
    /// Matches may have several lines.
    pub(super) joins_lines: bool,
    /// Blanks at the end of a line do not belong to it.
    trims: bool,
}

impl LineMatcher {
    /// Compiles `pattern` for text in `encoding`; with `crlf`, `$` matches before `\r\n` too, unless the pattern names
    /// the carriage return.
    ///
    /// # Errors
    ///
    /// [`Kind::Usage`] with the position, for a pattern that is not one.
    pub fn new(pattern: &Pattern, encoding: Encoding, crlf: bool) -> Result<Self> {
        let crlf = pattern.joins_returns(crlf);
        let Compiled { regex, looks_ahead, steps } = pattern.compiled(crlf)?.clone();
        let (invert, seen) = (pattern.invert, pattern.seen);
        let (replacement, joins_lines) = (None, pattern.several_lines);
        Ok(LineMatcher {
            regex,
            invert,
            crlf,
            looks_ahead,
            steps,
            seen,
            encoding,
            replacement,
            joins_lines,
            trims: false,
        })
    }

    /// A matcher for another thread, which does not wait for the memory of this one.
    pub(super) fn for_thread(&self) -> Self {
        LineMatcher { regex: Arc::new(RegexMatcher::clone(&self.regex)), ..self.clone() }
    }

    /// Replaces matches by `text`, in which `$1` and `$name` are groups of the pattern.
    pub fn replacing(self, text: Option<Arc<[u8]>>) -> Self {
        LineMatcher { replacement: text, ..self }
    }

    /// Whether matches are replaced.
    pub fn replaces(&self) -> bool {
        self.replacement.is_some()
    }

    /// The text that replaces the match `found` in `text`; empty if matches are not replaced.
    pub(super) fn replacement(&self, text: &[u8], found: &Range<usize>) -> Result<Vec<u8>> {
        let mut replaced = Vec::new();
        if let Some(replacement) = &self.replacement {
            let mut groups = self.regex.new_captures().map_err(pattern_error)?;
            if self.regex.captures_at(text, found.start, &mut groups).map_err(pattern_error)? {
                let index = |name: &str| self.regex.capture_index(name);
                groups.interpolate(index, text, replacement, &mut replaced);
            }
        }
        Ok(replaced)
    }

    /// The same for text whose lines end with blanks that nobody wrote.
    pub fn plain(self) -> Self {
        LineMatcher { trims: true, seen: Some(without_blanks), ..self }
    }

    /// The same that searches for lines with a match.
    pub fn upright(self) -> Self {
        LineMatcher { invert: false, ..self }
    }

    pub(crate) fn units(&self) -> Units {
        self.encoding.units()
    }

    /// Passes each wanted line of `block`, which has whole lines of the file and begins at `offset`: where it begins,
    /// where the next one begins, and its text in UTF-8. `take` returns whether to go on.
    pub fn lines(&self, block: &[u8], offset: u64, take: &mut TakeLine<'_>) -> Result<()> {
        let text = match self.text(block, offset) {
            Cow::Borrowed(_) => {
                return self.utf8_lines(block, &mut |line| take(line.clone(), &block[line]));
            }
            Cow::Owned(text) => text,
        };
        let units = self.units();
        // Decoding keeps the number of newlines: lines are counted, in the text and in the block.
        let (mut text_at, mut at) = (0, 0);
        self.utf8_lines(&text, &mut |line| {
            let before = memchr::memchr_iter(b'\n', &text[text_at..line.start]).count() as u64;
            if before > 0 {
                at += units.after_nth(&block[at..], before).unwrap_or(block.len() - at);
            }
            let next = units.after_first(&block[at..]).map_or(block.len(), |end| at + end);
            let here = at..next;
            (text_at, at) = (line.end, next);
            take(here, &text[line])
        })
    }

    fn utf8_lines(&self, block: &[u8], take: &mut dyn FnMut(Range<usize>) -> Result<bool>) -> Result<()> {
        let mut at = 0;
        while at < block.len() {
            let found = self.next_line(block, at)?;
            let end = found.as_ref().map_or(block.len(), |line| line.start);
            if self.invert {
                while at < end {
                    let next = line_end(block, at);
                    if !take(at..next)? {
                        return Ok(());
                    }
                    at = next;
                }
            }
            let Some(line) = found else { break };
            at = line.end;
            if !self.invert && !take(line)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The first line at or after `from`, the start of a line, that has a match.
    fn next_line(&self, block: &[u8], from: usize) -> Result<Option<Range<usize>>> {
        let mut at = from;
        while at < block.len() {
            self.check()?;
            let end = self.part_end(block, at);
            if self.steps.as_ref().is_some_and(|steps| end - at > steps.longest) {
                if self.find(self.without_end(&block[at..end]), 0)?.is_some() {
                    return Ok(Some(at..end));
                }
                at = end;
                continue;
            }
            let found = self.regex.find_candidate_line(&block[at..end]).map_err(pattern_error)?;
            let (inside, is_sure) = match found {
                None => {
                    at = end;
                    continue;
                }
                Some(LineMatchKind::Confirmed(inside)) => (at + inside, true),
                Some(LineMatchKind::Candidate(inside)) => (at + inside, false),
            };
            let start = memrchr(b'\n', &block[at..inside]).map_or(at, |newline| at + newline + 1);
            // The empty text after the last newline is not a line.
            if start == end {
                at = end;
                continue;
            }
            let line = start..line_end(block, inside.max(start));
            if is_sure
                || self.regex.is_match(without_suffix(&block[line.clone()], b"\n")).map_err(pattern_error)?
            {
                return Ok(Some(line));
            }
            at = line.end;
        }
        Ok(None)
    }

    /// The end of the lines from `at` that are searched at once: all, or for a client those of a short time.
    fn part_end(&self, block: &[u8], at: usize) -> usize {
        let longest = self.steps.as_ref().map_or(usize::MAX, |steps| steps.longest);
        match block[at..].get(..longest) {
            None => block.len(),
            Some(part) => memrchr(b'\n', part).map_or_else(|| line_end(block, at), |end| at + end + 1),
        }
    }

    /// The first match in `text` that begins at `at` or later.
    fn find(&self, text: &[u8], at: usize) -> Result<Option<Range<usize>>> {
        self.check()?;
        if let Some(steps) = self.steps.as_ref().filter(|steps| text.len() - at > steps.longest)
            && let Some(found) = steps.find(text, at)?
        {
            return Ok(found);
        }
        let found = self.regex.find_at(text, at).map_err(pattern_error)?;
        Ok(found.map(|found| found.start()..found.end()))
    }

    /// Fails if the client wants no answer any more.
    fn check(&self) -> Result<()> {
        self.steps.as_ref().map_or(Ok(()), |steps| steps.check())
    }

    /// Passes each match in a `line` of UTF-8, without overlaps; `take` returns whether to go on.
    pub(crate) fn matches(&self, line: &[u8], take: &mut dyn FnMut(Range<usize>) -> bool) -> Result<()> {
        self.matches_in_part(self.without_end(line), 0, None, false, take)
    }

    /// `line` without the newline that ends it.
    pub(crate) fn without_end<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        let body = without_suffix(line, b"\n");
        let body = if self.crlf && body.len() < line.len() { without_suffix(body, b"\r") } else { body };
        if self.trims { body.trim_ascii_end() } else { body }
    }

    /// Passes each match in `text`, a part of a line, that begins at or after `from`, without overlaps. If the line goes
    /// on after `text`, a match at its end is left out if what follows decides about it. `last_end` is the end of the match
    /// before. `take` returns whether to go on.
    pub fn matches_in_part(
        &self,
        text: &[u8],
        from: usize,
        last_end: Option<usize>,
        goes_on: bool,
        take: &mut dyn FnMut(Range<usize>) -> bool,
    ) -> Result<()> {
        let (mut at, mut last_end) = (from, last_end);
        while at <= text.len()
            && let Some(found) = self.find(text, at)?
        {
            if goes_on && self.looks_ahead && found.end == text.len() {
                break;
            }
            at = found.end + usize::from(found.is_empty());
            // Directly after a match or inside a character, an empty match is not another one.
            if found.is_empty() && (last_end == Some(found.end) || is_inside_char(text, found.start)) {
                continue;
            }
            last_end = Some(found.end);
            if !take(found) {
                break;
            }
        }
        Ok(())
    }

    /// The start of the first match in the line `part` that begins at `from` or later, and the number of such matches.
    pub(super) fn first_after(&self, part: &LinePart, from: u64) -> Result<Option<(u64, u64)>> {
        let (mut first, mut count) = (None, 0);
        self.matches_in_part(self.without_end(part.text()), part.text_at(from), None, false, &mut |found| {
            first = first.or_else(|| Some(part.offset(found.start)));
            count += 1;
            true
        })?;
        Ok(first.map(|first| (first, count)))
    }

    /// `bytes` of the file at `offset` as they are searched, in UTF-8.
    pub(crate) fn text<'a>(&self, bytes: &'a [u8], offset: u64) -> Cow<'a, [u8]> {
        let text = match self.encoding {
            Encoding::Utf8 => Cow::Borrowed(bytes),
            encoding => Cow::Owned(encoding.decode_lossy(bytes, offset, true)),
        };
        self.seen.and_then(|seen| seen(&text)).map_or(text, Cow::Owned)
    }

    /// Whether it searches another text than that of the file, as far as lines are held: see [`Pattern::seen`].
    pub fn sees_screen(&self) -> bool {
        self.seen.is_some()
    }
}

/// `text` without the blanks at the ends of its lines; `None` if there are none.
fn without_blanks(text: &[u8]) -> Option<Vec<u8>> {
    let is_found = [&b" \n"[..], b" \r\n"].iter().any(|end| memchr::memmem::find(text, end).is_some());
    (is_found || text.ends_with(b" ") || text.ends_with(b" \r")).then_some(())?;
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let body = without_suffix(line, b"\n");
        out.extend_from_slice(body.trim_ascii_end());
        out.extend_from_slice(&line[body.len()..]);
    }
    Some(out)
}

/// Whether `at` lies inside a valid character.
fn is_inside_char(text: &[u8], at: usize) -> bool {
    let start = floor_char(text, at);
    start < at && Encoding::Utf8.first_char(&text[start..]).is_some_and(|len| start + len > at)
}

/// Past the newline of the line that `at` lies in, or the end of the text.
fn line_end(text: &[u8], at: usize) -> usize {
    memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline + 1)
}

fn without_suffix<'a>(line: &'a [u8], suffix: &[u8]) -> &'a [u8] {
    line.strip_suffix(suffix).unwrap_or(line)
}

fn pattern_error<E: std::fmt::Display>(error: E) -> Error {
    Error::new(Kind::Io, format!("the search failed: {error}"))
}

/// Blocks (of 256 KiB) of a line that are held at once. Half of that is the overlap of two parts: in a line that is not held, a
/// longer match may be missed.
pub(crate) const LONG_LINE_BLOCKS: usize = 4;

/// The same if matches may have several lines. A match that is longer than half of them may be missed, or cut.
pub(super) const SPANNED_BLOCKS: usize = 32;

/// Bytes of text between places that are known in the file: each match is looked for from the last one of them.
const STEP: usize = 256;

/// A part of a line in memory, with its text in UTF-8.
pub(super) struct LinePart {
    /// The text, if the bytes are not UTF-8.
    decoded: Vec<u8>,
    encoding: Encoding,
    /// The bytes of the file, and the offset of the first.
    bytes: Vec<u8>,
    pub(super) at: u64,
    /// The starts of short runs of text, in `decoded` and in `bytes`; empty for UTF-8.
    runs: Vec<(usize, usize)>,
}

impl LinePart {
    /// The bytes of `span`, without the byte order mark of the file.
    pub(super) fn read(reader: &Reader, span: Range<u64>) -> Result<Self> {
        let encoding = reader.encoding();
        let mark = if span.start == 0 && reader.decided.bom { encoding.mark().len() as u64 } else { 0 };
        let at = (span.start + mark).min(span.end);
        let mut bytes = vec![0; usize::try_from(span.end - at).unwrap_or(0)];
        reader.read_exact(&mut bytes, at)?;
        Ok(LinePart::of(encoding, bytes, at))
    }

    /// The part of a file in `encoding` that has `bytes` at `at`.
    pub(super) fn of(encoding: Encoding, bytes: Vec<u8>, at: u64) -> Self {
        let mut part = LinePart { decoded: Vec::new(), encoding, bytes, at, runs: Vec::new() };
        if encoding == Encoding::Utf8 {
            return part;
        }
        let mut decoder = TextDecoder::of_whole(encoding);
        let mut used = 0;
        while let Some(run) = decoder.next_run(&part.bytes[used..], at + used as u64) {
            part.runs.push((part.decoded.len(), used));
            match run {
                Run::Text(text) => {
                    let mut rest = text;
                    // A run of text with state cannot be split.
                    while rest.utf8.len() > STEP && !encoding.has_state() {
                        rest = rest.split_at(floor_char(rest.utf8, STEP)).1;
                        let passed = text.utf8.len() - rest.utf8.len();
                        let source = text.source.len() - rest.source.len();
                        part.runs.push((part.decoded.len() + passed, used + source));
                    }
                    part.decoded.extend_from_slice(text.utf8);
                    used += text.source.len();
                }
                Run::Invalid(bad) | Run::Cut(bad) => {
                    part.decoded.extend_from_slice("\u{FFFD}".as_bytes());
                    used += bad.len();
                }
            }
        }
        part
    }

    pub(super) fn text(&self) -> &[u8] {
        if self.encoding == Encoding::Utf8 { &self.bytes } else { &self.decoded }
    }

    /// Past the last byte.
    pub(super) fn end(&self) -> u64 {
        self.at + self.bytes.len() as u64
    }

    /// The place in the text of the byte at `offset` of the file; the end of the text if that is past the part.
    pub(super) fn text_at(&self, offset: u64) -> usize {
        let within = usize::try_from(offset.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let within = within.min(self.bytes.len());
        let run = self.runs.partition_point(|run| run.1 <= within);
        let Some((text, source)) = run.checked_sub(1).map(|run| self.runs[run]) else { return within };
        let before =
            LinePart::of(self.encoding, self.bytes[source..within].to_vec(), self.at + source as u64);
        text + before.text().len()
    }

    /// The offset in the file of the character at `at` of the text.
    pub(super) fn offset(&self, at: usize) -> u64 {
        if self.encoding.has_state() {
            return self.at + self.longest_with(at) as u64;
        }
        let run = self.runs.partition_point(|run| run.0 <= at);
        let Some((text, source)) = run.checked_sub(1).map(|run| self.runs[run]) else {
            return self.at + at as u64;
        };
        let here = self.at + source as u64;
        let end = self.runs.get(run).map_or(self.bytes.len(), |next| next.1);
        let mut decoder = TextDecoder::of_whole(self.encoding);
        match decoder.next_run(&self.bytes[source..end], here) {
            Some(Run::Text(run)) => run.split_at((at - text).min(run.utf8.len())).1.at,
            Some(Run::Invalid(bad) | Run::Cut(bad)) if at > text => here + bad.len() as u64,
            _ => here,
        }
    }

    /// The longest beginning of whole characters whose text is at most `len` long. A run of text with state cannot be
    /// split.
    fn longest_with(&self, len: usize) -> usize {
        let decoded = |end: usize| {
            let (mut decoder, mut used, mut text) = (TextDecoder::new(self.encoding), 0, 0);
            while let Some(run) = decoder.next_run(&self.bytes[used..end], self.at + used as u64) {
                let (utf8, source) = match run {
                    Run::Text(run) => (run.utf8.len(), run.source.len()),
                    Run::Invalid(bad) => ('\u{FFFD}'.len_utf8(), bad.len()),
                    Run::Cut(_) => break,
                };
                (text, used) = (text + utf8, used + source);
            }
            (text, used)
        };
        let (mut fits, mut exceeds) = (0, self.bytes.len() + 1);
        while exceeds - fits > 1 {
            let middle = usize::midpoint(fits, exceeds);
            if decoded(middle).0 <= len { fits = middle } else { exceeds = middle }
        }
        decoded(fits).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(c: char, encoding: Encoding) -> Vec<u8> {
        match encoding {
            Encoding::Utf16 { big_endian } => {
                let bytes = |unit: &u16| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
                c.encode_utf16(&mut [0; 2]).iter().flat_map(bytes).collect()
            }
            Encoding::Legacy(whatwg) => whatwg.encode(c.encode_utf8(&mut [0; 4])).0.into_owned(),
            _ => c.to_string().into_bytes(),
        }
    }

    /// Long enough for several runs, with characters of several lengths.
    #[test]
    fn every_character_of_a_long_line_has_its_place() {
        let text: String = (0..600).map(|n| ['a', '漢', 'x', '日', '本'][n % 5]).collect();
        let whatwg = [encoding_rs::GB18030, encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP, encoding_rs::BIG5];
        let wide = [false, true].map(|big_endian| Encoding::Utf16 { big_endian });
        for encoding in wide.into_iter().chain(whatwg.map(Encoding::Legacy)) {
            let bytes: Vec<u8> = text.chars().flat_map(|c| encoded(c, encoding)).collect();
            let at = 1000;
            let part = LinePart::of(encoding, bytes, at);
            assert_eq!(String::from_utf8_lossy(part.text()), text);
            assert!(part.runs.len() > 3);
            let mut offset = at;
            for (place, c) in text.char_indices() {
                assert_eq!((part.offset(place), part.text_at(offset)), (offset, place), "{encoding:?}");
                offset += encoded(c, encoding).len() as u64;
            }
        }
    }
}
