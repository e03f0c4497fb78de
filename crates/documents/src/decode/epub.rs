//! Books (EPUB): the text of each chapter in reading order, with its title from the table of contents.

use std::collections::{BTreeSet, HashMap};

use percent_encoding::percent_decode_str;

use super::html;
use super::lines::words;
use super::zip_xml::{self, Package, Part};
use crate::protocol::{Failure, Notice, Output};

/// The kind of a drawing that is a chapter.
const SVG: &str = "image/svg+xml";
/// The kind of an older table of contents.
const NCX: &str = "application/x-dtbncx+xml";
/// Kinds of files that have no text and may be in the reading order.
const MEDIA: [&str; 3] = ["image/", "audio/", "video/"];

/// The members of a book, by their paths in the archive.
#[derive(Default)]
struct Book {
    chapters: Vec<String>,
    /// Names in the reading order that are those of no chapter.
    missing: BTreeSet<String>,
    contents: Option<String>,
}

/// A file of the book, as its list has it.
struct BookFile {
    member: String,
    /// The media type.
    kind: String,
    /// The name is that of a part of the file.
    is_section: bool,
}

pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let mut package = Package::open(bytes)?;
    // Publishers encrypt chapters, and some only fonts.
    let mut encrypted = Vec::new();
    package.parse("META-INF/encryption.xml", |part| {
        if let Part::Start("CipherReference", attributes) = part {
            let name = attributes.get("URI").unwrap_or_default();
            encrypted.push(percent_decode_str(&name).decode_utf8_lossy().into_owned());
        }
    })?;
    let mut book = read_book(&mut package)?;
    if book.chapters.iter().any(|chapter| encrypted.contains(chapter)) {
        return Err(Failure::Encryption);
    }
    // A book without its table of contents is readable.
    let titles = read_titles(&mut package, book.contents.as_deref()).unwrap_or_default();
    out.pages(book.chapters.len())?;
    for (index, chapter) in book.chapters.iter().enumerate() {
        let page = package.read(chapter)?.unwrap_or_else(|| {
            book.missing.insert(chapter.clone());
            Vec::new()
        });
        let text = html::text(&html::in_utf8(&page))?;
        let text = text.trim_start_matches('\n');
        if let Some(title) = titles.get(chapter).filter(|title| !starts_with(text, title)) {
            out.text(&format!("# {title}\n\n"))?;
        }
        out.text(text)?;
        if index + 1 < book.chapters.len() && !text.is_empty() {
            out.text("\n")?;
        }
        out.page_end(false)?;
    }
    for missing in book.missing {
        out.notice(Notice::LeftOut, &missing)?;
    }
    Ok(())
}

/// Whether the first lines of `text` have the `title`.
fn starts_with(text: &str, title: &str) -> bool {
    let start: String = text.lines().take(4).flat_map(str::split_whitespace).collect();
    start.contains(&title.split_whitespace().collect::<String>())
}

fn read_book(package: &mut Package<'_>) -> Result<Book, Failure> {
    let mut root = None;
    package.parse("META-INF/container.xml", |part| {
        if let (Part::Start("rootfile", attributes), None) = (part, &root) {
            root = attributes.get("full-path");
        }
    })?;
    let root = root.ok_or(Failure::Damaged)?;
    let (mut members, mut spine) = (HashMap::new(), Vec::new());
    let (mut older, mut newer) = (None, None);
    let is_there = package.parse(&root, |part| {
        let Part::Start(name, attributes) = part else { return };
        let get = |name: &str| attributes.get(name).unwrap_or_default();
        match name {
            "item" => {
                let (href, kind) = (get("href"), get("media-type"));
                let member = beside(&root, &href);
                let is_newer = get("properties").split(' ').any(|word| word == "nav");
                newer = is_newer.then(|| member.clone()).or(newer.take());
                older = (kind == NCX).then(|| member.clone()).or(older.take());
                members.insert(get("id"), BookFile { member, kind, is_section: href.contains('#') });
            }
            "itemref" => spine.push(get("idref")),
            _ => {}
        }
    })?;
    is_there.then_some(()).ok_or(Failure::Damaged)?;
    let (mut chapters, mut missing) = (Vec::new(), BTreeSet::new());
    for id in spine {
        match members.get(&id) {
            // Some spines name sections of a chapter, too. Its text is there once.
            Some(item) if item.is_section && chapters.contains(&item.member) => {}
            Some(item) if item.kind.is_empty() || item.kind.contains("html") || item.kind == SVG => {
                chapters.push(item.member.clone());
            }
            Some(item) if MEDIA.iter().any(|kind| item.kind.starts_with(kind)) => {}
            Some(item) => drop(missing.insert(item.member.clone())),
            None => drop(missing.insert(id)),
        }
    }
    Ok(Book { chapters, missing, contents: newer.or(older) })
}

/// The first title of each chapter in the table of contents, which is a list of links or an NCX file.
fn read_titles(
    package: &mut Package<'_>,
    contents: Option<&str>,
) -> Result<HashMap<String, String>, Failure> {
    let mut titles = HashMap::new();
    let Some(contents) = contents else { return Ok(titles) };
    let (mut target, mut title, mut is_title) = (None, String::new(), false);
    package.parse(contents, |part| match part {
        Part::Start(name @ ("a" | "navLabel"), attributes) => {
            (title, is_title) = (String::new(), true);
            if name == "a" {
                target = attributes.get("href");
            }
        }
        Part::Start("content", attributes) => target = attributes.get("src"),
        Part::Text(text) if is_title => title.push_str(text),
        Part::End("navLabel") => is_title = false,
        Part::End("a" | "content") => {
            is_title = false;
            if let Some(target) = target.take() {
                titles.entry(beside(contents, &target)).or_insert_with(|| words(&title));
            }
        }
        _ => {}
    })?;
    titles.retain(|_, title| !title.is_empty());
    Ok(titles)
}

/// The path of the member that `link` in the member `from` names.
fn beside(from: &str, link: &str) -> String {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let link = percent_decode_str(link.split('#').next().unwrap_or_default()).decode_utf8_lossy();
    zip_xml::beside(folder, link.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_paths_beside_their_member() {
        assert_eq!(beside("OEBPS/content.opf", "text/a%20b.xhtml#c"), "OEBPS/text/a b.xhtml");
        assert_eq!(beside("OEBPS/toc/nav.xhtml", "../../../a.xhtml"), "a.xhtml");
        assert_eq!(beside("nav.xhtml", "%é%4"), "%é%4");
    }
}
