//! Web pages: their text, and when they are decoded.

use super::Lab;

pub const PAGE: &str = "<!DOCTYPE html>\n<html><head><title>T</title><style>p{}</style><script>var a = 1;</script></head>\
    <body><h1>Head</h1><p>A <a href=\"http://example.com\">link</a> and <b>bold</b> &amp; more</p>\
    <ul><li>one</li><li>two</li></ul><table><tr><td>a</td><td>b</td></tr><tr><td>long cell</td><td>2</td></tr></table>\
    <pre>x\n  y</pre></body></html>\n";

const TEXT: &str = "# Head\n\nA link and bold & more\n- one\n- two\n\na         b\nlong cell 2\n\nx\n  y\n";

#[test]
fn a_page_is_its_text_without_layout() {
    let lab = Lab::with("f.html", PAGE.as_bytes());
    assert_eq!(lab.text("lines f.html"), TEXT);
    assert_eq!(lab.text("search bold f.html"), "3:A link and bold & more\n");
    assert_eq!(lab.json("lines f.html")["metadata"]["decoded"], "html");
    assert_eq!(lab.run("lines f.html --no-decompress --raw").stdout, PAGE);
    assert_eq!(lab.text("page f.html 1"), TEXT);
    // A line is as long as its paragraph.
    let words = "word ".repeat(2000);
    lab.write("long.html", format!("<html><p>{words}</p><p>end</p>").as_bytes());
    assert_eq!(lab.text("lines long.html --max-bytes 1M"), format!("{}\n\nend\n", words.trim_end()));
    // A long cell does not set the others apart.
    let words = words.trim_end();
    let table = format!("<html><table><tr><td>a<td>b<tr><td>{words}<td>c</table>");
    lab.write("table.html", table.as_bytes());
    assert_eq!(lab.text("lines table.html --max-bytes 1M"), format!("a  b\n{words} c\n"));
}

#[test]
fn parts_of_pages_and_other_names_stay_plain() {
    let lab = Lab::with("f.txt", PAGE.as_bytes());
    assert_eq!(lab.run("lines f.txt --raw").stdout, PAGE);
    lab.write("part.html", b"<div>\n{{ words }}\n</div>\n");
    assert_eq!(lab.run("lines part.html --raw").stdout, "<div>\n{{ words }}\n</div>\n");
}

#[test]
fn the_page_says_its_encoding() {
    let lab = Lab::new();
    let page = |meta: &str, word: &[u8]| [b"<html><head>", meta.as_bytes(), b"</head><p>", word].concat();
    lab.write("a.html", &page("<meta charset=\"windows-1251\">", b"\xCF\xF0\xE8"));
    lab.write(
        "b.html",
        &page("<meta http-equiv=Content-Type content='text/html; charset=shift_jis'>", b"\x93\xFA"),
    );
    lab.write("c.html", &page("", "naïve".as_bytes()));
    lab.write("d.html", &page("", b"na\xEFve"));
    let utf16: Vec<u8> = "\u{FEFF}<html><p>naïve".encode_utf16().flat_map(u16::to_le_bytes).collect();
    lab.write("e.html", &utf16);
    let texts = ["a", "b", "c", "d", "e"].map(|name| lab.text(&format!("lines {name}.html")));
    assert_eq!(texts, ["При\n", "日\n", "naïve\n", "naïve\n", "naïve\n"]);
}

#[test]
fn a_page_without_a_true_label_is_guessed_and_an_option_replaces_its_charset() {
    const RUSSIAN: &str =
        "Это пример старой веб-страницы на русском языке. Новости, статьи и другие разделы сайта.";
    const JAPANESE: &str = "日本語のテキストです。";
    let lab = Lab::new();
    for (label, text) in
        [("windows-1251", RUSSIAN), ("koi8-r", RUSSIAN), ("iso-2022-jp", JAPANESE), ("utf-8", RUSSIAN)]
    {
        let of = |meta: &str| {
            let page = format!(
                "<!DOCTYPE html><html><head>{meta}<title>x</title></head><body><p>{text}</p></body></html>\n"
            );
            encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(&page).0.into_owned()
        };
        let wrong = if label == "utf-8" { "<meta charset=windows-1251>" } else { "<meta charset=utf-8>" };
        lab.write("none.html", &of(""));
        assert_eq!(lab.text("lines none.html"), format!("{text}\n"), "{label}");
        assert_eq!(lab.text(&format!("lines none.html -E {label}")), format!("{text}\n"), "{label}");
        lab.write("comment.html", &of(&format!("<!-- <meta charset=gbk> --><meta charset={label}>")));
        assert_eq!(lab.text("lines comment.html"), format!("{text}\n"), "{label}");
        if label != "iso-2022-jp" {
            lab.write("wrong.html", &of(wrong));
            let answer = lab.json("lines wrong.html");
            assert_eq!(answer["content"], format!("{text}\n"), "{label}");
            assert_eq!(answer["metadata"]["notices"], serde_json::json!(["guess_contradicted"]), "{answer}");
        }
    }
}
