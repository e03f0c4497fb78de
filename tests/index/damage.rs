//! A damaged, cut or foreign index counts as none: the same answers, and no message.

use std::fs;
use std::path::Path;

use rread_reader::index::Policy;
use rread_reader::reader::{Reader, Tuning};
use rread_source::open::open;
use rread_testkit::ask::{B, Request, ask, check};
use rread_testkit::bulk::{Style, number_line, numbered, settle, text_of};
use rread_testkit::lab::Lab;
use rread_testkit::naive::Whole;
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;

/// A file, its content, and the bytes of its index.
struct Case {
    lab: Lab,
    bytes: Vec<u8>,
    index: Vec<u8>,
    requests: Vec<Request>,
}

impl Case {
    fn new(style: Style, length: usize) -> Self {
        let bytes = text_of(&mut Rng::new(11), style, length);
        let lab = Lab::with("text", &bytes);
        let reader = Reader::new(open(&lab.path("text")).unwrap(), Tuning::default()).unwrap();
        reader.use_index(&lab.path("text"), &lab.policy());
        reader.count_lines().unwrap();
        reader.save_index(true);
        Case::of(lab, bytes)
    }

    /// The file `text` of `lab` with a whole index, and requests about every part of it.
    fn of(lab: Lab, bytes: Vec<u8>) -> Self {
        let index = fs::read(lab.index()).unwrap();
        let whole = Whole::new(&bytes);
        let blocks = whole.size() / B as u64;
        let line = |block: u64| whole.newlines_before(block * B as u64 + 100) + 1;
        let requests = vec![
            Request::Front(vec![1, line(blocks / 2), line(blocks)]),
            Request::Known,
            Request::Before(blocks / 2 * B as u64 + 5),
            Request::Count,
        ];
        Case { lab, bytes, index, requests }
    }

    /// Replaces the index by `index`, and sends the requests.
    fn is_right_with(&self, index: &[u8], whole: &Whole, name: &Path, what: &str) {
        let path = self.lab.path("text");
        let policy = Policy { write: false, ..self.lab.policy() };
        fs::write(name, index).unwrap();
        for request in &self.requests {
            ask(&path, whole, Some(&policy), Tuning::default(), request, &what);
        }
    }
}

#[test]
fn any_byte_of_an_index_may_be_wrong() {
    let case = Case::new(Style::Words, 3 * B + 500);
    let (whole, name) = (Whole::new(&case.bytes), case.lab.index());
    assert_eq!(case.index.len(), 8192, "a header and a page of records");
    // Coprime to 3 and to 8, so that every kind of change has its turn.
    for at in (0..case.index.len()).step_by(cases(1, 11)) {
        let mut index = case.index.clone();
        // Flip every bit in turn; invert every third byte.
        index[at] ^= if at % 3 == 0 { 0xFF } else { 1 << (at % 8) };
        case.is_right_with(&index, &whole, &name, &format!("byte {at} flipped"));
    }
}

#[test]
fn the_program_does_not_report_a_wrong_byte_and_repairs_it() {
    let case = Case::new(Style::Words, 3 * B + 500);
    let (whole, name) = (Whole::new(&case.bytes), case.lab.index());
    let line = whole.newlines_before(2 * B as u64) + 1;
    let from = usize::try_from(whole.after(line - 1)).unwrap();
    let to = usize::try_from(whole.after(line)).unwrap();
    for at in (0..case.index.len()).step_by(cases(173, 719)) {
        let mut index = case.index.clone();
        index[at] ^= 1 << (at % 8);
        fs::write(&name, &index).unwrap();
        let run = case.lab.line(&format!("lines text {line} --raw")).ok();
        assert!(run.stdout == case.bytes[from..to], "byte {at}: {run}");
        let outcome = case.lab.outcome(&format!("where text --line {line}")).0;
        assert_eq!(outcome, "hit", "byte {at}: what was found damaged was made anew");
    }
}

/// A change of one page of the index, at an offset.
type Change = fn(&mut Vec<u8>, usize);

#[test]
fn an_index_may_be_cut_filled_doubled_or_replaced() {
    // Enough records for a header, two whole pages and an incomplete one.
    let part = text_of(&mut Rng::new(11), Style::Crlf, 6 << 20);
    let large = part.repeat(6);
    let lab = Lab::with("text", &large);
    lab.line("index build text").ok();
    let case = Case::of(lab, large);
    assert_eq!(case.index.len(), 4 * 4096);
    let (whole, name, index) = (Whole::new(&case.bytes), case.lab.index(), &case.index);
    let check = |bytes: &[u8], what: &str| case.is_right_with(bytes, &whole, &name, what);
    for edge in (0..=index.len()).step_by(4096) {
        // In a sample, the edges have one of the cuts each, in turn.
        let cuts = [edge.saturating_sub(1), edge, edge + 1];
        for cut in cuts.into_iter().skip(cases(0, edge / 4096 % 3)).take(cases(3, 1)) {
            check(&index[..cut.min(index.len())], &format!("cut to {cut}"));
        }
    }
    for page in (0..index.len()).step_by(4096) {
        let changes: [(&str, Change); 3] = [
            ("zeroed", |index, page| index[page..page + 4096].fill(0)),
            ("replaced by the first", |index, page| index.copy_within(4096..8192, page)),
            ("left out", |index, page| drop(index.drain(page..page + 4096))),
        ];
        // In a sample, every page has one of the changes.
        for (what, change) in changes.into_iter().skip(cases(0, (page / 4096 + 1) % 3)).take(cases(3, 1)) {
            let mut wrong = index.clone();
            change(&mut wrong, page);
            check(&wrong, &format!("page at {page} {what}"));
        }
    }
    check(&index.repeat(2), "doubled");
    check(&vec![0; index.len()], "zeroed");
    check(&vec![0xFF; index.len()], "all ones");
    check(&text_of(&mut Rng::new(1), Style::Words, 50_000), "garbage");
    check(b"", "empty");
    let mut rng = Rng::new(5);
    for n in 0..cases(30, 4) {
        let mut wrong = index.clone();
        let at = rng.below(wrong.len());
        wrong[at] ^= 1 << rng.below(8);
        check(&wrong, &format!("{n}: byte {at} flipped"));
    }
}

