//! Decides whether the first record of a table holds the names of the columns.

use super::columns::Values;
use super::sample::CsvSample;
use super::scalar_type::ScalarType;

/// What the first record of a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstRecord {
    /// The names of the columns.
    Names,
    /// Probably the names: it could be a row as well.
    NamesOrRow,
    /// A row like the others.
    Row,
}

/// What one value of the first record is beside the values below it.
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
    FirstRecord::of((0..sample.width).map(|nth| first_value(sample, nth)))
}

fn first_value(sample: &CsvSample<'_>, nth: usize) -> FirstValue {
    let Some(first) = sample.first(nth) else { return FirstValue::Undecided };
    let below = sample.type_below(nth);
    match (ScalarType::of(&first), below) {
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

/// `text` with `0` for each run of digits and `a` for each run of letters.
fn shape(text: &str) -> String {
    let mut shape = String::new();
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
