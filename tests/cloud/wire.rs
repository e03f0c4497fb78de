//! Counts the bytes that cross the wire: a slice costs its blocks, for objects of any size.

use rread_testkit::sandbox::{Run, Sandbox, words};

use super::content;
use super::servers::{self, Object, Target};

/// 32 MiB, and the count of lines in it.
const SIZE: u64 = 32 << 20;
const LINES: u64 = SIZE / content::LINE;

fn run(sandbox: &Sandbox, line: &str, target: &Target) -> Run {
    let mut command = sandbox.command();
    command.args(words(line).into_iter().map(|word| if word == "FILE" { &target.url } else { word }));
    command.arg("--raw").env("RREAD_CACHE_DIR", sandbox.path("cache")).env("RREAD_INDEX_MIN", "1");
    command.envs(target.env.iter().map(|(name, value)| (name, value)));
    Run::of(&mut command).ok()
}

#[test]
fn slices_take_few_bytes() {
    let bytes = content::text(SIZE);
    for store in servers::all() {
        let name = format!("wire{}.log", store.name().len());
        store.put(&Object::new(&name, &bytes));
        let sandbox = Sandbox::new();
        let (target, proxy) = servers::counted(store, &name);
        let ask = |line: &str, first: u64, count: u64| {
            let run = run(&sandbox, line, &target);
            assert!(run.stdout == content::slice(first, count, false), "{}: {run}", store.name());
            let (requests, received) = proxy.take();
            eprintln!("{}: {line}: {requests} requests, {received} bytes", store.name());
            (requests, received)
        };
        let (requests, received) = ask("lines FILE -20:", SIZE - 1280, 1280);
        assert!(requests <= 4 && received < 1 << 20, "{}: {requests}, {received}", store.name());
        let (requests, received) = ask("bytes FILE 16MiB:+640", SIZE / 2, 640);
        assert!(requests <= 4 && received < 1 << 20, "{}: {requests}, {received}", store.name());
        // After one full scan, the index finds any other line.
        let last = format!("lines FILE {LINES}");
        let (_, received) = ask(&last, SIZE - 64, 64);
        assert!(received < SIZE + SIZE / 8, "{}: {received}", store.name());
        let middle = format!("lines FILE {}:+2", LINES / 2);
        let (requests, received) = ask(&middle, (LINES / 2 - 1) * 64, 128);
        assert!(requests <= 4 && received < 1 << 19, "{}: {requests}, {received}", store.name());
    }
}
