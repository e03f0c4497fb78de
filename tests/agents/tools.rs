//! `--schema tools` against the parser: the parser accepts exactly the calls that the tools allow.

use std::collections::BTreeSet;

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command, CommandFactory};
use rread::internals::cli::Cli;
use rread::internals::generate::function_tools::LEFT_OUT;
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sandbox::Sandbox;
use serde_json::{Map, Value, json};

type Arguments = Map<String, Value>;

/// Options whose values have a grammar, and such values. Other strings are free.
const FORMS: &[(&str, &[&str])] = &[
    ("expect", &["dNJkexample00000", "bEaaaaaaaaaaaaaa"]),
    ("timeout", &["5s", "500ms", "5"]),
    ("poll", &["5s", "500ms", "5"]),
    ("hold", &["5s", "500ms", "1"]),
    ("lines", &["5", "+5", "-5"]),
    ("bytes", &["20", "+20", "1K"]),
    ("sleep_interval", &["1", "0.5"]),
    ("older_than", &["30d", "12h"]),
    ("page", &["1", "-1", "3", "2:3"]),
    ("slack", &["10s", "5m", "0"]),
];

/// Strings that a command line may misread.
const STRINGS: [&str; 14] = [
    "f", "-20:", " -1", "--json", "-f", "-", "--", "a b", "x=y", "é\u{85}", "5,1:2", "a\nb", "fd:1", "$HOME",
];

fn tools() -> Vec<Value> {
    let run = Sandbox::new().line("--schema tools").ok();
    run.json().as_array().unwrap().clone()
}

/// Turns a call into a command line by the rule in the tool's description.
fn argv(tool: &Value, arguments: &Arguments) -> Vec<String> {
    let last = tool["description"].as_str().unwrap().lines().last().unwrap();
    let words: Vec<&str> = last.strip_prefix("Command line: ").unwrap().split(' ').collect();
    let at = words.iter().position(|word| *word == "OPTIONS").unwrap();
    assert_eq!(words[at + 1], "--", "{last}");
    let (command, places) = (&words[..at], &words[at + 2..]);
    let mut argv: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
    for (name, value) in arguments.iter().filter(|(name, _)| !places.contains(&name.as_str())) {
        let option = format!("--{}", name.replace('_', "-"));
        for one in values(value) {
            match one {
                Value::Bool(false) | Value::Null => {}
                Value::Bool(true) => argv.push(option.clone()),
                one => argv.push(format!("{option}={}", plain(&one))),
            }
        }
    }
    argv.push("--".to_owned());
    let given = places.iter().filter_map(|name| arguments.get(*name));
    argv.extend(given.flat_map(values).filter(|value| !value.is_null()).map(|value| plain(&value)));
    argv
}

