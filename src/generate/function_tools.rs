//! The subcommands as tools for function calling, made from the definition of the parser.
//!
//! The last line of a tool's description says how a call becomes a command line: the words before `OPTIONS`; then
//! `--name=value` for each property that the line does not name (`-` for `_`; `--name` alone for true, nothing for false
//! and null, one option for each item of an array); then `--` and the values of the named properties, in their order.

use std::any::TypeId;

use clap::builder::PossibleValue;
use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory};
use serde::{Serialize, Serializer};

use crate::cli::{Cli, built_commands};
use rread_text::error::{Error, Kind, Result, listed};
use rread_text::range::parse_size;

/// Options that no tool has, with the reason.
pub const LEFT_OUT: [(&str, &str); 13] = [
    ("help", "the description is the help"),
    ("version", "it is not about a file"),
    ("color", "a program is not a terminal"),
    ("highlight", "a program is not a terminal"),
    ("json", "short for format"),
    ("raw", "short for format"),
    ("xml", "short for format"),
    ("pager", "a program is not a terminal"),
    ("numbers", "short for page"),
    ("pretty", "a program is not a terminal"),
    ("unrestricted", "short for no_ignore, hidden and binary"),
    ("list_files", "the files of the call have its name"),
    ("more", "a call is about one file; ranges takes several"),
];

/// Every option takes one of these values. They serve to find out which options need others.
const SAMPLES: [&str; 5] = ["1", "4", "1s", "0-0-0-0-0", "1#000000"];

/// A tool for function calling; vendors have different names for `parameters`.
#[derive(Debug, Serialize)]
struct FunctionTool {
    name: String,
    description: String,
    parameters: Parameters,
}

#[derive(Debug, Serialize)]
struct Parameters {
    r#type: &'static str,
    #[serde(serialize_with = "in_order")]
    properties: Vec<(String, Property)>,
    required: Vec<String>,
    #[serde(rename = "additionalProperties")]
    additional_properties: bool,
}

#[derive(Debug, Default, Serialize)]
struct Property {
    r#type: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    #[serde(rename = "enum", skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Box<Property>>,
    #[serde(rename = "minItems", skip_serializing_if = "Option::is_none")]
    min_items: Option<u8>,
}

fn in_order<S: Serializer>(
    properties: &[(String, Property)],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_map(properties.iter().map(|(name, property)| (name, property)))
}

/// The JSON array of tools, one for each subcommand that is built in.
pub fn tools() -> Result<String> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let mut tools = Vec::new();
    // A server and a viewer are not calls.
    for command in built_commands()
        .filter(|name| !["mcp", "view", "worker"].contains(name))
        .filter_map(|name| program.find_subcommand(name))
    {
        collect(command, &[program.get_name(), command.get_name()], &mut tools);
    }
    let text = serde_json::to_string_pretty(&tools)
        .map_err(|cause| Error::new(Kind::Io, format!("cannot write the tools: {cause}")))?;
    Ok(text + "\n")
}

/// Adds the tools of `command`, which `words` name, and of its subcommands.
fn collect(command: &Command, words: &[&str], tools: &mut Vec<FunctionTool>) {
    if !command.is_subcommand_required_set() {
        tools.push(Tried(command.clone()).tool(words));
    }
    for below in command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help")
    {
        collect(below, &[words, &[below.get_name()]].concat(), tools);
    }
}

/// A command, tried with sample arguments: clap does not report which values it takes and which options need others.
struct Tried(Command);

impl Tried {
    fn tool(&self, words: &[&str]) -> FunctionTool {
        let arguments: Vec<&Arg> = self.0.get_arguments().filter(|arg| is_listed(arg)).collect();
        let (places, options): (Vec<&Arg>, Vec<&Arg>) =
            arguments.iter().partition(|argument| argument.is_positional());
        // A call by name cannot leave out a positional argument that has others after it.
        let last = places.last().map(|arg| arg.get_id());
        let required = places.iter().filter(|arg| arg.is_required_set() || Some(arg.get_id()) != last);
        let least: Vec<&Arg> =
            required.chain(options.iter().filter(|arg| arg.is_required_set())).copied().collect();
        let needed = self.remedies(&least, &arguments);
        let about =
            self.0.get_long_about().or(self.0.get_about()).map(ToString::to_string).unwrap_or_default();
        let mut description = about.replacen("\n\n", ".\n", 1).replace("\n\n", "\n");
        if !needed.is_empty() {
            description += &format!(" Needs {}.", names(&needed));
        }
        let names = places.iter().map(|arg| format!(" {}", name(arg))).collect::<String>();
        description += &format!("\nCommand line: {} OPTIONS --{names}", words.join(" "));
        let base: Vec<&Arg> = least.iter().chain(needed.first()).copied().collect();
        let property = |arg: &&Arg| (name(arg), self.property(arg, &base, &arguments));
        FunctionTool {
            name: words.join("_").replace('-', "_"),
            description,
            parameters: Parameters {
                r#type: "object",
                properties: places.iter().chain(&options).map(property).collect(),
                required: least.iter().map(|arg| name(arg)).collect(),
                additional_properties: false,
            },
        }
    }

