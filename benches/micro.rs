//! The innermost loops by themselves: counting and finding newlines, splitting UTF-8, locating lines, times of records.
//!
//! `cargo bench --bench micro`; a word after `--` picks the benches that have it in their name.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::LazyLock;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use rread_reader::reader::Reader;
use rread_source::memory::Buffer;
use rread_text::encoding::{self, Encoding, Run, TextDecoder, split_char};
use rread_text::newline::{self, Units};
use rread_text::sniff;
use rread_text::timestamp::{TimeContext, Timestamp, detect, zone};
use tempfile::TempDir;

fn main() {
    divan::main();
}

/// As much as the reader takes at a time.
const BLOCK: usize = 256 << 10;

/// `line` over and over, up to `len` bytes.
fn repeated(line: &[u8], len: usize) -> Vec<u8> {
    line.iter().copied().cycle().take(len).collect()
}

/// A line of `len` bytes, its newline included.
fn line(len: usize) -> Vec<u8> {
    let mut line: Vec<u8> = (b'a'..=b'z').chain([b' ']).cycle().take(len - 1).collect();
    line.push(b'\n');
    line
}

/// What the benches run over.
fn text(kind: &str, len: usize) -> Vec<u8> {
    match kind {
        "lines_of_3" => repeated(&line(3), len),
        "lines_of_85" => repeated(&line(85), len),
        "no_newline" => vec![b'x'; len],
        "utf16_lines_of_85" => line(85).iter().flat_map(|byte| [*byte, 0]).cycle().take(len).collect(),
        "utf16_multibyte" => {
            let line = "Zwölf Boxkämpfer jagen Виктора über den 大きな堤防 😀\n";
            line.encode_utf16().flat_map(u16::to_le_bytes).cycle().take(len).collect()
        }
        "multibyte" => repeated("Zwölf Boxkämpfer jagen Виктора über den 大きな堤防 😀\n".as_bytes(), len),
        "invalid" => repeated(b"caf\xE9 cr\xE8me, 20 lines of Latin-1 are not UTF-8 at all \xFF\xFE\n", len),
        _ => panic!("no text of kind {kind}"),
    }
}

#[divan::bench_group]
mod counting {
    use super::*;

    const KINDS: [&str; 4] = ["lines_of_85", "lines_of_3", "no_newline", "multibyte"];

    #[divan::bench(args = KINDS)]
    fn ours(bencher: Bencher, kind: &str) {
        let text = text(kind, BLOCK);
        bencher.counter(BytesCount::new(BLOCK)).bench_local(|| newline::count(black_box(&text)));
    }

    #[divan::bench(args = KINDS)]
    fn memchr_iter(bencher: Bencher, kind: &str) {
        let text = text(kind, BLOCK);
        bencher
            .counter(BytesCount::new(BLOCK))
            .bench_local(|| memchr::memchr_iter(b'\n', black_box(&text)).count());
    }
}

/// The same for code units of two and of four bytes, over the same bytes.
#[divan::bench_group]
mod counting_units {
    use super::*;

    #[divan::bench(args = ["utf16_lines_of_85", "utf16_multibyte", "no_newline"])]
    fn pairs(bencher: Bencher, kind: &str) {
        let text = text(kind, BLOCK);
        let units = Units::pairs(false);
        bencher.counter(BytesCount::new(BLOCK)).bench_local(|| units.count(black_box(&text)));
    }

    #[divan::bench(args = ["utf16_lines_of_85", "no_newline"])]
    fn quads(bencher: Bencher, kind: &str) {
        let text = text(kind, BLOCK);
        let units = Units::quads(false);
        bencher.counter(BytesCount::new(BLOCK)).bench_local(|| units.count(black_box(&text)));
    }

    #[divan::bench(args = ["utf16_lines_of_85", "utf16_multibyte"])]
    fn longest_of_pairs(bencher: Bencher, kind: &str) {
        let text = text(kind, BLOCK);
        let units = Units::pairs(false);
        bencher.counter(BytesCount::new(BLOCK)).bench_local(|| units.longest(black_box(&text), 0, 0));
    }
}

/// Text of other encodings to UTF-8.
#[divan::bench_group]
mod decoding {
    use super::*;

    fn decode(bencher: Bencher, encoding: Encoding, text: &[u8]) {
        let mut decoder = TextDecoder::new(encoding);
        bencher.counter(BytesCount::new(text.len())).bench_local(|| {
            let (mut at, mut made) = (0, 0);
            while let Some(run) = decoder.next_run(black_box(&text[at..]), at as u64) {
                match run {
                    encoding::Run::Text(text) => {
                        (at, made) = (at + text.source.len(), made + text.utf8.len());
                    }
                    encoding::Run::Invalid(bad) | encoding::Run::Cut(bad) => at += bad.len(),
                }
            }
            made
        });
    }

