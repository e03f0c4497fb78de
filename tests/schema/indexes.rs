//! Answers about files with a past: indexed, grown, renamed, changed, and with an index that is damaged or not wanted.

#[cfg(unix)]
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

#[cfg(unix)]
use serde_json::Value;

use super::calls::{Outcome, rread, run, run_line};
#[cfg(unix)]
use super::{all::outcomes, calls::files, schema};

/// What calls answer about a file whose index is made, outdated, extended and lost.
pub fn histories(folder: &Path) -> Vec<Outcome> {
    let path = folder.join("history.log");
    let log: String = (1..=100_000).map(|n| format!("{n} a line with a past\n")).collect();
    fs::write(&path, &log).unwrap();
    let mut outcomes = Vec::new();
    let mut call = |lines: &[&str]| outcomes.extend(lines.iter().map(|line| run_line(folder, line)));
    call(&["index show history.log", "lines history.log 60000", "index show history.log"]);
    call(&["index build history.log", "index show history.log", "stat history.log", "lines history.log -2:"]);

    for scan in ["lines history.log 150000", "index build history.log"] {
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(log.as_bytes()).unwrap();
        drop(file);
        // The end of a log that was written this moment is not worth waiting for, and is not learned.
        sleep(Duration::from_millis(50));
        call(&["index show history.log", scan, "stat history.log"]);
    }

    fs::rename(&path, folder.join("renamed.log")).unwrap();
    call(&["index show renamed.log", "stat renamed.log", "where renamed.log --line 99999"]);

    fs::write(folder.join("renamed.log"), &log[1..]).unwrap();
    call(&["index show renamed.log", "stat renamed.log", "lines renamed.log 99999"]);
    call(&["index build renamed.log", "index show renamed.log"]);

    change_only_the_inode(&folder.join("renamed.log"));
    call(&["index show renamed.log"]);

    for index in fs::read_dir(folder.join("cache")).unwrap() {
        fs::write(index.unwrap().path(), "no index").unwrap();
    }
    call(&["index list", "index show renamed.log", "lines renamed.log 7"]);

    for (name, value) in [
        ("RREAD_INDEX", "off"),
        ("RREAD_INDEX", "ro"),
        ("RREAD_INDEX", "maybe"),
        ("RREAD_INDEX_MIN", "much"),
        ("RREAD_CACHE_MAX", "less"),
    ] {
        for line in ["index build renamed.log", "lines renamed.log 7", "stat renamed.log"] {
            let mut command = rread(folder);
            command.args(line.split(' ')).arg("--json").env(name, value);
            outcomes.push(run(&format!("{name}={value} {line}"), command, b""));
        }
    }
    outcomes
}

/// Content with its time set back looks just like this.
fn change_only_the_inode(path: &Path) {
    let mut permissions = path.metadata().unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(path, permissions).unwrap();
}

/// The values of `key` in all answers that hold it beside `beside`.
#[cfg(unix)]
fn seen(outcomes: &[Outcome], key: &str, beside: &str) -> BTreeSet<String> {
    let documents = outcomes.iter().flat_map(Outcome::documents);
    let places = documents.flat_map(|document| [Some(document), document.get("metadata")]).flatten();
    let having = places.filter(|place| place.get(beside).is_some());
    having.filter_map(|place| place[key].as_str()).map(str::to_owned).collect()
}

#[cfg(unix)]
fn words(schema: &Value, place: &str) -> BTreeSet<String> {
    let words = schema.pointer(place).unwrap().as_array().unwrap();
    words.iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// Without a time of the inode's last change, which not every system keeps, a renamed file is a fresh one.
#[cfg(unix)]
#[test]
fn every_word_about_an_index_is_seen_in_an_answer() {
    let (outcomes, schema) = (outcomes(), schema());
    let of_slices = seen(outcomes, "index", "file_size");
    assert_eq!(of_slices, words(&schema, "/$defs/member_index/enum"));
    let of_builds = seen(outcomes, "index", "milliseconds");
    assert!(of_builds.is_subset(&words(&schema, "/$defs/member_index/enum")), "{of_builds:?}");
    let of_shows = seen(outcomes, "state", "covered");
    assert_eq!(of_shows, words(&schema, "/$defs/index_action/anyOf/1/properties/state/enum"));
    assert!(seen(outcomes, "state", "path").contains("absent"));
}

#[cfg(unix)]
#[test]
fn slices_of_bytes_have_line_numbers_where_an_index_knows_them() {
    let folder = files();
    let ask = || run_line(folder.path(), "bytes big.log 2000000:+10").answer.unwrap();
    let without = ask();
    assert_eq!(without.pointer("/metadata/actual_range/start_line"), None);
    run_line(folder.path(), "index build big.log").answer.unwrap();
    let with = ask();
    let line = with.pointer("/metadata/actual_range/start_line").unwrap();
    let found = run_line(folder.path(), "where big.log --byte 2000000").answer.unwrap();
    assert_eq!((line, &with["metadata"]["total_lines"]), (&found["line"], &found["total_lines"]));
}
