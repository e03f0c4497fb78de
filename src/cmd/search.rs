//! `rread search`: the lines that match a pattern, with context, in every kind of file.

mod files;
mod targets;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use self::files::FilesArgs;
use super::from;
use super::search::files::{AcceptedArgs, ShownArgs};
use crate::args::choice::{UNITS, choice};
use crate::args::input::{unshield, without_blank};
use crate::args::{ContentArgs, HashArgs, InputArgs, MergeArgs, OutputArgs, TimeArgs, refuse};
use crate::standard::null_data;
use rread_answer::options::Color;
use rread_answer::search::{SearchOptions, SearchedFile, Shows, search, search_merged};
use rread_answer::{AnswerOptions, Budget, Format, Merging, OutputOptions, Request, TimesOfFiles};
use rread_reader::UnitKind;
pub use rread_reader::search::pattern::{Case, Pattern};
use rread_reader::selection::Context;
use rread_source::members::Members;
use rread_source::named_files::NamedFile;
use rread_text::{Call, Error, HashStyle, HashlineForm, Kind, Range, Result, call, parse_mixed, setting};

/// The hint for a pattern that is not UTF-8.
const ANY_BYTE: &str = "\\xNN in a pattern, with (?-u), stands for any byte";

/// Show the lines that match a pattern, in files of any kind and size
///
/// PATTERN is a regular expression of the Rust regex crate, as in rg. Matching is on the decoded text: UTF-16, -E,
/// compressed files, captures and objects alike. FILE may be a directory, which rread searches recursively without
/// hidden files, binary files and those that .gitignore names, or a prefix of a store, such as s3://BUCKET/logs/.
/// Without FILE, rread searches standard input if it is a pipe or a file, and else the working directory.
///
/// Frontmatter, XML and text write lines as grep -n does: 12:a match, 11-its context, -- between groups; text puts
/// the name of the file before them if there are several. Raw writes the lines alone. JSON has a segment for each
/// group of lines, with the place of every match. If no line matches, the exit code is 1.
#[derive(Args, Clone, Debug)]
#[command(
    override_usage = "rread search [OPTIONS] <PATTERN> [FILE]...\n       rread search [OPTIONS] -e <PATTERN>... [FILE]..."
)]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    "number" => arg.help("Accepted, as in rg: lines have their numbers anyway"),
    _ => arg,
}))]
#[command(after_help = "Examples:
  rread search ERROR app.log -C 2                 with two lines around each match
  rread search -i 'time(d )?out' logs/ -m 3       three lines of each file below logs/
  rread search -c WARN app.log.gz                 how many lines match
  rread search --last 5 panic app.log             the last five matches
  rread search -i error app.log --since -15m      in the last quarter of an hour
  rread search ERROR app.log --max-bytes 8K       as much as fits, and how to go on
  rread search IOException app.log --unit record  the whole records, with their stack traces
  rread search -w retry src/ --unit block         the whole functions
  rread search req-42 *.log --merge -f text       the trace of one request through all logs
  rread search ERROR *.log --merge -m 1 -B 5      the first error, and what came before it in any of them
  rread search -w id fd:1 --json                  a captured output; the place of every match")]
