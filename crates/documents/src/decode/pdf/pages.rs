//! The pages of a PDF in the order of its tree, and what a file that is cut off has lost of them.

use std::collections::{HashMap, HashSet};

use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::dict::keys::{CONTENTS, COUNT, KIDS, PAGES, RESOURCES, TYPE};
use hayro_interpret::hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object};
use hayro_interpret::hayro_syntax::page::Page;

/// The most nodes of a tree that are looked at, and the most levels: a node may be named again and again.
const MAX_NODES: usize = 1 << 20;
const MAX_LEVELS: usize = 256;

/// What a file has lost if nothing of its pages is there.
pub(super) const NO_PAGES: &str = "its end is missing, and with it all of its pages";

/// The pages of a document: places in the list of `hayro`, which has each page once; `None` for one that is lost.
#[derive(Default)]
pub(super) struct Order(pub(super) Vec<Option<usize>>);

fn address(dict: &Dict<'_>) -> usize {
    dict.data().as_ptr().addr()
}

fn is_of(dict: &Dict<'_>, kind: &[u8]) -> bool {
    dict.get::<Name<'_>>(TYPE).is_some_and(|name| name.as_ref() == kind)
}

impl Order {
    /// The order of the tree of `pdf`. Only a file that is cut off can have lost pages: in others, the tree is wrong.
    pub(super) fn of(pdf: &Pdf, is_cut: bool) -> Self {
        let mut pages = from_tree(pdf, is_cut).unwrap_or_default();
        if !is_cut {
            pages.retain(Option::is_some);
        }
        let found: HashSet<usize> = pages.iter().flatten().copied().collect();
        if found.len() < pdf.pages().len() {
            // `hayro` has looked for pages everywhere, and found notes too.
            let all = || pdf.pages().iter().enumerate();
            pages = all().filter(|(_, page)| is_of(page.raw(), b"Page")).map(|(at, _)| Some(at)).collect();
            if pages.is_empty() {
                pages = all().map(|(at, _)| Some(at)).collect();
            }
        }
        Order(pages)
    }

    /// What the file has lost together with its end, if that is all or a part of the pages with the numbers `lost`.
    pub(super) fn loss(&self, lost: &[usize]) -> String {
        let name = |run: &[usize]| match run {
            [first, .., last] => format!("{first}-{last}"),
            _ => run.iter().map(usize::to_string).collect(),
        };
        let names: Vec<String> = lost.chunk_by(|a, b| a + 1 == *b).map(name).collect();
        match lost {
            [] => "its end is missing".to_owned(),
            _ => {
                let pages = if lost.len() == 1 { "page" } else { "pages" };
                let (names, all) = (names.join(", "), self.0.len());
                format!("its end is missing, and with it {pages} {names} of {all}, or a part")
            }
        }
    }
}

fn from_tree(pdf: &Pdf, is_cut: bool) -> Option<Vec<Option<usize>>> {
    let places: HashMap<usize, usize> =
        pdf.pages().iter().enumerate().map(|(at, page)| (address(page.raw()), at)).collect();
    let root = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id())?.get::<Dict<'_>>(PAGES)?;
    let mut open = vec![(address(&root), root.get::<Array<'_>>(KIDS)?.raw_iter())];
    let (mut pages, mut nodes) = (Vec::new(), 0);
    while let Some((_, kids)) = open.last_mut() {
        let Some(kid) = kids.next().filter(|_| nodes < MAX_NODES) else {
            open.pop();
            continue;
        };
        nodes += 1;
        let kid = match kid {
            MaybeRef::Ref(id) => pdf.xref().get::<Dict<'_>>(id.into()),
            MaybeRef::NotRef(object) => object.into_dict(),
        };
        match kid {
            Some(kid) if is_of(&kid, PAGES) => {
                let is_around = open.iter().any(|(node, _)| *node == address(&kid));
                if let Some(kids) =
                    kid.get::<Array<'_>>(KIDS).filter(|_| !is_around && open.len() < MAX_LEVELS)
                {
                    open.push((address(&kid), kids.raw_iter()));
                }
            }
            kid => pages.push(kid.and_then(|kid| places.get(&address(&kid)).copied())),
        }
    }
    // A part of the tree that is lost has any number of pages.
    let promised = root.get::<usize>(COUNT).filter(|_| is_cut).unwrap_or(0).min(MAX_NODES);
    pages.resize(pages.len().max(promised), None);
    Some(pages)
}

/// Whether the file has everything that `page` names: its content, its fonts, and what else it draws.
pub(super) fn is_whole(page: &Page<'_>) -> bool {
    let (dict, resources) = (page.raw(), page.resources());
    let content = match dict.get::<Object<'_>>(CONTENTS) {
        Some(Object::Array(parts)) => has_all(&parts),
        Some(content) => matches!(content, Object::Stream(_)),
        None => !dict.contains_key(CONTENTS),
    };
    let fonts = || resources.fonts.keys().map(|name| resources.fonts.get::<Dict<'_>>(name));
    let has_fonts = || fonts().all(|font| font.is_some_and(|font| font.keys().all(|key| has(&font, &key))));
    let has_rest = || resources.x_objects.keys().all(|name| has(&resources.x_objects, &name));
    content && (!dict.contains_key(RESOURCES) || has(dict, RESOURCES)) && has_fonts() && has_rest()
}

/// Whether the value of `key` is in the file.
fn has(dict: &Dict<'_>, key: &[u8]) -> bool {
    match dict.get::<Object<'_>>(key) {
        Some(Object::Array(parts)) => has_all(&parts),
        other => other.is_some(),
    }
}

fn has_all(parts: &Array<'_>) -> bool {
    parts.iter::<Object<'_>>().count() == parts.raw_iter().count()
}

/// The mark at the end, and the word before the offset of the table of objects.
pub(super) const END: &[u8] = b"%%EOF";
const TABLE: &[u8] = b"startxref";

/// Whether the end of the file is missing: objects come after its last mark, and no table after them. The table is at
/// offsets that count from `header`, or from the start of the file.
pub(super) fn is_cut(data: &[u8], header: usize) -> bool {
    let last = memchr::memmem::rfind(data, END).map_or(0, |at| at + END.len());
    let tail = &data[last..];
    let is_object = |at: usize| matches!(tail[..at], [.., b'0'..=b'9']);
    if !memchr::memmem::find_iter(tail, b" obj").any(is_object) {
        return false;
    }
    let Some((offset, rest)) = last_table(tail) else { return true };
    let is_table = |at: usize| {
        let there = data.get(at..).unwrap_or_default().trim_ascii_start();
        there.starts_with(b"xref") || there.first().is_some_and(u8::is_ascii_digit)
    };
    // A part of the mark is not the end of a whole file.
    rest.starts_with(b"%") || !is_table(offset) && !offset.checked_sub(header).is_some_and(is_table)
}

/// The offset of the table of objects that is named last in `data`, and what comes after it.
pub(super) fn last_table(data: &[u8]) -> Option<(usize, &[u8])> {
    let at = memchr::memmem::rfind(data, TABLE)?;
    let words = data[at + TABLE.len()..].trim_ascii_start();
    let digits = words.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let offset = str::from_utf8(&words[..digits]).ok()?.parse().ok()?;
    Some((offset, words[digits..].trim_ascii_start()))
}

/// The objects that a file needs to be read, for one that has lost them.
pub(super) const CATALOG: &[u8] =
    b"\nendobj\n8388606 0 obj\n<</Type/Catalog/Pages 8388607 0 R>>\nendobj\ntrailer\n<</Root 8388606 0 R>>\n";
