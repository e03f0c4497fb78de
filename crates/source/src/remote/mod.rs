//! Objects of stores and web servers as sources: few requests for many reads, all for one state of the object.

mod ahead;
mod cache;
mod connection;
mod credentials;
mod endpoint;
mod fetch;
mod listing;
mod named_objects;
mod network_errors;
mod response;
mod status_errors;
mod streamed;
mod transport;

use std::io;
use std::ops::Range;

use bytes::Bytes;
use http::StatusCode;
use object_store::{GetOptions, GetRange};
use reqwest::Response;

use cache::{Cache, HELD};
use endpoint::Endpoint;
use fetch::{Fetcher, KEPT, in_region};
use listing::Lister;
use network_errors::network;
use response::{RangeResponse, Validators};
use status_errors::refusal;
use streamed::StreamedObject;
use transport::{Transport, runtime};

pub(super) use ahead::{expect, in_turn, refuse};
pub(super) use named_objects::named_objects;

use super::access::Access;
use super::object::{FIRST_FETCH, Object, RequestPlan};
use super::version::{Change, Version};
use super::{Source, SourceInfo};
use rread_text::address::{Address, Scheme};
use rread_text::error::{Error, Kind, Result};

/// A first part below this size means that the server sends ranges in tiny parts.
const TINY: u64 = 16 << 10;

/// The largest object that is read as a stream because of such parts.
const STREAMED: u64 = 256 << 20;

struct RangedObject {
    object: Object,
    cache: Cache,
}

/// Opens the object at `address`. One request fetches its metadata and first bytes.
pub(super) fn open(address: &Address<'_>, access: &Access) -> Result<Box<dyn Source>> {
    let transport = Transport::new(access)?;
    let (bucket, _) = address.bucket_and_key();
    let endpoint = |region: Option<&str>| Endpoint::of(address, &transport, access.anonymous, region);
    let opened = runtime()?.block_on(async {
        let (endpoint, response) = in_region(access, bucket, endpoint, request_start).await?;
        open_with(address, endpoint, response).await
    });
    opened.map_err(|error| Lister::hint_prefix(address, access, error))
}

/// The server and the credentials that requests for the URL `address` would use. It sends none and shows no secret.
///
/// # Errors
///
/// Settings or credentials are wrong.
pub fn plan(address: &Address<'_>, access: &Access) -> Result<RequestPlan> {
    let transport = Transport::new(access)?;
    runtime()?.block_on(async { Endpoint::plan(address, &transport, access.anonymous) })
}

async fn request_start(endpoint: &Endpoint) -> Result<Response> {
    let options = GetOptions { range: Some(GetRange::Bounded(0..FIRST_FETCH)), ..GetOptions::default() };
    let response = endpoint.send(options).await?;
    if response.status() == StatusCode::PRECONDITION_FAILED {
        return Err(network("the server answered 412 Precondition Failed to a request without conditions"));
    }
    Ok(response)
}