    #[divan::bench(args = ["utf16_lines_of_85", "utf16_multibyte"])]
    fn utf16(bencher: Bencher, kind: &str) {
        decode(bencher, Encoding::Utf16 { big_endian: false }, &text(kind, BLOCK));
    }

    #[divan::bench(args = ["lines_of_85", "invalid"])]
    fn windows_1252(bencher: Bencher, kind: &str) {
        decode(bencher, Encoding::Legacy(encoding_rs::WINDOWS_1252), &text(kind, BLOCK));
    }

    #[divan::bench]
    fn shift_jis(bencher: Bencher) {
        let (line, ..) = encoding_rs::SHIFT_JIS.encode("東京都の 大きな堤防, and some ASCII\n");
        decode(bencher, Encoding::Legacy(encoding_rs::SHIFT_JIS), &repeated(&line, BLOCK));
    }
}

#[divan::bench_group]
mod finding {
    use super::*;

    /// All lines of the block but a few: the whole of it is passed over.
    fn most_lines(text: &[u8]) -> u64 {
        newline::count(text) - 2
    }

    #[divan::bench(args = ["lines_of_85", "lines_of_3"])]
    fn after_nth(bencher: Bencher, kind: &str) {
        let text = text(kind, BLOCK);
        let n = most_lines(&text);
        bencher
            .counter(BytesCount::new(BLOCK))
            .bench_local(|| Units::BYTES.after_nth(black_box(&text), black_box(n)));
    }

    #[divan::bench(args = ["lines_of_85", "lines_of_3"])]
    fn after_nth_back(bencher: Bencher, kind: &str) {
        let text = text(kind, BLOCK);
        let n = most_lines(&text);
        bencher
            .counter(BytesCount::new(BLOCK))
            .bench_local(|| Units::BYTES.after_nth_back(black_box(&text), black_box(n)));
    }

    /// The last 20 lines of a block, as `-20:` asks for them.
    #[divan::bench]
    fn last_twenty(bencher: Bencher) {
        let text = text("lines_of_85", BLOCK);
        bencher.bench_local(|| Units::BYTES.after_nth_back(black_box(&text), black_box(21)));
    }

    /// With the longest line so far as long as every other (the usual case: nothing is visited twice),
    /// and with none (the first block).
    #[divan::bench(args = ["lines_of_85", "lines_of_3", "multibyte"])]
    fn longest(bencher: Bencher, kind: &str) {
        let text = text(kind, BLOCK);
        bencher
            .counter(BytesCount::new(BLOCK))
            .bench_local(|| Units::BYTES.longest(black_box(&text), black_box(0), black_box(0)));
    }
}

/// Reading into memory that begins so many bytes after the start of a page: 0 is what `Buffer` gives for a block of a file,
/// 16 what `malloc` gives.
#[divan::bench(args = [0, 16])]
fn reading_aligned(bencher: Bencher, offset: usize) {
    const SIZE: usize = 64 << 20;
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&repeated(&line(85), SIZE)).unwrap();
    let reader = Reader::open(file.path()).unwrap();
    let mut buffer = Buffer::new(offset + BLOCK);
    bencher.counter(BytesCount::new(SIZE)).bench_local(|| {
        for at in (0..SIZE as u64).step_by(BLOCK) {
            reader.read_exact(black_box(&mut buffer[offset..]), at).unwrap();
        }
    });
}

#[divan::bench_group]
mod splitting {
    use super::*;

    #[divan::bench(args = ["lines_of_85", "multibyte", "invalid"])]
    fn next_run(bencher: Bencher, kind: &str) {
        let text = text(kind, BLOCK);
        bencher.counter(BytesCount::new(BLOCK)).bench_local(|| {
            let (mut decoder, mut at, mut invalid) = (TextDecoder::new(Encoding::Utf8), 0, 0u64);
            while let Some(run) = decoder.next_run(&black_box(&text[..])[at..], at as u64) {
                invalid += u64::from(matches!(run, Run::Invalid(_)));
                at += match run {
                    Run::Text(text) => text.source.len(),
                    Run::Invalid(bad) | Run::Cut(bad) => bad.len(),
                };
            }
            invalid
        });
    }

    /// What the standard library does for the same answer.
    #[divan::bench(args = ["lines_of_85", "multibyte", "invalid"])]
    fn std_utf8_chunks(bencher: Bencher, kind: &str) {
        let text = text(kind, BLOCK);
        bencher.counter(BytesCount::new(BLOCK)).bench_local(|| {
            black_box(&text).utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count()
        });
    }

    /// Every place of a text, as if each were the end of a byte range.
    #[divan::bench(args = ["lines_of_85", "multibyte", "invalid"])]
    fn split_characters(bencher: Bencher, kind: &str) {
        let text = text(kind, 4096);
        bencher.counter(BytesCount::new(text.len())).bench_local(|| {
            (3..text.len() - 3).filter(|&at| split_char(black_box(&text), at).is_some()).count()
        });
    }
}

