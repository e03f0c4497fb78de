//! Sends a response, or the part of it that the mode allows.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::answer::Answer;
use super::modes::{Behaviour, Body, Framing};

/// Bytes per write.
const BLOCK: u64 = 1 << 16;

/// Sends the response and counts the bytes of its body. Returns whether the connection stays open.
pub fn send(
    stream: &TcpStream,
    answer: &Answer,
    behaviour: &Behaviour,
    is_head: bool,
    sent: &AtomicU64,
) -> bool {
    let mut wire = Wire { stream, sent, chunked: answer.of_object && behaviour.framing == Framing::Chunked };
    if behaviour.body == Body::Silent {
        wire.wait();
        return false;
    }
    let whole = !answer.of_object || is_head;
    let result = wire.head(answer).and_then(|()| match whole {
        true if is_head => Ok(true),
        true => wire.body(answer, Body::Whole),
        false => wire.body(answer, behaviour.body),
    });
    result.unwrap_or(false) && (!answer.of_object || behaviour.framing != Framing::Close)
}

struct Wire<'a> {
    stream: &'a TcpStream,
    sent: &'a AtomicU64,
    chunked: bool,
}

impl Wire<'_> {
    fn head(&mut self, answer: &Answer) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {} .\r\nServer: faulty\r\n", answer.status);
        for (name, value) in &answer.headers {
            head += &format!("{name}: {value}\r\n");
        }
        self.stream.write_all((head + "\r\n").as_bytes())
    }

    /// Sends the body. Returns whether it is complete.
    fn body(&mut self, answer: &Answer, body: Body) -> io::Result<bool> {
        let length = answer.content.len();
        let end = if matches!(body, Body::Cut | Body::Reset | Body::Stalled) { length / 2 } else { length };
        let (step, pause) = match body {
            Body::Slow(bytes) => (bytes, Duration::from_millis(50)),
            _ => (BLOCK, Duration::ZERO),
        };
        let mut at = 0;
        while at < end {
            let count = step.min(end - at);
            self.piece(&answer.content.slice(at, count))?;
            at += count;
            thread::sleep(pause);
        }
        match body {
            Body::Cut => return Ok(false),
            Body::Reset => return self.reset(),
            Body::Stalled => {
                self.wait();
                return Ok(false);
            }
            Body::Endless => self.overflow(length)?,
            _ => {}
        }
        if self.chunked {
            self.stream.write_all(b"0\r\n\r\n")?;
        }
        Ok(true)
    }

    fn piece(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.chunked {
            self.stream.write_all(format!("{:x}\r\n", bytes.len()).as_bytes())?;
        }
        // Count first, so that a client that has the whole body sees it counted.
        self.sent.fetch_add(bytes.len() as u64, Ordering::SeqCst);
        self.stream.write_all(bytes)?;
        if self.chunked {
            self.stream.write_all(b"\r\n")?;
        }
        Ok(())
    }

    /// Sends more lines until the client goes away.
    fn overflow(&mut self, mut at: u64) -> io::Result<()> {
        loop {
            self.piece(&crate::cloud::content::slice(at, BLOCK, false))?;
            at += BLOCK;
        }
    }

    /// Waits until the client goes away.
    fn wait(&mut self) {
        let mut ignored = [0; 1024];
        while let Ok(1..) = self.stream.read(&mut ignored) {}
    }

    /// Resets the connection, after the bytes sent had time to arrive.
    fn reset(&mut self) -> io::Result<bool> {
        thread::sleep(Duration::from_millis(100));
        #[cfg(unix)]
        rustix::net::sockopt::set_socket_linger(self.stream, Some(Duration::ZERO))?;
        Ok(false)
    }
}
