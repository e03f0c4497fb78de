//! Prefixes and patterns of stores in the commands that read files: the same as for files of a directory.

use std::fmt::Write as _;

use rread_testkit::pack::gzip;
use rread_testkit::sandbox::{Run, Sandbox, words};
use serde_json::{Value, json};

use super::bucket::Bucket;
use super::proxy::Proxy;
use super::servers::{self, Object, Target, s3};

/// Runs a line, in which `AT` begins the names of the objects of `target`.
fn run(sandbox: &Sandbox, target: &Target, line: &str) -> Run {
    let mut command = sandbox.command();
    command.args(words(line).into_iter().map(|word| word.replace("AT", &target.url)));
    command.envs(target.env.iter().map(|(name, value)| (name, value)));
    Run::of(&mut command)
}

/// A call of a tool for agents.
fn call(sandbox: &Sandbox, target: &Target, tool: &str, arguments: &Value) -> Run {
    let mut command = sandbox.command();
    command.args(["call", tool, &arguments.to_string()]);
    command.envs(target.env.iter().map(|(name, value)| (name, value)));
    Run::of(&mut command)
}

/// A log of `records` records from a date on, one a minute.
fn log(date: &str, records: u32) -> String {
    let mut text = String::new();
    for minute in 0..records {
        let word = if minute % 10 == 7 { "ERROR" } else { "INFO" };
        let (hour, minute) = (minute / 60, minute % 60);
        writeln!(text, "{date}T{hour:02}:{minute:02}:00Z {word} request {minute:070}").unwrap();
    }
    text
}

/// The lines of an answer, without those that have facts of a store or of a file system.
fn comparable(text: &str) -> Vec<&str> {
    let facts = ["version", "requests", "bytes_fetched", "index"];
    text.lines().filter(|line| !facts.iter().any(|fact| line.contains(fact))).collect()
}

