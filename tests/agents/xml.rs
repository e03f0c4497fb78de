//! XML answers read by real parsers: the text is that of `-f text`, the attributes are those of the frontmatter.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use clap::CommandFactory;
use roxmltree::{Document, Node};
use rread::internals::cli::Cli;
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sandbox::{self, Run, Sandbox, fixture_bytes, yaml};

/// Bytes that are hard to write as XML.
const PIECES: [&[u8]; 40] = [
    b"]]>",
    b"<![CDATA[",
    b"<",
    b">",
    b"&",
    b"&amp;",
    b"&#0;",
    b"\"",
    b"'",
    b"-->",
    b"<?xml version=\"1.1\"?>",
    b"</file_content>",
    b"\r",
    b"\r\n",
    b"\r\r\n",
    b"\n",
    b"\n\n",
    b"\t",
    b" ",
    b"  ",
    b"\0",
    b"\x01",
    b"\x08",
    b"\x0B",
    b"\x0C",
    b"\x1B[31m",
    b"\x1F",
    b"\x7F",
    b"\xC2\x80",
    b"\xC2\x85",
    b"\xC2\x9F",
    b"\xE2\x80\xA8",
    b"\xEF\xBF\xBE",
    b"\xEF\xBF\xBF",
    b"\xEF\xBF\xBD",
    b"\xEF\xBB\xBF",
    b"\xF0\x9F\xBF\xBE",
    b"\xFF",
    b"\xED\xA0\x80",
    b"a\xC3\xA9\xF0\x9F\x8E\x89z",
];

/// `text` with U+FFFD for characters that XML 1.0 forbids (section 2.2).
fn held(text: &str) -> String {
    let replaced = |c: char| match c {
        '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'.. => c,
        _ => '\u{FFFD}',
    };
    text.chars().map(replaced).collect()
}

fn content(rng: &mut Rng) -> Vec<u8> {
    let count = rng.below(30);
    (0..count)
        .flat_map(|_| if rng.one_in(4) { b"word".as_slice() } else { PIECES[rng.below(PIECES.len())] })
        .copied()
        .collect()
}

/// Runs `command` with a format; standard error may report a part that failed.
fn answer(sandbox: &Sandbox, command: &[&OsStr], format: &str) -> Run {
    let run = sandbox.run(command.iter().copied().chain([OsStr::new("-f"), OsStr::new(format)]));
    assert!(!run.stdout.is_empty() || format == "text", "{run}");
    run
}

/// The facts of an element, as the frontmatter names them.
fn attributes(node: Node<'_, '_>) -> BTreeMap<String, String> {
    node.attributes().map(|attribute| (attribute.name().to_owned(), attribute.value().to_owned())).collect()
}

/// The facts of the frontmatter, as attributes name them.
fn facts(facts: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let is_map = |key: &str| facts.keys().any(|other| other.starts_with(&format!("{key}.")));
    let facts = facts.iter().filter(|(key, _)| !is_map(key));
    facts.map(|(key, value)| (key.replace('.', "_"), held(value))).collect()
}

/// Parses the XML of a command with content and compares it with the other formats.
fn check(sandbox: &Sandbox, command: &[&OsStr], documents: &mut Vec<String>) {
    let xml = answer(sandbox, command, "xml");
    let text = xml.text();
    let parsed = Document::parse(text).unwrap_or_else(|error| panic!("{error}: {xml}"));
    let root = parsed.root_element();
    let several = root.has_tag_name("file_contents");
    let parts: Vec<Node<'_, '_>> =
        if several { root.children().filter(Node::is_element).collect() } else { vec![root] };
    assert!(parts.iter().all(|part| part.has_tag_name("file_content")), "{xml}");
    let content: String = parts.iter().map(|part| part.text().unwrap_or_default()).collect();
    let with_content = !command.contains(&OsStr::new("--metadata-only"));
    if with_content {
        assert_eq!(content, held(answer(sandbox, command, "text").text()), "{xml}");
    }
    let blocks = answer(sandbox, command, "frontmatter");
    let blocks = sandbox::documents(&blocks.stdout, with_content);
    assert_eq!(blocks.len(), parts.len(), "{xml}");
    for (block, part) in blocks.iter().zip(&parts) {
        assert_eq!(attributes(*part), facts(&block.facts), "{xml}");
        let text = part.text().unwrap_or_default();
        assert_eq!(text, held(&block.content), "{xml}");
        // Only U+FFFD changes the length: one byte or three become three.
        let bytes = part.attribute("content_bytes").unwrap().parse::<usize>().unwrap();
        assert!(!with_content || bytes <= text.len(), "{xml}");
    }
    documents.push(text.to_owned());
}

fn words(line: &str) -> Vec<&OsStr> {
    line.split(' ').map(OsStr::new).collect()
}