pub(crate) struct SearchArgs {
    /// Regular expression; with -e or --file, the first FILE
    #[arg(value_name = "PATTERN", required_unless_present_any = ["regexp", "file", "list_files", "type_list"])]
    pattern: Option<OsString>,
    /// Files and directories to search; - is standard input
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,
    /// Search for PATTERN; may be given several times
    #[arg(short = 'e', long, value_name = "PATTERN", allow_hyphen_values = true)]
    regexp: Vec<String>,
    /// Search for the patterns in the file PATTERNS, one a line; - is standard input
    ///
    /// -f PATTERNS does the same if PATTERNS is a file whose name is not a format.
    #[arg(long, value_name = "PATTERNS")]
    file: Vec<PathBuf>,
    #[command(flatten)]
    matching: MatchingArgs,
    #[command(flatten)]
    selected: SelectedArgs,
    #[command(flatten)]
    shown: Box<ShownArgs>,
    #[command(flatten)]
    below: Box<FilesArgs>,
    #[command(flatten)]
    accepted: AcceptedArgs,
    #[command(flatten)]
    time: TimeArgs,
    #[command(flatten)]
    merge: MergeArgs,
    #[command(flatten)]
    hash: HashArgs,
    #[command(flatten)]
    content: ContentArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// How patterns match.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Matching")]
#[allow(clippy::struct_excessive_bools)]
struct MatchingArgs {
    /// Take PATTERN as a string, not as a regular expression
    #[arg(short = 'F', long)]
    fixed_strings: bool,
    /// Ignore case
    #[arg(short = 'i', long, overrides_with = "smart_case")]
    ignore_case: bool,
    /// Ignore case unless PATTERN has an upper-case letter
    #[arg(short = 'S', long)]
    smart_case: bool,
    /// Match whole words only
    #[arg(short = 'w', long, overrides_with = "line_regexp")]
    word_regexp: bool,
    /// Match whole lines only
    #[arg(short = 'x', long, overrides_with = "word_regexp")]
    line_regexp: bool,
    /// Show the lines that do not match
    #[arg(short = 'v', long)]
    invert_match: bool,
    /// Find matches of several lines; their lines are shown
    ///
    /// A match that is longer than 4 MiB may be missed, or cut.
    #[arg(short = 'U', long, conflicts_with = "last")]
    multiline: bool,
    /// With -U, a dot matches a newline too
    #[arg(long)]
    multiline_dotall: bool,
    /// Take \w, \d and the like as those of ASCII
    #[arg(long)]
    no_unicode: bool,
}

/// Which of the matching lines are shown, and what is around them.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Selection")]
struct SelectedArgs {
    /// Stop after N matching lines in each file
    ///
    /// If the text is one long line, of which windows are shown, stop after N matches. With --merge, after N lines of all
    /// files.
    #[arg(short = 'm', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "last")]
    max_count: Option<u64>,
    /// Show the last N matching lines, searching from the end; with --merge, of all files
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    last: Option<u64>,
    /// Stop at the first line that does not match after one that does, in each file
    #[arg(long, conflicts_with_all = ["last", "multiline", "passthru"])]
    stop_on_nonmatch: bool,
    /// Search only these lines, or bytes with the prefix b: 100:200 or -1000: or b0:1M
    ///
    /// A range of bytes stands for all lines that have a part in it.
    #[arg(long, value_name = "RANGES", allow_hyphen_values = true)]
    r#in: Option<String>,
    /// Match, count and show whole records or blocks in place of lines
    ///
    /// A unit matches if one of its lines does. -v, -c, -m, -A, -B and -C are about units too.
    #[arg(long, value_name = "UNIT", value_parser = choice(UNITS), default_value = "line", hide_default_value = true)]
    unit: UnitKind,
    /// Show the lines that enclose each match above it: the function, the class, the section
    #[arg(long)]
    enclosing: bool,
    /// Search archives below directories, member by member
    ///
    /// An archive that is named is searched in any case.
    #[arg(short = 'z', long)]
    search_zip: bool,
    /// Show only the number of matching lines; with -o or -U, of matches
    #[arg(short = 'c', long, overrides_with_all = ["count_matches", "files_with_matches", "files_without_match"])]
    count: bool,
    /// Show only the number of matches
    #[arg(long, overrides_with_all = ["files_with_matches", "files_without_match"])]
    count_matches: bool,
    /// With -c or --count-matches, show files without a match too
    #[arg(long)]
    include_zero: bool,
    /// Show only the names of files with a match
    #[arg(short = 'l', long, overrides_with = "files_without_match")]
    files_with_matches: bool,
    /// Show only the names of files without a match
    #[arg(long)]
    files_without_match: bool,
    /// Show nothing; the exit code says whether a line matches
    #[arg(short = 'q', long)]
    quiet: bool,
    /// End names of files with a NUL, for xargs -0; with --raw or -f text
    #[arg(short = '0', long)]
    null: bool,
    /// Lines end with a NUL in place of a newline, in files and in the output; with --raw or -f text
    #[arg(long, conflicts_with_all = ["plain", "hash", "multiline", "null", "stats", "list_files", "encoding", "crlf"])]
    null_data: bool,
    /// Show N lines before and after every match
    #[arg(short = 'C', long, value_name = "N", default_value_t = 0)]
    context: u64,
    /// Show N lines before every match
    #[arg(short = 'B', long, value_name = "N")]
    before_context: Option<u64>,
    /// Show N lines after every match
    #[arg(short = 'A', long, value_name = "N")]
    after_context: Option<u64>,
}

/// A file to search, whether a walk found it, the members that its name means, and the parts of it that are searched.
type FoundFile = (NamedFile, (bool, Option<Members>, Vec<Range>));

impl SearchArgs {
    pub(crate) fn run(self) -> Result<u8> {
        let (is_quiet, is_silent) = (self.selected.quiet, self.below.no_messages);
        match self.answer() {
            Err(error) if is_quiet && error.kind == Kind::NoMatch => Ok(error.exit_code()),
            // As in rg, the exit code stays.
            Err(error) if is_silent && (error.kind != Kind::Usage || error.path.is_some()) => {
                Ok(error.exit_code())
            }
            answered => answered.map(|()| 0),
        }
    }

