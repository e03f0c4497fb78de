//! `rread doctor`: the facts of a build and its directories, each problem with a hint that works, and no secrets.

use std::fs;

use rread_testkit::lab::{Lab, Run};
use serde_json::Value;

/// A lab with its own directories for captures and temporary files.
fn lab() -> Lab {
    let mut lab = Lab::with("f", "one\ntwo\n".repeat(40_000));
    lab.set("RREAD_STATE_DIR", lab.path("state"));
    lab.set("TERM", "xterm");
    lab
}

fn directory<'a>(answer: &'a Value, holds: &str) -> &'a Value {
    let all = answer["directories"].as_array().unwrap();
    all.iter().find(|directory| directory["holds"] == holds).unwrap()
}

/// The problems, each with its hint; the exit code must say so.
#[track_caller]
fn problems(run: &Run) -> Vec<(String, String)> {
    let answer = run.json();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = answer["problems"].as_array().unwrap();
    let all: Vec<_> = all.iter().map(|of| (text(&of["problem"]), text(&of["hint"]))).collect();
    assert_eq!(answer["healthy"], all.is_empty(), "{run}");
    assert_eq!(run.code, Some(i32::from(!all.is_empty())), "{run}");
    if let Some((problem, hint)) = all.first() {
        let error: Value = serde_json::from_str(&run.stderr).unwrap();
        assert!(text(&error["error"]).contains(problem.as_str()), "{run}");
        assert_eq!((text(&error["kind"]), &text(&error["hint"])), ("mismatch".to_owned(), hint), "{run}");
    }
    all
}

#[test]
fn a_healthy_program_says_what_it_has_and_makes_nothing() {
    let lab = lab();
    let answer = lab.json("doctor");
    assert_eq!((&answer["healthy"], &answer["problems"]), (&true.into(), &Value::Array(Vec::new())));
    assert_eq!(answer["version"], env!("CARGO_PKG_VERSION"));
    let features = answer["features"].as_array().unwrap();
    assert_eq!(features.contains(&"view".into()), cfg!(feature = "view"));
    assert_eq!(features.contains(&"documents".into()), cfg!(feature = "documents"));
    for holds in ["indexes", "hashes", "captures"] {
        let found = directory(&answer, holds);
        assert_eq!((&found["state"], &found["files"]), (&"absent".into(), &0.into()), "{holds}");
    }
    assert!(!lab.cache().exists() && !lab.path("state").exists(), "doctor made a directory");

    lab.line("index build f").ok();
    lab.line("lines f 1:2 --hash").ok();
    lab.line("capture f").code.unwrap();
    let answer = lab.json("doctor");
    let indexes = directory(&answer, "indexes");
    let size = fs::metadata(lab.cache().join(index_name(&lab))).unwrap().len();
    assert_eq!((&indexes["state"], &indexes["files"]), (&"writable".into(), &1.into()));
    assert_eq!(indexes["bytes"], size);
    assert_eq!(indexes["directory"], lab.cache().to_str().unwrap());
    assert_eq!(directory(&answer, "hashes")["files"], 1);
}

fn index_name(lab: &Lab) -> String {
    lab.cached().into_iter().find(|name| name.ends_with(".idx")).unwrap()
}

#[test]
fn every_format_has_the_same_facts() {
    let lab = lab();
    let answer = lab.json("doctor");
    let yaml = String::from_utf8(lab.line("doctor").ok().stdout).unwrap();
    let text = String::from_utf8(lab.line("doctor -f text").ok().stdout).unwrap();
    assert_eq!(yaml, format!("---\n{text}---\n"));
    for key in answer.as_object().unwrap().keys() {
        assert!(format!("\n{text}").contains(&format!("\n{key}:")), "{key}: {text}");
    }
    let xml = String::from_utf8(lab.line("doctor --xml").ok().stdout).unwrap();
    let document = roxmltree::Document::parse(&xml).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("healthy"), Some("true"));
    let count = root.children().filter(|child| child.has_tag_name("directory")).count();
    assert_eq!(count, answer["directories"].as_array().unwrap().len());
    // The facts of the build alone.
    for call in
        ["--version --json", "-V --json", "--json --version", "--version -f json", "--version --format=json"]
    {
        let build = lab.line(call).ok().json();
        for key in ["version", "target", "features", "commit"] {
            assert_eq!(build.get(key), answer.get(key), "{call}: {key}");
        }
        assert_eq!(build.as_object().unwrap().len(), 3 + usize::from(answer["commit"].is_string()), "{call}");
    }
    assert_eq!(
        lab.line("--version").ok().stdout,
        format!("rread {}\n", env!("CARGO_PKG_VERSION")).into_bytes()
    );
}

