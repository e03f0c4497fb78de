//! `rread page`: a file in pages that begin and end at lines where possible.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::files::{self, FileRanges, given_twice_error};
use crate::args::{ContentArgs, HashArgs, HighlightArgs, OutputArgs};
use rread_answer::damage::{self, up_to_damage};
use rread_answer::plan::{Planner, check_part};
use rread_answer::receipt::{AskedPage, SliceResult};
use rread_answer::request::{Ask, Opened, Plan, Planned};
use rread_answer::{Budget, Request, answer, worded};
use rread_reader::paging::{Page, Pager};
use rread_reader::{Handle, MIN_PAGE_SIZE, PAGE_SIZE, Reader};
use rread_source::archive::Member;
use rread_text::range::parse_size;
use rread_text::{Call, Encoding, Error, Kind, Place, Range, Result, Unit, call};

/// Read a file page by page, at the same cost for any page of any file
///
/// A page holds the lines that begin in it, so that all pages joined are the file. A line longer than a page continues
/// in the next page, whose receipt has continued: true. After page 2 of 14, next is `page 3`; -1 is the last page. The
/// number of pages follows from the size of the file, so rread need not read them. The pages of a PDF are its own, in
/// builds with the feature documents and without --page-size.
#[derive(Args, Clone, Debug)]
#[command(override_usage = "rread page [OPTIONS] <FILE>... [N]")]
#[command(after_help = "Examples:
  rread page app.log                    the first page
  rread page app.log 2                  the second
  rread page app.log -1                 the last
  rread page app.log 3 --page-size 16K --json
  rread page *.log -1                   the last page of each file
  rread page paper.pdf 2:5              pages 2 to 5, each with its receipt
  rread page app.log --all              every page with its receipt")]
pub(crate) struct PageArgs {
    /// Files to read; - is standard input
    #[arg(value_name = "FILE", value_parser = crate::args::input::file())]
    file: PathBuf,
    /// Number of the page of every FILE, from 1, or the first and the last of several, such as 2:5; -1 is the last page,
    /// -2 the one before it; it comes last [default: 1]
    #[arg(value_name = "N")]
    page: Option<OsString>,
    /// Further files, and then N.
    #[arg(value_name = "FILE", hide = true)]
    more: Vec<OsString>,
    /// Bytes of a page; a line that does not fit begins the next page [default: 4000, or the page size of a capture]
    #[arg(long, value_name = "S", value_parser = page_size)]
    page_size: Option<u64>,
    /// Another way to write N, as other programs for documents have it
    #[arg(
        long = "page",
        id = "numbers",
        value_name = "N",
        allow_hyphen_values = true,
        conflicts_with = "all"
    )]
    numbers: Option<String>,
    /// Write every page, each with its receipt
    #[arg(long, conflicts_with = "page")]
    all: bool,
    #[command(flatten)]
    hash: HashArgs,
    #[command(flatten)]
    content: ContentArgs,
    #[command(flatten)]
    highlight: HighlightArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl PageArgs {
    pub(crate) fn run(self) -> Result<()> {
        let (mut content, output) = (self.content.options()?, self.output.options()?);
        let hash = self.hash.form(&mut content)?;
        let highlight = self.highlight.choice()?;
        let others = self.page.iter().chain(&self.more);
        let (files, page) = files::split("page", &self.file, others, false, numbers)?;
        let named = self
            .numbers
            .as_deref()
            .map(numbers)
            .transpose()
            .map_err(|error| error.about(&self.file).hint(call("page").file(&self.file).word(1)))?;
        if page.is_some() && (self.all || named.is_some()) {
            return Err(given_twice_error(if self.all { "--all" } else { "--page" }).about(&self.file));
        }
        let whole = Numbers { first: Place::Front(1), last: Some(Place::Back(1)) };
        let page = if self.all { Some(whole) } else { named.or(page) };
        let Numbers { first, last } = page.unwrap_or(Numbers { first: Place::Front(1), last: None });
        let named = |path| FileRanges { path, ranges: Vec::new() };
        let files = files::found(files.into_iter().map(named), &mut content.read);
        let several = last.is_some() || files.len() > 1;
        let requests = files.into_iter().map(|(file, _)| {
            let request = Request {
                several,
                hash,
                highlight,
                takes_archives: true,
                ..Request::new(file.path, &content, &output)
            };
            Paged { request, at: first, last, size: self.page_size }
        });
        answer(&requests.collect::<Vec<_>>())
    }
}

