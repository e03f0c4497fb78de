//! Archives in archives, and archives on standard input: their members are read as if all of them were unpacked.

use std::fs;

use predicates::str::contains;
use rread_testkit::sandbox::Sandbox;

use super::packed::sh;

/// `outer.zip` and `outer.tar.gz`, each with archives of every kind in it, two levels deep.
fn nested() -> Option<Sandbox> {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("s/app")).unwrap();
    sandbox.file("s/deep.txt", "needle\nlast\n");
    sandbox.file("s/app/other.log", "needle too\n");
    sandbox.file("top.txt", "top\n");
    let made = "(cd s && zip -qr ../in.zip . && zip -qr0 ../stored.zip . && tar cf ../in.tar deep.txt app && tar czf ../in.tgz deep.txt app) && \
        zip -q middle.zip in.tar in.tgz in.zip stored.zip && zip -q0 outer.zip middle.zip in.zip in.tgz top.txt && \
        tar czf outer.tar.gz middle.zip in.zip in.tgz top.txt && tar cf outer.tar middle.zip in.tar";
    sh(&sandbox, made).then_some(sandbox)
}

const OUTER: [&str; 3] = ["zip:outer.zip", "tar:outer.tar.gz", "tar:outer.tar"];

#[test]
fn a_search_looks_into_archives_in_archives() {
    let Some(sandbox) = nested() else { return };
    for address in OUTER {
        let run = sandbox.run(["search", "needle", &address[4..], "-f", "text"]).ok();
        let inner: Vec<String> = run.text().lines().map(|line| line.replace(address, "")).collect();
        for archive in ["in.tar", "in.tgz", "in.zip", "stored.zip"] {
            for line in ["deep.txt:1:needle", "app/other.log:1:needle too"] {
                let line = format!("/middle.zip/{archive}/{line}");
                assert!(inner.contains(&line), "{address} {line}: {inner:?}");
            }
        }
        assert_eq!(sandbox.run(["search", "nothing", &address[4..]]).code, 1);
    }
    let run = sandbox.line("search -z -c needle . -f text");
    for line in ["zip:./outer.zip/middle.zip/in.tgz/deep.txt:1", "tar:./outer.tar/in.tar/deep.txt:1"] {
        assert!(run.text().lines().any(|found| found == line), "{run}");
    }
}

#[test]
fn every_command_reads_a_member_of_an_inner_archive() {
    let Some(sandbox) = nested() else { return };
    for address in OUTER {
        for inner in ["in.tar", "in.tgz", "in.zip", "stored.zip"] {
            let archive = format!("{address}/middle.zip/{inner}");
            let file = format!("{archive}/deep.txt");
            assert_eq!(sandbox.run(["lines", &file, "-1:", "--raw"]).ok().text(), "last\n");
            assert_eq!(sandbox.run(["bytes", &file, "0:6", "--raw"]).ok().text(), "needle");
            sandbox.run(["stat", &file, "--count"]).ok();
            sandbox.run(["where", &file, "--line", "2"]).ok();
            assert_eq!(
                sandbox.run(["search", "needle", &file, "-f", "text"]).ok().text(),
                "1:needle\n",
                "{file}"
            );
            // The archive itself, a directory in it, and a pattern.
            for (name, found) in [("", 2), ("/app", 1), ("/*.txt", 1), ("/**/*.log", 1)] {
                let run = sandbox.run(["search", "needle", &format!("{archive}{name}"), "-f", "text"]).ok();
                assert_eq!(run.text().lines().count(), found, "{run}");
                assert!(run.text().starts_with(&archive), "{run}");
            }
            let lines = sandbox.run(["lines", &archive, "1", "-f", "text"]).ok();
            assert!(lines.text().contains(&format!("==> {file} <==\nneedle\n")), "{lines}");
            let list = sandbox.run(["stat", &archive, "--list", "-f", "text"]).ok();
            assert!(
                list.text().contains(" deep.txt\n") && list.text().contains(" app/other.log\n"),
                "{list}"
            );
            let hint = sandbox.run(["stat", &archive, "--list"]).ok().document();
            assert!(hint.fact("hint").starts_with(&format!("rread lines {archive}/")), "{archive}");
            let missing = format!("{archive}/deeep.txt");
            sandbox
                .run(["lines", &missing])
                .refused(3)
                .says(contains(format!("did you mean {file}? rread stat {archive} --list")));
        }
        let file = format!("{address}/middle.zip/in.zip/deep.txt/more");
        sandbox.run(["lines", &file]).refused(3).says(contains("there is no deep.txt/more in the archive"));
    }
}

/// A chain of archives, each in the next one, around a text.
const CHAIN: &str = "import io, zipfile
inner = b'needle\\n'
name = 'deep.txt'
for n in range(9):
  f = io.BytesIO()
  with zipfile.ZipFile(f, 'w', zipfile.ZIP_DEFLATED) as z: z.writestr(name, inner)
  inner, name = f.getvalue(), f'{n}.zip'
  open(name, 'wb').write(inner)
