//! The misbehaving server behaves as the names of its modes say.

use super::{Behaviour, Faulty, MODES, OK, refused_port};
use crate::cloud::content;
use crate::cloud::http::{self, Answer};

const SIZE: u64 = 100_000;

/// Requests bytes 50,000 to 59,999 in `mode`.
fn ask(server: &Faulty, mode: &str) -> Answer {
    let path = format!("/{mode}/{SIZE}/app.log");
    http::request(server.port(), "GET", &path, &[("Range", "bytes=50000-59999")], b"").unwrap()
}

/// Mode, status, first byte and length of the body.
const ANSWERS: &[(&str, u16, u64, u64)] = &[
    ("ok", 206, 50_000, 10_000),
    ("norange", 200, 0, SIZE),
    ("norangeliar", 200, 0, SIZE),
    ("nosuffix", 206, 50_000, 10_000),
    ("wrongcr", 206, 50_001, 10_000),
    ("wide", 206, 49_152, 10_848),
    ("narrow", 206, 50_000, 1_000),
    ("nocr", 206, 50_000, 10_000),
    ("crunknown", 206, 50_000, 10_000),
    ("mislabelled", 206, 0, 10_000),
    ("chunked", 206, 50_000, 10_000),
    ("http10", 206, 50_000, 10_000),
    ("transcode", 200, 0, SIZE),
    ("short", 206, 50_000, 5_000),
    ("closecut", 206, 50_000, 5_000),
    ("slow", 206, 50_000, 10_000),
    ("weak", 206, 50_000, 10_000),
    ("noetag", 206, 50_000, 10_000),
];

#[test]
fn bodies_are_slices_of_the_text() {
    let server = Faulty::start();
    for &(mode, status, first, count) in ANSWERS {
        let answer = ask(&server, mode);
        assert_eq!(answer.status, status, "{mode}");
        assert!(answer.body == content::slice(first, count, false), "{mode}: {} bytes", answer.body.len());
    }
    let seen = server.seen();
    assert_eq!((seen[0].method(), seen[0].head.range()), ("GET", Some("bytes=50000-59999")));
    assert_eq!((seen[0].path(), seen[0].sent()), ("/ok/100000/app.log", 10_000));
    assert_eq!((seen[0].credentials(), seen[0].port), (None, server.port()));
    server.forget();
    assert!(server.seen().is_empty());
}

#[test]
fn a_correct_server_answers_any_range() {
    let server = Faulty::start();
    let huge = 1 << 50;
    for (range, first, count) in [
        ("bytes=-70", huge - 70, 70),
        ("bytes=1125899906842600-", huge - 24, 24),
        ("bytes=562949953421312-562949953421312", huge / 2, 1),
    ] {
        let path = format!("/ok/{huge}/app.log");
        let answer = http::request(server.port(), "GET", &path, &[("Range", range)], b"").unwrap();
        assert_eq!((answer.status, answer.body), (206, content::slice(first, count, false)), "{range}");
        let end = first + count - 1;
        assert_eq!(answer.head.header("content-range"), Some(&*format!("bytes {first}-{end}/{huge}")));
    }
    let beyond = [("Range", "bytes=5-")];
    assert_eq!(http::request(server.port(), "GET", "/ok/5/x", &beyond, b"").unwrap().status, 416);
    let answer = http::request(server.port(), "HEAD", "/devstoreaccount1/ok/5/x", &[], b"").unwrap();
    assert_eq!(answer.head.header("content-length"), Some("5"));
}

#[test]
fn errors_end_after_their_number() {
    let server = Faulty::start();
    for (mode, statuses) in [
        ("flaky", [503, 503, 206]),
        ("r429", [429, 429, 206]),
        ("slowdown", [503, 503, 206]),
        ("err500", [500, 500, 500]),
        ("e403", [403, 403, 403]),
        ("e404", [404, 404, 404]),
        ("e416", [416, 416, 416]),
        ("region", [301, 301, 301]),
        ("nohead", [206, 206, 206]),
    ] {
        assert_eq!([(); 3].map(|()| ask(&server, mode).status), statuses, "{mode}");
    }
    assert!(ask(&server, "e404").body.windows(9).any(|part| part == b"NoSuchKey"));
    assert_eq!(ask(&server, "region").head.header("x-amz-bucket-region"), Some("eu-central-1"));
    assert_eq!(http::request(server.port(), "HEAD", "/nohead/5/x", &[], b"").unwrap().status, 405);
}

#[test]
fn redirects_name_the_ports() {
    let server = Faulty::start();
    let location = |mode| ask(&server, mode).head.header("location").unwrap_or("none").to_owned();
    assert_eq!(location("redirect"), "/ok/100000");
    assert_eq!(location("redirloop"), "/redirloop/100000/app.log");
    assert_eq!(location("redirfile"), "file:///etc/passwd");
    assert_eq!(location("redirother"), format!("http://127.0.0.1:{}/ok/100000", server.elsewhere()));
    let headers = [("Authorization", "Basic bG9n")];
    http::request(server.elsewhere(), "GET", "/ok/9", &headers, b"").unwrap();
    let last = server.seen().pop().unwrap();
    assert_eq!((last.port, last.credentials()), (server.elsewhere(), Some("Basic bG9n")));
}

#[test]
fn replaced_objects_have_other_bytes_and_tags() {
    let own = [("soon", Behaviour { replaced_after: Some(1), ..OK })];
    let server = Faulty::with(&own);
    let first = ask(&server, "soon");
    let tag = first.head.header("etag").unwrap();
    assert_eq!(first.body, content::slice(50_000, 10_000, false));
    let with = |name| {
        let headers = [("Range", "bytes=50000-59999"), (name, tag)];
        let answer = http::request(server.port(), "GET", "/soon/100000/app.log", &headers, b"").unwrap();
        (answer.status, answer.body.len())
    };
    assert_eq!(with("If-Match"), (412, 0));
    assert_eq!(with("If-Range"), (200, 100_000));
    let unasked = ask(&server, "soon");
    assert_eq!(unasked.body, content::slice(50_000, 10_000, true));
    assert_ne!(unasked.head.header("etag"), Some(tag));
    assert_eq!(server.seen()[1].condition(), Some(tag));
}

#[test]
fn compressed_bodies_unpack_to_the_text() {
    let server = Faulty::start();
    let answer = http::request(server.port(), "GET", "/gzip/100000/x", &[], b"").unwrap();
    assert_eq!(answer.head.header("content-encoding"), Some("gzip"));
    let packed = &answer.body[10..answer.body.len() - 8];
    assert_eq!(miniz_oxide::inflate::decompress_to_vec(packed).unwrap(), content::text(SIZE));
    assert_eq!(ask(&server, "gzip").status, 206);
}

#[test]
fn broken_connections_break() {
    let server = Faulty::start();
    let path = |mode: &str| format!("/{mode}/{SIZE}/app.log");
    let kind = |mode| http::request(server.port(), "GET", &path(mode), &[], b"").map(|_| ()).unwrap_err();
    #[cfg(unix)]
    assert_eq!(kind("reset").kind(), std::io::ErrorKind::ConnectionReset);
    assert_eq!(kind("chunkcut").kind(), std::io::ErrorKind::Other);
    let refused = http::request(refused_port(), "GET", "/", &[], b"").unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
}

#[test]
fn names_of_modes_are_unique() {
    let mut names: Vec<&str> = MODES.iter().map(|mode| mode.0).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), MODES.len());
}
