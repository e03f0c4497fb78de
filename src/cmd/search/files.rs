//! The options of `rread search` as in rg: which files are searched, how lines are shown, and those that are only accepted.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use grep_printer::{ColorSpecs, UserColorSpec};
use termcolor::{Ansi, ColorSpec, WriteColor};

use crate::args::choice::{Choices, choice};
use crate::args::{refuse, size};
use rread_answer::search::{LineColors, LineOptions, LineParts};
use rread_reader::search::walk::{Glob, RulesOff, SortKey, WalkOptions};
use rread_source::stdin::note;
use rread_source::swapped::swap_ends;
use rread_text::{Error, Result};

/// The keys of `--sort`: the name, and the key.
const SORT_KEYS: Choices<SortKey> = &[
    ("path", SortKey::Path, "By name, in each directory"),
    ("none", SortKey::Path, "As path: files always have an order"),
    ("modified", SortKey::Modified, "By the time of the last change"),
    ("accessed", SortKey::Accessed, "By the time of the last read"),
    ("created", SortKey::Created, "By the time when the file was made"),
];

/// Which files below a directory are searched. Files that are named are always searched.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Files below a directory")]
#[allow(clippy::struct_excessive_bools)]
pub(super) struct FilesArgs {
    /// Search only files whose path matches GLOB, or with ! before GLOB, only others; the last one that matches decides
    #[arg(short = 'g', long, value_name = "GLOB", value_parser = crate::args::input::value(), allow_hyphen_values = true)]
    glob: Vec<String>,
    /// The same without regard to upper and lower case
    #[arg(long, value_name = "GLOB", value_parser = crate::args::input::value(), allow_hyphen_values = true)]
    iglob: Vec<String>,
    /// Search only files of this type: rust, py, json; --type-list shows all
    #[arg(short = 't', long, value_name = "TYPE")]
    r#type: Vec<String>,
    /// Search no files of this type
    #[arg(short = 'T', long, value_name = "TYPE")]
    type_not: Vec<String>,
    /// Add a glob to a type: web:*.html
    #[arg(long, value_name = "TYPE:GLOB")]
    type_add: Vec<String>,
    /// Forget the globs of a type
    #[arg(long, value_name = "TYPE")]
    type_clear: Vec<String>,
    /// Show the types of files and their globs
    #[arg(long)]
    pub(super) type_list: bool,
    /// Show the files that would be searched, without a PATTERN
    #[arg(long = "files")]
    pub(super) list_files: bool,
    /// Search hidden files and directories too
    #[arg(short = '.', long)]
    hidden: bool,
    /// Search files too that .gitignore, .ignore and .rgignore name
    #[arg(long)]
    no_ignore: bool,
    /// Once: --no-ignore; twice: also --hidden; three times: also --binary
    #[arg(short = 'u', long, action = ArgAction::Count)]
    pub(super) unrestricted: u8,
    /// Search binary files too, as text
    #[arg(long)]
    pub(super) binary: bool,
    /// Leave out the files that FILE names, as .gitignore does
    #[arg(long, value_name = "FILE")]
    ignore_file: Vec<PathBuf>,
    /// Search at most N levels of directories
    #[arg(short = 'd', long, alias = "maxdepth", value_name = "N")]
    max_depth: Option<usize>,
    /// Follow symbolic links
    #[arg(short = 'L', long)]
    follow: bool,
    /// Search only files of at most SIZE bytes: 10M
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_filesize: Option<u64>,
    /// Stay on the file system of the directory
    #[arg(long)]
    one_file_system: bool,
    /// The order of the files [default: path]
    #[arg(long, value_name = "KEY", value_parser = choice(SORT_KEYS), hide_possible_values = true, overrides_with = "sortr")]
    sort: Option<SortKey>,
    /// The same, the last file first
    #[arg(long, value_name = "KEY", value_parser = choice(SORT_KEYS), hide_possible_values = true)]
    sortr: Option<SortKey>,
    /// Do not report files and directories that cannot be read
    #[arg(long)]
    pub(super) no_messages: bool,
}

