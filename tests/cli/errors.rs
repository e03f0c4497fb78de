//! Failures: the exit-code table, one sentence and at most one hint on standard error, or one JSON object.

use insta::assert_snapshot;
use predicates::str::contains;
#[cfg(unix)]
use rread_testkit::sandbox::{AtHome, Run};
use rread_testkit::sandbox::{Sandbox, fixture, fixture_bytes, numbered};
use serde_json::json;

#[test]
fn every_kind_has_its_exit_code() {
    let sandbox = Sandbox::with("f", numbered(9));
    sandbox.file("png", fixture_bytes("tiny.png"));
    sandbox.file("invalid", b"a\xffb\n");
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    for (line, code, kind) in [
        ("frob f", 2, "usage"),
        ("lines", 2, "usage"),
        ("bytes", 2, "usage"),
        ("stat", 2, "usage"),
        ("lines f --frob", 2, "usage"),
        ("lines f 1 2", 2, "usage"),
        ("lines f --max-bytes lots", 2, "usage"),
        ("lines f --max-lines x", 2, "usage"),
        ("bytes f --align sideways", 2, "usage"),
        ("bytes f --encode rot13", 2, "usage"),
        ("lines f --invalid ignore", 2, "usage"),
        ("lines f --color sometimes", 2, "usage"),
        ("lines f --expect nonsense", 2, "usage"),
        ("lines f --expect-prefix", 2, "usage"),
        ("lines f x", 2, "invalid_range"),
        ("lines f 9:3", 2, "invalid_range"),
        ("bytes f 7", 2, "invalid_range"),
        ("lines missing", 3, "not_found"),
        ("bytes missing 0:5", 3, "not_found"),
        ("ranges missing 1", 3, "not_found"),
        ("stat missing", 3, "not_found"),
        ("lines folder/missing", 3, "not_found"),
        ("lines folder", 3, "is_directory"),
        ("bytes folder", 3, "is_directory"),
        ("ranges folder 1", 3, "is_directory"),
        ("stat folder", 3, "is_directory"),
        ("lines png", 4, "binary"),
        ("lines f 10", 5, "out_of_range"),
        ("bytes f 999:", 5, "out_of_range"),
        ("lines invalid --invalid error", 6, "invalid_text"),
    ] {
        sandbox.line(line).refused(code);
        let error = sandbox.line(&format!("{line} --json")).refused_json(code);
        assert_eq!(error["kind"], json!(kind), "{line}: {error}");
        for format in ["raw", "text", "xml"] {
            sandbox.line(&format!("{line} -f {format}")).refused(code);
        }
    }
}

