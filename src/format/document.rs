//! One envelope of facts with content, for answers that are not slices.

use super::escape::{JsonText, XmlText};
use super::xml::{children, element};
use super::{Body, Format, frontmatter, written};
use crate::envelope::Facts;
use crate::error::Result;
use crate::output::Out;

/// Writes an answer but for what comes after the content; without a `body`, the envelope alone.
pub(crate) fn begin_document(
    out: &mut Out,
    format: Format,
    color: bool,
    name: &str,
    facts: &Facts,
    body: Option<&mut dyn Body>,
) -> Result<()> {
    match format {
        Format::Raw | Format::Text => body.map_or(Ok(()), |body| body.plain(out)),
        Format::Frontmatter => {
            frontmatter::write_block(out, facts, color)?;
            body.map_or(Ok(()), |body| body.plain(out))
        }
        Format::Json => {
            out.write(b"{")?;
            let Some(body) = body else { return Ok(()) };
            out.write(b"\"content\": \"")?;
            body.write(&mut JsonText(out))?;
            out.write(b"\", ")
        }
        Format::Xml => {
            let children = children(facts);
            out.write(element(name, facts, ">").as_bytes())?;
            match body {
                // What is nothing but text needs no element for it.
                Some(body) if children.is_empty() => body.write(&mut XmlText(out)),
                Some(body) => {
                    out.write(format!("\n{children}<content>").as_bytes())?;
                    body.write(&mut XmlText(out))?;
                    out.write(b"</content>\n")
                }
                None => out.write(format!("\n{children}").as_bytes()),
            }
        }
    }
}

/// Ends what [`begin_document`] began; `facts` say what has happened meanwhile.
pub(crate) fn end_document(out: &mut Out, format: Format, name: &str, facts: &Facts) -> Result<()> {
    match format {
        Format::Json => {
            let metadata = written(facts.to_json())?;
            out.write(format!("\"metadata\": {metadata}}}\n").as_bytes())
        }
        Format::Xml => out.write(format!("</{name}>\n").as_bytes()),
        Format::Raw | Format::Text | Format::Frontmatter => Ok(()),
    }
}

/// Writes a whole answer; `facts` are asked for again behind the content, so that they can say what happened meanwhile.
pub fn document(
    out: &mut Out,
    format: Format,
    color: bool,
    name: &str,
    facts: &dyn Fn() -> Facts,
    body: Option<&mut dyn Body>,
) -> Result<()> {
    begin_document(out, format, color, name, &facts(), body)?;
    end_document(out, format, name, &facts())
}
