//! `rread ranges`: many ranges of either kind in one pass.

use std::path::{Path, PathBuf};

use clap::Args;

use super::bytes::given_twice;
use super::question::{Question, about};
use super::{AroundArgs, ContentArgs, HashArgs, OutputArgs, from, is_there, many, split_ranges};
use crate::error::{Error, Result};
use crate::hashline::Form;
use crate::range::{Range, parse_mixed};
use crate::reader::edges::Align;

/// Read many ranges of lines and bytes in one pass
///
/// Ranges are of lines, or of bytes with the prefix b: 5 100:120 b0:512 -3:. They are answered in the order asked, each
/// with its own receipt; a range past the end is reported in its place, and the exit code is then 5. In JSON the
/// answer always has segments. Several files may be named, each before its ranges or as FILE:RANGES; one budget
/// holds for all of them, and one that cannot be read is reported in its place.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread ranges app.log 5,100:120 b0:512 -3:
  rg -n ERROR app.log | rread ranges app.log --from - -C 3
  grep -rn ERROR logs | rread ranges --from - -C 3 --max-bytes 8K
  rread ranges app.log --from wanted.txt --json
  rread ranges a.log:1-50 b.log:-20: --max-bytes 8K")]
pub struct RangesArgs {
    /// File to read, or FILE:RANGES; - is standard input; may be left out with --from
    #[arg(value_name = "FILE", value_parser = super::file(), required_unless_present = "from")]
    file: Option<PathBuf>,
    /// Ranges, such as 5,100:120 or b0:512, and further files with theirs
    #[arg(value_name = "RANGE")]
    ranges: Vec<String>,
    /// Take ranges from this file, or from standard input for -
    ///
    /// One range a line, or JSON ([{"start": 10, "end": 20}]), or the output of rg -n, grep -n and compilers (12:text,
    /// path:12:text). In such output, lines that name another file than FILE are passed over; without FILE, all files that
    /// it names are read, each once, in the order they are named first.
    #[arg(long, value_name = "SOURCE", value_parser = super::file())]
    from: Option<PathBuf>,
    /// What to do with a byte cut that would split a character: take it in, leave it out, or cut it [default: expand; with --raw none]
    #[arg(long, value_enum, value_name = "HOW", conflicts_with = "encode")]
    align: Option<Align>,
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
        let asked = self.asked()?;
        let questions: Vec<Question<'_>> =
            asked.into_iter().map(|asked| self.question(asked, hash)).collect();
        match &questions[..] {
            [question] => question.answer(),
            questions => many::answer(questions),
        }
    }

    fn question(&self, Asked { path, ranges }: Asked, hash: Option<Form>) -> Question<'_> {
        Question {
            path,
            ranges,
            several: true,
            context: self.around.context(),
            header: self.around.header,
            align: self.align,
            hash,
            content: &self.content,
            output: &self.output,
        }
    }

    /// The files and what is asked of each.
    fn asked(&self) -> Result<Vec<Asked>> {
        let file = match (&self.file, &self.from) {
            (Some(file), _) => file,
            (None, Some(source)) => {
                let named = from::read_named(source)?;
                return Ok(named.into_iter().map(|(path, ranges)| Asked { path, ranges }).collect());
            }
            (None, None) => return Err(Error::usage("no file was given").hint("rread ranges --help")),
        };
        let (path, attached) = split_ranges(file, parse_mixed)?;
        if let Some(source) = &self.from {
            if attached.is_some() || !self.ranges.is_empty() {
                return Err(about(&path, given_twice("--from")));
            }
            let ranges = from::read(source, &path).map_err(|error| about(&path, error))?;
            return Ok(vec![Asked { path, ranges }]);
        }
        let mut done = Vec::new();
        let mut is_attached = attached.is_some();
        let mut asked = Asked { path, ranges: attached.unwrap_or_default() };
        for text in &self.ranges {
            match parse_mixed(text) {
                Ok(_) if is_attached => return Err(about(&asked.path, given_twice("FILE:RANGES"))),
                Ok(ranges) => asked.ranges.extend(ranges),
                Err(error) => {
                    let (path, attached) = next_file(text).ok_or_else(|| about(&asked.path, error))??;
                    is_attached = attached.is_some();
                    let next = Asked { path, ranges: attached.unwrap_or_default() };
                    done.push(std::mem::replace(&mut asked, next).check()?);
                }
            }
        }
        done.push(asked.check()?);
        Ok(done)
    }
}

/// A file and what is asked of it.
struct Asked {
    path: PathBuf,
    ranges: Vec<Range>,
}

impl Asked {
    fn check(self) -> Result<Self> {
        if self.ranges.is_empty() {
            return Err(Error::usage("no range was given")
                .hint("give ranges such as 5,100:120 b0:512 -3:, or --from")
                .at(&self.path));
        }
        Ok(self)
    }
}

/// What is no range may be the next file, with or without its ranges; `None` where it is neither.
fn next_file(text: &str) -> Option<Result<(PathBuf, Option<Vec<Range>>)>> {
    // A range with an error in it, such as 0:5, is not the missing file 0.
    let looks_like_a_name = |path: &Path| path.to_string_lossy().contains(['.', '/']);
    match split_ranges(Path::new(text), parse_mixed) {
        Ok((path, ranges)) if text != "-" && !is_there(&path) => {
            (ranges.is_some() && looks_like_a_name(&path)).then_some(Ok((path, ranges)))
        }
        found => Some(found),
    }
}
