//! The program's answers for a compressed file are those for the plain file, except for keys about the file.

use std::fs;

use rread_source::compressed::CompressionFormat;
use rread_testkit::bulk::{Style, settle, text_of};
use rread_testkit::lab::{Lab, Run};
use rread_testkit::pack::{self, Pack, bzip2, gzip};
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::text;
use serde_json::Value;

/// Keys that may differ between two answers to one request.
const FILE_KEYS: [&str; 13] = [
    "path",
    "version",
    "index",
    "bytes_scanned",
    "compression",
    "compressed_size",
    "uncompressed_size",
    "modified",
    "mode",
    "file_size",
    "percent_of_file",
    "is_partial",
    "total_lines",
];

/// `answer` without the keys about the file; those that are known must be right.
fn essence(answer: &Value, plain: &Value) -> Value {
    match (answer, plain) {
        (Value::Object(members), Value::Object(others)) => {
            for key in ["total_lines", "file_size", "percent_of_file", "is_partial"] {
                let (known, right) = (members.get(key), others.get(key));
                let unknown = known.is_none_or(Value::is_null) || right.is_none_or(Value::is_null);
                assert!(unknown || known == right, "{key} is {known:?}, not {right:?}");
            }
            // A pipe may not have brought the checksum by the time of the answer.
            let is_unread = |value: &Value| *value == serde_json::json!(["checksum_unread"]);
            let kept =
                members.iter().filter(|(key, value)| !FILE_KEYS.contains(&key.as_str()) && !is_unread(value));
            kept.map(|(key, value)| (key.clone(), essence(value, &plain[key]))).collect()
        }
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            items.iter().zip(others).map(|(item, other)| essence(item, other)).collect()
        }
        _ => answer.clone(),
    }
}

/// A random request; `{}` stands for the file.
fn request(rng: &mut Rng, size: usize, lines: usize) -> String {
    let line = |rng: &mut Rng| 1 + rng.below(lines + lines / 20 + 1);
    let byte = |rng: &mut Rng| rng.below(size + 1 + size / 50);
    let between = |a: usize, b: usize| format!("{}:{}", a.min(b), a.max(b));
    let words = match rng.below(14) {
        0 => format!("lines {{}} {}", between(line(rng), line(rng))),
        1 => format!("lines {{}} -{}:", line(rng)),
        2 => format!("lines {{}} {}:+{}", line(rng), rng.below(30)),
        3 => format!("lines {{}} {} -C {}", line(rng), rng.below(4)),
        4 => format!("lines {{}} {},{},-{}:+2 --header 2 -n", line(rng), line(rng), line(rng)),
        5 => format!("bytes {{}} {}", between(byte(rng), byte(rng))),
        6 => format!("bytes {{}} -{}:+{}", byte(rng), rng.below(5000)),
        7 => format!("bytes {{}} {},0:10,-20:", between(byte(rng), byte(rng))),
        8 => format!("ranges {{}} b{}:+100 {} -3:", byte(rng), line(rng)),
        9 => format!("where {{}} --byte {}", byte(rng)),
        10 => format!("where {{}} --line {}", line(rng)),
        11 => format!("lines {{}} {}: --max-bytes {}", line(rng), 100 + rng.below(5000)),
        12 => format!("lines {{}} :{} --max-columns 20 --max-lines 50", line(rng)),
        _ => "stat {} --count".to_owned(),
    };
    let text = if words.starts_with("where") || words.starts_with("stat") { "" } else { " --text" };
    format!("{words} --json{text}")
}

fn same(plain: &Run, packed: &Run, request: &str, case: &str) {
    let case = format!("{case}: {request}: {plain}\n{packed}");
    assert_eq!(plain.code, packed.code, "{case}");
    if plain.stdout.is_empty() || packed.stdout.is_empty() {
        assert_eq!(plain.stdout, packed.stdout, "{case}");
        return;
    }
    let (plain, packed) = (plain.json(), packed.json());
    assert_eq!(essence(&packed, &plain), essence(&plain, &packed), "{case}");
}

