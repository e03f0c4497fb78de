//! Whether the first record of a table is names or a row, and whether records fit at all.

use rread_sql::text::{FirstRecord, check_fit, first_record};
use rread_text::layout::{Csv, Layout};

use super::{WHOLE, all_text, batches, rows};

fn of(text: &str) -> FirstRecord {
    first_record(text.as_bytes(), true, &Csv::default()).unwrap().unwrap()
}

#[test]
fn a_first_record_with_the_types_of_the_others_is_a_row() {
    use FirstRecord::{Names, NamesOrRow, Row};
    let cases = [
        ("a,b\n1,2\n", Names),
        ("a\n1\n", Names),
        ("id,id\n1,2\n", Names),
        ("1,2\n3,4\n5,6\n", Row),
        ("1,2\n", Row),
        ("1\n", Row),
        ("1.5\n2\n", Row),
        ("1\n2.5\n", Row),
        ("Ada,36\nGrace,85\n", Row),
        ("2026-01-31,x\n2026-02-01,y\n", Row),
        ("2026-01-31 10:00:00,x\n2026-02-01,y\n", Row),
        ("true\nfalse\n", Row),
        ("x,2024,2025\na,1,2\nb,3,4\n", Row),
        ("\"1\",\"2\"\n3,4\n", Row),
        ("10:30,x\n11:45,y\n", Row),
        ("10.0.0.1,x\n192.168.1.20,y\n", Row),
        ("007\n008\n", Row),
        ("2026-01-01 INFO x\n2026-01-02 INFO y\n", Row),
        // Only one of the values is like those below.
        ("n/a,5\n3,4\n7,8\n", NamesOrRow),
        ("id,2024\n7,1\n", NamesOrRow),
        // Text alone decides nothing.
        ("a,b\nx,y\n", NamesOrRow),
        ("a,b\n", NamesOrRow),
        ("name,\nAda,3\n", NamesOrRow),
        ("col1,col2\nx1,x2\n", NamesOrRow),
        ("a1:b2\nx\n", NamesOrRow),
        // Text below, so a number may be a name.
        ("5,6\nx,y\n", NamesOrRow),
        // Nothing would be lost.
        (",\n1,2\n", Names),
        // The rest of the column counts, wherever a value of another type comes.
        ("1\n2\nx\n", NamesOrRow),
        ("a,b\n1,\n,2\n", Names),
        ("1,b\n,\n", Row),
    ];
    for (text, expected) in cases {
        assert_eq!(of(text), expected, "{text:?}");
    }
}

#[test]
fn a_layout_that_most_records_do_not_fit_is_refused_with_an_option_that_helps() {
    let find = |text: &str, csv: &Csv| {
        let is_comment = |line: &str| csv.comment.is_some_and(|mark| line.starts_with(char::from(mark)));
        let line = text.lines().find(|line| !is_comment(line)).unwrap_or_default();
        let count = |delimiter: char| line.matches(delimiter).count();
        [',', ';', '\t', '|'].into_iter().max_by_key(|delimiter| count(*delimiter)).map(|found| found as u8)
    };
    let cases = [
        ("Extract of 2025\nid,owner\n1,A\n2,B\n", "skip-lines 1"),
        ("Extract of 2025\n\nby me\nid,owner\n1,A\n2,B\n", "skip-lines 3"),
        ("Extract of 2025\nid;owner\n1;A\n2;B\n", "skip-lines 1"),
        ("# made by x\n# 2026, y\na,b\n1,2\n", "comment '#'"),
        ("% a\na,b\n1,2\n3,4\n", "comment '%'"),
        ("say \"hi\",1,2\n\"a,b,3\"x,4,5\n\"c,d,6\"y,7,8\n,\",9\",z\n", ""),
        (
            "one, two\nthree\nfour, five, six\nseven, eight, nine, ten\neleven\n",
            "input csv no-header quote '' delimiter '|'",
        ),
    ];
    for (text, hint) in cases {
        let result = check_fit(text.as_bytes(), &Csv::default(), Some(&find));
        match hint {
            "" => assert!(result.is_ok(), "{text:?}: {result:?}"),
            hint => {
                let error = result.unwrap_err();
                assert!(error.hint.as_ref().unwrap().plain().starts_with(hint), "{text:?}: {error:?}");
                assert!(error.message.plain().starts_with("line "), "{error}");
            }
        }
    }
    for text in ["a,b\n1,2\n3\n", "a\n1\n2\n", "", "a\nb;c\nd\n", "a,b\n"] {
        assert!(check_fit(text.as_bytes(), &Csv::default(), Some(&find)).is_ok(), "{text:?}");
    }
}

