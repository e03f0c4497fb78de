//! How following ends: a match, a time, a budget, a process, a closed pipe.

use std::io::Read;
use std::process::{Command, Stdio};

use rread_testkit::home::AtHome;

use super::support::{Folder, lines, until};

#[test]
fn the_matching_line_is_the_last() {
    for options in ["", " --raw", " --poll 20ms"] {
        let folder = Folder::with("app.log", lines(1, 3));
        let mut rread = folder.rread(&format!("app.log --until-match 7$ --timeout 50s{options}"));
        rread.shows("line 3\n");
        folder.append("app.log", lines(4, 9));
        assert_eq!(rread.code(), 0, "{}", rread.notes());
        assert_eq!(rread.text(), lines(1, 7), "{options}");
    }
    // What was there counts too.
    let folder = Folder::with("app.log", lines(1, 30));
    let mut rread = folder.rread("app.log --until-match 25$");
    assert_eq!((rread.code(), rread.text()), (0, lines(21, 25)));
}

#[test]
fn a_match_is_found_in_a_line_that_comes_in_parts() {
    for options in ["", " --raw", " --json"] {
        let folder = Folder::with("app.log", "");
        let mut rread = folder.rread(&format!("app.log --until-match listening.on$ --timeout 50s{options}"));
        for part in ["server: liste", "ning ", "on"] {
            folder.append("app.log", part);
            rread.shows(part);
        }
        // It may go on.
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(rread.child.try_wait().unwrap().is_none());
        folder.append("app.log", "\n");
        assert_eq!(rread.code(), 0);
        if options != " --json" {
            assert_eq!(rread.text(), "server: listening on\n");
        }
    }
}

#[test]
fn a_line_is_matched_when_it_has_ended() {
    for options in ["", " --raw"] {
        let folder = Folder::with("app.log", "");
        let mut rread = folder.rread(&format!("app.log --until-match ERR$ --timeout 50s{options}"));
        folder.append("app.log", "ERR");
        rread.shows("ERR");
        std::thread::sleep(std::time::Duration::from_millis(300));
        folder.append("app.log", "OR\nthis is an ERR\nafter\n");
        assert_eq!((rread.code(), rread.text()), (0, "ERROR\nthis is an ERR\n".to_owned()), "{options}");
        // What ends with following has ended.
        folder.append("app.log", "half");
        let mut rread = folder.rread(&format!("app.log -n 1 --until-match half --timeout 300ms{options}"));
        assert_eq!((rread.code(), rread.text()), (0, "half".to_owned()), "{options}");
    }
}

/// Command lines of tail, and the text that both print of what is there.
#[test]
fn command_lines_of_tail_print_what_tail_prints() {
    let folder = Folder::with("a.log", lines(1, 30));
    folder.append("b.log", lines(101, 103));
    for line in [
        "-n +1 a.log",
        "-n +28 a.log",
        "--lines=+29 a.log",
        "-n +31 a.log",
        "-n +99 a.log",
        "-n -2 a.log",
        "-n 2 a.log",
        "-n0 a.log",
        "-n +0 a.log",
        "-c 20 a.log",
        "-c +200 a.log",
        "--bytes=+1 a.log",
        "-c 99999 a.log",
        "-q a.log b.log",
        "-v -n 1 a.log",
        "-n 1 a.log b.log",
        "-fn2 a.log",
        "-Fn +29 a.log",
        "-vfc7 b.log",
        "--silent -n 1 a.log b.log",
        "-f -s 0.1 a.log",
        "--retry --follow=name -n 2 a.log",
        "-2 a.log",
        "-2f a.log",
        "-20c a.log",
    ] {
        // With other options, tail refuses the old forms.
        let modern = line.replace("-2f ", "-n 2 ").replace("-2 ", "-n 2 ").replace("-20c ", "-c 20 ");
        let modern = modern.replace("-n -n 2", "-n 2");
        let words = modern.split(' ').filter(|word| *word != "--follow=name");
        let mut tail = Command::new("tail");
        tail.args(words).args(["--pid", "2147483646", "-f"]);
        let tail = tail.current_dir(folder.0.path()).output();
        let expected = String::from_utf8(tail.unwrap().stdout).unwrap();
        let mut rread = folder.rread(&format!("{line} --timeout 100ms"));
        rread.code();
        assert_eq!(rread.text(), expected, "{line}: {}", rread.notes());
    }
    for (line, code, text) in [
        ("--until-match [ a.log", 2, "hint: rread follow --until-match '\\[' a.log"),
        ("a.log --until-match=a(", 2, "hint: rread follow a.log '--until-match=a\\('"),
        ("-z a.log", 2, "rread follow has no option -z"),
        ("-n x a.log", 2, "-n"),
        ("-s 0 a.log", 2, "is not a number of seconds"),
        ("never.log --timeout 100ms", 1, "never.log: note: does not exist; waiting for it"),
    ] {
        let mut rread = folder.rread(line);
        assert_eq!(rread.code(), code, "{line}: {}", rread.notes());
        assert!(rread.notes().contains(text), "{line}: {}", rread.notes());
    }
}

#[test]
fn the_time_without_a_match_or_of_silence_is_exit_1() {
    let folder = Folder::with("app.log", lines(1, 3));
    let mut rread = folder.rread("app.log --until-match nothing --timeout 300ms");
    assert_eq!(rread.code(), 1);
    assert_eq!(rread.notes(), "rread: no line matched 'nothing' within 300ms\n");
    let mut rread = folder.rread("app.log --timeout 300ms --json");
    assert_eq!(rread.code(), 1);
    assert!(rread.text().ends_with("{\"event\":\"end\",\"reason\":\"timeout\"}\n"), "{}", rread.text());
    assert!(rread.notes().contains("\"kind\":\"timeout\""), "{}", rread.notes());
}

