//! One request and its response: the client, the waits, the second tries, and the count of both.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use http::header::RETRY_AFTER;
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody,
    HttpService,
};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Request, Response, Url};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::refusal;
use crate::error::{Error, Result};
use crate::source::access::Access;

/// How long a server may be silent, and how long all pauses between tries may be that bring nothing.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a server that gives credentials may take.
const CREDENTIALS_PATIENCE: Duration = Duration::from_secs(10);

/// How long that may take of the machine itself, and how long until it is there; where there is none, nothing answers.
const MACHINE_PATIENCE: [Duration; 2] = [Duration::from_millis(2500), Duration::from_secs(1)];

/// How often a request is tried again.
const RETRIES: u32 = 4;

/// The first pause before that; each is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// The longest pause; a server that asks for more is asked no more.
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// Redirects that are followed.
const REDIRECTS: usize = 10;

/// How a server is asked, and how often it was.
#[derive(Debug)]
pub(super) struct Transport {
    /// Follows no redirects: what is signed is signed for one host.
    signed: Lazy,
    /// Follows them.
    open: Lazy,
    pub(super) patience: Duration,
    pub(super) retries: u32,
    requests: Arc<AtomicU64>,
    bytes: AtomicU64,
}

/// A client that is made when it is first needed: it reads some hundred certificates.
#[derive(Debug, Default)]
struct Lazy(OnceLock<Client>);

impl Lazy {
    fn get(&self, patience: Duration, policy: impl FnOnce() -> Policy) -> Result<&Client> {
        if let Some(client) = self.0.get() {
            return Ok(client);
        }
        let client = Client::builder()
            .user_agent(concat!("rread/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(patience.min(Duration::from_secs(10)))
            .read_timeout(patience)
            .tcp_nodelay(true)
            // Where one was sent on from may have a signature in it.
            .referer(false)
            .redirect(policy())
            .build()
            .map_err(|cause| refusal::unreachable(&cause))?;
        Ok(self.0.get_or_init(|| client))
    }
}

impl Transport {
    /// The transport that `access` asks for.
    pub(super) fn new(access: &Access) -> Arc<Self> {
        // What was installed before is as good. Every client needs one, also those that are made for a machine's own service.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Arc::new(Transport {
            signed: Lazy::default(),
            open: Lazy::default(),
            patience: access.timeout.unwrap_or(PATIENCE),
            retries: access.retries.unwrap_or(RETRIES),
            requests: Arc::new(AtomicU64::new(0)),
            bytes: AtomicU64::new(0),
        })
    }

    fn signed(&self) -> Result<&Client> {
        self.signed.get(self.patience, Policy::none)
    }

    /// The client for requests that anybody may send.
    ///
    /// # Errors
    /// `network`, where no client can be made.
    pub(super) fn open(&self) -> Result<&Client> {
        let hops = Arc::clone(&self.requests);
        self.open.get(self.patience, || {
            Policy::custom(move |attempt| {
                hops.fetch_add(1, Ordering::Relaxed);
                follow(attempt)
            })
        })
    }

    /// Requests so far, and bytes of bodies.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.requests.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }

