//! Long lines are shown as a window around the match, and searched in constant memory.

use rread_testkit::sandbox::Sandbox;
use serde_json::json;

use super::number;

#[test]
fn a_long_line_is_a_window_around_the_match() {
    let sandbox = Sandbox::with("t", format!("{} needle {}\nshort\n", "é".repeat(5000), "b".repeat(5000)));
    let document = sandbox.line("search needle t").ok().document();
    let content = document.content.clone();
    assert!(
        content.starts_with("1:…é") && content.contains(" needle b") && content.ends_with("b…\n"),
        "{content}"
    );
    assert_eq!(content.trim_end().chars().count(), 300 + 4);
    assert_eq!(number(&document, "clipped_lines"), 1);
    let content = sandbox.line("search needle t --max-columns 20 -f text").text().to_owned();
    assert_eq!(content, "1:…ééééé needle bbbbbbb…\n");
    let whole = sandbox.line("search needle t --raw").ok();
    assert_eq!(whole.text().chars().count(), 10_009);
    let json = sandbox.line("search needle t --json").ok().json();
    let found = &json["segments"][0]["metadata"]["matches"][0];
    assert_eq!((found["start_byte"].as_u64(), found["column"].as_u64()), (Some(10_001), Some(5002)));
    // The first bytes of the line are as good as any if all of it matches.
    let content = sandbox.line("search -v zzz t --max-columns 5 -f text").text().to_owned();
    assert_eq!(content, "1:ééééé…\n2:short\n");
}

#[test]
fn a_line_that_is_not_held_is_searched_in_windows() {
    let mut text = vec![b'x'; 9 << 20];
    for at in [0, 1 << 20, (1 << 20) - 3, 5_000_000, (9 << 20) - 7] {
        text[at..at + 6].copy_from_slice(b"needle");
    }
    text.splice(0..0, b"first\n".iter().copied());
    text.extend(b"\nlast needle\n");
    let sandbox = Sandbox::with("t", &text);
    let document = sandbox.line("search needle t").ok().document();
    // One place overwrote the beginning of another.
    assert_eq!((number(&document, "matches"), number(&document, "matched_lines")), (5, 2));
    let content = document.content.clone();
    assert!(content.starts_with("2:needlexxx"), "{}", &content[..40]);
    assert!(content.ends_with("3:last needle\n"));
    assert_eq!(sandbox.line("search -v needle t -f text").ok().text(), "1:first\n");
    assert_eq!(sandbox.line("search needle t --raw").ok().stdout.len(), (9 << 20) + 1 + 12);
    let run = sandbox.line("search xneedle t --in 2 --max-columns 30 -f text");
    assert!(run.text().contains("xneedle"), "{run}");
}

#[test]
fn the_edge_of_a_window_is_not_the_end_of_a_line() {
    let sandbox = Sandbox::with("t", format!("{}b\n", "a".repeat(3 << 20)));
    for pattern in ["^a+$", "a$", "a+\\b", "^b"] {
        let run = sandbox.run(["search", pattern, "t", "-f", "text"]);
        assert_eq!((run.code, run.text()), (1, ""), "{pattern}");
    }
    assert_eq!(sandbox.line("search -x a+ t -f text").code, 1);
    // Nothing after a match decides about these.
    for pattern in ["^a+", "a.*", "ab"] {
        assert_eq!(sandbox.run(["search", "-c", pattern, "t", "--raw"]).text(), "1\n", "{pattern}");
    }
    let sandbox = Sandbox::with("t", "a".repeat(3 << 20) + "\n");
    let json = sandbox.run(["search", "a$", "t", "--json"]).ok().json();
    let found = &json["segments"][0]["metadata"]["matches"][0];
    assert_eq!(
        (found["start_byte"].as_u64(), found["end_byte"].as_u64()),
        (Some((3 << 20) - 1), Some(3 << 20))
    );
}

