//! Errors of the network, and the principal of requests to a store, for messages.

use std::error::Error as _;
use std::time::Duration;

use reqwest::Url;

use rread_text::{Error, Kind, Sentence, counted, setting, shell};

pub(super) fn network(message: impl Into<Sentence>) -> Error {
    Error::new(Kind::Network, message)
}

/// A body broke off at `at`, and the server has no ranges.
pub(super) fn cut(cause: &str, at: u64) -> Error {
    network(format!("the connection broke at byte {at}, and the server cannot resume there: {cause}"))
}

pub(super) fn unsendable(cause: &reqwest::Error) -> Error {
    network(format!("the request cannot be sent: {}", of_client(cause)))
}

/// The host and the port of a URL.
pub(super) fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or(host.to_owned(), |port| format!("{host}:{port}"))
}

pub(super) fn silent(host: &str, timeout: Duration, tries: u32) -> Error {
    let waited = humantime::format_duration(timeout);
    network(format!("no response from {host} for {waited}{}", count_tries(tries)))
        .hint(setting("timeout").then(" 2m waits longer"))
}

pub(super) fn count_tries(tries: u32) -> String {
    if tries == 0 { String::new() } else { format!(", tried {} times", tries + 1) }
}

pub(super) fn stall_error(at: u64, came: u64, timeout: Duration) -> Error {
    let (bytes, waited) = (counted(came, "byte"), humantime::format_duration(timeout));
    network(format!("the server made no progress at byte {at}: only {bytes} came in {waited}"))
        .hint(setting("timeout").then(" 2m waits longer"))
}

pub(super) fn endless(came: u64) -> Error {
    network(format!("the server does not support ranges, and the object has more than {came} bytes"))
        .hint(shell("curl -s URL | head -c 1G").piped_to_lines("-20:"))
}

/// The server requests a longer pause than rread waits.
pub(super) fn busy(wait: Duration) -> Error {
    let wait = humantime::format_duration(Duration::from_secs(wait.as_secs()));
    network(format!("the server is busy and asks to retry after {wait}"))
}

/// A body broke off at `at`, even after `tries` retries.
pub(super) fn broken_body_error(cause: &str, at: u64, tries: u32) -> Error {
    let times = counted(u64::from(tries) + 1, "time");
    network(format!("the connection broke at byte {at}, tried {times}: {cause}"))
        .hint(setting("retries").then(" 10 retries more often"))
}

pub(super) fn changed() -> Error {
    Error::new(Kind::Changed, "changed on the server while it was read").hint("run the same command again")
}

/// The innermost cause. The outer ones contain the URL with all its secrets.
pub(super) fn root(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let text = cause.to_string();
    if text.contains("close_notify") {
        // The TLS library explains this to programmers, over several lines.
        return "the connection was closed early".to_owned();
    }
    let text = text.find(" (os error ").map_or(text.as_str(), |cut| &text[..cut]);
    text.trim().to_owned()
}

/// As [`root`]; the outermost error of the client may contain the URL too, so it is never shown.
pub(super) fn of_client(cause: &reqwest::Error) -> String {
    match cause.source() {
        Some(inner) => root(inner),
        None if cause.is_timeout() => "timed out".to_owned(),
        None => "the response is invalid".to_owned(),
    }
}

#[derive(Debug)]
pub(super) struct Principal {
    /// As in "requested with the keys of the profile 'default'".
    pub(super) requested: String,
    pub(super) lacking: String,
    pub(super) hint: Sentence,
}

impl Principal {
    /// A principal whose credentials come from `from` ("the keys of …").
    pub(super) fn with(from: &str, hint: &str) -> Self {
        Principal {
            requested: format!("requested with {from}"),
            lacking: format!("no request can be sent with {from}"),
            hint: or_anonymous(hint),
        }
    }

    pub(super) fn anonymous(hint: &str) -> Self {
        Principal {
            requested: "requested without credentials".to_owned(),
            lacking: "no request can be sent".to_owned(),
            hint: hint.into(),
        }
    }

    /// The source of the credentials, such as "the keys of …"; `None` without any.
    pub(super) fn from(&self) -> Option<&str> {
        self.requested.strip_prefix("requested with ")
    }

    pub(super) fn lacking(self, lacking: impl Into<String>) -> Self {
        Principal { lacking: lacking.into(), ..self }
    }

    pub(super) fn missing(&self, cause: &object_store::Error) -> Error {
        let cause = clip(cause);
        Error::new(Kind::Permission, format!("{}: {cause}", self.lacking)).hint(self.hint.clone())
    }
}

/// How to get credentials, or to do without.
pub(super) fn or_anonymous(hint: &str) -> Sentence {
    Sentence::from(format!("{hint}, or ")).then(setting("anonymous")).then(" for public objects")
}

/// The start of a foreign message, on one line.
pub(super) fn clip(cause: &object_store::Error) -> String {
    let text = root(cause);
    let line = text.lines().next().unwrap_or_default();
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}
