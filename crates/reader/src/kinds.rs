//! The kinds of lines of a file: lines with the same pattern, counted in one pass, on all cores where that helps.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::mpsc::SyncSender;

use xxhash_rust::xxh3::xxh3_64;

use crate::reader::Reader;
use crate::reader::encoding::decode_line;
use crate::reader::find_lines::LineWalk;
use crate::reader::full_scan::{fan_out, receive};
use rread_text::masking::alike::{Alike, join};
use rread_text::masking::{MAX_MASKED, mask};
use rread_text::{Encoding, Result};

/// Kinds that are told apart; lines of kinds that come later are counted together. It bounds the memory.
const MAX_KINDS: usize = 1 << 17;

/// The bytes of their patterns.
const MAX_PATTERN_BYTES: usize = 16 << 20;

/// Blocks that one thread takes at a time.
const STRIPE_BLOCKS: u64 = 16;

/// Lines with one pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// How many there are.
    pub count: u64,
    /// The number of the first, from 1.
    pub first_line: u64,
    /// The offset of the first.
    pub first_byte: u64,
    /// The offset of the last.
    pub last_byte: u64,
    /// In UTF-8.
    pub pattern: Vec<u8>,
}

/// The kinds of lines of a part of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// The most frequent first; of equals, the one that came first.
    pub kinds: Vec<Kind>,
    /// All lines.
    pub lines: u64,
    /// Lines of kinds that came after 131,072 others; they are in none of `kinds`.
    pub other_lines: u64,
}

impl Reader {
    /// Counts the kinds of the lines that begin in `spans`, which are in order and each begin a line.
    pub fn kinds(&self, spans: &[Range<u64>]) -> Result<Kinds> {
        self.settle();
        let mut all = Table::default();
        for span in spans.iter().filter(|span| !span.is_empty()) {
            // The lines between spans have numbers too.
            all.lines_before = self.newlines_before(span.start)?;
            all.span_lines = 0;
            self.kinds_of_span(span, &mut all)?;
        }
        let mut kinds: Vec<Kind> = all.kinds.into_values().collect();
        kinds.sort_unstable_by_key(|kind| kind.first_byte);
        let mut kinds = joined(&kinds);
        kinds.sort_by_key(|kind| (Reverse(kind.count), kind.first_byte));
        Ok(Kinds { kinds, lines: all.lines, other_lines: all.other_lines })
    }

    fn kinds_of_span(&self, span: &Range<u64>, all: &mut Table) -> Result<()> {
        self.source().advise(span.clone());
        let mut from = span.start;
        if let Some(size) = self.known_size().filter(|_| !self.source().info().is_sequential) {
            from = self.kinds_on_all_cores(span.start..span.end.min(size), all)?;
        }
        if from < span.end {
            let mut rest = Table::default();
            KindLane::new(self).lines(from..span.end, from == span.start, &mut rest)?;
            self.note_scanned(rest.read);
            all.join(&rest);
        }
        Ok(())
    }

    /// The line that begins at `start`, without its end; of a long one, the beginning.
    pub fn line_text(&self, start: u64) -> Result<String> {
        const MAX_SHOWN: usize = 16 << 10;
        let mut line = Vec::new();
        LineWalk::new(self).line(start, &mut |part| {
            line.extend_from_slice(&part[..part.len().min(MAX_SHOWN.saturating_sub(line.len()))]);
        })?;
        Ok(String::from_utf8_lossy(&decode_line(self.encoding(), &line, start)).trim_end().to_owned())
    }

    /// Returns where one thread must go on.
    fn kinds_on_all_cores(&self, span: Range<u64>, all: &mut Table) -> Result<u64> {
        let stripe = STRIPE_BLOCKS * self.block() as u64;
        let stripes = span.end.saturating_sub(span.start).div_ceil(stripe);
        if stripes < 2 {
            return Ok(span.start);
        }
        let part = |number: u64| {
            let start = span.start + number * stripe;
            start..span.end.min(start + stripe)
        };
        let count = |lane: usize, lanes: usize, sender: &SyncSender<Result<Table>>| {
            let mut counter = KindLane::new(self);
            for number in (lane as u64..stripes).step_by(lanes) {
                let mut table = Table::default();
                let counted = counter.lines(part(number), number == 0, &mut table).map(|()| table);
                let is_over = counted.is_err();
                if sender.send(counted).is_err() || is_over {
                    return;
                }
            }
        };
        let joined = fan_out(0, count, |lanes| {
            for (_, lane) in (0..stripes).zip(lanes.iter().cycle()) {
                let table = receive(lane)??;
                self.note_scanned(table.read);
                all.join(&table);
            }
            Ok(span.end)
        })?;
        Ok(joined.unwrap_or(span.start))
    }
}

