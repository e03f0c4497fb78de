//! Reads a file in blocks of whole lines or of whole records, in the encoding of the file, finds the rows of a block, and makes
//! record batches of them.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::builder::StringViewBuilder;
use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, TimestampMicrosecondArray};
use datafusion::arrow::datatypes::{FieldRef, Schema, SchemaRef};

use super::conditions::{Find, Literals};
use super::level::level;
use super::parsed::{LineColumn, LinesColumns, ParsedValues, Texts};
use crate::stream::{TableFile, decode};
use crate::text::{Ledger, Parsed, ROWS};
use rread_reader::LineTimes;
use rread_text::{Encoding, Error, Kind, Result, TextDecoder, Timestamp, Units, setting};

/// Lines at each place of a block in which other formats of times are looked for, and the number of places.
const SAMPLED: usize = 16;
const PLACES: usize = 4;

/// Whole lines, or whole records.
#[derive(Debug)]
pub(crate) struct Block {
    pub bytes: Vec<u8>,
    /// The place of the first byte in the file.
    pub at: u64,
    /// The number of the first line, from 1; 0 if lines are not counted.
    pub line: u64,
    /// Reads the times of the lines, if rows are records.
    pub times: Option<LineTimes>,
}

/// The sizes of blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockSizes {
    pub target: usize,
    /// The longest line or record.
    pub longest: usize,
}

/// Cuts a file into blocks. The cuts depend on the bytes alone, not on how they arrive.
pub(crate) struct Blocks {
    file: Arc<TableFile>,
    units: Units,
    sizes: BlockSizes,
    /// The parts of the file that were not read to their end.
    spans: VecDeque<Range<u64>>,
    times: Option<LineTimes>,
    counts: bool,
    /// Bytes that were read and are not cut into rows yet, and their place in the file.
    buffer: Vec<u8>,
    at: u64,
    /// The end of the part that is read.
    end: u64,
    line: u64,
    /// No record begins in `buffer` before this, but at its start.
    seen: usize,
    /// The end of the span was read.
    ended: bool,
}

impl Blocks {
    /// Reads `spans`, in their order. With `times`, rows are records. With `counts`, blocks have the numbers of their lines.
    pub fn new(
        file: &Arc<TableFile>,
        spans: Vec<Range<u64>>,
        times: Option<LineTimes>,
        counts: bool,
        sizes: BlockSizes,
    ) -> Self {
        Blocks {
            units: file.reader.units(),
            file: Arc::clone(file),
            sizes,
            spans: spans.into(),
            times,
            counts,
            buffer: Vec::new(),
            at: 0,
            end: 0,
            line: 0,
            seen: 0,
            ended: true,
        }
    }

