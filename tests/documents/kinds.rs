//! A document as every kind of FILE, and the commands on it.

use std::fs::File;
use std::process::Stdio;

use miniz_oxide::deflate::compress_to_vec;

use super::pdf::Pdf;
use super::{Lab, html, odt, office};

const TEXT: &str = "alpha\nbeta\n";

fn sample() -> Vec<u8> {
    Pdf::of(&["alpha", "beta"])
}

/// A gzip file of `bytes`.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let sum = crc32fast::hash(bytes).to_le_bytes();
    let length = u32::try_from(bytes.len()).unwrap().to_le_bytes();
    [&b"\x1F\x8B\x08\0\0\0\0\0\0\xFF"[..], &compress_to_vec(bytes, 6), &sum, &length].concat()
}

#[test]
fn a_document_is_read_as_a_stream_and_inside_gzip() {
    let lab = Lab::with("f.pdf", &sample());
    lab.write("f.gz", &gzip(&sample()));
    // Any name will do.
    lab.write("f.txt", &sample());
    for file in ["f.pdf", "f.gz", "f.txt"] {
        assert_eq!(lab.text(&format!("lines {file}")), TEXT);
    }
    assert_eq!(lab.json("lines f.gz")["metadata"]["compression"], "gzip");
    let mut piped = lab.command("lines - -f text");
    let mut cat = std::process::Command::new("cat");
    let mut cat = cat.arg(lab.path("f.pdf")).stdout(Stdio::piped()).spawn().unwrap();
    let output = piped.stdin(cat.stdout.take().unwrap()).output().unwrap();
    cat.wait().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), TEXT);
    let mut redirected = lab.command("lines - -f text");
    let output = redirected.stdin(File::open(lab.path("f.pdf")).unwrap()).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), TEXT);
}

#[test]
fn commands_work_on_the_text() {
    let lab = Lab::with("f.pdf", &sample());
    assert_eq!(lab.text("search bet f.pdf"), "2:beta\n");
    assert_eq!(lab.text("bytes f.pdf 0:5"), "alpha");
    assert_eq!(lab.text("lines f.pdf -1"), "beta\n");
    assert_eq!(lab.run("lines f.pdf --raw").stdout, TEXT);
    assert_eq!(lab.json("where f.pdf --line 2")["byte"], 6);
    let hashed = lab.text("lines f.pdf 2 --hash");
    let anchor = hashed.split('|').next().unwrap();
    assert_eq!(lab.run(&format!("verify f.pdf {anchor}")).code, Some(0));
    let cut = lab.json("lines f.pdf --max-bytes 6");
    assert_eq!((&cut["content"], &cut["metadata"]["next"]["range"]), (&"alpha\n".into(), &"2:".into()));
}

#[test]
fn the_stored_bytes_are_those_of_the_file() {
    let lab = Lab::with("f.pdf", &sample());
    let run = lab.command("bytes f.pdf --no-decompress --raw --text").output().unwrap();
    assert_eq!(run.stdout, sample());
    let refused = lab.run("lines f.pdf --no-decompress");
    assert_eq!(refused.code, Some(4));
    assert!(refused.stderr.contains("hint: rread lines f.pdf 1:20"), "{}", refused.stderr);
    let version = |words: &str| lab.json(words)["metadata"]["version"].clone();
    assert_eq!(version("lines f.pdf"), version("bytes f.pdf 0:5 --no-decompress --encode hex"));
}

