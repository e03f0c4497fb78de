//! Frontmatter: YAML between `---` lines, then the content, exactly `content_bytes` long. Raw and text: the content and
//! nothing else; the receipts of commands without content, as YAML.

use owo_colors::OwoColorize;

use super::renderer::{Essential, Frame, Part, Renderer};
use crate::output::Out;
use crate::receipt::{Markup, Members, yaml};
use rread_text::Result;

pub(super) struct Frontmatter {
    color: bool,
    essential: Essential,
}

impl Renderer for Frontmatter {
    fn begin(&mut self, _: &mut Out, frame: &Frame) -> Result<()> {
        self.essential = Essential::new(frame);
        Ok(())
    }

    fn part(&mut self, out: &mut Out, part: Part<'_, '_>) -> Result<()> {
        if !part.envelope.is_bare() {
            // A capture may have its last page after the content.
            let is_list = part.sections.len() > 1;
            let receipt = self.essential.people(part.envelope, part.file, Markup::Yaml, is_list)?;
            self.block(out, &receipt)?;
        }
        if part.envelope.error().is_some() {
            return Ok(());
        }
        for section in part.sections {
            if let Some((receipt, _)) = &section.receipt {
                self.block(out, receipt)?;
            }
            section.body.plain(out)?;
        }
        Ok(())
    }
}

impl Frontmatter {
    pub(super) fn new(color: bool) -> Self {
        Frontmatter { color, essential: Essential::default() }
    }

    /// Writes one YAML document with its two `---` lines.
    fn block(&self, out: &mut Out, receipt: &Members) -> Result<()> {
        out.write(b"---\n")?;
        out.write(paint_keys(&yaml(receipt)?, self.color).as_bytes())?;
        out.write(b"---\n")
    }
}

pub(super) fn paint_keys(yaml: &str, color: bool) -> String {
    if !color {
        return yaml.to_owned();
    }
    let mut painted = String::with_capacity(yaml.len() * 2);
    for line in yaml.split_inclusive('\n') {
        match line.split_once(':') {
            Some((key, rest))
                if key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_' || b == b' ' || b == b'8') =>
            {
                painted += &format!("{}:{rest}", key.cyan());
            }
            _ => painted += line,
        }
    }
    painted
}

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
        let first = part.sections.into_iter().next().filter(|_| part.envelope.error().is_none());
        first.map_or(Ok(()), |first| first.body.plain(out))
    }
}
