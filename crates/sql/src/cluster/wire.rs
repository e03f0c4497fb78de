//! A read of a table as it is sent to a worker.
//!
//! A worker trusts none of it: it opens the files by itself, below its roots, and finds again how each is laid out. Only the
//! columns of the table, which are those of all files, come from the client.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::execution::{SessionState, TaskContext};
use datafusion::logical_expr::Expr;
use datafusion_proto::bytes::Serializeable;
use datafusion_proto::protobuf;
use prost::Message;
use serde::{Deserialize, Serialize};

use super::options::SentRequest;
use crate::files::{
    FilesScan, FilesTable, FoundColumns, Head, LateLook, Look, NAMES, OpenFile, Partitions, Scan, TableKind,
};
use crate::scan::SAMPLE;
use rread_source::access::Watch;
use rread_text::address::Address;
use rread_text::layout::Input;

/// The bytes of a read at most.
const LONGEST: usize = 64 << 20;

/// The columns of a table at most.
const COLUMNS: usize = 100_000;

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SentScan {
    pub id: u64,
    pub opening: String,
    request: SentRequest,
    union: bool,
    first: SentKind,
    files: Vec<SentFile>,
    /// The columns of the files, and those of the table.
    columns: Vec<u8>,
    schema: Vec<u8>,
    inferred: Vec<bool>,
    origins: Vec<Option<String>>,
    /// Directories `key=value` that are columns.
    keys: Vec<String>,
    skip_bad: bool,
    skip_unreadable: bool,
    projection: Vec<usize>,
    filters: Vec<Vec<u8>>,
    limit: Option<usize>,
}

