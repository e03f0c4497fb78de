//! Fetches byte spans of one state of an object, and resumes after a connection breaks.

use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::StatusCode;
use object_store::{GetOptions, GetRange};
use reqwest::Response;

use super::endpoint::Endpoint;
use super::network_errors::{self, network};
use super::response::{self, RangeResponse, Validators, length};
use super::transport::{Backoff, Transport};
use crate::access::Access;
use crate::lock;
use rread_text::error::{Error, Kind, Result, counted};

/// The least bytes per timeout: a server that sends fewer is treated as silent.
const MIN_PROGRESS: u64 = 16 << 10;

/// The least bytes after which the count of retries starts again.
const PROGRESS: u64 = 64 << 10;

const MAX_RESPONSES: u32 = 256;

#[derive(Debug)]
pub(super) struct Fetcher {
    pub(super) endpoint: Endpoint,
    state: Mutex<ObjectState>,
    /// The size at the first response, up to which the object is read.
    pub(super) size: u64,
    /// The first bytes, which the object must keep when it grows; none if it must not grow.
    pub(super) head: Bytes,
}

/// What later responses must be of.
#[derive(Clone, Debug, Default)]
struct ObjectState {
    validators: Validators,
    /// The strong tag.
    tag: Option<String>,
    has_grown: bool,
    /// The bytes that came last, and their offset.
    last: (u64, Bytes),
}

/// The bytes at each end of what was read that an object which grew must still have.
pub(super) const KEPT: usize = 4 << 10;

impl Fetcher {
    pub(super) fn new(endpoint: Endpoint, validators: Validators, tag: Option<String>) -> Self {
        let state = ObjectState { validators, tag, ..ObjectState::default() };
        Fetcher { endpoint, state: Mutex::new(state), size: 0, head: Bytes::new() }
    }

    /// Whether the responses identify the state of the object.
    pub(super) fn has_validators(&self) -> bool {
        !lock(&self.state).validators.is_empty()
    }

    pub(super) fn has_grown(&self) -> bool {
        lock(&self.state).has_grown
    }

    /// Appends the bytes of `range`, which lies within the object, to `chunks`; `first` is a response that came already.
    pub(super) async fn fetch(
        &self,
        range: Range<u64>,
        chunks: &mut Vec<Bytes>,
        mut first: Option<RangeResponse>,
    ) -> Result<()> {
        let mut at = range.start;
        let mut backoff = Backoff::new(&self.endpoint.transport);
        // One timer for all responses: a server that stalls in each of them makes no progress.
        let mut timer = StallTimer::new(self.endpoint.transport.timeout);
        let (mut responses, mut mark) = (0, at);
        while at < range.end {
            // A server may send less than requested, but not almost nothing each time.
            if at - mark >= PROGRESS {
                (responses, mark) = (0, at);
            }
            responses += 1;
            if responses > MAX_RESPONSES {
                let sent = counted(at - mark, "byte");
                return Err(network(format!("the server sent {sent} in {MAX_RESPONSES} responses")));
            }
            let response = match first.take() {
                Some(response) => response,
                None => {
                    let since = Instant::now();
                    let response = self.request(Some(at..range.end)).await?;
                    if backoff.tries == 0 {
                        timer.exclude(since.elapsed());
                    }
                    response
                }
            };
            let broke = match response {
                RangeResponse::Part { range: sent, total, response } => {
                    if let Some(total) = total.filter(|total| *total != self.size) {
                        self.check_size(total).await?;
                    }
                    let before = at;
                    let broke = self.body(response, &sent, (&mut at, range.end), chunks, &mut timer).await?;
                    if at - before >= PROGRESS {
                        backoff = Backoff::new(&self.endpoint.transport);
                    }
                    broke
                }
                // With a tag, the server would have refused another state of the object.
                RangeResponse::PastEnd { .. } if lock(&self.state).tag.is_some() => {
                    let has = format!("announced {} bytes, but has none from byte {at} on", self.size);
                    return Err(network(format!("the server {has}")));
                }
                RangeResponse::PastEnd { .. } => return Err(network_errors::changed()),
                RangeResponse::Whole { .. } => {
                    Some("the server sent the whole object instead of a range".to_owned())
                }
            };
            if let Some(cause) = broke {
                let since = Instant::now();
                if !backoff.pause(None).await {
                    return Err(network_errors::broken_body_error(&cause, at, backoff.tries));
                }
                timer.exclude(since.elapsed());
            }
        }
        if let Some(chunk) = chunks.last() {
            let kept = chunk.slice(chunk.len().saturating_sub(KEPT)..);
            lock(&self.state).last = (range.end - kept.len() as u64, kept);
        }
        Ok(())
    }

