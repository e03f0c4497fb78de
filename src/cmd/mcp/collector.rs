//! Answers in memory, for the tools of MCP: the members that a tool shows, and the content as text.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

use crate::format::{Frame, Part, Renderer, Renders, Tail};
use crate::output::Out;
use crate::receipt::{Receipt, WholeFile};
use rread_answer::rows::Tools;
use rread_text::error::{Error, Kind, Result};

pub(super) type Members = Map<String, Value>;

/// An answer with its receipts as members, of which those that are null are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Collected {
    pub(super) parts: Vec<CollectedPart>,
    /// The receipts of the files, if the answer is a list of parts.
    pub(super) files: Vec<Members>,
}

/// A part of an answer: its content, or why there is none.
#[derive(Clone, Debug, Default)]
pub(super) struct CollectedPart {
    pub(super) receipt: Members,
    pub(super) content: String,
    pub(super) error: Option<Error>,
}

/// Takes one complete answer; its clones share it.
#[derive(Clone, Debug)]
pub(super) struct Collector {
    tools: Tools,
    answer: Arc<Mutex<Option<Collected>>>,
}

impl Collector {
    /// Collects the members that `tools` show.
    pub(super) fn new(tools: Tools) -> Self {
        Collector { tools, answer: Arc::default() }
    }

    /// The answer, if a command has finished one.
    pub(super) fn take(&self) -> Option<Collected> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Renders for Collector {
    fn renderer(&self) -> Box<dyn Renderer> {
        let (frame, answer) = (Frame::default(), Collected::default());
        Box::new(Mcp { collector: self.clone(), frame, answer })
    }
}

struct Mcp {
    collector: Collector,
    frame: Frame,
    answer: Collected,
}

impl Mcp {
    fn members(&self, receipt: &dyn Receipt) -> Result<Members> {
        let shown = receipt.members(&|row| row.tools >= self.collector.tools)?.0.into_iter();
        let known = shown.filter(|(_, value)| !value.is_null());
        Ok(known.map(|(row, value)| (row.name.to_owned(), value)).collect())
    }
}

impl Renderer for Mcp {
    fn begin(&mut self, _: &mut Out, frame: &Frame) -> Result<()> {
        self.frame = frame.clone();
        Ok(())
    }

    fn part(&mut self, _: &mut Out, part: Part<'_, '_>) -> Result<()> {
        let error = part.envelope.error().cloned();
        let mut content = Vec::new();
        for section in part.sections.into_iter().filter(|_| error.is_none()) {
            section.body.write(&mut content)?;
        }
        let content =
            String::from_utf8(content).map_err(|_| Error::new(Kind::Io, "the content is not text"))?;
        let receipt = match self.frame.list {
            // A single part waits for its receipt until everything has been read.
            None if self.frame.has_content => Members::new(),
            _ => self.members(&*part.envelope.segment(part.file))?,
        };
        self.answer.parts.push(CollectedPart { receipt, content, error });
        Ok(())
    }

    fn finish(&mut self, _: &mut Out, tail: Tail<'_>) -> Result<()> {
        match (tail, self.answer.parts.len()) {
            (Tail::Part(envelope, file), count @ 1..) if self.frame.has_content => {
                self.answer.parts[count - 1].receipt = self.members(&*envelope.receipt(file))?;
            }
            (Tail::Files(files, _), _) => {
                let files = files.iter().map(|file| self.members(&WholeFile::of(file, None)));
                self.answer.files = files.collect::<Result<_>>()?;
            }
            _ => {}
        }
        let mut answer = self.collector.answer.lock().unwrap_or_else(PoisonError::into_inner);
        *answer = Some(std::mem::take(&mut self.answer));
        Ok(())
    }
}
