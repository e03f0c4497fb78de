//! The beginning of each file: what kind of table it has, and its columns.

use std::path::PathBuf;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::catalog::TableProvider;
use futures::stream::{self, StreamExt};
use tokio::runtime::Handle;
use tokio::task::{block_in_place, spawn_blocking};

use super::set::{Listed, TableFiles};
use crate::detect;
use crate::lines::LinesHead;
use crate::parquet::Parquet;
use crate::request::QueryRequest;
use crate::scan::SAMPLE;
use crate::sheet_table;
use crate::stream::TableFile;
use crate::table::{FoundHead, TextHead, look as look_at, refuse_other_options};
use crate::text::FirstRecord;
use rread_reader::reader::Reader;
use rread_source::processors::processors;
use rread_text::error::{Error, Kind, Result};
use rread_text::layout::Input;

/// Files whose first MiB decides the types, spread over the list.
pub(super) const TYPED: usize = 32;

/// Objects that are looked at side by side: what takes time is to wait for the server.
const REMOTE: usize = 16;

/// Local files that one thread looks at in turn: to wake a thread takes longer than to look at one.
const IN_TURN: usize = 16;

/// Bytes of the others, whose names alone are compared.
pub(crate) const NAMES: usize = 4 << 10;

/// What the beginning of a file shows.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub path: PathBuf,
    /// Its place in the list of files.
    pub place: usize,
    pub size: Option<u64>,
    pub version: Option<String>,
    /// The bytes as they are stored, if they are known.
    pub stored: Option<u64>,
    /// An object, which stays open so that the bytes of its beginning are requested once.
    pub opened: Option<Arc<TableFile>>,
    /// Whether the values that were looked at say what the types are.
    pub is_typed: bool,
    /// The kind of table that the file was looked at as, if that was said.
    pub asked: Option<Input>,
    pub look: Look,
}

#[derive(Clone, Debug)]
pub(crate) enum Look {
    /// There is no byte, or nothing but blanks.
    Empty,
    Unreadable(Error),
    /// Nobody looked yet: the file is looked at when it is read.
    Later,
    /// Another process looked at this many bytes, and compared what it found: the file is looked at again when it is read.
    #[cfg_attr(not(feature = "cluster"), allow(dead_code))]
    Again(usize),
    Table(Box<HeadTable>),
}

/// A table and its columns.
#[derive(Clone, Debug)]
pub(crate) struct HeadTable {
    pub schema: SchemaRef,
    /// `None` for Parquet.
    pub found: Option<FoundHead>,
}

impl HeadTable {
    pub fn text(&self) -> Option<&TextHead> {
        match &self.found {
            Some(FoundHead::Text(text)) => Some(text),
            Some(FoundHead::Lines(_)) | None => None,
        }
    }

    pub fn lines(&self) -> Option<&LinesHead> {
        match &self.found {
            Some(FoundHead::Lines(lines)) => Some(lines),
            Some(FoundHead::Text(_)) | None => None,
        }
    }
}

impl Head {
    /// A file that is looked at when it is read.
    pub fn later(files: &TableFiles, place: usize) -> Self {
        let Listed { size, version } = files.listed(place);
        let path = files.paths[place].clone();
        Head { path, size, stored: size, version, ..Head::unseen(place) }
    }

    /// The file at `place`, of which nothing is known.
    pub fn unseen(place: usize) -> Self {
        Head {
            path: PathBuf::new(),
            place,
            size: None,
            version: None,
            stored: None,
            opened: None,
            is_typed: false,
            asked: None,
            look: Look::Later,
        }
    }

    pub fn table(&self) -> Option<&HeadTable> {
        match &self.look {
            Look::Table(table) => Some(table),
            Look::Empty | Look::Unreadable(_) | Look::Later | Look::Again(_) => None,
        }
    }

    /// The same, if it is the object that was listed.
    fn with_listed(mut self, listed: Listed) -> Self {
        if is_other(listed.version.as_deref(), self.version.as_deref()) {
            self.look = Look::Unreadable(changed());
        }
        // The size of an object is that of its stored bytes, whether it was opened or not.
        self.size = listed.size.or(self.size);
        self.stored = listed.size.or(self.stored);
        self
    }