    fn answer(self) -> Result<()> {
        let (mut content, mut output) = (self.content.options()?, self.output.options()?);
        if content.encode.is_some() {
            return Err(Error::usage("--encode is for bytes, and search answers with lines")
                .hint("leave out --encode"));
        }
        let hash = self.hash.form(&mut content)?;
        if hash.is_some() {
            self.shown.check_hash()?;
        }
        if let Some(columns) = self.shown.columns {
            content.max_columns = Some(columns).filter(|columns| *columns > 0);
        }
        if self.shown.pretty {
            output.color = Color::Always;
        }
        // Lines have numbers already.
        content.number = false;
        if self.selected.null_data {
            output.out = null_data;
            // An index counts newlines, and NULs are no sign of binary data or of wide characters.
            (content.read.index, content.text) = (None, true);
            content.read.encoding = Some("none".to_owned());
            content.read.source.access.null_data = true;
        }
        let window = match self.selected.unit {
            UnitKind::Record if !self.merge.merge => self.time.window_or_times()?,
            _ => self.time.window(self.merge.merge)?,
        };
        self.check_merge(&content)?;
        if window.is_some() && self.selected.r#in.is_some() {
            return Err(Error::usage("--in and --since or --until both say where to search")
                .hint("leave out one of them"));
        }
        let walk = self.below.options(&self.accepted)?;
        if self.below.type_list {
            return self.list_types(&walk, (&mut content, &output));
        }
        if self.below.list_files {
            return self.list_files(&walk, (&mut content, &output));
        }
        self.check_unit()?;
        self.check_replacement()?;
        let mut options = self.options(output.format)?;
        let (mut found, of_files, left_out) = self.find_files(&walk, (&mut content, &output))?;
        let times = TimesOfFiles::new(window, self.time.reading.options(), &mut found, &content.read)?;
        let text = content.text || self.below.binary || self.below.unrestricted > 2;
        let below = AnswerOptions { text, ..content.clone() };
        let files: Vec<SearchedFile<'_>> = found
            .into_iter()
            .map(|(file, (is_walked, members, ranges))| {
                let content = if is_walked { &below } else { &content };
                let request = self.request(file.path, (content, &output), hash);
                let request = Request { ranges, time: times.window.as_ref(), ..request };
                SearchedFile { request, is_walked, members }
            })
            .collect();
        options.left_out = left_out.left_out;
        options.unreadable = left_out.unreadable;
        if of_files {
            self.shown.note_grep_habit();
        }
        if self.merge.merge {
            let merging = Merging { searches: true, ..Merging::new(&times) };
            // A walk of `next` may come to its last file, and the lines keep their names.
            return search_merged(files, &options, &merging, true);
        }
        search(&files, &options, of_files)
    }