#[cfg(unix)]
#[test]
fn directories_that_cannot_be_used_are_problems() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    type Break = fn(&Lab, &str);
    let breaks: [(&str, Break); 4] = [
        ("a file", |lab, name| fs::write(lab.path(name), "x").unwrap()),
        ("a link", |lab, name| symlink(lab.path("."), lab.path(name)).unwrap()),
        ("of others", |lab, name| {
            fs::create_dir(lab.path(name)).unwrap();
            fs::set_permissions(lab.path(name), fs::Permissions::from_mode(0o777)).unwrap();
        }),
        ("below a file", |lab, name| fs::write(lab.path(&format!("{name}-above")), "x").unwrap()),
    ];
    for (what, break_it) in breaks {
        for (name, variable, holds) in
            [("cache", "RREAD_CACHE_DIR", "indexes"), ("state", "RREAD_STATE_DIR", "captures")]
        {
            let mut lab = lab();
            break_it(&lab, name);
            if what == "below a file" {
                lab.set(variable, lab.path(&format!("{name}-above")).join("below"));
            }
            let run = lab.line("doctor --json");
            assert_eq!(directory(&run.json(), holds)["state"], "unusable", "{what}: {run}");
            let found = problems(&run);
            let is_hint = |hint: &str| hint.starts_with(&format!("export {variable}="));
            assert!(found.len() == 1 && is_hint(&found[0].1), "{what}: {found:?}");
            // Answers do not need the directory.
            lab.line("lines f 1 --raw").ok();
        }
    }
    let mut lab = lab();
    lab.set("TMPDIR", lab.path("missing"));
    let found = problems(&lab.line("doctor --json"));
    assert!(found.len() == 1 && found[0].1.starts_with("export TMPDIR="), "{found:?}");
}

#[test]
fn variables_with_wrong_values_are_problems() {
    for (name, value, state) in [
        ("RREAD_INDEX", "off", Some("off")),
        ("RREAD_INDEX", "ro", Some("read_only")),
        ("RREAD_INDEX", "sometimes", None),
        ("RREAD_INDEX_MIN", "1x", None),
        ("RREAD_CACHE_MAX", "-1", None),
        ("RREAD_STATE_MAX", "much", None),
        ("RREAD_WORKERS_MIN", "many", None),
        ("RREAD_MAX_BYTES", "1.2.3", None),
        ("RREAD_FORMAT", "yaml", None),
    ] {
        let mut lab = lab();
        lab.set(name, value);
        let run = lab.line("doctor --json");
        let answer = run.json();
        let found = problems(&run);
        match state {
            Some(state) => {
                assert_eq!((found, &answer["directories"][0]["state"]), (Vec::new(), &state.into()), "{run}");
            }
            None => {
                assert_eq!(found.len(), 1, "{run}");
                assert!(found[0].0.contains(name) && found[0].1.contains(name), "{found:?}");
            }
        }
    }
    // All at once, each once.
    let mut lab = lab();
    for name in ["RREAD_CACHE_MAX", "RREAD_STATE_MAX", "RREAD_INDEX"] {
        lab.set(name, "wrong");
    }
    assert_eq!(problems(&lab.line("doctor --json")).len(), 3);
}

#[test]
fn no_secret_is_shown() {
    let mut lab = lab();
    lab.set("RREAD_HTTP_HEADERS", "Authorization: Bearer TOPSECRET\nTOPSECRET\nX-Key:TOPSECRET");
    lab.set("AWS_SECRET_ACCESS_KEY", "TOPSECRET");
    lab.set("AZURE_STORAGE_KEY", "TOPSECRET");
    for url in [
        "",
        "https://user:TOPSECRET@host/f?sig=TOPSECRET",
        "https://host/f?X-Amz-Signature=TOPSECRET&token=TOPSECRET",
        "s3://bucket/key",
        "az://container/blob",
        "http://user:TOPSECRET@:x/",
    ] {
        for format in ["--json", "--xml", "-f text", ""] {
            let run = lab.line(&format!("doctor {url} {format}"));
            let shown = String::from_utf8_lossy(&run.stdout) + run.stderr.as_str();
            assert!(!shown.contains("TOPSECRET"), "{url} {format}: {shown}");
        }
    }
}

#[test]
fn only_urls_are_asked_about() {
    let lab = lab();
    for name in ["f", "fd:1", "-", "tar:a.tar/b", "ftp://host/f", "ftp://user:canary@host/f"] {
        let run = lab.line(&format!("doctor {name} --json"));
        assert_eq!(run.code, Some(2), "{run}");
        let error: Value = serde_json::from_str(&run.stderr).unwrap();
        assert!(error["error"].as_str().unwrap().starts_with("is not a URL"), "{run}");
        assert!(!run.stderr.contains("canary"), "{run}");
    }
}

#[cfg(not(feature = "cloud"))]
#[test]
fn a_url_needs_its_feature() {
    let found = problems(&lab().line("doctor s3://bucket/key --json"));
    assert!(found.len() == 1 && found[0].1.contains("--features cloud"), "{found:?}");
}
