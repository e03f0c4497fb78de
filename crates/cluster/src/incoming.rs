//! Connections to a worker: few of unknown clients, for a short time, and a pause when the system has no room for more.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use futures::stream::{self, Stream};
use futures::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Sleep, sleep};
use tonic::Request;
use tonic::transport::server::Connected;

/// The time until the first request with the token.
const MAX_UNKNOWN_TIME: Duration = Duration::from_secs(10);

/// Connections without such a request. A further one closes the oldest.
const MAX_UNKNOWN: usize = 64;

/// Connections with such a request. A further one is closed.
const MAX_KNOWN: usize = 4096;

/// After the system refused a connection, most likely for want of descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// One connection, as its requests see it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connection(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_known: AtomicBool,
    is_closed: AtomicBool,
    waker: AtomicWaker,
}

impl State {
    fn is_known(&self) -> bool {
        self.is_known.load(Ordering::Relaxed)
    }

    fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.waker.wake();
    }
}

/// Notes that a request of the connection had the token.
pub(crate) fn note_known(request: &Request<()>) {
    if let Some(Connection(state)) = request.extensions().get() {
        state.is_known.store(true, Ordering::Relaxed);
    }
}

/// The connections that exist.
#[derive(Default)]
struct Open {
    unknown: VecDeque<Weak<State>>,
    known: Vec<Weak<State>>,
}

impl Open {
    /// Makes room for one more; `None` if there is none.
    fn add(&mut self) -> Option<Arc<State>> {
        let mut rest = VecDeque::new();
        for state in self.unknown.drain(..) {
            match state.upgrade() {
                Some(known) if known.is_known() => self.known.push(state),
                Some(_) => rest.push_back(state),
                None => {}
            }
        }
        self.unknown = rest;
        if self.known.len() >= MAX_KNOWN {
            self.known.retain(|state| state.strong_count() > 0);
        }
        while self.unknown.len() >= MAX_UNKNOWN {
            self.close_oldest();
        }
        let state = Arc::default();
        self.unknown.push_back(Arc::downgrade(&state));
        Some(state).filter(|_| self.known.len() < MAX_KNOWN)
    }

    fn close_oldest(&mut self) {
        let oldest = self.unknown.pop_front().and_then(|state| state.upgrade());
        oldest.filter(|state| !state.is_known()).inspect(|state| state.close());
    }
}

/// The connections that `listener` accepts, for ever.
pub(crate) fn accepted(listener: TcpListener) -> impl Stream<Item = io::Result<Guarded>> {
    stream::unfold((listener, Open::default()), async |(listener, mut open)| {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    if let Some(state) = open.add() {
                        let _ = stream.set_nodelay(true);
                        let end = Box::pin(sleep(MAX_UNKNOWN_TIME));
                        return Some((Ok(Guarded { stream, state, end }), (listener, open)));
                    }
                }
                Err(_) => {
                    open.close_oldest();
                    sleep(PAUSE).await;
                }
            }
        }
    })
}

/// A connection that ends when its client stays unknown for too long.
pub(crate) struct Guarded {
    stream: TcpStream,
    state: Arc<State>,
    end: Pin<Box<Sleep>>,
}

impl Guarded {
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if self.state.is_known() {
            return Ok(());
        }
        self.state.waker.register(context.waker());
        if self.state.is_closed.load(Ordering::Relaxed) || self.end.as_mut().poll(context).is_ready() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(())
    }
}

impl Connected for Guarded {
    type ConnectInfo = Connection;

    fn connect_info(&self) -> Connection {
        Connection(Arc::clone(&self.state))
    }
}

impl AsyncRead for Guarded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Guarded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
