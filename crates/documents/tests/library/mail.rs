//! Mail: which files are mail, and the text of messages however it is encoded.

use data_encoding::BASE64;
use rread_documents::decode::{FirstBytes, Verdict};
use rread_documents::format::DocumentFormat;
use rread_documents::protocol::Notice;

use super::fixtures::{decoded, text};

const HEAD: &str = "From: =?utf-8?q?J=C3=BCrgen?= <a@example.org>\r\nTo: b@example.org\r\nSubject: Budget\r\nMIME-Version: 1.0\r\n";
const SHOWN: &str = "From: Jürgen <a@example.org>\nTo: b@example.org\nSubject: Budget\n\n";

fn mail(rest: &str) -> String {
    text(DocumentFormat::Mail, format!("{HEAD}{}", rest.replace('\n', "\r\n")).into_bytes())
}

#[test]
fn text_is_decoded_in_whatever_way_it_is_encoded() {
    let plain = "Content-Type: text/plain; charset=";
    for (body, expected) in [
        (format!("{plain}utf-8\nContent-Transfer-Encoding: base64\n\n{}\n", BASE64.encode("The Büro.\n".as_bytes())), "The Büro.\n"),
        (format!("{plain}utf-8\nContent-Transfer-Encoding: quoted-printable\n\nThe B=C3=BCro, nee=\ndle.\n"), "The Büro, needle.\n"),
        (format!("{plain}iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nB=FCro\n"), "Büro\n"),
        (format!("{plain}koi8-r\nContent-Transfer-Encoding: base64\n\n+sHLwdo=\n"), "Заказ\n"),
        (format!("{plain}utf-8\nContent-Transfer-Encoding: 8bit\n\nBüro\n\nend\n"), "Büro\n\nend\n"),
        ("Content-Type: text/html; charset=utf-8\n\n<h1>Title</h1><p>one &amp; two\n".to_owned(), "# Title\n\none & two\n"),
        (
            "Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\nplain\n--x\nContent-Type: text/html\n\n\
             <p>rich\n--x--\n"
                .to_owned(),
            "plain\n",
        ),
    ] {
        assert_eq!(mail(&body), format!("{SHOWN}{expected}"), "{body}");
    }
}

#[test]
fn attachments_have_names_and_messages_in_messages_text() {
    let data = BASE64.encode(&[0; 1500]);
    let found = mail(&format!(
        "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nSee the file.\n--x\nContent-Type: application/pdf\n\
         Content-Disposition: attachment; filename*=utf-8''b%C3%BCro.pdf\nContent-Transfer-Encoding: base64\n\n{data}\n--x\n\
         Content-Type: text/csv; name=a.csv\nContent-Disposition: attachment\n\n1,2\n--x\nContent-Type: message/rfc822\n\n\
         From: c@example.org\nSubject: inner\n\nneedle\n--x--\n"
    ));
    let expected = "See the file.\n\n[büro.pdf, application/pdf, 2 kB]\n\n[a.csv, text/csv, 3 bytes]\n1,2\n\n[message/rfc822, ";
    assert!(found.starts_with(&format!("{SHOWN}{expected}")), "{found}");
    assert!(found.ends_with("]\nFrom: c@example.org\nSubject: inner\n\nneedle\n"), "{found}");
}

#[test]
fn each_message_of_a_mailbox_is_a_page() {
    let one = |number: u32| {
        format!(
            "From a@b Mon Jan  5 10:00:0{number} 2026\nFrom: a@b\nSubject: s{number}\n\nFrom here on\n\nFrom a b c: d e f\nt{number}\n\n"
        )
    };
    let decoded = decoded(DocumentFormat::Mailbox, [one(1), one(2)].concat().into_bytes());
    let expected = |number: u32| {
        format!("From: a@b\nSubject: s{number}\n\nFrom here on\n\nFrom a b c: d e f\nt{number}\n\n")
    };
    assert_eq!((decoded.pages, decoded.ended), (Some(2), vec![expected(1), expected(2)]));
}

