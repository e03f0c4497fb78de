//! Sends requests: the client, timeouts, retries and cookies, and the counts of requests and bytes.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use http::header::{ACCEPT_ENCODING, RETRY_AFTER, SET_COOKIE};
use http::{HeaderMap, HeaderValue, StatusCode};
use http_body_util::BodyExt;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody,
    HttpService,
};
use reqwest::redirect::Policy;
use reqwest::{Client, Request, Response, Url};
use tokio::runtime::Runtime;

use super::connection::{configured, lasting, no_answer_error};
use super::network_errors;
use crate::SourceInfo;
use crate::access::{Access, HttpHeaders, Session, WeakSession};
use crate::lock;
use crate::object::{Object, Traffic};
use rread_text::error::{Error, Kind, Result};

/// The default timeout of a request, and the least sum of pauses between its retries.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The timeout of services that issue credentials.
const CREDENTIALS_TIMEOUT: Duration = Duration::from_secs(10);

/// The timeouts of services of this machine, and of connecting to them: elsewhere, nothing answers at their address.
const MACHINE_TIMEOUTS: [Duration; 2] = [Duration::from_millis(2500), Duration::from_secs(1)];

const RETRIES: u32 = 4;

/// The pause before the first retry; each further pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// The longest pause. If a server requests a longer one, rread does not retry.
const MAX_PAUSE: Duration = Duration::from_secs(20);

/// The most cookies of one transport.
const MAX_COOKIES: usize = 100;

#[derive(Clone, Debug)]
pub(super) struct Transport {
    /// Follows no redirect: a signature is valid for one host.
    client: Arc<OnceLock<Client>>,
    /// The cookies that came with redirects, by the origin that set them, which alone gets them back, and by name.
    cookies: Arc<Mutex<BTreeMap<(String, String), String>>>,
    pub(super) headers: HttpHeaders,
    pub(super) timeout: Duration,
    pub(super) retries: u32,
    /// State that the requests for several objects share.
    pub(super) session: WeakSession,
    /// Those of one object, and those of all objects of the session.
    requests: [Arc<AtomicU64>; 2],
    bytes: [Arc<AtomicU64>; 2],
}

fn add(sums: &[Arc<AtomicU64>; 2], count: u64) {
    sums.iter().for_each(|sum| _ = sum.fetch_add(count, Ordering::Relaxed));
}

impl Transport {
    /// A transport with the clients of the session, or with new ones.
    pub(super) fn new(access: &Access) -> Result<Arc<Self>> {
        let Some(session) = &access.session else { return Ok(Transport::of(access)) };
        let shared = session.kept("transport".to_owned(), || Ok(Transport::of(access)))?;
        let mut own = (*shared).clone();
        (own.requests[0], own.bytes[0]) = Default::default();
        Ok(Arc::new(own))
    }

    fn of(access: &Access) -> Arc<Self> {
        // Every client needs a provider; one that is installed already serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let [requests, bytes] = access.session.as_ref().map(Session::counters).unwrap_or_default();
        Arc::new(Transport {
            client: Arc::default(),
            cookies: Arc::default(),
            headers: access.http_headers.clone(),
            timeout: access.timeout.unwrap_or(TIMEOUT),
            retries: access.retries.unwrap_or(RETRIES),
            session: WeakSession::of(access.session.as_ref()),
            requests: [Arc::default(), requests],
            bytes: [Arc::default(), bytes],
        })
    }

