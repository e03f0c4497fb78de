//! Windows of time in objects: the requests for one, and one call for what happened around a match.

use std::fmt::Write as _;

use rread_testkit::sandbox::{Run, Sandbox, words};

use super::servers::{self, Object, Store, Target};

/// Half a million records in 36 MB and a day; one in 1000 is a timeout.
fn log() -> String {
    let mut text = String::new();
    for number in 0..500_000u32 {
        let millisecond = u64::from(number) * 86_400 / 500;
        let (second, fraction) = (millisecond / 1000, millisecond % 1000);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let word = if number % 1000 == 999 { "Timeout" } else { "request" };
        writeln!(
            text,
            "2026-11-22T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z INFO {word} {number:030}"
        )
        .unwrap();
    }
    text
}

fn run(sandbox: &Sandbox, line: &str, target: &Target) -> Run {
    let mut command = sandbox.command();
    command.args(words(line).into_iter().map(|word| if word == "FILE" { &target.url } else { word }));
    command.env("RREAD_CACHE_DIR", sandbox.path("cache"));
    command.envs(target.env.iter().map(|(name, value)| (name, value)));
    Run::of(&mut command).ok()
}

#[test]
fn a_window_takes_at_most_12_requests() {
    let Some(store) = servers::moto() else { return };
    let text = log();
    store.put(&Object::new("window.log", text.as_bytes()));
    let sandbox = Sandbox::with("local.log", &text);
    let (target, proxy) = servers::counted(store, "window.log");
    for window in [
        "--since 06:00 --until +10s",
        "--since 06:01:00.2 --until 06:15",
        "--since 12:00 --until 12:30",
        "--until 00:00:05",
        "--since 23:59:50",
        "--since 2026-11-23 --until 2026-11-24",
    ] {
        for format in ["raw", "json"] {
            let line = format!("lines FILE {window} --tz UTC -f {format} --no-index");
            let remote = run(&sandbox, &line, &target);
            let (requests, received) = proxy.take();
            eprintln!("{}: {line}: {requests} requests, {received} bytes", store.name());
            let local = sandbox.line(&line.replace("FILE", "local.log")).ok();
            if format == "raw" {
                assert!(remote.stdout == local.stdout, "{line}: {remote}");
            } else {
                assert_eq!(remote.json()["content"], local.json()["content"], "{line}");
            }
            assert!(requests <= 12, "{line}: {requests} requests, {received} bytes");
        }
    }
}

#[test]
fn what_happened_around_the_first_timeout_after_six() {
    let Some(store) = servers::moto() else { return };
    let text = log();
    let sandbox = Sandbox::with("app.log", &text);
    store.put(&Object::new("app.log", text.as_bytes()));
    let line = "search -i timeout FILE --since 06:00 -m 1 -C 3 --tz UTC";
    let remote = run(&sandbox, line, &store.target("app.log")).document().content;
    let local = sandbox.line(&line.replace("FILE", "app.log")).ok().document().content;
    assert_eq!(remote, local);
    assert!(local.lines().count() == 7 && local.contains(":2026-11-22T06:0"), "{local}");
}
