//! The .xz format, and .lzma before it: streams; the start of a stream is a place to take up again.

use liblzma::stream::{Action, Error, Status, Stream};

use super::decoder::{CUT_OFF, Decoder, Fault, Step, Then};
use super::feed::Feed;

/// Bytes that a decoder may take: a dictionary of 64 MiB, as `xz -9` has, with room to spare.
const MEMORY: u64 = 256 << 20;

pub(super) struct Xz {
    feed: Feed,
    stream: Option<Stream>,
    is_lzma: bool,
}

impl Xz {
    pub(super) fn new(feed: Feed, is_lzma: bool) -> Self {
        Xz { feed, stream: None, is_lzma }
    }
}

impl Decoder for Xz {
    fn feed(&mut self) -> &mut Feed {
        &mut self.feed
    }

    fn begin(&mut self) -> Result<(), Fault> {
        let stream = if self.is_lzma {
            Stream::new_lzma_decoder(MEMORY)
        } else {
            Stream::new_stream_decoder(MEMORY, 0)
        };
        self.stream = Some(stream.map_err(|error| Fault::damage(reason(error)))?);
        Ok(())
    }

    fn decode(&mut self, text: &mut [u8], at: usize, _mark: bool) -> Result<Step, Fault> {
        let Some(stream) = &mut self.stream else { return Err(Fault::cut_off()) };
        let input = self.feed.fill()?;
        let action = if input.is_empty() { Action::Finish } else { Action::Run };
        let (before_in, before_out) = (stream.total_in(), stream.total_out());
        let status = stream.process(input, &mut text[at..], action);
        let taken = usize::try_from(stream.total_in() - before_in).unwrap_or(0);
        let given = usize::try_from(stream.total_out() - before_out).unwrap_or(0);
        let stuck = input.is_empty() && given == 0;
        self.feed.consume(taken);
        let then = match status {
            Ok(Status::StreamEnd) => Then::End,
            Ok(_) if stuck => Then::Damage(CUT_OFF.to_owned()),
            Ok(_) => Then::More,
            Err(error) => Then::Damage(reason(error).to_owned()),
        };
        Ok(Step { given, then })
    }
}

fn reason(error: Error) -> &'static str {
    match error {
        Error::Options | Error::Format => "its header asks for what no version knows",
        Error::UnsupportedCheck => "its checksum is of an unknown kind",
        Error::MemLimit => "it needs more than 256 MiB of memory (xz -dc decompresses it)",
        Error::Mem => "there is not enough memory for it",
        _ => "no xz data can look like this",
    }
}
