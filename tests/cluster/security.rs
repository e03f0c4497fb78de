//! What a worker refuses: other roots, other tokens, other machines without one.

use std::process::Command;
use std::sync::Arc;

use rread_cluster::ClusterAccess;
use rread_cluster::internals::datafusion_distributed::{
    ChannelResolver, MaybeEncoded, SetPlanRequest, TaskKey,
};
use rread_cluster::internals::futures::{StreamExt, stream};
use rread_cluster::internals::{Connections, http, tokio};
use rread_sql::datafusion::error::DataFusionError;
use rread_sql::datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use rread_sql::datafusion::prelude::SessionContext;
use rread_testkit::sandbox::{AtHome, Run, Sandbox, binary};

use super::workers::{COUNTS, Worker, counts, data, failed, select, succeeded};

#[test]
fn a_worker_reads_only_below_its_roots() {
    let sandbox = data();
    std::fs::create_dir_all(sandbox.path("other/link")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("data/4.csv"), sandbox.path("other/link/4.csv")).unwrap();
    for name in ["0.csv", "1.csv", "2.csv", "3.csv"] {
        std::fs::copy(sandbox.path(&format!("data/{name}")), sandbox.path(&format!("other/link/{name}")))
            .unwrap();
    }
    std::fs::copy(sandbox.path("data/4.csv"), sandbox.path("other/4.csv")).unwrap();
    let [one, two] = [(); 2].map(|()| Worker::start(&sandbox, &["--root", "other"]));
    let both = format!("{},{}", one.address, two.address);
    for files in ["data", "other/link", "other/../data"] {
        let words = ["select", files, COUNTS, "--workers", &both, "--raw"];
        let run = sandbox.run(words).refused(3);
        assert!(run.stdout.is_empty() && run.stderr.contains("outside"), "{files}: {run}");
    }
    std::fs::remove_file(sandbox.path("other/link/4.csv")).unwrap();
    std::fs::rename(sandbox.path("other/4.csv"), sandbox.path("other/link/4.csv")).unwrap();
    let run = sandbox.run(["select", "other/link", COUNTS, "--workers", &both, "--raw"]).ok();
    assert_eq!(run.text(), counts());
}

#[test]
fn a_worker_needs_a_token_for_other_machines_and_refuses_a_wrong_one() {
    let sandbox = data();
    sandbox.file("token", "0123456789abcdef\n");
    sandbox.file("wrong", "0123456789abcdeg\n");
    sandbox.file("short", "0123\n");
    let run = sandbox.line("worker --root data --listen 0.0.0.0:0").refused(2);
    assert!(run.stderr.contains("token"), "{run}");
    sandbox.line("worker --root data --token-file short").refused(2);
    sandbox.line("worker --root data --token-file nosuch").refused(3);
    sandbox.line("worker --root nosuch --listen 127.0.0.1:0").refused(3);
    let worker = Worker::start(&sandbox, &["--root", "data", "--token-file", "token"]);
    let run = select(&sandbox, COUNTS, &worker.address, &["--token-file", "token", "--raw"]).ok();
    assert_eq!(run.text(), counts());
    for more in [&["--raw"][..], &["--raw", "--token-file", "wrong"]] {
        let run = select(&sandbox, COUNTS, &worker.address, more).refused(3);
        assert!(run.stdout.is_empty() && run.stderr.contains("the token is not that of the worker"), "{run}");
    }
}

#[test]
fn a_list_that_names_no_worker_is_refused() {
    let sandbox = data();
    sandbox.file("empty", "# none\n");
    for workers in ["nosuch", "a:0", "@empty", "@nosuch"] {
        let run = select(&sandbox, COUNTS, workers, &["--raw"]);
        assert!(run.code == 2 || run.code == 3, "{workers}: {run}");
        assert!(run.stdout.is_empty());
    }
    let run = sandbox.line_env("select data SELECT --files", &[("RREAD_WORKERS", "nosuch")]);
    assert!(!run.stderr.contains("worker"), "{run}");
    let run = sandbox.run(["select", "data", COUNTS, "--token-file", "x"]).refused(2);
    assert!(run.stderr.contains("--workers"), "{run}");
}

