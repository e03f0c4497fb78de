//! The parts of an answer, and the trait of a renderer of them.

use crate::content::Sink;
use crate::output::Out;
use crate::receipt::{Envelope, FileInfo, LeftOut, Members};
use rread_text::error::Result;

/// The frame around the parts of an answer.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The names of the list, if the answer is one.
    pub list: Option<List>,
    /// Without content, the receipts are the answer.
    pub has_content: bool,
    /// The attributes of the whole list in XML.
    pub facts: Members,
    /// Whether the answer is about several files.
    pub of_files: bool,
    /// Whether the user wants only what is needed to go on.
    pub is_brief: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct List {
    /// The member of JSON.
    pub member: &'static str,
    /// The element of XML.
    pub element: &'static str,
}

pub struct Part<'e, 's> {
    pub envelope: &'e dyn Envelope,
    pub file: &'e FileInfo,
    /// The content; empty if the answer leaves it out.
    pub sections: Vec<Section<'s>>,
}

pub struct Section<'a> {
    /// The member of JSON.
    pub member: &'static str,
    /// The element of XML; without one, the text is in the element of the part.
    pub element: Option<&'static str>,
    /// Its own receipt: for frontmatter, and for XML.
    pub receipt: Option<(Members, Members)>,
    pub body: &'a mut dyn Body,
}

impl<'a> Section<'a> {
    pub fn content(body: &'a mut dyn Body) -> Self {
        Section { member: "content", element: None, receipt: None, body }
    }
}

/// Content that is written when its turn comes.
pub trait Body {
    /// Writes to a sink that transforms it.
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()>;

    /// Writes it as it is.
    fn plain(&mut self, out: &mut Out) -> Result<()>;
}

/// The receipt after everything else.
pub enum Tail<'a> {
    /// The last part of an answer that is not a list.
    Part(&'a dyn Envelope, &'a FileInfo),
    /// The files of a list, whether a budget cut any part, and what a search did not read.
    Files(&'a [FileInfo], bool, Option<&'a LeftOut>),
    /// The receipt after a list without contents.
    Summary(&'a dyn Envelope),
}

/// Makes the renderer of an answer that is not for standard output.
pub trait Renders: std::fmt::Debug + Send + Sync {
    fn renderer(&self) -> Box<dyn Renderer>;
}

/// Writes one format to standard output.
pub trait Renderer {
    fn begin(&mut self, out: &mut Out, frame: &Frame) -> Result<()>;

    fn part(&mut self, out: &mut Out, part: Part<'_, '_>) -> Result<()>;

    fn finish(&mut self, out: &mut Out, tail: Tail<'_>) -> Result<()>;
}
