//! The tool `read`: whole files by following `next`, many files, budgets and errors.

use std::fs;
use std::path::Path;

use rread_testkit::formats::tar_of;
use rread_testkit::sample::cases;
use serde_json::{Value, json};
use tempfile::TempDir;

use rread_testkit::sandbox::Sandbox;

use super::client::{Client, next_of, parted};

/// Follows `next` from `arguments` to the end; returns everything that was read.
fn whole(client: &mut Client, mut arguments: Value) -> String {
    let mut all = String::new();
    for _ in 0..5000 {
        let text = client.text("read", &arguments);
        let (facts, content) = parted(&text);
        all += content;
        match next_of(facts) {
            Some(next) => arguments = next,
            None => {
                assert!(facts.contains("end of file"), "{facts}");
                return all;
            }
        }
    }
    panic!("{arguments} does not end");
}

#[test]
fn following_next_reads_the_whole_file() {
    let dir = TempDir::new().unwrap();
    let texts = [
        (0..3000).map(|n| format!("line {n} of a log\n")).collect::<String>(),
        (0..400).map(|n| format!("{}\n", "żółć".repeat(n % 90))).collect(),
        format!("{}\nshort\n", "x".repeat(60_000)),
        "no newline at the end".to_owned(),
        "\n\n\n".to_owned(),
        String::new(),
    ];
    for (n, text) in texts.iter().enumerate() {
        fs::write(dir.path().join(format!("{n}.txt")), text).unwrap();
    }
    let mut client = Client::start(dir.path(), &[]);
    let ways = [
        json!({}),
        json!({"max_bytes": 777}),
        json!({"bytes": "0:"}),
        json!({"page": 1}),
        json!({"page": 1, "page_size": 1000}),
        json!({"lines": "1:+50"}),
        json!({"bytes": "0:+900"}),
    ];
    for (n, text) in texts.iter().enumerate() {
        for way in &ways[..cases(ways.len(), 5)] {
            let mut arguments = way.clone();
            arguments["path"] = json!(format!("{n}.txt"));
            assert_eq!(&whole(&mut client, arguments.clone()), text, "{arguments}");
        }
    }
}

#[test]
fn an_answer_keeps_to_its_budget() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut client = Client::start(&fixtures, &[]);
    let many: Vec<&str> = vec!["service.log"; 8];
    for arguments in [
        json!({"path": "service.log"}),
        json!({"paths": many}),
        json!({"path": "service.log", "number": true, "hash": true}),
        json!({"path": "service.log", "encode": "hex"}),
        json!({"path": "service.log", "lines": "1:100,200:300,-100:"}),
    ] {
        let text = client.text("read", &arguments);
        assert!(text.len() <= 10_000, "{arguments}: {}", text.len());
        assert!(text.len() > 4_000, "{arguments}: {}", text.len());
        assert!(text.contains("cut by max_bytes") && text.contains("next: {"), "{text}");
    }
    let searched = client.text("search", &json!({"pattern": "."}));
    assert!(searched.len() <= 10_000, "{}", searched.len());
    let error = client.error("read", &json!({"path": "service.log", "max_bytes": 9_999_999}));
    assert!(error.contains("at most 1000000"), "{error}");
}

#[test]
fn the_parts_of_many_files_can_be_told_apart() {
    let dir = TempDir::new().unwrap();
    let texts = ["a.txt | lines 1-1 of 1\n", "", "b.txt | next: {}", "\n"];
    for (n, text) in texts.iter().enumerate() {
        fs::write(dir.path().join(format!("{n}")), text).unwrap();
    }
    let mut client = Client::start(dir.path(), &[]);
    let text = client.text("read", &json!({"paths": ["0", "1", "2", "gone", "3"]}));
    let mut rest = &text[..];
    for name in ["0", "1", "2", "gone", "3"] {
        let (facts, after) = parted(rest);
        assert!(facts.starts_with(&format!("{name} | ")), "{facts}");
        rest = after;
        let Ok(n) = name.parse::<usize>() else { continue };
        let (_, count) =
            facts.split_once(" byte").map(|(before, _)| before.rsplit_once(' ').unwrap()).unwrap_or_default();
        let count = if facts.contains("bytes follow") {
            facts.split(" bytes follow").next().unwrap().rsplit(' ').next().unwrap().parse().unwrap()
        } else {
            count.parse().unwrap_or(1)
        };
        assert_eq!(&rest[..count], texts[n], "{facts}");
        rest = rest[count..]
            .strip_prefix('\n')
            .filter(|_| !texts[n].ends_with('\n') && count > 0)
            .unwrap_or(&rest[count..]);
    }
    assert_eq!(rest, "");
}

