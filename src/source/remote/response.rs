//! What a response says: which bytes of the object come with it, how long it is, and whether it is still the same.

use std::ops::Range;
use std::time::{Duration, Instant};

use http::header::{
    CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, DATE, ETAG, LAST_MODIFIED,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use reqwest::Response;

use super::endpoint::Endpoint;
use super::refusal::{self, network};
use crate::error::Result;
use crate::source::object::Object;

/// What came of asking for a range.
#[derive(Debug)]
pub(super) enum RangeResponse {
    /// The bytes of `range`, which begins where it was asked to or before, and ends behind that.
    Part { range: Range<u64>, total: Option<u64>, response: Response },
    /// All of the object, since the server takes no notice of ranges.
    Whole { length: Option<u64>, response: Response },
    /// There is nothing at or behind the start of the range.
    Past { total: Option<u64> },
}

impl RangeResponse {
    /// Understands `response` to what was asked of `endpoint` for `asked`.
    ///
    /// # Errors
    /// What the server refused, and `network` for an answer that contradicts itself or the question.
    pub(super) async fn of(response: Response, asked: &Range<u64>, endpoint: &Endpoint) -> Result<Self> {
        let headers = response.headers();
        match response.status() {
            StatusCode::PARTIAL_CONTENT => part(response, asked, endpoint),
            StatusCode::OK => {
                check_encoding(headers, endpoint, true)?;
                let length = number(headers.get(CONTENT_LENGTH));
                Ok(RangeResponse::Whole { length, response })
            }
            StatusCode::RANGE_NOT_SATISFIABLE => {
                let total =
                    text(headers, CONTENT_RANGE.as_str()).and_then(|range| range.strip_prefix("bytes */"));
                let total = total.and_then(|total| total.trim().parse().ok());
                Ok(RangeResponse::Past { total })
            }
            status => Err(refusal::status(status, &start_of_body(response, endpoint).await, endpoint)),
        }
    }
}

fn part(response: Response, asked: &Range<u64>, endpoint: &Endpoint) -> Result<RangeResponse> {
    let headers = response.headers();
    check_encoding(headers, endpoint, false)?;
    if text(headers, CONTENT_TYPE.as_str()).is_some_and(|kind| kind.starts_with("multipart/byteranges")) {
        return Err(network("the server answered one range with several parts"));
    }
    let Some(said) = sole(headers, &CONTENT_RANGE)? else {
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
    if total == Some(0) && number(headers.get(CONTENT_LENGTH)).unwrap_or(0) == 0 {
        return Ok(RangeResponse::Past { total });
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
    Ok(RangeResponse::Part { range: first..end, total, response })
}

/// Refuses content that was encoded for the way: ranges are of that, not of what it stands for.
fn check_encoding(headers: &HeaderMap, endpoint: &Endpoint, whole: bool) -> Result<()> {
    let encoding = sole(headers, &CONTENT_ENCODING)?.unwrap_or_default().trim().to_ascii_lowercase();
    // All of it is recognised by its first bytes like a file that is compressed.
    let is_known = whole && matches!(encoding.as_str(), "gzip" | "x-gzip" | "zstd");
    if matches!(encoding.as_str(), "" | "identity") || is_known || endpoint.stores_encoded(&encoding) {
        return Ok(());
    }
    Err(network(format!("the server sends it encoded as {encoding}, though that was not accepted"))
        .hint("curl -sL --compressed URL | rread lines - 1:20"))
}

/// The first bytes of the body of a refusal, where its code is.
async fn start_of_body(mut response: Response, endpoint: &Endpoint) -> String {
    let mut body = Vec::new();
    let until = Instant::now() + endpoint.transport.timeout.min(refusal::TIMEOUT);
    while body.len() < refusal::BODY {
        match tokio::time::timeout(until.saturating_duration_since(Instant::now()), response.chunk()).await {
            Ok(Ok(Some(chunk))) => {
                endpoint.transport.note_bytes(chunk.len());
                body.extend_from_slice(&chunk);
            }
            _ => break,
        }
    }
    body.truncate(refusal::BODY);
    String::from_utf8_lossy(&body).into_owned()
}

/// What all responses about the same state of an object have in common, in the bytes that it was said in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Validators {
    etag: Option<Vec<u8>>,
    modified: Option<Vec<u8>>,
}

impl Validators {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        // A header that comes twice is as good a word as any, as long as it comes twice each time.
        let word = |name| {
            let values: Vec<&[u8]> = headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
            (!values.is_empty()).then(|| values.join(&b", "[..]))
        };
        Validators { etag: word(ETAG), modified: word(LAST_MODIFIED) }
    }

    /// Whether there is nothing by which states could be told apart.
    pub(super) fn is_silent(&self) -> bool {
        self.etag.is_none() && self.modified.is_none()
    }

    /// Refuses what is not about this state. What has a tag is judged by that alone.
    ///
    /// # Errors
    /// `changed` for another state, and `network` where it is no longer said which it is.
    pub(super) fn check(&self, now: &Validators) -> Result<()> {
        let (then, now) = match &self.etag {
            Some(_) => (&self.etag, &now.etag),
            None => (&self.modified, &now.modified),
        };
        match (then, now) {
            (Some(then), Some(now)) if then != now => Err(refusal::changed()),
            (Some(_), None) => Err(network("the server no longer says which state of it this is")),
            _ => Ok(()),
        }
    }
}

/// What `headers` say of the object at `url`, which `place` was asked for.
pub(super) fn object(headers: &HeaderMap, url: &str, place: String) -> Object {
    let word = |name: &str| text(headers, name).map(str::to_owned);
    let first = |names: &[&str]| names.iter().find_map(|name| word(name));
    let metadata = headers.iter().filter_map(|(name, value)| {
        let name = METADATA.iter().find_map(|prefix| name.as_str().strip_prefix(prefix))?;
        // Not all of them keep to ASCII.
        Some((name.to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
    });
    Object {
        url: url.to_owned(),
        place,
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

/// Dates are whole seconds, and the file system's may be every other.
const GRANULARITY: Duration = Duration::from_secs(3);

/// How the headers begin that hold what the owner noted.
const METADATA: [&str; 3] = ["x-amz-meta-", "x-goog-meta-", "x-ms-meta-"];

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The one value of a header that everything depends on.
fn sole<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.any(|other| Some(other) != first) {
        return Err(network(format!("the server says two things of {name}")));
    }
    let text = first.map(|value| value.to_str()).transpose();
    text.map_err(|_| network(format!("the server says nothing sensible of {name}")))
}

fn number(value: Option<&http::HeaderValue>) -> Option<u64> {
    value?.to_str().ok()?.trim().parse().ok()
}

/// Whether the object was modified so short a time before the answer that it may be again under the same date, and, where
/// the tag is made of that, the same tag.
pub(super) fn is_fresh(headers: &HeaderMap) -> bool {
    let date = |name: &str| httpdate::parse_http_date(text(headers, name)?).ok();
    let (Some(modified), Some(now)) = (date(LAST_MODIFIED.as_str()), date(DATE.as_str())) else {
        return false;
    };
    now.duration_since(modified).unwrap_or_default() < GRANULARITY
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
