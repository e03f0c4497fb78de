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
