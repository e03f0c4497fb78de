//! The answer of `rread select`: the rows and their envelope.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::{SelectArgs, TableArgs, is_query};
use super::sources::{self, Sources};
use crate::args::content::default_max_bytes;
use crate::progress::Progress;
use rread_answer::file_info::{contradicted, encoding_info, note_traffic, refuse_torn};
use rread_answer::notes::{self, of_contradiction, of_notice};
use rread_answer::options::check_receipt;
use rread_answer::receipt::{ColumnInfo, Contradicted, InvalidInfo, NextRows, QueryInfo, TimeInfo};
use rread_answer::request::check_version;
use rread_answer::window::source;
use rread_answer::{
    Body, FileInfo, Format, Frame, Out, Response, Shape, Sink, TimeWindow, file_info, note_version, respond,
    worded, wording,
};
use rread_documents::sheets::Workbook;
use rread_reader::Reader;
use rread_source::access::Session;
use rread_source::limits;
use rread_source::object::Traffic;
use rread_source::sqlite::Database;
use rread_source::stdin::{note, warn};
use rread_sql::files::reads::FilesRead;
use rread_sql::rows::{Cut, RowBudget, RowBuffer, RowWriter, Written};
use rread_sql::text::Noted;
use rread_sql::{self as query, Cluster, OptionsOf, QueryRequest, QuerySummary, TimeRequest, dialect};
use rread_text::error::Kind::NotFound;
use rread_text::layout::DateOrder;
use rread_text::{
    Csv, Error, Forms, Input, Kind, Result, call, counted, printable, quoted, quoted_word, setting,
};

/// The options to type instead of a condition on the time of records.
const WINDOW: &str = "--since T --until T reads only the window; WHERE _time reads the whole file";

/// The memory of a query, if the user does not say.
const MEMORY: u64 = 512 << 20;

/// Returns `no_rows` after the answer if the result is empty.
pub(super) fn run(args: &SelectArgs) -> Result<()> {
    answer(args).map_err(|error| with_table(query_in_front(error, args), args))
}

/// Names `--table` where a query means a file that is no table yet.
fn with_table(error: Error, args: &SelectArgs) -> Error {
    let text = error.message.plain();
    let name = text.split_once("there is no table `").and_then(|(_, rest)| rest.split('`').next());
    let found = name.and_then(|name| Some((name, sources::unnamed_table(args, name)?)));
    let (Some((name, file)), Some(sql)) = (found, &args.sql) else { return error };
    let call = args.files.iter().fold(call("select"), |call, file| call.file(file));
    error.clone().hint(call.word(&*sql.to_string_lossy()).with("table", format!("{name}={}", file.display())))
}

fn answer(args: &SelectArgs) -> Result<()> {
    let output = args.output_options()?;
    args.table.check()?;
    if args.set.list {
        return sources::list(args);
    }
    if let Some(option) = args.files.iter().find(|file| file.to_str().is_some_and(|word| word.trim() == "-0"))
    {
        return Err(Error::usage(format!("{} ends names, and only --files lists them", option.display()))
            .hint("rread select FILE... --files -0 --raw"));
    }
    let (memory, format) = (args.memory.unwrap_or(MEMORY), output.format);
    // A server of tools must not end: there, the query ends.
    if output.renders.is_none() {
        limits::watch_memory(memory, move || {
            let enough = memory.saturating_mul(4).next_power_of_two() >> 20;
            let hint = setting("memory").then(format!(" {enough}MiB, or a query with smaller values"));
            crate::standard::end_with(&Error::new(Kind::Io, dialect::out_of_memory()).hint(hint), format);
        });
    }
    let metadata_only = args.metadata_only;
    let shape = Shape { metadata_only, is_brief: args.brief && !metadata_only, ..Shape::default() };
    respond(&output, shape, |response| fill(args, response))
}

