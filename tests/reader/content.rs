//! Content is the slice decoded in memory; budgets end it where they should, and `next` continues it.

use rread_answer::content::{
    self, Budget, ContentOptions, ContentStats, CutBy, Encode, InvalidBytes, Segment, Sink,
};
use rread_reader::reader::Reader;
use rread_reader::reader::full_scan::Invalid;
use rread_testkit::naive;
use rread_testkit::naive::tuning;
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sources;
use rread_testkit::text;
use rread_testkit::tokens::tokens;
use rread_text::error::{Kind, Result};
use rread_text::hashline::{HashStyle, HashlineForm};

/// Collects the content and checks what the writer promises of every piece.
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
    fn write(&mut self, content: &[u8]) -> Result<()> {
        assert!(self.raw || std::str::from_utf8(content).is_ok(), "a piece that is not text: {content:02x?}");
        self.content.extend(content);
        Ok(())
    }
}

pub fn deliver(
    reader: &Reader,
    segments: &[Segment],
    options: &ContentOptions,
) -> Result<(Vec<u8>, ContentStats)> {
    let mut kept = Kept::new(options.raw);
    let stats = content::deliver(reader, segments, options, None, &mut kept)?;
    Ok((kept.content, stats))
}

/// The whole content and its stats.
#[derive(Debug, Default, PartialEq, Eq)]
struct Whole {
    content: Vec<u8>,
    invalid: Invalid,
    clipped: u64,
}

/// The expected content of `segments` without a budget.
fn whole(bytes: &[u8], segments: &[Segment], options: &ContentOptions) -> Whole {
    let mut whole = Whole::default();
    for segment in segments {
        let mut from = usize::try_from(segment.start).unwrap();
        let to = usize::try_from(segment.end).unwrap();
        if options.skip_bom && options.encode.is_none() && from == 0 && to >= 3 {
            from = 3;
        }
        let slice = &bytes[from..to];
        if from == 3 && is_lone_mark(bytes, segment, options) {
            whole.content.extend(prefix(bytes, from, segment.line, options).bytes());
        }
        if let Some(encode) = options.encode {
            whole.content.extend(encoded(slice, segment.start, encode).bytes());
            continue;
        }
        let invalid = naive::invalid(slice, from as u64);
        whole.invalid.count += invalid.count;
        whole.invalid.first_byte = whole.invalid.first_byte.or(invalid.first_byte);
        for (line, number) in slice.split_inclusive(|b| *b == b'\n').zip(segment.line..) {
            whole.content.extend(prefix(bytes, from, number, options).bytes());
            add_line(&mut whole, line, options);
            from += line.len();
        }
    }
    whole
}

/// Whether `segment` is all of a text that is only a byte order mark: an empty line.
fn is_lone_mark(bytes: &[u8], segment: &Segment, options: &ContentOptions) -> bool {
    let all = (segment.start, segment.end) == (0, 3) && bytes.len() == 3;
    all && options.skip_bom && options.encode.is_none()
}

