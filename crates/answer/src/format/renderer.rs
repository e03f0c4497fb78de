//! The parts of an answer, and the trait of a renderer of them.

use serde_json::Value;

use crate::content::Sink;
use crate::output::Out;
use crate::receipt::{Envelope, FileInfo, LeftOut, Markup, Members, Receipt, keys};
use rread_text::Result;

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
    fn plain(&mut self, out: &mut Out) -> Result<()> {
        self.write(out)
    }
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
    fn begin(&mut self, _out: &mut Out, _frame: &Frame) -> Result<()> {
        Ok(())
    }

    fn part(&mut self, out: &mut Out, part: Part<'_, '_>) -> Result<()>;

    fn finish(&mut self, _out: &mut Out, _tail: Tail<'_>) -> Result<()> {
        Ok(())
    }
}

/// The keys that --brief shows of every receipt that has them.
pub const BRIEF: &str = "error kind total_lines actual_range page sheet header_row on_pages matches complete cut_by clipped_lines \
    invalid_utf8 truncated next encoding_hint damaged notices trailing_garbage trailing_hint change";

/// The keys that distinguish one of several receipts.
pub const OF_MANY: [&str; 3] = ["path", "path_base64", "content_bytes"];

/// Leaves out of the receipts for people what need not be said.
#[derive(Default)]
pub(super) struct Essential {
    is_brief: bool,
    is_list: bool,
    path: Option<Value>,
    /// The notes about this file so far.
    said: Members,
}

impl Essential {
    pub(super) fn new(frame: &Frame) -> Self {
        let is_list = frame.list.is_some();
        Essential { is_brief: frame.is_brief, is_list, ..Essential::default() }
    }

    /// `is_list`: other content follows, so that the receipt has to say where its own ends.
    pub(super) fn people(
        &mut self,
        envelope: &dyn Envelope,
        file: &FileInfo,
        markup: Markup,
        is_list: bool,
    ) -> Result<Members> {
        let mut members = envelope.people(file, markup, self.is_brief)?;
        let path = members.get("path").cloned();
        if path != self.path {
            self.said.clear();
            self.path = path;
        }
        for key in keys(envelope.said_once()) {
            match members.get(key) {
                Some(value) if self.said.get(key) == Some(value) => drop(members.shift_remove(key)),
                Some(value) => drop(self.said.insert(key.to_owned(), value.clone())),
                None => {}
            }
        }
        if self.is_brief {
            members.retain(|key, _| is_essential(key, envelope.brief(), is_list || self.is_list));
        }
        Ok(members)
    }
}

fn is_essential(key: &str, own: &'static str, is_list: bool) -> bool {
    keys(BRIEF).chain(keys(own)).any(|shown| shown == key) || is_list && OF_MANY.contains(&key)
}

/// The members of JSON that are essential, `own` beside those of every receipt. A string shows its own length, and lines
/// stand without their bytes.
pub(super) fn essential(receipt: &dyn Receipt, own: &'static str, of_files: bool) -> Result<Members> {
    let mut members = receipt.members()?;
    members.retain(|key, _| is_essential(key, own, of_files) && key != "content_bytes");
    if let Some(Value::Object(range)) = members.get_mut("actual_range")
        && range.get("start_line").is_some_and(|line| !line.is_null())
    {
        range.retain(|key, _| key.ends_with("_line"));
    }
    Ok(members)
}
