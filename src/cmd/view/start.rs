//! From the options of `rread view` to the viewer: one file, or several logs as one text.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, FromArgMatches};

use super::{LookArgs, ViewerArgs};
use crate::args::HighlightArgs;
use crate::args::content::{default_max_bytes, refuse};
use crate::args::environment::view_options;
use crate::args::input::{existing, is_there, split_ranges};
use rread_answer::options::Highlight;
use rread_answer::{
    AnswerOptions, Format, OutputOptions, ReadOptions, TimeReading, TimeWindow, TimesOfFiles,
};
use rread_reader::Case;
use rread_source::named_files::NamedFile;
use rread_text::{Error, Result, Unit, call, parse_list};
use rread_view::options::{Begin, MergeRequest};
use rread_view::{Settings, Start, ViewRequest, view};

impl LookArgs {
    /// What RREAD_VIEW asks for, or LESS.
    fn of_environment() -> Result<Self> {
        let (own, less) = view_options();
        let Some(own) = own else { return Ok(LookArgs::of_less(&less)) };
        let parser =
            LookArgs::augment_args(clap::Command::new("view")).no_binary_name(true).disable_help_flag(true);
        let wrong = |_| {
            Error::usage(format!("RREAD_VIEW is '{own}', and rread view takes no such options from it"))
                .hint("export RREAD_VIEW='-F -N -S -i --fold' (any of them)")
        };
        let matches = parser.try_get_matches_from(own.split_whitespace()).map_err(wrong)?;
        LookArgs::from_arg_matches(&matches).map_err(wrong)
    }

    fn case(&self) -> Case {
        match (self.ignore_case, self.ignore_all_case) {
            (_, true) => Case::Insensitive,
            (true, false) => Case::Smart,
            (false, false) => Case::Sensitive,
        }
    }

    /// The settings that `self` and `other` ask for, which are whether one screen ends the view, and the others.
    fn settings(&self, other: &LookArgs) -> (bool, Settings) {
        let case = if self.case() == Case::Sensitive { other.case() } else { self.case() };
        let settings = Settings {
            numbers: self.number || other.number && self.no_numbers == 0,
            chop: self.chop || other.chop,
            case,
            hides_matches: self.no_matches || other.no_matches,
            controls: self.controls || other.controls,
            fold: self.fold || other.fold,
            ..Settings::default()
        };
        (self.one_screen || other.one_screen, settings)
    }
}

/// How the viewer begins.
#[derive(Clone, Debug, Default)]
struct ViewOptions {
    begin: Option<Begin>,
    /// A window of time with an end.
    window: Option<TimeWindow>,
    one_screen: bool,
    /// `-F` was typed for a file: it has another meaning in tail, and had in older versions.
    is_f_typed: bool,
    settings: Settings,
    /// Several files as one text.
    merge: Option<Arc<MergeRequest>>,
}

impl ViewerArgs {
    pub(crate) fn run(self) -> Result<()> {
        if self.merge {
            return self.run_merged();
        }
        let (path, begin) = self.begin()?;
        let window = self.until.is_some().then(|| self.window());
        let follow = self.follow || matches!(begin, Some(Begin::Follow));
        let (one_screen, settings) = self.look.settings(&LookArgs::of_environment()?);
        let highlight = HighlightArgs { highlight: self.highlight.clone() }.choice()?;
        let options = ViewOptions {
            begin,
            window,
            // What grows is not finished after one screen.
            one_screen: one_screen && !follow,
            is_f_typed: self.look.one_screen && path != Path::new("-"),
            settings: Settings { follow, highlight, ..settings },
            merge: None,
        };
        show(&path, (self.input.options()?, self.output.options()?), &self.reading.options(), options)
    }

    fn window(&self) -> TimeWindow {
        let (since, until) = (self.time.clone(), self.until.clone());
        TimeWindow { since, until, reading: self.reading.options() }
    }

