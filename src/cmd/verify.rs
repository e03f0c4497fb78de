//! `rread verify`: reports which lines have changed since they were read, and their new content.

use std::path::{Path, PathBuf};

use clap::Args;

use super::from;
use crate::args::content::version;
use crate::args::{ContentArgs, OutputArgs};
use rread_answer::verify::{Since, shown_anchors, verify};
use rread_answer::{AnswerOptions, OutputOptions, Request};
use rread_reader::selection::Context;
use rread_text::{Anchor, Error, Result, call};

/// Report which lines have changed since they were read with --hash
///
/// An anchor is the number and the hash of a line, as --hash prints them: 12#a1b2c3, or 12#ZR with --hash-style
/// omp. A hashline with its text is accepted too. If all lines match, the exit code is 0. Otherwise it is 1, and
/// the answer has everything for another try: the status of each line (moved, changed, gone or past_end), new
/// anchors for the lines that moved (remaps), and the lines that changed, with fresh hashes and some context.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread verify src/main.rs 12#a1b2c3 40#0cadbf
  rread verify src/main.rs '12#a1b2c3|fn main() {' --json
  rread lines src/main.rs --hash -f text > before; rread verify src/main.rs --from before
  rread verify src/main.rs 110:120 --since last  the lines as they were last read")]
pub(crate) struct VerifyArgs {
    /// File to read; - is standard input
    #[arg(value_name = "FILE", value_parser = crate::args::input::file())]
    file: PathBuf,
    /// Anchors, such as 12#a1b2c3; with --since, lines, such as 110:120
    #[arg(value_name = "ANCHOR")]
    anchors: Vec<String>,
    /// Take anchors from this file, or from standard input for -, one a line
    #[arg(long, value_name = "SOURCE", value_parser = crate::args::input::file(), conflicts_with = "anchors")]
    from: Option<PathBuf>,
    /// Compare the lines that were read with --hash when the file was in the state VERSION, or those of them that are named
    ///
    /// The receipt of a read with --hash has its version; last is the version that was read last. rread keeps the hashes of
    /// at most 65,536 lines of a version, and 16 MiB of them in all, in the directory of the line indexes.
    #[arg(long, value_name = "VERSION", value_parser = since, conflicts_with = "from")]
    since: Option<Since>,
    /// Show N lines before and after the lines that changed
    #[arg(short = 'C', long, value_name = "N", default_value_t = 2)]
    context: u64,
    #[command(flatten)]
    content: ContentArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The lines to compare.
#[derive(Clone, Debug)]
pub(crate) struct VerifyRequest {
    pub(super) file: PathBuf,
    pub(super) anchors: Vec<String>,
    pub(super) from: Option<PathBuf>,
    pub(super) since: Option<Since>,
    pub(super) context: u64,
    pub(super) content: AnswerOptions,
    pub(super) output: OutputOptions,
}

impl VerifyArgs {
    pub(crate) fn run(self) -> Result<()> {
        let (content, output) = (self.content.options()?, self.output.options()?);
        let VerifyArgs { file, anchors, from, since, context, .. } = self;
        VerifyRequest { file, anchors, from, since, context, content, output }.run()
    }
}

impl VerifyRequest {
    pub(crate) fn run(mut self) -> Result<()> {
        self.verify().map_err(|error| error.about(&self.file))
    }

    fn verify(&mut self) -> Result<()> {
        if self.content.encode.is_some() {
            return Err(Error::usage("--encode is for bytes, and verify answers with hashlines")
                .hint("leave out --encode"));
        }
        let anchors = self.anchors()?;
        // Show the fresh lines in the form of the anchors: a hashline has a number.
        self.content.number = true;
        let form = anchors.first().map(|anchor| anchor.tag.form());
        let request = Request {
            context: Context { before: self.context, after: self.context },
            hash: form,
            ..Request::new(self.file.clone(), &self.content, &self.output)
        };
        verify(&request, anchors)
    }

    fn anchors(&self) -> Result<Vec<Anchor>> {
        if let Some(since) = &self.since {
            let found = shown_anchors(&self.content.read, &self.file, &self.anchors, since);
            // A file that cannot be read has no hashes either: its own error comes first.
            return found.or_else(|error| match self.file == Path::new("-") {
                true => Err(error),
                false => self.content.read.open(&self.file).and(Err(error)),
            });
        }
        let hint = call("lines").file(&self.file).on("hash");
        let parse = |text: &str| {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let anchors = lines.map(str::parse).collect::<Result<Vec<Anchor>>>();
            anchors.map_err(|error| error.hint(hint.clone()))
        };
        let anchors = match &self.from {
            Some(source) => {
                let text = from::text(source, &self.file, "anchors", "rread verify FILE --from - < ANCHORS")?;
                parse(&text).map_err(|error| error.at(source))?
            }
            // A shell passes several quoted lines as one word.
            None => self.anchors.iter().map(|text| parse(text)).collect::<Result<Vec<_>>>()?.concat(),
        };
        if anchors.is_empty() {
            let missing = Error::usage("no anchor was given; anchors look like 12#a1b2c3").hint(hint);
            return Err(self.from.iter().fold(missing, |error, source| error.at(source)));
        }
        Ok(anchors)
    }
}

fn since(text: &str) -> std::result::Result<Since, String> {
    if text == "last" { Ok(Since::Last) } else { version(text).map(Since::Version) }
}
