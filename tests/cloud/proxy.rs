//! A TCP proxy that counts the bytes between the program and any server.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use super::http::Head;

/// A request, and the bytes of its response with the head.
#[derive(Clone, Debug, Default)]
pub struct Exchange {
    pub head: Head,
    received: Arc<AtomicU64>,
}

impl Exchange {
    pub fn received(&self) -> u64 {
        self.received.load(Ordering::SeqCst)
    }
}

type Seen = Arc<Mutex<Vec<Exchange>>>;

/// Forwards connections from its own port to another.
pub struct Proxy {
    port: u16,
    seen: Seen,
}

impl Proxy {
    /// A proxy for the server at `port` of this machine, for plain HTTP requests without a body.
    pub fn before(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Proxy { port: listener.local_addr().unwrap().port(), seen: Seen::default() };
        let seen = Arc::clone(&proxy.seen);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let seen = Arc::clone(&seen);
                thread::spawn(move || {
                    if let Ok(server) = TcpStream::connect(("127.0.0.1", port)) {
                        relay(&client, &server, &seen);
                    }
                });
            }
        });
        proxy
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// All exchanges so far, in the order of the requests.
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.seen.lock().unwrap().clone()
    }

    /// Requests sent and bytes received since the last call.
    pub fn take(&self) -> (usize, u64) {
        let seen = std::mem::take(&mut *self.seen.lock().unwrap());
        (seen.len(), seen.iter().map(Exchange::received).sum())
    }
}

/// Forwards requests and responses of one connection until either side closes it.
fn relay(client: &TcpStream, server: &TcpStream, seen: &Seen) {
    // A response belongs to the last request, because no client sends two at a time.
    let last = Mutex::new(Exchange::default());
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut requests = BufReader::new(client);
            while let Some(raw) = raw_head(&mut requests) {
                let exchange =
                    Exchange { head: Head::read(&mut &raw[..]).unwrap().unwrap(), ..Exchange::default() };
                *last.lock().unwrap() = exchange.clone();
                seen.lock().unwrap().push(exchange);
                if { server }.write_all(&raw).is_err() {
                    break;
                }
            }
            _ = server.shutdown(Shutdown::Write);
        });
        let mut block = vec![0; 1 << 16];
        while let Ok(count @ 1..) = { server }.read(&mut block) {
            // Count first, so that a client that has the whole response sees it counted.
            last.lock().unwrap().received.fetch_add(count as u64, Ordering::SeqCst);
            if { client }.write_all(&block[..count]).is_err() {
                break;
            }
        }
        _ = client.shutdown(Shutdown::Both);
        _ = server.shutdown(Shutdown::Both);
    });
}

/// The bytes of a request up to its empty line; `None` at the end.
fn raw_head(from: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut raw = Vec::new();
    while !raw.ends_with(b"\r\n\r\n") {
        if from.read_until(b'\n', &mut raw).ok()? == 0 {
            return None;
        }
    }
    Some(raw)
}
