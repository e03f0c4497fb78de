//! Objects of stores and web servers as sources: few requests for many reads, all for one state of the object.

mod cache;
mod credentials;
mod endpoint;
mod failure;
mod fetch;
mod read_ahead;
mod refusal;
mod response;
mod streamed;
mod transport;

use std::io;
use std::ops::Range;
use std::sync::Arc;

use http::StatusCode;
use reqwest::Response;

use cache::{Cache, HELD};
use endpoint::{Endpoint, ObjectRequest};
use failure::network;
use fetch::Fetcher;
use refusal::refusal;
use response::{RangeResponse, Validators};
use streamed::StreamedObject;
use transport::{Transport, runtime};

use super::Source;
use super::object::{FIRST_FETCH, Object, Traffic};
use super::open::Access;
use super::version::Version;
use crate::address::{Address, Scheme};
use crate::error::{Error, Kind, Result};

/// A first part below this size means that the server sends ranges in tiny parts.
const TINY: u64 = 16 << 10;

/// The largest object that is read as a stream because of such parts.
const STREAMED: u64 = 256 << 20;

struct RangedObject {
    object: Object,
    fetcher: Arc<Fetcher>,
    cache: Cache,
}

/// Opens the object at `address`. One request fetches its metadata and first bytes.
pub(super) fn open(address: &Address<'_>, access: &Access) -> Result<Box<dyn Source>> {
    let transport = Transport::new(access);
    runtime()?.block_on(async {
        let mut endpoint = Endpoint::of(address, &transport, access.anonymous, None)?;
        let mut response = request_start(&endpoint).await?;
        // Retry once in the reported region.
        if let Some(region) = other_region(&endpoint, &response) {
            endpoint = Endpoint::of(address, &transport, access.anonymous, Some(&region))?;
            response = request_start(&endpoint).await?;
        }
        open_with(address, endpoint, response).await
    })
}

/// The region of the bucket, if the server refused a request to another one.
fn other_region(endpoint: &Endpoint, response: &Response) -> Option<String> {
    let requested = endpoint.region()?;
    let region = response::region(response.headers())?;
    (!response.status().is_success() && region != requested).then_some(region)
}

async fn request_start(endpoint: &Endpoint) -> Result<Response> {
    let request = ObjectRequest { range: Some(0..FIRST_FETCH), ..ObjectRequest::default() };
    let response = endpoint.send(&request).await?;
    if response.status() == StatusCode::PRECONDITION_FAILED {
        return Err(network("the server answered 412 Precondition Failed to a request without conditions"));
    }
    Ok(response)
}

async fn open_with(address: &Address<'_>, endpoint: Endpoint, response: Response) -> Result<Box<dyn Source>> {
    let place = without_query(&response);
    let mut object = response::object(response.headers(), address.url, place.clone());
    // Web servers make the tag from the date, so two states may have the same tag.
    let is_fresh = address.scheme == Scheme::Http && response::is_fresh(response.headers());
    let validators = Validators::of(response.headers());
    let tag = object.strong_etag().map(str::to_owned);
    let requested = 0..FIRST_FETCH;
    match RangeResponse::of(response, &requested, &endpoint).await? {
        RangeResponse::Whole { length, response } => streamed(response, length, object, &endpoint),
        RangeResponse::PastEnd { total } => {
            let (validators, object) = match request_head(&endpoint, address.url, place).await {
                Ok((validators, described, Some(0))) => (validators, described),
                // The object is empty, and HEAD does not confirm it; the media type is that of the error page.
                Ok((_, _, None)) | Err(_) if total == Some(0) => {
                    (validators, Object { content_type: None, ..object })
                }
                Ok(_) => return Err(network("the server reports an empty range in an object with content")),
                Err(error) => return Err(error),
            };
            let fetcher = Fetcher::new(endpoint, validators, tag, 0);
            let cache = Cache::new(Arc::clone(&fetcher), 0..0, Vec::new(), None);
            Ok(Box::new(RangedObject { object, fetcher, cache }))
        }
        // Only a stream finds the end of an object of unknown size.
        RangeResponse::Part { total: None, .. } => {
            match request_whole(&endpoint, &validators, tag.as_deref()).await? {
                RangeResponse::Whole { length, response } => streamed(response, length, object, &endpoint),
                _ => Err(network("the server does not send the size of the object")),
            }
        }
        RangeResponse::Part { range, total: Some(size), response } => {
            let end = requested.end.min(size);
            let is_tiny = range.end < end && range.end - range.start < TINY;
            if is_tiny
                && size <= STREAMED
                && let RangeResponse::Whole { length, response } =
                    request_whole(&endpoint, &validators, tag.as_deref()).await?
            {
                return streamed(response, length, object, &endpoint);
            }
            object.unverified = is_fresh || validators.is_empty();
            let fetcher = Fetcher::new(endpoint, validators, tag, size);
            let first = RangeResponse::Part { range, total: Some(size), response };
            let mut chunks = Vec::new();
            let fetched = fetcher.fetch(0..end, &mut chunks, Some(first)).await;
            let got = chunks.iter().map(|chunk| chunk.len() as u64).sum();
            let failed = match fetched {
                Err(error) if got == 0 || error.kind != Kind::Network => return Err(error),
                // The bytes that came may be enough; reading past them fails.
                fetched => fetched.err(),
            };
            let cache = Cache::new(Arc::clone(&fetcher), 0..got, chunks, failed);
            Ok(Box::new(RangedObject { object, fetcher, cache }))
        }
    }
}

async fn request_whole(
    endpoint: &Endpoint,
    validators: &Validators,
    tag: Option<&str>,
) -> Result<RangeResponse> {
    let response = endpoint.send(&ObjectRequest { tag, ..ObjectRequest::default() }).await?;
    if response.status().is_success() {
        validators.check(&Validators::of(response.headers()))?;
    }
    RangeResponse::of(response, &(0..u64::MAX), endpoint).await
}

/// The URL of the response, without the query, which may contain secrets.
fn without_query(response: &Response) -> String {
    let mut url = response.url().clone();
    url.set_query(None);
    url.into()
}

async fn request_head(
    endpoint: &Endpoint,
    url: &str,
    place: String,
) -> Result<(Validators, Object, Option<u64>)> {
    let response = endpoint.send(&ObjectRequest { head: true, ..ObjectRequest::default() }).await?;
    if !response.status().is_success() {
        return Err(refusal(response, endpoint).await);
    }
    let headers = response.headers();
    Ok((Validators::of(headers), response::object(headers, url, place), response::length(headers)))
}

fn streamed(
    response: Response,
    length: Option<u64>,
    object: Object,
    endpoint: &Endpoint,
) -> Result<Box<dyn Source>> {
    Ok(Box::new(StreamedObject::new(response, length, object, Arc::clone(&endpoint.transport))?))
}

impl Source for RangedObject {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.cache.read(buffer, offset).map_err(Error::into_io)
    }

    fn size(&self) -> Option<u64> {
        Some(self.fetcher.size)
    }

    fn version(&self) -> io::Result<Option<Version>> {
        Ok(self.object.version())
    }

    fn object(&self) -> Option<&Object> {
        Some(&self.object)
    }

    fn traffic(&self) -> Option<Traffic> {
        let (requests, bytes_fetched) = self.fetcher.endpoint.transport.counts();
        Some(Traffic { requests, bytes_fetched, held: HELD })
    }

    fn advise(&self, range: Range<u64>) {
        self.cache.advise(range);
    }

    fn is_sequential(&self) -> bool {
        true
    }
}