    /// Builds the client at its first use, because it loads hundreds of certificates.
    pub(super) fn client(&self) -> Result<&Client> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let built = configured(Client::builder())?
            .user_agent(concat!("rread/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(self.timeout.min(Duration::from_secs(10)))
            .read_timeout(self.timeout)
            .tcp_nodelay(true)
            .redirect(Policy::none())
            .build()
            .map_err(|cause| network_errors::unsendable(&cause))?;
        Ok(self.client.get_or_init(|| built))
    }

    pub(super) fn keep_cookies(&self, response: &Response) {
        let mut cookies = lock(&self.cookies);
        for cookie in response.headers().get_all(SET_COOKIE).iter().filter_map(|value| value.to_str().ok()) {
            let pair = cookie.split(';').next().and_then(|pair| pair.trim().split_once('='));
            if let Some((name, value)) = pair.filter(|_| cookies.len() < MAX_COOKIES) {
                cookies.insert((origin(response.url()), name.trim().to_owned()), value.trim().to_owned());
            }
        }
    }

    /// The cookies for `url`.
    pub(super) fn cookies(&self, url: &Url) -> Option<HeaderValue> {
        let cookies = lock(&self.cookies);
        let own = cookies.iter().filter(|((host, _), _)| *host == origin(url));
        let pairs: Vec<String> = own.map(|((_, name), value)| format!("{name}={value}")).collect();
        HeaderValue::from_str(&pairs.join("; ")).ok().filter(|value| !value.is_empty())
    }

    pub(super) fn info<'a>(&self, object: &'a Object, held: u64) -> SourceInfo<'a> {
        let [requests, bytes] = [&self.requests, &self.bytes].map(|[own, _]| own.load(Ordering::Relaxed));
        let traffic = Some(Traffic { requests, bytes_fetched: bytes, held });
        SourceInfo { object: Some(object), traffic, is_sequential: true, ..SourceInfo::default() }
    }

    pub(super) fn note_bytes(&self, bytes: usize) {
        add(&self.bytes, bytes as u64);
    }

    /// Sends `request` and retries it after temporary failures. The last response counts, whatever its status.
    pub(super) async fn send(&self, request: &Request, retries: u32) -> Result<Response> {
        let client = self.client()?;
        let mut backoff = Backoff { retries, ..Backoff::new(self) };
        let mut waited = Duration::ZERO;
        loop {
            let copy =
                request.try_clone().ok_or_else(|| Error::usage("the body of the request is a stream"))?;
            add(&self.requests, 1);
            let since = Instant::now();
            // One timeout for all tries together.
            let left = self.timeout.saturating_sub(waited);
            let sent = tokio::time::timeout(left, client.execute(copy)).await;
            waited += since.elapsed();
            let Ok(sent) = sent else {
                let host = network_errors::host(request.url());
                return Err(network_errors::silent(&host, self.timeout, backoff.tries));
            };
            let can_retry = match &sent {
                Ok(response) => is_temporary(response.status()),
                // A timeout after connecting has used up the time for retries.
                Err(cause) if cause.is_timeout() => cause.is_connect(),
                Err(cause) => !cause.is_builder() && lasting(cause).is_none(),
            };
            let wait = sent.as_ref().ok().map(Response::headers).and_then(retry_after).filter(|_| can_retry);
            if let Some(wait) = wait.filter(|wait| *wait > MAX_PAUSE && backoff.tries < retries) {
                return Err(network_errors::busy(wait));
            }
            if !can_retry || !backoff.pause(wait).await {
                return sent.map_err(|cause| {
                    let url = cause.url().unwrap_or(request.url());
                    no_answer_error(&cause, url, self.timeout, backoff.tries)
                });
            }
        }
    }
}

/// Counts the retries of one task, and pauses before each.
pub(super) struct Backoff {
    pub(super) tries: u32,
    retries: u32,
    left: Duration,
}

impl Backoff {
    pub(super) fn new(transport: &Transport) -> Self {
        Backoff { tries: 0, retries: transport.retries, left: transport.timeout.max(TIMEOUT) }
    }

    /// Sleeps for `wait`, or twice as long each time, give or take a half. Returns false at once if no retry is left.
    pub(super) async fn pause(&mut self, wait: Option<Duration>) -> bool {
        let doubled = FIRST_PAUSE.saturating_mul(1 << self.tries.min(16)).min(MAX_PAUSE);
        let pause = wait.unwrap_or_else(|| doubled.mul_f64(0.5 + fastrand::f64()));
        if self.tries >= self.retries || pause > self.left {
            return false;
        }
        tokio::time::sleep(pause).await;
        self.left -= pause;
        self.tries += 1;
        true
    }
}

/// The pause that the server requests (RFC 9110, section 10.2.3).
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?;
    match text.trim().parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        // Too large for a u64.
        Err(_) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => Some(Duration::MAX),
        Err(_) => httpdate::parse_http_date(text).ok()?.duration_since(SystemTime::now()).ok(),
    }
}

pub(super) fn is_temporary(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504)
}

fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Whether `to` is the host of `from`, and no less secure.
pub(super) fn is_same_host(from: &Url, to: &Url) -> bool {
    let port = |url: &Url| url.port_or_known_default();
    let is_upgrade =
        (from.scheme(), to.scheme()) == ("http", "https") && (port(from), port(to)) == (Some(80), Some(443));
    from.host() == to.host() && (is_upgrade || from.scheme() == to.scheme() && port(from) == port(to))
}

/// Carries a response past the `object_store` crate, which hides its status and headers, in an extension of the request.
/// The crate's `Signer` is not enough: it presigns URLs, which are other requests, and not with tokens.
#[derive(Clone, Debug)]
pub(super) struct ResponseSlot {
    /// That of the object: the client may be of another one in the same bucket.
    pub(super) transport: Arc<Transport>,
    pub(super) response: Arc<Mutex<Option<Result<Response>>>>,
}

/// The transport as the HTTP client of the `object_store` crate.
#[derive(Clone, Debug)]
pub(super) struct StoreConnector {
    pub(super) transport: Arc<Transport>,
    pub(super) accept_encoding: &'static str,
}