#[test]
fn errors_are_of_the_tool_and_have_a_hint_in_its_arguments() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut client = Client::start(&fixtures, &[]);
    let mut error = |arguments: Value| {
        let error = client.error("read", &arguments);
        assert!(!error.contains("rread ") && !error.contains(" --"), "{error}");
        // A call in a hint works.
        if let Some((_, call)) = error.split_once("hint: read ") {
            client.text("read", &serde_json::from_str(call).unwrap());
        }
        error
    };
    for arguments in [
        json!({"path": "service.log", "lines": "900"}),
        json!({"path": "servise.log"}),
        json!({"path": "tiny.png"}),
        json!({"path": "service.log", "page": 99}),
        json!({"path": "."}),
        json!({"path": "service.log", "lines": "1", "page": 2}),
        json!({}),
        json!({"path": "service.log", "since": "never"}),
    ] {
        assert!(!error(arguments).is_empty());
    }
}

#[test]
fn a_file_may_be_named_with_its_lines() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("main.rs"), "one\ntwo\nthree\n").unwrap();
    fs::write(dir.path().join("main.rs:3"), "of that very name\n").unwrap();
    let mut client = Client::start(dir.path(), &[]);
    for (name, content) in [
        ("main.rs:2", "two\n"),
        // A column, unless it can be the last of several lines.
        ("main.rs:2:1", "two\n"),
        ("main.rs:2:2", "two\n"),
        ("main.rs:1:2", "one\ntwo\n"),
        ("main.rs:2:5", "two\nthree\n"),
        ("main.rs:2:+1", "two\n"),
        ("main.rs:2-3", "two\nthree\n"),
        ("./main.rs:-1", "three\n"),
        ("main.rs:3", "of that very name\n"),
    ] {
        let text = client.text("read", &json!({"path": name}));
        assert_eq!(parted(&text).1, content, "{name}");
    }
}

#[test]
fn decoded_files_and_windows_of_time_are_read() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut client = Client::start(&fixtures, &[]);
    let plain = client.text("read", &json!({"path": "service.log", "lines": "-3:"}));
    let packed = client.text("read", &json!({"path": "service.log.gz", "lines": "-3:"}));
    assert_eq!(parted(&plain).1, parted(&packed).1);
    assert!(parted(&packed).0.contains("decompressed gzip"), "{packed}");
    let wide = client.text("read", &json!({"path": "utf16le.txt"}));
    assert!(parted(&wide).1.starts_with("wide\n") && wide.contains("encoding utf-16le"), "{wide}");
    let window = client.text("read", &json!({"path": "service.log", "since": "06:01", "until": "06:02"}));
    assert!(parted(&window).1.starts_with("2024-03-11T06:01:00"), "{window}");
    assert!(!window.contains("T06:02"), "{window}");
    // Following next ends with the window.
    let mut arguments = json!({"path": "service.log", "since": "06:01", "until": "06:02", "max_bytes": 700});
    let mut all = String::new();
    loop {
        let text = client.text("read", &arguments);
        let (facts, content) = parted(&text);
        all += content;
        match next_of(facts) {
            Some(next) => arguments = next,
            None => break,
        }
    }
    let whole = client.text(
        "read",
        &json!({"path": "service.log", "since": "06:01", "until": "06:02", "max_bytes": 500_000}),
    );
    assert_eq!(all, parted(&whole).1);
    // A hint names the format, and following it works.
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("odd.log"), "<01+02+26 06:01:00> one\n<01+02+26 06:02:00> two\n").unwrap();
    let mut client = Client::start(dir.path(), &[]);
    let error = client.error("read", &json!({"path": "odd.log", "since": "06:02"}));
    assert!(error.contains("time_format '%d+%m+%y %H:%M:%S'"), "{error}");
    let arguments =
        json!({"path": "odd.log", "since": "06:02", "time_format": "%d+%m+%y %H:%M:%S", "tz": "UTC"});
    assert!(client.text("read", &arguments).ends_with("\n<01+02+26 06:02:00> two\n"));
    client.error("read", &json!({"path": "odd.log", "tz": "UTC"}));
    let headed = client.text("read", &json!({"path": "odd.log", "lines": 2, "header": 1}));
    assert!(parted(&headed).0.contains("header_lines 1"), "{headed}");
}

