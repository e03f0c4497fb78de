//! Word documents (Office Open XML): a paragraph is a line, a row of a table is a line with tabs.

mod body;
mod paragraph;
mod styles;
mod symbols;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Read as _;

use data_encoding::BASE64;

use super::html;
use super::lines::send;
use super::zip_xml::{Package, Part, report_damaged_part};
use crate::protocol::{Failure, Frame, Notice, Output};
use body::WordBody;
use styles::WordStyles;

/// Sends the text of the document, and then that of its notes.
pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    decode_at(bytes, out, 0)
}

/// As [`decode`], inside of other documents.
fn decode_at(bytes: &[u8], out: &mut Output<'_>, depth: usize) -> Result<(), Failure> {
    let mut package = Package::open(bytes)?;
    let result = send_all(&mut package, out, depth);
    report_damaged_part(result, &package, out)
}

fn send_all(package: &mut Package<'_>, out: &mut Output<'_>, depth: usize) -> Result<(), Failure> {
    let main = package.target("_rels/.rels", "/officeDocument")?;
    let main = main.as_deref().map_or("word/document.xml", |name| name.trim_start_matches('/'));
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
    let member = |name: &str| format!("{folder}/{name}").trim_start_matches('/').to_owned();
    let styles = WordStyles::read(package, &member("styles.xml"), &member("numbering.xml"))?;
    let (chunks, is_missing) = chunks(package, main, depth, decode_at)?;
    let mut body = WordBody::new(&styles, chunks);
    if is_missing {
        body.missing.insert("documents inside of it");
    }
    send(package, main, out, |part| {
        body.take(part);
        body.lines.take()
    })?;
    for (kind, name) in [("footnote", "footnotes.xml"), ("endnote", "endnotes.xml")] {
        let texts = notes(package, &styles, kind, &member(name))?;
        for (number, id) in body.lines.notes(kind) {
            let text = texts.get(id).map_or("", String::as_str);
            out.text(&format!("[^{number}]: {}\n", text.trim()))?;
        }
    }
    for missing in body.missing {
        out.notice(Notice::LeftOut, missing)?;
    }
    Ok(())
}

/// The texts of the notes of a `kind`, by their numbers in the file.
fn notes(
    package: &mut Package<'_>,
    styles: &WordStyles,
    kind: &str,
    name: &str,
) -> Result<HashMap<String, String>, Failure> {
    let mut texts = HashMap::new();
    let mut note = None;
    package.parse(name, |part| {
        match &part {
            Part::Start(name, attributes) if *name == kind => {
                note =
                    Some((attributes.get("id").unwrap_or_default(), WordBody::new(styles, HashMap::new())));
            }
            Part::End(name) if *name == kind => {
                if let Some((id, mut body)) = note.take() {
                    body.take(part);
                    texts.insert(id, body.lines.take());
                }
            }
            _ => {
                if let Some((_, body)) = &mut note {
                    body.take(part);
                }
            }
        }
        Ok(())
    })?;
    Ok(texts)
}

/// Documents may be inside of each other.
const MAX_DEPTH: usize = 3;

/// The end of the type of their relations.
const KIND: &str = "/aFChunk";