bomb = b'0' * (600 << 20)
for name in ['a', 'b']:
  f = io.BytesIO()
  with zipfile.ZipFile(f, 'w', zipfile.ZIP_DEFLATED, compresslevel=1) as z:
    for n in range(3): z.writestr(f'{name}{n}.txt', bomb if name == 'a' else inner)
  inner = f.getvalue()
open('bomb.zip', 'wb').write(inner)
";

#[test]
fn what_is_too_deep_is_said_with_a_command_that_reads_it() {
    let program = CHAIN.split("bomb =").next().unwrap();
    let sandbox = Sandbox::with("make.py", program);
    if !sh(&sandbox, "python3 make.py") {
        return;
    }
    assert_eq!(
        sandbox.line("search needle 4.zip -f text").ok().text(),
        "zip:4.zip/3.zip/2.zip/1.zip/0.zip/deep.txt:1:needle\n"
    );
    let deep = sandbox.line("search needle 5.zip -f text");
    assert_eq!(deep.code, 3, "{deep}");
    let command =
        "rread bytes zip:5.zip/4.zip/3.zip/2.zip/1.zip/0.zip --raw --text | rread search needle zip:-";
    let deep = deep.says(contains("is an archive in 5 archives")).says(contains(command));
    assert!(!deep.to_string().contains("no line matches"), "{deep}");
    let (bytes, _) = command.split_once(" | ").unwrap();
    let bytes = sandbox.line(bytes.strip_prefix("rread ").unwrap()).ok().stdout;
    assert_eq!(sandbox.piped("search needle zip:- -f text", bytes).ok().text(), "zip:-/deep.txt:1:needle\n");
    sandbox.line("lines zip:8.zip/7.zip/6.zip/5.zip/4.zip/3.zip/x").refused(3);
    sandbox.line("search needle . -z -q").ok();
}

#[test]
fn archives_in_archives_have_a_limit_of_text() {
    let sandbox = Sandbox::with("make.py", CHAIN.replace("range(9)", "range(1)"));
    if !sh(&sandbox, "python3 make.py") {
        return;
    }
    let run = sandbox.line("search -c 1 bomb.zip -f text");
    assert_eq!(run.code, 3, "{run}");
    run.says(contains("more than 1 GiB and 200 times its bytes of text"));
}

#[test]
fn an_archive_on_standard_input_is_read_as_the_file_is() {
    let Some(sandbox) = nested() else { return };
    for name in ["in.tar", "in.tgz", "in.zip", "outer.zip", "outer.tar.gz"] {
        let bytes = fs::read(sandbox.path(name)).unwrap();
        for call in [
            "search needle FILE -f text",
            "lines FILE 1 -f text",
            "page FILE -f text",
            "ranges FILE 1 -f text",
        ] {
            let file = sandbox.line(&call.replace("FILE", name)).ok();
            let piped = sandbox.piped(&call.replace("FILE", "-"), bytes.clone()).ok();
            assert_eq!(piped.text(), file.text().replace(&format!(":{name}/"), ":-/"), "{call} {name}");
        }
    }
    let bytes = fs::read(sandbox.path("in.tgz")).unwrap();
    sandbox.piped("lines - --encode hex", bytes.clone()).ok();
    sandbox.piped("bytes - 0:10", bytes).refused(4);
}

#[test]
fn merged_logs_come_from_inner_archives_too() {
    let sandbox = Sandbox::new();
    sandbox.file("a.log", "2026-11-28 06:00:00 first needle\n2026-11-28 06:00:02 third\n");
    sandbox.file("b.log", "2026-11-28 06:00:01 second needle\n");
    sandbox.file("p.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01");
    let made = "zip -q in.zip b.log && zip -q outer.zip a.log in.zip && zip -q deep.zip outer.zip && zip -q binary.zip p.png && \
        zip -q none.zip binary.zip";
    if !sh(&sandbox, made) {
        return;
    }
    for archive in ["outer.zip", "deep.zip"] {
        let merged = sandbox.run(["lines", archive, "--merge", "--raw"]).ok();
        let words: Vec<&str> = merged.text().lines().map(|line| &line[20..25]).collect();
        assert_eq!(words, ["first", "secon", "third"], "{archive}");
        let found = sandbox.run(["search", "needle", archive, "--merge", "-f", "text"]).ok();
        assert_eq!(found.text().lines().count(), 2, "{found}");
    }
    // Standard input may be an archive as well.
    let piped = fs::read(sandbox.path("outer.zip")).unwrap();
    let merged = sandbox.piped("lines - --merge --raw", piped.clone()).ok();
    assert_eq!(merged.text().lines().count(), 3, "{merged}");
    let found = sandbox.piped("search needle - b.log --merge -f text", piped).ok();
    assert_eq!(found.text().lines().count(), 3, "{found}");
    for archive in ["binary.zip", "none.zip"] {
        sandbox
            .run(["lines", archive, "--merge"])
            .refused(4)
            .says(contains("no file in the archive has text"));
    }
}