fn fill(args: &SelectArgs, response: &mut Response) -> Result<()> {
    let format = response.format;
    if args.metadata_only {
        check_receipt("--metadata-only", format)?;
    }
    let select = Select::open(args)?;
    let progress = match select.reader() {
        Some(reader) => Progress::watch(reader),
        None => {
            let progress = select.sources.t.progress.clone();
            Progress::files(progress.bytes(), move || {
                let FilesRead { bytes, total, done, files } = progress.read();
                (bytes, total, [done, files])
            })
        }
    };
    let written = if format.has_receipt() {
        // A bad record may be the millionth, so no row is written before the query has succeeded.
        let Buffered { rows, ended, written, retried } = select.buffered()?;
        drop(progress);
        response.begin(select.file_info(&ended), false)?;
        let mut body = RowBody(rows);
        let sections = response.content(&mut body);
        response.part(Box::new(select.info(&ended, &written, retried)), sections)?;
        written
    } else {
        let out = &mut response.out;
        let (ended, written) = match &select.cluster {
            // A lost worker leaves no part of the rows behind.
            Some(_) => {
                let Buffered { rows, ended, written, .. } = select.buffered()?;
                RowBody(rows).plain(out)?;
                (ended, written)
            }
            None => select.query(None, &mut |bytes| show(out, &String::from_utf8_lossy(bytes)))?,
        };
        drop(progress);
        refuse_torn(select.reader().and_then(|reader| reader.changed()))?;
        select.warn(&ended, &written);
        response.start(Frame::default())?;
        written
    };
    if written.rows == 0 && written.passed == 0 && !args.metadata_only {
        response.remember(Error::new(Kind::NoRows, "the query returned no rows").at(&select.name));
    }
    Ok(())
}

fn csv(table: &TableArgs) -> Csv {
    Csv {
        delimiter: table.delimiter.as_ref().map_or(b',', |delimiter| delimiter.byte),
        divider: table.delimiter.as_ref().and_then(|delimiter| delimiter.divider.clone()),
        quote: table.quote.map_or(Csv::default().quote, |quote| Some(quote).filter(|quote| *quote != 0)),
        escape: table.escape,
        comment: table.comment,
        header: !table.no_header,
        nulls: table.null.clone(),
        skip_lines: table.skip_lines,
        pad: table.pad,
        forms: Forms {
            decimal_comma: table.decimal == Some(b','),
            thousands: table.thousands,
            dates: table.date_order,
        },
        ..Csv::default()
    }
}

struct Select<'a> {
    args: &'a SelectArgs,
    sql: String,
    sources: Sources,
    /// What the files are called in the answer.
    name: PathBuf,
    /// Shared by all requests to servers.
    session: Session,
    cluster: Option<Arc<dyn Cluster>>,
    guessed: sources::Guessed,
}

/// The rows of a query that has succeeded.
struct Buffered {
    rows: RowBuffer,
    ended: QuerySummary,
    written: Written,
    /// How often the query was sent again.
    retried: u64,
}

