//! Compares the rows of small blocks with those that obvious code finds.

use std::sync::Arc;

use datafusion::arrow::array::{Array, AsArray};
use datafusion::arrow::datatypes::{Int64Type, TimestampMicrosecondType};
use datafusion::common::{Column, ScalarValue};
use datafusion::logical_expr::expr::Like;
use datafusion::logical_expr::{Expr, Operator, binary_expr};
use proptest::prelude::*;

use super::blocks::{BlockParser, BlockSizes, Blocks};
use super::conditions;
use super::parsed::{LineColumn, LinesColumns};
use crate::stream::TableFile;
use rread_reader::{Log, Reader, TimeOptions};
use rread_source::MemorySource;
use rread_text::Encoding;

/// The first line, the time, the text, the first byte and the byte after the last.
type Found = (i64, Option<i64>, String, i64, i64);

fn read(bytes: &[u8], encoding: Encoding, is_log: bool, filter: Option<Expr>, target: usize) -> Vec<Found> {
    let reader = Arc::new(Reader::of_text(Box::new(MemorySource::new(bytes.to_vec())), encoding));
    let options = TimeOptions { zone: Some("UTC".to_owned()), ..TimeOptions::default() };
    let log = if is_log { Log::open(&reader, &options).unwrap() } else { None };
    let times = log.map(|log| log.line_times());
    let columns = LinesColumns::of(true, Vec::new(), &[LineColumn::Start, LineColumn::End]);
    let file = TableFile::new(&reader);
    let literals = conditions::of_all(&filter.into_iter().collect::<Vec<_>>());
    let parser = BlockParser::new(&file, &columns, &[0, 1, 3, 4, 5], literals, false, None);
    let sizes = BlockSizes { target, longest: 1 << 20 };
    let mut blocks = Blocks::new(&file, std::iter::once(0..u64::MAX).collect(), times, true, sizes);
    let mut rows = Vec::new();
    while let Some(block) = blocks.next().unwrap() {
        for batch in parser.parse(&block).unwrap().batches {
            let number = |column: usize, row| batch.column(column).as_primitive::<Int64Type>().value(row);
            let times = batch.column(1).as_primitive::<TimestampMicrosecondType>();
            for row in 0..batch.num_rows() {
                let time = times.is_valid(row).then(|| times.value(row));
                let text = batch.column(2).as_string_view().value(row).to_owned();
                rows.push((number(0, row), time, text, number(3, row), number(4, row)));
            }
        }
    }
    rows
}

/// The same, line by line; a time is `2026-01-01T00:00:SSZ` at the beginning of a line.
fn naive(text: &str, is_wide: bool, is_log: bool) -> Vec<Found> {
    let mut rows: Vec<Found> = Vec::new();
    let (mut number, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        number += 1;
        let bytes = if is_wide { 2 * line.encode_utf16().count() } else { line.len() };
        let next = at + i64::try_from(bytes).unwrap();
        let seconds =
            line.strip_prefix("2026-01-01T00:00:").and_then(|rest| rest.get(..2)?.parse::<i64>().ok());
        let time = seconds.filter(|_| is_log).map(|seconds| (1_767_225_600 + seconds) * 1_000_000);
        let body = line.strip_suffix('\n').map_or(line, |body| body.strip_suffix('\r').unwrap_or(body));
        match rows.last_mut() {
            Some(record) if is_log && time.is_none() => {
                record.2 += "\n";
                record.2 += body;
                record.4 = next;
            }
            _ => rows.push((number, time, body.to_owned(), at, next)),
        }
        at = next;
    }
    rows
}

fn contains(text: &str) -> Expr {
    Expr::Like(Like::new(false, column(), value(&format!("%{text}%")), None, false))
}

fn column() -> Box<Expr> {
    Box::new(Expr::Column(Column::from_name("line")))
}

fn value(text: &str) -> Box<Expr> {
    Box::new(Expr::Literal(ScalarValue::from(text), None))
}

fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0..60u8).prop_map(|second| format!("\n2026-01-01T00:00:{second:02}Z INFO ")),
        4 => Just("\n".to_owned()),
        1 => Just("\r\n".to_owned()),
        1 => Just("\r".to_owned()),
        2 => Just("needle".to_owned()),
        1 => Just("need".to_owned()),
        1 => Just("le".to_owned()),
        1 => Just("ż日".to_owned()),
        3 => "[a-z ]{0,12}",
    ]
}

