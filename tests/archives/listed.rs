//! `stat --list`: as Python lists the archive, in every format, in parts, and with what it says of damage.

use std::fs;

use predicates::str::contains;
use rread_testkit::sandbox::Sandbox;
use serde_json::{Value, json};

use super::packed::{COMMANDS, sh, tree};

const PYTHON: &str = r#"
import json, sys, tarfile, zipfile
kind, name = sys.argv[1].split(":")
if kind == "tar":
    members = [[m.name, m.size if m.isfile() else 0, "file" if m.isfile() else "directory", int(m.mtime)] for m in tarfile.open(name)]
else:
    # Without the flag, Python takes names for code page 437.
    def named(m):
        return m.filename if m.flag_bits & 0x800 else m.filename.encode("cp437").decode()
    members = [[named(m), m.file_size, "directory" if m.is_dir() else "file", None] for m in zipfile.ZipFile(name).infolist()]
print(json.dumps(members))
"#;

fn python(sandbox: &Sandbox, address: &str) -> Option<Value> {
    sandbox.file("list.py", PYTHON);
    let line = format!("python3 list.py {address} > listed.json");
    sh(sandbox, &line)
        .then(|| serde_json::from_slice(&fs::read(sandbox.path("listed.json")).unwrap()).unwrap())
}

#[test]
fn lists_are_those_of_python() {
    let sandbox = tree();
    for (address, command) in COMMANDS.iter().filter(|(address, _)| !address.ends_with("zst")) {
        if !sh(&sandbox, command) {
            continue;
        }
        let Some(expected) = python(&sandbox, address) else { continue };
        let archive = &address[4..];
        let listed = sandbox.run(["stat", archive, "--list", "--json"]).ok().json();
        let members = listed["members"].as_array().unwrap();
        let is_tar = address.starts_with("tar");
        let ours: Vec<Value> = members
            .iter()
            .map(|member| {
                let name = member["name"].as_str().unwrap();
                // Python drops the slash of directories in tar archives.
                let name = if is_tar { name.trim_end_matches('/') } else { name };
                let seconds = member["modified"].as_str().filter(|_| is_tar).map(|time| {
                    let time: jiff::Timestamp = time.parse().unwrap();
                    time.as_second()
                });
                json!([name, member["size"], member["kind"], seconds])
            })
            .collect();
        assert_eq!(json!(ours), expected, "{archive}");
        assert_eq!(listed["metadata"]["listed"], members.len());
        assert_eq!(listed["metadata"]["truncated"], false);
    }
}

/// `stat` of a member has its time and its permissions, and not those of the archive.
#[test]
fn a_member_has_the_facts_of_the_list() {
    let sandbox = tree();
    let made = sh(
        &sandbox,
        "cd tree && chmod 640 one && chmod 755 more && touch -d 2001-02-03T04:05:06Z one && tar cf ../a.tar one more && \
         tar czf ../a.tar.gz one more && zip -q ../a.zip one more && zip -qX ../dos.zip one more",
    );
    if !made {
        return;
    }
    for (archive, prefix) in [("a.tar", "tar"), ("a.tar.gz", "tar"), ("a.zip", "zip"), ("dos.zip", "zip")] {
        let listed = sandbox.run(["stat", archive, "--list", "--json"]).ok().json();
        for member in listed["members"].as_array().unwrap() {
            let address = format!("{prefix}:{archive}/{}", member["name"].as_str().unwrap());
            let stat = sandbox.run(["stat", &address, "--json"]).ok().json();
            for key in ["modified", "mode"] {
                assert!(member[key].is_string(), "{member}");
                assert_eq!(stat[key], member[key], "{address} {key}");
            }
        }
        let modes: Vec<_> =
            listed["members"].as_array().unwrap().iter().map(|member| &member["mode"]).collect();
        assert_eq!(modes, ["0640", "0755"], "{archive}");
    }
    let stat = sandbox.line("stat tar:a.tar/one --json").ok().json();
    assert_eq!(stat["modified"], "2001-02-03T04:05:06Z");
}

#[test]
fn a_list_comes_in_parts() {
    let sandbox = tree();
    if !sh(&sandbox, "cd tree && zip -qr ../a.zip .") {
        return;
    }
    let all = sandbox.line("stat a.zip --list --json").ok().json();
    let (mut members, mut offset) = (Vec::new(), 1);
    for _ in 0..20 {
        let part =
            sandbox.line(&format!("stat a.zip --list --max-lines 4 --offset {offset} --json")).ok().json();
        let more = part["members"].as_array().unwrap();
        assert!(more.len() <= 4);
        members.extend(more.iter().cloned());
        match part["metadata"]["next_offset"].as_u64() {
            Some(next) => offset = next,
            None => break,
        }
    }
    assert_eq!(json!(members), all["members"]);
    let document = sandbox.line("stat a.zip --list --max-lines 1").ok();
    assert!(document.text().contains("\ntruncated: true\nnext_offset: 2\n"), "{document}");
    let xml = sandbox.line("stat a.zip --list --xml").ok();
    assert!(xml.text().contains("<member name=\"one\""), "{xml}");
    for line in ["stat a.zip a.zip --list", "stat a.zip --list --count", "stat a.zip --max-lines 3"] {
        sandbox.line(line).refused(2);
    }
    sandbox.line("stat tree/one --list").refused(2).says(contains("is not a tar or ZIP archive"));
}