impl<'a> Select<'a> {
    /// Finds the files, and opens those that are tables of their own.
    fn open(args: &'a SelectArgs) -> Result<Self> {
        let sql = args.query()?;
        let session = Session::default();
        let guessed = sources::Guessed::default();
        let sources = sources::of(args, &sql, &session, &guessed)?;
        expect_one(args, &sources)?;
        let cluster = args.workers()?;
        let name = match &args.files[..] {
            [word] => word.clone(),
            _ => PathBuf::from(args.files.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")),
        };
        Ok(Select { args, sql, sources, name, session, cluster, guessed })
    }

    /// The reader of the only file.
    fn reader(&self) -> Option<&Arc<Reader>> {
        self.sources.t.only.as_ref()
    }

    /// Runs the query, and once more on the other workers if one is lost.
    fn buffered(&self) -> Result<Buffered> {
        let once = |cluster: Option<Arc<dyn Cluster>>, retried| {
            let mut rows = RowBuffer::default();
            let (ended, written) = self.query(cluster, &mut |bytes| rows.append(bytes))?;
            Ok(Buffered { rows, ended, written, retried })
        };
        let first = once(self.cluster.clone(), 0);
        let (Err(error), Some(cluster)) = (&first, &self.cluster) else { return first };
        if !cluster.has_lost() {
            return first;
        }
        note(&format!("{}; rread sends the query to the others", error.message.plain()));
        once(Some(cluster.left()?), 1)
    }

    fn query(
        &self,
        cluster: Option<Arc<dyn Cluster>>,
        out: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<(QuerySummary, Written)> {
        let args = self.args;
        let bytes = args.rows.max_bytes.map_or_else(default_max_bytes, |bytes| Ok(Some(bytes)))?;
        let wanted = RowBudget { offset: args.rows.offset, rows: args.rows.max_rows, bytes };
        let asked = QueryRequest {
            sql: self.sql.clone(),
            input: args.table.input,
            csv: csv(&args.table),
            is_delimited: args.table.delimiter.is_some(),
            is_quoted: args.table.quote.is_some(),
            has_decimal: args.table.decimal.is_some(),
            header: (args.table.header || args.table.no_header).then_some(args.table.header),
            types: args.table.schema.clone(),
            skip_bad: args.table.skip_bad,
            memory: usize::try_from(args.memory.unwrap_or(MEMORY)).unwrap_or(usize::MAX),
            timeout: args.source.access.timeout,
            repeatable: wanted != RowBudget::default(),
            heads_only: args.metadata_only,
            has_hidden: true,
            has_others: !args.set.table.is_empty(),
            parse: args.table.parse.clone(),
            time: self.time()?,
            cluster,
            watch: args.read_options().source.access.watch,
        };
        let mut writer = RowWriter::new(args.output, wanted, out);
        let Sources { t, others, database } = &self.sources;
        let ended = match database {
            Some(database) => query::database::query(database, &asked, &mut writer)?,
            None => query::run(t, others, &asked, &mut writer)?,
        };
        Ok((ended, writer.finish()?))
    }

    /// How the times of a log are read.
    fn time(&self) -> Result<TimeRequest> {
        self.args.time.window_or_times()?;
        let TimeWindow { since, until, reading } = self.args.time.options();
        let is_window = since.is_some() || until.is_some();
        let of_path = reading.clone();
        Ok(TimeRequest {
            options: OptionsOf(Arc::new(move |path| of_path.options(path))),
            is_given: is_window
                || !reading.tz.is_empty()
                || reading.time_format.is_some()
                || reading.year.is_some(),
            since,
            until,
        })
    }

    fn file_info(&self, ended: &QuerySummary) -> FileInfo {
        let mut file = match self.reader() {
            Some(reader) => {
                let mut file = file_info(&self.name, reader);
                file.size = reader.known_size();
                file.details.decoding.uncompressed_size = file.details.decoding.compression.and(file.size);
                note_version(&mut file, reader);
                note_traffic(&mut file, reader);
                file
            }
            None => self.files_info(ended),
        };
        if let Some(database) = &self.sources.database {
            // Its log belongs to its state, and SQLite does not say what it read.
            file.details.version = database.version().map(|version| Some(version.to_string()));
            file.details.signs.has_left_out = database.lacks_log();
            return file;
        }
        file.details.bytes_scanned = Some(ended.scanned);
        file.details.signs.is_header_assumed = ended.is_header_assumed;
        if let Some(first) = &ended.left_out.contradicted.first {
            file.details.signs.contradicted = Some(Contradicted {
                guess: format!("dialect: {}", described(first)),
                first_line: ended.left_out.contradicted.line,
                first_byte: None,
                hint: wording::hint(first),
            });
        }
        note_time(&mut file, ended);
        let foreign = self.reader().map(|reader| {
            let is_foreign = ended.input != Input::Parquet && reader.decided.name() != "utf-8";
            (reader, is_foreign, is_foreign && reader.evident_encoding().is_some())
        });
        // One that is guessed is that of another table.
        let is_own = foreign.is_some_and(|(_, _, is_guessed)| is_guessed);
        file.details.signs.is_encoding_guessed = !is_own && self.guessed.first().is_some();
        if let Some((reader, is_foreign, is_guessed)) = foreign {
            let known = encoding_info(&self.name, reader, is_foreign);
            file.details.encoding.encoding = known.encoding;
            file.details.encoding.encoding_source = known.encoding_source.filter(|_| is_guessed);
            file.details.encoding.encoding_hint = known.encoding_hint.filter(|_| is_guessed);
        }
        file
    }

    /// Many files as if they were one.
    fn files_info(&self, ended: &QuerySummary) -> FileInfo {
        let mut file = FileInfo::named(&self.name);
        file.size = ended.files.as_ref().map(|files| files.size);
        file.details.version = ended.files.as_ref().map(|files| files.version.clone());
        let Traffic { requests, bytes_fetched, .. } = self.session.traffic();
        let work = ended.work.unwrap_or_default();
        let (requests, bytes_fetched) = (requests + work.requests, bytes_fetched + work.bytes_fetched);
        if requests > 0 {
            file.details.traffic.requests = Some(requests);
            file.details.traffic.bytes_fetched = Some(bytes_fetched);
        }
        file
    }

    fn info(&self, ended: &QuerySummary, written: &Written, retried: u64) -> QueryInfo {
        let (args, work) = (self.args, ended.work);
        let files = ended.files.as_ref();
        let own_sheet = ended.workbook.as_ref().filter(|_| ended.is_sheet_read).and_then(Workbook::sheet);
        let some = |count: u64| Some(count).filter(|count| *count > 0);
        let noted = |noted: &Noted| noted.first.as_ref().map(|first| (noted.count, described(first))).unzip();
        let (skipped_rows, first_skipped) = noted(&ended.left_out.records);
        let (unparsed, first_unparsed) = noted(&ended.left_out.unparsed);
        let (unknown_members, first_unknown) = noted(&ended.left_out.members);
        let (repeated_members, first_repeated) = noted(&ended.left_out.repeated);
        let column =
            |(name, kind): &(String, String)| ColumnInfo { name: name.clone(), r#type: kind.clone() };
        QueryInfo {
            query: self.sql.clone(),
            files: files.map(|files| files.files),
            files_read: files.map(|files| files.read),
            tables: args.set.table.iter().map(|table| table.to_string_lossy().into_owned()).collect(),
            files_skipped: files.and_then(|files| some(files.skipped)),
            directories_skipped: files.and_then(|files| some(files.directories_skipped)),
            list_requests: some(self.session.listings()),
            files_empty: files.and_then(|files| some(files.empty)),
            files_unreadable: files.and_then(|files| some(files.unreadable.count)),
            first_unreadable: files.and_then(|files| files.unreadable.first.as_ref()).map(described),
            input: ended.input.name(),
            sheet: own_sheet.map(|sheet| sheet.name.clone()),
            other_sheets: self.other_sheets(ended).into_iter().map(str::to_owned).collect(),
            output: args.output.name(),
            columns: ended.columns.iter().map(column).collect(),
            header_hint: ended.is_header_assumed.then_some("--no-header"),
            dialect: ended.dialect.clone(),
            offset: Some(args.rows.offset).filter(|offset| *offset > 0),
            rows_returned: (!args.metadata_only).then_some(written.rows),
            content_bytes: (!args.metadata_only).then_some(written.bytes),
            truncated: written.cut.is_some(),
            cut_by: written.cut.map(Cut::name),
            next: written
                .cut
                .map(|_| NextRows { command: "select", offset: args.rows.offset + written.rows }),
            invalid_utf8: ended.invalid.map(|(count, first)| InvalidInfo { count, first_byte: first }),
            skipped_rows,
            first_skipped,
            unparsed,
            first_unparsed,
            unknown_members,
            first_unknown,
            repeated_members,
            first_repeated,
            bytes_spilled: Some(ended.spilled).filter(|bytes| *bytes > 0),
            workers: work.map(|work| work.workers),
            tasks: work.map(|work| work.tasks).filter(|tasks| *tasks > 0),
            retried: some(retried),
        }
    }

    /// The sheets that were not read, if the user has named none.
    fn other_sheets<'e>(&self, ended: &'e QuerySummary) -> Vec<&'e str> {
        let is_named = self.args.table.sheet.is_some() || ended.is_sheet_named;
        ended.workbook.as_ref().filter(|_| !is_named).map_or(Vec::new(), Workbook::others)
    }

    /// Warns of what rows without an envelope do not show.
    fn warn(&self, ended: &QuerySummary, written: &Written) {
        let file = &self.name;
        let others: Vec<String> = self.other_sheets(ended).into_iter().map(quoted_word).collect();
        if let (Some(sheet), [_, ..]) = (ended.workbook.as_ref().and_then(Workbook::sheet), &others[..]) {
            let (sheet, others) = (quoted_word(&sheet.name), others.join(", "));
            warn(
                file,
                &format!("t is the sheet {sheet}; FROM \"NAME\" or --sheet NAME reads another: {others}"),
            );
        }
        if self.sources.database.as_ref().is_some_and(Database::lacks_log) {
            warn(file, "the log of the database (-wal) is left out, and may have its last changes");
        }
        if let Some((file, name)) = self.guessed.first() {
            notes::say_guess(&file, Some(&name), Format::Text);
        }
        // The first row of a workbook is seldom anything else.
        if ended.is_header_assumed && ended.workbook.is_none() {
            warn(file, "the first record is taken for the names of the columns; --no-header, if it is a row");
        }
        if ended.dialect.as_ref().is_some_and(|words| words.ends_with(DateOrder::Unclear.name())) {
            warn(
                file,
                "its dates are text: nothing shows which is the day; --date-order dmy or mdy reads them",
            );
        }
        let left_out = &ended.left_out;
        for (noted, what, outcome) in [
            (&left_out.records, "record", " left out"),
            (&left_out.unparsed, "record", " of another form than --parse, with NULLs"),
            (&left_out.members, "value", " left out"),
            (&left_out.repeated, "repeated member", ""),
            (&left_out.contradicted, "record", " against the layout of the table"),
        ] {
            let Some(first) = &noted.first else { continue };
            let (count, first_words) = (counted(noted.count, what), described(first));
            let hint = wording::hint(first).filter(|_| what == "value" || outcome.ends_with("the table"));
            let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
            warn(file, &format!("{count}{outcome}; the first: {first_words}{hint}"));
        }
        if let Some((count, first)) = ended.invalid {
            let count = counted(count, "invalid sequence");
            let place = first.map_or(String::new(), |first| format!(", the first at byte {first}"));
            warn(file, &format!("{count} replaced{place}"));
        }
        if let Some(unreadable) = ended.files.as_ref().map(|files| &files.unreadable)
            && let Some(first) = &unreadable.first
        {
            let count = counted(unreadable.count, "file");
            warn(file, &format!("{count} left out; the first: {}", described(first)));
        }
        if ended.time.as_ref().is_some_and(|time| time.is_unordered) {
            warn(file, "records are out of order, and may be missing; --scan looks at every record");
        }
        if ended.time.as_ref().is_some_and(|time| time.is_ambiguous) {
            warn(file, of_notice("ambiguous_time"));
        }
        if let Some(found) = self.reader().and_then(|reader| reader.contradiction()) {
            warn(file, &of_contradiction(&contradicted(found)));
        }
        if let Some(cut) = written.cut {
            let offset = self.args.rows.offset + written.rows;
            let option = cut.name().replace('_', "-");
            warn(file, &format!("cut by --{option}; go on with --offset {offset}"));
        }
    }
}

/// Says that a word before the last is the query, if that is why it is no file.
fn query_in_front(error: Error, args: &SelectArgs) -> Error {
    let missing = error.path.as_ref().or(match &args.files[..] {
        [file] => Some(file),
        _ => None,
    });
    let (NotFound, Some(query)) = (error.kind, missing) else { return error };
    let text = query.to_string_lossy();
    if !is_query(query.as_os_str()) {
        return error;
    }
    let files = args.files.iter().filter(|file| *file != query).cloned();
    let files = files.chain(args.sql.as_ref().map(PathBuf::from));
    let call = files.fold(call("select"), |call, file| call.file(file)).word(&text);
    Error::usage("the query comes after all FILEs").hint(call)
}

/// Refuses one file that is not in the expected state. That of many is checked once their versions are known.
fn expect_one(args: &SelectArgs, sources: &Sources) -> Result<()> {
    let (Some(expected), Some(reader)) = (&args.set.expect, &sources.t.only) else { return Ok(()) };
    let Some(database) = &sources.database else {
        return check_version(&sources.t.paths[0], reader, expected, None);
    };
    match database.version() {
        Some(now) if now.to_string() != expected.to_string() => {
            let message = format!("is not the expected version: rewritten (version {now})");
            let path = reader.path().unwrap_or(Path::new("-"));
            Err(Error::new(Kind::Changed, message).hint(call("stat").file(path)))
        }
        Some(_) => Ok(()),
        None => Err(Error::usage("this source has no version to expect").hint("leave out --expect")),
    }
}

/// The times of a log.
fn note_time(file: &mut FileInfo, ended: &QuerySummary) {
    let Some(time) = &ended.time else { return };
    file.details.signs.is_unordered = time.is_unordered;
    file.details.signs.is_ambiguous = time.is_ambiguous;
    file.details.time = Some(TimeInfo {
        first: time.first.clone(),
        last: time.last.clone(),
        since: time.since.clone(),
        until: time.until.clone(),
        hint: time.may_have_window.then(|| WINDOW.to_owned()),
        format: time.format.clone(),
        // Only formats of strptime have it.
        source: source(time.format.contains('%')),
        zone: time.zone.clone(),
        zone_unread: None,
    });
}

/// An error with the name of its file.
fn described(error: &Error) -> String {
    let path = error.path.as_ref().map_or(String::new(), |path| format!("{}: ", path.display()));
    path + &worded(&error.message)
}

struct RowBody(RowBuffer);

impl Body for RowBody {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        self.0.pieces(&mut |text| sink.write(text.as_bytes()))
    }

    fn plain(&mut self, out: &mut Out) -> Result<()> {
        self.0.pieces(&mut |text| show(out, text))
    }
}

/// Escapes control characters on a terminal.
fn show(out: &mut Out, rows: &str) -> Result<()> {
    if !out.is_terminal {
        return out.write(rows.as_bytes());
    }
    for line in rows.split_inclusive('\n') {
        let text = line.strip_suffix('\n').unwrap_or(line);
        out.write(printable(text).as_bytes())?;
        out.write(&line.as_bytes()[text.len()..])?;
    }
    Ok(())
}
