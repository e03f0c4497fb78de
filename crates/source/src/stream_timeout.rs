//! A stream with a timeout. A thread of its own reads it, because a blocking read cannot be cancelled.

use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use super::spool::{READ_BLOCK, read_when_ready};
use crate::memory::Buffer;
use rread_text::error::{Cause, counted};
use rread_text::sentence::{Sentence, setting};

/// A stream whose reads fail after a timeout. It reads at most one block ahead.
pub struct TimedStream {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Cursor<Vec<u8>>,
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
            let mut buffer = Buffer::new(READ_BLOCK);
            // An empty block reports that the stream is open.
            let (mut next, mut stream) = match open() {
                Ok(stream) => (Ok(Vec::new()), Some(stream)),
                Err(cause) => (Err(cause), None),
            };
            while sender.send(next).is_ok()
                && let Some(open) = &mut stream
            {
                next = match read_when_ready(open, &mut buffer) {
                    Ok(0) => return,
                    Ok(got) => Ok(buffer[..got].to_vec()),
                    Err(cause) => {
                        stream = None;
                        Err(cause)
                    }
                };
            }
        };
        thread::Builder::new().name("stream".to_owned()).spawn(read)?;
        let mut timed = TimedStream { blocks, block: Cursor::default(), timeout, came: 0, over: false };
        timed.wait()?;
        Ok(timed)
    }

    fn wait(&mut self) -> io::Result<()> {
        match self.blocks.recv_timeout(self.timeout) {
            Ok(block) => {
                self.block = Cursor::new(block?);
                self.came += self.block.get_ref().len() as u64;
            }
            Err(RecvTimeoutError::Disconnected) => self.over = true,
            Err(RecvTimeoutError::Timeout) => {
                let (waited, came) = (humantime::format_duration(self.timeout), counted(self.came, "byte"));
                let message = Sentence::from(format!("no data for {waited}, after {came} ("));
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    Cause(message.then(setting("timeout")).then(")")),
                ));
            }
        }
        Ok(())
    }
}

impl Read for TimedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.block.position() == self.block.get_ref().len() as u64 && !self.over {
            self.wait()?;
        }
        self.block.read(buffer)
    }
}
