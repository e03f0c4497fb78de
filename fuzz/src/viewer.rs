//! The viewer: whatever is typed and whatever is shown, it comes to rest with a screen that a terminal can show.

use rread_view::rehearse;

/// The script of keys ends with the first byte 0; the content of the file follows.
pub fn run(data: &[u8]) {
    let end = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let content = data.get(end + 1..).unwrap_or_default();
    if let Err(wrong) = rehearse(content, &data[..end]) {
        panic!("{wrong}");
    }
}
