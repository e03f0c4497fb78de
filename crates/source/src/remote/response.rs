//! Checks responses: which bytes they hold, the size of the object, and whether it is still the same object.

use std::ops::Range;
use std::time::{Duration, SystemTime};

use http::header::{
    AsHeaderName, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, DATE, ETAG, LAST_MODIFIED,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use reqwest::Response;

use super::endpoint::Endpoint;
use super::network_errors::{self, network};
use super::status_errors::refusal;
use crate::compressed::CompressionFormat;
use crate::object::Object;
use rread_text::{Result, shell};

#[derive(Debug)]
pub(super) enum RangeResponse {
    /// The bytes of `range`, which contains the start of the requested range.
    Part { range: Range<u64>, total: Option<u64>, response: Response },
    /// The whole object: the server ignores ranges.
    Whole { length: Option<u64>, response: Response },
    /// The range starts at or after the end.
    PastEnd { total: Option<u64> },
}

impl RangeResponse {
    pub(super) async fn of(response: Response, requested: &Range<u64>, endpoint: &Endpoint) -> Result<Self> {
        let headers = response.headers();
        match response.status() {
            StatusCode::PARTIAL_CONTENT => part(response, requested, endpoint),
            StatusCode::OK => {
                check_encoding(headers, endpoint, true)?;
                let length = length(headers);
                Ok(RangeResponse::Whole { length, response })
            }
            StatusCode::RANGE_NOT_SATISFIABLE => {
                let total = text(headers, CONTENT_RANGE).and_then(|range| range.strip_prefix("bytes */"));
                Ok(RangeResponse::PastEnd { total: total.and_then(|total| total.trim().parse().ok()) })
            }
            _ => Err(refusal(response, endpoint).await),
        }
    }
}

fn part(response: Response, requested: &Range<u64>, endpoint: &Endpoint) -> Result<RangeResponse> {
    let headers = response.headers();
    check_encoding(headers, endpoint, false)?;
    if text(headers, CONTENT_TYPE).is_some_and(|kind| kind.starts_with("multipart/byteranges")) {
        return Err(network("the server answered one range with several parts"));
    }
    let Some(header) = sole(headers, &CONTENT_RANGE)? else {
        return Err(network("the server sent a part without Content-Range"));
    };
    let wrong =
        || network(format!("the server sent '{header}' for bytes {}-{}", requested.start, requested.end - 1));
    let (range, total) =
        header.trim().strip_prefix("bytes ").and_then(|header| header.split_once('/')).ok_or_else(wrong)?;
    let total: Option<u64> = match total.trim() {
        "*" => None,
        number => Some(number.parse().map_err(|_| wrong())?),
    };
    let length = length(headers);
    // Some servers answer so for an empty object.
    if total == Some(0) && length.unwrap_or(0) == 0 {
        return Ok(RangeResponse::PastEnd { total });
    }
    let (first, last) = range.split_once('-').ok_or_else(wrong)?;
    let first: u64 = first.trim().parse().map_err(|_| wrong())?;
    let end = last.trim().parse::<u64>().ok().and_then(|last| last.checked_add(1)).ok_or_else(wrong)?;
    let is_sound =
        first <= requested.start && requested.start < end && total.is_none_or(|total| end <= total);
    if !is_sound {
        return Err(wrong());
    }
    if let Some(length) = length.filter(|length| *length != end - first) {
        return Err(network(format!("the server announced '{header}' but sent {length} bytes")));
    }
    Ok(RangeResponse::Part { range: first..end, total, response })
}

/// Words of Content-Encoding for content that is compressed or encrypted (the registry of RFC 9110, section 16.6, and
/// words that were never registered). Servers also send others, such as utf-8 or none, which change nothing.
#[rustfmt::skip]
const CODINGS: [&str; 22] = [
    "aes128gcm", "br", "brotli", "compress", "dcb", "dcz", "deflate", "exi", "lz4", "lzip", "lzma", "lzo",
    "pack200-gzip", "snappy", "x-br", "x-compress", "x-deflate", "x-lzma", "x-snappy", "x-zip", "zip", "zlib",
];

/// The words of Content-Encoding that change the content, one after another.
fn codings(headers: &HeaderMap) -> String {
    let mut values: Vec<&HeaderValue> = headers.get_all(CONTENT_ENCODING).iter().collect();
    // A server and its proxy may send the same header.
    values.dedup();
    let values: Vec<String> =
        values.iter().map(|value| String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase()).collect();
    let is_coding =
        |word: &&str| CODINGS.contains(word) || CompressionFormat::of_coding(word).next().is_some();
    let words = values.iter().flat_map(|value| value.split(',')).map(str::trim).filter(is_coding);
    words.collect::<Vec<_>>().join(", ")
}

/// Refuses content that the server compressed for the transfer: its ranges are not ranges of the object.
fn check_encoding(headers: &HeaderMap, endpoint: &Endpoint, is_whole: bool) -> Result<()> {
    let encoding = codings(headers);
    // A whole object is recognised by content, like a compressed file.
    let is_known =
        is_whole && CompressionFormat::of_coding(&encoding).any(CompressionFormat::is_recognised_by_content);
    if encoding.is_empty() || is_known || endpoint.is_raw_encoding(&encoding) {
        return Ok(());
    }
    Err(network(format!("the server sent Content-Encoding: {encoding}, which the request did not accept"))
        .hint(shell("curl -sL --compressed URL").piped_to_lines("1:20")))
}

/// The headers that identify a state of an object, as bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Validators {
    etag: Option<Vec<u8>>,
    modified: Option<Vec<u8>>,
}