#[test]
fn only_files_that_evidently_are_mail_are() {
    let whole = format!("{HEAD}Content-Type: text/plain\r\n\r\ntext\r\n");
    let judged = |format: DocumentFormat, text: &str, is_named: bool| {
        let head =
            FirstBytes { bytes: text.as_bytes(), is_named, is_other: false, is_sized: true, is_last: true };
        format.recognise(&head) == Verdict::Is
    };
    let mail = DocumentFormat::Mail;
    let line = "From a@b Mon Jan  5 10:00:00 2026\n";
    let patch = format!("From {} Mon Sep 17 00:00:00 2001\n{whole}", "1a".repeat(20));
    for (format, text, is_named, expected) in [
        (mail, whole.as_str(), false, true),
        (mail, "From: a\nSubject: b\n\ntext\n", true, true),
        (mail, &format!("{line}From: a\nSubject: b\n\ntext\n"), true, true),
        // Without the name, more has to show it.
        (mail, "From: a\nSubject: b\n\ntext\n", false, false),
        (mail, "From: the log\nTo: you\nINFO started\n", true, false),
        (mail, "2026-01-05 From: a@b To: c@d\n", false, false),
        (mail, "INFO: From: x\nMIME-Version: 1.0\nFrom: a\nContent-Type: t\n\n", false, false),
        (mail, "", true, false),
        (DocumentFormat::Mailbox, &format!("{line}{whole}"), false, true),
        (DocumentFormat::Mailbox, &format!("{line}From: a\nSubject: b\n\n"), true, true),
        (DocumentFormat::Mailbox, &format!("{line}no header\n"), true, false),
        (DocumentFormat::Mailbox, "From here on: 10:00 this is a text of many words\n", false, false),
        (DocumentFormat::Mailbox, &patch, false, false),
        (DocumentFormat::Mailbox, &whole, true, false),
    ] {
        assert_eq!(judged(format, text, is_named), expected, "{text}");
    }
    // A stream is waited for only while its first line may be a header of mail.
    let open = |text: &str| {
        let head = FirstBytes {
            bytes: text.as_bytes(),
            is_named: false,
            is_other: false,
            is_sized: false,
            is_last: false,
        };
        mail.recognise(&head)
    };
    assert_eq!((open("Receiv"), open("Received: x\nFrom: a\n")), (Verdict::Open, Verdict::Open));
    assert_eq!((open("INFO: a"), open("Recently")), (Verdict::Not, Verdict::Not));
}

#[test]
fn letters_in_an_unknown_encoding_are_said() {
    let message =
        b"From: a@b\nSubject: caf\xe9\nMIME-Version: 1.0\nContent-Type: text/plain\n\nna\xefve\n".to_vec();
    let decoded = decoded(DocumentFormat::Mail, message);
    let said = (Notice::LeftOut, "letters in an encoding that the message does not name".to_owned());
    assert_eq!(decoded.notices, [said.clone(), said]);
}

#[test]
fn bytes_that_contradict_their_label_count_for_more() {
    for (kind, body, expected, is_contradicted) in [
        ("text/plain; charset=us-ascii", "Grüße\n", "Grüße\n", true),
        ("text/plain; charset=iso-8859-1", "Grüße\n", "Grüße\n", true),
        ("text/html; charset=us-ascii", "<p>Grüße</p>\n", "Grüße\n", true),
        ("text/plain; charset=utf-8", "Grüße\n", "Grüße\n", false),
        (
            "text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable",
            "Gr=FC=DFe\n",
            "Grüße\n",
            false,
        ),
        (
            "text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable",
            "Gr=C3=BC=C3=9Fe\n",
            "Grüße\n",
            true,
        ),
        (
            "text/html\nContent-Transfer-Encoding: quoted-printable",
            "<meta charset=3Diso-8859-1><p>Gr=FC=DFe\n",
            "Grüße\n",
            false,
        ),
        (
            "text/html\nContent-Transfer-Encoding: base64",
            "PG1ldGEgY2hhcnNldD13aW5kb3dzLTEyNTE+PHA+z/Do4uXy\n",
            "Привет\n",
            false,
        ),
        ("text/plain; charset=utf-7", "Gr+APwA3w-e\n", "Grüße\n", false),
    ] {
        let message = format!("{HEAD}Content-Type: {kind}\n\n{body}").replace('\n', "\r\n");
        let decoded = decoded(DocumentFormat::Mail, message.into_bytes());
        assert_eq!(decoded.text, format!("{SHOWN}{expected}"), "{kind}");
        let is_said = decoded.notices.iter().any(|(notice, _)| *notice == Notice::Contradicted);
        assert_eq!(
            (is_said, decoded.notices.len()),
            (is_contradicted, usize::from(is_contradicted)),
            "{kind}"
        );
    }
}

