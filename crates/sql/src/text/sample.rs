//! The records at the beginning of a table of delimited values: whether the first holds the names of the columns, and whether all
//! are those of one table.

use super::boundaries::{after_lines, line_ends};
use super::chunks::invalid;
use super::columns::Values;
use super::guess::{DELIMITERS, Given, is_typed};
use super::parser::CsvValues;
use super::records::{CsvRecord, Records, Span};
use super::rejected::text_of;
use super::types::ScalarType;
use super::values::timestamp;
use rread_text::layout::DateOrder;
use rread_text::{Csv, Error, Forms, Result, Sentence, counted, setting};

pub(super) struct CsvSample<'a> {
    text: &'a str,
    csv: &'a Csv,
    pub width: usize,
    first: Vec<Span>,
    below: Vec<Span>,
    counts: RecordCounts,
}

#[derive(Default)]
struct RecordCounts {
    /// Records after the first.
    records: u64,
    misfits: u64,
    /// Whether the first has a quote that does not surround a value: it may join two.
    is_torn: bool,
    /// The offset of the first record that does not fit, and how many values it has.
    first_misfit: Option<(usize, usize)>,
    /// Records after the first that have as many values.
    alike: u64,
    /// Records with one value more, which is empty, and records with another one more.
    ending: u64,
    longer: u64,
    /// Records with fewer values, and the fewest.
    shorter: u64,
    shortest: usize,
}

impl<'a> CsvSample<'a> {
    /// `None` if `text` has no record.
    pub fn of(text: &'a str, csv: &'a Csv) -> Option<Self> {
        let mut records = Records::new(text.as_bytes(), csv);
        let mut first = Vec::new();
        let CsvRecord { values: named, stray, .. } = records.next(|_| true, &mut first)?;
        let width = named + usize::from(csv.unnamed_first);
        if csv.unnamed_first {
            first.insert(0, Span { start: 0, end: 0 });
        }
        let counts = RecordCounts { shortest: usize::MAX, is_torn: stray.is_some(), ..Default::default() };
        let mut sample = CsvSample { text, csv, width, first, below: Vec::new(), counts };
        let mut end = 0;
        while let Some(record) = records.next(|nth| nth < width, &mut sample.below) {
            sample.counts.records += 1;
            sample.counts.alike += u64::from(record.values == named);
            sample.counts.shorter += u64::from(record.values < named);
            sample.counts.shortest = sample.counts.shortest.min(record.values);
            let is_longer = record.values == named + 1;
            sample.counts.ending += u64::from(is_longer && record.ends_empty);
            sample.counts.longer += u64::from(is_longer && !record.ends_empty);
            if !record.fits(width, csv, |_| true, &mut sample.below) {
                sample.below.truncate(end);
                sample.counts.misfits += 1;
                sample.counts.first_misfit.get_or_insert((record.start, record.values));
            }
            end = sample.below.len();
        }
        Some(sample)
    }

    /// Whether the first record has one value in the first of several columns.
    fn is_title(&self) -> bool {
        self.width > 2 && (0..self.width).all(|nth| self.first(nth).is_some() == (nth == 0))
    }

    /// How the numbers and dates are written, as far as the user did not say and the values leave one reading.
    fn forms(&self, has_decimal: bool) -> Forms {
        let given = self.csv.forms;
        // A first record of names has no value that could be one of these.
        let columns = || {
            (0..self.width).map(|nth| WithFirst {
                first: self.first(nth).filter(|first| is_typed(first, self.csv.delimiter)),
                below: self.below(nth),
            })
        };
        let mut forms = given;
        if given.dates.is_none() {
            let orders: Vec<DateOrder> = columns().filter_map(|values| date_order(&values)).collect();
            let has = |order| orders.contains(&order);
            forms.dates = match (has(DateOrder::Dmy), has(DateOrder::Mdy)) {
                (true, false) => Some(DateOrder::Dmy),
                (false, true) => Some(DateOrder::Mdy),
                _ => (!orders.is_empty()).then_some(DateOrder::Unclear),
            };
        }
        // Where a semicolon divides values, the comma is free to be the decimal point.
        if given.decimal_comma || self.csv.delimiter == b';' && !has_decimal {
            let found: Vec<Option<(bool, bool)>> = columns().map(|values| commas(&values)).collect();
            let is_float = |nth: usize| self.type_below(nth) == ScalarType::Float64;
            let has_floats = found.iter().enumerate().any(|(nth, commas)| commas.is_none() && is_float(nth));
            let mut numbers = found.iter().flatten();
            forms.decimal_comma |= !has_floats && numbers.clone().any(|(are_decimal, _)| *are_decimal);
            // Only beside a decimal comma are points surely between thousands: `1.500` may be one and a half.
            let has_groups = forms.decimal_comma && numbers.any(|(_, have_groups)| *have_groups);
            forms.thousands = forms.thousands.or(has_groups.then_some(b'.'));
        }
        forms
    }