impl Validators {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        // A repeated header identifies the object too, as long as each response repeats it.
        let values = |name| {
            let values: Vec<&[u8]> = headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
            (!values.is_empty()).then(|| values.join(&b", "[..]))
        };
        Validators { etag: values(ETAG), modified: values(LAST_MODIFIED) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.etag.is_none() && self.modified.is_none()
    }

    /// Fails if `now` is of another state, or does not identify one. The entity tag overrides the date.
    pub(super) fn check(&self, now: &Validators) -> Result<()> {
        let (then, now) = match &self.etag {
            Some(_) => (&self.etag, &now.etag),
            None => (&self.modified, &now.modified),
        };
        match (then, now) {
            (Some(then), Some(now)) if then != now => Err(network_errors::changed()),
            (Some(_), None) => Err(network("the server stopped sending ETag or Last-Modified")),
            _ => Ok(()),
        }
    }
}

/// The object that `headers` describe.
pub(super) fn object(headers: &HeaderMap, url: &str, endpoint: String) -> Object {
    let value = |name: &str| text(headers, name).map(str::to_owned);
    let first = |names: &[&str]| names.iter().find_map(|name| value(name));
    let metadata = headers.iter().filter_map(|(name, value)| {
        let name = METADATA.iter().find_map(|prefix| name.as_str().strip_prefix(prefix))?;
        // Some stores send more than ASCII.
        Some((name.to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
    });
    Object {
        url: url.to_owned(),
        endpoint,
        etag: value(ETAG.as_str()),
        modified: date(headers, LAST_MODIFIED),
        content_type: value(CONTENT_TYPE.as_str()),
        content_encoding: value(CONTENT_ENCODING.as_str()),
        storage_class: first(&["x-amz-storage-class", "x-goog-storage-class", "x-ms-access-tier"]),
        version_id: first(&["x-amz-version-id", "x-goog-generation", "x-ms-version-id"]),
        metadata: metadata.collect(),
        unverified: None,
    }
}

/// Dates are whole seconds, and some file systems store only even ones.
const GRANULARITY: Duration = Duration::from_secs(3);

const METADATA: [&str; 3] = ["x-amz-meta-", "x-goog-meta-", "x-ms-meta-"];

fn text(headers: &HeaderMap, name: impl AsHeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn date(headers: &HeaderMap, name: HeaderName) -> Option<SystemTime> {
    httpdate::parse_http_date(text(headers, name)?).ok()
}

fn sole<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.any(|other| Some(other) != first) {
        return Err(network(format!("the server sent two different values of {name}")));
    }
    let text = first.map(HeaderValue::to_str).transpose();
    text.map_err(|_| network(format!("the server sent an invalid value of {name}")))
}

/// Whether the object was modified so recently that its next state may have the same date, and the same tag if the
/// server makes the tag from the date.
pub(super) fn is_fresh(headers: &HeaderMap) -> bool {
    let (Some(modified), Some(now)) = (date(headers, LAST_MODIFIED), date(headers, DATE)) else {
        return false;
    };
    now.duration_since(modified).unwrap_or_default() < GRANULARITY
}

pub(super) fn length(headers: &HeaderMap) -> Option<u64> {
    text(headers, CONTENT_LENGTH)?.trim().parse().ok()
}

/// The region of the bucket, which S3 reports when it refuses a request to another region.
pub(super) fn region(headers: &HeaderMap) -> Option<String> {
    let region = text(headers, "x-amz-bucket-region")?;
    // The region becomes part of a host name.
    let is_name = !region.is_empty()
        && region.len() <= 64
        && region.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    is_name.then(|| region.to_owned())
}
