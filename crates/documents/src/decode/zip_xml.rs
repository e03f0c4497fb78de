//! Documents that are ZIP archives of XML: members and their elements, read as streams.

use std::borrow::Cow;
use std::io::{self, BufRead as _, BufReader, Cursor, Read};

use encoding_rs::UTF_16LE;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use zip::result::ZipError;
use zip::{ZipArchive, ZipReadOptions};

use crate::protocol::{Failure, Notice, Output};

pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// The member that was read last.
    last: String,
}

/// A relation of the package, or of one of its parts, to a part.
pub(super) struct Relation {
    /// The name by which the part calls it.
    pub(super) id: String,
    /// The type, an address.
    pub(super) kind: String,
    /// The member that it leads to.
    pub(super) target: String,
}

/// An element or text of a member.
pub(super) enum Part<'a> {
    /// The start of an element, with its name and attributes without prefixes.
    Start(&'a str, Attributes<'a>),
    End(&'a str),
    Text(&'a str),
}

pub(super) struct Attributes<'a>(&'a BytesStart<'a>);

impl Attributes<'_> {
    pub(super) fn get(&self, name: &str) -> Option<String> {
        self.find(|key| key.rsplit(':').next() == Some(name))
    }

    /// The name of a relation. An element may also have an `id` of its own, without a prefix.
    pub(super) fn relation(&self) -> Option<String> {
        self.find(|key| key.ends_with(":id"))
    }

    fn find(&self, is_it: impl Fn(&str) -> bool) -> Option<String> {
        let mut all = self.0.attributes();
        let found = all.with_checks(false).filter_map(Result::ok).find(|found| is_it(found.key.as_ref()))?;
        Some(found.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
    }
}

impl<'a> Package<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Failure> {
        if is_encrypted(bytes) {
            return Err(Failure::Password);
        }
        Ok(Package { archive: ZipArchive::new(Cursor::new(bytes))?, last: String::new() })
    }

    /// The names of all members that are text.
    pub(super) fn names(&self) -> Vec<String> {
        self.archive.file_names().filter_map(Result::ok).map(Cow::into_owned).collect()
    }

    /// The member `name`; `None` if there is none.
    pub(super) fn member(&mut self, name: &str) -> Result<Option<impl Read>, Failure> {
        name.clone_into(&mut self.last);
        // Some programs write names with other letters, or with a slash at the start.
        let index = self.archive.index_for_name(name).or_else(|| {
            let is_it = |of: &str| of.trim_start_matches('/').replace('\\', "/").eq_ignore_ascii_case(name);
            self.archive.index_for_name(self.names().iter().find(|of| is_it(of))?)
        });
        let Some(index) = index else { return Ok(None) };
        // A wrong checksum is reported after the text.
        let options = ZipReadOptions::new().ignore_crc32(true);
        match self.archive.by_index_with_options(index, options) {
            Ok(member) => Ok(Some(member)),
            Err(ZipError::FileNotFound) => Ok(None),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => Err(Failure::Password),
            Err(_) => Err(Failure::Damaged),
        }
    }

    /// The members whose content does not have its checksum, among those that are text or say how it is read.
    pub(super) fn damaged_members(&mut self) -> Vec<String> {
        let mut names = self.names();
        names.retain(|name| TEXTS.iter().any(|end| name.ends_with(end)));
        names.retain(|name| {
            self.archive.by_name(name).is_ok_and(|mut of| io::copy(&mut of, &mut io::sink()).is_err())
        });
        names
    }

    /// The content of the member `name`; `None` if there is none.
    pub(super) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        let Some(mut member) = self.member(name)? else { return Ok(None) };
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// Calls `take` with the parts of the XML member `name`; false if there is none.
    pub(super) fn parse(&mut self, name: &str, mut take: impl FnMut(Part<'_>)) -> Result<bool, Failure> {
        self.try_parse(name, |part| {
            take(part);
            Ok(())
        })
    }

    /// As `parse`, until `each` fails.
    pub(super) fn try_parse(
        &mut self,
        name: &str,
        each: impl FnMut(Part<'_>) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        let Some(member) = self.member(name)? else { return Ok(false) };
        parse(member, each).map(|()| true)
    }

    /// Whether all elements of the XML member `name` are closed.
    pub(super) fn is_closed(&mut self, name: &str) -> Result<bool, Failure> {
        let mut depth = 0u64;
        self.parse(name, |part| match part {
            Part::Start(..) => depth += 1,
            Part::End(_) => depth = depth.saturating_sub(1),
            Part::Text(_) => {}
        })?;
        Ok(depth == 0)
    }

    /// The relations of the member `part`, or of the package, which has no name.
    pub(super) fn relations(&mut self, part: &str) -> Result<Vec<Relation>, Failure> {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let mut relations = Vec::new();
        self.parse(&beside(folder, &format!("_rels/{name}.rels")), |part| {
            if let Part::Start("Relationship", attributes) = part {
                let get = |name: &str| attributes.get(name).unwrap_or_default();
                let (id, target) = (get("Id"), beside(folder, &get("Target")));
                relations.push(Relation { id, kind: get("Type"), target });
            }
        })?;
        Ok(relations)
    }

    /// The member that the document is, `usual` if the package does not say it.
    pub(super) fn main_part(&mut self, usual: &str) -> Result<String, Failure> {
        let relations = self.relations("")?;
        let main = relations.into_iter().find(|relation| relation.kind.ends_with("/officeDocument"));
        Ok(main.map_or(usual.to_owned(), |relation| relation.target))
    }
}

/// The ends of the names of members that are read as text.
const TEXTS: [&str; 9] = [".xml", ".rels", ".bin", "html", ".htm", ".svg", ".opf", ".ncx", "mimetype"];

/// The member that `target` in the folder `folder` names.
pub(super) fn beside(folder: &str, target: &str) -> String {
    let mut path: Vec<&str> = if target.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    for part in target.split('/') {
        match part {
            ".." => drop(path.pop()),
            "." => {}
            _ => path.push(part),
        }
    }
    path.retain(|part| !part.is_empty());
    path.join("/")
}

/// Sends what `send` makes of the package `bytes`. Reports the member that was read last, if that is what is damaged.
pub(super) fn decode(
    bytes: &[u8],
    out: &mut Output<'_>,
    send: impl FnOnce(&mut Package<'_>, &mut Output<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut package = Package::open(bytes)?;
    let result = send(&mut package, out);
    if result == Err(Failure::Damaged) {
        out.cause(&package.last)?;
    }
    result
}

/// Reports a wrong checksum in the document `bytes`, of which the text was sent.
pub(super) fn check(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let names = Package::open(bytes).map_or_else(|_| Vec::new(), |mut package| package.damaged_members());
    if !names.is_empty() {
        let names = names.join(" and of ");
        out.notice(Notice::Damaged, &format!("the checksum of its part {names} is wrong"))?;
    }
    Ok(())
}

/// Whether the office file `bytes` is encrypted: then it is not an archive, but a compound file with the archive in it.
pub(super) fn is_encrypted(bytes: &[u8]) -> bool {
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.starts_with(b"\xD0\xCF\x11\xE0") && memchr::memmem::find(bytes, &name).is_some()
}

/// Calls `each` with the parts of the XML in `member`.
pub(super) fn parse(
    member: impl Read,
    mut each: impl FnMut(Part<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut member = BufReader::new(member);
    // The reader knows UTF-8 alone, and these files may also be in UTF-16.
    let mut wide = Vec::new();
    if matches!(member.fill_buf()?, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
        member.read_to_end(&mut wide)?;
    }
    let text = UTF_16LE.decode(&wide).0;
    let mut reader = Reader::from_reader(text.as_bytes().chain(member));
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer)? {
            Event::Start(tag) => each(Part::Start(tag.local_name().as_ref(), Attributes(&tag)))?,
            Event::Empty(tag) => {
                let name = tag.local_name();
                each(Part::Start(name.as_ref(), Attributes(&tag)))?;
                each(Part::End(name.as_ref()))?;
            }
            Event::End(tag) => each(Part::End(tag.local_name().as_ref()))?,
            Event::Text(text) => each(Part::Text(&text.xml10_content()))?,
            Event::CData(text) => each(Part::Text(&text.xml10_content()))?,
            Event::GeneralRef(entity) => {
                let character = entity.resolve_char_ref()?.filter(|c| *c != '\0');
                let named = || quick_xml::escape::resolve_xml_entity(&entity).map(str::to_owned);
                // Other entities need a document type, which these formats do not have.
                if let Some(text) = character.map(String::from).or_else(named) {
                    each(Part::Text(&text))?;
                }
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}
