//! Makes record batches of blocks.

use std::borrow::Cow;
use std::sync::Arc;

use datafusion::arrow::array::builder::StringViewBuilder;
use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, TimestampMicrosecondArray};
use datafusion::arrow::datatypes::{FieldRef, Schema, SchemaRef};

use super::blocks::{Block, Row, Wanted, rows};
use super::conditions::Literals;
use super::parsed::{LineColumn, LinesColumns, ParsedValues, Texts};
use crate::stream::{TableFile, decode};
use crate::text::{Ledger, Parsed, ROWS};
use rread_text::{Encoding, Error, Result, TextDecoder};

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
        Ok(Parsed { batches, left_out: ledger.left_out() })
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
            if at == 0 && self.file.reader.decided().bom && bytes.starts_with(mark) { mark.len() } else { 0 };
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
