//! `--merge`: records of several files as they come, in the order of their times.

use super::support::{Folder, until};

fn record(second: u64, text: &str) -> String {
    format!("2026-11-23T06:{:02}:{:02}Z {text}\n", second / 60, second % 60)
}

#[test]
fn what_is_there_is_in_the_order_of_time() {
    let folder = Folder::new();
    let text = |name: &str, from: u64| {
        (0..200).map(|n| record(from + 2 * n, &format!("{name} {n}")) + "\tmore\n").collect::<String>()
    };
    folder.append("a.log", text("a", 0));
    folder.append("b.log", text("b", 1));
    let mut follower = folder.rread("a.log b.log --merge -n +1 --max-lines 800");
    assert_eq!(follower.code(), 0, "{}", follower.notes());
    let expected: String = (0..200)
        .flat_map(|n| {
            let lines = |name: &str, second: u64| {
                format!("{name}.log: {}{name}.log: \tmore\n", record(second, &format!("{name} {n}")))
            };
            [lines("a", 2 * n), lines("b", 2 * n + 1)]
        })
        .collect();
    assert_eq!(follower.text(), expected);
}

#[test]
fn a_record_waits_for_earlier_ones_of_the_other_files() {
    let folder = Folder::with("a.log", record(1, "a"));
    folder.append("b.log", record(2, "b"));
    let follower = folder.rread("a.log b.log --merge --hold 60s --raw -n +1");
    // A record is printed as soon as the other file has a later one.
    follower.shows("a\n");
    folder.append("a.log", record(5, "late"));
    follower.shows("b\n");
    folder.append("b.log", record(4, "early"));
    follower.shows("early\n");
    folder.append("b.log", record(3, "earlier than one before it"));
    folder.append("b.log", record(6, "last"));
    follower.shows("late\n");
    let expected = [
        record(1, "a"),
        record(2, "b"),
        record(4, "early"),
        record(3, "earlier than one before it"),
        record(5, "late"),
    ];
    assert_eq!(follower.text(), expected.concat());
}

#[test]
fn a_silent_file_holds_nothing_up_for_longer() {
    let folder = Folder::with("a.log", "");
    folder.append("b.log", record(9, "b"));
    let follower = folder.rread("a.log b.log --merge --hold 100ms -n +1 -f text");
    follower.shows("b.log: 2026-11-23T06:00:09Z b\n");
    folder.append("a.log", record(1, "a"));
    follower.shows("a.log: 2026-11-23T06:00:01Z a\n");
    // The lines of one record are not mixed with others.
    folder.append("b.log", record(10, "of several lines") + "\tat x\n");
    until("both lines", || follower.text().ends_with("b.log: \tat x\n"));
}

#[test]
fn windows_and_patterns_end_a_merge() {
    let folder = Folder::with("a.log", (0..50).map(|n| record(2 * n, "a")).collect::<String>());
    folder.append("b.log", (0..50).map(|n| record(2 * n + 1, "b")).collect::<String>());
    let mut window =
        folder.rread("a.log b.log --merge --raw --since 2026-11-23T06:00:10Z --until 2026-11-23T06:00:14Z");
    assert_eq!(window.code(), 0, "{}", window.notes());
    let expected = [record(10, "a"), record(11, "b"), record(12, "a"), record(13, "b")];
    assert_eq!(window.text(), expected.concat());
    let mut found = folder.rread("a.log b.log --merge --raw -n +1 --until-match 06:00:03");
    assert_eq!(found.code(), 0, "{}", found.notes());
    assert_eq!(found.text(), [record(0, "a"), record(1, "b"), record(2, "a"), record(3, "b")].concat());
}
