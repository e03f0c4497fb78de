//! Bytes of an object, whole and of one state of it: asked for, checked, and asked for again where they break off.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::Response;

use super::endpoint::{Endpoint, ObjectRequest};
use super::refusal::{self, network};
use super::response::{RangeResponse, Validators};
use super::transport::Backoff;
use crate::error::{Result, counted};

/// Bytes that have to come within the time that a server may be silent: a server that drips is as good as silent.
const LEAST: u64 = 16 << 10;

/// Bytes that have to come before a connection that breaks counts as the first.
const PROGRESS: u64 = 64 << 10;

/// Answers that may bring so many bytes.
const MOST_ANSWERS: u32 = 256;

/// An object as it was at the first request.
#[derive(Debug)]
pub(super) struct Fetcher {
    pub(super) endpoint: Endpoint,
    state: Validators,
    /// The entity tag that is demanded.
    tag: Option<String>,
    /// Its size in bytes.
    pub(super) size: u64,
}

impl Fetcher {
    pub(super) fn new(endpoint: Endpoint, state: Validators, tag: Option<String>, size: u64) -> Arc<Self> {
        Arc::new(Fetcher { endpoint, state, tag, size })
    }

    /// The bytes of `range`, which lies within the object.
    ///
    /// # Errors
    /// `changed`, when the object is another by now; `network`, when they do not come.
    pub(super) async fn fetch(&self, range: Range<u64>) -> Result<Vec<Bytes>> {
        let mut chunks = Vec::new();
        self.fetch_into(range, &mut chunks, None).await?;
        Ok(chunks)
    }

    /// As [`Fetcher::fetch`], beginning with a `first` reply that came already.
    pub(super) async fn fetch_into(
        &self,
        range: Range<u64>,
        chunks: &mut Vec<Bytes>,
        mut first: Option<RangeResponse>,
    ) -> Result<()> {
        let mut at = range.start;
        let mut backoff = Backoff::new(&self.endpoint.transport);
        // One for all answers: a server that stalls in each of them makes no progress.
        let mut stall = StallTimer::new(self.endpoint.transport.timeout);
        let (mut answers, mut mark) = (0, at);
        while at < range.end {
            // A server may send less than was asked, but not next to nothing each time.
            if at - mark >= PROGRESS {
                (answers, mark) = (0, at);
            }
            answers += 1;
            if answers > MOST_ANSWERS {
                let sent = counted(at - mark, "byte");
                return Err(network(format!("the server sent {sent} in {MOST_ANSWERS} answers")));
            }
            let reply = match first.take() {
                Some(reply) => reply,
                None => {
                    let since = Instant::now();
                    let reply = self.ask(at..range.end).await?;
                    if backoff.tries == 0 {
                        stall.excuse(since.elapsed());
                    }
                    reply
                }
            };
            let broke = match reply {
                RangeResponse::Part { range: sent, total, response } => {
                    if total.is_some_and(|total| total != self.size) {
                        return Err(refusal::changed());
                    }
                    let before = at;
                    let broke = self.body(response, &sent, (&mut at, range.end), chunks, &mut stall).await?;
                    if at - before >= PROGRESS {
                        backoff = Backoff::new(&self.endpoint.transport);
                    }
                    broke
                }
                RangeResponse::Past { .. } => return Err(refusal::changed()),
                RangeResponse::Whole { .. } => {
                    Some("the server sent all of it, though it gave ranges before".to_owned())
                }
            };
            if let Some(cause) = broke {
                let since = Instant::now();
                if !backoff.pause(None).await {
                    return Err(refusal::broken(&cause, at, backoff.tries));
                }
                stall.excuse(since.elapsed());
            }
        }
        Ok(())
    }

    async fn ask(&self, range: Range<u64>) -> Result<RangeResponse> {
        let ask = ObjectRequest { range: Some(range.clone()), tag: self.tag.as_deref(), head: false };
        let response = self.endpoint.ask(&ask).await?;
        let is_content = response.status().is_success();
        if is_content {
            self.state.check(&Validators::of(response.headers()))?;
        }
        RangeResponse::of(response, &range, &self.endpoint).await
    }

    /// Takes from a body that is the bytes `sent` of the object those from `at` to `end`. Returns why it broke off, if
    /// it did.
    ///
    /// # Errors
    /// `network`, when nothing came for too long: what does not come now would not come later either.
    async fn body(
        &self,
        mut response: Response,
        sent: &Range<u64>,
        (at, end): (&mut u64, u64),
        chunks: &mut Vec<Bytes>,
        stall: &mut StallTimer,
    ) -> Result<Option<String>> {
        let mut position = sent.start;
        let end = end.min(sent.end);
        while *at < end {
            let mut chunk = match tokio::time::timeout(stall.left(), response.chunk()).await {
                Ok(Ok(Some(chunk))) => chunk,
                Ok(Ok(None)) => return Ok(Some(format!("{} missing", counted(end - *at, "byte")))),
                Ok(Err(cause)) if cause.is_timeout() => {
                    return Err(refusal::stalled(&stall.complaint(), *at));
                }
                Ok(Err(cause)) => return Ok(Some(refusal::of_client(&cause))),
                Err(_) => return Err(refusal::stalled(&stall.complaint(), *at)),
            };
            self.endpoint.transport.note_bytes(chunk.len());
            stall.note(chunk.len());
            // A server may send more than was asked, before it and behind.
            let skipped = usize::try_from(at.saturating_sub(position)).unwrap_or(usize::MAX).min(chunk.len());
            position += chunk.len() as u64;
            let mut wanted = chunk.split_off(skipped);
            let room = usize::try_from(end - *at).unwrap_or(usize::MAX);
            wanted.truncate(room);
            *at += wanted.len() as u64;
            if !wanted.is_empty() {
                chunks.push(wanted);
            }
        }
        Ok(None)
    }
}

/// How fast a body has to come.
pub(super) struct StallTimer {
    timeout: Duration,
    since: Instant,
    came: u64,
}

impl StallTimer {
    pub(super) fn new(timeout: Duration) -> Self {
        StallTimer { timeout, since: Instant::now(), came: 0 }
    }

    /// How long to wait for more.
    pub(super) fn left(&self) -> Duration {
        self.timeout.saturating_sub(self.since.elapsed())
    }

    pub(super) fn note(&mut self, bytes: usize) {
        self.came += bytes as u64;
        if self.came >= LEAST {
            *self = StallTimer::new(self.timeout);
        }
    }

    /// Leaves out time in which it was not the server that was waited for.
    pub(super) fn excuse(&mut self, time: Duration) {
        self.since += time;
    }

    /// What is wrong when the time is over.
    pub(super) fn complaint(&self) -> String {
        let waited = humantime::format_duration(self.timeout);
        match self.came {
            0 => format!("nothing came for {waited}"),
            came => format!("only {} came in {waited}", counted(came, "byte")),
        }
    }
}