fn encoded(bytes: &[u8], at: u64, encode: Encode) -> String {
    match encode {
        Encode::Hexdump => hexdump(bytes, at),
        Encode::Base64 => data_encoding::BASE64.encode(bytes),
        Encode::Hex => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// As `hexdump -v -C` prints `bytes` from the offset `at` on.
fn hexdump(bytes: &[u8], at: u64) -> String {
    let row = |(row, bytes): (usize, &[u8])| {
        let halves = bytes.chunks(8).map(|half| half.iter().map(|b| format!("{b:02x} ")).collect::<String>());
        let cells = halves.collect::<Vec<_>>().join(" ");
        let shown = bytes.iter().map(|b| if (0x20..0x7F).contains(b) { char::from(*b) } else { '.' });
        format!("{:08x}  {cells:<50}|{}|\n", at + 16 * row as u64, shown.collect::<String>())
    };
    let rows: String = bytes.chunks(16).enumerate().map(row).collect();
    let end = if bytes.is_empty() { String::new() } else { format!("{:08x}\n", at + bytes.len() as u64) };
    rows + &end
}

/// The prefix of line `number`, shown from the byte at `at`.
fn prefix(bytes: &[u8], at: usize, number: u64, options: &ContentOptions) -> String {
    let Some(form) = options.hash else {
        return if options.number { format!("{number:>6}→") } else { String::new() };
    };
    let start = bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |newline| newline + 1);
    let line = bytes[start..].split_inclusive(|b| *b == b'\n').next().unwrap();
    naive::hashline(line, number, form)
}

fn add_line(whole: &mut Whole, line: &[u8], options: &ContentOptions) {
    let body = line.strip_suffix(b"\r\n").or(line.strip_suffix(b"\n")).unwrap_or(line);
    let mut columns: Vec<Vec<u8>> = Vec::new();
    for chunk in body.utf8_chunks() {
        columns.extend(chunk.valid().chars().map(|c| shown(c, options)));
        if !chunk.invalid().is_empty() {
            columns.push(match (options.raw, options.show_controls, options.invalid) {
                (true, false, _) => chunk.invalid().to_vec(),
                (true, true, _) | (_, _, InvalidBytes::Escape) => {
                    chunk.invalid().iter().flat_map(|b| format!("\\x{b:02x}").into_bytes()).collect()
                }
                _ => "\u{FFFD}".into(),
            });
        }
    }
    let max = options.max_columns.map_or(columns.len(), |max| usize::try_from(max).unwrap());
    whole.clipped += u64::from(columns.len() > max);
    whole.content.extend(columns.into_iter().take(max).flatten());
    whole.content.extend(&line[body.len()..]);
}

fn shown(c: char, options: &ContentOptions) -> Vec<u8> {
    match c {
        c if !options.show_controls || c == '\t' || !c.is_control() => c.to_string(),
        c if c.is_ascii() => format!("\\x{:02x}", u32::from(c)),
        c => format!("\\u{{{:x}}}", u32::from(c)),
    }
    .into_bytes()
}

fn options(rng: &mut Rng) -> ContentOptions {
    ContentOptions {
        raw: rng.one_in(4),
        invalid: rng.pick(&[InvalidBytes::Replace, InvalidBytes::Escape]),
        number: rng.one_in(3),
        hash: rng.one_in(3).then(|| HashlineForm {
            style: rng.pick(&[HashStyle::Xxh32, HashStyle::Omp]),
            width: rng.pick(&[4, 5, 6, 7, 8]),
        }),
        max_columns: rng.one_in(3).then(|| 1 + rng.below(9) as u64),
        show_controls: rng.one_in(4),
        encode: rng.pick(&[
            None,
            None,
            None,
            None,
            Some(Encode::Base64),
            Some(Encode::Hex),
            Some(Encode::Hexdump),
        ]),
        ..ContentOptions::default()
    }
}

/// A slice, sometimes after a header, sometimes of three pieces.
fn segments(rng: &mut Rng, bytes: &[u8]) -> Vec<Segment> {
    let mut cuts: Vec<u64> = (0..6).map(|_| rng.below(bytes.len() + 1) as u64).collect();
    cuts.sort_unstable();
    let segment = |start: u64, end: u64| Segment { start, end, line: 1 + start % 7 };
    match rng.below(5) {
        0 => vec![segment(0, bytes.len() as u64)],
        1 => vec![segment(0, cuts[1]), segment(cuts[2], cuts[5])],
        2 => vec![segment(cuts[0], cuts[1]), segment(cuts[2], cuts[3]), segment(cuts[4], cuts[5])],
        _ => vec![segment(cuts[0], cuts[5])],
    }
}

/// A text in a source, its segments and its content options.
struct Case {
    name: String,
    bytes: Vec<u8>,
    reader: Reader,
    options: ContentOptions,
    segments: Vec<Segment>,
}

fn on_many_cases(all: u64, check: impl Fn(&Case, &mut Rng)) {
    for seed in 0..cases(all, all / 3) {
        let mut rng = Rng::new(seed);
        let tuning = tuning(&mut rng);
        let bytes = text::any(&mut rng, tuning.block);
        let (name, source) = sources::any(&mut rng, &bytes);
        let reader = Reader::new(source, tuning).unwrap();
        let mut options = options(&mut rng);
        options.skip_bom = !options.raw && reader.sniffed.bom;
        let segments = segments(&mut rng, &bytes);
        let shown = bytes.escape_ascii().to_string();
        let name = format!("seed {seed}, {tuning:?}, {name}, {options:?}, {segments:?}, {shown:?}");
        check(&Case { name, bytes, reader, options, segments }, &mut rng);
    }
}

fn newlines(content: &[u8]) -> u64 {
    content.iter().filter(|b| **b == b'\n').count() as u64
}

#[test]
fn content_is_the_slice_decoded() {
    on_many_cases(6000, |case, _| {
        let Case { name, bytes, reader, options, segments } = case;
        let expected = whole(bytes, segments, options);
        let (content, stats) = deliver(reader, segments, options).unwrap();
        assert_eq!(content.escape_ascii().to_string(), expected.content.escape_ascii().to_string(), "{name}");
        assert_eq!(stats.content_bytes, content.len() as u64, "{name}");
        assert_eq!((stats.invalid, stats.clipped_lines), (expected.invalid, expected.clipped), "{name}");
        assert_eq!(stats.cut, None, "{name}");
        if options.encode.is_none() {
            assert_eq!(stats.newlines, newlines(&content), "{name}");
            let lone = segments.iter().any(|segment| is_lone_mark(bytes, segment, options));
            let unfinished = lone || content.last().is_some_and(|b| *b != b'\n');
            assert_eq!(stats.mid_line, unfinished, "{name}");
        }
        let last = segments[segments.len() - 1];
        if last.start < last.end && !options.skip_bom {
            assert_eq!(stats.end, last.end, "{name}");
        }
        let measured = content::measure(reader, segments, options, Budget::default(), None).unwrap();
        assert_eq!(measured, stats, "{name}");
    });
}

#[test]
fn invalid_text_is_refused_with_its_offset() {
    on_many_cases(2000, |case, _| {
        let options = ContentOptions { invalid: InvalidBytes::Error, encode: None, ..case.options };
        let invalid = whole(&case.bytes, &case.segments, &options).invalid;
        match (invalid.first_byte, deliver(&case.reader, &case.segments, &options)) {
            (None, Ok((_, stats))) => assert_eq!(stats.invalid.count, 0, "{}", case.name),
            (Some(at), Err(error)) => {
                assert_eq!(error.kind, Kind::InvalidText, "{}", case.name);
                assert_eq!(error.message.plain(), format!("invalid UTF-8 at byte {at}"), "{}", case.name);
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
    let most = usize::try_from(tokens(content)).unwrap() + 2;
    let token_thirds = rng.one_in(3).then(|| 3 * rng.below(most) as u64);
    Budget { bytes: bytes.map(|n| n as u64), lines, token_thirds }
}

/// How many lines of content a budget allows.
fn within_lines(content: &[u8], lines: Option<u64>) -> &[u8] {
    let Some(lines) = lines else { return content };
    let lines = usize::try_from(lines).unwrap();
    let end: usize = content.split_inclusive(|b| *b == b'\n').take(lines).map(<[u8]>::len).sum();
    &content[..end]
}

#[test]
fn a_budget_ends_content_at_a_line_or_else_at_a_character() {
    on_many_cases(8000, |case, rng| {
        if case.options.encode.is_some() {
            return;
        }
        let full = whole(&case.bytes, &case.segments, &case.options).content;
        let budget = budget(rng, &full);
        let stats = content::measure(&case.reader, &case.segments, &case.options, budget, None).unwrap();
        let name = format!("{budget:?} gives {stats:?}: {}", case.name);
        let room = within_lines(&full, budget.lines);
        let has_bytes = |text: &[u8]| budget.bytes.is_none_or(|max| text.len() as u64 <= max);
        let has_tokens = |text: &[u8]| budget.token_thirds.is_none_or(|max| tokens(text) <= max / 3);
        let fits = |text: &[u8]| has_bytes(text) && has_tokens(text);
        let got = usize::try_from(stats.content_bytes).unwrap();
        let counted = budget.token_thirds.map(|_| tokens(&full[..got]));
        assert_eq!(stats.token_thirds.map(|thirds| thirds.div_ceil(3)), counted, "{name}");
        if fits(room) {
            assert_eq!(got, room.len(), "{name}");
            assert_eq!(stats.cut, (room.len() < full.len()).then_some(CutBy::Lines), "{name}");
            return;
        }
        let is_reason = match stats.cut {
            Some(CutBy::Bytes) => !has_bytes(room),
            Some(CutBy::Tokens) => !has_tokens(room),
            Some(CutBy::Lines) | None => false,
        };
        assert!(is_reason, "{name}");
        let line_ends = room.iter().zip(1..).filter(|(byte, _)| **byte == b'\n').map(|(_, end)| end);
        match line_ends.filter(|end| fits(&room[..*end])).last() {
            Some(end) => assert_eq!(got, end, "{name}"),
            None => {
                // One character did not fit, or the number before it.
                let more = &room[..room.len().min(got + 24)];
                assert!(fits(&room[..got]) && !fits(more), "{name}");
            }
        }
    });
}

/// The receipt comes from measuring under a budget, the content from writing the measured slice: both must agree.
#[test]
fn the_measured_content_is_the_written_content() {
    on_many_cases(12000, |case, rng| {
        let Case { name, bytes, reader, options, segments } = case;
        let full = whole(bytes, segments, options).content;
        let budget = budget(rng, &full);
        let measured = content::measure(reader, segments, options, budget, None).unwrap();
        let taken = content::before(segments, measured.end);
        let (content, delivered) = deliver(reader, &taken, options).unwrap();
        let name = format!("{budget:?} measured {measured:?} delivered {delivered:?}: {name}");
        // A dump has a line at its end, and base64 that ends with a line rather than a group is padded.
        if options.encode != Some(Encode::Hexdump) && (options.encode.is_none() || budget.lines.is_none()) {
            assert!(full.starts_with(&content), "{:?}: {name}", content.escape_ascii().to_string());
        }
        assert_eq!(content.len() as u64, measured.content_bytes, "{name}");
        let of = |stats: ContentStats| (stats.invalid, stats.newlines, stats.mid_line, stats.clipped_lines);
        assert_eq!(of(delivered), of(measured), "{name}");
        if options.number
            || options.hash.is_some()
            || options.max_columns.is_some()
            || matches!(options.encode, Some(Encode::Base64 | Encode::Hexdump))
        {
            return;
        }
        // Continuing from there loses and repeats nothing.
        let rest = segments.iter().map(|s| Segment { start: s.start.max(measured.end).min(s.end), ..*s });
        let (rest, _) = deliver(reader, &rest.collect::<Vec<_>>(), options).unwrap();
        let joined = [&content[..], &rest[..]].concat();
        assert_eq!(joined.escape_ascii().to_string(), full.escape_ascii().to_string(), "{name}");
    });
}

#[test]
fn encoded_content_is_cut_between_groups() {
    on_many_cases(6000, |case, rng| {
        let Some(encode) = case.options.encode.filter(|encode| *encode != Encode::Hexdump) else { return };
        let width = if encode == Encode::Hex { 2 } else { 4 };
        let full = whole(&case.bytes, &case.segments, &case.options).content;
        let budget = budget(rng, &full);
        let stats = content::measure(&case.reader, &case.segments, &case.options, budget, None).unwrap();
        let name = format!("{budget:?} gives {stats:?}: {}", case.name);
        // Lines are those of the file: the rest of each segment is encoded.
        let mut left = budget.lines;
        let (mut content, mut complete) = (String::new(), true);
        for segment in &case.segments {
            let slice = usize::try_from(segment.start).unwrap()..usize::try_from(segment.end).unwrap();
            let slice = &case.bytes[slice];
            let taken = within_lines(slice, left);
            left = left.map(|n| n - newlines(taken));
            complete &= taken.len() == slice.len();
            content += &encoded(taken, segment.start, encode);
        }
        let max = [budget.bytes, budget.token_thirds].into_iter().flatten().min();
        let max = max.map_or(usize::MAX, |n| usize::try_from(n).unwrap());
        let expected = content.len().min(max / width * width);
        assert_eq!(stats.content_bytes, expected as u64, "{name}");
        assert_eq!(stats.cut.is_none(), complete && expected == content.len(), "{name}");
    });
}

/// The slices of a dump under budgets have whole rows, and their bytes are those of the file.
#[test]
fn a_dump_is_cut_between_rows() {
    on_many_cases(4000, |case, rng| {
        let options = ContentOptions { encode: Some(Encode::Hexdump), ..ContentOptions::default() };
        let segment = case.segments[0];
        let budget = Budget { bytes: Some(104 + rng.below(400) as u64), ..Budget::default() };
        let (mut at, mut slices) = (segment.start, Vec::new());
        while at < segment.end {
            let rest = [Segment { start: at, ..segment }];
            let measured = content::measure(&case.reader, &rest, &options, budget, None).unwrap();
            let (content, delivered) =
                deliver(&case.reader, &content::before(&rest, measured.end), &options).unwrap();
            let end = measured.end.max(at);
            let range = usize::try_from(at).unwrap()..usize::try_from(end).unwrap();
            assert_eq!(String::from_utf8(content).unwrap(), hexdump(&case.bytes[range], at), "{}", case.name);
            assert_eq!(delivered.content_bytes, measured.content_bytes, "{}", case.name);
            assert!(measured.content_bytes <= budget.bytes.unwrap(), "{}", case.name);
            let is_whole = (end - at).is_multiple_of(16) || end == segment.end;
            assert!(end > at && is_whole, "{at} to {end}: {}", case.name);
            // As many rows as fit.
            let more = hexdump(&vec![0; usize::try_from(end - at).unwrap() + 16], at).len() as u64;
            assert!(end == segment.end || more > budget.bytes.unwrap(), "{at} to {end}: {}", case.name);
            slices.push(end);
            at = end;
        }
        assert_eq!(slices.last().copied().unwrap_or(segment.start), segment.end, "{}", case.name);
    });
}
