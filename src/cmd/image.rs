//! `rread image`: format and size of a picture, and its bytes as a data URI.

use std::path::PathBuf;

use clap::Args;

use crate::args::content::default_max_bytes;
use crate::args::{OutputArgs, SourceArgs};
use rread_answer::content::{self, Encode};
use rread_answer::image::thumbnail::{Bounds, Thumbnail, check, thumbnail};
use rread_answer::image::{Picture, PictureFormat as ImageFormat, examine};
use rread_answer::options::check_receipt;
use rread_answer::receipt::{ImageInfo, ThumbnailInfo};
use rread_answer::{
    Body, ContentOptions, Format, Out, OutputOptions, ReadOptions, Response, Segment, Shape, Sink, file_info,
    hints, note_version, respond,
};
use rread_reader::Reader;
use rread_source::stdin::warn;
use rread_text::{Error, Kind, Result, Sentence, call, counted, setting, shell};

/// Report format, size and mode of a picture, and return its bytes as a data URI
///
/// rread reads PNG, JPEG, GIF, BMP, WebP, TIFF and SVG, recognised by content, not by file name. Format, size and mode
/// come from the header, at the same cost for any size of file; mode is the type of the pixels as Pillow names it. The
/// content is the exact bytes of the file as data:image/png;base64,... (or the type of the format); with --raw it is
/// the bytes themselves.
///
/// Width and height are those of the stored picture. With an Exif orientation of 5 to 8, exchange the two. The size
/// of an SVG is in pixels of CSS, and is left out if the SVG has none.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread image photo.jpg                       receipt and data URI
  rread image photo.jpg --no-data             the receipt without the data
  rread image photo.jpg --thumbnail 512 --json
  rread image scan.tif --max-bytes 100KiB
  rread image photo.jpg --thumbnail 256 --raw > small.jpg")]
pub(crate) struct ImageArgs {
    /// Picture to read; - is standard input
    #[arg(value_name = "FILE", value_parser = crate::args::input::file())]
    file: PathBuf,
    #[command(flatten)]
    content: WantedPicture,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What of the picture to return.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct WantedPicture {
    /// Return a smaller picture that fits into N by N pixels
    ///
    /// The thumbnail is a PNG if the picture has transparent or indexed pixels, otherwise a PNG or a JPEG,
    /// whichever is smaller. It is turned as the orientation says, and never made larger: a picture that fits is
    /// returned as it is, unless it is a BMP or a TIFF, which few programs show, lies on its side, or has the
    /// colours of a printer (CMYK). Of an animation, it is the first picture. rread decodes at most 100 million pixels.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) thumbnail: Option<u64>,
    /// Return at most N bytes: the exact bytes if they fit, otherwise roughly the largest thumbnail that fits
    /// [default: RREAD_MAX_BYTES]
    ///
    /// N counts the data URI, which takes four bytes for three of the picture; with --raw, N counts the bytes of
    /// the picture. The answer has exact: false if the content is not the bytes of the file.
    #[arg(long, value_name = "N", value_parser = crate::args::size)]
    pub(super) max_bytes: Option<u64>,
    /// Return page N of a TIFF, as a thumbnail of its own size if --thumbnail gives no other
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) page: u64,
    /// Print the receipt without the data
    #[arg(long, visible_alias = "metadata-only")]
    pub(super) no_data: bool,
}

enum Content {
    /// The file's own bytes; their number, if known.
    Exact(Option<u64>),
    Made(Thumbnail),
}

/// Bytes of the largest picture that is decoded before it is sent: clients take no larger ones.
const MAX_CHECKED: u64 = 32 << 20;

/// The picture to return.
#[derive(Clone, Debug)]
pub(crate) struct ImageRequest {
    pub(super) file: PathBuf,
    pub(super) wanted: WantedPicture,
    pub(super) default_max_bytes: Option<u64>,
    /// Whether pictures are refused that cannot be decoded, although they may be sound.
    pub(super) is_strict: bool,
    pub(super) options: ReadOptions,
    pub(super) output: OutputOptions,
}

