//! Lists the keys of a bucket, page by page; only wanted keys are kept.

use std::sync::Arc;
use std::time::SystemTime;

use http::StatusCode;
use object_store::GetOptions;
use object_store::path::Path as Key;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use reqwest::Response;
use tokio::task::JoinSet;

use super::endpoint::Endpoint;
use super::fetch::{in_region, known_region};
use super::network_errors::{network, of_client};
use super::status_errors::refusal;
use super::transport::{Transport, runtime};
use crate::access::Access;
use crate::spelling::decoded;
use crate::version::Version;
use rread_text::address::Scheme;
use rread_text::{Address, Error, Kind, Result, Sentence, did_you_mean};

/// Directories that are listed at the same time.
const SIDE_BY_SIDE: usize = 8;

/// A page is at most 5000 keys of 1024 characters, with their dates and tags.
const MAX_PAGE: usize = 64 << 20;

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
            let first_page = async |endpoint: &Endpoint| send(endpoint, prefix, false, None).await;
            let (endpoint, response) = in_region(access, bucket, endpoint, first_page).await?;
            let lister = Lister { endpoint: Arc::new(endpoint), wanted };
            let page = lister.page(response).await?;
            Ok((lister, page))
        })
    }

    /// `error` of opening `address`, with the prefix that has objects if a slash is added.
    pub(crate) fn hint_prefix(address: &Address<'_>, access: &Access, error: Error) -> Error {
        let prefix = format!("{}/", address.bucket_and_key().1);
        let begin = || Lister::begin(address, access, Arc::new(|_| false), &prefix);
        let is_missing = error.kind == Kind::NotFound && address.scheme != Scheme::Http;
        match is_missing && begin().is_ok_and(|(_, page)| page.keys > 0) {
            true => error.hint(did_you_mean(format!("{}/", address.url))),
            false => error,
        }
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
        let page = parse(&body, &*self.wanted);
        page.ok_or_else(|| network("the server sent a listing that is not valid XML"))
    }
}

impl Page {
    fn add(&mut self, entry: PageEntry, wanted: &dyn Fn(&str) -> bool) {
        let PageEntry { size, modified, is_directory, .. } = entry;
        let tag = entry.tag.clone().filter(|tag| !tag.trim_matches('"').is_empty());
        let key = entry.into_name();
        // Programs write empty objects in the place of directories.
        if is_directory || key.ends_with('/') {
            return;
        }
        if !key.split('/').any(|part| part.starts_with(['.', '_'])) {
            self.first.get_or_insert_with(|| key.clone());
        }
        self.keys += 1;
        if wanted(&key) {
            let version = tag.as_deref().map(Version::of_tag);
            self.objects.push(ListedObject { key, size, version, modified });
        }
    }

    fn append(&mut self, mut more: Page) {
        self.objects.append(&mut more.objects);
        self.prefixes.append(&mut more.prefixes);
        self.first = self.first.take().or(more.first);
        self.keys += more.keys;
        self.next = more.next;
    }
}

async fn send(
    endpoint: &Endpoint,
    prefix: &str,
    is_shallow: bool,
    token: Option<String>,
) -> Result<Response> {
    if let Some(session) = endpoint.transport.session.get() {
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
            Some(_) if body.len() > MAX_PAGE => {
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

/// An object, as a listing shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedObject {
    /// The whole key.
    pub(crate) key: String,
    /// The number of stored bytes.
    pub(crate) size: Option<u64>,
    /// The version, if the listing has the entity tag.
    pub(crate) version: Option<Version>,
    /// The time of the last change.
    pub(crate) modified: Option<SystemTime>,
}

/// Objects, the beginnings of keys up to a slash, and the token of the next page.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) objects: Vec<ListedObject>,
    pub(crate) prefixes: Vec<String>,
    /// The first key of the page that is not hidden, also if it was not wanted.
    pub(crate) first: Option<String>,
    /// The keys of the page, also those that were not wanted.
    pub(crate) keys: u64,
    pub(super) next: Option<String>,
}

/// The object or the prefix of an element that is being read.
#[derive(Default)]
struct PageEntry {
    name: String,
    size: Option<u64>,
    tag: Option<String>,
    modified: Option<SystemTime>,
    /// Percent signs stand for characters that XML does not have.
    is_encoded: bool,
    is_directory: bool,
}

/// The page in `xml`, with the objects whose keys are `wanted`; `None` if it is not a listing.
fn parse(xml: &[u8], wanted: &dyn Fn(&str) -> bool) -> Option<Page> {
    let mut reader = Reader::from_reader(xml);
    let (mut page, mut entry, mut text) = (Page::default(), PageEntry::default(), String::new());
    let (mut inside, mut is_listing) = (Vec::<String>::new(), false);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).ok()? {
            Event::Start(tag) => {
                let name = name_of(&tag);
                is_listing |= inside.is_empty() && is_list(&name);
                if matches!(&*name, "Contents" | "Blob" | "CommonPrefixes" | "BlobPrefix") {
                    entry = PageEntry::default();
                }
                entry.is_encoded |= has_encoded_text(&tag);
                inside.push(name);
                text.clear();
            }
            Event::Empty(tag) => is_listing |= inside.is_empty() && is_list(&name_of(&tag)),
            Event::Text(part) => text.push_str(&part.xml10_content()),
            Event::CData(part) => text.push_str(&part.xml10_content()),
            Event::GeneralRef(entity) => match entity.resolve_char_ref().ok()? {
                Some(character) => text.push(character),
                None => text.push_str(quick_xml::escape::resolve_xml_entity(&entity)?),
            },
            Event::End(_) => {
                let name = inside.pop()?;
                let parent = inside.last().map_or("", String::as_str);
                let value = std::mem::take(&mut text);
                match (parent, &*name) {
                    ("Contents", "Key") | ("Blob" | "BlobPrefix", "Name") | ("CommonPrefixes", "Prefix") => {
                        entry.name = value;
                    }
                    ("Contents", "Size") | ("Properties", "Content-Length") => {
                        entry.size = value.trim().parse().ok();
                    }
                    ("Contents", "ETag") | ("Properties", "Etag") => entry.tag = Some(value),
                    ("Contents", "LastModified") | ("Properties", "Last-Modified") => {
                        let of_http = || httpdate::parse_http_date(value.trim()).ok();
                        entry.modified = humantime::parse_rfc3339(value.trim()).ok().or_else(of_http);
                    }
                    ("Properties", "ResourceType") => entry.is_directory = value.trim() == "directory",
                    (_, "NextContinuationToken" | "NextMarker") => {
                        page.next = Some(value).filter(|token| !token.is_empty());
                    }
                    (_, "Contents" | "Blob") => page.add(std::mem::take(&mut entry), wanted),
                    (_, "CommonPrefixes" | "BlobPrefix") => {
                        page.prefixes.push(std::mem::take(&mut entry).into_name());
                    }
                    _ => {}
                }
            }
            Event::Eof => return (is_listing && inside.is_empty()).then_some(page),
            _ => {}
        }
    }
}

