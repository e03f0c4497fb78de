//! Errors for responses whose status is not success.

use std::time::{Duration, Instant};

use http::StatusCode;
use reqwest::Response;

use super::endpoint::Endpoint;
use super::network_errors::{self, network};
use super::transport::is_temporary;
use rread_text::error::{Error, Kind, counted};

/// Bytes of the body that are searched for an error code.
const BODY: usize = 4096;

const BODY_TIMEOUT: Duration = Duration::from_secs(2);

pub(super) async fn refusal(response: Response, endpoint: &Endpoint) -> Error {
    let status = response.status();
    let body = start_of_body(response, endpoint).await;
    let code = code(&body);
    let coded = code.map_or(String::new(), |code| format!(" ({code})"));
    let name = status.canonical_reason().unwrap_or("unknown");
    let shown = format!("{} {name}{coded}", status.as_u16());
    let answered = format!("the server answered {shown}");
    let missing = |what: &str| Error::new(Kind::NotFound, format!("the {what} does not exist{coded}"));
    match (status.as_u16(), code) {
        (404, Some("NoSuchBucket" | "ContainerNotFound")) => missing(&endpoint.bucket()),
        (404 | 410, _) => Error { hint: endpoint.listing(), ..missing(endpoint.noun()) },
        (403, Some("InvalidObjectState" | "BlobArchived")) | (409, Some("BlobArchived")) => {
            Error::new(Kind::Permission, format!("is archived; restore it before reading{coded}"))
        }
        (401 | 403, _) => {
            let denied =
                if status == StatusCode::UNAUTHORIZED { "requires credentials" } else { "denies access" };
            denial(format!("the server {denied}: {shown}"), endpoint)
        }
        // Some stores report bad credentials as a bad request.
        (400, Some("ExpiredToken" | "TokenRefreshRequired" | "InvalidToken")) => {
            denial(format!("the server rejects the credentials{coded}"), endpoint)
        }
        (409, Some("PublicAccessNotPermitted")) => {
            denial(format!("the server denies anonymous access{coded}"), endpoint)
        }
        (
            301 | 307 | 400,
            Some("PermanentRedirect" | "TemporaryRedirect" | "AuthorizationHeaderMalformed"),
        ) => {
            let region = endpoint.region().map_or(String::new(), |region| format!(", not in {region}"));
            network(format!("the bucket is in another region{region}{coded}"))
                .hint("export AWS_REGION=REGION")
        }
        (412, _) => network_errors::changed(),
        _ if is_temporary(status) => {
            let times = counted(u64::from(endpoint.transport.retries) + 1, "time");
            network(format!("{answered}, {times}")).hint("--retries 10 retries more often")
        }
        (300..=303 | 305..=399, _) => network(format!("{answered}; rread does not follow this redirect")),
        _ => network(answered),
    }
}

async fn start_of_body(mut response: Response, endpoint: &Endpoint) -> String {
    let mut body = Vec::new();
    let until = Instant::now() + endpoint.transport.timeout.min(BODY_TIMEOUT);
    while body.len() < BODY {
        match tokio::time::timeout(until.saturating_duration_since(Instant::now()), response.chunk()).await {
            Ok(Ok(Some(chunk))) => {
                endpoint.transport.note_bytes(chunk.len());
                body.extend_from_slice(&chunk);
            }
            _ => break,
        }
    }
    body.truncate(BODY);
    String::from_utf8_lossy(&body).into_owned()
}

fn denial(message: String, endpoint: &Endpoint) -> Error {
    let (requested, hint) = match endpoint.principal() {
        Some(principal) => (format!(", {}", principal.requested), Some(principal.hint)),
        None if endpoint.has_user() => (", requested with the user and password of the URL".to_owned(), None),
        None => (String::new(), Some("rread stat https://USER:PASSWORD@HOST/PATH")),
    };
    let error = Error::new(Kind::Permission, format!("{message}{requested}"));
    Error { hint: hint.map(str::to_owned), ..error }
}

/// The code in a store's error document, such as `<Code>NoSuchKey</Code>`.
fn code(body: &str) -> Option<&str> {
    let (_, rest) = body.split_once("<Code>")?;
    let (code, _) = rest.split_once("</Code>")?;
    let is_word = !code.is_empty() && code.len() <= 64 && code.chars().all(|c| c.is_ascii_alphanumeric());
    is_word.then_some(code)
}
