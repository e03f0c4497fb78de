//! The same text in every compression, from every kind of source and in every encoding gives the same answer.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use rread_testkit::sample::cases;
use rread_testkit::sandbox::{AtHome, Run, Sandbox, binary, numbered, words};
use serde_json::Value;

fn lz4(text: &[u8], size: lz4_flex::frame::BlockSize) -> Vec<u8> {
    let info = lz4_flex::frame::FrameInfo::new().block_size(size);
    let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut member = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
    member.extend(miniz_oxide::deflate::compress_to_vec(text, 6));
    member.extend(crc32fast::hash(text).to_le_bytes());
    member.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
    member
}

fn xz(text: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 0);
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// `text` in every format, in one member and in several, the first with a single byte.
fn wrappings(text: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let parts = |wrap: &dyn Fn(&[u8]) -> Vec<u8>| {
        let (first, rest) = text.split_at(text.len().min(1));
        let (second, third) = rest.split_at(rest.len() / 2);
        [first, second, third].map(wrap).concat()
    };
    let zstd = |text: &[u8]| zstd::encode_all(text, 1).unwrap();
    vec![
        ("plain", text.to_vec()),
        ("gzip", gzip(text)),
        ("members", parts(&gzip)),
        ("zstd", zstd(text)),
        ("frames", parts(&zstd)),
        ("xz", parts(&xz)),
        ("bzip2", parts(&bzip2)),
        ("lz4", parts(&|text| lz4(text, lz4_flex::frame::BlockSize::Max64KB))),
    ]
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

/// Texts of every kind, each with the options that it needs.
fn texts() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let mixed = "größer\r\n日本語 😀\n\n<tag> & \"quote\"\n".repeat(60);
    vec![
        ("utf-8", mixed.trim_end().as_bytes().to_vec(), ""),
        ("marked", format!("\u{FEFF}{mixed}").into_bytes(), ""),
        ("utf-16", [b"\xFE\xFF".to_vec(), utf16(&mixed)].concat(), ""),
        ("unmarked", utf16(&mixed), "-E utf-16be"),
        ("latin", b"caf\xE9 au lait\r\nsans fin\nd\xE9j\xE0 vu".repeat(40), "-E windows-1252"),
        ("invalid", b"good\nb\xFFad\n\xE2\x82\nrest".repeat(50), ""),
        ("empty", Vec::new(), ""),
    ]
}

const REQUESTS: &[&str] = &[
    "lines FILE 2:4",
    "lines FILE -3: -n",
    "lines FILE 1:10 --max-bytes 70 -C 1",
    "lines FILE --max-lines 2 --max-columns 3",
    "bytes FILE 5:+9",
    "bytes FILE -7: -n --invalid escape",
    "bytes FILE --max-bytes 64",
    "ranges FILE 3 b0:7 -1 900: --header 1",
    "where FILE --line -1",
    "where FILE --byte 3",
    "stat --count FILE",
];

/// Keys of the file, and keys that a stream or a decoder may not know in time.
const ASIDE: &[&str] = &[
    "path",
    "version",
    "modified",
    "mode",
    "index",
    "bytes_scanned",
    "compression",
    "compressed_size",
    "uncompressed_size",
    "file_size",
    "total",
    "total_lines",
    "is_partial",
    "percent_of_file",
    "hint",
];

