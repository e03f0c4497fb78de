//! Zstandard (RFC 8878): frames, each with its own window; the start of a frame is a place to take up again.

use std::io;

use zstd::stream::raw::{Decoder as RawDecoder, InBuffer, Operation, OutBuffer};

use super::decoder::{CUT_OFF, Decoder, Fault, Step, Then};
use super::feed::Feed;

pub(super) struct Zstd {
    feed: Feed,
    raw: RawDecoder<'static>,
}

impl Zstd {
    pub(super) fn new(feed: Feed) -> io::Result<Self> {
        // Windows of more than 128 MiB are refused, as zstd itself does without --long.
        Ok(Zstd { feed, raw: RawDecoder::new()? })
    }
}

impl Decoder for Zstd {
    fn feed(&mut self) -> &mut Feed {
        &mut self.feed
    }

    fn begin(&mut self) -> Result<(), Fault> {
        Ok(self.raw.reinit()?)
    }

    fn decode(&mut self, text: &mut [u8], at: usize, _mark: bool) -> Result<Step, Fault> {
        let source = self.feed.fill()?;
        let ended = source.is_empty();
        let mut input = InBuffer::around(source);
        let mut output = OutBuffer::around(&mut text[at..]);
        let left = self.raw.run(&mut input, &mut output);
        let (taken, given) = (input.pos(), output.pos());
        self.feed.consume(taken);
        let then = match left {
            Ok(0) => Then::End,
            Ok(_) if ended && given == 0 => Then::Damage(CUT_OFF.to_owned()),
            Ok(_) => Then::More,
            Err(cause) => Then::Damage(reason(&cause)),
        };
        Ok(Step { given, then })
    }
}

/// The library's words, and what to do about the one that a user can do something about.
fn reason(cause: &io::Error) -> String {
    let text = cause.to_string();
    if text.contains("too much memory") {
        return "it needs a window of more than 128 MiB (zstd -d --long=31 decompresses it)".to_owned();
    }
    text
}