#[test]
fn the_hint_for_a_damaged_inner_archive_runs() {
    let Some(sandbox) = nested() else { return };
    if !sh(
        &sandbox,
        "head -c 260 stored.zip > cut.zip && zip -q holder.zip cut.zip && zip -q around.zip holder.zip",
    ) {
        return;
    }
    for archive in ["holder.zip", "around.zip"] {
        let run = sandbox.run(["search", "needle", archive, "-f", "text"]);
        assert_eq!(run.code, 3, "{run}");
        let hint = run.stderr.lines().find_map(|line| line.strip_prefix("hint: rread ")).unwrap();
        let salvaged = sandbox.line(hint);
        assert!(salvaged.text().contains("needle"), "{hint}: {salvaged}");
    }
}

#[test]
fn salvage_says_what_an_archive_lost() {
    let sandbox = Sandbox::new();
    for name in ["a.log", "b.log", "c.log"] {
        let text: String = (0..400).map(|n| format!("needle {name} {:x}\n", n * 7919 % 65521)).collect();
        sandbox.file(name, text);
    }
    let made = "tar cf a.tar a.log b.log c.log && gzip -k a.tar && zip -q a.zip a.log b.log c.log && \
        for a in a.tar a.tar.gz a.zip; do head -c $(($(wc -c < $a) / 2)) $a > cut.${a#a.}; done";
    if !sh(&sandbox, made) {
        return;
    }
    for name in ["cut.tar", "cut.tar.gz", "cut.zip"] {
        for format in ["-f=text", "--json"] {
            let run = sandbox.run(["search", "needle", name, "--salvage", "-c", format]);
            assert_eq!(run.code, 0, "{name}: {run}");
            assert!(run.stderr.contains("is lost") || run.stderr.contains("damaged"), "{name}: {run}");
        }
    }
    // A tool finds the members of a damaged archive too.
    let run = sandbox.run(["call", "read", "{\"path\":\"cut.zip\",\"salvage\":true,\"max_bytes\":300}"]);
    assert!(run.text().contains("needle a.log 0"), "{run}");
}

#[test]
fn a_member_has_ranges_after_its_name() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("d")).unwrap();
    sandbox.file("d/a.log", "one\ntwo\nthree\n");
    sandbox.file("d/b:2", "literal\n");
    if !sh(&sandbox, "zip -q a.zip d/a.log d/b:2 && tar cf a.tar d") {
        return;
    }
    for archive in ["zip:a.zip", "tar:a.tar"] {
        for (words, expected) in [
            (format!("lines {archive}/d/a.log:2 -f text"), "two\n"),
            (format!("lines {archive}/d/a.log:2:7 -f text"), "two\n"),
            (format!("lines {archive}/d/a.log:2:+2 -f text"), "two\nthree\n"),
            (format!("ranges {archive}/d/a.log:1,3 -f text"), "one\nthree\n"),
            (format!("lines {archive}/d/b:2 -f text"), "literal\n"),
            (format!("lines {archive}/d/b:2:1 -f text"), "literal\n"),
        ] {
            assert_eq!(sandbox.line(&words).ok().text(), expected, "{words}");
        }
        sandbox.line(&format!("lines {archive}/d/none.log:2")).refused(3);
    }
}

#[test]
fn plain_text_is_that_of_the_members() {
    let sandbox = Sandbox::with("a.log", "\u{1b}[31mred\u{1b}[0m\n10%\r100%\n");
    if !sh(&sandbox, "zip -q a.zip a.log && tar cf a.tar a.log && tar czf a.tar.gz a.log") {
        return;
    }
    for (archive, member) in
        [("a.zip", "zip:a.zip/a.log"), ("a.tar", "tar:a.tar/a.log"), ("a.tar.gz", "tar:a.tar.gz/a.log")]
    {
        for words in [format!("lines {member} --plain -f text"), format!("lines {archive} --plain --raw")] {
            assert_eq!(sandbox.line(&words).ok().text(), "red\n100%\n", "{words}");
        }
        let found = sandbox.line(&format!("search ^red$ {archive} --plain -c -f text")).ok();
        assert!(found.text().ends_with(":1\n") || found.text() == "1\n", "{found}");
        sandbox.line(&format!("stat {member} --plain")).ok();
    }
}

#[test]
fn an_error_of_usage_of_one_file_leaves_the_others_their_answers() {
    let sandbox = Sandbox::with("a.log", "one\n");
    if !sh(&sandbox, "tar cf a.tar a.log") {
        return;
    }
    for words in
        ["lines a.log zip:a.tar/a.log a.log 1 --json", "search one a.log zip:a.tar/a.log a.log --json"]
    {
        let run = sandbox.line(words);
        let answer: serde_json::Value =
            serde_json::from_str(run.text()).unwrap_or_else(|_| panic!("{words}: {run}"));
        assert!(run.code != 0 && run.text().matches("one").count() >= 2, "{words}: {answer}");
    }
}
