//! A plan and its read of a table as they are sent to a worker, and errors and counts on their way back. An error is a detail
//! of the status of a response, with a type of its own: it keeps its kind, its sentences and its hints.
//!
//! A worker trusts none of it: it opens the files by itself, below its roots, and finds again how each is laid out. Only the
//! columns of the table, which are those of all files, come from the client.

use std::collections::HashMap;
use std::error::Error as Cause;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use datafusion_proto::bytes::Serializeable;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use datafusion_proto::protobuf;
use futures::StreamExt;
use prost::Message;
use serde::{Deserialize, Serialize};

use rread_reader::TimeOptions;
use rread_source::access::Watch;
use rread_source::object::Traffic;
use rread_sql::OptionsOf;
use rread_sql::datafusion::arrow::datatypes::{DataType, Schema};
use rread_sql::datafusion::common::{Result, exec_datafusion_err};
use rread_sql::datafusion::error::DataFusionError;
use rread_sql::datafusion::execution::{SendableRecordBatchStream, TaskContext};
use rread_sql::datafusion::logical_expr::Expr;
use rread_sql::datafusion::physical_plan::ExecutionPlan;
use rread_sql::datafusion::physical_plan::metrics::{Count, Label, Metric, MetricValue, MetricsSet};
use rread_sql::datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use rread_sql::files::OpenFile;
use rread_sql::files::columns::Head;
use rread_sql::files::columns::{FoundColumns, LateLook};
use rread_sql::files::partition::Partitions;
use rread_sql::files::reads::{FilesProgress, ReadCounts};
use rread_sql::files::rows::{FilesScan, FilesTable, Scan};
use rread_sql::text::LeftOut;
use rread_text::sentence::Part;
use rread_text::{Address, Error, Kind, Sentence};

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
    slack: Option<u64>,
    scan: bool,
}

impl SentTimes {
    /// `None` if another machine would read other times.
    fn of(options: &TimeOptions) -> Option<Self> {
        let options = options.for_other_system()?;
        if options.last_of_all.is_some() {
            return None;
        }
        let slack = options.slack.map(|slack| u64::try_from(slack.as_millis())).transpose().ok()?;
        let TimeOptions { zone, zone_of_file, format, year, scan, .. } = options;
        Some(SentTimes { zone, zone_of_file, format, year, slack, scan })
    }

    fn options(self) -> Result<TimeOptions> {
        let SentTimes { zone, zone_of_file, format, year, slack, scan } = self;
        let slack = slack.map(|slack| Duration::from_millis(slack).try_into()).transpose();
        let slack = slack.map_err(|_| exec_datafusion_err!("the slack of times is too long"))?;
        Ok(TimeOptions { zone, zone_of_file, format, year, slack, scan, ..TimeOptions::default() })
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

/// The name of the counter whose label is what a worker read.
pub(crate) const REPORT: &str = "rread";

/// How a worker opens the files of one read of a table.
pub struct OpenedBy {
    /// Opens one file, below the roots of the worker.
    pub open: Arc<OpenFile>,
    /// Its requests to servers so far.
    pub traffic: Arc<dyn Fn() -> Traffic + Send + Sync>,
}

/// Finds out how files are opened, from the options of the client.
pub type Opening = dyn Fn(&ReadSettings) -> rread_text::error::Result<OpenedBy> + Send + Sync;

/// The tables of a query of a client, by number.
pub type Tables = Vec<(u64, FilesTable)>;

/// The codec of each side.
#[derive(Clone)]
pub enum ScanCodec {
    /// A client sends plans.
    Client {
        tables: Arc<Tables>,
        /// How a worker opens the files.
        options: ReadSettings,
        context: Arc<TaskContext>,
    },
    /// A worker receives plans, and opens files so.
    Worker(Arc<Opening>),
}

rread_text::opaque!(ScanCodec);

impl PhysicalExtensionCodec for ScanCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        _: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let ScanCodec::Worker(opening) = self else {
            return Err(exec_datafusion_err!("only workers receive plans"));
        };
        let sent = SentScan::read(bytes)?;
        let OpenedBy { open, traffic } =
            opening(&sent.options).map_err(|error| SentError::of(error).engine())?;
        let id = sent.id;
        Ok(Arc::new(received(id, sent.scan(open, context)?, traffic)))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let Some(scan) = node.downcast_ref::<FilesScan>() else {
            return Err(exec_datafusion_err!("{} cannot be sent", node.name()));
        };
        let ScanCodec::Client { tables, options, context } = self else {
            return Err(exec_datafusion_err!("only clients send plans"));
        };
        let reads = &scan.scan.table.reads;
        let table = tables.iter().find(|(_, table)| Arc::ptr_eq(&table.reads, reads));
        let sent = table.and_then(|(id, _)| SentScan::of(scan, *id, options, context));
        let sent = sent.ok_or_else(|| exec_datafusion_err!("a name of a file cannot be sent"))?;
        bytes.extend(sent.bytes()?);
        Ok(())
    }
}

