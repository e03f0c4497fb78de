//! Fonts of PDF files: what their glyphs mean, and how wide they are.

use rread_documents::format::DocumentFormat;
use rread_documents::protocol::Notice;

use super::fixtures::{decoded, pdf, show, stream, text};

const DESCRIPTOR: &str = "<</Type/FontDescriptor/FontName/Foo/Flags 32/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800\
    /Descent -200/CapHeight 700/StemV 80";

/// A font whose program is not embedded, with widths from the blank on.
fn simple(kind: &str, name: &str, widths: impl Fn(u32) -> u32) -> Vec<Vec<u8>> {
    let widths: Vec<String> = (32..127).map(|code| widths(code).to_string()).collect();
    let font = format!(
        "<</Type/Font/Subtype/{kind}/BaseFont/{name}/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 126/Widths[{}]\
         /FontDescriptor 6 0 R>>",
        widths.join(" ")
    );
    vec![font.into_bytes(), format!("{DESCRIPTOR}>>").into_bytes()]
}

#[test]
fn the_widths_of_the_document_count() {
    let line = "illicit filing list, WWW MMM";
    for (kind, name) in [
        ("TrueType", "Foo"),
        ("Type1", "Foo"),
        ("TrueType", "Consolas"),
        ("Type1", "LucidaConsole"),
        ("TrueType", "Arial"),
        ("Type1", "Foo-BoldItalic"),
        ("TrueType", "SomeSerif"),
        ("MMType1", "FooMM"),
    ] {
        for widths in [|_: u32| 600, |_: u32| 250, |_: u32| 1500, |code: u32| 200 + code * 7] {
            // Wide and narrow text, spaced text, and text that is turned.
            for before in ["", "50 Tz", "200 Tz", "3 Tc", "0.7 0.7 -0.7 0.7 40 20 Tm"] {
                let content = format!("BT /F1 9 Tf 20 100 Td {before} ({line}) Tj ET");
                // Letters that are spaced by as much as words are apart cannot be told from words.
                let fonts = simple(kind, name, widths);
                let found = text(DocumentFormat::Pdf, pdf(&fonts, "/MediaBox[0 0 9000 9000]", &content));
                if before == "3 Tc" {
                    assert_eq!(found.replace([' ', '\n'], ""), line.replace(' ', ""), "{kind} {name}");
                } else {
                    assert_eq!(found, format!("{line}\n"), "{kind} {name} {before} {}", widths(105));
                }
            }
        }
    }
}

#[test]
fn the_standard_fonts_have_widths_of_their_own() {
    for name in
        ["Helvetica", "Helvetica-Bold", "Times-Roman", "Times-BoldItalic", "Courier", "Courier-Oblique"]
    {
        let font = format!("<</Type/Font/Subtype/Type1/BaseFont/{name}>>").into_bytes();
        let found = text(DocumentFormat::Pdf, pdf(&[font], "", &show("(illicit filing WAVE list)")));
        assert_eq!(found, "illicit filing WAVE list\n", "{name}");
    }
}

/// A composite font with Identity-H, of a collection, with further objects from number 8 on.
fn composite(ordering: &str, encoding: &str, map: &str, file: &str, more: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut objects = vec![
        format!("<</Type/Font/Subtype/Type0/BaseFont/Foo/Encoding/{encoding}{map}/DescendantFonts[6 0 R]>>").into_bytes(),
        format!(
            "<</Type/Font/Subtype/CIDFontType2/BaseFont/Foo/CIDSystemInfo<</Registry(Adobe)/Ordering({ordering})/Supplement 2>>\
             /DW 1000/FontDescriptor 7 0 R>>"
        )
        .into_bytes(),
        format!("{DESCRIPTOR}{file}>>").into_bytes(),
    ];
    objects.extend_from_slice(more);
    objects
}

fn codes(codes: &[u32]) -> String {
    let hex: String = codes.iter().map(|code| format!("{code:04X}")).collect();
    show(&format!("<{hex}>"))
}

