//! Options of rg that undo another one, or name what `rread search` always does. They have no help of their own.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

/// An option that undoes others, whose names in the parser follow. The one that is given last counts.
const UNDOING: &[(&str, Option<char>, &[&str])] = &[
    ("no-hidden", None, &["hidden"]),
    ("ignore", None, &["no_ignore"]),
    ("ignore-vcs", None, &["no_ignore_vcs"]),
    ("ignore-dot", None, &["no_ignore_dot"]),
    ("ignore-exclude", None, &["no_ignore_exclude"]),
    ("ignore-global", None, &["no_ignore_global"]),
    ("ignore-parent", None, &["no_ignore_parent"]),
    ("ignore-files", None, &["no_ignore_files"]),
    ("require-git", None, &["no_require_git"]),
    ("no-ignore-file-case-insensitive", None, &["ignore_file_case_insensitive"]),
    ("no-glob-case-insensitive", None, &["glob_case_insensitive"]),
    ("no-follow", None, &["follow"]),
    ("no-one-file-system", None, &["one_file_system"]),
    ("no-binary", None, &["binary"]),
    ("sort-files", None, &["sort", "sortr"]),
    ("no-sort-files", None, &["sort", "sortr"]),
    ("messages", None, &["no_messages"]),
    ("case-sensitive", Some('s'), &["ignore_case", "smart_case"]),
    ("no-fixed-strings", None, &["fixed_strings"]),
    ("no-invert-match", None, &["invert_match"]),
    ("no-text", None, &["text"]),
    ("no-multiline", None, &["multiline"]),
    ("no-multiline-dotall", None, &["multiline_dotall"]),
    ("unicode", None, &["no_unicode"]),
    ("line-number", None, &["no_line_number"]),
    ("no-trim", None, &["trim"]),
    ("no-byte-offset", None, &["byte_offset"]),
    ("no-heading", None, &["heading", "pretty"]),
    ("no-include-zero", None, &["include_zero"]),
    ("no-stats", None, &["stats"]),
];

/// An option without effect, and whether it has a value.
const WITHOUT_EFFECT: &[(&str, Option<char>, bool)] = &[
    ("mmap", None, false),
    ("no-mmap", None, false),
    ("threads", Some('j'), true),
    ("line-buffered", None, false),
    ("no-line-buffered", None, false),
    ("block-buffered", None, false),
    ("no-block-buffered", None, false),
    ("no-config", None, false),
    ("crlf", None, false),
    ("no-crlf", None, false),
    ("max-columns-preview", None, false),
    ("no-max-columns-preview", None, false),
    ("ignore-messages", None, false),
    ("no-ignore-messages", None, false),
    ("no-pcre2", None, false),
    ("no-auto-hybrid-regex", None, false),
    ("no-pre", None, false),
    ("no-encoding", None, false),
    ("dfa-size-limit", None, true),
];

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct AcceptedArgs;

impl Args for AcceptedArgs {
    fn augment_args(command: Command) -> Command {
        let undoing = UNDOING.iter().map(|(long, short, undone)| {
            let arg = Arg::new(*long).long(*long).action(ArgAction::SetTrue).hide(true);
            short.iter().fold(arg.overrides_with_all(undone.iter().copied()), |arg, short| arg.short(*short))
        });
        let without_effect = WITHOUT_EFFECT.iter().map(|(long, short, has_value)| {
            let action = if *has_value { ArgAction::Set } else { ArgAction::SetTrue };
            let arg = Arg::new(*long).long(*long).action(action).hide(true);
            short.iter().fold(arg, |arg, short| arg.short(*short))
        });
        // Other engines are refused.
        let engine = Arg::new("engine").long("engine").value_parser(["default", "auto"]).hide(true);
        command.args(undoing).args(without_effect).arg(engine)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for AcceptedArgs {
    fn from_arg_matches(_: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        Ok(AcceptedArgs)
    }

    fn update_from_arg_matches(&mut self, _: &ArgMatches) -> std::result::Result<(), clap::Error> {
        Ok(())
    }
}
