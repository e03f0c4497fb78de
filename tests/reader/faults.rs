//! For any fault of a source, the answer is right or an error: never wrong, a panic, or an endless loop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rread_answer::content::{self, Budget, ContentOptions, Encode, Segment};
use rread_reader::reader::encoding::Align;
use rread_reader::reader::{Reader, Tuning};
use rread_reader::selection::{Context, Selection};
use rread_source::Source;
use rread_source::compressed::Compressed;
use rread_testkit::naive::Whole;
use rread_testkit::pack;
use rread_testkit::sample::cases;
use rread_testkit::sources::{self, Act, Scripted};
use rread_text::error::{Kind, Result};
use rread_text::range::{Unit, parse_list, parse_mixed};

use super::content::deliver;

/// A request to a reader, and its answer as text.
type Operation = (&'static str, fn(&Reader) -> Result<String>);

const OPERATIONS: [Operation; 13] = [
    ("find_lines", |r| {
        let found = r.find_lines(&[0, 3, 20, 41, 5000], false)?;
        Ok(format!("{:?}", found.boundaries))
    }),
    ("find_lines near", |r| Ok(format!("{:?}", r.find_lines(&[1, 2], false)?.boundaries))),
    ("find_lines_back", |r| Ok(format!("{:?}", r.find_lines_back(&[0, 1, 7, 30])?.offsets))),
    ("find_lines_back all", |r| Ok(format!("{:?}", r.find_lines_back(&[2, 5000])?))),
    ("count_lines", |r| Ok(r.count_lines()?.to_string())),
    ("newlines_before", |r| Ok(r.newlines_before(150)?.to_string())),
    ("align", |r| Ok(format!("{:?} {:?}", r.align(9, 17, Align::Expand)?, r.align(90, 240, Align::Shrink)?))),
    ("full_scan", |r| Ok(format!("{:?}", r.full_scan()?))),
    ("lines", |r| locate(r, "1:3,20,-5:,-3:+1,4:-4,9999", Context::default())),
    ("lines in context", |r| locate(r, "3,b9:17,-2,b-20:", Context { before: 1, after: 2 })),
    ("content", |r| content(r, &ContentOptions::default())),
    ("numbered content", |r| {
        content(r, &ContentOptions { number: true, max_columns: Some(4), ..ContentOptions::default() })
    }),
    ("base64", |r| content(r, &ContentOptions { encode: Some(Encode::Base64), ..ContentOptions::default() })),
];

fn locate(reader: &Reader, list: &str, context: Context) -> Result<String> {
    let ranges = parse_mixed(list)?;
    let located = Selection { ranges: &ranges, context, header: 2, numbers: false }.locate(reader)?;
    let slices: Vec<_> = located
        .slices
        .iter()
        .map(|slice| slice.as_ref().map(|s| (s.start, s.end)).map_err(|error| error.to_string()))
        .collect();
    Ok(format!("{} {slices:?}", located.header_end))
}

fn content(reader: &Reader, options: &ContentOptions) -> Result<String> {
    let segments = [Segment { start: 0, end: 11, line: 1 }, Segment { start: 40, end: 171, line: 5 }];
    let measured = content::measure(reader, &segments, options, Budget::default(), None)?;
    let (content, delivered) = deliver(reader, &segments, options)?;
    assert_eq!(content.len() as u64, delivered.content_bytes);
    Ok(format!("{measured:?} {delivered:?} {}", content.escape_ascii()))
}

fn texts() -> Vec<Vec<u8>> {
    let mixed = "één\r\nzwei 漢字\n\nfour 😀 \n".repeat(9).into_bytes();
    let mut hostile = mixed.clone();
    hostile[171] = 0xFF;
    hostile.truncate(245);
    hostile.extend(b"\xE2\x82");
    vec![mixed, hostile, b"x".repeat(260), b"\n".repeat(300)]
}

const TUNINGS: [Tuning; 4] = [
    Tuning { block: 16, fan_out_after: 32, small: 0 },
    Tuning { block: 16, fan_out_after: u64::MAX, small: u64::MAX },
    Tuning { block: 64, fan_out_after: u64::MAX, small: 0 },
    Tuning { block: 64, fan_out_after: 64, small: u64::MAX },
];

fn healthy(bytes: &[u8], tuning: Tuning, operation: Operation) -> String {
    (operation.1)(&Reader::new(sources::plain(bytes), tuning).unwrap()).unwrap()
}

/// Runs every operation on every text with the source from `make`; each answer is right or one of the `allowed`
/// errors.
fn right_or_refused(allowed: &[Kind], make: impl Fn(&[u8]) -> Box<dyn Source>) {
    static HEALTHY: OnceLock<Vec<String>> = OnceLock::new();
    let runs = || {
        let texts = texts().into_iter();
        let tuned = texts.flat_map(|bytes| TUNINGS.map(|tuning| (bytes.clone(), tuning)));
        tuned.flat_map(|(bytes, tuning)| OPERATIONS.map(|operation| (bytes.clone(), tuning, operation)))
    };
    let expected = HEALTHY.get_or_init(|| {
        runs().map(|(bytes, tuning, operation)| healthy(&bytes, tuning, operation)).collect()
    });
    for ((bytes, tuning, operation), expected) in runs().zip(expected) {
        match Reader::new(make(&bytes), tuning).and_then(|reader| (operation.1)(&reader)) {
            Ok(answer) => assert_eq!(answer, *expected, "{} {tuning:?}", operation.0),
            Err(error) => assert!(allowed.contains(&error.kind), "{}: {error}", operation.0),
        }
    }
}

/// The act of a call in the run that hits the n-th read.
type Hit = fn(usize, usize) -> Act;

/// Runs `operation` with its n-th read hit, for every n, until it ends before read n.
fn for_every_read(operation: Operation, tuning: Tuning, bytes: &[u8], hit: Hit, is_stream: bool) {
    let expected = healthy(bytes, tuning, operation);
    for n in 0..100_000 {
        let reached = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&reached);
        let source = Scripted::new(bytes, move |call, _| {
            seen.fetch_or(call >= n, Ordering::SeqCst);
            hit(call, n)
        });
        let source = if is_stream { source.without_size() } else { source };
        let got = Reader::new(Box::new(source), tuning).and_then(|reader| (operation.1)(&reader));
        match got {
            Ok(answer) => assert_eq!(answer, expected, "{} after read {n}, {tuning:?}", operation.0),
            Err(error) => {
                assert_eq!(error.kind, Kind::Io, "{} after read {n}: {error}", operation.0);
                assert!(error.message.plain().contains("a bad sector"), "{}: {error}", operation.0);
            }
        }
        if !reached.load(Ordering::SeqCst) {
            assert!(n > 0, "{} reads nothing", operation.0);
            return;
        }
    }
    panic!("{} never ends", operation.0);
}

