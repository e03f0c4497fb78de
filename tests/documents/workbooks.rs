//! Workbooks in all formats, and those of records in particular.

use super::Lab;
use super::books::Cell::{Bool, Computed, Day, Missing, Number, Text};
use super::books::{self, Sheet};

pub const SHEETS: [Sheet<'_>; 3] = [
    Sheet {
        name: "Daten 1",
        is_hidden: false,
        cells: &[
            (0, 0, Text("name")),
            (0, 1, Text("größe, \"漢\"")),
            (0, 3, Text("day")),
            (1, 0, Number(0.1 + 0.2)),
            (1, 2, Number(-7.0)),
            (1, 3, Day(45_000.0)),
            (4, 0, Text("name")),
            (4, 1, Bool(true)),
            (4, 2, Computed("two\nlines")),
            (4, 30, Number(1e15)),
        ],
    },
    Sheet { name: "Empty", is_hidden: false, cells: &[] },
    Sheet { name: "Notes", is_hidden: true, cells: &[(2, 1, Number(2.5))] },
];

fn commas(count: usize) -> String {
    ",".repeat(count)
}

#[test]
fn every_format_has_the_same_text() {
    let head = format!("name,\"größe, \"\"漢\"\"\",,day{}\n", commas(27));
    let row = format!("0.3,,-7,2023-03-15{}\n", commas(27));
    let last = format!("name,true,\"two\nlines\"{}1000000000000000\n", commas(28));
    let text = format!("# Daten 1\n{head}{row}\n\n{last}\n# Empty\n\n# Notes\n\n\n,2.5\n");
    let formats = [
        ("xls", books::xls(&SHEETS)),
        ("xlsb", books::xlsb(&SHEETS)),
        ("xlsx", books::xlsx(&SHEETS)),
        ("ods", books::opendocument(&SHEETS)),
    ];
    for (format, bytes) in formats {
        let name = format!("f.{format}");
        let lab = Lab::with(&name, &bytes);
        assert_eq!(lab.text(&format!("lines {name}")), text, "{format}");
        assert_eq!(lab.text(&format!("page {name} 3")), "# Notes\n\n\n,2.5\n", "{format}");
        let stat = lab.json(&format!("stat {name}"));
        assert_eq!((&stat["decoded"], &stat["pages"]), (&format.into(), &3.into()));
    }
}

#[test]
fn an_older_workbook_is_recognised_by_content() {
    let bytes = books::xls(&SHEETS);
    let lab = Lab::with("f.xls", &bytes);
    lab.write("f", &bytes);
    let file = std::fs::File::open(lab.path("f")).unwrap();
    let piped = lab.command("lines - -f text").stdin(file).output().unwrap();
    let text = lab.text("lines f.xls");
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), text);
    assert_eq!(lab.text("lines f"), text);
}

#[test]
fn errors_are_text() {
    let sheet = [Sheet { name: "A", is_hidden: false, cells: &[(0, 0, Missing), (0, 1, Number(1.0))] }];
    for (name, bytes) in
        [("f.xls", books::xls(&sheet)), ("f.xlsb", books::xlsb(&sheet)), ("f.xlsx", books::xlsx(&sheet))]
    {
        assert_eq!(Lab::with(name, &bytes).text(&format!("lines {name}")), "#N/A,1\n", "{name}");
    }
}
