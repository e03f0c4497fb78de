//! Sheets of workbooks: each is CSV, and as a table its columns have the values that they announce.

use rread_documents::sheets::{Sheet, kind};
use rread_source::document::DocumentFormat;

use super::judged::{Decoded, Page, decoded};

/// Checks the text of all sheets, and then the first two sheets as tables.
pub fn check(format: DocumentFormat, bytes: &[u8], all: &Decoded) {
    let count = all.pages.len();
    for (index, Page { text, .. }) in all.pages.iter().enumerate() {
        // With its title, and a blank line before the next.
        let csv = match count {
            1 => text.as_str(),
            _ => text.split_once('\n').unwrap().1,
        };
        let csv = if index + 1 < count { csv.strip_suffix('\n').unwrap() } else { csv };
        let records = records(csv);
        let mut widths = records.iter().map(Vec::len).filter(|width| *width > 0);
        let first = widths.next();
        assert!(widths.all(|width| Some(width) == first), "{text:?}");
    }
    for sheet in [Sheet::First, Sheet::Nth(1)] {
        if let Some(decoded) = decoded(format, Some(&sheet), bytes).filter(|decoded| decoded.is_whole) {
            assert_eq!((decoded.announced, decoded.workbook.sheets.len()), (None, count));
            table(&decoded);
        }
    }
}

/// Every record has a field for each column, with a value of its kinds.
fn table(decoded: &Decoded) {
    let columns = &decoded.workbook.columns;
    let text = decoded.pages.first().map_or("", |page| page.text.as_str());
    let records = records(text).into_iter().filter(|record| !record.is_empty());
    for (number, record) in records.enumerate() {
        assert_eq!(record.len(), columns.len(), "{text:?}");
        for (field, column) in record.iter().zip(columns) {
            let kinds = if number == 0 { column.first } else { column.rest };
            assert!(field.is_empty() || is_of(kinds, field), "{field:?} is not {kinds:#b}");
        }
    }
}

/// Whether one of `kinds` has the value that `field` shows.
fn is_of(kinds: u8, field: &str) -> bool {
    let shape: String = field.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let is = |of: u8| match of {
        kind::WHOLE => field.parse::<i64>().is_ok(),
        kind::NUMBER => field.parse::<f64>().is_ok_and(f64::is_finite),
        kind::BOOLEAN => matches!(field, "true" | "false"),
        kind::DATE => shape == "0000-00-00",
        kind::TIMESTAMP => shape.starts_with("0000-00-00T00:00:00"),
        kind::TIME => shape.starts_with("00:00:00"),
        _ => true,
    };
    let all = [kind::WHOLE, kind::NUMBER, kind::BOOLEAN, kind::DATE, kind::TIMESTAMP, kind::TIME, kind::TEXT];
    all.into_iter().any(|of| kinds & of != 0 && is(of))
}

/// The fields of each record; none of an empty line.
fn records(csv: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut field, mut is_quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = csv.chars().peekable();
    let mut is_empty = true;
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => record.push(std::mem::take(&mut field)),
            '\n' if !is_quoted => {
                if !is_empty {
                    record.push(std::mem::take(&mut field));
                }
                records.push(std::mem::take(&mut record));
                is_empty = true;
                continue;
            }
            c => field.push(c),
        }
        is_empty = false;
    }
    assert!(!is_quoted && is_empty, "{csv:?}");
    records
}
