//! Computes the response to one request.

use super::modes::{Behaviour, Conditions, Etag, Framing, HeadLength, Instead, Ranges, Requests};
use crate::cloud::content;
use crate::cloud::http::Head;

/// The parts of a request that determine the response.
pub struct ObjectRequest<'a> {
    pub head: &'a Head,
    /// The name of the mode, which is part of the ETag.
    pub mode: &'a str,
    pub size: u64,
    /// The number of this request for its path, from 1.
    pub nth: u32,
    /// The port of this request, and the other port of the server.
    pub ports: (u16, u16),
}

pub enum Content {
    Bytes(Vec<u8>),
    /// A slice of the text: first byte, count, and whether of the replaced text.
    Text(u64, u64, bool),
}

pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub content: Content,
    /// Only bodies of objects break.
    pub of_object: bool,
}

impl Content {
    pub fn len(&self) -> u64 {
        match self {
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::Text(_, count, _) => *count,
        }
    }

    /// `count` bytes from `at` on.
    pub fn slice(&self, at: u64, count: u64) -> Vec<u8> {
        match self {
            Content::Bytes(bytes) => bytes[index(at)..][..index(count)].to_vec(),
            Content::Text(first, _, replaced) => content::slice(first + at, count, *replaced),
        }
    }
}

pub fn index(value: u64) -> usize {
    usize::try_from(value).unwrap()
}

/// The response of a server with this behaviour.
pub fn answer(behaviour: &Behaviour, request: &ObjectRequest) -> Answer {
    if let Some(instead) = behaviour.instead.filter(|instead| applies(instead, request)) {
        return in_place(&instead, request);
    }
    let replaced = behaviour.replaced_after.is_some_and(|after| request.nth > after);
    let validators = validators(behaviour, request, replaced);
    if behaviour.conditions == Conditions::All && !preconditions_hold(request.head, &validators) {
        return plain(412, validators);
    }
    let obeys_range =
        behaviour.conditions == Conditions::Ignored || is_range_wanted(request.head, &validators);
    let range = request.head.range().filter(|_| obeys_range);
    let mut answer = match range.map_or(Parts::Whole, |range| parts(behaviour, range, request.size)) {
        Parts::Whole => Answer {
            status: 200,
            headers: validators,
            content: Content::Text(0, request.size, replaced),
            of_object: true,
        },
        Parts::One(from, to) => partial(behaviour, request, (from, to), replaced, validators),
        Parts::Many(ranges) => multipart(&ranges, request.size, validators),
        Parts::None => {
            let mut refused = plain(416, validators);
            refused.header("Content-Range", &format!("bytes */{}", request.size));
            return refused;
        }
    };
    if behaviour.gzip {
        compress(&mut answer, request.size);
    }
    describe(&mut answer, behaviour, request.head.word(0) == "HEAD");
    answer
}

impl Answer {
    fn header(&mut self, name: &str, value: &str) {
        self.headers.push((name.to_owned(), value.to_owned()));
    }
}

fn plain(status: u16, headers: Vec<(String, String)>) -> Answer {
    let mut answer = Answer { status, headers, content: Content::Bytes(Vec::new()), of_object: false };
    answer.header("Content-Length", "0");
    answer
}

fn applies(instead: &Instead, request: &ObjectRequest) -> bool {
    let of_these = match instead.of {
        Requests::All => true,
        Requests::Heads => request.head.word(0) == "HEAD",
        Requests::Ranged => request.head.range().is_some(),
    };
    of_these && request.nth <= instead.times
}

fn in_place(instead: &Instead, request: &ObjectRequest) -> Answer {
    let filled = |value: &str| {
        value
            .replace("{size}", &request.size.to_string())
            .replace("{path}", request.head.word(1))
            .replace("{here}", &request.ports.0.to_string())
            .replace("{elsewhere}", &request.ports.1.to_string())
    };
    let headers = instead.headers.iter().map(|(name, value)| ((*name).to_owned(), filled(value))).collect();
    let content = Content::Bytes(instead.body.into());
    let mut answer = Answer { status: instead.status, headers, content, of_object: false };
    if instead.status != 204 {
        answer.header("Content-Length", &instead.body.len().to_string());
    }
    answer
}

/// ETag and Last-Modified of the current object.
fn validators(behaviour: &Behaviour, request: &ObjectRequest, replaced: bool) -> Vec<(String, String)> {
    let version = if replaced { 2 } else { 1 };
    let tag = format!("\"{}-{}-v{version}\"", request.mode, request.size);
    let mut headers = vec![("Last-Modified".to_owned(), format!("Mon, 01 Jan 2024 00:00:0{version} GMT"))];
    match behaviour.etag {
        Etag::Strong => headers.push(("ETag".to_owned(), tag)),
        Etag::Weak => headers.push(("ETag".to_owned(), format!("W/{tag}"))),
        Etag::None => {}
    }
    headers
}

fn value<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|header| header.0 == name).map(|header| header.1.as_str())
}

/// If-Match compares strongly: a weak tag never matches.
fn preconditions_hold(head: &Head, validators: &[(String, String)]) -> bool {
    let tag = value(validators, "ETag").filter(|tag| !tag.starts_with("W/"));
    match (head.header("if-match"), head.header("if-unmodified-since")) {
        (Some(expected), _) => expected == "*" || Some(expected) == tag,
        (None, Some(expected)) => Some(expected) == value(validators, "Last-Modified"),
        (None, None) => true,
    }
}

