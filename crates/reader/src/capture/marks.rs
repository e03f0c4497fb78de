//! Standard output and standard error as one stream, in which each line begins with the name of its stream.

use std::io::{self, PipeReader, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use memchr::memrchr;

use rread_source::spool::read_when_ready;

/// The length of the marks of both streams.
pub(super) const MARK: u64 = 5;

/// Bytes read at once.
const BLOCK: usize = 64 << 10;
/// The longest line without its end that is held. A longer one is passed on; a line of the other stream can cut it.
const HELD: usize = 64 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    Out,
    Err,
}

impl Stream {
    fn mark(self) -> &'static [u8] {
        match self {
            Stream::Out => b"out| ",
            Stream::Err => b"err| ",
        }
    }
}

/// Bytes of a stream in the order of arrival; none at its end.
type Arrived = (Stream, io::Result<Vec<u8>>);

/// Reads two pipes, each in its own thread, which waits until its last block is taken.
#[derive(Debug)]
pub(crate) struct Marked {
    arriving: Receiver<Arrived>,
    marker: Marker,
    /// How much of the marked lines is read.
    read: usize,
}

impl Marked {
    pub(crate) fn new(out: PipeReader, err: PipeReader) -> io::Result<Self> {
        let (sender, arriving) = sync_channel::<Arrived>(0);
        for (stream, mut pipe) in [(Stream::Out, out), (Stream::Err, err)] {
            let sender = sender.clone();
            let pass = move || {
                let mut block = vec![0; BLOCK];
                loop {
                    let got = read_when_ready(&mut pipe, &mut block);
                    let is_end = !matches!(got, Ok(1..));
                    let sent = sender.send((stream, got.map(|got| block[..got].to_vec())));
                    if is_end || sent.is_err() {
                        break;
                    }
                }
            };
            thread::Builder::new().spawn(pass)?;
        }
        Ok(Marked { arriving, marker: Marker::default(), read: 0 })
    }
}

impl Read for Marked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read == self.marker.lines.len() {
            self.marker.lines.clear();
            self.read = 0;
            // Without senders, both streams have ended.
            let Ok((stream, arrived)) = self.arriving.recv() else { return Ok(0) };
            self.marker.take(stream, &arrived?);
        }
        let got = (&self.marker.lines[self.read..]).read(buffer)?;
        self.read += got;
        Ok(got)
    }
}

#[derive(Debug, Default)]
struct Marker {
    /// The marked lines.
    lines: Vec<u8>,
    /// The lines of both streams that have not ended.
    held: [Vec<u8>; 2],
    /// The stream whose line is the last one in `lines` and has not ended.
    open: Option<Stream>,
}

impl Marker {
    /// Takes the next bytes of `stream`, or its end if there are none.
    fn take(&mut self, stream: Stream, bytes: &[u8]) {
        let mut ended = std::mem::take(&mut self.held[stream as usize]);
        ended.extend_from_slice(bytes);
        let mut rest = ended.split_off(memrchr(b'\n', &ended).map_or(0, |newline| newline + 1));
        for line in ended.split_inclusive(|byte| *byte == b'\n') {
            self.write(stream, line);
        }
        let is_passed = bytes.is_empty() || rest.len() > HELD || self.open == Some(stream);
        if is_passed && !rest.is_empty() {
            self.write(stream, &rest);
            rest.clear();
        }
        self.held[stream as usize] = rest;
    }

    fn write(&mut self, stream: Stream, line: &[u8]) {
        if self.open != Some(stream) {
            if self.open.is_some() {
                self.lines.push(b'\n');
            }
            self.lines.extend_from_slice(stream.mark());
        }
        self.lines.extend_from_slice(line);
        self.open = (!line.ends_with(b"\n")).then_some(stream);
    }
}
