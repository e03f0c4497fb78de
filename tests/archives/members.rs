//! Every member reads as the file that was packed, whole and by ranges, with every command.

use std::fs;

use predicates::str::contains;
use rread_testkit::rng::Rng;
use rread_testkit::sandbox::Sandbox;
use serde_json::json;

use super::packed::{COMMANDS, files, sh, tree};

#[test]
fn members_are_the_files_that_were_packed() {
    let (sandbox, files) = (tree(), files());
    let mut rng = Rng::new(7);
    for (address, command) in COMMANDS {
        if !sh(&sandbox, command) {
            continue;
        }
        for (name, bytes) in &files {
            let member = format!("{address}/{name}");
            let run = sandbox.run(["bytes", &member, "--text", "--raw"]).ok();
            assert!(run.stdout == *bytes, "{member}");
            let (from, to) = (rng.below(bytes.len() + 1), rng.below(bytes.len() + 1));
            let (from, to) = (from.min(to), from.max(to));
            let run = sandbox.run(["bytes", &member, &format!("{from}:{to}"), "--text", "--raw"]).ok();
            assert!(run.stdout == bytes[from..to], "{member} {from}:{to}");
        }
    }
}

/// A member is read like a file by every command.
#[test]
fn commands_read_members_like_files() {
    let sandbox = tree();
    for (address, command) in [COMMANDS[0], COMMANDS[3], COMMANDS[8], COMMANDS[9]] {
        if !sh(&sandbox, command) {
            continue;
        }
        let member = format!("{address}/app/error.log");
        for words in [
            "lines FILE -3:",
            "lines FILE 20:+5",
            "page FILE 2",
            "search -c abc FILE",
            "lines FILE 5 -C 2 -n",
        ] {
            let on = |file: &str| {
                let words: Vec<&str> =
                    words.split(' ').map(|word| if word == "FILE" { file } else { word }).collect();
                sandbox.run([&words[..], &["-f", "text"]].concat()).ok().text().to_owned()
            };
            assert_eq!(on(&member), on("tree/app/error.log"), "{words} {member}");
        }
        let stat = sandbox.run(["stat", &member, "--count", "--json"]).ok().json();
        let file = sandbox.line("stat tree/app/error.log --count --json").ok().json();
        for key in ["total", "lines", "mime", "newline", "longest_line"] {
            assert_eq!(stat[key], file[key], "{member} {key}");
        }
        let version = stat["version"].as_str().unwrap();
        sandbox.run(["lines", &member, "1", "--expect", version]).ok();
        let other = sandbox.run(["stat", &format!("{address}/more"), "--json"]).ok().json();
        assert_ne!(other["version"], stat["version"], "each member has a version of its own");
        let next = sandbox.run(["lines", &member, "1:50", "--max-bytes", "100", "--json"]).ok().json();
        assert_eq!(next["metadata"]["truncated"], json!(true), "{next}");
        let again =
            sandbox.run(["lines", &member, next["metadata"]["next"]["range"].as_str().unwrap(), "--json"]);
        assert!(again.ok().json()["content"].as_str().is_some());
    }
}

#[test]
fn a_compressed_member_is_decompressed_too() {
    let sandbox = Sandbox::with("app.log", "first\nsecond\n");
    let made = sh(
        &sandbox,
        "gzip -k app.log && zip -q b.zip app.log.gz && zip -q0 s.zip app.log.gz && tar cf b.tar app.log.gz",
    );
    if !made {
        return;
    }
    for member in ["zip:b.zip/app.log.gz", "zip:s.zip/app.log.gz", "tar:b.tar/app.log.gz"] {
        assert_eq!(sandbox.run(["lines", member, "2", "--raw"]).ok().text(), "second\n", "{member}");
    }
    let raw = sandbox.line("bytes tar:b.tar/app.log.gz --no-decompress --text --raw").ok();
    assert_eq!(raw.stdout, fs::read(sandbox.path("app.log.gz")).unwrap());
    let document = sandbox.line("lines zip:b.zip/app.log.gz 1").ok().document();
    assert_eq!(document.fact("compression"), "gzip");
}

#[test]
fn sparse_files_are_listed_and_refused_and_the_files_after_them_are_read() {
    let sandbox = Sandbox::new();
    let made = sh(
        &sandbox,
        "truncate -s 3M f && printf begin | dd of=f conv=notrunc status=none && \
         for n in 1 2 3 4 5 6 7 8 9; do printf part$n | dd of=f bs=1 seek=$((n * 300000)) conv=notrunc status=none; done",
    );
    if !made {
        return;
    }
    let bytes = fs::read(sandbox.path("f")).unwrap();
    for options in [
        "--format=gnu",
        "--format=pax --sparse-version=0.0",
        "--format=pax --sparse-version=0.1",
        "--format=pax --sparse-version=1.0",
    ] {
        if !sh(
            &sandbox,
            &format!(
                "tar -S {options} -cf s.tar f && tar rf s.tar f --transform=s/f/after/ && test $(stat -c %s s.tar) -lt 4000000"
            ),
        ) {
            continue;
        }
        let run = sandbox.line("lines tar:s.tar/f").refused(3);
        run.says(contains("is a sparse file in the archive"))
            .says(contains("hint: tar -xOf s.tar f | rread lines - 1:20"));
        let listed = sandbox.line("stat s.tar --list --json").ok().json();
        assert_eq!(listed["members"][0]["name"], "f", "{options}");
        assert_eq!(listed["members"][0]["size"], 3 << 20, "{options}");
        assert!(
            sandbox.line("bytes tar:s.tar/after --text --raw").ok().stdout == bytes,
            "{options}: the member after it"
        );
    }
}

#[test]
fn large_members_of_zip64_are_read() {
    let sandbox = Sandbox::with("f", "text of a member\n".repeat(1000));
    let program = "import zipfile\n\
        z = zipfile.ZipFile('z.zip', 'w', zipfile.ZIP_DEFLATED)\n\
        with z.open('f', 'w', force_zip64=True) as f: f.write(open('f', 'rb').read())\n\
        for n in range(66000): z.writestr(str(n), str(n))\n\
        z.close()";
    sandbox.file("make.py", program);
    if !sh(&sandbox, "python3 make.py") {
        return;
    }
    assert_eq!(sandbox.line("lines zip:z.zip/f -1: --raw").ok().text(), "text of a member\n");
    assert_eq!(sandbox.line("lines zip:z.zip/65999 --raw").ok().text(), "65999");
    let listed = sandbox.line("stat z.zip --list --offset 66001 --json").ok().json();
    assert_eq!(listed["members"][0]["name"], "65999");
    assert_eq!(listed["metadata"]["listed"], 1);
}

#[test]
fn standard_input_is_an_archive_too() {
    let sandbox = Sandbox::with("f", "one\ntwo\n");
    if !sh(&sandbox, "tar czf a.tar.gz f && zip -q a.zip f") {
        return;
    }
    for (address, archive) in [("tar:-/f", "a.tar.gz"), ("zip:-/f", "a.zip")] {
        let input = fs::read(sandbox.path(archive)).unwrap();
        assert_eq!(sandbox.piped(&format!("lines {address} 2 --raw"), input.clone()).ok().text(), "two\n");
        let listed = sandbox.piped("stat - --list --json", input).ok().json();
        assert_eq!(listed["members"][0]["name"], "f", "{listed}");
    }
}