type Record = &'static [&'static str];

/// Names and rows, and whether the types show which is which.
const TABLES: [(Record, &[Record], bool); 8] = [
    (&["id", "n"], &[&["1", "2"], &["3", "4"], &["5", "6"]], true),
    (&["x", "y"], &[&["1.5", "2"], &["3", "4.25"]], true),
    (&["name", "age"], &[&["Ada", "36"], &["Grace", "85"]], true),
    (&["day", "what"], &[&["2026-01-31", "x"], &["2026-02-01", "y"]], true),
    (&["ok"], &[&["true"], &["false"]], true),
    (&["id", "note"], &[&["1", "two\nlines"], &["2", "one, or \"two\""]], true),
    (&["a", "b"], &[&["1", "x"]], true),
    (&["name", "city"], &[&["Ada", "London"], &["Grace", "New York"]], false),
];

/// As programs write it.
fn written(records: &[&[&str]], csv: &Csv, quote_all: bool, newline: &str) -> String {
    let value = |value: &&str| {
        let needs_quotes = quote_all || value.contains([char::from(csv.delimiter), '"', '\n', '\r']);
        if needs_quotes { format!("\"{}\"", value.replace('"', "\"\"")) } else { (*value).to_owned() }
    };
    let delimiter = char::from(csv.delimiter).to_string();
    let record = |record: &&[&str]| record.iter().map(value).collect::<Vec<_>>().join(&delimiter) + newline;
    records.iter().map(record).collect()
}

#[test]
fn every_way_to_write_a_table_has_all_its_rows() {
    let ways = [b',', b';', b'\t', b'|'].into_iter().flat_map(|delimiter| {
        ["\n", "\r\n", "\r"].into_iter().flat_map(move |newline| {
            [true, false].into_iter().flat_map(move |quote_all| {
                [true, false].into_iter().flat_map(move |is_ended| {
                    [true, false].map(|has_names| (delimiter, newline, quote_all, is_ended, has_names))
                })
            })
        })
    });
    for (delimiter, newline, quote_all, is_ended, has_names) in ways {
        for (names, body, is_typed) in TABLES {
            let ends = if newline == "\r" { b'\r' } else { b'\n' };
            let mut csv = Csv { delimiter, newline: ends, ..Csv::default() };
            let records: Vec<&[&str]> = if has_names { [&[names], body].concat() } else { body.to_vec() };
            let mut text = written(&records, &csv, quote_all, newline);
            if !is_ended {
                text.truncate(text.len() - newline.len());
            }
            let found = first_record(text.as_bytes(), true, &csv).unwrap().unwrap();
            let expected = match (is_typed, has_names) {
                (true, true) => FirstRecord::Names,
                (true, false) => FirstRecord::Row,
                // Text above text comes with a notice.
                (false, _) => FirstRecord::NamesOrRow,
            };
            assert_eq!(found, expected, "{text:?}");
            assert!(check_fit(text.as_bytes(), &csv, None).is_ok(), "{text:?}");
            csv.header = has_names;
            let layout = Layout::Csv(csv);
            let table = all_text(&text, &layout).unwrap();
            let (read, left_out) = batches(&text, &layout, &table, None, false, WHOLE).unwrap();
            let row = |row: &&[&str]| row.iter().map(|value| Some((*value).to_owned())).collect::<Vec<_>>();
            assert_eq!((rows(&read), left_out.count), (body.iter().map(row).collect(), 0), "{text:?}");
        }
    }
}
