//! The endpoint of an object: a URL of a web server, or a key in a store, whose client signs requests.

use std::sync::Arc;

use http::header::{ACCEPT_ENCODING, COOKIE, HeaderName, HeaderValue, IF_MATCH, LOCATION, RANGE};
use http::{HeaderMap, Method};
use object_store::GetOptions;
use object_store::list::PaginatedListOptions;
use object_store::path::Path as Key;
use reqwest::{Request, Response, Url};

use super::credentials::{self, StoreClient};
use super::network_errors::{self, Principal};
use super::transport::{ResponseSlot, Transport, is_same_host};
use crate::access::HttpHeaders;
use crate::compressed::CompressionFormat;
use crate::lock;
use crate::object::RequestPlan;
use rread_text::address::{self, Address, Scheme};
use rread_text::{Error, Kind, Result, Sentence, call};

/// Names in queries of signatures and tokens, in lower case: S3, Google, Azure, CloudFront, Aliyun and others.
#[rustfmt::skip]
const SIGNATURES: [&str; 14] = [
    "x-amz-signature", "x-amz-credential", "x-goog-signature", "x-oss-signature", "x-cos-signature", "sig",
    "signature", "awsaccesskeyid", "googleaccessid", "key-pair-id", "policy", "token", "access_token", "sign",
];

/// The most redirects of one request.
const REDIRECTS: usize = 10;

/// The least bytes of a word that would be missed as a secret.
const MIN_SECRET: usize = 6;

#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) transport: Arc<Transport>,
    kind: EndpointKind,
}

#[derive(Debug)]
enum EndpointKind {
    Web { url: Url },
    Store { scheme: Scheme, bucket: String, key: Key, client: Arc<StoreClient> },
}

impl Endpoint {
    /// The endpoint of `address`; for S3, in `region` if it is known.
    pub(super) fn of(
        address: &Address<'_>,
        transport: &Arc<Transport>,
        anonymous: bool,
        region: Option<&str>,
    ) -> Result<Self> {
        if address.scheme != Scheme::Http {
            let key = key_of(address)?;
            return Endpoint::in_bucket(address, key, transport, anonymous, region);
        }
        let url =
            Url::parse(address.url).map_err(|why| Error::usage(format!("is not a valid URL: {why}")))?;
        Ok(Endpoint { transport: Arc::clone(transport), kind: EndpointKind::Web { url } })
    }

    /// The endpoint of `key` in the bucket of `address`; an empty key is the bucket itself.
    pub(super) fn in_bucket(
        address: &Address<'_>,
        key: Key,
        transport: &Arc<Transport>,
        anonymous: bool,
        region: Option<&str>,
    ) -> Result<Self> {
        let (bucket, _) = bucket_and_key(address)?;
        let make =
            || credentials::store_client(address.scheme, bucket, transport, anonymous, region).map(Arc::new);
        let client = match transport.session.get() {
            // One client for all objects of a bucket: it fetches credentials once.
            Some(session) => {
                session.kept(format!("{:?} {bucket} {}", address.scheme, region.unwrap_or_default()), make)?
            }
            None => make()?,
        };
        let kind = EndpointKind::Store { scheme: address.scheme, bucket: bucket.to_owned(), key, client };
        Ok(Endpoint { transport: Arc::clone(transport), kind })
    }

    /// The plan of requests for `address`; a bucket needs no key.
    pub(super) fn plan(
        address: &Address<'_>,
        transport: &Arc<Transport>,
        anonymous: bool,
    ) -> Result<RequestPlan> {
        let store = match address.scheme {
            Scheme::S3 => "s3",
            Scheme::Gcs => "gcs",
            Scheme::Azure => "azure",
            Scheme::Http => return Endpoint::of(address, transport, anonymous, None)?.plan_web(),
        };
        let (bucket, _) = bucket_and_key(address)?;
        let client = credentials::store_client(address.scheme, bucket, transport, anonymous, None)?;
        let StoreClient { principal, region, endpoint, .. } = client;
        Ok(RequestPlan { store, endpoint, region, credentials: principal.from().map(str::to_owned) })
    }

