//! How following ends: a match, a time, a budget, a process, a closed pipe.

use std::io::Read;
use std::process::{Command, Stdio};

use rread_testkit::home::AtHome;

use super::support::{Folder, lines};

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
        assert_eq!(rread.code(), 0);
        if options != " --json" {
            assert_eq!(rread.text(), "server: listening on");
        }
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
