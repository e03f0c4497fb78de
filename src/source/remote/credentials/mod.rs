//! Endpoints and credentials of stores, from the same settings as the stores' own tools.

mod azure;
mod gcs;
mod profile;
mod s3;
mod s3_credentials;

use std::collections::BTreeMap;
use std::sync::Arc;

use object_store::{ObjectStore, RetryConfig};
use reqwest::Url;

use super::refusal;
use super::transport::{StoreConnector, Transport};
use crate::address::Scheme;
use crate::error::{Error, Kind, Result};

#[derive(Debug)]
pub(super) struct StoreClient {
    pub(super) store: Arc<dyn ObjectStore>,
    pub(super) principal: Principal,
    /// The region of requests, if the store has regions.
    pub(super) region: Option<String>,
}

/// The principal of requests to a store.
#[derive(Debug)]
pub(super) struct Principal {
    /// For receipts, as in "asked with the keys of profile 'default'".
    pub(super) asked: String,
    /// The message if the credentials cannot be obtained.
    lacking: String,
    /// The hint if access is denied.
    pub(super) hint: &'static str,
}

impl Principal {
    /// A principal whose credentials come from `from` ("the keys of …").
    fn with(from: &str, hint: &'static str) -> Self {
        let (asked, lacking) = (format!("asked with {from}"), format!("no request can be sent with {from}"));
        Principal { asked, lacking, hint }
    }

    fn nobody(hint: &'static str) -> Self {
        Principal {
            asked: "asked without credentials".to_owned(),
            lacking: "no request can be sent".to_owned(),
            hint,
        }
    }

    fn lacking(self, lacking: impl Into<String>) -> Self {
        Principal { lacking: lacking.into(), ..self }
    }

    /// The error for a request that could not be signed.
    pub(super) fn missing(&self, cause: &object_store::Error) -> Error {
        let cause = clipped(&refusal::root(cause));
        Error::new(Kind::Permission, format!("{}: {cause}", self.lacking)).hint(self.hint)
    }
}

/// The store client for `bucket` in `scheme`; for S3, in `region` if it is known.
pub(super) fn store_client(
    scheme: Scheme,
    bucket: &str,
    transport: &Arc<Transport>,
    anonymous: bool,
    region: Option<&str>,
) -> Result<StoreClient> {
    check_bucket(bucket)?;
    // Unless the client accepts gzip, Google decompresses gzip objects and then ignores ranges.
    let accepts = if scheme == Scheme::Gcs { "gzip" } else { "identity" };
    let connector = StoreConnector { transport: Arc::clone(transport), accepts };
    let variables = Variables::of_process();
    let no_sense = |cause: object_store::Error| {
        Error::usage(format!("cannot be requested: {}", clipped(&refusal::root(&cause))))
    };
    match scheme {
        Scheme::S3 => {
            let setup = s3::Setup::of(bucket, &variables, anonymous, region)?;
            let builder = setup.builder(bucket, &variables);
            let store =
                builder.with_http_connector(connector).with_retry(retry()).build().map_err(no_sense)?;
            let region = Some(setup.region().to_owned());
            Ok(StoreClient { store: Arc::new(store), principal: setup.principal(), region })
        }
        Scheme::Gcs => {
            let (builder, principal) = gcs::builder(bucket, &variables, anonymous)?;
            let store = builder.with_http_connector(connector).with_retry(retry()).build();
            // The crate's message may contain the credentials.
            let store = store
                .map_err(|_| Error::usage(format!("{}: the settings are invalid", principal.lacking)))?;
            Ok(StoreClient { store: Arc::new(store), principal, region: None })
        }
        Scheme::Azure | Scheme::Http => {
            let (builder, principal) = azure::builder(bucket, &variables, anonymous)?;
            let store =
                builder.with_http_connector(connector).with_retry(retry()).build().map_err(no_sense)?;
            Ok(StoreClient { store: Arc::new(store), principal, region: None })
        }
    }
}

