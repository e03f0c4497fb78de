//! Workbooks of Office Open XML, with parts that are odd, damaged or in another order.

use std::fmt::Write as _;

use rread_documents::format::DocumentFormat;
use rread_documents::protocol::{Failure, Notice};

use super::fixtures::{Decoded, archive, decoded, relations};

/// A workbook with sheets of these kinds, states and contents, and what replaces or adds members.
fn book(sheets: &[(&str, &str, &str)], more: &[(&str, &str)]) -> Decoded {
    let mut list = String::new();
    let mut targets = vec![("s".to_owned(), "styles".to_owned(), "styles.xml".to_owned())];
    let mut members: Vec<(String, String)> = Vec::new();
    for (number, (kind, state, rows)) in (1..).zip(sheets) {
        let _ = write!(
            list,
            "<sheet name=\"S{number}\" sheetId=\"{number}\" state=\"{state}\" r:id=\"r{number}\"/>"
        );
        targets.push((format!("r{number}"), (*kind).to_owned(), format!("{kind}s/sheet{number}.xml")));
        members.push((
            format!("xl/{kind}s/sheet{number}.xml"),
            format!("<worksheet><sheetData>{rows}</sheetData></worksheet>"),
        ));
    }
    let targets: Vec<(&str, &str, &str)> =
        targets.iter().map(|(id, kind, target)| (id.as_str(), kind.as_str(), target.as_str())).collect();
    let styles = "<styleSheet><numFmts><numFmt numFmtId=\"200\" formatCode=\"[h]:mm\"/></numFmts><cellXfs><xf numFmtId=\"0\"/>\
        <xf numFmtId=\"14\"/><xf numFmtId=\"20\"/><xf numFmtId=\"200\"/><xf numFmtId=\"9\"/><xf numFmtId=\"12\"/></cellXfs>\
        </styleSheet>";
    let mut all = vec![
        ("_rels/.rels".to_owned(), relations(&[("a", "relationships/officeDocument", "xl/workbook.xml")])),
        ("xl/workbook.xml".to_owned(), format!("<workbook><sheets>{list}</sheets></workbook>")),
        ("xl/_rels/workbook.xml.rels".to_owned(), relations(&targets)),
        ("xl/styles.xml".to_owned(), styles.to_owned()),
    ];
    all.extend(members);
    for (name, content) in more {
        all.retain(|(of, _)| of != name);
        all.push(((*name).to_owned(), (*content).to_owned()));
    }
    let all: Vec<(&str, &[u8])> =
        all.iter().map(|(name, content)| (name.as_str(), content.as_bytes())).collect();
    decoded(DocumentFormat::Xlsx, archive(&all))
}

/// The text of the only sheet with these rows.
fn sheet(rows: &str) -> String {
    let decoded = book(&[("worksheet", "visible", rows)], &[]);
    assert_eq!((decoded.failure, decoded.notices.len()), (None, 0), "{rows}: {:?}", decoded.notices);
    decoded.text
}

fn cell(place: &str, style: u8, value: &str) -> String {
    format!("<c r=\"{place}\" s=\"{style}\"><v>{value}</v></c>")
}

#[test]
fn a_number_that_its_format_cannot_show_stays() {
    for (style, value, expected) in [
        (2, "-0.5", "-0.5"),
        (1, "-1", "-1"),
        (1, "60", "60"),
        (1, "2958466", "2958466"),
        (1, "0", "0"),
        (1, "45000", "2023-03-15"),
        (2, "0.5", "12:00:00"),
        (3, "1.5", "36:00:00"),
        (3, "-0.5", "-12:00:00"),
        (4, "0.5", "0.5"),
        (5, "0.5", "0.5"),
        (9, "45000", "45000"),
    ] {
        assert_eq!(
            sheet(&format!("<row>{}</row>", cell("A1", style, value))),
            format!("{expected}\n"),
            "{style} {value}"
        );
    }
}

