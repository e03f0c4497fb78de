//! Word documents (Office Open XML): a paragraph is a line, a row of a table is a line with tabs.

mod body;
mod chunks;
mod fields;
mod paragraph;
mod styles;
mod symbols;

use std::collections::HashMap;

use super::lines::send;
use super::zip_xml::{Package, Part, named};
use crate::protocol::{Failure, Notice, Output};
use body::Body;
use chunks::chunks;
use styles::Styles;

/// Sends the text of the document, and then that of its notes.
pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    decode_at(bytes, out, 0)
}

/// As [`decode`], inside of other documents.
fn decode_at(bytes: &[u8], out: &mut Output<'_>, depth: usize) -> Result<(), Failure> {
    let mut package = Package::open(bytes)?;
    let result = send_all(&mut package, out, depth);
    named(result, &package, out)
}

fn send_all(package: &mut Package<'_>, out: &mut Output<'_>, depth: usize) -> Result<(), Failure> {
    let main = package.target("_rels/.rels", "/officeDocument")?;
    let main = main.as_deref().map_or("word/document.xml", |name| name.trim_start_matches('/'));
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
    let member = |name: &str| format!("{folder}/{name}").trim_start_matches('/').to_owned();
    let styles = Styles::read(package, &member("styles.xml"), &member("numbering.xml"))?;
    let (chunks, is_missing) = chunks(package, main, depth, decode_at)?;
    let mut body = Body::new(&styles, chunks);
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
    styles: &Styles,
    kind: &str,
    name: &str,
) -> Result<HashMap<String, String>, Failure> {
    let mut texts = HashMap::new();
    let mut note = None;
    package.parse(name, |part| {
        match &part {
            Part::Start(name, attributes) if *name == kind => {
                note = Some((attributes.get("id").unwrap_or_default(), Body::new(styles, HashMap::new())));
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