/// The transport retries requests for credentials; the crate must not.
fn retry() -> RetryConfig {
    RetryConfig { max_retries: 0, ..RetryConfig::default() }
}

/// Refuses invalid bucket names, which would become part of a host name.
fn check_bucket(bucket: &str) -> Result<()> {
    if bucket.chars().all(|c| c.is_ascii_alphanumeric() || "-._$".contains(c)) {
        return Ok(());
    }
    Err(Error::usage("has a bucket with characters other than letters, digits, '-', '.' and '_'")
        .hint("rread stat s3://BUCKET/KEY"))
}

/// The start of a foreign message, on one line.
fn clipped(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// The environment variables that are set. Empty ones count as unset, as in the stores' own tools.
pub(super) struct Variables(BTreeMap<String, String>);

impl Variables {
    fn of_process() -> Self {
        let pairs = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Variables(pairs.filter(|(_, value)| !value.is_empty()).collect())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    fn first<'a>(&self, names: &[&'a str]) -> Option<(&'a str, &str)> {
        names.iter().find_map(|name| Some((*name, self.get(name)?)))
    }

    fn is_true(&self, name: &str) -> bool {
        self.get(name).is_some_and(is_true)
    }

    /// The variables whose names begin with `prefix`, sorted by name.
    fn beginning<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .filter(move |(name, _)| name.starts_with(prefix))
    }
}

/// Whether a setting is true, in any of the words that the stores' tools accept.
fn is_true(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "true" | "t" | "yes" | "y" | "on" | "1")
}

/// Checks that `value` can be sent in a header: a valid key has no spaces, line ends or non-ASCII characters.
fn sendable<'a>(name: &str, value: &'a str) -> Result<&'a str> {
    if value.chars().all(|c| c.is_ascii_graphic()) {
        return Ok(value);
    }
    Err(Error::usage(format!(
        "{name} has a character that cannot be sent, such as a blank or the end of a line"
    )))
}

/// The URL in the setting `name`, without a trailing slash. An error does not show the value, because it may
/// contain a password.
fn endpoint(name: &str, value: &str) -> Result<String> {
    let refused = |what: &str| {
        Err(Error::usage(format!("{name} {what}")).hint(format!("export {name}=http://127.0.0.1:9000")))
    };
    let Ok(url) = Url::parse(value) else { return refused("is not an http:// or https:// URL") };
    if !matches!(url.scheme(), "http" | "https") || url.as_str().parse::<http::Uri>().is_err() {
        return refused("is not an http:// or https:// URL");
    }
    let is_plain = url.username().is_empty() && url.password().is_none();
    if !is_plain || url.query().is_some() || url.fragment().is_some() {
        return refused("has more in it than a host and a path");
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
impl Variables {
    fn these(pairs: &[(&str, &str)]) -> Self {
        Variables(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_are_urls_of_servers() {
        let good = [("http://127.0.0.1:9000", "http://127.0.0.1:9000"), ("https://h/a/b//", "https://h/a/b")];
        for (value, expected) in good {
            assert_eq!(endpoint("X", value).unwrap(), expected);
        }
        for value in
            ["localhost:9000", "127.0.0.1:9000", "ftp://h", "http://a b", "http://u:p@h", "http://h?x"]
        {
            let error = endpoint("X", value).unwrap_err();
            assert_eq!(error.kind, Kind::Usage);
            assert!(!error.message.contains(value), "{}", error.message);
        }
    }

    #[test]
    fn unsendable_values_are_refused() {
        assert!(sendable("X", "aZ09+/=-_.~").is_ok());
        for value in ["key\n", "a b", "\r", "é", "\0"] {
            assert!(sendable("X", value).is_err(), "{value:?}");
        }
        for bucket in ["a b", "a@b", "a:b", "é", "a?b", "a\\b"] {
            assert!(check_bucket(bucket).is_err(), "{bucket}");
        }
        for bucket in ["logs", "a.b-c_D9", "$root"] {
            assert!(check_bucket(bucket).is_ok(), "{bucket}");
        }
    }
}