/// A TrueType font whose glyphs are triangles.
fn program() -> Vec<u8> {
    let glyph: Vec<u8> =
        [0, 1, 0, 0, 0, 0, 1, 244, 2, 188, 0, 2, 0, 0, 1, 1, 1, 0, 0, 1, 244, 254, 12, 0, 0, 2, 188, 0, 0, 0]
            .into();
    let glyphs = 1000u16;
    let length = u32::try_from(glyph.len()).unwrap();
    let loca: Vec<u8> =
        (0..=u32::from(glyphs)).flat_map(|at| (u32::from(at > 0) * length).to_be_bytes()).collect();
    let mut head = vec![0; 54];
    (head[1], head[51]) = (1, 1);
    head[12..16].copy_from_slice(&0x5F0F_3CF5_u32.to_be_bytes());
    head[18..20].copy_from_slice(&1000u16.to_be_bytes());
    let mut hhea = vec![0; 36];
    (hhea[1], hhea[35]) = (1, 1);
    let mut maxp = vec![0; 32];
    maxp[1] = 1;
    maxp[4..6].copy_from_slice(&glyphs.to_be_bytes());
    let hmtx: Vec<u8> = [1000u16.to_be_bytes(), [0, 0]].concat();
    let hmtx = [hmtx, vec![0; usize::from(glyphs - 1) * 2]].concat();
    let tables = [
        (b"glyf", glyph),
        (b"head", head),
        (b"hhea", hhea),
        (b"hmtx", hmtx),
        (b"loca", loca),
        (b"maxp", maxp),
    ];
    let mut font = vec![0, 1, 0, 0, 0, 6, 0, 64, 0, 2, 0, 32];
    let mut body = Vec::new();
    for (name, table) in &tables {
        font.extend(*name);
        font.extend([0; 4]);
        font.extend(u32::try_from(12 + 16 * tables.len() + body.len()).unwrap().to_be_bytes());
        font.extend(u32::try_from(table.len()).unwrap().to_be_bytes());
        body.extend(table);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    [font, body].concat()
}

#[test]
fn a_map_may_be_a_name() {
    for name in ["/Identity-H", " /Identity-H", "/Identity-V"] {
        let fonts = composite("Identity", "Identity-H", &format!("/ToUnicode{name}"), "", &[]);
        let content = codes(&"Invoice é".chars().map(u32::from).collect::<Vec<_>>());
        assert_eq!(text(DocumentFormat::Pdf, pdf(&fonts, "", &content)), "Invoice é\n", "{name}");
    }
    // A simple font has an encoding, which says more.
    let mut fonts = simple("TrueType", "Foo", |_| 600);
    let font = String::from_utf8(fonts[0].clone()).unwrap();
    fonts[0] = font.replace("/Encoding", "/ToUnicode/Identity-H/Encoding").into_bytes();
    assert_eq!(text(DocumentFormat::Pdf, pdf(&fonts, "", &show("(a \\223b\\224)"))), "a “b”\n");
}

#[test]
fn a_map_with_errors_is_read_entry_by_entry() {
    for (map, expected) in [
        ("/CMapName /Foo def 2 beginbfchar <0001> <0048> <0002> <0069> endbfchar", "Hi"),
        ("/CMapName /Foo> def 2 beginbfchar <0001> <0048> <0002> <0069> endbfchar", "Hi"),
        ("/Registry (A) def) 2 beginbfchar <0001> <0048> <0002> <0069> endbfchar", "Hi"),
        ("2 beginbfchar <0001> <0048> <0002> <006> endbfchar", "H`"),
        ("9 beginbfchar <0001> <0048> <0002> <> <0003> <0021> endbfchar", "H!"),
        ("1 beginbfrange <0001> <0002> [<0048> <0069>", "Hi"),
        ("1 beginbfrange <0001> <0002> [/H /i] endbfrange", "Hi"),
        ("/Nowhere usecmap beginbfchar <0001> <FEFF0048> <0002> <0069> endbfchar", "Hi"),
    ] {
        let fonts =
            composite("Identity", "Identity-H", "/ToUnicode 8 0 R", "", &[stream("", map.as_bytes())]);
        let found = decoded(DocumentFormat::Pdf, pdf(&fonts, "", &codes(&[1, 2, 3]))).text;
        assert_eq!(found.trim_end_matches(['\u{FFFD}', '\n']), expected, "{map}");
    }
}

#[test]
fn a_map_may_be_compressed_without_saying_so() {
    let map = b"beginbfchar <0001> <0048> <0002> <0069> endbfchar";
    // Stored blocks; the checksum of the last one is wrong.
    let stored = |sum: [u8; 4]| {
        let length = u8::try_from(map.len()).unwrap();
        [&[0x78, 0x01, 1, length, 0, !length, 0xFF][..], map, &sum].concat()
    };
    let (mut low, mut high) = (1u32, 0u32);
    for byte in map {
        low = (low + u32::from(*byte)) % 65521;
        high = (high + low) % 65521;
    }
    let sum = (high << 16 | low).to_be_bytes();
    for (map, expected) in [(stored(sum), "Hi\n"), (stored([0; 4]), "\u{FFFD}\u{FFFD}\n")] {
        let fonts = composite("Identity", "Identity-H", "/ToUnicode 8 0 R", "", &[stream("", &map)]);
        let found = decoded(DocumentFormat::Pdf, pdf(&fonts, "", &codes(&[1, 2]))).text;
        assert_eq!(found, expected, "{map:?}");
    }
}

#[test]
fn a_document_without_a_map_says_so() {
    for (map, more) in [("", vec![]), ("/ToUnicode 8 0 R", vec![stream("", b"begincmap endcmap")])] {
        let fonts = composite("Identity", "Identity-H", map, "", &more);
        let found = decoded(DocumentFormat::Pdf, pdf(&fonts, "", &codes(&[36, 37])));
        assert_eq!(found.text, "\u{FFFD}\u{FFFD}\n");
        assert_eq!(found.notices, [(Notice::UnknownGlyphs, String::new())]);
    }
}

#[test]
fn glyphs_of_a_collection_have_its_characters() {
    let japan = [843, 845, 847, 41, 70, 77, 77, 80];
    for (ordering, encoding, glyphs, expected) in [
        ("Japan1", "Identity-H", &japan[..], "あいうHello"),
        ("GB1", "Identity-H", &[34, 4559][..], "A中"),
        ("CNS1", "Identity-H", &[34, 660], "A不"),
        ("Korea1", "Identity-H", &[34, 1086], "A가"),
        // Codes of the predefined maps, which lead to the glyphs of the collection.
        ("Japan1", "90ms-RKSJ-H", &[0x82A0, 0x82A2], "あい"),
        ("Japan1", "UniJIS-UCS2-H", &[0x3042, 0x3044], "あい"),
        ("GB1", "UniGB-UCS2-H", &[0x4E2D, 0x6587], "中文"),
        ("GB1", "GBK-EUC-H", &[0xD6D0, 0xCEC4], "中文"),
        ("CNS1", "ETen-B5-H", &[0xA4A4], "中"),
        ("Korea1", "KSCms-UHC-H", &[0xB0A1], "가"),
    ] {
        let content = codes(glyphs);
        let files = [
            ("", vec![]),
            ("/FontFile2 8 0 R", vec![stream(&format!("/Length1 {}", program().len()), &program())]),
            ("/FontFile3 8 0 R", vec![stream("/Subtype/OpenType", &program())]),
        ];
        // Each way of embedding is the same for all collections.
        let ways = if encoding == "Identity-H" { 3 } else { 2 };
        for (file, more) in files.into_iter().take(ways) {
            let fonts = composite(ordering, encoding, "", file, &more);
            let found = text(DocumentFormat::Pdf, pdf(&fonts, "", &content));
            assert_eq!(found, format!("{expected}\n"), "{ordering} {encoding} {file}");
        }
    }
}

/// A font of drawings whose names say nothing.
fn drawings() -> Vec<Vec<u8>> {
    let names: String = (0..256).map(|code| format!("/a{code} ")).collect();
    let drawn: String = (0..256).map(|code| format!("/a{code} 6 0 R")).collect();
    let font = format!(
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 0/LastChar 255\
         /Widths[{}]/CharProcs<<{drawn}>>/Encoding<</Differences[0 {names}]>>/Resources<<>>>>",
        "500 ".repeat(256)
    );
    vec![font.into_bytes(), stream("", b"500 0 d0 0 0 400 400 re f")]
}

#[test]
fn glyphs_without_names_have_the_likely_characters() {
    for (string, expected) in [
        (r"V\341clav na\357ve", "Václav naïve"),
        (r"\014nd di\013erent e\016cient", "find different efficient"),
        (r"\034nd di\033erent c\367ur Stra\377e", "find different cœur Straße"),
        // Letters of another script.
        (r"\317\360\350\342\345\362", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        // Fonts that number their glyphs from one have no ligatures there.
        (r"\001\002\013\003\014\004", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ] {
        let content = show(&format!("({string})"));
        let found = decoded(DocumentFormat::Pdf, pdf(&drawings(), "", &content)).text;
        assert_eq!(found, format!("{expected}\n"), "{string}");
    }
}

/// A TrueType font of five glyphs, which its own map makes the characters `first` and those after it, or its names.
fn font_file(first: u32, names: &[&str]) -> Vec<u8> {
    let numbers = |length: usize, values: &[(usize, u16)]| {
        let mut table = vec![0; length];
        values.iter().for_each(|(at, value)| table[*at..at + 2].copy_from_slice(&value.to_be_bytes()));
        table
    };
    let mut map = numbers(28, &[(2, 1), (4, 3), (6, 10), (10, 12), (12, 12), (18, 28), (26, 1)]);
    [first, first + 4, 1].iter().for_each(|value| map.extend(value.to_be_bytes()));
    let mut post = numbers(34, &[(0, 2), (32, 6)]);
    (0..6_u16).for_each(|glyph| post.extend(if glyph == 0 { 0 } else { 257 + glyph }.to_be_bytes()));
    names
        .iter()
        .for_each(|name| post.extend([&[u8::try_from(name.len()).unwrap()], name.as_bytes()].concat()));
    let mut tables = vec![
        (*b"glyf", vec![0; 4]),
        (*b"head", numbers(54, &[(0, 1), (12, 0x5F0F), (14, 0x3CF5), (18, 1000), (50, 1)])),
        (*b"hhea", numbers(36, &[(0, 1), (34, 1)])),
        (*b"hmtx", vec![2, 0x58, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        (*b"loca", vec![0; 28]),
        (*b"maxp", numbers(6, &[(0, 0), (2, 0x5000), (4, 6)])),
    ];
    if names.is_empty() {
        tables.insert(0, (*b"cmap", map))
    } else {
        tables.push((*b"post", post))
    }
    let count = u8::try_from(tables.len()).unwrap();
    let (mut file, mut rest) = (vec![0, 1, 0, 0, 0, count, 0, 64, 0, 2, 0, 0], Vec::new());
    for (name, table) in &tables {
        let start = 12 + 16 * tables.len() + rest.len();
        file.extend(name);
        file.extend([0; 4]);
        [start, table.len()]
            .iter()
            .for_each(|value| file.extend(u32::try_from(*value).unwrap().to_be_bytes()));
        rest.extend(table);
        rest.resize(rest.len().next_multiple_of(4), 0);
    }
    [file, rest].concat()
}

#[test]
fn an_embedded_font_has_characters_of_its_own() {
    let names = ["uni0437", "A", "u0431", "unknown", "uni0065"];
    for (font, expected) in [
        (font_file(0x437, &[]), "зийкл\n"),
        (font_file(0x61, &[]), "abcde\n"),
        // A glyph that draws nothing and has no meaning is a blank. Codes for private use have none.
        (font_file(0, &names), "зAб e\n"),
        (font_file(0xF041, &[]), ""),
    ] {
        let objects = [
            b"<</Type/Font/Subtype/Type0/BaseFont/Foo/Encoding/Identity-H/DescendantFonts[6 0 R]>>".to_vec(),
            b"<</Type/Font/Subtype/CIDFontType2/BaseFont/Foo/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)\
              /Supplement 0>>/CIDToGIDMap/Identity/DW 600/FontDescriptor 7 0 R>>"
                .to_vec(),
            format!("{DESCRIPTOR}/FontFile2 8 0 R>>").into_bytes(),
            stream(&format!("/Length1 {}", font.len()), &font),
        ];
        let decoded = decoded(DocumentFormat::Pdf, pdf(&objects, "", &show("<00010002000300040005> Tj")));
        assert_eq!((decoded.text.as_str(), &decoded.notices[..]), (expected, &[][..]));
    }
}
