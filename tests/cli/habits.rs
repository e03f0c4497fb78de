//! Habits from other tools: `rread FILE` is answered, and every other habit gets the right command line.

use predicates::str::contains;
use rread_testkit::sandbox::{Run, Sandbox, lines_of, numbered, words};
use serde_json::json;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with("app.log", numbered(100));
    sandbox.file("b.log", numbered(30));
    sandbox
}

/// The hint of a refusal, in text and in JSON.
#[track_caller]
fn hint(sandbox: &Sandbox, args: &[&str], code: i32) -> String {
    let run = sandbox.run(args);
    let is_json = run.stderr.starts_with('{');
    let error = if is_json { run.refused_json(code) } else { json!(null) };
    let run = if is_json { run } else { run.refused(code) };
    let line = run.stderr.lines().nth(1).and_then(|line| line.strip_prefix("hint: "));
    let hint = error["hint"].as_str().or(line).unwrap_or_default();
    assert!(!hint.trim().is_empty(), "{run}");
    let own_words = [
        "invalid digit",
        "is not in ",
        "expected number",
        "one of ",
        "error:",
        "unexpected argument",
        "did you mean",
        "unrecognized",
        "a value is required",
        "invalid value",
        "cannot be used with '",
    ];
    for words in own_words {
        assert!(!run.stderr.contains(words), "{words}: {run}");
    }
    hint.to_owned()
}

/// Tests have no terminal, so a missing FILE is standard input.
#[track_caller]
fn answers(sandbox: &Sandbox, hint: &str) -> Run {
    let line = hint.strip_prefix("rread ").unwrap_or_else(|| panic!("{hint} is not a command line"));
    sandbox.run(words(line).iter().map(|word| word.trim_matches('\'')))
}

#[test]
fn a_file_without_a_command_is_read_by_lines() {
    let sandbox = sandbox();
    let text = numbered(100);
    for (line, from, to) in [
        ("app.log", 1, 100),
        ("app.log 10-20", 10, 20),
        ("app.log 10:20", 10, 20),
        ("app.log:10", 10, 10),
        ("app.log:10:3", 10, 10),
        ("app.log -5:", 96, 100),
        ("./app.log 7", 7, 7),
        ("--raw app.log 7", 7, 7),
        ("-C 1 app.log:7", 6, 8),
        ("-C 1 lines app.log 7", 6, 8),
        ("--raw lines app.log 7", 7, 7),
        ("-- app.log 7", 7, 7),
    ] {
        let expected = lines_of(&text, from, to);
        let raw =
            if line.starts_with("--") { line.replace("-- ", "--raw -- ") } else { format!("{line} --raw") };
        let raw = if raw.matches("--raw").count() > 1 { line.to_owned() } else { raw };
        assert_eq!(sandbox.line(&raw).ok().text(), expected, "{line}");
    }
    assert_eq!(sandbox.line("app.log b.log 1 --raw").ok().text(), "line 1\nline 1\n");
    assert_eq!(sandbox.piped("- 2 --raw", "a\nb\n").ok().text(), "b\n");
    assert_eq!(sandbox.line("app.log 3 --json").ok().json()["content"], "line 3\n");
    for name in ["lines", "stat", "head"] {
        sandbox.file(name, format!("I am {name}\n"));
    }
    sandbox.line("stat").refused(2);
    assert_eq!(sandbox.line("./stat --raw").ok().text(), "I am stat\n");
    assert_eq!(sandbox.line("head --raw").ok().text(), "I am head\n");
    assert_eq!(sandbox.line("lines lines --raw").ok().text(), "I am lines\n");
    std::fs::create_dir(sandbox.path("logs")).unwrap();
    sandbox.line("logs").refused(3).says(contains("is a directory"));
    sandbox.line("fd:1").refused(3).says(contains("no such capture"));
    sandbox.line("http://127.0.0.1:1/x --retries 0");
}

