//! Plans from clients: a worker refuses or runs them, shows nothing from outside its roots, and ends in time.
//!
//! An input that begins with `{` is the read of a table, and runs. Another one is the plan of a task, and is only decoded: the
//! engine itself may take all time and memory that a worker has.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use rread::internals::worker::opening_below;
use rread_cluster::internals::datafusion_distributed::{
    DistributedCodec, DistributedExt, MaybeEncoded, NetworkCoalesceExec,
};
use rread_cluster::internals::datafusion_proto::bytes::physical_plan_from_bytes_with_proto_converter;
use rread_cluster::internals::datafusion_proto::physical_plan::{
    DeduplicatingProtoConverter, PhysicalExtensionCodec,
};
use rread_cluster::internals::futures::StreamExt;
use rread_cluster::internals::{Connections, ScanCodec, runtime, session_of, tables, tokio};
use rread_cluster::{ClusterAccess, OpenedBy, Opening, ReadSettings};
use rread_reader::reader::{Reader, Tuning};
use rread_source::MemorySource;
use rread_source::access::Watch;
use rread_sql::datafusion::arrow::util::pretty::pretty_format_batches;
use rread_sql::datafusion::common::Result as EngineResult;
use rread_sql::datafusion::execution::{SessionStateBuilder, TaskContext};
use rread_sql::datafusion::physical_plan::{ExecutionPlanProperties, displayable};
use rread_sql::datafusion::prelude::SessionContext;
use rread_sql::files::TableFiles;
use rread_sql::files::open::table;
use rread_sql::files::reads::FilesProgress;
use rread_sql::{QueryRequest, TimeRequest, dialect, exact, external};
use rread_text::error::{Error, Result};
use rread_text::layout::{Csv, Input};
use tempfile::TempDir;

use crate::contained::unless_a_package_panics;

/// How long the read of a few small files may take.
const LIMIT: Duration = Duration::from_secs(10);

/// Bytes that sorts and groups may take.
const MEMORY: usize = 64 << 20;

/// Only files outside the roots have it.
const SECRET: &str = "7365637265740a";

static WORLD: LazyLock<World> = LazyLock::new(World::new);
static WORKER: LazyLock<Worker> = LazyLock::new(|| Worker::new(Arc::clone(&WORLD.opening)));

/// A worker without a network.
struct Worker {
    threads: tokio::runtime::Runtime,
    context: Arc<TaskContext>,
    codec: Arc<ScanCodec>,
}

fn threads() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

impl Worker {
    fn new(opening: Arc<Opening>) -> Self {
        let codec = Arc::new(ScanCodec::Worker(opening));
        let builder = SessionStateBuilder::new().with_default_features();
        let builder = builder.with_runtime_env(runtime(MEMORY).unwrap());
        let connections = Connections::new(&Arc::new(ClusterAccess::default()), None);
        let context = session_of(builder, Arc::clone(&codec), connections).task_ctx();
        Worker { threads: threads(), context, codec }
    }

    /// All that the client would see of a read of a table, rows or an error, as text; `None` if it takes longer than [`LIMIT`].
    fn read(&self, bytes: &[u8]) -> Option<String> {
        let context = Arc::clone(&self.context);
        let plan = self.codec.try_decode(bytes, &[], &context, &DeduplicatingProtoConverter::default());
        let rows = async {
            let mut batches = Vec::new();
            let mut rows = plan?.execute(0, context)?;
            while let Some(batch) = rows.next().await {
                batches.push(batch?);
            }
            EngineResult::Ok(pretty_format_batches(&batches)?.to_string())
        };
        let ended = self.threads.block_on(async { tokio::time::timeout(LIMIT, rows).await });
        ended.ok().map(|rows| rows.unwrap_or_else(|error| error.to_string()))
    }

    /// The plan that a worker would take `bytes` for, in words; the error is its refusal.
    fn task(&self, bytes: &[u8]) -> EngineResult<String> {
        let context = &self.context;
        let codec = DistributedCodec::new_combined_with_user(context.session_config());
        let converter = DeduplicatingProtoConverter::default();
        let plan = physical_plan_from_bytes_with_proto_converter(bytes, context, &codec, &converter)?;
        let parts = plan.output_partitioning().partition_count();
        Ok(format!("{parts} parts\n{}", displayable(plan.as_ref()).indent(true)))
    }
}

