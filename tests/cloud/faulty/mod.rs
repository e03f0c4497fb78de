//! An HTTP server that misbehaves as its path says: `/MODE/SIZE/anything` is an object of SIZE bytes.
//!
//! The paths are also those of buckets and keys (`s3://MODE/SIZE/anything`), and of Azure's emulated account.

mod answer;
mod modes;
mod send;
mod tests;

use std::collections::HashMap;
use std::io::BufReader;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use self::answer::ObjectRequest;
#[allow(unused_imports)]
pub use self::modes::{
    Behaviour, Body, Conditions, Etag, Framing, HeadLength, Instead, MODES, OK, Ranges, Requests,
};
use crate::cloud::http::Head;

/// The account of Azure's emulators, the first part of their paths.
const ACCOUNT: &str = "devstoreaccount1";

/// A request that the server received.
#[derive(Clone, Debug)]
pub struct Seen {
    pub head: Head,
    /// The port of the request: the server's, or the other one, which only redirects name.
    pub port: u16,
    sent: Arc<AtomicU64>,
}

impl Seen {
    pub fn method(&self) -> &str {
        self.head.word(0)
    }

    pub fn path(&self) -> &str {
        self.head.word(1)
    }

    /// The value of If-Match, If-Range or If-Unmodified-Since.
    pub fn condition(&self) -> Option<&str> {
        ["if-match", "if-range", "if-unmodified-since"].into_iter().find_map(|name| self.head.header(name))
    }

    /// The first header with credentials.
    pub fn credentials(&self) -> Option<&str> {
        ["authorization", "cookie", "x-amz-security-token"]
            .into_iter()
            .find_map(|name| self.head.header(name))
    }

    /// Bytes of the body sent so far, and at most a block more if the client went away.
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::SeqCst)
    }
}

/// The server, in threads of this process.
pub struct Faulty {
    port: u16,
    elsewhere: u16,
    state: Arc<State>,
}

/// The state that all connections share.
struct State {
    modes: HashMap<String, Behaviour>,
    seen: Mutex<Vec<Seen>>,
    /// Requests for a path so far.
    counts: Mutex<HashMap<String, u32>>,
}

impl Faulty {
    /// A server with the modes of [`MODES`].
    pub fn start() -> Self {
        Faulty::with(&[])
    }

    /// A server with additional modes.
    pub fn with(own: &[(&str, Behaviour)]) -> Self {
        let modes = MODES.iter().chain(own).map(|(name, mode)| ((*name).to_owned(), *mode)).collect();
        let state = Arc::new(State { modes, seen: Mutex::default(), counts: Mutex::default() });
        let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let [port, elsewhere] = [0, 1].map(|n: usize| listeners[n].local_addr().unwrap().port());
        for (listener, ports) in listeners.into_iter().zip([(port, elsewhere), (elsewhere, port)]) {
            let state = Arc::clone(&state);
            thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let state = Arc::clone(&state);
                    thread::spawn(move || state.serve(&stream, ports));
                }
            });
        }
        Faulty { port, elsewhere, state }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// A second port with the same answers, for redirects to another host.
    pub fn elsewhere(&self) -> u16 {
        self.elsewhere
    }

    /// The address of an object of `size` bytes.
    pub fn url(&self, mode: &str, size: u64) -> String {
        format!("http://127.0.0.1:{}/{mode}/{size}/app.log", self.port)
    }

    /// All requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.state.seen.lock().unwrap().clone()
    }

    /// Forgets the requests so far.
    pub fn forget(&self) {
        self.state.seen.lock().unwrap().clear();
        self.state.counts.lock().unwrap().clear();
    }
}

/// A port of this machine that refuses connections.
pub fn refused_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl State {
    /// Answers the requests of one connection, one after another.
    fn serve(&self, stream: &TcpStream, ports: (u16, u16)) {
        let mut requests = BufReader::new(stream);
        while let Ok(Some(head)) = Head::read(&mut requests) {
            let sent = Arc::new(AtomicU64::new(0));
            // Google's clients escape the slashes of a key.
            let path = head.word(1).split('?').next().unwrap_or("").replace("%2F", "/");
            let nth = self.note(Seen { head: head.clone(), port: ports.0, sent: Arc::clone(&sent) }, &path);
            let mut names = path.trim_start_matches('/').split('/').skip_while(|name| *name == ACCOUNT);
            let mode = names.next().unwrap_or("");
            let size = names.next().and_then(|size| size.parse().ok());
            let size = size.unwrap_or_else(|| panic!("no size in {path}"));
            let behaviour = self.modes.get(mode).unwrap_or_else(|| panic!("no mode {mode:?}: {path}"));
            let request = ObjectRequest { head: &head, mode, size, nth, ports };
            let answer = answer::answer(behaviour, &request);
            if !send::send(stream, &answer, behaviour, head.word(0) == "HEAD", &sent) {
                break;
            }
        }
    }

    /// Records the request; returns its number among those for its path.
    fn note(&self, seen: Seen, path: &str) -> u32 {
        self.seen.lock().unwrap().push(seen);
        let mut counts = self.counts.lock().unwrap();
        let count = counts.entry(path.to_owned()).or_default();
        *count += 1;
        *count
    }
}
