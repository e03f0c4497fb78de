//! The beginning of each file: what kind of table it has, and its columns.

use std::path::PathBuf;
use std::sync::Arc;

use futures::stream::{self, StreamExt};
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::task::{block_in_place, spawn_blocking};

use super::{Listed, TableFiles};
use crate::parquet::Parquet;
use crate::request::QueryRequest;
use crate::scan::SAMPLE;
use crate::stream::TableFile;
use crate::table::{TableHead, is_parquet, look as look_at, refuse_other_options};
use rread_reader::Reader;
use rread_source::limits::processors;
use rread_text::{Error, Input, Kind, Result};

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
        if is_other(listed.version.as_deref(), self.version.as_deref()) {
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

/// Whether two versions are known and differ.
fn is_other(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
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