    /// The next block; do not call it again after an error.
    // Not an `Iterator`, because it can fail.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Block>> {
        let mut wanted = self.sizes.target;
        loop {
            if self.ended && self.buffer.is_empty() {
                let Some(span) = self.spans.pop_front() else { return Ok(None) };
                self.begin(span)?;
            }
            self.fill(wanted)?;
            if self.buffer.is_empty() {
                continue;
            }
            self.learn();
            let end = if self.ended { self.buffer.len() } else { self.cut() };
            if end > 0 {
                return Ok(Some(self.block(end)));
            }
            if self.buffer.len() > self.sizes.longest {
                return Err(self.too_long());
            }
            wanted = self.buffer.len() + self.sizes.target.max(self.buffer.len());
        }
    }

    fn begin(&mut self, span: Range<u64>) -> Result<()> {
        if self.counts {
            self.line = match span.start {
                0 => 1,
                start => 1 + self.file.reader.newlines_before(start)?,
            };
        }
        (self.at, self.end, self.seen, self.ended) = (span.start, span.end, 0, false);
        Ok(())
    }

    /// Reads until there are `wanted` bytes, or until the span ends.
    fn fill(&mut self, wanted: usize) -> Result<()> {
        while self.buffer.len() < wanted && !self.ended {
            let have = self.buffer.len();
            let at = self.at + have as u64;
            let room = usize::try_from(self.end.saturating_sub(at)).unwrap_or(usize::MAX);
            let room = room.min(wanted - have).min(self.file.reader.block());
            self.buffer.reserve(wanted - have);
            self.buffer.resize(have + room, 0);
            let got = self.file.reader.read(&mut self.buffer[have..], at);
            self.buffer.truncate(have + got.as_ref().map_or(0, |got| *got));
            let got = got?;
            self.file.note_bytes(got);
            self.ended = got == 0;
        }
        Ok(())
    }

    /// The end of the last whole line; of records, the start of the last one. 0 if there is none.
    fn cut(&mut self) -> usize {
        let lines = self.units.after_last(&self.buffer).unwrap_or(0);
        let Some(times) = &self.times else { return lines };
        let mut end = lines;
        while end > self.seen {
            let before = end.saturating_sub(self.units.width);
            let start = self.units.after_last(&self.buffer[..before]).unwrap_or(0);
            if start > 0 && times.begins_record(&self.buffer[start..end], self.at + start as u64) {
                return start;
            }
            end = start;
        }
        self.seen = lines;
        0
    }

    fn block(&mut self, end: usize) -> Block {
        let rest = self.buffer.get(end..).unwrap_or_default();
        let mut buffer = Vec::new();
        if !self.ended {
            buffer.reserve(rest.len().max(self.sizes.target));
        }
        buffer.extend_from_slice(rest);
        let mut bytes = std::mem::replace(&mut self.buffer, buffer);
        bytes.truncate(end);
        let (at, line) = (self.at, self.line);
        self.at += end as u64;
        self.seen = 0;
        if self.counts {
            self.line += self.units.count(&bytes);
        }
        Block { bytes, at, line, times: self.times.clone() }
    }

    /// Looks for other formats of times at some places of the buffer.
    fn learn(&mut self) {
        let Some(times) = &self.times else { return };
        let mut texts: Vec<Cow<'_, [u8]>> = Vec::with_capacity(SAMPLED * PLACES);
        let mut from = 0;
        for place in 0..PLACES {
            let wanted = self.buffer.len() / PLACES * place;
            let wanted = wanted - wanted % self.units.width;
            if place > 0 {
                let Some(length) = self.units.after_first(&self.buffer[wanted..]) else { break };
                from = from.max(wanted + length);
            }
            for _ in 0..SAMPLED {
                let Some(length) = self.units.after_first(&self.buffer[from..]) else { break };
                texts.push(times.text(&self.buffer[from..from + length], self.at + from as u64));
                from += length;
            }
        }
        let more = times.with_more(&texts);
        drop(texts);
        if more.is_some() {
            self.times = more;
            self.seen = 0;
        }
    }

    fn too_long(&self) -> Error {
        let (at, longest) = (self.at, self.sizes.longest);
        let message = |what: &str| {
            Error::new(
                Kind::InvalidText,
                format!("byte {at}: the {what} that begins here is longer than {longest} bytes"),
            )
        };
        match self.times {
            None => message("line"),
            Some(_) => message("record")
                .hint(setting("input").then(" lines, if the lines without a time are no part of it")),
        }
    }
}

/// A row of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// Its bytes in the block, with the ends of its lines.
    pub bytes: Range<usize>,
    /// The lines of the block before it, if they are counted.
    pub line: u64,
    pub time: Option<Timestamp>,
    pub level: Option<&'static str>,
}

/// The parts of a row that the query needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted {
    pub line: bool,
    pub level: bool,
}

/// Passes the rows of `block` that may have one of the literals of each group, in their order.
pub(super) fn rows(
    block: &Block,
    encoding: Encoding,
    wanted: Wanted,
    literals: &Literals,
    take: &mut dyn FnMut(Row) -> Result<()>,
) -> Result<()> {
    let mut walk = Walk { block, units: encoding.units(), wanted, line: 0, counted: 0, ahead: None };
    match literals.finder() {
        // The bytes of other encodings are compared once they are decoded.
        Some(finder) if encoding == Encoding::Utf8 => walk.found(&finder, take),
        _ => walk.all(take),
    }
}

struct Walk<'b> {
    block: &'b Block,
    units: Units,
    wanted: Wanted,
    /// The lines before `counted`.
    line: u64,
    counted: usize,
    /// The start and the time of the record after the last one.
    ahead: Option<(usize, Timestamp, Range<usize>)>,
}

