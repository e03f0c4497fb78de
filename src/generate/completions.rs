//! Completion scripts; the one for bash also offers files where a command takes FILE.

use std::collections::BTreeMap;

use clap::{Command, CommandFactory, ValueHint};
use clap_complete::Shell;

use crate::cli::Cli;

/// The last line that clap_complete writes for a command: it offers options even where FILE is expected.
const OPTIONS: &str = "            COMPREPLY=( $(compgen -W \"${opts}\" -- \"${cur}\") )\n";

/// Completes names of files, split at newlines only and without expansion.
const FILES: &str = r#"_rread_files() {
    local name
    COMPREPLY=()
    compopt -o filenames 2>/dev/null
    while IFS= read -r name; do
        COMPREPLY+=("${name}")
    done < <(compgen -f -- "$1")
}

"#;

pub(super) fn script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "rread", &mut script);
    if shell != Shell::Bash {
        return script;
    }
    let mut program = Cli::command();
    program.build();
    let mut commands = BTreeMap::new();
    collect(&program, "rread", &mut commands);
    with_files(&String::from_utf8_lossy(&script), &commands).into_bytes()
}

/// Collects the commands that take a file, by their names in the script, and whether they have actions.
fn collect(command: &Command, name: &str, found: &mut BTreeMap<String, bool>) {
    let takes_file = command
        .get_positionals()
        .any(|arg| matches!(arg.get_value_hint(), ValueHint::AnyPath | ValueHint::FilePath));
    if takes_file {
        found.insert(name.to_owned(), command.has_subcommands());
    }
    for below in command.get_subcommands() {
        collect(below, &format!("{name}__subcmd__{}", below.get_name()), found);
    }
}

/// The script for bash, with files instead of options unless the word begins with `-`.
fn with_files(script: &str, commands: &BTreeMap<String, bool>) -> String {
    let mut text = FILES.to_owned();
    let mut has_actions = None;
    for line in script.split_inclusive('\n') {
        let label = line.strip_prefix("        ").and_then(|line| line.strip_suffix(")\n"));
        if let Some(name) = label.filter(|name| name.starts_with("rread")) {
            has_actions = commands.get(name).copied();
        }
        match (has_actions, line.split_once(" || ${COMP_CWORD} -eq ")) {
            (Some(_), _) if line == OPTIONS => text.push_str("            _rread_files \"${cur}\"\n"),
            (Some(false), Some((condition, _))) => text.push_str(&format!("{condition} ]] ; then\n")),
            _ => text.push_str(line),
        }
    }
    text
}
