//! Web pages: tables, numbers of items, and text in attributes.

use rread_documents::format::DocumentFormat;

use super::fixtures::text;

fn shown(body: &str) -> String {
    let page = format!("<!DOCTYPE html><html><body>{body}</body></html>");
    text(DocumentFormat::Html, page.into_bytes())
}

#[test]
fn tables_have_their_captions_and_last_rows() {
    let (caption, head) = ("<caption>Prices <b>2024</b></caption>", "<thead><tr><th>A<th>B</thead>");
    let (body, foot) = ("<tbody><tr><td>1<td>2</tbody>", "<tfoot><tr><td>T<td>9</tfoot>");
    let table = |parts: &[&str]| shown(&format!("<table>{}</table>", parts.concat()));
    let whole = table(&[caption, head, body, foot]);
    let words: Vec<&str> = whole.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(words, ["Prices 2024", "A B", "1 2", "T 9"], "{whole}");
    // Browsers show the parts in this order, whatever theirs is in the page.
    for parts in [
        [foot, body, head, caption],
        [caption, head, foot, body],
        [head, foot, body, caption],
        [head, "<tr><td>1<td>2", foot, caption],
    ] {
        assert_eq!(table(&parts), whole, "{parts:?}");
    }
    for (parts, expected) in [
        (&[foot][..], "T 9"),
        (&[caption], "Prices 2024"),
        (&[body, foot, "<tfoot><tr><td>U<td>8</tfoot>"], "1 2\nU 8\nT 9"),
        (&[body, head, "<thead><tr><th>C<th>D</thead>"], "A B\n1 2\nC D"),
    ] {
        assert_eq!(table(parts), format!("{expected}\n"), "{parts:?}");
    }
    let inner = shown(&format!("<table><tr><td><table>{caption}{foot}</table></table>"));
    assert!(inner.contains("Prices 2024\n") && inner.contains("T 9"), "{inner}");
    // Books and other pages of XML.
    let page = format!(
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><table>{}</table></body></html>",
        "<caption>C</caption><tfoot><tr><td>T</td></tr></tfoot><tr><td>1</td></tr>"
    );
    let page = text(DocumentFormat::Html, page.into_bytes());
    assert_eq!(page.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(), ["C", "1", "T"]);
}

#[test]
fn struck_text_can_be_searched() {
    for element in ["s", "del", "strike"] {
        let page = shown(&format!("was <{element}>old price</{element}> now"));
        assert_eq!(page, "was old price now\n", "{element}");
    }
}

#[test]
fn items_have_the_numbers_that_browsers_show() {
    for (list, expected) in [
        ("<ol start=3><li>a<li value=10>b<li>c</ol>", "3. a\n10. b\n11. c"),
        ("<ol reversed><li>x<li>y</ol>", "2. x\n1. y"),
        ("<ol reversed start=5><li>x<li value=1>y<li>z</ol>", "5. x\n1. y\n0. z"),
        ("<ol start=-1><li>a<li>b<li>c</ol>", "-1. a\n0.  b\n1.  c"),
        ("<ol start=' 7th'><li>a</ol>", "7. a"),
        ("<ol start=x><li value=y>a<li value=+2>b</ol>", "1. a\n2. b"),
        ("<ol start=9223372036854775807><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol type=a><li>x<li>y</ol>", "a. x\nb. y"),
        ("<ol type=A start=27><li>x<li value=0>y</ol>", "AA. x\n0. y"),
        ("<ol type=i start=3><li>x<li>y<li value=-1>z</ol>", "iii. x\niv.  y\n-1. z"),
        ("<ol type=I reversed><li>x<li>y</ol>", "II. x\nI. y"),
        ("<ol type=1><li>x<ol type=a><li>y<li>z</ol><li>w</ol>", "1. x\n   a. y\n   b. z\n2. w"),
        ("<ol type=x><li>x</ol>", "1. x"),
        // In other lists, items have no numbers.
        ("<ul><li value=3>a</ul>", "- a"),
    ] {
        assert_eq!(shown(list), format!("{expected}\n"), "{list}");
    }
}

