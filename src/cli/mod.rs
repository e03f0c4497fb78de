//! The command line: what was typed, and the parser of the subcommand that it names.

mod complaint;
mod habits;
mod programs;
mod readings;
mod typed;

use std::ffi::OsString;
use std::mem::ManuallyDrop;
use std::path::Path;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::args::OutputArgs;
use crate::args::file::names_file;
use crate::cmd::{
    bytes::BytesArgs, capture::CaptureCommand, image::ImageArgs, index::IndexCommand, lines::LinesArgs,
    page::PageArgs, ranges::RangesArgs, select::SelectArgs, stat::StatArgs, verify::VerifyArgs,
    where_::WhereArgs,
};
use crate::error::Result;
use crate::range::{Unit, parse_list};

pub(crate) use complaint::{complaint, no_command, wants_json};
pub(crate) use habits::{advised, check};

/// Read a slice of a text file of any size, and say exactly what was returned
///
/// A slice is a range of lines or of bytes, or many ranges of both. Files may be larger than memory; memory use
/// stays the same. The receipt says what was asked, what was returned, why they differ and how to go on.
#[derive(Debug, Parser)]
#[command(name = "rread", version, after_help = AFTER_HELP)]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Print the JSON Schema of every answer and of errors, or the commands as tools for function calling
    #[arg(long, value_enum, value_name = "OF", num_args = 0..=1, default_missing_value = "answers")]
    pub(crate) schema: Option<SchemaOf>,
    /// Print a guide for agents: which command to call, how to read a receipt and how to go on
    #[arg(long)]
    pub(crate) help_agent: bool,
    /// Print a man page or a shell completion
    #[arg(long, value_name = "WHAT", value_parser = GENERATED)]
    pub(crate) generate: Option<String>,
}

/// What can be described for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// JSON Schema of answers and errors
    Answers,
    /// JSON array of tools: name, description, parameters
    Tools,
}

/// What can be generated: man pages and completions.
const GENERATED: [&str; 17] = [
    "man",
    "man-bytes",
    "man-lines",
    "man-ranges",
    "man-page",
    "man-stat",
    "man-where",
    "man-verify",
    "man-capture",
    "man-image",
    "man-select",
    "man-index",
    "bash",
    "zsh",
    "fish",
    "powershell",
    "elvish",
];

const AFTER_HELP: &str = "Without a command, rread FILE [RANGES] is rread lines FILE [RANGES].

Files:
  a path, - (standard input), fd:N (a capture), with the Cargo feature cloud a URL:
  s3://BUCKET/KEY   gs://BUCKET/KEY   az://CONTAINER/BLOB   https://HOST/PATH
  and with the Cargo feature sqlite in a database:
  sqlite:archive.sqlar/path/in/it   sqlite:DATABASE?table=TABLE&key=KEY&column=COLUMN

Ranges:
  lines   numbered from 1, end included:      100:120  100:+21  :50  7  -20:  :-20  1:5,40:45
  bytes   numbered from 0, end not included:  0:4096  4KiB:+512  -1MiB:  bytes=0-499

Exit codes:
  0 delivered   1 a clean no   2 usage or range   3 cannot be read   4 binary
  5 out of range   6 invalid text   7 changed   8 cannot be written";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Bytes(BytesArgs),
    Lines(LinesArgs),
    Ranges(RangesArgs),
    Page(PageArgs),
    Stat(StatArgs),
    Where(WhereArgs),
    Verify(VerifyArgs),
    Capture(CaptureCommand),
    Image(ImageArgs),
    Select(SelectArgs),
    Index(IndexCommand),
}

impl Command {
    /// How the answer, and so an error, is written.
    pub(crate) fn output(&self) -> &OutputArgs {
        match self {
            Command::Bytes(args) => args.output(),
            Command::Lines(args) => args.output(),
            Command::Ranges(args) => args.output(),
            Command::Page(args) => args.output(),
            Command::Stat(args) => args.output(),
            Command::Where(args) => args.output(),
            Command::Verify(args) => args.output(),
            Command::Capture(args) => args.output(),
            Command::Image(args) => args.output(),
            Command::Select(args) => args.output(),
            Command::Index(args) => args.output(),
        }
    }

    /// Answers; returns the exit code of one that is complete.
    pub(crate) fn run(self) -> Result<u8> {
        let answered = match self {
            Command::Capture(args) => return args.run(),
            Command::Bytes(args) => args.run(),
            Command::Lines(args) => args.run(),
            Command::Ranges(args) => args.run(),
            Command::Page(args) => args.run(),
            Command::Stat(args) => args.run(),
            Command::Where(args) => args.run(),
            Command::Verify(args) => args.run(),
            Command::Image(args) => args.run(),
            Command::Select(args) => args.run(),
            Command::Index(args) => args.run(),
        };
        answered.map(|()| 0)
    }
}

/// The commands. The name of one is never taken for the name of a file.
const COMMANDS: [&str; 11] =
    ["bytes", "lines", "ranges", "page", "stat", "where", "verify", "capture", "image", "select", "index"];

fn is_command(name: &str) -> bool {
    COMMANDS.contains(&name)
}