    fn plan_web(&self) -> Result<RequestPlan> {
        let EndpointKind::Web { url } = &self.kind else { return Ok(RequestPlan::default()) };
        let names = parse_headers(&self.transport.headers)?;
        let names: Vec<&str> = names.keys().map(http::HeaderName::as_str).collect();
        let sources = [
            self.has_user().then(|| "the user and password in the URL".to_owned()),
            self.is_signed().then(|| "the signature or token in the query of the URL".to_owned()),
            (!names.is_empty()).then(|| format!("the headers {}", names.join(", "))),
        ];
        let sources: Vec<String> = sources.into_iter().flatten().collect();
        let credentials = (!sources.is_empty()).then(|| sources.join(", and "));
        let endpoint = url.origin().ascii_serialization();
        Ok(RequestPlan { store: "http", endpoint, region: None, credentials })
    }

    pub(super) async fn send(&self, mut options: GetOptions) -> Result<Response> {
        let (client, key) = match &self.kind {
            EndpointKind::Web { url } => return self.send_web(url, &options, self.transport.retries).await,
            EndpointKind::Store { client, key, .. } => (client, key),
        };
        let slot = self.slot();
        options.extensions.insert(slot.clone());
        let result = client.store.get_opts(key, options).await.map(drop);
        take_response(&slot, client, result)
    }

    fn slot(&self) -> ResponseSlot {
        ResponseSlot { transport: Arc::clone(&self.transport), response: Arc::default() }
    }

    /// Requests one page of the keys that begin with `prefix`; with `is_shallow`, those up to their next slash.
    pub(super) async fn send_listing(
        &self,
        prefix: &str,
        is_shallow: bool,
        token: Option<String>,
    ) -> Result<Response> {
        let EndpointKind::Store { client, .. } = &self.kind else {
            return Err(Error::usage("web servers do not list their pages"));
        };
        let slot = self.slot();
        let mut options = PaginatedListOptions {
            delimiter: is_shallow.then_some("/".into()),
            page_token: token,
            ..PaginatedListOptions::default()
        };
        options.extensions.insert(slot.clone());
        let prefix = Some(prefix).filter(|prefix| !prefix.is_empty());
        let result = client.store.list_paginated(prefix, options).await.map(drop);
        take_response(&slot, client, result)
    }

    /// Requests the whole object of a web server once, without retries; `None` for a store, or without a response.
    pub(super) async fn send_whole(&self) -> Option<Response> {
        let EndpointKind::Web { url } = &self.kind else { return None };
        self.send_web(url, &GetOptions::default(), 0).await.ok()
    }

    /// Sends a request and follows redirects. Another host gets neither the user's headers nor user and password.
    async fn send_web(&self, url: &Url, options: &GetOptions, retries: u32) -> Result<Response> {
        let (mut url, mut headers) = (url.clone(), parse_headers(&self.transport.headers)?);
        for _ in 0..=REDIRECTS {
            let request = web_request(&self.transport, &url, options, headers.clone())?;
            let response = self.transport.send(&request, retries).await?;
            let Some(mut target) = redirect_target(&response)? else { return Ok(response) };
            self.transport.keep_cookies(&response);
            if !is_same_host(&url, &target) {
                headers.clear();
            } else if target.username().is_empty() {
                let _ = target.set_username(url.username());
                let _ = target.set_password(url.password());
            }
            url = target;
        }
        Err(network_errors::network(format!("redirected more than {REDIRECTS} times")))
    }

    /// Whether requests have headers of the user.
    pub(super) fn has_headers(&self) -> bool {
        matches!(self.kind, EndpointKind::Web { .. }) && !self.transport.headers.is_empty()
    }

    /// Whether the query of the URL has a signature or a token.
    pub(super) fn is_signed(&self) -> bool {
        let EndpointKind::Web { url } = &self.kind else { return false };
        url.query_pairs().any(|(name, _)| SIGNATURES.contains(&name.to_ascii_lowercase().as_str()))
    }

