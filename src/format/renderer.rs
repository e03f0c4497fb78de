//! What a format is given: frames, parts with their content, and what is known at the end.

use crate::content::Sink;
use crate::envelope::{Envelope, Facts, FileInfo};
use crate::error::Result;
use crate::output::Out;

/// What stands around the parts of an answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// The names of the list, if the answer is one.
    pub(crate) list: Option<List>,
    /// Whether the command answers with content, so that receipts stand beside it; otherwise the receipts are the answer.
    pub(crate) has_content: bool,
    /// What XML says of the whole list.
    pub(crate) facts: Facts,
}

/// The names of a list of parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    /// The member of JSON.
    pub(crate) member: &'static str,
    /// The element of XML.
    pub(crate) element: &'static str,
}

/// A part of an answer: its receipt and its content.
pub(crate) struct Part<'e, 's> {
    pub(crate) envelope: &'e dyn Envelope,
    pub(crate) file: &'e FileInfo,
    /// The content; empty if the answer leaves it out.
    pub(crate) sections: Vec<Section<'s>>,
}

/// A piece of the content of a part.
pub(crate) struct Section<'a> {
    /// The member of JSON.
    pub(crate) member: &'static str,
    /// The element of XML; `None` if the text stands in the element of the part.
    pub(crate) element: Option<&'static str>,
    /// Its own receipt: for frontmatter, and for XML.
    pub(crate) receipt: Option<(Facts, Facts)>,
    pub(crate) body: &'a mut dyn Body,
}

impl<'a> Section<'a> {
    /// The content of a part that has one piece.
    pub(crate) fn content(body: &'a mut dyn Body) -> Self {
        Section { member: "content", element: None, receipt: None, body }
    }
}

/// Content that is written when its turn comes.
pub(crate) trait Body {
    /// Writes to a sink that transforms it.
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()>;

    /// Writes it as it is.
    fn plain(&mut self, out: &mut Out) -> Result<()>;
}

/// What is known when everything has been written.
pub(crate) enum Tail<'a> {
    /// The last part of an answer that is not a list.
    Part(&'a dyn Envelope, &'a FileInfo),
    /// The receipt of the list, as JSON; computed only if the format shows it.
    List(&'a dyn Fn() -> Result<String>),
}

/// One format on its way to standard output.
pub(crate) trait Renderer {
    /// Writes what stands before the first part.
    fn begin(&mut self, out: &mut Out, frame: &Frame) -> Result<()>;

    /// Writes a part: receipt and content, in the order of the format.
    fn part(&mut self, out: &mut Out, part: Part<'_, '_>) -> Result<()>;

    /// Writes what stands after the last part.
    fn finish(&mut self, out: &mut Out, tail: Tail<'_>) -> Result<()>;
}