#[test]
fn text_in_attributes_is_text() {
    for (body, expected) in [
        ("a <img data-src=x.png alt='A red\n bridge'> b", "a [A red bridge] b"),
        ("<img src='' alt=x><img src=x.png alt=y><img alt=' '>", "[x][y]"),
        (
            "<select><optgroup label='North &lt;'><option>a<option label=L>b<option label=c></optgroup></select>",
            "North <\na\nb\nc",
        ),
        ("Name:<input type=text value='Ann &amp; Bob'>(required)", "Name: Ann & Bob (required)"),
        ("<input value=x>", "x"),
        ("<input type=submit value=Send><input type=button value=Stop>", "Send Stop"),
        ("<input type=image alt=Go value=x>", "[Go]"),
        (
            "a<input type=hidden value=x><input type=password value=x><input><input type=text value=' '>b",
            "ab",
        ),
    ] {
        assert_eq!(shown(body), format!("{expected}\n"), "{body}");
    }
}

#[test]
fn no_cell_is_lost_whatever_spans_what() {
    for (rows, expected) in [
        ("<tr><td>h1<td>h2<tr><td rowspan=2>Group A<tr><td>1", &["h1 h2", "Group A", "1"][..]),
        ("<tr><td rowspan=3>a<td rowspan=2>b<tr><td>c", &["a b", "c"]),
        ("<tr><td rowspan=2>a<tr><td rowspan=2>b<tr><td>c", &["a", "b", "c"]),
        ("<tr><td rowspan=0>a<tr><td>b", &["a", "b"]),
        ("<tr><td rowspan=9 colspan=2>a", &["a"]),
        // A cell beside others that end goes on beside the next row.
        ("<tr><td rowspan=2>a<td>b<tr><td>c", &["a b", "c"]),
    ] {
        let found = shown(&format!("<table>{rows}</table>"));
        let words: Vec<String> =
            found.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
        assert_eq!(words, expected, "{rows}");
    }
}

#[test]
fn drawings_have_their_texts() {
    for (body, expected) in [
        (
            "<svg><text x=2>Revenue <tspan>41 %</tspan></text><g><text>Costs</text></g></svg>",
            "Revenue 41 %\nCosts",
        ),
        ("<svg><text><tspan x=1>two</tspan><tspan dy=9>words</tspan></text></svg>", "two words"),
        ("<svg><defs><text>no</text></defs><title>no</title><style>text {}</style></svg>after", "after"),
        ("a <svg width=9><path d='M 0'/></svg> b", "a b"),
    ] {
        assert_eq!(shown(body), format!("{expected}\n"), "{body}");
    }
}

#[test]
fn a_soft_hyphen_is_not_a_part_of_a_word() {
    assert_eq!(shown("<p>Donau&shy;dampf\u{AD}schiff"), "Donaudampfschiff\n");
}

#[test]
fn a_large_table_is_lines() {
    let rows: String = (0..6000).map(|row| format!("<tr><td>a{row}<td>b &amp; <b>c</b></tr>")).collect();
    let last = "<tr><td>one<br>two<p>three</p><div>four</div>five<ul><li>six<li>se<b>ven</b></ul>";
    let found = shown(&format!("before<table><thead><tr><th>x<th>y</thead>{rows}{last}</table>after"));
    let lines: Vec<&str> = found.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!((lines.len(), lines[0], lines[1], lines[2]), (6004, "before", "x  y", "a0  b & c"));
    assert_eq!((lines[6001], lines[6003]), ("a5999  b & c", "after"));
    assert!(lines[6002].starts_with("one two three four"), "{}", lines[6002]);
    assert!(lines[6002].ends_with("six seven"), "{}", lines[6002]);
}
