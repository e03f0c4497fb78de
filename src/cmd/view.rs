//! `rread view`: the full-screen viewer.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::args::Highlight;
use crate::args::file::split_ranges;
use crate::args::view_start::Begin;
use crate::args::{HighlightArgs, InputArgs, OutputArgs, TimeArgs, TimeReadingArgs};
use crate::hints;
pub use rread_reader::search::pattern::Case;
use rread_text::error::{Error, Result};
use rread_text::range::{Unit, parse_list};

/// Look at a file of any size full-screen, with the keys of less
///
/// The first screen comes at once, and so does any line, percentage or time of a file of any size and kind: long
/// scans run beside the keys, and Ctrl-C stops them. Only colours of the content reach the terminal; control
/// characters and invalid bytes are shown as ^X and \xNN. Nothing is written but the line index, as by lines.
///
/// Without FILE, rread shows standard input and reads keys from the terminal: PAGER='rread view -'. h lists the keys.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread view app.log                    from the start
  rread view app.log 30000000           from line 30,000,000 on
  rread view app.log.gz 50%             from the middle
  rread view app.log --time 06:01       from the first record at or after that time
  rread view app.log --since 06:01 --until 06:05   the records of these minutes
  rread view -F app.log                 the end, and what is appended
  make 2>&1 | rread view -              while it runs
  PAGER='rread view -' git log          as a pager
  rread view --fold app.jsonl           each JSON line as time, level, message, key=value")]
pub(crate) struct ViewerArgs {
    /// File to show, or FILE:LINE; - is standard input [default: -]
    #[arg(value_name = "FILE", value_parser = crate::args::file::file())]
    file: Option<PathBuf>,
    /// Line to begin with, such as 500000, or a percentage, such as 50%; +500000, +50%, +G and +/PATTERN as in less
    #[arg(value_name = "PLACE", conflicts_with_all = ["time", "pattern", "follow"])]
    place: Option<String>,
    /// Begin with the first record at or after the time T: 06:01, 2026-11-23T06:01 or -15m
    #[arg(long, visible_alias = "since", value_name = "T", allow_hyphen_values = true, conflicts_with_all = ["pattern", "follow"])]
    time: Option<String>,
    /// End the view before the first record at or after the time T; +10m counts from --since
    #[arg(long, value_name = "T", allow_hyphen_values = true, conflicts_with = "follow")]
    until: Option<String>,
    /// Begin with the first line that matches PATTERN, a regular expression
    #[arg(short, long, value_name = "PATTERN", allow_hyphen_values = true, conflicts_with = "follow")]
    pattern: Option<String>,
    /// Begin with the end, and show what is appended as it comes
    #[arg(short = 'F', long)]
    follow: bool,
    /// Show line numbers
    #[arg(short = 'N', long, alias = "LINE-NUMBERS")]
    number: bool,
    /// Cut long lines at the edge of the screen; left and right scroll them
    #[arg(short = 'S', long, alias = "chop-long-lines")]
    chop: bool,
    /// Ignore case in searches, unless a pattern has an upper-case letter
    #[arg(short = 'i', long)]
    ignore_case: bool,
    /// Show each JSON line as time, level and message, then the other members as key=value
    #[arg(long)]
    fold: bool,
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
    output: OutputArgs,
}

/// How the viewer begins.
#[derive(Clone, Debug, Default)]
#[cfg_attr(not(feature = "view"), allow(dead_code))]
pub(crate) struct ViewOptions {
    pub(crate) begin: Option<Begin>,
    /// A window of time with an end.
    pub(crate) window: Option<TimeArgs>,
    pub(crate) numbers: bool,
    pub(crate) chop: bool,
    pub(crate) follow: bool,
    pub(crate) case: Case,
    pub(crate) fold: bool,
    pub(crate) highlight: Highlight,
}

impl ViewerArgs {
    pub(crate) fn output(&self) -> &OutputArgs {
        &self.output
    }

