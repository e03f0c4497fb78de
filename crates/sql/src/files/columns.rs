//! Looks at the beginning of each file, and finds the columns of all: their names, their types, and the file that each is from.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef, SchemaRef, TimeUnit};
use futures::stream::{self, StreamExt};
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::task::{block_in_place, spawn_blocking};

use super::{Listed, TableFiles};
use crate::parquet::Parquet;
use crate::request::QueryRequest;
use crate::stream::{SAMPLE, TableFile};
use crate::table::{TableHead, TextHead, is_parquet, look as look_at, refuse_other_options};
use crate::text::{Columns, FirstRecord, TextSchema, apply, first_names, parse_schema, schema, type_name};
use rread_reader::Reader;
use rread_source::limits::processors;
use rread_text::{Error, Input, Kind, Layout, Result, Sentence, call, setting};

/// The columns that the files have together.
#[derive(Debug)]
pub struct FoundColumns {
    pub schema: SchemaRef,
    /// For each column, whether its type was inferred.
    pub inferred: Vec<bool>,
    /// For each column, the first file that has a value of its type.
    pub origins: Vec<Option<PathBuf>>,
}

/// Compares the names, unless files may differ, and finds the types.
pub(super) fn of_all(heads: &[&Head], union: bool, request: &QueryRequest) -> Result<FoundColumns> {
    // A member that a JSON object lacks is NULL, in one file as in many.
    let may_differ = union || heads.first().and_then(|head| head.table()).is_some_and(TableHead::has_members);
    if !may_differ {
        compare(heads)?;
    }
    let mut columns: Columns = Vec::new();
    let mut origins: Vec<Option<PathBuf>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for head in heads {
        for field in head.table().into_iter().flat_map(|table| table.schema().fields()) {
            let place = *places.entry(field.name().clone()).or_insert_with(|| {
                columns.push((field.name().clone(), DataType::Null));
                origins.push(None);
                columns.len() - 1
            });
            let of = head.table().and_then(|table| table.type_of(field.name())).filter(|_| head.is_typed);
            let (Some(of), Some((_, so_far)), Some(origin)) =
                (of, columns.get_mut(place), origins.get_mut(place))
            else {
                continue;
            };
            let wider = match head.input() {
                // Text can be read as text; the values of Parquet have their types.
                Input::Parquet => widen_stored(so_far, of)
                    .ok_or_else(|| unlike(field.name(), (origin.as_ref(), so_far), (head, of)))?,
                _ => widen(so_far, of),
            };
            if wider != *so_far {
                *so_far = wider;
                *origin = Some(head.path.clone());
            }
        }
    }
    // A query would mean one of them.
    let mut spelt: HashMap<String, &str> = HashMap::new();
    for (name, _) in &columns {
        let Some(other) = spelt.insert(name.to_lowercase(), name) else { continue };
        let has = |head: &&&Head, name: &str| {
            head.table().is_some_and(|table| table.schema().index_of(name).is_ok())
        };
        if !heads.iter().any(|head| has(&head, name) && has(&head, other)) {
            let message = format!("{other} of one file and {name} of another differ only by case");
            return Err(Error::usage(message).hint(setting("table").then(" b=FILE, and UNION ALL")));
        }
    }
    columns.iter_mut().filter(|(_, of)| *of == DataType::Null).for_each(|(_, of)| *of = DataType::Utf8View);
    let types = request.types.as_deref().map(parse_schema).transpose()?.unwrap_or_default();
    let is_open = heads.first().and_then(|head| head.table()).is_some_and(TableHead::has_members);
    let inferred = apply(&types, &mut columns, is_open)?;
    origins.resize(columns.len(), None);
    Ok(FoundColumns { schema: schema(columns), inferred, origins })
}

