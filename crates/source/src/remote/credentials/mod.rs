//! Store clients: endpoints and credentials from the same settings as the stores' own tools.

mod azure;
mod gcs;
mod s3;
mod settings;

use std::sync::Arc;

use object_store::list::PaginatedListStore;
use object_store::{ObjectStore, RetryConfig};
use settings::Variables;

use super::network_errors::{Principal, clip};
use super::transport::{StoreConnector, Transport};
use rread_text::address::Scheme;
use rread_text::{Error, Result, call};

/// A store that reads objects and lists them page by page.
pub(super) trait Store: ObjectStore + PaginatedListStore {}

impl<S: ObjectStore + PaginatedListStore> Store for S {}

#[derive(Debug)]
pub(super) struct StoreClient {
    pub(super) store: Arc<dyn Store>,
    pub(super) principal: Principal,
    pub(super) region: Option<String>,
    /// The URL of the server.
    pub(super) endpoint: String,
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
    let accept_encoding = if scheme == Scheme::Gcs { "gzip" } else { "identity" };
    let connector = StoreConnector { transport: Arc::clone(transport), accept_encoding };
    // The transport retries; the crate must not.
    let retry = RetryConfig { max_retries: 0, ..RetryConfig::default() };
    let variables = Variables::of_process();
    let invalid = |cause: object_store::Error| Error::usage(format!("cannot be requested: {}", clip(&cause)));
    let (store, principal, region, endpoint): (Arc<dyn Store>, _, _, _) = match scheme {
        Scheme::S3 => {
            let setup = s3::Setup::of(bucket, &variables, anonymous, region)?;
            let builder = setup.builder(bucket, &variables).with_http_connector(connector).with_retry(retry);
            (
                Arc::new(builder.build().map_err(invalid)?),
                setup.credentials.principal(&setup.profile),
                Some(setup.region.clone()),
                setup.endpoint(bucket),
            )
        }
        Scheme::Gcs => {
            let (builder, principal) = gcs::builder(bucket, &variables, anonymous)?;
            let store = builder.with_http_connector(connector).with_retry(retry).build();
            // The crate's message may contain the credentials.
            let store = store
                .map_err(|_| Error::usage(format!("{}: the settings are invalid", principal.lacking)))?;
            (Arc::new(store), principal, None, gcs::endpoint(&variables)?)
        }
        Scheme::Azure | Scheme::Http => {
            let (builder, principal) = azure::builder(bucket, &variables, anonymous)?;
            let endpoint = azure::endpoint(&builder);
            let builder = builder.with_http_connector(connector).with_retry(retry);
            (Arc::new(builder.build().map_err(invalid)?), principal, None, endpoint)
        }
    };
    Ok(StoreClient { store, principal, region, endpoint })
}

/// Refuses invalid bucket names, which would become part of a host name.
fn check_bucket(bucket: &str) -> Result<()> {
    if bucket.chars().all(|c| c.is_ascii_alphanumeric() || "-._$".contains(c)) {
        return Ok(());
    }
    Err(Error::usage("has a bucket with characters other than letters, digits, '-', '.' and '_'")
        .hint(call("stat").file("s3://BUCKET/KEY")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_labels_of_hosts() {
        for bucket in ["a b", "a@b", "a:b", "é", "a?b", "a\\b"] {
            assert!(check_bucket(bucket).is_err(), "{bucket}");
        }
        for bucket in ["logs", "a.b-c_D9", "$root"] {
            assert!(check_bucket(bucket).is_ok(), "{bucket}");
        }
    }
}
