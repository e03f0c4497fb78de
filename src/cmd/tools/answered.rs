//! Answers of commands in memory, and the parts that tools take from them.

use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde_json::json;

use rread_answer::continuation::Next;
use rread_answer::format::{Format, Frame, Part, Renderer, Renders, Tail};
use rread_answer::options::OutputOptions;
use rread_answer::output::Out;
use rread_answer::receipt::{FileInfo, Members, PartData};
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

/// Runs `command` with options that collect its answer. Returns the answer, and the error that the answer
/// reports.
pub(super) fn answered(
    command: impl FnOnce(OutputOptions) -> Result<()>,
) -> Result<(Collected, Option<Error>)> {
    let collector = Collector::default();
    let output = OutputOptions {
        format: Format::Json,
        renders: Some(Arc::new(collector.clone())),
        ..OutputOptions::default()
    };
    let outcome = command(output);
    match (outcome, collector.take()) {
        (Ok(()), Some(answer)) => Ok((answer, None)),
        // A part that failed is reported in its place.
        (Err(error), Some(answer)) => Ok((answer, Some(error))),
        (Err(error), None) => Err(error),
        (Ok(()), None) => Err(incomplete()),
    }
}

/// The answer of a command that is about one file and has one part.
pub(super) fn answered_once(
    command: impl FnOnce(OutputOptions) -> Result<()>,
) -> Result<(CollectedPart, Option<Error>)> {
    let (mut answer, error) = answered(command)?;
    Ok((answer.parts.pop().ok_or_else(incomplete)?, error))
}

pub(super) fn incomplete() -> Error {
    Error::new(Kind::Io, "the answer is incomplete")
}

/// Takes one complete answer; its clones share it.
#[derive(Clone, Debug, Default)]
struct Collector(Arc<Mutex<Option<Collected>>>);

impl Collector {
    /// The answer, if a command has finished one.
    fn take(&self) -> Option<Collected> {
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

/// The arguments of `read` that return the slice `next`, without those that stay the same.
pub(super) fn next_call(name: &str, next: &NextSlice) -> Option<Members> {
    let mut arguments = Members::new();
    arguments.insert("path".to_owned(), json!(name));
    match &*next.command {
        command @ ("lines" | "bytes") => {
            arguments.insert(command.to_owned(), json!(next.range));
            arguments.extend(next.bounded.then(|| ("bounded".to_owned(), json!(true))));
        }
        "page" => {
            arguments.insert("page".to_owned(), json!(next.range.parse::<u64>().ok()?));
            arguments.extend(next.page_size.map(|size| ("page_size".to_owned(), json!(size))));
        }
        _ => return None,
    }
    Some(arguments)
}

/// The slice that follows, from memory or from the JSON of another process.
#[derive(Deserialize)]
pub(super) struct NextSlice {
    command: String,
    range: String,
    page_size: Option<u64>,
    #[serde(default)]
    bounded: bool,
}

impl From<Next> for NextSlice {
    fn from(next: Next) -> Self {
        let (page_size, bounded) = (next.page_size(), next.is_bounded());
        NextSlice { command: next.command().to_owned(), range: next.argument(), page_size, bounded }
    }
}