#[test]
fn the_matches_of_a_long_line_are_shown_in_every_encoding() {
    let text = format!("{}é needle {}needle\n", "é".repeat(2 << 20), "é".repeat(1 << 20));
    let utf16: Vec<u8> =
        "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let sandbox = Sandbox::with("utf-8", &text);
    sandbox.file("utf-16", utf16);
    for name in ["utf-8", "utf-16"] {
        let run = sandbox.line(&format!("search needle {name} --max-columns 20 -f text"));
        let (first, second) = if name == "utf-8" { (4_194_296, 6_291_438) } else { (4_194_298, 6_291_448) };
        let expected = format!("1:b{first}:…ééééé needle ééééééé…\n1:b{second}:…ééééééééééééééneedle\n");
        assert_eq!(run.text(), expected, "{name}");
    }
}

#[test]
fn matches_in_text_with_escape_sequences_are_where_they_are() {
    let sandbox = Sandbox::new();
    // Two characters of JIS X 0208 between escape sequences, many times.
    let kanji = b"\x1b$BF|K\\\x1b(B ".repeat(200);
    sandbox.file("jis", [&kanji[..], b"needle", &kanji, b"\n"].concat());
    let answer = sandbox.line("search needle jis -E iso-2022-jp --json").ok().json();
    let group = &answer["segments"][0];
    assert_eq!(group["content"].as_str().unwrap().chars().count(), 600 + 6 + 600 + 1, "{group}");
    let found = &group["metadata"]["matches"][0];
    assert_eq!((found["start_byte"].as_u64(), found["column"].as_u64()), (Some(2200), Some(601)), "{found}");
    let end = found["end_byte"].as_u64().unwrap();
    assert!((2206..=2209).contains(&end), "an escape sequence may belong to it: {found}");
}

#[test]
fn a_match_of_two_byte_characters_begins_at_one() {
    let sandbox = Sandbox::with("jis", b"a \x1b$BF|K\\\x1b(B b\n");
    for (pattern, starts, ends) in [("日本", 2..=5, 9..=12), ("本", 7..=7, 9..=12), ("日", 2..=5, 7..=7)]
    {
        let answer = sandbox.line(&format!("search {pattern} jis -E iso-2022-jp --json")).ok().json();
        let found = &answer["segments"][0]["metadata"]["matches"][0];
        let place = |key: &str| found[key].as_u64().unwrap();
        assert!(
            starts.contains(&place("start_byte")) && ends.contains(&place("end_byte")),
            "{pattern}: {found}"
        );
    }
}

#[test]
fn a_loop_that_follows_next_shows_every_match_once() {
    let line = |count: usize| (0..count).map(|n| format!("needle{} é ", "x".repeat(n * 37 % 90))).collect();
    let lines: [String; 4] = [line(3), line(40), "none".to_owned(), line(25)];
    let text = lines.join("\n") + "\n";
    let utf16: Vec<u8> =
        "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let sandbox = Sandbox::with("utf-8", &text);
    sandbox.file("utf-16", utf16);
    for name in ["utf-8", "utf-16"] {
        for options in [
            "",
            "--max-columns 40",
            "--max-bytes 400",
            "-o --max-lines 7",
            "-o -M 30 --max-bytes 300",
            "-m 1",
        ] {
            let (mut starts, mut rest) = (Vec::new(), String::new());
            loop {
                let answer =
                    sandbox.line(format!("search needle {name} --json {options}{rest}").trim()).json();
                for group in answer["segments"].as_array().unwrap() {
                    let matches = group["metadata"]["matches"].as_array().unwrap();
                    starts.extend(matches.iter().map(|one| one["start_byte"].as_u64().unwrap()));
                }
                let Some(range) = answer["metadata"]["next"]["range"].as_str() else { break };
                rest = format!(" --in {range}");
            }
            assert!(starts.is_sorted_by(|a, b| a < b), "{name} {options}: {starts:?}");
            assert_eq!(starts.len(), 68, "{name} {options}");
        }
    }
}

