//! Content is what decoding the whole slice in memory gives; budgets end it where they should, and it can be gone on from.

use rread::body::{self, Budget, CutBy, Encode, InvalidBytes, Shape, Sink, Stretch, Tally};
use rread::error::{Kind, Result};
use rread::hashline::{Form, Style};
use rread::reader::Reader;
use rread::reader::census::Invalid;

use super::naive;
use super::sources;
use super::text::{self, Rng, tuning};

/// Keeps the content, and holds the reader to what it promises of every piece.
pub struct Kept {
    pub content: Vec<u8>,
    raw: bool,
}

impl Kept {
    pub fn new(raw: bool) -> Self {
        Kept { content: Vec::new(), raw }
    }
}

impl Sink for Kept {
    fn put(&mut self, content: &[u8]) -> Result<()> {
        assert!(self.raw || std::str::from_utf8(content).is_ok(), "a piece that is no text: {content:02x?}");
        self.content.extend(content);
        Ok(())
    }
}

pub fn deliver(reader: &Reader, stretches: &[Stretch], shape: &Shape) -> Result<(Vec<u8>, Tally)> {
    let mut kept = Kept::new(shape.raw);
    let tally = body::deliver(reader, stretches, shape, &mut kept)?;
    Ok((kept.content, tally))
}

/// The whole content and what is to be said of it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Whole {
    content: Vec<u8>,
    invalid: Invalid,
    clipped: u64,
}

/// What `stretches` should give without a budget.
fn whole(bytes: &[u8], stretches: &[Stretch], shape: &Shape) -> Whole {
    let mut whole = Whole::default();
    for stretch in stretches {
        let mut from = usize::try_from(stretch.start).unwrap();
        let to = usize::try_from(stretch.end).unwrap();
        if shape.skip_bom && shape.encode.is_none() && from == 0 && to >= 3 {
            from = 3;
        }
        let slice = &bytes[from..to];
        if from == 3 && is_lone_mark(bytes, stretch, shape) {
            whole.content.extend(prefix(bytes, from, stretch.line, shape).bytes());
        }
        if let Some(encode) = shape.encode {
            whole.content.extend(encoded(slice, encode).bytes());
            continue;
        }
        let invalid = naive::invalid(slice, from as u64);
        whole.invalid.count += invalid.count;
        whole.invalid.first_byte = whole.invalid.first_byte.or(invalid.first_byte);
        for (line, number) in slice.split_inclusive(|b| *b == b'\n').zip(stretch.line..) {
            whole.content.extend(prefix(bytes, from, number, shape).bytes());
            add_line(&mut whole, line, shape);
            from += line.len();
        }
    }
    whole
}

/// Whether `stretch` is all of a text that is nothing but a mark: an empty line.
fn is_lone_mark(bytes: &[u8], stretch: &Stretch, shape: &Shape) -> bool {
    let all = (stretch.start, stretch.end) == (0, 3) && bytes.len() == 3;
    all && shape.skip_bom && shape.encode.is_none()
}