#[test]
fn a_name_in_another_spelling_opens_the_one_file_below_the_root() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("re\u{301}")).unwrap();
    fs::write(dir.path().join("re\u{301}/Shot 3.04\u{202f}PM.txt"), "two\n").unwrap();
    let mut client = Client::start(dir.path(), &[]);
    let url = format!("file://{}/ré/Shot%203.04%20PM.txt", dir.path().canonicalize().unwrap().display());
    for path in ["ré/Shot 3.04 PM.txt", &url] {
        let text = client.text("read", &json!({"path": path}));
        assert_eq!(parted(&text).1, "two\n", "{path}");
    }
    let error = client.error("read", &json!({"path": "file:///etc/hosts"}));
    assert!(error.contains("outside"), "{error}");
}

#[test]
fn nothing_follows_a_bounded_range_of_lines() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("f"), (1..=100).map(|n| format!("line {n}\n")).collect::<String>()).unwrap();
    let mut client = Client::start(dir.path(), &[]);
    let text = client.text("read", &json!({"path": "f", "lines": "2:3"}));
    assert!(next_of(parted(&text).0).is_some(), "{text}");
    let text = client.text("read", &json!({"path": "f", "lines": "2:3", "bounded": true}));
    assert!(next_of(parted(&text).0).is_none(), "{text}");
    // What a budget cuts off comes up to the end of the range, and nothing after it.
    let mut call = Some(json!({"path": "f", "lines": "2:90", "bounded": true, "max_bytes": 300}));
    let mut all = String::new();
    while let Some(arguments) = call {
        let text = client.text("read", &arguments);
        all += parted(&text).1;
        call = next_of(parted(&text).0);
    }
    assert_eq!(all, (2..=90).map(|n| format!("line {n}\n")).collect::<String>());
}

/// The rest of a line that a budget cut is followed by the lines after it, up to the end of what was asked.
/// Each range of a list ends where it ends: what follows one may be the next one.
#[test]
fn next_of_a_list_of_ranges_returns_each_line_once() {
    let long = |n: usize| format!("<{n}{}>\n", "x".repeat([3, 40, 300][n % 3]));
    let sandbox = Sandbox::with("a", (1..=60).map(long).collect::<String>());
    let mut client = Client::start(&sandbox.path("."), &[]);
    for max_bytes in [300, 600, 1500, 6000] {
        let lines = "21:28,3:5,13:15,50:52";
        let mut calls = vec![json!({"path": "a", "lines": lines, "max_bytes": max_bytes})];
        let (mut numbers, mut others) = (Vec::new(), 0);
        while let Some(call) = calls.pop() {
            let answer = client.call("read", &call)["content"][0]["text"].as_str().unwrap().to_owned();
            for line in answer.lines() {
                if let Some((_, next)) = line.split_once("next: ") {
                    calls.push(serde_json::from_str(next).unwrap());
                } else if !line.contains(" | ") {
                    others += line.matches('x').count();
                    numbers.extend(
                        line.strip_prefix('<').map(|rest| rest.trim_end_matches(['x', '>']).to_owned()),
                    );
                }
            }
        }
        let mut numbers: Vec<usize> = numbers.iter().map(|number| number.parse().unwrap()).collect();
        numbers.sort_unstable();
        let wanted: Vec<usize> = (3..=5).chain(13..=15).chain(21..=28).chain(50..=52).collect();
        assert_eq!(numbers, wanted, "{max_bytes}");
        let all: usize = wanted.iter().map(|n| long(*n).matches('x').count()).sum();
        assert_eq!(others, all, "{max_bytes}");
    }
}