/// The kinds, which come in the order of their first lines, and those that differ in a word that varies as one.
fn joined(kinds: &[Kind]) -> Vec<Kind> {
    let patterns = kinds.iter().map(|kind| (kind.pattern.as_slice(), kind.count));
    let of = |alike: &Alike<'_>| {
        let members = || alike.members.iter().map(|at| &kinds[*at]);
        let first = members().min_by_key(|kind| kind.first_byte)?;
        let count = members().map(|kind| kind.count).sum();
        let last_byte = members().map(|kind| kind.last_byte).max()?;
        Some(Kind { count, last_byte, pattern: alike.pattern(), ..*first })
    };
    join(patterns).iter().filter_map(of).collect()
}

/// The kinds met so far, by the hash of their pattern. Two of 131,072 patterns have the same hash of 64 bits once in two billion files.
#[derive(Default)]
struct Table {
    kinds: HashMap<u64, Kind>,
    pattern_bytes: usize,
    lines: u64,
    other_lines: u64,
    /// Lines before the span, and in it so far.
    lines_before: u64,
    span_lines: u64,
    read: u64,
}

impl Table {
    fn add(&mut self, hash: u64, pattern: &[u8], kind: Kind) {
        let has_room = self.kinds.len() < MAX_KINDS && self.pattern_bytes < MAX_PATTERN_BYTES;
        match self.kinds.entry(hash) {
            Entry::Occupied(known) => {
                let known = known.into_mut();
                known.count += kind.count;
                known.last_byte = kind.last_byte;
            }
            Entry::Vacant(entry) if has_room => {
                self.pattern_bytes += pattern.len();
                entry.insert(Kind { pattern: pattern.to_owned(), ..kind });
            }
            Entry::Vacant(_) => self.other_lines += kind.count,
        }
    }

    /// Adds the lines that follow those counted so far.
    fn join(&mut self, next: &Table) {
        let mut kinds: Vec<(&u64, &Kind)> = next.kinds.iter().collect();
        kinds.sort_unstable_by_key(|(_, kind)| kind.first_line);
        for (hash, kind) in kinds {
            let first_line = kind.first_line + self.lines_before + self.span_lines;
            self.add(*hash, &kind.pattern, Kind { first_line, pattern: Vec::new(), ..*kind });
        }
        self.lines += next.lines;
        self.span_lines += next.lines;
        self.other_lines += next.other_lines;
    }
}

/// One thread's part of the file.
struct KindLane<'a> {
    reader: &'a Reader,
    walk: LineWalk<'a>,
    /// The beginning of the line that is read.
    line: Vec<u8>,
    masked: Vec<u8>,
}

impl<'a> KindLane<'a> {
    fn new(reader: &'a Reader) -> Self {
        KindLane { reader, walk: LineWalk::new(reader), line: Vec::new(), masked: Vec::new() }
    }

    /// Counts the lines that begin in `span`; the first byte begins one if `starts_line`, or where the line before ends.
    fn lines(&mut self, span: Range<u64>, starts_line: bool, table: &mut Table) -> Result<()> {
        let width = self.reader.units().width;
        let mut at = span.start;
        if !starts_line {
            // The line that the byte before belongs to is counted by others.
            at = self.walk.next_line(at - width as u64, span.end)?.unwrap_or(span.end);
        }
        while at < span.end {
            self.line.clear();
            let line = &mut self.line;
            let walked = self.walk.line(at, &mut |part| {
                let room = MAX_MASKED * width - line.len();
                line.extend_from_slice(&part[..part.len().min(room)]);
            })?;
            if walked.next == at {
                break;
            }
            self.count(at, table);
            at = walked.next;
        }
        table.read = at.min(span.end).saturating_sub(span.start);
        Ok(())
    }

