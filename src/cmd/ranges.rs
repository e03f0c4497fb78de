//! `rread ranges`: many ranges of lines and bytes in one pass.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::files::{self, FileRanges, given_twice_error};
use super::from;
use crate::args::choice::{ALIGNMENTS, choice};
use crate::args::input::{names_file, split_ranges};
use crate::args::{AroundArgs, ContentArgs, HashArgs, HighlightArgs, MergeArgs, OutputArgs, TimeReadingArgs};
use rread_answer::merge::merge;
use rread_answer::{Merging, Request, TimesOfFiles, answer};
use rread_reader::Align;
use rread_text::{Error, Result, parse_mixed};

/// Read many ranges of lines and bytes in one pass
///
/// A range selects lines or, with the prefix b, bytes: 5 100:120 b0:512 -3:. Each range gets its own receipt, in the
/// order given; in JSON the answer always has segments. A range past the end gets an error in this order, and the exit
/// code is 5. Write each of several files before its ranges or as FILE:RANGES; ranges after several files apply to each
/// of them. All files share one budget, and a file that cannot be read gets an error in this order.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread ranges app.log 5,100:120 b0:512 -3:
  rg -n ERROR app.log | rread ranges app.log --from - -C 3
  grep -rn ERROR logs | rread ranges --from - -C 3 --max-bytes 8K
  rread ranges app.log --from wanted.txt --json
  rread ranges a.log:1-50 b.log:-20: --max-bytes 8K
  rread ranges a.log:b812: b.log:b90: --merge  the records from there on, in the order of time
  rread ranges *.log 1 -1                the first and the last line of each file")]
pub(crate) struct RangesArgs {
    /// File to read, or FILE:RANGES; - is standard input; optional with --from
    #[arg(value_name = "FILE", value_parser = crate::args::input::file(), required_unless_present = "from")]
    file: Option<PathBuf>,
    /// Ranges, such as 5,100:120 or b0:512, and further files with their ranges
    #[arg(value_name = "RANGE")]
    ranges: Vec<OsString>,
    /// Take ranges from this file, or from standard input for -
    ///
    /// The file has one range a line, or JSON ([{"start": 10, "end": 20}]), or the output of rg -n, grep -n and
    /// compilers (12:text, path:12:text).
    /// rread skips what names another file than FILE. Without FILE, it reads every file that is
    /// named, once, in the order of their first lines.
    #[arg(long, value_name = "SOURCE", value_parser = crate::args::input::file())]
    from: Option<PathBuf>,
    /// What to do if a byte range would split a character: take it in, leave it out, or cut it [default: expand;
    /// with --raw none]
    #[arg(long, value_parser = choice(ALIGNMENTS), value_name = "HOW", conflicts_with = "encode")]
    align: Option<Align>,
    #[command(flatten)]
    hash: HashArgs,
    #[command(flatten)]
    around: AroundArgs,
    #[command(flatten)]
    merge: MergeArgs,
    #[command(flatten)]
    reading: TimeReadingArgs,
    #[command(flatten)]
    content: ContentArgs,
    #[command(flatten)]
    highlight: HighlightArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl RangesArgs {
    pub(crate) fn run(self) -> Result<()> {
        let (mut content, output) = (self.content.options()?, self.output.options()?);
        let hash = self.hash.form(&mut content)?;
        let highlight = self.highlight.choice()?;
        self.merge.check(&content, self.around.header)?;
        match self.merge.merge {
            true => self.reading.refuse_slack()?,
            false => self.reading.refuse_without("--merge")?,
        }
        let files = self.files()?;
        // Two words are two ranges; one word with a comma may have been meant as in sed.
        if self.from.is_none() && self.ranges.len() <= 1 {
            files::note_neighbours(&files);
        }
        let files = files::found(files, &mut content.read);
        let requests = files.into_iter().map(|(file, ranges)| Request {
            ranges,
            several: true,
            context: self.around.context(),
            header: self.around.header,
            align: self.align,
            hash,
            highlight,
            takes_archives: true,
            is_merged: self.merge.merge,
            ..Request::new(file.path, &content, &output)
        });
        let requests: Vec<Request<'_>> = requests.collect();
        if self.merge.merge {
            let times = TimesOfFiles { window: None, reading: self.reading.options() };
            // The rest of a file that was alone has no names.
            let (names, is_plain_alone) = (!self.merge.no_path, self.merge.no_path);
            return merge(requests, &Merging { names, is_plain_alone, ..Merging::new(&times) });
        }
        answer(&requests)
    }

    fn files(&self) -> Result<Vec<FileRanges>> {
        let file = match (&self.file, &self.from) {
            (Some(file), _) => file,
            (None, Some(source)) => return from::read_named(source),
            (None, None) => return Err(Error::usage("no file was given").hint("rread ranges --help")),
        };
        let Some(source) = &self.from else { return files::group(file, &self.ranges) };
        if self.ranges.iter().any(|word| names_file(word)) {
            let hint = "grep -Hn PATTERN FILE... | rread ranges --from -";
            return Err(Error::usage("--from takes one FILE, or none").at(file).hint(hint));
        }
        let (path, attached) = split_ranges(file, parse_mixed)?;
        if attached.is_some() || !self.ranges.is_empty() {
            return Err(given_twice_error("--from").about(&path));
        }
        let ranges = from::read(source, &path).map_err(|error| error.about(&path))?;
        Ok(vec![FileRanges { path, ranges }])
    }
}