    /// Refuses what has no meaning for the lines of several files in the order of time.
    fn check_merge(&self, content: &AnswerOptions) -> Result<()> {
        self.merge.check(content, 0)?;
        let selected = &self.selected;
        let counts = selected.count || selected.count_matches || selected.quiet;
        let names = selected.files_with_matches || selected.files_without_match;
        let cuts_lines =
            self.shown.only_matching && self.merge.merge && content.budget()? != Budget::default();
        let refused = [
            (counts || names || self.shown.stats, ("counts and names are of each file", "leave out --merge")),
            (
                selected.r#in.is_some(),
                ("--in has the same ranges for each file", "rread search PATTERN FILE:RANGES --merge"),
            ),
            (cuts_lines, ("-o with a budget goes on inside a line of one file", "leave out the budget")),
            (selected.stop_on_nonmatch, ("--stop-on-nonmatch stops in each file", "leave out --merge")),
            (self.shown.passthru, ("--passthru shows all lines", "rread lines FILE... --merge")),
            (self.shown.heading, ("--heading shows the name of a file once", "leave out --heading")),
            (self.matching.multiline, ("-U finds matches of several lines", "leave out --merge")),
        ];
        refuse(refused.map(|(is_given, row)| (is_given && self.merge.merge, row)), |(why, hint)| {
            Error::usage(format!("{why}, and --merge mixes the lines of files")).hint(hint)
        })
    }

    /// Refuses `-r WORD DIRECTORY` of users of grep: it would replace the name of the directory in standard input or here.
    fn check_replacement(&self) -> Result<()> {
        let directory = self.pattern.as_ref().map(Path::new).filter(|word| word.is_dir());
        let (Some(word), Some(directory), true) =
            (self.shown.replacement(), directory, self.files.is_empty())
        else {
            return Ok(());
        };
        let sentence = format!(
            "-r {word} writes {word} in the place of each match, and no FILE is given: '{}' is a directory",
            directory.display()
        );
        Err(Error::usage(sentence).hint(call("search").word(word).file(directory)))
    }

    /// Refuses what has no meaning for whole records and blocks, and for the lines that enclose a match.
    fn check_unit(&self) -> Result<()> {
        let selected = &self.selected;
        let option = match (selected.unit, selected.enclosing) {
            (UnitKind::Line, false) => return Ok(()),
            (UnitKind::Line, true) => "--enclosing",
            _ => "--unit",
        };
        let refused = [
            (self.merge.merge, ("--merge", "mixes the lines of files")),
            (self.matching.multiline, ("-U", "finds matches of several lines")),
            (selected.last.is_some(), ("--last", "searches from the end")),
            (selected.stop_on_nonmatch, ("--stop-on-nonmatch", "stops at a line")),
            (self.shown.passthru, ("--passthru", "shows all lines")),
            (self.shown.only_matching, ("-o", "shows matches alone")),
        ];
        refuse(refused, |(other, why)| {
            Error::usage(format!("{other} {why}, and {option} goes with lines alone"))
                .hint(format!("leave out {other} or {option}"))
        })
    }

    /// Refuses `-0` and `--null-data` where names and lines are not followed by anything.
    fn check_null(&self, format: Format) -> Result<()> {
        let given = [(self.selected.null, "-0"), (self.selected.null_data, "--null-data")];
        refuse(given.map(|(is_given, option)| (is_given && format.has_receipt(), option)), |option| {
            let why = "writes NULs in the formats raw and text, and the others have no such place";
            Error::usage(format!("{option} {why}")).hint(setting("raw"))
        })
    }