#[test]
fn a_bounded_range_of_lines_that_is_cut_inside_a_line_is_read_to_its_end() {
    let dir = TempDir::new().unwrap();
    let text = format!("a\n{}\nb\nc\nd\n", "x".repeat(300));
    fs::write(dir.path().join("t"), &text).unwrap();
    let mut client = Client::start(dir.path(), &[]);
    let mut asked = Some(json!({"path": "t", "lines": "2:4", "bounded": true, "max_bytes": 100}));
    let mut all = String::new();
    while let Some(call) = asked {
        let answer = client.text("read", &call);
        let (facts, content) = parted(&answer);
        all += content;
        asked = next_of(facts);
    }
    assert_eq!(all, text[2..text.len() - 2]);
}

#[test]
fn a_guessed_encoding_is_said() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut client = Client::start(&fixtures, &[]);
    let text = client.text("read", &json!({"path": "latin1.txt", "lines": "1"}));
    assert!(text.contains("| encoding windows-1252, a guess") && text.contains("café"), "{text}");
    let found = client.call("search", &json!({"path": "latin1.txt", "pattern": "café"}));
    let file = &found["structuredContent"]["files"][0];
    assert_eq!((&file["matched_lines"], &file["guessed_encoding"]), (&json!(1), &json!("windows-1252")));
    let stat = client.call("stat", &json!({"path": "latin1.txt"}));
    assert_eq!(stat["structuredContent"]["files"][0]["encoding_source"], "guess");
    let named = client.text("read", &json!({"path": "latin1.txt", "lines": "1", "encoding": "windows-1252"}));
    assert!(!named.contains("guess"), "{named}");
}

#[test]
fn a_place_in_the_name_and_one_in_an_argument_contradict_each_other() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("a.log"), "one\ntwo\nthree\n").unwrap();
    let mut client = Client::start(dir.path(), &[]);
    for other in [json!({"lines": "3"}), json!({"bytes": "0:2"}), json!({"page": 1})] {
        let mut arguments = json!({"path": "a.log:2"});
        arguments.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
        let refused = client.call("read", &arguments);
        assert_eq!(refused["isError"], true, "{refused}");
        assert!(refused.to_string().contains("'a.log:2' names lines"), "{refused}");
    }
    assert!(client.text("read", &json!({"path": "a.log:2"})).ends_with("two\n"));
}

