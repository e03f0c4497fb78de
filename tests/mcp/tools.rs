//! The list of tools: sizes, schemas, and what they accept.

use std::path::Path;

use rread_testkit::home::AtHome;
use rread_testkit::sample::cases;
use rread_testkit::sandbox::Sandbox;
use serde_json::{Value, json};

use super::client::Client;

fn fixtures() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn size(tool: &Value) -> usize {
    let schemas = [&tool["inputSchema"], &tool["outputSchema"]];
    let schemas: usize =
        schemas.iter().filter(|schema| !schema.is_null()).map(|schema| schema.to_string().len()).sum();
    tool["description"].as_str().unwrap().len() + schemas
}

#[test]
fn the_list_is_small() {
    let mut client = Client::start(&fixtures(), &["--allow-capture"]);
    let tools = client.tools();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let mut expected = vec!["read", "search", "stat", "verify", "image", "follow"];
    expected.extend(cfg!(feature = "sql").then_some("select"));
    expected.push("capture");
    assert_eq!(names, expected);
    for tool in &tools {
        assert!(size(tool) < 2048, "{} has {} bytes", tool["name"], size(tool));
    }
    let all: usize = tools.iter().map(size).sum();
    assert!(all <= 7000, "{all} bytes");
    let mut plain = Client::start(&fixtures(), &[]);
    let tools = plain.tools();
    assert_eq!(tools.len(), expected.len() - 1, "capture must be allowed");
    let list = serde_json::to_string(&tools).unwrap().len();
    assert!(list <= 7000, "the list has {list} bytes");
    let answer = plain.request("tools/call", json!({"name": "capture", "arguments": {"command": ["ls"]}}));
    assert!(answer["error"].is_object(), "{answer}");
}

#[test]
fn schemas_are_portable() {
    for tool in Client::start(&fixtures(), &["--allow-capture"]).tools() {
        let input = &tool["inputSchema"];
        assert_eq!(input["type"], "object");
        assert_eq!(input["additionalProperties"], false, "{tool}");
        for (name, property) in input["properties"].as_object().unwrap() {
            assert!(property["type"].is_string(), "{name}: {property}");
            assert!(
                property.get("format").is_none() && property.get("default").is_none(),
                "{name}: {property}"
            );
        }
        for schema in [input, &tool["outputSchema"]] {
            assert!(schema.is_null() || jsonschema::validator_for(schema).is_ok(), "{schema}");
        }
        let is_structured = ["search", "stat", "verify"].contains(&tool["name"].as_str().unwrap());
        assert_eq!(tool["outputSchema"].is_object(), is_structured, "{tool}");
        let only_reads = tool["name"] != "capture";
        assert_eq!(tool["annotations"]["readOnlyHint"], only_reads);
    }
}

#[test]
fn every_argument_of_the_schema_is_understood_and_no_other() {
    let mut client = Client::start(&fixtures(), &["--allow-capture"]);
    for tool in client.tools() {
        let name = tool["name"].as_str().unwrap().to_owned();
        for (argument, property) in tool["inputSchema"]["properties"].as_object().unwrap() {
            let value = match property["type"].as_str().unwrap() {
                "string" => json!("no-such-file"),
                "integer" => json!(3),
                "boolean" => json!(true),
                _ => json!(["no-such-file"]),
            };
            let answer = client.call(&name, &json!({ argument: value })).to_string();
            assert!(!answer.contains("there is no argument"), "{name} {argument}: {answer}");
        }
        let error = client.error(&name, &json!({"pathh": "a"}));
        assert!(error.contains("there is no argument 'pathh'"), "{error}");
    }
    let error = client.error("read", &json!({"path": "service.log", "line": 3}));
    assert!(error.contains("hint: did you mean 'lines'? From 1, end included: 100:120, "), "{error}");
    let error = client.error("read", &json!({"path": "service.log", "headder": 3}));
    assert!(error.contains("did you mean 'header'?"), "{error}");
}