/// Gives the columns of a CSV file the spelling of the first file that has them: there, a position finds the values.
pub(super) fn spell_alike(table: &mut TableHead, spelt: &mut HashMap<String, String>) {
    let TableHead::Text(text) = table else { return };
    let fields = text.table.schema.fields();
    let lower: HashSet<String> = fields.iter().map(|field| field.name().to_lowercase()).collect();
    if matches!(text.layout, Layout::Csv(_)) && lower.len() == fields.len() {
        let spell = |field: &FieldRef| {
            let name = spelt.entry(field.name().to_lowercase()).or_insert_with(|| field.name().clone());
            (name.clone(), field.data_type().clone())
        };
        text.table.schema = schema(fields.iter().map(spell).collect());
    }
}

/// The kind of table that each of many files must have.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct TableKind {
    pub path: PathBuf,
    pub input: Input,
    pub names: Vec<String>,
    /// Whether the first record is a row.
    pub is_row: bool,
    /// Whether records name their values.
    pub has_members: bool,
}

impl TableKind {
    pub(super) fn of(head: &Head) -> Self {
        let table = head.table();
        let fields = table.into_iter().flat_map(|table| table.schema().fields());
        TableKind {
            path: head.path.clone(),
            input: head.input(),
            names: fields.map(|field| field.name().clone()).collect(),
            is_row: table.and_then(TableHead::text).is_some_and(|text| text.first == FirstRecord::Row),
            has_members: table.is_some_and(TableHead::has_members),
        }
    }

    /// Refuses a table of another kind.
    pub(super) fn refuse_other(&self, other: &TableKind, sql: &str) -> Result<()> {
        if other.input == self.input {
            return Ok(());
        }
        let (one, two) = (self.path.display(), other.path.display());
        let message = format!("{one} is {}, and {two} is {}", self.input.name(), other.input.name());
        Err(Error::usage(message).hint(of_one_kind(self, other, sql)))
    }

    /// Refuses a table that has other columns; their order may differ.
    pub(super) fn refuse_other_columns(&self, other: &TableKind) -> Result<()> {
        let sorted = |names: &[String]| {
            let mut sorted = names.to_vec();
            sorted.sort_unstable();
            sorted
        };
        if sorted(&self.names) == sorted(&other.names) { Ok(()) } else { Err(difference(self, other)) }
    }
}

/// The kind of all tables, or an error that names two files.
pub(super) fn same_kind(heads: &[&Head], sql: &str) -> Result<Input> {
    let Some(first) = heads.first() else {
        let message = "there is no table: all files are empty or cannot be read";
        return Err(Error::new(Kind::InvalidText, message));
    };
    let first = TableKind::of(first);
    let other = heads.iter().find(|head| head.input() != first.input);
    other.map_or(Ok(()), |other| first.refuse_other(&TableKind::of(other), sql)).map(|()| first.input)
}

/// How to query the files of the kind of `first` alone.
fn of_one_kind(first: &TableKind, other: &TableKind, sql: &str) -> Sentence {
    let ending = |kind: &TableKind| kind.path.extension().map(|ending| ending.to_string_lossy().into_owned());
    match ending(first) {
        Some(own) if ending(other).as_ref() != Some(&own) => {
            call("select").file(first.path.with_file_name(format!("*.{own}"))).word(sql).again()
        }
        _ => {
            let input = format!(" {} reads all of them in one way", first.input.name());
            setting("input").then(input)
        }
    }
}

/// Every file has the columns of the first, in any order.
fn compare(heads: &[&Head]) -> Result<()> {
    let Some((first, rest)) = heads.split_first() else { return Ok(()) };
    let first = TableKind::of(first);
    rest.iter().try_for_each(|head| first.refuse_other_columns(&TableKind::of(head)))
}