/// `args` with the command that goes without saying: `rread FILE [RANGES]` means `lines`.
pub(crate) fn with_command(mut args: Vec<OsString>) -> Vec<OsString> {
    const OWN: [&str; 10] = [
        "help",
        "--help",
        "-h",
        "--version",
        "-V",
        "--schema",
        "--help-agent",
        "--generate",
        "capture",
        "index",
    ];
    let Some(first) = args.get(1) else { return args };
    let name = first.to_str().unwrap_or_default();
    if is_command(name) || OWN.contains(&name.split('=').next().unwrap_or_default()) {
        return args;
    }
    // Options, or a range that stands before its file.
    let comes_first = || name.starts_with('-') || parse_list(name, Unit::Lines).is_ok();
    let mut later = args.iter().skip(2);
    let is_there = |word: &OsString| Path::new(word).is_dir() || names_file(word);
    // Options may stand before the command too.
    let is_next = |word: &OsString| word.to_str().is_some_and(is_command);
    let ends = |word: &OsString| word == "--" || is_next(word) || is_there(word);
    if name.starts_with('-')
        && let Some((at, _)) = args.iter().enumerate().skip(1).find(|(_, word)| ends(word))
        && is_next(&args[at])
    {
        let command = args.remove(at);
        args.insert(1, command);
        return args;
    }
    if is_there(first) || comes_first() && later.any(is_there) {
        args.insert(1, OsString::from("lines"));
    }
    args
}

/// Understands `args`, the first of which is the name of the program.
///
/// Where they name a subcommand first, its parser alone is made: making those of all takes longer than most answers.
pub(crate) fn parse(args: &[OsString]) -> std::result::Result<Cli, clap::Error> {
    let alone = args.get(1).and_then(|name| name.to_str()).and_then(parser_of);
    // Neither parser nor matches are of use again, and taking them apart costs more than it gives back.
    let parser = alone.unwrap_or_else(Cli::command);
    // Else it would be that of its file, which has an extension on Windows.
    let mut parser = ManuallyDrop::new(parser.bin_name("rread"));
    let matches = ManuallyDrop::new(parser.try_get_matches_from_mut(args)?);
    if parser.get_arguments().any(|arg| arg.get_id() == "schema") {
        return Cli::from_arg_matches(&matches);
    }
    let command = Some(Command::from_arg_matches(&matches)?);
    Ok(Cli { command, schema: None, help_agent: false, generate: None })
}

/// `subcommand` with places as flags also beside several FILEs: which of the words are RANGES is found out later.
fn with_files(subcommand: clap::Command, flags: &[&'static str]) -> clap::Command {
    let freed = |command: clap::Command, flag: &&'static str| {
        command.mut_arg(*flag, |arg| arg.conflicts_with(clap::builder::Resettable::Reset))
    };
    flags.iter().fold(subcommand, freed)
}

/// The parser of the program with no subcommand but `name`; `None` where that is none.
fn parser_of(name: &str) -> Option<clap::Command> {
    let subcommand = match name {
        "bytes" => {
            with_files(BytesArgs::augment_args(clap::Command::new("bytes")), &["start_byte", "end_byte"])
        }
        "lines" => with_files(LinesArgs::augment_args(clap::Command::new("lines")), &["offset", "limit"]),
        "ranges" => RangesArgs::augment_args(clap::Command::new("ranges")),
        "page" => with_files(PageArgs::augment_args(clap::Command::new("page")), &["all"]),
        "stat" => StatArgs::augment_args(clap::Command::new("stat")),
        "where" => WhereArgs::augment_args(clap::Command::new("where")),
        "verify" => VerifyArgs::augment_args(clap::Command::new("verify")),
        "capture" => CaptureCommand::augment_args(clap::Command::new("capture")),
        "image" => ImageArgs::augment_args(clap::Command::new("image")),
        "select" => SelectArgs::augment_args(clap::Command::new("select")),
        "index" => IndexCommand::augment_args(clap::Command::new("index")),
        _ => return None,
    };
    Some(clap::Command::new("rread").subcommand(subcommand))
}

/// Keeps clap from taking a place from the end, such as `-20:`, for a flag: no flag of ours starts
/// with a digit, and the range grammar passes over the blank that is put before it. Names of files lose it
/// again in [`crate::args::file`].
pub(crate) fn shield_places(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut shielded = Vec::new();
    let mut only_names = false;
    for arg in args {
        let bytes = arg.as_encoded_bytes();
        only_names |= bytes == b"--";
        let plain = bytes.trim_ascii_start();
        let is_place = matches!(plain, [b'-', b'0'..=b'9', ..]);
        // A name that has blanks of its own gets one more, so that the one taken off is ours.
        if is_place && (!only_names || plain.len() < bytes.len()) {
            let mut with_blank = OsString::from(" ");
            with_blank.push(arg);
            shielded.push(with_blank);
        } else {
            shielded.push(arg);
        }
    }
    shielded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subcommand_alone_is_what_it_is_among_the_others() {
        let mut all = Cli::command();
        all.build();
        let named: Vec<&clap::Command> =
            all.get_subcommands().filter(|sub| sub.get_name() != "help").collect();
        let names: Vec<&str> = named.iter().map(|command| command.get_name()).collect();
        assert_eq!(names, COMMANDS);
        for among in named {
            let name = among.get_name();
            let mut alone = parser_of(name).unwrap_or_else(|| panic!("{name} has no parser of its own"));
            alone.build();
            let alone = alone.find_subcommand_mut(name).unwrap();
            let help = |command: &clap::Command| command.clone().render_long_help().to_string();
            assert_eq!(help(alone), help(among));
            let usage = |command: &clap::Command| command.clone().render_usage().to_string();
            assert_eq!(usage(alone), usage(among));
        }
    }

    #[test]
    fn the_program_has_one_name_whatever_its_file_has() {
        for file in ["rread.exe", "rr", "rread"] {
            let refused = |line: &str| -> String {
                let args: Vec<OsString> =
                    [file].into_iter().chain(line.split(' ')).map(OsString::from).collect();
                complaint(&parse(&args).unwrap_err(), &args).unwrap().hint.unwrap()
            };
            assert_eq!(refused("lines f --frob"), "rread lines --help");
            assert_eq!(refused("--frob"), "rread --help");
        }
    }
}
