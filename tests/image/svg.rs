//! SVG: recognised by its root element, after any prolog, and measured in CSS pixels.

use rread_testkit::sandbox::Sandbox;

use super::pictures::facts;

fn size(text: &str) -> Option<(Option<u64>, Option<u64>)> {
    facts(text.as_bytes()).unwrap().map(|picture| {
        assert_eq!((picture.format.name(), picture.mode), ("SVG", None));
        (picture.width, picture.height)
    })
}

#[test]
fn sizes_come_from_lengths_and_the_view_box() {
    for (attributes, expected) in [
        ("width='10' height=\"20\"", (Some(10), Some(20))),
        ("width='1in' height='72pt'", (Some(96), Some(96))),
        ("width='10.6' height='0.2'", (Some(11), Some(1))),
        ("viewBox='0 0 30 40'", (Some(30), Some(40))),
        ("viewBox='-5,-5,30,40' width='100%' height='100%'", (Some(30), Some(40))),
        ("viewBox='0 0 30 40' width='60'", (Some(60), Some(80))),
        ("viewBox='0 0 30 40' height='20'", (Some(15), Some(20))),
        ("viewBox='0 0 0 40' width='5em'", (None, None)),
        ("width='100%'", (None, None)),
        ("", (None, None)),
        ("a='>' width = '7'\n\theight='8'", (Some(7), Some(8))),
    ] {
        assert_eq!(size(&format!("<svg {attributes}></svg>")), Some(expected), "{attributes}");
    }
}

#[test]
fn the_root_is_found_after_any_prolog() {
    for before in [
        "",
        "\u{FEFF}",
        " \n",
        "<?xml version='1.0'?>\n<!-- <html> > -->\n<?style a?>",
        "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'a>b'>",
        "<!DOCTYPE svg [<!ENTITY a '>]'> <!-- ]> ' --> <!ENTITY b \"'\">]>",
    ] {
        assert_eq!(
            size(&format!("{before}<svg width='1' height='2'/>")),
            Some((Some(1), Some(2))),
            "{before}"
        );
        assert_eq!(
            size(&format!("{before}<svg:svg width='1' height='2'>")),
            Some((Some(1), Some(2))),
            "{before}"
        );
        assert_eq!(size(&format!("{before}<html><svg width='1' height='2'/>")), None, "{before}");
        assert_eq!(size(&format!("{before}<svgx/>")), None, "{before}");
    }
}

#[test]
fn entities_are_not_expanded() {
    let laughs = |n: u32| format!("<!ENTITY l{n} '{}'>", format!("&l{};", n - 1).repeat(10));
    let entities: String = (1..20).map(laughs).collect();
    let text = format!("<!DOCTYPE svg [<!ENTITY l0 '1'>{entities}]><svg width='&l19;' height='3'/>");
    assert_eq!(size(&text), Some((None, Some(3))));
}

#[test]
fn an_endless_root_is_damage_and_an_endless_prolog_is_not_svg() {
    assert!(facts(b"<svg width='1").unwrap_err().message.plain().contains("ends inside"));
    assert_eq!(size(&format!("<!-- {} -->", "x".repeat(1 << 20))), None);
}

#[test]
fn encodings_and_compression_make_no_difference() {
    let sandbox = Sandbox::new();
    let text = "<?xml version='1.0' encoding='utf-16'?><svg width='5' height='6'><text>漢字</text></svg>\n";
    let wide: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    sandbox.file("wide", &wide);
    sandbox.file("packed.svgz", zstd::encode_all(text.as_bytes(), 1).unwrap());
    for name in ["wide", "packed.svgz"] {
        let answer = sandbox.line(&format!("image {name}")).ok().document();
        assert_eq!(
            (answer.fact("format"), answer.fact("width"), answer.fact("height")),
            ("SVG", "5", "6"),
            "{name}"
        );
        assert!(answer.content.starts_with("data:image/svg+xml;base64,"), "{name}");
    }
    assert!(sandbox.line("image wide --raw").ok().stdout == wide);
    assert!(sandbox.line("image packed.svgz --raw").ok().stdout == text.as_bytes());
}