#[cfg(unix)]
#[test]
fn a_captured_document_is_paged_by_size() {
    let lab = Lab::with("f.pdf", &Pdf::of(&["alpha", "beta"]));
    let kept = lab.run("capture --json --direct 0 --page-size 8 -- cat f.pdf").stdout;
    let kept: serde_json::Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept["content"], "alpha\n");
    let kept = &kept["metadata"];
    assert_eq!((&kept["decoded"], &kept["compression"]), (&"pdf".into(), &serde_json::Value::Null), "{kept}");
    assert_eq!((&kept["total_lines"], &kept["pages"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert_eq!(lab.text("page fd:1 2"), "beta\n");
    assert_eq!(lab.text("lines fd:1"), TEXT);
}

/// Hints named addresses to programs that do not know them, or only that `--no-decompress` reads the bytes.
#[cfg(unix)]
#[test]
fn hints_of_other_programs_give_them_a_copy() {
    use rread_testkit::home::AtHome;
    use std::os::unix::fs::{PermissionsExt, symlink};
    let broken = b"%PDF-1.7\nand nothing else\n";
    let lab = Lab::with("f.pdf", broken);
    lab.write("a b.tar", &rread_testkit::formats::tar_of(&[("f.pdf", broken)]));
    lab.write("a.zip", &super::archive::archive(&[("d/f.pdf", broken)]));
    lab.write("in.zip", &super::archive::archive(&[("a.zip", &std::fs::read(lab.path("a.zip")).unwrap())]));
    lab.write("gz.zip", &super::archive::archive(&[("f.pdf.gz", &gzip(broken))]));
    lab.write("f.pdf.gz", &gzip(broken));
    // The programs of the hints, which copy their file.
    std::fs::create_dir(lab.path("bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_rread"), lab.path("bin/rread")).unwrap();
    for program in ["pdftotext", "pdftoppm"] {
        let script = "#!/bin/sh\nfor file; do [ -f \"$file\" ] && cat \"$file\"; done > seen\nexit 1\n";
        lab.write(&format!("bin/{program}"), script.as_bytes());
        let path = lab.path(&format!("bin/{program}"));
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", lab.path("bin").display(), std::env::var("PATH").unwrap());
    let stdin = || File::open(lab.path("f.pdf")).unwrap();
    for address in [
        "f.pdf",
        "f.pdf.gz",
        "tar:a b.tar/f.pdf",
        "zip:a.zip/d/f.pdf",
        "zip:in.zip/a.zip/d/f.pdf",
        "zip:gz.zip/f.pdf.gz",
        "-",
    ] {
        for command in ["lines", "image"] {
            let run = lab.command(command).arg(address).stdin(stdin()).output().unwrap();
            let stderr = String::from_utf8(run.stderr).unwrap();
            let hint = stderr.lines().find_map(|line| line.strip_prefix("hint: ")).unwrap();
            let hint = hint.replace("COMMAND | ", "cat f.pdf | ");
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", &hint]).current_dir(lab.path(".")).at_home(&lab.path("."));
            shell.env("PATH", &path).output().unwrap();
            assert_eq!(std::fs::read(lab.path("seen")).unwrap(), broken, "{address}: {hint}");
            std::fs::remove_file(lab.path("seen")).unwrap();
        }
    }
}

#[test]
fn a_document_has_no_line_index() {
    let lab = Lab::with("f.pdf", &sample());
    let run = lab.run("index build f.pdf");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("is a document; its text can have no line index"), "{}", run.stderr);
}

/// Offsets count from the header, or, against the standard, from the start of the file.
#[test]
fn junk_before_a_pdf_is_ignored() {
    let whole = sample();
    let moved = {
        let at = memchr::memmem::rfind(&whole, b"\nxref\n").unwrap();
        let (objects, table) = (&whole[..at], std::str::from_utf8(&whole[at..]).unwrap());
        let later = |offset: &str| offset.parse::<u64>().unwrap() + 1000;
        let (table, start) = table.split_once("startxref\n").unwrap();
        let line = |line: &str| match line.split_once(" 00000 n") {
            Some((offset, rest)) => format!("{:010} 00000 n{rest}", later(offset)),
            None => line.to_owned(),
        };
        let table: String = table.split_inclusive('\n').map(line).collect();
        let start = later(start.split('\n').next().unwrap());
        [objects, format!("{table}startxref\n{start}\n%%EOF\n").as_bytes()].concat()
    };
    let junk = [b"\x1B%-12345X@PJL\r\n".to_vec(), vec![b'x'; 983], b"\r\n".to_vec()].concat();
    assert_eq!(junk.len(), 1000);
    for bytes in [&whole, &moved] {
        for name in ["f.pdf", "f"] {
            let lab = Lab::with(name, &[&junk[..], bytes].concat());
            assert_eq!(lab.text(&format!("lines {name}")), TEXT, "{name}");
        }
    }
}

#[test]
fn stat_and_image_name_the_type_of_the_document() {
    let office = "application/vnd.openxmlformats-officedocument";
    let files = [
        ("f.docx", office::document(), format!("{office}.wordprocessingml.document")),
        ("f.xlsx", office::workbook(), format!("{office}.spreadsheetml.sheet")),
        ("f.odt", odt::document(), "application/vnd.oasis.opendocument.text".to_owned()),
        ("f.epub", office::book(), "application/epub+zip".to_owned()),
        ("f.html", html::PAGE.as_bytes().to_vec(), "text/html".to_owned()),
    ];
    for (name, bytes, mime) in files {
        let lab = Lab::with(name, &bytes);
        assert_eq!(lab.json(&format!("stat {name}"))["mime"], mime);
        let run = lab.run(&format!("image {name}"));
        let expected = format!("rread: {name}: is {mime}, not an image\nhint: rread lines {name} 1:20\n");
        assert_eq!((run.code, run.stderr), (Some(2), expected));
    }
    let lab = Lab::with("f.pdf", &sample());
    assert_eq!(lab.json("stat f.pdf")["mime"], "application/pdf");
}

/// Searches of mail and of RTF found nothing of what is encoded.
#[test]
fn mail_and_rich_text_are_searched_as_text() {
    let mail = "From: a@b\nSubject: s\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\
        Content-Transfer-Encoding: base64\n\nVGhlIG5lZWRsZSBpcyBpbiB0aGUgQsO8cm8uCg==\n";
    let lab = Lab::with("mail.eml", mail.as_bytes());
    lab.write("box.mbox", format!("From a@b Mon Jan  5 10:00:00 2026\n{mail}").as_bytes());
    lab.write("letter.rtf", br"{\rtf1 a {\b nee}dle\par}");
    lab.write("app.log", b"From: a\nTo: b\nneedle\n");
    for (file, decoded) in
        [("mail.eml", "mail"), ("box.mbox", "mailbox"), ("letter.rtf", "rtf"), ("-", "mail")]
    {
        let mut search = lab.command(&format!("search needle {file} --json"));
        let output = search.stdin(File::open(lab.path("mail.eml")).unwrap()).output().unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&answer["metadata"]["decoded"], &answer["metadata"]["matches"]),
            (&decoded.into(), &1.into()),
            "{file}"
        );
    }
    assert_eq!(lab.json("search needle app.log")["metadata"]["decoded"], serde_json::Value::Null);
    assert!(lab.run("lines mail.eml --no-decompress --raw").stdout.contains("VGhl"));
    assert_eq!(lab.json("page box.mbox 1")["metadata"]["pages"], 1);
}

