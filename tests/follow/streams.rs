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
