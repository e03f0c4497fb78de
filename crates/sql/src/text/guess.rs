//! The layout of delimited values, from samples of a text: the candidates, what speaks for each, and whether one is evident.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use memchr::memmem;

use super::records::{Records, Span, value_end};
use super::types::ScalarType;
use rread_source::compressed::recognition::ending;
use rread_text::layout::{Csv, DateOrder, Divider, Forms};
use rread_text::timestamp::{Rule, TimeContext, Timestamp, detect_in, zone};

pub(super) const DELIMITERS: [u8; 4] = *b",\t;|";

/// Records on which the delimiters are tried.
const RECORDS: usize = 100;

/// Lines that show whether a text is a log.
const LINES: usize = 20;

/// Bytes on which the delimiters are tried.
const ENOUGH: usize = 64 << 10;

/// The nearest rival of an evident delimiter is so much worse: a value that its column explains counts 2, other text 1,
/// and text that a rival would divide 0. `Ada;a,b` leaves both readings.
const MARGIN: f64 = 0.25;

/// The layout, as far as the user said it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    pub delimiter: bool,
    pub quote: bool,
    pub escape: bool,
    pub decimal: bool,
}

/// The most likely layout, and what it leaves open.
#[derive(Clone, Debug)]
pub struct Guess {
    pub csv: Csv,
    /// (Nearly) all records have the delimiter equally often.
    pub is_even: bool,
    /// The delimiter is always before a space, as in a sentence.
    is_spaced: bool,
    /// A delimiter that explains the samples as well.
    pub rival: Option<u8>,
}

impl Guess {
    /// The delimiter, unless it may be part of the values.
    pub fn divides(&self) -> Option<u8> {
        (!self.is_spaced).then_some(self.csv.delimiter)
    }
}

/// The looks of some records with a layout.
#[derive(Default)]
struct Seen {
    records: usize,
    first: usize,
    /// The number of values that most records after the first have.
    width: usize,
    /// Records of another width.
    misfits: usize,
    /// Quotes that open a value and do not surround it.
    strays: usize,
    /// Quoted values of several lines.
    spanning: usize,
    /// Values in double quotes and in single quotes that are not taken for quotes.
    wrapped: [usize; 2],
    /// Other values that are neither numbers nor empty.
    bare: usize,
    quoted: usize,
    /// Values in quotes with such a quote in them, which is doubled or escaped.
    inner: usize,
    /// Delimiters, and those before a space.
    delimiters: usize,
    spaced: usize,
}

impl Seen {
    /// `None` if there is no record. Without `whole`, the end of the text may cut the last one.
    fn of(text: &str, csv: &Csv, limit: usize, whole: bool) -> Option<Self> {
        let mut records = Records::new(text.as_bytes(), csv);
        let (mut seen, mut widths, mut spans) = (Seen::default(), Vec::new(), Vec::new());
        while seen.records < limit {
            spans.clear();
            let Some(record) = records.next(|_| true, &mut spans) else { break };
            if record.end == text.len() && !whole && seen.records > 0 {
                break;
            }
            let is_open = record.end == text.len() && !whole;
            seen.strays += usize::from(record.stray.is_some() && !is_open);
            seen.records += 1;
            widths.push(record.values);
            for (nth, span) in spans.iter().enumerate() {
                seen.add(raw(text, *span), nth, csv);
            }
        }
        let (first, rest) = widths.split_first()?;
        seen.first = *first;
        let mut counts = BTreeMap::new();
        rest.iter().for_each(|width| *counts.entry(*width).or_insert(0) += 1);
        let most = counts.into_iter().max_by_key(|(width, count)| (*count, width == first));
        let (width, count) = most.unwrap_or((*first, 0));
        seen.width = width;
        seen.misfits = rest.len() - count + usize::from(!seen.begins_table());
        Some(seen)
    }

