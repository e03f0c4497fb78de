//! Lists the keys of a bucket, page by page; only wanted keys are kept.

use std::sync::Arc;

use http::StatusCode;
use object_store::GetOptions;
use object_store::path::Path as Key;
use reqwest::Response;
use tokio::task::JoinSet;

use super::endpoint::Endpoint;
use super::listing_page::{self, Page};
use super::network_errors::{network, of_client};
use super::region::{known_region, other_region, remember_region};
use super::status_errors::refusal;
use super::transport::{Transport, runtime};
use crate::access::Access;
use rread_text::address::Address;
use rread_text::error::{Error, Result};
use rread_text::sentence::Sentence;

/// Directories that are listed at the same time.
const SIDE_BY_SIDE: usize = 8;

/// A page is at most 5000 keys of 1024 characters, with their dates and tags.
const LONGEST_PAGE: usize = 64 << 20;

/// Says which keys are kept.
pub(crate) type Wanted = dyn Fn(&str) -> bool + Send + Sync;

/// The keys of one bucket.
#[derive(Clone)]
pub(crate) struct Lister {
    endpoint: Arc<Endpoint>,
    wanted: Arc<Wanted>,
}

impl Lister {
    /// The first page of the keys of the bucket of `address` that begin with `prefix`, and the lister of further ones.
    pub(crate) fn begin(
        address: &Address<'_>,
        access: &Access,
        wanted: Arc<Wanted>,
        prefix: &str,
    ) -> Result<(Self, Page)> {
        let transport = Transport::new(access)?;
        let (bucket, _) = address.bucket_and_key();
        let endpoint = |region: Option<&str>| {
            Endpoint::in_bucket(address, Key::default(), &transport, access.anonymous, region)
        };
        runtime()?.block_on(async {
            let mut endpoint_of_bucket = endpoint(known_region(access, bucket).as_deref())?;
            let mut response = send(&endpoint_of_bucket, prefix, false, None).await?;
            if let Some(region) = other_region(&endpoint_of_bucket, &response) {
                endpoint_of_bucket = endpoint(Some(&region))?;
                remember_region(access, bucket, &region)?;
                response = send(&endpoint_of_bucket, prefix, false, None).await?;
            }
            let lister = Lister { endpoint: Arc::new(endpoint_of_bucket), wanted };
            let page = lister.page(response).await?;
            Ok((lister, page))
        })
    }

    /// Adds the pages that follow `page` to it.
    pub(crate) fn rest(&self, page: &mut Page, prefix: &str) -> Result<()> {
        runtime()?.block_on(self.go_on(page, prefix, false))
    }

    /// The keys below each of `directories`; with `is_shallow`, those up to the next slash.
    pub(crate) fn each(&self, directories: &[String], is_shallow: bool) -> Result<Page> {
        let mut all = Page::default();
        runtime()?.block_on(async {
            for several in directories.chunks(SIDE_BY_SIDE) {
                let mut tasks = JoinSet::new();
                for directory in several {
                    let (lister, directory) = (self.clone(), directory.clone());
                    tasks.spawn(async move {
                        let response = send(&lister.endpoint, &directory, is_shallow, None).await?;
                        let mut page = lister.page(response).await?;
                        lister.go_on(&mut page, &directory, is_shallow).await?;
                        Ok::<Page, Error>(page)
                    });
                }
                while let Some(listed) = tasks.join_next().await {
                    all.append(listed.map_err(|cause| network(format!("a listing was given up: {cause}")))??);
                }
            }
            Ok(all)
        })
    }

    /// Whether there is an object with exactly this key.
    pub(crate) fn has(address: &Address<'_>, access: &Access) -> Result<bool> {
        let transport = Transport::new(access)?;
        let (bucket, _) = address.bucket_and_key();
        runtime()?.block_on(async {
            let region = known_region(access, bucket);
            let endpoint = Endpoint::of(address, &transport, access.anonymous, region.as_deref())?;
            let response = endpoint.send(GetOptions { head: true, ..GetOptions::default() }).await?;
            Ok(response.status().is_success())
        })
    }

    /// A command that lists the bucket by another program.
    pub(crate) fn command(&self) -> Option<String> {
        self.endpoint.listing()
    }

    async fn go_on(&self, page: &mut Page, prefix: &str, is_shallow: bool) -> Result<()> {
        while let Some(token) = page.next.take() {
            let response = send(&self.endpoint, prefix, is_shallow, Some(token.clone())).await?;
            let more = self.page(response).await?;
            if more.next.as_ref() == Some(&token) {
                return Err(network("the server repeats a page of the listing"));
            }
            page.append(more);
        }
        Ok(())
    }

    async fn page(&self, response: Response) -> Result<Page> {
        if response.status() != StatusCode::OK {
            let error = refusal(response, &self.endpoint).await;
            let message = Sentence::from("cannot be listed: ").then(error.message.clone());
            return Err(Error { message, ..error });
        }
        let body = body(response, &self.endpoint.transport).await?;
        let page = listing_page::parse(&body, &*self.wanted);
        page.ok_or_else(|| network("the server sent a listing that is not valid XML"))
    }
}

impl Page {
    fn append(&mut self, mut more: Page) {
        self.objects.append(&mut more.objects);
        self.prefixes.append(&mut more.prefixes);
        self.first = self.first.take().or(more.first);
        self.keys += more.keys;
        self.next = more.next;
    }

    /// Whether pages follow.
    pub(crate) fn is_cut(&self) -> bool {
        self.next.is_some()
    }
}

async fn send(
    endpoint: &Endpoint,
    prefix: &str,
    is_shallow: bool,
    token: Option<String>,
) -> Result<Response> {
    if let Some(session) = &endpoint.transport.session {
        session.note_listing();
    }
    endpoint.send_listing(prefix, is_shallow, token).await
}

async fn body(mut response: Response, transport: &Transport) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let chunk = tokio::time::timeout(transport.timeout, response.chunk()).await;
        let chunk = chunk.map_err(|_| network("the listing broke off: the server sent nothing more"))?;
        match chunk.map_err(|cause| network(format!("the listing broke off: {}", of_client(&cause))))? {
            Some(_) if body.len() > LONGEST_PAGE => {
                return Err(network("the server sent a page of the listing that is too long"));
            }
            Some(chunk) => {
                transport.note_bytes(chunk.len());
                body.extend_from_slice(&chunk);
            }
            None => return Ok(body),
        }
    }
}
