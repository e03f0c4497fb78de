//! `lines` and `search` with a window of time.

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use rread_testkit::sandbox::{Sandbox, fixture_bytes};

/// A record a second from 06:00:00 on; every tenth has two more lines.
pub fn log() -> String {
    let record = |n: u32| {
        let trace = if n.is_multiple_of(10) { "\tat a\n\tat b\n" } else { "" };
        format!("2026-11-23T06:{:02}:{:02}Z INFO request {n}\n{trace}", n / 60, n % 60)
    };
    (0..600).map(record).collect()
}

/// The lines from the record `first` up to `last`, which is not included.
pub fn records(first: &str, last: &str) -> String {
    let text = log();
    let at =
        |word: &str| text.find(word).map_or(text.len(), |at| text[..at].rfind('\n').map_or(0, |at| at + 1));
    text[at(&format!("{first}Z"))..at(&format!("{last}Z"))].to_owned()
}

#[test]
fn lines_of_a_window() {
    let sandbox = Sandbox::with("a.log", log());
    let run = sandbox.line("lines a.log --since 06:01 --until 06:05 --tz UTC --raw").ok();
    assert_eq!(run.text(), records("06:01:00", "06:05:00"));
    let run = sandbox.line("a.log --since 06:09:58 --tz UTC --raw").ok();
    assert_eq!(run.text(), records("06:09:58", "never"));
    let run = sandbox.line("lines a.log --until 2026-11-23T07:00:02+01:00 --tz UTC --raw").ok();
    assert_eq!(run.text(), records("06:00:00", "06:00:02"));
    let run = sandbox.line("lines a.log --since 06:01 --until +2s --tz UTC --raw").ok();
    assert_eq!(run.text(), records("06:01:00", "06:01:02"));
}

/// A time that a line of a record tells is not the time of a record, although it has a format of logs.
#[test]
fn times_in_a_record_begin_none() {
    let lines = [
        "Caused by: token expired at 2026-11-23T05:30:00Z",
        "DETAIL:  last backup 2026-11-22 HOUR",
        "Date: Mon, 23 Nov 2026 05:30:00 GMT",
        "{\"expires\":\"2026-11-23 05:30:00\"}",
        "10.0.0.1 - - [10/Oct/2000:13:55:36 +0000] \"GET /x HTTP/1.1\" 200 12",
    ];
    for (line, offset) in lines.iter().flat_map(|line| [(line, 4), (line, 19)]) {
        let record = |n: u32| {
            let clock = format!("06:{:02}:{:02}", n / 60, n % 60);
            let told =
                if n % 20 == offset { format!("{}\n", line.replace("HOUR", &clock)) } else { String::new() };
            format!("2026-11-23 {clock},100 INFO main - step {n}\n{told}")
        };
        let records: Vec<String> = (0..600).map(record).collect();
        let sandbox = Sandbox::with("a.log", records.concat());
        let run = sandbox.line("lines a.log --since 06:02 --until 06:05 --tz UTC --raw").ok();
        assert_eq!(run.text(), records[120..300].concat(), "{line}");
    }
}

#[test]
fn the_receipt_has_the_window_and_is_true() {
    let sandbox = Sandbox::with("a.log", log());
    let document = sandbox.line("lines a.log --since 07:01:10 --until 07:01:12 --tz +01:00").ok().document();
    let expected = records("06:01:10", "06:01:12");
    assert_eq!(document.content, expected);
    let before = log().find(&expected).unwrap();
    assert_eq!(document.fact("range"), format!("{before}-{}", before + expected.len()));
    let line = log()[..before].matches('\n').count() + 1;
    assert_eq!(document.fact("lines"), format!("{line}-{}", line + 3));

    let run = sandbox.line("lines a.log --since 06:01:10 --until 06:01:12 --tz UTC --json").ok();
    let json = run.json();
    assert_eq!(json["content"], expected.as_str());
    let time = &json["metadata"]["time"];
    assert_eq!(time["first"], "2026-11-23T06:00:00+00:00");
    assert_eq!(time["last"], "2026-11-23T06:09:59+00:00");
    assert_eq!(time["since"], "2026-11-23T06:01:10+00:00");
    assert_eq!(time["until"], "2026-11-23T06:01:12+00:00");
    assert_eq!((&time["format"], &time["zone"]), (&"rfc3339".into(), &"UTC".into()));
    assert_eq!(json["metadata"]["actual_range"]["start_line"], line);
    assert!(
        sandbox
            .line("lines a.log --since 06:01:10 --until 06:01:12 --tz UTC -f xml")
            .ok()
            .text()
            .contains("time_first=\"2026-11-23T06:00:00+00:00\"")
    );
}