    fn add(&mut self, raw: &str, nth: usize, csv: &Csv) {
        self.delimiters += usize::from(nth > 0);
        self.spaced += usize::from(nth > 0 && raw.starts_with(' '));
        let bytes = raw.as_bytes();
        let mark = |quote: u8| bytes.len() > 1 && bytes.starts_with(&[quote]) && bytes.ends_with(&[quote]);
        if let Some(quote) = csv.quote.filter(|quote| bytes.starts_with(&[*quote])) {
            self.quoted += 1;
            self.spanning += usize::from(memchr::memchr(csv.newline, bytes).is_some());
            let escape = super::records::other_escape(csv);
            self.strays += usize::from(value_end(bytes, 1, quote, escape, true).is_err());
            self.inner += usize::from(memmem::find(&bytes[1..], &[escape.unwrap_or(quote), quote]).is_some());
        } else if mark(b'"') {
            self.wrapped[0] += 1;
        } else if mark(b'\'') {
            self.wrapped[1] += 1;
        } else {
            let is_asked = csv.quote == Some(b'\'');
            self.bare += usize::from(is_asked && !is_typed(raw, csv.delimiter));
        }
    }

    /// Whether the first record is one of the table: it may lack the delimiter at the end, or a name.
    fn begins_table(&self) -> bool {
        self.first == self.width || self.first + 1 == self.width && self.records > 2
    }

    fn is_even(&self) -> bool {
        self.width > 1 && self.first > 1 && self.misfits * 10 <= self.records && self.begins_table()
    }

    /// A space after each delimiter suggests that it is part of the values.
    fn is_spaced(&self) -> bool {
        self.delimiters > 0 && self.spaced == self.delimiters
    }

    /// The evidence against the quotes.
    fn cost(&self) -> usize {
        self.strays + self.misfits
    }
}

fn raw(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or_default()
}

/// The layout of the text at its beginning, without lines before the table. `csv` has what the user said, and the rest as
/// it usually is. Without `whole`, more text follows.
pub fn guess(text: &str, whole: bool, path: &Path, csv: &Csv, given: Given) -> Guess {
    let head = head(text, csv.newline);
    let is_cut = !whole || head.len() < text.len();
    let is_tabbed = matches!(&*ending(path), "tsv" | "tab");
    let named = [b'\t'];
    let tried: &[u8] = match () {
        () if given.delimiter => std::slice::from_ref(&csv.delimiter),
        () if is_tabbed => &named,
        () => &DELIMITERS,
    };
    let candidate = |delimiter: &u8| {
        let csv = Csv { delimiter: *delimiter, ..csv.clone() };
        let (csv, seen) = quoting(head, !is_cut, &csv, given, RECORDS)?;
        (seen.first > 1 || tried.len() == 1).then_some((csv, seen))
    };
    let all: Vec<(Csv, Seen)> = tried.iter().filter_map(candidate).collect();
    let even: Vec<u8> = all.iter().filter(|(_, seen)| seen.is_even()).map(|(csv, _)| csv.delimiter).collect();
    let mut ranked: Vec<_> = all
        .into_iter()
        .enumerate()
        .map(|(nth, (csv, seen))| {
            let (is_even, is_tight) = (seen.is_even(), !seen.is_spaced());
            let quality = if is_even && even.len() > 1 { quality(head, &csv, &even) } else { 0.0 };
            let count = if is_even { 0 } else { seen.first };
            // Quotes that surround whole values speak for what stands between them.
            let is_quoted = is_even && csv.quote.is_some() && seen.quoted > 0 && seen.strays == 0;
            ((is_even, is_tight, is_quoted, count, quality, Reverse(nth)), csv)
        })
        .collect();
    ranked.sort_by(|(one, _), (other, _)| other.partial_cmp(one).unwrap_or(std::cmp::Ordering::Equal));
    let mut ranked = ranked.into_iter();
    let Some(((is_even, is_tight, is_quoted, _, best, _), csv)) = ranked.next() else {
        return Guess { csv: csv.clone(), is_even: false, is_spaced: true, rival: None };
    };
    let next = ranked.next().filter(|((even, tight, quoted, _, quality, _), _)| {
        is_even && *even && (is_tight, is_quoted) == (*tight, *quoted) && best - quality < MARGIN
    });
    let (csv, is_spaced) = (whole_quoting(text, whole, csv, given), !is_tight);
    Guess {
        csv,
        is_even: is_even || is_tabbed,
        is_spaced: is_spaced && !is_tabbed,
        rival: next.map(|(_, csv)| csv.delimiter),
    }
}

fn head(text: &str, newline: u8) -> &str {
    let Some(head) = text.as_bytes().get(..ENOUGH) else { return text };
    let end = memchr::memrchr(newline, head).map_or(text.len(), |at| at + 1);
    text.get(..end).unwrap_or(text)
}