impl FilesArgs {
    pub(super) fn options(&self, accepted: &AcceptedArgs) -> Result<WalkOptions> {
        if self.unrestricted > 3 {
            return Err(Error::usage("-u can be given three times at most").hint("-uuu"));
        }
        let glob = |any_case: bool| move |pattern: &String| Glob { pattern: pattern.clone(), any_case };
        let globs = self.glob.iter().map(glob(accepted.has("glob-case-insensitive")));
        let all = self.no_ignore || self.unrestricted > 0;
        let off = RulesOff {
            dot: all || accepted.has("no-ignore-dot"),
            vcs: all || accepted.has("no-ignore-vcs"),
            exclude: all || accepted.has("no-ignore-exclude"),
            global: all || accepted.has("no-ignore-global"),
            parent: all || accepted.has("no-ignore-parent"),
            files: accepted.has("no-ignore-files"),
            require_git: accepted.has("no-require-git"),
        };
        Ok(WalkOptions {
            globs: globs.chain(self.iglob.iter().map(glob(true))).collect(),
            types: self.r#type.clone(),
            types_not: self.type_not.clone(),
            type_clear: self.type_clear.clone(),
            type_add: self.type_add.clone(),
            hidden: self.hidden || self.unrestricted > 1,
            off,
            rules_of_any_case: accepted.has("ignore-file-case-insensitive"),
            ignore_files: self.ignore_file.clone(),
            max_depth: self.max_depth,
            follow: self.follow,
            max_filesize: self.max_filesize,
            one_file_system: self.one_file_system,
            sort: self.sort.or(self.sortr).unwrap_or_default(),
            reversed: self.sortr.is_some(),
            is_silent: self.no_messages,
        })
    }
}

/// Options that undo others, whose names in the parser follow. The one that is given last counts.
const UNDOING: &str = "no-hidden:hidden ignore:no_ignore ignore-vcs:no-ignore-vcs ignore-dot:no-ignore-dot \
    ignore-exclude:no-ignore-exclude ignore-global:no-ignore-global ignore-parent:no-ignore-parent \
    ignore-files:no-ignore-files require-git:no-require-git \
    no-ignore-file-case-insensitive:ignore-file-case-insensitive \
    no-glob-case-insensitive:glob-case-insensitive no-follow:follow no-one-file-system:one_file_system \
    no-binary:binary sort-files:sort,sortr no-sort-files:sort,sortr messages:no_messages \
    no-fixed-strings:fixed_strings no-invert-match:invert_match no-text:text no-multiline:multiline \
    no-multiline-dotall:multiline_dotall unicode:no_unicode line-number:no_line_number no-trim:trim \
    no-byte-offset:byte_offset no-heading:heading,pretty no-include-zero:include_zero no-stats:stats no-crlf:crlf";

/// Options without effect.
const WITHOUT_EFFECT: &str = "mmap no-mmap line-buffered no-line-buffered block-buffered no-block-buffered \
    no-config \
    max-columns-preview no-max-columns-preview ignore-messages no-ignore-messages no-pcre2 \
    no-auto-hybrid-regex no-pre no-encoding";

/// Which rules about files do not hold, without a line in the help.
const RULES: &str = "no-ignore-vcs no-ignore-dot no-ignore-exclude no-ignore-global no-ignore-parent no-ignore-files \
    no-require-git ignore-file-case-insensitive glob-case-insensitive";

