//! An opened document: the source of its text.

use std::io::{self, Cursor};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::decoder_main::{Job, MEMORY};
use super::decoder_process::{Child, Pages};
use super::text::{Request, Text};
use crate::access::Access;
use crate::compressed::damage::Damage;
use crate::object::Traffic;
use crate::spool::Spool;
use crate::version::{Change, Version};
use crate::{Decoding, PageStart, Paged, Source, SourceInfo, file, lock, read_full};
use rread_documents::decode::Charset;
use rread_documents::format::DocumentFormat;
use rread_documents::protocol::Notice;
use rread_documents::sheets::{Sheet, Workbook};
use rread_text::encoding::{Evidence, judge, lines_beyond_utf8};
use rread_text::guess::Verdict;
use rread_text::sniff::sniff;
use rread_text::{Content, Error, Kind};

/// How long the text of a document may take to decode.
const TIME: Duration = Duration::from_secs(30);

/// The text of a document. Offsets and size are those of the text.
pub(crate) struct Document {
    request: Request,
    text: Spool,
    pages: Arc<Mutex<Pages>>,
    /// Whether the caller takes what there is of a damaged document, and whether its text ends at the damage.
    is_salvaged: bool,
    ends_at_damage: AtomicBool,
}

impl Document {
    /// The text of `input`, which is the file `path`.
    pub(crate) fn open(input: Box<dyn Source>, format: DocumentFormat, path: &Path, access: &Access) -> Self {
        let sheet = access.sheet.clone().filter(|_| format.is_workbook());
        let named = access.encoding.clone().unwrap_or_default();
        let time = access.timeout.unwrap_or(TIME);
        let request = Request { input: input.into(), format, sheet, named, path: path.to_owned(), time };
        let document = Document::decoded(request);
        Document { is_salvaged: access.salvage, ends_at_damage: access.salvage.into(), ..document }
    }

    fn decoded(request: Request) -> Self {
        let pages = Arc::<Mutex<Pages>>::default();
        let started = request.clone();
        let text = Text {
            start: Some(Box::new(move || start(&started))),
            child: None,
            left: request.time,
            request: request.clone(),
            block: Cursor::default(),
            pages: Arc::clone(&pages),
            cause: None,
        };
        let (text, ends_at_damage) = (Spool::new(Box::new(text)), AtomicBool::new(false));
        Document { request, text, pages, is_salvaged: false, ends_at_damage }
    }

    /// The damage after the text that `span` must report: a lost page is in it. Decodes to the end for that.
    fn damage_in(&self, span: &Range<u64>) -> io::Result<Option<Damage>> {
        let is_hit = |lost: Range<u64>| lost == *span || lost.start < span.end && lost.end > span.start;
        if !lock(&self.pages).lost_spans().any(is_hit) {
            return Ok(None);
        }
        read_full(&self.text, &mut [0], u64::MAX - 1)?;
        Ok(self.damage())
    }
}

/// Starts the decoder.
fn start(request: &Request) -> io::Result<Child> {
    let Request { input, format, sheet, named, time, .. } = request;
    let charset = if *format == DocumentFormat::Html { charset(&**input, named) } else { Charset::default() };
    let (file, start, length) = match (input.info().file, input.size()) {
        (Some((file, start)), Some(length)) => (file.try_clone()?, start, length),
        _ => {
            let mut file = tempfile::tempfile()?;
            let length = file::copy(&**input, &mut file, MEMORY)?.ok_or_else(|| too_large().into_io())?;
            (file, 0, length)
        }
    };
    let seconds = time.as_secs().saturating_add(1);
    let (format, sheet) = (*format, sheet.clone());
    Child::start(&Job { format, sheet, charset, seconds, memory: MEMORY, start, length }, file)
}

/// The bytes of a page by which its charset is guessed.
const GUESSED_BY: usize = 64 << 10;

/// So many bytes beyond ASCII may be a name or two.
const MAX_FEW: usize = 4;

/// The labels of the charset of the page `input`.
fn charset(input: &dyn Source, named: &str) -> Charset {
    let object = input.info().object;
    let stated = object.and_then(|object| Evidence::label_of(object.content_type.as_deref()?));
    let mut head = vec![0; GUESSED_BY];
    let got = read_full(input, &mut head, 0).unwrap_or(0);
    head.truncate(got);
    let beyond_ascii = head.iter().filter(|byte| !byte.is_ascii()).count();
    let guessed = match sniff(&head, head.len() < GUESSED_BY).content {
        Content::Wide(label) | Content::Escaped(label) => label,
        // A page must be read in some encoding, so the likeliest is enough.
        Content::Legacy | Content::Binary => match judge(&lines_beyond_utf8(&head)) {
            Verdict::Evident(label) => label,
            // A few letters say nothing: without a guess, it is the encoding that browsers take.
            Verdict::Doubtful(labels) if beyond_ascii > MAX_FEW => {
                labels.first().copied().unwrap_or_default()
            }
            Verdict::Doubtful(_) | Verdict::None => "",
        },
        Content::Utf8 => "",
    };
    Charset {
        named: named.to_owned(),
        stated: stated.map_or(String::new(), |encoding| encoding.name()),
        guessed: guessed.to_owned(),
    }
}

