//! Objects of stores and web servers as sources: positioned reads become few requests, all for one state of the object.

mod ahead;
mod cache;
mod credentials;
mod fetch;
mod peer;
mod refusal;
mod reply;
mod streamed;
mod transport;

use std::io;
use std::ops::Range;
use std::sync::Arc;

use http::StatusCode;
use reqwest::Response;

use cache::{Cache, HELD};
use fetch::Fetcher;
use peer::{Ask, Peer};
use reply::{Reply, State};
use streamed::Streamed;
use transport::{Transport, runtime};

use super::access::Access;
use super::object::{FIRST_FETCH, Object, Traffic};
use super::version::Version;
use super::{Source, SourceInfo};
use crate::address::{Address, Scheme};
use crate::error::{Error, Kind, Result};

/// A server that sends less than this of what was asked sends pieces.
const PIECE: u64 = 16 << 10;

/// The largest object that is read from end to end because its server sends pieces.
const STREAMED: u64 = 256 << 20;

/// An object that is read in ranges.
struct Remote {
    object: Object,
    fetcher: Arc<Fetcher>,
    cache: Cache,
}

/// Opens the object at `address`. One request fetches its first bytes and what is said of it.
///
/// # Errors
/// `not_found`, `permission` and `network`, with what to try; `usage` for a URL that names no object.
pub(super) fn open(address: &Address<'_>, access: &Access) -> Result<Box<dyn Source>> {
    let transport = Transport::new(access);
    runtime()?.block_on(async {
        let peer = Peer::of(address, &transport, access.anonymous, None)?;
        let response = ask_for_start(&peer).await?;
        match elsewhere(&peer, &response) {
            // Asked there once: whoever sends on from there is not followed.
            Some(region) => {
                let peer = Peer::of(address, &transport, access.anonymous, Some(&region))?;
                let response = ask_for_start(&peer).await?;
                open_with(address, peer, response).await
            }
            None => open_with(address, peer, response).await,
        }
    })
}

/// The region that the bucket is in, if the server refused because it is not the one that was asked.
fn elsewhere(peer: &Peer, response: &Response) -> Option<String> {
    let asked = peer.region()?;
    let region = reply::region(response.headers())?;
    (!response.status().is_success() && region != asked).then_some(region)
}

async fn ask_for_start(peer: &Peer) -> Result<Response> {
    let response = peer.ask(&Ask { range: Some(0..FIRST_FETCH), ..Ask::default() }).await?;
    if response.status() == StatusCode::PRECONDITION_FAILED {
        return Err(refusal::network("the server answered 412 Precondition Failed to a request without any"));
    }
    Ok(response)
}

async fn open_with(address: &Address<'_>, peer: Peer, response: Response) -> Result<Box<dyn Source>> {
    let place = place(&response);
    let mut object = reply::object(response.headers(), address.url, place.clone());
    // A tag that a web server made of the date may be that of another state as well.
    let is_fresh = address.scheme == Scheme::Http && reply::is_fresh(response.headers());
    let state = State::of(response.headers());
    let tag = object.strong_etag().map(str::to_owned);
    let asked = 0..FIRST_FETCH;
    match Reply::of(response, &asked, &peer).await? {
        Reply::Whole { length, response } => streamed(response, length, object, &peer),
        Reply::Past { total } => {
            let (state, object) = match ask_for_nothing(&peer, address.url, place).await {
                Ok((state, described, Some(0))) => (state, described),
                // Of what is empty, this is said by some servers to those who ask for its first bytes only.
                Ok((_, _, None)) | Err(_) if total == Some(0) => {
                    (state, Object { content_type: None, ..object })
                }
                Ok(_) => {
                    return Err(refusal::network("the server says that nothing is where the object begins"));
                }
                Err(error) => return Err(error),
            };
            let fetcher = Fetcher::new(peer, state, tag, 0);
            let cache = Cache::new(Arc::clone(&fetcher), 0..0, Vec::new(), None);
            Ok(Box::new(Remote { object, fetcher, cache }))
        }
        // Where it ends can only be found out by reading all of it.
        Reply::Part { total: None, .. } => match ask_for_all(&peer, &state, tag.as_deref()).await? {
            Reply::Whole { length, response } => streamed(response, length, object, &peer),
            _ => Err(refusal::network("the server does not say how long it is")),
        },
        Reply::Part { range, total: Some(size), response } => {
            // One request for all of it brings more than a thousand for pieces.
            let is_piece = range.end < asked.end.min(size) && range.end - range.start < PIECE;
            if is_piece
                && size <= STREAMED
                && let Reply::Whole { length, response } = ask_for_all(&peer, &state, tag.as_deref()).await?
            {
                return streamed(response, length, object, &peer);
            }
            object.unverified = is_fresh || state.is_silent();
            let fetcher = Fetcher::new(peer, state, tag, size);
            let end = asked.end.min(size);
            let first = Reply::Part { range, total: Some(size), response };
            let mut chunks = Vec::new();
            let came = fetcher.fetch_into(0..end, &mut chunks, Some(first)).await;
            let got = chunks.iter().map(|chunk| chunk.len() as u64).sum();
            let failed = match came {
                Err(error) if got == 0 || error.kind != Kind::Network => return Err(error),
                // What has come may be all that is wanted; whoever wants more will hear of it.
                came => came.err(),
            };
            let cache = Cache::new(Arc::clone(&fetcher), 0..got, chunks, failed);
            Ok(Box::new(Remote { object, fetcher, cache }))
        }
    }
}

/// Asks for the object from end to end.
async fn ask_for_all(peer: &Peer, state: &State, tag: Option<&str>) -> Result<Reply> {
    let response = peer.ask(&Ask { tag, ..Ask::default() }).await?;
    if response.status().is_success() {
        // What was said of it has to hold for what comes now.
        state.check(&State::of(response.headers()))?;
    }
    Reply::of(response, &(0..u64::MAX), peer).await
}

/// Who answered, without what is secret in that.
fn place(response: &Response) -> String {
    let mut url = response.url().clone();
    url.set_query(None);
    url.into()
}

/// What is said of the object without its bytes, and its size.
async fn ask_for_nothing(peer: &Peer, url: &str, place: String) -> Result<(State, Object, Option<u64>)> {
    let response = peer.ask(&Ask { head: true, ..Ask::default() }).await?;
    let (status, headers) = (response.status(), response.headers());
    if !status.is_success() {
        return Err(refusal::status(status, "", peer));
    }
    Ok((State::of(headers), reply::object(headers, url, place), reply::length(headers)))
}

/// What is to be had only from front to back.
fn streamed(response: Response, length: Option<u64>, object: Object, peer: &Peer) -> Result<Box<dyn Source>> {
    Ok(Box::new(Streamed::new(response, length, object, Arc::clone(&peer.transport))?))
}

impl Source for Remote {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.cache.read(buffer, offset).map_err(Error::into_io)
    }

    fn size(&self) -> Option<u64> {
        Some(self.fetcher.size)
    }

    fn advise(&self, range: Range<u64>) {
        self.cache.advise(range);
    }

    fn info(&self) -> SourceInfo<'_> {
        let (requests, bytes_fetched) = self.fetcher.peer.transport.counts();
        let traffic = Some(Traffic { requests, bytes_fetched, held: HELD });
        SourceInfo { object: Some(&self.object), traffic, is_sequential: true, ..SourceInfo::default() }
    }

    fn version(&self) -> io::Result<Option<Version>> {
        Ok(self.object.version())
    }
}
