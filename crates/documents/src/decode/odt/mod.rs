//! OpenDocument text: a paragraph is a line, a row of a table is a line with tabs, as in Word documents.

mod body;
mod styles;

use std::borrow::Cow;
use std::collections::HashMap;

use super::formula::Builder;
use super::lines::send;
use super::zip_xml::{Package, Part, report_damaged_part};
use crate::protocol::{Failure, Notice, Output};
use body::OdtBody;
use styles::OdtStyles;

/// Sends the text of the document, and then that of its notes.
pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let mut package = Package::open(bytes)?;
    let result = send_all(&mut package, out);
    report_damaged_part(result, &package, out)
}

fn send_all(package: &mut Package<'_>, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut is_encrypted = false;
    package.parse("META-INF/manifest.xml", |part| {
        is_encrypted |= matches!(part, Part::Start("encryption-data", _));
        Ok(())
    })?;
    if is_encrypted {
        return Err(Failure::Password);
    }
    let styles = OdtStyles::read(package)?;
    let mut body = OdtBody::new(&styles, formulas(package));
    send(package, "content.xml", out, |part| {
        body.take(part);
        body.lines.take()
    })?;
    if body.has_controls {
        out.notice(Notice::LeftOut, "controls")?;
    }
    for class in ["footnote", "endnote"] {
        for (number, text) in body.lines.notes(class) {
            out.text(&format!("[^{number}]: {text}\n"))?;
        }
    }
    Ok(())
}

/// The formulas of the document, by the folders of their objects. What cannot be read is not a formula.
fn formulas(package: &mut Package<'_>) -> HashMap<String, String> {
    let folder = |name: Cow<'_, str>| Some(name.strip_suffix("/content.xml")?.to_owned());
    let folders: Vec<String> = package.names().filter_map(folder).collect();
    let mut formulas = HashMap::new();
    for folder in folders {
        let (mut formula, mut is_formula, mut is_first) = (Builder::default(), false, true);
        let parsed = package.parse(&format!("{folder}/content.xml"), |part| {
            if let Part::Start(name, _) = &part
                && std::mem::take(&mut is_first)
            {
                is_formula = *name == "math";
            }
            match part {
                // White space before the formula.
                Part::Text(_) if is_first => {}
                // Objects with other content are charts and sheets.
                _ if !is_formula => return Err(Failure::Damaged),
                Part::Start(name, attributes) => formula.start(name, |name| attributes.get(name)),
                Part::Text(text) => formula.text(text),
                Part::End(_) => {
                    if let Some(text) = formula.end() {
                        formulas.insert(folder.clone(), text);
                    }
                }
            }
            Ok(())
        });
        let _ = parsed;
    }
    formulas
}