#[test]
fn other_programs_names_give_the_command_that_does_the_same() {
    let sandbox = sandbox();
    for (line, expected) in [
        ("tail -n 5 app.log", "rread lines app.log -5:"),
        ("tail -5 app.log", "rread lines app.log -5:"),
        ("tail app.log b.log", "rread lines app.log b.log -10:"),
        ("head app.log", "rread lines app.log :10"),
        ("head -n 3 app.log", "rread lines app.log :3"),
        ("cat app.log", "rread lines app.log --raw"),
        ("wc -l app.log", "rread stat --count app.log"),
        ("less app.log", "rread view app.log"),
        ("tail -n 5 app.log --json", "rread lines app.log -5: --json"),
        ("line app.log --json", "rread lines app.log --json"),
        ("head", "rread lines - :10"),
    ] {
        let found = hint(&sandbox, &words(line), 2);
        assert_eq!(found, expected, "{line}");
        answers(&sandbox, &found).ok();
    }
    let found = hint(&sandbox, &["grep", "ERR OR", "app.log"], 2);
    assert_eq!(found, "rread search 'ERR OR' app.log");
}

#[test]
fn ranges_of_other_tools_give_ours() {
    let sandbox = sandbox();
    for (line, expected) in [
        ("lines app.log 10 20", "rread lines app.log 10:20"),
        ("lines app.log 50 20", "rread lines app.log 50:+20"),
        ("lines app.log 1:5 40:45", "rread lines app.log 1:5,40:45"),
        ("lines app.log 10..20 --raw", "rread lines app.log 10:20 --raw"),
        ("lines app.log 10,12p", "rread lines app.log 10:12"),
        ("lines app.log 0,012:+1", "rread lines app.log 0012:+1"),
        ("lines app.log -n 20", "rread lines app.log :20"),
        ("lines app.log -n20 --json", "rread lines app.log :20 --json"),
        ("lines -n 20 app.log", "rread lines app.log :20"),
        ("-n 5 app.log", "rread lines app.log :5"),
        ("lines app.log --head", "rread lines app.log :10"),
        ("lines app.log --head 20", "rread lines app.log :20"),
        ("lines app.log --head=20 -C 3", "rread lines app.log :20 -C 3"),
        ("lines --tail 20 app.log", "rread lines app.log -20:"),
        ("lines app.log --lines 10-20", "rread lines app.log 10-20"),
        ("lines app.log --start 10 --end 20", "rread lines app.log 10:20"),
        ("lines -20 app.log", "rread lines app.log -20:"),
        ("-20 app.log", "rread lines app.log -20:"),
        ("lines 10:12 app.log", "rread lines app.log 10:12"),
        ("lines 10:12 app.log b.log --raw", "rread lines app.log b.log 10:12 --raw"),
        ("lines app.log 20:10", "rread lines app.log 10:20"),
        ("lines app.log b.log abc --raw", "rread search abc app.log b.log --raw"),
        ("app.log ERROR", "rread search ERROR app.log"),
        ("lines app.log 14:00 --json", "rread lines --since 14:00 app.log --json"),
        ("lines app.log b.log --merge --last 3", "rread search --last 3 '' app.log b.log --merge"),
        ("app.log -f", "rread follow app.log"),
        ("lines -f app.log b.log", "rread follow app.log b.log"),
        ("-f app.log", "rread follow app.log"),
        ("search line app.log --before 2", "rread search line app.log -B 2"),
        ("search line app.log --after=2", "rread search line app.log -A 2"),
        ("search line app.log --after 14:00", "rread search line app.log --since 14:00"),
        ("lines app.log:seven -C 3", "rread lines app.log :20 -C 3"),
        ("lines app.log +F", "rread view app.log +F"),
        ("lines app.log +G -C 3", "rread view app.log +G"),
        ("lines app.log 5 --offset 3 --raw", "rread lines app.log 5 --raw"),
        ("bytes app.log 10 20", "rread bytes app.log 10:20"),
        ("lines app.log 10-", "rread lines app.log 10:"),
        ("lines app.log --offset 0 --raw", "rread lines app.log :20 --raw"),
        ("lines app.log --offset 2 --limit -1", "rread lines app.log :20"),
        ("bytes app.log --start-byte 5 --end-byte=3 --json", "rread bytes app.log 0:4096 --json"),
        ("lines app.log 5 b.log", "rread lines app.log b.log 5"),
        ("lines app.log:10..20 --raw", "rread lines app.log 10:20 --raw"),
        ("app.log:5 10", "rread lines app.log:5"),
        ("ranges app.log 1 b.log 10..20 3", "rread ranges app.log 1 b.log 10:20 3"),
        ("ranges app.log:10..20 b.log:3", "rread ranges app.log 10:20 b.log:3"),
        ("lines -- app.log 5 --raw", "rread lines app.log 5 --raw"),
        ("bytes app.log 0..50", "rread bytes app.log 0:50"),
        ("bytes 0:50 app.log", "rread bytes app.log 0:50"),
        ("page 2 app.log", "rread page app.log 2"),
        ("ranges 1 5 app.log", "rread ranges app.log 1 5"),
        ("ranges app.log:1 -- b.log:1 --raw", "rread ranges app.log:1 b.log:1 --raw"),
    ] {
        let found = hint(&sandbox, &words(line), 2);
        assert_eq!(found, expected, "{line}");
        // rread understands the hint; it fails at most because of the size of the file.
        if found.contains(" follow ") {
            continue;
        }
        let run = answers(&sandbox, &found);
        assert!([0, 1, 5, 6].contains(&run.code), "{run}");
    }
    // A file with that name wins.
    sandbox.file("20", "twenty\n");
    assert_eq!(sandbox.line("lines app.log -n 20 --offset 1 --limit 1").ok().documents().len(), 2);
}

