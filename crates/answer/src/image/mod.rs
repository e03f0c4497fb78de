//! Image metadata: format, size and mode from the header, at the same cost for any size of file.

mod header;
mod raster;
mod svg;
pub mod thumbnail;
mod tiff;

use self::header::{Fault, HeaderWindow};
pub use self::header::{Picture, PictureFormat};
use rread_reader::reader::Reader;
use rread_text::{Content, Error, Kind, Result, counted};

/// Reads the metadata of an image; `None` if the format is not supported. To find the end of the image,
/// rread reads at most 16 MiB, and only if it knows the size of the file without a full scan.
/// `page` is one of a TIFF, from 1.
pub fn examine(reader: &Reader, page: u64) -> Result<Option<Picture>> {
    let Some(format) = detect(reader)? else { return Ok(None) };
    let has_page = page == 1 || format == PictureFormat::Tiff;
    let no_page = || Err(Error::usage(format!("is a {}; only a TIFF has pages", format.name())));
    let mut window = HeaderWindow::new(reader);
    let picture = match format {
        PictureFormat::Png => raster::read_png(&mut window),
        PictureFormat::Jpeg => raster::read_jpeg(&mut window),
        PictureFormat::Gif => raster::read_gif(&mut window),
        PictureFormat::Bmp => raster::read_bmp(&mut window),
        PictureFormat::WebP => raster::read_webp(&mut window),
        PictureFormat::Tiff => tiff::read(&mut window, page),
        PictureFormat::Svg => {
            let picture = svg::read(reader)?;
            return if has_page || picture.is_none() { Ok(picture) } else { no_page() };
        }
    };
    if !has_page {
        return no_page();
    }
    let name = format.name();
    match picture {
        Ok(Picture { frames, page_link: None, .. }) if page > 1 => {
            let pages = counted(frames.unwrap_or(1), "page");
            Err(Error::new(
                Kind::OutOfRange,
                format!("page {page} is beyond the end of the picture ({pages})"),
            ))
        }
        Ok(Picture { width: Some(1..), height: Some(1..), .. }) => Ok(picture.ok()),
        Ok(picture) => {
            let size = picture.size();
            Err(Error::new(Kind::Io, format!("is a {name} of {size} pixels, which is empty")))
        }
        Err(fault) => Err(damage(name, fault, reader)),
    }
}

fn damage(name: &str, fault: Fault, reader: &Reader) -> Error {
    let words = match fault {
        Fault::Read(error) => return error,
        Fault::Invalid(words) => words,
        Fault::TooLong => "whose header has more than 16 MiB".to_owned(),
        Fault::Truncated => {
            let after = reader.known_size().map_or(String::new(), |size| counted(size, "byte"));
            format!("that ends inside its header, after {after}")
        }
    };
    Error::new(Kind::Io, format!("is a {name} {words}"))
}

fn detect(reader: &Reader) -> Result<Option<PictureFormat>> {
    let mut head = [0; 18];
    let known = reader.read_at_least(head.len(), &mut head, 0)?;
    // A text may begin with the magic letters of some formats.
    let is_text = !matches!(reader.sniffed.content, Content::Binary | Content::Legacy);
    Ok(Some(match &head {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => PictureFormat::Png,
        [0xFF, 0xD8, 0xFF, ..] => PictureFormat::Jpeg,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] if !is_text => PictureFormat::WebP,
        [b'I', b'I', b'*' | b'+', 0, ..] | [b'M', b'M', 0, b'*' | b'+', ..] => PictureFormat::Tiff,
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] if !is_text => PictureFormat::Gif,
        [b'B', b'M', .., size, 0, 0, 0] if !is_text && raster::BMP_HEADERS.contains(size) => {
            PictureFormat::Bmp
        }
        [b'B', b'M', ..] if !is_text && known < head.len() => PictureFormat::Bmp,
        _ if is_text || reader.sniffed.content == Content::Legacy => PictureFormat::Svg,
        _ => return Ok(None),
    }))
}
