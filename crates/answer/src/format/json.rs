//! JSON: one document, the content first, so that the receipt can say what happened while it was read.

use serde_json::json;

use super::escape::JsonText;
use super::renderer::{Frame, Part, Renderer, Tail, essential};
use crate::output::Out;
use crate::receipt::{FileInfo, Receipt, WholeFile, WholeFiles, error_members, json};
use rread_text::Result;

#[derive(Default)]
pub(super) struct Json {
    frame: Frame,
    parts: usize,
}

impl Renderer for Json {
    fn begin(&mut self, out: &mut Out, frame: &Frame) -> Result<()> {
        self.frame = frame.clone();
        frame.list.map_or(Ok(()), |list| out.write(format!("{{\"{}\": [", list.member).as_bytes()))
    }

    fn part(&mut self, out: &mut Out, part: Part<'_, '_>) -> Result<()> {
        if self.parts > 0 {
            out.write(b",\n ")?;
        }
        self.parts += 1;
        if !self.frame.has_content {
            return out.write(part.envelope.receipt(part.file, false).json()?.as_bytes());
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
        if self.frame.list.is_none() {
            return Ok(());
        }
        let receipt = part.envelope.segment(part.file, self.frame.is_brief);
        let receipt = self.receipt(&*receipt, part.envelope.brief())?;
        out.write(format!("\"metadata\": {receipt}}}").as_bytes())
    }

    fn finish(&mut self, out: &mut Out, tail: Tail<'_>) -> Result<()> {
        if self.frame.list.is_some() {
            out.write(b"]")?;
        }
        let receipt = match tail {
            Tail::Part(..) if !self.frame.has_content => return out.write(b"\n"),
            Tail::Files(..) if !self.frame.has_content => return out.write(b"}\n"),
            Tail::Part(envelope, file) => {
                let receipt = envelope.receipt(file, self.frame.is_brief);
                let receipt = self.receipt(&*receipt, envelope.brief())?;
                return out.write(format!("\"metadata\": {receipt}}}\n").as_bytes());
            }
            Tail::Files([file], truncated, _) if !self.frame.of_files => {
                self.receipt(&WholeFile::of(file, Some(truncated)), "")?
            }
            Tail::Files(files, truncated, left_out) => {
                let is_shown =
                    files.iter().any(|file| file.search.as_ref().is_some_and(|found| found.shown > 0));
                let found = || files.iter().filter(|_| !is_shown).filter_map(|file| file.search.as_ref());
                let matches = found().map(|found| found.matches).reduce(std::ops::Add::add);
                let matched_lines = found().map(|found| found.matched_lines).reduce(std::ops::Add::add);
                let files = files.iter().map(|file| WholeFile::of(file, None));
                if self.frame.is_brief {
                    let files = files.map(|file| essential(&file, "", true)).collect::<Result<Vec<_>>>()?;
                    let answer = json!({ "files": files, "truncated": truncated, "left_out": left_out });
                    json(&answer.known()?)?
                } else {
                    json(&WholeFiles { files: files.collect(), matches, matched_lines, left_out, truncated })?
                }
            }
            Tail::Summary(envelope) if self.frame.has_content => {
                self.receipt(&*envelope.receipt(&FileInfo::default(), self.frame.is_brief), envelope.brief())?
            }
            Tail::Summary(envelope) => envelope.receipt(&FileInfo::default(), false).json()?,
        };
        out.write(format!(", \"metadata\": {receipt}}}\n").as_bytes())
    }
}

impl Json {
    fn receipt(&self, receipt: &dyn Receipt, brief: &'static str) -> Result<String> {
        if self.frame.is_brief {
            json(&essential(receipt, brief, self.frame.of_files)?)
        } else {
            receipt.json()
        }
    }
}