/// What a loop gets that follows `next`, and how many calls it takes.
fn followed(sandbox: &Sandbox, call: &str, budget: &str) -> (String, u32) {
    let (mut call, mut got) = (call.to_owned(), String::new());
    for calls in 1..2000 {
        let json = sandbox.line(&format!("{call} {budget} --json")).ok().json();
        let parts = json["segments"].as_array().cloned().unwrap_or_else(|| vec![json.clone()]);
        let mut next = &serde_json::Value::Null;
        for part in &parts {
            got += part["content"].as_str().unwrap();
            next = &part["metadata"]["next"];
        }
        let Some(command) = next["command"].as_str() else { return (got, calls) };
        assert_eq!(next["bounded"], true, "{json}");
        call = format!("{command} a.log {} --bounded", next["range"].as_str().unwrap());
    }
    panic!("{call}");
}

#[test]
fn next_leads_to_the_end_of_a_window_and_not_past_it() {
    let sandbox = Sandbox::with("a.log", log());
    let call = "lines a.log --since 06:01 --until 06:05 --tz UTC";
    let expected = records("06:01:00", "06:05:00");
    for (budget, at_least) in [("", 1), ("--max-bytes 1000", 8), ("--max-lines 100", 3)] {
        let (got, calls) = followed(&sandbox, call, budget);
        assert!(got == expected && calls >= at_least, "{budget}: {calls} calls, {got}");
    }
    let (got, _) = followed(&sandbox, "lines a.log --since 06:05 --tz UTC", "--max-bytes 1000");
    assert!(got == records("06:05:00", "never"), "{got}");
    let call_of_seconds = "lines a.log --since 06:01 --until 06:01:05 --tz UTC";
    let (got, calls) = followed(&sandbox, call_of_seconds, "--max-bytes 20");
    assert!(got == records("06:01:00", "06:01:05") && calls > 10, "{calls} calls, {got}");
    // The line of the receipt is a whole command.
    let document = sandbox.line(&format!("{call} --max-bytes 9000")).ok().document();
    let next = document.fact("next").to_owned();
    let rest = next.strip_prefix("bytes ").unwrap();
    let rest = sandbox.line(&format!("bytes a.log {rest}")).ok().document();
    assert_eq!(document.content + &rest.content, expected, "{next}");
    assert!(!rest.has("next"), "{:?}", rest.facts);
}

#[test]
fn a_bounded_range_has_nothing_after_it() {
    let sandbox = Sandbox::with("a.log", "0123456789.".repeat(20));
    for (range, next) in [
        ("5:100", Some("15:100")),
        ("5:+95", Some("15:100")),
        (":-20", Some("10:-20")),
        ("7:", Some("17:")),
        ("-100:+50", Some("130:-50")),
        ("5:15", None),
        ("210:", None),
        ("220:", None),
    ] {
        let call = format!("bytes a.log {range} --bounded --max-bytes 10 --json");
        let json = sandbox.line(&call).ok().json();
        assert_eq!(json["metadata"]["next"]["range"].as_str(), next, "{json}");
    }
}

#[test]
fn an_empty_window_is_a_success_and_says_where_it_would_be() {
    let text = log();
    let sandbox = Sandbox::with("a.log", &text);
    for (window, place) in [
        ("--since 05:00 --until 05:30", 0),
        ("--since 06:01:00.5 --until 06:01:00.7", text.find("2026-11-23T06:01:01Z").unwrap()),
        ("--since 07:00 --until 08:00", text.len()),
        ("--since 07:00", text.len()),
        ("--until 05:00", 0),
    ] {
        let document = sandbox.line(&format!("lines a.log {window} --tz UTC")).ok().document();
        assert_eq!(document.content, "", "{window}");
        assert_eq!(document.fact("range"), format!("{place}-{place}"), "{window}");
        // A search says the same.
        for options in ["", "--last 2"] {
            let run = sandbox.line(&format!("search request a.log {window} --tz UTC {options}"));
            assert_eq!(run.code, 1, "{run}");
            let searched = run.document().fact("searched").to_owned();
            assert_eq!(searched, format!("{place}-{place}"), "{window}");
            let run = sandbox.line(&format!("search request a.log {window} --tz UTC {options} --json"));
            let searched = &run.json()["metadata"]["searched"];
            assert_eq!(*searched, serde_json::json!({"start_byte": place, "end_byte": place}), "{window}");
        }
    }
}

