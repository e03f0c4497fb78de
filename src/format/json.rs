//! JSON: one document, the content first, so that the receipt can say what happened while it was read.

use super::brief::essential_json;
use super::escape::JsonText;
use super::renderer::{Frame, Part, Renderer, Tail};
use crate::output::Out;
use crate::receipt::error_members;
use rread_text::error::Result;

#[derive(Default)]
pub(super) struct Json {
    frame: Frame,
    parts: usize,
}

impl Renderer for Json {
    fn begin(&mut self, out: &mut Out, frame: &Frame) -> Result<()> {
        self.frame = frame.clone();
        match frame.list {
            Some(list) => out.write(format!("{{\"{}\": [", list.member).as_bytes()),
            None => Ok(()),
        }
    }

    fn part(&mut self, out: &mut Out, part: Part<'_, '_>) -> Result<()> {
        if self.parts > 0 {
            out.write(b",\n ")?;
        }
        self.parts += 1;
        if !self.frame.has_content {
            return out.write(part.envelope.json(part.file)?.as_bytes());
        }
        out.write(b"{")?;
        let error = part.envelope.error();
        if let Some(error) = error {
            out.write(error_members(error)?.as_bytes())?;
            out.write(b", ")?;
        }
        for section in part.sections {
            out.write(format!("\"{}\": \"", section.member).as_bytes())?;
            if error.is_none() {
                section.body.write(&mut JsonText(out))?;
            }
            out.write(b"\", ")?;
        }
        // A single part waits for its receipt until everything has been read.
        match self.frame.list {
            Some(_) => {
                let receipt = part.envelope.segment_json(part.file)?;
                let receipt = essential_json(receipt, &self.frame)?;
                out.write(format!("\"metadata\": {receipt}}}").as_bytes())
            }
            None => Ok(()),
        }
    }

    fn finish(&mut self, out: &mut Out, tail: Tail<'_>) -> Result<()> {
        if self.frame.list.is_some() {
            out.write(b"]")?;
        }
        match (tail, self.frame.has_content) {
            (Tail::Part(envelope, file), true) => {
                let receipt = essential_json(envelope.json(file)?, &self.frame)?;
                out.write(format!("\"metadata\": {receipt}}}\n").as_bytes())
            }
            (Tail::List(receipt), true) => {
                let receipt = essential_json(receipt()?, &self.frame)?;
                out.write(format!(", \"metadata\": {receipt}}}\n").as_bytes())
            }
            (Tail::List(receipt), false) if self.frame.has_summary => {
                out.write(format!(", \"metadata\": {}}}\n", receipt()?).as_bytes())
            }
            (Tail::Part(..), false) => out.write(b"\n"),
            (Tail::List(_), false) => out.write(b"}\n"),
        }
    }
}
