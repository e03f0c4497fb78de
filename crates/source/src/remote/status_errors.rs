//! Errors for responses whose status is not success.

use std::time::{Duration, Instant};

use http::header::WWW_AUTHENTICATE;
use http::{HeaderValue, StatusCode};
use reqwest::Response;

use super::endpoint::Endpoint;
use super::network_errors::{self, network};
use super::request_headers::with_token;
use super::server_message::sentence;
use super::transport::is_temporary;
use rread_text::error::{Error, Kind, counted};
use rread_text::sentence::{call, setting, shell};

/// Bytes of the body that are searched for an error code.
const BODY: usize = 4096;

const BODY_TIMEOUT: Duration = Duration::from_secs(2);

pub(super) async fn refusal(response: Response, endpoint: &Endpoint) -> Error {
    let status = response.status();
    let takes_token = asks_for_token(&response);
    let body = start_of_body(response, endpoint).await;
    let error = without_sentence(status, &body, endpoint, takes_token);
    let status_line = format!("{} {}", status.as_u16(), status.canonical_reason().unwrap_or_default());
    let adds = |said: &String| !repeats(&error.message.plain(), said) && !repeats(&status_line, said);
    // A change is what the request asked about.
    let said = sentence(&body)
        .filter(|said| error.kind != Kind::Changed && !endpoint.holds_secret(said) && adds(said));
    match said {
        Some(said) => Error { message: error.message.then(format!("; the server says: {said}")), ..error },
        None => error,
    }
}

/// Whether `message` has the words of `said` already.
fn repeats(message: &str, said: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    letters(message).contains(&letters(said))
}

/// Whether the server asks for a bearer token.
fn asks_for_token(response: &Response) -> bool {
    let asked = response.headers().get_all(WWW_AUTHENTICATE);
    let is_token = |value: &HeaderValue| value.as_bytes().to_ascii_lowercase().starts_with(b"bearer");
    asked.iter().any(is_token)
}

fn without_sentence(status: StatusCode, body: &str, endpoint: &Endpoint, takes_token: bool) -> Error {
    let code = code(body);
    let coded = code.map_or(String::new(), |code| format!(" ({code})"));
    let name = status.canonical_reason().unwrap_or("unknown");
    let shown = format!("{} {name}{coded}", status.as_u16());
    let answered = format!("the server answered {shown}");
    let missing = |what: &str| Error::new(Kind::NotFound, format!("the {what} does not exist{coded}"));
    match (status.as_u16(), code) {
        (404, Some("NoSuchBucket" | "ContainerNotFound")) => missing(&endpoint.bucket()),
        (404 | 410, _) => Error { hint: endpoint.listing().map(shell), ..missing(endpoint.noun()) },
        (403, Some("InvalidObjectState" | "BlobArchived")) | (409, Some("BlobArchived")) => {
            Error::new(Kind::Permission, format!("is archived; restore it before reading{coded}"))
        }
        (401 | 403, _) => {
            let denied =
                if status == StatusCode::UNAUTHORIZED { "requires credentials" } else { "denies access" };
            denial(format!("the server {denied}: {shown}"), endpoint, takes_token)
        }
        // Some stores report bad credentials as a bad request.
        (400, Some("ExpiredToken" | "TokenRefreshRequired" | "InvalidToken")) => {
            denial(format!("the server rejects the credentials{coded}"), endpoint, takes_token)
        }
        (409, Some("PublicAccessNotPermitted")) => {
            denial(format!("the server denies anonymous access{coded}"), endpoint, takes_token)
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
            network(format!("{answered}, {times}")).hint(setting("retries").then(" 10 retries more often"))
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

fn denial(message: String, endpoint: &Endpoint, takes_token: bool) -> Error {
    let (requested, hint) = match endpoint.principal() {
        Some(principal) => (format!(", {}", principal.requested), Some(principal.hint.clone())),
        None if endpoint.has_user() => (", requested with the user and password of the URL".to_owned(), None),
        // A password does not make a signature valid again.
        None if endpoint.is_signed() => (", requested with the signature of the URL".to_owned(), None),
        None if endpoint.has_headers() => (", requested with the headers that were given".to_owned(), None),
        None if takes_token => (String::new(), Some(with_token())),
        None => (String::new(), Some(call("stat").word("https://USER:PASSWORD@HOST/PATH").into())),
    };
    let error = Error::new(Kind::Permission, format!("{message}{requested}"));
    Error { hint, ..error }
}

/// The code in a store's error document, such as `<Code>NoSuchKey</Code>`.
fn code(body: &str) -> Option<&str> {
    let (_, rest) = body.split_once("<Code>")?;
    let (code, _) = rest.split_once("</Code>")?;
    let is_word = !code.is_empty() && code.len() <= 64 && code.chars().all(|c| c.is_ascii_alphanumeric());
    is_word.then_some(code)
}
