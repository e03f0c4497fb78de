//! Whom to ask for an object: a web server at a URL, or a store that signs what it is asked.

use std::ops::Range;
use std::sync::Arc;

use http::Method;
use http::header::{ACCEPT_ENCODING, IF_MATCH, RANGE};
use object_store::path::Path as Key;
use object_store::{GetOptions, GetRange, ObjectStore};
use reqwest::{Request, Response, Url};

use super::credentials::{self, Principal, StoreClient};
use super::refusal;
use super::transport::{ResponseSlot, Transport};
use crate::address::{self, Address, Scheme};
use crate::error::{Error, Kind, Result};

/// What is asked of the object.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectRequest<'a> {
    /// The bytes, from the first to before the last.
    pub(super) range: Option<Range<u64>>,
    /// The entity tag that it has to have.
    pub(super) tag: Option<&'a str>,
    /// Whether only what is said of it is wanted.
    pub(super) head: bool,
}

/// An object and who has it.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) transport: Arc<Transport>,
    scheme: Scheme,
    /// The host, bucket or container.
    container: String,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Web { url: Url },
    Store { client: StoreClient, key: Key },
}

impl Endpoint {
    /// Principal has what `address` names; a bucket of S3 may be known to be in `region`.
    ///
    /// # Errors
    /// `usage`, when the URL names no object or the environment makes no sense.
    pub(super) fn of(
        address: &Address<'_>,
        transport: &Arc<Transport>,
        anonymous: bool,
        region: Option<&str>,
    ) -> Result<Self> {
        let transport = Arc::clone(transport);
        if address.scheme == Scheme::Http {
            let url = Url::parse(address.url)
                .map_err(|cause| Error::usage(format!("is no URL that can be asked for: {cause}")))?;
            let container = url.host_str().unwrap_or_default().to_owned();
            return Ok(Endpoint { transport, scheme: address.scheme, container, place: Place::Web { url } });
        }
        let (bucket, key) = address.bucket_and_key();
        let key = key_of(address, bucket, key)?;
        let client = credentials::store_client(address.scheme, bucket, &transport, anonymous, region)?;
        let container = bucket.to_owned();
        Ok(Endpoint { transport, scheme: address.scheme, container, place: Place::Store { client, key } })
    }

    /// Asks once, or as often as it takes for an answer other than "later".
    ///
    /// # Errors
    /// `network`, when nothing answers; `permission`, when there are no credentials to ask with.
    pub(super) async fn ask(&self, ask: &ObjectRequest<'_>) -> Result<Response> {
        let (client, key) = match &self.place {
            Place::Web { url } => {
                return self.transport.send(&web_request(&self.transport, url, ask)?, false).await;
            }
            Place::Store { client, key } => (client, key),
        };
        let slot = ResponseSlot::default();
        let mut options = GetOptions {
            range: ask.range.clone().map(GetRange::Bounded),
            if_match: ask.tag.map(str::to_owned),
            head: ask.head,
            ..GetOptions::default()
        };
        options.extensions.insert(slot.clone());
        let result = client.store.get_opts(key, options).await;
        match (slot.take(), result) {
            (Some(response), _) => response,
            (None, Err(cause)) => Err(client.principal.missing(&cause)),
            (None, Ok(_)) => Err(refusal::network("the request was not sent")),
        }
    }

    /// Whether an encoding of the content is how the object is stored, not how it was sent.
    pub(super) fn stores_encoded(&self, encoding: &str) -> bool {
        let Place::Web { url } = &self.place else { return true };
        // Some servers call a file that is compressed so; any other encoding was made for us, and ranges are of that.
        let suffix = match encoding {
            "gzip" | "x-gzip" => [".gz", ".tgz"],
            "zstd" => [".zst", ".tzst"],
            "bzip2" | "x-bzip2" => [".bz2", ".tbz2"],
            "xz" | "x-xz" => [".xz", ".txz"],
            _ => return false,
        };
        suffix.iter().any(|suffix| url.path().ends_with(suffix))
    }

    /// The region that is asked, where buckets have regions.
    pub(super) fn region(&self) -> Option<&str> {
        match &self.place {
            Place::Store { client, .. } => client.region.as_deref(),
            Place::Web { .. } => None,
        }
    }

    /// In whose name a store is asked.
    pub(super) fn principal(&self) -> Option<&Principal> {
        match &self.place {
            Place::Store { client, .. } => Some(&client.principal),
            Place::Web { .. } => None,
        }
    }

    /// Whether a URL says who asks.
    pub(super) fn names_user(&self) -> bool {
        matches!(&self.place, Place::Web { url } if !url.username().is_empty() || url.password().is_some())
    }

    /// What is asked for, in a word.
    pub(super) fn what(&self) -> &'static str {
        match self.scheme {
            Scheme::S3 | Scheme::Gcs => "object",
            Scheme::Azure => "blob",
            Scheme::Http => "page",
        }
    }

    /// Where it should be, in words.
    pub(super) fn container(&self) -> String {
        let what = match self.scheme {
            Scheme::S3 | Scheme::Gcs => "bucket",
            Scheme::Azure => "container",
            Scheme::Http => "host",
        };
        format!("{what} as {}", self.container)
    }

    /// What lists what there is.
    pub(super) fn listing(&self) -> Option<String> {
        let Place::Store { key, .. } = &self.place else { return None };
        let folder = key.as_ref().rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let container = &self.container;
        Some(match self.scheme {
            Scheme::S3 => format!("aws s3 ls s3://{container}/{folder}"),
            Scheme::Gcs => format!("gcloud storage ls gs://{container}/{folder}"),
            _ => format!(
                "az storage blob list --container-name {container} --prefix '{folder}' --output table"
            ),
        })
    }
}

/// The key of the object that is named; buckets and folders are none.
fn key_of(address: &Address<'_>, bucket: &str, key: &str) -> Result<Key> {
    if bucket.is_empty() {
        return Err(Error::usage("names no bucket").hint("rread stat s3://BUCKET/KEY"));
    }
    if key.is_empty() || key.ends_with('/') {
        let shown = address::shown(address.url.as_ref());
        let url = shown.trim_end_matches('/');
        return Err(Error::new(Kind::IsDirectory, "names no object").hint(format!("rread stat {url}/KEY")));
    }
    // A slash at the start would be left out, which is the key of another object.
    let parsed = Key::parse(key).ok().filter(|parsed| parsed.as_ref() == key);
    parsed.ok_or_else(|| {
        Error::usage(
            "has a key with empty parts, '.', '..' or control characters, which cannot be asked for so",
        )
        .hint("give a presigned https:// URL")
    })
}

/// A user and a password in `url` become a header, which is not passed on to other hosts.
fn web_request(transport: &Transport, url: &Url, ask: &ObjectRequest<'_>) -> Result<Request> {
    let mut url = url.clone();
    url.set_fragment(None);
    let method = if ask.head { Method::HEAD } else { Method::GET };
    let mut builder = transport.open()?.request(method, url).header(ACCEPT_ENCODING, "identity");
    if let Some(range) = &ask.range {
        builder = builder.header(RANGE, GetRange::Bounded(range.clone()).to_string());
    }
    if let Some(tag) = ask.tag {
        builder = builder.header(IF_MATCH, tag);
    }
    builder.build().map_err(|cause| refusal::unreachable(&cause))
}