/// The quoting of all of the text, where the first records may have shown none.
fn whole_quoting(text: &str, whole: bool, csv: Csv, given: Given) -> Csv {
    let unquoted = Csv { quote: if given.quote { csv.quote } else { Csv::default().quote }, ..csv.clone() };
    quoting(text, whole, &unquoted, given, usize::MAX).map_or(csv, |(csv, _)| csv)
}

/// The quotes and the escape with which most speaks for a delimiter, and what the records then look like.
fn quoting(text: &str, whole: bool, csv: &Csv, given: Given, limit: usize) -> Option<(Csv, Seen)> {
    let look = |csv: &Csv| Seen::of(text, csv, limit, whole);
    let mut best = (csv.clone(), look(csv)?);
    let has = |mark: &str| memmem::find(text.as_bytes(), mark.as_bytes()).is_some();
    let quote = csv.quote.map_or(String::new(), |quote| format!("\\{}", char::from(quote)));
    if !given.escape && csv.quote.is_some() && best.1.quoted > 0 && has(&quote) {
        let escaped = Csv { escape: Some(b'\\'), ..csv.clone() };
        if let Some(seen) = look(&escaped).filter(|seen| seen.cost() < best.1.cost()) {
            best = (escaped, seen);
        }
    }
    if given.quote || given.escape {
        return Some(best);
    }
    if best.1.strays + best.1.spanning > 0 {
        let bare = Csv { quote: None, escape: None, ..csv.clone() };
        // Values of several lines that hold whole records speak against quotes.
        let is_better = |seen: &Seen| {
            let spanning = if seen.misfits == 0 && seen.width > 1 { best.1.spanning } else { 0 };
            seen.cost() + seen.wrapped[0] < best.1.cost() + spanning
        };
        if let Some(seen) = look(&bare).filter(is_better) {
            best = (bare, seen);
        }
    }
    if best.1.quoted == 0 && best.1.wrapped[0] == 0 && has("'") {
        let better = |escape| {
            let single = Csv { quote: Some(b'\''), escape, ..csv.clone() };
            let seen = look(&single)?;
            // A value in apostrophes with a doubled or escaped one in it is quoted.
            let is_sure = seen.bare == 0 && seen.quoted > 1 || seen.inner > 0 || best.1.misfits > 0;
            (seen.strays == 0 && seen.quoted > 0 && seen.misfits == 0 && is_sure).then_some((single, seen))
        };
        best = better(None).or_else(|| has("\\'").then(|| better(Some(b'\\')))?).unwrap_or(best);
    }
    Some(best)
}

/// How well the values of a layout are explained; see [`MARGIN`].
fn quality(text: &str, csv: &Csv, even: &[u8]) -> f64 {
    let mut records = Records::new(text.as_bytes(), csv);
    let (mut sum, mut cells, mut spans) = (0.0, 0.0, Vec::new());
    for _ in 0..RECORDS {
        spans.clear();
        if records.next(|_| true, &mut spans).is_none() {
            break;
        }
        for value in spans.iter().map(|span| raw(text, *span).trim()).filter(|value| !value.is_empty()) {
            let is_quoted = csv.quote.is_some_and(|quote| value.as_bytes().starts_with(&[quote]));
            let is_rival = |byte: &u8| *byte != csv.delimiter && value.as_bytes().contains(byte);
            cells += 1.0;
            sum += match () {
                () if is_typed(value, csv.delimiter) => 2.0,
                () if !is_quoted && even.iter().any(is_rival) => 0.0,
                () => 1.0,
            };
        }
    }
    // Bars are often between the items of a list.
    let bar = if csv.delimiter == b'|' { MARGIN } else { 0.0 };
    if cells > 0.0 { sum / cells - bar } else { 0.0 }
}

/// Whether a value has a type, in any of the usual forms.
pub(super) fn is_typed(value: &str, delimiter: u8) -> bool {
    let of = |forms: Forms| ScalarType::of_in(value, forms) != ScalarType::Text;
    let dates = Some(DateOrder::Dmy);
    let comma = Forms { decimal_comma: true, thousands: Some(b'.'), dates };
    of(Forms { dates, ..Forms::default() })
        || of(Forms { dates: Some(DateOrder::Mdy), ..Forms::default() })
        || delimiter != b',' && of(comma)
}