#[test]
fn references_say_where_cells_are() {
    let a_and_b = cell("B1", 0, "12") + &cell("A1", 0, "11");
    for (rows, expected) in [
        (format!("<row r=\"1\">{a_and_b}</row>"), "11,12\n"),
        (format!("<row r=\"2\">{}</row><row r=\"1\">{}</row>", cell("A2", 0, "2"), cell("A1", 0, "1")), "1\n2\n"),
        (format!("<row>{}{}</row>", cell("A1", 0, "1"), cell("A1", 0, "2")), "2\n"),
        ("<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>".to_owned(), "1,2\n3,\n"),
        // Cells after one with a reference.
        ("<row><c><v>1</v></c><c r=\"C1\"><v>3</v></c><c><v>4</v></c></row>".to_owned(), "1,,3,4\n"),
        // Values of all types.
        (
            "<row><c t=\"b\"><v>1</v></c><c t=\"e\"><v>#DIV/0!</v></c><c t=\"str\"><f>x</f><v>a_x0041_</v></c>\
             <c><v>1,5</v></c><c t=\"inlineStr\"><is><r><t>漢</t></r><rPh><t>kan</t></rPh></is></c></row>"
                .to_owned(),
            "true,#DIV/0!,aA,\"1,5\",漢\n",
        ),
    ] {
        assert_eq!(sheet(&rows), expected, "{rows}");
    }
}

#[test]
fn raised_text_of_a_cell_is_an_exponent() {
    let run =
        |align: &str, text: &str| format!("<r><rPr><vertAlign val=\"{align}\"/></rPr><t>{text}</t></r>");
    for (runs, expected) in [
        (run("baseline", "10") + &run("superscript", "6"), "10⁶"),
        (run("baseline", "H") + &run("subscript", "2") + "<r><t>O</t></r>", "H₂O"),
        ("<t>10</t>".to_owned() + &run("superscript", "n+1"), "10^{n+1}"),
        (run("superscript", "a_x000A_b &lt;"), "\"^{a\nb <}\""),
    ] {
        // The string after it is not raised.
        let strings = format!("<sst><si>{runs}</si><si><t xml:space=\"preserve\"> x</t></si></sst>");
        let shared = [("xl/sharedStrings.xml", strings.as_str())];
        let rows = "<row><c t=\"s\"><v>0</v></c><c t=\"s\"><v>1</v></c></row>";
        let text = book(&[("worksheet", "visible", rows)], &shared).text;
        assert_eq!(text, format!("{expected},\" x\"\n"));
    }
}

#[test]
fn sheets_without_cells_are_not_in_the_way() {
    let seven = cell("A1", 0, "7");
    for kind in ["xlMacrosheet", "xlIntlMacrosheet", "chartsheet", "dialogsheet"] {
        let decoded = book(&[("worksheet", "visible", &seven), (kind, "visible", "")], &[]);
        assert_eq!((decoded.text.as_str(), decoded.failure), ("7\n", None), "{kind}");
    }
    // Hidden in every way.
    let decoded = book(&[("worksheet", "veryHidden", &seven), ("worksheet", "hidden", &seven)], &[]);
    assert_eq!(decoded.text, "# S1\n7\n\n# S2\n7\n");
}

#[test]
fn a_damaged_part_costs_that_part_and_a_note() {
    let (one, two) = (cell("A1", 0, "1"), cell("A1", 0, "2"));
    let sheets = [("worksheet", "visible", one.as_str()), ("worksheet", "visible", two.as_str())];
    let damaged = "<worksheet><sheetData><row><c><v>9</v></c></row></wrong>";
    for (name, content, text, part) in [
        ("xl/worksheets/sheet1.xml", damaged, "# S1\n9\n\n# S2\n2\n", "sheet S1"),
        ("xl/worksheets/sheet1.xml", "", "# S1\n\n# S2\n2\n", "sheet S1"),
    ] {
        let decoded = book(&sheets, &[(name, content)]);
        let expected = vec![(Notice::LeftOut, part.to_owned())];
        assert_eq!(
            (decoded.text.as_str(), decoded.failure, decoded.notices),
            (text, None, expected),
            "{name}"
        );
    }
    // A sheet whose member is not there.
    let lost = relations(&[("r2", "worksheet", "worksheets/sheet2.xml"), ("r1", "worksheet", "nowhere.xml")]);
    let decoded = book(&sheets, &[("xl/_rels/workbook.xml.rels", &lost)]);
    assert_eq!((decoded.text.as_str(), decoded.notices.len()), ("# S1\n\n# S2\n2\n", 1));
}