fn difference(first: &TableKind, other: &TableKind) -> Error {
    let (one, two) = (first.path.display(), other.path.display());
    let (wanted, here) = (&first.names, &other.names);
    let missing: Vec<&str> = wanted.iter().filter(|name| !here.contains(name)).map(String::as_str).collect();
    let more: Vec<&str> = here.iter().filter(|name| !wanted.contains(name)).map(String::as_str).collect();
    let column = |names: &[&str]| match names {
        [one] => format!("column {one}"),
        several => format!("columns {}", first_names(several)),
    };
    let message = match (first.is_row, other.is_row) {
        (true, true) => format!("{two} has {} columns, and {one} has {}", here.len(), wanted.len()),
        (false, true) => format!("{two} has no names in its first record, and {one} has"),
        (true, false) => format!("{one} has no names in its first record, and {two} has"),
        (false, false) if missing.is_empty() => format!("{two} has the {}, which {one} lacks", column(&more)),
        (false, false) => format!("{two} has no {}, which {one} has", column(&missing)),
    };
    let error = Error::usage(message);
    if first.is_row != other.is_row {
        return error.hint(setting("header").then(" or ").then(setting("no-header")).then(" for all files"));
    }
    let join = setting("table").then(" NAME=FILE makes a table of its own, for a join");
    error.hint(setting("union").then(" fills what a file lacks with NULL, and ").then(join))
}

/// The type that holds the values of both.
pub(super) fn widen(one: &DataType, other: &DataType) -> DataType {
    use DataType::{Date32, Decimal128, Float64, Int64, List, Null, Struct, Timestamp};
    match (one, other) {
        (Null, of) | (of, Null) => of.clone(),
        (one, other) if one == other => one.clone(),
        (Int64, wide @ Decimal128(38, 0)) | (wide @ Decimal128(38, 0), Int64) => wide.clone(),
        (Int64, Float64) | (Float64, Int64) => Float64,
        (Date32, time @ Timestamp(TimeUnit::Microsecond, None))
        | (time @ Timestamp(TimeUnit::Microsecond, None), Date32) => time.clone(),
        (List(one), List(other)) => {
            List(Arc::new(Field::new_list_field(widen(one.data_type(), other.data_type()), true)))
        }
        (Struct(one), Struct(other)) => {
            let mut fields: Vec<Field> = one.iter().map(|field| Field::clone(field)).collect();
            for field in other {
                match fields.iter_mut().find(|known| known.name() == field.name()) {
                    Some(known) => {
                        *known = Field::new(field.name(), widen(known.data_type(), field.data_type()), true);
                    }
                    None => fields.push(Field::clone(field).with_nullable(true)),
                }
            }
            Struct(fields.into())
        }
        _ => DataType::Utf8View,
    }
}

/// The type that holds the values of two columns of Parquet files; `None` if there is none.
fn widen_stored(one: &DataType, other: &DataType) -> Option<DataType> {
    use DataType::{Date32, Null, Timestamp};
    Some(match (one, other) {
        (Null, of) | (of, Null) => of.clone(),
        (one, other) if one == other => one.clone(),
        (Timestamp(unit, zone), Timestamp(unit_2, zone_2)) if zone.is_some() == zone_2.is_some() => {
            let zone = if zone == zone_2 { zone.clone() } else { Some("UTC".into()) };
            Timestamp(*unit.max(unit_2), zone)
        }
        (Date32, time @ Timestamp(_, None)) | (time @ Timestamp(_, None), Date32) => time.clone(),
        (one, other) if one.is_floating() && other.is_floating() => DataType::Float64,
        (one, other)
            if one.is_floating() && other.is_integer() || one.is_integer() && other.is_floating() =>
        {
            DataType::Float64
        }
        (one, other) => {
            return wider_decimal(digits(one)?, digits(other)?, one.is_integer() && other.is_integer());
        }
    })
}

/// The digits before and after the point of the numbers of a type.
fn digits(of: &DataType) -> Option<(u8, i8)> {
    Some(match of {
        DataType::Int8 | DataType::UInt8 => (3, 0),
        DataType::Int16 | DataType::UInt16 => (5, 0),
        DataType::Int32 | DataType::UInt32 => (10, 0),
        DataType::Int64 => (19, 0),
        DataType::UInt64 => (20, 0),
        DataType::Decimal128(precision, scale) | DataType::Decimal256(precision, scale) if *scale >= 0 => {
            (precision.saturating_sub(scale.unsigned_abs()), *scale)
        }
        _ => return None,
    })
}

