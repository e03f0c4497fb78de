//! For every misbehaviour of a server, the answer is right or an error: never wrong bytes, a hang or a panic.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use rread_testkit::sandbox::{Run, Sandbox, words};

use super::content;
use super::faulty::{Faulty, MODES, refused_port};
use super::servers::{Target, azure, gcs, s3};

const SIZE: u64 = 100_000;

/// Modes that no client detects (`mislabelled`), that take minutes, or that have a test of their own (`azempty`).
const BEYOND: &[&str] = &["mislabelled", "drip", "r429long", "endless", "azempty"];

/// Command lines, and the right slice: first byte and count.
const SLICES: &[(&str, u64, u64)] = &[
    ("bytes FILE 50000:60000 --align none", 50_000, 10_000),
    ("bytes FILE :100 --align none", 0, 100),
    ("lines FILE 101:120", 6_400, 1_280),
    // The last line is cut after 32 bytes.
    ("lines FILE -20:", SIZE - 32 - 19 * 64, 19 * 64 + 32),
];

/// The object of `mode` in each kind of store.
fn targets(server: &Faulty, mode: &str, sandbox: &Sandbox) -> Vec<Target> {
    let (port, key) = (server.port(), format!("{SIZE}/app.log"));
    let mut s3 = s3::target(&key, port);
    s3.url = format!("s3://{mode}/{key}");
    let mut azure = azure::unsigned(mode, &key, port);
    azure.set("AZURE_STORAGE_ACCOUNT_KEY", azure::KEY);
    let mut google = gcs::target(&key, port, &sandbox.path(&format!("{mode}.json")));
    google.url = format!("gs://{mode}/{key}");
    vec![Target::new(server.url(mode, SIZE), &[]), s3, azure, google]
}

/// Runs `line` with a timeout for a busy machine.
fn run(sandbox: &Sandbox, line: &str, target: &Target) -> Run {
    run_within(sandbox, line, target, "10s")
}

fn run_within(sandbox: &Sandbox, line: &str, target: &Target, timeout: &str) -> Run {
    let mut command = sandbox.command();
    command.args(words(line).into_iter().map(|word| if word == "FILE" { &target.url } else { word }));
    command.args(["--raw", "--no-index", "--timeout", timeout, "--retries", "2"]);
    command.envs(target.env.iter().map(|(name, value)| (name, value)));
    Run::of(&mut command)
}

/// The fault of an answer, if it has one.
fn fault(run: &Run, first: u64, count: u64) -> Option<String> {
    let texts = [false, true].map(|replaced| content::slice(first, count, replaced));
    let right = |text: &Vec<u8>| match run.code {
        0 => run.stdout == *text,
        _ => text.starts_with(&run.stdout),
    };
    let is_loud = run.code == 0 || run.stderr.starts_with("rread: ");
    (!texts.iter().any(right) || !is_loud).then(|| run.to_string())
}

#[test]
fn answers_are_right_or_loud() {
    let server = Faulty::start();
    let sandbox = Sandbox::new();
    let modes = MODES.iter().map(|mode| mode.0).filter(|mode| !BEYOND.contains(mode));
    let targets: Vec<Target> = modes
        .flat_map(|mode| {
            let kinds = if mode == "stall" { 1 } else { 4 };
            targets(&server, mode, &sandbox).into_iter().take(kinds)
        })
        .collect();
    let runs = targets.iter().flat_map(|target| SLICES.iter().map(move |slice| (target, slice)));
    let (runs, faults) = (Mutex::new(runs), Mutex::new(Vec::new()));
    let work = || {
        while let Some((target, (line, first, count))) = { runs.lock().unwrap().next() } {
            let run = run_within(&sandbox, line, target, "600ms");
            faults.lock().unwrap().extend(fault(&run, *first, *count));
        }
    };
    thread::scope(|scope| (0..16).for_each(|_| _ = scope.spawn(work)));
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{} faults: {}", faults.len(), faults.join("\n"));
}

#[test]
fn harmless_departures_are_read() {
    let server = Faulty::start();
    let sandbox = Sandbox::new();
    for mode in [
        "ok",
        "noaccept",
        "norange",
        "wide",
        "narrow",
        "nohead",
        "headlies",
        "headnolen",
        "chunked",
        "http10",
        "transcode",
        "weak",
        "noetag",
        "flaky",
        "r429",
        "redirect",
        "redirother",
        "slow",
        "overlong",
        "multi",
        "nosuffix",
        "crunknown",
    ] {
        let target = Target::new(server.url(mode, SIZE), &[]);
        for (line, first, count) in SLICES {
            let run = run(&sandbox, line, &target).ok();
            assert_eq!(run.stdout, content::slice(*first, *count, false), "{run}");
        }
    }
}

