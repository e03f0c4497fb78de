//! Standard input, redirected files and named pipes.

use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};

use super::support::{Folder, lines, pipe};

#[test]
fn a_pipe_is_read_to_its_end() {
    let folder = Folder::new();
    let (mut writer, stdin) = pipe();
    let mut rread = folder.rread_from("-", stdin);
    writer.write_all(b"one\ntw").unwrap();
    rread.shows("tw");
    writer.write_all(b"o\n").unwrap();
    drop(writer);
    assert_eq!((rread.code(), rread.text()), (0, "one\ntwo\n".to_owned()));
    let (mut writer, stdin) = pipe();
    let mut rread = folder.rread_from("- --json --until-match x", stdin);
    writer.write_all(b"one\n").unwrap();
    drop(writer);
    assert_eq!(rread.code(), 1);
    assert!(rread.text().contains("\"reason\":\"eof\""), "{}", rread.text());
}

#[test]
fn a_redirected_file_is_followed_by_its_descriptor() {
    let folder = Folder::with("app.log", lines(1, 5));
    let rread =
        folder.rread_from("-n 2 - --poll 20ms", Stdio::from(File::open(folder.path("app.log")).unwrap()));
    rread.shows("line 5\n");
    folder.rename("app.log", "old.log");
    folder.append("old.log", lines(6, 6));
    rread.shows("line 6\n");
    assert_eq!(rread.text(), lines(4, 6));
}

#[test]
fn a_named_pipe_waits_for_its_next_writer() {
    let folder = Folder::new();
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    let rread = folder.rread("pipe");
    for n in 1..4 {
        std::fs::write(folder.path("pipe"), lines(n, n)).unwrap();
        rread.shows(&lines(n, n));
    }
    assert_eq!(rread.text(), lines(1, 3));
}

#[test]
fn what_waits_in_a_stream_is_not_new() {
    let folder = Folder::new();
    for options in ["-n 0", "-c 0", "-n 0 --json"] {
        let (mut writer, stdin) = pipe();
        writer.write_all(b"old 1\nold 2\n").unwrap();
        let mut rread = folder.rread_from(&format!("- {options} --until-match new"), stdin);
        std::thread::sleep(std::time::Duration::from_millis(700));
        writer.write_all(b"new\n").unwrap();
        assert_eq!(rread.code(), 0);
        match options.contains("json") {
            false => assert_eq!(rread.text(), "new\n", "{options}"),
            true => {
                let place = r#"{"start_byte":12,"end_byte":16,"start_line":3,"end_line":3}"#;
                assert!(rread.text().contains(place) && !rread.text().contains("old"), "{}", rread.text());
            }
        }
    }
    assert!(Command::new("mkfifo").arg(folder.path("waits")).status().unwrap().success());
    let mut fifo = File::options().read(true).write(true).open(folder.path("waits")).unwrap();
    fifo.write_all(b"old\n").unwrap();
    let mut rread = folder.rread("waits -n 0 --until-match new");
    std::thread::sleep(std::time::Duration::from_millis(700));
    fifo.write_all(b"new\n").unwrap();
    assert_eq!((rread.code(), rread.text()), (0, "new\n".to_owned()));
}
