//! Ranges of every form resolve to the slices that the contract gives for the whole text.

use rread_reader::reader::{Reader, Tuning};
use rread_reader::selection::{Context, Located, Selection};
use rread_testkit::naive::{Expected, Whole, tuning};
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sources;
use rread_testkit::text;
use rread_text::error::Kind;
use rread_text::range::{Form, Place, Point, Range, Unit, parse_list};

/// A number around the total, or the largest.
fn number(rng: &mut Rng, there: u64) -> u64 {
    match rng.below(12) {
        0 => u64::MAX,
        1 => there,
        2 => there + 1,
        _ => rng.below(usize::try_from(there).unwrap() + 5) as u64,
    }
}

fn place(rng: &mut Rng, unit: Unit, there: u64) -> Place {
    let n = number(rng, there);
    match (rng.one_in(2), unit) {
        (true, _) => Place::Back(n),
        (false, Unit::Bytes) => Place::Front(n),
        (false, Unit::Lines) => Place::Front(n.max(1)),
    }
}

/// Any range that the grammar accepts.
fn range(rng: &mut Rng, whole: &Whole) -> Range {
    loop {
        let unit = if rng.one_in(4) { Unit::Bytes } else { Unit::Lines };
        let there = if unit == Unit::Lines { whole.lines() } else { whole.size() };
        let form = match rng.below(8) {
            0 => Form::Between(None, None),
            1 => Form::Between(Some(place(rng, unit, there)), None),
            2 => Form::Between(None, Some(place(rng, unit, there))),
            3 | 4 => Form::Counted(place(rng, unit, there), number(rng, there)),
            5 if unit == Unit::Lines => Form::One(place(rng, unit, there)),
            _ => Form::Between(Some(place(rng, unit, there)), Some(place(rng, unit, there))),
        };
        let range = Range { unit, form };
        if form != Form::One(Place::Back(0)) && range.check().is_ok() {
            return range;
        }
    }
}

fn check(whole: &Whole, selection: &Selection, located: &Located, case: &str) {
    assert_eq!(located.header_end, whole.after(selection.header), "header of {case}");
    assert!(located.total_lines.is_none_or(|n| n == whole.lines()), "{located:?} of {case}");
    assert_eq!(located.slices.len(), selection.ranges.len());
    for (range, slice) in selection.ranges.iter().zip(&located.slices) {
        let all: Vec<String> = selection.ranges.iter().map(ToString::to_string).collect();
        let case =
            format!("{:?} {range} among {}, {:?}, {case}", range.unit, all.join(","), selection.context);
        match (whole.locate(*range, selection.context), slice) {
            (Expected::OutOfRange, Err(error)) => assert_eq!(error.kind, Kind::OutOfRange, "{case}"),
            (Expected::Crossed, Err(error)) => assert_eq!(error.kind, Kind::InvalidRange, "{case}"),
            (Expected::Slice { start, end, first_line, exact }, Ok(got)) => {
                assert_eq!((got.start, got.end), (start, end), "{case}");
                assert!(got.first_line.is_none() || got.first_line == first_line, "{got:?}: {case}");
                // An empty slice has no number and is not exact or inexact.
                if start == end {
                    continue;
                }
                assert_eq!(got.exact, exact, "exact: {case}");
                let from_front = matches!(range.start(), Point::Front(_));
                if range.unit == Unit::Lines && (from_front || selection.numbers) {
                    assert_eq!(got.first_line, first_line, "{case}");
                }
            }
            (expected, got) => panic!("{got:?} instead of {expected:?}: {case}"),
        }
    }
}

#[test]
fn slices_are_those_of_the_whole_text() {
    for seed in 0..cases(8000, 3000) {
        let mut rng = Rng::new(seed);
        let tuning = tuning(&mut rng);
        let bytes = text::any(&mut rng, tuning.block);
        let whole = Whole::new(&bytes);
        let ranges: Vec<Range> = (0..1 + rng.below(4)).map(|_| range(&mut rng, &whole)).collect();
        let mut context = Context::default();
        if rng.one_in(3) {
            context = Context { before: rng.below(4) as u64, after: rng.below(4) as u64 };
        }
        let header = if rng.one_in(3) { number(&mut rng, whole.lines()) } else { 0 };
        let selection = Selection { ranges: &ranges, context, header, numbers: rng.one_in(3) };
        let (name, source) = sources::any(&mut rng, &bytes);
        let case = format!("seed {seed}, {tuning:?}, {name}, {:?}", bytes.escape_ascii().to_string());
        let reader = Reader::new(source, tuning).unwrap();
        check(&whole, &selection, &selection.locate(&reader).unwrap(), &case);
    }
}

/// What `list` selects from `bytes`, in a file that counts as small and in one that does not.
fn select(bytes: &[u8], list: &str, unit: Unit) -> Vec<Result<String, Kind>> {
    let ranges = parse_list(list, unit).unwrap();
    let mut answers = Vec::new();
    for small in [0, u64::MAX] {
        let tuning = Tuning { block: 16, fan_out_after: 32, small };
        let reader = Reader::new(sources::plain(bytes), tuning).unwrap();
        let selection = Selection { ranges: &ranges, context: Context::default(), header: 0, numbers: false };
        let located = selection.locate(&reader).unwrap();
        let text = |start: u64, end: u64| {
            let slice = usize::try_from(start).unwrap()..usize::try_from(end).unwrap();
            String::from_utf8(bytes[slice].to_vec()).unwrap()
        };
        let slices = located.slices.into_iter();
        answers.push(
            slices
                .map(|slice| slice.map(|s| text(s.start, s.end)).map_err(|error| error.kind))
                .collect::<Vec<_>>(),
        );
    }
    assert_eq!(answers[0], answers[1], "{list}: the size of the file must not matter");
    answers.swap_remove(0)
}

