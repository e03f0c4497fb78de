//! Arguments as models send them, and calls that end in time.

use std::time::{Duration, Instant};

use rread_testkit::sandbox::Sandbox;
use serde_json::{Value, json};

use super::client::{Client, next_of, parted, text_of};

/// A call of each tool that only reads, with its required arguments alone.
fn least(tool: &str) -> Value {
    match tool {
        "search" => json!({"pattern": "two", "path": "a.txt"}),
        "follow" => json!({"path": "a.txt", "pattern": "zzz", "timeout": 0.01}),
        "select" => json!({"path": "t.csv", "sql": "SELECT a FROM t"}),
        "image" => json!({"path": "tiny.png"}),
        "verify" => json!({"path": "a.txt", "anchors": ["2#aaaaaa"]}),
        _ => json!({"path": "a.txt"}),
    }
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("a.txt", "one\ntwo\nthree\n");
    sandbox.file("t.csv", "a\n1\n");
    sandbox.file("tiny.png", std::fs::read("fixtures/tiny.png").unwrap());
    sandbox
}

#[test]
fn placeholders_are_no_arguments_alone_and_together() {
    let sandbox = sandbox();
    let mut client = Client::start(&sandbox.path("."), &[]);
    for tool in client.tools() {
        let name = tool["name"].as_str().unwrap();
        let (base, mut all) = (least(name), least(name));
        let expected = client.call(name, &base);
        assert_eq!(expected["isError"], false, "{name}: {expected}");
        for (argument, schema) in tool["inputSchema"]["properties"].as_object().unwrap() {
            if !base[argument].is_null() {
                continue;
            }
            // 0 lines of context are a value where some are the default, and where a call repeats it.
            let is_context = argument == "context" && ["verify", "follow"].contains(&name);
            let is_number = schema["type"] == "integer" && !is_context;
            for placeholder in
                [json!(null), json!(""), json!("  "), json!([]), json!([""]), json!({}), json!(0), json!("0")]
            {
                if (placeholder == 0 || placeholder == "0") && !is_number {
                    continue;
                }
                let mut arguments = base.clone();
                arguments[argument] = placeholder.clone();
                assert_eq!(client.call(name, &arguments), expected, "{name} {arguments}");
                all[argument] = placeholder;
            }
        }
        assert_eq!(client.call(name, &all), expected, "{name} {all}");
    }
    // An empty pattern is a value: it lists files.
    let files = client.call("search", &json!({"pattern": "", "files_only": true}));
    assert!(text_of(&files).contains("a.txt"), "{files}");
}

#[test]
fn plain_forms_of_values_work() {
    let sandbox = sandbox();
    let mut client = Client::start(&sandbox.path("."), &["--allow-capture"]);
    let same = [
        ("read", json!({"path": "a.txt", "lines": ["1:2", 3]}), json!({"path": "a.txt", "lines": "1:2,3"})),
        (
            "read",
            json!({"path": "a.txt", "lines": "[\"1\", \"3\"]"}),
            json!({"path": "a.txt", "lines": "1,3"}),
        ),
        ("read", json!({"path": ["a.txt"]}), json!({"path": "a.txt"})),
        ("read", json!({"path": ["a.txt", "t.csv"]}), json!({"paths": ["a.txt", "t.csv"]})),
        ("stat", json!({"paths": "a.txt"}), json!({"path": "a.txt"})),
        ("search", json!({"pattern": ["two", "three"]}), json!({"pattern": "two|three"})),
        (
            "search",
            json!({"pattern": "TWO", "ignore_case": 1}),
            json!({"pattern": "TWO", "ignore_case": true}),
        ),
        (
            "search",
            json!({"pattern": "TWO", "ignore_case": "True"}),
            json!({"pattern": "TWO", "ignore_case": true}),
        ),
        ("search", json!({"pattern": "two", "context": "1"}), json!({"pattern": "two", "context": 1.0})),
        (
            "search",
            json!({"pattern": "two", "max_bytes": "10KB"}),
            json!({"pattern": "two", "max_bytes": 10000}),
        ),
        ("capture", json!({"command": "echo hi"}), json!({"command": ["sh", "-c", "echo hi"]})),
        ("capture", json!({"command": ["echo hi"]}), json!({"command": ["sh", "-c", "echo hi"]})),
        ("capture", json!({"command": "[\"echo\", \"hi\"]"}), json!({"command": ["echo", "hi"]})),
    ];
    for (tool, one, other) in same {
        // What the next call repeats is as it was sent.
        let plain = |text: String| text.split(" | next").next().unwrap().to_owned();
        let (one_text, other_text) = (client.text(tool, &one), client.text(tool, &other));
        assert_eq!(plain(one_text), plain(other_text), "{tool} {one}");
    }
}