#[test]
fn a_refusal_names_the_part() {
    let one = cell("A1", 0, "1");
    for (name, content) in [
        ("xl/styles.xml", "<styleSheet></x>"),
        ("xl/sharedStrings.xml", "<sst><si></x>"),
        ("xl/_rels/workbook.xml.rels", "<x></y>"),
    ] {
        let decoded = book(&[("worksheet", "visible", &one)], &[(name, content)]);
        assert_eq!((decoded.failure, decoded.cause.as_deref()), (Some(Failure::Damaged), Some(name)));
    }
    let decoded = book(&[("worksheet", "visible", "")], &[("xl/workbook.xml", "<workbook></x>")]);
    assert_eq!(
        (decoded.failure, decoded.cause.as_deref()),
        (Some(Failure::Damaged), Some("xl/workbook.xml"))
    );
    let decoded = book(&[("worksheet", "visible", "")], &[("xl/worksheets/sheet1.xml", "<worksheet></x>")]);
    assert_eq!(
        (decoded.failure, decoded.cause.as_deref()),
        (Some(Failure::Damaged), Some("xl/worksheets/sheet1.xml"))
    );
}

#[test]
fn the_calendar_of_1904_counts() {
    let rows = cell("A1", 1, "43538") + &cell("B1", 1, "0") + &cell("C1", 2, "0.25");
    let book_with = "<workbook><workbookPr date1904=\"1\"/><sheets><sheet name=\"S1\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>";
    let decoded = book(&[("worksheet", "visible", &rows)], &[("xl/workbook.xml", book_with)]);
    assert_eq!(decoded.text, "2023-03-15,1904-01-01,06:00:00\n");
}

#[test]
fn a_cell_whose_value_is_not_in_the_file_is_reported() {
    let of = |rows: &str, more: &[(&str, &str)]| {
        let decoded = book(&[("worksheet", "visible", rows)], more);
        assert_eq!(decoded.failure, None, "{rows}");
        let notices = decoded.notices.into_iter().map(|(notice, part)| {
            assert_eq!(notice, Notice::LeftOut);
            part
        });
        (decoded.text, notices.collect::<Vec<_>>().join(" "))
    };
    let strings = ("xl/sharedStrings.xml", "<sst><si><t>x</t></si></sst>");
    let (unknown, formulas) = ("cells of an unknown type", "formulas without computed values");
    for (cells, more, text, notices) in [
        ("<c><f>1+1</f></c><c><v>5</v></c>", None, ",5\n", formulas),
        ("<c><f>1+1</f><v></v></c><c><f t=\"shared\" si=\"0\"/></c><c><v>5</v></c>", None, ",,5\n", formulas),
        // The text of this formula is empty, and these have values.
        ("<c t=\"str\"><f>A1</f><v></v></c><c><v>5</v></c>", None, ",5\n", ""),
        ("<c><f>1+1</f><v>2</v></c><c t=\"b\"><f>1=1</f><v>1</v></c>", None, "2,true\n", ""),
        ("<c s=\"1\"/><c><v>5</v></c>", None, ",5\n", ""),
        ("<c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\"><v>5</v></c>", None, ",5\n", unknown),
        (
            "<c t=\"s\"><v>0</v></c><c t=\"s\"><v>1</v></c><c t=\"s\"><v>2</v></c>",
            Some(strings),
            "x\n",
            unknown,
        ),
        // An error of newer programs, other elements, and a reference that makes no sense.
        ("<c t=\"e\"><v>#SPILL!</v></c><c r=\"B1\"><v>5</v></c>", None, ",5\n", unknown),
        ("<c t=\"b\"><v>1</v><extLst/></c><c r=\"B1\"><v>5</v></c>", None, ",5\n", unknown),
        ("<c r=\"?\"><v>1</v></c><c r=\"C1\"><v>3</v></c><c><v>4</v></c>", None, ",,3,4\n", unknown),
        ("<c t=\"s\"><v>0</v></c>", Some(strings), "x\n", ""),
    ] {
        let found = of(&format!("<row>{cells}</row>"), more.as_slice());
        let expected = (text.to_owned(), notices.to_owned());
        assert_eq!(found, expected, "{cells}");
    }
}

