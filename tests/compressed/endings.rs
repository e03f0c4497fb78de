//! Every ending of every compressed format, at every place that asks for it: a new row is tested without a new test.

use std::path::Path;

use rread_source::compressed::CompressionFormat;
use rread_source::{open, read_full};
use rread_testkit::pack::{self, Pack};
use rread_testkit::sandbox::{Run, Sandbox};
use serde_json::{Value, json};

/// Each ending, and a way to write files that have it.
fn endings() -> impl Iterator<Item = (&'static str, Pack)> {
    CompressionFormat::ALL.iter().flat_map(|format| {
        let pack = || pack::all().find(|pack| pack.format() == *format);
        let pack = move || pack().unwrap_or_else(|| panic!("tests/support/src/pack.rs has no {format:?}"));
        format.endings().iter().map(move |ending| (*ending, pack()))
    })
}

/// Files `STEM.ENDING` with `text` in them, and their names.
fn files(stem: &str, text: &[u8]) -> (Sandbox, Vec<String>) {
    let sandbox = Sandbox::new();
    let write = |(ending, pack): (&str, Pack)| {
        let name = format!("{stem}.{ending}");
        sandbox.file(&name, pack.of(text));
        name
    };
    let names = endings().map(write).collect();
    (sandbox, names)
}

fn run(sandbox: &Sandbox, command: &str, names: &[String], options: &[&str]) -> Run {
    let names = names.iter().map(String::as_str);
    sandbox.run([command].into_iter().chain(names).chain(options.iter().copied()))
}

/// The `key` of each file in the answer.
fn of_each(answer: &Value, key: &str) -> Vec<Value> {
    let files = answer["files"].as_array().or(answer["segments"].as_array()).unwrap();
    files.iter().map(|file| file[key].clone()).collect()
}

#[test]
fn the_text_is_decoded() {
    let (sandbox, names) = files("a.log", b"one\ntwo\n");
    for name in &names {
        for path in [sandbox.path(name), sandbox.path(&name.to_uppercase())] {
            if !path.exists() {
                std::fs::copy(sandbox.path(name), &path).unwrap();
            }
            let source = open(&path).unwrap();
            let mut text = [0; 20];
            let got = read_full(&*source, &mut text, 0).unwrap();
            assert_eq!(&text[..got], b"one\ntwo\n", "{}", path.display());
        }
    }
    // The bytes themselves are binary, and the hint reads the text.
    let answer = run(&sandbox, "stat", &names, &["--no-decompress", "--json"]).json();
    for (name, (hint, binary)) in
        names.iter().zip(of_each(&answer, "hint").into_iter().zip(of_each(&answer, "binary")))
    {
        let by_content = CompressionFormat::of(&*open_raw(&sandbox.path(name))).unwrap().is_some();
        // A format without a magic number may store a short text as it is.
        assert!(!by_content || binary == json!(true), "{name}");
        let expected = format!("rread lines {name} 1:20");
        assert!(!by_content || hint == json!(expected), "{name}: {hint}");
    }
}

fn open_raw(path: &Path) -> Box<dyn rread_source::Source> {
    rread_testkit::sources::plain(&std::fs::read(path).unwrap())
}

/// Other programs need it decompressed.
#[test]
fn a_binary_file_in_it_has_a_hint_with_a_copy() {
    let binary = [&b"\x7FELF\x01\0\x02"[..], &[0xFE; 9000]].concat();
    let (sandbox, names) = files("program", &binary);
    let hints = of_each(&run(&sandbox, "stat", &names, &["--json"]).json(), "hint");
    for (name, hint) in names.iter().zip(hints) {
        let copy = format!(" < {name} > COPY && strings COPY | rread lines - 1:20");
        assert!(hint.as_str().is_some_and(|hint| hint.ends_with(&copy)), "{name}: {hint}");
    }
}

