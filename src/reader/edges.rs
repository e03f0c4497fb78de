//! Byte offsets to character edges: where a cut may be made, and how far it has to move.

use super::Reader;
use crate::error::Result;
use crate::utf8::{self, MAX_CHAR, Run};

/// What to do with a cut that would split a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Align {
    /// Take the whole character in.
    #[default]
    Expand,
    /// Leave the whole character out.
    Shrink,
    /// Cut exactly where asked.
    None,
}

impl Reader {
    /// Moves both ends of a byte range to character edges. An empty range stays as it is.
    ///
    /// # Errors
    /// Those of reading the few bytes around each end.
    pub fn align(&self, start: u64, end: u64, align: Align) -> Result<(u64, u64)> {
        if align == Align::None || start >= end {
            return Ok((start, end));
        }
        let (first, last) = (self.split_char(start)?, self.split_char(end)?);
        Ok(match align {
            Align::Expand => (first.map_or(start, |c| c.0), last.map_or(end, |c| c.1)),
            _ => {
                let start = first.map_or(start, |c| c.1);
                (start, last.map_or(end, |c| c.0).max(start))
            }
        })
    }

    /// The first and the past-the-last offset of the character that a cut at `offset` would split.
    fn split_char(&self, offset: u64) -> Result<Option<(u64, u64)>> {
        const REACH: u64 = MAX_CHAR as u64 - 1;
        let from = offset.saturating_sub(REACH);
        let mut window = [0; 2 * MAX_CHAR];
        let before = usize::try_from(offset - from).unwrap_or(0);
        self.read_exact(&mut window[..before], from)?;
        // What lies behind the cut is read only if it matters: it may not have been written yet.
        if !ends_inside(&window[..before]) {
            return Ok(None);
        }
        let to = self.reach(offset.saturating_add(REACH))?;
        if offset >= to {
            return Ok(None);
        }
        let len = usize::try_from(to - from).unwrap_or(window.len()).min(window.len());
        self.read_exact(&mut window[..len], from)?;
        let at = usize::try_from(offset - from).unwrap_or(0);
        let split = utf8::split_char(&window[..len], at);
        Ok(split.map(|(start, end)| (from + start as u64, from + end as u64)))
    }
}

/// Whether `bytes` end with the beginning of a character.
fn ends_inside(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some((run, left)) = utf8::next_run(rest) {
        if matches!(run, Run::Cut(_)) {
            return true;
        }
        rest = left;
    }
    false
}