#[test]
fn a_file_of_another_kind_in_place_of_the_index_costs_only_the_index() {
    let lab = Lab::with("text", numbered(1..=9000));
    lab.line("index build text").ok();
    let name = lab.index();
    let right = |what: &str| {
        let run = lab.line("lines text 7777 --raw").ok();
        assert!(run.stdout == number_line(7777), "{what}: {run}");
        assert_eq!(lab.json("where text --line 8000")["line"], 8000, "{what}");
    };
    fs::remove_file(&name).unwrap();
    fs::create_dir(&name).unwrap();
    right("a directory");
    fs::write(name.join("something"), "in it").unwrap();
    right("a directory that is not empty");
    assert_eq!(fs::read(name.join("something")).unwrap(), b"in it");
    fs::remove_dir_all(&name).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&name).status();
    if made.is_ok_and(|status| status.success()) {
        right("a FIFO, which would keep its reader waiting");
    } else {
        eprintln!("SKIPPED: mkfifo is missing");
    }
}

#[test]
fn an_index_of_another_file_is_not_trusted() {
    let lab = Lab::new();
    lab.file("other", numbered(5..=9004));
    lab.file("text", numbered(1..=9000));
    settle();
    lab.line("index build other").ok();
    let other = lab.index();
    lab.line("index build text").ok();
    let own =
        lab.cached().into_iter().map(|name| lab.cache().join(name)).find(|name| *name != other).unwrap();
    let (own_bytes, other_bytes) = (fs::read(&own).unwrap(), fs::read(&other).unwrap());
    let right = |what: &str| {
        assert_eq!(lab.line("lines text 7777 --raw").ok().stdout, number_line(7777), "{what}");
        assert_eq!(lab.json("stat text --count")["lines"], 9000, "{what}");
    };
    fs::write(&own, &other_bytes).unwrap();
    right("the index of another file");
    // The header of one, the records of the other: each page alone is intact.
    fs::write(&own, [&own_bytes[..4096], &other_bytes[4096..]].concat()).unwrap();
    right("the records of another file");
    fs::write(&own, [&other_bytes[..4096], &own_bytes[4096..]].concat()).unwrap();
    right("the header of another file");
}

/// A file of `bytes` with an intact index that has the file's identity and the records of `before`.
fn with_index_of(before: &[u8], bytes: &[u8]) -> Lab {
    let lab = Lab::with("text", before);
    let build = || {
        settle();
        lab.line("index build text").ok();
        fs::read(lab.index()).unwrap()
    };
    let mut index = build();
    lab.file("text", bytes);
    let now = build();
    // The identity, in words of eight bytes: device, inode, size, times and name.
    index[24..80].copy_from_slice(&now[24..80]);
    let sum = xxhash_rust::xxh3::xxh3_64(&index[..4088]);
    index[4088..4096].copy_from_slice(&sum.to_le_bytes());
    fs::write(lab.index(), &index).unwrap();
    lab
}

#[test]
fn an_index_of_earlier_content_costs_a_second_look() {
    let before = b"a line.\n".repeat(30_000);
    let mut bytes = before.clone();
    bytes[..8000].iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
    let lab = with_index_of(&before, &bytes);
    assert_eq!(lab.line("lines text 10,-2: --raw").ok().stdout, b"a line.\n".repeat(3));
}

/// A scan continues from the last block of the index, and the total also depends on the bytes after it.
#[test]
fn a_scan_continues_from_an_index_only_if_its_end_is_unchanged() {
    let before = b"a line.\n".repeat(3 * B / 8 + 100);
    for changed in [3 * B - 80..3 * B, 3 * B..3 * B + 80] {
        let mut bytes = before.clone();
        bytes[changed].iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
        let lab = with_index_of(&before, &bytes);
        let policy = Policy { write: false, ..lab.policy() };
        let whole = Whole::new(&bytes);
        let last = whole.lines();
        // More bytes than the lines after the index, fewer than all: the reader compared its end.
        for requests in
            [vec![Request::Front(vec![last - 5]), Request::Count], vec![Request::Before(3 * B as u64 + 99)]]
        {
            let reader = Reader::new(open(&lab.path("text")).unwrap(), Tuning::default()).unwrap();
            reader.use_index(&lab.path("text"), &policy);
            for request in requests {
                check(&reader, &whole, &request, &"changed at the end");
            }
        }
        if bytes[..3 * B] == before[..3 * B] {
            ask(
                &lab.path("text"),
                &whole,
                Some(&policy),
                Tuning::default(),
                &Request::Known,
                &"changed after the index",
            );
        }
    }
}
