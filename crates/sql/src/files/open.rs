//! Opens the table: which files it has, which columns, and what reads them.

use std::sync::{Arc, Mutex};

use datafusion::arrow::datatypes::{DataType, Field, Schema};

use super::columns;
use super::head::{Head, Look, look};
use super::partition::Partitions;
use super::provider::FilesTable;
use super::prune;
use super::reads::Reads;
use super::set::{FILE, TableFiles, unreadable};
use crate::detect;
use crate::lines::LogTime;
use crate::request::QueryRequest;
use crate::table::{OpenTable, OpenTime};
use rread_text::error::{Error, Kind, Result};
use rread_text::layout::Input;
use rread_text::sentence::setting;

/// Opens the table of the files that the query does not exclude.
pub(crate) async fn open(
    files: &TableFiles,
    request: &QueryRequest,
    reads: &Arc<Reads>,
) -> Result<OpenTable> {
    let partitions = if files.partitions { Partitions::of(&files.paths) } else { Partitions::default() };
    let kept = prune::kept(&files.paths, &partitions, &request.sql).await?;
    reads.note_listed(files.paths.len(), kept.len());
    let heads = look(files, request, &kept).await?;
    let heads = as_logs(heads, files, request).await?;
    let mut tables: Vec<Head> = Vec::with_capacity(heads.len());
    for head in heads {
        match head.look {
            Look::Empty => reads.note_empty(),
            Look::Unreadable(ref error) if files.skip_unreadable => {
                reads.note_unreadable(&error.clone().about(&head.path));
            }
            Look::Unreadable(error) => return Err(unreadable(error, &head.path)),
            Look::Table(_) => {
                reads.note_version(&head);
                tables.push(head);
            }
        }
    }
    let has_rows = !tables.is_empty();
    // A query that excludes all tables still has columns: those of the first of the others.
    for place in (0..files.paths.len()).filter(|place| !kept.contains(place)) {
        if !tables.is_empty() {
            break;
        }
        let heads = look(files, request, &[place]).await?;
        tables.extend(heads.into_iter().filter(|head| head.table().is_some()));
    }
    let input = same_kind(&tables)?;
    let found = columns::of_all(&tables, files.union, request)?;
    let mut fields: Vec<Field> = found.schema.fields().iter().map(|field| Field::clone(field)).collect();
    let constants = constants(&partitions, &fields, request)?;
    let own_places = tables.first().and_then(|head| head.table()?.text()).map(|text| &text.places[..]);
    let places = own_places.unwrap_or_default();
    let constants: Vec<(String, DataType)> = constants
        .into_iter()
        .chain(places.iter().map(|place| (place.name().to_owned(), DataType::Int64)))
        .filter(|(name, _)| !fields.iter().any(|field| field.name() == name))
        .collect();
    let is_place = |name: &str| places.iter().any(|place| place.name() == name);
    let is_hidden = |(name, _): &&(String, DataType)| name == FILE || is_place(name);
    let mut hidden: Vec<String> = constants.iter().filter(is_hidden).map(|(name, _)| name.clone()).collect();
    let lines = || tables.iter().filter_map(|head| head.table()?.lines());
    hidden.extend(lines().next().map(|lines| lines.columns.hidden()).unwrap_or_default());
    let times = lines().filter_map(|lines| lines.time.clone()).reduce(LogTime::and);
    let bounds_time = Arc::default();
    let time = times.map(|times| OpenTime {
        times: Arc::new(Mutex::new(Some(times))),
        bounds_time: Arc::clone(&bounds_time),
    });
    fields.extend(constants.iter().map(|(name, of)| Field::new(name, of.clone(), true)));
    let is_header_assumed = tables.iter().all(|head| head.is_header_assumed());
    let left_out = Arc::new(Mutex::default());
    if !has_rows {
        tables.clear();
    }
    let provider = FilesTable {
        open: Arc::clone(&files.open),
        heads: Arc::new(tables),
        columns: Arc::new(found),
        schema: Arc::new(Schema::new(fields)),
        partitions: Arc::new(partitions),
        skip_bad: request.skip_bad,
        skip_unreadable: files.skip_unreadable,
        left_out: Arc::clone(&left_out),
        reads: Arc::clone(reads),
        bounds_time,
    };
    Ok(OpenTable {
        input,
        time,
        provider: Arc::new(provider),
        left_out,
        is_header_assumed,
        is_header_refused: false,
        hidden,
    })
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
            Look::Empty => false,
        };
        if may_be_log && !detect::is_named_delimited(&head.path) {
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
    if request.has_hidden && prune::names(&request.sql, FILE) && !is_there(FILE) {
        all.push((FILE.to_owned(), DataType::Utf8View));
    }
    Ok(all)
}

/// The kind of all tables, or an error that names two files.
fn same_kind(heads: &[Head]) -> Result<Input> {
    let Some(first) = heads.first() else {
        let message = "there is no table: all files are empty or cannot be read";
        return Err(Error::new(Kind::InvalidText, message));
    };
    match heads.iter().find(|head| head.input() != first.input()) {
        None => Ok(first.input()),
        Some(other) => {
            let (one, two) = (first.path.display(), other.path.display());
            let message = format!("{one} is {}, and {two} is {}", first.input().name(), other.input().name());
            Err(Error::usage(message).hint("name files of one kind, such as '*.csv'"))
        }
    }
}
