//! Answers and errors about objects conform to `rread --schema`.

use jsonschema::Validator;
use rread_testkit::pack;
use rread_testkit::sandbox::{Run, Sandbox, words};
use serde_json::Value;

use super::content;
use super::faulty::{Faulty, MODES};
use super::servers::{self, Object, Target};

/// Command lines for compressed objects of more than one block.
const COMMANDS: &[&str] = &[
    "bytes FILE 10:+50",
    "bytes FILE -1:",
    "lines FILE 1:3 --metadata-only",
    "lines FILE 400000:+2",
    "lines FILE 400000:+2",
    "lines FILE 7,99999999",
    "ranges FILE 3 b5:+9",
    "page FILE 3",
    "where FILE --byte 9999999",
    "where FILE --line -1",
    "stat FILE",
    "stat FILE --count",
    "verify FILE 1#000000",
    "index build FILE",
    "index show FILE",
    "index clear FILE",
];

fn run(sandbox: &Sandbox, line: &str, target: &Target) -> Run {
    let mut command = sandbox.command();
    command.args(words(line).into_iter().map(|word| if word == "FILE" { &target.url } else { word }));
    command.args(["--json"]).env("RREAD_CACHE_DIR", sandbox.path("cache"));
    command.envs(target.env.iter().map(|(name, value)| (name, value)));
    Run::of(&mut command)
}

fn validator() -> Validator {
    jsonschema::validator_for(&serde_json::from_str(rread::SCHEMA).unwrap()).unwrap()
}

/// The documents that `run` wrote: at least one, and each valid.
#[track_caller]
fn documents(validator: &Validator, run: &Run) -> Vec<Value> {
    let written = [&run.stdout[..], run.stderr.as_bytes()];
    let written = written.iter().filter(|text| !text.is_empty());
    let documents: Vec<Value> = written.map(|text| serde_json::from_slice(text).unwrap()).collect();
    assert!(!documents.is_empty(), "{run}");
    for document in &documents {
        let complaints: Vec<String> = validator
            .iter_errors(document)
            .map(|error| format!("{error} at {}", error.instance_path()))
            .collect();
        assert!(complaints.is_empty(), "{complaints:#?}\n{run}");
    }
    documents
}

#[test]
fn answers_of_every_server_are_valid() {
    let validator = validator();
    let text = content::text(32 << 20);
    let packed = pack::zstd(&text, 1);
    let metadata = [("origin", "rack7")];
    for store in servers::all() {
        for (name, bytes, content_type) in
            [("valid.log", &text[..], Some("text/x-log")), ("valid.log.zst", &packed, None)]
        {
            let name = format!("{}/{name}", store.name().len());
            store.put(&Object { content_type, metadata: &metadata, ..Object::new(&name, bytes) });
            let sandbox = Sandbox::new();
            let target = store.target(&name);
            for line in COMMANDS {
                let run = run(&sandbox, line, &target);
                assert!([0, 1, 5].contains(&run.code), "{}: {run}", store.name());
                documents(&validator, &run);
            }
            let missing = store.target(&format!("{name}.missing"));
            let error = run(&sandbox, "stat FILE", &missing);
            assert_eq!(documents(&validator, &error)[0]["kind"], "not_found", "{}: {error}", store.name());
        }
    }
}

#[test]
fn errors_of_a_server_that_misbehaves_are_valid() {
    let validator = validator();
    let (server, sandbox) = (Faulty::start(), Sandbox::new());
    // These modes take minutes, or never end.
    for mode in MODES.iter().map(|mode| mode.0).filter(|mode| !["drip", "r429long", "endless"].contains(mode))
    {
        let target = Target::new(server.url(mode, 100_000), &[]);
        for line in ["lines FILE 101:103", "stat FILE"] {
            let line = format!("{line} --timeout 600ms --retries 1");
            documents(&validator, &run(&sandbox, &line, &target));
        }
    }
}