impl Walk<'_> {
    fn all(&mut self, take: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
        let mut from = 0;
        while from < self.block.bytes.len() {
            let row = self.row(from);
            from = row.bytes.end;
            take(row)?;
        }
        Ok(())
    }

    /// The rows in which `finder` finds something; the engine filters again.
    fn found(&mut self, finder: &Find, take: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
        let mut from = 0;
        while let Some(at) = finder(&self.block.bytes[from..]) {
            let start = self.start(from, from + at);
            let row = self.row(start);
            from = row.bytes.end;
            take(row)?;
        }
        Ok(())
    }

    /// The start of the row that has the byte `at`; a row begins at `from`.
    fn start(&mut self, from: usize, at: usize) -> usize {
        let bytes = &self.block.bytes;
        let mut start = from + self.units.after_last(&bytes[from..at]).unwrap_or(0);
        let Some(times) = &self.block.times else { return start };
        while start > from {
            let end = self.end_of_line(start);
            let at = self.block.at + start as u64;
            if let Some((time, place)) = times.read(&times.text(&bytes[start..end], at), at) {
                self.ahead = Some((start, time, place));
                break;
            }
            start = from + self.units.after_last(&bytes[from..start - self.units.width]).unwrap_or(0);
        }
        start
    }

    fn end_of_line(&self, start: usize) -> usize {
        self.units
            .after_first(&self.block.bytes[start..])
            .map_or(self.block.bytes.len(), |length| start + length)
    }

    /// The row that begins at `start`.
    fn row(&mut self, start: usize) -> Row {
        let Block { bytes, at, times, .. } = self.block;
        let mut end = self.end_of_line(start);
        let mut row = Row { line: self.line_at(start), ..Row::default() };
        if let Some(times) = times {
            let text = times.text(&bytes[start..end], at + start as u64);
            let found = match self.ahead.take() {
                Some((place, time, range)) if place == start => Some((time, range)),
                _ => times.read(&text, at + start as u64),
            };
            while end < bytes.len() {
                let next = self.end_of_line(end);
                let line = times.text(&bytes[end..next], at + end as u64);
                if let Some((time, place)) = times.read(&line, at + end as u64) {
                    self.ahead = Some((end, time, place));
                    break;
                }
                end = next;
            }
            if let Some((time, place)) = found {
                row.time = Some(time);
                row.level = self.wanted.level.then(|| self.level(&text, start..end, &place)).flatten();
            }
        }
        Row { bytes: start..end, ..row }
    }

    /// `text` is that of the first line as far as the time may reach.
    fn level(&self, text: &[u8], record: Range<usize>, time: &Range<usize>) -> Option<&'static str> {
        match self.units.width {
            1 => {
                let is_first = self.block.at == 0 && record.start == 0;
                let record = &self.block.bytes[record];
                let mark = b"\xEF\xBB\xBF";
                level(record.strip_prefix(mark).filter(|_| is_first).unwrap_or(record), time)
            }
            _ => level(text, time),
        }
    }

    fn line_at(&mut self, start: usize) -> u64 {
        if self.wanted.line {
            self.line += self.units.count(&self.block.bytes[self.counted..start]);
            self.counted = start;
        }
        self.line
    }
}

/// Makes the rows of blocks.
pub(crate) struct BlockParser {
    pub schema: SchemaRef,
    file: Arc<TableFile>,
    encoding: Encoding,
    columns: Vec<LineColumn>,
    wanted: Wanted,
    literals: Literals,
    skip_bad: bool,
    /// The values of `--parse`, and those of them that are wanted, by place.
    parsed: Option<Arc<ParsedValues>>,
    used: Vec<usize>,
}

/// The text of a block of valid UTF-8.
#[derive(Clone, Copy)]
struct ValidText<'b> {
    text: &'b str,
    /// Whether a carriage return is in it.
    has_returns: bool,
}

/// Rows of a batch, with their texts if they are wanted.
#[derive(Default)]
struct Gathered<'b> {
    rows: Vec<Row>,
    texts: Vec<Cow<'b, str>>,
}