fn encoded(bytes: &[u8], encode: Encode) -> String {
    match encode {
        Encode::Base64 => data_encoding::BASE64.encode(bytes),
        Encode::Hex => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// What stands before line `number`, of which the byte at `at` is the first that is shown.
fn prefix(bytes: &[u8], at: usize, number: u64, shape: &Shape) -> String {
    let Some(form) = shape.hash else {
        return if shape.number { format!("{number:>6}→") } else { String::new() };
    };
    let start = bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |newline| newline + 1);
    let line = bytes[start..].split_inclusive(|b| *b == b'\n').next().unwrap();
    naive::hashline(line, number, form)
}

fn add_line(whole: &mut Whole, line: &[u8], shape: &Shape) {
    let body = line.strip_suffix(b"\r\n").or(line.strip_suffix(b"\n")).unwrap_or(line);
    let mut columns: Vec<Vec<u8>> = Vec::new();
    for chunk in body.utf8_chunks() {
        columns.extend(chunk.valid().chars().map(|c| shown(c, shape)));
        if !chunk.invalid().is_empty() {
            columns.push(match (shape.raw, shape.show_controls, shape.invalid) {
                (true, false, _) => chunk.invalid().to_vec(),
                (true, true, _) | (_, _, InvalidBytes::Escape) => {
                    chunk.invalid().iter().flat_map(|b| format!("\\x{b:02x}").into_bytes()).collect()
                }
                _ => "\u{FFFD}".into(),
            });
        }
    }
    let max = shape.max_columns.map_or(columns.len(), |max| usize::try_from(max).unwrap());
    whole.clipped += u64::from(columns.len() > max);
    whole.content.extend(columns.into_iter().take(max).flatten());
    whole.content.extend(&line[body.len()..]);
}

fn shown(c: char, shape: &Shape) -> Vec<u8> {
    match c {
        c if !shape.show_controls || c == '\t' || !c.is_control() => c.to_string(),
        c if c.is_ascii() => format!("\\x{:02x}", u32::from(c)),
        c => format!("\\u{{{:x}}}", u32::from(c)),
    }
    .into_bytes()
}

fn shape(rng: &mut Rng) -> Shape {
    Shape {
        raw: rng.one_in(4),
        invalid: rng.pick(&[InvalidBytes::Replace, InvalidBytes::Escape]),
        number: rng.one_in(3),
        hash: rng.one_in(3).then(|| Form {
            style: rng.pick(&[Style::Xxh32, Style::Omp]),
            width: rng.pick(&[4, 5, 6, 7, 8]),
        }),
        max_columns: rng.one_in(3).then(|| 1 + rng.below(9) as u64),
        show_controls: rng.one_in(4),
        encode: rng.pick(&[None, None, None, None, Some(Encode::Base64), Some(Encode::Hex)]),
        ..Shape::default()
    }
}

/// A slice, sometimes with a header before it, sometimes three pieces anywhere.
fn stretches(rng: &mut Rng, bytes: &[u8]) -> Vec<Stretch> {
    let mut cuts: Vec<u64> = (0..6).map(|_| rng.below(bytes.len() + 1) as u64).collect();
    cuts.sort_unstable();
    let stretch = |start: u64, end: u64| Stretch { start, end, line: 1 + start % 7 };
    match rng.below(5) {
        0 => vec![stretch(0, bytes.len() as u64)],
        1 => vec![stretch(0, cuts[1]), stretch(cuts[2], cuts[5])],
        2 => vec![stretch(cuts[0], cuts[1]), stretch(cuts[2], cuts[3]), stretch(cuts[4], cuts[5])],
        _ => vec![stretch(cuts[0], cuts[5])],
    }
}

/// A text behind a source, what to take of it and how.
struct Case {
    name: String,
    bytes: Vec<u8>,
    reader: Reader,
    shape: Shape,
    stretches: Vec<Stretch>,
}

fn on_many_cases(cases: u64, check: impl Fn(&Case, &mut Rng)) {
    for seed in 0..cases {
        let mut rng = Rng::new(seed);
        let tuning = tuning(&mut rng);
        let bytes = text::any(&mut rng, tuning.block);
        let (name, source) = sources::any(&mut rng, &bytes);
        let reader = Reader::new(source, tuning).unwrap();
        let mut shape = shape(&mut rng);
        shape.skip_bom = !shape.raw && reader.sniffed().bom;
        let stretches = stretches(&mut rng, &bytes);
        let shown = bytes.escape_ascii().to_string();
        let name = format!("seed {seed}, {tuning:?}, {name}, {shape:?}, {stretches:?}, {shown:?}");
        check(&Case { name, bytes, reader, shape, stretches }, &mut rng);
    }
}

fn newlines(content: &[u8]) -> u64 {
    content.iter().filter(|b| **b == b'\n').count() as u64
}

#[test]
fn content_is_the_slice_decoded() {
    on_many_cases(6000, |case, _| {
        let Case { name, bytes, reader, shape, stretches } = case;
        let expected = whole(bytes, stretches, shape);
        let (content, tally) = deliver(reader, stretches, shape).unwrap();
        assert_eq!(content.escape_ascii().to_string(), expected.content.escape_ascii().to_string(), "{name}");
        assert_eq!(tally.content_bytes, content.len() as u64, "{name}");
        assert_eq!((tally.invalid, tally.clipped_lines), (expected.invalid, expected.clipped), "{name}");
        assert_eq!(tally.cut, None, "{name}");
        if shape.encode.is_none() {
            assert_eq!(tally.newlines, newlines(&content), "{name}");
            let lone = stretches.iter().any(|stretch| is_lone_mark(bytes, stretch, shape));
            let unfinished = lone || content.last().is_some_and(|b| *b != b'\n');
            assert_eq!(tally.mid_line, unfinished, "{name}");
        }
        let last = stretches[stretches.len() - 1];
        if last.start < last.end && !shape.skip_bom {
            assert_eq!(tally.end, last.end, "{name}");
        }
        let measured = body::measure(reader, stretches, shape, Budget::default()).unwrap();
        assert_eq!(measured, tally, "{name}");
    });
}

#[test]
fn invalid_text_is_refused_with_its_offset() {
    on_many_cases(2000, |case, _| {
        let shape = Shape { invalid: InvalidBytes::Error, encode: None, ..case.shape };
        let invalid = whole(&case.bytes, &case.stretches, &shape).invalid;
        match (invalid.first_byte, deliver(&case.reader, &case.stretches, &shape)) {
            (None, Ok((_, tally))) => assert_eq!(tally.invalid.count, 0, "{}", case.name),
            (Some(at), Err(error)) => {
                assert_eq!(error.kind, Kind::InvalidText, "{}", case.name);
                assert_eq!(error.message, format!("invalid UTF-8 at byte {at}"), "{}", case.name);
            }
            (at, got) => panic!("{got:?} with invalid text at {at:?}: {}", case.name),
        }
    });
}

fn budget(rng: &mut Rng, content: &[u8]) -> Budget {
    let size = content.len();
    let bytes = match rng.below(4) {
        0 => None,
        1 => Some(rng.below(12)),
        _ => Some(rng.below(size + 3)),
    };
    let lines = rng.one_in(2).then(|| rng.below(usize::try_from(newlines(content)).unwrap() + 3) as u64);
    Budget { bytes: bytes.map(|n| n as u64), lines }
}

/// How far a budget of lines reaches into content.
fn within_lines(content: &[u8], lines: Option<u64>) -> &[u8] {
    let Some(lines) = lines else { return content };
    let lines = usize::try_from(lines).unwrap();
    let end: usize = content.split_inclusive(|b| *b == b'\n').take(lines).map(<[u8]>::len).sum();
    &content[..end]
}

#[test]
fn a_budget_ends_content_at_a_line_or_else_at_a_character() {
    on_many_cases(8000, |case, rng| {
        if case.shape.encode.is_some() {
            return;
        }
        let full = whole(&case.bytes, &case.stretches, &case.shape).content;
        let budget = budget(rng, &full);
        let tally = body::measure(&case.reader, &case.stretches, &case.shape, budget).unwrap();
        let name = format!("{budget:?} gives {tally:?}: {}", case.name);
        let room = within_lines(&full, budget.lines);
        let max = budget.bytes.map_or(usize::MAX, |n| usize::try_from(n).unwrap());
        let got = usize::try_from(tally.content_bytes).unwrap();
        if room.len() <= max {
            assert_eq!(got, room.len(), "{name}");
            assert_eq!(tally.cut, (room.len() < full.len()).then_some(CutBy::Lines), "{name}");
            return;
        }
        assert_eq!(tally.cut, Some(CutBy::Bytes), "{name}");
        let whole_lines = room[..max].iter().rposition(|b| *b == b'\n').map(|at| at + 1);
        match whole_lines {
            Some(end) => assert_eq!(got, end, "{name}"),
            // What did not fit any more was one character, and a line's number before it.
            None => assert!(got <= max && max < got + 24, "{name}"),
        }
    });
}

/// The receipt is made by measuring under a budget, the content by delivering what was measured: both have to agree.
#[test]
fn what_a_budget_measured_is_what_is_delivered() {
    on_many_cases(12000, |case, rng| {
        let Case { name, bytes, reader, shape, stretches } = case;
        let full = whole(bytes, stretches, shape).content;
        let budget = budget(rng, &full);
        let measured = body::measure(reader, stretches, shape, budget).unwrap();
        let taken = body::before(stretches, measured.end);
        let (content, delivered) = deliver(reader, &taken, shape).unwrap();
        let name = format!("{budget:?} measured {measured:?} delivered {delivered:?}: {name}");
        // Base64 that ends with a line rather than with a group is padded.
        if shape.encode.is_none() || budget.lines.is_none() {
            assert!(full.starts_with(&content), "{:?}: {name}", content.escape_ascii().to_string());
        }
        assert_eq!(content.len() as u64, measured.content_bytes, "{name}");
        let of = |tally: Tally| (tally.invalid, tally.newlines, tally.mid_line, tally.clipped_lines);
        assert_eq!(of(delivered), of(measured), "{name}");
        if shape.number
            || shape.hash.is_some()
            || shape.max_columns.is_some()
            || shape.encode == Some(Encode::Base64)
        {
            return;
        }
        // Nothing is lost and nothing comes twice for who goes on from there.
        let rest = stretches.iter().map(|s| Stretch { start: s.start.max(measured.end).min(s.end), ..*s });
        let (rest, _) = deliver(reader, &rest.collect::<Vec<_>>(), shape).unwrap();
        let joined = [&content[..], &rest[..]].concat();
        assert_eq!(joined.escape_ascii().to_string(), full.escape_ascii().to_string(), "{name}");
    });
}

#[test]
fn encoded_content_is_cut_between_groups() {
    on_many_cases(6000, |case, rng| {
        let Some(encode) = case.shape.encode else { return };
        let width = if encode == Encode::Hex { 2 } else { 4 };
        let full = whole(&case.bytes, &case.stretches, &case.shape).content;
        let budget = budget(rng, &full);
        let tally = body::measure(&case.reader, &case.stretches, &case.shape, budget).unwrap();
        let name = format!("{budget:?} gives {tally:?}: {}", case.name);
        // Lines are those of the file: what they leave of each stretch is encoded.
        let mut left = budget.lines;
        let (mut content, mut complete) = (String::new(), true);
        for stretch in &case.stretches {
            let slice = usize::try_from(stretch.start).unwrap()..usize::try_from(stretch.end).unwrap();
            let slice = &case.bytes[slice];
            let taken = within_lines(slice, left);
            left = left.map(|n| n - newlines(taken));
            complete &= taken.len() == slice.len();
            content += &encoded(taken, encode);
        }
        let max = budget.bytes.map_or(usize::MAX, |n| usize::try_from(n).unwrap());
        let expected = content.len().min(max / width * width);
        assert_eq!(tally.content_bytes, expected as u64, "{name}");
        assert_eq!(tally.cut.is_none(), complete && expected == content.len(), "{name}");
    });
}
