//! What a server says of an object, and what was asked of it.

use std::time::SystemTime;

use super::version::Version;

/// Bytes of an object that come with what is said of it: the first request asks for so many.
pub(crate) const FIRST_FETCH: u64 = 64 << 10;

/// What a server says of an object without its bytes. Whatever it did not say is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// The URL as it was named, with all that is secret in it: to be told from others by, and never to be shown.
    pub url: String,
    /// Who was asked for it, which the environment has a say in: the same name may be of several objects.
    pub place: String,
    /// The entity tag as it was sent, quotes and all (RFC 9110, section 8.8.3).
    pub etag: Option<String>,
    /// When it was last modified, to the second.
    pub modified: Option<SystemTime>,
    /// The media type that it was stored with.
    pub content_type: Option<String>,
    /// The encoding that it is stored in, such as `gzip`.
    pub content_encoding: Option<String>,
    /// How it is stored, such as `STANDARD` or `Cool`.
    pub storage_class: Option<String>,
    /// The version or generation, where the store keeps several.
    pub version_id: Option<String>,
    /// What its owner noted of it, by name.
    pub metadata: Vec<(String, String)>,
    /// Whether it is read by several requests and nothing would tell that it was another at the last than at the first.
    pub unverified: bool,
}

impl Object {
    /// The tag, if equal tags mean equal bytes.
    pub(crate) fn strong_etag(&self) -> Option<&str> {
        self.etag.as_deref().filter(|tag| !tag.starts_with("W/") && tag.len() > 2)
    }

    /// The version: the tag without its quotes. What has no tag has no version.
    pub fn version(&self) -> Option<Version> {
        self.etag.as_deref().map(Version::of_tag)
    }
}

/// What was asked of a server so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Requests, those that were tried again included.
    pub requests: u64,
    /// Bytes of bodies that came.
    pub bytes_fetched: u64,
    /// Bytes that are held for reading them again: as many of an answer cost nothing more.
    pub held: u64,
}
