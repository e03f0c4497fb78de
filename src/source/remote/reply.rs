//! What a response says: which bytes of the object come with it, how long it is, and whether it is still the same.

use std::ops::Range;

use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, LAST_MODIFIED};
use http::{HeaderMap, StatusCode};
use reqwest::Response;

use super::peer::Peer;
use super::refusal::{self, network};
use crate::error::Result;
use crate::source::object::Object;

/// What came of asking for a range.
#[derive(Debug)]
pub(super) enum Reply {
    /// The bytes of `range`, which begins where it was asked to or before, and ends behind that.
    Part { range: Range<u64>, total: Option<u64>, response: Response },
    /// All of the object, since the server takes no notice of ranges.
    Whole { length: Option<u64>, response: Response },
    /// There is nothing at or behind the start of the range.
    Past { total: Option<u64> },
}

impl Reply {
    /// Understands `response` to what was asked of `peer` for `asked`.
    ///
    /// # Errors
    /// What the server refused, and `network` for an answer that contradicts itself or the question.
    pub(super) async fn of(response: Response, asked: &Range<u64>, peer: &Peer) -> Result<Self> {
        let headers = response.headers();
        match response.status() {
            StatusCode::PARTIAL_CONTENT => part(response, asked, peer),
            StatusCode::OK => {
                check_encoding(headers, peer, true)?;
                let length = number(headers.get(CONTENT_LENGTH));
                Ok(Reply::Whole { length, response })
            }
            StatusCode::RANGE_NOT_SATISFIABLE => {
                let total =
                    text(headers, CONTENT_RANGE.as_str()).and_then(|range| range.strip_prefix("bytes */"));
                let total = total.and_then(|total| total.trim().parse().ok());
                Ok(Reply::Past { total })
            }
            status => Err(refusal::status(status, &start_of_body(response, peer).await, peer)),
        }
    }
}

fn part(response: Response, asked: &Range<u64>, peer: &Peer) -> Result<Reply> {
    let headers = response.headers();
    check_encoding(headers, peer, false)?;
    if text(headers, CONTENT_TYPE.as_str()).is_some_and(|kind| kind.starts_with("multipart/byteranges")) {
        return Err(network("the server answered one range with several parts"));
    }
    let Some(said) = text(headers, CONTENT_RANGE.as_str()) else {
        return Err(network("the server sent a part without saying which (no Content-Range)"));
    };
    let wrong = || {
        network(format!("the server was asked for bytes {}-{} and sent '{said}'", asked.start, asked.end - 1))
    };
    let (range, total) =
        said.trim().strip_prefix("bytes ").and_then(|said| said.split_once('/')).ok_or_else(wrong)?;
    let total: Option<u64> = match total.trim() {
        "*" => None,
        number => Some(number.parse().map_err(|_| wrong())?),
    };
    // What some servers say of the first bytes of nothing.
    if total == Some(0) {
        return Ok(Reply::Past { total });
    }
    let (first, last) = range.split_once('-').ok_or_else(wrong)?;
    let first: u64 = first.trim().parse().map_err(|_| wrong())?;
    let end = last.trim().parse::<u64>().ok().and_then(|last| last.checked_add(1)).ok_or_else(wrong)?;
    let is_sound = first <= asked.start && asked.start < end && total.is_none_or(|total| end <= total);
    if !is_sound {
        return Err(wrong());
    }
    if let Some(length) = number(headers.get(CONTENT_LENGTH))
        && length != end - first
    {
        return Err(network(format!("the server says '{said}' and sends {length} bytes")));
    }
    Ok(Reply::Part { range: first..end, total, response })
}

/// Refuses content that was encoded for the way: ranges are of that, not of what it stands for.
fn check_encoding(headers: &HeaderMap, peer: &Peer, whole: bool) -> Result<()> {
    let encoding = text(headers, CONTENT_ENCODING.as_str()).unwrap_or_default().trim().to_ascii_lowercase();
    // All of it is recognised by its first bytes like a file that is compressed.
    let is_known = whole && matches!(encoding.as_str(), "gzip" | "x-gzip" | "zstd");
    if matches!(encoding.as_str(), "" | "identity") || is_known || peer.stores_encoded(&encoding) {
        return Ok(());
    }
    Err(network(format!("the server sends it encoded as {encoding}, though that was not accepted"))
        .hint("curl -sL --compressed URL | rread lines - 1:20"))
}

/// The first bytes of the body of a refusal, where its code is.
async fn start_of_body(mut response: Response, peer: &Peer) -> String {
    let mut body = Vec::new();
    while body.len() < refusal::BODY {
        match tokio::time::timeout(peer.transport.patience, response.chunk()).await {
            Ok(Ok(Some(chunk))) => {
                peer.transport.note_bytes(chunk.len());
                body.extend_from_slice(&chunk);
            }
            _ => break,
        }
    }
    body.truncate(refusal::BODY);
    String::from_utf8_lossy(&body).into_owned()
}

/// What all responses about the same state of an object have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    etag: Option<String>,
    modified: Option<String>,
}

impl State {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let word = |name: &str| text(headers, name).map(str::to_owned);
        State { etag: word(ETAG.as_str()), modified: word(LAST_MODIFIED.as_str()) }
    }

    /// Whether `now` is about another state. What has a tag is judged by it alone; a server that leaves out what it
    /// said before does not say that anything has changed.
    pub(super) fn differs(&self, now: &State) -> bool {
        match (&self.etag, &now.etag) {
            (Some(then), Some(now)) => then != now,
            _ => self.modified.is_some() && now.modified.is_some() && self.modified != now.modified,
        }
    }
}

/// What `headers` say of the object at `url`.
pub(super) fn object(headers: &HeaderMap, url: String) -> Object {
    let word = |name: &str| text(headers, name).map(str::to_owned);
    let first = |names: &[&str]| names.iter().find_map(|name| word(name));
    let metadata = headers.iter().filter_map(|(name, value)| {
        let name = METADATA.iter().find_map(|prefix| name.as_str().strip_prefix(prefix))?;
        Some((name.to_owned(), value.to_str().ok()?.to_owned()))
    });
    Object {
        url,
        etag: word(ETAG.as_str()),
        modified: text(headers, LAST_MODIFIED.as_str()).and_then(|date| httpdate::parse_http_date(date).ok()),
        content_type: word(CONTENT_TYPE.as_str()),
        content_encoding: word(CONTENT_ENCODING.as_str()),
        storage_class: first(&["x-amz-storage-class", "x-goog-storage-class", "x-ms-access-tier"]),
        version_id: first(&["x-amz-version-id", "x-goog-generation", "x-ms-version-id"]),
        metadata: metadata.collect(),
        unverified: false,
    }
}

/// How the headers begin that hold what the owner noted.
const METADATA: [&str; 3] = ["x-amz-meta-", "x-goog-meta-", "x-ms-meta-"];

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn number(value: Option<&http::HeaderValue>) -> Option<u64> {
    value?.to_str().ok()?.trim().parse().ok()
}

/// How long the body is, or would be.
pub(super) fn length(headers: &HeaderMap) -> Option<u64> {
    number(headers.get(CONTENT_LENGTH))
}

/// The region that a bucket is in, as the server says that refused it elsewhere.
pub(super) fn region(headers: &HeaderMap) -> Option<String> {
    let region = text(headers, "x-amz-bucket-region")?;
    // It becomes part of the name of a host.
    let is_name = !region.is_empty()
        && region.len() <= 64
        && region.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    is_name.then(|| region.to_owned())
}