impl BlockParser {
    /// `projection` are places of `table`.
    pub fn new(
        file: &Arc<TableFile>,
        table: &LinesColumns,
        projection: &[usize],
        literals: Literals,
        skip_bad: bool,
        parsed: Option<Arc<ParsedValues>>,
    ) -> Self {
        let columns: Vec<LineColumn> = projection.iter().map(|place| table.columns[*place]).collect();
        let fields: Vec<FieldRef> =
            projection.iter().map(|place| Arc::clone(&table.schema.fields()[*place])).collect();
        let wanted = Wanted {
            line: columns.contains(&LineColumn::Number),
            level: columns.contains(&LineColumn::Level),
        };
        let mut used: Vec<usize> = columns.iter().filter_map(|column| column.parsed()).collect();
        used.sort_unstable();
        used.dedup();
        // With --skip-bad, the form of a record decides whether it is a row.
        let parsed = parsed.filter(|_| skip_bad || !used.is_empty());
        BlockParser {
            parsed,
            used,
            schema: Arc::new(Schema::new(fields)),
            file: Arc::clone(file),
            encoding: file.reader.encoding(),
            columns,
            wanted,
            literals,
            skip_bad,
        }
    }

    /// Whether blocks need the numbers of their lines.
    pub fn counts(&self) -> bool {
        self.wanted.line || self.parsed.is_some()
    }

    /// The texts of the rows of a block.
    pub fn texts(&self, block: &Block) -> Result<Vec<String>> {
        let (mut texts, valid) = (Vec::new(), self.valid(block));
        rows(block, self.encoding, Wanted::default(), &Literals::default(), &mut |row| {
            texts.push(self.text(block, valid, &row).into_owned());
            Ok(())
        })?;
        Ok(texts)
    }

    pub fn parse(&self, block: &Block) -> Result<Parsed> {
        let valid = self.valid(block);
        if self.encoding == Encoding::Utf8 && valid.is_none() {
            self.decode(&block.bytes, block.at, true);
        }
        let needs_text = self.columns.contains(&LineColumn::Text)
            || self.encoding != Encoding::Utf8
            || self.parsed.is_some();
        let mut ledger = Ledger::of_lines(&block.bytes, block.line, self.encoding.units(), self.skip_bad);
        let (mut batches, mut here) = (Vec::new(), Gathered::default());
        rows(block, self.encoding, self.wanted, &self.literals, &mut |row| {
            if needs_text {
                let text = self.text(block, valid, &row);
                if self.encoding != Encoding::Utf8 && !self.literals.are_in(&text) {
                    return Ok(());
                }
                here.texts.push(text);
            }
            here.rows.push(row);
            if here.rows.len() == ROWS {
                batches.push(self.batch(block, std::mem::take(&mut here), &mut ledger)?);
            }
            Ok(())
        })?;
        if !here.rows.is_empty() {
            batches.push(self.batch(block, here, &mut ledger)?);
        }
        ledger.check()?;
        Ok(Parsed { batches, left_out: ledger.left_out })
    }

