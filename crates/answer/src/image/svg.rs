//! SVG: its size from the root element, in CSS pixels (SVG 2, sections 8.2 and 8.3; CSS Values 4, section 6.2).

use super::header::{Picture, PictureFormat};
use crate::content;
use rread_reader::reader::Reader;
use rread_text::error::{Error, Kind, Result};

/// The start tag of the root element must end within this many bytes.
const PROLOG: u64 = 256 << 10;

pub(super) fn read(reader: &Reader) -> Result<Option<Picture>> {
    let text = prolog(reader)?;
    let Some(rest) = root_tag(&text).and_then(after_svg_name) else { return Ok(None) };
    let Some(attributes) = attributes(rest) else {
        return Err(Error::new(Kind::Io, "is an SVG that ends inside the tag of its root element"));
    };
    let (width, height) = size(&attributes);
    Ok(Some(Picture { width, height, mode: None, ..Picture::new(PictureFormat::Svg, 0, 0, None) }))
}

fn prolog(reader: &Reader) -> Result<String> {
    // In every encoding, a document begins with a tag. If this text does not, stop here.
    let mut head = [0; 64];
    let got = reader.read(&mut head, 0)?;
    let begins = head[..got].iter().find(|byte| !b"\0 \t\r\n\xEF\xBB\xBF\xFE\xFF".contains(byte));
    if got == 0 || begins.is_some_and(|first| *first != b'<') {
        return Ok(String::new());
    }
    content::text(reader, 0, reader.reach(PROLOG)?)
}

/// The text after the `<` of the root element, which follows the prolog (XML 1.0, section 2.8).
fn root_tag(text: &str) -> Option<&str> {
    let mut rest = text.trim_start_matches('\u{FEFF}').trim_start();
    loop {
        let after = if rest.starts_with("<?") {
            after(rest, "?>")
        } else if let Some(comment) = rest.strip_prefix("<!--") {
            after(comment, "-->")
        } else if let Some(doctype) = rest.strip_prefix("<!") {
            after_doctype(doctype)
        } else {
            return rest.strip_prefix('<');
        };
        rest = after?.trim_start();
    }
}

fn after_svg_name(tag: &str) -> Option<&str> {
    let is_of_name = |c: char| c.is_alphanumeric() || "_:-.".contains(c);
    let (name, rest) = tag.split_at(tag.find(|c| !is_of_name(c)).unwrap_or(tag.len()));
    let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
    (local == "svg").then_some(rest)
}

fn after<'a>(text: &'a str, end: &str) -> Option<&'a str> {
    text.split_once(end).map(|(_, after)| after)
}

/// The text after a document type, whose brackets may hold entity declarations with quotes and comments.
fn after_doctype(mut rest: &str) -> Option<&str> {
    let mut inside = false;
    loop {
        let at = rest.find(|c: char| "\"'[]<>".contains(c))?;
        let (here, next) = (&rest[at..], &rest[at + 1..]);
        if let Some(comment) = here.strip_prefix("<!--") {
            rest = after(comment, "-->")?;
            continue;
        }
        if here.starts_with("<?") {
            rest = after(here, "?>")?;
            continue;
        }
        rest = match here.as_bytes()[0] {
            b'"' => after(next, "\"")?,
            b'\'' => after(next, "'")?,
            b'>' if !inside => return Some(next),
            bracket => {
                inside = bracket == b'[' || inside && bracket != b']';
                next
            }
        };
    }
}

/// The attributes up to the end of the tag; `None` if the tag does not end.
fn attributes(mut rest: &str) -> Option<Vec<(&str, &str)>> {
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.starts_with('>') || rest.starts_with("/>") {
            return Some(attributes);
        }
        let (name, value) = rest.split_once('=')?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| *c == '"' || *c == '\'')?;
        let (value, after) = value[1..].split_once(quote)?;
        attributes.push((name.trim_end(), value));
        rest = after;
    }
}

/// The size in pixels, as a browser shows the image on its own; the view box replaces missing and relative sizes.
fn size(attributes: &[(&str, &str)]) -> (Option<u64>, Option<u64>) {
    // Entities are not expanded, so that they cannot grow.
    let value = |name| attributes.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
    let view = value("viewBox").and_then(view_box);
    let (width, height) = (value("width"), value("height"));
    let (width, height) = (width.and_then(pixels), height.and_then(pixels));
    let (width, height) = match (width, height, view) {
        (Some(width), None, Some((across, down))) => (Some(width), Some(width * down / across)),
        (None, Some(height), Some((across, down))) => (Some(height * across / down), Some(height)),
        (None, None, Some((across, down))) => (Some(across), Some(down)),
        (width, height, _) => (width, height),
    };
    (width.and_then(round_length), height.and_then(round_length))
}

fn view_box(text: &str) -> Option<(f64, f64)> {
    let parts = text.split(|c: char| c.is_ascii_whitespace() || c == ',').filter(|part| !part.is_empty());
    let numbers: Option<Vec<f64>> = parts.map(|part| part.parse().ok()).collect();
    match numbers?[..] {
        [_, _, width, height] if is_size(width) && is_size(height) => Some((width, height)),
        _ => None,
    }
}

/// A length in pixels, 96 per inch; `None` for percentages and for units that depend on a font.
fn pixels(text: &str) -> Option<f64> {
    let text = text.trim();
    let (number, unit) = text.split_at(number_end(text));
    let scale = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "px" => 1.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 96.0 / 25.4,
        "q" => 96.0 / 101.6,
        "pt" => 96.0 / 72.0,
        "pc" => 16.0,
        _ => return None,
    };
    number.parse::<f64>().ok().map(|number| number * scale).filter(|length| is_size(*length))
}

/// The end of the number at the start of `text`. After `e` a digit makes an exponent; otherwise a unit begins.
fn number_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let next = bytes.get(at + 1);
        at += match byte {
            b'0'..=b'9' | b'.' | b'+' | b'-' => 1,
            b'e' | b'E' if at > 0 && next.is_some_and(u8::is_ascii_digit) => 1,
            b'e' | b'E' if at > 0 && matches!(next, Some(b'+' | b'-')) => 2,
            _ => break,
        };
    }
    at
}

fn is_size(length: f64) -> bool {
    length > 0.0 && length <= 1e12
}

fn round_length(length: f64) -> Option<u64> {
    // A cast is the only conversion from float to integer; the range was checked.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    is_size(length).then(|| (length.round() as u64).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_css() {
        for (text, expected) in [
            ("100", 100.0),
            (" 12.5px ", 12.5),
            ("1in", 96.0),
            ("2.54cm", 96.0),
            ("25.4mm", 96.0),
            ("101.6Q", 96.0),
            ("72PT", 96.0),
            ("6pc", 96.0),
            ("1e2", 100.0),
            ("1e+2px", 100.0),
            (".5e1", 5.0),
        ] {
            let found = pixels(text);
            let close = found.is_some_and(|found| (found - expected).abs() < 1e-9);
            assert!(close, "{text}: {found:?}");
        }
        for text in ["1em", "1ex", "100%", "-5", "0", "auto", "", "&width;", "inf", "NaN", "1e400"] {
            assert_eq!(pixels(text), None, "{text}");
        }
    }
}
