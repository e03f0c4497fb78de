//! Archives below the roots: members, patterns and whole archives, by the names of the command line.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::Client;

fn sh(dir: &Path, line: &str) -> bool {
    Command::new("sh").args(["-c", line]).current_dir(dir).status().unwrap().success()
}

/// A root with two archives of the same files, and an archive outside.
fn root() -> Option<TempDir> {
    let dir = TempDir::new().unwrap();
    let tree = dir.path().join("tree");
    fs::create_dir_all(tree.join("var/log")).unwrap();
    for name in ["run.log", "var/log/run.log", "var/log/other.txt"] {
        fs::write(tree.join(name), format!("first of {name}\nNEEDLE\n")).unwrap();
    }
    fs::write(tree.join("binary"), [0, 1, 2, 3].repeat(500)).unwrap();
    fs::create_dir(dir.path().join("root")).unwrap();
    fs::write(dir.path().join("SECRET"), "NEEDLE SECRET\n").unwrap();
    let made = "tar czf secret.tar.gz SECRET && cd tree && tar czf ../root/a.tar.gz run.log var binary && \
        zip -qr ../root/a.zip run.log var binary && ln -s ../secret.tar.gz ../root/link.tar.gz";
    sh(dir.path(), made).then_some(dir)
}

fn structured(client: &mut Client, tool: &str, arguments: &Value) -> Value {
    let result = client.call(tool, arguments);
    assert_ne!(result["isError"], true, "{arguments}: {result}");
    result["structuredContent"].clone()
}

fn client(dir: &TempDir) -> Client {
    Client::start(&dir.path().join("root"), &[])
}

#[test]
fn members_are_searched_read_and_examined() {
    let Some(dir) = root() else { return };
    let mut client = client(&dir);
    let names = |prefix: &str, names: &[&str]| -> Vec<Value> {
        names.iter().map(|name| json!(format!("{prefix}/{name}"))).collect()
    };
    let all = ["run.log", "var/log/run.log", "var/log/other.txt"];
    for (prefix, archive) in [("tar:a.tar.gz", "a.tar.gz"), ("zip:a.zip", "a.zip")] {
        for (name, expected) in [
            (archive.to_owned(), &all[..]),
            (prefix.to_owned(), &all),
            (format!("{prefix}/**/run.log"), &all[..2]),
            (format!("{prefix}/var"), &all[1..]),
            (format!("{prefix}/var/log/other.txt"), &all[2..]),
        ] {
            let found = structured(&mut client, "search", &json!({"pattern": "NEEDLE", "path": name}));
            let mut paths: Vec<Value> =
                found["files"].as_array().unwrap().iter().map(|file| file["path"].clone()).collect();
            let mut expected = names(prefix, expected);
            paths.sort_by_key(Value::to_string);
            expected.sort_by_key(Value::to_string);
            assert_eq!(paths, expected, "{name}: {found}");
            // A name can be given back.
            let path = paths[0].as_str().unwrap();
            let text = client.text("read", &json!({"path": path, "lines": 2}));
            assert!(text.starts_with(&format!("{path} | lines 2-2")) && text.ends_with("NEEDLE\n"), "{text}");
            let text = client.text("read", &json!({"path": format!("{path}:2")}));
            assert!(text.ends_with("NEEDLE\n"), "{text}");
            let stat = structured(&mut client, "stat", &json!({"path": path, "count": true}));
            assert_eq!(
                (&stat["files"][0]["path"], &stat["files"][0]["lines"]),
                (&paths[0], &json!(2)),
                "{stat}"
            );
        }
        let text = client.text("read", &json!({"path": format!("{prefix}/**/*.log"), "lines": 1}));
        assert!(text.contains("first of run.log\n") && text.contains("first of var/log/run.log\n"), "{text}");
        let stat = structured(&mut client, "stat", &json!({"path": format!("{prefix}/**/*.log")}));
        assert_eq!(stat["files"].as_array().unwrap().len(), 2, "{stat}");
        for name in [archive, prefix] {
            let stat = structured(&mut client, "stat", &json!({"path": name}));
            let members = stat["files"][0]["members"].as_array().unwrap();
            assert_eq!(members.len(), 4, "{stat}");
            assert!(
                members.iter().any(|line| line.as_str().unwrap().ends_with("Z var/log/run.log")),
                "{stat}"
            );
            assert_eq!(stat["files"][0]["path"], name);
        }
    }
}

