//! Renderers: begin, part, finish; a small file for each format. None of them can influence what is read.

mod captured;
mod document;
mod escape;
mod frontmatter;
mod json;
mod plain;
mod xml;

use crate::content::Sink;
use crate::envelope::{Answer, Facts, Part};
use crate::error::{Error, Kind, Result};
use crate::output::Out;

pub use document::document;
pub(crate) use document::{begin_document, end_document};

pub(crate) use captured::Contents;
pub use captured::{capture_error, captured};
use frontmatter::paint_keys;
use xml::whole;

/// The formats of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// YAML between `---` lines, then the content
    #[default]
    Frontmatter,
    /// One JSON document
    Json,
    /// The bytes of the file and nothing else
    Raw,
    /// The content alone, as UTF-8
    Text,
    /// The keys of frontmatter as attributes, with all text escaped
    Xml,
}

impl Format {
    /// Whether the format says anything beside the content.
    pub(crate) fn has_receipt(self) -> bool {
        !matches!(self, Format::Raw | Format::Text)
    }
}

/// The content of a part, to be delivered when its place has come.
pub trait Body {
    /// Delivers to a sink that transforms it.
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()>;

    /// Delivers as it is.
    fn plain(&mut self, out: &mut Out) -> Result<()>;
}

/// One format on its way to standard output.
pub(crate) trait Renderer {
    /// What stands before the first part; there is no one `answer` about several files.
    fn begin(&mut self, out: &mut Out, answer: Option<&Answer<'_>>) -> Result<()>;

    /// A part: envelope and content, in the order of the format.
    fn part(&mut self, out: &mut Out, answer: &Answer<'_>, part: &Part, body: &mut dyn Body) -> Result<()>;

    /// What stands after the last part.
    fn finish(&mut self, out: &mut Out, ending: Ending<'_>) -> Result<()>;
}

/// What is known when everything has been delivered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending<'a> {
    /// Every file, with what has happened to it meanwhile.
    pub answers: &'a [Answer<'a>],
    /// The last part.
    pub last: Option<&'a Part>,
    /// Whether a budget cut any part.
    pub truncated: bool,
    /// Whether several files could be asked about.
    pub of_files: bool,
}

/// The renderer of `format`.
pub(crate) fn renderer(format: Format, color: bool) -> Box<dyn Renderer> {
    match format {
        Format::Frontmatter => Box::new(frontmatter::Frontmatter { color }),
        Format::Json => Box::<json::Json>::default(),
        Format::Raw | Format::Text => Box::new(plain::Plain),
        Format::Xml => Box::<xml::Xml>::default(),
    }
}

/// The names of an envelope that stands alone.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// The XML element of one.
    pub one: &'static str,
    /// The XML element around several.
    pub several: &'static str,
    /// The JSON member that lists several.
    pub list: &'static str,
}

/// Envelopes alone, for commands without content; framed as a list if there may be `several`.
pub fn envelopes(
    out: &mut Out,
    format: Format,
    color: bool,
    names: Names,
    all: &[Facts],
    several: bool,
) -> Result<()> {
    match format {
        Format::Frontmatter => all.iter().try_for_each(|facts| frontmatter::write_block(out, facts, color)),
        Format::Raw | Format::Text => {
            let yaml = |facts: &Facts| Ok(paint_keys(&written(facts.to_yaml())?, color));
            let documents = all.iter().map(yaml).collect::<Result<Vec<_>>>()?;
            out.write(documents.join("\n").as_bytes())
        }
        Format::Json => {
            let objects = all.iter().map(|facts| written(facts.to_json())).collect::<Result<Vec<_>>>()?;
            let objects = objects.join(",\n ");
            let text =
                if several { format!("{{\"{}\": [{objects}]}}\n", names.list) } else { objects + "\n" };
            out.write(text.as_bytes())
        }
        Format::Xml => {
            let elements: String = all.iter().map(|facts| whole(names.one, facts)).collect();
            let frame = names.several;
            let text = if several { format!("<{frame}>\n{elements}</{frame}>\n") } else { elements };
            out.write(text.as_bytes())
        }
    }
}

/// An envelope that a serializer has refused, which none of our values can cause.
fn written(text: anyhow::Result<String>) -> Result<String> {
    text.map_err(|cause| Error::new(Kind::Io, format!("cannot write the receipt: {cause:#}")))
}
