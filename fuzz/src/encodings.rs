//! Decoding: lines, edges and content of text in every encoding, against decoding all of it in one go.

use std::path::Path;

use encoding_rs::Encoding as Whatwg;
use rread_answer::content::{self, Budget, ContentOptions, Segment};
use rread_reader::reader::Reader;
use rread_reader::reader::encoding::Align;
use rread_text::encoding::{Choice, Encoding};
use rread_text::range::Boundary;

use crate::edges::Kept;
use crate::input::Input;
use rread_testkit::decoded::{WIDE, Whole};
use rread_testkit::naive::tuning;
use rread_testkit::rng::Rng;
use rread_testkit::sources;

const LEGACY: [&str; 12] = [
    "shift_jis",
    "euc-jp",
    "euc-kr",
    "gbk",
    "gb18030",
    "big5",
    "windows-1252",
    "koi8-r",
    "windows-874",
    "macintosh",
    "iso-8859-16",
    "x-user-defined",
];

pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let encoding = match input.below(WIDE.len() + LEGACY.len()) {
        at if at < WIDE.len() => WIDE[at],
        at => Encoding::Legacy(Whatwg::for_label(LEGACY[at - WIDE.len()].as_bytes()).unwrap()),
    };
    let mut rng = input.rng();
    let tuning = tuning(&mut rng);
    let bytes = input.rest();
    let (name, source) = sources::any(&mut rng, bytes);
    let case = format!("{}, {name}, {tuning:?}, {:?}", encoding.name(), bytes.escape_ascii().to_string());
    let mut reader = Reader::new(source, tuning).unwrap();
    // Another byte order mark is refused.
    if reader.read_as(Choice::Label { encoding, by_mark: false }, Path::new("f")).is_err() {
        return;
    }
    let whole = Whole::new(bytes.to_vec(), encoding);
    lines(&reader, &whole, &mut rng, &case);
    for _ in 0..3 {
        let (a, b) = (rng.below(bytes.len() + 1) as u64, rng.below(bytes.len() + 1) as u64);
        let (start, end) = (a.min(b), a.max(b));
        for align in [Align::Expand, Align::Shrink] {
            let got = reader.align(start, end, align).unwrap();
            assert_eq!(got, whole.align(start, end, align), "{start}:{end} {align:?} of {case}");
        }
    }
    content(&reader, &whole, &mut rng, &case);
    assert_eq!(reader.full_scan().unwrap(), whole.full_scan(), "{case}");
}

fn lines(reader: &Reader, whole: &Whole, rng: &mut Rng, case: &str) {
    let there = usize::try_from(whole.lines()).unwrap();
    let mut counts: Vec<u64> = (0..4).map(|_| rng.below(there + 3) as u64).collect();
    counts.sort_unstable();
    let found = reader.find_lines(&counts, rng.one_in(2)).unwrap();
    let mark = |n: &u64| Boundary { offset: whole.after(*n), lines: Some((*n).min(whole.lines())) };
    assert_eq!(found.boundaries, counts.iter().map(mark).collect::<Vec<_>>(), "{counts:?} of {case}");
    let back = reader.find_lines_back(&counts).unwrap().offsets;
    let expected: Vec<u64> = counts.iter().map(|n| whole.after(whole.lines().saturating_sub(*n))).collect();
    assert_eq!(back, expected, "{counts:?} from the end of {case}");
    let offset = rng.below(whole.bytes.len() + 1) as u64;
    let before = reader.newlines_before(offset).unwrap();
    assert_eq!(before, whole.newlines_before(offset), "{offset} of {case}");
}

/// A slice between two characters, then the whole in pieces as a budget cuts them.
fn content(reader: &Reader, whole: &Whole, rng: &mut Rng, case: &str) {
    let edges: Vec<u64> = whole.items.iter().map(|item| item.start).chain([whole.size()]).collect();
    let (a, b) = (rng.pick(&edges), rng.pick(&edges));
    let slice = Segment { start: a.min(b), end: a.max(b), line: 1 };
    let deliver = |segment| {
        let mut kept = Kept(Vec::new());
        let stats =
            content::deliver(reader, &[segment], &ContentOptions::default(), None, &mut kept).unwrap();
        (String::from_utf8(kept.0).unwrap(), stats)
    };
    let (text, stats) = deliver(slice);
    assert_eq!(text, whole.content(slice.start, slice.end), "{slice:?} of {case}");
    assert_eq!(stats.invalid, whole.invalid(slice.start, slice.end), "{slice:?} of {case}");
    let budget = Budget { bytes: Some(8 + rng.below(40) as u64), ..Budget::default() };
    let (mut at, mut joined) = (0, String::new());
    while at < whole.size() {
        let rest = Segment { start: at, end: whole.size(), line: 1 };
        let measured = content::measure(reader, &[rest], &ContentOptions::default(), budget, None).unwrap();
        assert!(measured.end > at, "no way on from {at} with {budget:?}: {case}");
        joined += &deliver(Segment { end: measured.end, ..rest }).0;
        at = measured.end;
    }
    assert_eq!(joined, whole.content(0, whole.size()), "{budget:?}: {case}");
}