/// The table that all must be like.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct SentKind {
    path: String,
    input: Input,
    names: Vec<String>,
    is_row: bool,
    has_members: bool,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct SentFile {
    /// The name that the user sees.
    path: String,
    /// Its place, if that is another name.
    at: Option<String>,
    size: Option<u64>,
    stored: Option<u64>,
    version: Option<String>,
    look: SentLook,
    asked: Option<Input>,
    /// The values of the keys in its directories.
    values: Vec<Option<String>>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum SentLook {
    /// The client looked at the types, or only at the names.
    Types,
    Names,
    Later,
}

fn text(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}

/// The place of the file, if it is not at `path` from everywhere.
fn place(path: &Path) -> Option<String> {
    let is_address = Address::of(path).is_some() && path.symlink_metadata().is_err();
    let absolute = (!is_address).then(|| std::path::absolute(path).ok()).flatten()?;
    text(&absolute).filter(|_| absolute != path)
}

fn bytes(schema: &Schema) -> Result<Vec<u8>> {
    let proto = protobuf::Schema::try_from(schema)?;
    Ok(proto.encode_to_vec())
}

fn schema(bytes: &[u8]) -> Result<Schema> {
    let proto = protobuf::Schema::decode(bytes).map_err(|cause| exec_datafusion_err!("{cause}"))?;
    let schema = Schema::try_from(&proto)?;
    match schema.fields().len() {
        0..=COLUMNS => Ok(schema),
        many => Err(exec_datafusion_err!("the table has {many} columns")),
    }
}

impl SentScan {
    /// `None` if another process cannot do the same: a name is not text, or an option has no words.
    pub fn of(scan: &FilesScan) -> Option<Self> {
        let FilesScan { scan, limit, .. } = scan;
        let table = &scan.table;
        let late = table.late.as_ref()?;
        let kind = &late.first;
        let first = SentKind {
            path: text(&kind.path)?,
            input: kind.input,
            names: kind.names.clone(),
            is_row: kind.is_row,
            has_members: kind.has_members,
        };
        let keys: Vec<String> = table.partitions.keys.iter().map(|(key, _)| key.clone()).collect();
        let file = |head: &Head| {
            let value = |nth| table.partitions.at(head.place, nth).map(str::to_owned);
            Some(SentFile {
                path: text(&head.path)?,
                at: place(&head.path),
                size: head.size,
                stored: head.stored,
                version: head.version.clone(),
                look: match head.look {
                    Look::Table(_) if head.is_typed => SentLook::Types,
                    Look::Table(_) => SentLook::Names,
                    _ => SentLook::Later,
                },
                asked: head.asked,
                values: (0..keys.len()).map(value).collect(),
            })
        };
        let files = table.heads.iter().map(file).collect::<Option<_>>()?;
        let paths: Vec<&Path> = table.heads.iter().map(|head| &*head.path).collect();
        let origin = |origin: &Option<PathBuf>| origin.as_deref().and_then(text);
        Some(SentScan {
            id: table.id,
            opening: table.opening.to_string(),
            request: SentRequest::of(&late.request, &paths)?,
            union: late.union,
            first,
            files,
            columns: bytes(&table.columns.schema).ok()?,
            schema: bytes(&table.schema).ok()?,
            inferred: table.columns.inferred.clone(),
            origins: table.columns.origins.iter().map(origin).collect(),
            keys,
            skip_bad: table.skip_bad,
            skip_unreadable: table.skip_unreadable,
            projection: scan.projection.clone(),
            filters: filters(&scan.filters, &scan.session),
            limit: *limit,
        })
    }

    pub fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.len() > LONGEST {
            return Err(exec_datafusion_err!("the plan of a read has {} bytes", bytes.len()));
        }
        serde_json::from_slice(bytes).map_err(|cause| exec_datafusion_err!("the plan of a read: {cause}"))
    }

    pub fn bytes(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(|cause| exec_datafusion_err!("the plan of a read: {cause}"))
    }

    /// The read, whose files `open` opens.
    pub fn scan(
        self,
        open: Arc<OpenFile>,
        session: &Arc<SessionState>,
        context: &TaskContext,
    ) -> Result<FilesScan> {
        let columns = FoundColumns {
            schema: Arc::new(schema(&self.columns)?),
            inferred: self.inferred,
            origins: self.origins.into_iter().map(|path| path.map(PathBuf::from)).collect(),
        };
        let schema = Arc::new(schema(&self.schema)?);
        let own = columns.schema.fields().len();
        let is_prefix = schema.fields().iter().zip(columns.schema.fields()).all(|(one, other)| one == other);
        if own > schema.fields().len() || !is_prefix || columns.inferred.len() != own {
            return Err(exec_datafusion_err!("the columns of the files are not those of the table"));
        }
        let projected = Arc::new(schema.project(&self.projection)?);
        let filters = self.filters.iter().map(|bytes| Expr::from_bytes_with_ctx(bytes, context));
        let filters = filters.collect::<Result<Vec<_>>>()?;
        let first = TableKind {
            path: self.first.path.into(),
            input: self.first.input,
            names: self.first.names,
            is_row: self.first.is_row,
            has_members: self.first.has_members,
        };
        let key = |key: String| {
            let of =
                schema.field_with_name(&key).map_or(DataType::Utf8View, |field| field.data_type().clone());
            (key, of)
        };
        let places: HashMap<PathBuf, PathBuf> = self.files.iter().filter_map(SentFile::place).collect();
        let request = self.request.request(&places)?;
        let (mut heads, mut values) = (Vec::new(), Vec::new());
        for (place, file) in self.files.into_iter().enumerate() {
            let look = match file.look {
                SentLook::Types => Look::Again(SAMPLE),
                SentLook::Names => Look::Again(NAMES),
                SentLook::Later => Look::Later,
            };
            heads.push(Head {
                path: file.path.into(),
                size: file.size,
                stored: file.stored,
                version: file.version,
                asked: file.asked,
                look,
                ..Head::unseen(place)
            });
            values.push(file.values);
        }
        let table = FilesTable {
            id: self.id,
            opening: self.opening.into(),
            open: at_places(open, places),
            heads: Arc::new(heads),
            late: Some(Arc::new(LateLook { request, union: self.union, first })),
            columns: Arc::new(columns),
            schema: Arc::clone(&schema),
            partitions: Arc::new(Partitions::with(self.keys.into_iter().map(key).collect(), values)),
            skip_bad: self.skip_bad,
            skip_unreadable: self.skip_unreadable,
            left_out: Arc::default(),
            reads: Arc::default(),
            progress: crate::files::FilesProgress::default(),
            bounds_time: Arc::default(),
        };
        let (projection, session) = (self.projection, Arc::clone(session));
        let limit = self.limit;
        Ok(FilesScan::new(Scan { table, projection, schema: projected, session, filters, limit }))
    }
}

impl SentFile {
    /// The name that the user sees, and that of the file.
    fn place(&self) -> Option<(PathBuf, PathBuf)> {
        self.at.as_ref().map(|at| (PathBuf::from(&self.path), PathBuf::from(at)))
    }
}

/// Opens files by the names that the user sees, which errors have.
fn at_places(open: Arc<OpenFile>, places: HashMap<PathBuf, PathBuf>) -> Arc<OpenFile> {
    Arc::new(move |path: &Path, watch: Option<Arc<dyn Watch>>| {
        let at = places.get(path).map_or(path, PathBuf::as_path);
        open(at, watch).map_err(|error| match &error.path {
            Some(other) if other == at => error.at(path),
            _ => error,
        })
    })
}

/// The filters that another process understands; they only spare what the engine would leave out afterwards.
fn filters(filters: &[Expr], session: &SessionState) -> Vec<Vec<u8>> {
    let context = session.task_ctx();
    let bytes = |filter: &Expr| {
        let bytes = filter.to_bytes().ok()?;
        let again = Expr::from_bytes_with_ctx(&bytes, &context).ok()?;
        (again == *filter).then(|| bytes.to_vec())
    };
    filters.iter().filter_map(bytes).collect()
}
