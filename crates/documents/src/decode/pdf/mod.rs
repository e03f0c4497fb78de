//! PDF (ISO 32000): pages by `hayro`, text by a device of our own.

mod device;
mod direction;
mod embedded;
mod fields;
mod fonts;
mod glyph;
mod layout;
mod line;
mod pages;
mod replacement;
mod to_unicode;

use std::mem;
use std::sync::Arc;

use hayro_interpret::hayro_syntax::content::TypedIter;
use hayro_interpret::hayro_syntax::object::dict::keys::CONTENTS;
use hayro_interpret::hayro_syntax::object::{Array, Object, Stream};
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hayro_interpret::kurbo::{Affine, Rect};
use hayro_interpret::{Context, InterpreterCache, InterpreterSettings, interpret, interpret_page};
use memchr::memmem;

use crate::decode::recognition::{FirstBytes, Verdict};
use crate::protocol::{Failure, Notice, Output};
use device::TextDevice;
use embedded::EmbeddedFonts;
use fonts::Fonts;
use glyph::settle;
use pages::Order;

const MAGIC: &[u8] = b"%PDF-";

/// The magic number and the version.
const HEADER: usize = 7;

/// The most bytes before the header of a file that is not named as a PDF, as in other readers.
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
    let most = if head.is_named { usize::MAX } else { JUNK };
    let mut headers = memmem::find_iter(bytes, MAGIC).take_while(|at| *at <= most);
    if headers.any(|at| is_header(&bytes[at..]) && (head.is_named || starts_line(at))) {
        return Verdict::Is;
    }
    if bytes.len() < most.saturating_add(HEADER) { Verdict::Open } else { Verdict::Not }
}

/// Whether a file that is named as a PDF ends like one, with the bytes `tail`: its header may be missing, or come late.
pub(super) fn is_end(tail: &[u8]) -> bool {
    pages::last_table(tail).is_some_and(|(_, rest)| rest.starts_with(pages::END))
}

fn is_header(bytes: &[u8]) -> bool {
    matches!(bytes.strip_prefix(MAGIC), Some([b'1' | b'2', b'.', ..]))
}

/// Sends the text of the document, page by page.
pub(super) fn decode(mut bytes: Vec<u8>, out: &mut Output<'_>) -> Result<(), Failure> {
    // Offsets in the file count from its header, which may come after something else.
    let header = memmem::find_iter(&bytes, MAGIC).find(|at| is_header(&bytes[*at..])).unwrap_or(0);
    bytes.drain(..header);
    let is_cut = pages::is_cut(&bytes, header);
    let pdf = match open(bytes, is_cut) {
        Err(LoadPdfError::Invalid) if is_cut => return Ok(out.notice(Notice::Damaged, pages::NO_PAGES)?),
        opened => opened.map_err(failure)?,
    };
    let mut sent = Sent { order: Order::of(&pdf, is_cut), is_cut, ..Sent::default() };
    out.pages(sent.order.0.len())?;
    let mut fonts = Fonts::default();
    let settings = fonts.repair.settings();
    send(&pdf, &settings, Some(&mut fonts), &mut sent, out)?;
    if fonts.repair.is_needed() {
        // The fonts of all pages are repaired at once.
        pdf.pages().iter().for_each(|page| fonts.visit(page, pdf.data().as_ref()));
        let repaired = Pdf::new(fonts.repair.apply(pdf.data().as_ref())).ok();
        let repaired = repaired.filter(|repaired| repaired.pages().len() == pdf.pages().len());
        let settings = fonts.repair.settings();
        sent.lacks_map = fonts.lacks_map;
        send(&repaired.unwrap_or(pdf), &settings, None, &mut sent, out)?;
    }
    if is_cut {
        out.notice(Notice::Damaged, &sent.order.loss(&sent.lost))?;
    }
    Ok(())
}

/// Opens the document `bytes`. A file that is cut off may have lost the way to its pages, and the password of another may
/// be that of its attachments.
fn open(bytes: Vec<u8>, is_cut: bool) -> Result<Pdf, LoadPdfError> {
    let bytes = Arc::new(bytes);
    let opened = match Pdf::new(Arc::clone(&bytes)) {
        // With a broken table, the reader does not say that it has no key.
        Err(LoadPdfError::Invalid) => with_table(&bytes).map_or(Err(LoadPdfError::Invalid), Pdf::new),
        opened => opened,
    };
    match opened {
        Err(LoadPdfError::Invalid) if is_cut => Pdf::new([&bytes[..], pages::CATALOG].concat()),
        Err(error @ LoadPdfError::Decryption(_)) => plain(&bytes).map_or(Err(error), Pdf::new),
        opened => opened,
    }
}

/// The key of the encryption.
const ENCRYPT: &[u8] = b"/Encrypt";

/// `bytes` with another name in place of the key `key`, which no reader looks for.
fn without(bytes: &[u8], key: &[u8]) -> Vec<u8> {
    let mut others = bytes.to_vec();
    memmem::find_iter(bytes, key).for_each(|at| others[at + 1] = b'_');
    others
}

/// The file without its key of an encryption that leaves streams and strings as they are (ISO 32000-2, 7.6.6).
fn plain(bytes: &[u8]) -> Option<Vec<u8>> {
    let is_plain = |key: &[u8]| {
        let mut filters = memmem::find_iter(bytes, key).map(|at| bytes[at + key.len()..].trim_ascii_start());
        filters.all(|filter| filter.starts_with(b"/Identity"))
    };
    let has_filters = memmem::find(bytes, b"/CF").is_some();
    (has_filters && is_plain(b"/StmF") && is_plain(b"/StrF")).then(|| without(bytes, ENCRYPT))
}

