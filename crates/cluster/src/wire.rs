//! A read of a table as it is sent to a worker.
//!
//! A worker trusts none of it: it opens the files by itself, below its roots, and finds again how each is laid out. Only the
//! columns of the table, which are those of all files, come from the client.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use datafusion_proto::bytes::Serializeable;
use datafusion_proto::protobuf;
use prost::Message;
use rread_sql::datafusion::arrow::datatypes::{DataType, Schema};
use rread_sql::datafusion::common::{Result, exec_datafusion_err};
use rread_sql::datafusion::execution::TaskContext;
use rread_sql::datafusion::logical_expr::Expr;
use serde::{Deserialize, Serialize};

use rread_reader::times::TimeOptions;
use rread_source::access::Watch;
use rread_sql::OptionsOf;
use rread_sql::files::{
    FilesProgress, FilesScan, FilesTable, FoundColumns, Head, LateLook, OpenFile, Partitions, Scan,
};
use rread_text::address::Address;

/// The bytes of a read at most.
const MAX_BYTES: usize = 64 << 20;

/// The columns of a table at most.
const MAX_COLUMNS: usize = 100_000;

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SentScan {
    /// The number of the table on the client.
    pub(crate) id: u64,
    pub(crate) options: ReadSettings,
    late: LateLook,
    /// The times of all files.
    times: SentTimes,
    files: Vec<SentFile>,
    /// The columns of the files, and those of the table.
    columns: Vec<u8>,
    schema: Vec<u8>,
    inferred: Vec<bool>,
    origins: Vec<Option<PathBuf>>,
    /// Directories `key=value` that are columns.
    keys: Vec<String>,
    skip_bad: bool,
    skip_unreadable: bool,
    projection: Vec<usize>,
    filters: Vec<Vec<u8>>,
    limit: Option<usize>,
}

/// The options with which a client opens files.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReadSettings {
    pub encoding: Option<String>,
    pub salvage: bool,
    pub no_decompress: bool,
    pub anonymous: bool,
    pub sheet: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct SentFile {
    /// It has the name that the user sees.
    head: Head,
    /// The place of the file, if that is another name.
    at: Option<PathBuf>,
    /// The values of the keys in its directories.
    values: Vec<Option<String>>,
}

/// How the times of a file are read.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct SentTimes {
    zone: Option<String>,
    zone_of_file: Option<String>,
    format: Option<String>,
    year: Option<i16>,
    slack: u64,
    scan: bool,
}

impl SentTimes {
    /// `None` if another machine would read other times.
    fn of(options: &TimeOptions) -> Option<Self> {
        let options = options.for_other_system()?;
        if options.last_of_all.is_some() {
            return None;
        }
        let slack = u64::try_from(options.slack.as_millis()).ok()?;
        let TimeOptions { zone, zone_of_file, format, year, scan, .. } = options;
        Some(SentTimes { zone, zone_of_file, format, year, slack, scan })
    }

    fn options(&self) -> Result<TimeOptions> {
        let slack = Duration::from_millis(self.slack).try_into();
        Ok(TimeOptions {
            zone: self.zone.clone(),
            zone_of_file: self.zone_of_file.clone(),
            format: self.format.clone(),
            year: self.year,
            slack: slack.map_err(|_| exec_datafusion_err!("the slack of times is too long"))?,
            scan: self.scan,
            samples_only: false,
            last_of_all: None,
        })
    }
}

/// The place of the file, if it is not at `path` from everywhere.
fn place(path: &Path) -> Option<PathBuf> {
    let is_address = Address::of(path).is_some() && path.symlink_metadata().is_err();
    let absolute = (!is_address).then(|| std::path::absolute(path).ok()).flatten()?;
    Some(absolute).filter(|absolute| absolute != path)
}

fn bytes(schema: &Schema) -> Result<Vec<u8>> {
    let proto = protobuf::Schema::try_from(schema)?;
    Ok(proto.encode_to_vec())
}

fn schema(bytes: &[u8]) -> Result<Schema> {
    let proto = protobuf::Schema::decode(bytes).map_err(|cause| exec_datafusion_err!("{cause}"))?;
    let schema = Schema::try_from(&proto)?;
    match schema.fields().len() {
        0..=MAX_COLUMNS => Ok(schema),
        many => Err(exec_datafusion_err!("the table has {many} columns")),
    }
}

