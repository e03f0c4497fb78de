//! Pages: where the n-th begins and ends, from a window of one page, at the same cost for any n.

use crate::error::{Error, Kind, Result, counted};
use crate::range::Place;
use crate::reader::Reader;
use crate::reader::edges::Align;
use crate::utf8::MAX_CHAR;

/// Bytes of a page, unless another size is asked for.
pub(crate) const PAGE_SIZE: u64 = 4000;

/// The least size of a page in bytes: any character has room.
pub(crate) const LEAST: u64 = MAX_CHAR as u64;

/// One page of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its number, from 1.
    pub number: u64,
    /// The first byte.
    pub start: u64,
    /// Past the last byte.
    pub end: u64,
    /// Whether it starts inside a line.
    pub continued: bool,
    /// Whether it ends inside a line that goes on in the next page.
    pub cuts_line: bool,
    /// Whether there is none after it.
    pub is_last: bool,
}

/// A file in pages of `size` bytes, nominally: edges move back to line starts.
#[derive(Clone, Copy)]
pub struct Pager<'a> {
    reader: &'a Reader,
    size: u64,
}

impl<'a> Pager<'a> {
    /// Pages of `size` bytes, at least [`LEAST`].
    pub fn new(reader: &'a Reader, size: u64) -> Self {
        Pager { reader, size: size.max(LEAST) }
    }

    /// The nominal size of a page in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How many pages there are, once the size of the file is known; an empty file has one.
    pub fn pages(&self) -> Option<u64> {
        self.reader.known_size().map(|size| size.div_ceil(self.size).max(1))
    }

    /// The page at `place`, from 1, or counted from the last.
    ///
    /// # Errors
    /// `invalid_range` for page 0, `out_of_range` for one that is not there; those of reading. A stream is read as far
    /// as tells where the page ends; to its end for a place counted from there.
    pub fn page(&self, place: Place) -> Result<Page> {
        let missing = |pages: u64| {
            let sign = if matches!(place, Place::Back(_)) { "the start" } else { "the end" };
            Error::new(
                Kind::OutOfRange,
                format!("page {place} is beyond {sign} of the file ({})", counted(pages, "page")),
            )
        };
        let number = match place {
            Place::Front(0) | Place::Back(0) => {
                return Err(Error::invalid_range(format!(
                    "page {place} does not exist: pages are numbered from 1, and -1 is the last"
                )));
            }
            Place::Front(number) => number,
            Place::Back(back) => {
                let pages = self.reader.size()?.div_ceil(self.size).max(1);
                pages.checked_sub(back - 1).filter(|number| *number > 0).ok_or_else(|| missing(pages))?
            }
        };
        let (start, end) = (self.edge(number - 1)?, self.edge(number)?);
        match (self.pages(), self.reader.known_size()) {
            (_, Some(size)) if self.is_open_ended() && start < size => self.between(number, start, end),
            (Some(pages), _) if number > pages => Err(missing(pages)),
            _ => self.between(number, start, end),
        }
    }

    /// The page after `page`; none after the last.
    pub fn after(&self, page: Page) -> Result<Option<Page>> {
        if page.is_last {
            return Ok(None);
        }
        let number = page.number + 1;
        self.between(number, page.end, self.edge(number)?).map(Some)
    }

    fn between(&self, number: u64, start: u64, end: u64) -> Result<Page> {
        let is_last = Some(end) == self.reader.known_size();
        let continued = self.reader.is_unterminated(start)?;
        let cuts_line = !is_last && self.reader.is_unterminated(end)?;
        if continued && self.reader.encoding().has_state() {
            let name = self.reader.encoding().name();
            return Err(Error::usage(format!(
                "page {number} begins inside a line of {name}, which can be read from its start only"
            ))
            .hint("a larger --page-size, or rread lines"));
        }
        Ok(Page { number, start, end, continued, cuts_line, is_last })
    }

    /// Whether damage hides the rest of the text.
    fn is_open_ended(&self) -> bool {
        self.reader.is_cut_short() && !self.reader.is_salvaged()
    }

    /// Where page `p` ends and the next begins: the last line start of the `size` bytes up to `p` times `size`; where
    /// no line starts there, that offset, moved back to the first byte of the character that it would cut. One function
    /// for both ends of a page, so that all pages joined are the file.
    pub fn edge(&self, p: u64) -> Result<u64> {
        let nominal = p.saturating_mul(self.size);
        let beyond = nominal.saturating_add(1);
        if p == 0 || self.reader.reach(beyond)? < beyond {
            let size = self.reader.known_size().unwrap_or(nominal);
            if p > 0 && nominal == size && self.is_open_ended() {
                // The text goes on after it: the edge is where it was before the damage was met.
                return Ok(self.reader.last_line_start(nominal - self.size, nominal)?.unwrap_or(nominal));
            }
            return Ok(nominal.min(size));
        }
        match self.reader.last_line_start(nominal - self.size, nominal)? {
            Some(start) => Ok(start),
            // Where bytes mean nothing without what stands before them in the line, no cut is better than another.
            None if self.reader.encoding().has_state() => Ok(nominal),
            None => Ok(self.reader.align(nominal, beyond, Align::Expand)?.0),
        }
    }
}
