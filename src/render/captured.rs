//! What was captured, in every format: its envelope and its first page, or all of it where it was not kept.

use super::escape::{JsonText, XmlText, xml_attribute};
use super::frontmatter::write_block;
use super::xml::element;
use super::{Body, Format, written};
use crate::body::Sink;
use crate::error::{Error, Result, printable};
use crate::output::Out;
use crate::report::{Captured, Facts};

/// Writes what was captured, with `body` as its content, if it has any to show and not only its metadata are asked for.
///
/// # Errors
/// Those of reading and of writing.
pub fn captured(
    out: &mut Out,
    format: Format,
    color: bool,
    captured: &Captured<'_>,
    body: Option<&mut dyn Body>,
    metadata_only: bool,
) -> Result<()> {
    match format {
        Format::Frontmatter => {
            // What is not kept is printed as it is.
            if captured.fd.is_some() {
                let mut facts = captured.facts(false);
                if let Some(message) = &captured.message {
                    facts.text("message", message);
                }
                write_block(out, &facts, color)?;
            }
            body.map_or(Ok(()), |body| body.plain(out))
        }
        Format::Raw | Format::Text => body.map_or(Ok(()), |body| body.plain(out)),
        Format::Json => {
            out.write(b"{")?;
            if !metadata_only {
                out.write(b"\"content\": \"")?;
                body.map_or(Ok(()), |body| body.pour(&mut JsonText(out)))?;
                out.write(b"\", ")?;
            }
            out.write(format!("\"metadata\": {}}}\n", written(captured.facts(true).to_json())?).as_bytes())
        }
        Format::Xml => xml(out, captured, body),
    }
}

fn xml(out: &mut Out, captured: &Captured<'_>, body: Option<&mut dyn Body>) -> Result<()> {
    let name = if captured.fd.is_some() { "fd_result" } else { "command_output" };
    out.write(element(name, &captured.facts(false), ">").as_bytes())?;
    if let Some(message) = &captured.message {
        out.write(b"\n<message>")?;
        XmlText(out).put(message.as_bytes())?;
        out.write(b"</message>\n")?;
    }
    match (body, captured.fd.is_some()) {
        (Some(body), false) => body.pour(&mut XmlText(out))?,
        (Some(body), true) => {
            out.write(b"<preview>")?;
            body.pour(&mut XmlText(out))?;
            out.write(b"</preview>\n")?;
        }
        (None, _) => {}
    }
    out.write(format!("</{name}>\n").as_bytes())
}

/// A failure to do with a capture, as one XML element for standard error.
#[must_use]
pub fn capture_error(fd: &str, error: &Error) -> String {
    let mut facts = Facts::default();
    facts.text("type", error.kind.name());
    facts.text("fd", fd);
    if let Some(hint) = &error.hint {
        facts.text("hint", printable(hint));
    }
    // On one line, so that the form of attributes serves.
    format!("{}{}</fd_error>\n", element("fd_error", &facts, ">"), xml_attribute(&printable(&error.message)))
}
