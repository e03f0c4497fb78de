//! A stream that is waited for only so long: read by a thread of its own, since no read can be called back.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use super::spool::{BLOCK, read_when_ready};
use crate::buffer::Buffer;
use crate::error::counted;

/// A stream whose reads fail when nothing comes for too long.
///
/// At most one block is read before it is asked for. The thread ends with the stream, or with the program.
pub struct Timed {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Vec<u8>,
    /// Bytes of the block that were given out.
    used: usize,
    patience: Duration,
    came: u64,
    over: bool,
}

impl Timed {
    /// Opens a stream by `open`, and waits at most `patience` for that and for every block of it.
    ///
    /// # Errors
    /// Those of `open`, `TimedOut`, and those of starting a thread.
    pub fn start<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        patience: Duration,
    ) -> io::Result<Self> {
        // Nothing is kept in the channel: what is not asked for stays in the stream.
        let (sender, blocks) = sync_channel(0);
        let read = move || {
            let mut stream = match open() {
                Ok(stream) => stream,
                Err(cause) => {
                    let _ = sender.send(Err(cause));
                    return;
                }
            };
            // An empty block says that it is open.
            let mut next = Ok(Vec::new());
            let mut buffer = Buffer::new(BLOCK);
            loop {
                let failed = next.is_err();
                // Nobody waits any more, or nothing more comes.
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
        let mut timed = Timed { blocks, block: Vec::new(), used: 0, patience, came: 0, over: false };
        timed.wait()?;
        Ok(timed)
    }

    /// Waits for the next block.
    fn wait(&mut self) -> io::Result<()> {
        match self.blocks.recv_timeout(self.patience) {
            Ok(block) => {
                self.block = block?;
                self.used = 0;
                self.came += self.block.len() as u64;
            }
            Err(RecvTimeoutError::Disconnected) => self.over = true,
            Err(RecvTimeoutError::Timeout) => {
                return Err(silent(self.patience, self.came));
            }
        }
        Ok(())
    }
}

fn silent(patience: Duration, came: u64) -> io::Error {
    let waited = humantime::format_duration(patience);
    let came = counted(came, "byte");
    io::Error::new(io::ErrorKind::TimedOut, format!("nothing came for {waited}, after {came} (--timeout)"))
}

impl Read for Timed {
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