#[test]
fn each_window_of_a_long_line_has_its_offset() {
    let mut text = vec![b'x'; 4 << 20];
    let places = [7, 1 << 20, (1 << 20) + 30, 3_000_000, (4 << 20) - 6];
    for at in places {
        text[at..at + 6].copy_from_slice(b"needle");
    }
    let sandbox = Sandbox::with("t", &text);
    for words in ["search needle t", "search needle t -f text --max-columns 90", "search -o needle t -M 80"] {
        let content = match words.contains("-f text") {
            true => sandbox.line(words).text().to_owned(),
            false => sandbox.line(words).ok().document().content,
        };
        let mut found = Vec::new();
        for line in content.lines() {
            let line = line.strip_prefix("1:").unwrap();
            let (offset, shown) = match line.split_once(":…") {
                Some((offset, shown)) => (offset.strip_prefix('b').unwrap().parse().unwrap(), shown),
                None => (0, line),
            };
            found.extend(shown.match_indices("needle").map(|(at, _)| offset + at));
        }
        found.dedup();
        assert_eq!(found, places, "{words}: {content}");
    }
    let document = sandbox.line("search needle t").ok().document();
    assert_eq!((number(&document, "matches"), document.content.lines().count()), (5, 4));
    assert!(document.content.len() < 600, "{}", document.content);
    let document = sandbox.line("search x t").ok().document();
    assert_eq!(number(&document, "matches"), (4 << 20) - 5 * 6);
    assert!(document.fact("next").contains(" --in b"), "{}", document.fact("next"));
}

#[test]
fn json_says_how_many_lines_of_the_content_are_of_one_line() {
    let far = "x".repeat(100_000);
    let sandbox = Sandbox::with("f", format!("one\n{far} needle {far} needle {far}\nthree needle\n"));
    let segment = sandbox.line("search needle f --json").ok().json()["segments"][0].clone();
    assert_eq!(segment["metadata"]["windows"], json!([{"line": 2, "count": 2}]), "{segment}");
    assert_eq!(segment["content"].as_str().unwrap().lines().count(), 3);
}

#[test]
fn a_match_of_several_lines_shows_each_line_once() {
    let trace: String = (0..40).map(|n| format!("line {n} of the trace\n")).collect();
    let sandbox = Sandbox::with("t", format!("begin {}\n{trace}end\n", "x".repeat(30)));
    let shown = |columns: &str| {
        let run =
            sandbox.run(["search", "-U", "(?s)b[e]gin.*end", "t", "-f", "text", "--max-columns", columns]);
        run.text().to_owned()
    };
    let numbered: String = trace.lines().enumerate().map(|(n, line)| format!("{}:{line}\n", n + 2)).collect();
    assert_eq!(shown("300"), format!("1:begin {}\n{numbered}42:end\n", "x".repeat(30)));
    let narrow = shown("30");
    let first = narrow.lines().next().unwrap();
    assert!(first.starts_with("1:begin xxx") && first.ends_with('…'), "{first}");
    assert_eq!(narrow.split_once('\n').unwrap().1, format!("{numbered}42:end\n"));
    // Its second match goes on in the next line.
    sandbox.file("u", "one two\nthree\n");
    let run = sandbox.run(["search", "-U", "one|two\nth", "u", "-f", "text", "--max-columns", "300"]);
    assert_eq!(run.ok().text(), "1:one two\n2:three\n");
}

#[test]
fn json_lists_every_match_that_begins_in_what_is_shown() {
    let sandbox = Sandbox::with("t", format!("{} {} b\none two\nthree\n", "a".repeat(5), "x".repeat(400)));
    for (pattern, start, end, column) in
        [("x+", 6, 406, 7), ("two\nth", 413, 419, 5), ("(?s)x.*three", 6, 422, 7), ("b\none", 407, 412, 408)]
    {
        for options in [&["-U"][..], &["-U", "--max-columns", "4"], &["-U", "-o"]] {
            let run = sandbox.run([&["search", pattern, "t", "--json"], options].concat());
            let json = run.json();
            let expected = json!([{"line": 1 + u64::from(start > 408), "start_byte": start, "end_byte": end, "column": column}]);
            let listed: Vec<_> = json["segments"]
                .as_array()
                .unwrap()
                .iter()
                .flat_map(|segment| segment["metadata"]["matches"].as_array().unwrap())
                .collect();
            assert_eq!(
                (json!(listed), &json["metadata"]["matches"]),
                (expected, &json!(1)),
                "{pattern} {options:?}"
            );
        }
    }
}