/// Compares with Python's XML parser, if there is a Python.
fn python_agrees(documents: &[String]) {
    let folder = tempfile::tempdir().unwrap();
    for (n, document) in documents.iter().enumerate() {
        fs::write(folder.path().join(format!("{n}.xml")), document).unwrap();
    }
    let script = "import json, sys, xml.etree.ElementTree as tree\n\
                  roots = [tree.parse(f'{n}.xml').getroot() for n in range(int(sys.argv[1]))]\n\
                  print(json.dumps([[[e.attrib, e.text or ''] for e in root.iter()] for root in roots]))";
    let mut command = Command::new("python3");
    let count = documents.len().to_string();
    let Ok(output) = command.args(["-c", script, &count]).current_dir(folder.path()).output() else {
        eprintln!("skipped: there is no python3 to read the XML with");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    type Element = (BTreeMap<String, String>, String);
    let read: Vec<Vec<Element>> = serde_json::from_slice(&output.stdout).unwrap();
    for (document, elements) in documents.iter().zip(read) {
        let parsed = Document::parse(document).unwrap();
        let ours = parsed.descendants().filter(Node::is_element);
        let ours: Vec<Element> =
            ours.map(|node| (attributes(node), node.text().unwrap_or_default().to_owned())).collect();
        assert_eq!(elements, ours, "{document}");
    }
}

#[test]
fn any_content_comes_back() {
    let (mut rng, mut documents) = (Rng::new(7), Vec::new());
    let sandbox = Sandbox::new();
    let lines = [
        "lines f -a",
        "bytes f -a",
        "lines f -a -n",
        "lines f -a --max-bytes 9",
        "lines f -a --max-lines 2",
        "lines f -a --max-columns 3",
        "lines f -a --invalid escape",
        "lines f -a --metadata-only",
        "ranges f -a 1 99 b0:5 -2: 1:2",
        "ranges f -a -1: 900 --metadata-only",
        "lines f -a 1:2,3:4 -C 1",
        "bytes f -a -7:,0:3 --align none",
        "bytes f --encode base64",
    ];
    for _ in 0..cases(25, 6) {
        sandbox.file("f", content(&mut rng));
        for line in lines {
            check(&sandbox, &words(line), &mut documents);
        }
    }
    for piece in PIECES {
        sandbox.file("f", [piece, b"x", piece].concat());
        check(&sandbox, &words("lines f -a"), &mut documents);
    }
    for name in [
        "utf16le.txt",
        "crlf.txt",
        "mixed-newlines.txt",
        "needs-escaping.txt",
        "control-characters.txt",
        "not-line-ends.txt",
        "bom.txt",
        "latin1.txt",
        "invalid-utf8.txt",
        "empty.txt",
        "only-newlines.txt",
        "frontmatter-lookalike.md",
        "service.log.gz",
    ] {
        sandbox.file("f", fixture_bytes(name));
        check(&sandbox, &words("lines f"), &mut documents);
        check(&sandbox, &words("bytes f 0:40"), &mut documents);
    }
    python_agrees(&documents);
}

#[test]
fn replaced_characters_may_lie_across_blocks() {
    let sandbox = Sandbox::new();
    for (piece, shift) in
        [("\u{FFFE}", 3), ("\r\n", 2), ("\u{85}", 2), ("]]>", 3), ("\u{1}", 1), ("\u{FFFD}\u{FFFF}", 6)]
    {
        for before in 0..shift {
            // Longer than any block, so that pieces lie across the ends of some.
            let text = format!("{}{}", "x".repeat(before), piece.repeat(200_000 / piece.len()));
            sandbox.file("f", &text);
            let xml = sandbox.line("lines f -a --xml").ok();
            let parsed = Document::parse(xml.text()).unwrap();
            let content = parsed.root_element().text().unwrap_or_default();
            assert!(content == held(&text), "{before} before {piece:?}");
        }
    }
}

#[test]
fn any_name_comes_back() {
    let (mut rng, mut documents) = (Rng::new(11), Vec::new());
    let pieces: Vec<&[u8]> =
        PIECES.into_iter().filter(|piece| !piece.contains(&0) && !piece.contains(&b'/')).collect();
    for round in 0..pieces.len() + cases(40, 8) {
        let mut name = b"n".to_vec();
        match pieces.get(round) {
            Some(piece) => name.extend(*piece),
            None => (0..4).for_each(|_| name.extend(rng.pick(&pieces))),
        }
        let sandbox = Sandbox::new();
        if let Err(error) = fs::write(sandbox.path("").join(OsStr::from_bytes(&name)), "one\r\ntwo\n") {
            eprintln!("skipped: no file can be called {name:02x?} here: {error}");
            continue;
        }
        let name = OsStr::from_bytes(&name);
        let shown = held(&name.to_string_lossy());
        for line in ["lines 2", "ranges 1 9", "stat", "where --line 2", "lines --metadata-only"] {
            let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
            let rest = rest.split(' ').filter(|word| !word.is_empty()).map(OsStr::new);
            let command: Vec<&OsStr> = [OsStr::new(command), name].into_iter().chain(rest).collect();
            let xml = answer(&sandbox, &command, "xml");
            let text = xml.text();
            let parsed = Document::parse(text).unwrap_or_else(|error| panic!("{error}: {xml}"));
            assert_eq!(parsed.root_element().attribute("path"), Some(shown.as_str()), "{xml}");
            let exact = parsed.root_element().attribute("path_base64");
            let exact = exact.map(|exact| data_encoding::BASE64.decode(exact.as_bytes()).unwrap());
            assert_eq!(exact.as_deref(), name.to_str().is_none().then_some(name.as_bytes()), "{xml}");
            documents.push(text.to_owned());
        }
    }
    python_agrees(&documents);
}

#[test]
fn answers_without_content_are_elements_with_the_same_facts() {
    let sandbox = Sandbox::with("f", "one\ntwo\n\u{1}\u{FFFE}\n");
    sandbox.file("g", b"\xFF\n");
    let mut documents = Vec::new();
    let env = [("RREAD_CACHE_DIR", "cache")];
    sandbox.line_env("index build f", &env).ok();
    for (line, element, several) in [
        ("stat f", "file_stat", false),
        ("stat f g --count", "file_stat", true),
        ("stat f none", "file_stat", true),
        ("where f --byte 5", "file_position", false),
        ("where f --line -1", "file_position", false),
        ("index show f", "index", false),
        ("index list", "index", true),
        ("index clear f g", "index", false),
    ] {
        let yaml_run = sandbox.line_env(&format!("{line} -f text"), &env);
        let xml = sandbox.line_env(&format!("{line} --xml"), &env);
        let parsed = Document::parse(xml.text()).unwrap_or_else(|error| panic!("{error}: {xml}"));
        let root = parsed.root_element();
        let elements: Vec<Node<'_, '_>> =
            if several { root.children().filter(Node::is_element).collect() } else { vec![root] };
        assert!(elements.iter().all(|node| node.has_tag_name(element)), "{xml}");
        let blocks: Vec<_> = yaml_run.text().split("\n\n").map(|block| facts(&yaml(block))).collect();
        assert_eq!(blocks.len(), elements.len(), "{xml}");
        for (block, node) in blocks.iter().zip(&elements) {
            let mut given = attributes(*node);
            // The second call may use the index of the first, or find nothing to clear.
            for (key, value) in block {
                let now = given.remove(key);
                let may_differ =
                    ["bytes_scanned", "index", "last_used", "removed", "freed_bytes"].contains(&key.as_str());
                assert!(may_differ || now.as_ref() == Some(value), "{key}: {value} and {now:?}: {xml}");
            }
            assert!(given.is_empty(), "{given:?}: {xml}");
        }
        documents.push(xml.text().to_owned());
    }
    python_agrees(&documents);
}

#[test]
fn captures_come_back() {
    if Cli::command().find_subcommand("capture").is_none() {
        eprintln!("not there yet: capture");
        return;
    }
    let (mut rng, mut documents) = (Rng::new(13), Vec::new());
    let sandbox = Sandbox::new();
    let state = sandbox.path("state");
    let run = |line: &str, input: &[u8]| {
        let mut command = sandbox.command();
        command.args(words(line)).env("RREAD_STATE_DIR", &state).env("RREAD_SESSION", "xml");
        Run::of(command.write_stdin(input))
    };
    for number in 1..30 {
        // UTF-8 without NUL is text.
        let input = [content(&mut rng), b" and some words behind it\n".repeat(40)].concat();
        let input = String::from_utf8_lossy(&input).replace('\0', "");
        let xml = run("capture --direct 0 --page-size 400 --xml", input.as_bytes()).ok();
        let parsed = Document::parse(xml.text()).unwrap_or_else(|error| panic!("{error}: {xml}"));
        let root = parsed.root_element();
        let child =
            |name: &str| root.children().find(|node| node.has_tag_name(name)).and_then(|node| node.text());
        assert!(root.has_tag_name("fd_result"), "{xml}");
        assert_eq!(root.attribute("fd"), Some(format!("fd:{number}").as_str()), "{xml}");
        assert!(child("message").is_some_and(|message| message.contains("rread page fd:")), "{xml}");
        let page = run(&format!("page fd:{number} 1 --page-size 400 -f text"), b"").ok();
        assert_eq!(child("preview"), Some(held(page.text()).as_str()), "{xml}");
        documents.push(xml.text().to_owned());
    }
    let error = run("page fd:77 --xml", b"").stderr;
    let parsed = Document::parse(&error).unwrap_or_else(|wrong| panic!("{wrong}: {error}"));
    let root = parsed.root_element();
    assert!(root.has_tag_name("fd_error"), "{error}");
    assert_eq!((root.attribute("type"), root.attribute("fd")), (Some("not_found"), Some("fd:77")), "{error}");
    python_agrees(&documents);
}
