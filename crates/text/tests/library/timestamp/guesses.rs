//! What speaks for a format and a position, and what speaks against them.

use rread_text::timestamp::{Rule, TimeContext, Timestamp, UnreadLine, detect_in, format_of, zone};

use super::{detected, time, utc};

/// The lines of which each is repeated with numbers from 10 on for `{}`.
fn many(lines: &[&str], count: usize) -> Vec<String> {
    let one = |number: usize| move |line: &&str| line.replace("{}", &number.to_string());
    (10..10 + count).flat_map(|number| lines.iter().map(one(number)).collect::<Vec<_>>()).collect()
}

/// The format of lines that are repeated, and the time of their first.
fn first(lines: &[&str]) -> Option<(String, Timestamp)> {
    let lines = many(lines, 20);
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let found = detected(&lines)?;
    let time = found.time_of(lines[0].as_bytes(), &utc()).unwrap();
    Some((found.format().to_owned(), time))
}

#[test]
fn each_program_after_a_prefix_has_its_own_format() {
    let services = [
        "web | 10.0.0.1 - - [03/Mar/2026:10:30:{} +0000] \"GET /\" 200",
        "db | 2026-03-03 10:30:{}.123 UTC [1] LOG:  x",
        "redis | 1:M 03 Mar 2026 10:30:{}.123 * x",
        "api | {\"level\":\"info\",\"msg\":\"of 2020-01-01 00:00:00\",\"at\":\"2026-03-03T10:30:{}Z\"}",
        "worker | 2026/03/03 10:30:{} [error] x",
    ];
    for (from, to) in
        [(" | ", "  | "), (" | ", ": "), (" | ", "\t"), (" | ", " - "), (" | ", "> "), (" | ", "] ")]
    {
        let services: Vec<String> = services.iter().map(|line| line.replacen(from, to, 1)).collect();
        let lines = many(&services.iter().map(String::as_str).collect::<Vec<_>>(), 20);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let found = detected(&lines).unwrap_or_else(|| panic!("{to}"));
        for line in &lines {
            assert!(found.time_of(line.as_bytes(), &utc()).is_some(), "{to}: {line}");
        }
    }
}

#[test]
fn a_prefix_with_a_clock_and_one_in_a_short_log_are_found() {
    for (lines, count) in [
        (
            &[
                "16:04:{} web.1    | 2026-03-03 10:30:{} INFO x",
                "16:04:{} worker.1 | [2026-03-03T10:30:{}Z] y",
                "16:04:{} system   | 03/Mar/2026:10:30:{} +0000 z",
            ][..],
            20,
        ),
        (
            &[
                "\u{1b}[36m16:04:{} web.1  |\u{1b}[0m 2026-03-03T10:30:{}Z x",
                "\u{1b}[33m16:04:{} db.1   |\u{1b}[0m 2026-03-03 10:30:{} y",
            ],
            20,
        ),
        (&["web-1  | {\"level\":\"info\",\"time\":\"2026-03-03T10:30:{}Z\"}"], 4),
        (
            &[
                "web-1  | {\"level\":\"info\",\"time\":\"2026-03-03T10:30:{}Z\"}",
                "db-1   | {\"msg\":\"x\",\"ts\":17725338{}.5}",
            ],
            2,
        ),
        (&["a-1  | {\"time\":\"2026-03-03T10:30:{}Z\"}", "b-1  | {\"time\":\"2026-03-03T10:30:{}Z\"}"], 2),
    ] {
        let lines = many(lines, count);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let found = detected(&lines).unwrap_or_else(|| panic!("{lines:?}"));
        for line in &lines {
            let time = found.time_of(line.as_bytes(), &utc());
            assert!(time.is_some_and(|time| time.to_string().starts_with("2026-03-03T10:30")), "{line}");
        }
    }
}