fn values(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_else(|| vec![value.clone()])
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn properties(tool: &Value) -> &Arguments {
    tool["parameters"]["properties"].as_object().unwrap()
}

fn required(tool: &Value) -> Vec<&str> {
    tool["parameters"]["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

/// A value that the schema of a property allows.
fn value(name: &str, property: &Value, rng: &mut Rng) -> Value {
    match property["type"].as_str().unwrap() {
        "boolean" => json!(true),
        "integer" => {
            let least = property["minimum"].as_u64().unwrap_or(0);
            let most = property["maximum"].as_u64().unwrap_or(u64::from(u32::MAX));
            json!([least, most, least + rng.next() % (most - least + 1)][rng.below(3)])
        }
        "array" => {
            let least = property["minItems"].as_u64().unwrap_or(1);
            let count = least + rng.next() % 3;
            (0..count).map(|_| value(name, &property["items"], rng)).collect()
        }
        "string" => {
            let words = property["enum"].as_array().cloned().unwrap_or_default();
            match FORMS.iter().find(|(with_form, _)| *with_form == name) {
                Some((_, forms)) => json!(rng.pick(forms)),
                None if words.is_empty() => json!(rng.pick(&STRINGS)),
                None => words[rng.below(words.len())].clone(),
            }
        }
        other => panic!("{name}: {other}"),
    }
}

/// The names after `word` at the end of one of the sentences of `description`.
fn named<'a>(description: &'a str, word: &str) -> Vec<&'a str> {
    let sentences = description.lines().flat_map(|line| line.split(". "));
    let found = sentences.filter_map(|sentence| sentence.strip_prefix(word)).next();
    let names = found.map(|names| names.trim_end_matches('.').split([',', ' ']));
    names.into_iter().flatten().filter(|name| !name.is_empty() && *name != "or").collect()
}

/// Whether the schema forbids these arguments together.
fn refused(tool: &Value, arguments: &Arguments) -> Option<ErrorKind> {
    let has = |name: &&str| arguments.contains_key(*name);
    let told: Vec<&str> =
        arguments.keys().map(|name| properties(tool)[name]["description"].as_str().unwrap()).collect();
    if told.iter().any(|told| named(told, "Not with ").iter().any(has)) {
        return Some(ErrorKind::ArgumentConflict);
    }
    let all = [&told[..], &[tool["description"].as_str().unwrap()]].concat();
    let needs = all.iter().map(|told| named(told, "Needs ")).filter(|names| !names.is_empty());
    needs.into_iter().any(|names| !names.iter().any(has)).then_some(ErrorKind::MissingRequiredArgument)
}

/// The matches of the innermost subcommand.
fn understood(mut matches: ArgMatches) -> ArgMatches {
    while let Some((_, below)) = matches.remove_subcommand() {
        matches = below;
    }
    matches
}

/// Whether one of the other `arguments` undoes `name`, as the last one of several that exclude each other does.
fn is_undone(tool: &Value, arguments: &Arguments, name: &str) -> bool {
    let needed = required(tool);
    arguments.keys().filter(|other| *other != name).any(|other| {
        let is_here = |key: &&String| *key == name || *key == other || needed.contains(&key.as_str());
        let pair = arguments.iter().filter(|(key, _)| is_here(key));
        let pair: Arguments = pair.map(|(key, value)| (key.clone(), value.clone())).collect();
        let parsed = Cli::command().try_get_matches_from(argv(tool, &pair));
        parsed.is_ok_and(|matches| {
            let matches = understood(matches);
            let source = matches.ids().any(|id| id.as_str() == name).then(|| matches.value_source(name));
            source.flatten() != Some(clap::parser::ValueSource::CommandLine)
        })
    })
}

/// Checks that the parser accepts a call exactly when the schema allows it, with the same values.
fn check(tool: &Value, arguments: &Arguments) {
    let argv = argv(tool, arguments);
    let parsed = Cli::command().try_get_matches_from(&argv);
    let told = refused(tool, arguments);
    let matches = match parsed {
        Err(error) => {
            assert_eq!(
                Some(error.kind()),
                told,
                "{argv:?}: {error}\n(a value with a form of its own? see FORMS)"
            );
            return;
        }
        Ok(matches) => understood(matches),
    };
    assert_eq!(told, None, "{argv:?} is understood");
    for (name, value) in arguments {
        let Some(id) = matches.ids().find(|id| id.as_str() == name) else {
            assert!(is_undone(tool, arguments, name), "{name}: {argv:?}");
            continue;
        };
        // Of two opposites, the one that comes last wins.
        let opposite = name.strip_prefix("no_").map_or_else(|| format!("no_{name}"), str::to_owned);
        if arguments.get(&opposite) == Some(&Value::Bool(true)) {
            continue;
        }
        if *value == Value::Bool(true) {
            let is_set = matches.get_flag(id.as_str());
            assert!(is_set || is_undone(tool, arguments, name), "{name}: {argv:?}");
            continue;
        }
        let given: Vec<String> = values(value).iter().map(plain).collect();
        let taken: Vec<&str> =
            matches.get_raw(id.as_str()).unwrap().map(|raw| raw.to_str().unwrap()).collect();
        assert_eq!(taken, given, "{name}: {argv:?}");
    }
}

#[test]
fn every_call_is_understood_unless_the_tool_says_otherwise() {
    let mut rng = Rng::new(1);
    for tool in tools() {
        let names: Vec<&String> = properties(&tool).keys().collect();
        let mut call = |chosen: &[&String]| {
            let given = required(&tool).into_iter().chain(chosen.iter().map(|name| name.as_str()));
            given.map(|name| (name.to_owned(), value(name, &properties(&tool)[name], &mut rng))).collect()
        };
        check(&tool, &call(&[]));
        for (n, one) in names.iter().enumerate() {
            // In a sample, every name is first and second with some of the others.
            for other in names.iter().skip(cases(0, n % 4)).step_by(cases(1, 4)) {
                check(&tool, &call(&[one, other]));
            }
        }
        let mut rng = Rng::new(2);
        for _ in 0..100 {
            let share = 2 + rng.below(8);
            let chosen: Vec<&String> = names.iter().copied().filter(|_| rng.one_in(share)).collect();
            check(&tool, &call(&chosen));
        }
    }
}

#[test]
fn parameters_are_schemas_and_let_in_no_other_names() {
    let mut rng = Rng::new(3);
    for tool in tools() {
        let schema = &tool["parameters"];
        assert!(jsonschema::meta::is_valid(schema), "{tool}");
        let validator = jsonschema::validator_for(schema).unwrap();
        let all: Arguments = properties(&tool)
            .iter()
            .map(|(name, property)| (name.clone(), value(name, property, &mut rng)))
            .collect();
        assert!(validator.is_valid(&json!(all)), "{all:?}");
        let mut more = all.clone();
        more.insert("no_such_name".to_owned(), json!(1));
        assert!(!validator.is_valid(&json!(more)), "{}", tool["name"]);
        for name in required(&tool) {
            let mut less = all.clone();
            less.remove(name);
            assert!(!validator.is_valid(&json!(less)), "{} without {name}", tool["name"]);
        }
    }
}

#[test]
fn tools_have_the_form_that_callers_accept() {
    let is_name = |name: &str| {
        (1..=64).contains(&name.len())
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    for tool in tools() {
        let members: Vec<&String> = tool.as_object().unwrap().keys().collect();
        assert_eq!(members, ["name", "description", "parameters"]);
        assert!(is_name(tool["name"].as_str().unwrap()), "{tool}");
        let length = tool["description"].as_str().unwrap().chars().count();
        assert!((40..=1024).contains(&length), "{}: {length}", tool["name"]);
        assert_eq!(tool["parameters"]["type"], "object");
        for (name, property) in properties(&tool) {
            assert!(is_name(name), "{name}");
            let told = property["description"].as_str().unwrap_or_default();
            assert!((10..700).contains(&told.len()), "{} {name}: {told}", tool["name"]);
            for other in named(told, "Not with ") {
                let back = properties(&tool)[other]["description"].as_str().unwrap();
                assert!(named(back, "Not with ").contains(&name.as_str()), "{other}: {back}");
            }
        }
    }
}

/// Commands that run, each with its words.
fn commands(command: &Command, words: &str, found: &mut Vec<(String, Command)>) {
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        let words = format!("{words}_{}", below.get_name());
        if !below.is_subcommand_required_set() {
            found.push((words.clone(), below.clone()));
        }
        commands(below, &words, found);
    }
}

#[test]
fn every_option_of_every_command_is_in_a_tool() {
    let mut program = Cli::command();
    program.build();
    let (mut found, mut left_out) = (Vec::new(), BTreeSet::new());
    commands(&program, "rread", &mut found);
    // Servers and a viewer are not calls.
    found.retain(|(name, _)| {
        !["rread_mcp", "rread_view", "rread_worker"].contains(&&**name)
            && (name != "rread_select" || cfg!(feature = "sql"))
    });
    let tools = tools();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>());
    for (tool, (name, command)) in tools.iter().zip(&found) {
        let is_left_out = |arg: &&Arg| LEFT_OUT.iter().any(|(left, _)| arg.get_id() == *left);
        let (out, told): (Vec<&Arg>, Vec<&Arg>) = command.get_arguments().partition(is_left_out);
        left_out.extend(out.iter().map(|arg| arg.get_id().to_string()));
        let told = told.iter().filter(|arg| !arg.is_hide_set());
        let told: BTreeSet<String> = told.map(|arg| arg.get_id().to_string()).collect();
        assert_eq!(properties(tool).keys().cloned().collect::<BTreeSet<_>>(), told, "{name}");
    }
    // Only the top command has `--version`.
    left_out.extend(program.get_arguments().map(|arg| arg.get_id().to_string()));
    assert!(LEFT_OUT.iter().all(|(name, _)| left_out.contains(*name)), "{left_out:?}");
}

