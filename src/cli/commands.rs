//! The subcommands, one row each: name, options, Cargo feature.

use std::ffi::OsString;

use clap::{Args, Subcommand};

use crate::args::OutputArgs;
use crate::cmd::{
    bytes::BytesArgs, call::CallArgs, capture::CaptureCommand, doctor::DoctorArgs, follow::FollowArgs,
    image::ImageArgs, index::IndexCommand, lines::LinesArgs, mcp::McpArgs, page::PageArgs,
    ranges::RangesArgs, search::SearchArgs, select::SelectArgs, stat::StatArgs, verify::VerifyArgs,
    view::ViewerArgs, where_::WhereArgs, worker::WorkerArgs,
};
use rread_source::spelling::nearest;
use rread_text::{Error, Result};

/// Makes the enum, its methods and the lists of names from rows of `Variant "name" Args [output]`; `places` are the
/// options that say what RANGES says, `feature` is the Cargo feature that the command needs.
macro_rules! commands {
    ($($variant:ident $name:literal $args:ident [$($output:tt)*]
        $(, places $place:literal)* $(, feature $feature:literal)?;)*) => {
        // One value is made at each start, and moved once.
        #[allow(clippy::large_enum_variant)]
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $(#[command(name = $name)] $variant($args),)*
        }

        impl Command {
            pub(crate) fn output(&self) -> &OutputArgs {
                match self { $(Command::$variant(args) => &args.$($output)*,)* }
            }

            pub(crate) fn run(self) -> Result<u8> {
                match self { $(Command::$variant(args) => args.run().map(Code::code),)* }
            }
        }

        const ROWS: &[Row] = &[$(Row {
            name: $name,
            is_built: true $(&& cfg!(feature = $feature))?,
            places: &[$($place),*],
            guide: include_str!(concat!("../agent/", $name, ".txt")),
            parser: || <$args>::augment_args(clap::Command::new($name)),
        },)*];

        pub(super) const GENERATED: &[&str] =
            &["man", $(concat!("man-", $name),)* "bash", "zsh", "fish", "powershell", "elvish"];
    };
}

commands! {
    Bytes "bytes" BytesArgs [output], places "start_byte", places "end_byte";
    Lines "lines" LinesArgs [output], places "offset", places "limit";
    Ranges "ranges" RangesArgs [output];
    Search "search" SearchArgs [output];
    Follow "follow" FollowArgs [output];
    Page "page" PageArgs [output], places "all";
    Stat "stat" StatArgs [output];
    Where "where" WhereArgs [output];
    Verify "verify" VerifyArgs [output];
    Capture "capture" CaptureCommand [output()];
    Image "image" ImageArgs [output];
    Select "select" SelectArgs [format], feature "sql";
    Index "index" IndexCommand [output()];
    View "view" ViewerArgs [output], feature "view";
    Doctor "doctor" DoctorArgs [output];
    Call "call" CallArgs [output];
    Mcp "mcp" McpArgs [output], feature "mcp";
    Worker "worker" WorkerArgs [output], feature "cluster";
}

/// Options that need a Cargo feature, and whether it is built in.
const OPTIONS: [(&str, bool); 8] = [
    ("retries", cfg!(feature = "cloud")),
    ("anonymous", cfg!(feature = "cloud")),
    ("http-header", cfg!(feature = "cloud")),
    ("highlight", cfg!(feature = "highlight")),
    ("sheet", cfg!(feature = "documents")),
    ("workers", cfg!(feature = "cluster")),
    ("token_file", cfg!(feature = "cluster")),
    ("tls_ca", cfg!(feature = "cluster")),
];

/// Commands with more options show fewer of them in their short help.
const MANY: usize = 34;

/// Options that the short help of such a command leaves out.
const RARE: &str = "anonymous ansi binary byte-offset color column comment context-separator count-matches encode \
    escape expect expect-prefix field-context-separator field-match-separator files-without-match follow hash-style \
    hash-width heading highlight http-header iglob ignore-file include-zero invalid line-regexp max-depth max-filesize \
    max-tokens messages multiline-dotall no-context-separator no-decompress no-filename no-header no-ignore-vcs no-index \
    no-line-number no-messages no-partitions no-path no-unicode null one-file-system pad passthru pretty print0 quote \
    retries scan schema skip-bad skip-lines skip-unreadable slack smart-case sort sortr stats stream thousands timeout \
    tls-ca token-file trim type-add type-clear type-list type-not unrestricted vimgrep with-filename workers xml year";