#[test]
fn numbers_may_be_strings_and_ranges_may_be_numbers() {
    let mut client = Client::start(&fixtures(), &[]);
    let same = [
        (json!({"path": "service.log", "lines": 7}), json!({"path": "service.log", "lines": "7"})),
        (
            json!({"path": "service.log", "page": "2"}),
            json!({"path": "service.log", "page": 2.0, "until": null}),
        ),
        (
            json!({"paths": "service.log", "max_lines": "2", "number": false}),
            json!({"paths": ["service.log"], "max_lines": 2, "number": "false"}),
        ),
    ];
    let content = |text: String| text.split_once('\n').unwrap().1.to_owned();
    for (one, other) in same {
        assert_eq!(content(client.text("read", &one)), content(client.text("read", &other)), "{one} {other}");
    }
    for wrong in
        [json!({"page": "x"}), json!({"max_bytes": -1}), json!({"page": 1.5}), json!({"number": "maybe"})]
    {
        let mut arguments = wrong;
        arguments["path"] = json!("service.log");
        client.error("read", &arguments);
    }
}

#[test]
fn structured_answers_follow_their_schema_and_are_mirrored() {
    let mut client = Client::start(&fixtures(), &[]);
    let calls = [
        ("search", json!({"pattern": "ERROR", "max_bytes": 700})),
        ("search", json!({"pattern": "nothing like this"})),
        ("search", json!({"pattern": "ERROR", "files_only": true})),
        ("search", json!({"pattern": "ERROR", "paths": ["service.log", "no-such-file"], "count": true})),
        ("stat", json!({"paths": ["service.log", "tiny.png", "no-such-file", "empty.txt"]})),
        ("stat", json!({"path": "service.log.gz", "count": true})),
        ("verify", json!({"path": "service.log", "anchors": ["3#d01fad"]})),
        ("verify", json!({"path": "service.log", "anchors": ["3#d01fad", "4#aaaaaa", "900#abcdef"]})),
    ];
    let tools = client.tools();
    for (name, arguments) in calls {
        let result = client.call(name, &arguments);
        assert_ne!(result["isError"], true, "{result}");
        let schema = &tools.iter().find(|tool| tool["name"] == name).unwrap()["outputSchema"];
        let structured = &result["structuredContent"];
        let validator = jsonschema::validator_for(schema).unwrap();
        assert!(validator.is_valid(structured), "{name} {arguments}: {structured}");
        let mirror: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(&mirror, structured);
    }
    // Lines that were read with their hashes need no anchors.
    client.call("read", &json!({"path": "service.log", "lines": "2:6", "hash": true}));
    let lines = json!({"path": "service.log", "lines": "3:5"});
    assert_eq!(client.call("verify", &lines)["structuredContent"]["checked"], 3);
    client.error("verify", &json!({"path": "service.log", "lines": "3:9"}));
    client.error("verify", &json!({"path": "service.log", "anchors": ["3#d01fad"], "lines": "3:5"}));
    let verified =
        client.call("verify", &json!({"path": "service.log", "anchors": ["3#d01fad", "4#aaaaaa"]}));
    assert_eq!(verified["structuredContent"]["ok"], false);
    assert!(verified["structuredContent"]["lines"].as_str().unwrap().contains("4#247956|"), "{verified}");
}