#[test]
fn every_answer_is_that_for_the_plain_file() {
    for seed in 0..cases(3, 1) {
        for pack in pack::all() {
            let name = pack.file_name();
            let mut rng = Rng::new(seed * 100 + 1);
            let length = rng.pick(&[0, 30, 3000, 200_000, 1_500_000]);
            let text = match rng.below(3) {
                0 => text::of_length(&mut rng, length),
                1 => text_of(&mut rng, Style::Words, length),
                _ => text_of(&mut rng, Style::Crlf, length),
            };
            let lines = text.iter().filter(|byte| **byte == b'\n').count();
            let packed = pack.of(&text);
            let lab = Lab::with(&name, &packed);
            lab.file("plain", &text);
            for n in 0..7 {
                let request = request(&mut rng, text.len(), lines);
                let case = format!("seed {seed}, {pack:?}, {length} bytes");
                let plain = lab.line(&request.replace("{}", "plain").replace("--json", "--json --no-index"));
                let stdin = |input: &[u8]| {
                    let mut command = lab.command();
                    command.args(request.replace("{}", "-").split_whitespace()).write_stdin(input);
                    Run::of(&mut command)
                };
                match n % 3 {
                    0 => same(
                        &plain,
                        &lab.line(&format!("{} --no-index", request.replace("{}", &name))),
                        &request,
                        &case,
                    ),
                    // Standard input has no name.
                    1 if !request.contains("stat") && name == "packed" => {
                        same(&stdin(&text), &stdin(&packed), &request, &case)
                    }
                    // The second request uses the index of the first.
                    _ => (0..2).for_each(|_| {
                        same(&plain, &lab.line(&request.replace("{}", &name)), &request, &case)
                    }),
                }
            }
        }
    }
}

/// All pieces together are the text.
#[test]
fn next_leads_to_the_end() {
    for pack in [Pack::Gzip, Pack::ZstdFrames, Pack::Bzip2Streams] {
        let text = text_of(&mut Rng::new(3), Style::Words, cases(90_000, 30_000));
        let lab = Lab::with("packed", pack.of(&text));
        for first in ["lines packed 1:20 --max-bytes 3000", "bytes packed 0:5000"] {
            let mut command = first.to_owned();
            let mut pieces = String::new();
            for _ in 0..2000 {
                let answer = lab.json(&command);
                pieces.push_str(answer["content"].as_str().unwrap());
                let next = &answer["metadata"]["next"];
                if next.is_null() {
                    break;
                }
                let (verb, range) = (next["command"].as_str().unwrap(), next["range"].as_str().unwrap());
                command = format!("{verb} packed {range} --max-bytes 3000");
            }
            assert!(pieces.as_bytes() == text, "{pack:?} {first}: {} bytes", pieces.len());
        }
    }
}

#[test]
fn the_receipt_names_the_format_and_the_sizes_that_are_known() {
    let text = text_of(&mut Rng::new(3), Style::Words, 700_000);
    for pack in pack::all() {
        let packed = pack.of(&text);
        let file = pack.file_name();
        let lab = Lab::with(&file, &packed);
        let name = pack.format().name();
        let first = lab.json(&format!("lines {file} 1 --no-index"));
        assert_eq!(first["metadata"]["compression"], name);
        assert_eq!(first["metadata"]["compressed_size"], packed.len());
        let last = lab.json(&format!("lines {file} -1:"));
        assert_eq!(last["metadata"]["uncompressed_size"], text.len(), "{pack:?}");
        assert_eq!(lab.json(&format!("stat {file}"))["compression"], name);
        let bytes = lab.json(&format!("bytes {file} 0:20 --no-decompress --encode hex"));
        assert_eq!(bytes["metadata"]["compression"], Value::Null);
        assert_eq!(bytes["metadata"]["file_size"], packed.len());
    }
}