    pub fn input(&self) -> Input {
        match self.table().and_then(|table| table.found.as_ref()) {
            Some(FoundHead::Text(text)) => text.input,
            Some(FoundHead::Lines(lines)) => lines.input,
            None => Input::Parquet,
        }
    }

    /// Whether records name their values.
    pub fn has_members(&self) -> bool {
        let of_lines = self.table().and_then(HeadTable::lines).is_some_and(LinesHead::has_members);
        of_lines || matches!(self.input(), Input::Json | Input::Jsonl)
    }

    /// Whether the first record may be a row that was taken for names.
    pub fn is_header_assumed(&self) -> bool {
        let text = self.table().and_then(HeadTable::text);
        text.is_some_and(|text| text.first == FirstRecord::NamesOrRow)
    }

    /// The type of a column; `None` if no value of it was seen.
    pub fn type_of(&self, name: &str) -> Option<&DataType> {
        let table = self.table()?;
        let (index, field) = table.schema.column_with_name(name)?;
        let is_unknown = |text: &TextHead| text.table.unknown.get(index) == Some(&true);
        let is_known = !table.text().is_some_and(is_unknown)
            && table.lines().is_none_or(|lines| lines.unknown.get(index) != Some(&true));
        is_known.then_some(field.data_type())
    }
}

/// Whether two versions are known and differ.
fn is_other(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

pub(super) fn changed() -> Error {
    let message = "changed between the look at its columns and the read of its rows";
    Error::new(Kind::Changed, message).hint("run the same command again")
}

/// A file to look at.
struct Unseen {
    place: usize,
    path: PathBuf,
    listed: Listed,
    is_typed: bool,
    /// Whether it stays open.
    keeps: bool,
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
        let places = places.iter().enumerate().map(|(nth, &place)| {
            let nth = turn * in_turn + nth;
            let is_typed = nth % step == 0 || nth + 1 == count;
            let keeps = is_typed && files.is_remote(place);
            Unseen { place, path: files.paths[place].clone(), listed: files.listed(place), is_typed, keeps }
        });
        let places: Vec<_> = places.collect();
        let (open, request, runtime) = (Arc::clone(&files.open), Arc::clone(&request), Handle::current());
        spawn_blocking(move || {
            let look = |file: Unseen| {
                let opened = open(&file.path, None);
                let head = runtime.block_on(head(opened, file.path, &request, file.is_typed));
                let opened = head.opened.filter(|_| file.keeps);
                Head { place: file.place, opened, asked: request.input, ..head }.with_listed(file.listed)
            };
            places.into_iter().map(look).collect::<Vec<_>>()
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

async fn head(opened: Result<Reader>, path: PathBuf, request: &QueryRequest, is_typed: bool) -> Head {
    let seen = Head { path, is_typed, ..Head::unseen(0) };
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
    let look = match table(&file, &seen.path, request, if is_typed { SAMPLE } else { NAMES }).await {
        Ok(Some(table)) => Look::Table(Box::new(table)),
        Ok(None) => Look::Empty,
        Err(error) => Look::Unreadable(error),
    };
    Head { look, opened: Some(file), ..seen }
}

/// `None` if the file is empty.
pub(super) async fn table(
    file: &Arc<TableFile>,
    path: &std::path::Path,
    request: &QueryRequest,
    size: usize,
) -> Result<Option<HeadTable>> {
    let mut mark = [0; 256];
    let got = block_in_place(|| file.reader.read(&mut mark, 0))?;
    let of_lines = request.input == Some(Input::Lines);
    if mark[..got].trim_ascii().is_empty() && got < mark.len() && (got == 0 || !of_lines) {
        return Ok(None);
    }
    let is_sheet = sheet_table::workbook(&file.reader).is_some();
    let is_parquet = detect::is_parquet(&mark[..got]);
    if !is_sheet && request.input.map_or(is_parquet, |input| input == Input::Parquet) {
        let schema = Parquet::open(file).await?.schema();
        refuse_other_options(Input::Parquet, request)?;
        return Ok(Some(HeadTable { schema, found: None }));
    }
    let found = block_in_place(|| look_at(file, path, request, size))?;
    let schema = match &found {
        FoundHead::Text(text) => &text.table.schema,
        FoundHead::Lines(lines) => &lines.columns.schema,
    };
    Ok(Some(HeadTable { schema: Arc::clone(schema), found: Some(found) }))
}