#[test]
fn pictures_are_pictures() {
    let mut client = Client::start(&fixtures(), &[]);
    let result = client.call("image", &json!({"path": "tiny.png"}));
    let picture = &result["content"][1];
    assert_eq!((&picture["type"], &picture["mimeType"]), (&json!("image"), &json!("image/png")), "{result}");
    let bytes = data_encoding::BASE64.decode(picture["data"].as_str().unwrap().as_bytes()).unwrap();
    assert_eq!(bytes, std::fs::read(fixtures().join("tiny.png")).unwrap());
    assert!(result.get("structuredContent").is_none());
    let error = client.error("image", &json!({"path": "service.log"}));
    assert!(error.contains("not an image") && error.contains(r#"read {"path":"service.log""#), "{error}");
}

#[test]
fn no_arguments_end_the_server() {
    let mut client = Client::start(&fixtures(), &["--root", ".", "--root", "../docs"]);
    let tools = client.tools();
    let names = [
        "service.log",
        "service.log.gz",
        "utf16le.txt",
        "empty.txt",
        "tiny.png",
        "invalid-utf8.txt",
        "long-line.txt",
    ];
    let values = [
        json!(0),
        json!(1),
        json!(-1),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e300),
        json!(0.5),
        json!(""),
        json!(":"),
        json!("-0"),
        json!("18446744073709551616"),
        json!("-18446744073709551615:"),
        json!("b0:1"),
        json!("1:2:3"),
        json!("5,,6"),
        json!("é"),
        json!("\u{0}"),
        json!("06:01"),
        json!("+10m"),
        json!("9999-99-99"),
        json!("utf-16"),
        json!("(?s).*"),
        json!("x{1000}{1000}"),
        json!([]),
        json!(["1#abcdef", "0#0"]),
        json!({"a": 1}),
        json!(null),
        json!(true),
        json!("false"),
        json!("[\"a\"]"),
        json!(10_000),
    ];
    let patterns = ["ERROR", "", "^$", "."];
    // A linear congruential generator: the same calls in every run.
    let mut state = 12345u64;
    let mut random = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((state >> 33) % n as u64).unwrap()
    };
    for _ in 0..cases(5000, 400) {
        let tool = &tools[random(tools.len())];
        let properties: Vec<&String> =
            tool["inputSchema"]["properties"].as_object().unwrap().keys().collect();
        let (name, pattern) = (names[random(names.len())], patterns[random(patterns.len())]);
        let mut arguments = json!({"path": name, "pattern": pattern});
        if tool["name"] != "search" && tool["name"] != "follow" {
            arguments.as_object_mut().unwrap().remove("pattern");
        }
        for _ in 0..random(4) {
            arguments[properties[random(properties.len())]] = values[random(values.len())].clone();
        }
        if tool["name"] == "follow" {
            // Nothing comes, so that each call would wait for all of its time.
            arguments["timeout"] = json!(0);
        }
        let result = client.call(tool["name"].as_str().unwrap(), &arguments);
        assert!(
            result["content"][0]["text"].as_str().is_some_and(|text| !text.is_empty()),
            "{arguments}: {result}"
        );
    }
    assert!(client.child.try_wait().unwrap().is_none());
}

#[test]
fn newer_clients_need_no_handshake() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let home = tempfile::TempDir::new().unwrap();
    let mut server = Command::new(assert_cmd::cargo::cargo_bin("rread"))
        .arg("mcp")
        .current_dir(fixtures())
        .at_home(home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}, "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"}});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "read", "arguments": {"path": "crlf.txt", "lines": 1}, "_meta": meta}});
    let mut input = server.stdin.take().unwrap();
    let discover = json!({"jsonrpc": "2.0", "id": 0, "method": "server/discover", "params": {"_meta": meta}});
    writeln!(input, "{discover}\n{call}").unwrap();
    drop(input);
    let output = server.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("first") && text.contains("2026-07-28"), "{text}");
}

/// Follows `next` of `call` from `arguments` on; the paths of all entries, and the largest answer in bytes.
fn paths_to_the_end(client: &mut Client, tool: &str, arguments: Value) -> (Vec<String>, usize) {
    let (mut paths, mut largest, mut next) = (Vec::new(), 0, Some(arguments));
    while let Some(arguments) = next {
        let result = client.call(tool, &arguments);
        largest = largest.max(result["content"][0]["text"].as_str().unwrap().len());
        let answer = &result["structuredContent"];
        let files = answer["files"].as_array().unwrap();
        paths.extend(files.iter().map(|file| file["path"].as_str().unwrap().to_owned()));
        next = answer.get("next").cloned();
        assert!(paths.len() <= 1000, "{tool} goes on for ever");
    }
    (paths, largest)
}

