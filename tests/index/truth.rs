//! Answers report the index and the bytes scanned truthfully, and with an index these bytes are few.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use rread_reader::reader::{Reader, Tuning};
use rread_source::file::FileSource;
use rread_source::version::Version;
use rread_source::{Change, Source, SourceInfo};
use rread_testkit::ask::B;
use rread_testkit::bulk::{Style, number_line, numbered, set_modified, settle, text_of};
use rread_testkit::lab::Lab;
use rread_testkit::rng::Rng;

/// Two blocks: that of the line's start and that of its end.
const TWO_BLOCKS: u64 = 2 * B as u64;

/// On Windows, a sample is compared too, because programs can set back every time: all blocks up to 32 MiB.
const FEW: u64 = TWO_BLOCKS + if cfg!(windows) { 512 * B as u64 } else { 0 };

/// Lines of a file of some 64 MiB.
const LINES: u64 = 1_100_000;

fn append(path: &Path, bytes: &[u8]) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

#[test]
fn the_second_request_to_a_large_file_reads_two_blocks_at_most() {
    let mut lab = Lab::with("text", numbered(1..=LINES));
    lab.set("RREAD_INDEX_MIN", "");
    let size = lab.path("text").metadata().unwrap().len();
    assert!(size > 56 << 20, "{size} bytes");
    let ask = |line: u64| {
        let answer = lab.json(&format!("lines text {line}"));
        assert_eq!(answer["content"], String::from_utf8(number_line(line)).unwrap());
        let facts = &answer["metadata"];
        (facts["index"].as_str().unwrap().to_owned(), facts["bytes_scanned"].as_u64().unwrap())
    };
    let middle = LINES / 2;
    let (index, scanned) = ask(middle);
    assert_eq!(index, "built");
    assert!(scanned > size / 3 && scanned < size, "{scanned} of {size}");
    for line in [middle, 1, 12_345, middle - 1000] {
        let (index, scanned) = ask(line);
        assert!(index == "hit" && scanned <= FEW, "line {line}: {index}, {scanned} bytes");
    }
    // Further on: only what was not yet scanned.
    let (index, scanned) = ask(LINES - 100);
    assert!(index == "extended" && scanned < size * 2 / 3 + FEW, "{index}, {scanned} bytes");
    let built = lab.json("index build text");
    assert_eq!((&built["index"], &built["total_lines"]), (&"extended".into(), &LINES.into()));
    assert_eq!(lab.outcome("index build text").0, "hit");
    for line in
        ["where text --line 900000", "where text --byte 30000000", "bytes text 30000000:+10", "stat text"]
    {
        let (index, scanned) = lab.outcome(line);
        assert!(index == "hit" && scanned <= FEW, "{line}: {index}, {scanned} bytes");
    }
    // Millions of lines from the end, with their numbers.
    let back = lab.json(&format!("lines text -{}:+1 -n", LINES - 776));
    assert_eq!(back["metadata"]["actual_range"]["start_line"], 777);
    assert!(back["metadata"]["bytes_scanned"].as_u64().unwrap() <= TWO_BLOCKS + FEW, "{back}");

    // Growing by a MiB costs that MiB and the validated blocks, 8 MiB.
    settle();
    append(&lab.path("text"), &numbered(LINES + 1..=LINES + 20_000));
    let (index, scanned) = ask(middle);
    assert!(index == "hit" && scanned <= (9 << 20), "{index}, {scanned} bytes");
    let (index, scanned) = ask(LINES + 19_000);
    assert!(scanned <= (16 << 20), "{index}, {scanned} bytes");
    settle();
    assert_eq!(lab.json("index build text")["total_lines"], LINES + 20_000);

    // A rotated log keeps its index; the new file of its name does not get it.
    fs::rename(lab.path("text"), lab.path("text.1")).unwrap();
    lab.file("text", numbered(5..=LINES / 2));
    let (index, scanned) = lab.outcome("where text.1 --line 900000");
    assert!(index == "hit" && scanned <= (9 << 20), "{index}, {scanned} bytes");
    assert_eq!(lab.json("where text.1 --line -1")["line"], LINES + 20_000);
    let run = lab.line("lines text 300000 --raw").ok();
    assert_eq!(run.stdout, number_line(300_004));
}