#[test]
fn blanks_around_a_value_are_not_a_part_of_it() {
    let strings = ("xl/sharedStrings.xml", "<sst><si><t>zero</t></si><si><t>one</t></si></sst>");
    let cells = "<c>\n<v>\n  42\n</v>\n</c><c t=\"n\"><v> 1.5 </v></c><c t=\"s\"><v> 1 </v></c><c t=\"b\"><v>\t1</v></c>\
        <c t=\"e\"><v>#N/A </v></c><c t=\"str\"><v> 7 </v></c><c t=\"inlineStr\"><is><t xml:space=\"preserve\"> 8 </t></is></c>";
    let expected = "42,1.5,one,true,#N/A,\" 7 \",\" 8 \"\n";
    let decoded = book(&[("worksheet", "visible", &format!("<row>{cells}</row>"))], &[strings]);
    assert_eq!((decoded.text.as_str(), &decoded.notices[..]), (expected, &[][..]));
    // The sheet may be longer than what shows it.
    let far = format!("<row><c><v> 1 </v></c></row>{}<row><c><v>\n2\n</v></c></row>", " ".repeat(1 << 17));
    assert_eq!(sheet(&far), "1\n2\n");
    let late = format!("{}<row><c><v> 1 </v></c></row>", "<row><c><v>7</v></c></row>".repeat(1 << 13));
    assert_eq!(sheet(&late), format!("{}1\n", "7\n".repeat(1 << 13)));
    let prefixed = "<row><x:c t=\"n\"><x:v> 1.5 </x:v></x:c><x:c t=\"str\"><x:v> 2 </x:v></x:c></row>";
    assert_eq!(sheet(prefixed), "1.5,\" 2 \"\n");
    let decoded = book(
        &[
            ("worksheet", "visible", "<row><c><v> 1 </v></c><c><v> 2 </v></c><c"),
            ("worksheet", "visible", ""),
        ],
        &[],
    );
    assert!(decoded.text.starts_with("# S1\n1,2\n"), "{decoded:?}");
}

#[test]
fn the_largest_numbers_are_themselves() {
    let values = ["1.797E308", "1.7976931348623157E308", "-1.7976931348623157E308", "9.99999999999999E+307"];
    let cells: String = values.iter().map(|value| format!("<c><v>{value}</v></c>")).collect();
    let expected = "1.797e308,1.7976931348623157e308,-1.7976931348623157e308,9.99999999999999e307\n";
    assert_eq!(sheet(&format!("<row>{cells}</row>")), expected);
}

#[test]
fn text_boxes_on_sheets_are_reported() {
    let of = |content: &str| {
        let drawing = format!("<xdr:wsDr><xdr:sp><xdr:txBody>{content}</xdr:txBody></xdr:sp></xdr:wsDr>");
        let rows = "<row><c><v>1</v></c></row>";
        book(&[("worksheet", "visible", rows)], &[("xl/drawings/drawing1.xml", &drawing)]).notices
    };
    assert_eq!(of("<a:p><a:r><a:t>needle</a:t></a:r></a:p>"), [(Notice::LeftOut, "text boxes".to_owned())]);
    assert_eq!(of("<a:p/>"), []);
}