fn wider_decimal(one: (u8, i8), other: (u8, i8), are_whole: bool) -> Option<DataType> {
    let (before, after) = (one.0.max(other.0), one.1.max(other.1));
    match before.checked_add(after.unsigned_abs())? {
        ..=19 if are_whole => Some(DataType::Int64),
        precision @ ..=38 if are_whole => Some(DataType::Decimal128(precision.max(38), 0)),
        precision @ ..=38 => Some(DataType::Decimal128(precision, after)),
        precision @ ..=76 => Some(DataType::Decimal256(precision, after)),
        _ => None,
    }
}

fn unlike(name: &str, one: (Option<&PathBuf>, &DataType), (head, of): (&Head, &DataType)) -> Error {
    let (origin, so_far) =
        (one.0.map_or_else(String::new, |path| path.display().to_string()), type_name(one.1));
    let message = format!("{name} is {} in {}, and {so_far} in {origin}", type_name(of), head.path.display());
    Error::usage(message).hint("name files whose columns have the same types")
}

/// How files are looked at that are opened only for their rows: they have the kind and the columns of those before.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct LateLook {
    pub request: QueryRequest,
    pub union: bool,
    /// The first file that was looked at.
    pub first: TableKind,
}

impl LateLook {
    /// Files beside `first`, the first one that was looked at.
    pub(super) fn of(request: &QueryRequest, union: bool, first: &Head) -> Self {
        // A short file among logs is one.
        let input = match first.input() {
            input @ (Input::Log | Input::Lines) => Some(input),
            _ => request.input,
        };
        let request = QueryRequest { types: None, input, ..request.clone() };
        LateLook { request, union, first: TableKind::of(first) }
    }

    /// The table in the file of `head`, which is a table like the first; `None` if it is empty.
    pub(super) async fn look(
        &self,
        head: &Head,
        columns: &FoundColumns,
        file: &Arc<TableFile>,
    ) -> Result<Option<TableHead>> {
        let Some(mut found) = table(file, head, &self.request).await? else { return Ok(None) };
        let names = columns.schema.fields().iter().map(|field| field.name());
        let mut spelt = names.rev().map(|name| (name.to_lowercase(), name.clone())).collect();
        spell_alike(&mut found, &mut spelt);
        let own = Head { look: Look::Table(Box::new(found.clone())), ..head.clone() };
        let kind = TableKind::of(&own);
        self.first.refuse_other(&kind, &self.request.sql)?;
        if !self.union && !self.first.has_members {
            self.first.refuse_other_columns(&kind)?;
        }
        Ok(Some(with_columns(found, columns)))
    }
}

/// A file of objects has the columns of the table: other members are unknown, and counted.
fn with_columns(found: TableHead, columns: &FoundColumns) -> TableHead {
    match found {
        TableHead::Text(text) if !text.table.arrays && matches!(text.input, Input::Json | Input::Jsonl) => {
            let (schema, inferred) = (Arc::clone(&columns.schema), columns.inferred.clone());
            let unknown = vec![false; schema.fields().len()];
            TableHead::Text(TextHead {
                table: TextSchema { schema, inferred, unknown, ..text.table },
                ..text
            })
        }
        other => other,
    }
}

/// Files whose first MiB decides the types, spread over the list.
pub(super) const TYPED: usize = 32;

/// Objects that are looked at side by side: what takes time is to wait for the server.
const REMOTE: usize = 16;

/// Local files that one thread looks at in turn: to wake a thread takes longer than to look at one.
const IN_TURN: usize = 16;

/// Bytes of the others, whose names alone are compared.
const NAMES: usize = 4 << 10;