    /// The text of a block, if it is valid UTF-8.
    fn valid<'b>(&self, block: &'b Block) -> Option<ValidText<'b>> {
        let bytes = if self.encoding == Encoding::Utf8 { &block.bytes[..] } else { return None };
        let text = simdutf8::basic::from_utf8(bytes).ok()?;
        Some(ValidText { text, has_returns: memchr::memchr(b'\r', bytes).is_some() })
    }

    /// The text of a row: its lines with `\n` between them.
    fn text<'b>(&self, block: &'b Block, valid: Option<ValidText<'b>>, row: &Row) -> Cow<'b, str> {
        let at = block.at + row.bytes.start as u64;
        let bytes = &block.bytes[row.bytes.clone()];
        let mark = self.encoding.mark();
        let skipped =
            if at == 0 && self.file.reader.decided.bom && bytes.starts_with(mark) { mark.len() } else { 0 };
        let bytes = &bytes[skipped..];
        match valid.and_then(|valid| Some((valid, valid.text.get(row.bytes.start + skipped..row.bytes.end)?)))
        {
            Some((valid, text)) => {
                let text = without_end(text);
                if !valid.has_returns || !text.contains("\r\n") {
                    return Cow::Borrowed(text);
                }
                Cow::Owned(text.replace("\r\n", "\n"))
            }
            None => {
                // The invalid text of UTF-8 is counted for the whole block.
                let text = self.decode(bytes, at + skipped as u64, self.encoding != Encoding::Utf8);
                Cow::Owned(without_end(&text).replace("\r\n", "\n"))
            }
        }
    }

    /// `bytes` in UTF-8; with `notes`, notes invalid sequences.
    fn decode(&self, bytes: &[u8], at: u64, notes: bool) -> String {
        let mut text = Vec::with_capacity(bytes.len());
        let note = |at| {
            if notes {
                self.file.note_invalid(at)
            }
        };
        decode(&mut TextDecoder::of_whole(self.encoding), bytes, at, true, &mut text, note);
        String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    fn batch(&self, block: &Block, here: Gathered<'_>, ledger: &mut Ledger<'_>) -> Result<RecordBatch> {
        let Some(parsed) = &self.parsed else {
            return ledger.batch(
                &self.schema,
                here.rows.len(),
                |nth, _| self.column(block, &here.rows, &here.texts, self.columns[nth]),
                |_, _| String::new(),
                |row| here.rows[row].bytes.clone(),
            );
        };
        let starts: Vec<usize> = here.rows.iter().map(|row| row.bytes.start).collect();
        let mut kept = Vec::with_capacity(starts.len());
        let rows = Texts { texts: &here.texts, starts: &starts };
        let values = parsed.values(&rows, &self.used, self.skip_bad, ledger, &mut kept)?;
        let is_kept = |nth: &usize| kept.get(*nth).copied().unwrap_or(false);
        let places: Vec<usize> = (0..starts.len()).filter(is_kept).collect();
        let rows: Vec<Row> = places.iter().map(|nth| here.rows[*nth].clone()).collect();
        let texts: Vec<&str> = places.iter().map(|nth| here.texts[*nth].as_ref()).collect();
        let slot = |nth: usize| {
            let value = self.columns.get(nth)?.parsed()?;
            Some((value, self.used.binary_search(&value).ok()?))
        };
        ledger.batch(
            &self.schema,
            rows.len(),
            |nth, bad| match slot(nth) {
                Some(place) => parsed.column(&values, place, bad),
                None => self.column(block, &rows, &texts, self.columns[nth]),
            },
            |nth, row| slot(nth).map(|(_, slot)| values.at(row, slot)).unwrap_or_default(),
            |row| rows[row].bytes.clone(),
        )
    }

    fn column(
        &self,
        block: &Block,
        rows: &[Row],
        texts: &[impl AsRef<str>],
        column: LineColumn,
    ) -> Result<ArrayRef> {
        let numbers = |number: &dyn Fn(&Row) -> u64| -> ArrayRef {
            Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| number(row).cast_signed())))
        };
        Ok(match column {
            LineColumn::Number => numbers(&|row| block.line + row.line),
            LineColumn::Start => numbers(&|row| block.at + row.bytes.start as u64),
            LineColumn::End => numbers(&|row| block.at + row.bytes.end as u64),
            LineColumn::Time => {
                let times = rows.iter().map(|row| row.time.map(|time| time.as_microsecond()));
                Arc::new(TimestampMicrosecondArray::from_iter(times).with_timezone("UTC"))
            }
            LineColumn::Level => strings(rows.iter().map(|row| row.level))?,
            LineColumn::Text => strings(texts.iter().map(|text| Some(text.as_ref())))?,
            LineColumn::Parsed(_) => strings(rows.iter().map(|_| None))?,
        })
    }
}

/// `text` without the end of its last line.
fn without_end(text: &str) -> &str {
    let length = match text.as_bytes() {
        [rest @ .., b'\r', b'\n'] | [rest @ .., b'\n'] => rest.len(),
        all => all.len(),
    };
    text.get(..length).unwrap_or(text)
}

/// Copies the texts, so that a batch does not keep the whole block alive.
fn strings<'s>(values: impl Iterator<Item = Option<&'s str>>) -> Result<ArrayRef> {
    let mut builder = StringViewBuilder::with_capacity(values.size_hint().0);
    for value in values {
        match value {
            Some(value) => builder
                .try_append_value(value)
                .map_err(|cause| Error::usage(format!("a value is too long: {cause}")))?,
            None => builder.append_null(),
        }
    }
    Ok(Arc::new(builder.finish()))
}
