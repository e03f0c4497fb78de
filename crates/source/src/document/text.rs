//! The text of a document as a stream: the frames of its decoder, within limits of time and length.

use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::decoder_main::{MEMORY, PANICKED};
use super::decoder_process::{Child, Message, Pages};
use crate::compressed::recognition::for_programs;
use crate::{Source, lock};
use rread_documents::format::DocumentFormat;
use rread_documents::protocol::{Failure, Frame};
use rread_documents::sheets::Sheet;
use rread_text::{Error, Kind, Sentence, call, quoted_word, setting, shell};

/// A query that works with every table.
pub(super) const EXAMPLE_QUERY: &str = "SELECT * FROM t LIMIT 10";

/// The most bytes of text, and the most pages, of one document.
const MAX_TEXT: u64 = 1 << 30;
const MAX_PAGES: usize = 1_000_000;

/// The most sheets of a workbook that is read as tables.
const MAX_SHEETS: usize = 10_000;

/// The most names of sheets in an error.
const NAMED: usize = 20;

/// How often a wait looks whether anybody still wants the text.
const GLANCE: Duration = Duration::from_millis(100);

type StartDecoder = Box<dyn FnOnce() -> io::Result<Child> + Send>;

/// What to decode.
#[derive(Clone)]
pub(super) struct Request {
    pub(super) input: Arc<dyn Source>,
    pub(super) format: DocumentFormat,
    /// The only sheet of a workbook that is decoded.
    pub(super) sheet: Option<Sheet>,
    /// The charset of a page that the user names, or nothing.
    pub(super) named: String,
    pub(super) path: PathBuf,
    /// How long to wait for the decoder.
    pub(super) time: Duration,
}

pub(super) struct Text {
    /// Starts the decoder with the first read.
    pub(super) start: Option<StartDecoder>,
    pub(super) child: Option<Child>,
    pub(super) request: Request,
    /// How much is left of the time.
    pub(super) left: Duration,
    pub(super) block: Cursor<Vec<u8>>,
    pub(super) pages: Arc<Mutex<Pages>>,
    /// The part of the document that cannot be read.
    pub(super) cause: Option<String>,
}

impl Text {
    /// Waits for text; false at the end.
    fn advance(&mut self) -> io::Result<bool> {
        if let Some(start) = self.start.take() {
            self.child = Some(start()?);
        }
        while let Some(child) = &self.child {
            self.request.input.check()?;
            let began = Instant::now();
            let message = child.next(self.left.min(GLANCE));
            self.left = self.left.saturating_sub(began.elapsed());
            match message {
                Some(Message::Frame(Frame::Text(text))) => {
                    self.keep(text, None)?;
                    return Ok(true);
                }
                Some(Message::Frame(Frame::Pages(count))) => {
                    lock(&self.pages).count.get_or_insert(u64::from(count));
                }
                Some(Message::Frame(Frame::Sheet(sheet))) => {
                    let mut pages = lock(&self.pages);
                    pages.workbook.sheets.push(sheet);
                    let is_full = pages.workbook.sheets.len() > MAX_SHEETS;
                    drop(pages);
                    if is_full {
                        return Err(self.fails(&format!("has more than {MAX_SHEETS} sheets")));
                    }
                }
                Some(Message::Frame(Frame::Notice(notice, part))) => lock(&self.pages).note(notice, part),
                Some(Message::Frame(Frame::Cause(part))) => {
                    self.cause = Some(part).filter(|part| !part.is_empty())
                }
                Some(Message::Frame(Frame::Columns(chosen, lines_above, columns))) => {
                    let workbook = &mut lock(&self.pages).workbook;
                    (workbook.chosen, workbook.lines_above, workbook.columns) =
                        (chosen, lines_above, columns);
                }
                Some(Message::Frame(Frame::PageEnd { text, is_picture })) => {
                    let is_empty = text.is_empty();
                    self.keep(text, Some(is_picture))?;
                    if !is_empty {
                        return Ok(true);
                    }
                }
                Some(Message::Frame(Frame::End(Ok(())))) => {
                    self.child = None;
                    let mut pages = lock(&self.pages);
                    pages.count = self.request.format.has_pages().then_some(pages.ends.len() as u64);
                }
                Some(Message::Frame(Frame::End(Err(failure)))) => return Err(self.refusal_error(failure)),
                Some(Message::Ended(status)) => return Err(self.ending_error(status)),
                Some(Message::Failed(cause)) => {
                    return Err(self.fails(&format!("its decoder failed: {cause}")));
                }
                None if self.left.is_zero() => return Err(self.late()),
                None => {}
            }
        }
        Ok(false)
    }

