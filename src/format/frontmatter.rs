//! Frontmatter: YAML between `---` lines, then the content, exactly `content_bytes` long.

use owo_colors::OwoColorize;

use super::{Body, Ending, Renderer, written};
use crate::envelope::{Answer, Facts, Part, facts};
use crate::error::Result;
use crate::output::Out;

pub(super) struct Frontmatter {
    pub(super) color: bool,
}

impl Renderer for Frontmatter {
    fn begin(&mut self, _: &mut Out, _: Option<&Answer<'_>>) -> Result<()> {
        Ok(())
    }

    fn part(&mut self, out: &mut Out, answer: &Answer<'_>, part: &Part, body: &mut dyn Body) -> Result<()> {
        write_block(out, &facts(answer, part), self.color)?;
        if answer.metadata_only || part.outcome.is_err() {
            return Ok(());
        }
        body.plain(out)
    }

    fn finish(&mut self, _: &mut Out, _: Ending<'_>) -> Result<()> {
        Ok(())
    }
}

/// Writes one YAML document with its two `---` lines.
pub(super) fn write_block(out: &mut Out, facts: &Facts, color: bool) -> Result<()> {
    let yaml = written(facts.to_yaml())?;
    out.write(b"---\n")?;
    out.write(paint_keys(&yaml, color).as_bytes())?;
    out.write(b"---\n")
}

/// Paints the keys at the start of the lines of `yaml`.
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
                painted.push_str(&format!("{}:{rest}", key.cyan()));
            }
            _ => painted.push_str(line),
        }
    }
    painted
}
