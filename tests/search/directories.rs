//! Directories are searched as ripgrep searches them.

use std::fs;

use crate::support::Sandbox;

fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    for folder in ["d/.git", "d/sub", "d/.hidden"] {
        fs::create_dir_all(sandbox.path(folder)).unwrap();
    }
    sandbox.file("d/b.log", "needle b\n");
    sandbox.file("d/a.log", "needle a\nother\n");
    sandbox.file("d/sub/c.log", "x\nneedle c\n");
    sandbox.file("d/sub/skipped.tmp", "needle\n");
    sandbox.file("d/.hidden/h.log", "needle\n");
    sandbox.file("d/.gitignore", "*.tmp\n");
    sandbox.file("d/bin", b"needle\0\0\0\x01\x02");
    sandbox.file("d/none.log", "nothing\n");
    sandbox
}

#[test]
fn files_are_searched_in_the_order_of_their_paths() {
    let sandbox = tree();
    let expected = "d/a.log:1:needle a\nd/b.log:1:needle b\nd/sub/c.log:2:needle c\n";
    assert_eq!(sandbox.line("search needle d -f text").ok().text(), expected);
    assert_eq!(sandbox.line("search -l needle d --raw").ok().text(), "d/a.log\nd/b.log\nd/sub/c.log\n");
    let paths: Vec<String> = sandbox
        .line("search needle d")
        .ok()
        .documents()
        .iter()
        .map(|document| document.fact("path").to_owned())
        .collect();
    assert_eq!(paths, ["d/a.log", "d/b.log", "d/sub/c.log"]);
    let json = sandbox.line("search needle d --json").ok().json();
    assert_eq!(json["metadata"]["files"].as_array().unwrap().len(), 3, "{json}");
    // A file that is named is searched whatever it is.
    assert_eq!(sandbox.line("search needle d/sub/skipped.tmp -f text").ok().text(), "1:needle\n");
}

#[test]
fn nothing_found_below_a_directory_is_exit_1() {
    let sandbox = tree();
    let run = sandbox.line("search zzz d -f text");
    assert_eq!((run.code, run.text()), (1, ""));
    fs::create_dir(sandbox.path("empty")).unwrap();
    sandbox.line("search zzz empty").refused(2);
}

#[test]
fn a_name_with_a_newline_stays_on_its_line() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("logs")).unwrap();
    sandbox.file("logs/new\nline\x1b[2J", "needle\n");
    let name = "logs/new\\nline\\u{1b}[2J";
    assert_eq!(sandbox.line("search needle logs -f text").text(), format!("{name}:1:needle\n"));
    assert_eq!(sandbox.line("search -l needle logs -f text").text(), format!("{name}\n"));
}
