//! A page of a listing: the XML that S3, Google and Azure answer with.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::object::ListedObject;
use crate::version::Version;

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
struct Entry {
    name: String,
    size: Option<u64>,
    tag: Option<String>,
    /// Percent signs stand for characters that XML does not have.
    is_encoded: bool,
    is_directory: bool,
}

/// The page in `xml`, with the objects whose keys are `wanted`; `None` if it is not a listing.
pub(super) fn parse(xml: &[u8], wanted: &dyn Fn(&str) -> bool) -> Option<Page> {
    let mut reader = Reader::from_reader(xml);
    let (mut page, mut entry, mut text) = (Page::default(), Entry::default(), String::new());
    let (mut inside, mut is_listing) = (Vec::<String>::new(), false);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).ok()? {
            Event::Start(tag) => {
                let name = name_of(&tag);
                is_listing |= inside.is_empty() && is_list(&name);
                if is_entry(&name) {
                    entry = Entry::default();
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

fn is_entry(name: &str) -> bool {
    matches!(name, "Contents" | "Blob" | "CommonPrefixes" | "BlobPrefix")
}

/// Whether Azure encodes the text of an element.
fn has_encoded_text(tag: &BytesStart<'_>) -> bool {
    let encoded = tag.try_get_attribute("Encoded").ok().flatten();
    encoded.is_some_and(|attribute| attribute.value.as_ref() == "true")
}

impl Page {
    fn add(&mut self, entry: Entry, wanted: &dyn Fn(&str) -> bool) {
        let Entry { size, is_directory, .. } = entry;
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
            self.objects.push(ListedObject { key, size, version: tag.as_deref().map(Version::of_tag) });
        }
    }
}

impl Entry {
    fn into_name(self) -> String {
        if !self.is_encoded {
            return self.name;
        }
        let bytes = self.name.as_bytes();
        let mut decoded = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            let digits = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
            match digits.filter(|_| bytes[at] == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok())
            {
                Some(byte) => {
                    decoded.push(byte);
                    at += 3;
                }
                None => {
                    decoded.push(bytes[at]);
                    at += 1;
                }
            }
        }
        String::from_utf8(decoded).unwrap_or(self.name)
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