    /// Takes `text` for the next block. It ends a page, if it says whether that is a picture.
    fn keep(&mut self, text: Vec<u8>, page: Option<bool>) -> io::Result<()> {
        let mut pages = lock(&self.pages);
        pages.text += text.len() as u64;
        if let Some(is_picture) = page {
            let end = pages.text;
            pages.ends.push(end);
            pages.pictures += u64::from(is_picture);
        }
        let (is_long, has_many) = (pages.text > MAX_TEXT, pages.ends.len() > MAX_PAGES);
        drop(pages);
        self.block = Cursor::new(text);
        if is_long {
            return Err(self.fails(&format!("has more than {} GiB of text", MAX_TEXT >> 30)));
        }
        if has_many {
            return Err(self.fails(&format!("has more than {MAX_PAGES} pages")));
        }
        Ok(())
    }

    fn refusal_error(&mut self, failure: Failure) -> io::Error {
        let title = self.request.format.title();
        // The name of a copy that another program makes is not that of rread's.
        let plain = |program: &str, name: &str| {
            self.command(program, &format!(" {name} && ")).then(call("lines").file(name))
        };
        match failure {
            Failure::Damaged => {
                let part =
                    self.cause.take().map(|part| format!(": its part {} cannot be read", quoted_word(&part)));
                self.fails(&format!("is damaged, or is not a {title}{}", part.unwrap_or_default()))
            }
            Failure::Password => self.error(
                Kind::Permission,
                format!("is an encrypted {title} that opens only with its password"),
                match self.request.format {
                    DocumentFormat::Pdf => plain("qpdf --decrypt --password=PASSWORD", "PLAIN.pdf"),
                    // The program requests the password.
                    DocumentFormat::Ods | DocumentFormat::Odt | DocumentFormat::Odp => {
                        self.command("soffice", "")
                    }
                    format => plain("msoffcrypto-tool -p PASSWORD", &format!("PLAIN.{}", format.name())),
                },
            ),
            Failure::Encryption => self.error(
                Kind::Io,
                format!("is a {title} with an encryption that rread does not know"),
                match self.request.format {
                    DocumentFormat::Pdf => plain("qpdf --decrypt", "PLAIN.pdf"),
                    _ => self.command("unzip -l", ""),
                },
            ),
            Failure::Unread => self.fails("shrank while its decoder read it"),
            Failure::Memory => {
                let limit = MEMORY >> 20;
                self.fails(&format!("needs more memory to decode than the limit of {limit} MiB"))
            }
            Failure::Time => self.late(),
            Failure::Panic => {
                self.fails(&format!("cannot be decoded: it leads the {title} decoder into an error"))
            }
            Failure::NoSheet => self.no_sheet(),
            Failure::Unconfined => self.fails("was not decoded: the limits of its decoder could not be set"),
        }
    }