pub(super) struct Paged<'a> {
    request: Request<'a>,
    at: Place,
    /// The last of several pages.
    last: Option<Place>,
    size: Option<u64>,
}

impl Ask for Paged<'_> {
    fn request(&self) -> &Request<'_> {
        &self.request
    }

    fn plan<'o>(&'o self, opened: &'o Opened<'_>, left: Budget) -> Result<Plan<'o>> {
        let reader = &opened.reader;
        let planner = Planner::new(&self.request, opened, left, 0);
        // The answer of `capture` counts the pages of its size.
        let has_size = self.size.is_some() || Handle::from_path(&self.request.path).is_some();
        let own = Pager::of_document(reader).filter(|_| !has_size);
        let pager = own.map_or_else(|| self.size().map(|size| Pager::new(reader, size)), Ok)?;
        let mut pages = Pages { reader, pager, planner, line: None };
        let (planned, mut page) = up_to_damage(reader, || pages.page(self.at))?;
        let last = self.last_number(&pages.pager, page.number)?;
        let total_lines = pages.total_lines()?;
        let mut goes_on = page.number < last && !planned.is_cut();
        let (parts, left) = (vec![planned], pages.planner.left);
        let more = move || {
            if !goes_on {
                return Ok(None);
            }
            let Some((planned, following)) = up_to_damage(reader, || pages.after(page))? else {
                return Ok(None);
            };
            page = following;
            goes_on = page.number < last && !planned.is_cut();
            Ok(Some((planned, pages.planner.left)))
        };
        Ok(Plan { parts, total_lines, left, more: Box::new(more) })
    }

    fn error_parts(&self, error: &Error) -> Vec<SliceResult> {
        let nowhere =
            Page { number: 0, start: 0, end: 0, continued: false, cuts_line: false, is_last: false };
        let size = self.size.unwrap_or(PAGE_SIZE);
        vec![SliceResult {
            asked: Range::whole(Unit::Bytes),
            page: Some(AskedPage { page: nowhere, asked: self.at, pages: None, size }),
            aligned_to: Encoding::Utf8,
            outcome: Err(error.clone()),
        }]
    }

    fn of_member(&self, member: Member) -> Self {
        Paged { request: self.request.of_found_member(member), ..*self }
    }
}

impl<'a> Paged<'a> {
    /// One page of the file of `request`; without `size`, of the usual size.
    pub(super) fn of(request: Request<'a>, at: Place, size: Option<u64>) -> Result<Self> {
        let size = size.map(|size| page_size(&size.to_string())).transpose().map_err(Error::usage)?;
        Ok(Paged { request, at, last: None, size })
    }

    /// The number of the last page, if the one called `first` is the first.
    fn last_number(&self, pager: &Pager<'_>, first: u64) -> Result<u64> {
        let last = match self.last {
            None => return Ok(first),
            // The end shows when it comes.
            Some(Place::Back(1)) => return Ok(u64::MAX),
            Some(last) => pager.number(last)?,
        };
        if last < first {
            return Err(Error::invalid_range(format!("page {first} comes after page {last}")));
        }
        Ok(last)
    }

    /// The page size: that of the options, or the one that the capture's page count is based on.
    fn size(&self) -> Result<u64> {
        match self.size {
            Some(size) => Ok(size),
            None => Ok(self
                .request
                .content
                .read
                .source
                .captured_page_size(&self.request.path)?
                .unwrap_or(PAGE_SIZE)),
        }
    }
}

struct Pages<'a> {
    reader: &'a Reader,
    pager: Pager<'a>,
    planner: Planner<'a>,
    line: Option<u64>,
}

