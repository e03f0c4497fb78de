//! Merges of random files against a merge of their records in memory.

use std::cell::RefCell;
use std::ops::Range;

use rread_reader::reader::{Reader, Tuning};
use rread_reader::times::merge::{Files, Merge, MergedFile, RecordStart, Run, RunPart, part_of};
use rread_reader::times::{Log, TimeOptions};
use rread_source::compressed::{Compressed, CompressionFormat};
use rread_source::{MemorySource, Source};
use rread_testkit::pack;
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_text::encoding::Choice;
use rread_text::error::Result;

/// A file: its bytes, and its lines with the times of the records that they begin.
struct Sample {
    bytes: Vec<u8>,
    lines: Vec<(Range<usize>, Option<i64>)>,
}

/// A log with ties, disorder, lines before the first time, records of several lines, and lines longer than a block.
fn sample(rng: &mut Rng, start: i64) -> Sample {
    let end = rng.pick(&["\n", "\n", "\r\n"]);
    let is_wide = rng.one_in(6);
    let (mut texts, mut clock): (Vec<(String, Option<i64>)>, i64) = (Vec::new(), start);
    for n in 0..rng.below(3) {
        texts.push((format!("banner {n}{end}"), None));
    }
    let steps = rng.pick(&[1, 2, 20]);
    for n in 0..3 + rng.below(60) {
        clock += i64::try_from(rng.below(steps)).unwrap();
        let late = if rng.one_in(8) { i64::try_from(rng.below(30)).unwrap() } else { 0 };
        let shown = jiff::Timestamp::from_second(clock - late).unwrap().strftime("%Y-%m-%dT%H:%M:%SZ");
        let length = if rng.one_in(30) { 20_000 + rng.below(40_000) } else { rng.below(40) };
        texts.push((format!("{shown} {n} {}{end}", "x".repeat(length)), Some(clock - late)));
        for more in 0..if rng.one_in(4) { 1 + rng.below(3) } else { 0 } {
            texts.push((format!("\tat line {more}{end}"), None));
        }
    }
    if rng.one_in(3) {
        let last = &mut texts.last_mut().unwrap().0;
        last.truncate(last.trim_end().len());
    }
    let encode = |text: &str| match is_wide {
        true => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        false => text.as_bytes().to_vec(),
    };
    let (mut bytes, mut lines) = (Vec::new(), Vec::new());
    if is_wide {
        bytes.extend_from_slice(b"\xFF\xFE");
    }
    for (n, (text, time)) in texts.iter().enumerate() {
        let from = if n == 0 { 0 } else { bytes.len() };
        bytes.extend_from_slice(&encode(text));
        lines.push((from..bytes.len(), *time));
    }
    Sample { bytes, lines }
}

struct InMemory<'s> {
    samples: &'s [Sample],
    opened: RefCell<Vec<usize>>,
    is_packed: bool,
}

impl Files for InMemory<'_> {
    type Open = Reader;

    fn open(&self, index: usize) -> Result<Reader> {
        self.opened.borrow_mut().push(index);
        Ok(reader(&self.samples[index].bytes, self.is_packed))
    }

    fn close(&self, index: usize, _: Reader) -> Result<()> {
        self.opened.borrow_mut().retain(|open| *open != index);
        Ok(())
    }

    fn reader(file: &Reader) -> &Reader {
        file
    }
}

fn reader(bytes: &[u8], is_packed: bool) -> Reader {
    let memory = |bytes| Box::new(MemorySource::new(bytes));
    let source: Box<dyn Source> = match is_packed {
        true => Box::new(Compressed::new(memory(pack::gzip(bytes, 1)), CompressionFormat::Gzip).unwrap()),
        false => memory(bytes.to_vec()),
    };
    let mut reader = Reader::new(source, Tuning::default()).unwrap();
    let choice = if bytes.starts_with(b"\xFF\xFE") { "utf-16le" } else { "utf-8" };
    reader.read_as(choice.parse::<Choice>().unwrap(), std::path::Path::new("f")).unwrap();
    reader
}

/// The file from an offset on.
fn file(sample: &Sample, from: u64) -> MergedFile {
    let reader = reader(&sample.bytes, false);
    let options = TimeOptions { zone: Some("UTC".to_owned()), ..TimeOptions::default() };
    let log = Log::open(&reader, &options).unwrap().expect("times");
    let spans = std::iter::once(from..sample.bytes.len() as u64).collect();
    MergedFile::new(&log, spans, |start| Ok(reader.newlines_before(start)? + 1)).unwrap()
}