#[test]
fn a_service_that_writes_few_lines_has_its_own_format() {
    let rare = "2026-03-03T10:30:15.500Z FATAL disk full";
    for (prefix, of_rare, is_evident) in [
        ("web-1  | ", "db-1   | ", true),
        ("web-1 | ", "payments-db-1 | ", true),
        ("\u{1b}[36mweb-1  |\u{1b}[0m ", "\u{1b}[33mdb-1   |\u{1b}[0m ", true),
        ("[pod/web-abc/app] ", "[pod/db-0/postgres] ", true),
        // These may be words of a program, too.
        ("web-1 app ", "db-0 postgres ", false),
        ("web: ", "db: ", false),
        ("[web] ", "[db] ", false),
    ] {
        let web = format!("{prefix}10.0.0.1 - - [03/Mar/2026:10:30:{{}} +0000] \"GET /\" 200");
        let lines = many(&[&web], 40);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let found = detected(&lines).unwrap();
        assert!(lines.iter().all(|line| found.time_of(line.as_bytes(), &utc()).is_some()), "{prefix}");
        let around = |line| UnreadLine {
            line,
            before: Some(time("2026-03-03T10:30:15Z")),
            after: Some(time("2026-03-03T10:30:16Z")),
        };
        let line = format!("{of_rare}{rare}");
        assert!(found.is_like_record(around(line.as_bytes())), "{prefix}");
        let more = found.with_more(&[around(line.as_bytes()), around(line.as_bytes())], false);
        let is_read = more.is_some_and(|more| more.time_of(line.as_bytes(), &utc()).is_some());
        assert_eq!(is_read, is_evident, "{prefix}");
    }
    // Without such words before the other lines, one before a date is of its text.
    let lines = many(&["2026-03-03 10:30:{} INFO x"], 40);
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let around = UnreadLine {
        line: b"created: 2026-03-03T10:30:15.500Z",
        before: Some(time("2026-03-03T10:30:15Z")),
        after: Some(time("2026-03-03T10:30:16Z")),
    };
    assert!(!detected(&lines).unwrap().is_like_record(around));
}

#[test]
fn the_time_of_a_record_goes_on() {
    for (line, expected) in [
        (
            "{\"build_time\":\"2026-01-01T00:00:00Z\",\"msg\":\"m\",\"eventTime\":\"2026-03-03T10:30:{}Z\"}",
            "2026-03-03T10:30:10Z",
        ),
        (
            "{\"not_after\":\"2027-01-01T00:00:00Z\",\"created\":\"2026-03-03T10:30:{}Z\"}",
            "2026-03-03T10:30:10Z",
        ),
        ("started=2026-01-01T00:00:00Z ts=2026-03-03T10:30:{}Z msg", "2026-03-03T10:30:10Z"),
        ("app[boot 2026-01-01T00:00:00Z] 2026-03-03T10:30:{}.000Z msg", "2026-03-03T10:30:10Z"),
        ("ts=2026-03-03T10:30:{}Z started=2026-01-01T00:00:00Z msg", "2026-03-03T10:30:10Z"),
    ] {
        assert_eq!(first(&[line]).map(|(_, time)| time), Some(time(expected)), "{line}");
    }
}

