//! Compares reader and content with the naive decoder, with blocks so small that they cut everything.

use std::path::Path;

use rread_answer::content::{self, Budget, ContentOptions, CutBy, InvalidBytes, Segment, Sink};
use rread_reader::reader::encoding::Align;
use rread_reader::reader::{Reader, Tuning};
use rread_testkit::decoded::{self, WIDE, Whole, legacy_named};
use rread_testkit::naive::tuning;
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sources;
use rread_testkit::tokens::tokens;
use rread_text::encoding::{Choice, Encoding};
use rread_text::range::Boundary;

const LEGACY: [&str; 9] =
    ["shift_jis", "euc-jp", "euc-kr", "gbk", "gb18030", "big5", "windows-1252", "koi8-r", "windows-874"];

/// A reader of `bytes` in `encoding`.
fn reader(source: Box<dyn rread_source::Source>, tuning: Tuning, encoding: Encoding) -> Option<Reader> {
    let mut reader = Reader::new(source, tuning).unwrap();
    let choice = Choice::Label { encoding, by_mark: false };
    reader.read_as(choice, Path::new("f")).ok().map(|()| reader)
}

fn on_many(all: u64, check: impl Fn(&Reader, &Whole, &mut Rng, &str)) {
    let cases = cases(all, all / 4);
    let encodings = WIDE.into_iter().chain(LEGACY.map(legacy_named));
    for (number, encoding) in encodings.enumerate() {
        let mut checked = 0;
        for seed in 0..cases {
            let mut rng = Rng::new(seed * 31 + number as u64);
            let tuning = tuning(&mut rng);
            let bytes = decoded::any(&mut rng, encoding);
            let (name, source) = sources::any(&mut rng, &bytes);
            let shown = bytes.escape_ascii().to_string();
            let case = format!("{} seed {seed}, {tuning:?}, {name}, {shown:?}", encoding.name());
            // What happens to be UTF-8 or to begin with another's mark is refused.
            if let Some(reader) = reader(source, tuning, encoding) {
                check(&reader, &Whole::new(bytes, encoding), &mut rng, &case);
                checked += 1;
            }
        }
        assert!(checked > cases / 2, "{}: {checked} of {cases}", encoding.name());
    }
}

#[test]
fn lines_start_where_the_naive_decoder_finds_them() {
    on_many(500, |reader, whole, rng, case| {
        let mut counts: Vec<u64> =
            (0..5).map(|_| rng.below(usize::try_from(whole.lines()).unwrap() + 3) as u64).collect();
        counts.sort_unstable();
        let to_end = rng.one_in(2);
        let found = reader.find_lines(&counts, to_end).unwrap();
        let mark = |n: &u64| Boundary { offset: whole.after(*n), lines: Some((*n).min(whole.lines())) };
        assert_eq!(found.boundaries, counts.iter().map(mark).collect::<Vec<_>>(), "{counts:?} of {case}");
        assert!(found.total_lines.is_none_or(|n| n == whole.lines()), "{found:?} of {case}");
        let back = reader.find_lines_back(&counts).unwrap();
        let expected: Vec<u64> =
            counts.iter().map(|n| whole.after(whole.lines().saturating_sub(*n))).collect();
        assert_eq!(back.offsets, expected, "{counts:?} from the end of {case}");
        assert_eq!(reader.count_lines().unwrap(), whole.lines(), "{case}");
        let offset = rng.below(whole.bytes.len() + 1) as u64;
        assert_eq!(
            reader.newlines_before(offset).unwrap(),
            whole.newlines_before(offset),
            "{offset} of {case}"
        );
        let line = whole.newlines_before(offset);
        assert_eq!(reader.line_start(offset).unwrap(), whole.after(line).min(offset), "{offset} of {case}");
    });
}

#[test]
fn a_full_scan_counts_like_the_naive_decoder() {
    on_many(500, |reader, whole, _, case| {
        assert_eq!(reader.full_scan().unwrap(), whole.full_scan(), "{case}");
    });
}