/// The starts of all matches that an answer lists, and the range of its `next`.
fn listed(sandbox: &Sandbox, words: &str) -> (Vec<u64>, Option<String>, u64) {
    let answer = sandbox.line(words).ok().json();
    let segments = answer["segments"].as_array().unwrap().iter();
    let matches = segments.flat_map(|segment| segment["metadata"]["matches"].as_array().unwrap());
    let starts = matches.map(|one| one["start_byte"].as_u64().unwrap()).collect();
    let next = answer["metadata"]["next"]["range"].as_str().map(str::to_owned);
    (starts, next, answer["metadata"]["matches"].as_u64().unwrap())
}

#[test]
fn a_limit_counts_the_matches_where_the_text_is_one_line() {
    let items: String =
        (0..60).map(|n| format!("{{\"id\":{n},\"pad\":\"{}\"}},", "y".repeat(n * 7 % 80))).collect();
    let sandbox = Sandbox::with("one.json", &items);
    sandbox.file("newline.json", format!("{items}\n"));
    sandbox.file("returns.json", format!("{items}\r\n"));
    sandbox.file("three.txt", format!("first\n{items}\nid last\n"));
    let all: Vec<u64> = items.match_indices("id").map(|(at, _)| at as u64).collect();
    for (file, within, ahead) in
        [("one.json", "", 0), ("newline.json", "", 0), ("returns.json", "", 0), ("three.txt", " --in 2:2", 6)]
    {
        for most in [1, 2, 7, 20, 59, 60, 61] {
            let words = format!("search -m {most} id {file} --json");
            let (mut starts, mut next, total) = listed(&sandbox, &format!("{words}{within}"));
            assert_eq!((starts.len(), total), (most.min(60), 60), "{file} -m {most}");
            assert_eq!(next.is_some(), most < 60, "{file} -m {most}");
            while let Some(range) = next {
                let (more, rest, _) = listed(&sandbox, &format!("{words} --in {range}"));
                assert!(!more.is_empty() && more.len() <= most, "{file} -m {most}");
                starts.extend(more);
                next = rest;
            }
            let expected: Vec<u64> = all.iter().map(|at| at + ahead).collect();
            assert_eq!(starts, expected, "{file} -m {most}");
        }
    }
    // Of several lines, it counts these: eight windows of the long one.
    let (starts, next, total) = listed(&sandbox, "search -m 1 id three.txt --json");
    assert!(starts.len() >= 8 && next.is_some() && total == 60, "{starts:?}");
    assert_eq!(sandbox.line("search -m 1 id one.json --raw").ok().text().len(), items.len() + 1);
    let text = sandbox.line("search -m 2 id one.json -f text --max-columns 20");
    assert_eq!(text.text().lines().count(), 2, "{text}");
}

#[test]
fn a_match_that_is_wider_than_its_window_is_whole() {
    for (width, is_whole) in [(250, true), (600, true), (1998, true), (2100, false), (50_000, false)] {
        let found = format!("<{}>", "é".repeat(width / 2));
        let far = "x".repeat(5000);
        let sandbox = Sandbox::with("t", format!("{far} {found} {far} {found}\nshort\n"));
        let document = sandbox.run(["search", "<[^>]*>", "t"]).ok().document();
        let count = if is_whole { 2 } else { 0 };
        assert_eq!(document.content.matches(&found).count(), count, "{width}: {}", document.content);
        assert_eq!(document.content.matches('<').count(), 2, "{width}");
        for limit in ["--max-columns=40", "--max-bytes=200", "--max-tokens=60"] {
            let cut = sandbox.run(["search", "<[^>]*>", "t", limit]).ok().document();
            assert!(!cut.content.contains(&found) && cut.content.contains('<'), "{width} {limit}");
            assert!(cut.content.len() <= 240, "{width} {limit}: {}", cut.content);
        }
    }
}

