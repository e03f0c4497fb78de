//! Records that are JSON arrays: each value belongs to the column at its position.

use super::brackets::string_end;
use rread_text::error::counted;

/// The parts between the commas of `array`, a well-formed JSON array or object.
pub(super) fn elements(array: &[u8]) -> Vec<&[u8]> {
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
            b',' | b']' | b'}' if depth == 0 => {
                elements.push(&array[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if let [only] = elements.as_slice()
        && only.trim_ascii().is_empty()
    {
        elements.clear();
    }
    elements
}

/// Converts arrays to objects, because Arrow's decoder accepts only objects.
#[derive(Debug)]
pub(super) struct Arrays {
    pub width: usize,
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
        object.push(b'{');
        for (nth, place) in self.places.iter().enumerate() {
            let comma = if nth == 0 { "" } else { "," };
            object.extend_from_slice(format!("{comma}\"{}\":", Self::key(nth)).as_bytes());
            object.extend_from_slice(elements[*place]);
        }
        object.push(b'}');
        Ok(())
    }
}
