//! Opens the table: which files it has, which columns, and what reads them.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::TableProvider;
use tokio::task::block_in_place;

use super::columns::{self, Head, LateLook, Look, TYPED, look, same_kind};
use super::partition::{self, Partitions};
use super::reads::Reads;
use super::rows::{FileRows, FilesTable, Table, TableRows};
use super::{FILE, TableFiles, unreadable};
use crate::dialect;
use crate::lines::LogTime;
use crate::request::QueryRequest;
use crate::stream::{SAMPLE, TableFile};
use crate::table::{self, TableHead, is_parquet, refuse_other_options};
use crate::text::{FirstRecord, LeftOut, is_named_delimited};
use rread_reader::Reader;
use rread_text::layout::DateOrder;
use rread_text::{Error, Forms, Input, Kind, Result, Sentence, counted, setting};

/// A table that a query may name, and what was read of it.
pub(crate) struct OpenTable {
    pub input: Input,
    pub provider: Arc<dyn TableProvider>,
    pub left_out: Arc<Mutex<LeftOut>>,
    pub reads: Arc<Reads>,
    /// Whether the first record may be a row that was taken for names.
    pub is_header_assumed: bool,
    /// Whether rread took the first record, which may be names, for a row.
    pub is_header_refused: bool,
    /// The layout of a CSV, of many the first one, in words.
    pub dialect: Option<String>,
    /// How its numbers and dates are written, as far as all files agree.
    pub forms: Forms,
    /// Columns that `*` leaves out.
    pub hidden: Vec<String>,
    /// The times of a log, and whether a condition of the query is about them.
    times: Option<LogTime>,
    bounds_time: Arc<AtomicBool>,
}

impl OpenTable {
    /// The times of a log.
    pub fn time(&self) -> Option<LogTime> {
        let time = self.times.clone()?;
        let may_have_window = time.may_have_window && self.bounds_time.load(Ordering::Relaxed);
        Some(LogTime { may_have_window, ..time })
    }
}

/// The table of the files that the query does not exclude, for a session of another program.
///
/// # Errors
///
/// It cannot be opened.
pub async fn table(files: &TableFiles, request: &QueryRequest) -> Result<Arc<dyn TableProvider>> {
    Ok(open(files, request).await?.provider)
}

/// Opens the table of the files that the query does not exclude.
pub(crate) async fn open(files: &TableFiles, request: &QueryRequest) -> Result<OpenTable> {
    match files.only() {
        Some((reader, path)) => open_file(reader, path, request).await,
        None => open_files(files, request).await,
    }
}

/// Opens the table of one file, whose errors do not name it.
pub(crate) async fn open_file(
    reader: &Arc<Reader>,
    path: &Path,
    request: &QueryRequest,
) -> Result<OpenTable> {
    let file = &TableFile::new(reader);
    let head = if is_parquet(file, request)? {
        let option = request.types.as_ref().map(|_| "schema");
        if let Some(option) = option.or(request.skip_bad.then_some("skip-bad")) {
            let message = setting(option).then(" is for text; a Parquet file defines its own types");
            return Err(Error::usage(message)
                .hint(Sentence::from("leave ").then(setting(option)).then(" out, and CAST in the query")));
        }
        refuse_other_options(Input::Parquet, request)?;
        TableHead::Parquet(Arc::new(Schema::empty()))
    } else {
        block_in_place(|| table::look(file, path, request, SAMPLE))?
    };
    let rows = FileRows::open(file, head.clone(), request.skip_bad).await?;
    let (left_out, bounds_time) = (rows.left_out(), Arc::default());
    let first = head.text().map(|text| text.first);
    let rows = TableRows::File(rows);
    Ok(OpenTable {
        input: head.input(),
        provider: Arc::new(Table { rows, bounds_time: Arc::clone(&bounds_time) }),
        left_out,
        reads: Reads::of_file(file),
        is_header_assumed: head.is_header_assumed(),
        is_header_refused: first == Some(FirstRecord::Row) && request.header.is_none(),
        dialect: head.dialect(),
        forms: head.csv().map(|csv| csv.forms).unwrap_or_default(),
        hidden: head.hidden(),
        times: head.lines().and_then(|lines| lines.time.clone()),
        bounds_time,
    })
}

/// The files of a table that `sql` does not exclude, in their order, without a look at any of them.
///
/// # Errors
///
/// None of the files can be told from the others.
pub fn not_excluded(files: &TableFiles, sql: &str) -> Result<Vec<usize>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.map_err(|cause| Error::read("cannot start a thread", &cause))?;
    runtime.block_on(partition::kept(&files.paths, &partitions_of(files), sql))
}

fn partitions_of(files: &TableFiles) -> Partitions {
    match files.partitions {
        true => Partitions::of(&files.paths, &files.excluded),
        false => Partitions::default(),
    }
}