async fn open_with(address: &Address<'_>, endpoint: Endpoint, response: Response) -> Result<Box<dyn Source>> {
    let endpoint_url = without_query(&response);
    let mut object = response::object(response.headers(), address.url, endpoint_url.clone());
    // Web servers make the tag from the date, so two states may have the same tag.
    let is_fresh = address.scheme == Scheme::Http && response::is_fresh(response.headers());
    let validators = Validators::of(response.headers());
    let tag = object.strong_etag().map(str::to_owned);
    let mut fetcher = Fetcher::new(endpoint, validators, tag);
    let requested = 0..FIRST_FETCH;
    let status = response.status();
    let mut first = RangeResponse::of(response, &requested, &fetcher.endpoint).await;
    if refuses_ranges(status, first.as_ref())
        && let Some(whole) = fetcher.endpoint.send_whole().await
        && whole.status() == StatusCode::OK
    {
        object = response::object(whole.headers(), address.url, without_query(&whole));
        first = RangeResponse::of(whole, &(0..u64::MAX), &fetcher.endpoint).await;
    }
    match first? {
        RangeResponse::Whole { length, response } => {
            StreamedObject::open(response, length, object, &fetcher.endpoint.transport)
        }
        RangeResponse::PastEnd { total } => {
            let object = match request_head(&fetcher.endpoint, address.url, endpoint_url).await {
                Ok((described, Some(0))) => described,
                // The object is empty, though HEAD does not confirm it; the media type is that of an error page.
                Ok((_, None)) | Err(_) if total == Some(0) => Object { content_type: None, ..object },
                Ok(_) => return Err(network("the server sent no bytes, although the object is not empty")),
                Err(error) => return Err(error),
            };
            Ok(Box::new(RangedObject { object, cache: Cache::new(fetcher, Vec::new(), None) }))
        }
        // Only a stream finds the end of an object of unknown size.
        RangeResponse::Part { total: None, .. } => match fetcher.request(None).await? {
            RangeResponse::Whole { length, response } => {
                StreamedObject::open(response, length, object, &fetcher.endpoint.transport)
            }
            _ => Err(network("the server does not send the size of the object")),
        },
        RangeResponse::Part { range, total: Some(size), response } => {
            let end = requested.end.min(size);
            let is_tiny = range.end < end && range.end - range.start < TINY;
            fetcher.size = size;
            // A server may send ranges in tiny parts, or take the end of the part for that of the object.
            let is_odd = is_tiny && size <= STREAMED
                || size == FIRST_FETCH && range.end == size && fetcher.continues(size).await;
            if is_odd && let RangeResponse::Whole { length, response } = fetcher.request(None).await? {
                return StreamedObject::open(response, length, object, &fetcher.endpoint.transport);
            }
            object.unverified = match (fetcher.has_validators(), is_fresh) {
                (false, _) => Some("the server sends neither ETag nor Last-Modified"),
                (true, true) => {
                    Some("the file changed in the last 3 seconds, and its next state may have the same date")
                }
                (true, false) => None,
            };
            let first = RangeResponse::Part { range, total: Some(size), response };
            let mut chunks = Vec::new();
            let failed = match fetcher.fetch(0..end, &mut chunks, Some(first)).await {
                Err(error) if chunks.is_empty() || error.kind != Kind::Network => return Err(error),
                // The bytes that came may be enough; reading past them fails.
                fetched => fetched.err(),
            };
            if address.scheme == Scheme::Http {
                fetcher.head =
                    chunks.first().map_or_else(Bytes::new, |first| first.slice(..first.len().min(KEPT)));
            }
            Ok(Box::new(RangedObject { object, cache: Cache::new(fetcher, chunks, failed) }))
        }
    }
}

/// Whether a server that answered a range with `status` may serve the whole object: it refuses ranges, or what it sent is
/// not the range.
fn refuses_ranges(status: StatusCode, first: std::result::Result<&RangeResponse, &Error>) -> bool {
    match first {
        Ok(RangeResponse::PastEnd { total }) => *total != Some(0),
        Ok(RangeResponse::Part { .. } | RangeResponse::Whole { .. }) => false,
        Err(_) => matches!(
            status.as_u16(),
            206 | 400 | 403 | 405 | 406 | 409 | 411 | 413 | 415 | 416 | 417 | 422 | 500 | 501 | 505
        ),
    }
}

/// The URL of the response, without the query, which may contain secrets.
fn without_query(response: &Response) -> String {
    let mut url = response.url().clone();
    url.set_query(None);
    url.into()
}

async fn request_head(endpoint: &Endpoint, url: &str, endpoint_url: String) -> Result<(Object, Option<u64>)> {
    let response = endpoint.send(GetOptions { head: true, ..GetOptions::default() }).await?;
    if !response.status().is_success() {
        return Err(refusal(response, endpoint).await);
    }
    let headers = response.headers();
    Ok((response::object(headers, url, endpoint_url), response::length(headers)))
}

impl Source for RangedObject {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.cache.read(buffer, offset).map_err(Error::into_io)
    }

    fn size(&self) -> Option<u64> {
        Some(self.cache.fetcher.size)
    }

    fn advise(&self, range: Range<u64>) {
        self.cache.advise(range);
    }

    fn info(&self) -> SourceInfo<'_> {
        self.cache.fetcher.endpoint.transport.info(&self.object, HELD)
    }

    fn version(&self) -> io::Result<Option<Version>> {
        Ok(self.object.version())
    }

    fn changed(&self) -> io::Result<Option<Change>> {
        Ok(self.cache.fetcher.has_grown().then_some(Change::Appended))
    }
}