#[test]
fn a_tar_archive_in_it_has_members() {
    let tar = rread_testkit::formats::tar();
    let (sandbox, mut names) = files("a.tar", &tar);
    for format in CompressionFormat::ALL {
        let pack = pack::all().find(|pack| pack.format() == *format);
        for (ending, pack) in format.tar_endings().iter().zip(pack.iter().cycle()) {
            let name = format!("a.{ending}");
            sandbox.file(&name, pack.of(&tar));
            names.push(name);
        }
    }
    for name in names {
        let path = sandbox.path(&name);
        let source = open(&path).unwrap();
        assert_eq!(
            rread_source::archive::kind_of(&*source, &path).unwrap().map(|kind| kind.prefix()),
            Some("tar:"),
            "{name}"
        );
        // The hint for a URL knows where the archive ends.
        let run = sandbox.run(["lines", &format!("tar:https://host/{name}/app.log")]);
        let archive = format!("rread bytes https://host/{name} --raw");
        assert!(!cfg!(feature = "cloud") || run.stderr.contains(&archive), "{name}: {run}");
    }
}

#[cfg(feature = "documents")]
#[test]
fn a_web_page_in_it_is_one() {
    let (sandbox, names) = files("page.html", b"<!DOCTYPE html>\n<title>t</title><p>text</p>\n");
    let decoded = of_each(&run(&sandbox, "stat", &names, &["--json"]).ok().json(), "decoded");
    assert_eq!(decoded, vec![json!("html"); names.len()], "{names:?}");
}

#[cfg(feature = "highlight")]
#[test]
fn source_code_in_it_has_colours() {
    let (sandbox, names) = files("x.rs", b"fn main() { let x = 1; }\n");
    let colored = run(&sandbox, "lines", &names, &["-f", "text", "--color", "always"]).ok();
    let lines: Vec<&str> = colored.text().lines().filter(|line| line.contains("main")).collect();
    assert_eq!(lines.len(), names.len(), "{colored}");
    assert!(lines.iter().all(|line| line.contains("\x1b[")), "{colored}");
}

/// Only a name says that tabs divide one column.
#[cfg(feature = "sql")]
#[test]
fn a_table_in_it_has_the_delimiter_of_its_name() {
    let (sandbox, names) = files("t.tsv", b"a,b\n1,2\n");
    for name in names {
        let answer = sandbox.run(["select", &name, "SELECT * FROM t", "-f", "json"]).ok();
        assert!(answer.text().contains("\"a,b\""), "{name}: {answer}");
    }
}

/// A server that sends `Content-Encoding` describes the file, if the file has such a name, and its transfer otherwise.
#[cfg(feature = "cloud")]
#[test]
fn its_content_coding_describes_a_file_with_the_name() {
    use std::io::{BufReader, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let head =
                crate::cloud::http::Head::read(&mut BufReader::new(&stream)).unwrap().unwrap_or_default();
            // `/CODING/a.log.ENDING`, with the ending of the format also for other names.
            let parts: Vec<&str> = head.word(1).split('/').collect();
            let ending = parts[2];
            let Some((_, pack)) = endings().find(|(known, _)| *known == ending) else { continue };
            let (body, coding) = (pack.of(b"one\ntwo\n"), parts[1]);
            let last = body.len() - 1;
            let _ = write!(
                stream,
                "HTTP/1.1 206 Partial Content\r\nContent-Encoding: {coding}\r\nContent-Range: bytes 0-{last}/{}\r\n\
                 Content-Length: {}\r\nETag: \"1\"\r\nConnection: close\r\n\r\n",
                body.len(),
                body.len()
            );
            let _ = stream.write_all(if head.word(0) == "HEAD" { b"" } else { &body });
        }
    });
    let urls = |name: &dyn Fn(&str) -> String| -> Vec<String> {
        let each = endings().flat_map(|(ending, pack)| {
            let url = format!("{ending}/{}", name(ending));
            pack.format()
                .codings()
                .iter()
                .map(move |coding| format!("http://127.0.0.1:{port}/{coding}/{url}"))
        });
        each.collect()
    };
    let sandbox = Sandbox::new();
    let named = urls(&|ending| format!("a.log.{ending}"));
    let read = run(&sandbox, "lines", &named, &["-f", "text"]).ok();
    assert_eq!(read.text().matches("one\ntwo\n").count(), named.len(), "{read}");
    let others = urls(&|_| "a.log".to_owned());
    let refused = run(&sandbox, "lines", &others, &["-f", "text"]);
    assert_eq!(refused.stderr.matches("which the request did not accept").count(), others.len(), "{refused}");
}
