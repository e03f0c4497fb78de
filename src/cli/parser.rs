//! The command line of the program, and the words of `argv` before clap parses them.

use std::ffi::OsString;
use std::mem::ManuallyDrop;
use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};

use super::commands::{Command, GENERATED, hide_missing, is_command, parser_of};
use crate::args::input::{is_place, names_file};
use rread_text::{Unit, parse_list};

/// Read a slice of a text file of any size, and say exactly what was returned
///
/// A slice is a range of lines or of bytes, or many ranges of both. Files may be larger than memory; memory use
/// stays the same. The receipt says what was asked, what was returned, why they differ and how to go on.
#[derive(Debug, Parser)]
// An option that is given twice counts as it comes last.
#[command(name = "rread", version, after_help = after_help(), args_override_self = true)]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Print the JSON Schema of every answer and of errors, or the tools for agents in the form of function calling
    #[arg(long, value_enum, value_name = "OF", num_args = 0..=1, default_missing_value = "answers")]
    pub(crate) schema: Option<SchemaOf>,
    /// Print a guide for agents: which command to call, how to read a receipt and how to go on
    ///
    /// rread help agent COMMAND prints a page about one command.
    #[arg(long)]
    pub(crate) help_agent: bool,
    /// Print a man page or a shell completion
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(GENERATED))]
    pub(crate) generate: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// JSON Schema of answers and errors
    Answers,
    /// JSON array of the tools of rread call and rread mcp: name, description, parameters
    Tools,
}

/// The text below the options in `rread --help`, with the kinds of FILE that this build reads.
fn after_help() -> String {
    let cloud = if cfg!(feature = "cloud") {
        "\n  s3://BUCKET/KEY   gs://BUCKET/KEY   az://CONTAINER/BLOB   https://HOST/PATH
  s3://BUCKET/logs/   's3://BUCKET/**/*.gz' (objects below a prefix, and of a pattern)"
    } else {
        ""
    };
    let sqlite =
        if cfg!(feature = "sqlite") { "\n  sqlite:DATABASE?table=TABLE&key=KEY&column=COLUMN" } else { "" };
    let documents = if cfg!(feature = "documents") {
        "\n  PDF, notebooks, web pages, office files, books and compressed files are read as text."
    } else {
        ""
    };
    format!(
        "Without a command, rread FILE [RANGES] is rread lines FILE [RANGES].

Files:
  PATH   - (standard input)   fd:N (a capture)   tar:logs.tar.gz/path   zip:bundle.zip/path{cloud}{sqlite}{documents}

Ranges:
  lines   numbered from 1, end included:      100:120  100:+21  :50  7  -20:  :-20  1:5,40:45
  bytes   numbered from 0, end not included:  0:4096  4KiB:+512  -1MiB:  bytes=0-499

Exit codes:
  0 delivered   1 no match   2 usage or range   3 cannot be read   4 binary
  5 out of range   6 invalid text   7 changed   8 cannot be written"
    )
}

/// `args` with `lines` inserted where `rread FILE [RANGES]` leaves out the command.
pub(crate) fn with_command(mut args: Vec<OsString>) -> Vec<OsString> {
    const OWN: [&str; 8] =
        ["help", "--help", "-h", "--version", "-V", "--schema", "--help-agent", "--generate"];
    let Some(first) = args.get(1) else { return args };
    let name = first.to_str().unwrap_or_default();
    if is_command(name) || OWN.contains(&name.split('=').next().unwrap_or_default()) {
        return args;
    }
    // Options or a range may come before FILE.
    let comes_first = || name.starts_with('-') || parse_list(name, Unit::Lines).is_ok();
    let mut later = args.iter().skip(2);
    let is_url = |word: &OsString| word.to_str().is_some_and(|word| word.starts_with("file://"));
    let is_there = |word: &OsString| Path::new(word).is_dir() || names_file(word) || is_url(word);
    // Options may come before the command too.
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

/// Parses `args`, which begin with the name of the program.
///
/// If a subcommand comes first, only its parser is made: making all of them takes longer than most answers.
pub(crate) fn parse(args: &[OsString]) -> std::result::Result<Cli, clap::Error> {
    let alone = args.get(1).and_then(|name| name.to_str()).and_then(parser_of);
    let parser = alone.unwrap_or_else(Cli::command);
    // Without `bin_name`, clap takes the name of the executable, which has an extension on Windows. Dropping the parser
    // and the matches takes time and frees little.
    let mut parser = ManuallyDrop::new(parser.bin_name("rread"));
    let matches = parser.try_get_matches_from_mut(args).or_else(|error| match error.kind() {
        ErrorKind::DisplayHelp => hide_missing((*parser).clone()).try_get_matches_from(args),
        _ => Err(error),
    });
    let matches = ManuallyDrop::new(matches?);
    if parser.get_arguments().any(|arg| arg.get_id() == "schema") {
        return Cli::from_arg_matches(&matches);
    }
    let command = Some(Command::from_arg_matches(&matches)?);
    Ok(Cli { command, schema: None, help_agent: false, generate: None })
}

/// Puts a blank before a place from the end, such as `-20:`, so that clap does not take it for an option. The range
/// grammar ignores the blank, and [`crate::args::input`] removes it from names of files.
pub(crate) fn shield_places(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut shielded: Vec<OsString> = Vec::new();
    let mut only_names = false;
    for arg in args {
        // -0 is an option there, as in grep.
        let is_null = arg == "-0" && shielded.get(1).is_some_and(|command| command == "search");
        let bytes = arg.as_encoded_bytes();
        only_names |= bytes == b"--";
        // A name that begins with a blank gets another one, because `args::file` removes one.
        let begins_blank = bytes.first().is_some_and(u8::is_ascii_whitespace);
        let needs_blank = is_place(bytes) && !is_null && (!only_names || begins_blank);
        let mut word = OsString::from(if needs_blank { " " } else { "" });
        word.push(arg);
        shielded.push(word);
    }
    shielded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subcommand_parsed_alone_has_the_help_it_has_among_the_others() {
        let mut all = Cli::command();
        all.build();
        let named: Vec<&clap::Command> =
            all.get_subcommands().filter(|sub| sub.get_name() != "help").collect();
        assert!(named.len() > 10);
        for among in named {
            let name = among.get_name();
            let mut alone = parser_of(name).unwrap_or_else(|| panic!("{name} has no parser"));
            alone.build();
            let alone = alone.find_subcommand_mut(name).unwrap();
            let help = |command: &clap::Command| command.clone().render_long_help().to_string();
            assert_eq!(help(alone), help(among));
            let usage = |command: &clap::Command| command.clone().render_usage().to_string();
            assert_eq!(usage(alone), usage(among));
        }
    }

    #[test]
    fn help_shows_what_is_built_in() {
        let mut program = hide_missing(Cli::command());
        program.build();
        let help = program.render_long_help().to_string();
        assert_eq!(help.contains("\n  select "), cfg!(feature = "sql"), "{help}");
        assert!(parser_of("select").is_some(), "typing it names the missing feature");
        for command in ["lines", "stat", "index"] {
            let command = program.find_subcommand(command).unwrap();
            let command = command.find_subcommand("build").unwrap_or(command);
            let help = command.clone().render_long_help().to_string();
            assert_eq!(help.contains("--anonymous"), cfg!(feature = "cloud"), "{help}");
            assert!(help.contains("--timeout"), "{help}");
            let is_painted = cfg!(feature = "highlight") && command.get_name() == "lines";
            assert_eq!(help.contains("--highlight"), is_painted, "{help}");
        }
    }
}
