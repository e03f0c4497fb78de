//! Word documents (Office Open XML): a paragraph is a line, a row of a table is a line with tabs.

mod body;
mod styles;

use std::collections::HashMap;
use std::rc::Rc;

use super::drawings::{self, Drawings};
use super::lines::send;
use super::zip_xml::{Package, Part};
use crate::protocol::{Failure, Notice, Output};
pub(super) use body::{WordBody, symbol};
use styles::WordStyles;
pub(super) use styles::raised_by;

/// Sends the text of the document, and then that of its notes.
pub(super) fn send_all(package: &mut Package<'_>, out: &mut Output<'_>) -> Result<(), Failure> {
    let main = package.main_part("word/document.xml")?;
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
    let member = |name: &str| format!("{folder}/{name}").trim_start_matches('/').to_owned();
    let styles = Rc::new(WordStyles::read(package, &member("styles.xml"), &member("numbering.xml"))?);
    let mut body = WordBody::new(&styles, drawings::read(package, &main)?);
    send(package, &main, out, |part| {
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
    styles: &Rc<WordStyles>,
    kind: &str,
    name: &str,
) -> Result<HashMap<String, String>, Failure> {
    let mut texts = HashMap::new();
    let mut note = None;
    package.parse(name, |part| match &part {
        Part::Start(name, attributes) if *name == kind => {
            let body = WordBody::new(styles, Drawings::new());
            note = Some((attributes.get("id").unwrap_or_default(), body));
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
    })?;
    Ok(texts)
}