    /// The value of the first record as it is, whatever --null says.
    pub fn name(&self, nth: usize) -> Option<String> {
        let csv = &Csv { nulls: Vec::new(), ..self.csv.clone() };
        CsvValues { csv, ..self.values(&self.first, nth) }.at(0)
    }

    /// The value of the first record as a row.
    pub fn first(&self, nth: usize) -> Option<String> {
        self.values(&self.first, nth).at(0)
    }

    /// The values of a column after the first record.
    pub fn below(&self, nth: usize) -> CsvValues<'_> {
        self.values(&self.below, nth)
    }

    /// The type of the values of a column after the first record.
    pub fn type_below(&self, nth: usize) -> ScalarType {
        let mut combined = ScalarType::Null;
        self.below(nth).each(|value| {
            if combined != ScalarType::Text {
                let of = |value| ScalarType::of_in(value, self.csv.forms);
                combined = combined.and(value.map_or(ScalarType::Null, of));
            }
        });
        combined
    }

    fn values<'s>(&'s self, spans: &'s [Span], nth: usize) -> CsvValues<'s> {
        CsvValues { text: self.text, spans, stride: self.width, nth, csv: self.csv }
    }
}

/// The values of a column, and the one of the first record.
struct WithFirst<'a> {
    first: Option<String>,
    below: CsvValues<'a>,
}

impl Values for WithFirst<'_> {
    fn len(&self) -> usize {
        self.below.len() + usize::from(self.first.is_some())
    }

    fn each(&self, mut take: impl FnMut(Option<&str>)) {
        take(self.first.as_deref());
        self.below.each(take);
    }
}

/// Whether a comma in a column of numbers is surely a decimal point, and whether a value has points between thousands as well, as
/// in `1.234,56`; `None` if the column has other values.
fn commas(values: &impl Values) -> Option<(bool, bool)> {
    let forms = Forms { decimal_comma: true, thousands: Some(b'.'), dates: None };
    let (mut are_decimal, mut have_groups, mut is_other) = (false, false, false);
    values.each(|value| {
        let Some(value) = value.map(str::trim).filter(|value| !value.is_empty() && !is_other) else { return };
        let kind = ScalarType::of_in(value, forms);
        is_other = !matches!(kind, ScalarType::Whole(_) | ScalarType::Float64);
        let Some((whole, decimals)) = value.split_once(',') else { return };
        let is_group = decimals.len() == 3 && whole.trim_start_matches('-') != "0";
        have_groups |= whole.contains('.');
        are_decimal |= whole.contains('.') || !is_group;
    });
    (!is_other).then_some((are_decimal, have_groups))
}

/// The order of day and month in a column of dates that end with the year.
fn date_order(values: &impl Values) -> Option<DateOrder> {
    let (mut are_dmy, mut are_mdy, mut count) = (true, true, 0);
    values.each(|value| {
        let Some(value) = value.map(str::trim).filter(|value| !value.is_empty() && (are_dmy || are_mdy))
        else {
            return;
        };
        let fits = |order| timestamp(value.as_bytes(), Some(order)).is_some();
        let is_year_first = timestamp(value.as_bytes(), None).is_some();
        count += u64::from(!is_year_first);
        are_dmy &= fits(DateOrder::Dmy);
        are_mdy &= fits(DateOrder::Mdy);
    });
    match (are_dmy && count > 0, are_mdy && count > 0) {
        (true, false) => Some(DateOrder::Dmy),
        (false, true) => Some(DateOrder::Mdy),
        (true, true) => Some(DateOrder::Unclear),
        (false, false) => None,
    }
}