#[test]
fn a_search_in_members_goes_on_where_its_budget_ended() {
    let dir = TempDir::new().unwrap();
    for n in 0..30 {
        fs::write(dir.path().join(format!("f{n}")), format!("NEEDLE {n:0300}\n")).unwrap();
    }
    if !sh(dir.path(), "tar czf a.tar.gz f* && rm f*") {
        return;
    }
    let mut client = Client::start(dir.path(), &[]);
    let mut arguments = json!({"pattern": "NEEDLE", "path": "a.tar.gz", "max_bytes": 4000});
    let mut paths = Vec::new();
    for _ in 0..30 {
        let found = structured(&mut client, "search", &arguments);
        paths.extend(found["files"].as_array().unwrap().iter().map(|file| file["path"].to_string()));
        match found.get("next") {
            Some(next) => arguments = next.clone(),
            None => break,
        }
    }
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), 30, "{paths:?}");
}

#[test]
fn errors_and_hints_name_the_archive_as_the_client_does() {
    let Some(dir) = root() else { return };
    let mut client = client(&dir);
    for (tool, arguments, words) in [
        (
            "read",
            json!({"path": "tar:a.tar.gz/var/log/rum.log"}),
            "there is no var/log/rum.log in the archive",
        ),
        ("read", json!({"path": "tar:a.tar.gz/nothing/*"}), "no file in the archive matches 'nothing/*'"),
        ("read", json!({"path": "zip:a.tar.gz/*"}), "is a tar archive, not a ZIP archive"),
        ("read", json!({"path": "tar:a.tar.gz/binary"}), "Binary files are not supported"),
        ("stat", json!({"path": "tar:a.tar.gz/[x"}), "is not a pattern of members"),
        ("verify", json!({"path": "tar:a.tar.gz/run.log", "anchors": ["1#000000"]}), "is in an archive"),
        ("search", json!({"pattern": "x", "path": "tar:nothing.tar/x"}), "cannot open"),
    ] {
        let error = client.error(tool, &arguments);
        assert!(error.contains(words), "{arguments}: {error}");
        assert!(!error.contains("in a shell"), "{error}");
    }
}

/// The names that the server gives for members with absolute names can be given back.
#[test]
fn members_with_absolute_names_are_read_by_them() {
    let dir = TempDir::new().unwrap();
    let program = "import io, tarfile, zipfile
text = ''.join(f'line {n} NEEDLE\\n' for n in range(1, 200))
with zipfile.ZipFile('m.zip', 'w') as z: z.writestr('/abs.txt', text); z.writestr('//d/two.txt', text)
with tarfile.open('m.tar.gz', 'w:gz') as t:
  for name in ['/abs.txt', '//d/two.txt']:
    i = tarfile.TarInfo(name); i.size = len(text); t.addfile(i, io.BytesIO(text.encode()))
";
    fs::write(dir.path().join("make.py"), program).unwrap();
    fs::create_dir(dir.path().join("root")).unwrap();
    if !sh(dir.path(), "cd root && python3 ../make.py") {
        return;
    }
    let mut client = client(&dir);
    for prefix in ["zip:m.zip/", "tar:m.tar.gz/"] {
        let archive = &prefix[4..prefix.len() - 1];
        let text = client.text("read", &json!({"path": archive, "max_bytes": 1000}));
        for name in ["/abs.txt", "//d/two.txt"] {
            let path = format!("{prefix}{name}");
            assert!(text.contains(&format!("{path} | lines 1-")), "{text}");
            let rest = client.text("read", &json!({"path": path, "lines": "100:+1"}));
            assert!(rest.ends_with("line 100 NEEDLE\n"), "{rest}");
            let rest = client.text("read", &json!({"path": format!("{path}:199")}));
            assert!(rest.ends_with("line 199 NEEDLE\n"), "{rest}");
            let stat = structured(&mut client, "stat", &json!({"path": path, "count": true}));
            assert_eq!((&stat["files"][0]["path"], &stat["files"][0]["lines"]), (&json!(path), &json!(199)));
            let found = structured(&mut client, "search", &json!({"pattern": "line 7 ", "path": path}));
            assert_eq!(found["files"][0]["path"], json!(path), "{found}");
        }
    }
}