    fn begin(&self) -> Result<(PathBuf, Option<Begin>)> {
        let option = self.time.clone().map(Begin::Time);
        let option = option.or_else(|| self.pattern.clone().map(Begin::Pattern));
        let (files, place) = self.files_and_place()?;
        let others = [
            (self.time.is_some(), "--time"),
            (self.pattern.is_some(), "--pattern"),
            (self.follow, "--follow"),
        ];
        refuse(others.map(|(is_given, other)| (is_given && place.is_some(), other)), |other| {
            Error::usage(format!("[PLACE] cannot be used with {other}")).hint("rread view --help")
        })?;
        let file = match &files[..] {
            [] if io::stdin().is_terminal() => {
                let missing = "no file was given, and standard input is a terminal";
                return Err(Error::usage(missing).hint("rread view FILE"));
            }
            [] => return Ok((PathBuf::from("-"), place.or(option))),
            [file] => file,
            [file, ..] => {
                let given = files.len() + usize::from(place.is_some());
                return Err(Error::usage(format!("rread view shows one file, and {given} were given")).hint(
                    call("view").file(file).again().then(" (or --merge, for logs in the order of time)"),
                ));
            }
        };
        let (path, ranges) = split_ranges(file, |text| parse_list(text, Unit::Lines))?;
        let begin = place.or_else(|| ranges.and_then(|ranges| ranges.first().map(Begin::of_range)));
        Ok((path, begin.or(option)))
    }

    fn run_merged(&self) -> Result<()> {
        let (files, begin) = self.files_and_place()?;
        if matches!(begin, Some(Begin::Follow)) {
            return Err(Error::usage("merged files are not followed in the viewer")
                .hint("rread follow FILE... --merge"));
        }
        let Some(first) = files.first().cloned() else {
            return Err(Error::usage("--merge needs files").hint("rread view a.log b.log --merge"));
        };
        let (read, output) = (self.input.options()?, self.output.options()?);
        let default_max_bytes = default_max_bytes()?;
        let content = AnswerOptions { read: read.clone(), default_max_bytes, ..AnswerOptions::default() };
        let is_window = self.time.is_some() || self.until.is_some();
        if !is_window {
            self.reading.refuse_slack()?;
        }
        let window = is_window.then(|| self.window());
        let mut named = files.iter().map(|path| (NamedFile::from(path.clone()), ())).collect();
        let times = TimesOfFiles::new(window, self.reading.options(), &mut named, &read)?;
        let text = OutputOptions { format: Format::Text, ..output.clone() };
        let merge = MergeRequest { files, content, output: text, times, names: !self.no_path };
        let (one_screen, settings) = self.look.settings(&LookArgs::of_environment()?);
        let options = ViewOptions {
            begin: begin.or_else(|| self.pattern.clone().map(Begin::Pattern)),
            one_screen,
            // The colours of one language would be wrong in the others.
            settings: Settings { highlight: Highlight::Never, ..settings },
            merge: Some(merge.into()),
            ..ViewOptions::default()
        };
        show(&first, (read, output), &self.reading.options(), options)
    }

    /// The files, and the place with which the view begins: a word that is not a file.
    fn files_and_place(&self) -> Result<(Vec<PathBuf>, Option<Begin>)> {
        let mut files: Vec<PathBuf> = self.file.iter().cloned().collect();
        let mut begin = None;
        for word in self.place.iter().chain(&self.others) {
            let path = existing(word.as_ref());
            match Begin::parse(word, files.first().unwrap_or(&path)) {
                Ok(place) if begin.is_none() && !is_there(&path) => begin = Some(place),
                Err(error) if !self.merge && !is_there(&path) => return Err(error),
                _ => files.push(path),
            }
        }
        let is_place = |file: &PathBuf| file.to_str().is_some_and(|name| name.starts_with('+'));
        if let Some(at) = files.iter().position(|file| is_place(file) && !is_there(file)) {
            let word = files.remove(at);
            begin = Some(Begin::parse(&word.to_string_lossy(), files.first().unwrap_or(&word))?);
        }
        Ok((files, begin))
    }
}

/// Shows `path` until the user quits.
fn show(
    path: &Path,
    (read, output): (ReadOptions, OutputOptions),
    reading: &TimeReading,
    options: ViewOptions,
) -> Result<()> {
    let times = reading.options(path);
    // Reading the database of time zones takes longer than the first screen.
    if times.zone.is_some() || times.zone_of_file.is_some() || times.format.is_some() {
        times.check()?;
    }
    let ViewOptions { begin, window, one_screen, is_f_typed, settings, merge } = options;
    let settings = Settings { colors: output.use_color(true), ..settings };
    // A line index would be that of the first file.
    let policy = read.index.clone().filter(|_| merge.is_none());
    let is_merged = merge.is_some();
    let (file, OutputOptions { out, theme, .. }) = (path.to_owned(), output);
    let start = Start {
        wanted: ViewRequest { path: path.to_owned(), policy, window: window.map(Arc::new), merge },
        opener: Arc::new(move || read.open(&file)),
        times,
        scan: reading.scan,
        settings,
        begin,
        one_screen,
        is_f_typed,
        out,
        theme,
    };
    view(start).map_err(|error| if is_merged { error } else { error.about(path) })
}
