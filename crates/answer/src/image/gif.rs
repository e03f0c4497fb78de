//! GIF: the logical screen, the palette of the first frame, and the blocks up to the trailer (GIF 89a).

use super::types::{Picture, PictureFormat};
use super::window::{ByteOrder, Fault, HeaderWindow, Parsed, reaches_end};

pub(super) fn read(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
    let (width, height) = (window.number(6, 2, ByteOrder::Little)?, window.number(8, 2, ByteOrder::Little)?);
    let flags = window.byte(10)?;
    window.byte(12)?;
    let table = table_bytes(flags);
    let global = colors(window, 13, table)?;
    let mut walk = BlockWalk { at: 13 + table as u64, frames: 0, width, height, local: None };
    let walked = walk.blocks(window, window.size().is_none());
    let complete = reaches_end(walked)?.filter(|_| window.size().is_some());
    if walk.frames == 0 && complete == Some(true) {
        return Fault::invalid(format!("of {width}x{height} without a picture in it"));
    }
    let has_colors = walk.local.or(global).unwrap_or(false);
    let mode = if has_colors { "P" } else { "L" };
    let frames = (complete == Some(true)).then_some(walk.frames);
    Ok(Picture { frames, complete, ..Picture::new(PictureFormat::Gif, walk.width, walk.height, Some(mode)) })
}

fn table_bytes(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// Whether a palette, if there is one, has colors; Pillow treats a palette of plain greys as greyscale.
fn colors(window: &mut HeaderWindow<'_>, at: u64, bytes: usize) -> Parsed<Option<bool>> {
    if bytes == 0 {
        return Ok(None);
    }
    let table = window.bytes(at, bytes)?;
    let is_grey = |(n, color): (usize, &[u8])| color.iter().all(|part| usize::from(*part) == n);
    Ok(Some(!table.chunks(3).enumerate().all(is_grey)))
}

struct BlockWalk {
    at: u64,
    frames: u64,
    width: u64,
    height: u64,
    /// Whether the palette of the first frame has colors, if it has one.
    local: Option<bool>,
}

impl BlockWalk {
    fn blocks(&mut self, window: &mut HeaderWindow<'_>, only_first: bool) -> Parsed<()> {
        loop {
            match window.byte(self.at)? {
                // A label byte precedes the sub-blocks.
                0x21 => self.sub_blocks(window, self.at + 2)?,
                0x2C => {
                    self.frame(window)?;
                    if only_first {
                        return Ok(());
                    }
                }
                0x3B => return Ok(()),
                // Pillow skips stray bytes between blocks.
                _ => self.at += 1,
            }
        }
    }

    fn frame(&mut self, window: &mut HeaderWindow<'_>) -> Parsed<()> {
        let mut field = |n: u64| window.number(self.at + n, 2, ByteOrder::Little);
        let (right, bottom) = (field(1)? + field(5)?, field(3)? + field(7)?);
        let table = table_bytes(window.byte(self.at + 9)?);
        if self.frames == 0 {
            // The screen is at least as large as its first frame.
            (self.width, self.height) = (self.width.max(right), self.height.max(bottom));
            self.local = colors(window, self.at + 10, table)?;
        }
        self.frames += 1;
        // The LZW minimum code size precedes the sub-blocks.
        self.sub_blocks(window, self.at + 10 + table as u64 + 1)
    }

    fn sub_blocks(&mut self, window: &mut HeaderWindow<'_>, mut at: u64) -> Parsed<()> {
        loop {
            let length = window.byte(at)?;
            at += 1 + u64::from(length);
            if length == 0 {
                self.at = at;
                return Ok(());
            }
        }
    }
}