/// The lines in the order of a merge, as files and their places: a record that is earlier than one before it in its file
/// counts as that one's time, and what has no time as that of the record before it, or of the first.
fn expected(samples: &[Sample]) -> Vec<(usize, Range<u64>)> {
    let mut keyed = Vec::new();
    for (index, sample) in samples.iter().enumerate() {
        let first = sample.lines.iter().find_map(|(_, time)| *time).unwrap();
        let mut latest = first;
        for (line, (place, time)) in sample.lines.iter().enumerate() {
            latest = latest.max(time.unwrap_or(latest));
            keyed.push(((latest, index, line), (index, place.start as u64..place.end as u64)));
        }
    }
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, line)| line).collect()
}

/// All bytes of a merge with the files that they are from, and the runs.
fn merged(samples: &[Sample], files: &[MergedFile], block: usize) -> (Vec<(usize, Range<u64>)>, Vec<Run>) {
    let opener = InMemory { samples, opened: RefCell::default(), is_packed: false };
    let mut merge = Merge::with_blocks(&opener, files, block).with_records();
    let (mut pieces, mut runs) = (Vec::new(), Vec::new());
    loop {
        let run = merge.next_run(&mut |_, piece| {
            if let Some(bytes) = piece.bytes {
                let place = usize::try_from(piece.start).unwrap()..usize::try_from(piece.end).unwrap();
                assert_eq!(bytes, &samples[piece.file].bytes[place]);
            }
            check_records(&samples[piece.file], &piece);
            pieces.push((piece.file, piece.start..piece.end));
            Ok(())
        });
        let Some(run) = run.unwrap() else { break };
        runs.push(run);
    }
    merge.finish().unwrap();
    assert!(opener.opened.borrow().is_empty());
    (pieces, runs)
}

/// A piece has the records that begin in it, with their lines and the latest time of their file, if all of it is merged.
fn check_records(sample: &Sample, piece: &RunPart<'_>) {
    let mut latest = None;
    let expected = sample.lines.iter().enumerate().filter_map(|(line, (place, time))| {
        latest = latest.max(*time);
        let is_inside = time.is_some() && (piece.start..piece.end).contains(&(place.start as u64));
        is_inside.then_some((place.start as u64, line as u64 + 1, latest))
    });
    let found = |record: &RecordStart| (record.start, record.line, Some(record.time.as_second()));
    let found: Vec<_> = piece.records.iter().map(found).collect();
    let expected: Vec<_> = expected.collect();
    let places = |records: &[(u64, u64, Option<i64>)]| -> Vec<(u64, u64)> {
        records.iter().map(|(start, line, _)| (*start, *line)).collect()
    };
    assert_eq!(places(&found), places(&expected));
    // The records before the cut of a file do not count.
    assert!(found.iter().zip(&expected).all(|(found, expected)| found.2 <= expected.2));
    assert!(found.windows(2).all(|two| two[0].2 <= two[1].2));
}

/// The same without the borders between pieces of one file.
fn joined(pieces: impl IntoIterator<Item = (usize, Range<u64>)>) -> Vec<(usize, Range<u64>)> {
    let mut joined: Vec<(usize, Range<u64>)> = Vec::new();
    for (file, place) in pieces {
        match joined.last_mut().filter(|(last, before)| *last == file && before.end == place.start) {
            Some((_, before)) => before.end = place.end,
            None => joined.push((file, place)),
        }
    }
    joined
}

#[test]
fn the_order_is_that_of_a_stable_merge() {
    for seed in 0..cases(20_000, 60) {
        let mut rng = Rng::new(seed);
        let start = |rng: &mut Rng| 1_793_500_000 + i64::try_from(rng.below(200)).unwrap();
        let count = 1 + rng.below(5);
        let samples: Vec<Sample> = (0..count)
            .map(|_| {
                let start = start(&mut rng);
                sample(&mut rng, start)
            })
            .collect();
        let whole = |sample: &Sample| file(sample, 0);
        let files: Vec<MergedFile> = samples.iter().map(whole).collect();
        let (pieces, runs) = merged(&samples, &files, rng.pick(&[64, 1000, 16 << 10, 256 << 10]));
        let expected = joined(expected(&samples));
        assert_eq!(joined(pieces), expected, "{seed}");
        let of_runs = runs.iter().map(|run| (run.file, run.start..run.end));
        assert_eq!(joined(of_runs), expected, "{seed}");
        check_counts(&samples, &files, &runs, &mut rng);
        check_rest(&samples, &mut rng, &expected, seed);
    }
}

