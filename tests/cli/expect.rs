//! `--expect` and `--expect-prefix`: refusing a file that is not what an earlier answer saw.

use std::fs::OpenOptions;
use std::io::Write;

use rread_testkit::sandbox::{Sandbox, numbered};
use serde_json::json;

fn version(sandbox: &Sandbox) -> String {
    sandbox.line("lines f 1 --json").ok().json()["metadata"]["version"].as_str().unwrap().to_owned()
}

fn append(sandbox: &Sandbox, text: &str) {
    let mut file = OpenOptions::new().append(true).open(sandbox.path("f")).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn every_answer_names_the_same_version_of_an_unchanged_file() {
    let sandbox = Sandbox::with("f", numbered(412));
    let version = version(&sandbox);
    assert_eq!(sandbox.line("bytes f 0:5").ok().document().fact("version"), version);
    assert_eq!(sandbox.line("stat f").ok().text().matches(&version).count(), 1);
    assert!(sandbox.line("lines f 9 --xml").ok().text().contains(&format!("version=\"{version}\"")));
    for line in ["lines f 9", "bytes f 0:9", "ranges f 9", "lines f 9 --expect-prefix"] {
        sandbox.line(&format!("{line} --expect {version}")).ok();
        sandbox.line(&format!("{line} --expect={version} --raw")).ok();
    }
}

#[test]
fn every_change_is_reported_by_its_name() {
    type Change = fn(&Sandbox);
    let text = numbered(5000);
    let changes: [(&str, Change); 6] = [
        ("appended", |s| append(s, "more\n")),
        ("truncated", |s| s.file("f", numbered(4000))),
        ("rewritten", |s| s.file("f", numbered(5000).replacen("line 1", "LINE 1", 1))),
        ("rewritten", |s| s.file("f", numbered(6000).replacen("line 1", "LINE 1", 1))),
        ("truncated", |s| s.file("f", "")),
        ("replaced", |s| {
            s.file("other", numbered(5000));
            std::fs::rename(s.path("other"), s.path("f")).unwrap();
        }),
    ];
    for (name, change) in changes {
        let sandbox = Sandbox::with("f", &text);
        let version = version(&sandbox);
        change(&sandbox);
        if cfg!(not(unix)) && name == "replaced" {
            eprintln!("skipped: files have no numbers here");
            continue;
        }
        for line in ["lines f", "bytes f 0:9", "ranges f 1"] {
            let run = sandbox.line(&format!("{line} --expect {version}")).refused(7);
            assert!(run.stderr.contains(name), "{name}: {run}");
            let error = sandbox.line(&format!("{line} --expect {version} --json")).refused_json(7);
            assert_eq!(error["kind"], json!("changed"), "{name}");
            sandbox.line(&format!("{line} --expect {version} --raw")).refused(7);
            let prefix = sandbox.line(&format!("{line} --expect {version} --expect-prefix"));
            if name == "appended" {
                prefix.ok();
            } else {
                prefix.refused(7);
            }
        }
    }
}

#[test]
fn a_version_must_be_one() {
    let sandbox = Sandbox::with("f", numbered(9));
    let version = version(&sandbox);
    for wrong in ["", "zzz", "1-2-3", &version[1..].replace('-', ""), &format!("{version}-0")] {
        let run = sandbox.run(["lines", "f", &format!("--expect={wrong}")]);
        assert_eq!((run.code, run.stdout.len()), (2, 0), "{run}");
    }
    sandbox.line("lines f --expect-prefix").refused(2);
    let error = sandbox.line(&format!("lines missing --expect {version} --json")).refused_json(3);
    assert_eq!(error["kind"], json!("not_found"));
}