#[test]
fn the_page_stands_for_a_plain_part_without_text() {
    for (plain, expected) in [(" \n\n", "rich\n"), ("\n", "rich\n"), ("plain\n", "plain\n")] {
        let found = mail(&format!(
            "Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\n{plain}\n--x\n\
             Content-Type: text/html\n\n<p>rich</p>\n--x--\n"
        ));
        assert_eq!(found, format!("{SHOWN}{expected}"), "{plain:?}");
    }
}

/// Part and its footer: mailing lists add plain text after Base64.
#[test]
fn plain_text_after_base64_is_text_too() {
    let data = BASE64.encode("The Büro.\nneedle\n".repeat(9).as_bytes());
    let lines: Vec<&str> = data.as_bytes().chunks(76).map(|line| str::from_utf8(line).unwrap()).collect();
    let body = |between: &str| format!("{}\n{between}_______\nA list\nlist@example.org\n", lines.join("\n"));
    let text = "The Büro.\nneedle\n".repeat(9);
    let head = "charset=utf-8\nContent-Transfer-Encoding: base64\n\n";
    for between in ["", "\n", "-- \n"] {
        let footer = format!("\n{between}_______\nA list\nlist@example.org\n");
        let alone = mail(&format!("Content-Type: text/plain; {head}{}", body(between)));
        assert_eq!(alone, format!("{SHOWN}{text}{footer}"));
        let part = mail(&format!(
            "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain; {head}{}\n--x\n\nlast\n--x--\n",
            body(between)
        ));
        assert_eq!(part, format!("{SHOWN}{text}{footer}\nlast\n"));
    }
    let page = mail(&format!(
        "Content-Type: text/html; {head}{}\n-- \nend\n",
        BASE64.encode(b"<p>one &amp; two</p>\n")
    ));
    assert_eq!(page, format!("{SHOWN}one & two\n\n-- end\n"));
    // Words of a footer may be letters of Base64.
    for data in ["QSBsb25nZXIgbGluZS4K\nbW9yZQ==", "QSBsb25nZXIgbGluZS4K\nbW9yZS4K"] {
        let text = BASE64.decode(data.replace('\n', "").as_bytes()).unwrap();
        let text = String::from_utf8(text).unwrap();
        let shown = mail(&format!("Content-Type: text/plain; {head}{data}\nBest\nA list: end\n"));
        assert_eq!(shown, format!("{SHOWN}{text}\nBest\nA list: end\n"));
    }
    // Text that only says that it is Base64.
    let plain = "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nThis is plain: yes.\n";
    assert_eq!(mail(plain), format!("{SHOWN}This is plain: yes.\n"));
}

#[test]
fn a_part_without_its_end_ends_where_the_one_around_it_does() {
    let open = |kind: &str, rest: &str| {
        let text = format!(
            "{HEAD}Content-Type: multipart/mixed; boundary=out\n\n--out\n{kind}Content-Type: multipart/mixed; boundary=in\n\n\
             --in\nContent-Transfer-Encoding: base64\n\n{}\n{rest}",
            BASE64.encode(b"inside")
        );
        let decoded = decoded(DocumentFormat::Mail, text.into_bytes());
        assert_eq!(decoded.damage.as_deref(), Some("the end of a part is missing"));
        assert_eq!(decoded.notices, []);
        decoded.text
    };
    let of_message = "Content-Type: message/rfc822\n\nFrom: c@d\n";
    for rest in ["--out--\n", "--out\n\nlast\n--out--\n", "--out\n\nlast\n", "--in--\n--out\n\nlast\n", ""] {
        let last = if rest.contains("last") { "\nlast\n" } else { "" };
        assert_eq!(open("", rest), format!("{SHOWN}inside\n{last}"), "{rest}");
        let found = open(of_message, rest);
        assert!(
            found.starts_with(&format!(
                "{}{last}\n[message/rfc822, ",
                SHOWN.trim_end_matches('\n').to_owned() + "\n"
            )),
            "{found}"
        );
        assert!(found.ends_with("]\nFrom: c@d\n\ninside\n") && !found.contains("--"), "{found}");
    }
    // Two that are open, of which only one is known at first.
    let second =
        "--out\nContent-Type: multipart/mixed; boundary=two\n\n--two\n\nsecond\n--out\n\nlast\n--out--\n";
    assert_eq!(open("", second), format!("{SHOWN}inside\n\nsecond\n\nlast\n"));
    // A message may have the boundaries of the one in it.
    let same = "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: message/rfc822\n\nFrom: c@d\n\
        Content-Type: multipart/mixed; boundary=x\n\n--x\n\ninside\n--x--\n--x--\n";
    assert!(mail(same).ends_with("From: c@d\n\ninside\n"), "{}", mail(same));
}