#[test]
fn cuts_move_to_the_edges_of_characters() {
    on_many(200, |reader, whole, rng, case| {
        for _ in 0..8 {
            let (a, b) = (rng.below(whole.bytes.len() + 1) as u64, rng.below(whole.bytes.len() + 1) as u64);
            let (start, end) = (a.min(b), a.max(b));
            for align in [Align::Expand, Align::Shrink, Align::None] {
                let got = reader.align(start, end, align).unwrap();
                assert_eq!(got, whole.align(start, end, align), "{start}:{end} {align:?} of {case}");
            }
        }
    });
}

/// Keeps the content, and checks that every piece is valid text.
struct Kept {
    content: Vec<u8>,
    raw: bool,
}

impl Sink for Kept {
    fn write(&mut self, content: &[u8]) -> rread_text::error::Result<()> {
        assert!(self.raw || std::str::from_utf8(content).is_ok(), "a piece that is not text: {content:02x?}");
        self.content.extend(content);
        Ok(())
    }
}

fn deliver(reader: &Reader, segment: Segment, options: &ContentOptions) -> (Vec<u8>, content::ContentStats) {
    let mut kept = Kept { content: Vec::new(), raw: options.raw };
    let stats = content::deliver(reader, &[segment], options, None, &mut kept).unwrap();
    (kept.content, stats)
}

fn shown(c: char) -> String {
    match c {
        c if c == '\t' || !c.is_control() => c.to_string(),
        c if c.is_ascii() => format!("\\x{:02x}", u32::from(c)),
        c => format!("\\u{{{:x}}}", u32::from(c)),
    }
}

fn edge(whole: &Whole, rng: &mut Rng) -> u64 {
    let edges = whole.items.iter().map(|item| item.start).chain([whole.size()]);
    edges.collect::<Vec<_>>()[rng.below(whole.items.len() + 1)]
}

#[test]
fn content_is_the_slice_decoded() {
    on_many(500, |reader, whole, rng, case| {
        let (a, b) = (edge(whole, rng), edge(whole, rng));
        let segment = Segment { start: a.min(b), end: a.max(b), line: 1 };
        let (content, stats) = deliver(reader, segment, &ContentOptions::default());
        let expected = whole.content(segment.start, segment.end);
        assert_eq!(String::from_utf8(content).unwrap(), expected, "{segment:?} of {case}");
        assert_eq!(stats.invalid, whole.invalid(segment.start, segment.end), "{segment:?} of {case}");
        assert_eq!(stats.newlines, expected.matches('\n').count() as u64, "{case}");
        // Control characters shown, lines numbered: the text is the same otherwise.
        let options = ContentOptions { number: true, show_controls: true, ..ContentOptions::default() };
        let (content, _) = deliver(reader, segment, &options);
        let lines = expected.split_inclusive('\n').zip(1..).map(|(line, number)| {
            let body = line.strip_suffix("\r\n").or(line.strip_suffix('\n')).unwrap_or(line);
            format!("{number:>6}→{}{}", body.chars().map(shown).collect::<String>(), &line[body.len()..])
        });
        assert_eq!(String::from_utf8(content).unwrap(), lines.collect::<String>(), "{segment:?} of {case}");
        let options =
            ContentOptions { raw: true, invalid: InvalidBytes::Replace, ..ContentOptions::default() };
        let (content, _) = deliver(reader, segment, &options);
        let range = usize::try_from(segment.start).unwrap()..usize::try_from(segment.end).unwrap();
        assert_eq!(content, &whole.bytes[range], "{segment:?} of {case}");
    });
}