fn on_everything(hit: Hit) {
    for bytes in texts() {
        for tuning in TUNINGS {
            for operation in OPERATIONS {
                for is_stream in [false, true] {
                    for_every_read(operation, tuning, &bytes, hit, is_stream);
                }
            }
        }
    }
}

#[test]
fn any_one_read_may_fail() {
    on_everything(|call, n| if call == n { Act::Fail } else { Act::Read });
}

#[test]
fn all_reads_from_any_on_may_fail() {
    on_everything(|call, n| if call >= n { Act::Fail } else { Act::Read });
}

#[test]
fn reads_may_be_short_and_then_fail() {
    on_everything(|call, n| if call == n { Act::Fail } else { Act::Short(7) });
}

#[test]
fn short_and_interrupted_reads_change_nothing() {
    for most in 1..20 {
        right_or_refused(&[], |bytes| Box::new(Scripted::new(bytes, move |_, _| Act::Short(most))));
    }
    right_or_refused(&[], |bytes| {
        let script = |call: usize, _| if call.is_multiple_of(2) { Act::Interrupt } else { Act::Short(9) };
        Box::new(Scripted::new(bytes, script))
    });
}

#[test]
fn a_file_that_shrinks_at_any_time_is_noticed_if_it_matters() {
    for end in [0, 1, 100, 172, 240] {
        for n in (0..40).step_by(cases(1, 3)) {
            right_or_refused(&[Kind::Changed], |bytes| {
                let script = move |call, _| if call >= n { Act::EndAt(end) } else { Act::Read };
                Box::new(Scripted::new(bytes, script))
            });
        }
    }
}

/// No answer is the right one; but there is an answer or an error, and the stats describe the content.
#[test]
fn a_file_that_is_rewritten_at_any_time_breaks_nothing() {
    let [mixed, hostile, long, newlines] = &texts()[..] else { panic!() };
    let cut = |text: &[u8]| text[..240].to_vec();
    let pairs = [(mixed, hostile), (newlines, long), (long, newlines), (mixed, newlines), (newlines, mixed)];
    for (before, after) in pairs.map(|(a, b)| (cut(a), cut(b))) {
        for tuning in TUNINGS {
            for operation in OPERATIONS {
                for n in (0..60).step_by(cases(1, 4)) {
                    let script = move |call, _| if call >= n { Act::Other } else { Act::Read };
                    let source = Scripted::new(&before, script).or(&after);
                    let reader = Reader::new(Box::new(source), tuning).unwrap();
                    let _ = (operation.1)(&reader);
                }
                // Every other read returns the other text.
                let flicker = |call: usize, _| if call.is_multiple_of(2) { Act::Other } else { Act::Read };
                let source = Scripted::new(&before, flicker).or(&after);
                let _ = Reader::new(Box::new(source), tuning).and_then(|reader| (operation.1)(&reader));
            }
        }
    }
}