#[test]
fn an_error_names_the_file_the_numbers_and_what_to_type() {
    let sandbox = Sandbox::with("app.log", numbered(412));
    let run = sandbox.line("lines app.log 900").refused(5);
    assert_snapshot!(run.snapshot(), @r"
    rread: app.log: line 900 is beyond the end of the file (412 lines)
    hint: rread lines app.log -20:
    exit code 5
    ");
    assert_snapshot!(sandbox.line("lines app.log 900 --json").snapshot(), @r#"
    {"error":"line 900 is beyond the end of the file (412 lines)","kind":"out_of_range","hint":"rread lines app.log -20:","path":"app.log"}
    exit code 5
    "#);
    // The hint is a command that works.
    let (_, hint) = run.stderr.split_once("hint: rread ").unwrap();
    sandbox.line(hint).ok();
    // A name that a shell would split is quoted.
    sandbox.file("two words.log", "x\n");
    sandbox.run(["lines", "two words.log", "9"]).refused(5).says(contains("'two words.log'"));
}

#[test]
fn errors_are_json_wherever_the_flag_stands() {
    let sandbox = Sandbox::with("f", numbered(9));
    for line in [
        "lines --json f --frob",
        "lines --frob f --json",
        "lines -f json --frob f",
        "lines -fjson --frob f",
        "lines --format=json f --frob",
        "lines --json",
        "frob --json",
    ] {
        assert_eq!(sandbox.line(line).refused_json(2)["kind"], json!("usage"), "{line}");
    }
    sandbox.line("lines --frob -- f --json").refused(2);
}

#[test]
fn a_near_miss_is_suggested() {
    let sandbox = Sandbox::with("service.log", "x\n");
    sandbox.file("Cargo.toml", "x\n");
    std::fs::create_dir(sandbox.path("logs")).unwrap();
    sandbox.file("logs/today.log", "x\n");
    for (typed, meant) in [
        ("sevice.log", "service.log"),
        ("service.lgo", "service.log"),
        ("Service.log", "service.log"),
        ("cargo.tml", "Cargo.toml"),
        ("logs/toady.log", "logs/today.log"),
    ] {
        if sandbox.path(typed).exists() {
            eprintln!("skipped: {typed} is {meant} on this file system");
            continue;
        }
        let run = sandbox.run(["lines", typed]).refused(3);
        assert!(run.stderr.starts_with(&format!("rread: {typed}: ")), "{run}");
        let hint = run.stderr.lines().nth(1).unwrap_or_default();
        let names = |hint: &str| hint.replace(std::path::MAIN_SEPARATOR, "/").contains(meant);
        assert!(hint.starts_with("hint: ") && names(hint), "{run}");
        let error = sandbox.run(["lines", typed, "--json"]).refused_json(3);
        assert!(names(error["hint"].as_str().unwrap()), "{error}");
    }
    let run = sandbox.line("lines something-else-entirely").refused(3);
    assert!(!run.stderr.contains("service.log"), "no wild guesses: {run}");
    // Commands and flags have near misses too.
    sandbox.line("lnes service.log").refused(2).says(contains("lines"));
    sandbox.line("lines service.log --jsn").refused(2).says(contains("--json"));
}

#[test]
fn an_error_is_one_line_whatever_the_name() {
    let sandbox = Sandbox::new();
    for name in ["new\nline", "bell\x07", "esc\x1b[31m"] {
        let run = sandbox.run(["lines", name]).refused(3);
        assert!(!run.stderr.contains(['\x07', '\x1b']), "{run}");
        let error = sandbox.run(["lines", name, "--json"]).refused_json(3);
        assert_eq!(error["path"], json!(name));
    }
    let run = sandbox.run(["lines", "", "--json"]);
    assert!([2, 3].contains(&run.code), "{run}");
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_work_and_are_reported_exactly() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let sandbox = Sandbox::new();
    let name = OsStr::from_bytes(b"caf\xe9.txt");
    let exact = data_encoding::BASE64.encode(name.as_bytes());
    let run = |args: &[&str]| {
        sandbox.run(
            [&[OsStr::new("lines"), name], &args.iter().map(OsStr::new).collect::<Vec<_>>()[..]].concat(),
        )
    };
    let error = run(&["--json"]).refused_json(3);
    assert_eq!((&error["path"], &error["path_base64"]), (&json!("caf\u{FFFD}.txt"), &json!(exact)));
    if std::fs::write(sandbox.path(".").join(name), "x\n").is_err() {
        eprintln!("skipped: this file system takes no names that are not UTF-8");
        return;
    }
    let answer = run(&["--json"]).ok().json();
    assert_eq!(answer["metadata"]["path"], json!("caf\u{FFFD}.txt"));
    assert_eq!(answer["metadata"]["path_base64"], json!(exact));
    assert_eq!(run(&[]).ok().document().fact("path_base64"), exact);
}

#[test]
fn help_and_version_are_not_errors() {
    let sandbox = Sandbox::new();
    for line in [
        "--help",
        "-h",
        "--version",
        "lines --help",
        "bytes -h",
        "ranges --help",
        "stat --help",
        "help lines",
    ] {
        let run = sandbox.line(line).ok();
        assert!(!run.stdout.is_empty(), "{line}");
    }
    assert!(sandbox.line("--version").ok().text().contains(env!("CARGO_PKG_VERSION")));
    assert!(sandbox.line("--help").ok().text().contains("Exit codes"));
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_is_not_a_failure() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let sandbox = Sandbox::with("f", numbered(400_000));
    for args in [
        &["lines", "f"][..],
        &["lines", "f", "--raw"],
        &["lines", "f", "--json"],
        &["lines", "f", "--xml"],
        &["bytes", "f", "-ftext"],
    ] {
        let mut child = Command::new(rread_testkit::sandbox::binary())
            .at_home(&sandbox.home())
            .args(args)
            .current_dir(sandbox.path("."))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), told.as_str()), (Some(0), ""), "{args:?}");
    }
}

/// Runs the program in a shell, with `redirection` of its output.
#[cfg(unix)]
fn in_shell(sandbox: &Sandbox, line: &str, redirection: &str) -> Run {
    let mut command = assert_cmd::Command::new("sh");
    command.arg("-c").arg(format!("\"$0\" {line} {redirection}")).arg(rread_testkit::sandbox::binary());
    command.current_dir(sandbox.path(".")).timeout(std::time::Duration::from_secs(60)).write_stdin("");
    command.at_home(&sandbox.home());
    Run::of(&mut command)
}

#[cfg(unix)]
#[test]
fn output_that_cannot_be_written_is_exit_8() {
    let sandbox = Sandbox::with("f", numbered(9));
    sandbox.file("large", numbered(400_000));
    let mut redirections = vec![">&-"];
    if std::path::Path::new("/dev/full").exists() {
        redirections.push("> /dev/full");
    } else {
        eprintln!("skipped: there is no /dev/full");
    }
    for redirection in redirections {
        for line in [
            "lines f",
            "lines large",
            "lines f --raw",
            "bytes large --raw",
            "lines f --xml",
            "stat f",
            "--schema",
            "--generate bash",
        ] {
            in_shell(&sandbox, line, redirection).refused(8);
        }
        let error = in_shell(&sandbox, "lines f --json", redirection).refused_json(8);
        assert_eq!(error["kind"], json!("write"), "{redirection}");
        in_shell(&sandbox, "stat f --json", redirection).refused_json(8);
    }
}

