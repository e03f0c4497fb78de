//! Standard input that reports its end at once.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf, Stdin};
use tokio::sync::Notify;

pub(super) struct Input {
    stdin: Stdin,
    ended: Arc<Notify>,
}

impl Input {
    pub(super) fn new() -> (Self, Arc<Notify>) {
        let ended = Arc::new(Notify::new());
        (Input { stdin: tokio::io::stdin(), ended: Arc::clone(&ended) }, ended)
    }
}

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stdin).poll_read(context, buffer);
        if let Poll::Ready(read) = &polled
            && (read.is_err() || buffer.filled().len() == before)
        {
            self.ended.notify_one();
        }
        polled
    }
}