#[test]
fn budgets_cut_where_reading_can_continue() {
    on_many(500, |reader, whole, rng, case| {
        let raw = rng.one_in(3);
        let invalid = if raw || rng.one_in(2) { InvalidBytes::Replace } else { InvalidBytes::Escape };
        let options =
            ContentOptions { raw, invalid, number: !raw && rng.one_in(4), ..ContentOptions::default() };
        let all = Segment { start: 0, end: whole.size(), line: 1 };
        let (full, _) = deliver(reader, all, &options);
        let budget = Budget {
            bytes: rng.one_in(2).then(|| 1 + rng.below(full.len() + 2) as u64),
            lines: rng.one_in(2).then(|| 1 + rng.below(8) as u64),
            token_thirds: rng.one_in(2).then(|| 6 + 3 * rng.below(full.len() / 3 + 2) as u64),
        };
        let measured = content::measure(reader, &[all], &options, budget, None).unwrap();
        let case = format!("{budget:?} gives {measured:?} in {options:?}: {case}");
        let (content, delivered) = deliver(reader, Segment { end: measured.end, ..all }, &options);
        assert!(full.starts_with(&content), "{case}");
        let of = |t: content::ContentStats| (t.content_bytes, t.newlines, t.mid_line, t.invalid, t.end);
        assert_eq!(of(delivered), of(measured), "{case}");
        assert!(budget.bytes.is_none_or(|max| measured.content_bytes <= max), "{case}");
        assert!(budget.lines.is_none_or(|max| measured.lines() <= max), "{case}");
        if let (Some(thirds), false) = (budget.token_thirds, raw) {
            let counted = measured.token_thirds.unwrap().div_ceil(3);
            assert_eq!(counted, tokens(&content), "{case}");
            assert!(counted <= thirds / 3, "{case}");
            if measured.cut == Some(CutBy::Tokens) {
                let line = full[content.len()..].iter().position(|b| *b == b'\n').map(|at| at + 1);
                // Beside a character that did not fit, the number before it; two characters may have one code.
                let more =
                    if measured.mid_line || content.is_empty() { 32 } else { line.unwrap_or(full.len()) };
                let more = &full[..full.len().min(content.len() + more)];
                assert!(tokens(more) > thirds / 3, "{case}");
            }
        }
        assert_eq!(measured.cut.is_none(), measured.end == whole.size(), "{case}");
        let is_edge =
            whole.items.iter().any(|item| item.start == measured.end) || measured.end == whole.size();
        assert!(is_edge, "{case}");
        if matches!(measured.cut, Some(CutBy::Bytes | CutBy::Tokens)) && measured.newlines > 0 {
            assert!(!measured.mid_line, "{case}");
        }
        if !options.number {
            let (rest, _) = deliver(reader, Segment { start: measured.end, ..all }, &options);
            assert_eq!([content, rest].concat(), full, "{case}");
        }
    });
}

#[test]
fn lines_are_clipped_by_characters() {
    for encoding in WIDE {
        let bytes = decoded::encoded("😀漢é and more\r\nshort\nlonger than that\n", encoding);
        let reader = reader(sources::plain(&bytes), Tuning::default(), encoding).unwrap();
        let options = ContentOptions { max_columns: Some(5), ..ContentOptions::default() };
        let (content, stats) =
            deliver(&reader, Segment { start: 0, end: bytes.len() as u64, line: 1 }, &options);
        assert_eq!(String::from_utf8(content).unwrap(), "😀漢é a\r\nshort\nlonge\n");
        assert_eq!((stats.clipped_lines, stats.end), (2, bytes.len() as u64));
    }
}

/// The real sizes: blocks of 256 KiB, threads after 32 MiB.
#[test]
fn the_default_sizes_give_the_same_answers() {
    for encoding in [WIDE[0], WIDE[3]] {
        let mut rng = Rng::new(5);
        let mut text = String::new();
        while text.len() < 17 << 20 {
            text.push_str(&"0123456789 ਍".repeat(1 + rng.below(40)));
            text.push_str("é\r\n");
        }
        let bytes = decoded::encoded(&text, encoding);
        let width = encoding.units().width as u64;
        let ends = text.chars().zip(1u64..);
        let bounds: Vec<u64> = ends.filter(|(c, _)| *c == '\n').map(|(_, n)| n * width).collect();
        let lines = bounds.len() as u64;
        let reader = reader(sources::plain(&bytes), Tuning::default(), encoding).unwrap();
        let counts = [1, 2, lines / 3, lines / 2, lines - 1, lines];
        let expected = counts.map(|n| bounds[usize::try_from(n).unwrap() - 1]);
        let found = reader.find_lines(&counts, false).unwrap();
        assert_eq!(found.boundaries.iter().map(|mark| mark.offset).collect::<Vec<_>>(), expected);
        let back = reader.find_lines_back(&[1, lines / 2]).unwrap().offsets;
        assert_eq!(back, [lines - 1, lines - lines / 2].map(|n| bounds[usize::try_from(n).unwrap() - 1]));
        let full_scan = reader.full_scan().unwrap();
        assert_eq!((full_scan.lines, full_scan.crlf, full_scan.invalid.count), (lines, lines, 0));
    }
}