struct Row {
    name: &'static str,
    is_built: bool,
    places: &'static [&'static str],
    /// The page of `rread help agent COMMAND`.
    guide: &'static str,
    parser: fn() -> clap::Command,
}

/// The exit code of what a command returns; only `capture` has one of its own.
trait Code {
    fn code(self) -> u8;
}

impl Code for () {
    fn code(self) -> u8 {
        0
    }
}

impl Code for u8 {
    fn code(self) -> u8 {
        self
    }
}

pub(super) fn is_command(name: &str) -> bool {
    ROWS.iter().any(|row| row.name == name)
}

pub(super) fn built_commands() -> impl Iterator<Item = &'static str> {
    ROWS.iter().filter(|row| row.is_built).map(|row| row.name)
}

pub(super) fn parser_of(name: &str) -> Option<clap::Command> {
    let row = ROWS.iter().find(|row| row.name == name)?;
    // With several FILEs, a word in the place of RANGES may be a file: whether they conflict is decided later.
    let freed = |command: clap::Command, place: &&'static str| {
        command.mut_arg(*place, |arg| arg.conflicts_with(clap::builder::Resettable::Reset))
    };
    let subcommand = row.places.iter().fold((row.parser)(), freed);
    Some(clap::Command::new("rread").args_override_self(true).subcommand(subcommand))
}

/// `program` with help that leaves out what this build lacks. Man pages and completions do not go through here.
pub(super) fn hide_missing(program: clap::Command) -> clap::Command {
    let is_missing = |name: &str| ROWS.iter().any(|row| row.name == name && !row.is_built);
    program.mut_subcommands(move |command| {
        let hidden = is_missing(command.get_name());
        hide_options(command.hide(hidden))
    })
}

fn hide_options(command: clap::Command) -> clap::Command {
    let is_missing =
        |arg: &clap::Arg| OPTIONS.iter().any(|(name, is_built)| arg.get_id() == name && !is_built);
    let command = command.mut_args(|arg| if is_missing(&arg) { arg.hide(true) } else { arg });
    let seen = command.get_arguments().filter(|arg| !arg.is_hide_set()).count();
    let command = if seen > MANY { shorten(command) } else { command };
    command.mut_subcommands(hide_options)
}

/// Leaves rare options out of the short help, which says how many there are.
fn shorten(command: clap::Command) -> clap::Command {
    let is_rare =
        |arg: &clap::Arg| arg.get_long().is_some_and(|name| RARE.split_whitespace().any(|rare| rare == name));
    let count = command.get_arguments().filter(|arg| is_rare(arg) && !arg.is_hide_set()).count();
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let more = format!("{examples}\n\n{count} more options: rread {} --help", command.get_name());
    command
        .mut_args(|arg| {
            let rare = is_rare(&arg);
            arg.hide_short_help(rare)
        })
        .after_long_help(examples)
        .after_help(more)
}

/// The text that `args` ask for, which is `guide` without a command; `None` if they do not begin with `help agent`.
pub(crate) fn agent_guide(args: &[OsString], guide: &str) -> Option<Result<String>> {
    let [_, help, agent, names @ ..] = args else { return None };
    if help != "help" || agent != "agent" {
        return None;
    }
    let page = |name: &OsString| {
        let name = name.to_string_lossy();
        let row = ROWS.iter().find(|row| row.name == name);
        row.map(|row| row.guide).ok_or_else(|| unknown_command_error(&name))
    };
    if names.is_empty() { Some(Ok(guide.to_owned())) } else { Some(names.iter().map(page).collect()) }
}

fn unknown_command_error(name: &str) -> Error {
    let commands: Vec<&str> = built_commands().collect();
    let near = nearest(name, built_commands().map(str::to_owned));
    let message = format!("'{name}' is not a command: {}", commands.join(", "));
    Error::usage(message).hint(format!("rread help agent {}", near.as_deref().unwrap_or("lines")))
}