    /// Accepts another size than the first if the object grew.
    async fn check_size(&self, total: u64) -> Result<()> {
        if self.has_grown() && total > self.size {
            return Ok(());
        }
        // The validators agree, so the object is the same.
        if self.has_validators() {
            let sizes = format!("{} and then {total} bytes", self.size);
            return Err(network(format!("the server states two sizes of the object: {sizes}")));
        }
        self.check_growth(network_errors::changed()).await
    }

    /// Accepts another state of the object that begins with the same bytes, and still has those that came last; `error`
    /// otherwise.
    async fn check_growth(&self, error: Error) -> Result<()> {
        let last = lock(&self.state).last.clone();
        if self.head.is_empty() || error.kind != Kind::Changed {
            return Err(error);
        }
        for (start, then) in [(0, self.head.clone()), last] {
            let range = start..start + then.len() as u64;
            if range.is_empty() {
                continue;
            }
            let options =
                GetOptions { range: Some(GetRange::Bounded(range.clone())), ..GetOptions::default() };
            let response = self.endpoint.send(options).await?;
            let now = match RangeResponse::of(response, &range, &self.endpoint).await? {
                RangeResponse::Part { total, response, .. } if total >= Some(self.size) => {
                    response.bytes().await.unwrap_or_default()
                }
                _ => return Err(error),
            };
            self.endpoint.transport.note_bytes(now.len());
            if now != then {
                return Err(error);
            }
        }
        lock(&self.state).has_grown = true;
        Ok(())
    }

    /// Whether the object has a byte at `size`, which the server stated as its size.
    pub(super) async fn continues(&self, size: u64) -> bool {
        let range = Some(GetRange::Bounded(size..size.saturating_add(1)));
        let if_match = lock(&self.state).tag.clone();
        let options = GetOptions { range, if_match, ..GetOptions::default() };
        let next = self.endpoint.send(options).await;
        // The size in the part may be wrong again.
        next.is_ok_and(|next| {
            next.status() == StatusCode::PARTIAL_CONTENT && length(next.headers()) != Some(0)
        })
    }

    /// Requests `range`, or the whole object, in the state of the first response.
    pub(super) async fn request(&self, range: Option<Range<u64>>) -> Result<RangeResponse> {
        let requested = range.clone().unwrap_or(0..u64::MAX);
        let range = range.map(GetRange::Bounded);
        let known = lock(&self.state).clone();
        let if_match = known.tag.clone();
        let options = GetOptions { range: range.clone(), if_match, ..GetOptions::default() };
        let mut response = self.endpoint.send(options).await?;
        if response.status() == StatusCode::PRECONDITION_FAILED && !self.head.is_empty() {
            // The object may have grown: what its new state is, a response without the condition says.
            response = self.endpoint.send(GetOptions { range, ..GetOptions::default() }).await?;
        }
        if response.status().is_success() {
            let now = Validators::of(response.headers());
            if let Err(error) = known.validators.check(&now) {
                self.check_growth(error).await?;
                let mut state = lock(&self.state);
                (state.validators, state.tag) = (now, None);
            }
        }
        RangeResponse::of(response, &requested, &self.endpoint).await
    }