#[test]
fn a_window_after_the_last_record_is_said_in_text() {
    let sandbox = Sandbox::with("a.log", "2026-01-01T00:00:01Z a\n2026-01-01T00:00:02Z b\n");
    let run = sandbox.line("lines a.log --since 2026-01-02 --tz UTC -f text");
    assert_eq!((run.code, run.text()), (0, ""));
    run.says(contains("the window is after the last record").and(contains("rread lines a.log -20:")));
    // The last record of the file is not the latest one.
    sandbox.file("b.log", "2026-01-01T06:00:00Z a\n2026-01-01T08:00:00Z b\n2026-01-01T06:30:00Z late\n");
    for command in ["lines b.log", "search b b.log", "stat b.log"] {
        let run = sandbox.line(&format!("{command} --since 2026-01-01T07:30 --tz UTC -f text")).ok();
        assert!(!run.stderr.contains("after the last"), "{run}");
    }
}

/// Rows of data that begin with a blank continue records, also if they are more.
#[test]
fn rows_with_dates_continue_records() {
    for (every, rows, is_last) in [(3, 3, true), (2, 3, false), (7, 1, false)] {
        let record = |n: usize| {
            let data = if n.is_multiple_of(every) {
                "\t(0, '2020-01-01 00:00:00'),\n".repeat(rows)
            } else {
                String::new()
            };
            format!("2026-05-03 04:00:{n:02}.100 UTC [1] LOG:  statement\n{data}")
        };
        let last = if is_last { "" } else { "2026-05-03 04:00:59.100 UTC [1] LOG:  end\n" };
        let log = (0..30).map(record).collect::<String>() + last;
        let sandbox = Sandbox::with("p.log", &log);
        let run = sandbox.line("lines p.log --since 2026-05-03T04:00:00Z --tz UTC --raw");
        assert_eq!(run.stderr, "", "{every} {rows}");
        assert!(
            run.text() == log,
            "{every} {rows}: {} of {}",
            run.text().lines().count(),
            log.lines().count()
        );
        let run = sandbox.line("lines p.log --since 2026-05-03T04:00:28Z --tz UTC --raw").ok();
        assert!(run.text().starts_with("2026-05-03 04:00:28.100"), "{run}");
        let run = sandbox.line("search statement p.log --unit record -m 1 -f text").ok();
        assert_eq!(run.text().lines().count(), 1 + rows, "{run}");
    }
}

#[test]
fn search_within_a_window() {
    let sandbox = Sandbox::with("a.log", log());
    let run = sandbox.line("search -c request a.log --since 06:01 --until 06:03 --tz UTC --raw").ok();
    assert_eq!(run.text(), "120\n");
    let run = sandbox.line("search request a.log --since 06:01 --until 06:03 --tz UTC -f text --last 1").ok();
    assert!(run.text().ends_with("request 179\n"), "{run}");
    let run = sandbox.line("search request a.log --since 06:01 --until 06:01:05 --tz UTC -m 3").ok();
    let document = run.document();
    assert_eq!(document.fact("matches"), "3");
    let next = document.fact("next");
    let next = next.trim_matches('"').to_owned();
    let rest = sandbox.line(&format!("{next} -f text")).ok();
    assert_eq!(rest.text().lines().count(), 2, "{next}: {rest}");
    assert!(rest.text().ends_with("request 64\n"), "{rest}");
    let none = sandbox.line("search request a.log --since 08:00 --tz UTC");
    assert_eq!(none.code, 1, "{none}");
}

#[test]
fn a_relative_time_counts_from_now() {
    let now = jiff::Timestamp::now();
    let line = |minutes: i64| {
        let time = now.checked_sub(jiff::SignedDuration::from_mins(minutes)).unwrap();
        format!("{} minute {minutes}\n", time.strftime("%Y-%m-%dT%H:%M:%SZ"))
    };
    let sandbox = Sandbox::with("a.log", (0..60).rev().map(line).collect::<String>());
    let run = sandbox.line("search -c minute a.log --since -15m --raw").ok();
    assert!(["15\n", "16\n"].contains(&run.text()), "{run}");
    assert_eq!(sandbox.line("lines a.log --since -15m --raw").ok().text().lines().count(), 15);
}

