//! `rread view`: the full-screen viewer.

mod merge;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{ArgAction, Args, FromArgMatches};

use crate::args::Highlight;
use crate::args::file::split_ranges;
use crate::args::less_options::LessOptions;
use crate::args::view_start::{Begin, MergeRequest};
use crate::args::{HighlightArgs, InputArgs, OutputArgs, TimeArgs, TimeReadingArgs};
pub use rread_reader::search::pattern::Case;
use rread_text::error::{Error, Result};
use rread_text::range::{Unit, parse_list};
use rread_text::sentence::call;

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
    #[arg(value_name = "FILE", value_parser = crate::args::file::file())]
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
    #[arg(short, long, value_name = "PATTERN", value_parser = crate::args::file::value(), allow_hyphen_values = true, conflicts_with = "follow")]
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
    output: OutputArgs,
}

/// Options without a value that RREAD_VIEW may have, too.
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
    #[command(flatten)]
    given: GivenArgs,
}

/// Options of less for what rread does anyway. Each may be given several times.
#[derive(Args, Clone, Debug, Default)]
struct GivenArgs {
    #[arg(short = 'R', long = "RAW-CONTROL-CHARS", alias = "raw-control-chars", short_alias = 'r', hide = true, action = ArgAction::Count)]
    colors: u8,
    #[arg(short = 'X', long = "no-init", hide = true, action = ArgAction::Count)]
    no_init: u8,
    #[arg(short = 'M', long = "LONG-PROMPT", alias = "long-prompt", short_alias = 'm', hide = true, action = ArgAction::Count)]
    long_prompt: u8,
    #[arg(short = 'K', long = "quit-on-intr", hide = true, action = ArgAction::Count)]
    quit_on_interrupt: u8,
    #[arg(short = 'n', long = "line-numbers", hide = true, action = ArgAction::Count)]
    no_numbers: u8,
    #[arg(short = 's', long = "squeeze-blank-lines", hide = true, action = ArgAction::Count)]
    squeeze: u8,
    #[arg(short = 'q', long = "quiet", aliases = ["silent", "QUIET", "SILENT"], short_alias = 'Q', hide = true, action = ArgAction::Count)]
    quiet: u8,
    #[arg(short = 'f', long = "force", hide = true, action = ArgAction::Count)]
    force: u8,
    #[arg(short = 'L', long = "no-lessopen", hide = true, action = ArgAction::Count)]
    no_lessopen: u8,
}

/// How the viewer shows a file.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(not(feature = "view"), allow(dead_code))]
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Look {
    pub(crate) one_screen: bool,
    pub(crate) numbers: bool,
    pub(crate) chop: bool,
    pub(crate) case: Case,
    pub(crate) hides_matches: bool,
    pub(crate) controls: bool,
    pub(crate) fold: bool,
}

impl Look {
    /// What RREAD_VIEW asks for, or LESS.
    pub(crate) fn of_environment() -> Result<Self> {
        let set = std::env::var_os("RREAD_VIEW").filter(|options| !options.is_empty());
        let Some(own) = set else {
            let less = std::env::var_os("LESS").unwrap_or_default();
            let less = LessOptions::parse(&less.to_string_lossy());
            return Ok(Look {
                one_screen: less.one_screen,
                numbers: less.numbers,
                chop: less.chop,
                case: case(less.smart_case, less.ignore_case),
                hides_matches: less.no_highlight,
                controls: less.controls,
                fold: false,
            });
        };
        let own = own.to_string_lossy().into_owned();
        let parser =
            LookArgs::augment_args(clap::Command::new("view")).no_binary_name(true).disable_help_flag(true);
        let wrong = |_| {
            Error::usage(format!("RREAD_VIEW is '{own}', and rread view takes no such options from it"))
                .hint("export RREAD_VIEW='-F -N -S -i --fold' (any of them)")
        };
        let matches = parser.try_get_matches_from(own.split_whitespace()).map_err(wrong)?;
        LookArgs::from_arg_matches(&matches).map_err(wrong).map(|look| look.look())
    }

    fn or(self, other: Self) -> Self {
        Look {
            one_screen: self.one_screen || other.one_screen,
            numbers: self.numbers || other.numbers,
            chop: self.chop || other.chop,
            case: if self.case == Case::Sensitive { other.case } else { self.case },
            hides_matches: self.hides_matches || other.hides_matches,
            controls: self.controls || other.controls,
            fold: self.fold || other.fold,
        }
    }
}