#[test]
fn answers_about_many_files_and_anchors_keep_the_budget() {
    let sandbox = Sandbox::new();
    let names: Vec<String> = (0..200).map(|n| format!("a-name-of-some-length-{n}.txt")).collect();
    for name in &names {
        sandbox.file(name, "alpha\nbeta\n");
    }
    let lines: Vec<String> = (1..=2000).map(|n| format!("line {n}\n")).collect();
    sandbox.file("lines", lines.concat());
    // Numbers would be masked, and lines of as many words may be of one kind.
    let kinds: String = (1..=256).map(|n| format!("{}over it\n", "fox ".repeat(n))).collect();
    sandbox.file("kinds", kinds);
    let mut client = Client::start(&sandbox.path("."), &[]);
    for (tool, arguments) in [
        ("stat", json!({"paths": names})),
        ("search", json!({"pattern": "alpha", "paths": names})),
        ("search", json!({"pattern": "", "paths": names, "files_only": true})),
    ] {
        let (paths, largest) = paths_to_the_end(&mut client, tool, arguments);
        assert_eq!(paths, names, "{tool}");
        assert!(largest <= 10_000, "{tool}: {largest}");
    }
    let stat = client.call("stat", &json!({"path": "kinds", "patterns": 1000}));
    assert!(stat["content"][0]["text"].as_str().unwrap().len() <= 10_000);
    let file = &stat["structuredContent"]["files"][0];
    let shown = file["patterns"].as_array().unwrap().len() as u64;
    assert_eq!(shown + file["more_patterns"].as_u64().unwrap(), file["kinds"].as_u64().unwrap().min(1000));

    let read = json!({"path": "lines", "lines": "1:2000", "hash": true, "max_bytes": 100_000});
    let read = client.call("read", &read)["content"][0]["text"].as_str().unwrap().to_owned();
    let anchors: Vec<&str> = read.lines().skip(1).step_by(3).collect();
    let changed: Vec<String> = (1..=2000).map(|n| format!("{}line {n}\n", ["", "new "][n % 2])).collect();
    sandbox.file("lines", changed.concat());
    for (last, step, mut next) in [
        (2000, 2, json!({"path": "lines", "lines": "1:2000"})),
        (2000, 6, json!({"path": "lines", "anchors": anchors})),
        (20, 2, json!({"path": "lines", "lines": "1:20", "max_bytes": 600})),
        (2000, 30, json!({"path": "lines", "anchors": anchors.iter().step_by(10).collect::<Vec<_>>()})),
    ] {
        let mut found = Vec::new();
        while next.is_object() {
            let result = client.call("verify", &next);
            assert!(result["content"][0]["text"].as_str().unwrap().len() <= 10_000);
            let answer = &result["structuredContent"];
            let anchor = |mismatch: &Value| mismatch["anchor"].as_str().unwrap().to_owned();
            found.extend(answer["mismatches"].as_array().unwrap().iter().map(anchor));
            next = answer["next"].clone();
        }
        let line = |anchor: &String| anchor.split('#').next().unwrap().parse::<usize>().unwrap();
        let found: Vec<usize> = found.iter().map(line).collect();
        assert!(found.is_sorted_by(|a, b| a < b), "{found:?}");
        let wanted: Vec<usize> = (1..=last).step_by(step).collect();
        // Too many anchors become the lines between them, with those that were read there.
        let is_exact = step != 6;
        assert!(wanted.iter().all(|line| found.contains(line)), "{found:?}");
        assert!(!is_exact || found.len() == wanted.len(), "{found:?}");
    }
}