    /// Whether `text`, which came from the server, repeats a secret of the request.
    pub(super) fn holds_secret(&self, text: &str) -> bool {
        let EndpointKind::Web { url } = &self.kind else { return false };
        let of_query = url.query_pairs().map(|(_, value)| value.into_owned());
        let of_user = url.password().map(str::to_owned);
        let mut secrets = of_query.chain(of_user).chain(self.transport.headers.words());
        secrets.any(|secret| secret.len() >= MIN_SECRET && text.contains(&secret))
    }

    /// Whether `Content-Encoding` describes the raw object, not its transfer.
    pub(super) fn is_raw_encoding(&self, encoding: &str) -> bool {
        let EndpointKind::Web { url } = &self.kind else { return true };
        // Some servers send this header for compressed files. Otherwise the server compressed the response.
        CompressionFormat::of_coding(encoding).any(|format| format.is_ending_of(url.path()))
    }

    fn client(&self) -> Option<&StoreClient> {
        match &self.kind {
            EndpointKind::Store { client, .. } => Some(client),
            EndpointKind::Web { .. } => None,
        }
    }

    pub(super) fn region(&self) -> Option<&str> {
        self.client()?.region.as_deref()
    }

    pub(super) fn principal(&self) -> Option<&Principal> {
        self.client().map(|client| &client.principal)
    }

    pub(super) fn has_user(&self) -> bool {
        matches!(&self.kind, EndpointKind::Web { url } if !url.username().is_empty() || url.password().is_some())
    }

    pub(super) fn noun(&self) -> &'static str {
        match &self.kind {
            EndpointKind::Store { scheme: Scheme::Azure, .. } => "blob",
            EndpointKind::Store { .. } => "object",
            EndpointKind::Web { .. } => "page",
        }
    }

    /// The bucket and its name; a URL of a web server does not show which part that is.
    pub(super) fn bucket(&self) -> String {
        match &self.kind {
            EndpointKind::Store { scheme: Scheme::Azure, bucket, .. } => format!("container '{bucket}'"),
            EndpointKind::Store { bucket, .. } => format!("bucket '{bucket}'"),
            EndpointKind::Web { .. } => "bucket".to_owned(),
        }
    }

    pub(super) fn listing(&self) -> Option<String> {
        let EndpointKind::Store { scheme, bucket, key, .. } = &self.kind else { return None };
        let folder = key.as_ref().rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        Some(match scheme {
            Scheme::S3 => format!("aws s3 ls s3://{bucket}/{folder}"),
            Scheme::Gcs => format!("gcloud storage ls gs://{bucket}/{folder}"),
            _ => format!("az storage blob list --container-name {bucket} --prefix '{folder}' --output table"),
        })
    }
}

/// The response that the transport put into `slot`.
fn take_response(
    slot: &ResponseSlot,
    client: &StoreClient,
    result: object_store::Result<()>,
) -> Result<Response> {
    let response = lock(&slot.response).take();
    match (response, result) {
        (Some(response), _) => response,
        (None, Err(cause)) => Err(client.principal.missing(&cause)),
        (None, Ok(())) => Err(network_errors::network("the request was not sent")),
    }
}

/// The bucket, which must be there, and the key.
fn bucket_and_key<'a>(address: &Address<'a>) -> Result<(&'a str, &'a str)> {
    match address.bucket_and_key() {
        ("", _) => Err(Error::usage("has no bucket").hint(call("stat").file("s3://BUCKET/KEY"))),
        both => Ok(both),
    }
}

/// The key of an object. Buckets and folders are errors.
fn key_of(address: &Address<'_>) -> Result<Key> {
    let (_, key) = bucket_and_key(address)?;
    if key.is_empty() || key.ends_with('/') {
        let shown = address::display(address.url.as_ref());
        let listed = call("search").on("files").file(&*shown);
        return Err(Error::new(Kind::IsDirectory, "has no key of an object").hint(listed));
    }
    // The crate drops a slash at the start, which would name another object.
    let parsed = Key::parse(key).ok().filter(|parsed| parsed.as_ref() == key);
    parsed.ok_or_else(|| {
        Error::usage("has a key with empty parts, '.', '..' or control characters, which is not supported")
            .hint("use a presigned https:// URL")
    })
}

