//! Web servers that are a little odd: words that name no compression, refused ranges, sizes that lie, sentences, headers.

use std::io::{BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use rread_testkit::sandbox::{Run, Sandbox};

use super::http::Head;
use super::servers::nginx::{Location, nginx};
use super::servers::{Object, Store};

type Answer = Box<dyn Fn(&Head, &[u8]) -> (u16, Vec<(String, String)>, Vec<u8>) + Send + Sync>;

/// A server on a port of its own, which answers with a function of the request.
struct Odd {
    port: u16,
    seen: Arc<Mutex<Vec<Head>>>,
}

fn text() -> Vec<u8> {
    (1..=20_000).flat_map(|n| format!("line {n}\n").into_bytes()).collect()
}

impl Odd {
    fn start(answer: Answer) -> Odd {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (log, text) = (Arc::clone(&seen), text());
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let _ = reply(stream, &answer, &text, &log);
            }
        });
        Odd { port, seen }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/x.log", self.port)
    }

    fn run(&self, sandbox: &Sandbox, range: &str) -> Run {
        run(sandbox, &self.url(), &[range, "--raw"])
    }

    fn requests(&self) -> Vec<Head> {
        std::mem::take(&mut *self.seen.lock().unwrap())
    }
}

fn run(sandbox: &Sandbox, url: &str, words: &[&str]) -> Run {
    let mut command = sandbox.command();
    command.args(["lines", url]).args(words).args(["--no-index", "--timeout", "10s", "--retries", "1"]);
    Run::of(&mut command)
}

/// What a user sees of `run`.
fn shown(run: &Run) -> String {
    format!("{}{}", String::from_utf8_lossy(&run.stdout), run.stderr)
}

fn reply(stream: TcpStream, answer: &Answer, text: &[u8], log: &Mutex<Vec<Head>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let Some(head) = Head::read(&mut reader)? else { return Ok(()) };
    log.lock().unwrap().push(head.clone());
    let (status, mut headers, body) = answer(&head, text);
    // Without a tag, each answer has a note.
    headers.extend(header("ETag", "\"a\""));
    let mut stream = stream;
    write!(stream, "HTTP/1.1 {status} Status\r\nConnection: close\r\nContent-Length: {}\r\n", body.len())?;
    for (name, value) in headers {
        write!(stream, "{name}: {value}\r\n")?;
    }
    stream.write_all(b"\r\n")?;
    if head.word(0) != "HEAD" { stream.write_all(&body) } else { Ok(()) }
}

fn header(name: &str, value: impl Into<String>) -> Vec<(String, String)> {
    vec![(name.to_owned(), value.into())]
}

/// The first and last byte of the requested range, within `size` bytes.
fn range(head: &Head, size: usize) -> Option<(usize, usize)> {
    let (first, last) = head.range()?.strip_prefix("bytes=")?.split_once('-')?;
    Some((first.parse().ok()?, last.parse().unwrap_or(size - 1).min(size - 1)))
}

/// The answer of a correct server, with more headers, and another total if it is given.
fn right(
    head: &Head,
    text: &[u8],
    more: &[(String, String)],
    total: Option<usize>,
) -> (u16, Vec<(String, String)>, Vec<u8>) {
    let mut headers = more.to_vec();
    let Some((first, last)) = range(head, text.len()) else { return (200, headers, text.to_vec()) };
    if first >= text.len() {
        headers.extend(header("Content-Range", format!("bytes */{}", text.len())));
        return (416, headers, Vec::new());
    }
    let total = total.unwrap_or(text.len());
    headers.extend(header("Content-Range", format!("bytes {first}-{last}/{total}")));
    (206, headers, text[first..=last].to_vec())
}

const LINES: [(&str, &str); 3] = [("3", "line 3\n"), ("15000", "line 15000\n"), ("-1:", "line 20000\n")];

#[test]
fn a_word_that_names_no_compression_changes_nothing() {
    let sandbox = Sandbox::new();
    for word in
        ["utf-8", "UTF8", "none", "identity", "aws-chunked", "binary", "", "utf-8, identity", "iso-8859-1"]
    {
        let server = Odd::start(Box::new(move |head, text| {
            right(head, text, &header("Content-Encoding", word), None)
        }));
        for (range, expected) in LINES {
            assert_eq!(server.run(&sandbox, range).ok().text(), expected, "{word}");
        }
    }
    let server =
        Odd::start(Box::new(|head, text| right(head, text, &header("Content-Encoding", "br"), None)));
    assert!(server.run(&sandbox, "3").refused(3).to_string().contains("Content-Encoding: br"));
}

