//! The interface of formats: frames, parts with their content, and the receipt at the end.

use crate::content::Sink;
use crate::output::Out;
use crate::receipt::{Envelope, Facts, FileInfo};
use rread_text::error::Result;

/// The frame around the parts of an answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// The names of the list, if the answer is one.
    pub(crate) list: Option<List>,
    /// Without content, the receipts are the answer.
    pub(crate) has_content: bool,
    /// The attributes of the whole list in XML.
    pub(crate) facts: Facts,
    /// Whether the answer is about several files.
    pub(crate) of_files: bool,
    /// Whether the user wants only what is needed to go on.
    pub(crate) is_brief: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    /// The member of JSON.
    pub(crate) member: &'static str,
    /// The element of XML.
    pub(crate) element: &'static str,
}

pub(crate) struct Part<'e, 's> {
    pub(crate) envelope: &'e dyn Envelope,
    pub(crate) file: &'e FileInfo,
    /// The content; empty if the answer leaves it out.
    pub(crate) sections: Vec<Section<'s>>,
}

pub(crate) struct Section<'a> {
    /// The member of JSON.
    pub(crate) member: &'static str,
    /// The element of XML; without one, the text is in the element of the part.
    pub(crate) element: Option<&'static str>,
    /// Its own receipt: for frontmatter, and for XML.
    pub(crate) receipt: Option<(Facts, Facts)>,
    pub(crate) body: &'a mut dyn Body,
}

impl<'a> Section<'a> {
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

/// The receipt after everything else.
pub(crate) enum Tail<'a> {
    /// The last part of an answer that is not a list.
    Part(&'a dyn Envelope, &'a FileInfo),
    /// The files of a list, and whether a budget cut any part.
    Files(&'a [FileInfo], bool),
    /// The receipt after a list without contents.
    Summary(&'a dyn Envelope),
}

/// Makes the renderer of an answer that is not for standard output.
pub(crate) trait Renders: std::fmt::Debug + Send + Sync {
    fn renderer(&self) -> Box<dyn Renderer>;
}

/// Writes one format to standard output.
pub(crate) trait Renderer {
    fn begin(&mut self, out: &mut Out, frame: &Frame) -> Result<()>;

    fn part(&mut self, out: &mut Out, part: Part<'_, '_>) -> Result<()>;

    fn finish(&mut self, out: &mut Out, tail: Tail<'_>) -> Result<()>;
}
