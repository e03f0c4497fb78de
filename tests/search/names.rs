//! Names of files in the lists of a search, and patterns that come from a file.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use predicates::str::contains;
use rread_testkit::sandbox::Sandbox;

/// Names that people do not type: no UTF-8, a newline, colors, a blank at the end, a dash.
const NAMES: [&[u8]; 6] = [b"a\xffb", b"new\nline", b"\x1b[31mred", b"end ", b"-n", "größer".as_bytes()];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("l")).unwrap();
    for name in NAMES {
        fs::write(sandbox.path("l").join(OsStr::from_bytes(name)), "x\ny\nx\n").unwrap();
    }
    sandbox
}

#[test]
fn a_program_opens_each_file_by_its_name_in_the_list() {
    let sandbox = sandbox();
    let expected: BTreeSet<Vec<u8>> = NAMES.iter().map(|name| [b"l/", *name].concat()).collect();
    for line in
        ["search -l -0 --raw x l", "search -0 -l -f text x l", "search --null --files-with-matches x l --raw"]
    {
        let run = sandbox.line(line).ok();
        let names: BTreeSet<Vec<u8>> = run.stdout.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect();
        let names = names.into_iter().filter(|name| !name.is_empty()).collect();
        assert_eq!(expected, names, "{line}");
    }
    for name in NAMES {
        let [line_end, counted] = [[b"l/", name, b"\n"].concat(), [b"l/", name, b":2\n"].concat()];
        let (null, matched) = ([b"l/", name, b"\x002\n"].concat(), [b"l/", name, b"\x001:x\n"].concat());
        for (line, expected) in [
            ("search -l --raw x l", &line_end),
            ("search -l -f text x l", &line_end),
            ("search -c --raw x l", &counted),
            ("search -c0 --raw x l", &null),
            ("search -0 -f text x l", &matched),
        ] {
            let run = sandbox.line(line).ok();
            let has_it = run.stdout.windows(expected.len()).any(|window| window == &expected[..]);
            assert!(has_it, "{line}: {name:?} in {}", run.stdout.escape_ascii());
        }
    }
    // Receipts are UTF-8 on one line.
    assert!(sandbox.line("search -l x l").ok().text().contains("new\\nline"));
    sandbox.line("search -l -0 x l").refused(2).says(contains("hint: rread search -l -0 x l --raw\n"));
}

#[test]
fn patterns_come_from_a_file() {
    let sandbox = Sandbox::with("f", "foo\nbar\nbaz\nqux\n");
    sandbox.file("pat", "foo\r\nba[rz]\n");
    sandbox.file("none", "");
    sandbox.file("latin", b"foo\nb\xE4r\n");
    let found = |line: &str| sandbox.line(line).ok().text().to_owned();
    assert_eq!(found("search --file pat f --raw"), "foo\nbar\nbaz\n");
    assert_eq!(found("search --file pat -e qux f --raw -c"), "4\n");
    assert_eq!(found("search -F --file pat f --raw"), "foo\n");
    assert_eq!(sandbox.piped("search --file - f --raw", "qux\n").ok().text(), "qux\n");
    sandbox.piped("search --file - -", "qux\n").refused(2).says(contains("cannot be both"));
    // A replacement character would match nothing, silently.
    sandbox
        .line("search --file latin f")
        .refused(2)
        .says(contains("latin: the pattern in line 2 is not valid"));
    sandbox.line("search --file missing f").refused(3).says(contains("missing"));
    assert_eq!(sandbox.line("search --file none f --raw").code, 1);
    let cut = sandbox.line("search --file pat f --max-lines 1").ok();
    assert!(cut.text().contains("--file pat"), "{}", cut.text());
}
