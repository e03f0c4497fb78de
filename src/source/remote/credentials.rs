//! Stores as their users have set them up: endpoints and credentials from where the stores' own tools take them.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::{ObjectStore, RetryConfig};

use super::refusal;
use super::transport::{Signed, Transport};
use crate::address::Scheme;
use crate::error::{Error, Kind, Result};

/// The store of `scheme` that has the bucket or container `bucket`; of S3 in `region`, if that is known.
///
/// # Errors
/// `usage`, when the environment makes no sense.
pub(super) fn store(
    scheme: Scheme,
    bucket: &str,
    transport: &Arc<Transport>,
    anonymous: bool,
    region: Option<&str>,
) -> Result<Arc<dyn ObjectStore>> {
    // Google unpacks what is stored packed for those who do not accept it packed, and then gives no ranges.
    let accepts = if scheme == Scheme::Gcs { "gzip" } else { "identity" };
    let connector = Signed { transport: Arc::clone(transport), accepts };
    let store: object_store::Result<Arc<dyn ObjectStore>> = match scheme {
        Scheme::S3 => s3(bucket, anonymous, region)
            .with_http_connector(connector)
            .with_retry(retry())
            .build()
            .map(|store| Arc::new(store) as Arc<dyn ObjectStore>),
        Scheme::Gcs => gcs(bucket, anonymous)
            .with_http_connector(connector)
            .with_retry(retry())
            .build()
            .map(|store| Arc::new(store) as Arc<dyn ObjectStore>),
        Scheme::Azure | Scheme::Http => azure(bucket, anonymous)
            .with_http_connector(connector)
            .with_retry(retry())
            .build()
            .map(|store| Arc::new(store) as Arc<dyn ObjectStore>),
    };
    store.map_err(|cause| Error::usage(format!("cannot be asked for: {}", refusal::root(&cause))))
}

fn s3(bucket: &str, anonymous: bool, region: Option<&str>) -> AmazonS3Builder {
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket).with_allow_http(true);
    if let Some(region) = region {
        builder = builder.with_region(region);
    }
    if anonymous { builder.with_skip_signature(true) } else { builder }
}

fn gcs(bucket: &str, anonymous: bool) -> GoogleCloudStorageBuilder {
    let builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket);
    let builder = builder.with_client_options(object_store::ClientOptions::new().with_allow_http(true));
    if anonymous { builder.with_skip_signature(true) } else { builder }
}

fn azure(container: &str, anonymous: bool) -> MicrosoftAzureBuilder {
    let builder = MicrosoftAzureBuilder::from_env().with_container_name(container).with_allow_http(true);
    if anonymous { builder.with_skip_signature(true) } else { builder }
}

/// Requests for credentials are tried again once; those for objects are none of the store's business.
fn retry() -> RetryConfig {
    RetryConfig { max_retries: 1, retry_timeout: Duration::from_secs(5), ..RetryConfig::default() }
}

/// Why a request could not even be signed.
pub(super) fn missing(scheme: Scheme, cause: &object_store::Error) -> Error {
    let hint = match scheme {
        Scheme::S3 => {
            "export AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…, or --anonymous where everybody may read"
        }
        Scheme::Gcs => "gcloud auth application-default login, or --anonymous where everybody may read",
        Scheme::Azure | Scheme::Http => {
            "export AZURE_STORAGE_ACCOUNT_NAME=… AZURE_STORAGE_ACCOUNT_KEY=…, or --anonymous where everybody may read"
        }
    };
    let text = refusal::root(cause);
    Error::new(Kind::Permission, format!("there are no credentials to ask with: {text}")).hint(hint)
}