/// The delimiter of a line such as `sep=;`, with which Excel states it before the table.
pub fn stated_delimiter(text: &[u8]) -> Option<u8> {
    let line = text.split(|byte| matches!(byte, b'\n' | b'\r')).next()?;
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    match line.split_at_checked(4)? {
        (word, _) if !word.eq_ignore_ascii_case(b"sep=") => None,
        (_, b"\\t") => Some(b'\t'),
        (_, [byte]) if byte.is_ascii() => Some(*byte),
        _ => None,
    }
}

/// Whether the lines of `head` are those of a log: they have times, and are no records of delimited values.
pub fn is_log(head: &str, path: &Path, found: &Guess) -> bool {
    if is_named_delimited(path) {
        return false;
    }
    let lines: Vec<&[u8]> =
        head.lines().filter(|line| !line.trim().is_empty()).take(LINES).map(str::as_bytes).collect();
    // Lines that are nothing but times are a column of times.
    if lines.iter().all(|line| is_one_value(line.trim_ascii())) {
        return false;
    }
    let Some(detected) = detect_in(std::slice::from_ref(&lines), Rule::Unnamed, None) else {
        return (found.is_spaced || !found.is_even) && ending(path) == "log";
    };
    if !found.is_even || found.is_spaced {
        return true;
    }
    // Free text after the time, however often the delimiter occurs in it.
    let Ok(utc) = zone(Some("UTC")) else { return false };
    let context = TimeContext::new(utc, Timestamp::now());
    let is_record = |line: &&[u8]| {
        let Some((_, place)) = detected.read_at(line, &context) else { return false };
        let (Some(before), Some(after)) = (line.get(..place.start), line.get(place.end..)) else {
            return false;
        };
        let divided = |at: usize| before.get(at + 1).is_none_or(|next| *next != b' ');
        let is_first = !memchr::memchr_iter(found.csv.delimiter, before).any(divided);
        let next = after.iter().find(|byte| !matches!(byte, b'"' | b'\'' | b']' | b')'));
        is_first && !place.is_empty() && next.is_some_and(|next| *next != found.csv.delimiter)
    };
    let count = lines.iter().filter(|line| is_record(line)).count();
    lines.first().is_some_and(is_record) && count * 10 >= lines.len() * 9
}

/// Whether the name is that of a table of delimited values.
pub fn is_named_delimited(path: &Path) -> bool {
    matches!(&*ending(path), "csv" | "tsv" | "tab" | "psv")
}

fn is_one_value(line: &[u8]) -> bool {
    let is_letter = |c: char| c.is_alphabetic() && !matches!(c, 'T' | 'Z' | 'e' | 'E');
    !String::from_utf8_lossy(line).contains(is_letter)
}

/// The layout in words, for receipts.
pub fn described(csv: &Csv) -> String {
    let shown = |byte: u8| if byte == b'\t' { "tab".to_owned() } else { char::from(byte).to_string() };
    let quote = csv.quote.map_or("no quotes".to_owned(), |quote| format!("quote {}", shown(quote)));
    let delimiter = match &csv.divider {
        None => shown(csv.delimiter),
        Some(Divider::Text(words)) => words.clone(),
        Some(Divider::Blanks) => "blanks".to_owned(),
    };
    let mut words = vec![format!("delimiter {delimiter}"), quote];
    words.extend(super::records::other_escape(csv).map(|escape| format!("escape {}", shown(escape))));
    words.extend(csv.comment.map(|comment| format!("comment {}", shown(comment))));
    let forms = csv.forms;
    for (is_so, word) in [
        (csv.skip_lines > 0, format!("table after line {}", csv.skip_lines)),
        (true, if csv.header { "header" } else { "no header" }.to_owned()),
        (csv.unnamed_first, "first column without a name".to_owned()),
        (csv.trailing, "delimiter after the last value".to_owned()),
        (forms.decimal_comma, "decimal comma".to_owned()),
        (csv.newline == b'\r', "lines end with CR".to_owned()),
    ] {
        words.extend(is_so.then_some(word));
    }
    words.extend(forms.thousands.map(|mark| format!("thousands {}", shown(mark))));
    words.extend(forms.dates.map(|order| format!("dates {}", order.name())));
    words.join(", ")
}