/// The parts of a message end where the file or a part around them does; what is missing is said.
#[test]
fn a_part_of_mail_without_its_end_is_decoded() {
    let part = "--B\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nCaf=C3=A9 one=\n two\n";
    let head = "From: a@b\nTo: c@d\nSubject: s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"B\"\n\n";
    let lab = Lab::with("whole.eml", format!("{head}{part}--B--\n").as_bytes());
    lab.write("open.eml", format!("{head}{part}").as_bytes());
    for (file, code) in [("whole.eml", 0), ("open.eml", 3)] {
        let run = lab.run(&format!("lines {file} --raw"));
        assert!(run.stdout.contains("Caf\u{E9} one two"), "{file}: {}", run.stdout);
        assert_eq!(run.code, Some(code), "{file}: {}", run.stderr);
    }
    // A line of text that begins as the line before a message does is no message.
    let text = "From a@b Mon Jan  5 10:00:00 2026\nFrom: a@b\nSubject: s\n\none\n\n\
        From bob Thu Jan  8 10:00:00 2026 he said it.\nNext sentence.\n";
    lab.write("box.mbox", text.as_bytes());
    let answer = lab.json("lines box.mbox");
    assert!(answer["content"].as_str().unwrap().contains("From bob Thu"), "{answer}");
    assert_eq!(lab.json("page box.mbox 1")["metadata"]["pages"], 1);
    let received = "Received: from a by b; Mon, 5 Jan 2026 10:00:00 +0000\n".repeat(200);
    lab.write("far.eml", format!("{received}From: a@b\nSubject: s\n\nfar\n").as_bytes());
    assert_eq!(lab.json("lines far.eml")["metadata"]["decoded"], "mail");
}

#[test]
fn rich_text_has_its_code_page_and_its_blanks() {
    let lab = Lab::with("mac.rtf", br"{\rtf1\mac caf\'8e one{\emspace}two{\xe index}three\par}");
    assert_eq!(lab.run("lines mac.rtf --raw").stdout, "caf\u{E9} one twothree\n");
    lab.write("utf8.rtf", br"{\rtf1\ansicpg65001 caf\'c3\'a9\par}");
    assert_eq!(lab.run("lines utf8.rtf --raw").stdout, "caf\u{E9}\n");
}

/// What cannot be read in the encoding of the others does not end a search of a directory; a wrong name of an encoding does.
#[test]
fn an_encoding_for_a_directory_is_for_its_text() {
    let lab = Lab::with("a.rtf", br"{\rtf1 needle\par}");
    lab.write("b.txt", b"needle\n");
    let run = lab.run("search -E windows-1252 needle . -f text");
    assert!(run.stdout.contains("b.txt:1:needle"), "{} {}", run.stdout, run.stderr);
    let run = lab.run("search -E needle|x a.rtf -f text");
    assert!(run.code == Some(2) && run.stderr.lines().count() < 4, "{} {}", run.stdout, run.stderr);
}
