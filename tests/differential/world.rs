//! One text and all requests to it.

use rread_testkit::rng::Rng;
use serde_json::{Value, json};

use super::peers::{self, Python, Said};
use super::request::{Peer, Request, View};
use super::sources::{Source, SourceFolder};
use super::texts::Text;

#[derive(Default)]
pub struct Outcome {
    pub failures: Vec<String>,
    pub index_hits: usize,
}

/// Makes a text from `seed`, asks for parts of it, and compares.
pub fn run(seed: u64, corpus: &[(String, Vec<u8>)], mut python: Option<&mut Python>) -> Outcome {
    let mut rng = Rng::new(seed);
    let text = Text::any(&mut rng, corpus);
    let dir = tempfile::tempdir().unwrap();
    let folder = SourceFolder { folder: dir.path(), bytes: &text.bytes };
    folder.prepare();
    let requests: Vec<Request> =
        (0..super::REQUESTS_OF_A_WORLD).map(|_| Request::any(&mut rng, &text)).collect();
    let peers = requests.iter().flat_map(|request| &request.peers);
    let lines: Vec<&str> = peers
        .filter_map(|peer| match peer {
            Peer::Shell(line) => Some(line.as_str()),
            Peer::Python(_) => None,
        })
        .collect();
    let mut outputs = peers::shell(dir.path(), &lines).into_iter();

    let mut outcome = Outcome::default();
    for request in &requests {
        let (mut content, mut facts) = (Some(Vec::new()), serde_json::Map::new());
        let mut is_known = true;
        for peer in &request.peers {
            let said = match (peer, &mut python) {
                (Peer::Shell(_), _) if request.view == View::Plain => {
                    Said { content: outputs.next(), facts: serde_json::Map::new() }
                }
                (Peer::Shell(_), _) => {
                    let facts = serde_json::from_slice(&outputs.next().unwrap()).unwrap();
                    Said { content: None, facts }
                }
                (Peer::Python(question), Some(python)) => python.ask(&dir.path().join("text"), question),
                (Peer::Python(_), None) => {
                    is_known = false;
                    continue;
                }
            };
            content = content.zip(said.content).map(|(all, more)| [all, more].concat());
            facts.extend(said.facts);
        }
        if !is_known {
            continue;
        }
        let source = Source::any(&mut rng);
        let mut words: Vec<String> = request.words.split(' ').map(str::to_owned).collect();
        let mut options = text.options(&mut rng);
        // Raw output takes no encoding.
        if options == ["-E", "utf-8"] && words.iter().any(|word| word == "--raw") {
            options = &["--text"];
        }
        words.extend(options.iter().map(|word| (*word).to_owned()));
        // Options that apply to text only.
        if words[0] == "where" || words[0] == "stat" {
            words.retain(|word| word != "--text");
        }
        let output = folder.ask(source, &words);
        let hits = output.stdout.windows(13).filter(|bytes| bytes == b"\"index\":\"hit\"").count();
        outcome.index_hits += hits;
        let expected = Said { content, facts };
        if let Err(what) = compare(request, &output, &expected) {
            let stderr = String::from_utf8_lossy(&output.stderr);
            outcome.failures.push(format!(
                "text {seed} ({}, {} lines), {source:?}: rread {}: {what}\n{stderr}",
                text.name,
                text.lines,
                words.join(" ")
            ));
        }
    }
    if !outcome.failures.is_empty() {
        eprintln!("the text is in {}", dir.keep().display());
    }
    outcome
}

fn compare(request: &Request, output: &std::process::Output, expected: &Said) -> Result<(), String> {
    let code = output.status.code();
    if code != Some(request.code) {
        return Err(format!("exit code {code:?} instead of {}", request.code));
    }
    let is_noted = output.stderr.windows(6).any(|bytes| bytes == b"note: ");
    if output.stderr.is_empty() != (code == Some(0) && !is_noted) {
        return Err("standard error does not go with the exit code".to_owned());
    }
    if request.view == View::Plain {
        let content = expected.content.as_deref().unwrap_or_default();
        return same(&output.stdout, content);
    }
    let answer: Value = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
    if let Some(content) = &expected.content {
        same(answer["content"].as_str().unwrap_or_default().as_bytes(), content)?;
    }
    let facts = answer.get("metadata").unwrap_or(&answer);
    for (path, truth) in &expected.facts {
        let (may_be_unknown, path) =
            path.strip_prefix('?').map_or((false, path.as_str()), |rest| (true, rest));
        let told = facts.pointer(&format!("/{path}")).unwrap_or(&Value::Null);
        let is_unknown = told.is_null() || (path == "eof" && *told == json!(false));
        if told != truth && !(may_be_unknown && is_unknown) {
            return Err(format!("{path} is {told} instead of {truth}"));
        }
    }
    Ok(())
}

fn same(got: &[u8], expected: &[u8]) -> Result<(), String> {
    if got == expected {
        return Ok(());
    }
    let at = got.iter().zip(expected).take_while(|(a, b)| a == b).count();
    let part = |bytes: &[u8]| bytes[at..bytes.len().min(at + 60)].escape_ascii().to_string();
    let (lengths, parts) = ((got.len(), expected.len()), (part(got), part(expected)));
    Err(format!(
        "{} bytes instead of {}, from {at} on \"{}\" instead of \"{}\"",
        lengths.0, lengths.1, parts.0, parts.1
    ))
}
