//! Small writers of documents, and what the decoder makes of them.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use rread_documents::decode::Charset;
use rread_documents::format::DocumentFormat;
use rread_documents::protocol::{Failure, Frame, Notice, Output};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// What the decoder sends.
#[derive(Debug, Default)]
pub struct Decoded {
    pub text: String,
    /// The number of pages, as the decoder says before the first.
    pub pages: Option<u32>,
    /// The text of each page that ended.
    pub ended: Vec<String>,
    pub notices: Vec<(Notice, String)>,
    /// The damage of the file.
    pub damage: Option<String>,
    /// The part that cannot be read.
    pub cause: Option<String>,
    pub failure: Option<Failure>,
}

pub fn decoded(format: DocumentFormat, bytes: Vec<u8>) -> Decoded {
    let mut frames = Vec::new();
    let mut out = Output::new(&mut frames);
    let status = format.decode(bytes, None, &Charset::default(), &mut out);
    out.end(status).unwrap();
    let (mut input, mut decoded, mut start) = (&frames[..], Decoded::default(), 0);
    while let Some(frame) = Frame::read(&mut input).unwrap() {
        let is_end = matches!(frame, Frame::PageEnd { .. });
        match frame {
            Frame::Text(text) | Frame::PageEnd { text, .. } => {
                decoded.text.push_str(std::str::from_utf8(&text).unwrap());
            }
            Frame::Pages(count) => decoded.pages = Some(count),
            Frame::Notice(Notice::Damaged, what) => decoded.damage = Some(what),
            Frame::Notice(notice, part) => decoded.notices.push((notice, part)),
            Frame::Cause(part) => decoded.cause = Some(part),
            Frame::End(result) => decoded.failure = result.err(),
            _ => {}
        }
        if is_end {
            decoded.ended.push(decoded.text[start..].to_owned());
            start = decoded.text.len();
        }
    }
    decoded
}

/// The text of a document that must be whole.
pub fn text(format: DocumentFormat, bytes: Vec<u8>) -> String {
    let decoded = decoded(format, bytes);
    assert_eq!(
        (decoded.failure, &decoded.notices[..], decoded.damage),
        (None, &[][..], None),
        "{}",
        decoded.text
    );
    decoded.text
}

/// An archive of members, by name and content.
pub fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The relations of a part: names, ends of types, targets.
pub fn relations(list: &[(&str, &str, &str)]) -> String {
    list.iter().fold(String::from("<Relationships>"), |mut text, (id, kind, target)| {
        let _ =
            write!(text, "<Relationship Id=\"{id}\" Type=\"http://schemas/{kind}\" Target=\"{target}\"/>");
        text
    }) + "</Relationships>"
}

/// A PDF with one page of 400 times 200 points, whose font F1 is the first of `objects`, number 5.
pub fn pdf(objects: &[Vec<u8>], page: &str, content: &str) -> Vec<u8> {
    let mut all: Vec<Vec<u8>> = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]{page}/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
        ),
    ]
    .map(String::into_bytes)
    .to_vec();
    all.push(stream("", content.as_bytes()));
    all.extend_from_slice(objects);
    let (mut out, mut table) = (b"%PDF-1.5\n".to_vec(), String::new());
    for (number, object) in (1..).zip(&all) {
        let _ = writeln!(table, "{:010} 00000 n ", out.len());
        out.extend(format!("{number} 0 obj\n").as_bytes());
        out.extend(object);
        out.extend(b"\nendobj\n");
    }
    let (start, size) = (out.len(), all.len() + 1);
    let end = format!(
        "xref\n0 {size}\n0000000000 65535 f \n{table}trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    );
    out.extend(end.as_bytes());
    out
}

/// A stream with the entries `dict`.
pub fn stream(dict: &str, data: &[u8]) -> Vec<u8> {
    [format!("<<{dict}/Length {}>>stream\n", data.len()).as_bytes(), data, b"\nendstream"].concat()
}

/// Content that shows `text`, which is one operand of `Tj`.
pub fn show(text: &str) -> String {
    format!("BT /F1 12 Tf 20 100 Td {text} Tj ET")
}
