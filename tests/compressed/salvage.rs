//! The program's answers for damaged files: from every format, with an index, and from a pipe.

use rread_source::compressed::CompressionFormat;
use rread_testkit::bulk::{Style, text_of};
use rread_testkit::damaged::read;
#[cfg(unix)]
use rread_testkit::home::AtHome;
use rread_testkit::lab::{Lab, Run};
use rread_testkit::pack::{PACKS, Pack, bzip2, gzip, xz, zstd};
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sandbox::Sandbox;
use rread_testkit::sources::plain;
use serde_json::Value;

/// A damaged file, its text, and the part of the text that can be decoded, right or not.
struct Damaged {
    lab: Lab,
    packed: Vec<u8>,
    text: Vec<u8>,
    decoded: Vec<u8>,
    case: String,
}

impl Damaged {
    /// A file that is cut off or has flipped bits; `None` if the damage does not show.
    fn random(seed: u64) -> Option<Self> {
        let mut rng = Rng::new(seed);
        let pack = rng.pick(&PACKS);
        let length = rng.pick(&[400, 5000, 90_000]);
        let text = text_of(&mut rng, Style::Words, length);
        let mut packed = pack.of(&text);
        let at = 10 + rng.below(packed.len() - 10);
        if rng.one_in(2) {
            packed.truncate(at);
        } else {
            packed[at] ^= 1 << rng.below(8);
        }
        let what = format!("seed {seed}, {pack:?} of {length}, damaged at {at}");
        Damaged::of(&text, &packed, &what)
    }

    fn of(text: &[u8], packed: &[u8], case: &str) -> Option<Self> {
        let format = CompressionFormat::of(&*plain(packed)).unwrap()?;
        // Without salvage, a table of blocks leads past the damage.
        let read = read(packed, format, 4096);
        read.damage.as_ref()?;
        let lab = Lab::with("packed", packed);
        // If the size is declared, the last byte comes only after its checksum, unless salvaged.
        let salvaged = lab.line("bytes packed 0: --salvage --raw --text --no-index");
        assert_eq!(salvaged.code, Some(0), "{case}: {salvaged}");
        let decoded = salvaged.stdout;
        assert!(decoded.starts_with(&read.text), "{case}");
        let (text, packed, case) = (text.to_vec(), packed.to_vec(), case.to_owned());
        Some(Damaged { lab, packed, text, decoded, case })
    }

    /// Runs `request` on the file without an index, with one, or from a pipe.
    fn ask(&self, request: &str, way: usize) -> Run {
        match way {
            0 => self.lab.line(&format!("{} --no-index", request.replace("{}", "packed"))),
            1 => self.lab.line(&request.replace("{}", "packed")),
            _ => {
                let mut command = self.lab.command();
                command.args(request.replace("{}", "-").split_whitespace()).write_stdin(&self.packed[..]);
                Run::of(&mut command)
            }
        }
    }