/// The layout with what all its records show: a delimiter after the last value, a first column without a name, and the forms
/// of numbers and dates.
pub(crate) fn fitted(text: &str, csv: Csv, given: Given) -> Csv {
    let Some(sample) = CsvSample::of(text, &csv) else { return csv };
    let (is_one_more, width) = (sample.counts.alike == 0 && !csv.pad && !sample.counts.is_torn, sample.width);
    let mut fitted = Csv { trailing: is_one_more && sample.counts.ending > 0, ..csv.clone() };
    if is_one_more
        && sample.counts.ending == 0
        && sample.counts.longer > 1
        && sample.counts.longer == sample.counts.records
        && width > 1
    {
        let unnamed = Csv { unnamed_first: true, ..csv.clone() };
        let is_header = |sample: CsvSample<'_>| first_record(&sample) == FirstRecord::Names;
        if CsvSample::of(text, &unnamed).is_some_and(is_header) {
            fitted = unnamed;
        }
    }
    if fitted.trailing || fitted.unnamed_first {
        let forms = CsvSample::of(text, &fitted).map_or(csv.forms, |sample| sample.forms(given.decimal));
        return Csv { forms, ..fitted };
    }
    Csv { forms: sample.forms(given.decimal), ..csv.clone() }
}

/// The kind of the first record of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstRecord {
    /// The names of the columns.
    Names,
    /// Probably the names: it could be a row as well.
    NamesOrRow,
    /// A row like the others.
    Row,
}

/// The kind of one value of the first record beside the values below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstValue {
    Unlike,
    Alike,
    /// No value, or text above text.
    Undecided,
}

impl FirstRecord {
    pub(crate) fn of(values: impl Iterator<Item = FirstValue>) -> Self {
        let (mut unlike, mut alike) = (false, false);
        for value in values {
            unlike |= value == FirstValue::Unlike;
            alike |= value == FirstValue::Alike;
        }
        match (unlike, alike) {
            (true, false) => FirstRecord::Names,
            (false, true) => FirstRecord::Row,
            _ => FirstRecord::NamesOrRow,
        }
    }
}

pub(super) fn first_record(sample: &CsvSample<'_>) -> FirstRecord {
    // Nothing is lost with a record that has no value.
    if (0..sample.width).all(|nth| sample.first(nth).is_none()) {
        return FirstRecord::Names;
    }
    if counts_columns(sample) {
        return FirstRecord::Names;
    }
    FirstRecord::of((0..sample.width).map(|nth| first_value(sample, nth)))
}

/// Whether the first record has an empty corner above an index, and then numbers that count up: `,0,1,2` of pandas, years.
fn counts_columns(sample: &CsvSample<'_>) -> bool {
    let number = |nth: usize| sample.first(nth)?.parse::<u64>().ok();
    let follows = |nth: usize| {
        number(nth).is_some_and(|number_here| nth == 1 || number(nth - 1) == number_here.checked_sub(1))
    };
    let mut has_index = sample.first(0).is_none();
    sample.below(0).each(|value| has_index &= value.is_some());
    has_index && (sample.width > 2 || number(1) == Some(0)) && (1..sample.width).all(follows)
}

fn first_value(sample: &CsvSample<'_>, nth: usize) -> FirstValue {
    let Some(first) = sample.first(nth) else { return FirstValue::Undecided };
    let below = sample.type_below(nth);
    match (ScalarType::of_in(&first, sample.csv.forms), below) {
        (ScalarType::Null, _) => FirstValue::Undecided,
        (ScalarType::Text, ScalarType::Text | ScalarType::Null) => of_text(sample, nth, &first),
        // A name is seldom a number or a date.
        (_, ScalarType::Null) => FirstValue::Alike,
        (_, ScalarType::Text) => FirstValue::Undecided,
        (kind, below) if kind.and(below) == ScalarType::Text => FirstValue::Unlike,
        _ => FirstValue::Alike,
    }
}

/// Text is like the text below it if it has the same shape, and the shape is not that of a name: `10:30` above `11:45`.
fn of_text(sample: &CsvSample<'_>, nth: usize, first: &str) -> FirstValue {
    let shape = |text: &str| shape(text, sample.csv.quote);
    let wanted = shape(first);
    let is_word = wanted.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ' '));
    let is_name = !wanted.contains('0') || is_word && wanted != "0";
    if is_name {
        return FirstValue::Undecided;
    }
    let (mut count, mut same) = (0, 0);
    sample.below(nth).each(|value| {
        if let Some(value) = value {
            count += 1;
            same += u64::from(shape(value) == wanted);
        }
    });
    if count > 0 && same == count { FirstValue::Alike } else { FirstValue::Undecided }
}