    fn options(&self, format: Format) -> Result<SearchOptions> {
        self.check_null(format)?;
        let matching = &self.matching;
        let case = match (matching.ignore_case, matching.smart_case) {
            (true, _) => Case::Insensitive,
            (false, true) => Case::Smart,
            (false, false) => Case::Sensitive,
        };
        let mut pattern = Pattern {
            patterns: self.patterns()?,
            fixed: matching.fixed_strings,
            case,
            word: matching.word_regexp,
            whole_line: matching.line_regexp,
            invert: matching.invert_match,
            several_lines: matching.multiline,
            dot_all: matching.multiline && matching.multiline_dotall,
            ascii: matching.no_unicode,
            ..Pattern::default()
        };
        let selected = &self.selected;
        let has_several = self.shown.only_matching || matching.multiline;
        let of_matches = selected.count_matches || selected.count && has_several;
        let shows = match selected {
            SelectedArgs { quiet: true, files_without_match: true, .. } => Shows::NothingWithout,
            SelectedArgs { quiet: true, .. } => Shows::Nothing,
            _ if of_matches && !matching.invert_match => Shows::Matches,
            SelectedArgs { count: true, .. } | SelectedArgs { count_matches: true, .. } => Shows::Count,
            SelectedArgs { files_with_matches: true, .. } => Shows::Name,
            SelectedArgs { files_without_match: true, .. } => Shows::NameWithout,
            _ => Shows::Lines,
        };
        let within = selected.r#in.as_deref().map_or(Ok(Vec::new()), parse_mixed);
        let within = within.map_err(|error| error.hint("--in 100:200, --in -1000: or --in b0:1M"))?;
        let mut call = self.call(&pattern);
        if selected.null_data {
            call = call.with("format", if format == Format::Raw { "raw" } else { "text" });
            pattern.patterns.iter_mut().for_each(|text| *text = with_nuls(text, matching.fixed_strings));
        }
        let (max_count, last) = (selected.max_count, selected.last);
        Ok(SearchOptions {
            shows,
            lines: self.shown.options(self.merge.no_path, selected.null_data),
            passes_through: self.shown.passthru,
            with_zero: selected.include_zero,
            with_sums: self.shown.stats,
            null: selected.null,
            is_silent: self.below.no_messages,
            takes_archives: selected.search_zip,
            unit: selected.unit,
            enclosing: selected.enclosing,
            times: self.time.reading.options(),
            max_count,
            last,
            stops_on_nonmatch: selected.stop_on_nonmatch,
            within,
            ..SearchOptions::new(pattern, call)
        })
    }

    /// Whether options have the patterns, so that the first word is a FILE.
    fn has_pattern_options(&self) -> bool {
        !self.regexp.is_empty() || !self.file.is_empty()
    }

    fn patterns(&self) -> Result<Vec<String>> {
        if self.has_pattern_options() {
            // A pattern such as `-5` was shielded like a range.
            let mut patterns: Vec<String> =
                self.regexp.iter().map(|pattern| without_blank(pattern).to_owned()).collect();
            for file in &self.file {
                patterns.extend(self.read_patterns(file)?);
            }
            return Ok(patterns);
        }
        let pattern = self.pattern.as_ref().map(|word| unshield(word).into_os_string()).unwrap_or_default();
        let pattern = pattern.into_string().map_err(|word| {
            Error::usage(format!("the pattern '{}' is not valid UTF-8", word.to_string_lossy()))
                .hint(ANY_BYTE)
        })?;
        Ok(vec![pattern])
    }