/// Makes an authority and a certificate of it for 127.0.0.1; `false` without openssl.
fn certificates(sandbox: &Sandbox) -> bool {
    sandbox.file("ext", "subjectAltName=IP:127.0.0.1");
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    [
        format!("req -x509 {key} -days 2 -keyout ca.key -out ca.pem -subj /CN=ours"),
        format!("req -x509 {key} -days 2 -keyout other.key -out other.pem -subj /CN=other"),
        format!("req {key} -keyout worker.key -out worker.csr -subj /CN=worker"),
        "x509 -req -in worker.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out worker.pem"
            .to_owned(),
    ]
    .iter()
    .all(|line| {
        let made = Command::new("openssl").args(line.split(' ')).current_dir(sandbox.path("")).output();
        made.is_ok_and(|made| made.status.success())
    })
}

#[test]
fn connections_are_encrypted_between_all() {
    let sandbox = data();
    if !certificates(&sandbox) {
        eprintln!("SKIPPED: openssl is not installed");
        return;
    }
    let options =
        ["--root", "data", "--tls-cert", "worker.pem", "--tls-key", "worker.key", "--tls-ca", "ca.pem"];
    let [one, two] = [(); 2].map(|()| Worker::start(&sandbox, &options));
    let both = format!("{},{}", one.address, two.address);
    // The groups are exchanged between the workers.
    let run = succeeded(select(&sandbox, COUNTS, &both, &["--tls-ca", "ca.pem", "--raw"]));
    assert_eq!(run.text(), counts());
    failed(select(&sandbox, COUNTS, &both, &["--tls-ca", "other.pem", "--raw"]), "certificate");
    failed(select(&sandbox, COUNTS, &both, &["--raw"]), "is lost");
    let plain = Worker::start(&sandbox, &["--root", "data"]);
    failed(select(&sandbox, COUNTS, &plain.address, &["--tls-ca", "ca.pem", "--raw"]), "is lost");
    sandbox.line("worker --root data --listen 127.0.0.1:0 --tls-cert worker.pem").refused(2);
    sandbox
        .line("worker --root data --listen 127.0.0.1:0 --tls-cert worker.pem --tls-key ca.pem --check")
        .refused(2);
}

/// Sends `bytes` as the plan of a task to the worker at `address`, and returns its refusal.
fn send_plan(bytes: &[u8], worker: &Worker) -> Option<String> {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let token = Some(std::fs::read_to_string(worker.token.as_ref().unwrap()).unwrap());
    let access = Arc::new(ClusterAccess { token, version, ca: None });
    let url = Connections::url(&access, &worker.address).unwrap();
    let request = SetPlanRequest {
        task_key: TaskKey { query_id: Default::default(), stage_id: 0, task_number: 0 },
        task_count: 1,
        plan: MaybeEncoded::Encoded(bytes.to_vec()),
        work_unit_feed_declarations: Vec::new(),
        target_worker_url: url.clone(),
        query_start_time_ns: 0,
    };
    let sent = async {
        let mut client = Connections::new(&access, None).get_worker_client_for_url(&url).await?;
        let (metrics, messages) = (ExecutionPlanMetricsSet::new(), stream::empty().boxed());
        let (headers, context) = (http::HeaderMap::new(), SessionContext::new().task_ctx());
        let mut answers = client.coordinator_channel(headers, request, messages, metrics, &context).await?;
        while let Some(answer) = answers.next().await {
            answer?;
        }
        Ok::<(), DataFusionError>(())
    };
    let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    threads.unwrap().block_on(sent).err().map(|error| error.to_string())
}