#[test]
fn the_word_for_the_index_is_true() {
    let lab = Lab::with("text", text_of(&mut Rng::new(2), Style::Words, 10 * B));
    let outcome = |line: &str| lab.outcome(line).0;
    assert_eq!(outcome("where text --line 100 --no-index"), "none");
    assert_eq!(outcome("where text --line 100"), "built");
    let index = fs::read(lab.index()).unwrap();
    assert_eq!(outcome("where text --line 100"), "hit");
    assert_eq!(outcome("stat text --count"), "hit");
    assert_eq!(fs::read(lab.index()).unwrap(), index, "a hit writes nothing");
    append(&lab.path("text"), &numbered(1..=5000));
    settle();
    assert_eq!(outcome("stat text --count"), "extended");
    assert_ne!(fs::read(lab.index()).unwrap(), index);
    // Rewritten: the saved index is useless and built again.
    fs::write(lab.path("text"), numbered(1..=5000)).unwrap();
    settle();
    assert_eq!(outcome("stat text --count"), "built");
    assert_eq!(outcome("stat text"), "hit");
    let cleared = lab.json("index clear text");
    assert_eq!(cleared["removed"], 1);
    assert_eq!(outcome("stat text"), "none");
}

#[test]
fn a_time_in_the_future_does_not_keep_a_file_from_being_indexed() {
    let lab = Lab::with("text", numbered(1..=9000));
    set_modified(&lab.path("text"), SystemTime::now() + Duration::from_secs(1_000_000));
    settle();
    assert_eq!(lab.outcome("where text --line 100").0, "built");
    // Another change would get another time.
    assert_eq!(lab.outcome("where text --line 100").0, "hit");
}

#[test]
fn show_reports_what_the_index_covers_and_whether_it_is_valid() {
    let lab = Lab::with("text", text_of(&mut Rng::new(2), Style::Words, 10 * B + 5));
    let state = || lab.json("index show text")["state"].as_str().unwrap().to_owned();
    assert_eq!(state(), "absent");
    lab.line("index build text").ok();
    let shown = lab.json("index show text");
    assert_eq!((&shown["state"], &shown["complete"]), (&"fresh".into(), &true.into()));
    assert_eq!((&shown["covered"], &shown["total"]), (&(10 * B).into(), &(10 * B + 5).into()));
    assert_eq!(Path::new(shown["index_file"].as_str().unwrap()), lab.index());
    assert_eq!(shown["index_bytes"], lab.index().metadata().unwrap().len());
    append(&lab.path("text"), b"more\n");
    assert_eq!(state(), "grown");
    lab.line("index build text").ok();
    settle();
    lab.line("index build text").ok();
    fs::rename(lab.path("text"), lab.path("text.1")).unwrap();
    // A rename leaves no sign on Windows.
    let renamed = if cfg!(windows) { "fresh" } else { "renamed" };
    assert_eq!(lab.json("index show text.1")["state"], renamed);
    fs::rename(lab.path("text.1"), lab.path("text")).unwrap();
    lab.line("stat text --count").ok();
    fs::write(lab.path("text"), text_of(&mut Rng::new(3), Style::Words, 10 * B + 10)).unwrap();
    assert_eq!(state(), "stale");
    assert_eq!(lab.json("index list")["indexes"].as_array().unwrap().len(), 1);
    lab.line("index clear --all").ok();
    assert_eq!(state(), "absent");
}

/// Offsets and lengths of reads.
type Notes = Arc<Mutex<Vec<(u64, u64)>>>;

/// A file that records its reads.
struct Noting(FileSource, Notes);

impl Source for Noting {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let got = self.0.read_at(buffer, offset)?;
        self.1.lock().unwrap().push((offset, got as u64));
        Ok(got)
    }

    fn size(&self) -> Option<u64> {
        self.0.size()
    }

    fn version(&self) -> io::Result<Option<Version>> {
        self.0.version()
    }

    fn changed(&self) -> io::Result<Option<Change>> {
        self.0.changed()
    }

    fn info(&self) -> SourceInfo<'_> {
        self.0.info()
    }
}

