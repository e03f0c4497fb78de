//! Facts that a server reports about an object, and the requests made for it.

use std::time::SystemTime;

use super::version::Version;

/// Bytes of the first request; they arrive together with the headers.
pub const FIRST_FETCH: u64 = 64 << 10;

/// The headers of an object; a field is `None` if the server did not send it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// The URL as given, with its secrets: it identifies the object and must not be printed.
    pub url: String,
    /// The URL of the response, without its query: with custom endpoints one name can denote different objects.
    pub endpoint: String,
    /// The entity tag as sent, with quotes (RFC 9110, section 8.8.3).
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub modified: Option<SystemTime>,
    /// `Content-Type`.
    pub content_type: Option<String>,
    /// `Content-Encoding`; rread reads the bytes as they are stored.
    pub content_encoding: Option<String>,
    /// The storage class or access tier.
    pub storage_class: Option<String>,
    /// The version, in a bucket that keeps them.
    pub version_id: Option<String>,
    /// The user's metadata: names without the prefix of the store, and values.
    pub metadata: Vec<(String, String)>,
    /// Why a change between two requests would go unnoticed.
    pub unverified: Option<&'static str>,
}

impl Object {
    /// The entity tag, if equal tags mean equal bytes.
    pub fn strong_etag(&self) -> Option<&str> {
        self.etag.as_deref().filter(|tag| !tag.starts_with("W/") && tag.len() > 2)
    }

    /// The version of the object, from its entity tag.
    pub fn version(&self) -> Option<Version> {
        self.etag.as_deref().map(Version::of_tag)
    }
}

/// The server and the credentials that requests for a URL would use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestPlan {
    /// The kind of store: `s3`, `gcs`, `azure` or `http`.
    pub store: &'static str,
    /// The server.
    pub endpoint: String,
    /// The region of the store, if it has regions.
    pub region: Option<String>,
    /// The source of the credentials; `None` without any.
    pub credentials: Option<String>,
}

/// The requests made for an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Includes retries.
    pub requests: u64,
    /// The bytes of all response bodies.
    pub bytes_fetched: u64,
    /// How many bytes the cache holds: reading a slice of this size again makes no request.
    pub held: u64,
}

/// Conditions on directories `key=value`, which exclude some before the objects below them are listed.
pub trait Conditions {
    /// Whether a condition is about the key.
    fn bound(&self, key: &str) -> bool;

    /// Returns whether each of the directories of one level may have rows.
    fn keeps(&self, directories: &[std::path::PathBuf]) -> Vec<bool>;
}