/// See the module; the rules that are given.
#[derive(Clone, Debug)]
pub(super) struct AcceptedArgs(Vec<&'static str>);

impl AcceptedArgs {
    fn has(&self, rule: &str) -> bool {
        self.0.contains(&rule)
    }
}

impl Args for AcceptedArgs {
    fn augment_args(command: Command) -> Command {
        let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).hide(true);
        let undoing = UNDOING.split(' ').filter_map(|words| words.split_once(':'));
        let undoing = undoing.map(|(name, undone)| flag(name).overrides_with_all(undone.split(',')));
        let case = flag("case-sensitive").short('s').overrides_with_all(["ignore_case", "smart_case"]);
        let valued = |name: &'static str| Arg::new(name).long(name).hide(true);
        let valued_options = [valued("threads").short('j'), valued("dfa-size-limit"), case];
        let without_effect = WITHOUT_EFFECT.split(' ').map(flag);
        // Other engines and links are refused.
        let engine = valued("engine").value_parser(["default", "auto"]);
        let none = clap::builder::PossibleValue::new("none").alias("");
        let others = [engine, valued("hyperlink-format").value_parser([none])];
        let rules = RULES.split(' ').map(flag);
        command.args(undoing).args(without_effect).args(valued_options).args(others).args(rules)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for AcceptedArgs {
    fn from_arg_matches(given: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        Ok(AcceptedArgs(RULES.split(' ').filter(|rule| given.get_flag(rule)).collect()))
    }

    fn update_from_arg_matches(&mut self, _: &ArgMatches) -> std::result::Result<(), clap::Error> {
        Ok(())
    }
}

/// How lines that match are shown.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Lines that match")]
#[allow(clippy::struct_excessive_bools)]
pub(super) struct ShownArgs {
    /// Show only the matches, one a line; with --max-columns, with as much of the line around each
    #[arg(short = 'o', long)]
    pub(super) only_matching: bool,
    /// Show TEXT in place of each match; $1 and $name are groups of the pattern
    #[arg(short = 'r', long, value_name = "TEXT", value_parser = crate::args::input::os_value(), allow_hyphen_values = true)]
    replace: Option<OsString>,
    /// Show all lines, those without a match as context
    #[arg(long, alias = "passthrough", conflicts_with_all = ["last", "in", "since", "until"], overrides_with_all = ["context", "before_context", "after_context"])]
    pub(super) passthru: bool,
    /// Leave out white space at the beginning of lines
    #[arg(long)]
    trim: bool,
    /// Show no line numbers
    #[arg(short = 'N', long, overrides_with = "number")]
    no_line_number: bool,
    /// Put the place of the first match in the line, in bytes from 1, after the line number
    #[arg(long)]
    column: bool,
    #[arg(long, overrides_with = "column", hide = true)]
    no_column: bool,
    /// Put the offset of the line, or with -o of the match, after the line number
    #[arg(short = 'b', long)]
    byte_offset: bool,
    /// Show the line once for each match, with name, line and column
    #[arg(long)]
    vimgrep: bool,
    /// Put the name of the file before lines, in text; the default if there are several files
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    with_filename: bool,
    /// Put no name before lines
    #[arg(short = 'I', long)]
    no_filename: bool,
    /// Show the name of the file once, above its lines, in text
    #[arg(long)]
    pub(super) heading: bool,
    /// Colours, and in text names above lines
    #[arg(short = 'p', long)]
    pub(super) pretty: bool,
    /// Write SEPARATOR between groups of lines [default: --]
    #[arg(long, value_name = "SEPARATOR", value_parser = crate::args::input::os_value(), allow_hyphen_values = true)]
    context_separator: Option<OsString>,
    /// Lines end with \r\n: $ matches before it in every file, and so end the lines of -o
    #[arg(long)]
    crlf: bool,
    /// Write nothing between groups of lines
    #[arg(long, overrides_with = "context_separator")]
    no_context_separator: bool,
    /// Write SEPARATOR after names and numbers of lines that match [default: :]
    #[arg(long, value_name = "SEPARATOR", value_parser = crate::args::input::os_value(), allow_hyphen_values = true)]
    field_match_separator: Option<OsString>,
    /// Write SEPARATOR after names and numbers of lines of context [default: -]
    #[arg(long, value_name = "SEPARATOR", value_parser = crate::args::input::os_value(), allow_hyphen_values = true)]
    field_context_separator: Option<OsString>,
    /// Write SEPARATOR in place of / between the parts of paths, in raw and text
    #[arg(long, value_name = "SEPARATOR", value_parser = crate::args::input::os_value(), allow_hyphen_values = true)]
    path_separator: Option<OsString>,
    /// Colours as in rg: match:fg:magenta, line:none or path:style:bold; may be given several times
    #[arg(long, value_name = "SPEC")]
    colors: Vec<UserColorSpec>,
    /// --max-columns
    #[arg(short = 'M', value_name = "N", overrides_with = "max_columns", hide = true)]
    pub(super) columns: Option<u64>,
    /// End raw and text with the sums over all files; the other formats have them in the receipt
    #[arg(long)]
    pub(super) stats: bool,
}

impl ShownArgs {
    /// Refuses hashlines where lines are not shown as they are.
    pub(super) fn check_hash(&self) -> Result<()> {
        let parts = [
            (self.only_matching, "--only-matching"),
            (self.replace.is_some(), "--replace"),
            (self.trim, "--trim"),
            (self.vimgrep, "--vimgrep"),
        ];
        refuse(parts, |name| {
            Error::usage(format!("--hash is of whole lines, and {name} changes them"))
                .hint(format!("leave out {name}"))
        })
    }

    pub(super) fn replacement(&self) -> Option<&str> {
        self.replace.as_ref().and_then(|text| text.to_str())
    }

    /// What `-rn` and `-r -n` do, where somebody may have meant grep's options for directories and numbers.
    pub(super) fn note_grep_habit(&self) {
        let value = self.replacement().unwrap_or_default();
        let letters = value.strip_prefix('-').unwrap_or(value);
        if matches!(letters.len(), 1..=3) && letters.bytes().all(|byte| b"nilHhcwEFsI".contains(&byte)) {
            note(&format!(
                "-r {value} writes {value} in the place of each match, as in rg; directories need no -r"
            ));
        }
    }

    /// `no_names` puts nothing before lines; `null_data` is that of the output.
    pub(super) fn options(&self, no_names: bool, null_data: bool) -> LineOptions {
        let parts = match (self.only_matching, self.vimgrep) {
            (true, _) => LineParts::Matches,
            (_, true) => LineParts::LineForEachMatch,
            _ => LineParts::Line,
        };
        // The output exchanges NULs and newlines again.
        let written = |mut text: Vec<u8>| {
            swap_ends(if null_data { &mut text } else { &mut [] });
            text
        };
        let field = |text: &Option<OsString>| Some(written(unescaped(text.as_ref()?.as_encoded_bytes())));
        LineOptions {
            parts,
            trims: self.trim,
            no_numbers: self.no_line_number || no_names,
            column: self.column || self.vimgrep && !self.no_column,
            byte_offset: self.byte_offset,
            names: match (self.with_filename || self.vimgrep, self.no_filename || no_names) {
                (_, true) => Some(false),
                (true, _) => Some(true),
                _ => None,
            },
            heading: (self.heading || self.pretty) && !self.vimgrep,
            separator: field(&self.context_separator),
            no_separator: self.no_context_separator,
            match_field: field(&self.field_match_separator),
            context_field: field(&self.field_context_separator),
            replacement: self.replace.as_ref().map(|text| written(text.as_encoded_bytes().to_vec()).into()),
            colors: self.colors(),
            crlf: self.crlf,
            path_separator: field(&self.path_separator).filter(|text| !text.is_empty()),
        }
    }

    /// The colors of rg, changed as `--colors` says; without it, those of rread.
    fn colors(&self) -> LineColors {
        if self.colors.is_empty() {
            return LineColors::default();
        }
        let mut all = grep_printer::default_color_specs();
        all.extend(self.colors.iter().cloned());
        let specs = ColorSpecs::new(&all);
        let codes = |spec: &ColorSpec| {
            let mut codes = Ansi::new(Vec::new());
            // A vector takes everything.
            let _ = codes.set_color(spec);
            Cow::Owned(codes.into_inner())
        };
        let [path, number, column, matched] =
            [specs.path(), specs.line(), specs.column(), specs.matched()].map(codes);
        let matched = if specs.matched().is_none() { Cow::default() } else { matched };
        LineColors { path, number, column, matched }
    }

    /// The options that change the matches, for a search of the rest.
    pub(super) fn repeated(&self) -> Vec<(&'static str, Option<String>)> {
        let replace = self.replace.as_ref().map(|text| text.to_string_lossy().into_owned());
        let flags =
            [(self.only_matching, "o"), (self.trim, "trim"), (self.vimgrep, "vimgrep"), (self.crlf, "crlf")];
        let flags = flags.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| (name, None));
        flags.chain(replace.map(|text| ("r", Some(text)))).collect()
    }
}

/// `text` with the bytes that `\t`, `\n`, `\r`, `\0`, `\\` and `\xNN` stand for.
fn unescaped(mut text: &[u8]) -> Vec<u8> {
    const ESCAPES: [(u8, u8); 5] = [(b't', b'\t'), (b'n', b'\n'), (b'r', b'\r'), (b'0', 0), (b'\\', b'\\')];
    let mut bytes = Vec::with_capacity(text.len());
    while let [first, rest @ ..] = text {
        let escape = rest.first().and_then(|name| ESCAPES.iter().find(|(known, _)| known == name));
        let digits = rest.strip_prefix(b"x").and_then(|rest| rest.get(..2));
        let code = digits.and_then(|digits| data_encoding::HEXLOWER_PERMISSIVE.decode(digits).ok());
        let (byte, length) = match (first, escape, code.as_deref()) {
            (b'\\', Some((_, byte)), _) => (*byte, 2),
            (b'\\', _, Some([byte])) => (*byte, 4),
            _ => (*first, 1),
        };
        bytes.push(byte);
        text = &text[length..];
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_have_escapes() {
        for (text, bytes) in [
            (r"\x7C", &b"|"[..]),
            (r"a\tb", b"a\tb"),
            (r"\0\n\\", b"\0\n\\"),
            (r"\q\x7", br"\q\x7"),
            ("é", "é".as_bytes()),
            ("", b""),
        ] {
            assert_eq!(unescaped(text.as_bytes()), bytes, "{text}");
        }
    }
}