impl ImageArgs {
    pub(crate) fn run(self) -> Result<()> {
        let (options, output) = (self.source.read_options(), self.output.options()?);
        let (ImageArgs { file, content: wanted, .. }, is_strict) = (self, false);
        let default_max_bytes = default_max_bytes()?;
        ImageRequest { file, wanted, default_max_bytes, is_strict, options, output }.run()
    }
}

impl ImageRequest {
    pub(crate) fn run(self) -> Result<()> {
        let shape = Shape { metadata_only: self.wanted.no_data, ..Shape::default() };
        respond(&self.output, shape, |response| self.fill(response)).map_err(|error| error.about(&self.file))
    }

    fn fill(&self, response: &mut Response) -> Result<()> {
        let format = response.format;
        self.check(format, &response.out)?;
        let reader = self.options.open(&self.file)?;
        let picture = self.picture(&reader)?;
        let content = self.content(&reader, &picture, format)?;
        let mut file = file_info(&self.file, &reader);
        note_version(&mut file, &reader);
        file.details.version = file.details.version.filter(Option::is_some);
        file.details.signs.is_incomplete = picture.complete == Some(false);
        response.begin(file, false)?;
        let mut body = PictureBody { reader: &reader, picture: &picture, content: &content, format };
        let sections = response.content(&mut body);
        response.part(Box::new(self.info(&picture, &content, format)), sections)?;
        response.end(&reader, &self.options)?;
        if let (false, Content::Made(made), None) = (format.has_receipt(), &content, self.wanted.thumbnail) {
            let (width, height) = (made.width, made.height);
            warn(&self.file, &format!("a thumbnail of {width}x{height} to keep within --max-bytes"));
        }
        Ok(())
    }

    fn check(&self, format: Format, out: &Out) -> Result<()> {
        if self.wanted.no_data {
            check_receipt("--no-data", format)?;
        }
        if format == Format::Raw && out.is_terminal {
            return Err(Error::usage("a terminal cannot show the bytes of a picture")
                .hint(Sentence::from(call("image").file(&self.file).on("raw")).then(shell(" > COPY"))));
        }
        Ok(())
    }

    fn picture(&self, reader: &Reader) -> Result<Picture> {
        let examine = || examine(reader, self.wanted.page).map_err(|error| self.hint_damage(error));
        let Some(picture) = examine()? else {
            return Err(hints::no_picture(&self.file, reader, self.wanted.page));
        };
        if self.wanted.no_data || reader.known_size().is_some() {
            return Ok(picture);
        }
        // Reading a stream to its end shows whether the picture is complete, and the data is needed anyway.
        reader.size()?;
        Ok(examine()?.unwrap_or(picture))
    }

    fn hint_damage(&self, error: Error) -> Error {
        let is_ours = error.kind == Kind::Io && error.hint.is_none();
        let exact = call("bytes").file(&self.file).with("encode", "base64").again();
        if is_ours { error.hint(exact) } else { error }
    }

    fn content(&self, reader: &Reader, picture: &Picture, format: Format) -> Result<Content> {
        let budget = self.wanted.max_bytes.or(self.default_max_bytes);
        if self.wanted.no_data && self.wanted.thumbnail.is_none() && budget.is_none() && self.wanted.page == 1
        {
            return Ok(Content::Exact(reader.known_size()));
        }
        let size = reader.size()?;
        let is_cut = picture.complete == Some(false);
        if is_cut && !self.wanted.no_data {
            let (name, seen, end) = (picture.format.name(), picture.size(), counted(size, "byte"));
            let message = format!("is a {name} of {seen} pixels that ends early, after {end}");
            return Err(
                Error::new(Kind::Io, message).hint(call("image").file(&self.file).on("no-data").again())
            );
        }
        let length = content_bytes(picture.format, size, format);
        let over = budget.filter(|most| length > *most);
        let is_requested = self.wanted.page > 1
            || self.wanted.thumbnail.is_some_and(|side| {
                let fits = [picture.width, picture.height].iter().flatten().all(|length| *length <= side);
                let is_odd = picture.orientation != 1 || picture.mode == Some("CMYK");
                !fits
                    || is_odd
                    || matches!(picture.format, ImageFormat::Bmp | ImageFormat::Tiff | ImageFormat::Svg)
            });
        let no_data = || call("image").file(&self.file).on("no-data").again();
        if !is_requested && over.is_none() || is_cut {
            let is_checked = !self.wanted.no_data && (self.is_strict || size <= MAX_CHECKED);
            match if is_checked { check(reader, picture) } else { Ok(()) } {
                Err(error) if self.is_strict || error.kind == Kind::Io => return Err(error.hint(no_data())),
                _ => {}
            }
            return Ok(Content::Exact(Some(size)));
        }
        let bytes = budget.map(|most| match format {
            Format::Raw => most,
            _ => most.saturating_sub(prefix(ImageFormat::Jpeg).len() as u64) / 4 * 3,
        });
        let bounds = Bounds { side: self.wanted.thumbnail, bytes };
        thumbnail(reader, picture, bounds).map(Content::Made).map_err(|mut error| {
            if let Some(most) = over.filter(|_| !is_requested) {
                let name = if self.wanted.max_bytes.is_some() {
                    setting("max-bytes")
                } else {
                    "RREAD_MAX_BYTES".into()
                };
                let why = std::mem::take(&mut error.message);
                let takes = Sentence::from(format!("takes {length} bytes, more than ")).then(name);
                error.message = takes.then(format!(" {most}; ")).then(why);
            }
            error.hint.get_or_insert_with(|| match picture.format {
                ImageFormat::Svg => call("lines").file(&self.file).again(),
                _ => no_data(),
            });
            error
        })
    }

