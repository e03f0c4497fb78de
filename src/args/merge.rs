//! `--merge`: the records of several files in the order of time.

use clap::Args;

use rread_answer::options::AnswerOptions;
use rread_text::error::{Error, Result};

/// Whether files are merged.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Time")]
pub(crate) struct MergeArgs {
    /// Merge the records of all files: in the order of their times, then of the files
    ///
    /// A record is a line with a time and the lines without one after it. The order of a file stays: a record that is
    /// earlier than one before it follows that one. Text, frontmatter and XML have path:line: before each line, raw has
    /// the bytes alone, and JSON has a segment for each run of records of one file.
    #[arg(long)]
    pub(crate) merge: bool,
    /// With --merge, write no path and no number before lines
    #[arg(long, requires = "merge")]
    pub(crate) no_path: bool,
}

impl MergeArgs {
    /// Refuses options that have no meaning for the records of several files.
    pub(crate) fn check(self, content: &AnswerOptions, header: u64) -> Result<()> {
        let refused = [
            (content.encode.is_some(), "--encode", "--raw"),
            (header > 0, "--header", "rread lines FILE 1"),
            (content.expect_prefix, "--expect-prefix", "--expect"),
        ];
        match refused.into_iter().find(|(is_given, ..)| self.merge && *is_given) {
            Some((_, name, hint)) => {
                Err(Error::usage(format!("{name} is about one file, and --merge mixes several")).hint(hint))
            }
            None => Ok(()),
        }
    }
}
