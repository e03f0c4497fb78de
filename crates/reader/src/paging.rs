//! Pages: finding the n-th costs one window of a page, for any n.

use std::ops::Range;

use crate::reader::Reader;
use crate::reader::encoding::Align;
use rread_source::Paged;
use rread_text::encoding::MAX_CHAR;
use rread_text::{Error, Kind, Place, Result, Sentence, call, counted, setting};

/// The default size of a page in bytes.
pub const PAGE_SIZE: u64 = 4000;

/// The least size of a page in bytes: any character fits.
pub const MIN_PAGE_SIZE: u64 = MAX_CHAR as u64;

/// A page of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// From 1.
    pub number: u64,
    /// The offset of its first byte.
    pub start: u64,
    /// The offset after its last byte.
    pub end: u64,
    /// Whether it starts inside a line.
    pub continued: bool,
    /// Whether it ends inside a line.
    pub cuts_line: bool,
    /// Whether it is the last page.
    pub is_last: bool,
}

/// The number of pages of `size` bytes in a file of `total` bytes; an empty file has one.
fn count_pages(size: u64, total: u64) -> u64 {
    total.div_ceil(size).max(1)
}

/// The nominal bytes of page `p`: its end is the last line start among them.
fn window(size: u64, p: u64) -> Range<u64> {
    let end = p.saturating_mul(size);
    end.saturating_sub(size)..end
}

/// The number of the page at `place`, from 1. Only a place counted from the end needs the number of `pages`.
fn number(place: Place, pages: impl FnOnce() -> Result<u64>) -> Result<u64> {
    match place {
        Place::Front(0) | Place::Back(0) => Err(Error::invalid_range(format!(
            "page {place} does not exist: pages are numbered from 1, and -1 is the last"
        ))),
        Place::Front(number) => Ok(number),
        Place::Back(back) => {
            let pages = pages()?;
            let number = pages.checked_sub(back - 1).filter(|number| *number > 0);
            number.ok_or_else(|| missing(place, pages))
        }
    }
}

fn missing(place: Place, pages: u64) -> Error {
    let sign = if matches!(place, Place::Back(_)) { "the start" } else { "the end" };
    Error::new(
        Kind::OutOfRange,
        format!("page {place} is beyond {sign} of the file ({})", counted(pages, "page")),
    )
}

/// A file in pages: those of a document, or pages of a size, whose edges move back to line starts.
#[derive(Clone, Copy)]
pub struct Pager<'a> {
    reader: &'a Reader,
    /// The nominal size of a page in bytes.
    size: u64,
    is_document: bool,
}

impl<'a> Pager<'a> {
    /// Pages of `size` bytes, at least [`MIN_PAGE_SIZE`].
    pub fn new(reader: &'a Reader, size: u64) -> Self {
        Pager { reader, size: size.max(MIN_PAGE_SIZE), is_document: false }
    }

    /// The document's own pages; `None` if the file is not a document.
    pub fn of_document(reader: &'a Reader) -> Option<Self> {
        let is_document = reader.document().is_some_and(Paged::has_pages);
        is_document.then_some(Pager { reader, size: PAGE_SIZE, is_document })
    }

    /// The nominal size of a page in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The number of pages; `None` while it is unknown.
    pub fn pages(&self) -> Option<u64> {
        if self.is_document {
            return self.reader.document().and_then(Paged::count);
        }
        self.reader.known_size().map(|total| count_pages(self.size, total))
    }

    /// The number of the page at `place`, from 1, which may be past the last page.
    pub fn number(&self, place: Place) -> Result<u64> {
        number(place, || {
            if self.pages().is_none() {
                self.reader.size()?;
            }
            Ok(self.pages().unwrap_or(0))
        })
    }

    /// The page at `place`. A stream is read only until the page ends; to its end for a place counted from there.
    pub fn page(&self, place: Place) -> Result<Page> {
        if self.is_document {
            return self.page_of_document(place);
        }
        let number = self.number(place)?;
        let (start, end) = (self.edge(number - 1)?, self.edge(number)?);
        match (self.pages(), self.reader.known_size()) {
            (_, Some(size)) if self.is_open_ended() && start < size => self.between(number, start, end),
            (Some(pages), _) if number > pages => Err(missing(place, pages)),
            _ => self.between(number, start, end),
        }
    }

