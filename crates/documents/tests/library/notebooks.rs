//! Notebooks: how many pages they have.

use rread_documents::format::DocumentFormat;

use super::fixtures::{decoded, text};

#[test]
fn the_number_of_cells_is_known_before_the_first() {
    let cell = r#"{"cell_type":"raw","source":"x"}"#;
    let list = |count: usize| format!("[{}]", [cell].repeat(count).join(","));
    let older = format!(r#"[{{"cells":{}}},{{"metadata":{{}}}},{{"cells":{}}}]"#, list(2), list(1));
    for (members, pages) in [
        (format!(r#""cells":{},"nbformat":4"#, list(1)), 1),
        (format!(r#""nbformat":4,"cells":{},"metadata":{{}}"#, list(3)), 3),
        (format!(r#""cells":{},"nbformat":4"#, list(0)), 0),
        (format!(r#""worksheets":{older},"nbformat":3"#), 3),
    ] {
        let decoded = decoded(DocumentFormat::Notebook, format!("{{{members}}}").into_bytes());
        assert_eq!(decoded.failure, None, "{members}");
        let ended = u32::try_from(decoded.ended.len()).unwrap();
        assert_eq!((decoded.pages, ended), (Some(pages), pages), "{members}");
    }
}

/// The text beside a picture was left out.
#[test]
fn text_beside_a_picture_is_shown_unless_it_is_a_name() {
    for (data, expected) in [
        (r#""text/plain":"x**2 + 1""#, "x**2 + 1\n"),
        (r#""text/plain":["mean 4.2\n","max 7"],"text/html":"<b>no</b>""#, "mean 4.2\nmax 7\n"),
        (r#""text/plain":"a < b > c\n""#, "a < b > c\n"),
        (r#""text/latex":"$x^2$""#, "$x^2$\n"),
        (r#""text/html":"<b>bold</b>""#, "bold\n"),
        (r#""text/plain":"<Figure size 640x480 with 1 Axes>""#, ""),
        (r#""text/plain":["<PIL.Image.Image size=2x2>\n"],"text/html":"<b>no</b>""#, ""),
        (r#""application/json":{}"#, ""),
    ] {
        let output = format!(r#"{{"output_type":"display_data","data":{{"image/png":"AAAA",{data}}}}}"#);
        let cell = format!(r#"{{"cell_type":"code","source":"x","outputs":[{output}]}}"#);
        let found =
            text(DocumentFormat::Notebook, format!(r#"{{"cells":[{cell}],"nbformat":4}}"#).into_bytes());
        assert_eq!(found, format!("[1] code\nx\n[1] display\n{expected}[image/png, 3 bytes]\n"), "{data}");
    }
}