/// Records, disorder and lines, of whole runs and of parts.
fn check_counts(samples: &[Sample], files: &[MergedFile], runs: &[Run], rng: &mut Rng) {
    for (index, sample) in samples.iter().enumerate() {
        let times: Vec<i64> = sample.lines.iter().filter_map(|(_, time)| *time).collect();
        let of_file = || runs.iter().filter(|run| run.file == index);
        assert_eq!(of_file().map(|run| run.records).sum::<u64>(), times.len() as u64);
        let late =
            times.iter().enumerate().filter(|(n, time)| times[..*n].iter().any(|before| before > *time));
        assert_eq!(of_file().map(|run| run.out_of_order).sum::<u64>(), late.count() as u64);
        let last = of_file().next_back().unwrap();
        let is_open = sample.lines.last().is_some_and(|(line, _)| {
            !sample.bytes[line.clone()].ends_with(b"\n") && !sample.bytes[line.clone()].ends_with(b"\n\0")
        });
        assert_eq!((last.last_line, last.is_unterminated), (sample.lines.len() as u64, is_open));
    }
    let run = &runs[rng.below(runs.len())];
    let sample = &samples[run.file];
    let wide = if sample.bytes.starts_with(b"\xFF\xFE") { 2 } else { 1 };
    let end = (rng.next() % sample.bytes.len() as u64 / wide * wide).clamp(run.start, run.end);
    let part = part_of(&files[run.file], &reader(&sample.bytes, false), run, end).unwrap();
    let begins = |(place, time): &&(Range<usize>, Option<i64>)| {
        time.is_some() && (run.start..end).contains(&(place.start as u64))
    };
    assert_eq!(part.records, sample.lines.iter().filter(begins).count() as u64);
}

/// A merge that is cut anywhere goes on exactly, also inside a record and a line.
fn check_rest(samples: &[Sample], rng: &mut Rng, expected: &[(usize, Range<u64>)], seed: u64) {
    let total: u64 = expected.iter().map(|(_, place)| place.end - place.start).sum();
    let mut left = rng.next() % total;
    let (mut before, mut rest) = (vec![0; samples.len()], Vec::new());
    for (file, place) in expected {
        let mut cut = (place.start + left).min(place.end);
        left -= cut - place.start;
        if samples[*file].bytes.starts_with(b"\xFF\xFE") {
            cut -= cut % 2;
        }
        if cut > place.start {
            before[*file] = cut;
        }
        if cut < place.end {
            rest.push((*file, cut..place.end));
        }
    }
    let files: Vec<MergedFile> =
        samples.iter().zip(before).map(|(sample, from)| file(sample, from)).collect();
    let (pieces, _) = merged(samples, &files, 1000);
    assert_eq!(joined(pieces), joined(rest), "{seed}");
}

#[test]
fn few_files_with_decoders_are_open_at_once() {
    let mut rng = Rng::new(7);
    let samples: Vec<Sample> = (0..200).map(|n| sample(&mut rng, 1_793_500_000 + n % 3)).collect();
    let files: Vec<MergedFile> = samples.iter().map(|sample| file(sample, 0)).collect();
    for (is_packed, expected_most) in [(false, 200), (true, 24)] {
        let opener = InMemory { samples: &samples, opened: RefCell::default(), is_packed };
        let mut merge = Merge::new(&opener, &files);
        let mut most = 0;
        let mut runs = Vec::new();
        while let Some(run) = merge.next_run(&mut |_, _| Ok(())).unwrap() {
            most = most.max(opener.opened.borrow().len());
            runs.push((run.file, run.start..run.end));
        }
        assert!(most <= expected_most, "{most}");
        assert_eq!(joined(runs), joined(expected(&samples)));
    }
}

#[test]
fn a_merge_that_stops_anywhere_has_the_same_order() {
    for seed in 0..cases(5000, 40) {
        let mut rng = Rng::new(seed + 900);
        let count = 1 + rng.below(5);
        let samples: Vec<Sample> = (0..count)
            .map(|_| {
                let start = 1_793_500_000 + i64::try_from(rng.next() % 200).unwrap();
                sample(&mut rng, start)
            })
            .collect();
        let files: Vec<MergedFile> = samples.iter().map(|sample| file(sample, 0)).collect();
        let opener = InMemory { samples: &samples, opened: RefCell::default(), is_packed: false };
        let block = rng.pick(&[64, 1000, 256 << 10]);
        let mut merge = Merge::with_blocks(&opener, &files, block);
        let mut runs = Vec::new();
        loop {
            let place = rng.next() % 2000;
            let stop = rng.pick(&[0, 1, place, u64::MAX]);
            let Some(run) = merge.next_run_to(&|_| stop, &mut |_, _| Ok(())).unwrap() else { break };
            let begins = |(place, _): &&(Range<usize>, Option<i64>)| {
                let place = place.start as u64;
                place > run.start && place >= stop && place < run.end
            };
            assert_eq!(
                samples[run.file].lines.iter().find(begins),
                None,
                "{seed}: a line at {stop} or after it"
            );
            runs.push(run);
        }
        let of_runs = runs.iter().map(|run| (run.file, run.start..run.end));
        assert_eq!(joined(of_runs), joined(expected(&samples)), "{seed}");
        for (index, sample) in samples.iter().enumerate() {
            let records: u64 = runs.iter().filter(|run| run.file == index).map(|run| run.records).sum();
            assert_eq!(
                records,
                sample.lines.iter().filter(|(_, time)| time.is_some()).count() as u64,
                "{seed}"
            );
        }
    }
}
