//! Notebooks: how many pages they have.

use rread_documents::format::DocumentFormat;

use super::fixtures::decoded;

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