#[test]
fn a_command_that_is_not_built_in_is_not_a_tool() {
    let is_listed = tools().iter().any(|tool| tool["name"] == "rread_select");
    assert_eq!(is_listed, cfg!(feature = "sql"));
}

#[test]
fn tools_describe_what_clap_knows() {
    let tools = tools();
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap();
    let lines = properties(tool("rread_lines"));
    assert_eq!(tool("rread_lines")["parameters"]["required"], json!(["file"]));
    assert_eq!((&lines["max_lines"]["type"], &lines["max_lines"]["minimum"]), (&json!("integer"), &json!(1)));
    assert_eq!((&lines["number"]["type"], &lines["context"]["default"]), (&json!("boolean"), &json!(0)));
    assert_eq!(lines["invalid"]["enum"], json!(["replace", "error", "escape"]));
    assert!(lines["invalid"]["description"].as_str().unwrap().contains("escape: Each invalid byte becomes"));
    assert_eq!(named(lines["ranges"]["description"].as_str().unwrap(), "Not with "), ["offset", "limit"]);
    assert_eq!(named(lines["expect_prefix"]["description"].as_str().unwrap(), "Needs "), ["expect"]);
    assert_eq!(
        named(tool("rread_where")["description"].as_str().unwrap(), "Needs "),
        ["byte", "line", "time"]
    );
    assert_eq!(properties(tool("rread_stat"))["files"]["items"], json!({"type": "string"}));
    assert_eq!(properties(tool("rread_stat"))["files"]["minItems"], json!(1));
}