async fn open_files(files: &TableFiles, request: &QueryRequest) -> Result<OpenTable> {
    let reads = Arc::new(Reads::default());
    let partitions = partitions_of(files);
    let kept = partition::kept(&files.paths, &partitions, &request.sql).await?;
    reads.note_listed(files.paths.len(), kept.len(), files.excluded.len());
    let mut tables = kept_tables(files, request, &kept, &reads).await?;
    check_version(files, &reads)?;
    let has_rows = !tables.is_empty();
    if !has_rows {
        // A query that excludes all tables still has columns: those of the first of the others.
        let kept: BTreeSet<usize> = kept.into_iter().collect();
        for place in (0..files.paths.len()).filter(|place| !kept.contains(place)) {
            let heads = look(files, request, &[place]).await?;
            tables.extend(heads.into_iter().filter(|head| head.table().is_some()));
            if !tables.is_empty() {
                break;
            }
        }
    }
    let mut spelt = HashMap::new();
    for head in &mut tables {
        if let Look::Table(table) = &mut head.look {
            columns::spell_alike(table, &mut spelt);
        }
    }
    let looked: Vec<&Head> = tables.iter().filter(|head| head.table().is_some()).collect();
    let input = same_kind(&looked, &request.sql)?;
    let found = columns::of_all(&looked, files.union, request)?;
    let late = looked.first().map(|first| LateLook::of(request, files.union, first));
    let mut fields: Vec<Field> = found.schema.fields().iter().map(|field| Field::clone(field)).collect();
    let constants = constants(&partitions, &fields, request)?;
    let places = looked.first().and_then(|head| head.table()?.text()).map_or(&[][..], |text| &text.places);
    let constants: Vec<(String, DataType)> = constants
        .into_iter()
        .chain(places.iter().map(|place| (place.name().to_owned(), DataType::Int64)))
        .filter(|(name, _)| !fields.iter().any(|field| field.name() == name))
        .collect();
    let is_place = |name: &str| places.iter().any(|place| place.name() == name);
    let is_hidden = |(name, _): &&(String, DataType)| name == FILE || is_place(name);
    let mut hidden: Vec<String> = constants.iter().filter(is_hidden).map(|(name, _)| name.clone()).collect();
    let lines = || looked.iter().filter_map(|head| head.table()?.lines());
    hidden.extend(lines().next().map(|lines| lines.columns.hidden()).unwrap_or_default());
    let times = lines().filter_map(|lines| lines.time.clone()).reduce(LogTime::and);
    fields.extend(constants.iter().map(|(name, of)| Field::new(name, of.clone(), true)));
    let is_assumed = |head: &&Head| head.table().is_some_and(TableHead::is_header_assumed);
    let is_header_assumed = looked.iter().all(is_assumed);
    let (left_out, bounds_time) = (Arc::new(Mutex::default()), Arc::default());
    let dates = |head: &Head| head.table()?.csv()?.forms.dates;
    // One file whose dates are text makes them text in all.
    let is_unclear = |head: &&&Head| dates(head) == Some(DateOrder::Unclear);
    let dialect = looked.iter().find(is_unclear).or(looked.first()).and_then(|head| head.table()?.dialect());
    let forms = looked.iter().filter_map(|head| Some(head.table()?.csv()?.forms)).reduce(Forms::and);
    if !has_rows {
        tables.clear();
    }
    files.progress.begin(&tables.iter().map(|head| head.stored).collect::<Vec<_>>());
    let table = FilesTable {
        open: Arc::clone(&files.open),
        heads: Arc::new(tables),
        late: late.map(Arc::new),
        columns: Arc::new(found),
        schema: Arc::new(Schema::new(fields)),
        partitions: Arc::new(partitions),
        skip_bad: request.skip_bad,
        skip_unreadable: files.skip_unreadable,
        left_out: Arc::clone(&left_out),
        reads: Arc::clone(&reads),
        progress: files.progress.clone(),
    };
    let rows = TableRows::Files(Box::new(table));
    Ok(OpenTable {
        input,
        provider: Arc::new(Table { rows, bounds_time: Arc::clone(&bounds_time) }),
        left_out,
        reads,
        is_header_assumed,
        is_header_refused: false,
        dialect,
        forms: forms.unwrap_or_default(),
        hidden,
        times,
        bounds_time,
    })
}

