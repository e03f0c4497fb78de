//! PDF (ISO 32000): pages by `hayro`, text by a device of our own.

mod device;
mod direction;
mod fonts;
mod glyph;
mod layout;
mod line;
mod replacement;
mod to_unicode;

use hayro_interpret::hayro_syntax::content::TypedIter;
use hayro_interpret::hayro_syntax::object::dict::keys::CONTENTS;
use hayro_interpret::hayro_syntax::object::{Array, Object, Stream};
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hayro_interpret::kurbo::{Affine, Rect};
use hayro_interpret::{Context, InterpreterCache, InterpreterSettings, interpret, interpret_page};

use crate::decode::recognition::{FirstBytes, Verdict};
use crate::protocol::{Failure, Notice, Output};
use device::TextDevice;
use fonts::Fonts;
use glyph::settle;

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
    let mut fonts = Fonts::default();
    let mut sent = Sent::default();
    let settings = fonts.repair.settings();
    send(&pdf, &settings, Some(&mut fonts), &mut sent, out)?;
    if fonts.repair.is_needed() {
        // The fonts of all pages are repaired at once.
        pdf.pages().iter().skip(sent.pages).for_each(|page| fonts.visit(page, pdf.data().as_ref()));
        let repaired = Pdf::new(fonts.repair.apply(pdf.data().as_ref())).ok();
        let repaired = repaired.filter(|repaired| repaired.pages().len() == pdf.pages().len());
        let settings = fonts.repair.settings();
        sent.lacks_map = fonts.lacks_map;
        send(&repaired.unwrap_or(pdf), &settings, None, &mut sent, out)?;
    }
    Ok(())
}

/// The progress of sending a document.
#[derive(Default)]
struct Sent {
    pages: usize,
    /// The document does not say which characters the glyphs of a font are.
    lacks_map: bool,
    is_noted: bool,
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
    for page in pdf.pages().iter().skip(sent.pages) {
        if let Some(fonts) = &mut fonts {
            fonts.visit(page, pdf.data().as_ref());
            if fonts.repair.is_needed() {
                return Ok(());
            }
            sent.lacks_map = fonts.lacks_map;
        }
        let mut device = draw(page, pdf, &cache, settings);
        let is_picture = device.is_picture();
        settle(&mut device.glyphs);
        let text = layout::text(device.glyphs);
        if sent.lacks_map && !sent.is_noted && text.contains(char::REPLACEMENT_CHARACTER) {
            out.notice(Notice::UnknownGlyphs, "")?;
            sent.is_noted = true;
        }
        out.text(&text)?;
        out.page_end(is_picture && text.is_empty())?;
        sent.pages += 1;
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

fn draw<'a>(
    page: &Page<'a>,
    pdf: &'a Pdf,
    cache: &InterpreterCache<'a>,
    settings: &InterpreterSettings,
) -> TextDevice {
    let (width, height) = page.render_dimensions();
    let area = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    // The boxes of some pages have nothing in common: such a page has no edges.
    let has_edges = page.intersected_crop_box().width() > 1.0 && page.intersected_crop_box().height() > 1.0;
    let everything = Rect::new(f64::MIN, f64::MIN, f64::MAX, f64::MAX);
    let mut device = TextDevice::new(if has_edges { area } else { everything });
    let transform = Affine::new(page.initial_transform(true).as_coeffs());
    // The page's own way to its content keeps the decoded content of all pages in memory, so it draws annotations only.
    let mut context = Context::new(transform, area, cache, pdf.xref(), settings.clone());
    interpret(TypedIter::new(&content(page)), page.resources(), &mut context, &mut device);
    interpret_page(page, &mut context, &mut device);
    device.glyphs.extend(replacement::drawn_by_viewers(page, transform));
    device
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
