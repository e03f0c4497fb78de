//! Rich Text Format: characters in every form, and what is not text.

use rread_documents::format::DocumentFormat;

use super::fixtures::{decoded, text};

#[test]
fn the_text_of_rtf_is_what_a_reader_sees() {
    for (body, expected) in [
        (r"Budget {\b nee}dle M\'fcller\par", "Budget needle Müller\n"),
        (r"one\par two\line three", "one\ntwo\nthree\n"),
        ("wra\r\npped\\par", "wrapped\n"),
        (r"a\tab b\~c\_d\-e \{\}\\ \emdash\endash\lquote x\rquote\par", "a\tb c-de {}\\ —–‘x’\n"),
        // Unicode, with characters in its place for other readers.
        (r"\u1047?\u1072\'e0\uc0\u1082\u-10179\u-8704 z\par", "Зак\u{1F600}z\n"),
        (r"{\uc2\u252\'81\'40}x\par", "üx\n"),
        // Fonts of other encodings, of two bytes too, and of symbols.
        (
            r"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}{\f2\fcharset128 Gothic;}{\f3\fcharset2 Symbol;}}\f1 \'c7\'e0\f2 \'83\'8d\'83O\f3 \'b7\f0 x\par",
            "Заログ•x\n",
        ),
        (
            r"{\colortbl;\red0;}{\stylesheet{\s0 Normal;}}{\info{\title no}}{\*\generator no;}{\header no}{\pict 00ff}a{\v no}{\deleted no}b\par",
            "ab\n",
        ),
        (
            r"{\field{\*\fldinst HYPERLINK x}{\fldrslt link}}{\shp{\*\shpinst{\sp{\sn n}{\sv v}}{\shptxt box\par}}}\par",
            "linkbox\n\n",
        ),
        (r"\trowd\intbl a\par b\cell c\cell\row\pard d\par", "a b\tc\nd\n"),
        (r"word{\footnote note\par more} on\par", "word [note more] on\n"),
        (r"a\bin3 }}}b\par", "ab\n"),
        // Text in two forms, of which one is in Unicode.
        (r"{\upr{a?b}{\*\ud{a\u1047?b}}}c\par", "aЗbc\n"),
        (r"{\upr a?b{\*\ud a{\b\u1047?}b}}c\par", "aЗbc\n"),
        (r"{\upr{\*\bkmkstart a}{\*\ud{\*\bkmkstart b}}}{\info{\upr{c}{\*\ud{d}}}}e\par", "e\n"),
        (r"{\*\other{\upr{a}{\*\ud{b}}}}{\*\other a{\*\cs1 b}}c\par", "c\n"),
        ("", ""),
    ] {
        let file = format!(r"{{\rtf1\ansi {body}}}");
        assert_eq!(text(DocumentFormat::Rtf, file.into_bytes()), expected, "{body}");
    }
    assert_eq!(text(DocumentFormat::Rtf, br"{\rtf1\ansi\ansicpg1251 \'c7\par}".to_vec()), "З\n");
    // What comes after the document is not of it.
    assert_eq!(text(DocumentFormat::Rtf, b"{\\rtf1 a{b}}}\0{c}".to_vec()), "ab\n");
}

#[test]
fn a_document_that_is_cut_off_is_damaged() {
    let whole = br"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0 one {\b two}\par three\bin3 }}}\'e4\par}";
    assert_eq!(text(DocumentFormat::Rtf, whole.to_vec()), "one two\nthreeä\n");
    for end in 6..whole.len() {
        let cut = decoded(DocumentFormat::Rtf, whole[..end].to_vec());
        assert!(cut.failure.is_none() && cut.damage.is_some(), "{end}: {cut:?}");
    }
}

#[test]
fn styles_of_letters_do_not_hide_them() {
    let read = |rest: &str| text(DocumentFormat::Rtf, format!("{{\\rtf1\\ansi {rest}}}").into_bytes());
    assert_eq!(read(r"{\loch\f2\*\cs7\cf0 The fox}\par"), "The fox\n");
    assert_eq!(read(r"{\stylesheet{\*\cs10 \additive Default;}}x\par"), "x\n");
    assert_eq!(read(r"{\*\generator Some 1.0;}x\par"), "x\n");
}

#[test]
fn code_pages_of_dos_are_decoded() {
    for (head, body, expected) in [
        (r"\pc", r"\'81\'e1\'c4", "üß─"),
        (r"\pca", r"\'81\'e1\'d5", "üßı"),
        (r"\ansi\ansicpg437", r"\'81", "ü"),
        (r"\ansi\ansicpg850", r"a\'9b", "aø"),
        (r"\ansi\ansicpg852", r"\'88", "ł"),
        (r"\ansi\ansicpg862", r"\'80", "א"),
        (r"\ansi\ansicpg866", r"\'80", "А"),
        (r"\ansi\ansicpg28592", r"\'b3", "ł"),
        (r"\ansi\ansicpg1200", r"\'e4", "ä"),
        (r"\ansi\ansicpg-1", r"\'e4", "ä"),
        (
            r"\pc{\fonttbl{\f0\fcharset204 A;}{\f1\fcharset254 A;}{\f2\cpg850 A;}}\f0",
            r"\'c7\f1\'9d\f2\'9d",
            "З¥Ø",
        ),
    ] {
        let file = format!(r"{{\rtf1{head} {body}\par}}");
        assert_eq!(text(DocumentFormat::Rtf, file.into_bytes()), format!("{expected}\n"), "{head}");
    }
}

#[test]
fn the_text_of_a_shape_is_there_once() {
    let older = r"{\*\do\dobxpage\dptxbx{\dptxbxtext box\par}\dpx1}";
    for (body, expected) in [
        (
            format!(
                r"{{\shp{{\*\shpinst\shpleft1{{\sp{{\sn n}}{{\sv no}}}}{{\shptxt box\par}}}}{{\shprslt{older}}}}}"
            ),
            "box\n",
        ),
        (format!(r"{{\shp{{\*\shpinst{{\sp{{\sn n}}{{\sv no}}}}}}{{\shprslt{older}}}}}"), "box\n"),
        // The second shape has no text of its own, but the group has.
        (
            format!(
                r"{{\shpgrp{{\*\shpinst{{\shp{{\*\shpinst{{\shptxt box\par}}}}}}{{\shp{{\*\shpinst}}}}}}{{\shprslt{older}}}}}"
            ),
            "box\n",
        ),
        (
            format!(r"{{\shp{{\*\shpinst{{\shptxt one\par}}}}}}{{\shp{{\*\shpinst}}{{\shprslt{older}}}}}"),
            "one\nbox\n",
        ),
        (older.to_owned(), "box\n"),
        (
            format!(
                r"{{\v{older}}}{{\header{older}{{\shp{{\*\shpinst{{\shptxt no}}}}}}}}{{\*\other{older}}}"
            ),
            "",
        ),
    ] {
        let file = format!(r"{{\rtf1\ansi {body}end\par}}");
        assert_eq!(text(DocumentFormat::Rtf, file.into_bytes()), format!("{expected}end\n"), "{body}");
    }
}