/// The files that the query does not exclude and that have a table, or may have one. Of objects, some are looked at now
/// and the others when they are read, unless their columns must be known.
async fn kept_tables(
    files: &TableFiles,
    request: &QueryRequest,
    kept: &[usize],
    reads: &Reads,
) -> Result<Vec<Head>> {
    let (remote, local): (Vec<usize>, Vec<usize>) = kept.iter().partition(|place| files.is_remote(**place));
    let mut waiting: BTreeSet<usize> = BTreeSet::new();
    let mut first_looks = local;
    let step = if files.union { 1 } else { remote.len().div_ceil(TYPED).max(1) };
    for (nth, place) in remote.iter().enumerate() {
        if nth % step == 0 || nth + 1 == remote.len() {
            first_looks.push(*place);
        } else {
            waiting.insert(*place);
        }
    }
    first_looks.sort_unstable();
    let mut heads = look(files, request, &first_looks).await?;
    // Empty objects say nothing of the columns: look on until one has some.
    let decides = |head: &Head| {
        head.table().is_some() || matches!(head.look, Look::Unreadable(_)) && !files.skip_unreadable
    };
    while !heads.iter().any(decides) {
        let more: Vec<usize> = waiting.iter().copied().take(TYPED).collect();
        if more.is_empty() {
            break;
        }
        waiting.retain(|place| !more.contains(place));
        heads.extend(look(files, request, &more).await?);
    }
    let mut heads = as_logs(heads, files, request).await?;
    let later = |place: usize| Head::later(files.paths[place].clone(), place, files.listed(place));
    heads.extend(waiting.into_iter().map(later));
    heads.sort_by_key(|head| head.place);
    let mut tables: Vec<Head> = Vec::with_capacity(heads.len());
    for head in heads {
        match head.look {
            Look::Empty => {
                reads.counts().empty += 1;
                reads.note_version(&head.path, head.size, head.version.as_deref());
            }
            Look::Unreadable(ref error) if files.skip_unreadable && error.kind != Kind::Changed => {
                reads.note_unreadable(error.clone().about(&head.path));
            }
            Look::Unreadable(error) => return Err(unreadable(error, &head.path)),
            Look::Table(_) | Look::Later => {
                reads.note_version(&head.path, head.size, head.version.as_deref());
                tables.push(head);
            }
        }
    }
    Ok(tables)
}

/// Refuses files that are not those of the expected version.
fn check_version(files: &TableFiles, reads: &Reads) -> Result<()> {
    let Some(expected) = &files.expected else { return Ok(()) };
    let (set, excluded) = reads.version();
    let Some(now) = set.word() else {
        return Err(Error::usage("these files have no version to expect")
            .hint(Sentence::from("leave out ").then(setting("expect"))));
    };
    match set.difference(expected) {
        Ok(None) => Ok(()),
        Ok(Some(difference)) => {
            let difference = match excluded {
                0 => difference,
                _ => format!("the query excludes {}; {difference}", counted(excluded, "file")),
            };
            let message =
                format!("the files are not those of the expected version: {difference}; version {now}");
            Err(Error::new(Kind::Changed, message)
                .hint(Sentence::from("run the same command without ").then(setting("expect"))))
        }
        Err(()) => {
            let message = format!(
                "'{expected}' is not a version of several files: use the version in an earlier receipt"
            );
            Err(Error::usage(message).hint(setting("expect").then(format!(" {now}"))))
        }
    }
}

/// The files among logs that are too short to show what they are, as logs.
async fn as_logs(mut heads: Vec<Head>, files: &TableFiles, request: &QueryRequest) -> Result<Vec<Head>> {
    let is_log = |head: &Head| head.table().is_some() && head.input() == Input::Log;
    if request.input.is_some() || !heads.iter().any(is_log) {
        return Ok(heads);
    }
    let as_log = QueryRequest { input: Some(Input::Log), ..request.clone() };
    for head in &mut heads {
        let may_be_log = match &head.look {
            Look::Table(_) => head.input() == Input::Csv,
            Look::Unreadable(error) => error.kind == Kind::InvalidText,
            Look::Empty | Look::Later => false,
        };
        if may_be_log && !is_named_delimited(&head.path) {
            let again = look(files, &as_log, &[head.place]).await?;
            if let Some(again) = again.into_iter().find(is_log) {
                *head = again;
            }
        }
    }
    Ok(heads)
}

/// The columns that do not come from the text of the files, with their types. A column of the files comes first.
fn constants(
    partitions: &Partitions,
    fields: &[Field],
    request: &QueryRequest,
) -> Result<Vec<(String, DataType)>> {
    let is_there = |name: &str| fields.iter().any(|field| field.name() == name);
    if let Some(key) = partitions.keys.iter().find(|(key, _)| is_there(key)) {
        let message = format!("{} is a column of the files and a part of their directories", key.0);
        return Err(Error::usage(message).hint(setting("no-partitions")));
    }
    let mut all = partitions.keys.clone();
    if request.has_hidden && dialect::names(&request.sql, FILE) && !is_there(FILE) {
        all.push((FILE.to_owned(), DataType::Utf8View));
    }
    Ok(all)
}
