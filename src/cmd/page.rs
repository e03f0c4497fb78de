//! `rread page`: a file in pages that begin and end with lines where they can.

use std::path::PathBuf;

use clap::Args;

use super::input::captured_page_size;
use super::plan::{Plan, Planned, Planner};
use super::question::{Question, about};
use super::response::Response;
use super::{ContentArgs, HashArgs, OutputArgs, refusal};
use crate::body::Shape;
use crate::error::{Kind, Result};
use crate::paging::{LEAST, PAGE_SIZE, Page, Pager};
use crate::range::{Place, parse_size};
use crate::reader::Reader;
use crate::report::PageFacts;
use crate::selection::Context;

/// Read a file page by page, at the same cost for any page of any file
///
/// A page holds the lines that begin in it, so that pages joined are the file; a line longer than a page goes on in
/// the next, which then says continued. Page 2 of 14 is followed by `page 3`; -1 is the last page. How many there are
/// is known without reading them.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread page app.log                    the first page
  rread page app.log 2                  the second
  rread page app.log -1                 the last
  rread page app.log 3 --page-size 16K --json
  rread page app.log --all              every page with its receipt")]
pub struct PageArgs {
    /// File to read; - is standard input
    #[arg(value_name = "FILE", value_parser = super::file())]
    file: PathBuf,
    /// Number of the page, from 1; -1 is the last, -2 the one before it [default: 1]
    #[arg(value_name = "N", value_parser = number)]
    page: Option<Place>,
    /// Bytes of a page, of which the last, unfinished line is left to the next page [default: 4000, or as a capture was
    /// taken]
    #[arg(long, value_name = "S", value_parser = page_size)]
    page_size: Option<u64>,
    /// Give every page, each with its receipt
    #[arg(long, conflicts_with = "page")]
    all: bool,
    #[command(flatten)]
    hash: HashArgs,
    #[command(flatten)]
    content: ContentArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl PageArgs {
    /// How the answer is written.
    #[must_use]
    pub fn output(&self) -> &OutputArgs {
        &self.output
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Whatever kept the answer from being complete.
    pub fn run(mut self) -> Result<()> {
        let hash = self.hash.form(&mut self.content)?;
        let question = Question {
            path: self.file.clone(),
            ranges: Vec::new(),
            several: self.all,
            context: Context::default(),
            header: 0,
            align: None,
            hash,
            content: &self.content,
            output: &self.output,
        };
        let answered = self.answer(&question);
        answered.map_err(|error| match error.kind {
            Kind::Write | Kind::BrokenPipe => error,
            _ => about(&self.file, error),
        })
    }

    /// Bytes of a page: as asked, or those that the answer of `rread capture` counted the pages by.
    fn size(&self) -> Result<u64> {
        let size = match self.page_size {
            Some(size) => Some(size),
            None => captured_page_size(&self.file)?,
        };
        Ok(size.unwrap_or(PAGE_SIZE))
    }

    fn answer(&self, question: &Question<'_>) -> Result<()> {
        let mut response = Response::new(&self.output, false)?;
        let (reader, shape) = question.open(&response)?;
        let asked = self.page.unwrap_or(Place::Front(1));
        let mut pages = Pages::open(question, &reader, &shape, self.size()?, &response)?;
        let (planned, page) = pages.page(asked)?;
        let plan = Plan { parts: vec![planned], total_lines: pages.total_lines()?, left: pages.planner.left };
        response.begin(question.envelope(&reader, response.format, &plan))?;
        let mut at = page;
        for planned in plan.parts {
            let mut is_cut = planned.is_cut();
            response.part(&reader, &shape, planned)?;
            while self.all
                && !is_cut
                && let Some(page) = pages.pager.after(at)?
            {
                let planned = pages.follow(page)?;
                is_cut = planned.is_cut();
                response.part(&reader, &shape, planned)?;
                at = page;
            }
        }
        reader.save_index(false);
        response.end(&reader)?;
        response.finish()
    }
}

/// Pages on their way from numbers to parts.
struct Pages<'a> {
    reader: &'a Reader,
    pager: Pager<'a>,
    planner: Planner<'a>,
    /// The number of the line that the next page begins in, as far as it is known.
    line: Option<u64>,
}

impl<'a> Pages<'a> {
    fn open(
        question: &'a Question<'a>,
        reader: &'a Reader,
        shape: &'a Shape,
        size: u64,
        response: &Response<'_>,
    ) -> Result<Self> {
        let (format, left) = (response.format, question.budget()?);
        let planner = Planner { question, reader, shape, format, left, header_end: 0 };
        Ok(Pages { reader, pager: Pager::new(reader, size), planner, line: None })
    }

    /// The page at `place`, planned.
    fn page(&mut self, place: Place) -> Result<(Planned, Page)> {
        let page = self.pager.page(place).map_err(|error| match error.kind {
            Kind::OutOfRange => error.hint(self.last_page()),
            _ => error,
        })?;
        self.line = self.line_at(page.start)?;
        Ok((self.plan(page, place)?, page))
    }

    /// The page that follows, planned; its lines are counted on from those of the one before.
    fn follow(&mut self, page: Page) -> Result<Planned> {
        self.plan(page, Place::Front(page.number))
    }

    fn plan(&mut self, page: Page, asked: Place) -> Result<Planned> {
        let facts = PageFacts { page, asked, pages: self.pager.pages(), size: self.pager.size() };
        let planned = self.planner.plan_page(facts, self.line)?;
        let measured = planned.part.outcome.as_ref().ok().filter(|delivered| delivered.lines.is_some());
        let newlines = match measured {
            Some(delivered) => Some(delivered.tally.newlines),
            None if self.planner.needs_numbers() => Some(self.planner.newlines(page.start, page.end)?),
            None => None,
        };
        self.line = self.line.zip(newlines).map(|(line, newlines)| line + newlines);
        Ok(planned)
    }

    /// The number of the line at `start`, where it is needed or costs next to nothing.
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

    /// What gives the last page.
    fn last_page(&self) -> String {
        let path = &self.planner.question.path;
        // The pages of a capture have a size of their own, which need not be that of this file's pages.
        let unusual = captured_page_size(path).is_ok_and(|size| size.is_some());
        let size = Some(self.pager.size()).filter(|size| *size != PAGE_SIZE || unusual);
        let size = size.map_or(String::new(), |size| format!(" --page-size {size}"));
        refusal::again("page", path, &format!("-1{size}"))
    }

    /// The number of lines, where that costs next to nothing.
    fn total_lines(&self) -> Result<Option<u64>> {
        let is_cheap = self.planner.format.has_receipt() && self.reader.is_cheap_to_count();
        is_cheap.then(|| self.reader.count_lines()).transpose()
    }
}

/// A page number: `3`, `-1`.
fn number(text: &str) -> std::result::Result<Place, String> {
    let text = text.trim();
    let wrong = || format!("'{text}' is no page number: 1 is the first page, -1 the last");
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit() || b == b'_') {
        return Err(wrong());
    }
    let number =
        digits.replace('_', "").parse().map_err(|_| format!("page {text} is more than 64 bits hold"))?;
    Ok(if text.starts_with('-') { Place::Back(number) } else { Place::Front(number) })
}

/// A size of pages.
pub(super) fn page_size(text: &str) -> std::result::Result<u64, String> {
    match parse_size(text) {
        Ok(size) if size < LEAST => Err(format!(
            "{size} is too small for a page: {LEAST} bytes, which any character fits into, are the least"
        )),
        Ok(size) => Ok(size),
        Err(error) => Err(error.message),
    }
}