/// A file as far as its beginning shows it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Head {
    pub path: PathBuf,
    /// Its place in the list of files.
    pub place: usize,
    pub size: Option<u64>,
    pub version: Option<String>,
    /// The bytes as they are stored, if they are known.
    pub stored: Option<u64>,
    /// Whether the values that are looked at say what the types are.
    pub is_typed: bool,
    /// An object, which stays open so that the bytes of its beginning are requested once.
    #[serde(skip)]
    pub(crate) opened: Option<Arc<TableFile>>,
    #[serde(skip)]
    pub(crate) look: Look,
}

#[derive(Clone, Debug, Default)]
pub(crate) enum Look {
    /// There is no byte, or nothing but blanks.
    Empty,
    Unreadable(Error),
    /// Nobody looked yet: the file is looked at when it is read.
    #[default]
    Later,
    Table(Box<TableHead>),
}

impl Head {
    /// The file at `place`, which is looked at when it is read.
    pub fn later(path: PathBuf, place: usize, Listed { size, version }: Listed) -> Self {
        let (stored, is_typed, opened, look) = (size, false, None, Look::Later);
        Head { path, place, size, version, stored, is_typed, opened, look }
    }

    pub(crate) fn table(&self) -> Option<&TableHead> {
        match &self.look {
            Look::Table(table) => Some(table),
            Look::Empty | Look::Unreadable(_) | Look::Later => None,
        }
    }

    /// The same, if it is the object that was listed.
    fn with_listed(mut self, listed: Listed) -> Self {
        if listed.version.as_ref().zip(self.version.as_ref()).is_some_and(|(one, other)| one != other) {
            self.look = Look::Unreadable(changed());
        }
        // The size of an object is that of its stored bytes, whether it was opened or not.
        self.size = listed.size.or(self.size);
        self.stored = listed.size.or(self.stored);
        self
    }

    pub(crate) fn input(&self) -> Input {
        self.table().map_or(Input::Parquet, TableHead::input)
    }

    /// Bytes of the beginning that are looked at.
    fn bytes(&self) -> usize {
        if self.is_typed { SAMPLE } else { NAMES }
    }
}

pub(super) fn changed() -> Error {
    let message = "changed between the look at its columns and the read of its rows";
    Error::new(Kind::Changed, message).hint("run the same command again")
}

/// Looks at the files at `places`, side by side; in their order.
pub(super) async fn look(files: &TableFiles, request: &QueryRequest, places: &[usize]) -> Result<Vec<Head>> {
    // --schema is about the table, not about one file.
    let request = Arc::new(QueryRequest { types: None, ..request.clone() });
    let is_remote = places.iter().any(|place| files.is_remote(*place));
    let (side_by_side, in_turn) = if is_remote { (REMOTE, 1) } else { (processors() * 2, IN_TURN) };
    let count = places.len();
    let step = count.div_ceil(TYPED).max(1);
    let turns = places.chunks(in_turn).enumerate().map(|(turn, places)| {
        let unseen = places.iter().enumerate().map(|(nth, &place)| {
            let nth = turn * in_turn + nth;
            let is_typed = nth % step == 0 || nth + 1 == count;
            let head = Head::later(files.paths[place].clone(), place, Listed::default());
            (Head { is_typed, ..head }, is_typed && files.is_remote(place), files.listed(place))
        });
        let unseen: Vec<_> = unseen.collect();
        let (open, request, runtime) = (Arc::clone(&files.open), Arc::clone(&request), Handle::current());
        spawn_blocking(move || {
            let look = |(unseen, stays_open, listed): (Head, bool, Listed)| {
                let opened = open(&unseen.path, None);
                let mut head = runtime.block_on(head(opened, unseen, &request));
                head.opened = head.opened.filter(|_| stays_open);
                head.with_listed(listed)
            };
            unseen.into_iter().map(look).collect::<Vec<_>>()
        })
    });
    let mut looked = Vec::with_capacity(count);
    let mut turns = stream::iter(turns).buffered(side_by_side);
    while let Some(heads) = turns.next().await {
        let failed = |cause| Error::new(Kind::Io, format!("files were not looked at: {cause}"));
        looked.extend(heads.map_err(failed)?);
    }
    Ok(looked)
}