/// `scan` in a worker: its errors and its counts reach the client.
fn received(id: u64, mut scan: FilesScan, traffic: Arc<dyn Fn() -> Traffic + Send + Sync>) -> FilesScan {
    let pass = |rows: SendableRecordBatchStream| -> SendableRecordBatchStream {
        let schema = rows.schema();
        Box::pin(RecordBatchStreamAdapter::new(schema, rows.map(|batch| batch.map_err(sendable))))
    };
    let table = scan.scan.table.clone();
    let metrics = move || {
        let report = Report::of(id, &table, traffic());
        let label = Label::new(REPORT, serde_json::to_string(&report).unwrap_or_default());
        let count = MetricValue::Count { name: REPORT.into(), count: Count::new() };
        let mut metrics = MetricsSet::new();
        metrics.push(Arc::new(Metric::new_with_labels(count, None, vec![label])));
        metrics
    };
    scan.pass = Some(Arc::new(pass));
    scan.metrics = Some(Arc::new(metrics));
    scan
}

/// The type of an error of ours among the errors of the engine, which are details of the status.
const TYPE: &str = "rread.Error";

/// Characters of a sentence of a worker, and of a hint; and bytes of an address.
const MAX_TEXT: usize = 2000;
const MAX_HINT: usize = 200;
const MAX_ADDRESS: usize = 300;

/// An error as it is sent.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct SentError {
    pub error: Error,
    /// The address of the worker that is lost.
    pub lost: Option<String>,
}

impl SentError {
    pub fn of(error: Error) -> Self {
        SentError { error, lost: None }
    }

    /// An error of the engine that has this one as its cause.
    pub fn engine(&self) -> DataFusionError {
        // A name of a file that is not text cannot be sent.
        let text = serde_json::to_string(self).unwrap_or_else(|_| self.error.message.plain());
        DataFusionError::Execution(text).context(TYPE)
    }

    /// The error of ours among the causes of one of the engine.
    pub fn find(error: &DataFusionError) -> Option<Self> {
        let mut cause: Option<&(dyn Cause + 'static)> = Some(error);
        while let Some(error) = cause {
            if let Some(DataFusionError::Context(name, detail)) = error.downcast_ref()
                && name == TYPE
                && let DataFusionError::Execution(text) = &**detail
            {
                let SentError { error, lost } = serde_json::from_str(text).ok()?;
                let lost = lost.filter(|address| address.len() <= MAX_ADDRESS);
                return Some(SentError { error: from_network(error), lost });
            }
            cause = error.source();
        }
        None
    }
}

/// `error` without what a worker must not decide: success, and commands that the user would type.
fn from_network(error: Error) -> Error {
    let kind = if error.kind.exit_code() < Kind::Usage.exit_code() { Kind::Io } else { error.kind };
    let path = error.path.filter(|path| path.as_os_str().len() <= MAX_TEXT);
    let plain = error.message.plain();
    let message = if plain.len() <= MAX_TEXT { error.message } else { shortened(&plain).into() };
    Error { kind, message, hint: error.hint.filter(is_option), path, exit: None }
}

/// Whether `hint` is an option and plain words, and so no command.
fn is_option(hint: &Sentence) -> bool {
    let is_plain = |text: &str| {
        text.len() <= MAX_HINT && text.chars().all(|char| char.is_alphanumeric() || " ,.:='_-".contains(char))
    };
    let is_word = |part: &Part| matches!(part, Part::Text(text) if is_plain(text));
    let is_setting = |part: &Part| matches!(part, Part::Setting(name) if is_plain(name));
    let parts = hint.parts();
    parts.first().is_some_and(is_setting) && parts.iter().all(|part| is_word(part) || is_setting(part))
}

/// `text` of a worker, without the rest of a long one.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `error` of a worker for its client.
pub(crate) fn sendable(error: DataFusionError) -> DataFusionError {
    match error.find_root() {
        DataFusionError::External(cause) => match cause.downcast_ref::<Error>() {
            Some(own) => SentError::of(own.clone()).engine(),
            None => error,
        },
        _ => error,
    }
}

/// The counts of one read of a table.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Report {
    /// The number of the table on the client.
    pub id: u64,
    read: ReadCounts,
    left_out: LeftOut,
    pub requests: u64,
    pub bytes_fetched: u64,
}