/// `text` with `0` for each run of digits and `a` for each run of letters, without blanks and quotes around it.
fn shape(text: &str, quote: Option<u8>) -> String {
    let mut shape = String::new();
    let text = text.trim().trim_matches(|c| quote.is_some_and(|quote| c == char::from(quote)));
    for c in text.chars() {
        let mark = match c {
            c if c.is_ascii_digit() => '0',
            c if c.is_alphabetic() => 'a',
            c => c,
        };
        if !matches!(mark, '0' | 'a') || !shape.ends_with(mark) {
            shape.push(mark);
        }
    }
    shape
}

/// Lines before a table that a hint looks for.
const PREFACE: u64 = 20;

/// The part of a sample that is enough to find a hint.
const ENOUGH: usize = 64 << 10;

/// Finds the delimiter of a text that surely has one.
pub type FindDelimiter<'a> = &'a dyn Fn(&str, &Csv) -> Option<u8>;

/// Fails if most records after the first have another number of values: then the layout is wrong, and leaving out such
/// records would leave out the table. `text` begins after the lines that `csv` skips; `found` finds delimiters, unless
/// the user gave one.
pub fn check_fit(text: &[u8], csv: &Csv, found: Option<FindDelimiter<'_>>) -> Result<()> {
    let text = text_of(text)?;
    let Some(sample) = CsvSample::of(text, csv) else { return Ok(()) };
    let RecordCounts { records, misfits, first_misfit, .. } = sample.counts;
    if let Some((at, values)) = first_misfit {
        let line = 1 + csv.skip_lines + line_ends(&text.as_bytes()[..at], csv.newline);
        let (values, columns) = (counted(values as u64, "value"), counted(sample.width as u64, "column"));
        let mut message = format!("line {line}: the record has {values}, the table has {columns}");
        let is_most = 2 * misfits > records;
        if is_most {
            message += &format!(
                "; {misfits} of the first {records} records do not fit, so this is not the layout of the table"
            );
        }
        let hint = match is_most {
            true => Some(remedy(text, csv, found)),
            false => comments(beginning(text, csv), csv, found, 10),
        };
        if hint.is_some() {
            return Err(invalid(message, hint));
        }
    }
    let is_header = |count: &u64| {
        let (rest, _) = after_lines(text.as_bytes(), *count, csv.newline);
        text_of(rest).ok().and_then(|rest| CsvSample::of(rest, csv)).is_some_and(|below| {
            let has_names = (0..below.width).all(|nth| below.first(nth).is_some());
            has_names && below.width == sample.width && first_record(&below) == FirstRecord::Names
        })
    };
    // A spreadsheet writes the delimiters of a title, too.
    if let Some(count) = (1..=PREFACE).filter(|_| csv.header && sample.is_title()).find(is_header) {
        let (line, count) = (csv.skip_lines + 1, csv.skip_lines + count);
        let message = format!("line {line}: a title is above the names of the columns");
        let hint = setting("skip-lines").then(format!(" {count} leaves out the lines before the table"));
        return Err(invalid(message, Some(hint)));
    }
    found.map_or(Ok(()), |found| check_title(text, csv, found))
}

/// Fails if the first line has one value and the lines below several: a title hides the delimiter of the table below it.
pub(crate) fn check_title(text: &str, csv: &Csv, found: FindDelimiter<'_>) -> Result<()> {
    let first = Records::new(text.as_bytes(), csv).next(|_| false, &mut Vec::new());
    if first.is_some_and(|first| first.values == 1)
        && let Some(hint) = preface(beginning(text, csv), csv, Some(found), true)
    {
        let message = format!(
            "line {}: the first line has one value, the lines below have several, so the table does not begin here",
            1 + csv.skip_lines
        );
        let one = format!(" {} keeps each line one value", named(csv.delimiter));
        let hint = hint.then("; ").then(setting("delimiter")).then(one);
        return Err(invalid(message, Some(hint)));
    }
    Ok(())
}

fn beginning<'t>(text: &'t str, csv: &Csv) -> &'t str {
    let Some(head) = text.as_bytes().get(..ENOUGH) else { return text };
    // Whole lines are whole characters.
    let end = memchr::memrchr(csv.newline, head).map_or(0, |at| at + 1);
    text.get(..end).unwrap_or(text)
}