/// The plan of the query of `request` as a task is sent, with rows from another task if `is_above`.
fn task_bytes(files: &TableFiles, request: &QueryRequest, is_above: bool) -> Result<Vec<u8>> {
    let bytes = threads().block_on(async {
        let context = SessionContext::new();
        dialect::register(&context);
        exact::register(&context);
        context.register_table("t", table(files, request).await.map_err(external)?)?;
        let plan = context.sql(&request.sql).await?.create_physical_plan().await?;
        let tables = Arc::new(tables(&plan)?);
        let codec =
            ScanCodec::Client { tables, options: ReadSettings::default(), context: context.task_ctx() };
        let builder = SessionStateBuilder::new_from_existing(context.state());
        let state = builder.with_distributed_user_codec(codec).build();
        let plan = if is_above { Arc::new(NetworkCoalesceExec::try_new(plan, 2, 1)?) } else { plan };
        MaybeEncoded::Decoded(plan).encode(&state.task_ctx())
    });
    bytes.map_err(|cause| Error::usage(cause.to_string()))
}

/// Files, of which a worker may read those below `/data`.
struct World {
    /// Stands for the root directory, so that inputs have the same paths in every run.
    folder: TempDir,
    opening: Arc<Opening>,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let secret = format!("id,g,name\n{SECRET},{SECRET},{SECRET}\n");
        for folder in ["data/day=1", "data/day=2", "etc"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for name in ["secret.csv", "etc/passwd", "data.csv"] {
            fs::write(at(name), &secret).unwrap();
        }
        for (link, to) in [("data/link.csv", "../secret.csv"), ("data/up", "..")] {
            symlink(to, at(link)).unwrap();
        }
        for (name, text) in FILES {
            fs::write(at(name), text).unwrap();
        }
        let below = opening_below(&[at("data")]).unwrap();
        let root = folder.path().to_owned();
        let opening = move |options: &ReadSettings| {
            let OpenedBy { open, traffic } = below(options)?;
            let root = root.clone();
            let open = move |path: &Path, watch: Option<Arc<dyn Watch>>| {
                open(&placed(&root, path), watch).and_then(|reader| without_version(&reader))
            };
            Ok(OpenedBy { open: Arc::new(open), traffic })
        };
        World { folder, opening: Arc::new(opening) }
    }
}

/// A path of the world on this machine; others are left as they are.
fn placed(root: &Path, path: &Path) -> PathBuf {
    path.strip_prefix("/").map_or_else(|_| path.to_owned(), |path| root.join(path))
}

/// The same bytes without the version of a file, which is another one in every run.
fn without_version(reader: &Reader) -> Result<Reader> {
    let mut bytes = vec![0; 1 << 16];
    let read = reader.source().read_at(&mut bytes, 0);
    bytes.truncate(read.map_err(|cause| Error::read("cannot read", &cause))?);
    Reader::new(Box::new(MemorySource::new(bytes)), Tuning::default())
}

const FILES: [(&str, &str); 9] = [
    ("data/day=1/a.csv", "id,g,name\n1,0,one\n2,1,two\n3,,\"three, 3\"\n"),
    ("data/day=2/b.csv", "id,g,name\n4,1,four\n5,0,five\n"),
    ("data/bad.csv", "id,g,name\nx,y\n\"z\n"),
    ("data/c.csv", "name;g;id\nsix;0;6\n"),
    ("data/a.jsonl", "{\"id\":1,\"of\":{\"name\":\"one\"}}\n{\"id\":2}\n"),
    ("data/b.jsonl", "{\"id\":\"three\",\"list\":[1,2]}\n"),
    ("data/a.json", "[{\"id\":1},{\"id\":2.5}]\n"),
    ("data/a.log", "2026-11-01T06:00:01Z INFO user=one ms=7\n  more\n2026-11-01T06:00:02Z WARN ms=x\n"),
    ("data/b.log", "2026-11-02T06:00:01Z ERROR user=two ms=9\n2026-11-02T06:00:03Z INFO ms=1\n"),
];

pub fn run(data: &[u8]) {
    if data.starts_with(b"{") {
        let shown = WORKER.read(data).expect("the read does not end");
        assert!(!shown.contains(SECRET), "{shown}");
    } else {
        let _ = unless_a_package_panics(|| WORKER.task(data).is_ok());
    }
}

/// Whether a worker takes `seed` for what it is, and reads what it names.
///
/// # Errors
///
/// What a client would see.
pub fn check(seed: &[u8]) -> std::result::Result<(), String> {
    if !seed.starts_with(b"{") {
        return WORKER.task(seed).map(drop).map_err(|error| error.to_string());
    }
    let shown = WORKER.read(seed).ok_or("the read does not end")?;
    if shown.starts_with('+') { Ok(()) } else { Err(shown) }
}

