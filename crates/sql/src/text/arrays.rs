//! Records that are JSON arrays: each value belongs to the column at its position.

use rread_text::error::counted;
use rread_text::json::items;

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
        let elements: Vec<&[u8]> = items(array).collect();
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
