//! The calls of docs/logs.md that combine much: a search of several sources with one budget, and waiting for a line.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rread_testkit::sandbox::{AtHome, Sandbox, binary, documents};

/// The command in docs/logs.md that begins with `start`, without its comment.
fn of_page(start: &str) -> String {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/logs.md")).unwrap();
    let line = page.lines().find(|line| line.starts_with(start)).expect("the line is on the page");
    line.split("  # ").next().unwrap().trim().to_owned()
}

/// Runs a command line as it would be typed.
fn typed(sandbox: &Sandbox, line: &str) -> Command {
    let mut shell = Command::new("sh");
    let path = std::env::var("PATH").unwrap_or_default();
    shell.args(["-c", line]).current_dir(sandbox.path(".")).at_home(&sandbox.home());
    shell.env("PATH", format!("{}:{path}", binary().parent().unwrap().display()));
    shell.env("RREAD_SESSION", "together").stdin(Stdio::null());
    shell
}

#[test]
fn one_search_of_everything_shows_every_match_once() {
    let sandbox = Sandbox::new();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let log = |of: &str| -> String {
        let line = |n: u64| {
            let level = if n.is_multiple_of(3) { "ERROR" } else { "INFO" };
            format!("{} {level} {of} {n}\n", now - 7200 + n * 60)
        };
        (0..110).map(line).collect()
    };
    std::fs::create_dir(sandbox.path("logs")).unwrap();
    sandbox.file("logs/-x", log("option"));
    sandbox.file("logs/it's a log", log("quoted"));
    sandbox.file("app.log", log("packed"));
    sandbox.file("out", log("captured"));
    let made = typed(&sandbox, "gzip app.log && rread capture --direct 0 < out && cp logs/-x ./-x")
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let line = of_page("rread search -C 2 --since -1h -m 20 ERROR logs/ ");
    assert!(line.ends_with("fd:1 --max-bytes 8000"), "{line}");
    let line = line.replace("s3://bucket/", "").replace("fd:1", "fd:1 ./-x");
    let mut seen: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let (mut queue, mut calls) = (vec![(line.replace("8000", "1000"), 1000)], 0);
    while let Some((line, budget)) = queue.pop() {
        calls += 1;
        assert!(calls < 200, "{line} goes on for ever");
        let output = typed(&sandbox, &line).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        // Exit code 1: the rest has no match.
        assert!(matches!(output.status.code(), Some(0 | 1)), "{line}: {errors}");
        let answers = documents(&output.stdout, true);
        let length: usize = answers.iter().map(|answer| answer.content.len()).sum();
        assert!(length <= budget, "{line}: {length}");
        for answer in answers {
            let hits = answer.content.lines().filter(|line| line.contains(" ERROR "));
            let hits = hits.filter_map(|line| line.split_once(':')?.0.parse().ok());
            let path = answer.fact("path").trim_start_matches("./").to_owned();
            seen.entry(path).or_default().extend(hits.collect::<Vec<u64>>());
            if answer.has("next") {
                queue.push((format!("rread {} --max-bytes 300", answer.fact("next")), 300));
            }
        }
    }
    let first = (0..110).find(|n| n * 60 > 3600).unwrap();
    for (path, mut numbers) in seen.clone() {
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), count, "{path}: nothing comes twice");
        let expected: Vec<u64> = (0..110).filter(|n| n % 3 == 0 && *n >= first).map(|n| n + 1).collect();
        // A minute may begin while the test runs.
        let missing: Vec<&u64> = expected.iter().filter(|n| !numbers.contains(n)).collect();
        assert!(missing.len() <= 1 && missing.iter().all(|n| **n <= first + 3), "{path}: {missing:?}");
    }
    assert_eq!(seen.len(), 5, "{:?}", seen.keys());
}

#[test]
fn next_can_be_pasted_whatever_the_name_is() {
    let sandbox = Sandbox::new();
    for name in
        [&b"-x"[..], b"--raw", b"-20:", b"a b", b"it's", b"new\nline", b"$HOME", b"b\xffa'\\1", b"-\xe9"]
    {
        let path: &std::path::Path = std::ffi::OsStr::from_bytes(name).as_ref();
        if std::fs::write(sandbox.path(".").join(path), "hit 1\nhit 2\n").is_err() {
            continue;
        }
        let mut first = Command::new(binary());
        first.args(["search", "-m1", "hit", "--"]).arg(path);
        let output = first.current_dir(sandbox.path(".")).at_home(&sandbox.home()).output().unwrap();
        let answer = documents(&output.stdout, true).remove(0);
        let line = format!("rread {}", answer.fact("next"));
        let mut shell = Command::new("bash");
        let search = format!("{}:{}", binary().parent().unwrap().display(), std::env::var("PATH").unwrap());
        shell.args(["-c", &line]).current_dir(sandbox.path(".")).at_home(&sandbox.home());
        let output = shell.env("PATH", search).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            text.ends_with("---\n2:hit 2\n"),
            "{line}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn follow_waits_for_the_line_of_the_page() {
    let sandbox = Sandbox::with("app.log", "starting\n");
    let line = of_page("rread follow app.log --until-match");
    let mut child = typed(&sandbox, &format!("exec {line}")).stdout(Stdio::piped()).spawn().unwrap();
    let mut log = std::fs::File::options().append(true).open(sandbox.path("app.log")).unwrap();
    while child.try_wait().unwrap().is_none() {
        log.write_all(b"listening on :80\n").unwrap();
        std::thread::sleep(Duration::from_millis(30));
    }
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.ends_with("listening on :80\n"), "{text}");
}
