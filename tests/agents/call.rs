//! `rread call` and `--schema tools`: the tools for agents without a server, in every build.

use rread_testkit::sandbox::Sandbox;
use serde_json::{Value, json};

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("d")).unwrap();
    sandbox.file("a.txt", "one\ntwo\nthree\n");
    sandbox.file("d/b.txt", "two\n");
    sandbox
}

/// The exit code, standard output and standard error of a call.
fn call(sandbox: &Sandbox, words: &[&str]) -> (i32, String, String) {
    let run = sandbox.run([&["call"], words].concat());
    (run.code, String::from_utf8(run.stdout).unwrap(), run.stderr)
}

#[test]
fn exit_codes_are_those_of_the_commands() {
    let sandbox = sandbox();
    let cases = [
        ("read", json!({"path": "a.txt", "lines": "2"}), 0, "two"),
        ("search", json!({"pattern": "two", "path": "."}), 0, r#""matched_lines":2"#),
        ("search", json!({"pattern": "none of these"}), 1, r#""files":[]"#),
        ("search", json!({"pattern": "two", "paths": ["a.txt", "nosuch"]}), 3, "not_found"),
        ("stat", json!({"path": "a.txt"}), 0, r#""lines":3"#),
        ("stat", json!({"paths": ["a.txt", "nosuch"]}), 3, "not_found"),
        ("verify", json!({"path": "a.txt", "anchors": ["2#aaaaaa"]}), 1, r#""ok":false"#),
        ("follow", json!({"path": "a.txt", "pattern": "x", "timeout": 0.01}), 1, r#""matched":false"#),
        ("read", json!({"paths": ["a.txt", "nosuch"]}), 3, "nosuch"),
        ("capture", json!({"command": ["sh", "-c", "echo out; exit 7"]}), 7, "out"),
    ];
    for (tool, arguments, code, part) in cases {
        let (status, out, err) = call(&sandbox, &[tool, &arguments.to_string()]);
        assert_eq!((status, err.as_str()), (code, ""), "{tool} {arguments}: {out}");
        assert!(out.contains(part) && out.ends_with('\n'), "{tool} {arguments}: {out}");
    }
}

#[test]
fn errors_are_json_on_standard_error() {
    let sandbox = sandbox();
    let cases = [
        (vec!["read", r#"{"path":"nosuch"}"#], 3, "not_found", "nosuch"),
        (vec!["read", r#"{"path":"a.tx"}"#], 3, "not_found", "did you mean a.txt?"),
        (vec!["read", r#"{"path":"a.txt","lines":"9"}"#], 5, "out_of_range", "read {"),
        (vec!["read", r#"{"path":"a.txt","line":3}"#], 2, "usage", "did you mean 'lines'?"),
        (vec!["read"], 2, "usage", "no file"),
        (vec!["read", "a.txt"], 2, "usage", "not JSON"),
        (vec!["read", "[1]"], 2, "usage", "must be a JSON object"),
        (vec!["reed", "{}"], 2, "usage", "rread call read"),
        (vec!["select", "{"], 2, "usage", ""),
    ];
    for (words, code, kind, part) in cases {
        let (status, out, err) = call(&sandbox, &words);
        assert_eq!((status, out.as_str()), (code, ""), "{words:?}: {err}");
        let error: Value = serde_json::from_str(&err).unwrap();
        assert_eq!(error["kind"], kind, "{words:?}: {err}");
        let text = format!("{} {} {}", error["error"], error["path"], error["hint"]).replace('\\', "");
        assert!(text.contains(part), "{words:?}: {text}");
    }
}

#[test]
fn a_call_reads_what_its_user_can_unless_roots_are_given() {
    let sandbox = sandbox();
    sandbox.file("secret.txt", "two\n");
    std::os::unix::fs::symlink(sandbox.path("secret.txt"), sandbox.path("d/link")).unwrap();
    let absolute = sandbox.path("secret.txt").display().to_string();
    for name in [&*absolute, "d/link", "d/../secret.txt", "./secret.txt"] {
        let arguments = json!({"path": name}).to_string();
        let (code, out, err) = call(&sandbox, &["read", &arguments]);
        assert!(code == 0 && out.starts_with(name) && out.ends_with("two\n"), "{name}: {out} {err}");
        let (code, _, err) = call(&sandbox, &["read", &arguments, "--root", "d"]);
        assert_eq!(code, 3, "{name}: {err}");
        assert!(err.contains("permission") || err.contains("not_found"), "{name}: {err}");
    }
    let (code, out, _) = call(&sandbox, &["search", r#"{"pattern":"two"}"#, "--root", "d"]);
    assert_eq!(code, 0);
    assert!(out.contains("b.txt") && !out.contains("a.txt"), "{out}");
    let (code, _, err) = call(&sandbox, &["capture", r#"{"command":["true"]}"#, "--root", "d"]);
    assert!(code == 2 && err.contains("--root"), "{err}");
    let (code, _, err) = call(&sandbox, &["read", r#"{"path":"fd:1"}"#, "--root", "d"]);
    assert!(code == 2 && err.contains("--root"), "{err}");
}

#[test]
fn arguments_may_come_from_standard_input_and_captures_are_read() {
    let sandbox = sandbox();
    let run = sandbox.piped("call read -", r#"{"path":"a.txt","lines":1}"#).ok();
    assert!(run.text().ends_with("one\n"), "{}", run.text());
    sandbox.line("capture --name log -- cat a.txt").ok();
    let (code, out, err) = call(&sandbox, &["read", r#"{"path":"fd:log"}"#]);
    assert!(code == 0 && out.ends_with("one\ntwo\nthree\n"), "{out} {err}");
}

#[test]
fn the_tools_are_small_and_list_what_a_call_takes() {
    let sandbox = sandbox();
    let run = sandbox.line("--schema tools").ok();
    assert!(run.stdout.len() <= 8000, "{}", run.stdout.len());
    let tools = run.json();
    let names: Vec<&str> =
        tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let mut expected = vec!["read", "search", "stat", "verify", "image", "follow"];
    expected.extend(cfg!(feature = "sql").then_some("select"));
    expected.push("capture");
    assert_eq!(names, expected);
    for tool in tools.as_array().unwrap() {
        let parameters = &tool["parameters"];
        assert_eq!(parameters["type"], "object", "{tool}");
        assert!(jsonschema::validator_for(parameters).is_ok(), "{tool}");
        let required = parameters["required"].as_array().into_iter().flatten();
        for name in required {
            assert!(parameters["properties"].get(name.as_str().unwrap()).is_some(), "{tool}");
        }
    }
}
