//! Every query has the same answer through two workers as alone: rows, their order, counts and errors.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use rread_cluster::internals::SentScan;
use rread_cluster::{ClusterAccess, OpenedBy, ReadSettings, WorkerOptions, Workers, serve};
use rread_reader::reader::Reader;
use rread_reader::times::TimeOptions;
use rread_source::access::{Access, Watch};
use rread_source::object::Traffic;
use rread_sql::datafusion::prelude::SessionContext;
use rread_sql::files::TableFiles;
use rread_sql::files::reads::FilesProgress;
use rread_sql::files::rows::FilesScan;
use rread_sql::rows::{RowBudget, RowWriter};
use rread_sql::{NamedTable, OptionsOf, QueryRequest, QuerySummary, TimeRequest, run};
use rread_text::error::{Error, Kind};
use rread_text::layout::{Csv, Input, RowStyle};
use tempfile::TempDir;

fn access() -> Arc<ClusterAccess> {
    Arc::new(ClusterAccess {
        token: Some("a secret of ours".to_owned()),
        version: "1.0.0".to_owned(),
        ca: None,
    })
}

fn open(path: &Path, watch: Option<Arc<dyn Watch>>) -> rread_text::error::Result<Reader> {
    Reader::open_as(path, &Access { watch, ..Access::default() }).map_err(|error| error.at(path))
}

/// Starts a worker in this process.
fn worker(access: Arc<ClusterAccess>, memory: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let opening = |_: &ReadSettings| {
        let traffic = || Traffic { requests: 1, bytes_fetched: 10, held: 0 };
        Ok(OpenedBy { open: Arc::new(open), traffic: Arc::new(traffic) })
    };
    let options = WorkerOptions { access, identity: None, memory, timeout: None, opening: Arc::new(opening) };
    std::thread::spawn(move || serve(listener, options));
    address
}

static WORKERS: LazyLock<Vec<String>> =
    LazyLock::new(|| (0..2).map(|_| worker(access(), 256 << 20)).collect());

struct Set {
    /// Keeps the files.
    _folder: TempDir,
    paths: Vec<PathBuf>,
}

impl Set {
    fn new(files: &[(&str, String)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |(name, text): &(&str, String)| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        };
        let paths = files.iter().map(write).collect();
        Set { _folder: folder, paths }
    }

    fn files(&self) -> TableFiles {
        TableFiles {
            paths: self.paths.clone(),
            listed: Vec::new(),
            excluded: Vec::new(),
            open: Arc::new(open),
            only: None,
            union: false,
            partitions: true,
            skip_unreadable: false,
            expected: None,
            progress: FilesProgress::default(),
        }
    }
}

fn request(sql: &str, workers: Option<&[String]>) -> QueryRequest {
    QueryRequest {
        sql: sql.to_owned(),
        input: None,
        csv: Csv::default(),
        is_delimited: false,
        is_quoted: false,
        has_decimal: false,
        header: None,
        types: None,
        skip_bad: false,
        memory: 256 << 20,
        timeout: None,
        repeatable: false,
        heads_only: false,
        has_hidden: true,
        has_others: false,
        parse: None,
        time: TimeRequest::default(),
        cluster: workers.map(|workers| Arc::new(Workers::new(workers.to_vec(), access(), 0)) as _),
        watch: None,
    }
}

fn answer(
    source: &TableFiles,
    others: &[NamedTable],
    request: &QueryRequest,
) -> rread_text::error::Result<(String, QuerySummary)> {
    let mut text = Vec::new();
    let mut out = |bytes: &[u8]| {
        text.extend_from_slice(bytes);
        Ok(())
    };
    let mut writer = RowWriter::new(RowStyle::Csv, RowBudget::default(), &mut out);
    let ended = run(source, others, request, &mut writer)?;
    writer.finish()?;
    Ok((String::from_utf8(text).unwrap(), ended))
}

/// The lines in any order, for queries without ORDER BY.
fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// Files of 500 rows each.
fn csv() -> Set {
    let file = |nth: usize| {
        let row = |n: usize| format!("{},{},{}.5,k{}\n", nth * 500 + n, n % 7, n % 10, n % 13);
        format!("id,g,x,name\n{}", (0..500).map(row).collect::<String>())
    };
    let names = ["day=1/a.csv", "day=1/b.csv", "day=2/a.csv", "day=2/b.csv", "day=3/a.csv"];
    let files: Vec<(&str, String)> = names.iter().enumerate().map(|(nth, name)| (*name, file(nth))).collect();
    Set::new(&files)
}

