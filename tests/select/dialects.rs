//! Dialects of delimited values: those that the values show are read, and no other is wrong without a word.

use rread_testkit::sandbox::Sandbox;

/// How a table is written.
#[derive(Clone, Copy, Debug)]
struct Dialect {
    delimiter: char,
    quoting: Quoting,
    newline: &'static str,
    decimal: char,
    has_header: bool,
    is_trailing: bool,
    is_stated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Quoting {
    Doubled,
    All,
    Backslash,
    Single,
    None,
}

/// Names, notes and prices.
const ROWS: [(u32, &str, &str, &str); 5] = [
    (1, "Ada", "plain", "0.35"),
    (2, "Bob", "size 5\"", "12.40"),
    (3, "Eve", "say \"hi\" now", "7.5"),
    (4, "Max", "x=y and z", "1.25"),
    (5, "Zoe", "last \"one\"", "100.75"),
];

impl Dialect {
    fn value(self, text: &str, is_text: bool) -> String {
        let has = |c: char| text.contains(c);
        let needs = has(self.delimiter) || has('"') || has('\'');
        match self.quoting {
            Quoting::Doubled if !needs => text.to_owned(),
            Quoting::Doubled | Quoting::All => format!("\"{}\"", text.replace('"', "\"\"")),
            Quoting::Backslash if is_text => format!("\"{}\"", text.replace('"', "\\\"")),
            Quoting::Single if is_text => format!("'{}'", text.replace('\'', "''")),
            _ => text.to_owned(),
        }
    }