/// The URL that `response` redirects to.
fn redirect_target(response: &Response) -> Result<Option<Url>> {
    let is_redirect = matches!(response.status().as_u16(), 301..=303 | 307 | 308);
    let location = response.headers().get(LOCATION).filter(|_| is_redirect);
    let Some(location) = location.and_then(|location| location.to_str().ok()) else { return Ok(None) };
    let Ok(target) = response.url().join(location) else { return Ok(None) };
    match (response.url().scheme(), target.scheme()) {
        (_, "https") | ("http", "http") => Ok(Some(target)),
        (_, "http") => Err(network_errors::network("redirected from https to http")),
        (_, other) => Err(network_errors::network(format!("redirected to {other}:, not to http or https"))),
    }
}

/// The client turns a user and password in `url` into a header, which it does not send to other hosts.
fn web_request(
    transport: &Transport,
    url: &Url,
    options: &GetOptions,
    headers: HeaderMap,
) -> Result<Request> {
    let mut url = url.clone();
    url.set_fragment(None);
    let method = if options.head { Method::HEAD } else { Method::GET };
    // The user's own cookies win.
    let cookies = transport.cookies(&url).filter(|_| !headers.contains_key(COOKIE));
    let builder = transport.client()?.request(method, url).headers(headers);
    let mut builder = builder.header(ACCEPT_ENCODING, "identity");
    if let Some(cookies) = cookies {
        builder = builder.header(COOKIE, cookies);
    }
    if let Some(range) = &options.range {
        builder = builder.header(RANGE, range.to_string());
    }
    if let Some(tag) = &options.if_match {
        builder = builder.header(IF_MATCH, tag);
    }
    builder.build().map_err(|cause| network_errors::unsendable(&cause))
}

/// Headers that rread sets itself.
#[rustfmt::skip]
const OWN: [&str; 9] = [
    "accept-encoding", "connection", "content-length", "if-match", "if-none-match", "if-range", "range", "te",
    "transfer-encoding",
];

/// A call with a header.
pub(super) fn with_token() -> Sentence {
    call("stat").word("https://HOST/PATH").with("http-header", "Authorization: Bearer TOKEN").into()
}

/// The headers as they are sent. Errors name no value: it may be a secret.
pub(super) fn parse_headers(headers: &HttpHeaders) -> Result<HeaderMap> {
    let mut parsed = HeaderMap::new();
    for text in headers.texts() {
        let wrong =
            |what: &str| Err(Error::usage(format!("a header for web servers {what}")).hint(with_token()));
        let Some((name, value)) = text.split_once(':') else {
            return wrong("has no colon: it is 'NAME: VALUE'");
        };
        let Ok(name) = name.trim().parse::<HeaderName>() else {
            return wrong("has a name with other characters");
        };
        if OWN.contains(&name.as_str()) {
            return wrong(&format!("is {name}, which rread sets itself"));
        }
        let Ok(mut value) = HeaderValue::from_str(value.trim()) else {
            return wrong(&format!("has a value with other characters, that of {name}"));
        };
        value.set_sensitive(true);
        parsed.append(name, value);
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_names_and_values_and_errors_show_no_value() {
        let parse = |texts: &[&str]| {
            parse_headers(&HttpHeaders::new(texts.iter().map(|text| (*text).to_owned()).collect()))
        };
        let headers = parse(&["Authorization: Bearer a:b", "X-Key:k", "x-key: l", "User-Agent: me"]).unwrap();
        assert_eq!(headers["authorization"], "Bearer a:b");
        assert_eq!(headers.get_all("x-key").iter().count(), 2);
        for wrong in [
            "secret",
            "a b: secret",
            "Range: secret",
            "accept-encoding: secret",
            "X: secret\r\nY: z",
            ": secret",
        ] {
            let error = parse(&[wrong]).unwrap_err();
            assert!(!format!("{error:?}").contains("secret"), "{error:?}");
        }
        let shown = format!("{:?}", HttpHeaders::new(vec!["A: secret".to_owned()]));
        assert!(!shown.contains("secret"), "{shown}");
    }
}