/// The file with a new table of objects, which has only the encryption: the reader does not find it there, and so looks for
/// all objects.
fn with_table(bytes: &[u8]) -> Option<Vec<u8>> {
    let at = memmem::rfind(bytes, ENCRYPT)?;
    let object =
        bytes[at + ENCRYPT.len()..].trim_ascii_start().split(|byte| !byte.is_ascii_digit()).next()?;
    let object = String::from_utf8_lossy(object);
    let table = format!("\nxref\n{object:0>1} 1\n{at:010} 00000 n \ntrailer\n");
    let before = memmem::rfind(&bytes[..at], b"obj").max(memmem::rfind(&bytes[..at], b"trailer"))?;
    let trailer = &bytes[before + memmem::find(&bytes[before..], b"<<")?..];
    // Other tables may be broken, too.
    let trailer = without(&without(trailer, b"/Prev"), b"/XRefStm");
    let end = format!("\nstartxref\n{}\n%%EOF", bytes.len());
    Some([bytes, table.as_bytes(), &trailer, end.as_bytes()].concat())
}

/// The progress of sending a document.
#[derive(Default)]
struct Sent {
    order: Order,
    pages: usize,
    is_cut: bool,
    /// The numbers of pages that a file that is cut off has not, or not as a whole.
    lost: Vec<usize>,
    /// The document does not say which characters the glyphs of a font are.
    lacks_map: bool,
    is_noted: bool,
    fonts: EmbeddedFonts,
}

/// Sends the pages that were not sent. With a list of fonts, it stops before a page whose fonts need a repair.
fn send(
    pdf: &Pdf,
    settings: &InterpreterSettings,
    mut fonts: Option<&mut Fonts>,
    sent: &mut Sent,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    // Fonts, which pages share.
    let cache = InterpreterCache::new();
    while let Some(place) = sent.order.0.get(sent.pages) {
        let page = place.and_then(|place| pdf.pages().get(place));
        if let (Some(page), Some(fonts)) = (page, &mut fonts) {
            fonts.visit(page, pdf.data().as_ref());
            if fonts.repair.is_needed() {
                return Ok(());
            }
            sent.lacks_map = fonts.lacks_map;
        }
        sent.pages += 1;
        let drawn = page.map(|page| draw(page, pdf, &cache, settings, &mut sent.fonts));
        let (text, is_picture) = drawn.unwrap_or_default();
        if sent.lacks_map && !sent.is_noted && text.contains(char::REPLACEMENT_CHARACTER) {
            out.notice(Notice::UnknownGlyphs, "")?;
            sent.is_noted = true;
        }
        out.text(&text)?;
        if sent.is_cut && !page.is_some_and(pages::is_whole) {
            sent.lost.push(sent.pages);
            out.notice(Notice::Lost, "")?;
        }
        out.page_end(is_picture && text.is_empty())?;
    }
    Ok(())
}

fn failure(error: LoadPdfError) -> Failure {
    match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => Failure::Password,
        LoadPdfError::Decryption(_) => Failure::Encryption,
        LoadPdfError::Invalid => Failure::Damaged,
    }
}

/// The text of a page, and whether it has a picture.
fn draw<'a>(
    page: &Page<'a>,
    pdf: &'a Pdf,
    cache: &InterpreterCache<'a>,
    settings: &InterpreterSettings,
    fonts: &mut EmbeddedFonts,
) -> (String, bool) {
    let (width, height) = page.render_dimensions();
    let area = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    // The boxes of some pages have nothing in common: such a page has no edges.
    let has_edges = page.intersected_crop_box().width() > 1.0 && page.intersected_crop_box().height() > 1.0;
    let everything = Rect::new(f64::MIN, f64::MIN, f64::MAX, f64::MAX);
    let mut device = TextDevice::new(if has_edges { area } else { everything }, mem::take(fonts));
    let transform = Affine::new(page.initial_transform(true).as_coeffs());
    // The page's own way to its content keeps the decoded content of all pages in memory, so it draws annotations only.
    let mut context = Context::new(transform, area, cache, pdf.xref(), settings.clone());
    interpret(TypedIter::new(&content(page)), page.resources(), &mut context, &mut device);
    let content = device.glyphs.len();
    interpret_page(page, &mut context, &mut device);
    let drawn = device.glyphs.split_off(content.min(device.glyphs.len()));
    let (mut of_fields, of_notes) = fields::split(drawn, page, transform);
    of_fields.extend(fields::drawn_by_viewers(page, transform, true));
    device.glyphs.extend(of_notes);
    fields::put(&of_fields, &mut device.glyphs);
    device.glyphs.extend(fields::drawn_by_viewers(page, transform, false));
    *fonts = mem::take(&mut device.fonts);
    settle(&mut device.glyphs);
    (layout::text(mem::take(&mut device.glyphs)), device.has_picture)
}

/// The content streams of a page, decoded and joined.
fn content(page: &Page<'_>) -> Vec<u8> {
    let decoded =
        |stream: Stream<'_>| stream.decoded_data().map(|data| data.into_owned()).unwrap_or_default();
    if let Some(stream) = page.raw().get::<Stream<'_>>(CONTENTS) {
        return decoded(stream);
    }
    let mut joined = Vec::new();
    let parts = page.raw().get::<Array<'_>>(CONTENTS);
    for stream in parts.iter().flat_map(|parts| parts.iter::<Object<'_>>()).filter_map(Object::into_stream) {
        joined.extend(decoded(stream));
        // A token does not go on in the next stream.
        joined.push(b'\n');
    }
    joined
}
