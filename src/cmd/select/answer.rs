//! The answer to a query: the rows, and an envelope that says what they are.

use std::sync::Arc;

use super::{SelectArgs, TableArgs};
use crate::answer::deliver::refuse_torn;
use crate::answer::facts::compression;
use crate::args::content::budget_of_bytes;
use crate::content::Sink;
use crate::envelope::{Fact, Facts, compression_facts, notice_facts, notices, traffic_facts};
use crate::error::{Error, Kind, Result, counted, printable};
use crate::format::{Body, Format, document};
use crate::output::Out;
use crate::progress::Progress;
use crate::query::layout::{Csv, Input};
use crate::query::rows::{Cut, Kept, Wanted, Writer, Written};
use crate::query::{self, Asked, Ended};
use crate::reader::Reader;
use crate::source::Change;

/// The element of XML.
const ELEMENT: &str = "select_result";

/// Runs the command.
///
/// # Errors
/// `no_rows`, after the answer, if there is none; whatever kept the answer from being given.
pub(super) fn run(args: &SelectArgs) -> Result<()> {
    let format = args.format.format()?;
    args.table.check()?;
    let mut out = Out::stdout()?;
    if args.metadata_only && !format.has_receipt() {
        return Err(Error::usage("--metadata-only leaves nothing of the formats raw and text")
            .hint("--metadata-only --format json"));
    }
    let reader = Arc::new(args.encoding.open(&args.file, &args.source.access())?);
    let progress = Progress::watch(&reader);
    let select = Select { args, reader };
    let written = if format.has_receipt() {
        // An answer is whole or none: what is wrong with the millionth record is known only when it has been read.
        let mut rows = Kept::default();
        let (ended, written) = select.query(&mut |bytes| rows.put(bytes))?;
        drop(progress);
        let change = select.reader.changed();
        refuse_torn(change)?;
        let facts = || select.facts(&ended, &written, change, format);
        let mut body = RowBody(rows);
        let body = (!args.metadata_only).then_some(&mut body as &mut dyn Body);
        let color = args.format.use_color(&out);
        document(&mut out, format, color, ELEMENT, &facts, body)?;
        written
    } else {
        let (ended, written) = select.query(&mut |bytes| show(&mut out, &String::from_utf8_lossy(bytes)))?;
        drop(progress);
        refuse_torn(select.reader.changed())?;
        select.warn(&ended, &written);
        written
    };
    out.flush()?;
    if written.rows == 0 && written.passed == 0 {
        return Err(Error::new(Kind::NoRows, "the query has no row").at(&args.file));
    }
    Ok(())
}

/// How values stand in a CSV.
fn csv(table: &TableArgs) -> Csv {
    Csv {
        delimiter: table.delimiter.unwrap_or(b','),
        quote: table.quote.filter(|quote| *quote != 0),
        escape: table.escape,
        comment: table.comment,
        header: !table.no_header,
        nulls: table.null.clone(),
    }
}

struct Select<'a> {
    args: &'a SelectArgs,
    reader: Arc<Reader>,
}

