//! Stores as their users have set them up: endpoints and credentials from where the stores' own tools take them.

mod azure;
mod gcs;
mod identity;
mod profile;
mod s3;

use std::collections::BTreeMap;
use std::sync::Arc;

use object_store::{ObjectStore, RetryConfig};
use reqwest::Url;

use super::refusal;
use super::transport::{Signed, Transport};
use crate::address::Scheme;
use crate::error::{Error, Kind, Result};

/// A store and who asks it.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) store: Arc<dyn ObjectStore>,
    pub(super) who: Who,
    /// The region that is asked, of stores that have them.
    pub(super) region: Option<String>,
}

/// In whose name a store is asked.
#[derive(Debug)]
pub(super) struct Who {
    /// As in "asked with the keys of profile 'default'".
    pub(super) asked: String,
    /// What it means that no credentials can be had.
    lacking: String,
    /// What to try when access is denied.
    pub(super) hint: &'static str,
}

impl Who {
    /// Somebody whose credentials come from `from` ("the keys of …") and can be had without asking.
    fn with(from: &str, hint: &'static str) -> Self {
        let (asked, lacking) = (format!("asked with {from}"), format!("nothing can be asked with {from}"));
        Who { asked, lacking, hint }
    }

    /// Nobody.
    fn nobody(hint: &'static str) -> Self {
        Who {
            asked: "asked without credentials".to_owned(),
            lacking: "nothing can be asked".to_owned(),
            hint,
        }
    }

    fn lacking(self, lacking: impl Into<String>) -> Self {
        Who { lacking: lacking.into(), ..self }
    }

    /// Why a request could not even be signed.
    pub(super) fn missing(&self, cause: &object_store::Error) -> Error {
        let cause = clipped(&refusal::root(cause));
        Error::new(Kind::Permission, format!("{}: {cause}", self.lacking)).hint(self.hint)
    }
}

/// The account in `scheme` that has the bucket or container `bucket`; of S3 in `region`, if that is known.
///
/// # Errors
/// `usage`, when the environment makes no sense; `permission`, when there are no credentials that can be used.
pub(super) fn account(
    scheme: Scheme,
    bucket: &str,
    transport: &Arc<Transport>,
    anonymous: bool,
    region: Option<&str>,
) -> Result<Account> {
    check_bucket(bucket)?;
    // Google unpacks what is stored packed for those who do not accept it packed, and then gives no ranges.
    let accepts = if scheme == Scheme::Gcs { "gzip" } else { "identity" };
    let connector = Signed { transport: Arc::clone(transport), accepts };
    let variables = Variables::of_process();
    let no_sense = |cause: object_store::Error| {
        Error::usage(format!("cannot be asked for: {}", clipped(&refusal::root(&cause))))
    };
    match scheme {
        Scheme::S3 => {
            let setup = s3::Setup::of(bucket, &variables, anonymous, region)?;
            let builder = setup.builder(bucket, &variables);
            let store =
                builder.with_http_connector(connector).with_retry(retry()).build().map_err(no_sense)?;
            let region = Some(setup.region().to_owned());
            Ok(Account { store: Arc::new(store), who: setup.who(), region })
        }
        Scheme::Gcs => {
            let (builder, who) = gcs::builder(bucket, &variables, anonymous)?;
            let store = builder.with_http_connector(connector).with_retry(retry()).build();
            // Its own words may have the credentials in them.
            let store = store.map_err(|_| Error::usage(format!("{}: it is not understood", who.lacking)))?;
            Ok(Account { store: Arc::new(store), who, region: None })
        }
        Scheme::Azure | Scheme::Http => {
            let (builder, who) = azure::builder(bucket, &variables, anonymous)?;
            let store =
                builder.with_http_connector(connector).with_retry(retry()).build().map_err(no_sense)?;
            Ok(Account { store: Arc::new(store), who, region: None })
        }
    }
}

/// Whoever gives credentials is asked by the transport, which tries again where that makes sense.
fn retry() -> RetryConfig {
    RetryConfig { max_retries: 0, ..RetryConfig::default() }
}

/// Refuses what is the name of no bucket or container, which would end up in the name of a host.
fn check_bucket(bucket: &str) -> Result<()> {
    if bucket.chars().all(|c| c.is_ascii_alphanumeric() || "-._$".contains(c)) {
        return Ok(());
    }
    Err(Error::usage("has a bucket with characters other than letters, digits, '-', '.' and '_'")
        .hint("rread stat s3://BUCKET/KEY"))
}

/// The start of somebody else's message, in one line.
fn clipped(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// The variables of the environment that are set to something; empty ones are as good as none, as with the tools
/// that they are for.
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

    /// The first of `names` that is set, and its value.
    fn first<'a>(&self, names: &[&'a str]) -> Option<(&'a str, &str)> {
        names.iter().find_map(|name| Some((*name, self.get(name)?)))
    }

    fn is_true(&self, name: &str) -> bool {
        self.get(name).is_some_and(is_true)
    }

    /// Those whose names begin with `prefix`, in the order of their names.
    fn beginning<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .filter(move |(name, _)| name.starts_with(prefix))
    }
}

/// Whether a setting says yes, in one of the words that stores' tools take for it.
fn is_true(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "true" | "t" | "yes" | "y" | "on" | "1")
}

/// `value` of `name`, if it can be sent in a header: nobody's key has blanks, line ends or other letters in it.
fn sendable<'a>(name: &str, value: &'a str) -> Result<&'a str> {
    if value.chars().all(|c| c.is_ascii_graphic()) {
        return Ok(value);
    }
    Err(Error::usage(format!(
        "{name} has a character that cannot be sent, such as a blank or the end of a line"
    )))
}

/// The URL of a server that `name` is set to, without a slash at its end.
///
/// # Errors
/// `usage`, when it is no such URL; it is not shown, since it may have a password in it.
fn endpoint(name: &str, value: &str) -> Result<String> {
    let refused = |what: &str| {
        Err(Error::usage(format!("{name} {what}")).hint(format!("export {name}=http://127.0.0.1:9000")))
    };
    let Ok(url) = Url::parse(value) else { return refused("is no http:// or https:// URL") };
    if !matches!(url.scheme(), "http" | "https") || url.as_str().parse::<http::Uri>().is_err() {
        return refused("is no http:// or https:// URL");
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
    fn what_cannot_be_sent_is_refused() {
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