#[test]
fn a_list_keeps_to_the_budget_and_next_leads_through_it() {
    let sandbox = tree();
    if !sh(
        &sandbox,
        "mkdir many && cd many && for n in $(seq 300); do touch member-$n; done && tar cf ../m.tar *",
    ) {
        return;
    }
    let whole = sandbox.line("stat m.tar --list -f text").ok().text().to_owned();
    assert_eq!(whole.lines().count(), 300);
    for (format, bytes) in [("frontmatter", 500), ("frontmatter", 4000), ("json", 700), ("xml", 700)] {
        let budget = bytes.to_string();
        for (option, vars) in
            [(format!("--max-bytes {bytes}"), &[][..]), (String::new(), &[("RREAD_MAX_BYTES", &*budget)])]
        {
            let (mut line, mut found, mut names) =
                (format!("stat m.tar --list -f {format} {option}"), String::new(), 0);
            for calls in 0.. {
                assert!(calls < 400, "{line} does not end");
                let run = sandbox.line_env(&line, vars).ok();
                let offset = if format == "frontmatter" {
                    let document = run.document();
                    assert!(document.content.len() <= bytes, "{run}");
                    found += &document.content;
                    assert_eq!(document.fact("truncated") == "true", document.has("next"), "{run}");
                    document.facts.get("next").map(|next| next.trim_matches('"').to_owned())
                } else if format == "json" {
                    let answer = run.json();
                    let members = answer["members"].as_array().unwrap();
                    assert!(json!(members).to_string().len() <= bytes, "{run}");
                    names += members.len();
                    assert_eq!(
                        answer["metadata"]["truncated"] == true,
                        answer["metadata"]["cut_by"] == "max_bytes"
                    );
                    let next = answer["metadata"]["next_offset"].as_u64();
                    next.map(|next| format!("stat m.tar --list --json {option} --offset {next}"))
                } else {
                    assert!(run.text().contains("truncated=\"true\"") && run.text().len() < 1200, "{run}");
                    break;
                };
                let offset = offset
                    .map(|next| if format == "frontmatter" { format!("{next} {option}") } else { next });
                let Some(next) = offset else {
                    assert!(format == "json" && names == 300 || found == whole, "{line}");
                    break;
                };
                line = next;
            }
        }
    }
    let text = sandbox.line("stat m.tar --list -f text --max-bytes 500");
    assert!(text.stdout.len() <= 500 && text.stderr.contains("more members follow: --offset "), "{text}");
}

#[test]
fn hints_for_archives_name_the_list() {
    let sandbox = tree();
    if !sh(&sandbox, "cd tree && zip -qr ../a.zip . && tar czf ../a.tar.gz .") {
        return;
    }
    for (archive, prefix) in [("a.zip", "zip"), ("a.tar.gz", "tar")] {
        let hint = format!("hint: rread stat {archive} --list\n");
        sandbox.run(["bytes", archive]).refused(4).says(contains(&*hint));
        // The list names a command that reads a member.
        let list = sandbox.run(["stat", archive, "--list", "--json"]).ok().json();
        let hint = list["metadata"]["hint"].as_str().unwrap();
        let member = hint.strip_prefix("rread lines ").unwrap().strip_suffix(" 1:20").unwrap();
        assert!(member.starts_with(&format!("{prefix}:{archive}/")), "{hint}");
        sandbox.run(["lines", member.trim_matches('\''), "1:20"]).ok();
    }
}

#[test]
fn members_before_the_damage_are_listed() {
    let sandbox = Sandbox::with("f", "text\n".repeat(1000));
    if !sh(&sandbox, "cp f g && tar cf a.tar f g && head -c 7000 a.tar > cut.tar") {
        return;
    }
    let run = sandbox.line("stat cut.tar --list --json");
    assert_eq!(run.code, 3, "{run}");
    assert_eq!(run.json()["members"][0]["name"], "f");
    assert!(run.to_string().contains("it ends inside g"), "{run}");
    sandbox.line("lines tar:cut.tar/g").refused(3).says(contains("it ends inside g"));
    sandbox.line("lines tar:cut.tar/f 1").refused(3).says(contains("it ends inside g"));
    let first = sandbox.line("lines tar:cut.tar/f 1 --salvage --raw").ok();
    assert_eq!(first.text(), "text\n");
    if sh(&sandbox, "gzip -k a.tar && head -c $(($(stat -c %s a.tar.gz) - 30)) a.tar.gz > cut.tar.gz") {
        sandbox.line("lines tar:cut.tar.gz/f 1 --raw").refused(3).says(contains("damaged"));
        assert_eq!(sandbox.line("lines tar:cut.tar.gz/f 1 --salvage --raw").ok().text(), "text\n");
    }
}

#[test]
fn names_that_are_not_utf8_have_their_bytes() {
    let sandbox = Sandbox::new();
    let program = "import tarfile, io\n\
        t = tarfile.open('a.tar', 'w', encoding='latin-1', format=tarfile.GNU_FORMAT)\n\
        i = tarfile.TarInfo('caf\\xe9'); i.size = 4; t.addfile(i, io.BytesIO(b'text')); t.close()";
    sandbox.file("make.py", program);
    if !sh(&sandbox, "python3 make.py") {
        return;
    }
    let listed = sandbox.line("stat a.tar --list --json").ok().json();
    assert_eq!(listed["members"][0]["name"], "caf\u{FFFD}");
    assert_eq!(listed["members"][0]["name_base64"], "Y2Fm6Q==");
    #[cfg(unix)]
    {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let member = OsStr::from_bytes(b"tar:a.tar/caf\xE9");
        assert_eq!(sandbox.run([OsStr::new("lines"), member, OsStr::new("--raw")]).ok().text(), "text");
    }
}