/// Hints name other members and the archive as the client does, never as the server does.
#[test]
fn no_hint_has_a_path_of_the_server() {
    let Some(dir) = root() else { return };
    let made = "cd root && echo text > plain.txt && ln -s run.log link && tar cf l.tar link a.zip && rm link && \
        python3 -c \"import zipfile; zipfile.ZipFile('e.zip', 'w').writestr('/abs.txt', 'x')\" && \
        head -c 30000 /dev/urandom > noise && tar cf cut.tar noise a.zip && truncate -s 30000 cut.tar";
    if !sh(dir.path(), made) {
        return;
    }
    let mut client = client(&dir);
    for (path, hint) in [
        ("tar:a.tar.gz/var/log/rum.log", "did you mean tar:a.tar.gz/var/log/run.log?"),
        ("tar:./a.tar.gz/var/log/rum.log", "did you mean tar:./a.tar.gz/var/log/run.log?"),
        ("tar:a.tar.gz/nothing/*", r#"stat {"path":"a.tar.gz"}"#),
        ("tar:a.tar.gz/var", r#"stat {"path":"a.tar.gz"}"#),
        ("zip:a.tar.gz/run.log", r#"read {"path":"tar:a.tar.gz/run.log"}"#),
        ("zip:a.tar.gz/*", r#"read {"path":"tar:a.tar.gz/"}"#),
        ("zip:e.zip/abs.txt", "did you mean zip:e.zip//abs.txt?"),
        ("tar:l.tar/link", r#"stat {"path":"l.tar"}"#),
        ("tar:cut.tar/noise", "damaged"),
        ("tar:cut.tar/*", "damaged"),
        ("cut.tar", "damaged"),
    ] {
        for (tool, arguments) in [
            ("read", json!({"path": path})),
            ("read", json!({"paths": [path, "plain.txt"]})),
            ("stat", json!({"path": path})),
            ("search", json!({"pattern": "NEEDLE", "path": path})),
        ] {
            let answer = client.request("tools/call", json!({"name": tool, "arguments": arguments}));
            let text = answer.to_string();
            assert!(!text.contains(dir.path().to_str().unwrap()), "{tool} {arguments}: {text}");
            let is_found = text.replace('\\', "").contains(hint);
            let is_search_below = tool == "search" && path == "tar:a.tar.gz/var";
            let is_stat_of_all = tool == "stat" && hint == "damaged";
            assert!(is_found || is_search_below || is_stat_of_all, "{tool} {arguments}: {text}");
        }
    }
}

/// A link that leads out of the root, and names with `..`.
#[test]
fn no_archive_outside_is_opened() {
    let Some(dir) = root() else { return };
    let mut client = client(&dir);
    let outside = dir.path().join("secret.tar.gz").display().to_string();
    for archive in ["../secret.tar.gz", "link.tar.gz", &outside, "./../secret.tar.gz"] {
        for rest in ["", "/SECRET", "/*", "/**"] {
            for prefix in ["tar:", "zip:"] {
                let name = format!("{prefix}{archive}{rest}");
                for (tool, arguments) in [
                    ("read", json!({"path": name})),
                    ("search", json!({"pattern": "NEEDLE", "path": name})),
                    ("stat", json!({"path": name})),
                ] {
                    let answer = client.request("tools/call", json!({"name": tool, "arguments": arguments}));
                    assert!(!answer.to_string().contains("NEEDLE SECRET"), "{name}: {answer}");
                    assert_eq!(answer["result"]["isError"], true, "{name}: {answer}");
                }
            }
        }
    }
}