/// Decodes a Word document that is so deep inside of others.
type Decode = fn(&[u8], &mut Output<'_>, usize) -> Result<(), Failure>;

/// The text of each, by the name of its relation, and whether one of them has a form that rread does not know.
pub(super) fn chunks(
    package: &mut Package<'_>,
    main: &str,
    depth: usize,
    decode: Decode,
) -> Result<(HashMap<String, String>, bool), Failure> {
    let (mut texts, mut is_missing) = (HashMap::new(), false);
    for relation in package.relations(main)? {
        if !relation.kind.ends_with(KIND) || relation.is_external {
            continue;
        }
        let mut bytes = Vec::new();
        if let Some(mut member) = package.member(&relation.target)? {
            member.read_to_end(&mut bytes)?;
        }
        match text(&bytes, depth, decode) {
            Some(text) => drop(texts.insert(relation.id, text)),
            None => is_missing = true,
        }
    }
    Ok((texts, is_missing))
}

fn text(bytes: &[u8], depth: usize, decode: Decode) -> Option<String> {
    let start = bytes.trim_ascii_start();
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    let has_start =
        |word: &str| start.len() >= word.len() && start[..word.len()].eq_ignore_ascii_case(word.as_bytes());
    match start {
        [b'P', b'K', ..] if depth < MAX_DEPTH => {
            let mut frames = Vec::new();
            let mut out = Output::new(&mut frames);
            let result = decode(bytes, &mut out, depth + 1);
            out.end(result).ok()?;
            result.ok()?;
            texts(&frames)
        }
        [b'P', b'K', ..] => None,
        _ if has_start("{\\rtf") => None,
        _ if has_start("MIME-Version:") || has_start("Content-Type:") || has_start("From:") => {
            html::text(&page_of_mail(start)?).ok()
        }
        [b'<', ..] => html::text(&html::in_utf8(bytes)).ok(),
        _ => Some(String::from_utf8_lossy(&html::in_utf8(bytes)).into_owned()),
    }
}

/// The text in the frames of a decoder.
fn texts(mut frames: &[u8]) -> Option<String> {
    let mut whole = Vec::new();
    while let Some(frame) = Frame::read(&mut frames).ok()? {
        if let Frame::Text(text) | Frame::PageEnd { text, .. } = frame {
            whole.extend(text);
        }
    }
    String::from_utf8(whole).ok()
}

/// The first web page in a message (RFC 2557), which browsers write for a page and its pictures.
fn page_of_mail(mail: &[u8]) -> Option<Vec<u8>> {
    let mail = String::from_utf8_lossy(mail).replace("\r\n", "\n");
    let lower = mail.to_ascii_lowercase();
    let at = lower.find("content-type: text/html")?;
    // The head of the part is around its type.
    let start = lower[..at].rfind("\n\n").map_or(0, |start| start + 2);
    let end = at + lower[at..].find("\n\n")?;
    let head = &lower[start..end];
    let boundary = lower.find("boundary=").map(|at| &mail[at + "boundary=".len()..]).map(|rest| {
        let rest = rest.trim_start_matches('"');
        let end = rest.find(['"', '\n', ';', ' ']).unwrap_or(rest.len());
        format!("\n--{}", &rest[..end])
    });
    let body = &mail[end + 2..];
    let body = boundary.and_then(|boundary| body.find(&boundary)).map_or(body, |end| &body[..end]);
    let bytes = if head.contains("quoted-printable") {
        quoted_printable(body)
    } else if head.contains("base64") {
        let compact: Vec<u8> = body.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
        BASE64.decode(&compact).ok()?
    } else {
        body.as_bytes().to_vec()
    };
    // The head of the part says the encoding; inside of the page, another one may stand.
    let page: Cow<'_, [u8]> =
        if head.contains("utf-8") { bytes.into() } else { html::in_utf8(&bytes).into_owned().into() };
    Some(page.into_owned())
}

/// The bytes of a text in which `=3D` is an equals sign (RFC 2045).
fn quoted_printable(text: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'=' {
            bytes.push(*first);
        } else if let Some(line) = after.strip_prefix(b"\n") {
            rest = line;
        } else {
            let code = after
                .get(..2)
                .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
            bytes.push(code.unwrap_or(b'='));
            rest = if code.is_some() { &after[2..] } else { after };
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_document_is_text() {
        let mail = "MIME-Version: 1.0\r\nContent-Type: multipart/related; type=\"text/html\"; boundary=\"--=part\"\r\n\r\n\
            ----=part\r\nContent-Type: text/html; charset=\"utf-8\"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
            <html><p>na=C3=AFve =3D lo=\r\nng</p></html>\r\n----=part--\r\n";
        for (bytes, expected) in [
            (&b"<html><p>a<p>b</html>"[..], Some("a\n\nb\n")),
            (b"plain \xE9", Some("plain é")),
            (b"{\\rtf1 x}", None),
            (mail.as_bytes(), Some("naïve = long\n")),
            (b"PK\x03\x04", None),
            (b"", Some("")),
        ] {
            assert_eq!(text(bytes, 0, |_, _, _| Err(Failure::Damaged)).as_deref(), expected);
        }
    }
}