    /// Checks the answer to `request` for `start..end` of the decoded text; `reaches` if it asks for more.
    fn check(&self, request: &str, way: usize, start: usize, end: usize, reaches: bool) {
        let right = &self.decoded[start..end];
        let run = self.ask(&format!("{request} --json --text"), way);
        let case =
            format!("{}: {request}, way {way}, {start}..{end} of {}: {run}", self.case, self.decoded.len());
        let answer = run.json();
        let facts = &answer["metadata"];
        assert_eq!(answer["content"].as_str().unwrap().as_bytes(), right, "{case}");
        assert_eq!(facts["eof"], false, "{case}");
        assert!(facts["file_size"].is_null() && facts["total_lines"].is_null(), "{case}");
        let notices: Vec<&str> =
            facts["notices"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        match run.code {
            Some(0) => {
                assert!(!reaches && facts["damaged"].is_null() && run.stderr.is_empty(), "{case}");
                // Without a notice, the text is right.
                let is_right = self.text.get(start..end) == Some(right);
                assert!(is_right || notices.contains(&"checksum_unread"), "{case}");
                if let Some(next) = facts["next"]["range"].as_str().filter(|_| request.starts_with("bytes")) {
                    let from: usize = next.split(':').next().unwrap().parse().unwrap();
                    assert!(from < self.decoded.len() || !notices.contains(&"damaged"), "{case}");
                }
            }
            Some(3) => {
                assert_eq!(facts["damaged"]["offset"], self.decoded.len(), "{case}");
                assert!(
                    facts["damaged"]["reason"].as_str().unwrap().contains("damaged at or before"),
                    "{case}"
                );
                assert!(run.stderr.contains("--salvage"), "{case}");
                assert!(!reaches || facts["next"].is_null(), "{case}");
            }
            _ => panic!("{case}"),
        }
        let raw = self.ask(&format!("{request} --raw --text"), way);
        assert_eq!((raw.code, &raw.stdout[..]), (run.code, right), "{case}: {raw}");
        let front = self.ask(&format!("{request} --text"), way);
        assert_eq!(front.code, run.code, "{case}: {front}");
        assert!(front.stdout.ends_with(right), "{case}: {front}");
        assert_eq!(
            front.stdout.windows(9).any(|it| it == b"\ndamaged:"),
            run.code == Some(3),
            "{case}: {front}"
        );
    }

    /// Checks that `request`, which needs the end, fails, and that its hint returns `start..`.
    fn check_from_the_end(&self, request: &str, way: usize, start: usize) {
        let run = self.ask(&format!("{request} --text"), way);
        assert_eq!((run.code, run.stdout.len()), (Some(3), 0), "{}: {run}", self.case);
        let hint = run.stderr.lines().nth(1).unwrap_or_else(|| panic!("{run}"));
        let hint = hint.rsplit("hint: ").next().unwrap().rsplit("rread ").next().unwrap();
        assert_eq!(
            hint,
            format!("{} --salvage", request.replace("{}", if way == 2 { "-" } else { "packed" }))
        );
        let salvaged = self.ask(&format!("{request} --salvage --json --text"), way);
        let answer = salvaged.json();
        let facts = &answer["metadata"];
        assert_eq!(salvaged.code, Some(0), "{}: {salvaged}", self.case);
        assert_eq!(answer["content"].as_str().unwrap().as_bytes(), &self.decoded[start..], "{salvaged}");
        assert_eq!(facts["notices"].to_string(), r#"["damaged"]"#, "{}: {salvaged}", self.case);
        assert_eq!(facts["damaged"]["offset"], self.decoded.len(), "{salvaged}");
        assert_eq!((&facts["file_size"], &facts["eof"]), (&self.decoded.len().into(), &true.into()));
    }

    /// The start of each line of the decoded text, and the end of the last.
    fn lines(&self) -> Vec<usize> {
        let ends = self.decoded.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let mut lines: Vec<usize> = [0].into_iter().chain(ends).collect();
        if self.decoded.last().is_some_and(|byte| *byte != b'\n') {
            lines.push(self.decoded.len());
        }
        lines
    }

    fn check_all(&self, rng: &mut Rng) {
        if self.decoded.is_empty() || std::str::from_utf8(&self.decoded).is_err() {
            return;
        }
        let (lines, size) = (self.lines(), self.decoded.len());
        let (count, whole) = (lines.len() - 1, self.decoded.iter().filter(|byte| **byte == b'\n').count());
        let way = rng.below(3);
        for _ in 0..3 {
            let first = rng.below(count);
            let last = first + rng.below(count + 3);
            let request = format!("lines {{}} {}:{}", first + 1, last + 1);
            self.check(&request, way, lines[first], lines[(last + 1).min(count)], last + 1 > whole);
            let start = rng.below(size);
            let end = start + rng.below(size + 50);
            self.check(&format!("bytes {{}} {start}:{end}"), way, start, end.min(size), end > size);
        }
        let first = rng.below(count);
        self.check(&format!("lines {{}} {}:", first + 1), way, lines[first], size, true);
        self.check(&format!("bytes {{}} {size}:+10"), way, size, size, true);
        let back = 1 + rng.below(count);
        self.check_from_the_end(&format!("lines {{}} -{back}:"), way, lines[count - back]);
        let back = 1 + rng.below(size);
        self.check_from_the_end(&format!("bytes {{}} -{back}:"), way, size - back);
        for beyond in [format!("lines {{}} {}", count + 2), format!("bytes {{}} {}:+3", size + 1)] {
            let run = self.ask(&format!("{beyond} --text"), way);
            // The index of an .xz file has the text size, whatever the damage.
            if run.code == Some(5) && self.case.contains("Xz") && size == self.text.len() {
                continue;
            }
            assert_eq!((run.code, run.stdout.len()), (Some(3), 0), "{}: {run}", self.case);
            assert!(run.stderr.contains("cannot be read") && run.stderr.contains("--salvage"), "{run}");
        }
    }
}

/// Every answer is a slice of the text that can be decoded, and reports the damage in it.
#[test]
fn a_damaged_file_is_read_as_far_as_it_goes() {
    for seed in 0..cases(24, 10) {
        if let Some(damaged) = Damaged::random(seed) {
            damaged.check_all(&mut Rng::new(seed ^ 77));
        }
    }
}

#[test]
fn a_file_cut_anywhere_returns_its_front_and_reports_the_damage() {
    let text = b"one line\nand another\nthe third line, which is the last\n".repeat(3);
    for pack in [Pack::Gzip, Pack::GzipMembers, Pack::Zstd, Pack::Xz, Pack::Bzip2, Pack::Lz4] {
        let packed = pack.of(&text);
        for at in (12..packed.len()).step_by(cases(5, 16)) {
            let case = format!("{pack:?} cut at {at} of {}", packed.len());
            let Some(damaged) = Damaged::of(&text, &packed[..at], &case) else { continue };
            assert!(text.starts_with(&damaged.decoded), "{case}");
            damaged.check("lines {}", at % 3, 0, damaged.decoded.len(), true);
        }
    }
}

#[test]
fn a_range_of_no_lines_before_damage_is_complete_with_context_too() {
    let packed = [&gzip(b"a\n", 6)[..], &gzip(b"b\n", 6)[..11]].concat();
    let lab = Lab::with("packed", &packed);
    for range in ["2:+0", "2:+0 -C 1", "2:+0 -A 3"] {
        let run = lab.line(&format!("lines packed {range}"));
        assert_eq!(run.code, Some(0), "{range}: {run}");
    }
    let run = lab.line("lines packed 1:2");
    assert_eq!(run.code, Some(3), "{run}");
}

/// All pieces together are the text that can be decoded.
#[test]
fn next_leads_to_the_damage_and_not_beyond_it() {
    let text = text_of(&mut Rng::new(8), Style::Words, 60_000);
    let packs = [Pack::Gzip, Pack::ZstdFrames, Pack::Bzip2Streams, Pack::Bgzf];
    for (n, pack) in packs.into_iter().enumerate() {
        let packed = pack.of(&text);
        let damaged = Damaged::of(&text, &packed[..packed.len() * 3 / 4], &format!("{pack:?}")).unwrap();
        let firsts =
            ["lines packed 1:30", "bytes packed 0:700", "page packed 1", "page packed 1 --page-size 900"];
        // In a sample, every pack has one of the requests.
        for first in firsts.into_iter().skip(cases(0, n)).take(cases(4, 1)) {
            let (mut request, mut pieces, mut last) = (first.to_owned(), String::new(), None);
            for _ in 0..1000 {
                let run = damaged.lab.line(&format!("{request} --json --no-index"));
                let answer = run.json();
                pieces.push_str(answer["content"].as_str().unwrap());
                last = run.code;
                let next = &answer["metadata"]["next"];
                if next.is_null() {
                    break;
                }
                let size =
                    next["page_size"].as_u64().map_or(String::new(), |size| format!(" --page-size {size}"));
                let (verb, range) = (next["command"].as_str().unwrap(), next["range"].as_str().unwrap());
                request = format!("{verb} packed {range}{size}");
            }
            assert!(pieces.as_bytes() == damaged.decoded, "{pack:?} {first}: {} bytes", pieces.len());
            assert_eq!(last, Some(3), "{pack:?} {first}");
        }
    }
}

/// Such a slice has exit code 3; a slice elsewhere has 0.
#[test]
fn every_slice_of_text_with_a_wrong_checksum_reports_it() {
    let text = text_of(&mut Rng::new(9), Style::Words, 50_000);
    for (name, mut packed) in
        [("gzip", gzip(&text, 6)), ("zstd", zstd(&text, 3)), ("xz", xz(&text, 6)), ("bzip2", bzip2(&text, 9))]
    {
        let whole = Lab::with("packed", &packed);
        for request in ["lines packed 3:5", "bytes packed 100:200", "where packed --line 4", "stat packed"] {
            let answer = whole.json(&format!("{request} --no-index"));
            let facts = answer.get("metadata").unwrap_or(&answer);
            assert!(facts["notices"].is_null(), "{name}: {request}: {answer}");
        }
        // A byte of the checksum of the text; in .xz, an index and a footer of 12 bytes each follow it.
        let at = match name {
            "gzip" => packed.len() - 6,
            "zstd" => packed.len() - 2,
            "xz" => packed.len() - 12 - 12 - 4,
            _ => 11,
        };
        packed[at] ^= 1;
        let lab = Lab::with("packed", &packed);
        for request in ["lines packed 3:5", "bytes packed 100:200", "page packed 2", "where packed --line 4"]
        {
            for option in ["--json", "--raw", "--xml", "--format frontmatter"] {
                let run = lab.line(&format!("{request} {option}"));
                assert!(run.code == Some(3) && !run.stdout.is_empty(), "{name}: {run}");
                assert!(run.stderr.contains("damaged at or before byte"), "{name}: {run}");
                let salvaged = lab.line(&format!("{request} {option} --salvage")).ok();
                let said = String::from_utf8_lossy(&salvaged.stdout).contains("damaged");
                assert_eq!(said, option != "--raw" || request.starts_with("where"), "{name}: {salvaged}");
            }
        }
        let stat = lab.json("stat packed");
        assert!(stat["damaged"]["offset"] == text.len() && stat["notices"][0] == "damaged", "{name}: {stat}");
        let counted = lab.line("stat packed --count --json");
        assert!(counted.code == Some(3) && counted.json()["lines"].is_null(), "{name}: {counted}");
        let counted = lab.json("stat packed --count --salvage");
        assert!(counted["total"] == text.len() && counted["lines"].is_u64(), "{name}: {counted}");
    }
}

/// The notice stays until the index has the result of the checksum.
#[test]
fn a_checksum_that_is_far_away_is_not_read_and_a_notice_says_so() {
    let mut rng = Rng::new(10);
    let text: Vec<u8> = (0..14_000_000usize)
        .map(|n| if n % 80 == 79 { b'\n' } else { b' ' + u8::try_from(rng.below(90)).unwrap() })
        .collect();
    let packed = gzip(&text, 1);
    assert!(packed.len() > 10 << 20, "{}", packed.len());
    let lab = Lab::with("packed", &packed);
    for request in
        ["lines packed 3:5", "bytes packed 100:200", "page packed 2", "where packed --line 4", "stat packed"]
    {
        let answer = lab.json(
            &format!("{request} --text --no-index")
                .replace("stat packed --text", "stat packed")
                .replace("4 --text", "4"),
        );
        let facts = answer.get("metadata").unwrap_or(&answer);
        assert_eq!(facts["notices"].to_string(), r#"["checksum_unread"]"#, "{request}: {facts}");
    }
    let last = lab.json("bytes packed 13999000:+10 --text --no-index");
    assert!(last["metadata"]["notices"].is_null(), "{last}");
    lab.line("index build packed").ok();
    for request in ["lines packed 3:5", "bytes packed 100:200", "page packed 2"] {
        let answer = lab.json(&format!("{request} --text"));
        assert!(answer["metadata"]["notices"].is_null(), "{request}: {answer}");
    }
    let place = lab.json("where packed --line 4");
    assert!(place["notices"].is_null(), "{place}");
}

#[test]
#[cfg(unix)]
fn rread_does_not_wait_for_the_checksum_of_a_pipe() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    let text = text_of(&mut Rng::new(11), Style::Words, 90_000);
    let packed = gzip(&text, 6);
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_rread"))
        .at_home(home.path())
        .args(["lines", "-", "1:3", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(&packed[..packed.len() / 2]).unwrap();
    input.flush().unwrap();
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(answer["metadata"]["notices"].to_string(), r#"["checksum_unread"]"#, "{answer}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(input);
}

#[test]
fn a_window_that_reaches_damage_says_so() {
    let line = |n: usize| {
        format!(
            "2026-11-28 {:02}:{:02}:{:02} INFO id={:x}\n",
            n / 3600,
            n / 60 % 60,
            n % 60,
            n.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        )
    };
    let text: String = (0..20_000).map(line).collect();
    let sandbox = Sandbox::with("a.log", &text);
    let packed =
        std::process::Command::new("gzip").arg("-k").current_dir(sandbox.path("")).arg("a.log").status();
    if !packed.is_ok_and(|status| status.success()) {
        return;
    }
    let packed = std::fs::read(sandbox.path("a.log.gz")).unwrap();
    sandbox.file("cut.gz", &packed[..packed.len() * 2 / 3]);
    for (window, code) in [
        ("--since 2026-11-28T05:10:00 --until 2026-11-28T05:10:02", 3),
        ("--since 2026-11-28T05:10:00", 3),
        ("--since 2026-11-28T01:00:00", 3),
        ("--since 2026-11-28T01:00:00 --until 2026-11-28T01:00:02", 0),
    ] {
        for rest in ["", " --raw", " -f text", " --json"] {
            let run = sandbox.line(&format!("lines cut.gz {window}{rest}"));
            assert_eq!(run.code, code, "{window}{rest}: {run}");
        }
        let merged = sandbox.line(&format!("lines cut.gz a.log --merge {window}"));
        assert_eq!(merged.code, code, "{window} --merge: {merged}");
        assert_eq!(sandbox.line(&format!("lines cut.gz {window} --salvage --raw")).code, 0, "{window}");
        sandbox.line(&format!("lines a.log.gz {window} --raw")).ok();
    }
}