async fn head(opened: Result<Reader>, seen: Head, request: &QueryRequest) -> Head {
    let reader = match opened {
        Ok(reader) => Arc::new(reader),
        Err(error) => return Head { look: Look::Unreadable(error), ..seen },
    };
    let version = reader.version().ok().flatten().map(|version| version.to_string());
    let stored = reader.source().stored();
    let (size, stored, is_object) = (reader.known_size(), stored.size(), stored.info().object.is_some());
    let seen = Head { size, stored, version, ..seen };
    if seen.version.is_none() && !is_object {
        let message = "can be read only once, and files of a table of many are opened twice";
        let look = Look::Unreadable(Error::usage(message).hint("give it as the only FILE"));
        return Head { look, ..seen };
    }
    let file = TableFile::new(&reader);
    let look = match table(&file, &seen, request).await {
        Ok(Some(table)) => Look::Table(Box::new(table)),
        Ok(None) => Look::Empty,
        Err(error) => Look::Unreadable(error),
    };
    Head { look, opened: Some(file), ..seen }
}

/// The table in `file`; `None` if it is empty.
pub(super) async fn table(
    file: &Arc<TableFile>,
    head: &Head,
    request: &QueryRequest,
) -> Result<Option<TableHead>> {
    let mut mark = [0; 256];
    let got = block_in_place(|| file.reader.read(&mut mark, 0))?;
    let of_lines = request.input == Some(Input::Lines);
    if mark[..got].trim_ascii().is_empty() && got < mark.len() && (got == 0 || !of_lines) {
        return Ok(None);
    }
    if is_parquet(file, request)? {
        let schema = Arc::clone(Parquet::open(file).await?.schema());
        refuse_other_options(Input::Parquet, request)?;
        return Ok(Some(TableHead::Parquet(schema)));
    }
    block_in_place(|| look_at(file, &head.path, request, head.bytes())).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_files_does_not_change_the_type() {
        let time = DataType::Timestamp(TimeUnit::Microsecond, None);
        let all = [
            DataType::Null,
            DataType::Int64,
            DataType::Int32,
            DataType::UInt64,
            DataType::Float32,
            DataType::Float64,
            DataType::Decimal128(38, 0),
            DataType::Decimal128(5, 2),
            DataType::Decimal128(20, 4),
            DataType::Date32,
            DataType::Timestamp(TimeUnit::Millisecond, None),
            DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())),
            time,
            DataType::Boolean,
            DataType::Utf8View,
        ];
        for one in &all {
            assert_eq!(widen(one, one), *one);
            for other in &all {
                assert_eq!(widen(one, other), widen(other, one), "{one} {other}");
                assert_eq!(widen_stored(one, other), widen_stored(other, one), "{one} {other}");
            }
        }
    }

    #[test]
    fn stored_numbers_keep_their_digits() {
        let decimal = DataType::Decimal128;
        for (one, other, both) in [
            (decimal(5, 2), decimal(20, 4), Some(decimal(20, 4))),
            (decimal(5, 2), DataType::Int64, Some(decimal(21, 2))),
            (DataType::Int32, DataType::Int64, Some(DataType::Int64)),
            (DataType::UInt64, DataType::Int64, Some(decimal(38, 0))),
            (decimal(38, 10), decimal(38, 0), Some(DataType::Decimal256(48, 10))),
            (DataType::Binary, DataType::Utf8View, None),
            (DataType::Int64, DataType::Utf8View, None),
        ] {
            assert_eq!(widen_stored(&one, &other), both, "{one} {other}");
        }
    }
}
