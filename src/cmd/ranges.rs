//! `rread ranges`: many ranges of either kind in one pass.

use std::path::{Path, PathBuf};

use clap::Args;

use super::bytes::given_twice;
use super::question::{Question, about};
use super::{AroundArgs, ContentArgs, HashArgs, OutputArgs, from, split_ranges};
use crate::error::{Error, Result};
use crate::range::{Range, parse_mixed};
use crate::reader::edges::Align;

/// Read many ranges of lines and bytes in one pass
///
/// Ranges are of lines, or of bytes with the prefix b: 5 100:120 b0:512 -3:. They are answered in the order asked, each
/// with its own receipt; a range past the end is reported in its place, and the exit code is then 5. In JSON the
/// answer always has segments.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread ranges app.log 5,100:120 b0:512 -3:
  rg -n ERROR app.log | rread ranges app.log --from - -C 3
  rread ranges app.log --from wanted.txt --json")]
pub struct RangesArgs {
    /// File to read, or FILE:RANGES; - is standard input
    #[arg(value_name = "FILE", value_parser = super::file())]
    file: PathBuf,
    /// Ranges, such as 5,100:120 or b0:512
    #[arg(value_name = "RANGE")]
    ranges: Vec<String>,
    /// Take ranges from this file, or from standard input for -
    ///
    /// One range a line, or JSON ([{"start": 10, "end": 20}]), or the output of rg -n, grep -n and compilers (12:text,
    /// path:12:text). In such output, lines that name another file are passed over.
    #[arg(long, value_name = "SOURCE", value_parser = super::file())]
    from: Option<PathBuf>,
    /// What to do with a byte cut that would split a character: take it in, leave it out, or cut it
    #[arg(long, value_enum, value_name = "HOW", default_value_t, conflicts_with = "encode")]
    align: Align,
    #[command(flatten)]
    hash: HashArgs,
    #[command(flatten)]
    around: AroundArgs,
    #[command(flatten)]
    content: ContentArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl RangesArgs {
    /// How the answer is written.
    #[must_use]
    pub fn output(&self) -> &OutputArgs {
        &self.output
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Whatever kept the answer from being complete.
    pub fn run(mut self) -> Result<()> {
        let hash = self.hash.form(&mut self.content)?;
        let (path, attached) = split_ranges(&self.file, parse_mixed)?;
        let ranges = self.ranges(&path, attached).map_err(|error| about(&path, error))?;
        let question = Question {
            path,
            ranges,
            several: true,
            context: self.around.context(),
            header: self.around.header,
            align: self.align,
            hash,
            content: &self.content,
            output: &self.output,
        };
        question.answer()
    }

    fn ranges(&self, path: &Path, attached: Option<Vec<Range>>) -> Result<Vec<Range>> {
        let named = !self.ranges.is_empty();
        match (attached, &self.from) {
            (Some(_), _) if named => Err(given_twice("FILE:RANGES")),
            (Some(_), Some(_)) => Err(given_twice("--from")),
            (None, Some(_)) if named => Err(given_twice("--from")),
            (Some(ranges), None) => Ok(ranges),
            (None, Some(source)) => from::read(source, path),
            (None, None) if named => {
                let lists = self.ranges.iter().map(|list| parse_mixed(list)).collect::<Result<Vec<_>>>()?;
                Ok(lists.concat())
            }
            (None, None) => Err(Error::usage("no range was given")
                .hint("give ranges such as 5,100:120 b0:512 -3:, or --from")),
        }
    }
}