impl SentScan {
    /// `None` if another process cannot read the files in the same way.
    pub fn of(scan: &FilesScan, id: u64, options: &ReadSettings, context: &TaskContext) -> Option<Self> {
        let FilesScan { scan, limit, .. } = scan;
        let table = &scan.table;
        let late = LateLook::clone(table.late.as_ref()?);
        let options_of = |path: &Path| SentTimes::of(&(late.request.time.options.0)(path));
        let times = options_of(Path::new("-"))?;
        // A file may have a zone of its own.
        if table.heads.iter().any(|head| options_of(&head.path).as_ref() != Some(&times)) {
            return None;
        }
        let keys: Vec<String> = table.partitions.keys.iter().map(|(key, _)| key.clone()).collect();
        let file = |head: &Head| {
            let value = |nth| table.partitions.at(head.place, nth).map(str::to_owned);
            let values = (0..keys.len()).map(value).collect();
            SentFile { head: head.clone(), at: place(&head.path), values }
        };
        Some(SentScan {
            id,
            options: options.clone(),
            times,
            files: table.heads.iter().map(file).collect(),
            columns: bytes(&table.columns.schema).ok()?,
            schema: bytes(&table.schema).ok()?,
            inferred: table.columns.inferred.clone(),
            origins: table.columns.origins.clone(),
            keys,
            skip_bad: table.skip_bad,
            skip_unreadable: table.skip_unreadable,
            projection: scan.projection.clone(),
            filters: filters(&scan.filters, context),
            limit: *limit,
            late,
        })
    }

    pub fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.len() > MAX_BYTES {
            return Err(exec_datafusion_err!("the plan of a read has {} bytes", bytes.len()));
        }
        serde_json::from_slice(bytes).map_err(|cause| exec_datafusion_err!("the plan of a read: {cause}"))
    }

    /// The error is for a name of a file that is not text.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(|cause| exec_datafusion_err!("the plan of a read: {cause}"))
    }

    /// The read, whose files `open` opens.
    pub fn scan(self, open: Arc<OpenFile>, context: &TaskContext) -> Result<FilesScan> {
        let columns = FoundColumns {
            schema: Arc::new(schema(&self.columns)?),
            inferred: self.inferred,
            origins: self.origins,
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
        let key = |key: String| {
            let of =
                schema.field_with_name(&key).map_or(DataType::Utf8View, |field| field.data_type().clone());
            (key, of)
        };
        let (mut heads, mut values, mut places) = (Vec::new(), Vec::new(), HashMap::new());
        for (place, file) in self.files.into_iter().enumerate() {
            places.extend(file.at.map(|at| (file.head.path.clone(), at)));
            let mut head = file.head;
            head.place = place;
            heads.push(head);
            values.push(file.values);
        }
        let mut late = self.late;
        let times = self.times.options()?;
        late.request.time.options = OptionsOf(Arc::new(move |_| times.clone()));
        let table = FilesTable {
            open: at_places(open, places),
            heads: Arc::new(heads),
            late: Some(Arc::new(late)),
            columns: Arc::new(columns),
            schema: Arc::clone(&schema),
            partitions: Arc::new(Partitions::with(self.keys.into_iter().map(key).collect(), values)),
            skip_bad: self.skip_bad,
            skip_unreadable: self.skip_unreadable,
            left_out: Arc::default(),
            reads: Arc::default(),
            progress: FilesProgress::default(),
        };
        let (projection, limit) = (self.projection, self.limit);
        Ok(FilesScan::new(Scan { table, projection, schema: projected, filters, limit }))
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
fn filters(filters: &[Expr], context: &TaskContext) -> Vec<Vec<u8>> {
    let bytes = |filter: &Expr| {
        let bytes = filter.to_bytes().ok()?;
        let again = Expr::from_bytes_with_ctx(&bytes, context).ok()?;
        (again == *filter).then(|| bytes.to_vec())
    };
    filters.iter().filter_map(bytes).collect()
}