impl HttpConnector for StoreConnector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait::async_trait]
impl HttpService for StoreConnector {
    async fn call(&self, request: HttpRequest) -> std::result::Result<HttpResponse, HttpError> {
        let slot = request.extensions().get::<ResponseSlot>().cloned();
        let (parts, body) = request.into_parts();
        let url = parts.uri.to_string().parse();
        let url = url.map_err(|cause| HttpError::new(HttpErrorKind::Unknown, cause))?;
        let mut request = Request::new(parts.method, url);
        *request.headers_mut() = parts.headers;
        let body = body.collect().await?.to_bytes();
        if !body.is_empty() {
            *request.body_mut() = Some(body.into());
        }
        // Requests without a slot are the crate's own, for credentials.
        let Some(slot) = slot else { return self.request_credentials(request).await };
        request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static(self.accept_encoding));
        let response = slot.transport.send(&request, slot.transport.retries).await;
        *lock(&slot.response) = Some(response);
        Err(HttpError::new(HttpErrorKind::Unknown, io::Error::other("the response is in the slot")))
    }
}

impl StoreConnector {
    /// Retries once: after temporary statuses, and after network failures except on this machine. Services of this
    /// machine use plain HTTP and never a proxy.
    async fn request_credentials(
        &self,
        mut request: Request,
    ) -> std::result::Result<HttpResponse, HttpError> {
        let failed = |cause: reqwest::Error| {
            let kind = if cause.is_timeout() { HttpErrorKind::Timeout } else { HttpErrorKind::Connect };
            HttpError::new(kind, cause.without_url())
        };
        let [timeout, connect_timeout] = MACHINE_TIMEOUTS;
        let is_machine = request.url().scheme() == "http";
        let (client, timeout) = if is_machine {
            let builder = Client::builder().no_proxy().redirect(Policy::none());
            (builder.connect_timeout(connect_timeout).build().map_err(failed)?, timeout)
        } else {
            let client = self.transport.client();
            let client = client.map_err(|error| HttpError::new(HttpErrorKind::Unknown, error.into_io()))?;
            (client.clone(), CREDENTIALS_TIMEOUT)
        };
        *request.timeout_mut() = Some(timeout.min(self.transport.timeout));
        let again = request.try_clone().filter(|_| self.transport.retries > 0);
        let mut sent = client.execute(request).await;
        let can_retry = match &sent {
            Ok(response) => is_temporary(response.status()),
            Err(_) => !is_machine,
        };
        if let Some(request) = again.filter(|_| can_retry) {
            Backoff::new(&self.transport).pause(None).await;
            sent = client.execute(request).await;
        }
        let (parts, body) = http::Response::<reqwest::Body>::from(sent.map_err(failed)?).into_parts();
        Ok(HttpResponse::from_parts(parts, HttpResponseBody::new(body.map_err(failed))))
    }
}

/// The threads that run requests, started at the first use.
pub(super) fn runtime() -> Result<&'static Runtime> {
    static RUNTIME: OnceLock<Option<Runtime>> = OnceLock::new();
    let start = || {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(2).thread_name("fetch").enable_all().build().ok()
    };
    let failed = || Error::new(Kind::Io, "cannot start the threads that wait for servers");
    RUNTIME.get_or_init(start).as_ref().ok_or_else(failed)
}

#[cfg(test)]
mod tests {
    use super::super::endpoint::Endpoint;
    use super::*;
    use rread_text::address::Address;

    #[test]
    fn clients_end_with_the_last_user_of_their_session() {
        let session = Session::default();
        let access = Access { session: Some(session.clone()), ..Access::default() };
        let transport = Transport::new(&access).unwrap();
        let address = Address::of(std::path::Path::new("s3://bucket/key")).unwrap();
        let endpoint = Endpoint::of(&address, &transport, true, Some("us-east-1")).unwrap();
        let client = Arc::downgrade(&transport.client);
        drop((session, access, endpoint, transport));
        assert!(client.upgrade().is_none());
    }

    #[test]
    fn all_pauses_share_one_limit() {
        let milliseconds = |n| Some(Duration::from_millis(n));
        let mut backoff = Backoff { tries: 0, retries: 3, left: Duration::from_millis(5) };
        runtime().unwrap().block_on(async {
            assert!(backoff.pause(milliseconds(4)).await);
            assert!(!backoff.pause(milliseconds(4)).await, "the sum is too long");
            assert!(backoff.pause(milliseconds(1)).await);
            assert!(backoff.pause(milliseconds(0)).await);
            assert!(!backoff.pause(milliseconds(0)).await, "no retry is left");
        });
        assert_eq!(backoff.tries, 3);
    }
}