    fn text(self) -> String {
        let header = ["id", "name", "note", "price"].map(|name| self.value(name, true)).to_vec();
        let rows = ROWS.iter().map(|(id, name, note, price)| {
            let price = price.replace('.', &self.decimal.to_string());
            vec![
                self.value(&id.to_string(), false),
                self.value(name, true),
                self.value(note, true),
                self.value(&price, false),
            ]
        });
        let end = if self.is_trailing { self.delimiter.to_string() } else { String::new() };
        let stated =
            if self.is_stated { format!("sep={}{}", self.delimiter, self.newline) } else { String::new() };
        let records = self.has_header.then_some(header).into_iter().chain(rows);
        let lines = records.map(|record| record.join(&self.delimiter.to_string()) + &end + self.newline);
        stated + &lines.collect::<String>()
    }
}

fn dialects() -> Vec<Dialect> {
    let mut all = Vec::new();
    for delimiter in [',', ';', '\t', '|'] {
        for quoting in [Quoting::Doubled, Quoting::All, Quoting::Backslash, Quoting::Single, Quoting::None] {
            for (nth, newline) in ["\n", "\r\n", "\r\r\n", "\r"].into_iter().enumerate() {
                let decimal = if delimiter == ';' && nth % 2 == 0 { ',' } else { '.' };
                let (is_trailing, is_stated) = (nth == 1, nth == 2);
                let has_header = nth != 3;
                all.push(Dialect {
                    delimiter,
                    quoting,
                    newline,
                    decimal,
                    has_header,
                    is_trailing,
                    is_stated,
                });
            }
        }
    }
    all
}

/// Notes and the sums of numbers, as JSON lines.
fn expected() -> String {
    ROWS.iter()
        .map(|(id, _, note, price)| format!("{id}|{note}|{}\n", price.parse::<f64>().unwrap()))
        .collect()
}

#[test]
fn no_dialect_is_read_wrong_without_a_word() {
    let (mut right, mut wrong) = (0, Vec::new());
    let all = dialects();
    for dialect in &all {
        let text = dialect.text();
        let sandbox = Sandbox::with("t.csv", &text);
        let run = sandbox.run(["select", "t.csv", "SELECT _1, _3, _4 FROM t", "--raw", "--output", "jsonl"]);
        let rows: String = run
            .text()
            .lines()
            .map(|line| {
                let row: serde_json::Value = serde_json::from_str(line).unwrap();
                let mut values = row.as_object().unwrap().values().cloned();
                let mut next = || values.next().unwrap_or_default();
                let note = |value: serde_json::Value| value.as_str().unwrap_or_default().to_owned();
                let (id, text, price) = (next(), next(), next());
                format!("{id}|{}|{price}\n", note(text))
            })
            .collect();
        match run.code {
            0 if rows == expected() => right += 1,
            0 if run.stderr.is_empty() => wrong.push(format!("{dialect:?}\n{text}\n{rows}")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all.len() >= 60 && right * 10 >= all.len() * 8, "{right} of {} are read", all.len());
}

/// The rows in CSV, the exit code and the notes.
fn read(name: &str, text: &str, sql: &str) -> (i32, String, String) {
    let run = Sandbox::with(name, text).run(["select", name, sql, "--raw"]);
    (run.code, run.text().to_owned(), run.stderr)
}

#[test]
fn the_samples_show_delimiter_quotes_escape_and_line_ends() {
    for (name, text, sql, expected) in [
        // Quotes after a backslash.
        (
            "b.csv",
            "id,v,txt\n1,10,\"size 5\\\"\"\n2,20,\"b\"\n3,30,\"size 6\\\"\"\n4,40,\"d\"\n",
            "SELECT count(*), sum(v) FROM t",
            "4,100",
        ),
        (
            "b.csv",
            "id,txt,n\n1,\"say \\\"hi\\\" now\",5\n2,\"plain\",6\n",
            "SELECT txt FROM t WHERE id = 1",
            "\"say \"\"hi\"\" now\"",
        ),
        ("b.csv", "id,txt,n\n1,\"say \\\"hi, you\\\" now\",5\n2,\"plain\",6\n", "SELECT sum(n) FROM t", "11"),
        // A path that ends with a backslash.
        ("b.csv", "id,dir\n1,\"C:\\x\\\"\n2,\"D:\\\"\n", "SELECT count(*) FROM t", "2"),
        // Decimal commas beside another delimiter.
        ("e.csv", "1,5;2,7\n3,5;4,9\n5,1;6,2\n", "SELECT sum(_1), sum(_2) FROM t", "10.1,13.8"),
        ("e.csv", "1,5|2,7\n3,5|4,9\n", "SELECT count(*), max(_2) FROM t", "2,\"4,9\""),
        ("e.csv", "x;1.234,50\ny;0,25\n", "SELECT sum(_2) FROM t", "1234.75"),
        ("e.csv", "a;b\n1.234,56;1.500\n2,5;2.750\n", "SELECT sum(a), sum(b) FROM t", "1237.06,4250"),
        // Points between thousands are evident only beside a decimal comma.
        ("e.csv", "a;b\n12,5;1.500\n2,5;2.750\n", "SELECT sum(a), max(b) FROM t", "15.0,2.750"),
        // Lines around the table.
        ("s.csv", "sep=;\nid,v\n1,2\n3,4\n", "SELECT sum(v) FROM t", "6"),
        ("s.csv", "sep=;\r\nid;v\r\n1;2\r\n3;4\r\n", "SELECT count(*), sum(v) FROM t", "2,6"),
        ("s.csv", "\"sep=|\"\nid|v\n1|2\n", "SELECT id, v FROM t", "1,2"),
        ("r.csv", "id,v\r\r\n1,10\r\r\n2,20\r\r\n", "SELECT sum(v) FROM t", "30"),
        // Quotes in a table without quoting.
        ("q.tsv", "id\tsize\n1\t\"6 inch\n2\t8 inch\n3\t\"7 inch\n4\tx\n", "SELECT count(*) FROM t", "4"),
        ("q.csv", "id,size\n1,\"6\n2,\"7\n", "SELECT count(*) FROM t", "2"),
        ("q.csv", "id,note\n1,\"one, two\nthree\"\n2,x\n", "SELECT count(*) FROM t", "2"),
        ("q.csv", "id,note\n1,'a, b'\n2,'c'\n", "SELECT note FROM t WHERE id = 1", "\"a, b\""),
        // Few values in apostrophes are evident where one has an apostrophe in it.
        ("q.csv", "id,name\n1,Anna\n2,'O''Neil'\n3,Bob\n", "SELECT name FROM t WHERE id = 2", "O'Neil"),
        ("q.csv", "id;name\n1;Anna\n2;'O\\'Neil'\n3;Bob\n", "SELECT name FROM t WHERE id = 2", "O'Neil"),
        ("q.csv", "id,name\n1,Anna\n2,'n'\n3,it's\n", "SELECT name FROM t WHERE id = 2", "'n'"),
        ("q.csv", "id,size\n1,'n'\n2,5'11''\n3,it''s\n", "SELECT size FROM t WHERE id = 1", "'n'"),
        // Blanks around a value say nothing of the header.
        ("room.csv", "Ada,Elm St 5,A-42\nBob,Oak St,B-77\nEve,Ash St, C-12\n", "SELECT count(*) FROM t", "3"),
        ("zip.csv", "Ada,Elm,04217\nBob,Oak,07731\nEve,Ash, 91234\n", "SELECT count(*) FROM t", "3"),
        // A table that R writes.
        (
            "r.csv",
            "\"mpg\",\"cyl\"\n\"Mazda RX4\",21,6\n\"Fiat 128\",32.4,4\n",
            "SELECT sum(cyl) FROM t WHERE _1 = 'Mazda RX4'",
            "6",
        ),
        // Numbers of columns, as pandas writes them, and years, above an index.
        ("p.csv", ",0,1,2\n0,35,75,55\n1,28,34,0\n2,0,36,53\n", "SELECT count(*), sum(_3) FROM t", "3,145"),
        ("p.csv", ",0\n0,35\n1,28\n", "SELECT count(*) FROM t", "2"),
        ("p.csv", ";2022;2023\n7;12;13\n8;9;8\n", "SELECT count(*), sum(_2) FROM t", "2,21"),
        ("p.csv", ",5,7\n1,2,3\n4,5,6\n", "SELECT count(*) FROM t", "3"),
        ("p.csv", ",5,6\n,2,3\n4,5,6\n", "SELECT count(*) FROM t", "3"),
        // A delimiter after each last value.
        ("d.csv", "a,b\n1,2,\n3,4,\n", "SELECT sum(b) FROM t", "6"),
        // Values with another delimiter inside.
        ("l.csv", "1,Ada,x;y\n2,Bob,z;w\n", "SELECT count(*), max(_3) FROM t", "2,z;w"),
        ("l.csv", "Ada,x|y\nBob,z|w\n", "SELECT max(_2) FROM t", "z|w"),
        ("l.csv", "\"a,b\";\"c,d\"\n\"e,f\";\"g,h\"\n", "SELECT max(_1) FROM t", "\"e,f\""),
        ("l.csv", "\"a;b\",\"c;d\"\n\"e;f\",\"g;h\"\n", "SELECT max(_2) FROM t", "g;h"),
    ] {
        let (code, text_read, notes) = read(name, text, sql);
        assert_eq!((code, text_read.lines().nth(1)), (0, Some(expected)), "{text:?}: {text_read} {notes}");
    }
}

#[test]
fn what_leaves_two_readings_or_contradicts_the_layout_is_said() {
    let (code, _, notes) = read("a.csv", "Ada;a,b\nBob;c,d\n", "SELECT * FROM t");
    assert!(code == 6 && notes.contains("--delimiter ';'") && notes.contains("--delimiter ','"), "{notes}");
    // A title has the delimiters of the table; without names below it, it may be a record.
    let titled = Sandbox::with("e.csv", "Sales,,\nid,v,w\n1,2,3\n4,5,6\n");
    titled.run(["select", "e.csv", "SELECT * FROM t", "--header"]).refused(6);
    titled.run(["select", "e.csv", "SELECT * FROM t", "--no-header"]).ok();
    let (code, _, notes) = read("e.csv", "Sales,,\n,,\nid,v,w\n1,2,3\n4,5,6\n", "SELECT * FROM t");
    assert!(code == 6 && notes.contains("--skip-lines 2"), "{notes}");
    let (code, _, notes) = read("e.csv", "Sales,,\nid,v,w\n1,2,3\n4,5,6\n", "SELECT * FROM t");
    assert!(code == 6 && notes.contains("--skip-lines 1"), "{notes}");
    let (code, rows, _) = read("e.csv", "Ada,,\nBob,2,3\nEve,5,6\n", "SELECT count(*) FROM t");
    assert!(code == 0, "{rows}");
    let (code, _, notes) = read("o.csv", "note\none;two\nthree;four\n", "SELECT * FROM t");
    assert!(code == 6 && notes.contains("--delimiter ',' keeps each line one value"), "{notes}");
    let (code, _, notes) = read(
        "g.csv",
        "id,name,city,note\n1,Ada,London,\n2,Smith, John,Paris,\n3,Bob,Rome,x\n",
        "SELECT * FROM t",
    );
    assert!(code == 6 && notes.contains("line 3: the record has 5 values"), "{notes}");
    // A quote too many in the names joins two of them, and each record ends with an empty value.
    let (code, _, notes) = read("h.csv", "a,\"b,\"c\",d\n1,2,3,\n4,5,6,\n", "SELECT * FROM t");
    assert!(code != 0 && notes.contains("line 2: the record has 4 values"), "{notes}");
    let mut text = "id,note\n".to_owned();
    text.extend((0..50).map(|id| format!("{id},\"note {id}\"\n")));
    text += "50,\"a \"b\" c\"\n";
    let sandbox = Sandbox::with("n.csv", &text);
    let answer = sandbox.run(["select", "n.csv", "SELECT count(*) FROM t", "--json"]).ok().json();
    let metadata = &answer["metadata"];
    assert_eq!(metadata["notices"], serde_json::json!(["guess_contradicted"]), "{answer}");
    assert_eq!(metadata["guess_contradicted"]["first_line"], 52, "{answer}");
    assert_eq!(metadata["dialect"], "delimiter ,, quote \", header", "{answer}");
    let run = sandbox.run(["select", "n.csv", "SELECT count(*) FROM t", "--raw"]);
    assert!(
        run.stderr.contains("line 52: a quote is inside the value") && run.stderr.contains("--quote ''"),
        "{run}"
    );
}

#[test]
fn a_log_is_not_a_table_because_a_delimiter_is_even_in_its_lines() {
    let pod =
        |nth: u32| format!("2026-11-23T06:00:0{nth}Z stdout F {{\"level\":\"info\",\"msg\":\"m{nth}\"}}\n");
    let plain = |nth: u32| format!("2026-11-23 06:00:0{nth} INFO took one,two\n");
    let bars = |nth: u32| format!("web-1  | 2026-11-23T06:00:0{nth}Z GET /a|b\n");
    let writers: [&dyn Fn(u32) -> String; 3] = [&pod, &plain, &bars];
    for write in writers {
        let sandbox = Sandbox::with("a.txt", (1..4).map(write).collect::<String>());
        let answer = sandbox.run(["select", "a.txt", "SELECT _time, line FROM t", "--json"]).ok().json();
        assert_eq!(answer["metadata"]["input"], "log", "{answer}");
    }
    // A table whose first column is a time stays one.
    for text in [
        "2026-11-23T06:00:01Z,a,1\n2026-11-23T06:00:02Z,b,2\n",
        "time,v\n2026-11-23 06:00:01,1\n2026-11-23 06:00:02,2\n",
    ] {
        let answer =
            Sandbox::with("a.txt", text).run(["select", "a.txt", "SELECT * FROM t", "--json"]).ok().json();
        assert_eq!(answer["metadata"]["input"], "csv", "{answer}");
    }
}

#[test]
fn dates_whose_order_nothing_shows_are_said() {
    for (dates, is_unclear) in [
        (&["01/02/2026", "03/04/2025"][..], true),
        (&["1.2.2026", "", "3.4.2026"], true),
        (&["01/02/2026", "13/04/2025"], false),
        (&["01/02/2026", "soon"], false),
        (&["2026/01/02", "2025/03/04"], false),
    ] {
        let rows: Vec<String> = dates.iter().map(|date| format!("{date},x\n")).collect();
        let sandbox = Sandbox::with("d.csv", format!("d,n\n{}", rows.concat()));
        let answer = sandbox.run(["select", "d.csv", "SELECT max(d) FROM t"]);
        assert_eq!(answer.document().fact("dialect").ends_with("dates dmy or mdy"), is_unclear, "{dates:?}");
        let raw = |more: &[&str]| {
            sandbox.run(["select", "d.csv", "SELECT n FROM t ORDER BY d", "--raw"].iter().chain(more)).stderr
        };
        assert_eq!(raw(&[]).contains("--date-order dmy or mdy"), is_unclear, "{dates:?}");
        assert_eq!(raw(&["--date-order", "ymd"]), "", "{dates:?}");
    }
}

#[test]
fn one_file_with_unclear_dates_makes_them_text_in_all() {
    let sandbox = Sandbox::with("clear.csv", "d,n\n21/02/2026,1\n03/04/2026,2\n");
    sandbox.file("unclear.csv", "d,n\n01/02/2026,1\n03/04/2026,2\n");
    for files in [["clear.csv", "unclear.csv"], ["unclear.csv", "clear.csv"]] {
        let sql = "SELECT max(d) FROM t";
        let answer = sandbox.run(["select", files[0], files[1], sql]).ok();
        assert!(answer.document().fact("dialect").ends_with("dates dmy or mdy"), "{answer}");
        let raw = sandbox.run(["select", files[0], files[1], sql, "--raw"]);
        assert!(raw.stderr.contains("--date-order dmy or mdy"), "{raw}");
        let named = sandbox.run(["select", files[0], files[1], sql, "--date-order", "dmy", "--raw"]).ok();
        assert!(named.text().ends_with("2026-04-03\n"), "{named}");
    }
}