    pub(crate) fn run(self) -> Result<()> {
        let (path, begin) = self.begin()?;
        let window = self.until.is_some().then(|| TimeArgs {
            since: self.time.clone(),
            until: self.until.clone(),
            reading: self.reading.clone(),
        });
        let options = ViewOptions {
            follow: self.follow || matches!(begin, Some(Begin::Follow)),
            begin,
            window,
            numbers: self.number,
            chop: self.chop,
            case: if self.ignore_case { Case::Smart } else { Case::Sensitive },
            fold: self.fold,
            highlight: HighlightArgs { highlight: self.highlight.clone() }.choice()?,
        };
        show(&path, &self.input, &self.reading, &self.output, options)
    }

    fn begin(&self) -> Result<(PathBuf, Option<Begin>)> {
        let option = self.time.clone().map(Begin::Time);
        let option = option.or_else(|| self.pattern.clone().map(Begin::Pattern));
        let (file, place) = self.words()?;
        let Some(file) = file else {
            if io::stdin().is_terminal() {
                let missing = "no file was given, and standard input is a terminal";
                return Err(Error::usage(missing).hint("rread view FILE"));
            }
            let path = PathBuf::from("-");
            let begin = place.map(|text| Begin::parse(&text, &path)).transpose()?;
            return Ok((path, begin.or(option)));
        };
        let (path, ranges) = split_ranges(&file, |text| parse_list(text, Unit::Lines))?;
        let begin = match (place, ranges) {
            (Some(text), _) => Some(Begin::parse(&text, &path)?),
            (None, Some(ranges)) => ranges.first().map(Begin::of_range),
            (None, None) => option,
        };
        Ok((path, begin))
    }

    /// FILE and PLACE; less takes `+PLACE` before FILE too.
    fn words(&self) -> Result<(Option<PathBuf>, Option<String>)> {
        let is_place =
            |file: &&PathBuf| file.to_str().is_some_and(|name| name.starts_with('+')) && !file.exists();
        if let Some(first) = self.file.as_ref().filter(is_place) {
            let place = first.to_str().map(str::to_owned);
            return Ok((self.place.as_ref().map(PathBuf::from), place));
        }
        if let (Some(file), Some(place)) = (&self.file, &self.place)
            && !place.starts_with(|c: char| c.is_ascii_digit())
            && Path::new(place).exists()
        {
            return Err(Error::usage("rread view shows one file, and 2 were given")
                .hint(hints::again("view", file, "")));
        }
        Ok((self.file.clone(), self.place.clone()))
    }
}

/// Shows `path` until the user quits.
#[cfg(feature = "view")]
pub(crate) fn show(
    path: &Path,
    input: &InputArgs,
    reading: &TimeReadingArgs,
    output: &OutputArgs,
    options: ViewOptions,
) -> Result<()> {
    use std::sync::Arc;

    use crate::view::{Settings, Start, ViewRequest, view};
    let times = reading.options();
    // Reading the database of time zones takes longer than the first screen.
    if times.zone.is_some() || times.format.is_some() {
        times.check()?;
    }
    let ViewOptions { begin, window, numbers, chop, follow, case, fold, highlight } = options;
    let colors = output.use_color(true);
    let settings = Settings { numbers, chop, follow, colors, case, fold, highlight };
    let (own, file) = (input.clone(), path.to_owned());
    let wanted = ViewRequest { path: path.to_owned(), policy: input.policy()?, window: window.map(Arc::new) };
    let start = Start {
        wanted,
        opener: Arc::new(move || own.open(&file)),
        times,
        scan: reading.scan,
        settings,
        begin,
    };
    view(start).map_err(|error| error.about(path))
}

#[cfg(not(feature = "view"))]
pub(crate) fn show(
    _: &Path,
    _: &InputArgs,
    _: &TimeReadingArgs,
    _: &OutputArgs,
    _: ViewOptions,
) -> Result<()> {
    Err(Error::usage("this rread was built without the viewer")
        .hint("cargo install --path . --features view (in a checkout)"))
}