#[test]
fn errors_about_values_name_argument_value_and_form() {
    let sandbox = sandbox();
    let mut client = Client::start(&sandbox.path("."), &["--allow-capture"]);
    for (tool, argument, value, form) in [
        ("read", "number", json!("yes"), "true or false"),
        ("read", "max_bytes", json!(-1), "a whole number"),
        ("read", "page", json!(1.5), "a whole number"),
        ("read", "encode", json!("rot13"), "base64 or hex or hexdump"),
        ("read", "tz", json!(["a", "b"]), "one text"),
        ("read", "timeout", json!("soon"), "a number of seconds"),
        ("stat", "paths", json!({"a": 1}), "a list of texts"),
        ("search", "context", json!("many"), "a whole number"),
        ("search", "type", json!("nosuch"), "such as rust"),
        ("search", "glob", json!("{a"), "such as *.log"),
        ("capture", "command", json!({"sh": "ls"}), "a list of texts"),
    ] {
        let mut arguments = if tool == "capture" { json!({}) } else { least(tool) };
        arguments[argument] = value.clone();
        let error = client.error(tool, &arguments);
        assert!(error.starts_with(&format!("{argument} is ")), "{error}");
        let shown = value.to_string();
        assert!(error.contains(&shown) || error.contains(&format!("[{shown}]")), "{error}");
        assert!(error.contains(form), "{error}");
    }
    let error = client.error("select", &json!({"path": "*.csv", "sql": "SELECT 1"}));
    assert!(error.contains(r#"{"paths":["t.csv"]}"#), "{error}");
}

#[test]
fn several_files_are_one_table_or_tables_that_from_names() {
    let sandbox = sandbox();
    sandbox.file("u.csv", "a\n2\n3\n");
    let mut client = Client::start(&sandbox.path("."), &[]);
    for (sql, expected) in [
        ("SELECT sum(a) AS n FROM t", "n\n6\n"),
        ("SELECT count(*) AS n FROM t x JOIN u ON x.a < u.a", "n\n2\n"),
    ] {
        let text = client.text("select", &json!({"paths": ["t.csv", "u.csv"], "sql": sql}));
        assert_eq!(parted(&text).1, expected, "{text}");
    }
    let all = json!({"paths": ["t.csv", "u.csv"], "sql": "SELECT a FROM t", "max_bytes": 4});
    let text = client.text("select", &all);
    let next = next_of(parted(&text).0).unwrap();
    assert_eq!((&next["paths"], &next["offset"]), (&json!(["t.csv", "u.csv"]), &json!(1)), "{text}");
    assert!(client.text("select", &next).contains("\n2\n"));
    client.error("select", &json!({"paths": ["t.csv", "../x.csv"], "sql": "SELECT 1"}));
    // Messages have the names of the client.
    sandbox.file("v.csv", "b\n2\n");
    let error = client.error("select", &json!({"paths": ["t.csv", "v.csv"], "sql": "SELECT * FROM t"}));
    assert!(error.contains("v.csv has no column a, which t.csv has"), "{error}");
    let folder = sandbox.path(".").to_string_lossy().trim_end_matches('.').to_owned();
    assert!(!error.contains(&folder), "{error}");
}

#[test]
fn select_takes_the_options_that_say_how_a_file_is_read() {
    let sandbox = sandbox();
    sandbox.file("c.csv", "a\n\"1,5\"\n\"2,5\"\n");
    sandbox.file("n.csv", "a\n4\nNA\n");
    sandbox.file("p.csv", "a,b,c\n1,2\n3,4\n");
    sandbox.file("z.log", "no time here\n");
    let mut client = Client::start(&sandbox.path("."), &[]);
    for (path, sql, options, expected) in [
        ("c.csv", "SELECT sum(a) AS n FROM t", "--decimal ','", "n\n4.0\n"),
        ("n.csv", "SELECT sum(a) AS n FROM t", "--null NA", "n\n4\n"),
        ("p.csv", "SELECT count(*) AS n FROM t", "--pad", "n\n2\n"),
        ("z.log", "SELECT line AS n FROM t", "--input lines", "n\nno time here\n"),
    ] {
        let error = client.error("select", &json!({"path": path, "sql": sql}));
        assert!(error.contains(&format!("options {options}")), "{error}");
        let text = client.text("select", &json!({"path": path, "sql": sql, "options": options}));
        assert_eq!(parted(&text).1, expected, "{text}");
    }
    sandbox.file("d.csv", "d\n1/2/2026\n3/1/2026\n");
    let sql = "SELECT max(d) AS n FROM t";
    let text = client.text("select", &json!({"path": "d.csv", "sql": sql}));
    assert!(text.contains("dates dmy or mdy"), "{text}");
    let text = client.text("select", &json!({"path": "d.csv", "sql": sql, "options": "--date-order dmy"}));
    assert!(text.ends_with("row\nn\n2026-02-01\n"), "{text}");
    let words = json!(["--null=NA", "--schema", "a:decimal(5, 1)"]);
    let asked = json!({"path": "n.csv", "sql": "SELECT a FROM t", "options": words, "max_bytes": 6});
    let text = client.text("select", &asked);
    let next = next_of(parted(&text).0).unwrap();
    assert_eq!(next["options"], words, "{text}");
    client.text("select", &next);
    for options in [
        "--table u=/etc/passwd",
        "--workers 127.0.0.1:1",
        "-- /etc/passwd",
        "/etc/passwd",
        "--input",
        "--input=x",
    ] {
        client.error("select", &json!({"path": "t.csv", "sql": "SELECT 1", "options": options}));
    }
}

#[test]
fn search_takes_globs_types_hidden_and_ignored_files() {
    let sandbox = Sandbox::new();
    for dir in [".git", "logs", "src", "src/.deep"] {
        std::fs::create_dir(sandbox.path(dir)).unwrap();
    }
    sandbox.file(".gitignore", "*.log\n");
    for name in ["logs/app.log", "src/a.ts", "src/b.tsx", "src/c.py", "src/.deep/d.ts", ".e.ts"] {
        sandbox.file(name, "word\n");
    }
    let mut client = Client::start(&sandbox.path("."), &[]);
    for (arguments, expected) in [
        // As in ripgrep, a glob that names hidden and ignored files finds them.
        (json!({"glob": "*.ts"}), ".e.ts src/a.ts"),
        (json!({"glob": "*.{ts,tsx}"}), ".e.ts src/a.ts src/b.tsx"),
        (json!({"glob": ["*.{ts,tsx}", "!b*"]}), ".e.ts src/a.ts"),
        (json!({"glob": "!*.ts*"}), "src/c.py"),
        (json!({"glob": "src/*.py", "path": "."}), "src/c.py"),
        (json!({"type": "ts"}), "src/a.ts src/b.tsx"),
        (json!({"type": ["ts", "py"]}), "src/a.ts src/b.tsx src/c.py"),
        (json!({"type": "ts", "hidden": true}), ".e.ts src/.deep/d.ts src/a.ts src/b.tsx"),
        (json!({"no_ignore": true, "path": "logs"}), "logs/app.log"),
        (json!({"glob": "*.log"}), "logs/app.log"),
        (json!({"path": "logs/app.log"}), "logs/app.log"),
    ] {
        let mut arguments = arguments;
        arguments["pattern"] = json!("word");
        let result = client.call("search", &arguments);
        let files = result["structuredContent"]["files"].as_array().unwrap();
        let paths: Vec<&str> = files.iter().map(|file| file["path"].as_str().unwrap()).collect();
        assert_eq!(paths.join(" "), expected, "{arguments}: {result}");
        assert_eq!(result["structuredContent"]["complete"], true, "{arguments}: {result}");
    }
    // An answer that left every file out does not look complete, and its hint is a call that works.
    let result = client.call("search", &json!({"pattern": "word", "path": "logs"}));
    let answer = &result["structuredContent"];
    assert_eq!((&answer["complete"], &answer["left_out"]["ignored"]), (&json!(false), &json!(1)), "{answer}");
    let hint: Value =
        serde_json::from_str(answer["hint"].as_str().unwrap().strip_prefix("search ").unwrap()).unwrap();
    assert!(text_of(&client.call("search", &hint)).contains("app.log"), "{hint}");
    for (foreign, ours) in [
        (json!({"include": "*.py"}), "glob"),
        (json!({"file_pattern": "*.py"}), "glob"),
        (json!({"exclude": "*.ts*"}), "glob"),
        (json!({"file_type": "py"}), "type"),
        (json!({"globs": ["*.py"]}), "glob"),
        (json!({"include": "*.{py,ts}", "exclude": "*.ts"}), "glob"),
    ] {
        let mut arguments = foreign;
        arguments["pattern"] = json!("word");
        let error = client.error("search", &arguments);
        assert!(error.contains(&format!("did you mean '{ours}'?")), "{error}");
    }
}

#[test]
fn pictures_that_cannot_be_decoded_are_not_sent() {
    let sandbox = sandbox();
    let good = std::fs::read("fixtures/tiny.png").unwrap();
    let data = good.windows(4).position(|name| name == b"IDAT").unwrap() + 4;
    for at in [data, data + 3] {
        let mut bad = good.clone();
        bad[at] ^= 0xff;
        sandbox.file("bad.png", &bad);
        let mut client = Client::start(&sandbox.path("."), &[]);
        let error = client.error("image", &json!({"path": "bad.png"}));
        assert!(error.contains("damaged"), "{error}");
        client.text("image", &json!({"path": "bad.png", "facts_only": true}));
        assert_eq!(client.call("image", &json!({"path": "tiny.png"}))["content"][1]["type"], "image");
    }
}

#[test]
fn calls_that_wait_keep_no_other_call_from_running() {
    let sandbox = sandbox();
    let mut client = Client::start(&sandbox.path("."), &[]);
    let follow = json!({"path": "a.txt", "pattern": "zzz", "timeout": 20});
    for _ in 0..20 {
        client.begin("tools/call", json!({"name": "follow", "arguments": follow}));
    }
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    client.text("stat", &json!({"path": "a.txt"}));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn a_call_ends_at_its_time_with_what_it_has() {
    let sandbox = sandbox();
    let mut client = Client::start(&sandbox.path("."), &["--allow-capture", "--timeout", "1s"]);
    let begun = Instant::now();
    let text = client.text("capture", &json!({"command": "sleep 30 & echo started; wait"}));
    assert!(text.ends_with("started\n"), "{text}");
    let text = client.text("capture", &json!({"command": "sleep 30 & echo started", "timeout": 0.5}));
    assert!(text.ends_with("started\n"), "{text}");
    let file = std::fs::File::create(sandbox.path("long")).unwrap();
    file.set_len(100 << 30).unwrap();
    let error =
        client.error("search", &json!({"pattern": "x", "path": "long", "text": true, "timeout": "500ms"}));
    assert!(error.contains("did not finish within 500ms") && error.contains("timeout"), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
}