fn remedy(text: &str, csv: &Csv, found: Option<FindDelimiter<'_>>) -> Sentence {
    let text = beginning(text, csv);
    // A header over records that lack values: no line of it goes.
    if let Some(sample) = CsvSample::of(text, csv)
        && sample.counts.shorter * 10 >= sample.counts.misfits * 9
        && sample.width > 2
        && sample.counts.shortest > 1
    {
        return setting("pad").then(" makes the missing values NULL");
    }
    if let Some(hint) = preface(text, csv, found, false) {
        return hint;
    }
    let unquoted = Csv { quote: None, ..csv.clone() };
    if csv.quote.is_some() && is_table(text, &unquoted, 2) {
        return setting("quote").then(" '' makes quotes ordinary characters");
    }
    if csv.delimiter == b' ' {
        return setting("delimiter").then(" blanks takes several spaces for one");
    }
    for delimiter in DELIMITERS.into_iter().filter(|delimiter| *delimiter != csv.delimiter) {
        if is_table(text, &Csv { delimiter, ..csv.clone() }, 2) {
            return setting("delimiter").then(format!(" {}", named(delimiter)));
        }
    }
    as_lines(text)
}

/// The end of the hint for text that has no layout of a table.
const ONE_VALUE: &str = " makes each line one value, _1";

/// Whether no option makes a table of the text of an error of [`check_fit`].
pub(crate) fn is_no_layout(error: &Error) -> bool {
    error.hint.as_ref().is_some_and(|hint| hint.plain().ends_with(ONE_VALUE))
}

/// The options that make each line one value.
fn as_lines(text: &str) -> Sentence {
    let unused = b"|\t;~^@".iter().find(|byte| !text.as_bytes().contains(byte)).copied().unwrap_or(b'\x01');
    let delimiter = if unused == b'\x01' { "$'\\x01'".to_owned() } else { named(unused) };
    let csv = setting("input").then(" csv ").then(setting("no-header"));
    csv.then(" ")
        .then(setting("quote"))
        .then(" '' ")
        .then(setting("delimiter"))
        .then(format!(" {delimiter}{ONE_VALUE}"))
}

pub(crate) fn named(delimiter: u8) -> String {
    if delimiter == b'\t' { "tab".to_owned() } else { format!("'{}'", char::from(delimiter)) }
}

fn with_delimiter(text: &str, csv: Csv, found: Option<FindDelimiter<'_>>) -> Option<Csv> {
    match found {
        Some(found) => Some(Csv { delimiter: found(text, &csv)?, ..csv }),
        None => Some(csv),
    }
}

/// The option that leaves out lines that begin as the first one does, if the others are a table.
fn comments(text: &str, csv: &Csv, found: Option<FindDelimiter<'_>>, most: u64) -> Option<Sentence> {
    let mark = text.bytes().next().filter(u8::is_ascii_punctuation)?;
    if csv.comment.is_some() || Some(mark) == csv.quote || mark == csv.delimiter {
        return None;
    }
    let commented = with_delimiter(text, Csv { comment: Some(mark), ..csv.clone() }, found)?;
    if mark == commented.delimiter || !is_table_of(text, &commented, 2, most) {
        return None;
    }
    let mark = char::from(mark).to_string().replace('\'', "'\\''");
    Some(setting("comment").then(format!(" '{mark}' leaves out the lines that begin with it")))
}

/// The option that leaves out what is above the table. With `all`, every record has to fit.
fn preface(text: &str, csv: &Csv, found: Option<FindDelimiter<'_>>, all: bool) -> Option<Sentence> {
    let most = if all { u64::MAX } else { 10 };
    if let Some(hint) = comments(text, csv, found, most) {
        return Some(hint);
    }
    let skipped = csv.skip_lines;
    (1..=PREFACE).find_map(|count| {
        let (rest, missing) = after_lines(text.as_bytes(), count, csv.newline);
        let rest = text_of(rest).ok().filter(|_| missing == 0)?;
        let csv = with_delimiter(rest, Csv { skip_lines: 0, ..csv.clone() }, found)?;
        let count = skipped + count;
        is_table_of(rest, &csv, 2, most)
            .then(|| setting("skip-lines").then(format!(" {count} leaves out the lines before the table")))
    })
}

fn is_table(text: &str, csv: &Csv, width: usize) -> bool {
    is_table_of(text, csv, width, 10)
}

/// Whether `text` has records of at least `width` values of which at most one of `most` does not fit.
fn is_table_of(text: &str, csv: &Csv, width: usize, most: u64) -> bool {
    CsvSample::of(text, csv).is_some_and(|sample| {
        let is_fit = sample.counts.misfits.saturating_mul(most) <= sample.counts.records;
        sample.width >= width && sample.counts.records > 0 && is_fit
    })
}
