//! Completion scripts; those for bash, zsh and fish also offer files, handles of captures and members of archives.

use std::collections::BTreeMap;

use clap::{Arg, Command, CommandFactory, ValueHint};
use clap_complete::Shell;

use crate::cli::Cli;

/// The last line that clap_complete writes for a command: it offers options even where FILE is expected.
const OPTIONS: &str = "            COMPREPLY=( $(compgen -W \"${opts}\" -- \"${cur}\") )\n";

/// The functions of the scripts; they call `rread --complete WORD`.
const BASH: &str = include_str!("completions.bash");
const ZSH: &str = include_str!("completions.zsh");
const FISH: &str = include_str!("completions.fish");

/// The words that a command in the script for bash takes besides options.
#[derive(Clone, Copy)]
enum Takes {
    Files,
    /// Files or actions.
    FilesOrActions,
    Handles,
}

pub(super) fn script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "rread", &mut script);
    let text = String::from_utf8_lossy(&script);
    match shell {
        Shell::Bash => for_bash(&text).into_bytes(),
        Shell::Zsh => for_zsh(&text).into_bytes(),
        Shell::Fish => format!("{text}\n{FISH}").into_bytes(),
        _ => script,
    }
}

/// Collects the commands that take files or handles, by their names in the script.
fn collect(command: &Command, name: &str, found: &mut BTreeMap<String, Takes>) {
    let takes = |is_meant: fn(&Arg) -> bool| command.get_positionals().any(is_meant);
    let is_file = |arg: &Arg| matches!(arg.get_value_hint(), ValueHint::AnyPath | ValueHint::FilePath);
    let is_handle =
        |arg: &Arg| arg.get_value_names().is_some_and(|names| names.iter().any(|name| name == "HANDLE"));
    let takes = match command.has_subcommands() {
        true if takes(is_file) => Some(Takes::FilesOrActions),
        false if takes(is_file) => Some(Takes::Files),
        _ => takes(is_handle).then_some(Takes::Handles),
    };
    if let Some(takes) = takes {
        found.insert(name.to_owned(), takes);
    }
    for below in command.get_subcommands() {
        collect(below, &format!("{name}__subcmd__{}", below.get_name()), found);
    }
}

/// The script for bash, with files or handles instead of options unless the word begins with `-`.
fn for_bash(script: &str) -> String {
    let mut program = Cli::command();
    program.build();
    let mut commands = BTreeMap::new();
    collect(&program, "rread", &mut commands);
    let mut text = BASH.to_owned();
    let mut takes = None;
    for line in script.split_inclusive('\n') {
        let label = line.strip_prefix("        ").and_then(|line| line.strip_suffix(")\n"));
        if let Some(name) = label.filter(|name| name.starts_with("rread")) {
            takes = commands.get(name).copied();
        }
        match (takes, line.split_once(" || ${COMP_CWORD} -eq ")) {
            (Some(Takes::Handles), _) if line == OPTIONS => {
                text.push_str("            COMPREPLY=()\n            _rread_words \"${cur}\" fd:\n");
            }
            (Some(_), _) if line == OPTIONS => text.push_str("            _rread_files \"${cur}\"\n"),
            (Some(Takes::Files | Takes::Handles), Some((condition, _))) => {
                text.push_str(&format!("{condition} ]] ; then\n"));
            }
            _ => text.push_str(line),
        }
    }
    text
}

/// The script for zsh, in which arguments that are files or handles have functions of their own.
fn for_zsh(script: &str) -> String {
    let mut text = String::new();
    for line in script.split_inclusive('\n') {
        if line == "_rread() {\n" {
            text.push_str(ZSH);
        }
        // Positional arguments begin so: ':file -- ', '::file -- ', '*::files -- '.
        let name = line.trim_start_matches(['\'', '*', ':']).split(" -- ").next().unwrap_or_default();
        let (before, after) = match name {
            _ if !line.starts_with("':") && !line.starts_with("'*::") => ("", ""),
            "file" | "files" => (":_files' \\\n", ":_rread_files' \\\n"),
            "handle" | "handles" => (":_default' \\\n", ":_rread_handles' \\\n"),
            _ => ("", ""),
        };
        match line.strip_suffix(before).filter(|_| !before.is_empty()) {
            Some(start) => text.extend([start, after]),
            None => text.push_str(line),
        }
    }
    text
}