#[test]
fn lines_between_objects_continue_a_record() {
    let mut lines = many(&["{\"datetime\":\"2026-03-03T10:30:{}Z\",\"msg\":\"x\"}"], 30);
    for at in [3, 9, 15, 21, 27] {
        lines.insert(at, "Error: boom".to_owned());
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let found = detected(&lines).unwrap();
    assert!(found.time_of(lines[0].as_bytes(), &utc()).is_some());
}

#[test]
fn records_of_a_launcher_come_before_those_of_the_program() {
    let mut lines: Vec<String> = (0..5).map(|n| format!("[ERROR] 2026-03-03 10:29:0{n} x")).collect();
    lines.extend(many(&["[2026-03-03T10:30:{},000][INFO ] y"], 50));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let found = detected(&lines).unwrap();
    for line in [lines[0], lines[4], lines[5], lines[54]] {
        assert!(found.time_of(line.as_bytes(), &utc()).is_some(), "{line}");
    }
}

#[test]
fn the_records_of_another_program_without_a_prefix_are_like_records() {
    let known = many(&["2026-03-03 10:30:{},123 INFO main x"], 40);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let found = detected(&known).unwrap();
    let around = |line| UnreadLine {
        line,
        before: Some(time("2026-03-03T10:30:15Z")),
        after: Some(time("2026-03-03T10:30:16Z")),
    };
    for (line, is_like) in [
        ("{\"level\":30,\"time\":1772533815500,\"msg\":\"x\"}", true),
        ("10.0.0.1 - - [03/Mar/2026:10:30:15 +0000] \"GET /\" 200", true),
        ("{\"level\":30,\"time\":1472533815500,\"msg\":\"x\"}", false),
        ("{\"took\":30,\"time\":12}", false),
        ("10.0.0.1 - - [03/Mar/2020:10:30:15 +0000] \"GET /\" 200", false),
        ("    10.0.0.1 - - [03/Mar/2026:10:30:15 +0000]", false),
        ("row (\"2026-03-03 10:30:15\", 1)", false),
    ] {
        assert_eq!(found.is_like_record(around(line.as_bytes())), is_like, "{line}");
    }
}

#[test]
fn a_byte_order_mark_is_not_a_part_of_a_line() {
    let found = detected(&["2026-03-03T10:30:00Z a", "2026-03-03T10:30:01Z b"]).unwrap();
    let marked = "\u{feff}2026-03-03T10:30:02Z c";
    let (record, place) = found.read_at(marked.as_bytes(), &utc()).unwrap();
    assert_eq!((record.time, place), (time("2026-03-03T10:30:02Z"), 3..23));
}

#[test]
fn a_row_of_data_is_not_a_record() {
    let mut lines = many(&["2026-03-03 10:30:{}.123 UTC [12] LOG:  statement"], 40);
    lines.insert(20, "('2020-01-01 00:00:00', 1),".to_owned());
    lines.insert(21, "('2020-01-02 00:00:00', 2);".to_owned());
    lines.push("('2020-01-02 00:00:00', 2);".to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let found = detected(&lines).unwrap();
    assert!(found.time_of(lines[20].as_bytes(), &utc()).is_none());
    let unread = |line: &'static str| UnreadLine {
        line: line.as_bytes(),
        before: Some(time("2026-03-03T10:30:00Z")),
        after: Some(time("2026-03-03T10:31:00Z")),
    };
    let old = [unread("[2020-01-01 00:00:00] a"), unread("[2020-01-01 00:00:01] a")];
    assert!(found.with_more(&old, true).is_none());
    assert!(!found.is_like_record(old[0]));
    let new = [unread("[2026-03-03 10:30:10] a"), unread("[2026-03-03 10:30:11] a")];
    assert!(found.with_more(&new, true).is_some());
    assert!(found.is_like_record(new[0]));
}

#[test]
fn the_member_with_the_time_has_any_name_but_is_a_whole_value() {
    let of = |line: &str| first(&[line]).map(|(_, time)| time.to_string());
    let at = Some("2026-03-03T10:30:10Z".to_owned());
    assert_eq!(
        of(r#"{"message":"import of 2025-07-01 08:00:00 {}","datetime":"2026-03-03T10:30:{}+00:00"}"#),
        at
    );
    assert_eq!(of(r#"{"eventVersion":"1.{}","eventTime":"2026-03-03T10:30:{}Z"}"#), at);
    assert_eq!(of(r#"{"t":{"$date":"2026-03-03T10:30:{}Z"},"s":"I"}"#), at);
    assert_eq!(of(r#"{"msg":"x {}","createdAt":17725338{}}"#), Some("2026-03-03T10:30:10Z".to_owned()));
    assert_eq!(of(r#"{"message":"at 2026-03-03T10:30:{}Z it began"}"#), None);
    assert_eq!(of(r#"{"msg":"x {}","id":17725338{}}"#), None);
    // A number is not the time of a record that has a date, read or not.
    let long = "x".repeat(200);
    assert_eq!(
        of(&format!(r#"{{"msg":"{long}","created_at":17725338{{}},"m":{{"time":"2026-03-03T10:30:00Z"}}}}"#)),
        None
    );
    assert_eq!(of(r#"{"created_at":17725338{},"user":{"signup":"2020-01-01T00:00:00Z"}}"#), None);
    assert_eq!(of(r#"{"login_at":17725338{},"TimeGenerated":"3. 3. 2026 10.30.{}"}"#), None);
    assert_eq!(of(r#"{"ts":{}72533800,"eventTime":"2026-03-03T10:30:{}Z"}"#), at);
    assert_eq!(of(r#"{"ts":1772533810,"expires":"2026-03-04T10:30:{}Z"}"#), at);
    assert_eq!(of(r#"{"ts":17725338{},"eventTime":"2020-01-01T00:00:00Z"}"#), at);
    // Dates whose order no line shows do not leave the log to the others.
    let ambiguous =
        [r#"{"ts":1772533800,"eventTime":"2026-03-03T10:30:{}Z"}"#, r#"{"eventTime":"02/01/2026 10:30:{}"}"#];
    assert_eq!(first(&ambiguous), None);
}

#[test]
fn numbers_that_jump_and_messages_in_a_log_of_clocks_are_not_times() {
    assert!(first(&["14:50:{},615 INF installed pkg-1.el9 16779876{} 53"]).is_none());
    let mut lines = many(&["14:50:{},000 INF isys: doing"], 40);
    lines.insert(9, "14:52:20,000 INF isys: time set to Sat Apr 22 21:48:20 2023 UTC".to_owned());
    lines.insert(9, "14:52:21,000 INF isys: time set to Sat Apr 22 21:48:21 2023 UTC".to_owned());
    let lines: Vec<&[u8]> = lines.iter().map(String::as_bytes).collect();
    assert!(detect_in(&[lines], Rule::Log, None).is_none());
    let jumps: Vec<String> =
        (0..40).map(|at: u64| format!("size {} a", 1_000_000_000 + at * 77_777_777)).collect();
    let jumps: Vec<&[u8]> = jumps.iter().map(String::as_bytes).collect();
    assert!(detect_in(&[jumps], Rule::Log, None).is_none());
}

#[test]
fn zones_have_any_case_and_words_are_not_zones() {
    for (text, expected) in [
        ("2000/01/01 00:00:{} pst a", "2000-01-01T08:00:10Z"),
        ("2000/01/01 00:00:{} Nzst a", "1999-12-31T12:00:10Z"),
        ("2000/01/01 00:00:{} ART a", "2000-01-01T03:00:10Z"),
        ("2000/01/01 00:00:{} EGST a", "2000-01-01T00:00:10Z"),
        ("2000/01/01 00:00:{} NPT a", "1999-12-31T18:15:10Z"),
        ("2000/01/01 00:00:{} lint: ok", "2000-01-01T00:00:10Z"),
        ("2000/01/01 00:00:{} LINT ok", "2000-01-01T00:00:10Z"),
        ("2000/01/01 00:00:{} COST 12", "2000-01-01T00:00:10Z"),
        ("2000/01/01 00:00:{} MART opens", "2000-01-01T00:00:10Z"),
        ("2000/01/01 00:00:{} art", "2000-01-01T00:00:10Z"),
        ("2000/01/01 00:00:{} npt", "2000-01-01T00:00:10Z"),
        ("2000/01/01 00:00:{} [BOT] a", "2000-01-01T00:00:10Z"),
        ("2000/01/01 00:00:{} [NPT] a", "2000-01-01T00:00:10Z"),
        ("2000/01/01 00:00:{} [CET] a", "1999-12-31T23:00:10Z"),
        ("2000/01/01 00:00:{} cat: not found", "2000-01-01T00:00:10Z"),
        ("2000/01/01 00:00:{} GET /", "2000-01-01T00:00:10Z"),
        ("2000/01/01\t00:00:{}\tXYZ a", "2000-01-01T00:00:10Z"),
    ] {
        assert_eq!(first(&[text]).unwrap().1, time(expected), "{text}");
    }
    let lines: [&[u8]; 2] = [b"2000/01/01 00:00:01 XYZ a", b"2000/01/01 00:00:02 XYZ b"];
    let found = detect_in(&[lines.to_vec()], Rule::Log, None).unwrap();
    assert_eq!(found.unread_zone(&lines, &utc()).as_deref(), Some("XYZ"));
    assert_eq!(found.unread_zone(&[lines[0], b"2000/01/01 00:00:02 ABC b"], &utc()), None);
}

#[test]
fn the_time_of_the_file_shows_the_order_and_the_weekday_the_year() {
    let lines: [&[u8]; 2] = [b"25/03/24 13:05:01 a", b"25/03/24 13:05:02 a"];
    let of = |written| {
        let found = detect_in(&[lines.to_vec()], Rule::Log, Some(time(written)));
        found.map(|found| found.format().to_owned())
    };
    assert_eq!(of("2024-04-01T00:00:00Z").as_deref(), Some("day-first-short"));
    assert_eq!(of("2025-03-25T00:00:00Z").as_deref(), Some("spark"));
    assert_eq!(of("2025-04-01T00:00:00Z"), None);
    // With dots the day is first, unless the other order alone gives a date of the file's time.
    for (line, expected) in [
        ("24.10.25 10:00:00 a", Some("dots-short")),
        ("26.10.25 10:00:00 a", Some("dots-short")),
        ("26.10.30 10:00:00 a", Some("year-dots-short")),
        ("26.10.11 10:00:00 a", None),
        ("21.09.23 10:00:00 a", Some("dots-short")),
    ] {
        let found = detect_in(&[vec![line.as_bytes(); 2]], Rule::Log, Some(time("2026-11-01T00:00:00Z")));
        assert_eq!(found.as_ref().map(|found| found.format()), expected, "{line}");
    }
    let context = TimeContext::new(zone(Some("UTC")).unwrap(), time("2026-11-01T00:00:00Z"));
    let lines = ["Fri Sep 22 00:31:10.827 a", "Fri Sep 22 00:31:11.113 b"];
    let found = detected(&lines).unwrap().read(lines[0].as_bytes(), &context).unwrap();
    assert_eq!((found.time, found.lacks_year), (time("2023-09-22T00:31:10.827Z"), false));
}

#[test]
fn a_format_is_made_from_a_line() {
    for (line, expected) in [
        ("03.Mar.2026 10h30m05 msg", "%d.%b.%Y %Hh%Mm%S"),
        ("x [03/03/26 10-30-05] msg", "%d/%m/%y %H-%M-%S"),
        ("2026_03_03 10.30.05,123 a", "%Y_%m_%d %H.%M.%S,%f"),
        ("10:30:05,123 INFO a", "%H:%M:%S,%f"),
        ("web: 1.2.3.4 - - [03/Mar/2026:10:30:05 +0000] a", "%d/%b/%Y:%H:%M:%S %z"),
        ("10:00:01 27/11/2026 x", "%H:%M:%S %d/%m/%Y"),
        ("10:00:01.250 27 Nov 2026", "%H:%M:%S.%f %d %b %Y"),
        ("11/28-22:00:09.002000  [**] x", "%m/%d-%H:%M:%S.%f"),
        ("[10:00:01] x", "%H:%M:%S"),
        ("10.0.12.255 at 03.03.2026 10:30:05", "%d.%m.%Y %H:%M:%S"),
    ] {
        assert_eq!(format_of(line.as_bytes()).as_deref(), Some(expected), "{line}");
    }
    for line in [
        "no time in 12 words",
        "28 novembre 2026 10:00:01 x",
        "10:00:01 28 novembre 2026 x",
        "10:00:01, 28 novembre",
        "11/31-22 x",
    ] {
        assert_eq!(format_of(line.as_bytes()), None, "{line}");
    }
}
