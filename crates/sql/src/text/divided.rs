//! Text whose values are divided by several characters, or by blanks, with one byte in their place.

use memchr::{memmem, memrchr};

use super::boundaries::newline_of;
use rread_text::error::Result;
use rread_text::layout::{Divider, Layout};

/// A text with one byte between values.
pub(crate) struct Divided {
    divider: Option<Divider>,
    newline: u8,
    /// A line that did not end yet.
    rest: Vec<u8>,
}

impl Divided {
    pub fn of(layout: &Layout) -> Self {
        let divider = match layout {
            Layout::Csv(csv) => csv.divider.clone(),
            Layout::Json { .. } | Layout::Jsonl { .. } => None,
        };
        Divided { divider, newline: newline_of(layout), rest: Vec::new() }
    }

    /// Whether the bytes are those of the text.
    pub fn is_verbatim(&self) -> bool {
        self.divider.is_none()
    }

    /// Appends what `read` appends, with the byte in the place of what divides values.
    pub fn read(
        &mut self,
        buffer: &mut Vec<u8>,
        read: impl FnOnce(&mut Vec<u8>) -> Result<bool>,
    ) -> Result<bool> {
        let before = buffer.len();
        let more = read(buffer)?;
        let Some(divider) = &self.divider else { return Ok(more) };
        self.rest.extend(buffer.drain(before..));
        let end =
            if more { memrchr(self.newline, &self.rest).map_or(0, |at| at + 1) } else { self.rest.len() };
        for line in self.rest.get(..end).unwrap_or_default().split_inclusive(|byte| *byte == self.newline) {
            match divider {
                Divider::Text(words) => {
                    let mut from = 0;
                    for at in memmem::find_iter(line, words) {
                        buffer.extend_from_slice(&line[from..at]);
                        buffer.push(Divider::BYTE);
                        from = at + words.len();
                    }
                    buffer.extend_from_slice(&line[from..]);
                }
                Divider::Blanks => {
                    let words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
                    for (nth, word) in words.enumerate() {
                        buffer.extend((nth > 0).then_some(Divider::BYTE));
                        buffer.extend_from_slice(word);
                    }
                    buffer.push(self.newline);
                }
            }
        }
        self.rest.drain(..end);
        Ok(more)
    }
}