impl Pages<'_> {
    fn page(&mut self, place: Place) -> Result<(Planned, Page)> {
        let path = &self.planner.request.path;
        let hides_the_end = damage::hides_the_end(self.reader);
        if let (true, Place::Back(_), Some(damage)) = (hides_the_end, place, self.reader.damage()) {
            return Err(self.reader.damage_error(&damage).hint(self.again(place).on("salvage").again()));
        }
        let page = self.pager.page(place).map_err(|error| match (error.kind, self.reader.damage()) {
            (Kind::OutOfRange, Some(damage)) if hides_the_end => {
                damage::beyond(&damage, path, &format!("page {place}"))
                    .hint(self.again(Place::Back(1)).on("salvage").again())
            }
            (Kind::OutOfRange, _) => error.hint(self.again(Place::Back(1)).again()),
            _ => error,
        })?;
        self.line = self.line_at(page.start)?;
        Ok((self.plan(page, place)?, page))
    }

    fn after(&mut self, page: Page) -> Result<Option<(Planned, Page)>> {
        let Some(page) = self.pager.after(page)? else { return Ok(None) };
        Ok(Some((self.plan(page, Place::Front(page.number))?, page)))
    }

    fn plan(&mut self, page: Page, asked: Place) -> Result<Planned> {
        let pages = self.pager.pages().filter(|_| !damage::hides_the_end(self.reader));
        let asked_page = AskedPage { page, asked, pages, size: self.pager.size() };
        let mut planned = self.planner.plan_page(asked_page, self.line)?;
        let measured = planned.result.outcome.as_ref().ok().filter(|returned| returned.lines.is_some());
        let newlines = match measured {
            Some(returned) => Some(returned.stats.newlines),
            None if self.planner.needs_numbers() => {
                Some(self.planner.raw_stats(page.start, page.end)?.newlines)
            }
            None => None,
        };
        self.line = self.line.zip(newlines).map(|(line, newlines)| line + newlines);
        if self.planner.format.has_receipt() {
            check_part(self.reader, &mut planned);
        }
        Ok(planned)
    }

    /// The number of the line at `start`, if it is needed or cheap.
    fn line_at(&self, start: u64) -> Result<Option<u64>> {
        if start == 0 {
            return Ok(Some(1));
        }
        if !(self.planner.needs_numbers() || self.planner.format.has_receipt()) {
            return Ok(None);
        }
        let newlines = if self.planner.needs_numbers() || self.reader.is_cheap_to_count_before(start) {
            Some(self.reader.newlines_before(start)?)
        } else {
            self.reader.indexed_newlines_before(start)?
        };
        Ok(newlines.map(|newlines| newlines + 1))
    }

    fn again(&self, number: Place) -> Call {
        let path = &self.planner.request.path;
        // A capture has a page size of its own; any other size must be in the command.
        let source = &self.planner.request.content.read.source;
        let unusual = source.captured_page_size(path).is_ok_and(|size| size.is_some());
        let size = Some(self.pager.size()).filter(|size| *size != PAGE_SIZE || unusual);
        let page = call("page").file(path).word(number);
        size.into_iter().fold(page, |page, size| page.with("page-size", size))
    }

    fn total_lines(&self) -> Result<Option<u64>> {
        let is_cheap = self.planner.format.has_receipt() && self.reader.is_cheap_to_count();
        let is_cheap = is_cheap && !damage::hides_the_end(self.reader);
        match is_cheap.then(|| self.reader.count_lines()) {
            // Damage further on hides the number of lines.
            Some(Err(error)) if error.kind == Kind::Io && self.reader.damage().is_some() => Ok(None),
            lines => lines.transpose(),
        }
    }
}

/// The first page, and the last of several.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    first: Place,
    last: Option<Place>,
}

fn numbers(text: &str) -> Result<Numbers> {
    let Some((first, last)) = text.trim().split_once(':') else {
        return Ok(Numbers { first: number(text)?, last: None });
    };
    let first = if first.is_empty() { Place::Front(1) } else { number(first)? };
    let last = if last.is_empty() { Place::Back(1) } else { number(last)? };
    Ok(Numbers { first, last: Some(last) })
}

fn number(text: &str) -> Result<Place> {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit() || b == b'_') {
        return Err(Error::usage(format!("'{text}' is not a page number: 1 is the first page, -1 the last")));
    }
    let number = digits.replace('_', "").parse();
    let number = number.map_err(|_| Error::usage(format!("page {text} is more than 64 bits hold")))?;
    Ok(if text.starts_with('-') { Place::Back(number) } else { Place::Front(number) })
}

pub(super) fn page_size(text: &str) -> std::result::Result<u64, String> {
    match parse_size(text) {
        Ok(size) if size < MIN_PAGE_SIZE => Err(format!(
            "{size} is too small for a page: it must be at least {MIN_PAGE_SIZE} bytes, so that every character fits"
        )),
        Ok(size) => Ok(size),
        Err(error) => Err(worded(&error.message)),
    }
}