fn too_large() -> Error {
    let limit = MEMORY >> 20;
    Error::new(Kind::Io, format!("is larger than the {limit} MiB that a decoder of documents takes"))
}

impl Decoding for Document {
    fn format(&self) -> &'static str {
        self.request.format.name()
    }

    fn input(&self) -> &dyn Source {
        &*self.request.input
    }

    fn document(&self) -> Option<&dyn Paged> {
        Some(self)
    }

    fn damage(&self) -> Option<Damage> {
        let (format, input) = (self.request.format.name(), self.request.input.size().unwrap_or(0));
        let pages = lock(&self.pages);
        let (text, what) = (pages.text, pages.damage.clone()?);
        // A lost page may be anywhere.
        Some(Damage { format, input, text, unsound: 0, what })
    }

    fn is_salvaged(&self) -> bool {
        self.is_salvaged
    }

    fn end_at_damage(&self) {
        self.ends_at_damage.store(true, Ordering::Relaxed);
    }

    fn is_cut_short(&self) -> bool {
        self.ends_at_damage.load(Ordering::Relaxed) && self.damage().is_some()
    }

    fn check_span(&self, span: Range<u64>) -> bool {
        matches!(self.damage_in(&span), Ok(None))
    }
}

impl Paged for Document {
    fn mime(&self) -> &'static str {
        self.request.format.mime()
    }

    fn count(&self) -> Option<u64> {
        lock(&self.pages).count
    }

    fn span(&self, number: u64) -> io::Result<Option<Range<u64>>> {
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        loop {
            let pages = lock(&self.pages);
            let before = index.checked_sub(2).map_or(Some(0), |before| pages.ends.get(before).copied());
            let end = index.checked_sub(1).and_then(|page| pages.ends.get(page).copied());
            let text = pages.text;
            drop(pages);
            if let (Some(start), Some(end)) = (before, end) {
                let is_empty = start == end && !self.is_salvaged;
                return match self.damage_in(&(start..end))?.filter(|_| is_empty) {
                    Some(damage) => Err(damage.into()),
                    None => Ok(Some(start..end)),
                };
            }
            if self.text.size().is_some() {
                return Ok(None);
            }
            // The next text brings the page ends before it.
            read_full(&self.text, &mut [0], text)?;
        }
    }

    fn has_pages(&self) -> bool {
        self.request.format.has_pages() && self.request.sheet.is_none()
    }

    fn page_of(&self, offset: u64) -> Option<PageStart> {
        let pages = lock(&self.pages);
        let before = pages.ends.partition_point(|end| *end <= offset);
        let start = before.checked_sub(1).map_or(0, |last| pages.ends[last]);
        self.has_pages().then_some(PageStart { number: before as u64 + 1, start })
    }

    fn has_sheets(&self) -> bool {
        self.request.format.is_workbook() && self.request.sheet.is_none()
    }

    fn pictures(&self) -> u64 {
        lock(&self.pages).pictures
    }

    fn notices(&self) -> Vec<(Notice, String)> {
        lock(&self.pages).notices.clone()
    }

    fn workbook(&self) -> Option<Workbook> {
        self.request.sheet.as_ref().map(|_| lock(&self.pages).workbook.clone())
    }

    fn sheet(&self, index: usize) -> Box<dyn Source> {
        let sheet = Some(Sheet::Nth(index));
        Box::new(Document::decoded(Request { sheet, ..self.request.clone() }))
    }
}

impl Source for Document {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let got = self.text.read_at(buffer, offset)?;
        let is_end = got == 0 && !buffer.is_empty() && !self.ends_at_damage.load(Ordering::Relaxed);
        self.damage().filter(|_| is_end).map_or(Ok(got), |damage| Err(damage.into()))
    }

    fn size(&self) -> Option<u64> {
        let is_known = self.ends_at_damage.load(Ordering::Relaxed) || self.damage().is_none();
        self.text.size().filter(|_| is_known)
    }

    fn info(&self) -> SourceInfo<'_> {
        let input = self.request.input.info();
        let decoding: Option<&dyn Decoding> = Some(self);
        // The text is kept: to read it again makes no request.
        let traffic = input.traffic.map(|traffic| Traffic { held: u64::MAX, ..traffic });
        SourceInfo { file: None, is_sequential: true, traffic, decoding, ..input }
    }

    fn version(&self) -> io::Result<Option<Version>> {
        self.request.input.version()
    }

    fn changed(&self) -> io::Result<Option<Change>> {
        self.request.input.changed()
    }
}
