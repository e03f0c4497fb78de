//! The region of a bucket, which S3 reports when it refuses a request in another one.

use std::sync::Arc;

use reqwest::Response;

use super::endpoint::Endpoint;
use super::response;
use crate::access::Access;
use rread_text::error::Result;

/// The region of the bucket, if the response is a refusal because of it.
pub(super) fn other_region(endpoint: &Endpoint, response: &Response) -> Option<String> {
    let requested = endpoint.region()?;
    let region = response::region(response.headers())?;
    (!response.status().is_success() && region != requested).then_some(region)
}

/// The region of the bucket, if an earlier request of the session was refused in another one.
pub(super) fn known_region(access: &Access, bucket: &str) -> Option<String> {
    let known: Arc<String> = access.session.as_ref()?.known(&region_name(bucket))?;
    Some(known.to_string())
}

pub(super) fn remember_region(access: &Access, bucket: &str, region: &str) -> Result<()> {
    let Some(session) = &access.session else { return Ok(()) };
    session.kept(region_name(bucket), || Ok(Arc::new(region.to_owned()))).map(drop)
}

fn region_name(bucket: &str) -> String {
    format!("region of {bucket}")
}
