//! OpenDocument text: a paragraph is a line, a row of a table is a line with tabs, as in Word documents.

mod body;
mod styles;

use super::lines::send;
use super::zip_xml::{Package, Part};
use crate::protocol::{Failure, Output};
use body::Body;
use styles::Styles;

/// Sends the text of the document, and then that of its notes.
pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let mut package = Package::open(bytes)?;
    let mut is_encrypted = false;
    package.parse("META-INF/manifest.xml", |part| {
        is_encrypted |= matches!(part, Part::Start("encryption-data", _));
        Ok(())
    })?;
    if is_encrypted {
        return Err(Failure::Password);
    }
    let styles = Styles::read(&mut package)?;
    let mut body = Body::new(&styles);
    send(&mut package, "content.xml", out, |part| {
        body.take(part);
        body.lines.take()
    })?;
    for class in ["footnote", "endnote"] {
        for (number, text) in body.lines.notes(class) {
            out.text(&format!("[^{number}]: {text}\n"))?;
        }
    }
    Ok(())
}
