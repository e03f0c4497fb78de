//! JSON: one document, the content first, so that the receipt can say what happened while it was read.

use super::escape::JsonText;
use super::{Body, Renderer, written};
use crate::error::Result;
use crate::output::Out;
use crate::report::{Answer, Part, error_members, file_metadata, metadata};

#[derive(Default)]
pub(super) struct Json {
    segments: usize,
}

impl Renderer for Json {
    fn begin(&mut self, out: &mut Out, answer: &Answer<'_>) -> Result<()> {
        if answer.several { out.write(b"{\"segments\": [") } else { Ok(()) }
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
                body.pour(&mut JsonText(out))?;
            }
            out.write(b"\", ")?;
        }
        // A single part waits for its receipt until everything has been read.
        if answer.several {
            out.write(format!("\"metadata\": {}}}", written(metadata(answer, part))?).as_bytes())?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out, answer: &Answer<'_>, parts: &[Part]) -> Result<()> {
        let metadata = match parts {
            [part] if !answer.several => metadata(answer, part),
            _ => {
                out.write(b"], ")?;
                file_metadata(answer, parts)
            }
        };
        out.write(format!("\"metadata\": {}}}\n", written(metadata)?).as_bytes())
    }
}