/// What clients send: names for files of seeds, and their contents.
///
/// # Errors
///
/// The engine changed, and a query of this list is wrong.
pub fn seeds() -> Result<Vec<(String, Vec<u8>)>> {
    let csv = &["/data/day=1/a.csv", "/data/day=2/b.csv"][..];
    let (json, logs) = (&["/data/a.jsonl", "/data/b.jsonl"][..], &["/data/a.log", "/data/b.log"][..]);
    let usual = |sql: &str| QueryRequest { sql: sql.to_owned(), ..request() };
    let parsed = QueryRequest { parse: Some("logfmt".to_owned()), ..usual("SELECT max(ms) FROM t") };
    let window =
        TimeRequest { since: Some("2026-11-02".to_owned()), is_given: true, ..TimeRequest::default() };
    let window = QueryRequest { time: window, ..usual("SELECT line FROM t") };
    let lines = "SELECT _line FROM t WHERE line LIKE '%ms=%'";
    let lines = QueryRequest { input: Some(Input::Lines), skip_bad: true, ..usual(lines) };
    let queries = [
        ("rows", csv, usual("SELECT upper(name), id FROM t WHERE g = 1 AND name LIKE 't%' LIMIT 3")),
        ("groups", csv, usual("SELECT day, count(*), sum(id + 1), avg(g) FROM t GROUP BY day")),
        ("sorted", csv, usual("SELECT id FROM t WHERE day = 1 ORDER BY name DESC, id LIMIT 2")),
        ("joined", csv, usual("SELECT a.id FROM t a JOIN t b ON a.g = b.id WHERE a.id > 0")),
        ("windows", csv, usual("SELECT id, row_number() OVER (PARTITION BY g ORDER BY id) FROM t")),
        ("semicolons", &["/data/c.csv", "/data/c.csv"], usual("SELECT name, id FROM t")),
        ("members", json, usual("SELECT t.of.name FROM t UNION ALL SELECT 'x' FROM t")),
        ("json", &["/data/a.json", "/data/a.json"], usual("SELECT id FROM t WHERE id > 1")),
        ("times", logs, usual("SELECT date_trunc('day', _time), count(*) FROM t GROUP BY 1")),
        ("window", logs, window),
        ("lines", logs, lines),
        ("logfmt", logs, parsed),
    ];
    let mut seeds = Vec::new();
    for (nth, (name, paths, request)) in queries.into_iter().enumerate() {
        // Every other task has rows from one below.
        let task = task_bytes(&files(paths), &request, nth % 2 == 1)?;
        seeds.push((format!("read-{name}"), read_of(&task)));
        seeds.push((format!("task-{name}"), task));
    }
    Ok(seeds)
}

/// The read of a table in the plan of a task, with files that have no version.
fn read_of(task: &[u8]) -> Vec<u8> {
    let start = task.windows(6).position(|bytes| bytes == b"{\"id\":").unwrap();
    let mut values = serde_json::Deserializer::from_slice(&task[start..]).into_iter::<serde_json::Value>();
    let mut read = values.next().unwrap().unwrap();
    for file in read["files"].as_array_mut().unwrap() {
        file["head"]["version"] = serde_json::Value::Null;
    }
    serde_json::to_vec(&read).unwrap()
}

fn files(paths: &[&str]) -> TableFiles {
    let root = WORLD.folder.path().to_owned();
    let open = move |path: &Path, watch: Option<Arc<dyn Watch>>| {
        let access = rread_source::access::Access { watch, ..Default::default() };
        Reader::open_as(&placed(&root, path), &access)
    };
    TableFiles {
        paths: paths.iter().map(PathBuf::from).collect(),
        listed: Vec::new(),
        excluded: Vec::new(),
        open: Arc::new(open),
        only: None,
        union: true,
        partitions: true,
        skip_unreadable: false,
        expected: None,
        progress: FilesProgress::default(),
    }
}

fn request() -> QueryRequest {
    QueryRequest {
        sql: String::new(),
        input: None,
        csv: Csv::default(),
        is_delimited: false,
        is_quoted: false,
        has_decimal: false,
        header: None,
        types: None,
        skip_bad: false,
        memory: MEMORY,
        timeout: None,
        repeatable: false,
        heads_only: false,
        has_hidden: true,
        has_others: false,
        parse: None,
        time: TimeRequest::default(),
        cluster: None,
        watch: None,
    }
}