#[test]
fn budgets_end_it() {
    let folder = Folder::with("app.log", lines(1, 3));
    let mut rread = folder.rread("app.log --max-lines 5");
    rread.shows("line 3\n");
    folder.append("app.log", "line");
    rread.shows("line 3\nline");
    folder.append("app.log", " 4\nline 5\nline 6\n");
    assert_eq!((rread.code(), rread.text()), (0, lines(1, 5)));
    for format in ["-f text", "--raw"] {
        let mut rread = folder.rread(&format!("app.log --max-bytes 16 {format}"));
        assert_eq!((rread.code(), rread.text()), (0, lines(1, 2)));
    }
    let mut rread = folder.rread("app.log --max-bytes 16 --until-match 6");
    assert_eq!((rread.code(), rread.text()), (1, lines(1, 2)));
    assert_eq!(rread.notes(), "rread: no line matched '6' within the budget\n");
}

#[test]
fn the_end_of_a_process_ends_it_after_what_it_wrote() {
    for (options, code) in [("", 0), (" --until-match 999", 1), (" --until-match 40$", 0)] {
        let folder = Folder::with("app.log", "");
        let mut writer = Command::new("sh");
        writer.args(["-c", "read go; for n in 1 2 3; do echo $n; done >> app.log; printf 40 >> app.log"]);
        let mut writer = writer.current_dir(folder.0.path()).stdin(Stdio::piped()).spawn().unwrap();
        let mut rread = folder.rread(&format!("app.log --pid {}{options}", writer.id()));
        drop(writer.stdin.take());
        assert_eq!(rread.code(), code, "{options}");
        assert_eq!(rread.text(), "1\n2\n3\n40");
        writer.wait().unwrap();
    }
}

#[test]
fn a_closed_pipe_ends_it_at_once() {
    let folder = Folder::with("app.log", lines(1, 3));
    let mut command = Command::new(env!("CARGO_BIN_EXE_rread"));
    command.args(["follow", "app.log"]).current_dir(folder.0.path()).at_home(&folder.path(".home"));
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 7];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn refusals_are_one_sentence() {
    let folder = Folder::with("app.log", lines(1, 3));
    folder.append("x.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\0");
    for (line, code, text) in [
        ("app.log --xml", 2, "an answer without an end cannot be an XML document\nhint: --json"),
        ("app.log --until-match a(", 2, "the pattern 'a(' is not valid at character 2"),
        (
            "fd:1",
            2,
            "fd:1: cannot be followed: only local files, pipes and standard input grow\nhint: rread lines fd:1",
        ),
        (".", 3, "is a directory"),
        ("x.gz", 4, "is not text, and its lines cannot be followed\nhint: --raw"),
        ("/dev/null", 3, "is a device, which does not grow"),
        ("/proc/self/status", 3, "does not grow"),
        ("app.log --pid 0", 2, "0"),
    ] {
        let mut rread = folder.rread(line);
        assert_eq!(rread.code(), code, "{line}: {}", rread.notes());
        assert!(rread.notes().contains(text), "{line}: {}", rread.notes());
    }
}

#[test]
fn the_match_has_the_lines_around_it_that_are_asked_for() {
    let folder = Folder::with("s", (1..=20).map(|n| format!("{n}\n")).collect::<String>());
    for (options, expected) in [
        ("-n 20 --until-match ^10$ -A 2 -B 1", "9\n10\n11\n12\n"),
        ("-n 20 --until-match ^10$ -C 0", "10\n"),
        ("-n 20 --until-match ^10$ -B 30", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"),
        ("-n 3 --until-match ^18$ -B 5", "18\n"),
        // The lines after the match may not come.
        ("-n 20 --until-match ^19$ -A 5 --timeout 300ms", "19\n20\n"),
    ] {
        let mut rread = folder.rread(&format!("s {options}"));
        assert_eq!((rread.code(), rread.text().as_str()), (0, expected), "{options}");
    }
}

#[cfg(unix)]
#[test]
fn what_cannot_be_followed_has_a_note_and_the_others_are_followed() {
    let folder = Folder::with("a", "a1\n");
    std::fs::create_dir(folder.path("old")).unwrap();
    let mut rread = folder.rread("a old --timeout 200ms -q");
    assert_eq!((rread.code(), rread.text().as_str()), (1, "a1\n"));
    assert!(rread.notes().contains("old: note: is a directory; not followed"), "{}", rread.notes());
}

#[test]
fn without_earlier_lines_the_match_is_printed_alone() {
    for options in ["", " --raw", " --json"] {
        let folder = Folder::with("app.log", "16 is old\n");
        let mut rread =
            folder.rread(&format!("app.log -n 0 -C 0 --until-match ^1.*6 --timeout 50s{options}"));
        // Nothing shows when following began.
        until("the match", || {
            for part in ["11\n1", "3\n\n1", "6 of it\n17\n"] {
                folder.append("app.log", part);
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            rread.child.try_wait().unwrap().is_some()
        });
        assert_eq!(rread.code(), 0, "{options}: {}", rread.notes());
        let text = rread.text();
        if options == " --json" {
            let records: Vec<serde_json::Value> =
                text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!((&records[0]["content"], records.len()), (&"16 of it\n".into(), 2), "{text}");
        } else {
            assert_eq!(text, "16 of it\n", "{options}");
        }
    }
}
