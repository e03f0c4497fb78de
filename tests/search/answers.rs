//! Receipts, JSON, exit codes and messages.

use insta::assert_snapshot;
use rread_testkit::sandbox::Sandbox;
use serde_json::{Value, json};

fn log() -> Sandbox {
    Sandbox::with("log", "one\ntwo error\nthree\nfour\nfive error error\nsix\n")
}

#[test]
fn a_receipt_counts_matches_and_lines() {
    assert_snapshot!(log().line("search error log").snapshot(), @r"
    ---
    path: log
    matches: 3
    matched_lines: 2
    shown: 2
    total: 46
    total_lines: 6
    content_bytes: 31
    version: …
    ---
    2:two error
    5:five error error
    ");
}

#[test]
fn json_has_a_segment_for_each_group_with_the_place_of_every_match() {
    let run = log().line("search error log -C 1 --json");
    // The groups touch, so they are one.
    assert_snapshot!(run.snapshot(), @r#"
    {
      "segments": [
        {
          "content": "one\ntwo error\nthree\nfour\nfive error error\nsix\n",
          "metadata": {
            "path": "log",
            "actual_range": {
              "start_line": 1,
              "end_line": 6,
              "start_byte": 0,
              "end_byte": 46
            },
            "matches": [
              {
                "line": 2,
                "start_byte": 8,
                "end_byte": 13,
                "column": 5
              },
              {
                "line": 5,
                "start_byte": 30,
                "end_byte": 35,
                "column": 6
              },
              {
                "line": 5,
                "start_byte": 36,
                "end_byte": 41,
                "column": 12
              }
            ],
            "content_bytes": 46,
            "truncated": false
          }
        }
      ],
      "metadata": {
        "path": "log",
        "file_size": 46,
        "total_lines": 6,
        "matches": 3,
        "matched_lines": 2,
        "shown": 2,
        "searched": {
          "start_byte": 0,
          "end_byte": 46
        },
        "content_bytes": 46,
        "truncated": false,
        "version": "…",
        "index": "none",
        "bytes_scanned": 46
      }
    }
    "#);
    let json = run.json();
    let segments = &json["segments"];
    // The range of a group can be given back.
    let range = &segments[0]["metadata"]["actual_range"];
    let lines = log().line(&format!("lines log {}:{} --raw", range["start_line"], range["end_line"]));
    assert_eq!(lines.text().to_owned(), segments[0]["content"].as_str().unwrap());
}

#[test]
fn groups_that_do_not_touch_are_separate() {
    let sandbox = log();
    assert_eq!(
        sandbox.line("search -A1 error log -f text").text().to_owned(),
        "2:two error\n3-three\n--\n5:five error error\n6-six\n"
    );
    let json = sandbox.line("search error log -A1 --json").json();
    assert_eq!(json["segments"].as_array().unwrap().len(), 2);
}

#[test]
fn text_pastes_into_ranges() {
    let sandbox = log();
    let text = sandbox.line("search error log -f text").text().to_owned();
    let ranges = sandbox.piped("ranges log --from - --raw", text);
    assert_eq!(ranges.text().to_owned(), "two error\nfive error error\n");
}

#[test]
fn no_match_is_exit_1_and_silent_without_a_receipt() {
    let sandbox = log();
    for format in ["raw", "text"] {
        let run = sandbox.line(&format!("search zzz log -f {format}"));
        assert_eq!(run.code, 1, "{run}");
        assert_eq!((run.text(), run.stderr.as_str()), ("", ""));
    }
    assert_snapshot!(sandbox.line("search zzz log").snapshot(), @r"
    ---
    path: log
    matches: 0
    matched_lines: 0
    shown: 0
    total: 46
    total_lines: 6
    content_bytes: 0
    version: …
    ---
    rread: log: no line matches 'zzz'
    exit code 1
    ");
    let run = sandbox.line("search zzz log --json");
    assert_eq!(run.code, 1, "{run}");
    assert_eq!(serde_json::from_str::<Value>(&run.stderr).unwrap()["kind"], "no_match");
}

#[test]
fn a_bad_pattern_is_exit_2_with_the_position() {
    assert_snapshot!(log().line("search a(b log").snapshot(), @r"
    rread: the pattern 'a(b' is not valid at character 2: unclosed group
    hint: rread search -F 'a(b' log
    exit code 2
    ");
    assert_snapshot!(log().line("search a{1000}{1000}{1000} log").snapshot(), @r"
    rread: the pattern 'a{1000}{1000}{1000}' is too large: compiled, it exceeds 32 MiB
    hint: use smaller repetition counts
    exit code 2
    ");
}

#[test]
fn counts_and_names() {
    let sandbox = log();
    sandbox.file("other", "nothing\n");
    assert_eq!(sandbox.line("search -c error log --raw").text().to_owned(), "2\n");
    assert_eq!(sandbox.line("search -c zzz log --raw").text().to_owned(), "0\n");
    assert_eq!(sandbox.line("search -c error log other -f text").text().to_owned(), "log:2\n");
    assert_eq!(sandbox.line("search -l error log other -f text").text().to_owned(), "log\n");
    let json = sandbox.line("search -c error log other --json").json();
    assert_eq!(json["metadata"]["files"][0]["matched_lines"], 2);
    assert_eq!(json["metadata"]["files"][1]["matched_lines"], 0);
    sandbox.file("third", "error error\n");
    for shows in ["-c", "--count-matches", "-c --include-zero"] {
        let json = sandbox.line(&format!("search error log other third {shows} --json")).json();
        let sums = (&json["metadata"]["matches"], &json["metadata"]["matched_lines"]);
        assert_eq!(sums, (&json!(5), &json!(3)), "{shows} {json}");
    }
    for line in ["lines log other --json", "search error log other third --json"] {
        let json = sandbox.line(line).json();
        assert!(json["metadata"].get("matches").is_none(), "{json}");
    }
}

#[test]
fn hashlines_can_be_verified() {
    let sandbox = log();
    let text = sandbox.line("search error log --hash -f text").text().to_owned();
    let anchors: Vec<&str> = text.lines().map(|line| line.split('|').next().unwrap()).collect();
    assert_eq!(anchors.len(), 2, "{text}");
    sandbox.run([&["verify", "log"][..], &anchors[..]].concat()).ok();
}

#[test]
fn a_part_of_the_file_is_searched() {
    let sandbox = log();
    let text = |line: &str| sandbox.line(line).text().to_owned();
    assert_eq!(text("search error log --in 3: -f text"), "5:five error error\n");
    assert_eq!(text("search error log --in 1:3 -f text"), "2:two error\n");
    assert_eq!(text("search error log --in b0:1,b40:41 -f text"), "5:five error error\n");
    assert_eq!(text("search error log --in -3: -f text -C1"), "4-four\n5:five error error\n6-six\n");
    assert_eq!(text("search -i ERROR log --last 1 -f text"), "5:five error error\n");
    assert_eq!(text("search o log --last 3 -f text"), "2:two error\n4:four\n5:five error error\n");
}

#[test]
fn the_end_of_a_line_is_before_a_carriage_return_in_a_file_that_has_them() {
    let sandbox = Sandbox::with("dos", "ab\r\nb\r\nab");
    assert_eq!(sandbox.line("search b$ dos -f text").text().to_owned(), "1:ab\r\n2:b\r\n3:ab\n");
    assert_eq!(sandbox.line("search -x b dos -f text").text().to_owned(), "2:b\r\n");
}

#[cfg(unix)]
#[test]
fn several_files_are_one_answer() {
    let sandbox = log();
    sandbox.file("other", "an error\n");
    assert_snapshot!(sandbox.line("search error log missing other -f text").snapshot(), @r"
    log:2:two error
    log:5:five error error
    other:1:an error
    rread: missing: cannot open: No such file or directory
    exit code 3
    ");
    assert_eq!(
        sandbox.line("search error log other --raw").text().to_owned(),
        "two error\nfive error error\nan error\n"
    );
    let json = sandbox.line("search error log missing other --json").json();
    assert_eq!(json["metadata"]["files"].as_array().unwrap().len(), 3);
}

#[test]
fn an_empty_match_does_not_split_a_character() {
    let sandbox = Sandbox::with("t", "aéb\n");
    let json = sandbox.run(["search", "", "t", "--json"]).ok().json();
    let found = json["segments"][0]["metadata"]["matches"].as_array().unwrap();
    let places: Vec<_> =
        found.iter().map(|found| (found["start_byte"].as_u64(), found["column"].as_u64())).collect();
    let expected = [(0, 1), (1, 2), (3, 3), (4, 4)].map(|(byte, column)| (Some(byte), Some(column)));
    assert_eq!(places, expected);
    assert_eq!(json["metadata"]["matches"], 4);
}

#[test]
fn a_range_that_is_not_there_has_a_hint_that_works() {
    let sandbox = log();
    let run = sandbox.line("search error log --in 99:").refused(5);
    let hint = run.stderr.lines().find_map(|line| line.strip_prefix("hint: rread ")).unwrap();
    assert_eq!(sandbox.line(&format!("{hint} -c --raw")).ok().text(), "2\n");
    let run = sandbox.line("search error log --in 3:1").refused(2);
    assert!(run.stderr.contains("hint: --in 100:200"), "{run}");
}

#[test]
fn last_says_how_much_was_searched_if_there_are_fewer_matches() {
    let sandbox = Sandbox::with("f", "a\nb\na\nb\n");
    for (line, start, end) in [
        ("search --last 1 a f", 4, 8),
        ("search --last 2 b f", 2, 8),
        ("search --last 3 a f", 0, 8),
        ("search --last 1 zzz f", 0, 8),
        ("search --last 1 zzz f --in 1:3", 0, 6),
        ("search --last 9 b f --in 2:3", 2, 6),
        ("search --last 1 b f --in 1:2,4", 6, 8),
    ] {
        let run = sandbox.line(&format!("{line} --json"));
        let searched = &run.json()["metadata"]["searched"];
        assert_eq!(
            (searched["start_byte"].as_u64(), searched["end_byte"].as_u64()),
            (Some(start), Some(end)),
            "{line}"
        );
        // As many as were wanted: there may be others before them.
        let may_have_more = ["--last 1 a", "--last 2 b", "--last 1 b"].iter().any(|all| line.contains(all));
        let complete = &run.json()["metadata"]["complete"];
        assert_eq!(complete.as_bool(), may_have_more.then_some(false), "{line}");
        assert_eq!(
            sandbox.line(&format!("{line} --brief")).text().contains("complete: false"),
            may_have_more
        );
    }
}

#[test]
fn a_last_line_without_a_line_feed_counts() {
    for text in ["a\nb\nc", "a", "a\n\nb", "a\n", "\n"] {
        let sandbox = Sandbox::with("f", text);
        let lines = text.lines().count().to_string();
        for options in ["", "-U ", "-U -v "] {
            let run = sandbox.line(&format!("search {options}zzz f"));
            assert_eq!(run.documents()[0].fact("total_lines"), lines, "{options}{text:?}");
        }
    }
}
