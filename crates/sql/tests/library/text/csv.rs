//! Compares delimited values with the oracle, for every cut of the text.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema};
use proptest::collection::vec;
use proptest::prelude::*;
use rread_sql::text::{Chunks, Parser, TextSchema, infer, parse_schema};
use rread_text::layout::{Csv, Layout};

use super::oracle::records;
use super::{LIMIT, Pieces, Sizes, WHOLE, all_text, batches, chunks, line_of, rows};

fn layouts() -> impl Strategy<Value = Csv> {
    let escape = prop::option::of(prop::sample::select(vec![b'\\', b'"']));
    let quote = prop::sample::select(vec![Some(b'"'), Some(b'"'), Some(b'"'), Some(b'\''), None]);
    let nulls =
        prop::sample::select(vec![vec![], vec!["a".to_owned()], vec!["11".to_owned(), "b".to_owned()]]);
    let comment = prop::sample::select(vec![None, Some(b'#')]);
    let switches = (any::<bool>(), any::<bool>());
    (prop::sample::select(vec![b',', b'\t', b';']), quote, escape, comment, switches, nulls).prop_map(
        |(delimiter, quote, escape, comment, (header, pad), nulls)| Csv {
            delimiter,
            quote,
            escape: escape.filter(|_| quote.is_some()),
            comment,
            header,
            nulls,
            pad,
            trailing: comment.is_some() && pad,
            ..Csv::default()
        },
    )
}

/// Texts that consist mostly of special characters.
fn texts() -> impl Strategy<Value = String> {
    let pieces = vec![
        "a",
        "b",
        "1",
        "é",
        ",",
        ",",
        "\"",
        "\"\"",
        ",\"",
        "\",",
        "\n",
        "\n",
        "\r\n",
        "\r",
        "#",
        "\n#",
        "\\",
        "\\\"",
        "'",
        ";",
        "\t",
        "12345678",
        "\"a\nb\"",
        "a,b\n",
        "\"x\",\"y\"\n",
        " ",
    ];
    let any = vec(prop::sample::select(pieces), 0..30).prop_map(|pieces| pieces.concat());
    // Well-formed quoted values with the same characters inside.
    let inside = vec!["a", "\"\"", "\"\"\n", "\n", ",", "\r\n", "\\\\", "#", "é"];
    let value = prop_oneof![
        vec(prop::sample::select(inside), 0..6).prop_map(|inside| format!("\"{}\"", inside.concat())),
        "[ab1é]{0,9}",
    ];
    let records = vec(vec(value, 2), 1..8);
    let table =
        records.prop_map(|records| records.into_iter().map(|record| record.join(",") + "\n").collect());
    prop_oneof![any, table]
}

