//! PDF (ISO 32000): pages by `hayro`, text by a device of our own.

mod cmap;
mod device;
mod direction;
mod glyph;
mod layout;
mod line;
mod order;
mod repeat;
mod replacement;

use std::io;

use hayro_interpret::hayro_syntax::content::TypedIter;
use hayro_interpret::hayro_syntax::object::dict::keys::CONTENTS;
use hayro_interpret::hayro_syntax::object::{Array, Object, Stream};
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hayro_interpret::kurbo::{Affine, Rect};
use hayro_interpret::{
    Context, InterpreterCache, InterpreterSettings, RenderContent, interpret, interpret_page,
};

use crate::protocol::{Failure, Output};
use crate::recognition::{FirstBytes, Verdict};
use device::TextDevice;

const MAGIC: &[u8] = b"%PDF-";

/// The magic number and the version.
const HEADER: usize = 7;

/// The most bytes before the header, as in other readers.
const JUNK: usize = 1024;

/// By the header. Text may mention it, so junk before it needs the name, or looks like what a printer gets.
pub(super) fn recognise(head: &FirstBytes<'_>) -> Verdict {
    let bytes = head.bytes;
    if bytes.len() >= HEADER && bytes.starts_with(MAGIC) {
        return if is_header(bytes) { Verdict::Is } else { Verdict::Not };
    }
    if bytes.iter().zip(MAGIC).all(|(byte, wanted)| byte == wanted) {
        return Verdict::Open;
    }
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let may_have_junk =
        head.is_named || head.is_sized && !head.is_other && bytes.iter().take(HEADER).any(is_control);
    if !may_have_junk {
        return Verdict::Not;
    }
    let starts_line = |at: usize| matches!(bytes[..at], [.., b'\n' | b'\r']);
    let mut headers = memchr::memmem::find_iter(bytes, MAGIC).take_while(|at| *at <= JUNK);
    if headers.any(|at| is_header(&bytes[at..]) && (head.is_named || starts_line(at))) {
        return Verdict::Is;
    }
    if bytes.len() < JUNK + HEADER { Verdict::Open } else { Verdict::Not }
}

fn is_header(bytes: &[u8]) -> bool {
    matches!(bytes.strip_prefix(MAGIC), Some([b'1' | b'2', b'.', ..]))
}

/// Sends the text of the document, page by page.
pub(super) fn decode(mut bytes: Vec<u8>, out: &mut Output<'_>) -> Result<(), Failure> {
    // Offsets in the file count from its header, which may come after something else.
    let header = memchr::memmem::find(&bytes, MAGIC).unwrap_or(0);
    bytes.drain(..header);
    let pdf = Pdf::new(bytes).map_err(failure)?;
    out.pages(pdf.pages().len())?;
    let Some(index) = send(&pdf, 0, true, out)? else { return Ok(()) };
    let repaired = cmap::repaired(&pdf).and_then(|bytes| Pdf::new(bytes).ok());
    let repaired = repaired.filter(|repaired| repaired.pages().len() == pdf.pages().len());
    send(&repaired.unwrap_or(pdf), index, false, out)?;
    Ok(())
}

/// Sends the pages from number `start` on, counted from 0. Returns the number of the first page with glyphs of unknown
/// meaning, which it does not send, if it `stops` there.
fn send(pdf: &Pdf, start: usize, stops: bool, out: &mut Output<'_>) -> io::Result<Option<usize>> {
    // Fonts, which pages share.
    let cache = InterpreterCache::new();
    for (index, page) in pdf.pages().iter().enumerate().skip(start) {
        let mut device = TextDevice::default();
        draw(page, pdf, &cache, &mut device);
        let is_picture = device.is_picture();
        let text = layout::text(device.glyphs);
        if stops && text.contains(char::REPLACEMENT_CHARACTER) {
            return Ok(Some(index));
        }
        out.text(&text)?;
        out.page_end(is_picture && text.is_empty())?;
    }
    Ok(None)
}

fn failure(error: LoadPdfError) -> Failure {
    match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => Failure::Password,
        LoadPdfError::Decryption(_) => Failure::Encryption,
        LoadPdfError::Invalid => Failure::Damaged,
    }
}

fn draw<'a>(page: &Page<'a>, pdf: &'a Pdf, cache: &InterpreterCache<'a>, device: &mut TextDevice) {
    let (width, height) = page.render_dimensions();
    let area = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    let transform = Affine::new(page.initial_transform(true).as_coeffs());
    // The page's own way to its content keeps the decoded content of all pages in memory.
    let settings =
        InterpreterSettings { render_content: RenderContent::ANNOTATIONS, ..InterpreterSettings::default() };
    let mut context = Context::new(transform, area, cache, pdf.xref(), settings);
    interpret(TypedIter::new(&content(page)), page.resources(), &mut context, device);
    interpret_page(page, &mut context, device);
}

/// The content streams of a page, decoded and joined.
fn content(page: &Page<'_>) -> Vec<u8> {
    let decoded =
        |stream: Stream<'_>| stream.decoded_data().map(|data| data.into_owned()).unwrap_or_default();
    if let Some(stream) = page.raw().get::<Stream<'_>>(CONTENTS) {
        return decoded(stream);
    }
    let mut joined = Vec::new();
    for object in page.raw().get::<Array<'_>>(CONTENTS).iter().flat_map(|array| array.iter::<Object<'_>>()) {
        if let Some(stream) = object.into_stream() {
            joined.extend(decoded(stream));
            // A token does not go on in the next stream.
            joined.push(b'\n');
        }
    }
    joined
}
