//! `rread stat`: the times at the ends of a file, and the window of `--since` and `--until`.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use rread_testkit::sandbox::{AtHome, Sandbox, binary};
use serde_json::{Value, json};

use super::commands::log;

fn stat(sandbox: &Sandbox, line: &str) -> Value {
    sandbox.line(&format!("stat {line} --json")).ok().json()
}

#[test]
fn a_log_has_the_times_of_its_first_and_last_record() {
    let sandbox = Sandbox::with("a.log", log());
    let found = stat(&sandbox, "a.log --tz UTC");
    let (first, last) = ("2026-11-23T06:00:00+00:00", "2026-11-23T06:09:59+00:00");
    assert_eq!(
        found["time"],
        json!({"first": first, "last": last, "format": "rfc3339", "source": "guess", "zone": "UTC"})
    );
    assert!(found.get("range").is_none());
    let found = stat(&sandbox, "a.log --tz +01:00");
    assert_eq!(found["time"]["first"], "2026-11-23T07:00:00+01:00");
    let xml = sandbox.line("stat a.log --tz UTC -f xml").ok();
    assert!(xml.text().contains(&format!("time_first=\"{first}\"")), "{xml}");
    // A record of many lines is longer than the last block.
    sandbox.file("b.log", log() + &"\tat Main.run\n".repeat(2000));
    let found = stat(&sandbox, "b.log --tz UTC");
    assert_eq!((&found["time"]["first"], found["time"].get("last")), (&json!(first), None));
}

#[test]
fn stat_and_lines_name_the_same_times() {
    let records = |format: &str, step: u64| {
        (0..500).fold(String::new(), |mut text, n| {
            let time =
                jiff::Timestamp::from_second(1_760_000_000 + i64::try_from(n * step).unwrap()).unwrap();
            writeln!(text, "{} message {n}", time.strftime(format)).unwrap();
            text
        })
    };
    let sandbox = Sandbox::new();
    for (at, format) in [
        "%FT%TZ",
        "%Y/%m/%d %T",
        "%b %e %T",
        "h1 - - [%d/%b/%Y:%T %z]",
        "%s",
        "{\"ts\":\"%FT%TZ\"}",
        "[%a %b %d %T %Y]",
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("{at}.log");
        sandbox.file(&name, records(format, 97));
        let found = stat(&sandbox, &format!("{name} --tz UTC"))["time"].clone();
        let of_lines = sandbox.line(&format!("lines {name} --since 06:00 --tz UTC --json")).ok().json();
        for key in ["first", "last", "format", "zone"] {
            assert!(found[key].is_string(), "{format}: {key}");
            assert_eq!(found[key], of_lines["metadata"]["time"][key], "{format}: {key}");
        }
    }
}

#[test]
fn years_that_are_not_written_are_those_of_lines() {
    let sandbox = Sandbox::new();
    // 2026-03-05.
    let touch = |name: &str| {
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_772_668_800);
        std::fs::File::options().write(true).open(sandbox.path(name)).unwrap().set_modified(time).unwrap();
    };
    let lines = |day: &str, count: usize| format!("{day} 10:00:00 host app[1]: message\n").repeat(count);
    let [before, leap, after] = ["Feb 28", "Feb 29", "Mar  1"];
    let december = |count| lines("Dec 31", count) + &lines("Jan  1", count);
    for (name, text, years) in [
        ("few", lines(before, 1) + &lines(leap, 1) + &lines(after, 1), ["2024", "2024"]),
        ("front", lines(leap, 2) + &lines(after, 2000), ["2024", "2024"]),
        ("end", lines(before, 2000) + &lines(leap, 2), ["2024", "2024"]),
        ("between", lines(before, 2000) + &lines(leap, 2) + &lines(after, 2000), ["2024", "2024"]),
        ("none", lines(before, 2000) + &lines(after, 2000), ["2026", "2026"]),
        ("new-year", december(2000), ["2025", "2026"]),
        ("leap-new-year", lines(leap, 2) + &december(2000), ["2024", "2025"]),
    ] {
        sandbox.file(name, text);
        touch(name);
        let found = stat(&sandbox, &format!("{name} --tz UTC"))["time"].clone();
        let of_lines = sandbox.line(&format!("lines {name} --since 09:00 --tz UTC --json")).ok().json();
        for (key, year) in ["first", "last"].into_iter().zip(years) {
            assert!(found[key].as_str().unwrap().starts_with(year), "{name}: {found}");
            assert_eq!(found[key], of_lines["metadata"]["time"][key], "{name}: {key}");
        }
    }
    // Without the end.
    let run = sandbox.piped("stat - --tz UTC --json", lines(before, 1) + &lines(leap, 1) + &lines(after, 1));
    let found = run.ok().json();
    assert!(found["time"]["first"].as_str().unwrap().contains("-02-28T"), "{found}");
}