    /// Appends the bytes `at..end` from a body that holds the bytes `sent` of the object. Returns why the body broke
    /// off, if it did; a server that stalls is an error, because it would stall again.
    async fn body(
        &self,
        mut response: Response,
        sent: &Range<u64>,
        (at, end): (&mut u64, u64),
        chunks: &mut Vec<Bytes>,
        timer: &mut StallTimer,
    ) -> Result<Option<String>> {
        let mut position = sent.start;
        let end = end.min(sent.end);
        while *at < end {
            let mut chunk = match timer.chunk(&mut response, &self.endpoint.transport, *at).await? {
                Ok(Some(chunk)) => chunk,
                Ok(None) => return Ok(Some(format!("{} missing", counted(end - *at, "byte")))),
                Err(cause) => return Ok(Some(cause)),
            };
            // A server may send more than requested, before and after.
            let skipped = usize::try_from(at.saturating_sub(position)).unwrap_or(usize::MAX).min(chunk.len());
            position += chunk.len() as u64;
            let mut wanted = chunk.split_off(skipped);
            wanted.truncate(usize::try_from(end - *at).unwrap_or(usize::MAX));
            *at += wanted.len() as u64;
            if !wanted.is_empty() {
                chunks.push(wanted);
            }
        }
        Ok(None)
    }
}

/// Runs out when a body comes too slowly.
pub(super) struct StallTimer {
    timeout: Duration,
    since: Instant,
    came: u64,
}

impl StallTimer {
    pub(super) fn new(timeout: Duration) -> Self {
        StallTimer { timeout, since: Instant::now(), came: 0 }
    }

    /// The next chunk of a body at byte `at`, or why the body broke off. A stall is an error.
    pub(super) async fn chunk(
        &mut self,
        response: &mut Response,
        transport: &Transport,
        at: u64,
    ) -> Result<std::result::Result<Option<Bytes>, String>> {
        let left = self.timeout.saturating_sub(self.since.elapsed());
        let chunk = match tokio::time::timeout(left, response.chunk()).await {
            Ok(Ok(chunk)) => chunk,
            Ok(Err(cause)) if !cause.is_timeout() => return Ok(Err(network_errors::of_client(&cause))),
            Ok(Err(_)) | Err(_) => return Err(network_errors::stall_error(at, self.came, self.timeout)),
        };
        let bytes = chunk.as_ref().map_or(0, Bytes::len);
        transport.note_bytes(bytes);
        self.came += bytes as u64;
        if self.came >= MIN_PROGRESS {
            *self = StallTimer::new(self.timeout);
        }
        Ok(Ok(chunk))
    }

    /// Excludes time in which rread did not wait for the body.
    pub(super) fn exclude(&mut self, time: Duration) {
        self.since += time;
    }
}

/// Sends a request to a bucket by `send`, and once more in the region that S3 reports when it refuses the request in
/// another one.
pub(super) async fn in_region(
    access: &Access,
    bucket: &str,
    endpoint: impl Fn(Option<&str>) -> Result<Endpoint>,
    send: impl AsyncFn(&Endpoint) -> Result<Response>,
) -> Result<(Endpoint, Response)> {
    let known = known_region(access, bucket);
    let first = endpoint(known.as_deref())?;
    let response = send(&first).await?;
    let reported = response::region(response.headers()).filter(|_| !response.status().is_success());
    let Some(region) = reported.filter(|region| first.region().is_some_and(|requested| region != requested))
    else {
        return Ok((first, response));
    };
    let second = endpoint(Some(&region))?;
    if let Some(session) = &access.session {
        session.kept(region_name(bucket), || Ok(Arc::new(region)))?;
    }
    let response = send(&second).await?;
    Ok((second, response))
}

/// The region of the bucket, if an earlier request of the session was refused in another one.
pub(super) fn known_region(access: &Access, bucket: &str) -> Option<String> {
    let known: Arc<String> = access.session.as_ref()?.known(&region_name(bucket))?;
    Some(known.to_string())
}

fn region_name(bucket: &str) -> String {
    format!("region of {bucket}")
}