/// A text, of a log if the first line has a time.
fn text() -> impl Strategy<Value = String> {
    (any::<bool>(), prop::collection::vec(part(), 0..60)).prop_map(|(has_head, parts)| {
        let head = if has_head { "2026-01-01T00:00:00Z x" } else { "head" };
        // So many records make it a log.
        head.to_owned() + &"\n2026-01-01T00:00:01Z y".repeat(8) + &parts.concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_those_of_obvious_code(text in text(), is_log: bool, is_wide: bool, target in 8usize..400) {
        let target = target / 2 * 2;
        let (bytes, encoding) = if is_wide {
            let units = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            (units, Encoding::Utf16 { big_endian: false })
        } else {
            (text.clone().into_bytes(), Encoding::Utf8)
        };
        let expected = naive(&text, is_wide, is_log);
        prop_assert_eq!(&read(&bytes, encoding, is_log, None, target), &expected);
        // A condition leaves the same rows, whatever the scan left out.
        for wanted in ["needle", "e", "ż日", "Z INFO"] {
            let has = |row: &&Found| row.2.contains(wanted);
            let found = read(&bytes, encoding, is_log, Some(contains(wanted)), target);
            let left: Vec<&Found> = found.iter().filter(has).collect();
            prop_assert_eq!(left, expected.iter().filter(has).collect::<Vec<_>>(), "{}", wanted);
        }
    }
}

#[test]
fn conditions_show_the_texts_that_rows_must_have() {
    let like = |pattern: &str| Expr::Like(Like::new(false, column(), value(pattern), None, false));
    let of = |expr: &Expr| {
        conditions::literals(expr)
            .map(|groups| groups.iter().map(|group| group.join("|")).collect::<Vec<_>>().join("&"))
    };
    for (pattern, expected) in [
        ("%ERROR%", Some("ERROR")),
        ("a_bcd%e", Some("bcd")),
        ("%100\\%%", Some("100")),
        ("%\\_id%", Some("id")),
        ("%\\\\x%", Some("x")),
        ("%%", None),
        ("_", None),
        ("", None),
        ("%a\nb%", None),
        ("%a\r%", None),
        ("%\u{FFFD}%", None),
    ] {
        assert_eq!(of(&like(pattern)).as_deref(), expected, "{pattern:?}");
    }
    let regex = |pattern: &str| binary_expr(*column(), Operator::RegexMatch, *value(pattern));
    for (pattern, expected) in [
        ("user=\\d+ failed", Some(" failed")),
        ("ERROR|WARN", Some("ERROR|WARN")),
        ("(?:ERROR|WARN)+x", Some("ERROR|WARN")),
        ("(?i)error", None),
        ("(ab)?c*", None),
        ("^abc$", Some("abc")),
        ("a\nb", None),
        ("[", None),
        ("x|", None),
    ] {
        assert_eq!(of(&regex(pattern)).as_deref(), expected, "{pattern:?}");
    }
    let (one, two) = (like("%one%"), like("%two%"));
    assert_eq!(of(&one.clone().and(two.clone())).as_deref(), Some("one&two"));
    assert_eq!(of(&one.clone().or(two.clone())).as_deref(), Some("one|two"));
    assert_eq!(of(&one.clone().or(like("%"))), None);
    assert_eq!(of(&one.clone().and(like("%"))).as_deref(), Some("one"));
    assert_eq!(of(&Expr::Not(Box::new(one.clone()))), None);
    assert_eq!(of(&Expr::IsNull(Box::new(one))), None);
    let negated = Like::new(true, column(), value("%x%"), None, false);
    let insensitive = Like::new(false, column(), value("%x%"), None, true);
    assert_eq!([of(&Expr::Like(negated)), of(&Expr::Like(insensitive))], [None, None]);
    let other = Box::new(Expr::Column(Column::from_name("other")));
    assert_eq!(of(&Expr::Like(Like::new(false, other, value("%x%"), None, false))), None);
    let escaped = Expr::Like(Like::new(false, column(), value("%50!%%"), Some('!'), false));
    assert_eq!(of(&escaped).as_deref(), Some("50"));
}