/// The decoder of the engine panics at some plans that no engine makes, such as a read of Avro. A supervisor starts the worker
/// again.
#[test]
fn a_plan_that_the_decoder_does_not_expect_is_refused_or_ends_the_worker() {
    let sandbox = data();
    for plan in [&b"\x8a\x01\x00"[..], b"", b"\xff", b"no plan"] {
        let worker = Worker::start(&sandbox, &["--root", "data"]);
        let refusal = send_plan(plan, &worker).expect("the plan is taken");
        if refusal.contains("is lost") {
            assert_eq!(worker.exit_code(), Some(70), "{plan:?}: {refusal}");
        } else {
            let run = select(&sandbox, COUNTS, &worker.address, &["--raw"]).ok();
            assert_eq!(run.text(), counts(), "{plan:?}: {refusal}");
        }
    }
}

/// The clients of another user have another state directory.
#[test]
fn a_worker_without_a_token_file_makes_a_token_that_only_its_user_has() {
    let sandbox = data();
    let workers = [(); 2].map(|()| Worker::start(&sandbox, &["--root", "data"]));
    let both = format!("{},{}", workers[0].address, workers[1].address);
    assert_eq!(select(&sandbox, COUNTS, &both, &["--raw"]).ok().text(), counts());
    let path = std::path::PathBuf::from(workers[0].token.clone().unwrap());
    let token = std::fs::read_to_string(&path).unwrap();
    assert!(token.len() == 64 && path.starts_with(sandbox.home()), "{path:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    let of_other = sandbox.path("of_other").display().to_string();
    let words = ["select", "data", COUNTS, "--raw", "--workers", &both];
    let as_other = |more: &[&str]| {
        let mut command = sandbox.command();
        Run::of(command.args(words).args(more).env("RREAD_STATE_DIR", &of_other))
    };
    let run = as_other(&[]).refused(3);
    assert!(run.stdout.is_empty() && run.stderr.contains("--token-file"), "{run}");
    // The file of the token works as any other, and a file that others may read is not used.
    assert_eq!(as_other(&["--token-file", path.to_str().unwrap()]).ok().text(), counts());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        let run = select(&sandbox, COUNTS, &both, &["--raw"]).refused(3);
        assert!(run.stderr.contains("others may read it"), "{run}");
        sandbox.line("worker --root data --listen 127.0.0.1:0 --check").refused(3);
    }
}

/// Connections that say nothing, half a greeting, and a whole one.
#[cfg(unix)]
#[test]
fn idle_connections_stop_no_query_and_are_closed() {
    use std::io::{Read, Write};
    let sandbox = data();
    sandbox.file("token", "0123456789abcdef\n");
    rread_source::limits::raise_descriptors();
    // The usual limit of descriptors, soft and hard.
    let mut command = std::process::Command::new("sh");
    let line = "ulimit -n 1024; exec \"$0\" worker --listen 127.0.0.1:0 --root data --token-file token";
    command.current_dir(sandbox.path("")).args(["-c", line]).arg(binary()).at_home(&sandbox.home());
    let worker = Worker::of(command);
    let greeting = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    let connect = |nth: usize| {
        let mut stream = std::net::TcpStream::connect(&worker.address).ok()?;
        let said = [0, 10, greeting.len()][nth % 3];
        let _ = stream.write_all(&greeting[..said]);
        Some(stream)
    };
    let mut idle: Vec<_> = (0..1100).filter_map(connect).collect();
    assert!(idle.len() > 1000, "{}", idle.len());
    for _ in 0..2 {
        let run = select(&sandbox, COUNTS, &worker.address, &["--token-file", "token", "--raw"]);
        assert_eq!(run.ok().text(), counts());
    }
    let start = std::time::Instant::now();
    for stream in &mut idle {
        stream.set_read_timeout(Some(std::time::Duration::from_secs(15))).unwrap();
        let ended = stream.read_to_end(&mut Vec::new());
        let is_closed = ended.as_ref().is_ok_and(|_| true)
            || ended.is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset);
        assert!(is_closed && start.elapsed().as_secs() < 20);
    }
    let run = select(&sandbox, COUNTS, &worker.address, &["--token-file", "token", "--raw"]);
    assert_eq!(run.ok().text(), counts());
}