    fn property(&self, arg: &Arg, base: &[&Arg], all: &[&Arg]) -> Property {
        let mut value = self.value(arg);
        let values = arg.get_possible_values();
        let mut description = arg.get_help().map(ToString::to_string).unwrap_or_default();
        if arg.get_action().takes_values() && values.iter().any(|value| value.get_help().is_some()) {
            let lines: Vec<String> =
                values.iter().filter(|value| !value.is_hide_set()).map(describe).collect();
            description += &format!(". {}", lines.join("; "));
        }
        let conflicts: Vec<&Arg> = all
            .iter()
            .copied()
            .filter(|other| self.conflict(arg, other) || self.conflict(other, arg))
            .collect();
        if !conflicts.is_empty() {
            description += &format!(". Not with {}", names(&conflicts));
        }
        if !base.iter().any(|one| one.get_id() == arg.get_id()) {
            let needed = self.remedies(&[base, &[arg]].concat(), all);
            if !needed.is_empty() {
                description += &format!(". Needs {}", names(&needed));
            }
        }
        if !is_repeated(arg) {
            return Property { description, ..value };
        }
        value.default = None;
        let min_items = arg.is_required_set().then_some(1);
        Property {
            r#type: "array",
            description,
            items: Some(Box::new(value)),
            min_items,
            ..Property::default()
        }
    }

    fn value(&self, arg: &Arg) -> Property {
        if !arg.get_action().takes_values() {
            return Property { r#type: "boolean", ..Property::default() };
        }
        let default = arg.get_default_values().first().map(|value| value.to_string_lossy());
        if !is_integer(arg) {
            let values = arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
            return Property {
                r#type: "string",
                values,
                default: default.map(Into::into),
                ..Property::default()
            };
        }
        let takes = |n: &u64| self.takes(arg, &n.to_string());
        let is_open = takes(&u64::from(u32::MAX));
        let least = (0..=64).find(takes);
        Property {
            r#type: "integer",
            minimum: least.filter(|_| !self.takes(arg, "-1")),
            maximum: least.filter(|_| !is_open).map(|least| largest(least, takes)),
            default: default.and_then(|text| parse_size(&text).ok()).map(Into::into),
            ..Property::default()
        }
    }

    fn conflict(&self, arg: &Arg, other: &Arg) -> bool {
        self.0.get_arg_conflicts_with(arg).iter().any(|conflict| conflict.get_id() == other.get_id())
    }

    /// If `given` is not a complete command line: the arguments of `all` that complete it.
    fn remedies<'a>(&self, given: &[&Arg], all: &[&'a Arg]) -> Vec<&'a Arg> {
        if self.refusal(given) != Some(ErrorKind::MissingRequiredArgument) {
            return Vec::new();
        }
        let is_given = |arg: &Arg| given.iter().any(|one| one.get_id() == arg.get_id());
        let helps = |arg: &&&Arg| !is_given(arg) && self.refusal(&[given, &[**arg]].concat()).is_none();
        all.iter().filter(helps).copied().collect()
    }

    /// The error of the parser for these arguments with valid values.
    fn refusal(&self, given: &[&Arg]) -> Option<ErrorKind> {
        let (places, options): (Vec<&Arg>, Vec<&Arg>) = given.iter().partition(|arg| arg.is_positional());
        let options = options.iter().map(|arg| self.word(arg));
        let places = places.iter().map(|arg| self.word(arg));
        self.parse(options.chain(["--".to_owned()]).chain(places))
    }

    fn word(&self, arg: &Arg) -> String {
        let known = arg.get_possible_values().first().map(|value| value.get_name().to_owned());
        let sample =
            || SAMPLES.into_iter().find(|sample| self.takes(arg, sample)).unwrap_or_default().to_owned();
        match arg.get_long() {
            Some(long) if !arg.get_action().takes_values() => format!("--{long}"),
            Some(long) => format!("--{long}={}", known.unwrap_or_else(sample)),
            None => known.unwrap_or_else(sample),
        }
    }

    fn takes(&self, arg: &Arg, value: &str) -> bool {
        let word = match arg.get_long() {
            Some(long) => vec![format!("--{long}={value}")],
            None => vec!["--".to_owned(), value.to_owned()],
        };
        !matches!(self.parse(word.into_iter()), Some(ErrorKind::ValueValidation | ErrorKind::InvalidValue))
    }

    fn parse(&self, words: impl Iterator<Item = String>) -> Option<ErrorKind> {
        let words = std::iter::once("rread".to_owned()).chain(words);
        self.0.clone().try_get_matches_from(words).err().map(|error| error.kind())
    }
}

fn is_listed(arg: &Arg) -> bool {
    !arg.is_hide_set() && LEFT_OUT.iter().all(|(name, _)| arg.get_id() != *name)
}

fn name(arg: &Arg) -> String {
    arg.get_long().unwrap_or(arg.get_id().as_str()).replace('-', "_")
}

fn describe(value: &PossibleValue) -> String {
    let help = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
    format!("{}{help}", value.get_name())
}

/// The largest number that an option takes, which takes `least`, all up to the largest, and not the largest `u32`.
fn largest(least: u64, takes: impl Fn(&u64) -> bool) -> u64 {
    let (mut taken, mut refused) = (least, u64::from(u32::MAX));
    while refused - taken > 1 {
        let middle = taken.midpoint(refused);
        if takes(&middle) { taken = middle } else { refused = middle }
    }
    taken
}

fn is_repeated(arg: &Arg) -> bool {
    let several = arg.get_num_args().is_some_and(|count| count.max_values() > 1);
    arg.get_action().takes_values() && (several || matches!(arg.get_action(), clap::ArgAction::Append))
}

fn is_integer(arg: &Arg) -> bool {
    let parsed = arg.get_value_parser().type_id();
    let integers = [
        TypeId::of::<u64>(),
        TypeId::of::<u32>(),
        TypeId::of::<u16>(),
        TypeId::of::<u8>(),
        TypeId::of::<usize>(),
        TypeId::of::<i64>(),
        TypeId::of::<i32>(),
        TypeId::of::<i16>(),
    ];
    integers.iter().any(|integer| parsed == *integer)
}

fn names(args: &[&Arg]) -> String {
    listed(&args.iter().map(|arg| name(arg)).collect::<Vec<_>>(), "or")
}
