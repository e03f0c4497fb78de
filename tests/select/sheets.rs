//! Workbooks: each sheet is a table, with the types of its cells.

use rread_testkit::sandbox::{Run, Sandbox};
use serde_json::{Value, json};

use crate::documents::archive;
use crate::documents::books::Cell::{Bool, Computed, Day, Missing, Number, Text};
use crate::documents::books::{self, Sheet};

const SHEETS: [Sheet<'_>; 5] = [
    Sheet { name: "Empty", is_hidden: false, cells: &[] },
    Sheet { name: "Secret", is_hidden: true, cells: &[(0, 0, Text("code")), (1, 0, Text("x"))] },
    Sheet {
        name: "Sales",
        is_hidden: false,
        // The table begins at C2.
        cells: &[
            (1, 2, Text("Item")),
            (1, 3, Text("Price")),
            (1, 4, Text("Price")),
            (1, 5, Text("Day")),
            (1, 6, Text("Sold")),
            (1, 8, Text("Zip")),
            (1, 9, Text("Ratio")),
            (2, 2, Text("tea, \"green\"")),
            (2, 3, Number(2.5)),
            (2, 4, Number(3.0)),
            (2, 5, Day(45_351.0)),
            (2, 6, Bool(true)),
            (2, 7, Text("a note")),
            (2, 8, Text("01234")),
            (2, 9, Missing),
            (4, 2, Text("two\nlines")),
            (4, 3, Number(-1.0)),
            (4, 5, Day(45_352.5)),
            (4, 8, Text("5")),
            (4, 9, Number(0.5)),
            (5, 2, Computed("NULL")),
            (5, 4, Number(1e12)),
            (5, 6, Bool(false)),
        ],
    },
    Sheet {
        name: "My data",
        is_hidden: false,
        cells: &[
            (0, 0, Text("Item")),
            (0, 1, Text("Stock")),
            (1, 0, Text("tea, \"green\"")),
            (1, 1, Number(7.0)),
            (2, 0, Text("coffee")),
            (2, 1, Text("none")),
        ],
    },
    Sheet {
        name: "2",
        is_hidden: false,
        cells: &[(0, 0, Text("a")), (1, 0, Number(1.0)), (3, 0, Number(2.0))],
    },
];