    fn info(&self, picture: &Picture, content: &Content, format: Format) -> ImageInfo {
        let mut info = ImageInfo {
            format: picture.format.name(),
            mime: picture.format.mime(),
            width: picture.width,
            height: picture.height,
            mode: picture.mode,
            orientation: Some(u64::from(picture.orientation)).filter(|n| *n != 1),
            frames: picture.frames.filter(|n| *n > 1),
            page: Some(self.wanted.page).filter(|page| *page > 1),
            ..ImageInfo::default()
        };
        let bytes =
            |format_of, size| Some(content_bytes(format_of, size, format)).filter(|_| !self.wanted.no_data);
        match content {
            // An incomplete picture is not returned.
            Content::Exact(_) if picture.complete == Some(false) => {}
            Content::Exact(size) => {
                info.content_bytes = size.and_then(|size| bytes(picture.format, size));
                info.exact = Some(true);
            }
            Content::Made(made) => {
                let size = made.bytes.len() as u64;
                info.content_bytes = bytes(made.format, size);
                info.exact = Some(false);
                info.thumbnail_mime = Some(made.format.mime());
                info.thumbnail = Some(ThumbnailInfo { width: made.width, height: made.height, bytes: size });
            }
        }
        info
    }
}

/// The prefix of a data URI (RFC 2397).
fn prefix(format: ImageFormat) -> String {
    format!("data:{};base64,", format.mime())
}

fn content_bytes(format: ImageFormat, size: u64, of: Format) -> u64 {
    match of {
        Format::Raw => size,
        _ => prefix(format).len() as u64 + size.div_ceil(3) * 4,
    }
}

struct PictureBody<'a> {
    reader: &'a Reader,
    picture: &'a Picture,
    content: &'a Content,
    format: Format,
}

impl Body for PictureBody<'_> {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        match self.content {
            Content::Exact(_) => {
                sink.write(prefix(self.picture.format).as_bytes())?;
                let options = ContentOptions { encode: Some(Encode::Base64), ..ContentOptions::default() };
                let all = Segment { start: 0, end: self.reader.size()?, line: 1 };
                content::deliver(self.reader, &[all], &options, None, sink).map(|_| ())
            }
            Content::Made(made) => {
                sink.write(prefix(made.format).as_bytes())?;
                content::base64(&made.bytes, sink)
            }
        }
    }

    fn plain(&mut self, out: &mut Out) -> Result<()> {
        if self.format != Format::Raw {
            return self.write(out);
        }
        match self.content {
            Content::Exact(_) => {
                let options = ContentOptions { raw: true, ..ContentOptions::default() };
                let all = Segment { start: 0, end: self.reader.size()?, line: 1 };
                content::deliver_plain(self.reader, &[all], &options, out).map(|_| ())
            }
            Content::Made(made) => out.write(&made.bytes),
        }
    }
}