fn of_the_text(answer: Value) -> Value {
    match answer {
        Value::Object(members) => {
            let own = members.into_iter().filter(|(key, _)| !ASIDE.contains(&key.as_str()));
            own.map(|(key, value)| (key, of_the_text(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(of_the_text).collect(),
        other => other,
    }
}

/// Totals may be left out, but they are never wrong.
#[track_caller]
fn check_totals(answer: &Value, size: usize, lines: &Value, run: &Run) {
    for (key, value) in answer.as_object().into_iter().flatten() {
        let truth = match key.as_str() {
            "file_size" | "total" | "uncompressed_size" => Value::from(size),
            "total_lines" => lines.clone(),
            _ => continue,
        };
        assert!(value.is_null() || *value == truth, "{key} is not {truth}: {run}");
    }
}

#[test]
fn every_compression_source_and_encoding_gives_the_same_answer() {
    for (number, (name, text, options)) in texts().into_iter().enumerate() {
        let sandbox = Sandbox::new();
        let wrappings = wrappings(&text);
        wrappings.iter().for_each(|(wrapping, bytes)| sandbox.file(wrapping, bytes));
        let lines =
            sandbox.line(&format!("stat --count plain {options} --json")).ok().json()["lines"].clone();
        for (turn, request) in REQUESTS.iter().enumerate() {
            let line = |file: &str| format!("{} {options} --json", request.replace("FILE", file));
            let expected = sandbox.line(&line("plain"));
            let parse = |run: &Run| serde_json::from_slice(&run.stdout).unwrap_or(Value::Null);
            let all: Value = parse(&expected);
            for (at, (wrapping, bytes)) in wrappings.iter().enumerate() {
                // In a sample, every pair of a request and a wrapping has one of the texts.
                if cases(false, (at + number + turn) % 3 != 0) {
                    continue;
                }
                let runs = [
                    (at > 0).then(|| sandbox.line(&line(wrapping))),
                    // One more source for each, in turn.
                    (at % 2 == 0).then(|| sandbox.piped(&line("-"), bytes.clone())),
                    (at % 2 == 1).then(|| {
                        let vars = [("RREAD_CACHE_DIR", "cache"), ("RREAD_INDEX_MIN", "1")];
                        sandbox.line_env(&line(wrapping), &vars)
                    }),
                ];
                for run in runs.into_iter().flatten() {
                    assert_eq!(run.code, expected.code, "{name} {wrapping}: {expected}{run}");
                    let answer: Value = parse(&run);
                    for facts in [&answer, &answer["metadata"], &answer["segments"][1]["metadata"]] {
                        check_totals(facts, text.len(), &lines, &run);
                    }
                    let (answer, all) = (of_the_text(answer), of_the_text(all.clone()));
                    assert_eq!(without_end(answer), without_end(all), "{name} {wrapping}: {expected}{run}");
                }
            }
        }
    }
}

/// Removes keys that only a source whose end was read can know, and lines of a byte range, which only an index knows.
fn without_end(mut answer: Value) -> Value {
    for at in ["/metadata", "/segments/0/metadata", "/segments/1/metadata", "/segments/2/metadata"] {
        let Some(facts) = answer.pointer_mut(at).and_then(Value::as_object_mut) else { continue };
        facts.retain(|key, _| key != "eof" && key != "next");
        let range = facts.get_mut("actual_range").and_then(Value::as_object_mut);
        range.into_iter().for_each(|range| range.retain(|key, _| key.ends_with("byte")));
    }
    answer
}

#[test]
fn frames_of_lz4_may_have_blocks_of_any_size_one_after_another() {
    use lz4_flex::frame::BlockSize::{Max1MB, Max4MB, Max64KB, Max256KB};
    let text = numbered(30_000);
    let sizes = [Max64KB, Max4MB, Max256KB, Max1MB, Max64KB];
    let frames: Vec<u8> = sizes.iter().flat_map(|size| lz4(text.as_bytes(), *size)).collect();
    let sandbox = Sandbox::with("f.lz4", &frames);
    assert_eq!(sandbox.line("lines f.lz4 --raw").ok().text(), text.repeat(sizes.len()));
    assert_eq!(sandbox.line("lines f.lz4 -1,5,60001 --raw").ok().text(), "line 30000\nline 5\nline 1\n");
}

/// The end of a file without a last newline lies in its last line.
#[test]
fn an_empty_slice_at_the_end_does_not_miscount_lines() {
    let sandbox = Sandbox::with("unfinished", "one\ntwo");
    sandbox.file("finished", "one\ntwo\n");
    for (file, end) in [("unfinished", 7), ("finished", 8)] {
        for request in ["bytes FILE END: -n", "bytes FILE END:+5 -n", "ranges FILE bEND:END -n"] {
            let line = request.replace("FILE", file).replace("END", &end.to_string());
            let total = sandbox.line(&line).ok().document().fact("total_lines").to_owned();
            assert!(["", "2"].contains(&total.as_str()), "{line}: {total}");
        }
    }
}

/// rread does not wait for more than the budget, even of an endless stream.
#[test]
fn a_budget_ends_the_reading_of_a_stream() {
    let sandbox = Sandbox::new();
    for (line, expected) in [
        ("lines - --max-lines 2 --raw", "y\ny\n"),
        ("lines - 3: --max-bytes 4 --raw", "y\ny\n"),
        ("lines - 1:99999999999 --max-lines 1 -f text", "y\n"),
        ("lines - 2: --header 1 --max-lines 3 -C 1 --raw", "y\ny\ny\n"),
        ("bytes - --max-bytes 6 --raw", "y\ny\ny\n"),
        ("bytes - 1:99999999999 --max-bytes 4 --encode hex --raw", "0a79"),
        ("ranges - 5: b2: --max-bytes 6 -f text", "y\ny\ny\n"),
    ] {
        let mut command = Command::new(binary());
        command.args(words(line)).current_dir(sandbox.path(".")).stdin(Stdio::piped());
        command.at_home(&sandbox.home());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let (done, is_done) = std::sync::mpsc::channel();
        // Like `yes`, which ends when nobody reads.
        std::thread::spawn(move || {
            let block = b"y\n".repeat(32 << 10);
            let written = (0..4096).take_while(|_| pipe.write_all(&block).is_ok()).count();
            done.send(written).unwrap();
        });
        let output = child.wait_with_output().unwrap();
        let blocks = is_done.recv_timeout(Duration::from_secs(60)).unwrap();
        assert!(blocks < 64, "{line}: {blocks} blocks of 64 KiB were drawn");
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stdout).as_ref()),
            (Some(0), expected)
        );
        assert!(String::from_utf8_lossy(&output.stderr).contains("note: cut by"), "{line}");
    }
    // If the text ends within the budget, the receipt is that of a file.
    let whole = sandbox.piped("lines - --max-lines 3", "a\nb\nc\n").ok().document();
    assert_eq!((whole.fact("total_lines"), whole.has("truncated"), whole.fact("eof")), ("3", false, "true"));
    let cut = sandbox.piped("lines - --max-lines 2", "a\nb\nc\n").ok().document();
    assert_eq!(
        (cut.fact("total_lines"), cut.fact("next"), cut.fact("cut_by")),
        ("3", "lines 3:", "max_lines")
    );
}

/// A file that was cut off fails `--expect` first.
#[test]
fn damage_is_reported_as_a_change_if_a_version_was_expected() {
    let bytes = lz4(numbered(1000).as_bytes(), lz4_flex::frame::BlockSize::Max4MB);
    let sandbox = Sandbox::with("f", &bytes);
    let version = sandbox.line("lines f 1").ok().document().fact("version").to_owned();
    sandbox.file("f", &bytes[..bytes.len() / 2]);
    assert_eq!(sandbox.line("lines f 1").code, 3);
    let refused = sandbox.line(&format!("lines f 1 --expect {version}")).refused(7);
    assert!(refused.stderr.contains("truncated"), "{refused}");
}

#[test]
fn values_that_begin_like_places_from_the_end_are_not_changed() {
    let sandbox = Sandbox::with("-5a.log", "2026-11-01 06:00:00 x -5\n2026-11-01 07:00:00 -5\n");
    for (line, expected) in [
        ("lines ./-5a.log --since 2026-11-01T10:00:00Z --tz -03:00 --raw", "2026-11-01 07:00:00 -5\n"),
        ("ranges ./-5a.log 2: --merge --tz -03:00 --raw", "2026-11-01 07:00:00 -5\n"),
        ("search ./-5a.log -e -5 -r -7 -f text", "1:2026-11-01 06:00:00 x -7\n2:2026-11-01 07:00:00 -7\n"),
        ("search -e 07 . -g -5*.log -f text", "./-5a.log:2:2026-11-01 07:00:00 -5\n"),
        (
            "search 06 ./-5a.log -A 1 --field-context-separator -5 -f text",
            "1:2026-11-01 06:00:00 x -5\n2-52026-11-01 07:00:00 -5\n",
        ),
        ("follow ./-5a.log -n 2 --until-match -5 --raw", "2026-11-01 06:00:00 x -5\n"),
    ] {
        let run = sandbox.line(line);
        // On Windows, the name that the walk found has a backslash.
        assert_eq!(run.text().replace('\\', "/"), expected, "{line}: {run}");
    }
}
