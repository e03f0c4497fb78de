//! `rread bytes`: byte ranges, cut at character edges.

use clap::Args;

use super::files::{FilesArgs, found};
use crate::args::choice::{ALIGNMENTS, choice};
use crate::args::{ContentArgs, OutputArgs};
use rread_answer::{Request, answer};
use rread_reader::Align;
use rread_text::range::parse_place;
use rread_text::{Form, Range, Result, Unit};

/// Read byte ranges, cut at character edges
///
/// Bytes are numbered from 0 and the end is not included: 0:4096 is the first 4096 bytes, 4KiB:+512 is 512 bytes
/// from 4096 on, -1MiB: is the last mebibyte, and bytes=0-499 is the form of HTTP, with both ends included. An end
/// that would split a character moves outward, and the receipt says how far. --raw has no receipt, so it cuts
/// exactly unless --align is given. RANGES apply to every FILE. The files share one budget, and raw and text write
/// them one after another, as cat does.
#[derive(Args, Clone, Debug)]
#[command(override_usage = "rread bytes [OPTIONS] <FILE>... [RANGES]")]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    "ranges" => arg.help("Ranges of every FILE, such as 0:4096 or 4KiB:+512,-1MiB:; they come last \
        [default: the whole file]"),
    _ => arg,
}))]
#[command(after_help = "Examples:
  rread bytes app.log 0:4096            the first 4096 bytes
  rread bytes app.log 4GiB:+4KiB        4 KiB, starting 4 GiB into the file
  rread bytes app.log -1MiB: --raw      the last mebibyte, as it is
  rread bytes *.log -1KiB:              the last kibibyte of each file
  rread bytes photo.jpg 0:64 --encode hexdump")]
pub(crate) struct BytesArgs {
    #[command(flatten)]
    files: FilesArgs,
    /// First byte, from 0; -N counts from the end
    #[arg(long, value_name = "A", conflicts_with = "ranges")]
    start_byte: Option<String>,
    /// Byte to stop before; -N counts from the end
    #[arg(long, value_name = "B", conflicts_with = "ranges")]
    end_byte: Option<String>,
    /// What to do if a range would split a character: take it in, leave it out, or cut it [default: expand; with
    /// --raw none]
    #[arg(long, value_parser = choice(ALIGNMENTS), value_name = "HOW", conflicts_with = "encode")]
    align: Option<Align>,
    /// Report as next only the rest of the ranges that a budget cut off, and nothing after them
    #[arg(long)]
    bounded: bool,
    #[command(flatten)]
    content: ContentArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl BytesArgs {
    pub(crate) fn run(self) -> Result<()> {
        let flags = "--start-byte and --end-byte";
        let (mut content, output) = (self.content.options()?, self.output.options()?);
        let files = self.files.with_ranges(Unit::Bytes, self.option_range(), flags)?;
        let files = found(files, &mut content.read);
        let several = files.len() > 1;
        let requests = files.into_iter().map(|(file, ranges)| Request {
            ranges,
            several,
            align: self.align,
            bounded: self.bounded,
            ..Request::new(file.path, &content, &output)
        });
        answer(&requests.collect::<Vec<_>>())
    }

    fn option_range(&self) -> Result<Option<Range>> {
        if self.start_byte.is_none() && self.end_byte.is_none() {
            return Ok(None);
        }
        let place =
            |text: &Option<String>| text.as_deref().map(|text| parse_place(text, Unit::Bytes)).transpose();
        let form = Form::Between(place(&self.start_byte)?, place(&self.end_byte)?);
        Range { unit: Unit::Bytes, form }.check().map(Some)
    }
}