/// A text of lines of four bytes.
fn even_lines(lines: usize) -> Vec<u8> {
    (0..lines).flat_map(|n| format!("{:03}\n", n % 1000).into_bytes()).collect()
}

#[test]
fn a_fault_after_the_requested_lines_does_not_matter() {
    let bytes = even_lines(200);
    let whole = Whole::new(&bytes);
    for tuning in TUNINGS {
        for (list, last) in
            [("1:3", 3), ("1", 1), ("2:+2", 3), ("40:42", 42), ("100,7", 100), ("150:+0", 149)]
        {
            let bad = usize::try_from(whole.after(last)).unwrap();
            let reader = Reader::new(sources::bad_from(&bytes, bad), tuning).unwrap();
            let ranges = parse_list(list, Unit::Lines).unwrap();
            let selection =
                Selection { ranges: &ranges, context: Context::default(), header: 0, numbers: false };
            let located = selection.locate(&reader);
            let located =
                located.unwrap_or_else(|error| panic!("{list}, bad from {bad}, {tuning:?}: {error}"));
            for (range, slice) in ranges.iter().zip(located.slices) {
                let slice = slice.unwrap();
                let expected = whole.locate(*range, Context::default());
                let start = matches!(expected, rread_testkit::naive::Expected::Slice { start, end, .. }
                    if (start, end) == (slice.start, slice.end));
                assert!(start, "{slice:?} for {range}, bad from {bad}, {tuning:?}");
                let segment = Segment { start: slice.start, end: slice.end, line: 1 };
                deliver(&reader, &[segment], &ContentOptions::default()).unwrap();
            }
        }
    }
}

#[test]
fn a_fault_after_an_offset_does_not_matter() {
    let bytes = even_lines(200);
    for tuning in TUNINGS {
        for offset in [1u64, 15, 16, 17, 64, 300, 500] {
            let reader =
                Reader::new(sources::bad_from(&bytes, usize::try_from(offset).unwrap()), tuning).unwrap();
            let before = reader.newlines_before(offset);
            let before = before.unwrap_or_else(|error| panic!("before {offset}, {tuning:?}: {error}"));
            assert_eq!(before, offset / 4, "before {offset}, {tuning:?}");
            let aligned = reader.align(0, offset, Align::Expand);
            let aligned = aligned.unwrap_or_else(|error| panic!("0:{offset}, {tuning:?}: {error}"));
            assert_eq!(aligned, (0, offset));
            let segment = Segment { start: 0, end: offset, line: 1 };
            for encode in [None, Some(Encode::Hex)] {
                deliver(&reader, &[segment], &ContentOptions { encode, ..ContentOptions::default() })
                    .unwrap();
            }
        }
    }
}

/// A message has the offset, unless the read looked for an unknown end.
#[test]
fn a_failure_is_reported_with_its_offset() {
    let bytes: Vec<u8> = (0..100_000u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
    let message = |source: Box<dyn Source>, ask: fn(&Reader) -> Result<()>| {
        let reader = Reader::new(source, Tuning::default()).unwrap();
        ask(&reader).unwrap_err().message.plain()
    };
    let bad = || sources::bad_from(&bytes, 30_000);
    let at = |reader: &Reader| reader.read_exact(&mut [0; 2], 30_000);
    assert!(message(bad(), at).contains("cannot read at byte 30000"));
    let packed = pack::Pack::Gzip.of(&bytes);
    let text = || -> Box<dyn Source> {
        let stored = sources::bad_from(&packed, packed.len() / 2);
        Box::new(Compressed::new(stored, pack::Pack::Gzip.format()).unwrap())
    };
    let told = message(text(), |reader| reader.size().map(drop));
    assert!(told.contains("cannot read to its end"), "{told}");
    let told = message(text(), |reader| reader.read_exact(&mut [0], 399_000));
    assert!(told.contains("cannot read at byte 399000"), "{told}");
}

/// The fault hides where the character ends.
#[test]
fn a_fault_inside_the_last_character_is_reported() {
    let bytes = "abc漢def".repeat(10).into_bytes();
    let reader = Reader::new(sources::bad_from(&bytes, 5), TUNINGS[0]).unwrap();
    assert_eq!(reader.align(0, 5, Align::Expand).unwrap_err().kind, Kind::Io);
    assert_eq!(reader.align(0, 3, Align::Expand).unwrap(), (0, 3));
}