    fn read_patterns(&self, file: &Path) -> Result<Vec<String>> {
        let stdin = Path::new("-");
        if file == stdin && self.named().iter().any(|name| name == stdin) {
            return Err(Error::usage("standard input cannot be both FILE and --file")
                .hint("rread search --file PATTERNS FILE"));
        }
        let bytes = from::bytes_of(file, "patterns", "rread search --file PATTERNS FILE")?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
            Error::usage(format!("the pattern in line {line} is not valid UTF-8")).at(file).hint(ANY_BYTE)
        })?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// The call with the options that a search of the rest has to repeat, and the pattern.
    fn call(&self, pattern: &Pattern) -> Call {
        let Context { before, after } = self.context();
        let InputArgs { source, encoding, .. } = &self.content.input;
        // All that decides which lines match, and how they are shown.
        let flags = [
            (self.matching.fixed_strings, "F"),
            (self.matching.ignore_case, "i"),
            (self.matching.smart_case, "S"),
            (self.matching.word_regexp, "w"),
            (self.matching.line_regexp, "x"),
            (self.matching.invert_match, "v"),
            (self.matching.multiline, "U"),
            (self.matching.multiline_dotall, "multiline-dotall"),
            (self.matching.no_unicode, "no-unicode"),
            (self.selected.enclosing, "enclosing"),
            (self.selected.null_data, "null-data"),
            (self.selected.stop_on_nonmatch, "stop-on-nonmatch"),
            (self.hash.hash, "hash"),
            (self.content.text, "a"),
            (source.plain, "plain"),
            (source.salvage, "salvage"),
            (source.access.no_decompress, "no-decompress"),
        ];
        let flags = flags.iter().filter(|(is_on, _)| *is_on);
        let mut search = flags.fold(call("search"), |search, (_, letter)| search.on(letter));
        search = encoding.encoding.iter().fold(search, |search, label| search.with("E", label));
        search = self.hash.hash_width.iter().fold(search, |search, width| search.with("hash-width", width));
        if self.hash.hash_style == HashStyle::Omp {
            search = search.with("hash-style", "omp");
        }
        search = self.shown.repeated().into_iter().fold(search, |search, (name, value)| match value {
            Some(value) => search.with(name, value),
            None => search.on(name),
        });
        search = match (before, after) {
            (0, 0) => search,
            (before, after) if before == after => search.with("C", before),
            (before, after) => search.with("B", before).with("A", after),
        };
        search = self.selected.max_count.iter().fold(search, |search, count| search.with("m", count));
        let unit = UNITS.iter().find(|(_, unit, _)| *unit == self.selected.unit && *unit != UnitKind::Line);
        search = unit.iter().fold(search, |search, (name, ..)| search.with("unit", name));
        let each = |search: Call, patterns: &[String]| {
            patterns.iter().fold(search, |search, pattern| search.with("e", pattern))
        };
        match (&self.file[..], &pattern.patterns[..]) {
            // Standard input cannot be read again.
            (files @ [_, ..], _) if files.iter().all(|file| file != Path::new("-")) => {
                let search = files.iter().fold(search, |search, file| search.on("file").file(file));
                each(search, &self.regexp)
            }
            (_, [only]) if !only.starts_with('-') => search.word(only),
            (_, several) => each(search, several),
        }
    }

    fn context(&self) -> Context {
        let SelectedArgs { context, before_context, after_context, .. } = self.selected;
        Context { before: before_context.unwrap_or(context), after: after_context.unwrap_or(context) }
    }

    fn request<'a>(
        &self,
        path: PathBuf,
        (content, output): (&'a AnswerOptions, &'a OutputOptions),
        hash: Option<HashlineForm>,
    ) -> Request<'a> {
        let request = Request::new(path, content, output);
        let is_merged = self.merge.merge;
        Request { context: self.context(), hash, takes_archives: true, is_merged, ..request }
    }
}

/// The pattern `text` for a text in which a NUL stands for each newline.
fn with_nuls(text: &str, is_fixed: bool) -> String {
    if is_fixed {
        return text.replace('\n', "\0");
    }
    // No line has a NUL, so one that does not begin a range matches nothing.
    let parts = text.split(r"\x00-").map(|part| part.replace(r"\x00", r"[^\d\D]"));
    let text = parts.collect::<Vec<_>>().join(r"\x00-").replace("[:space:]", r"\s");
    let (mut changed, mut chars) = (String::new(), text.chars());
    while let Some(first) = chars.next() {
        match (first, (first == '\\').then(|| chars.next()).flatten()) {
            ('\n', _) | (_, Some('n')) => changed.push_str(r"\x00"),
            (_, Some('s')) => changed.push_str(r"[\s\x00]"),
            (_, Some('S')) => changed.push_str(r"[^\s\x00]"),
            (first, escaped) => changed.extend([first].into_iter().chain(escaped)),
        }
    }
    changed
}
