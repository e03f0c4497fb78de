//! A stream with a timeout. A thread of its own reads it, because a blocking read cannot be cancelled.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use super::spool::{BLOCK, read_when_ready};
use crate::buffer::Buffer;
use crate::error::counted;

/// A stream whose reads fail after a timeout. It reads at most one block ahead.
pub struct TimedStream {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Vec<u8>,
    /// Bytes of the block that were returned.
    used: usize,
    timeout: Duration,
    came: u64,
    over: bool,
}

impl TimedStream {
    /// Opens a stream by `open`, and waits at most `timeout` for that and for every block.
    pub fn start<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        timeout: Duration,
    ) -> io::Result<Self> {
        // A channel without a buffer leaves unread data in the stream.
        let (sender, blocks) = sync_channel(0);
        let read = move || {
            let mut stream = match open() {
                Ok(stream) => stream,
                Err(cause) => {
                    let _ = sender.send(Err(cause));
                    return;
                }
            };
            // An empty block reports that the stream is open.
            let mut next = Ok(Vec::new());
            let mut buffer = Buffer::new(BLOCK);
            loop {
                let failed = next.is_err();
                if sender.send(next).is_err() || failed {
                    return;
                }
                next = match read_when_ready(&mut stream, &mut buffer) {
                    Ok(0) => return,
                    Ok(got) => Ok(buffer[..got].to_vec()),
                    Err(cause) => Err(cause),
                };
            }
        };
        thread::Builder::new().name("stream".to_owned()).spawn(read)?;
        let mut timed = TimedStream { blocks, block: Vec::new(), used: 0, timeout, came: 0, over: false };
        timed.wait()?;
        Ok(timed)
    }

    fn wait(&mut self) -> io::Result<()> {
        match self.blocks.recv_timeout(self.timeout) {
            Ok(block) => {
                self.block = block?;
                self.used = 0;
                self.came += self.block.len() as u64;
            }
            Err(RecvTimeoutError::Disconnected) => self.over = true,
            Err(RecvTimeoutError::Timeout) => {
                return Err(silent(self.timeout, self.came));
            }
        }
        Ok(())
    }
}

fn silent(timeout: Duration, came: u64) -> io::Error {
    let waited = humantime::format_duration(timeout);
    let came = counted(came, "byte");
    io::Error::new(io::ErrorKind::TimedOut, format!("no data for {waited}, after {came} (--timeout)"))
}

impl Read for TimedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.used == self.block.len() && !self.over {
            self.wait()?;
        }
        let there = &self.block[self.used..];
        let got = there.len().min(buffer.len());
        buffer[..got].copy_from_slice(&there[..got]);
        self.used += got;
        Ok(got)
    }
}