#[test]
fn commands_answer_as_for_a_directory_in_every_store() {
    let sandbox = Sandbox::new();
    let objects: [(&str, Vec<u8>); 7] = [
        ("a/1.log", log("2026-11-20", 30).into_bytes()),
        ("a/10.log", log("2026-11-21", 30).into_bytes()),
        ("a/2.log.gz", gzip(log("2026-11-22", 30).as_bytes(), 6)),
        ("b/é+x.txt", b"an ERROR\n".to_vec()),
        ("b/.hidden", b"no ERROR\n".to_vec()),
        ("b/_SUCCESS", Vec::new()),
        ("b/x.bin", b"\0\x01ERROR\0".to_vec()),
    ];
    let window = "--tz UTC --since 2026-11-20T00:28Z --until 2026-11-21T00:08Z";
    // Without a second line, the same names mean the same. A shell replaces local patterns.
    let lines = [
        ("search ERROR AT/", ""),
        ("search ERROR AT/ -f text", ""),
        ("search -c ERROR AT/ --raw", ""),
        ("search -l ERROR AT/a/ AT/b/ --raw", ""),
        ("search ERROR AT/ -g *.gz -f text", ""),
        ("search ERROR AT/ -t txt -f text", ""),
        ("search ERROR AT/ --hidden -f text", ""),
        ("search ERROR AT/ --max-filesize 100 --json", ""),
        ("search ERROR AT/ --max-depth 1 -f text", ""),
        ("search ERROR AT/a/ WINDOW -f text", ""),
        ("search ERROR AT/a/ --merge -f text", ""),
        ("search --files AT/ --raw", ""),
        ("search none AT/ -f text", ""),
        ("search ERROR AT/a/1*.log -c --raw", "search ERROR AT/a/1.log AT/a/10.log -c --raw"),
        ("lines AT/a/*.log -1:", "lines AT/a/1.log AT/a/10.log -1:"),
        ("lines AT/**/*.gz -2: --raw", "lines AT/a/2.log.gz -2: --raw"),
        ("lines AT/a/ WINDOW -f text", "lines AT/a/1.log AT/a/10.log AT/a/2.log.gz WINDOW -f text"),
        (
            "lines AT/a/ WINDOW --merge --raw",
            "lines AT/a/1.log AT/a/10.log AT/a/2.log.gz WINDOW --merge --raw",
        ),
        ("lines AT/b/ -f text", "lines AT/b/_SUCCESS AT/b/x.bin AT/b/é+x.txt -f text"),
        ("page AT/a/1*.log -1 --raw", "page AT/a/1.log AT/a/10.log -1 --raw"),
        ("bytes AT/a/{1,10}.log -20: --raw", "bytes AT/a/1.log AT/a/10.log -20: --raw"),
        ("ranges AT/a/?.log 1:2 -1 --raw", "ranges AT/a/1.log 1:2 -1 --raw"),
    ];
    for store in servers::all().into_iter().filter(|store| store.target("x").url.find("://") == Some(2)) {
        let root = format!("read{}", store.name().len());
        for (name, bytes) in &objects {
            store.put(&Object::new(&format!("{root}/{name}"), bytes));
            let path = sandbox.path(&format!("{root}/{name}"));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let target = store.target(&root);
        let here = Target { url: root.clone(), env: Vec::new() };
        for (line, local) in lines {
            let local = if local.is_empty() { line } else { local };
            let [remote, local] = [(line, &target), (local, &here)]
                .map(|(line, target)| run(&sandbox, target, &line.replace("WINDOW", window)));
            let shown = [remote.text(), &remote.stderr].map(|text| text.replace(&target.url, &root));
            assert_eq!(
                (remote.code, comparable(&shown[0]), comparable(&shown[1])),
                (local.code, comparable(local.text()), comparable(&local.stderr)),
                "{}: {line}",
                store.name()
            );
        }
        let facts = run(&sandbox, &target, "stat AT/ --json").ok().json();
        let names = facts["files"].as_array().unwrap().iter();
        let names: Vec<String> =
            names.map(|file| file["path"].as_str().unwrap().replace(&target.url, "")).collect();
        let expected = ["/a/1.log", "/a/10.log", "/a/2.log.gz", "/b/_SUCCESS", "/b/x.bin", "/b/é+x.txt"];
        assert_eq!(names, expected, "{}", store.name());
        // Other spellings of the same store.
        let (scheme, rest) = target.url.split_once("://").unwrap();
        let others = ["s3a", "s3n", "gcs", "azure"].into_iter();
        for other in others.filter(|other| other.starts_with(&scheme[..1])) {
            let other = Target { url: format!("{other}://{rest}"), ..target.clone() };
            let counts = run(&sandbox, &other, "search -c ERROR AT/a/ --raw").ok();
            assert_eq!(counts.text().lines().count(), 3, "{counts}");
        }
    }
}

#[test]
fn tools_for_agents_read_prefixes_and_patterns() {
    let (bucket, sandbox) = (Bucket::start(Some(2)), Sandbox::new());
    for (key, text) in
        [("t/a.log", "ok\nERROR a\n"), ("t/b.log", "ERROR b\n"), ("t/.c", "ERROR\n"), ("t/d.bin", "\0\0")]
    {
        bucket.put(key, text);
    }
    let target = bucket.target("t");
    let at = |name: &str| format!("{}{name}", target.url);
    let found = call(&sandbox, &target, "search", &json!({"pattern": "ERROR", "path": at("/")})).ok().json();
    let files: Vec<&Value> = found["files"].as_array().unwrap().iter().map(|file| &file["path"]).collect();
    assert_eq!(files, [&json!(at("/a.log")), &json!(at("/b.log"))], "{found}");
    assert_eq!(found["left_out"], json!({"binary": 1, "hidden": 1}), "{found}");
    let one = call(&sandbox, &target, "search", &json!({"pattern": "ERROR", "path": at("/"), "glob": "b*"}));
    assert_eq!(one.ok().json()["matched_lines"], 1);
    let read = call(&sandbox, &target, "read", &json!({"path": at("/*.log"), "lines": "-1"})).ok();
    assert!(read.text().contains("ERROR a") && read.text().contains("ERROR b"), "{read}");
    let stat = call(&sandbox, &target, "stat", &json!({"paths": [at("/")]})).ok().json();
    assert_eq!(stat["files"].as_array().unwrap().len(), 3, "{stat}");
    for tool in ["search", "read", "stat"] {
        let arguments = match tool {
            "search" => json!({"pattern": "x", "path": at("/none*")}),
            _ => json!({"path": at("/none*")}),
        };
        let refused = call(&sandbox, &target, tool, &arguments);
        let is_said = refused.stderr.contains("no object matches this pattern");
        assert!(refused.code == 3 && is_said, "{tool}: {refused}");
    }
}

#[test]
fn a_name_that_means_no_object_has_the_error_of_select_in_its_place() {
    let (bucket, sandbox) = (Bucket::start(Some(1000)), Sandbox::with("here.log", "here x\n"));
    bucket.put("l/a.log", "x\n");
    bucket.put("h/.a", "x\n");
    let target = bucket.target("");
    for (name, said) in [
        ("ATl/*.none", "no object matches this pattern"),
        ("ATnone/*.log", "no object matches this pattern: no key begins with"),
        ("ATnone/", "has no object below it"),
        ("ATh/", "has only hidden objects below it"),
        ("ATl/[", "the object does not exist"),
        ("ATl", "s3://logs/l/"),
    ] {
        for line in [
            "search x NAME",
            "lines NAME 1:",
            "stat NAME",
            "page NAME",
            "lines NAME --merge",
            "bytes NAME 0:",
        ] {
            bucket.take();
            let refused = run(&sandbox, &target, &line.replace("NAME", name)).refused(3);
            let url = name.replace("AT", &target.url);
            assert!(refused.stderr.contains(said) && refused.stderr.contains(&url), "{line}: {refused}");
            assert!(
                bucket.take().len() <= if name.ends_with(['[', 'l']) { 2 } else { 1 },
                "{line}: it is listed once"
            );
            let both = run(&sandbox, &target, &line.replace("NAME", &format!("{name} here.log")));
            let is_delivered = both.text().contains("here") || line.contains("merge");
            assert!(both.code == 3 && is_delivered && both.stderr.contains(said), "{line}: {both}");
        }
    }
}

#[test]
fn a_key_wins_over_the_pattern_that_it_is() {
    let sandbox = Sandbox::new();
    for page in [Some(1000), Some(2), None] {
        let bucket = Bucket::start(page);
        for (key, text) in [("k/[ab]*.log", "key\n"), ("k/a.log", "a\n"), ("k/b.log", "b\n")] {
            bucket.put(key, text);
        }
        let target = bucket.target("k");
        for line in ["lines AT/[ab]*.log --raw", "page AT/[ab]*.log --raw", "search . AT/[ab]*.log --raw"] {
            assert_eq!(run(&sandbox, &target, line).ok().text(), "key\n", "{page:?} {line}");
        }
        bucket.remove("k/[ab]*.log");
        let run = run(&sandbox, &target, "lines AT/[ab]*.log --raw");
        match page {
            Some(_) => assert_eq!(run.ok().text(), "a\nb\n"),
            None => assert!(run.stderr.contains("cannot be listed: the server denies access"), "{run}"),
        }
    }
}

/// A file of this name is not on a server.
#[test]
#[cfg(unix)]
fn a_file_wins_over_the_prefix_that_its_name_is() {
    let (bucket, sandbox) = (Bucket::start(Some(1000)), Sandbox::new());
    std::fs::create_dir_all(sandbox.path("s3:/logs")).unwrap();
    sandbox.file("s3:/logs/a*", "a file\n");
    let target = bucket.target("a*");
    assert_eq!(run(&sandbox, &target, "lines AT --raw").ok().text(), "a file\n");
    assert_eq!(run(&sandbox, &target, "search -c file AT --raw").ok().text(), "1\n");
}

/// 1,000 objects of an hour each, 256 records in 24 KiB, changed last at the end of their hour.
fn hours(bucket: &Bucket) {
    for hour in 0..1000u32 {
        let (day, hour) = (hour / 24, hour % 24);
        let date = jiff::civil::date(2026, 10, 1).saturating_add(jiff::Span::new().days(day));
        let mut text = String::new();
        for record in 0..256u32 {
            let (seconds, word) = (record * 14, if record == 100 { "ERROR" } else { "INFO" });
            let (minute, second) = (seconds / 60, seconds % 60);
            writeln!(text, "{date}T{hour:02}:{minute:02}:{second:02}Z {word} {record:068}").unwrap();
        }
        bucket.put_at(
            &format!("w/{date}/{hour:02}.log"),
            text.as_bytes(),
            &format!("{date}T{hour:02}:59:59.000Z"),
        );
    }
}

#[test]
fn a_window_over_1000_objects_reads_those_that_changed_late_enough() {
    let (bucket, sandbox) = (Bucket::start(Some(1000)), Sandbox::new());
    hours(&bucket);
    let proxy = Proxy::before(bucket.port());
    let target = s3::target("w", proxy.port());
    let requests = |line: &str| {
        let run = run(&sandbox, &target, line);
        assert_eq!(run.code, 0, "{run}");
        let (requests, bytes) = proxy.take();
        eprintln!("{line}: {requests} requests, {bytes} bytes");
        (run, requests, bytes)
    };
    // The last object is of 2026-11-11, 15:00. 26 hours before the window, a record in another zone may be in it.
    let (found, count, bytes) = requests("search ERROR AT/ --since 2026-11-11T14:00Z -c --json");
    assert_eq!((found.json()["metadata"]["files"].as_array().map(Vec::len), count), (Some(2), 29), "{found}");
    let said = "not read: 972 objects that changed last before the window; --scan reads all";
    assert!(found.stderr.contains(said), "{found}");
    // A time of day is on the day of the last record of all.
    assert!(bytes < 1_000_000, "{bytes}");
    let (found, count, _) = requests("search ERROR AT/ --since 14:00 --tz UTC -c --raw");
    assert_eq!(found.text().lines().count(), 2, "{found}");
    assert!(count <= 100, "{count}");
    let (lines, count, _) = requests("lines AT/ --since 2026-11-11T15:59:10Z --merge --raw");
    assert_eq!(lines.text().lines().count(), 2, "{lines}");
    assert!(lines.stderr.contains("not read: 973 objects that changed last before the window"), "{lines}");
    assert!(count <= 60, "{count}");
    let (all, count, _) =
        requests("search ERROR AT/2026-11-0[1-9]/* --since 2026-11-09T22:00Z --scan -c --json");
    assert_eq!((all.json()["metadata"]["files"].as_array().map(Vec::len), count), (Some(2), 217));
    // The rule holds for words that mean the same time in every log, and in others nothing is left out.
    for (since, is_known) in [("2026-11-11", true), ("@1794405600", true)] {
        let mut command = sandbox.command();
        command.args(["search", "-c", "ERROR", &format!("{}/", target.url), "--since", since, "--json"]);
        command.envs(target.env.iter().map(|(name, value)| (name, value)));
        Run::of(&mut command);
        let count = proxy.take().0;
        assert_eq!(count < 100, is_known, "{since}: {count}");
    }
    let found = call(
        &sandbox,
        &target,
        "search",
        &json!({"pattern": "ERROR", "path": format!("{}/", target.url), "since": "2026-11-11T14:00Z"}),
    );
    assert_eq!(
        (&found.json()["matched_lines"], &found.json()["left_out"]),
        (&json!(2), &json!({"ended": 972})),
        "{found}"
    );
}