#[test]
fn calls_run_whatever_the_file_is_called() {
    let tools = tools();
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap();
    let sandbox = Sandbox::new();
    for name in ["-20:", " -1", "--json", "-f", "--", "a b", "plain"] {
        sandbox.file(name, "one\ntwo\nthree\n");
        let call = json!({"file": name, "ranges": "-2:", "format": "json", "number": null, "text": false});
        let run = sandbox.run(&argv(tool("rread_lines"), call.as_object().unwrap())[1..]).ok();
        assert_eq!(run.json()["content"], "two\nthree\n", "{name}");
        let call = json!({"file": name, "offset": "-1", "max_bytes": 4, "format": "json"});
        let run = sandbox.run(&argv(tool("rread_lines"), call.as_object().unwrap())[1..]).ok();
        assert_eq!(run.json()["content"], "thre", "{name}");
        let call = json!({"file": name, "ranges": ["-1:", "b0:3"], "format": "json"});
        let run = sandbox.run(&argv(tool("rread_ranges"), call.as_object().unwrap())[1..]).ok();
        assert_eq!(run.json()["segments"][1]["content"], "one", "{name}");
    }
}

#[test]
fn schema_takes_a_word_and_needs_none() {
    let sandbox = Sandbox::new();
    for line in ["--schema", "--schema answers", "--schema=answers"] {
        assert_eq!(sandbox.line(line).ok().text(), rread::SCHEMA, "{line}");
    }
    assert_eq!(sandbox.line("--schema=tools").ok().stdout, sandbox.line("--schema tools").ok().stdout);
    sandbox.line("--schema nonsense").refused(2);
}