    /// Takes note of bytes that came.
    pub(super) fn note_bytes(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Sends `request`, which somebody else may have signed, until it is answered by more than "later". A server that
    /// keeps saying so is the response in the end.
    ///
    /// # Errors
    /// `network`, when nothing answers.
    pub(super) async fn send(&self, request: &Request, signed: bool) -> Result<Response> {
        let client = if signed { self.signed()? } else { self.open()? };
        let (mut pauses, mut waited) = (Pauses::new(self), Duration::ZERO);
        loop {
            let copy =
                request.try_clone().ok_or_else(|| Error::usage("the request has a body that is a stream"))?;
            self.requests.fetch_add(1, Ordering::Relaxed);
            let since = Instant::now();
            // All tries together may wait as long as one.
            let sent = timeout(self.patience.saturating_sub(waited), client.execute(copy)).await;
            waited += since.elapsed();
            let Ok(sent) = sent else {
                return Err(refusal::silent(&host(request.url()), self.patience, pauses.tries));
            };
            let again = match &sent {
                Ok(response) => is_temporary(response.status()),
                Err(cause) => !(cause.is_redirect() || cause.is_builder() || is_silence(cause)),
            };
            let asked = sent.as_ref().ok().map(Response::headers).and_then(retry_after).filter(|_| again);
            if let Some(asked) = asked.filter(|asked| *asked > LONGEST_PAUSE && pauses.tries < self.retries) {
                return Err(refusal::later(asked));
            }
            if !again || !pauses.pause(asked).await {
                let host = |cause: &reqwest::Error| host(cause.url().unwrap_or(request.url()));
                return sent.map_err(|cause| {
                    refusal::unanswered(&cause, &host(&cause), self.patience, pauses.tries)
                });
            }
        }
    }
}

/// Whether a server was asked and nothing came, for as long as it is waited for: it is not asked again.
fn is_silence(cause: &reqwest::Error) -> bool {
    cause.is_timeout() && !cause.is_connect()
}

/// The tries of one task that brought nothing so far, and the pauses between them.
pub(super) struct Pauses {
    /// Tries that are over.
    pub(super) tries: u32,
    retries: u32,
    left: Duration,
}

impl Pauses {
    pub(super) fn new(transport: &Transport) -> Self {
        Pauses { tries: 0, retries: transport.retries, left: transport.patience.max(PATIENCE) }
    }

    /// Waits before the next try: as long as the server asked, else twice as long each time, give or take a half.
    /// Returns at once, and no, if there is no next try.
    pub(super) async fn pause(&mut self, asked: Option<Duration>) -> bool {
        let doubled = FIRST_PAUSE.saturating_mul(1 << self.tries.min(16)).min(LONGEST_PAUSE);
        let pause = asked.unwrap_or_else(|| doubled.mul_f64(0.5 + fastrand::f64()));
        if self.tries >= self.retries || pause > self.left {
            return false;
        }
        tokio::time::sleep(pause).await;
        self.left -= pause;
        self.tries += 1;
        true
    }
}

/// The host that is asked, with its port if that is not the usual one.
fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or(host.to_owned(), |port| format!("{host}:{port}"))
}

/// How long the server asks to wait (RFC 9110, section 10.2.3).
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?;
    match text.trim().parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        // More than anybody can count.
        Err(_) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => Some(Duration::MAX),
        Err(_) => httpdate::parse_http_date(text).ok()?.duration_since(SystemTime::now()).ok(),
    }
}

/// Whether a server may answer otherwise a little later.
pub(super) fn is_temporary(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504)
}

/// Follows to another web address, but to no other kind of address, and from TLS to nothing less.
fn follow(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let was_secure = attempt.previous().last().is_some_and(|url| url.scheme() == "https");
    let scheme = attempt.url().scheme().to_owned();
    if attempt.previous().len() > REDIRECTS {
        return attempt.error(io::Error::other(format!("redirected more than {REDIRECTS} times")));
    }
    match scheme.as_str() {
        "https" => attempt.follow(),
        "http" if !was_secure => attempt.follow(),
        "http" => attempt.error(io::Error::other("redirected from https to http")),
        other => attempt.error(io::Error::other(format!("redirected to {other}:, which is no web address"))),
    }
}

/// Where the response to a signed request is put for whoever asked: past the one who signed it, so that all responses
/// are understood in one place.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot(Arc<Mutex<Option<Result<Response>>>>);

impl Slot {
    /// Takes what was put.
    pub(super) fn take(&self) -> Option<Result<Response>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put(&self, response: Result<Response>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(response);
    }
}

/// The transport as the one who signs requests uses it.
#[derive(Clone, Debug)]
pub(super) struct Signed {
    pub(super) transport: Arc<Transport>,
    /// The encoding of content that is accepted.
    pub(super) accepts: &'static str,
}

impl HttpConnector for Signed {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

/// That the response is in the slot.
#[derive(Debug)]
struct Taken;

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the response was taken")
    }
}