    /// Counts the line that begins at `start`.
    fn count(&mut self, start: u64, table: &mut Table) {
        self.masked.clear();
        match self.reader.encoding() {
            // Invalid bytes are parts of words, as U+FFFD is.
            Encoding::Utf8 => mask(&self.line, &mut self.masked),
            encoding => mask(&decode_line(encoding, &self.line, start), &mut self.masked),
        }
        table.lines += 1;
        let first_line = table.lines;
        let pattern = Vec::new();
        let kind = Kind { count: 1, first_line, first_byte: start, last_byte: start, pattern };
        table.add(xxh3_64(&self.masked), &self.masked, kind);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::reader::Tuning;
    use rread_source::MemorySource;

    const WHOLE: [Range<u64>; 1] = [0..u64::MAX; 1];

    /// Line by line, with all of the text in memory.
    fn expected(text: &[u8]) -> Vec<Kind> {
        let mut kinds: BTreeMap<Vec<u8>, Kind> = BTreeMap::new();
        let mut at = 0;
        for (number, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let mut pattern = Vec::new();
            mask(line.strip_suffix(b"\n").unwrap_or(line), &mut pattern);
            let first_line = number as u64 + 1;
            let first =
                Kind { count: 0, first_line, first_byte: at, last_byte: at, pattern: pattern.clone() };
            let kind = kinds.entry(pattern).or_insert(first);
            kind.count += 1;
            kind.last_byte = at;
            at += line.len() as u64;
        }
        let mut kinds: Vec<Kind> = kinds.into_values().collect();
        kinds.sort_by_key(|kind| kind.first_byte);
        let mut kinds = joined(&kinds);
        kinds.sort_by_key(|kind| (Reverse(kind.count), kind.first_byte));
        kinds
    }

    fn texts() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            4 => Just("user 17 came".to_owned()),
            2 => Just("user 18 came".to_owned()),
            2 => Just("gone".to_owned()),
            4 => Just("\n".to_owned()),
            1 => Just("\r\n".to_owned()),
            1 => Just("é".to_owned()),
            1 => Just("x".repeat(90)),
            1 => Just("word 5 ".repeat(700)),
        ];
        prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat().into_bytes())
    }

    proptest! {
        #[test]
        fn every_line_is_counted_once(text in texts(), block in prop::sample::select(vec![16usize, 64, 4096])) {
            let tuning = Tuning { block, ..Tuning::default() };
            let reader = Reader::new(Box::new(MemorySource::new(text.as_slice())), tuning).unwrap();
            let found = reader.kinds(&WHOLE).unwrap();
            let kinds = expected(&text);
            prop_assert_eq!(&found.kinds, &kinds);
            prop_assert_eq!(found.lines, kinds.iter().map(|kind| kind.count).sum::<u64>());
        }

        /// The lines of two windows are those of the file, with the numbers that they have there.
        #[test]
        fn windows_count_their_lines(text in texts(), cut in any::<prop::sample::Index>()) {
            let reader = Reader::new(Box::new(MemorySource::new(text.as_slice())), Tuning::default()).unwrap();
            let mut starts: Vec<u64> = vec![0];
            starts.extend((0..text.len()).filter(|at| text[*at] == b'\n').map(|at| at as u64 + 1));
            let middle = starts[cut.index(starts.len())];
            let whole = reader.kinds(&WHOLE).unwrap();
            prop_assert_eq!(reader.kinds(&[0..middle, middle..text.len() as u64]).unwrap(), whole);
            let expected = expected(&text[usize::try_from(middle).unwrap()..]);
            let before = text[..usize::try_from(middle).unwrap()].iter().filter(|byte| **byte == b'\n').count() as u64;
            let rest = reader.kinds(std::slice::from_ref(&(middle..text.len() as u64))).unwrap();
            let numbers: Vec<u64> = rest.kinds.iter().map(|kind| kind.first_line).collect();
            let wanted: Vec<u64> = expected.iter().map(|kind| kind.first_line + before).collect();
            prop_assert_eq!(numbers, wanted);
        }
    }

    #[test]
    fn characters_of_two_bytes_are_lines_of_characters() {
        let text: Vec<u8> = "a 1\nb 2\r\na 33\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let reader = Reader::of_text(
            Box::new(MemorySource::new(text.as_slice())),
            Encoding::Utf16 { big_endian: false },
        );
        let kinds = reader.kinds(&WHOLE).unwrap().kinds;
        let shown: Vec<_> =
            kinds.iter().map(|kind| (kind.count, kind.first_line, kind.pattern.as_slice())).collect();
        assert_eq!(shown, [(2, 1, &b"a <n>"[..]), (1, 2, b"b <n>")]);
    }

    #[test]
    fn the_first_line_is_of_the_kind_of_the_others() {
        let legacy = Encoding::Legacy(encoding_rs::WINDOWS_1252);
        for (text, encoding) in [
            (&b"\xe9t\xe9 1\n\xe9t\xe9 2\n"[..], legacy),
            (b"\xe9t\xe9 1\n\xe9t\xe9 2\n", Encoding::Utf8),
            (b"\xef\xbb\xbfa 1\na 2\n", Encoding::Utf8),
            // Digits are second bytes of characters.
            (b"\x810\x810 1\n\x810\x811 2\n\x810\x810 3\n", Encoding::Legacy(encoding_rs::GB18030)),
        ] {
            let reader = Reader::of_text(Box::new(MemorySource::new(text)), encoding);
            let found = reader.kinds(&WHOLE).unwrap();
            let patterns: Vec<&[u8]> = found.kinds.iter().map(|kind| kind.pattern.as_slice()).collect();
            assert_eq!(found.kinds[0].count, 2, "{patterns:?}");
        }
    }

    #[test]
    fn kinds_beyond_the_most_are_counted_together() {
        let mut text = String::new();
        for number in 0..MAX_KINDS + 10 {
            // Letters only, so that each line is of its own kind.
            let word: String =
                number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'g')).collect();
            text += &word;
            text.push('\n');
        }
        let reader = Reader::new(Box::new(MemorySource::new(text.as_bytes())), Tuning::default()).unwrap();
        let found = reader.kinds(&WHOLE).unwrap();
        assert_eq!(
            (found.kinds.len(), found.other_lines, found.lines),
            (MAX_KINDS, 10, MAX_KINDS as u64 + 10)
        );
    }
}