#[test]
fn disorder_is_seen_and_scan_gives_each_part() {
    let more = "x".repeat(200);
    let part =
        |hour: u32| (0..2000).map(move |n| format!("2026-11-23T{hour:02}:{:02}:{:02}Z ", n / 60, n % 60));
    let text: String = part(6).chain(part(3)).chain(part(9)).map(|time| time + &more + "\n").collect();
    assert!(text.len() > 1 << 20);
    let sandbox = Sandbox::with("a.log", text);
    // A file of up to 64 MiB whose order is broken is looked at whole.
    let json = sandbox.line("lines a.log --since 03:10 --until 03:20 --tz UTC --json").ok().json();
    assert_eq!(
        (json["metadata"].get("notices"), &json["metadata"]["actual_range"]["start_line"]),
        (None, &2601.into())
    );
    let json = sandbox.line("lines a.log --until 06:00:01 --tz UTC --scan --json").ok().json();
    assert_eq!(json["segments"].as_array().unwrap().len(), 2);
    assert_eq!(json["metadata"].get("notices"), None);
    let run = sandbox.line("lines a.log --until 06:00:01 --tz UTC --scan --raw").ok();
    assert_eq!(run.text().lines().count(), 2001);
}

/// Every command finds the records of a small file, whatever their order.
#[test]
fn the_order_of_a_small_file_does_not_matter() {
    let text =
        "2024-03-11T06:00:00Z a\n2024-03-11T06:05:00Z b\n2024-03-11T06:01:00Z c\n2024-03-11T06:06:00Z d\n";
    let sandbox = Sandbox::with("a.log", text);
    sandbox.file("b.log", "2024-03-11T06:01:30Z e\n");
    let window = "--since 06:01 --until 06:02 --tz UTC";
    let c = "2024-03-11T06:01:00Z c\n";
    for line in ["lines a.log", "search Z a.log"] {
        let run = sandbox.line(&format!("{line} {window} --raw")).ok();
        assert_eq!((run.text(), run.stderr.as_str()), (c, ""), "{line}");
    }
    let stat = sandbox.line(&format!("stat a.log {window} --json")).ok().json();
    assert_eq!((&stat["range"], stat.get("notices")), (&serde_json::json!("46-69"), None));
    let run = sandbox.line(&format!("lines a.log b.log --merge {window} -f text --no-path")).ok();
    assert_eq!(run.text(), format!("{c}2024-03-11T06:01:30Z e\n"));
    let json = sandbox.line("where a.log --time 06:05:30 --tz UTC --json").ok().json();
    assert!(json.to_string().contains("\"line\":4") && !json.to_string().contains("unordered"), "{json}");
    let json = sandbox.line("lines a.log --since 06:05 --tz UTC --json").ok().json();
    assert_eq!(json["segments"].as_array().unwrap().len(), 2, "{json}");
}

