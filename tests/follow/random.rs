//! Random histories of a file: raw, text and JSON show all of it, once, in order, with the right ranges.

use std::process::Command;
use std::time::Duration;

use rread_testkit::home::AtHome;
use rread_testkit::sample::cases;
use serde_json::Value;

use super::support::{Folder, Follower, until};
use super::writer::{Generation, Writer};

struct Followers {
    raw: Follower,
    text: Follower,
    json: Follower,
}

impl Followers {
    fn new(folder: &Folder, options: &str) -> Self {
        let [raw, text, json] = ["--raw", "-f text", "--json"]
            .map(|format| folder.rread(&format!("-n 999999999 app.log {format}{options}")));
        Followers { raw, text, json }
    }

    /// Waits until everything was shown, and compares it.
    fn sync(&self, writer: &mut Writer<'_>) {
        let all: Vec<u8> = writer.generations.iter().flat_map(|it| it.bytes.iter().copied()).collect();
        let text: String = writer.generations.iter().map(|it| it.text(0, it.bytes.len())).collect();
        let history = &writer.history;
        // The beginning of a character at the end is not shown before it ends.
        let shown = |found: &str| {
            let whole = found.trim_end_matches('\u{FFFD}');
            let rest = text.strip_prefix(whole).map(|rest| rest.trim_end_matches('\u{FFFD}').is_empty());
            rest.unwrap_or(found.len() >= text.len())
        };
        let read = |what, is_done: &dyn Fn() -> bool| {
            until(&format!("{what} of {history}"), is_done);
        };
        read("raw", &|| self.raw.bytes().len() >= all.len());
        read("text", &|| shown(&self.text.text()));
        read("JSON", &|| {
            shown(&self.records().iter().filter_map(|it| it["content"].as_str()).collect::<String>())
        });
        assert!(self.raw.bytes() == all, "raw {history}");
        let found = self.text.text();
        assert!(text.starts_with(&found), "text {history}\n{found:?}\n{text:?}");
        check(&self.records(), &writer.generations, history);
        // Nothing is shown of a byte order mark, and of a character that has not ended.
        let current = writer.current();
        let shown = current.text(0, current.bytes.len());
        writer.is_seen = !shown.trim_end_matches('\u{FFFD}').is_empty();
    }

    /// Waits until every follower has opened the file that has the name now.
    fn see(&self, writer: &mut Writer<'_>) {
        while !writer.is_seen {
            writer.append("app.log");
            self.sync(writer);
        }
    }

    fn records(&self) -> Vec<Value> {
        let text = self.json.text();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Every record has the text of its range, and ranges follow each other.
fn check(records: &[Value], generations: &[Generation], history: &str) {
    let mut left = generations.iter().filter(|it| !it.bytes.is_empty());
    let mut now: Option<&Generation> = None;
    let mut position = 0;
    for record in records.iter().filter(|record| record["content"].is_string()) {
        let at = |key: &str| usize::try_from(record["actual_range"][key].as_u64().unwrap()).unwrap();
        let (start, end) = (at("start_byte"), at("end_byte"));
        if start == 0 {
            now = left.next();
            position = 0;
        }
        let now = now.unwrap();
        assert_eq!(start, position, "{record} {history}");
        assert!(end <= now.bytes.len(), "{record} {history}");
        assert_eq!(record["content"].as_str().unwrap(), now.text(start, end), "{record} {history}");
        assert_eq!(at("start_line"), 1 + now.newlines(0, start), "{record} {history}");
        let ends_line = now.text(start, end).ends_with('\n');
        assert_eq!(at("end_line"), 1 + now.newlines(0, end) - usize::from(ends_line), "{record} {history}");
        position = end;
    }
}

fn version(folder: &Folder) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rread"));
    command.args(["stat", "app.log", "--json"]).current_dir(folder.0.path()).at_home(&folder.path(".home"));
    let answer: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    answer["version"].clone()
}

#[test]
fn any_history_is_shown_once_and_in_order() {
    let all = cases(60, 6);
    if let Ok(seed) = std::env::var("RREAD_SEED") {
        return run(seed.parse().unwrap());
    }
    let ran = std::thread::scope(|scope| {
        let parts = [0, 1, 2, 3]
            .map(|part| scope.spawn(move || (1..=all).filter(|n| n % 4 == part).map(run).count()));
        parts.into_iter().map(|part| part.join().unwrap()).sum::<usize>()
    });
    assert_eq!(ran, usize::try_from(all).unwrap());
}

fn run(seed: u64) {
    let folder = Folder::new();
    let mut writer = Writer::new(&folder, seed);
    writer.begin();
    if !seed.is_multiple_of(3) {
        writer.append("app.log");
    }
    let followers = Followers::new(&folder, if seed.is_multiple_of(5) { " --poll 5ms" } else { "" });
    writer.is_seen = false;
    followers.see(&mut writer);
    for _ in 0..30 {
        match writer.rng.below(12) {
            0..6 => writer.append("app.log"),
            6..9 => {
                followers.see(&mut writer);
                writer.rotate();
            }
            9 if writer.current().bytes.len() > 20 => {
                followers.sync(&mut writer);
                match writer.rng.below(2) {
                    0 => writer.truncate(),
                    _ => {
                        writer.shorten();
                        followers.sync(&mut writer);
                    }
                }
            }
            10 => std::thread::sleep(Duration::from_millis([1, 5, 20, 210][writer.rng.below(4)])),
            _ => followers.sync(&mut writer),
        }
    }
    followers.sync(&mut writer);
    let last = followers.records().into_iter().rfind(|record| record["content"].is_string()).unwrap();
    if last["actual_range"]["end_byte"] == writer.current().bytes.len() && !last["version"].is_null() {
        assert_eq!(last["version"], version(&folder), "{}", writer.history);
    }
}
