//! Rename, copytruncate, deletion and return, beside `tail -F` where it loses nothing.

use std::fs;
use std::os::unix::fs::symlink;

use super::support::{Folder, Follower, lines, until};

/// rread and tail, which follow the same file from the same state on.
fn pair(folder: &Folder, polls: bool) -> [Follower; 2] {
    let tail = folder.tail("-n 3 -F app.log");
    let rread = folder.rread(if polls { "app.log -n 3 --poll 20ms" } else { "app.log -n 3" });
    [tail, rread]
}

fn both_show(pair: &[Follower; 2], text: &str) {
    pair.iter().for_each(|one| one.shows(text));
}

fn same(pair: &[Follower; 2], expected: &str) {
    for one in pair {
        until("all", || one.text().len() >= expected.len());
        assert_eq!(one.text(), expected);
    }
}

#[test]
fn appended_lines_come_as_in_tail() {
    for polls in [false, true] {
        let folder = Folder::with("app.log", lines(1, 9));
        let pair = pair(&folder, polls);
        both_show(&pair, "line 9\n");
        for n in 10..40 {
            folder.append("app.log", lines(n, n));
        }
        same(&pair, &lines(7, 39));
    }
}

#[test]
fn rename_and_create_is_followed() {
    for polls in [false, true] {
        let folder = Folder::with("app.log", lines(1, 9));
        let pair = pair(&folder, polls);
        both_show(&pair, "line 9\n");
        folder.append("app.log", lines(10, 10));
        both_show(&pair, "line 10\n");
        for round in 0..3 {
            let first = 11 + round * 2;
            folder.rename("app.log", &format!("app.log.{round}"));
            folder.append("app.log", lines(first, first));
            both_show(&pair, &lines(first, first));
            folder.append("app.log", lines(first + 1, first + 1));
            both_show(&pair, &lines(first + 1, first + 1));
        }
        same(&pair, &lines(7, 16));
        assert!(pair[1].notes().contains("rread: app.log: note: rotated\n"), "{}", pair[1].notes());
    }
}

#[test]
fn a_writer_that_changes_over_late_loses_nothing() {
    // logrotate renames, creates, and then signals the writer, which has gone on with the old file.
    let folder = Folder::with("app.log", lines(1, 3));
    let rread = folder.rread("app.log");
    rread.shows("line 3\n");
    folder.rename("app.log", "app.log.1");
    folder.append("app.log", "");
    folder.append("app.log.1", lines(4, 4));
    rread.shows("line 4\n");
    folder.append("app.log.1", lines(5, 5));
    folder.append("app.log", lines(6, 6));
    rread.shows("line 6\n");
    folder.append("app.log", lines(7, 7));
    rread.shows("line 7\n");
    assert_eq!(rread.text(), lines(1, 7));
}

#[test]
fn copytruncate_is_followed() {
    for polls in [false, true] {
        let folder = Folder::with("app.log", lines(1, 9));
        let pair = pair(&folder, polls);
        both_show(&pair, "line 9\n");
        fs::copy(folder.path("app.log"), folder.path("app.log.1")).unwrap();
        fs::File::options().write(true).open(folder.path("app.log")).unwrap().set_len(0).unwrap();
        pair[1].is_noted("note: truncated");
        pair[0].is_noted("truncated");
        folder.append("app.log", lines(10, 10));
        same(&pair, &lines(7, 10));
    }
}

#[test]
fn a_truncation_that_was_filled_past_the_position_is_noticed() {
    let folder = Folder::with("app.log", lines(1, 9));
    let rread = folder.rread("app.log -n 1 --poll 300ms");
    rread.shows("line 9\n");
    let longer = lines(101, 150);
    fs::write(folder.path("app.log"), &longer).unwrap();
    rread.shows("line 150\n");
    assert_eq!(rread.text(), format!("line 9\n{longer}"));
}

#[test]
fn deletion_and_return_are_followed() {
    for polls in [false, true] {
        let folder = Folder::with("app.log", lines(1, 3));
        let pair = pair(&folder, polls);
        both_show(&pair, "line 3\n");
        fs::remove_file(folder.path("app.log")).unwrap();
        pair[1].is_noted("rread: app.log: note: gone; waiting for it\n");
        pair[0].is_noted("inaccessible");
        folder.append("app.log", lines(4, 4));
        same(&pair, &lines(1, 4));
        pair[1].is_noted("rread: app.log: note: appeared\n");
    }
}

#[test]
fn a_file_that_appears_later_is_followed() {
    let folder = Folder::new();
    let pair = pair(&folder, false);
    pair[1].is_noted("rread: app.log: note: does not exist; waiting for it\n");
    pair[0].is_noted("cannot open");
    folder.append("app.log", lines(1, 5));
    same(&pair, &lines(1, 5));
}

#[test]
fn a_directory_that_appears_goes_and_returns_is_followed() {
    let folder = Folder::new();
    let rread = folder.rread("logs/app.log --json");
    rread.shows("\"gone\"");
    for round in 1..4 {
        fs::create_dir(folder.path("logs")).unwrap();
        folder.append("logs/app.log", lines(round, round));
        rread.shows(&format!("line {round}"));
        fs::remove_dir_all(folder.path("logs")).unwrap();
        until("gone", || rread.text().matches("\"gone\"").count() == 1 + round);
    }
}

#[test]
fn the_target_of_a_link_is_followed() {
    let folder = Folder::with("a.log", lines(1, 1));
    fs::create_dir(folder.path("other")).unwrap();
    folder.append("other/b.log", lines(2, 2));
    symlink("a.log", folder.path("app.log")).unwrap();
    let rread = folder.rread("app.log");
    rread.shows("line 1\n");
    symlink("other/b.log", folder.path("new")).unwrap();
    folder.rename("new", "app.log");
    rread.shows("line 2\n");
    folder.append("other/b.log", lines(3, 3));
    rread.shows("line 3\n");
    assert_eq!(rread.text(), lines(1, 3));
}

#[test]
fn rotations_within_milliseconds_lose_no_file_that_was_opened() {
    for polls in [false, true] {
        let folder = Folder::with("app.log", lines(1, 3));
        let rread = folder.rread(if polls { "app.log --poll 20ms" } else { "app.log" });
        rread.shows("line 3\n");
        folder.append("app.log", lines(4, 500));
        folder.rename("app.log", "app.log.1");
        folder.append("app.log", lines(501, 1000));
        folder.rename("app.log", "app.log.2");
        folder.append("app.log", lines(1001, 1500));
        rread.shows("line 1500\n");
        // The file in the middle may be missed, by tail too, but not a part of it.
        let (text, ends) = (rread.text(), [lines(1, 500), lines(1001, 1500)]);
        assert!(text == ends.concat() || text == lines(1, 1500), "{text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_moved_to_another_directory_is_followed_there() {
    let folder = Folder::with("app.log", lines(1, 3));
    fs::create_dir(folder.path("old")).unwrap();
    let rread = folder.rread("app.log");
    rread.shows("line 3\n");
    folder.rename("app.log", "old/app.log");
    folder.append("app.log", "");
    folder.append("old/app.log", lines(4, 4));
    rread.shows("line 4\n");
    folder.append("old/app.log", lines(5, 5));
    rread.shows("line 5\n");
    folder.append("app.log", lines(6, 6));
    rread.shows("line 6\n");
    assert_eq!(rread.text(), lines(1, 6));
}