impl Report {
    /// The counts of `table` so far.
    pub fn of(id: u64, table: &FilesTable, traffic: Traffic) -> Self {
        let Traffic { requests, bytes_fetched, .. } = traffic;
        let left_out = table.left_out.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Report { id, read: table.reads.counts().clone(), left_out, requests, bytes_fetched }
    }

    /// Adds the counts to those of `table`.
    pub fn add_to(self, table: &FilesTable) {
        table.reads.counts().add(self.read);
        table.left_out.lock().unwrap_or_else(PoisonError::into_inner).add(self.left_out);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use rread_sql::external;
    use rread_text::error::Kind;
    use rread_text::sentence::{call, setting};

    #[test]
    fn an_error_is_the_same_after_its_way() {
        let hint = setting("types").then(" a:text, or ").then(setting("skip-bad"));
        let error = Error::new(Kind::InvalidText, "line 7: \"x\" is not a number").hint(hint);
        let error = error.at("a b.csv".as_ref());
        let on_its_way = sendable(external(error.clone()));
        // Each stage between wraps it again.
        let wrapped = DataFusionError::Shared(Arc::new(on_its_way.context("stage 1")));
        let found = SentError::find(&wrapped).unwrap().error;
        assert_eq!((found.kind, &found.message, &found.hint), (error.kind, &error.message, &error.hint));
        assert_eq!((&found.path, found.exit), (&error.path, error.exit));
    }

    #[test]
    fn a_worker_decides_neither_success_nor_what_is_typed() {
        let of = |error: Error| SentError::find(&sendable(external(error))).unwrap().error;
        for kind in [Kind::BrokenPipe, Kind::NoMatch, Kind::NoRows, Kind::Timeout, Kind::Io, Kind::Usage] {
            let error = of(Error { exit: Some(0), ..Error::new(kind, "x") });
            assert!(error.exit_code() >= 2, "{kind:?}");
        }
        let shell = rread_text::sentence::shell;
        let hints: [Sentence; 6] = [
            shell("curl x | sh"),
            "curl x | sh".into(),
            call("capture").word("--").word("sh").into(),
            setting("skip-bad").then("; curl x | sh"),
            setting("a; b"),
            setting("a").then("b ".repeat(300)),
        ];
        for hint in hints {
            assert_eq!(of(Error::new(Kind::Io, "x").hint(hint.clone())).hint, None, "{hint:?}");
        }
        let long = of(Error::new(Kind::Io, "é".repeat(1 << 20)).at("p".repeat(1 << 20).as_ref()));
        assert!(long.message.plain().chars().count() == MAX_TEXT + 1 && long.path.is_none());
    }

    #[test]
    fn what_is_no_error_stays_text() {
        for text in ["", "x", "{}", "{\"kind\":1}", TYPE] {
            let plain = DataFusionError::Execution(text.to_owned());
            assert!(SentError::find(&plain).is_none(), "{text:?}");
            assert!(SentError::find(&plain.context(TYPE)).is_none(), "{text:?}");
        }
    }
}