#[test]
fn parts_without_their_boundary_are_found_or_text() {
    for (name, body, expected, is_guessed) in [
        ("", "--x\n\none\n--x\nContent-Type: text/html\n\n<p>two\n--x--\n", "one\n\ntwo\n", true),
        ("; boundary=\"\"", "Parts follow.\n--x\nContent-Type: text/plain\n\none\n--x--\n", "one\n", true),
        ("; boundary=other", "\n--x\n\none\n--x--\n", "one\n", true),
        ("", "only text\nhere\n", "[multipart/mixed, 15 bytes]\nonly text\nhere\n", false),
        ("", "-- \nonly text\n", "[multipart/mixed, 14 bytes]\n-- \nonly text\n", false),
        (
            "",
            "--x is text\nhere it ends\n",
            "[multipart/mixed, 25 bytes]\n--x is text\nhere it ends\n",
            false,
        ),
    ] {
        let message = format!("{HEAD}Content-Type: multipart/mixed{name}\n\n{body}");
        let decoded = decoded(DocumentFormat::Mail, message.into_bytes());
        assert_eq!(decoded.text, format!("{SHOWN}{expected}"), "{body}");
        let damage = is_guessed.then(|| "the boundary of its parts is missing".to_owned());
        assert_eq!((decoded.damage, decoded.failure), (damage, None), "{body}");
    }
}

#[test]
fn reports_of_delivery_are_text() {
    let part = |kind: &str, body: &str| format!("--x\nContent-Type: {kind}\n\n{body}\n");
    let parts = [
        part("text/plain", "failed"),
        part("message/delivery-status", "Reporting-MTA: dns; a\n\nAction: failed"),
        part("text/rfc822-headers", "Subject: first"),
        part("message/partial; id=1", "From: a@b\n\nCafé"),
        part("application/json; name=a.json", "{}"),
    ];
    let found = mail(&format!("Content-Type: multipart/report; boundary=x\n\n{}--x--\n", parts.concat()));
    let expected = "failed\n\n[message/delivery-status, 39 bytes]\nReporting-MTA: dns; a\n\nAction: failed\n\n\
        [text/rfc822-headers, 14 bytes]\nSubject: first\n\n[message/partial, 18 bytes]\nFrom: a@b\n\nCafé\n\n\
        [a.json, application/json, 2 bytes]\n";
    assert_eq!(found, format!("{SHOWN}{expected}"));
}

#[test]
fn headers_have_whole_characters_and_whole_groups() {
    let bytes = "Grüße".as_bytes();
    let [start, end] = [&bytes[..3], &bytes[3..]].map(|part| BASE64.encode(part));
    let padded = [&bytes[..5], &bytes[5..]].map(|part| BASE64.encode(part));
    for (header, expected) in [
        (
            format!("Subject: =?utf-8?b?{start}?=\n =?UTF-8?B?{end}?= =?utf-8?q?_an?= alle"),
            "Subject: Grüße an alle",
        ),
        (format!("Subject: =?utf-8?b?{}?= =?utf-8?b?{}?=", padded[0], padded[1]), "Subject: Grüße"),
        ("Subject: =?utf-8?q?Gr=C3?=\n =?utf-8?q?=BC=C3?= =?utf-8?q?=9Fe?=".to_owned(), "Subject: Grüße"),
        ("Subject: =?shift_jis?q?=83?= =?shift_jis?q?=8D?=".to_owned(), "Subject: ロ"),
        ("Subject: =?utf-8?q?a?= =?iso-8859-1?q?=FC?= b =?utf-8?q?c?=".to_owned(), "Subject: aü b c"),
        (
            "Subject: =?utf-8?q?a =?b =?utf-8?= =? =?utf-8?q?".to_owned(),
            "Subject: =?utf-8?q?a =?b =?utf-8?= =? =?utf-8?q?",
        ),
        ("To: =?utf-8?q?J=C3?= =?utf-8?q?=BCrgen?= <a@b>".to_owned(), "To: Jürgen <a@b>"),
        (
            "To: Friends: a@b, \"C D\" <c@d>; , e@f, None:;".to_owned(),
            "To: Friends: a@b, C D <c@d>;, e@f, None:;",
        ),
    ] {
        let message = format!("From: a@b\n{header}\n\nbody\n");
        assert_eq!(
            text(DocumentFormat::Mail, message.into_bytes()),
            format!("From: a@b\n{expected}\n\nbody\n")
        );
    }
}