#[test]
fn mistakes() {
    let sandbox = Sandbox::with("a.log", log());
    sandbox.file("text", "one\ntwo\n");
    sandbox.file(
        "colours",
        "\x1b[32mSep 21 \x1b[1m10:30:01\x1b[0m a\n\x1b[32mSep 21 \x1b[1m10:30:02\x1b[0m b\n",
    );
    let run = sandbox.line("lines colours --since 10:30").refused(6);
    assert!(run.stderr.contains("hint: --plain leaves out the colours"), "{run}");
    let run = sandbox.line("lines text --since 06:00").refused(6);
    let hint = "hint: --time-format names the format, as in strptime: %Y-%m-%d, %d.%m.%y, %H:%M:%S.%f, %s\n";
    assert!(run.stderr.contains(hint), "{run}");
    assert!(run.stderr.contains("it begins with 'one'") && run.stderr.contains("--time-format"), "{run}");
    // The hint is what was typed, with the option that helps.
    sandbox.file("o.log", "03/11/2024 06:00:00 a\n03/11/2024 06:00:01 b\n");
    sandbox.file("z.log", "2026-11-23 06:26:04 CST a\n".repeat(3));
    let order = "--time-format '%d/%m/%Y %H:%M:%S'";
    for (line, added) in [
        ("lines o.log --since 06:00 --tz Europe/Berlin --max-bytes 4000 --scan", order),
        ("lines o.log -n --since 06:00 -f text", order),
        ("search -i A o.log --until 07:00 --tz UTC -C 3", order),
        ("stat o.log --since 06:00", order),
        ("where o.log --time 06:00", order),
        ("search a z.log --since 06:00", "--tz America/Chicago"),
        ("lines --since 06:00 -- o.log", order),
    ] {
        let run = sandbox.line(line).refused(6);
        let typed = match line.split_once(" -- ") {
            Some((before, after)) => format!("{before} {added} -- {after}"),
            None => format!("{line} {added}"),
        };
        assert!(run.stderr.contains(&format!(": rread {typed}\n")), "{run}");
    }
    let run = sandbox.line("lines o.log --since 06:00 --tz UTC").refused(6);
    assert!(run.stderr.contains("which number is the day: 2024-03-11 or 2024-11-03"), "{run}");
    for call in [
        "lines a.log 1:5 --since 06:00",
        "lines a.log:3 --since 06:00",
        "lines a.log --offset 3 --since 06:00",
        "lines a.log -C 3 --since 06:00",
        "lines a.log --since six",
        "lines a.log --tz UTC",
        "lines a.log --since 06:00 --tz Nowhere/Else",
        "lines a.log --since 2026-11-23T06:00 --until 2026-11-23T05:00",
        "lines a.log --since 06:00 --time-format %Q",
        "search a a.log --since 06:00 --in 1:3",
        "search a a.log --scan",
    ] {
        sandbox.line(call).refused(2);
    }
}

#[test]
fn a_custom_format_and_seconds_since_boot() {
    let custom: String = (0..60).map(|n| format!("<23.11.26 um 06:{n:02}> step {n}\n")).collect();
    let sandbox = Sandbox::with("custom", custom);
    let args = [
        "lines",
        "custom",
        "--since",
        "06:10",
        "--until",
        "06:12",
        "--time-format",
        "%d.%m.%y um %H:%M",
        "--tz",
        "UTC",
        "--raw",
    ];
    assert_eq!(sandbox.run(args).ok().text(), "<23.11.26 um 06:10> step 10\n<23.11.26 um 06:11> step 11\n");
    sandbox.file("boot", (0..60).map(|n| format!("[{:5}.000000] usb {n}\n", n * 10)).collect::<String>());
    assert_eq!(sandbox.line("lines boot --since -20s --raw").ok().text().lines().count(), 3);
    assert_eq!(sandbox.line("lines boot --since 100 --until 120.5 --raw").ok().text().lines().count(), 3);
    sandbox.line("lines boot --since 06:00").refused(2);
}

#[test]
fn records_of_the_fixture() {
    let text = String::from_utf8(fixture_bytes("service.log")).unwrap();
    let sandbox = Sandbox::with("s.log", &text);
    let run = sandbox.line("lines s.log --since 06:01 --until 06:02 --tz UTC --raw").ok();
    let is_in = |line: &&str| line.starts_with("2024-03-11T06:01:");
    let first = text.split_inclusive('\n').position(|line| is_in(&line)).unwrap();
    assert!(run.text().starts_with(text.split_inclusive('\n').nth(first).unwrap()), "{run}");
    let times = run.text().lines().filter(|line| line.starts_with("2024-")).count();
    assert_eq!(times, text.lines().filter(is_in).count());
}

#[test]
fn where_a_time_is() {
    let text = log();
    let sandbox = Sandbox::with("a.log", &text);
    let place = text.find("2026-11-23T06:03:20Z").unwrap();
    let line = text[..place].matches('\n').count() + 1;
    for time in ["06:03:19.5", "2026-11-23T06:03:20Z"] {
        let json = sandbox.line(&format!("where a.log --time {time} --tz UTC --json")).ok().json();
        assert_eq!((&json["byte"], &json["line"]), (&place.into(), &line.into()));
        assert_eq!(json["range"], format!("{place}-{}", place + text[place..].find('\n').unwrap() + 1));
        assert_eq!(json["time"]["last"], "2026-11-23T06:09:59+00:00");
    }
    sandbox.line("where a.log --time 09:00 --tz UTC").refused(5);
    sandbox.line("where a.log --line 3 --tz UTC").refused(2);
    sandbox.line("where a.log --line 3 --time 06:00").refused(2);
}