#[test]
fn a_refused_range_is_followed_by_one_request_without() {
    let sandbox = Sandbox::new();
    for status in [400, 403, 405, 406, 416, 417, 500, 501] {
        let server = Odd::start(Box::new(move |head, text| match head.range() {
            Some(_) => (status, header("Content-Type", "text/plain"), b"no ranges".to_vec()),
            None => (200, Vec::new(), text.to_vec()),
        }));
        for (range, expected) in LINES {
            assert_eq!(server.run(&sandbox, range).ok().text(), expected, "{status}");
            let ranges: Vec<bool> = server.requests().iter().map(|head| head.range().is_some()).collect();
            assert_eq!(ranges.iter().filter(|is_range| !**is_range).count(), 1, "{status}: {ranges:?}");
        }
    }
    // It serves nothing without a range either: the first answer counts.
    let server = Odd::start(Box::new(|_, _| (400, Vec::new(), b"never".to_vec())));
    let run = server.run(&sandbox, "3").refused(3);
    assert!(shown(&run).contains("400 Bad Request; the server says: never"), "{run}");
}

#[test]
fn sizes_that_lie_lose_no_text() {
    let sandbox = Sandbox::new();
    // The total is smaller than the part, or is its end.
    for total in [100, 65_536] {
        let server = Odd::start(Box::new(move |head, text| right(head, text, &[], Some(total))));
        for (range, expected) in LINES {
            assert_eq!(server.run(&sandbox, range).ok().text(), expected, "{total}");
        }
    }
    // A total that is too large is found out where the text ends.
    let server = Odd::start(Box::new(|head, text| right(head, text, &[], Some(500_000))));
    assert_eq!(server.run(&sandbox, "3").ok().text(), "line 3\n");
    let run = server.run(&sandbox, "-1:").refused(3);
    assert!(shown(&run).contains("500000"), "{run}");
}

