//! Records that are JSON arrays: each value belongs to the column at its position.

use std::ops::Range;

use super::brackets::string_end;
use crate::error::counted;

/// `array` is a well-formed JSON array.
pub(super) fn elements(array: &[u8]) -> Vec<Range<usize>> {
    let mut elements = Vec::new();
    let (mut start, mut at, mut depth) = (1, 1, 0usize);
    while let Some(byte) = array.get(at) {
        match byte {
            b'"' => {
                let (Ok(after) | Err(after)) = string_end(array, at + 1);
                at = after;
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth > 0 => depth -= 1,
            b']' => {
                // The last value ends here, unless the array is empty.
                if !elements.is_empty()
                    || array.get(start..at).is_some_and(|last| !last.trim_ascii().is_empty())
                {
                    elements.push(start..at);
                }
                break;
            }
            b',' if depth == 0 => {
                elements.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    elements
}

/// Converts arrays to objects, because Arrow's decoder accepts only objects.
pub(super) struct Arrays {
    pub width: usize,
    /// Positions of the values to read.
    pub places: Vec<usize>,
}

impl Arrays {
    pub fn key(nth: usize) -> String {
        nth.to_string()
    }

    /// `array` is a well-formed JSON array. Fails if the number of values is wrong.
    pub fn object(&self, array: &[u8], object: &mut Vec<u8>) -> Result<(), String> {
        let elements = elements(array);
        if elements.len() != self.width {
            let values = counted(elements.len() as u64, "value");
            return Err(format!("it has {values}, the table has {}", counted(self.width as u64, "column")));
        }
        object.clear();
        for (nth, place) in self.places.iter().enumerate() {
            object.push(if nth == 0 { b'{' } else { b',' });
            object.extend_from_slice(format!("\"{}\":", Self::key(nth)).as_bytes());
            let element = elements.get(*place).and_then(|range| array.get(range.clone()));
            object.extend_from_slice(element.unwrap_or(b"null"));
        }
        if object.is_empty() {
            object.push(b'{');
        }
        object.push(b'}');
        Ok(())
    }
}