#[test]
fn a_file_that_is_missing_is_standard_input() {
    let sandbox = sandbox();
    for (line, code, expected) in [
        ("", 2, "rread lines -"),
        ("lines", 2, "rread lines -"),
        ("lines --raw", 2, "rread lines - --raw"),
        ("--raw", 2, "rread lines - --raw"),
        ("page", 2, "rread page -"),
        ("lines 1:2", 3, "rread lines - 1:2"),
        ("lines -5: --raw", 3, "rread lines - -5: --raw"),
        ("1:2", 2, "rread lines - 1:2"),
    ] {
        let found = hint(&sandbox, &words(line), code);
        assert_eq!(found, expected, "{line}");
        let line = found.trim_start_matches("rread ").to_owned();
        sandbox.piped(&line, "a\nb\n").ok();
    }
}

#[cfg(unix)]
#[test]
fn a_name_with_a_dash_gets_its_path() {
    let sandbox = sandbox();
    sandbox.file("-dash.log", "x\n");
    assert_eq!(hint(&sandbox, &["lines", "-dash.log"], 2), "rread lines ./-dash.log");
    assert_eq!(hint(&sandbox, &["lines", "-dash.log", "1", "--raw"], 2), "rread lines ./-dash.log 1 --raw");
}

#[test]
fn an_option_after_the_dashes_is_said() {
    let run = sandbox().line("where -- app.log --byte 9").refused(2);
    assert_eq!(
        run.stderr,
        "rread: --byte is after --, where only names are\nhint: rread where app.log --byte 9\n"
    );
}