/// Checks that the parser agrees with the oracle on `text`, on rows or on the error.
fn check(text: &str, csv: &Csv, sizes: Sizes) {
    let layout = Layout::Csv(csv.clone());
    let whole = all_text(text, &layout);
    let expected = match records(text, csv) {
        Ok(records) => records,
        Err(line) => {
            assert_eq!(line_of(&whole.unwrap_err().message.plain()), line, "{text:?} {csv:?}");
            let error = chunks(text, &layout, sizes.target, sizes.read, LIMIT).unwrap_err();
            assert_eq!(line_of(&error.message.plain()), line, "{text:?} {csv:?}");
            assert!(error.hint.unwrap().plain().contains("quote"));
            return;
        }
    };
    if expected.is_empty() {
        assert!(whole.unwrap_err().message.plain().contains("no table"));
        return;
    }
    let table = whole.unwrap();
    let width = expected[0].values.len();
    assert_eq!(table.schema.fields().len(), width, "{text:?} {csv:?}");
    let body = &expected[usize::from(csv.header)..];
    let (good, bad): (Vec<_>, Vec<_>) = body.iter().partition(|record| record.row(width, csv).is_some());
    let (found, skipped) = batches(text, &layout, &table, None, true, sizes).unwrap();
    let good: Vec<_> = good.into_iter().map(|record| record.row(width, csv).unwrap()).collect();
    assert_eq!(rows(&found), good, "{text:?} {csv:?} {sizes:?}");
    assert_eq!(skipped.count, bad.len() as u64);
    let strict = batches(text, &layout, &table, None, false, sizes);
    match bad.first() {
        None => assert_eq!(rows(&strict.unwrap().0), good),
        Some(bad) => {
            assert_eq!(
                line_of(&skipped.first.unwrap().message.plain()),
                bad.line,
                "{text:?} {csv:?} {sizes:?}"
            );
            let error = strict.unwrap_err();
            assert_eq!(line_of(&error.message.plain()), bad.line);
            assert!(error.message.plain().contains(&format!("{} value", bad.values.len())), "{error}");
        }
    }
    // Only the last column, and no column.
    let (found, _) = batches(text, &layout, &table, Some(&[width - 1]), true, sizes).unwrap();
    let last: Vec<_> = good.iter().map(|values| vec![values[width - 1].clone()]).collect();
    assert_eq!(rows(&found), last);
    let (found, _) = batches(text, &layout, &table, Some(&[]), true, sizes).unwrap();
    assert_eq!(found.iter().map(|batch| batch.num_rows()).sum::<usize>(), good.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_those_of_a_slow_parser(text in texts(), csv in layouts(), target in 1usize..80, read in 1usize..40) {
        check(&text, &csv, Sizes { target, read });
    }

    #[test]
    fn carriage_returns_alone_end_lines(text in texts(), csv in layouts(), target in 1usize..80, read in 1usize..40) {
        let text = text.replace('\r', "");
        let layout = Layout::Csv(csv.clone());
        let other = Layout::Csv(Csv { newline: b'\r', ..csv });
        let read = |text: &str, layout: &Layout| {
            let table = all_text(text, layout).map_err(|error| error.message.plain())?;
            let (found, skipped) = batches(text, layout, &table, None, true, Sizes { target, read }).map_err(|error| error.message.plain())?;
            Ok::<_, String>((rows(&found), skipped.count, skipped.first.map(|first| first.message)))
        };
        let with_returns = |row: super::Row| row.into_iter().map(|value| value.map(|value| value.replace('\n', "\r"))).collect();
        let expected = read(&text, &layout)
            .map(|(rows, count, first)| (rows.into_iter().map(with_returns).collect::<Vec<super::Row>>(), count, first));
        prop_assert_eq!(read(&text.replace('\n', "\r"), &other), expected, "{:?}", text);
    }

    #[test]
    fn columns_come_in_the_requested_order(values in vec(vec("[a-z0-9]{0,14}", 4), 1..12), target in 1usize..60) {
        let lines: Vec<String> = values.iter().map(|row| row.join(",")).collect();
        let text = format!("h,i,j,k\n{}\n", lines.join("\n"));
        let layout = Layout::Csv(Csv::default());
        let table = all_text(&text, &layout).unwrap();
        let order = [2, 0, 3];
        let (found, _) = batches(&text, &layout, &table, Some(&order), false, Sizes { target, read: 7 }).unwrap();
        let value = |row: &Vec<String>, at: usize| Some(row[at].clone()).filter(|value| !value.is_empty());
        let expected: Vec<Vec<_>> =
            values.iter().map(|row| order.iter().map(|at| value(row, *at)).collect()).collect();
        prop_assert_eq!(rows(&found), expected);
    }
}

#[test]
fn every_cut_of_an_awkward_text_gives_the_same_rows() {
    let text = "# not\"a record\r\n\r\na,\"b\nc\",\"d\"\"\"\r\n#x,\"\n1,\"#\n\n\",\"\"\n\"\"\"\",,é\r\n\n\"q\"rest,\"\",' \r";
    let csv = Csv { comment: Some(b'#'), ..Csv::default() };
    for target in 1..=text.len() + 1 {
        for read in [1, 2, 3, 7, 100] {
            check(text, &csv, Sizes { target, read });
        }
    }
}

#[test]
fn chunks_join_to_the_text_and_have_line_numbers() {
    let text: String = (0..3000).map(|n| format!("{n},\"a\nb{n}\"\n")).collect();
    let layout = Layout::Csv(Csv::default());
    for target in [1, 100, 4096, 1 << 20] {
        let mut line = 1;
        let mut joined = Vec::new();
        for chunk in chunks(&text, &layout, target, 333, LIMIT).unwrap() {
            assert_eq!(chunk.line, line);
            assert!(chunk.bytes.ends_with(b"\"\n"));
            assert!(chunk.bytes.len() < target + 400);
            line += chunk.bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
            joined.extend(chunk.bytes);
        }
        assert_eq!(joined, text.as_bytes());
    }
}

#[test]
fn more_rows_than_a_batch_keep_their_order() {
    for count in [8191, 8192, 8193, 20_000] {
        let text: String =
            std::iter::once("n\n".to_owned()).chain((0..count).map(|n| format!("{n}\n"))).collect();
        let layout = Layout::Csv(Csv::default());
        let table = infer(text.as_bytes(), true, &layout, &[]).unwrap();
        let (found, _) = batches(&text, &layout, &table, None, false, WHOLE).unwrap();
        let expected: Vec<_> = (0..count).map(|n| vec![Some(n.to_string())]).collect();
        assert_eq!(rows(&found), expected);
        assert!(found.iter().all(|batch| batch.num_rows() <= 8192));
    }
}

#[test]
fn a_record_that_is_too_long_is_an_error_with_its_line() {
    let layout = Layout::Csv(Csv::default());
    let text = format!("a,b\n1,2\n\"{}", "x,y\n".repeat(5000));
    let error = chunks(&text, &layout, 64, 100, 1000).unwrap_err();
    assert_eq!(line_of(&error.message.plain()), 3);
    assert!(error.message.plain().contains("1000 bytes") && error.hint.unwrap().plain().contains("quote ''"));
    // Within the limit, the error is an open quote, on its own line.
    assert_eq!(line_of(&chunks(&text, &layout, 64, 100, LIMIT).unwrap_err().message.plain()), 3);
    let plain = Layout::Csv(Csv { quote: None, ..Csv::default() });
    let error = chunks(&"x".repeat(5000), &plain, 64, 100, 1000).unwrap_err();
    assert!(line_of(&error.message.plain()) == 1 && error.hint.is_none());
}

#[test]
fn comments_and_blank_lines_before_the_header_are_not_kept() {
    let text = format!("{}h\n1\n", "# x\n\r\n\n".repeat(100_000));
    let csv = Csv { comment: Some(b'#'), ..Csv::default() };
    let pieces = Pieces { text, at: 0, size: 1000 };
    // Together they exceed the limit of a record.
    let mut all = Chunks::new(Box::new(pieces), &Layout::Csv(csv), 10, 5000);
    let chunk = all.next().unwrap().unwrap();
    assert_eq!((chunk.line, &chunk.bytes[..2]), (300_001, &b"h\n"[..]));
}

#[test]
fn values_of_another_type_are_bad_with_their_line() {
    let layout = Layout::Csv(Csv::default());
    let overrides = parse_schema("n:int64,x:float64,d:date").unwrap();
    let text = "n,x,d\n1,2.5,2026-01-31\n,,\n\"\",\"\",\"\"\n7,abc,2026-02-28\n8,1,2026-02-29\ny,1,2026-01-01\n9,inf,0001-01-01\n";
    let table = infer(text.as_bytes(), true, &layout, &overrides).unwrap();
    for target in 1..text.len() {
        let sizes = Sizes { target, read: 5 };
        let (found, skipped) = batches(text, &layout, &table, None, true, sizes).unwrap();
        let found = rows(&found);
        assert_eq!(found.len(), 4);
        assert_eq!(found[1], [None, None, None]);
        assert_eq!(found[2], [None, None, None]);
        assert_eq!(found[3][0].as_deref(), Some("9"));
        let first = skipped.first.unwrap();
        assert_eq!((skipped.count, line_of(&first.message.plain())), (3, 5));
        assert!(first.message.plain().contains("'abc' in column x is not float64"), "{first}");
        assert!(first.hint.unwrap().plain().starts_with("schema 'x:utf8'"));
        let strict = batches(text, &layout, &table, None, false, sizes).unwrap_err();
        assert_eq!(strict.message, first.message);
        // Columns that are not read are not checked.
        let (found, skipped) = batches(text, &layout, &table, Some(&[0]), true, sizes).unwrap();
        assert_eq!((rows(&found).len(), skipped.count), (6, 1));
    }
}

#[test]
fn the_first_of_two_bad_records_is_reported() {
    let layout = Layout::Csv(Csv::default());
    let table = infer(b"n,m\n1,2\n", true, &layout, &[]).unwrap();
    for (text, line) in
        [("n,m\n1\nx,1\n", 2), ("n,m\nx,1\n1\n", 2), ("n,m\n1,1\n1,x\nx,1\n", 3), ("n,m\n\n1,1\nx,x\n", 4)]
    {
        let error = batches(text, &layout, &table, None, false, WHOLE).unwrap_err();
        assert_eq!(line_of(&error.message.plain()), line, "{text:?}");
        let (_, skipped) = batches(text, &layout, &table, None, true, WHOLE).unwrap();
        assert_eq!(line_of(&skipped.first.unwrap().message.plain()), line, "{text:?}");
    }
}

#[test]
fn one_parser_serves_several_threads() {
    let text: String =
        std::iter::once("a,b\n".to_owned()).chain((0..5000).map(|n| format!("{n},x{n}\n"))).collect();
    let layout = Layout::Csv(Csv::default());
    let table = infer(text.as_bytes(), true, &layout, &[]).unwrap();
    let parser = Arc::new(Parser::new(&table, &layout, None, false, &[]));
    let threads: Vec<_> = chunks(&text, &layout, 1000, 1000, LIMIT)
        .unwrap()
        .into_iter()
        .map(|chunk| {
            let parser = Arc::clone(&parser);
            std::thread::spawn(move || rows(&parser.parse(&chunk).unwrap().batches))
        })
        .collect();
    let found: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    let expected: Vec<_> = (0..5000).map(|n| vec![Some(n.to_string()), Some(format!("x{n}"))]).collect();
    assert_eq!(found, expected);
}

/// The values of a column of `data_type`; bad values are `None`.
fn read_as(values: &[String], data_type: DataType) -> Vec<Option<String>> {
    let schema = Arc::new(Schema::new(vec![Field::new("v", data_type, true)]));
    let table = TextSchema { schema, arrays: false, inferred: Vec::new(), unknown: Vec::new() };
    let layout = Layout::Csv(Csv { header: false, ..Csv::default() });
    let one = |value: &String| {
        let text = format!("{value}\n");
        let (found, skipped) = batches(&text, &layout, &table, None, true, WHOLE).unwrap();
        let mut rows = rows(&found);
        assert_eq!(rows.len() as u64 + skipped.count, 1, "{value:?}");
        rows.pop().map(|mut row| row.remove(0).unwrap_or_else(|| "NULL".to_owned()))
    };
    values.iter().map(one).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_are_those_of_the_standard_library(value in "[+-]?[0-9]{0,22}(\\.[0-9]{0,20})?(e[+-]?[0-9]{1,3})?", int in any::<i64>()) {
        prop_assume!(!value.is_empty());
        for value in [value, int.to_string()] {
            let found = read_as(std::slice::from_ref(&value), DataType::Int64);
            prop_assert_eq!(&found[0], &value.parse::<i64>().ok().map(|n| n.to_string()));
            let schema = Arc::new(Schema::new(vec![Field::new("v", DataType::Float64, true)]));
            let layout = Layout::Csv(Csv { header: false, ..Csv::default() });
            let (found, _) = batches(&value, &layout, &TextSchema { schema, arrays: false, inferred: Vec::new(), unknown: Vec::new() }, None, true, WHOLE).unwrap();
            let expected: Option<f64> = value.parse().ok().filter(|n: &f64| n.is_finite());
            let column = found.first().filter(|batch| batch.num_rows() == 1).map(|batch| {
                let column = batch.column(0).as_any().downcast_ref::<datafusion::arrow::array::Float64Array>();
                column.unwrap().value(0).to_bits()
            });
            prop_assert_eq!(column, expected.map(f64::to_bits), "{}", value);
        }
    }
}

#[test]
fn whole_numbers_beyond_their_type_are_bad() {
    let values = [
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "-",
        "+",
    ];
    let found = read_as(&values.map(str::to_owned), DataType::Int64);
    let good: Vec<bool> = found.iter().map(Option::is_some).collect();
    assert_eq!(good, [true, false, true, false, false, false]);
}

#[test]
fn the_calendar_is_gregorian() {
    let (mut days, mut expected) = (Vec::new(), Vec::new());
    for year in [0u32, 1, 4, 100, 400, 1600, 1899, 1900, 1904, 1969, 1970, 1999, 2000, 2001, 2004, 2100, 9999]
    {
        for month in 0..=13u32 {
            for day in 0..=32u32 {
                let text = format!("{year:04}-{month:02}-{day:02}");
                let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
                let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
                let valid = (1..=12).contains(&month) && day >= 1 && day <= lengths[month as usize - 1];
                expected.push(valid.then(|| text.clone()));
                days.push(text);
            }
        }
    }
    assert_eq!(read_as(&days, DataType::Date32), expected);
}