#[track_caller]
fn same(source: &TableFiles, others: &[NamedTable], alone: &QueryRequest, is_sent: bool) {
    let sent = QueryRequest { cluster: request("", Some(&WORKERS)).cluster, ..alone.clone() };
    let (one, of_one) = answer(source, others, alone).unwrap();
    let (two, of_two) = answer(source, others, &sent).unwrap();
    let has_no_order = ["GROUP BY", "JOIN", "UNION"].iter().any(|word| alone.sql.contains(word));
    let has_order = !has_no_order || alone.sql.contains("ORDER");
    match has_order {
        true => assert_eq!(two, one, "{}", alone.sql),
        false => assert_eq!(sorted(&two), sorted(&one), "{}", alone.sql),
    }
    let work = of_two.work.unwrap();
    assert_eq!(work.workers > 0, is_sent, "{}: {work:?}", alone.sql);
    assert!(of_one.work.is_none());
    assert_eq!(of_two.columns, of_one.columns, "{}", alone.sql);
    let counts = |summary: &QuerySummary| {
        let files = summary.files.as_ref().unwrap();
        let left_out = &summary.left_out;
        let first = |error: &Option<Error>| error.as_ref().map(ToString::to_string);
        (
            summary.scanned,
            (files.files, files.read, files.skipped, files.empty),
            (left_out.records.count, first(&left_out.records.first)),
            (left_out.members.count, first(&left_out.members.first)),
            summary.invalid,
        )
    };
    // Workers begin with other files at once, before there are enough rows.
    if !alone.sql.contains("LIMIT") {
        assert_eq!(counts(&of_two), counts(&of_one), "{}", alone.sql);
    }
}

#[test]
fn queries_have_the_same_answer_through_workers() {
    let set = csv();
    for sql in [
        "SELECT * FROM t",
        "SELECT id, name FROM t WHERE g = 3 AND x > 2",
        "SELECT id + g AS sum, upper(name) FROM t WHERE name LIKE 'k1%'",
        "SELECT id FROM t WHERE g = 5 LIMIT 20",
        "SELECT id FROM t WHERE g = 5 LIMIT 20 OFFSET 30",
        "SELECT count(*), sum(id), min(x), max(name), avg(x) FROM t",
        "SELECT g, count(*) AS n, sum(id) FROM t GROUP BY g ORDER BY g",
        "SELECT name, count(DISTINCT g) FROM t GROUP BY name",
        "SELECT day, count(*) FROM t GROUP BY day ORDER BY day",
        "SELECT id FROM t ORDER BY x DESC, id LIMIT 7",
        "SELECT g, array_agg(id) FROM t WHERE id < 20 GROUP BY g ORDER BY g",
        "SELECT id, row_number() OVER (PARTITION BY g ORDER BY id) AS n FROM t ORDER BY id",
        "SELECT a.id FROM t a JOIN t b ON a.id = b.id + 500 WHERE b.g = 1",
        "SELECT count(*) FROM t WHERE id > (SELECT avg(id) FROM t)",
        "SELECT g FROM t WHERE id = 3 UNION ALL SELECT g FROM t WHERE id = 4",
        "WITH a AS (SELECT g, sum(x) AS s FROM t GROUP BY g) SELECT * FROM a WHERE s > 0 ORDER BY g",
        "SELECT to_timestamp('2026-01-01T00:00:00Z') + INTERVAL '1 day' AS d, -id AS m, id * 2 FROM t WHERE id < 9",
    ] {
        same(&set.files(), &[], &request(sql, None), true);
    }
    // Aggregates in the order of the rows, and answers in the same order every time.
    let repeatable = QueryRequest { repeatable: true, ..request("SELECT g, sum(x) FROM t GROUP BY g", None) };
    same(&set.files(), &[], &repeatable, true);
    let hidden = "SELECT _line, _start_byte, _file FROM t WHERE id IN (7, 777, 2222)";
    same(&set.files(), &[], &request(hidden, None), true);
}

#[test]
fn what_is_not_worth_it_runs_here() {
    let set = csv();
    same(&set.files(), &[], &request("SELECT * FROM t LIMIT 3", None), false);
    let one = Set { paths: set.paths[..1].to_vec(), _folder: tempfile::tempdir().unwrap() };
    same(&one.files(), &[], &request("SELECT count(*) FROM t", None), false);
    let mut large = request("SELECT count(*) FROM t", Some(&WORKERS));
    large.cluster = Some(Arc::new(Workers::new(WORKERS.to_vec(), access(), 1 << 30)));
    let (text, ended) = answer(&set.files(), &[], &large).unwrap();
    assert_eq!((text.as_str(), ended.work.unwrap().workers), ("count(*)\n2500\n", 0));
}

