//! Raw and text: the content and nothing else.

use super::{Body, Ending, Renderer};
use crate::envelope::{Answer, Part};
use crate::error::Result;
use crate::output::Out;

pub(super) struct Plain;

impl Renderer for Plain {
    fn begin(&mut self, _: &mut Out, _: Option<&Answer<'_>>) -> Result<()> {
        Ok(())
    }

    fn part(&mut self, out: &mut Out, _: &Answer<'_>, part: &Part, body: &mut dyn Body) -> Result<()> {
        if part.outcome.is_ok() { body.plain(out) } else { Ok(()) }
    }

    fn finish(&mut self, _: &mut Out, _: Ending<'_>) -> Result<()> {
        Ok(())
    }
}