#[test]
fn the_sentence_of_the_server_is_in_the_error() {
    let sandbox = Sandbox::new();
    let expired = "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>";
    for (status, body, sentence) in [
        (403, expired, "Request has expired"),
        (404, r#"{"message": "no repository of this name"}"#, "no repository of this name"),
        (401, "<html><title>Sign in first</title></html>", "Sign in first"),
        (418, "short and stout", "short and stout"),
    ] {
        let server = Odd::start(Box::new(move |_, _| (status, Vec::new(), body.as_bytes().to_vec())));
        let url = format!("{}?X-Amz-Signature=abcdef0123&X-Amz-Expires=10", server.url());
        let run = run(&sandbox, &url, &["3"]).refused(3);
        assert!(shown(&run).contains(&format!("the server says: {sentence}")), "{run}");
        assert!(!shown(&run).contains("PASSWORD"), "{run}");
    }
    // A server that repeats the request repeats its secrets.
    let server =
        Odd::start(Box::new(|head, _| (403, Vec::new(), format!("denied: {}", head.word(1)).into_bytes())));
    let url = format!("{}?X-Amz-Signature=abcdef0123", server.url());
    let run = run(&sandbox, &url, &["3"]).refused(3);
    assert!(!shown(&run).contains("abcdef0123"), "{run}");
}

#[test]
fn headers_go_to_the_host_that_was_named_and_are_shown_nowhere() {
    let sandbox = Sandbox::new();
    let needs = |head: &Head, text: &[u8]| match head.header("x-key") {
        Some("the-secret") => right(head, text, &[], None),
        _ => (403, Vec::new(), b"the key is missing".to_vec()),
    };
    let server = Odd::start(Box::new(needs));
    let option = ["3", "--http-header", "X-Key: the-secret", "--json"];
    let answer = run(&sandbox, &server.url(), &option).ok();
    assert!(answer.text().contains("line 3") && !shown(&answer).contains("the-secret"), "{answer}");
    let mut command = sandbox.command();
    command
        .args(["lines", &server.url(), "3", "--raw", "--no-index"])
        .env("RREAD_HTTP_HEADERS", "A: b\nX-Key: the-secret\n");
    assert_eq!(Run::of(&mut command).ok().text(), "line 3\n");
    run(&sandbox, &server.url(), &["3"]).refused(3);
    // Another host gets none of them, whatever it is told.
    let other = Odd::start(Box::new(|head, text| right(head, text, &[], None)));
    let (target, status) = (other.url(), [301, 302, 307, 308]);
    for status in status {
        let target = target.clone();
        let first =
            Odd::start(Box::new(move |_, _| (status, header("Location", target.clone()), Vec::new())));
        let words = [
            "3",
            "--raw",
            "--http-header",
            "X-Key: the-secret",
            "--http-header",
            "Authorization: Bearer the-secret",
        ];
        assert_eq!(run(&sandbox, &first.url(), &words).ok().text(), "line 3\n");
        assert!(first.requests().iter().all(|head| head.header("x-key").is_some()));
        let seen = other.requests();
        assert!(!seen.is_empty());
        assert!(
            seen.iter().all(|head| head.header("x-key").is_none() && head.header("authorization").is_none())
        );
    }
    // The same host gets them again.
    let same = Odd::start(Box::new(move |head, text| match head.word(1) {
        "/x.log" => (302, header("Location", "/other"), Vec::new()),
        _ => needs(head, text),
    }));
    assert_eq!(
        run(&sandbox, &same.url(), &["3", "--raw", "--http-header", "X-Key: the-secret"]).ok().text(),
        "line 3\n"
    );
    // Errors name no value, neither theirs nor ours.
    for words in [["3", "--http-header", "the-secret"], ["3", "--http-header", "Range: the-secret"]] {
        let run = run(&sandbox, &server.url(), &words);
        assert!(run.code == 2 && !shown(&run).contains("the-secret"), "{run}");
    }
    let echo = Odd::start(Box::new(|head, _| {
        (403, Vec::new(), format!("wrong key {}", head.header("x-key").unwrap()).into_bytes())
    }));
    let run = run(&sandbox, &echo.url(), &["3", "--http-header", "X-Key: the-secret"]).refused(3);
    assert!(!shown(&run).contains("the-secret"), "{run}");
}

#[test]
fn cookies_of_redirects_go_back_to_their_host_alone() {
    let sandbox = Sandbox::new();
    let other = Odd::start(Box::new(|head, text| right(head, text, &[], None)));
    let elsewhere = other.url();
    // A page sets two cookies, one of them twice, and sends on.
    let gate = |place: String| {
        Odd::start(Box::new(move |head, text| match (head.word(1), head.header("cookie")) {
            ("/terms", _) => {
                let set = |cookie: &str| header("Set-Cookie", cookie);
                let cookies =
                    [set("a=1; Max-Age=9"), set("terms=no"), set(" terms = yes; Path=/; Secure"), set("odd")];
                (303, [header("Location", place.clone()), cookies.concat()].concat(), Vec::new())
            }
            (_, None) => (302, header("Location", "/terms"), Vec::new()),
            _ => right(head, text, &[], None),
        }))
    };
    let same = gate("/x.log".to_owned());
    assert_eq!(run(&sandbox, &same.url(), &["-1:", "--raw"]).ok().text(), "line 20000\n");
    let seen = same.requests();
    let cookies: Vec<&str> = seen.iter().map(|head| head.header("cookie").unwrap_or("-")).collect();
    // The end of the object takes a further request, which has the cookies at once.
    assert_eq!(cookies, ["-", "-", "a=1; terms=yes", "a=1; terms=yes"]);
    let away = gate(elsewhere);
    assert_eq!(run(&sandbox, &away.url(), &["3", "--raw"]).ok().text(), "line 3\n");
    assert!(other.requests().iter().all(|head| head.header("cookie").is_none()));
    // Cookies of the user are sent as they are.
    run(&sandbox, &same.url(), &["3", "--raw", "--http-header", "Cookie: mine=2"]).ok();
    assert!(same.requests().iter().all(|head| head.header("cookie") == Some("mine=2")));
}

#[test]
fn pages_that_need_a_cookie_are_read() {
    let Some(server) = nginx() else { return };
    server.put(&Object::new("gate.log", &text()));
    let url = server.at(Location::Gate, "gate.log", server.port()).url;
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, &url, &["-1:", "--raw"]).ok().text(), "line 20000\n");
    let url = server.at(Location::Loop, "gate.log", server.port()).url;
    let run = run(&sandbox, &url, &["3"]).refused(3);
    assert!(shown(&run).contains("redirected more than 10 times"), "{run}");
}