#[test]
fn other_tables_are_read_by_workers_too() {
    let set = csv();
    let users = Set::new(&[("users.csv", "name,role\nk1,admin\nk2,guest\n".to_owned())]);
    let others = [NamedTable { name: "u".to_owned(), files: users.files() }];
    let sql = "SELECT role, count(*) FROM t JOIN u ON u.name = t.name GROUP BY role ORDER BY role";
    same(&set.files(), &others, &QueryRequest { has_others: true, ..request(sql, None) }, true);
}

/// JSON lines, whose later files have members that the first lack, and logs, whose options have words.
#[test]
fn every_kind_of_table_is_the_same() {
    let line = |n: usize| format!("{{\"a\":{n},\"b\":{{\"c\":\"x{n}\"}}}}\n");
    let jsonl: Vec<(&str, String)> =
        ["1.jsonl", "2.jsonl", "3.jsonl"].iter().map(|name| (*name, (0..50).map(line).collect())).collect();
    let set = Set::new(&jsonl);
    same(&set.files(), &[], &request("SELECT a, t.b.c FROM t WHERE a % 10 = 3", None), true);
    let logs = |nth: u8| {
        let line = |n: u8| format!("2026-11-0{nth}T06:00:{n:02}Z INFO user=u{n} ms={n}\n  more\n");
        (10..50).map(line).collect::<String>()
    };
    let set = Set::new(&[("a.log", logs(1)), ("b.log", logs(2)), ("c.log", logs(3))]);
    same(&set.files(), &[], &request("SELECT _time, _level, line FROM t WHERE line LIKE '%u4%'", None), true);
    let parsed = QueryRequest {
        parse: Some("logfmt".to_owned()),
        ..request("SELECT max(ms), count(*) FROM t WHERE ms > 20", None)
    };
    same(&set.files(), &[], &parsed, true);
    let zone = TimeOptions { zone: Some("Asia/Tokyo".to_owned()), ..TimeOptions::default() };
    let window = TimeRequest {
        options: OptionsOf(Arc::new(move |_| zone.clone())),
        is_given: true,
        since: Some("2026-11-02".to_owned()),
        until: Some("2026-11-03T15:00:20".to_owned()),
    };
    let window = QueryRequest { time: window, ..request("SELECT count(*), min(_time) FROM t", None) };
    same(&set.files(), &[], &window, true);
    let lines = QueryRequest {
        input: Some(Input::Lines),
        ..request("SELECT _line, line FROM t WHERE _line = 3", None)
    };
    same(&set.files(), &[], &lines, true);
}

#[test]
fn bad_records_are_counted_and_worded_the_same() {
    let files = [("a.csv", "a,b\n1,2\n"), ("b.csv", "a,b\n1,2\nx,3,4\n"), ("c.csv", "a,b\n5,\u{FFFD}\n")];
    let set = Set::new(&files.map(|(name, text)| (name, text.to_owned())));
    let skip = QueryRequest { skip_bad: true, ..request("SELECT * FROM t", None) };
    same(&set.files(), &[], &skip, true);
    let alone = answer(&set.files(), &[], &request("SELECT * FROM t", None)).unwrap_err();
    let sent = answer(&set.files(), &[], &request("SELECT * FROM t", Some(&WORKERS))).unwrap_err();
    assert_eq!((sent.kind, &sent.message, &sent.path), (alone.kind, &alone.message, &alone.path));
    assert_eq!(sent.hint, alone.hint);
}

#[test]
fn overflows_are_errors_of_workers_too() {
    let big = format!("a\n{}\n", i64::MAX);
    let set = Set::new(&[("a.csv", big.clone()), ("b.csv", big)]);
    for sql in ["SELECT a + 1 FROM t", "SELECT sum(a) FROM t", "SELECT -a - 2 FROM t", "SELECT a * 2 FROM t"]
    {
        let alone = answer(&set.files(), &[], &request(sql, None)).unwrap_err();
        let sent = answer(&set.files(), &[], &request(sql, Some(&WORKERS))).unwrap_err();
        assert_eq!((sent.kind, &sent.message), (alone.kind, &alone.message), "{sql}");
    }
}