#[test]
fn stalled_servers_are_not_retried() {
    let server = Faulty::start();
    let sandbox = Sandbox::new();
    for (mode, expected) in [
        ("stall", "the server made no progress at byte 32768: "),
        ("mute", "no response from 127.0.0.1:"),
        ("drip", "bytes came in 2s"),
    ] {
        server.forget();
        let mut command = sandbox.command();
        // The server stalls before these lines.
        command.args([
            "lines",
            &server.url(mode, SIZE),
            "600:602",
            "--json",
            "--no-index",
            "--timeout",
            "2s",
        ]);
        let since = Instant::now();
        let run = Run::of(&mut command);
        let error: serde_json::Value = serde_json::from_str(&run.stderr).unwrap();
        assert_eq!((run.code, &error["kind"]), (3, &serde_json::json!("network")), "{run}");
        assert!(error["error"].as_str().unwrap().contains(expected), "{run}");
        assert!(error["hint"].as_str().unwrap().contains("--timeout"), "{run}");
        assert_eq!(server.seen().len(), 1, "{mode}: {run}");
        // Four retries would take 8 s, and the pauses 3 s.
        assert!(since.elapsed() < Duration::from_secs(10), "{mode}: {:?}", since.elapsed());
    }
}

#[test]
fn bytes_before_a_stall_answer_their_lines() {
    let server = Faulty::start();
    let sandbox = Sandbox::new();
    let target = Target::new(server.url("stall", SIZE), &[]);
    let run = run_within(&sandbox, "lines FILE 1:3", &target, "3s").ok();
    assert_eq!(run.stdout, content::slice(0, 3 * 64, false), "{run}");
}

#[test]
fn tiny_pieces_are_read_as_a_stream() {
    let server = Faulty::start();
    let sandbox = Sandbox::new();
    let size = 1_003_000;
    let target = Target::new(server.url("narrow", size), &[]);
    for (line, first, count) in
        [("lines FILE", 0, size), ("lines FILE 1:3", 0, 3 * 64), ("bytes FILE 900000:+64", 900_000, 64)]
    {
        server.forget();
        let run = run(&sandbox, line, &target).ok();
        assert!(run.stdout == content::slice(first, count, false), "{line}: {} bytes", run.stdout.len());
        let ranges: Vec<_> = server.seen().iter().map(|seen| seen.head.range().map(str::to_owned)).collect();
        assert_eq!(ranges, [Some("bytes=0-65535".to_owned()), None], "{line}");
    }
    // An object that is too large for a stream is read in tiny parts.
    server.forget();
    let target = Target::new(server.url("narrow", 1 << 50), &[]);
    let mut command = sandbox.command();
    let run = Run::of(command.args(["bytes", &target.url, "500TiB:+64", "--raw", "--no-index"])).ok();
    assert!(run.stdout == content::slice(500 << 40, 64, false) && server.seen().len() < 200, "{run}");
}

#[test]
fn slices_of_an_enormous_object_take_few_requests() {
    let server = Faulty::start();
    let sandbox = Sandbox::new();
    let size = 1 << 50;
    let target = Target::new(server.url("ok", size), &[]);
    for (line, first, count) in [
        ("bytes FILE :100", 0, 100),
        ("bytes FILE 500TiB:+64", 500 << 40, 64),
        ("lines FILE -20:", size - 20 * 64, 20 * 64),
        ("lines FILE 1:20", 0, 20 * 64),
    ] {
        server.forget();
        let run = run(&sandbox, line, &target).ok();
        assert_eq!(run.stdout, content::slice(first, count, false), "{run}");
        let seen = server.seen();
        let sent: u64 = seen.iter().map(super::faulty::Seen::sent).sum();
        assert!(seen.len() <= 6 && sent <= 2 << 20, "{line}: {} requests, {sent} bytes", seen.len());
    }
}

#[test]
fn credentials_never_reach_another_host() {
    let server = Faulty::start();
    let sandbox = Sandbox::new();
    let mut target = Target::new(server.url("redirother", SIZE), &[]);
    target.url = target.url.replace("127", "reader:word@127");
    run(&sandbox, "bytes FILE :100", &target).ok();
    let seen = server.seen();
    let with_credentials =
        |port| seen.iter().filter(|seen| seen.port == port && seen.credentials().is_some()).count();
    assert!(with_credentials(server.port()) > 0, "{seen:?}");
    assert_eq!(with_credentials(server.elsewhere()), 0, "{seen:?}");
    assert!(seen.iter().any(|seen| seen.port == server.elsewhere()), "{seen:?}");
}

#[test]
fn empty_objects_are_empty() {
    let server = Faulty::start();
    let sandbox = Sandbox::new();
    for mode in ["ok", "azempty", "norange", "noetag", "nohead", "chunked"] {
        let target = Target::new(server.url(mode, 0), &[]);
        for line in ["bytes FILE", "bytes FILE :100", "bytes FILE -5:", "lines FILE", "lines FILE -20:"] {
            assert_eq!(run(&sandbox, line, &target).ok().stdout, b"", "{mode}: {line}");
        }
    }
}

#[test]
fn a_refused_connection_is_an_error() {
    let sandbox = Sandbox::new();
    let target = Target::new(format!("http://127.0.0.1:{}/app.log", refused_port()), &[]);
    run(&sandbox, "bytes FILE :100", &target).refused(3);
}
