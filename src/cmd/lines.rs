//! `rread lines`: line ranges by number, from the front or from the end.

use clap::Args;

use super::files::{FilesArgs, found, note_neighbours};
use crate::args::{
    AroundArgs, ContentArgs, HashArgs, HighlightArgs, MergeArgs, OutputArgs, TimeArgs, refuse,
};
use rread_answer::merge::merge;
use rread_answer::{Merging, Request, TimesOfFiles, answer};
use rread_text::range::{parse_count, parse_place};
use rread_text::{Context, Error, Form, Place, Range, Result, Unit};

/// Read line ranges by number, from the front or from the end
///
/// Lines are numbered from 1 and the end is included, as in sed and editors: 100:120 is 21 lines, 100:+21 is the
/// same 21, 7 is one line, :50 is the first 50, -20: is the last 20, :-20 is all but the last 20. Only \n ends a
/// line. FILE:LINE:COLUMN, which compilers print, is the line.
///
/// RANGES apply to every FILE; if a file has exactly the name RANGES, it is a FILE. The files share one budget, and
/// raw and text write them one after another, as cat does. rread keeps what it learns from scanning a file of 16
/// MiB or more as a line index, so that the next look-up takes milliseconds.
#[derive(Args, Clone, Debug)]
#[command(override_usage = "rread lines [OPTIONS] <FILE>... [RANGES]")]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    "file" => arg.help("Files to read, or FILE:RANGES; - is standard input"),
    "ranges" => arg.help("Ranges of every FILE, such as 100:120 or 1:5,40:45,-20:; they come last \
        [default: the whole file]"),
    _ => arg,
}))]
#[command(after_help = "Examples:
  rread lines app.log 1000000:+20       20 lines from line 1,000,000 on
  rread lines app.log -20:              the last 20 lines
  rread lines *.log -5:                 the last 5 lines of each file
  rread lines app.log 1:5,40:45 --json  two ranges, as one JSON document
  rread lines app.log --since 06:01 --until 06:05  what happened then
  rread lines a.log b.log.gz --since 06:01 --merge  the records of both, in the order of time
  rread lines src/main.rs:120 -C 5      line 120 and five lines around it
  rread lines data.csv 5000:+10 --header 1")]
pub(crate) struct LinesArgs {
    #[command(flatten)]
    files: FilesArgs,
    /// First line, from 1; -N counts from the end
    #[arg(long, value_name = "N", conflicts_with = "ranges")]
    offset: Option<String>,
    /// Number of lines
    #[arg(long, value_name = "M", conflicts_with = "ranges")]
    limit: Option<String>,
    #[command(flatten)]
    hash: HashArgs,
    #[command(flatten)]
    around: AroundArgs,
    #[command(flatten)]
    time: TimeArgs,
    #[command(flatten)]
    merge: MergeArgs,
    #[command(flatten)]
    content: ContentArgs,
    #[command(flatten)]
    highlight: HighlightArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl LinesArgs {
    pub(crate) fn run(self) -> Result<()> {
        let (mut content, output) = (self.content.options()?, self.output.options()?);
        let hash = self.hash.form(&mut content)?;
        let highlight = self.highlight.choice()?;
        self.merge.check(&content, self.around.header)?;
        let window = self.time.window(self.merge.merge)?;
        let (option, flags) = match window {
            Some(_) => (self.window_range(), "--since and --until"),
            None => (self.option_range(), "--offset and --limit"),
        };
        let files = self.files.with_ranges(Unit::Lines, option, flags)?;
        note_neighbours(&files);
        let mut files = found(files, &mut content.read);
        let several = files.len() > 1;
        let times = TimesOfFiles::new(window, self.time.reading.options(), &mut files, &content.read)?;
        let requests = files.into_iter().map(|(file, ranges)| Request {
            ranges,
            several,
            context: self.around.context(),
            header: self.around.header,
            hash,
            time: times.window.as_ref(),
            highlight,
            takes_archives: true,
            is_merged: self.merge.merge,
            ..Request::new(file.path, &content, &output)
        });
        let requests: Vec<Request<'_>> = requests.collect();
        if self.merge.merge {
            let names = !self.merge.no_path;
            return merge(requests, &Merging { names, is_plain_alone: true, ..Merging::new(&times) });
        }
        answer(&requests)
    }

    /// A window of time has no ranges beside it.
    fn window_range(&self) -> Result<Option<Range>> {
        let around = self.around.context() != Context::default() || self.around.header > 0;
        let others = [
            (self.offset.is_some() || self.limit.is_some(), "--offset and --limit"),
            (around, "-A, -B, -C and --header"),
        ];
        refuse(others, |names| {
            Error::usage(format!("{names} do not go together with --since and --until"))
                .hint("leave them out, or make the window larger")
        })?;
        Ok(Some(Range::whole(Unit::Lines)))
    }

    fn option_range(&self) -> Result<Option<Range>> {
        let first = self.offset.as_deref().map(|text| parse_place(text, Unit::Lines)).transpose()?;
        let count = self.limit.as_deref().map(|text| parse_count(text, Unit::Lines)).transpose()?;
        let form = match (first, count) {
            (None, None) => return Ok(None),
            (Some(first), None) => Form::Between(Some(first), None),
            (first, Some(count)) => Form::Counted(first.unwrap_or(Place::Front(1)), count),
        };
        Ok(Some(Range { unit: Unit::Lines, form }))
    }
}