#[divan::bench_group(sample_count = 20, sample_size = 1)]
mod locating {
    use super::*;

    /// The size of the file that lines are located in; it is in the page cache.
    const SIZE: usize = 64 << 20;
    const LINE: usize = 128;
    const LINES: u64 = (SIZE / LINE) as u64;

    static LOG: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("lines.log");
        let mut file = BufWriter::new(File::create(&path).unwrap());
        let block = repeated(&line(LINE), 1 << 20);
        for _ in 0..SIZE / block.len() {
            file.write_all(&block).unwrap();
        }
        file.flush().unwrap();
        (folder, path)
    });

    fn log() -> Reader {
        Reader::open(&LOG.1).unwrap()
    }

    #[divan::bench]
    fn open(bencher: Bencher) {
        LazyLock::force(&LOG);
        bencher.bench_local(log);
    }

    #[divan::bench]
    fn find_lines_near_the_end(bencher: Bencher) {
        let reader = log();
        bencher
            .counter(BytesCount::new(SIZE))
            .bench_local(|| reader.find_lines(black_box(&[LINES - 40, LINES - 20]), false).unwrap());
    }

    /// A hundred places all over the file, in one pass.
    #[divan::bench]
    fn find_a_hundred_lines(bencher: Bencher) {
        let reader = log();
        let counts: Vec<u64> = (0..100).map(|n| LINES / 100 * n).collect();
        bencher
            .counter(BytesCount::new(SIZE))
            .bench_local(|| reader.find_lines(black_box(&counts), false).unwrap());
    }

    #[divan::bench(args = [20, 1000, 100_000])]
    fn find_lines_back(bencher: Bencher, lines: u64) {
        let reader = log();
        bencher.bench_local(|| reader.find_lines_back(black_box(&[lines])).unwrap());
    }

    /// Everything that takes a whole scan, as `stat --count` does it.
    #[divan::bench]
    fn full_scan(bencher: Bencher) {
        let reader = log();
        bencher.counter(BytesCount::new(SIZE)).bench_local(|| reader.full_scan().unwrap());
    }
}

/// What every start costs: the first 8 KiB judged.
#[divan::bench(args = ["lines_of_85", "multibyte", "invalid", "utf16_russian", "elf"])]
fn sniffing(bencher: Bencher, kind: &str) {
    let text = match kind {
        "utf16_russian" => {
            let units = "Все люди рождаются свободными\n".encode_utf16();
            repeated(&units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>(), sniff::SAMPLE)
        }
        "elf" => repeated(b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0", sniff::SAMPLE),
        _ => text(kind, sniff::SAMPLE),
    };
    bencher.bench_local(|| sniff::sniff(black_box(&text), false));
}

/// The times of lines: their place, their fields, and the zone if the record has none.
#[divan::bench_group]
mod times {
    use super::*;

    const RFC_3339: &str = "2026-11-23T06:26:04.123456+01:00 INFO request served";
    const SYSLOG: &str = "Nov 23 06:26:04 host app[1234]: request served";
    const CLF: &str = "192.0.2.1 - - [23/Nov/2026:06:26:04 +0000] \"GET / HTTP/1.1\" 200 612";
    const JSON: &str = r#"{"level":"info","ts":1795415164.123456,"msg":"request served"}"#;
    const NONE: &str = "\tat org.example.Main.run(Main.java:12)";

    fn context(name: &str) -> TimeContext {
        TimeContext::new(zone(Some(name)).unwrap(), Timestamp::from_second(1_795_415_164).unwrap())
    }

    #[divan::bench(args = [RFC_3339, SYSLOG, CLF, JSON])]
    fn time_of(bencher: Bencher, line: &str) {
        let (found, context) = (detect([line.as_bytes()]).unwrap(), context("UTC"));
        bencher.bench_local(|| found.time_of(black_box(line.as_bytes()), &context));
    }

    #[divan::bench]
    fn time_of_in_a_zone(bencher: Bencher) {
        let (found, context) = (detect([SYSLOG.as_bytes()]).unwrap(), context("Europe/Berlin"));
        bencher.bench_local(|| found.time_of(black_box(SYSLOG.as_bytes()), &context));
    }

    #[divan::bench]
    fn no_time(bencher: Bencher) {
        let (found, context) = (detect([RFC_3339.as_bytes()]).unwrap(), context("UTC"));
        bencher.bench_local(|| found.time_of(black_box(NONE.as_bytes()), &context));
    }

    #[divan::bench]
    fn detecting(bencher: Bencher) {
        bencher.bench_local(|| detect([black_box(CLF.as_bytes()); 64]));
    }
}