#[test]
fn following_next_returns_the_parts_that_had_no_room_too() {
    let dir = TempDir::new().unwrap();
    let text = |name: &str| (1..=60).map(|n| format!("line {n} of {name}\n")).collect::<String>();
    for name in ["a.log", "b.log", "c.log"] {
        fs::write(dir.path().join(name), text(name)).unwrap();
    }
    let members = ["a.log", "b.log", "c.log"].map(|name| (name, text(name)));
    fs::write(dir.path().join("logs.tar"), tar_of(&members)).unwrap();
    let mut client = Client::start(dir.path(), &[]);
    for arguments in [
        json!({"paths": ["a.log", "b.log", "c.log"], "lines": "1:40"}),
        json!({"path": "a.log", "lines": "1:40,50:60,7:9"}),
        json!({"path": "logs.tar", "lines": "2:30"}),
        json!({"paths": ["a.log:1:30", "c.log", "a.log:2"]}),
        json!({"paths": ["a.log", "a.log", "b.log"], "page": 1}),
    ] {
        let asked = |max_bytes: u64, skip: Option<u64>| {
            let mut asked = arguments.clone();
            asked["max_bytes"] = json!(max_bytes);
            skip.into_iter().for_each(|skip| asked["skip"] = json!(skip));
            asked
        };
        let facts = |text: &str| {
            let parts = text.lines().filter(|line| line.contains(" | bytes ") && !line.contains("more part"));
            parts.map(|line| line.split(" | ").take(2).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
        };
        let all = facts(&client.text("read", &asked(100_000, None)));
        let (mut parts, mut call, mut calls) = (0, asked(700, None), 0);
        loop {
            let answer = client.text("read", &call);
            calls += 1;
            parts += facts(&answer).len();
            let Some(last) = answer.lines().last().filter(|line| line.contains("more part")) else { break };
            call = next_of(last).unwrap();
            assert_eq!(call["skip"], parts, "{answer}");
        }
        assert!(calls > 1 && parts == all.len(), "{arguments}: {parts} of {all:?}");
    }
    // The parts of a log that is out of order come together.
    let mixed: String = (0..120)
        .map(|n| format!("2026-03-10T06:{:02}:{:02}Z request {n} of some\n", n * 7 % 60, n % 60))
        .collect();
    fs::write(dir.path().join("mixed.log"), mixed).unwrap();
    fs::write(dir.path().join("other.log"), "2026-03-10T06:12:00Z other\n".repeat(3)).unwrap();
    let window =
        json!({"paths": ["mixed.log", "other.log"], "since": "06:10", "until": "06:14", "tz": "UTC"});
    let (mut call, mut texts) = (window.clone(), Vec::new());
    call["max_bytes"] = json!(600);
    loop {
        texts.push(client.text("read", &call));
        let last = texts.last().unwrap().lines().last().filter(|line| line.contains("more part"));
        let Some(next) = last.and_then(next_of) else { break };
        call = next;
    }
    let requests = |text: &str| text.lines().filter(|line| line.starts_with("2026-")).count();
    let all = client.text("read", &window);
    assert!(texts.len() > 1 && requests(&texts[0]) < 8, "{texts:?}");
    assert_eq!(requests(texts.last().unwrap()), requests(&all), "{texts:?}");
    assert_eq!(requests(&all), 11, "{all}");
    // The rest of a table has its header too.
    let cut = client.text("read", &json!({"path": "a.log", "lines": "3:50", "header": 1, "max_bytes": 600}));
    assert_eq!(next_of(parted(&cut).0).unwrap()["header"], 1, "{cut}");
}

/// A name must not look like another header line.
#[test]
#[cfg(unix)]
fn a_name_with_a_newline_stays_on_the_header_line() {
    let sandbox = Sandbox::with("a.log", "x\n");
    sandbox.file("new\nline | lines 9-9.log", "a\n");
    let mut client = Client::start(&sandbox.path("."), &[]);
    let text = client.text("read", &json!({"path": "new\nline | lines 9-9.log"}));
    assert!(text.starts_with("new\\nline | lines 9-9.log | "), "{text}");
}

/// A file without a match may not have been read as what it is.
#[test]
fn a_search_without_a_match_says_what_contradicts_the_guess() {
    let plain = "plain ascii line here\n".repeat(2000);
    let late = [
        plain.as_bytes(),
        b"\xDCber die Stra\xDFe gehen m\xFCssen wir gr\xF6\xDFere B\xE4ume.\n",
        &b"plain\n".repeat(3000),
    ]
    .concat();
    let sandbox = Sandbox::with("late.txt", late);
    sandbox.file("plain.txt", &plain);
    let mut client = Client::start(&sandbox.path("."), &[]);
    let found = |client: &mut Client, path: &str| {
        client.call("search", &json!({"path": path, "pattern": "größere"}))["structuredContent"].clone()
    };
    let answer = found(&mut client, "late.txt");
    assert_eq!(
        (&answer["matched_lines"], answer["files"][0]["guess_contradicted"]["first_byte"].as_u64()),
        (&json!(0), Some(44_000)),
        "{answer}"
    );
    assert_eq!(found(&mut client, "plain.txt")["files"], json!([]));
}

/// The hint of the receipt is a command line, with the path of the server.
#[test]
fn a_guess_that_is_contradicted_has_no_command_line() {
    let record = |n: u32| {
        let rows =
            if n.is_multiple_of(3) { "\t(0, '2020-01-01 00:00:00'),\n".repeat(3) } else { String::new() };
        format!("2026-05-03 04:00:{n:02}.100 UTC [1] LOG:  statement\n{rows}")
    };
    let sandbox = Sandbox::with("p.log", (0..30).map(record).collect::<String>());
    let mut client = Client::start(&sandbox.path("."), &[]);
    let window = json!({"path": "p.log", "since": "2026-05-03T04:00:28Z", "tz": "UTC"});
    let mut searched = window.clone();
    searched["pattern"] = json!("statement");
    for (tool, arguments) in [("read", window), ("search", searched)] {
        let text = client.call(tool, &arguments)["content"][0]["text"].as_str().unwrap().to_owned();
        assert!(text.contains("statement"), "{text}");
        assert!(!text.contains("rread ") && !text.contains(sandbox.path(".").to_str().unwrap()), "{text}");
    }
}