/// A reader of `text` with an index, and its reads.
fn noting(lab: &Lab) -> (Reader, Notes) {
    let notes = Notes::default();
    let path = lab.path("text");
    let file = FileSource::new(File::open(&path).unwrap()).unwrap();
    let reader = Reader::new(Box::new(Noting(file, Arc::clone(&notes))), Tuning::default()).unwrap();
    reader.use_index(&path, &lab.policy());
    (reader, notes)
}

/// The bytes that the reader reports as scanned for an answer, and the bytes it read.
fn scanned_and_read(lab: &Lab, request: impl Fn(&Reader) -> u64) -> (u64, u64) {
    let (reader, notes) = noting(lab);
    request(&reader);
    reader.save_index(false);
    let read = notes.lock().unwrap().iter().map(|(_, got)| got).sum();
    (reader.scanned(), read)
}

#[test]
fn the_bytes_reported_as_scanned_are_those_that_were_read() {
    let lab = Lab::with("text", text_of(&mut Rng::new(9), Style::Words, 100 * B));
    let check = |what: &str, request: &dyn Fn(&Reader) -> u64| {
        let (scanned, read) = scanned_and_read(&lab, request);
        // Not reported: the first bytes, read to detect the content; the rest of the last four blocks, which one
        // read fetches; and the block of a found line, read again.
        assert!(read <= scanned + 6 * B as u64, "{what}: {scanned} bytes reported, {read} read");
        assert!(scanned <= read, "{what}: {scanned} bytes reported, {read} read");
    };
    let line = |reader: &Reader| reader.find_lines(&[60_000], false).unwrap().boundaries[0].offset;
    check("no index", &line);
    check("an index", &line);
    check("a whole count", &|reader| reader.count_lines().unwrap());
    check("a place", &|reader| reader.newlines_before(70 * B as u64).unwrap());
    append(&lab.path("text"), b"more\n");
    check("a file that has grown", &line);
    settle();
    check("a file that has grown, counted", &|reader| reader.count_lines().unwrap());
    fs::rename(lab.path("text"), lab.path("elsewhere")).unwrap();
    fs::rename(lab.path("elsewhere"), lab.path("text")).unwrap();
    check("a file that was renamed", &line);
    // A line may begin far before the byte.
    fs::write(lab.path("text"), text_of(&mut Rng::new(1), Style::OneLine, 40 * B)).unwrap();
    settle();
    check("a long line", &|reader| reader.line_start(40 * B as u64 - 1).unwrap());
}

/// In a large file that has grown, a sample of blocks is compared, always with the first and the last.
#[test]
fn a_grown_file_is_trusted_after_a_sample_of_blocks() {
    for blocks in [511, 512, 513, 1024] {
        let lab = Lab::new();
        let file = File::create(lab.path("text")).unwrap();
        file.set_len(blocks * B as u64).unwrap();
        settle();
        lab.line("index build text").ok();
        file.set_len(blocks * B as u64 + 1).unwrap();
        settle();
        let (reader, notes) = noting(&lab);
        let looked_at = |notes: &[(u64, u64)]| -> Vec<u64> {
            notes.iter().filter(|note| note.1 == B as u64).map(|(offset, _)| offset / B as u64).collect()
        };
        // The first read detects the content.
        let all = looked_at(&notes.lock().unwrap()[1..]);
        let chosen: BTreeSet<u64> = all.iter().copied().collect();
        assert_eq!(reader.scanned(), all.len() as u64 * B as u64);
        assert_eq!(chosen.first().zip(chosen.last()), Some((&0, &(blocks - 1))));
        assert_eq!(all.len(), if blocks <= 512 { usize::try_from(blocks).unwrap() } else { 128 });
        let halves = chosen.range(blocks / 2..).count();
        assert!(chosen.len() > 100 && halves > 40 && halves < chosen.len() - 40, "{chosen:?}");
        // From then on the index is used: the last block is compared once.
        assert_eq!(reader.count_lines().unwrap(), 1);
        assert!(reader.scanned() <= (all.len() as u64 + 2) * B as u64);
        let before = reader.scanned();
        assert_eq!(reader.newlines_before(blocks * B as u64).unwrap(), 0);
        assert_eq!(reader.scanned(), before, "{blocks}");
    }
}
