//! A bucket of S3 in this process, which lists its keys and remembers every request.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use super::http::Head;
use super::servers::Target;
use super::servers::s3::target;

/// The bytes of each object, and its last change, if the listing shows one.
type Objects = Arc<Mutex<BTreeMap<String, (Vec<u8>, String)>>>;

/// A request as the tests compare it: `list PREFIX`, `level PREFIX`, `get KEY` or `head KEY`.
type Seen = Arc<Mutex<Vec<String>>>;

pub struct Bucket {
    port: u16,
    objects: Objects,
    seen: Seen,
}

impl Bucket {
    /// A bucket with pages of `page` keys. Without it, the keys may not be listed.
    pub fn start(page: Option<usize>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let bucket = Bucket {
            port: listener.local_addr().unwrap().port(),
            objects: Objects::default(),
            seen: Seen::default(),
        };
        let (objects, seen) = (Arc::clone(&bucket.objects), Arc::clone(&bucket.seen));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (objects, seen) = (Arc::clone(&objects), Arc::clone(&seen));
                thread::spawn(move || serve(&client, &objects, &seen, page));
            }
        });
        bucket
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn put(&self, key: &str, text: &str) {
        self.put_at(key, text.as_bytes(), "");
    }

    /// Puts an object that changed last at the time `modified`.
    pub fn put_at(&self, key: &str, bytes: &[u8], modified: &str) {
        self.objects.lock().unwrap().insert(key.to_owned(), (bytes.to_vec(), modified.to_owned()));
    }

    pub fn remove(&self, key: &str) {
        self.objects.lock().unwrap().remove(key);
    }

    pub fn target(&self, key: &str) -> Target {
        target(key, self.port)
    }

    /// The requests since the last call, sorted.
    pub fn take(&self) -> Vec<String> {
        let mut seen = std::mem::take(&mut *self.seen.lock().unwrap());
        seen.sort();
        seen
    }
}

fn serve(client: &TcpStream, objects: &Objects, seen: &Seen, page: Option<usize>) {
    let mut requests = BufReader::new(client);
    while let Ok(Some(head)) = Head::read(&mut requests) {
        let (path, query) = head.word(1).split_once('?').unwrap_or((head.word(1), ""));
        let key = decoded(path.trim_start_matches('/').split_once('/').map_or("", |(_, key)| key));
        let answer = if query.contains("list-type=2") {
            list(&query_pairs(query), &objects.lock().unwrap(), seen, page)
        } else {
            seen.lock().unwrap().push(format!("{} {key}", head.word(0).to_lowercase()));
            object(&head, objects.lock().unwrap().get(&key).map(|(bytes, _)| &bytes[..]))
        };
        if { client }.write_all(&answer).is_err() {
            return;
        }
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = std::str::from_utf8(after.get(..2).unwrap_or_default()).ok();
        match code.filter(|_| *first == b'%').and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(if *first == b'+' { b' ' } else { *first });
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap()
}

fn query_pairs(query: &str) -> BTreeMap<String, String> {
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(name, value)| (name.to_owned(), decoded(value))).collect()
}

fn list(
    query: &BTreeMap<String, String>,
    objects: &BTreeMap<String, (Vec<u8>, String)>,
    seen: &Seen,
    page: Option<usize>,
) -> Vec<u8> {
    let of = |name: &str| query.get(name).cloned().unwrap_or_default();
    let (prefix, delimiter, token) = (of("prefix"), of("delimiter"), of("continuation-token"));
    let verb = if delimiter.is_empty() { "list" } else { "level" };
    seen.lock().unwrap().push(format!("{verb} {prefix}"));
    let Some(page) = page else {
        return response("403 Forbidden", b"<Error><Code>AccessDenied</Code></Error>", "");
    };
    let (mut entries, mut prefixes) = (Vec::new(), BTreeSet::new());
    let mut next = String::new();
    for (key, bytes) in objects.range(prefix.clone()..).take_while(|(key, _)| key.starts_with(&prefix)) {
        if *key <= token && !token.is_empty() {
            continue;
        }
        if entries.len() + prefixes.len() == page {
            break;
        }
        next.clone_from(key);
        match key[prefix.len()..].find('/').filter(|_| !delimiter.is_empty()) {
            Some(slash) => _ = prefixes.insert(&key[..=prefix.len() + slash]),
            None => entries.push((key, bytes)),
        }
    }
    let is_cut = objects.range(next.clone()..).nth(1).is_some_and(|(key, _)| key.starts_with(&prefix));
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let mut xml = "<ListBucketResult>".to_owned();
    for (key, (bytes, modified)) in entries {
        xml += &format!(
            "<Contents><Key>{}</Key><LastModified>{modified}</LastModified><Size>{}</Size><ETag>&quot;{}&quot;</ETag></Contents>",
            escaped(key),
            bytes.len(),
            tag(bytes)
        );
    }
    for prefix in prefixes {
        xml += &format!("<CommonPrefixes><Prefix>{}</Prefix></CommonPrefixes>", escaped(prefix));
    }
    if is_cut {
        xml += &format!("<NextContinuationToken>{}</NextContinuationToken>", escaped(&next));
    }
    response("200 OK", (xml + "</ListBucketResult>").as_bytes(), "")
}

fn tag(bytes: &[u8]) -> String {
    let sum = bytes.iter().fold(7u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    format!("{sum:x}")
}

fn object(head: &Head, bytes: Option<&[u8]>) -> Vec<u8> {
    let Some(bytes) = bytes else {
        return response("404 Not Found", b"<Error><Code>NoSuchKey</Code></Error>", "");
    };
    let tag = format!("ETag: \"{}\"\r\n", tag(bytes));
    let Some(range) = head.range().and_then(|range| range.strip_prefix("bytes=")) else {
        let body = if head.word(0) == "HEAD" { b"" } else { bytes };
        return response("200 OK", body, &tag);
    };
    let (first, last) = range.split_once('-').unwrap();
    let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
    if first >= bytes.len() {
        let range = format!("Content-Range: bytes */{}\r\n", bytes.len());
        return response("416 Range Not Satisfiable", b"", &(tag + &range));
    }
    let end = bytes.len().min(last + 1);
    let range = format!("Content-Range: bytes {first}-{}/{}\r\n", end - 1, bytes.len());
    response("206 Partial Content", &bytes[first..end], &(tag + &range))
}

fn response(status: &str, body: &[u8], headers: &str) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
    [head.as_bytes(), body].concat()
}
