//! LZ4 frames; the start of a frame is a place to take up again.

use std::io::{ErrorKind, Read};

use lz4_flex::frame::FrameDecoder;

use super::decoder::{CUT_OFF, Decoder, Fault, Step, Then};
use super::feed::Feed;

pub(super) struct Lz4 {
    frames: FrameDecoder<Feed>,
    /// Legacy frames have no end but that of the file.
    is_legacy: bool,
}

impl Lz4 {
    pub(super) fn new(feed: Feed) -> Self {
        Lz4 { frames: FrameDecoder::new(feed), is_legacy: false }
    }
}

impl Decoder for Lz4 {
    fn feed(&mut self) -> &mut Feed {
        self.frames.get_mut()
    }

    fn begin(&mut self) -> Result<(), Fault> {
        // A frame may have larger or smaller blocks than the one before: the library's decoder is for one frame.
        let mut feed = self.frames.get_mut().take();
        feed.wanted_more = false;
        self.is_legacy = feed.peek(1)? == [0x02];
        self.frames = FrameDecoder::new(feed);
        Ok(())
    }

    fn decode(&mut self, text: &mut [u8], at: usize, _mark: bool) -> Result<Step, Fault> {
        let (given, then) = match self.frames.read(&mut text[at..]) {
            // The decoder takes the end of its input for the end of the frame.
            Ok(0) if self.frames.get_ref().wanted_more && !self.is_legacy => {
                (0, Then::Damage(CUT_OFF.to_owned()))
            }
            Ok(0) => (0, Then::End),
            Ok(given) => (given, Then::More),
            Err(cause) if cause.kind() == ErrorKind::UnexpectedEof => (0, Then::Damage(CUT_OFF.to_owned())),
            Err(cause) if cause.raw_os_error().is_some() => return Err(Fault::Read(cause)),
            Err(cause) => (0, Then::Damage(cause.to_string())),
        };
        Ok(Step { given, then })
    }
}