#[test]
fn a_file_that_is_not_a_log_has_no_times() {
    let sandbox = Sandbox::new();
    let code = "// Changed on 2026-11-23T06:26:04Z\nfn main() {\n    let a = 1;\n}\n";
    let table: String = (0..40).map(|n| format!("    (\"2026-11-23T06:26:{n:02}Z\", {n}),\n")).collect();
    let some: String = (0..40).map(|n| format!("2026-11-23T06:26:{n:02}Z x\ntext\ntext\n")).collect();
    for (name, text) in [
        ("main.rs", code.to_owned()),
        ("table.rs", format!("const TABLE: &[&str] = &[\n{table}];\n")),
        // `lines --since` takes it for a log, because the user does.
        ("notes", some),
        ("one", "2026-11-23T06:26:04Z alone\n".to_owned()),
        ("impossible", "2026-02-30T06:26:04Z x\n".repeat(9)),
        ("empty", String::new()),
        ("text", "one\ntwo\n".to_owned()),
    ] {
        sandbox.file(name, text);
        for options in ["", " --tz UTC", " --count"] {
            assert_eq!(stat(&sandbox, &format!("{name}{options}")).get("time"), None, "{name}{options}");
        }
    }
    sandbox.line("lines notes --since 06:00 --tz UTC").ok();
    let found = stat(&sandbox, "one --time-format %Y-%m-%dT%H:%M:%SZ --tz UTC");
    assert_eq!(found["time"]["last"], "2026-11-23T06:26:04+00:00");
}

#[test]
fn no_source_of_this_repository_has_times() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src"), root.join("tests"), root.join("docs")];
    let mut files = vec![root.join("Cargo.lock"), root.join("README.md"), root.join("CHANGELOG.md")];
    files.retain(|file| file.exists());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    let found = Sandbox::new().run([vec!["stat".into(), "--json".into()], files].concat()).json();
    let found = found["files"].as_array().unwrap();
    assert!(found.len() > 100);
    for file in found {
        assert_eq!(file.get("time"), None, "{}", file["path"]);
    }
}

#[test]
fn a_window_has_the_range_that_lines_returns() {
    let sandbox = Sandbox::with("a.log", log());
    sandbox.file("text", "one\ntwo\n");
    for window in ["--since 06:01 --until 06:05", "--since 06:09:58", "--until 06:00:02", "--since 08:00"] {
        let found = stat(&sandbox, &format!("a.log {window} --tz UTC"));
        let document = sandbox.line(&format!("lines a.log {window} --tz UTC")).ok().document();
        assert_eq!(found["range"], document.fact("range"), "{window}");
        for key in ["since", "until"] {
            assert_eq!(found["time"].get(key).is_some(), window.contains(key), "{window}");
        }
        assert_eq!(found["time"]["last"], "2026-11-23T06:09:59+00:00");
    }
    sandbox.line("stat text --since 06:00").refused(6);
    let found = sandbox.line("stat a.log text --since 06:01 --tz UTC --json").json();
    assert_eq!(found["files"][1]["error_kind"], "invalid_text", "{found}");
    assert!(found["files"][0]["range"].is_string());
    for mistake in
        ["--tz Nowhere/Else", "--time-format %Q", "--slack 3s", "--scan", "--since six", "--until +5m"]
    {
        sandbox.line(&format!("stat a.log {mistake}")).refused(2);
    }
    sandbox.line("stat text --tz Nowhere/Else").refused(2);
}

#[test]
fn a_compressed_log_is_not_decoded_for_its_last_record() {
    let sandbox = Sandbox::with("a.log", log());
    let Ok(output) = Command::new("gzip").arg("-c").arg(sandbox.path("a.log")).output() else { return };
    sandbox.file("a.log.gz", output.stdout);
    let found = stat(&sandbox, "a.log.gz --tz UTC --no-index");
    assert_eq!(found["time"]["first"], "2026-11-23T06:00:00+00:00");
    assert_eq!((found["time"].get("last"), found.get("total")), (None, None));
    let found = stat(&sandbox, "a.log.gz --tz UTC --count --no-index");
    assert_eq!(found["time"]["last"], "2026-11-23T06:09:59+00:00");
}

/// The bytes that `stat -` leaves in a pipe that had `text`, and its answer.
fn left(text: &str) -> (usize, Value) {
    let (reader, writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).unwrap();
    let (mut reader, mut writer) = (std::fs::File::from(reader), std::fs::File::from(writer));
    writer.write_all(text.as_bytes()).unwrap();
    let sandbox = Sandbox::new();
    let mut command = Command::new(binary());
    command.args(["stat", "-", "--tz", "UTC", "--json"]).at_home(&sandbox.home());
    // The writer stays open, so an answer does not wait for the end.
    let output = command.stdin(Stdio::from(reader.try_clone().unwrap())).output().unwrap();
    drop(writer);
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).unwrap();
    (rest.len(), serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn a_pipe_is_read_as_far_as_without_times() {
    let text = log();
    let (rest, found) = left(&text);
    assert_eq!(found["time"]["first"], "2026-11-23T06:00:00+00:00");
    assert_eq!(found["time"].get("last"), None);
    let (rest_of_words, found) = left(&text.replace("2026-", "word-"));
    assert_eq!((rest, found.get("time")), (rest_of_words, None));
}
