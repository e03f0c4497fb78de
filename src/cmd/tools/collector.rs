//! Answers in memory, for the tools of MCP: their facts, and the content as text.

use std::sync::{Arc, Mutex, PoisonError};

use rread_answer::format::{Frame, Part, Renderer, Renders, Tail};
use rread_answer::output::Out;
use rread_answer::receipt::{FileInfo, PartData};
use rread_text::error::{Error, Kind, Result};

#[derive(Clone, Debug, Default)]
pub(super) struct Collected {
    pub(super) parts: Vec<CollectedPart>,
    /// The files, if the answer is a list of parts.
    pub(super) files: Vec<FileInfo>,
}

/// A part of an answer: its content, or why there is none.
#[derive(Clone, Debug)]
pub(super) struct CollectedPart {
    pub(super) data: PartData,
    pub(super) file: FileInfo,
    pub(super) content: String,
    pub(super) error: Option<Error>,
}

/// Takes one complete answer; its clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Collector(Arc<Mutex<Option<Collected>>>);

impl Collector {
    /// The answer, if a command has finished one.
    pub(super) fn take(&self) -> Option<Collected> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Renders for Collector {
    fn renderer(&self) -> Box<dyn Renderer> {
        Box::new(Mcp { collector: self.clone(), answer: Collected::default() })
    }
}

struct Mcp {
    collector: Collector,
    answer: Collected,
}

impl Renderer for Mcp {
    fn begin(&mut self, _: &mut Out, _: &Frame) -> Result<()> {
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
        let (data, file) = (PartData::of(part.envelope), part.file.clone());
        self.answer.parts.push(CollectedPart { data, file, content, error });
        Ok(())
    }

    fn finish(&mut self, _: &mut Out, tail: Tail<'_>) -> Result<()> {
        match (tail, self.answer.parts.last_mut()) {
            // Everything has been read only now.
            (Tail::Part(envelope, file), Some(part)) => {
                (part.data, part.file) = (PartData::of(envelope), file.clone());
            }
            (Tail::Files(files, _, _), _) => self.answer.files = files.to_vec(),
            _ => {}
        }
        let mut answer = self.collector.0.lock().unwrap_or_else(PoisonError::into_inner);
        *answer = Some(std::mem::take(&mut self.answer));
        Ok(())
    }
}