#[test]
fn explain_has_the_plan() {
    let set = csv();
    let (text, ended) =
        answer(&set.files(), &[], &request("EXPLAIN SELECT g, count(*) FROM t GROUP BY g", Some(&WORKERS)))
            .unwrap();
    for words in ["RreadScan", "logical_plan", "physical_plan"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(ended.work.unwrap().workers, 0);
}

#[test]
fn a_worker_refuses_others() {
    let other = worker(
        Arc::new(ClusterAccess { version: "0.9.0".to_owned(), ..ClusterAccess::clone(&access()) }),
        1 << 20,
    );
    let wrong = worker(
        Arc::new(ClusterAccess { token: Some("another".to_owned()), ..ClusterAccess::clone(&access()) }),
        1 << 20,
    );
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let (said, notes) = std::sync::mpsc::channel();
    let answering = |addresses: &[String]| {
        let mut workers = Workers::new(addresses.to_vec(), access(), 0);
        let said = std::sync::Mutex::new(said.clone());
        workers.note = Arc::new(move |text| said.lock().unwrap().send(text.to_owned()).unwrap());
        workers.answering()
    };
    let error = answering(&[WORKERS[0].clone(), other]).unwrap_err();
    let words = error.message.plain();
    assert!(words.contains("0.9.0") && words.contains("1.0.0"), "{words}");
    assert_eq!(error.exit_code(), 3);
    let error = answering(&[wrong]).unwrap_err();
    assert_eq!(error.kind, Kind::Permission, "{error}");
    assert_eq!(answering(&[WORKERS[0].clone(), gone.clone()]).unwrap().addresses, [WORKERS[0].clone()]);
    let note = notes.try_recv().unwrap();
    assert!(note.contains(&gone), "{note}");
}

#[test]
fn a_worker_without_enough_memory_says_so() {
    let set = csv();
    let small = [worker(access(), 1 << 10), worker(access(), 1 << 10)];
    let sql = "SELECT id, name FROM t ORDER BY x, name, id DESC";
    let error =
        answer(&set.files(), &[], &request(sql, Some(&small))).map(|(_, ended)| ended.work).unwrap_err();
    assert!(error.message.plain().contains("needs more memory of the worker"), "{error}");
    assert_eq!(error.exit_code(), 3);
}

/// The read of `files` as it is sent.
fn sent_read(files: &TableFiles, request: &QueryRequest) -> Vec<u8> {
    let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    threads.block_on(async {
        let context = SessionContext::new();
        let table = rread_sql::files::open::table(files, request).await.unwrap();
        let plan = table.scan(&context.state(), None, &[], None).await.unwrap();
        let scan = plan.downcast_ref::<FilesScan>().unwrap();
        let sent = SentScan::of(scan, 1, &ReadSettings::default(), &context.task_ctx());
        sent.unwrap().bytes().unwrap()
    })
}

/// The bytes of a client are refused or read, and never a panic.
#[test]
fn damaged_plans_are_refused() {
    let set = csv();
    let seed = sent_read(&set.files(), &request("SELECT * FROM t WHERE g = 1", None));
    let context = SessionContext::new().task_ctx();
    let check = |bytes: &[u8]| SentScan::read(bytes).and_then(|sent| sent.scan(Arc::new(open), &context));
    assert!(check(&seed).is_ok());
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    for _ in 0..3000 {
        let mut bytes = seed.clone();
        for _ in 0..1 + random(4) {
            let at = random(bytes.len());
            match random(4) {
                0 => bytes[at] = u8::try_from(random(256)).unwrap(),
                1 => drop(bytes.drain(at..(at + random(40)).min(bytes.len()))),
                2 => bytes.insert(at, b"0123456789-,[]{}\":nulltrue"[random(26)]),
                _ => {
                    let end = (at + random(200)).min(bytes.len());
                    let part = bytes[at..end].to_vec();
                    bytes.splice(at..at, part);
                }
            }
            if bytes.is_empty() {
                bytes.push(b'{');
            }
        }
        drop(check(&bytes));
    }
}

/// Waits for every answer.
#[derive(Debug)]
struct Patient;

impl rread_source::access::Watch for Patient {
    fn check(&self) -> std::io::Result<()> {
        Ok(())
    }

    fn report_read(&self, _: u64) {}
}

/// In a server of tools, a query must not take the memory of the others, and the process must not end.
#[cfg(target_os = "linux")]
#[test]
fn a_query_of_a_tool_ends_before_it_takes_all_memory() {
    let set = Set::new(&[("t.csv", "n\n".to_owned() + &"1\n".repeat(20_000))]);
    let sql =
        "SELECT array_length(array_agg(x)) AS n FROM (SELECT unnest(generate_series(1, 90000)) AS x FROM t)";
    let request = QueryRequest { watch: Some(Arc::new(Patient)), memory: 8 << 20, ..request(sql, None) };
    let error = answer(&set.files(), &[], &request).unwrap_err();
    assert!(error.to_string().contains("memory"), "{error}");
    let few = QueryRequest { sql: "SELECT sum(n) AS n FROM t".to_owned(), ..request };
    assert_eq!(answer(&set.files(), &[], &few).unwrap().0, "n\n20000\n");
}