fn is_range_wanted(head: &Head, validators: &[(String, String)]) -> bool {
    let Some(expected) = head.header("if-range") else { return true };
    let tag = value(validators, "ETag").filter(|tag| !tag.starts_with("W/"));
    Some(expected) == tag || Some(expected) == value(validators, "Last-Modified")
}

enum Parts {
    Whole,
    /// From the first byte to before the second.
    One(u64, u64),
    Many(Vec<(u64, u64)>),
    None,
}

/// The range of a Range header, if the server understands it.
fn parts(behaviour: &Behaviour, range: &str, size: u64) -> Parts {
    let Some(list) = range.strip_prefix("bytes=") else { return Parts::Whole };
    let specs: Vec<&str> = list.split(',').map(str::trim).collect();
    let is_suffix = specs[0].starts_with('-');
    match behaviour.ranges {
        Ranges::Ignored => return Parts::Whole,
        Ranges::NoSuffix if is_suffix => return Parts::Whole,
        Ranges::Multipart => {}
        _ if specs.len() > 1 => return Parts::Whole,
        _ => {}
    }
    let mut found: Vec<(u64, u64)> = specs.iter().filter_map(|spec| one_part(spec, size)).collect();
    match found.len() {
        0 => Parts::None,
        1 => Parts::One(found[0].0, found[0].1),
        _ => Parts::Many(std::mem::take(&mut found)),
    }
}

fn one_part(spec: &str, size: u64) -> Option<(u64, u64)> {
    let (first, last) = spec.split_once('-')?;
    let range = match (first, last) {
        ("", count) => (size.saturating_sub(count.parse().ok()?), size),
        (first, "") => (first.parse().ok()?, size),
        (first, last) => (first.parse().ok()?, size.min(last.parse::<u64>().ok()?.saturating_add(1))),
    };
    (range.0 < range.1).then_some(range)
}

fn partial(
    behaviour: &Behaviour,
    request: &ObjectRequest,
    (from, to): (u64, u64),
    replaced: bool,
    headers: Vec<(String, String)>,
) -> Answer {
    let (start, end) = match behaviour.ranges {
        Ranges::Shifted => (from + 1, request.size.min(to + 1)),
        Ranges::Wider => (from - from % 4096, to),
        Ranges::Narrower => (from, to.min(from + 1000)),
        _ => (from, to),
    };
    let size = match behaviour.ranges {
        Ranges::SizeUnknown => "*".to_owned(),
        Ranges::SizeWrong => (request.size + u64::from(request.nth)).to_string(),
        _ => request.size.to_string(),
    };
    let first = if behaviour.ranges == Ranges::Mislabelled { 0 } else { start };
    let content = Content::Text(first, end - start, replaced);
    let mut answer = Answer { status: 206, headers, content, of_object: true };
    if behaviour.ranges != Ranges::Unlabelled {
        answer.header("Content-Range", &format!("bytes {start}-{}/{size}", end - 1));
    }
    answer
}

fn multipart(ranges: &[(u64, u64)], size: u64, headers: Vec<(String, String)>) -> Answer {
    let mut body = Vec::new();
    for (from, to) in ranges {
        let label = format!("--PARTS\r\nContent-Range: bytes {from}-{}/{size}\r\n\r\n", to - 1);
        body.extend_from_slice(label.as_bytes());
        body.extend_from_slice(&content::slice(*from, to - from, false));
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--PARTS--\r\n");
    let mut answer = Answer { status: 206, headers, content: Content::Bytes(body), of_object: true };
    answer.header("Content-Type", "multipart/byteranges; boundary=PARTS");
    answer
}

/// Compresses the whole object, and slices the result.
fn compress(answer: &mut Answer, size: u64) {
    let whole = content::text(size);
    let mut file = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    file.extend_from_slice(&miniz_oxide::deflate::compress_to_vec(&whole, 6));
    file.extend_from_slice(&crc32fast::hash(&whole).to_le_bytes());
    file.extend_from_slice(&u32::try_from(size).unwrap().to_le_bytes());
    answer.header("Content-Encoding", "gzip");
    if let Content::Text(from, count, _) = answer.content
        && answer.status == 206
    {
        let full = file.len();
        let start = index(from).min(full);
        file = file[start..index(from + count).clamp(start, full)].to_vec();
        answer.headers.retain(|header| header.0 != "Content-Range");
        let last = start + file.len().max(1) - 1;
        answer.header("Content-Range", &format!("bytes {start}-{last}/{full}"));
    }
    answer.content = Content::Bytes(file);
}

/// Adds headers about the body, true or false.
fn describe(answer: &mut Answer, behaviour: &Behaviour, is_head: bool) {
    if value(&answer.headers, "Content-Type").is_none() {
        answer.header("Content-Type", "text/plain");
    }
    if behaviour.accept_ranges {
        answer.header("Accept-Ranges", "bytes");
    }
    for number in 0..behaviour.padding {
        answer.header(&format!("X-Padding-{number}"), &"p".repeat(60_000));
    }
    let length = answer.content.len();
    match (is_head, behaviour.head, behaviour.framing) {
        (true, HeadLength::Half, _) => answer.header("Content-Length", &(length / 2).to_string()),
        (true, HeadLength::Nothing, _) => {}
        (_, _, Framing::Length) => answer.header("Content-Length", &length.to_string()),
        (_, _, Framing::Chunked) => answer.header("Transfer-Encoding", "chunked"),
        (_, _, Framing::Close) => answer.header("Connection", "close"),
        (_, _, Framing::Nonsense(text)) => answer.header("Content-Length", text),
    }
}