/// The table of edge cases from the contract, written by hand so that it does not share errors with the oracle.
#[test]
fn the_edge_cases_are_those_of_the_contract() {
    let text = b"1\n2\n3\n4\n5\n";
    let ok = |text: &str| Ok(text.to_owned());
    let cases: [(&str, Result<String, Kind>); 22] = [
        (":", ok("1\n2\n3\n4\n5\n")),
        ("2:3", ok("2\n3\n")),
        ("2-3", ok("2\n3\n")),
        ("2:+2", ok("2\n3\n")),
        ("4:99", ok("4\n5\n")),
        ("4:+99", ok("4\n5\n")),
        (":2", ok("1\n2\n")),
        ("-2:", ok("4\n5\n")),
        (":-2", ok("1\n2\n3\n")),
        ("-1", ok("5\n")),
        ("-99:", ok("1\n2\n3\n4\n5\n")),
        ("-99:+2", ok("1\n2\n")),
        ("-3:+2", ok("3\n4\n")),
        ("-3:-1", ok("3\n4\n")),
        ("6:", ok("")),
        ("6:9", ok("")),
        ("6", Err(Kind::OutOfRange)),
        ("7:", Err(Kind::OutOfRange)),
        ("3:-4", ok("")),
        ("-4:4", ok("2\n3\n4\n")),
        ("-1:2", Err(Kind::InvalidRange)),
        ("2:+0", ok("")),
    ];
    for (list, expected) in cases {
        assert_eq!(select(text, list, Unit::Lines), [expected], "lines {list}");
    }
    let bytes: [(&str, Result<String, Kind>); 9] = [
        ("0:3", ok("1\n2")),
        ("3:3", ok("")),
        ("10:", ok("")),
        ("10:20", ok("")),
        ("11:", Err(Kind::OutOfRange)),
        ("-3:", ok("\n5\n")),
        ("bytes=2-3", ok("2\n")),
        ("-99:+1", ok("1")),
        ("-2:5", Err(Kind::InvalidRange)),
    ];
    for (list, expected) in bytes {
        assert_eq!(select(text, list, Unit::Bytes), [expected], "bytes {list}");
    }
    for list in [":", "1:5", "1", "-3:", ":-2", "-1", "1:+2"] {
        assert_eq!(select(b"", list, Unit::Lines), [ok("")], "lines {list} of nothing");
    }
}

/// The answer to one range must not depend on the others in the request.
#[test]
fn ranges_do_not_disturb_each_other() {
    let text = b"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n".as_slice();
    let ok = |text: &str| Ok(text.to_owned());
    assert_eq!(select(text, "-2:,1:99", Unit::Lines)[0], ok("9\n10\n"));
    assert_eq!(select(text, "-2:,99", Unit::Lines), [ok("9\n10\n"), Err(Kind::OutOfRange)]);
    assert_eq!(select(text, "-2,1:10", Unit::Lines)[0], ok("9\n"));
    assert_eq!(select(text, "3,-99:2,3", Unit::Lines), [ok("3\n"), ok("1\n2\n"), ok("3\n")]);
}

/// Receipts repeat the request, and the next slice has its size.
#[test]
fn ranges_return_their_ends_and_counts_as_requested() {
    type Asked = ((Option<i128>, Option<i128>), Option<u64>);
    let cases: [(&str, Asked); 9] = [
        ("2:5", ((Some(2), Some(5)), Some(4))),
        (":5", ((None, Some(5)), Some(5))),
        ("3:+4", ((Some(3), Some(6)), Some(4))),
        ("7", ((Some(7), Some(7)), Some(1))),
        ("-7", ((Some(-7), Some(-7)), Some(1))),
        ("-5:+2", ((Some(-5), Some(-3)), Some(2))),
        ("-2:+2", ((Some(-2), None), Some(2))),
        ("-3:-1", ((Some(-3), Some(-1)), Some(2))),
        ("-3:", ((Some(-3), None), None)),
    ];
    for (text, asked) in cases {
        let range = parse_list(text, Unit::Lines).unwrap()[0];
        assert_eq!((range.requested_ends(), range.requested_count()), asked, "{text}");
    }
}

/// Reading the end of a large file does not scan it.
#[test]
fn ranges_from_the_end_and_open_ends_need_no_scan() {
    let bytes = "0123456789abcde\n".repeat(50_000).into_bytes();
    for (list, numbers) in [("-2:", false), ("5:", false), ("5:", true)] {
        let tuning = Tuning { small: 0, ..Tuning::default() };
        let reader = Reader::new(sources::plain(&bytes), tuning).unwrap();
        let ranges = parse_list(list, Unit::Lines).unwrap();
        let selection = Selection { ranges: &ranges, context: Context::default(), header: 0, numbers };
        selection.locate(&reader).unwrap();
        assert!(reader.scanned() < 200_000, "{list}: {} bytes", reader.scanned());
    }
}

/// A hint that is not a range would lead in circles.
#[test]
fn the_example_in_a_hint_is_a_range() {
    for (unit, from_the_start) in [(Unit::Lines, "1:+5"), (Unit::Bytes, "0:+5")] {
        let hint = |text: &str| parse_list(text, unit).unwrap_err().hint.unwrap().plain();
        assert_eq!(hint(":+5"), format!("write {from_the_start}"));
        for wrong in ["", "x", "1:2:3"] {
            let hint = hint(wrong);
            let examples =
                hint.strip_prefix("write ").unwrap().split(" or ").flat_map(|part| part.split(", "));
            assert!(examples.clone().count() > 3, "{hint}");
            for example in examples {
                parse_list(example, unit).unwrap();
            }
        }
    }
}
