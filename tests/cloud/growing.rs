//! A log that grows on a web server while it is read, and one that another takes the place of.

use std::io::{BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use rread_testkit::sandbox::{Run, Sandbox, words};

use super::http::Head;

/// What the next request finds.
type Next = fn(&mut Vec<u8>, usize);

/// A server of one object, which `next` changes before each request but the first.
struct Growing {
    port: u16,
    requests: Arc<AtomicUsize>,
}

impl Growing {
    fn new(object: Vec<u8>, has_validators: bool, next: Next) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (object, requests) = (Arc::new(Mutex::new(object)), Arc::new(AtomicUsize::new(0)));
        let count = Arc::clone(&requests);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (object, requests) = (Arc::clone(&object), Arc::clone(&count));
                thread::spawn(move || serve(&client, &object, &requests, has_validators, next));
            }
        });
        Growing { port, requests }
    }

    fn run(&self, line: &str) -> Run {
        let sandbox = Sandbox::new();
        let url = format!("http://127.0.0.1:{}/app.log", self.port);
        let words =
            words(line).into_iter().map(|word| if word == "FILE" { url.clone() } else { word.to_owned() });
        Run::of(sandbox.command().args(words).args(["--no-index", "--retries", "0"]))
    }
}

fn serve(
    client: &TcpStream,
    object: &Mutex<Vec<u8>>,
    requests: &AtomicUsize,
    has_validators: bool,
    next: Next,
) {
    let mut reader = BufReader::new(client);
    while let Ok(Some(head)) = Head::read(&mut reader) {
        let mut object = object.lock().unwrap();
        let number = requests.fetch_add(1, Ordering::SeqCst);
        if number > 0 {
            next(&mut object, number);
        }
        let tag = format!("\"{}-{}\"", object.len(), object.iter().map(|byte| u64::from(*byte)).sum::<u64>());
        let validators = if has_validators { format!("ETag: {tag}\r\n") } else { String::new() };
        let refused = head.header("if-match").is_some_and(|wanted| wanted != tag);
        let answer = if refused {
            b"HTTP/1.1 412 Precondition Failed\r\nContent-Length: 0\r\n\r\n".to_vec()
        } else {
            let range = head.range().and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
            let (start, last) = range.unwrap();
            let (start, end) = (start.parse::<usize>().unwrap(), last.parse::<usize>().unwrap() + 1);
            let body = &object[start.min(object.len())..end.min(object.len())];
            let status = if body.is_empty() { "416 Range Not Satisfiable" } else { "206 Partial Content" };
            let place = format!("{start}-{}/{}", start + body.len().max(1) - 1, object.len());
            let place = if body.is_empty() { format!("*/{}", object.len()) } else { place };
            let head = format!(
                "HTTP/1.1 {status}\r\n{validators}Content-Range: bytes {place}\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            [head.as_bytes(), body].concat()
        };
        drop(object);
        if { client }.write_all(&answer).is_err() {
            break;
        }
    }
}

fn log(lines: usize) -> Vec<u8> {
    (0..lines).flat_map(|line| format!("2026-11-27 06:00:00 INFO request {line:08}\n").into_bytes()).collect()
}

fn appended(object: &mut Vec<u8>, number: usize) {
    object.extend(format!("2026-11-27 06:10:00 INFO later {number:09}\n").into_bytes());
}

#[test]
fn a_log_that_grows_is_read_up_to_its_first_size() {
    let text = log(90_000);
    for has_validators in [true, false] {
        for (line, expected) in [
            ("search -c -F INFO FILE --json", "\"matched_lines\":90000"),
            ("stat --count FILE --json", "\"lines\":90000"),
            ("lines FILE -1: --json", "request 00089999"),
            ("lines FILE 45000 --json", "request 00044999"),
        ] {
            let server = Growing::new(text.clone(), has_validators, appended);
            let run = server.run(line).ok();
            assert!(String::from_utf8_lossy(&run.stdout).contains(expected), "{line}: {run}");
        }
        let server = Growing::new(text.clone(), has_validators, appended);
        let run = server.run("lines FILE 1: --raw");
        assert!(run.code == 0 && run.stdout == text, "{}", run.stderr);
    }
    let run = Growing::new(text, true, appended).run("search -c -F INFO FILE --json").ok();
    assert_eq!(run.json()["metadata"]["change"], "appended", "{run}");
}

/// What is not the old bytes and more is another file.
#[test]
fn a_log_that_is_replaced_cut_or_rewritten_is_an_error() {
    let replaced: Next = |object, number| {
        *object = log(100_000 + number);
        object[30] ^= 1;
    };
    let cut: Next = |object, _| object.truncate(object.len() - 1);
    let rewritten: Next = |object, number| {
        appended(object, number);
        // The first bytes stay, and the last that came do not.
        for byte in object[5_000..].iter_mut().filter(|byte| byte.is_ascii_digit()) {
            *byte = b'0' + (*byte - b'0' + 1) % 10;
        }
    };
    for next in [replaced, cut, rewritten] {
        for has_validators in [true, false] {
            let server = Growing::new(log(90_000), has_validators, next);
            let run = server.run("search -c -F INFO FILE --json");
            assert_eq!(run.code, 7, "{run}");
            assert!(server.requests.load(Ordering::SeqCst) < 20);
        }
    }
}