impl std::error::Error for Taken {}

#[async_trait::async_trait]
impl HttpService for Signed {
    async fn call(&self, request: HttpRequest) -> std::result::Result<HttpResponse, HttpError> {
        let slot = request.extensions().get::<Slot>().cloned();
        let (parts, body) = request.into_parts();
        let url = parts.uri.to_string().parse();
        let url = url.map_err(|cause| HttpError::new(HttpErrorKind::Unknown, cause))?;
        let mut request = Request::new(parts.method, url);
        *request.headers_mut() = parts.headers;
        let body = body.collect().await?.to_bytes();
        if !body.is_empty() {
            *request.body_mut() = Some(body.into());
        }
        let Some(slot) = slot else { return self.ask_for_credentials(request).await };
        request
            .headers_mut()
            .insert(http::header::ACCEPT_ENCODING, http::HeaderValue::from_static(self.accepts));
        slot.put(self.transport.send(&request, true).await);
        Err(HttpError::new(HttpErrorKind::Unknown, Taken))
    }
}

impl Signed {
    /// What is not about the object is about credentials. Both the network and the machine itself, which is
    /// asked without TLS and never through a proxy, may say "later" once; only the network may be silent once. Neither
    /// sends to others.
    async fn ask_for_credentials(&self, request: Request) -> std::result::Result<HttpResponse, HttpError> {
        let failed = |cause: reqwest::Error| {
            let kind = if cause.is_timeout() { HttpErrorKind::Timeout } else { HttpErrorKind::Connect };
            HttpError::new(kind, cause.without_url())
        };
        let [patience, until_there] = MACHINE_PATIENCE;
        let is_machine = request.url().scheme() == "http";
        let (client, patience) = if is_machine {
            let builder = Client::builder().no_proxy().redirect(Policy::none()).connect_timeout(until_there);
            (builder.build().map_err(failed)?, patience)
        } else {
            let client = self.transport.signed();
            let client = client.map_err(|error| HttpError::new(HttpErrorKind::Unknown, error.into_io()))?;
            (client.clone(), CREDENTIALS_PATIENCE)
        };
        let copy = || {
            let mut copy = request.try_clone()?;
            *copy.timeout_mut() = Some(patience.min(self.transport.patience));
            Some(copy)
        };
        let no_copy = || HttpError::new(HttpErrorKind::Request, io::Error::other("the request is a stream"));
        let mut sent = client.execute(copy().ok_or_else(no_copy)?).await;
        let again = match &sent {
            Ok(response) => is_temporary(response.status()),
            Err(_) => !is_machine,
        };
        if again && self.transport.retries > 0 {
            Pauses::new(&self.transport).pause(None).await;
            sent = client.execute(copy().ok_or_else(no_copy)?).await;
        }
        let (parts, body) = http::Response::<reqwest::Body>::from(sent.map_err(failed)?).into_parts();
        Ok(HttpResponse::from_parts(parts, HttpResponseBody::new(body.map_err(failed))))
    }
}

/// The threads on which requests wait; started with the first.
pub(super) fn runtime() -> Result<&'static Runtime> {
    static RUNTIME: OnceLock<Option<Runtime>> = OnceLock::new();
    let start = || {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(2).thread_name("fetch").enable_all().build().ok()
    };
    RUNTIME.get_or_init(start).as_ref().ok_or_else(refusal::no_threads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_bounded_together() {
        let milliseconds = |n| Some(Duration::from_millis(n));
        let mut pauses = Pauses { tries: 0, retries: 3, left: Duration::from_millis(5) };
        runtime().unwrap().block_on(async {
            assert!(pauses.pause(milliseconds(4)).await);
            assert!(!pauses.pause(milliseconds(4)).await, "both together are too long");
            assert!(pauses.pause(milliseconds(1)).await);
            assert!(pauses.pause(milliseconds(0)).await);
            assert!(!pauses.pause(milliseconds(0)).await, "the fourth try is the last");
        });
        assert_eq!(pauses.tries, 3);
    }
}