#[test]
fn trailing_garbage_is_reported_each_time() {
    let text = text_of(&mut Rng::new(3), Style::Words, 300_000);
    for pack in [Pack::Gzip, Pack::Zstd, Pack::Xz, Pack::Bzip2, Pack::Lz4, Pack::Lzma, Pack::Brotli] {
        let file = pack.file_name();
        let lab = Lab::with(&file, [&pack.of(&text)[..], b"some garbage after it"].concat());
        for time in 0..3 {
            let answer = lab.json(&format!("lines {file} -2:"));
            let notices = &answer["metadata"]["notices"];
            assert_eq!(notices[0], "trailing_garbage", "{pack:?}, time {time}: {answer}");
            let place = lab.json(&format!("where {file} --byte -1"));
            assert_eq!(place["notices"][0], "trailing_garbage", "{pack:?}, time {time}: {place}");
            let run = lab.line(&format!("bytes {file} 0: --raw"));
            assert!(run.code == Some(0) && run.stdout == text, "{pack:?}");
            assert!(
                run.stderr.contains("extra bytes after the compressed data"),
                "{pack:?}, time {time}: {run}"
            );
        }
    }
}

#[test]
fn damage_is_one_sentence_and_a_hint_that_works() {
    let text = text_of(&mut Rng::new(3), Style::Words, 300_000);
    for pack in [Pack::Gzip, Pack::Zstd, Pack::Xz, Pack::Bzip2, Pack::Lz4, Pack::Brotli] {
        let packed = pack.of(&text);
        let file = pack.file_name();
        let lab = Lab::with(&file, &packed[..packed.len() * 2 / 3]);
        for request in ["lines {} -1:", "bytes {} -10:", "stat {} --count", "where {} --line 99999"] {
            let run = lab.line(&request.replace("{}", &file));
            assert_eq!(run.code, Some(3), "{pack:?}: {run}");
            let says = String::from_utf8_lossy(&run.stdout);
            assert!(says.is_empty() || request.starts_with("stat") && says.contains("damaged:"), "{run}");
            let lines: Vec<&str> = run.stderr.lines().collect();
            assert_eq!(lines.len(), 2, "{run}");
            assert!(lines[0].contains("damaged at or before byte"), "{run}");
            let hint = lines[1].strip_prefix("hint: rread ").unwrap_or_else(|| panic!("{run}"));
            let before = lab.line(hint).ok();
            assert!(
                String::from_utf8_lossy(&before.stdout).contains("- damaged"),
                "{pack:?}: {hint}: {before}"
            );
        }
        // Lines before the damage are there, again and again.
        for _ in 0..2 {
            let front = lab.line(&format!("lines {file} 1:3 --raw")).ok();
            assert!(text.starts_with(&front.stdout), "{pack:?}");
        }
    }
}

#[test]
fn a_damaged_head_is_an_error() {
    for head in
        [&b"\x1F\x8B\x08\0"[..], b"\x28\xB5\x2F\xFD", b"\xFD7zXZ\0", b"BZh91AY&SY", b"\x04\x22\x4D\x18"]
    {
        let lab = Lab::with("packed", [head, &b"\xFFgarbage ".repeat(30)].concat());
        for request in ["lines packed 1", "bytes packed 0:10"] {
            let run = lab.line(request);
            assert_eq!(run.code, Some(3), "{head:?}: {run}");
            let receipt = String::from_utf8_lossy(&run.stdout);
            assert!(receipt.contains("\n  offset: 0\n") && receipt.contains("\ncontent_bytes: 0\n"), "{run}");
            assert!(run.stderr.contains("damaged") && run.stderr.contains("hint: "), "{run}");
        }
        let stat = String::from_utf8(lab.line("stat packed").stdout).unwrap();
        assert!(stat.contains("\ndamaged:\n"), "{head:?}: {stat}");
    }
}

