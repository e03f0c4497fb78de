//! `rread view`: the full-screen viewer.

use std::path::PathBuf;

use clap::Args;

use crate::args::{InputArgs, OutputArgs, TimeReadingArgs};

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
  rread view -F app.log                 the end, and what is appended
  make 2>&1 | rread view -              while it runs
  PAGER='rread view -' git log          as a pager")]
pub(crate) struct ViewerArgs {
    /// File to show, or FILE:LINE; - is standard input [default: -]
    #[arg(value_name = "FILE", value_parser = crate::args::file::file())]
    file: Option<PathBuf>,
    /// Line to begin with, such as 500000, or a percentage, such as 50%
    #[arg(value_name = "PLACE", conflicts_with_all = ["time", "pattern", "follow"])]
    place: Option<String>,
    /// Begin with the first record at or after the time T: 06:01, 2026-11-23T06:01 or -15m
    #[arg(long, value_name = "T", allow_hyphen_values = true, conflicts_with_all = ["pattern", "follow"])]
    time: Option<String>,
    /// Begin with the first line that matches PATTERN, a regular expression
    #[arg(short, long, value_name = "PATTERN", allow_hyphen_values = true, conflicts_with = "follow")]
    pattern: Option<String>,
    /// Begin with the end, and show what is appended as it comes
    #[arg(short = 'F', long)]
    follow: bool,
    /// Show line numbers
    #[arg(short = 'N', long)]
    number: bool,
    /// Cut long lines at the edge of the screen; left and right scroll them
    #[arg(short = 'S', long)]
    chop: bool,
    /// Ignore case in searches, unless a pattern has an upper-case letter
    #[arg(short = 'i', long)]
    ignore_case: bool,
    #[command(flatten)]
    reading: TimeReadingArgs,
    #[command(flatten)]
    input: InputArgs,
    #[arg(skip)]
    output: OutputArgs,
}

impl ViewerArgs {
    pub(crate) fn output(&self) -> &OutputArgs {
        &self.output
    }

    #[cfg(not(feature = "view"))]
    pub(crate) fn run(self) -> crate::error::Result<()> {
        Err(crate::error::Error::usage("this rread was built without the viewer")
            .hint("cargo install --path . --features view (in a checkout)"))
    }
}

#[cfg(feature = "view")]
mod built {
    use std::io::IsTerminal;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;

    use super::ViewerArgs;
    use crate::args::file::split_ranges;
    use crate::error::{Error, Result};
    use crate::hints;
    use crate::range::{Form, Place, Range, Unit, parse_list};
    use crate::search::pattern::Case;
    use crate::view::{Begin, Settings, Start, view};

    impl ViewerArgs {
        pub(crate) fn run(self) -> Result<()> {
            let (path, place) = self.place()?;
            self.reading.options().check()?;
            let settings = Settings {
                numbers: self.number,
                chop: self.chop,
                follow: self.follow,
                colours: self.output.use_color(true),
                case: if self.ignore_case { Case::Smart } else { Case::Sensitive },
            };
            let (input, file) = (self.input.clone(), path.clone());
            let start = Start {
                policy: self.input.policy()?,
                opener: Arc::new(move || input.open(&file)),
                times: self.reading.options(),
                scan: self.reading.scan,
                settings,
                place,
                path: path.clone(),
            };
            view(start).map_err(|error| error.about(&path))
        }

        fn place(&self) -> Result<(PathBuf, Option<Begin>)> {
            let Some(file) = &self.file else {
                if std::io::stdin().is_terminal() {
                    return Err(Error::usage("no file was given, and standard input is a terminal")
                        .hint("rread view FILE"));
                }
                return Ok((PathBuf::from("-"), self.options_place()));
            };
            let (path, ranges) = split_ranges(file, |text| parse_list(text, Unit::Lines))?;
            let place = match (&self.place, ranges) {
                (Some(text), _) => Some(parse_place(text, &path)?),
                (None, Some(ranges)) => first_line(&ranges).map(Begin::Line),
                (None, None) => self.options_place(),
            };
            Ok((path, place))
        }

        fn options_place(&self) -> Option<Begin> {
            let time = self.time.clone().map(Begin::Time);
            time.or_else(|| self.pattern.clone().map(Begin::Pattern))
        }
    }

    fn parse_place(text: &str, path: &Path) -> Result<Begin> {
        let percent = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
        if percent.is_some_and(|percent| (0.0..=100.0).contains(&percent)) {
            return Ok(Begin::Percent(text.to_owned()));
        }
        let wrong = || {
            Error::usage(format!("'{text}' is not a line number or a percentage"))
                .hint(hints::again("view", path, "500000 (or 50%)"))
        };
        let ranges = parse_list(text, Unit::Lines).map_err(|_| wrong())?;
        first_line(&ranges).map(Begin::Line).ok_or_else(wrong)
    }

    /// The first line of the first range, if it is counted from the front.
    pub(crate) fn first_line(ranges: &[Range]) -> Option<u64> {
        match ranges.first()?.form {
            Form::One(Place::Front(line)) | Form::Counted(Place::Front(line), _) => Some(line),
            Form::Between(Some(Place::Front(line)), _) => Some(line),
            Form::Between(None, _) => Some(1),
            _ => None,
        }
    }
}
