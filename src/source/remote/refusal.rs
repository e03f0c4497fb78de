//! Why a server did not give what was asked, in the user's words.

use std::error::Error as _;
use std::time::Duration;

use http::StatusCode;

use super::endpoint::Endpoint;
use super::transport::is_temporary;
use crate::error::{Error, Kind, counted};

/// Bytes of the body of a refusal that are looked at for its code.
pub(super) const BODY: usize = 4096;

/// How long that may take to come.
pub(super) const TIMEOUT: Duration = Duration::from_secs(2);

/// A failure of the network, told by `message`.
pub(super) fn network(message: impl Into<String>) -> Error {
    Error::new(Kind::Network, message)
}

/// A body that broke off at `at`, and cannot be taken up there.
pub(super) fn cut(cause: &str, at: u64) -> Error {
    network(format!("the connection broke at byte {at}, and the server does not go on from there: {cause}"))
}

/// No client can be made, or the URL is none.
pub(super) fn unreachable(cause: &reqwest::Error) -> Error {
    network(format!("cannot be asked for: {}", of_client(cause)))
}

pub(super) fn no_threads() -> Error {
    Error::new(Kind::Io, "the system gives no thread to wait for servers")
}

/// Nothing answered, also not after `tries` further tries.
pub(super) fn unanswered(cause: &reqwest::Error, host: &str, timeout: Duration, tries: u32) -> Error {
    if cause.is_timeout() && !cause.is_connect() {
        return silent(host, timeout, tries);
    }
    let tried = tried(tries);
    let what = if cause.is_connect() { "cannot connect to" } else { "no answer came from" };
    network(format!("{what} {host}{tried}: {}", of_client(cause)))
}

/// Nothing came in time.
pub(super) fn silent(host: &str, timeout: Duration, tries: u32) -> Error {
    let waited = humantime::format_duration(timeout);
    network(format!("no answer came from {host} for {waited}{}", tried(tries)))
        .hint("--timeout 2m waits longer")
}

fn tried(tries: u32) -> String {
    if tries == 0 { String::new() } else { format!(", tried {} times", tries + 1) }
}

/// A body stopped at `at` without an end.
pub(super) fn stalled(complaint: &str, at: u64) -> Error {
    network(format!("the server made no progress at byte {at}: {complaint}"))
        .hint("--timeout 2m waits longer")
}

/// A body that was to be read to its end does not come to one.
pub(super) fn endless(came: u64) -> Error {
    network(format!("the server knows no ranges, and after {came} bytes still sends more"))
        .hint("curl -s URL | head -c 1G | rread lines - -20:")
}

/// The server is not to be asked again for longer than anybody waits.
pub(super) fn later(asked: Duration) -> Error {
    let wait = humantime::format_duration(Duration::from_secs(asked.as_secs()));
    network(format!("the server is busy, and asks to be left alone for {wait}"))
}

/// A body that broke off at `at`.
pub(super) fn broken(cause: &str, at: u64, tries: u32) -> Error {
    network(format!(
        "the connection broke at byte {at}, tried {}: {cause}",
        counted(u64::from(tries) + 1, "time")
    ))
    .hint("--retries 10 asks more often")
}

/// The innermost cause, which says what happened; those around it say to which URL, with all its secrets.
pub(super) fn root(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let text = cause.to_string();
    if text.contains("close_notify") {
        // What TLS says, with a page that explains it to programmers.
        return "the connection was closed in the middle".to_owned();
    }
    let text = text.find(" (os error ").map_or(text.as_str(), |cut| &text[..cut]);
    text.trim().to_owned()
}

/// As [`root`], of the client's errors, which have a URL only outside.
pub(super) fn of_client(cause: &reqwest::Error) -> String {
    match cause.source() {
        Some(inner) => root(inner),
        None if cause.is_timeout() => "nothing more came in time".to_owned(),
        None => "the answer cannot be read".to_owned(),
    }
}

/// A status other than success, with the start of the body that came with it.
pub(super) fn status(status: StatusCode, body: &str, endpoint: &Endpoint) -> Error {
    let code = code(body);
    let coded = code.map_or(String::new(), |code| format!(" ({code})"));
    let name = status.canonical_reason().unwrap_or("unknown");
    let answered = format!("the server answered {} {name}{coded}", status.as_u16());
    let what = endpoint.what();
    match (status.as_u16(), code) {
        (404, Some("NoSuchBucket" | "ContainerNotFound")) => {
            Error::new(Kind::NotFound, format!("there is no such {}{coded}", endpoint.container()))
        }
        (404 | 410, _) => {
            Error::new(Kind::NotFound, format!("there is no such {what}{coded}")).hint_if(endpoint.listing())
        }
        (403, Some("InvalidObjectState" | "BlobArchived")) | (409, Some("BlobArchived")) => Error::new(
            Kind::Permission,
            format!("is archived and has to be restored before it can be read{coded}"),
        ),
        (401 | 403, _) => {
            let denied =
                if status == StatusCode::UNAUTHORIZED { "asks who you are" } else { "denies access" };
            denial(format!("the server {denied}: {} {name}{coded}", status.as_u16()), endpoint)
        }
        // Some say so as if the request had no sense.
        (400, Some("ExpiredToken" | "TokenRefreshRequired" | "InvalidToken")) => {
            denial(format!("the server does not take the credentials{coded}"), endpoint)
        }
        (409, Some("PublicAccessNotPermitted")) => {
            denial(format!("the server gives nothing to just anybody{coded}"), endpoint)
        }
        (
            301 | 307 | 400,
            Some("PermanentRedirect" | "TemporaryRedirect" | "AuthorizationHeaderMalformed"),
        ) => {
            let asked =
                endpoint.region().map_or(String::new(), |region| format!(" than {region}, which was asked"));
            network(format!("the bucket is in another region{asked}{coded}")).hint("export AWS_REGION=REGION")
        }
        (412, _) => changed(),
        // It was asked as often as that was allowed.
        _ if is_temporary(status) => {
            let times = counted(u64::from(endpoint.transport.retries) + 1, "time");
            network(format!("{answered}, {times}")).hint("--retries 10 asks more often")
        }
        (300..=303 | 305..=399, _) => {
            network(format!("{answered}, which leads elsewhere; it is not followed"))
        }
        _ => network(answered),
    }
}

/// The server gives nothing to whoever asks so.
fn denial(message: String, endpoint: &Endpoint) -> Error {
    let (asked, hint) = match endpoint.principal() {
        Some(principal) => (format!(", {}", principal.asked), Some(principal.hint)),
        None if endpoint.names_user() => (", asked with the user and password of the URL".to_owned(), None),
        None => (String::new(), Some("rread stat https://USER:PASSWORD@HOST/PATH")),
    };
    Error::new(Kind::Permission, format!("{message}{asked}")).hint_if(hint.map(str::to_owned))
}

/// The object is not what it was at the first request.
pub(super) fn changed() -> Error {
    Error::new(Kind::Changed, "changed on the server while it was read").hint("run the same command again")
}

/// The code that object stores give in XML (`<Code>NoSuchKey</Code>`), if there is one.
fn code(body: &str) -> Option<&str> {
    let (_, behind) = body.split_once("<Code>")?;
    let (code, _) = behind.split_once("</Code>")?;
    let is_word = !code.is_empty() && code.len() <= 64 && code.chars().all(|c| c.is_ascii_alphanumeric());
    is_word.then_some(code)
}

impl Error {
    fn hint_if(self, hint: Option<String>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }
}