#[test]
fn damaged_files_of_the_corpus_are_right_or_refused() {
    let Some(corpus) = std::env::var_os("RREAD_CORPUS") else {
        eprintln!("skipped: RREAD_CORPUS is not set");
        return;
    };
    let folder = std::path::Path::new(&corpus).join("compressed_bad");
    let lab = Lab::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        fs::copy(&path, lab.path("packed")).unwrap();
        settle();
        let all = lab.line("bytes packed 0: --raw");
        let expected = if ["garbage_after", "zeros_after", "is_text"].iter().any(|part| name.contains(part)) {
            0
        } else {
            3
        };
        assert_eq!(all.code, Some(expected), "{name}: {all}");
        assert_eq!(
            all.stderr.contains("extra bytes after the compressed data"),
            name.contains("garbage_after"),
            "{name}: {all}"
        );
        // The .zst file is only the first half of a block.
        for _ in 0..if name.ends_with(".zst") { 0 } else { 2 } {
            let front = lab.line("lines packed 1:2 --raw");
            // A wrong checksum makes all text before it doubtful.
            let is_doubtful = front.stderr.contains("the checksum of the preceding text is wrong");
            assert_eq!(front.code, Some(if is_doubtful { 3 } else { 0 }), "{name}: {front}");
            let newlines = front.stdout.iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(newlines, 2, "{name}: {front}");
        }
    }
}

/// A gigabyte of newlines in some hundred KiB.
#[test]
fn a_decompression_bomb_is_decoded_only_as_far_as_requested() {
    let zeros = vec![b'\n'; 32 << 20];
    for (name, piece, format) in [
        ("gzip", gzip(&zeros, 6), CompressionFormat::Gzip),
        ("bzip2", bzip2(&zeros, 9), CompressionFormat::Bzip2),
    ] {
        let lab = Lab::with("packed", piece.repeat(32));
        for request in ["lines packed 5:7 --json", "bytes packed 100:+5 --json", "stat packed --json"] {
            let started = std::time::Instant::now();
            let answer = lab.line(request).ok().json();
            assert!(started.elapsed().as_millis() < 2000, "{name}: {request}: {:?}", started.elapsed());
            let facts = answer.get("metadata").unwrap_or(&answer);
            assert_eq!(facts["compression"], format.name());
            assert!(facts["bytes_scanned"].as_u64().unwrap() < 1 << 20, "{name}: {request}: {answer}");
        }
    }
}

#[test]
fn compressed_data_after_the_end_are_named_with_the_command_that_reads_them() {
    for (first, second, format) in [
        (Pack::Zstd, Pack::Gzip, "gzip"),
        (Pack::Gzip, Pack::Zstd, "zstd"),
        (Pack::Bzip2, Pack::Xz, "xz"),
        (Pack::Xz, Pack::Lzma, "lzma"),
        (Pack::Lz4, Pack::Bzip2, "bzip2"),
    ] {
        let file = first.file_name();
        let packed = first.of(b"one\n");
        let lab = Lab::with(&file, [&packed[..], &second.of(b"two\n")].concat());
        for time in 0..3 {
            let answer = lab.json(&format!("lines {file}"));
            let facts = &answer["metadata"];
            assert_eq!(facts["notices"][0], "trailing_garbage", "{first:?}, time {time}: {facts}");
            assert_eq!(facts["trailing_garbage"], format, "{first:?}, time {time}: {facts}");
            let hint = format!("tail -c +{} {file} | rread lines -", packed.len() + 1);
            assert_eq!(facts["trailing_hint"], hint, "{first:?}, time {time}");
            let run = lab.line(&format!("lines {file} -f text"));
            assert!(run.stdout == b"one\n" && run.stderr.contains(&hint), "{first:?}, time {time}: {run}");
        }
    }
    // A member whose header gzip itself refuses.
    let lab = Lab::with("a.gz", [&Pack::Gzip.of(b"one\n")[..], b"\x1F\x8B\x08\xFF0123456789"].concat());
    assert_eq!(lab.json("lines a.gz")["metadata"]["trailing_garbage"], "gzip");
}