#[test]
fn a_run_of_nuls_in_a_window_is_said_in_words() {
    let utf16 = |text: &str| -> Vec<u8> {
        "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let (nuls, far) = ("\0".repeat(4096), "x".repeat(1000));
    let record = "2026-11-01T00:20:00Z ERROR after the cut";
    for (name, line, expected) in [
        ("before", format!("{nuls}{record}"), format!("2:[4096 NUL bytes at 6]{record}\n")),
        ("after", format!("{record}{nuls}"), format!("2:{record}[4096 NUL bytes at 46]\n")),
        ("within", format!("an ERROR{nuls}ends\r"), "2:an ERROR[4096 NUL bytes at 14]ends\r\n".to_owned()),
        (
            "far",
            format!("{far}ERROR {nuls}{far}"),
            format!("2:…{0}ERROR [4096 NUL bytes at 1012]{0}{1}…\n", "x".repeat(100), "x".repeat(94)),
        ),
        ("long", format!("{}ERROR", "\0".repeat(3 << 20)), "2:[3145728 NUL bytes at 6]ERROR\n".to_owned()),
        (
            "two",
            format!("ERROR{nuls} é {nuls}{far}"),
            format!("2:ERROR[4096 NUL bytes at 11] é [4096 NUL bytes at 4111]{}…\n", "x".repeat(292)),
        ),
        ("few", format!("ERROR \0\0\0 {far}"), format!("2:ERROR \0\0\0 {}…\n", "x".repeat(290))),
    ] {
        let text = format!("first\n{line}\nlast\n");
        let sandbox = Sandbox::with("t", &text);
        let document = sandbox.line("search ERROR t --text").ok().document();
        assert_eq!(document.content, expected, "{name}");
        assert_eq!(number(&document, "clipped_lines"), 1, "{name}");
        let json = sandbox.line("search ERROR t --text --json").ok().json();
        assert_eq!(json["segments"][0]["content"], expected[2..], "{name}");
        for whole in ["--raw", "-f text"] {
            assert!(
                sandbox.line(&format!("search ERROR t --text {whole}")).ok().text().contains(&line),
                "{name}"
            );
        }
        let raw = sandbox.line("search ERROR t --text --raw --max-columns 300");
        assert!(!raw.text().contains("NUL bytes"), "{name}");
        let lines = sandbox.line("lines t 2 --text").ok().document();
        assert_eq!(lines.content, format!("{line}\n"), "{name}");
        if name == "before" {
            sandbox.file("wide", utf16(&text));
            let document = sandbox.line("search ERROR wide --text").ok().document();
            assert_eq!(document.content, format!("2:[8192 NUL bytes at 14]{record}\n"));
        }
        if name != "few" {
            // However many of them match.
            for pattern in [r"\x00", r"\x00+", r"\x00{9}"] {
                let document = sandbox.run(["search", pattern, "t", "--text"]).ok().document();
                let runs = if name == "two" { 2 } else { 1 };
                assert_eq!(document.content.matches("NUL bytes at").count(), runs, "{name} {pattern}");
                assert_eq!(
                    (document.content.lines().count(), document.fact("next")),
                    (1, ""),
                    "{name} {pattern}"
                );
            }
        }
    }
}

#[test]
fn a_number_of_matches_holds_in_one_line_for_matches_alone() {
    let sandbox = Sandbox::with("one.json", "1a2a3a4a5");
    let (mut line, mut found) = ("search -o -m 2 a. one.json".to_owned(), Vec::new());
    for _ in 0..4 {
        let page = sandbox.line(&line).ok().document();
        found.push(page.content.clone());
        line = page.fact("next").to_owned();
        if line.is_empty() {
            break;
        }
    }
    assert_eq!(found, ["1:a2\n1:a3\n", "1:a4\n1:a5\n"]);
    // As in rg, N lines of a text.
    let text = sandbox.line("search -o -m 2 a. one.json -f text").ok();
    assert_eq!(text.text().lines().count(), 4);
}
