//! The range grammar: what is accepted means what the grammar says, what is refused is refused with a sentence.

use rread_reader::reader::{Reader, Tuning};
use rread_reader::selection::Context;
use rread_text::error::{Error, Kind};
use rread_text::range::{
    Form, Place, Range, Unit, parse_count, parse_list, parse_mixed, parse_place, parse_size,
};

use rread_testkit::ask::{Request, check};
use rread_testkit::naive::Whole;
use rread_testkit::sources;

/// A text of lines of different lengths, the last of them not ended.
const TEXT: &[u8] = "one\n\nthree, longer\r\né漢😀\n\n\nseven\nthe last".as_bytes();

pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let naive = Naive(Unit::Lines).list(&text);
    agree(&text, parse_list(&text, Unit::Lines), naive.clone());
    let naive_bytes = match text.trim().strip_prefix("bytes=") {
        Some(specs) => specs.split(',').map(|spec| http(spec.trim())).collect(),
        None => Naive(Unit::Bytes).list(&text),
    };
    agree(&text, parse_list(&text, Unit::Bytes), naive_bytes);
    agree(&text, parse_mixed(&text), mixed(&text));
    let trimmed = text.trim();
    for unit in [Unit::Lines, Unit::Bytes] {
        let count = Naive(unit).number(trimmed);
        same(&text, parse_count(&text, unit), count);
        same(&text, parse_place(&text, unit), Naive(unit).place(trimmed));
    }
    same(&text, parse_size(&text), Naive(Unit::Bytes).number(trimmed));
}

/// Holds `got` against what was expected; a refusal has to be one sentence that says why.
fn same<T: PartialEq + std::fmt::Debug>(text: &str, got: Result<T, Error>, expected: Option<T>) {
    match got {
        Ok(got) => assert_eq!(Some(got), expected, "{text:?}"),
        Err(error) => {
            assert_eq!(None, expected, "{text:?}: {error}");
            assert_eq!(error.kind, Kind::InvalidRange, "{text:?}");
            assert!(!error.message.plain().is_empty(), "{text:?}");
        }
    }
}

fn agree(text: &str, got: Result<Vec<Range>, Error>, expected: Option<Vec<Range>>) {
    if let Ok(ranges) = &got {
        for range in ranges {
            let shown = range.to_string();
            let again = parse_list(&shown, range.unit).unwrap_or_else(|error| panic!("{shown}: {error}"));
            assert_eq!(again, [*range], "{text:?} shown as {shown}");
        }
        let whole = Whole::new(TEXT);
        let reader = Reader::new(sources::plain(TEXT), Tuning { block: 7, ..Tuning::default() }).unwrap();
        let ranges = ranges.iter().copied().take(8).collect();
        let request = Request::Select { ranges, context: Context::default(), header: 0, numbers: false };
        check(&reader, &whole, &request, &text);
    }
    same(text, got, expected);
}

/// `b` and `l` say what is counted.
fn mixed(text: &str) -> Option<Vec<Range>> {
    let text = text.trim();
    if let Some(specs) = text.strip_prefix("bytes=") {
        return specs.split(',').map(|spec| http(spec.trim())).collect();
    }
    let items = text.split(',').map(str::trim);
    let one = |item: &str| match (item.strip_prefix("bytes="), item.strip_prefix('b')) {
        (Some(spec), _) => http(spec),
        (None, Some(bytes)) => Naive(Unit::Bytes).one(bytes),
        (None, None) => Naive(Unit::Lines).one(item.strip_prefix('l').unwrap_or(item)),
    };
    items.map(one).collect()
}

/// RFC 9110, section 14.1.2.
fn http(spec: &str) -> Option<Range> {
    let digits = |text: &str| {
        if text.bytes().any(|b| b.is_ascii_alphabetic()) { None } else { Naive(Unit::Bytes).number(text) }
    };
    let (first, last) = spec.split_once('-')?;
    let form = match (first, last) {
        ("", "") => return None,
        ("", last) => Form::Between(Some(Place::Back(digits(last)?)), None),
        (first, "") => Form::Between(Some(Place::Front(digits(first)?)), None),
        (first, last) => {
            let (first, last) = (digits(first)?, digits(last)?);
            let end = if last == u64::MAX { None } else { Some(Place::Front(last + 1)) };
            (first <= last).then_some(Form::Between(Some(Place::Front(first)), end))?
        }
    };
    Some(Range { unit: Unit::Bytes, form })
}

