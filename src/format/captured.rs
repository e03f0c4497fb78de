//! What was captured, in every format: its envelope and its first page, or all of it where it was not kept.

use super::escape::{JsonText, XmlText, xml_attribute};
use super::frontmatter::write_block;
use super::xml::element;
use super::{Body, Format, written};
use crate::content::Sink;
use crate::envelope::{Captured, Facts, LastPage};
use crate::error::{Error, Result, printable};
use crate::output::Out;

/// What is shown of a capture.
pub struct Contents<'a> {
    /// The first page, or all of it; none for what has no page and when only its metadata are asked for.
    pub first: Option<&'a mut dyn Body>,
    /// The last page, when the envelope has one.
    pub last: Option<&'a mut dyn Body>,
}

/// Writes what was captured with its `contents`, if it has any to show and not only its metadata are asked for.
pub fn captured(
    out: &mut Out,
    format: Format,
    color: bool,
    captured: &Captured<'_>,
    contents: Contents<'_>,
    metadata_only: bool,
) -> Result<()> {
    let Contents { first, last } = contents;
    let last = last.zip(captured.last.as_ref());
    match format {
        Format::Frontmatter => {
            // Output that is short is printed as it is, kept or not.
            if captured.fd.is_some() && !captured.is_whole {
                let mut facts = captured.facts(false);
                if let Some(message) = &captured.message {
                    facts.text("message", message);
                }
                write_block(out, &facts, color)?;
            }
            first.map_or(Ok(()), |body| body.plain(out))?;
            let Some((body, last)) = last else { return Ok(()) };
            write_block(out, &last.facts(captured.fd.as_deref(), false), color)?;
            body.plain(out)
        }
        Format::Raw | Format::Text => first.map_or(Ok(()), |body| body.plain(out)),
        Format::Json => {
            out.write(b"{")?;
            if !metadata_only {
                out.write(b"\"content\": \"")?;
                first.map_or(Ok(()), |body| body.write(&mut JsonText(out)))?;
                out.write(b"\", ")?;
            }
            if let Some((body, _)) = last {
                out.write(b"\"last_page\": \"")?;
                body.write(&mut JsonText(out))?;
                out.write(b"\", ")?;
            }
            out.write(format!("\"metadata\": {}}}\n", written(captured.facts(true).to_json())?).as_bytes())
        }
        Format::Xml => xml(out, captured, first, last),
    }
}

fn xml(
    out: &mut Out,
    captured: &Captured<'_>,
    first: Option<&mut dyn Body>,
    last: Option<(&mut dyn Body, &LastPage)>,
) -> Result<()> {
    let name = if captured.fd.is_some() { "fd_result" } else { "command_output" };
    out.write(element(name, &captured.facts(false), ">").as_bytes())?;
    if let Some(message) = &captured.message {
        out.write(b"\n<message>")?;
        XmlText(out).write(message.as_bytes())?;
        out.write(b"</message>\n")?;
    }
    match (first, captured.fd.is_some()) {
        (Some(body), false) => body.write(&mut XmlText(out))?,
        (Some(body), true) => {
            out.write(b"<preview>")?;
            body.write(&mut XmlText(out))?;
            out.write(b"</preview>\n")?;
        }
        (None, _) => {}
    }
    if let Some((body, last)) = last {
        out.write(element("last_page", &last.facts(None, false), ">").as_bytes())?;
        body.write(&mut XmlText(out))?;
        out.write(b"</last_page>\n")?;
    }
    out.write(format!("</{name}>\n").as_bytes())
}

/// A failure to do with a capture, as one XML element for standard error.
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