#[test]
fn every_wrong_option_gets_a_command_line_and_our_own_words() {
    let sandbox = sandbox();
    for (line, words_of, expected) in [
        ("lines app.log --jsn", "has no option --jsn", "rread lines app.log --json"),
        ("lines app.log --follow", "has no option --follow", "rread follow app.log"),
        ("lines app.log --no-header", "has no option --no-header", "rread lines app.log --raw"),
        ("lines app.log -q", "has no option -q", "rread lines app.log -f text"),
        ("lines app.log --output json", "has no option --output", "rread lines app.log --json"),
        ("lines app.log --rwa", "has no option --rwa", "rread lines app.log --raw"),
        ("search x app.log --tail 5", "has no option --tail", "rread search x app.log --last 5"),
        ("search x app.log --limit=3", "has no option --limit", "rread search x app.log -m 3"),
        ("search x app.log --start 10:35", "has no option --start", "rread search x app.log --since 10:35"),
        ("search x app.log --count-by minute", "has no option --count-by", "rread search --help"),
        ("where app.log --since 01:17", "has no option --since", "rread where app.log --time 01:17"),
        ("lines app.log --first 3", "has no option --first", "rread lines app.log :3"),
        ("lines app.log 5 --frob", "has no option --frob", "rread lines --help"),
        ("lines app.log -C", "--context needs a value", "rread lines app.log -C 3"),
        ("image --thumbnail", "--thumbnail needs a value", "rread image --thumbnail 512"),
        (
            "lines app.log -f yaml",
            "'yaml' is not a value of --format: frontmatter, json",
            "rread lines app.log -f frontmatter",
        ),
        (
            "lines app.log --format=jsno",
            "'jsno' is not a value of --format",
            "rread lines app.log --format=json",
        ),
        (
            "lines app.log --max-lines x",
            "--max-lines: 'x' is not a whole number",
            "rread lines app.log --max-lines 10",
        ),
        (
            "lines app.log --max-lines 0",
            "'0' is too small; the minimum is 1",
            "rread lines app.log --max-lines 10",
        ),
        (
            "lines app.log -C x --raw",
            "--context: 'x' is not a whole number",
            "rread lines app.log -C 3 --raw",
        ),
        ("lines app.log -C 99999999999999999999", "is too large", "rread lines app.log -C 3"),
        (
            "lines app.log --retries 500",
            "'500' is not a whole number from 0 to 100",
            "rread lines app.log --retries 10",
        ),
        ("lines app.log --hash --hash-width 9", "from 4 to 8", "rread lines app.log --hash --hash-width 6"),
        ("lines app.log --json --raw", "cannot be used with", "rread lines app.log"),
        ("index clear --older-than soon", "'soon' is not an age", "rread index clear --older-than 30d"),
        ("where app.log", "is missing", "rread where app.log --byte 10"),
        ("where app.log --line x", "'x' is not a number", "rread where app.log --line 10"),
        ("select", "FILE and SQL are missing", "rread select - 'SELECT * FROM t LIMIT 10'"),
        ("index build", "FILE is missing", "rread index build FILE"),
        ("index build app.log --frob", "has no option --frob", "rread index --help"),
        (
            "lines app.log --expect-prefix",
            "--expect VERSION is missing",
            "rread lines app.log --expect-prefix --expect VERSION",
        ),
        ("page app.log x", "not a page number", "rread page app.log 1"),
        ("page app.log 2 b.log", "'2' is a page number; only the last", "rread page app.log b.log 2"),
        ("lnes app.log 5", "'lnes' is neither a command nor a file", "rread lines app.log 5"),
        ("--json frob", "'frob' is neither a command nor a file", "rread --help"),
        ("frob app.log", "'frob' is neither a command nor a file", "rread --help"),
        ("ap.log 5:7 --raw", "'ap.log' is neither a command nor a file", "rread lines app.log 5:7 --raw"),
    ] {
        let args = words(line);
        let found = hint(&sandbox, &args, 2);
        assert!(found.starts_with(expected), "{line}: {found}");
        sandbox.run(&args).says(contains(words_of));
        let error = sandbox.run([&args[..], &["--json"]].concat());
        if !line.contains("--raw") && !line.contains("-C") && !line.contains("--thumbnail") {
            let kind = error.refused_json(2)["kind"].clone();
            assert!(kind == json!("usage") || line.contains("--line x"), "{line}: {kind}");
        }
    }
}

#[test]
fn the_last_one_counts_of_an_option_that_is_given_twice() {
    let sandbox = Sandbox::with("a.log", "Foo\nfoo\nbar\nbaz\n");
    for (twice, once) in [
        ("lines a.log --raw --raw", "lines a.log --raw"),
        ("lines a.log --max-lines 1 --max-lines 2 -f text", "lines a.log --max-lines 2 -f text"),
        ("lines a.log 2 -C1 -C0 -f text", "lines a.log 2 -C0 -f text"),
        ("lines a.log -f json -f text", "lines a.log -f text"),
        ("bytes a.log 0:4 --encode hex --encode base64 -f text", "bytes a.log 0:4 --encode base64 -f text"),
        ("search -i -i foo a.log -f text", "search -i foo a.log -f text"),
        ("search -C1 -C0 bar a.log --raw", "search -C0 bar a.log --raw"),
        ("stat --count --count a.log -f text", "stat --count a.log -f text"),
        ("page a.log --page-size 4 --page-size 8 -f text", "page a.log --page-size 8 -f text"),
    ] {
        let (twice, once) = (sandbox.line(twice), sandbox.line(once));
        assert_eq!(
            (twice.code, twice.text(), &twice.stderr),
            (once.code, once.text(), &once.stderr),
            "{twice}"
        );
        assert!(twice.code == 0, "{twice}");
    }
    // Every one of an option that may be given several times counts.
    let run = sandbox.line("search -e Foo -e baz a.log --raw");
    assert_eq!((run.code, run.text()), (0, "Foo\nbaz\n"), "{run}");
}