    /// The page after `page`; `None` after the last one.
    pub fn after(&self, page: Page) -> Result<Option<Page>> {
        if page.is_last {
            return Ok(None);
        }
        let number = page.number + 1;
        if self.is_document {
            return self.page_of_document(Place::Front(number)).map(Some);
        }
        self.between(number, page.end, self.edge(number)?).map(Some)
    }

    fn page_of_document(&self, place: Place) -> Result<Page> {
        let number = self.number(place)?;
        let Some(Range { start, end }) = self.reader.page_of_document(number)? else {
            return Err(missing(place, self.pages().unwrap_or(0)));
        };
        let is_last = self.pages().is_some_and(|pages| number >= pages);
        Ok(Page { number, start, end, continued: false, cuts_line: false, is_last })
    }

    fn between(&self, number: u64, start: u64, end: u64) -> Result<Page> {
        let is_last = Some(end) == self.reader.known_size();
        let continued = self.reader.is_unterminated(start)?;
        let cuts_line = !is_last && self.reader.is_unterminated(end)?;
        if continued && self.reader.encoding().has_state() {
            let name = self.reader.encoding().name();
            return Err(Error::usage(format!(
                "page {number} begins inside a line of {name}, which can be read only from its start"
            ))
            .hint(Sentence::from("a larger ").then(setting("page-size")).then(", or ").then(call("lines"))));
        }
        Ok(Page { number, start, end, continued, cuts_line, is_last })
    }

    fn is_open_ended(&self) -> bool {
        self.reader.is_cut_short() && !self.reader.is_salvaged()
    }

    /// The end of page `p` and the beginning of the next: the last line start of its window, else its end, moved back to
    /// a character start. Both ends of a page come from here, so all pages joined are the file.
    pub fn edge(&self, p: u64) -> Result<u64> {
        let Range { start, end } = window(self.size, p);
        let beyond = end.saturating_add(1);
        if p == 0 || self.reader.reach(beyond)? < beyond {
            let size = self.reader.known_size().unwrap_or(end);
            if p > 0 && end == size && self.is_open_ended() {
                // The text goes on after the damage: the edge is where it was before the reader met it.
                return Ok(self.reader.last_line_start(start, end)?.unwrap_or(end));
            }
            return Ok(end.min(size));
        }
        match self.reader.last_line_start(start, end)? {
            Some(start) => Ok(start),
            // A stateful encoding gives bytes a meaning only from the line's start, so no cut is better than another.
            None if self.reader.encoding().has_state() => Ok(end),
            None => Ok(self.reader.align(end, beyond, Align::Expand)?.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers_are_found_without_a_file() {
        let number = |place, size, total| {
            number(place, || Ok(count_pages(size, total))).map_err(|error| error.to_string())
        };
        for (place, total, expected) in [
            (Place::Front(1), 0, Ok(1)),
            (Place::Front(99), 5, Ok(99)),
            (Place::Back(1), 0, Ok(1)),
            (Place::Back(1), 10, Ok(1)),
            (Place::Back(1), 11, Ok(2)),
            (Place::Back(2), 11, Ok(1)),
            (Place::Back(3), 11, Err("page -3 is beyond the start of the file (2 pages)")),
            (
                Place::Back(u64::MAX),
                0,
                Err("page -18446744073709551615 is beyond the start of the file (1 page)"),
            ),
            (Place::Front(0), 5, Err("page 0 does not exist: pages are numbered from 1, and -1 is the last")),
            (Place::Back(0), 5, Err("page -0 does not exist: pages are numbered from 1, and -1 is the last")),
        ] {
            assert_eq!(number(place, 10, total), expected.map_err(str::to_owned), "{place} of {total}");
        }
    }

    #[test]
    fn windows_join_and_do_not_overflow() {
        assert_eq!((window(10, 0), window(10, 1), window(10, 2)), (0..0, 0..10, 10..20));
        assert_eq!(window(10, u64::MAX), u64::MAX - 10..u64::MAX);
        assert_eq!((count_pages(10, 0), count_pages(10, 10), count_pages(10, 11)), (1, 1, 2));
    }
}
