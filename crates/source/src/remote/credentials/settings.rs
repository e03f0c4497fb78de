//! Environment variables with settings, and checks of their values.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use reqwest::Url;

use rread_text::error::{Error, Result};

pub(super) const LONGEST: u64 = 1 << 20;

/// The environment variables that are set. Empty ones count as unset, as in the stores' own tools.
pub(super) struct Variables(BTreeMap<String, String>);

impl Variables {
    pub(super) fn of_process() -> Self {
        let pairs = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Variables(pairs.filter(|(_, value)| !value.is_empty()).collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub(super) fn first<'a>(&self, names: &[&'a str]) -> Option<(&'a str, &str)> {
        names.iter().find_map(|name| Some((*name, self.get(name)?)))
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        self.get(name).is_some_and(is_true)
    }

    pub(super) fn beginning<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .filter(move |(name, _)| name.starts_with(prefix))
    }
}

/// Whether a setting is true, in any word that the stores' tools accept.
pub(super) fn is_true(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "true" | "t" | "yes" | "y" | "on" | "1")
}

pub(super) fn sendable<'a>(name: &str, value: &'a str) -> Result<&'a str> {
    if value.chars().all(|c| c.is_ascii_graphic()) {
        return Ok(value);
    }
    Err(Error::usage(format!("{name} has a character that cannot be sent, such as a space or a newline")))
}

/// The URL in the setting `name`, without a trailing slash. The value may contain a password, so errors hide it.
pub(super) fn endpoint_url(name: &str, value: &str) -> Result<String> {
    let refused = |what: &str| {
        Err(Error::usage(format!("{name} {what}")).hint(format!("export {name}=http://127.0.0.1:9000")))
    };
    let Ok(url) = Url::parse(value) else { return refused("is not an http:// or https:// URL") };
    if !matches!(url.scheme(), "http" | "https") || url.as_str().parse::<http::Uri>().is_err() {
        return refused("is not an http:// or https:// URL");
    }
    let is_plain = url.username().is_empty() && url.password().is_none();
    if !is_plain || url.query().is_some() || url.fragment().is_some() {
        return refused("has more than a host and a path");
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// The content of a file of settings, or more than [`LONGEST`] bytes of it.
pub(super) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
impl Variables {
    /// Variables with `pairs`, and with profile files that hold the texts of `files`: `credentials` and `config`.
    pub(super) fn with_files(pairs: &[(&str, &str)], files: (&str, &str)) -> (Self, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let mut variables = Variables::these(pairs);
        for (variable, text) in [("AWS_SHARED_CREDENTIALS_FILE", files.0), ("AWS_CONFIG_FILE", files.1)] {
            let path = folder.path().join(variable);
            std::fs::write(&path, text).unwrap();
            variables.0.insert(variable.to_owned(), path.to_str().unwrap().to_owned());
        }
        (variables, folder)
    }

    pub(super) fn these(pairs: &[(&str, &str)]) -> Self {
        Variables(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rread_text::error::Kind;

    #[test]
    fn endpoints_are_urls_of_servers() {
        let good = [("http://127.0.0.1:9000", "http://127.0.0.1:9000"), ("https://h/a/b//", "https://h/a/b")];
        for (value, expected) in good {
            assert_eq!(endpoint_url("X", value).unwrap(), expected);
        }
        for value in
            ["localhost:9000", "127.0.0.1:9000", "ftp://h", "http://a b", "http://u:p@h", "http://h?x"]
        {
            let error = endpoint_url("X", value).unwrap_err();
            assert_eq!(error.kind, Kind::Usage);
            assert!(!error.to_string().contains(value), "{error}");
        }
    }

    #[test]
    fn unsendable_values_are_refused() {
        assert!(sendable("X", "aZ09+/=-_.~").is_ok());
        for value in ["key\n", "a b", "\r", "é", "\0"] {
            assert!(sendable("X", value).is_err(), "{value:?}");
        }
    }
}
