//! Word documents (Office Open XML): a paragraph is a line, a row of a table is a line with tabs.

mod body;
mod styles;

use std::collections::HashMap;

use super::lines::send;
use super::zip_xml::{Package, Part, report_damaged_part};
use crate::protocol::{Failure, Notice, Output};
use body::WordBody;
use styles::WordStyles;

/// Sends the text of the document, and then that of its notes.
pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let mut package = Package::open(bytes)?;
    let result = send_all(&mut package, out);
    report_damaged_part(result, &package, out)
}

fn send_all(package: &mut Package<'_>, out: &mut Output<'_>) -> Result<(), Failure> {
    let relations = package.relations()?;
    let main = relations.iter().find(|relation| relation.kind.ends_with("/officeDocument"));
    let main = main.map_or("word/document.xml", |relation| relation.target.as_str());
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
    let member = |name: &str| format!("{folder}/{name}").trim_start_matches('/').to_owned();
    let styles = WordStyles::read(package, &member("styles.xml"), &member("numbering.xml"))?;
    let mut body = WordBody::new(&styles);
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
                note = Some((attributes.get("id").unwrap_or_default(), WordBody::new(styles)));
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
