//! Errors for responses whose status is not success, with the sentence of the server.

use std::time::{Duration, Instant};

use http::header::WWW_AUTHENTICATE;
use http::{HeaderValue, StatusCode};
use reqwest::Response;
use serde_json::Value;

use super::endpoint::{Endpoint, with_token};
use super::network_errors::{self, network};
use super::transport::is_temporary;
use rread_text::{Error, Kind, call, counted, setting, shell};

/// Bytes of the body that are searched for an error code.
const BODY: usize = 4096;

const BODY_TIMEOUT: Duration = Duration::from_secs(2);

pub(super) async fn refusal(response: Response, endpoint: &Endpoint) -> Error {
    let status = response.status();
    let takes_token = requires_token(&response);
    let body = start_of_body(response, endpoint).await;
    let error = without_sentence(status, &body, endpoint, takes_token);
    let status_line = format!("{} {}", status.as_u16(), status.canonical_reason().unwrap_or_default());
    let adds = |said: &String| !repeats(&error.message.plain(), said) && !repeats(&status_line, said);
    // The request was conditional on no change.
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

/// Whether the server requests a bearer token.
fn requires_token(response: &Response) -> bool {
    let requested = response.headers().get_all(WWW_AUTHENTICATE);
    let is_token = |value: &HeaderValue| value.as_bytes().to_ascii_lowercase().starts_with(b"bearer");
    requested.iter().any(is_token)
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

/// The most characters of the sentence.
const MAX_SENTENCE: usize = 200;

/// Members of a JSON body that have a sentence, the best first.
const MEMBERS: [&str; 7] =
    ["message", "error_description", "detail", "errorMessage", "error", "title", "errors"];

/// The sentence in `body`: the message of XML or JSON, the title of a page, or the first line of a plain text.
pub(super) fn sentence(body: &str) -> Option<String> {
    let body = body.trim_start_matches('\u{feff}').trim();
    let found = if body.starts_with(['{', '[']) {
        of_json(&serde_json::from_str(body).ok()?)?
    } else if body.starts_with('<') {
        unescape(element(body, "message").or_else(|| element(body, "title")).or_else(|| element(body, "h1"))?)
    } else {
        body.to_owned()
    };
    // Characters that change the direction of text change what a reader believes to see.
    let turns = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_shown = |c: &char| !c.is_control() && !turns(*c);
    let line = found.trim().lines().next()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = line.chars().filter(is_shown).take(MAX_SENTENCE).collect();
    if line.chars().count() > MAX_SENTENCE {
        shown.push('…');
    }
    let is_text = !shown.contains(char::REPLACEMENT_CHARACTER) && shown.chars().any(char::is_alphanumeric);
    is_text.then_some(shown)
}

fn of_json(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Array(values) => values.iter().find_map(of_json),
        Value::Object(members) => MEMBERS.iter().find_map(|name| {
            let named = members.iter().find(|(member, _)| member.eq_ignore_ascii_case(name));
            named.and_then(|(_, value)| of_json(value))
        }),
        _ => None,
    }
}

/// The text of the first element `name` without elements inside, in any case.
fn element<'b>(body: &'b str, name: &str) -> Option<&'b str> {
    // Lower case in ASCII keeps all offsets.
    let lower = body.to_ascii_lowercase();
    let mut from = 0;
    while let Some(at) = lower[from..].find(&format!("<{name}")) {
        let after = from + at + 1 + name.len();
        from = after;
        let rest = &lower[after..];
        if !rest.starts_with(['>', ' ', '\t', '\r', '\n']) {
            continue;
        }
        let start = after + rest.find('>')? + 1;
        let end = start + lower[start..].find(&format!("</{name}"))?;
        let text = body[start..end].trim();
        let text = text.strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>")).unwrap_or(text);
        return (!text.is_empty()).then_some(text);
    }
    None
}

fn unescape(text: &str) -> String {
    let without_tags = text.split('<').enumerate().map(|(at, part)| match part.split_once('>') {
        Some((_, text)) if at > 0 => text,
        _ => part,
    });
    let mut text: String = without_tags.collect();
    for (name, character) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&apos;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ] {
        text = text.replace(name, character);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_body_has_its_sentence() {
        for (body, expected) in [
            (
                "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>",
                "Request has expired",
            ),
            (
                "\u{feff}<?xml version=\"1.0\"?><Error><Message>Signature did not match.\nRequestId:1\nTime:2</Message></Error>",
                "Signature did not match.",
            ),
            ("<error><message><![CDATA[no such thing]]></message></error>", "no such thing"),
            (r#"{"message": "Bad credentials", "documentation_url": "x"}"#, "Bad credentials"),
            (r#"{"error": {"code": 403, "message": "no access to it"}}"#, "no access to it"),
            (r#"{"error": "invalid_token", "error_description": "The token expired"}"#, "The token expired"),
            (r#"{"errors": [{"status": 1, "detail": "page 7 is gone"}]}"#, "page 7 is gone"),
            (r#"[{"Message": "in a list"}]"#, "in a list"),
            (r#""only text""#, "\"only text\""),
            (
                "<!DOCTYPE html><html><head><title>\n Sign in &amp; go on </title></head><body>x</body></html>",
                "Sign in & go on",
            ),
            ("<HTML><H1>No <b>such</b> page</H1></HTML>", "No such page"),
            ("no ranges", "no ranges"),
            ("first line\nsecond line", "first line"),
            ("tabs\tand   blanks", "tabs and blanks"),
            ("red \u{1b}[31m and \u{202e}turned", "red [31m and turned"),
        ] {
            assert_eq!(sentence(body).as_deref(), Some(expected), "{body}");
        }
        for body in [
            "",
            "   ",
            "<html></html>",
            "{}",
            "{\"message\": ",
            "[]",
            "\u{fffd}\u{fffd}",
            "---",
            "<title></title>",
            "{\"error\": 5}",
        ] {
            assert_eq!(sentence(body), None, "{body}");
        }
        let long = sentence(&"word ".repeat(100)).unwrap();
        assert!(long.chars().count() == MAX_SENTENCE + 1 && long.ends_with('…'));
    }
}