impl Select<'_> {
    fn query(&self, out: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<(Ended, Written)> {
        let args = self.args;
        let bytes = budget_of_bytes(args.rows.max_bytes)?.map(|(_, most)| most);
        let wanted = Wanted { offset: args.rows.offset, rows: args.rows.max_rows, bytes };
        let asked = Asked {
            sql: args.sql.clone(),
            input: args.table.input,
            csv: csv(&args.table),
            is_delimited: args.table.delimiter.is_some(),
            types: args.table.schema.clone(),
            skip_bad: args.table.skip_bad,
            memory: usize::try_from(args.memory).unwrap_or(usize::MAX),
            timeout: args.source.remote.timeout,
            repeatable: wanted != Wanted::default(),
        };
        let mut writer = Writer::new(args.output, wanted, out);
        let ended = query::run(&self.reader, &args.file, &asked, &mut writer)?;
        Ok((ended, writer.finish()?))
    }

    fn facts(&self, ended: &Ended, written: &Written, change: Option<Change>, format: Format) -> Facts {
        let (args, reader) = (self.args, &self.reader);
        let mut facts = Facts::default();
        facts.path(&args.file);
        facts.text("query", &args.sql);
        facts.text("input", ended.input.name());
        facts.text("output", args.output.name());
        columns(&mut facts, &ended.columns, format);
        facts.number("offset", Some(args.rows.offset).filter(|offset| *offset > 0));
        facts.number("rows_returned", written.rows);
        facts.number("content_bytes", written.bytes);
        match format {
            Format::Json => facts.flag("truncated", written.cut.is_some()),
            _ => facts.if_true("truncated", written.cut.is_some()),
        }
        facts.words("cut_by", written.cut.map(cut_by));
        if written.cut.is_some() {
            let offset = args.rows.offset + written.rows;
            facts.put("next", next(offset, format));
        }
        facts.number("total", reader.known_size());
        compression_facts(&mut facts, compression(reader), reader.known_size());
        if ended.input != Input::Parquet && reader.decided().name() != "utf-8" {
            facts.text("encoding", reader.decided().name());
        }
        if let Some((count, first)) = ended.invalid {
            facts.map("invalid_utf8", vec![("count", count), ("first_byte", first)]);
        }
        let left_out = &ended.left_out;
        if let Some(first) = &left_out.records.first {
            facts.number("skipped_rows", left_out.records.count);
            facts.text("first_skipped", &first.message);
        }
        if let Some(first) = &left_out.members.first {
            facts.number("unknown_members", left_out.members.count);
            facts.text("first_unknown", &first.message);
        }
        facts.number("bytes_spilled", Some(ended.spilled).filter(|bytes| *bytes > 0));
        facts.number("bytes_scanned", ended.scanned);
        if let Some(version) = reader.version().ok().flatten() {
            facts.text("version", version.to_string());
        }
        traffic_facts(&mut facts, reader.source().info().traffic);
        let notices = notices(change, compression(reader), reader.is_unverified());
        notice_facts(&mut facts, &notices, change);
        facts
    }

    /// Tells beside rows that have no envelope what is not to be seen in them.
    fn warn(&self, ended: &Ended, written: &Written) {
        let file = &self.args.file;
        if let Some(first) = &ended.left_out.records.first {
            let count = counted(ended.left_out.records.count, "record");
            crate::stdio::warn(file, &format!("{count} left out; the first: {}", first.message));
        }
        if let Some(first) = &ended.left_out.members.first {
            let count = counted(ended.left_out.members.count, "value");
            let hint = first.hint.as_ref().map_or(String::new(), |hint| format!("; {hint}"));
            crate::stdio::warn(file, &format!("{count} left out; the first: {}{hint}", first.message));
        }
        if let Some((count, first)) = ended.invalid {
            let count = counted(count, "sequence");
            crate::stdio::warn(
                file,
                &format!("{count} that are not text were replaced, the first at byte {first}"),
            );
        }
        if let Some(cut) = written.cut {
            let offset = self.args.rows.offset + written.rows;
            let option = cut_by(cut).replace('_', "-");
            crate::stdio::warn(file, &format!("cut by --{option}; go on with --offset {offset}"));
        }
    }
}

/// Names and types of the columns; for people a line each.
fn columns(facts: &mut Facts, columns: &[(String, String)], format: Format) {
    if format == Format::Frontmatter {
        return facts.list("columns", columns.iter().map(|(name, kind)| format!("{name} {kind}")).collect());
    }
    let column = |(name, kind): &(String, String)| {
        let mut column = Facts::default();
        column.text("name", name);
        column.text("type", kind);
        column
    };
    facts.records("columns", "column", columns.iter().map(column).collect());
}

fn cut_by(cut: Cut) -> &'static str {
    match cut {
        Cut::Rows => "max_rows",
        Cut::Bytes => "max_bytes",
    }
}

/// How to go on.
fn next(offset: u64, format: Format) -> Fact {
    if format != Format::Json {
        return Fact::Text(format!("select --offset {offset}"));
    }
    let mut next = Facts::default();
    next.text("command", "select");
    next.number("offset", offset);
    Fact::Record(next)
}

/// The rows, from where they were put.
struct RowBody(Kept);

impl Body for RowBody {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        self.0.pieces(&mut |text| sink.put(text.as_bytes()))
    }

    fn plain(&mut self, out: &mut Out) -> Result<()> {
        self.0.pieces(&mut |text| show(out, text))
    }
}

/// Writes rows; on a terminal, no character of them acts.
fn show(out: &mut Out, rows: &str) -> Result<()> {
    if !out.is_terminal() {
        return out.write(rows.as_bytes());
    }
    for line in rows.split_inclusive('\n') {
        let text = line.strip_suffix('\n').unwrap_or(line);
        out.write(printable(text).as_bytes())?;
        out.write(&line.as_bytes()[text.len()..])?;
    }
    Ok(())
}