type Write = fn(&[Sheet<'_>]) -> Vec<u8>;

const FORMATS: [(&str, Write); 3] = [("xlsx", books::xlsx), ("xlsb", books::xlsb), ("xls", books::xls)];

fn sandbox() -> Sandbox {
    Sandbox::with("book.xlsx", books::xlsx(&SHEETS))
}

fn types(metadata: &Value) -> String {
    let columns = metadata["columns"].as_array().unwrap().iter();
    let columns = columns
        .map(|column| format!("{} {}", column["name"].as_str().unwrap(), column["type"].as_str().unwrap()));
    columns.collect::<Vec<_>>().join(", ")
}

#[test]
fn cells_have_their_types_in_every_format() {
    for (format, write) in FORMATS {
        let name = format!("book.{format}");
        let sandbox = Sandbox::with(&name, write(&SHEETS));
        let answer =
            sandbox.run(["select", &name, "SELECT * FROM t", "--output", "jsonl", "--json"]).ok().json();
        let metadata = &answer["metadata"];
        assert_eq!(
            types(metadata),
            "Item utf8, Price float64, Price_2 int64, Day timestamp, Sold boolean, _6 utf8, Zip utf8, Ratio float64",
            "{format}"
        );
        let rows: Vec<Value> = answer["content"]
            .as_str()
            .unwrap()
            .lines()
            .map(|row| serde_json::from_str(row).unwrap())
            .collect();
        let row = |values: Value| {
            let names = ["Item", "Price", "Price_2", "Day", "Sold", "_6", "Zip", "Ratio"];
            Value::Object(
                names.into_iter().map(str::to_owned).zip(values.as_array().unwrap().clone()).collect(),
            )
        };
        let expected = [
            row(json!(["tea, \"green\"", 2.5, 3, "2024-02-29T00:00:00", true, "a note", "01234", null])),
            row(json!(["two\nlines", -1.0, null, "2024-03-01T12:00:00", null, null, "5", 0.5])),
            row(json!(["NULL", null, 1_000_000_000_000_u64, null, false, null, null, null])),
        ];
        assert_eq!(rows, expected, "{format}");
        let said = (&metadata["input"], &metadata["sheet"], &metadata["other_sheets"], &metadata["decoded"]);
        assert_eq!(said, (&"sheet".into(), &"Sales".into(), &json!(["My data", "2"]), &format.into()));
    }
    let sandbox = Sandbox::with("book.ods", books::opendocument(&SHEETS[2..]));
    let answer = sandbox.run(["select", "book.ods", "SELECT * FROM t", "--json"]).ok().json();
    assert!(
        types(&answer["metadata"])
            .starts_with("Item utf8, Price float64, Price_2 int64, Day date, Sold boolean")
    );
}

/// Titles and a blank row are above the names in many workbooks.
#[test]
fn titles_above_the_names_are_not_of_the_table() {
    let cells = [
        (0, 1, Text("Stock of all sites,\n30 April")),
        (1, 1, Text("counted by hand")),
        (3, 1, Text("Item")),
        (3, 2, Text("Pieces")),
        (3, 3, Text("Day")),
        (4, 1, Text("tea")),
        (4, 2, Number(7.0)),
        (4, 3, Day(45_351.0)),
        (5, 1, Text("total")),
        (5, 2, Number(9.0)),
    ];
    for (format, write) in FORMATS {
        let name = format!("book.{format}");
        let sheets = |cells| [Sheet { name: "One", is_hidden: false, cells }];
        let sandbox = Sandbox::with(&name, write(&sheets(&cells)));
        let select = |words: &[&str]| {
            let sql = "SELECT * FROM t ORDER BY 2";
            sandbox.run([&["select", &name, sql, "--json"], words].concat()).ok().json()
        };
        let answer = select(&[]);
        let metadata = &answer["metadata"];
        assert_eq!(types(metadata), "Item utf8, Pieces int64, Day date", "{format}");
        assert_eq!(
            (&metadata["dialect"], &metadata["notices"]),
            (&json!("table after line 4"), &Value::Null)
        );
        assert_eq!(answer["content"], "Item,Pieces,Day\ntea,7,2024-02-29\ntotal,9,\n", "{format}");
        assert_eq!(select(&["--skip-lines", "4"])["content"], answer["content"], "{format}");
        assert_eq!(select(&["--no-header"])["metadata"]["rows_returned"], 5, "{format}");
        let call = json!({"path": name, "sql": "SELECT Item FROM t"}).to_string();
        let called = sandbox.run(["call", "select", &call]).ok();
        assert!(called.text().contains("table after line 4"), "{format}: {called}");
        // A table of two columns may have a first row with one value.
        sandbox.file(&name, write(&sheets(&cells[..4])));
        assert!(types(&select(&[])["metadata"]).starts_with("Stock of all sites"), "{format}");
    }
}

#[test]
fn a_sheet_is_chosen_by_name_or_number() {
    let sandbox = sandbox();
    let rows = |sheet: &str| {
        let run = sandbox.run(["select", "book.xlsx", "SELECT * FROM t", "--sheet", sheet, "--raw"]).ok();
        assert_eq!(run.stderr, "", "{sheet}");
        run.text().to_owned()
    };
    let stock = "Item,Stock\n\"tea, \"\"green\"\"\",7\ncoffee,none\n";
    assert_eq!([rows("My data"), rows("my DATA"), rows("4")], [stock, stock, stock]);
    assert_eq!(rows("Secret"), "code\nx\n");
    // A name comes before a number.
    assert_eq!(rows("2"), "a\n1\n2\n");
    let answer =
        sandbox.run(["select", "book.xlsx", "SELECT a FROM t", "--sheet", "5", "--json"]).ok().json();
    assert_eq!(
        (&answer["metadata"]["sheet"], &answer["metadata"]["other_sheets"]),
        (&"2".into(), &Value::Null)
    );
    let raw = sandbox.run(["select", "book.xlsx", "SELECT Item FROM t LIMIT 1", "--raw"]);
    assert!(
        raw.stderr
            .contains("t is the sheet Sales; FROM \"NAME\" or --sheet NAME reads another: 'My data', 2"),
        "{raw}"
    );
}

/// What the receipt says is about the sheets that the query reads.
#[test]
fn a_receipt_is_about_the_sheets_that_are_read() {
    let notes = [(0, 0, Text("Notes of April")), (1, 0, Text("counted"))];
    let stock = [(0, 0, Text("Item")), (0, 1, Text("Pieces")), (1, 0, Text("tea")), (1, 1, Number(7.0))];
    let sheet = |name, cells| Sheet { name, is_hidden: false, cells };
    let sandbox = Sandbox::with("b.xlsx", books::xlsx(&[sheet("Notes", &notes), sheet("Stock", &stock)]));
    let said = |sql: &str| {
        let metadata = sandbox.run(["select", "b.xlsx", sql, "--json"]).ok().json()["metadata"].clone();
        (metadata["sheet"].clone(), metadata["notices"].clone())
    };
    let assumed = json!(["header_assumed"]);
    assert_eq!(said("SELECT * FROM t"), (json!("Notes"), assumed.clone()));
    assert_eq!(said("SELECT * FROM \"Notes\""), (json!("Notes"), assumed.clone()));
    assert_eq!(said("SELECT * FROM \"Stock\""), (Value::Null, Value::Null));
    let both = "SELECT * FROM \"Stock\" WHERE Pieces > (SELECT count(*) FROM t)";
    assert_eq!(said(both), (json!("Notes"), assumed));
}

#[test]
fn other_sheets_are_tables() {
    let sandbox = sandbox();
    let query = |sql: &str| {
        let run = sandbox.run(["select", "book.xlsx", sql, "--raw"]).ok();
        assert_eq!(run.stderr, "", "{sql}");
        run.text().to_owned()
    };
    assert_eq!(query("SELECT stock, _1 FROM \"My data\" WHERE item = 'coffee'"), "Stock,Item\nnone,coffee\n");
    assert_eq!(
        query("SELECT s.price, d.Stock FROM t s JOIN \"My data\" d ON s.item = d.item"),
        "Price,Stock\n2.5,7\n"
    );
    assert_eq!(query("SELECT sum(a) AS a FROM \"2\" WHERE a > (SELECT min(price) FROM sales)"), "a\n3\n");
    let named = sandbox.run(["select", "book.xlsx", "SELECT count(*) AS n FROM SALES", "--raw"]).ok();
    assert_eq!(named.text(), "n\n3\n");
    // A sheet precedes the file of its name, in joins, too.
    std::fs::copy(sandbox.path("book.xlsx"), sandbox.path("sales.xlsx")).unwrap();
    for sql in [
        "SELECT count(*) AS n FROM Sales",
        "SELECT count(*) AS n FROM sales a JOIN \"Sales\" b ON a.item = b.item",
    ] {
        let alone = sandbox.run(["select", "book.xlsx", sql, "--raw"]).ok();
        let named = sandbox.run(["select", "sales.xlsx", "--sheet", "Secret", sql, "--raw"]).ok();
        assert_eq!(named.text(), alone.text(), "{sql}");
    }
    // A directory has no names of its own.
    std::fs::create_dir(sandbox.path("logs")).unwrap();
    sandbox.file("logs/x.csv", "a,b\n1,2\n");
    sandbox.file("u.csv", "a,c\n1,9\n");
    for line in ["SELECT count(*) AS n FROM logs", "SELECT count(*) AS n FROM logs a JOIN u ON a.a = u.a"] {
        let run = sandbox.run(["select", "logs", line, "--table", "u=u.csv", "--raw"]).ok();
        assert_eq!(run.text(), "n\n1\n", "{line}");
    }
    let missing = sandbox.run(["select", "book.xlsx", "SELECT * FROM other", "--raw"]);
    assert_eq!(missing.code, 2);
    for name in ["`t`", "`Sales`", "`My data`", "`2`", "`Secret`", "`book`"] {
        assert!(missing.stderr.contains(name), "{missing}");
    }
    let empty = sandbox.run(["select", "book.xlsx", "SELECT * FROM \"Empty\"", "--raw"]);
    assert!(empty.code == 6 && empty.stderr.contains("the sheet Empty has no values"), "{empty}");
}

#[test]
fn the_header_and_the_types_can_be_set() {
    let sandbox = sandbox();
    let run = |words: &[&str]| {
        let call = ["select", "book.xlsx", "SELECT * FROM t", "--sheet", "2", "--json"];
        sandbox.run([&call[..], words].concat()).ok().json()
    };
    // With the first row among them, the values are text and numbers.
    let answer = run(&["--no-header"]);
    assert_eq!(
        (&answer["content"], types(&answer["metadata"])),
        (&"_1\na\n1\n2\n".into(), "_1 utf8".to_owned())
    );
    let answer = run(&["--schema", "a:decimal(5,2)"]);
    assert_eq!(types(&answer["metadata"]), "a decimal(5,2)");
    let answer = run(&["--schema", "*:utf8", "--null", "1"]);
    assert_eq!((&answer["content"], types(&answer["metadata"])), (&"a\n\n2\n".into(), "a utf8".to_owned()));
}

#[test]
fn a_type_holds_in_the_last_of_many_rows() {
    let rows: String = (2..=60_000)
        .map(|row| match row {
            60_000 => format!("<row r=\"{row}\"><c r=\"A{row}\" t=\"inlineStr\"><is><t>late</t></is></c></row>"),
            _ => format!("<row r=\"{row}\"><c r=\"A{row}\"><v>{row}123456789</v></c><c r=\"B{row}\"><v>{row}</v></c></row>"),
        })
        .collect();
    let head = "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>id</t></is></c></row>";
    let book = archive::xlsx(&[("Sheet1", &format!("{head}{rows}"))]);
    let sandbox = Sandbox::with("late.xlsx", book);
    let sql = "SELECT count(*) AS n, max(id) AS id, sum(_2) AS total FROM t";
    let answer = sandbox.run(["select", "late.xlsx", sql, "--json"]).ok().json();
    let total: u64 = (2..60_000).sum();
    assert_eq!(answer["content"], format!("n,id,total\n59999,late,{total}\n"));
}

#[test]
fn a_workbook_on_standard_input_or_in_an_archive_has_sheets() {
    let sandbox = sandbox();
    let mut piped = sandbox.command();
    piped.args(["select", "-", "SELECT Stock FROM \"My data\"", "--raw"]).write_stdin(books::xlsx(&SHEETS));
    let run = Run::of(&mut piped).ok();
    assert_eq!(run.text(), "Stock\n7\nnone\n");
    sandbox.file("all.zip", archive::archive(&[("inside/book.xls", &books::xls(&SHEETS))]));
    let run = sandbox
        .run(["select", "zip:all.zip/inside/book.xls", "SELECT * FROM t", "--sheet", "5", "--raw"])
        .ok();
    assert_eq!(run.text(), "a\n1\n2\n");
}

#[test]
fn what_is_not_a_sheet_is_refused() {
    let sandbox = sandbox();
    sandbox.file("t.csv", "a\n1\n");
    let missing = sandbox.run(["select", "book.xlsx", "SELECT * FROM t", "--sheet", "mydata", "--raw"]);
    assert_eq!(missing.code, 3, "{missing}");
    let expected = "rread: book.xlsx: has no sheet mydata; its sheets are Empty, Secret, Sales, 'My data', 2\n\
        hint: rread select book.xlsx 'SELECT * FROM t LIMIT 10' --sheet 'My data'\n";
    assert_eq!(missing.stderr, expected);
    sandbox.run(["select", "book.xlsx", "SELECT * FROM t LIMIT 10", "--sheet", "My data"]).ok();
    let not = sandbox.run(["select", "t.csv", "SELECT * FROM t", "--sheet", "1", "--raw"]);
    assert!(
        not.code == 2 && not.stderr.contains("t.csv: is not a workbook, and only workbooks have sheets"),
        "{not}"
    );
    for (option, value) in [
        ("--delimiter", ";"),
        ("--input", "csv"),
        ("--input", "parquet"),
        ("--comment", "#"),
        ("--quote", "'"),
    ] {
        let run = sandbox.run(["select", "book.xlsx", "SELECT * FROM t", option, value, "--raw"]);
        assert!(run.code == 2 && run.stderr.contains(&format!("{option} is for text")), "{run}");
    }
    let empty = sandbox.run(["select", "book.xlsx", "SELECT * FROM t", "--sheet", "Empty", "--raw"]);
    assert!(empty.code == 6 && empty.stderr.contains("the sheet Empty has no values"), "{empty}");
    assert!(empty.stderr.contains("hint: --sheet Sales"), "{empty}");
    let bytes = sandbox.run(["select", "book.xlsx", "SELECT 1", "--sheet", "1", "--no-decompress"]);
    assert_eq!(bytes.code, 2, "{bytes}");
}
