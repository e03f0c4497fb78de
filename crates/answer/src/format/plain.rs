//! Raw and text: the content and nothing else; the receipts of commands without content, as YAML.

use super::frontmatter::paint_keys;
use super::renderer::{Frame, Part, Renderer, Tail};
use crate::output::Out;
use crate::receipt::{Markup, yaml};
use rread_text::error::Result;

pub(super) struct Plain {
    color: bool,
    has_content: bool,
    is_first: bool,
}

impl Plain {
    pub(super) fn new(color: bool) -> Self {
        Plain { color, has_content: true, is_first: true }
    }
}

impl Renderer for Plain {
    fn begin(&mut self, _: &mut Out, frame: &Frame) -> Result<()> {
        self.has_content = frame.has_content;
        Ok(())
    }

    fn part(&mut self, out: &mut Out, part: Part<'_, '_>) -> Result<()> {
        if !self.has_content {
            let separator: &[u8] = if std::mem::take(&mut self.is_first) { b"" } else { b"\n" };
            out.write(separator)?;
            let facts = part.envelope.people(part.file, Markup::Yaml, false)?;
            return out.write(paint_keys(&yaml(&facts)?, self.color).as_bytes());
        }
        // Two pieces with a gap between them would look like one text.
        match part.sections.into_iter().next().filter(|_| part.envelope.error().is_none()) {
            Some(first) => first.body.plain(out),
            None => Ok(()),
        }
    }

    fn finish(&mut self, _: &mut Out, _: Tail<'_>) -> Result<()> {
        Ok(())
    }
}
