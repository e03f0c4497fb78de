//! JSON: one document, the content first, so that the receipt can say what happened while it was read.

use super::escape::JsonText;
use super::{Body, Ending, Renderer, written};
use crate::envelope::{Answer, Part, error_members, file_metadata, files_metadata, metadata};
use crate::error::Result;
use crate::output::Out;

#[derive(Default)]
pub(super) struct Json {
    several: bool,
    segments: usize,
}

impl Renderer for Json {
    fn begin(&mut self, out: &mut Out, answer: Option<&Answer<'_>>) -> Result<()> {
        self.several = answer.is_none_or(|answer| answer.several);
        if self.several { out.write(b"{\"segments\": [") } else { Ok(()) }
    }

    fn part(&mut self, out: &mut Out, answer: &Answer<'_>, part: &Part, body: &mut dyn Body) -> Result<()> {
        if self.segments > 0 {
            out.write(b",\n ")?;
        }
        self.segments += 1;
        out.write(b"{")?;
        if let Err(error) = &part.outcome {
            out.write(written(error_members(error))?.as_bytes())?;
            out.write(b", ")?;
        }
        if !answer.metadata_only {
            out.write(b"\"content\": \"")?;
            if part.outcome.is_ok() {
                body.write(&mut JsonText(out))?;
            }
            out.write(b"\", ")?;
        }
        // A single part waits for its receipt until everything has been read.
        if self.several {
            out.write(format!("\"metadata\": {}}}", written(metadata(answer, part))?).as_bytes())?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out, ending: Ending<'_>) -> Result<()> {
        if self.several {
            out.write(b"], ")?;
        }
        let metadata = match (ending.answers, ending.last) {
            ([answer], Some(part)) if !self.several => metadata(answer, part),
            ([answer], _) if !ending.of_files => file_metadata(answer, ending.truncated),
            (answers, _) => files_metadata(answers, ending.truncated),
        };
        out.write(format!("\"metadata\": {}}}\n", written(metadata)?).as_bytes())
    }
}