/// The grammar once more, for one unit: what is not of it is `None`.
struct Naive(Unit);

impl Naive {
    fn list(&self, text: &str) -> Option<Vec<Range>> {
        text.split(',').map(|item| self.one(item.trim())).collect()
    }

    fn one(&self, item: &str) -> Option<Range> {
        let place = |text: &str| self.place(text.trim());
        let form = match item.split(':').collect::<Vec<_>>()[..] {
            [alone] => self.alone(alone)?,
            [start, end] => match (start, end, end.strip_prefix('+')) {
                ("", _, Some(_)) => return None,
                (start, _, Some(count)) => Form::Counted(place(start)?, self.number(count.trim())?),
                ("", "", _) => Form::Between(None, None),
                ("", end, _) => Form::Between(None, Some(place(end)?)),
                (start, "", _) => Form::Between(Some(place(start)?), None),
                (start, end, _) => Form::Between(Some(place(start)?), Some(place(end)?)),
            },
            _ => return None,
        };
        let crossed = match form {
            Form::Between(Some(Place::Front(start)), Some(Place::Front(end))) => start > end,
            Form::Between(Some(Place::Back(start)), Some(Place::Back(end))) => start < end,
            _ => false,
        };
        (!crossed).then_some(Range { unit: self.0, form })
    }

    /// A line, or two joined by a dash; bytes never stand alone.
    fn alone(&self, item: &str) -> Option<Form> {
        if self.0 == Unit::Bytes || item.is_empty() {
            return None;
        }
        let mut parts = item.splitn(2, '-');
        match (parts.next()?, parts.next()) {
            (_, None) => Some(Form::One(self.place(item.trim())?)),
            ("", Some(rest)) if !rest.contains('-') => match self.place(item)? {
                Place::Back(0) => None,
                place => Some(Form::One(place)),
            },
            ("", Some(_)) => None,
            (start, Some(end)) => match (self.place(start.trim())?, self.place(end.trim())?) {
                (start @ Place::Front(_), end @ Place::Front(_)) => {
                    Some(Form::Between(Some(start), Some(end)))
                }
                _ => None,
            },
        }
    }

    fn place(&self, text: &str) -> Option<Place> {
        match text.strip_prefix('-') {
            Some(rest) => self.number(rest).map(Place::Back),
            None => {
                let number = self.number(text)?;
                (number > 0 || self.0 == Unit::Bytes).then_some(Place::Front(number))
            }
        }
    }

    fn number(&self, text: &str) -> Option<u64> {
        let (digits, suffix) = match text.find(|c: char| c.is_alphabetic()) {
            Some(at) if self.0 == Unit::Bytes => text.split_at(at),
            _ => (text, ""),
        };
        let groups: Vec<&str> = digits.split('_').collect();
        if groups.iter().any(|group| group.is_empty() || !group.bytes().all(|b| b.is_ascii_digit())) {
            return None;
        }
        let digits = groups.concat();
        let digits = digits.trim_start_matches('0');
        let number = if digits.is_empty() { 0 } else { digits.parse::<u128>().ok()? };
        let letters = "KMGTPE";
        let power = |letter: char| letters.find(letter).and_then(|at| u32::try_from(at + 1).ok());
        let factor = match suffix.chars().collect::<Vec<_>>()[..] {
            [] => 1,
            ['k'] => 1024,
            ['k', 'B'] => 1000,
            [letter] | [letter, 'i', 'B'] => 1024u128.pow(power(letter)?),
            [letter, 'B'] => 1000u128.pow(power(letter)?),
            _ => return None,
        };
        u64::try_from(number.checked_mul(factor)?).ok()
    }
}