fn name_of(tag: &BytesStart<'_>) -> String {
    tag.local_name().as_ref().to_owned()
}

fn is_list(name: &str) -> bool {
    matches!(name, "ListBucketResult" | "EnumerationResults")
}

/// Whether Azure encodes the text of an element.
fn has_encoded_text(tag: &BytesStart<'_>) -> bool {
    let encoded = tag.try_get_attribute("Encoded").ok().flatten();
    encoded.is_some_and(|attribute| attribute.value.as_ref() == "true")
}

impl PageEntry {
    fn into_name(self) -> String {
        if !self.is_encoded {
            return self.name;
        }
        decoded(&self.name).unwrap_or(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(xml: &str) -> Option<String> {
        let page = parse(xml.as_bytes(), &|key| !key.ends_with(".tmp"))?;
        let object = |object: &ListedObject| {
            let version = object.version.as_ref().map(Version::to_string).unwrap_or_default();
            format!("{}:{}:{version}", object.key, object.size.unwrap_or_default())
        };
        let objects: Vec<String> = page.objects.iter().map(object).collect();
        Some(format!(
            "{} | {} | {}",
            objects.join(" "),
            page.prefixes.join(" "),
            page.next.unwrap_or_default()
        ))
    }

    #[test]
    fn listings_of_all_stores_are_pages() {
        let s3 = "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">
            <Name>b</Name><Prefix>a/</Prefix><KeyCount>3</KeyCount><IsTruncated>true</IsTruncated>
            <NextContinuationToken>to+k=</NextContinuationToken>
            <Contents><Key>a/1&amp;2 é&#x21;.csv</Key><Size>7</Size><ETag>&quot;ab-2&quot;</ETag><Owner><ID>7</ID></Owner></Contents>
            <Contents><Key>a/dir/</Key><Size>0</Size></Contents><Contents><Key>a/x.tmp</Key></Contents>
            <CommonPrefixes><Prefix>a/b/</Prefix></CommonPrefixes><CommonPrefixes><Prefix>a/c d/</Prefix></CommonPrefixes>
            </ListBucketResult>";
        assert_eq!(shown(s3).as_deref(), Some("a/1&2 é!.csv:7:ab-2 | a/b/ a/c d/ | to+k="));
        let azure = "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Prefix>a</Prefix><Blobs>
            <Blob><Name>a/1.csv</Name><Properties><Content-Length>9</Content-Length><Etag>0x8D</Etag></Properties></Blob>
            <Blob><Name Encoded=\"true\">a/%EF%BF%BE%2G.csv</Name><Properties><Content-Length>1</Content-Length></Properties></Blob>
            <Blob><Name>a/d</Name><Properties><ResourceType>directory</ResourceType></Properties></Blob>
            <BlobPrefix><Name>a/b/</Name></BlobPrefix></Blobs><NextMarker/></EnumerationResults>";
        assert_eq!(shown(azure).as_deref(), Some("a/1.csv:9:0x8D a/\u{fffe}%2G.csv:1: | a/b/ | "));
        assert_eq!(shown("<ListBucketResult/>").as_deref(), Some(" |  | "));
        for no_list in ["", "<html><body>x</body></html>", "<ListBucketResult><Contents>", "{}", "<Error/>"] {
            assert_eq!(shown(no_list), None, "{no_list}");
        }
    }
}
