//! An envelope of its own with one content, for answers that are not about slices.

use super::escape::{JsonText, XmlText};
use super::xml::element;
use super::{Body, Format, frontmatter, written};
use crate::error::Result;
use crate::output::Out;
use crate::report::Facts;

/// Writes `facts` and the content of `body`, which may be left out; `name` is the element of XML.
///
/// JSON has the facts behind the content and asks for them then, so that they can say what happened meanwhile.
///
/// # Errors
/// Those of reading and of writing.
pub fn document(
    out: &mut Out,
    format: Format,
    color: bool,
    name: &str,
    facts: &dyn Fn() -> Facts,
    body: Option<&mut dyn Body>,
) -> Result<()> {
    match (format, body) {
        (Format::Raw | Format::Text, None) => Ok(()),
        (Format::Raw | Format::Text, Some(body)) => body.plain(out),
        (Format::Frontmatter, body) => {
            frontmatter::write_block(out, &facts(), color)?;
            body.map_or(Ok(()), |body| body.plain(out))
        }
        (Format::Json, body) => {
            out.write(b"{")?;
            if let Some(body) = body {
                out.write(b"\"content\": \"")?;
                body.pour(&mut JsonText(out))?;
                out.write(b"\", ")?;
            }
            out.write(format!("\"metadata\": {}}}\n", written(facts().to_json())?).as_bytes())
        }
        (Format::Xml, None) => out.write(format!("{}\n", element(name, &facts(), "/>")).as_bytes()),
        (Format::Xml, Some(body)) => {
            out.write(element(name, &facts(), ">").as_bytes())?;
            body.pour(&mut XmlText(out))?;
            out.write(format!("</{name}>\n").as_bytes())
        }
    }
}
