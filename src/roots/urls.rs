//! URLs that clients name: tools see them without their secrets, which come back only when a file is opened.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};

use rread_text::address::{self, Address, HIDDEN};
use rread_text::error::{Error, Result};

/// The most URLs with secrets that a server remembers.
const MAX_URLS: usize = 10_000;

/// Arguments whose text is never the name of a file.
const NOT_NAMES: [&str; 3] = ["pattern", "sql", "command"];

/// URLs with secrets, by the name that tools see.
#[derive(Debug, Default)]
pub(crate) struct SecretUrls(Mutex<BTreeMap<String, String>>);

impl SecretUrls {
    pub(crate) fn get(&self, shown: &str) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(shown).cloned()
    }

    fn insert(&self, shown: &str, url: &str) -> Option<String> {
        let mut urls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if urls.len() >= MAX_URLS && !urls.contains_key(shown) {
            urls.clear();
        }
        urls.insert(shown.to_owned(), url.to_owned())
    }

    /// Remembers the URLs of another call.
    pub(crate) fn extend(&self, other: &SecretUrls) {
        for (shown, url) in &*other.0.lock().unwrap_or_else(PoisonError::into_inner) {
            self.insert(shown, url);
        }
    }

    /// `arguments`, whose URLs have [`HIDDEN`] for their secrets, and are remembered.
    pub(crate) fn hide(
        &self,
        mut arguments: Map<String, Value>,
        is_file: &dyn Fn(&str) -> bool,
    ) -> Result<Map<String, Value>> {
        for (_, value) in arguments.iter_mut().filter(|(name, _)| !NOT_NAMES.contains(&name.as_str())) {
            self.hide_value(value, is_file)?;
        }
        Ok(arguments)
    }

    fn hide_value(&self, value: &mut Value, is_file: &dyn Fn(&str) -> bool) -> Result<()> {
        match value {
            Value::Array(values) => values.iter_mut().try_for_each(|value| self.hide_value(value, is_file)),
            Value::Object(values) => {
                values.values_mut().try_for_each(|value| self.hide_value(value, is_file))
            }
            Value::String(text) => {
                // Some clients send a list as its JSON text.
                if let Ok(mut list @ Value::Array(_)) = serde_json::from_str(text) {
                    self.hide_value(&mut list, is_file)?;
                    *text = list.to_string();
                    return Ok(());
                }
                let url = text.trim();
                let shown = address::display(Path::new(url)).into_owned();
                if shown == *url || is_file(text) {
                    return Ok(());
                }
                if self.insert(&shown, url).is_some_and(|before| before != *url) {
                    let message = "two URLs differ only in their secrets, which answers do not show";
                    return Err(Error::usage(message).hint("name them in two calls").at(Path::new(&shown)));
                }
                *text = shown;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Refuses a URL of which the client has only what answers show.
pub(crate) fn complete(name: &str) -> Result<PathBuf> {
    let is_hidden = name.contains(&format!("{HIDDEN}@")) || name.contains(&format!("={HIDDEN}"));
    if is_hidden && Address::of(Path::new(name)).is_some() {
        let message = format!("has {HIDDEN} for a secret that rread does not know here");
        return Err(Error::usage(message).hint("write the URL with its secret").at(Path::new(name)));
    }
    Ok(PathBuf::from(name))
}