fn case(smart: bool, ignored: bool) -> Case {
    match (smart, ignored) {
        (_, true) => Case::Insensitive,
        (true, false) => Case::Smart,
        (false, false) => Case::Sensitive,
    }
}

impl LookArgs {
    fn look(&self) -> Look {
        Look {
            one_screen: self.one_screen,
            numbers: self.number,
            chop: self.chop,
            case: case(self.ignore_case, self.ignore_all_case),
            hides_matches: self.no_matches,
            controls: self.controls,
            fold: self.fold,
        }
    }
}

/// How the viewer begins.
#[derive(Clone, Debug, Default)]
#[cfg_attr(not(feature = "view"), allow(dead_code))]
pub(crate) struct ViewOptions {
    pub(crate) begin: Option<Begin>,
    /// A window of time with an end.
    pub(crate) window: Option<TimeArgs>,
    pub(crate) look: Look,
    pub(crate) follow: bool,
    /// `-F` was typed for a file: it has another meaning in tail, and had in older versions.
    pub(crate) is_f_typed: bool,
    pub(crate) highlight: Highlight,
    /// Several files as one text.
    pub(crate) merge: Option<Arc<MergeRequest>>,
}

impl ViewerArgs {
    pub(crate) fn output(&self) -> &OutputArgs {
        &self.output
    }

    pub(crate) fn run(self) -> Result<()> {
        if self.merge {
            return self.run_merged();
        }
        let (path, begin) = self.begin()?;
        let window = self.until.is_some().then(|| TimeArgs {
            since: self.time.clone(),
            until: self.until.clone(),
            reading: self.reading.clone(),
        });
        let look = self.whole_look()?;
        let options = ViewOptions {
            follow: self.follow || matches!(begin, Some(Begin::Follow)),
            begin,
            window,
            is_f_typed: self.look.one_screen && path != Path::new("-"),
            look,
            highlight: HighlightArgs { highlight: self.highlight.clone() }.choice()?,
            ..ViewOptions::default()
        };
        show(&path, &self.input, &self.reading, &self.output, options)
    }

    /// What is typed, and what the environment asks for.
    fn whole_look(&self) -> Result<Look> {
        let look = self.look.look().or(Look::of_environment()?);
        Ok(Look { numbers: look.numbers && (self.look.number || self.look.given.no_numbers == 0), ..look })
    }

    fn begin(&self) -> Result<(PathBuf, Option<Begin>)> {
        let option = self.time.clone().map(Begin::Time);
        let option = option.or_else(|| self.pattern.clone().map(Begin::Pattern));
        let (file, place) = self.words()?;
        let others = [
            (self.time.is_some(), "--time"),
            (self.pattern.is_some(), "--pattern"),
            (self.follow, "--follow"),
        ];
        if let Some((_, other)) = others.into_iter().find(|(is_given, _)| *is_given && place.is_some()) {
            return Err(
                Error::usage(format!("[PLACE] cannot be used with {other}")).hint("rread view --help")
            );
        }
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
            && (!self.others.is_empty()
                || !place.starts_with(|c: char| c.is_ascii_digit()) && Path::new(place).exists())
        {
            let given = 2 + self.others.len();
            return Err(Error::usage(format!("rread view shows one file, and {given} were given"))
                .hint(call("view").file(file).again().then(" (or --merge, for logs in the order of time)")));
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
    use crate::view::{Settings, Start, ViewRequest, view};
    let times = reading.options(path);
    // Reading the database of time zones takes longer than the first screen.
    if times.zone.is_some() || times.zone_of_file.is_some() || times.format.is_some() {
        times.check()?;
    }
    let ViewOptions { begin, window, look, follow, is_f_typed, highlight, merge } = options;
    let Look { one_screen, numbers, chop, case, hides_matches, controls, fold } = look;
    let colors = output.use_color(true);
    let settings = Settings { numbers, chop, follow, colors, case, hides_matches, controls, fold, highlight };
    let (own, file) = (input.clone(), path.to_owned());
    // A line index would be that of the first file.
    let policy = if merge.is_some() { None } else { input.policy()? };
    let is_merged = merge.is_some();
    let wanted = ViewRequest { path: path.to_owned(), policy, window: window.map(Arc::new), merge };
    let start = Start {
        wanted,
        opener: Arc::new(move || own.open(&file)),
        times,
        scan: reading.scan,
        settings,
        begin,
        // What grows is not finished after one screen.
        one_screen: one_screen && !follow,
        is_f_typed,
    };
    view(start).map_err(|error| if is_merged { error } else { error.about(path) })
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
