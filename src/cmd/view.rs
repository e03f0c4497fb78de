//! `rread view`: the full-screen viewer.

#[cfg(feature = "view")]
mod less_options;
#[cfg(feature = "view")]
mod start;

use std::path::PathBuf;

use clap::{ArgAction, Args};

use crate::args::{InputArgs, OutputArgs, TimeReadingArgs};

/// Look at a file of any size full-screen, with the keys of less
///
/// The first screen comes at once, and so does any line, percentage or time of a file of any size and kind: long
/// scans run beside the keys, and Ctrl-C stops them. Only colours of the content reach the terminal; control
/// characters and invalid bytes are shown as ^X and \xNN. Nothing is written but the line index, as by lines.
///
/// Without FILE, rread shows standard input and reads keys from the terminal. h lists the keys. If standard output is
/// not a terminal, or the terminal of TERM cannot show a full screen, rread copies the text, as less does.
///
/// RREAD_VIEW has options for every call; without it, those of LESS apply as far as they mean something here. Options
/// of less for what rread does anyway (-R -r -X -M -m -K -f -q -Q -L -s) are accepted.
#[cfg_attr(not(feature = "view"), allow(dead_code))]
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread view app.log                    from the start
  rread view app.log 30000000           from line 30,000,000 on
  rread view app.log.gz 50%             from the middle
  rread view app.log --time 06:01       from the first record at or after that time
  rread view app.log --since 06:01 --until 06:05   the records of these minutes
  rread view --follow app.log           the end, and what is appended
  rread view api.log db.log.gz --merge  the records of both, in the order of time
  make 2>&1 | rread view -              while it runs
  PAGER='rread view -F' git log         as a pager that ends if one screen shows everything
  rread view --fold app.jsonl           each JSON line as time, level, message, key=value")]
pub(crate) struct ViewerArgs {
    /// File to show, or FILE:LINE; - is standard input [default: -]
    #[arg(value_name = "FILE", value_parser = crate::args::input::file())]
    file: Option<PathBuf>,
    /// Line to begin with, such as 500000, or a percentage, such as 50%; +500000, +50%, +G and +/PATTERN as in less
    #[arg(value_name = "PLACE")]
    place: Option<String>,
    /// With --merge, further files
    #[arg(value_name = "FILE", hide = true)]
    others: Vec<String>,
    /// Begin with the first record at or after the time T: 06:01, 2026-11-23T06:01 or -15m
    #[arg(long, visible_alias = "since", value_name = "T", allow_hyphen_values = true, conflicts_with_all = ["pattern", "follow"])]
    time: Option<String>,
    /// End the view before the first record at or after the time T; +10m counts from --since
    #[arg(long, value_name = "T", allow_hyphen_values = true, conflicts_with = "follow")]
    until: Option<String>,
    /// Begin with the first line that matches PATTERN, a regular expression
    #[arg(short, long, value_name = "PATTERN", value_parser = crate::args::input::value(), allow_hyphen_values = true, conflicts_with = "follow")]
    pattern: Option<String>,
    /// Begin with the end, and show what is appended as it comes, as +F does
    #[arg(long)]
    follow: bool,
    /// Show the records of several FILEs as one text: in the order of their times, then of the files
    ///
    /// The file and the line stand before each line, which # changes. With --since and --until, only the records of
    /// that window are shown. If standard output is not a terminal, rread writes path:line: before each line, as rread
    /// lines --merge -f text does.
    #[arg(long, conflicts_with = "follow")]
    merge: bool,
    /// With --merge, show no names of files before lines
    #[arg(long, requires = "merge")]
    no_path: bool,
    #[command(flatten)]
    look: LookArgs,
    /// Colour source code: auto, LANGUAGE (a name or an extension: rust, py) or never [default: auto]
    ///
    /// With auto, the name of the file shows the language, or its first line; logs have the colours of their levels.
    /// RREAD_THEME names another theme of bat than ansi, which uses the colours of the terminal.
    #[arg(long, value_name = "LANGUAGE")]
    highlight: Option<String>,
    #[command(flatten)]
    reading: TimeReadingArgs,
    #[command(flatten)]
    input: InputArgs,
    #[arg(skip)]
    pub(crate) output: OutputArgs,
}

/// Options without a value that RREAD_VIEW may have, too.
#[cfg_attr(not(feature = "view"), allow(dead_code))]
#[derive(Args, Clone, Debug, Default)]
struct LookArgs {
    /// Print the file and quit if one screen shows everything
    #[arg(short = 'F', long, visible_alias = "quit-if-one-screen")]
    one_screen: bool,
    /// Show line numbers
    #[arg(short = 'N', long, alias = "LINE-NUMBERS")]
    number: bool,
    /// Cut long lines at the edge of the screen; left and right scroll them
    #[arg(short = 'S', long, alias = "chop-long-lines")]
    chop: bool,
    /// Ignore case in searches, unless a pattern has an upper-case letter
    #[arg(short = 'i', long)]
    ignore_case: bool,
    /// Ignore case in searches, also that of the pattern
    #[arg(short = 'I', long = "IGNORE-CASE")]
    ignore_all_case: bool,
    /// Do not highlight matches
    #[arg(short = 'G', long = "HILITE-SEARCH")]
    no_matches: bool,
    /// Show escape sequences and overstrikes as text
    #[arg(short = 'U', long = "UNDERLINE-SPECIAL")]
    controls: bool,
    /// Show each JSON line as time, level and message, then the other members as key=value
    #[arg(long)]
    fold: bool,
    /// Options of less for what rread does anyway. Each may be given several times.
    #[arg(
        short = 'R',
        short_aliases = ['r', 'X', 'M', 'm', 'K', 's', 'q', 'Q', 'f', 'L'],
        long = "RAW-CONTROL-CHARS",
        aliases = ["raw-control-chars", "no-init", "LONG-PROMPT", "long-prompt", "quit-on-intr", "squeeze-blank-lines"],
        aliases = ["quiet", "silent", "QUIET", "SILENT", "force", "no-lessopen"],
        hide = true,
        action = ArgAction::Count
    )]
    accepted: u8,
    #[arg(short = 'n', long = "line-numbers", hide = true, action = ArgAction::Count)]
    no_numbers: u8,
}

#[cfg(not(feature = "view"))]
impl ViewerArgs {
    pub(crate) fn run(self) -> rread_text::error::Result<()> {
        Err(rread_text::error::Error::usage("this rread was built without the viewer")
            .hint("cargo install --path . --features view (in a checkout)"))
    }
}