    fn no_sheet(&mut self) -> io::Error {
        let sheets = std::mem::take(&mut lock(&self.pages).workbook.sheets);
        let wanted = match &self.request.sheet {
            Some(Sheet::Named(name)) => name.clone(),
            _ => String::new(),
        };
        let distance = |name: &str| strsim::osa_distance(&name.to_lowercase(), &wanted.to_lowercase());
        let with_values = sheets.iter().filter(|sheet| sheet.has_values);
        let Some(nearest) = with_values.min_by_key(|sheet| distance(&sheet.name)) else {
            return self.fails("is a workbook without values");
        };
        let names: Vec<String> = sheets.iter().take(NAMED).map(|sheet| quoted_word(&sheet.name)).collect();
        let more = match sheets.len() - names.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message =
            format!("has no sheet {}; its sheets are {}{more}", quoted_word(&wanted), names.join(", "));
        let hint = call("select").file(&self.request.path).word(EXAMPLE_QUERY).with("sheet", &nearest.name);
        self.error(Kind::NotFound, message, hint)
    }

    /// The decoder ended without a last word.
    fn ending_error(&mut self, status: ExitStatus) -> io::Error {
        let title = self.request.format.title();
        match failure_of(status) {
            Some(failure) => self.refusal_error(failure),
            None => self.fails(&format!("cannot be decoded: the {title} decoder ended with {status}")),
        }
    }

    fn late(&mut self) -> io::Error {
        let time = humantime::format_duration(self.request.time);
        let message = Sentence::from(format!("took longer to decode than the limit of {time} ("));
        let hint = call("lines").file(&self.request.path).word("1:20").with("timeout", "5m");
        self.error(Kind::Io, message.then(setting("timeout")).then(")"), hint)
    }

    fn fails(&mut self, message: &str) -> io::Error {
        let hint = match self.request.format {
            DocumentFormat::Pdf => self.command("pdftotext", " -").piped_to_lines("1:20"),
            DocumentFormat::Epub => self.command("unzip -l", ""),
            format if format.is_contained() || format == DocumentFormat::Rtf => {
                self.command("soffice --headless --convert-to pdf", "")
            }
            _ => call("lines").file(&self.request.path).word("1:20").on("no-decompress").again(),
        };
        self.error(Kind::Io, message, hint)
    }

    fn error(&mut self, kind: Kind, message: impl Into<Sentence>, hint: impl Into<Sentence>) -> io::Error {
        self.child = None;
        Error::new(kind, message).hint(hint).into_io()
    }

    /// The command line of another program with the document.
    fn command(&self, program: &str, rest: &str) -> Sentence {
        let run = |file: Sentence| shell(format!("{program} ")).then(file).then(shell(rest));
        for_programs(&*self.request.input, &self.request.path, run)
    }
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.block.position() == self.block.get_ref().len() as u64 && !self.advance()? {
            return Ok(0);
        }
        self.block.read(buffer)
    }
}

/// Why a decoder ended early.
#[cfg(unix)]
fn failure_of(status: ExitStatus) -> Option<Failure> {
    use crate::limits::REFUSED_MEMORY;
    use signal_hook::consts::{SIGABRT, SIGSEGV, SIGXCPU};
    use std::os::unix::process::ExitStatusExt;
    match (status.signal(), status.code()) {
        // Rust aborts where memory or stack run out.
        (Some(SIGABRT | SIGSEGV), _) | (_, Some(REFUSED_MEMORY)) => Some(Failure::Memory),
        (Some(SIGXCPU), _) => Some(Failure::Time),
        (_, Some(PANICKED)) => Some(Failure::Panic),
        _ => None,
    }
}

#[cfg(not(unix))]
fn failure_of(status: ExitStatus) -> Option<Failure> {
    /// The codes of Windows for a program that aborts and for one without stack (ntstatus.h).
    const STATUS_STACK_BUFFER_OVERRUN: i32 = 0xC000_0409_u32.cast_signed();
    const STATUS_STACK_OVERFLOW: i32 = 0xC000_00FD_u32.cast_signed();
    match status.code() {
        Some(STATUS_STACK_BUFFER_OVERRUN | STATUS_STACK_OVERFLOW) => Some(Failure::Memory),
        Some(PANICKED) => Some(Failure::Panic),
        _ => None,
    }
}