#[test]
fn fixtures_are_what_they_say() {
    let read_me = String::from_utf8(fixture_bytes("README.md")).unwrap();
    for entry in std::fs::read_dir(fixture("")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let listed = read_me.contains(&format!("| `{name}` |"));
        assert!(listed || name == "README.md" || name == ".gitattributes", "{name} is not in the README");
    }
    assert!(fixture_bytes("crlf.txt").windows(2).any(|w| w == b"\r\n"), "line ends were converted");
    assert_eq!(fixture_bytes("service.log").iter().filter(|b| **b == b'\n').count(), 500);
}

/// The command of the hint gives an answer; a pipe has to be sent again.
#[test]
fn an_error_about_a_missing_range_names_one_that_exists() {
    let sandbox = Sandbox::with("f", numbered(9));
    for (asked, hint) in [("--byte 999", "--byte -1"), ("--line 10", "--line -1")] {
        let hint = format!("hint: rread where f {hint}\n");
        sandbox.line(&format!("where f {asked}")).refused(5).says(contains(&hint));
        sandbox.line(hint.trim_start_matches("hint: rread ")).ok();
        let piped = hint.replace("rread", "COMMAND | rread").replace(" f ", " - ");
        sandbox.piped(&format!("where - {asked}"), numbered(9)).refused(5).says(contains(piped));
    }
}

/// A build without SQLite says how to get one with it.
#[cfg(not(feature = "sqlite"))]
#[test]
fn an_address_in_a_database_needs_the_feature() {
    let sandbox = Sandbox::new();
    for name in ["sqlite:a.db/x", "sqlite:a.db?table=t&key=1"] {
        let error = sandbox.line(&format!("lines --json {name}")).refused_json(2);
        assert_eq!(error["kind"], "usage");
        assert_eq!(error["hint"], "cargo install --path . --features sqlite (in a checkout)");
    }
    #[cfg(unix)]
    {
        sandbox.file("sqlite:here", "a file\n");
        sandbox.line("lines --raw sqlite:here").ok();
    }
}

#[test]
fn an_encoding_of_other_programs_has_the_command_that_converts_the_file() {
    let sandbox = Sandbox::with("a b", "hi\n");
    for (label, hint) in [
        ("cp850", "iconv -f CP850 -t UTF-8 < 'a b' | rread lines -"),
        (
            "hz",
            "python3 -c \"import sys; print(sys.stdin.buffer.read().decode('hz'), end='')\" < 'a b' | rread lines -",
        ),
        ("iso-2022-kr", "iconv -f ISO-2022-KR -t UTF-8 < 'a b' | rread lines -"),
        ("uft-8", "rread lines 'a b' -E utf-8"),
        ("nonsense", "rread lines 'a b' -E auto"),
    ] {
        let run = sandbox.run(["lines", "a b", "-E", label]).refused(2);
        assert!(run.stderr.ends_with(&format!("hint: {hint}\n")), "{label}: {run}");
    }
    let run = sandbox.run(["stat", "a b", "--encoding=cp437"]).refused(2);
    assert!(run.stderr.contains("iconv -f CP437 -t UTF-8 < 'a b'"), "{run}");
}

#[test]
fn urls_of_other_schemes_are_not_missing_files() {
    let sandbox = Sandbox::new();
    for (url, message, hint) in [
        ("ftp://host/a.log", "ftp:// is not a scheme that rread reads", ""),
        ("hdfs://name/a.log", "hdfs:// is not a scheme that rread reads", ""),
        (
            "abfss://c@account.dfs.core.windows.net/a/k.log",
            "abfss:// is not a scheme",
            "hint: AZURE_STORAGE_ACCOUNT_NAME=account rread lines az://c/a/k.log",
        ),
        (
            "wasbs://c@account.blob.core.windows.net/k",
            "wasbs:// is not a scheme",
            "hint: AZURE_STORAGE_ACCOUNT_NAME=account rread lines az://c/k",
        ),
    ] {
        let run = sandbox.run(["lines", url]).refused(2);
        run.says(contains(message)).says(contains(hint));
    }
    sandbox.run(["lines", "a/b://c"]).refused(3).says(contains("No such file"));
    std::fs::create_dir_all(sandbox.path("ftp:/host")).unwrap();
    sandbox.file("ftp:/host/a.log", "one\n");
    assert_eq!(sandbox.run(["lines", "ftp://host/a.log", "--raw"]).ok().text(), "one\n");
}
