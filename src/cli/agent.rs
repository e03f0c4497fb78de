//! `rread help agent [COMMAND]`: the guide for agents, and its page for each command.

use std::ffi::OsString;

use super::commands::{built_commands, guide_of};
use rread_source::spelling::nearest;
use rread_text::error::{Error, Result};

/// The text that `args` ask for, which is `guide` without a command; `None` if they do not begin with `help agent`.
pub(crate) fn agent_guide(args: &[OsString], guide: &str) -> Option<Result<String>> {
    let [_, help, agent, names @ ..] = args else { return None };
    if help != "help" || agent != "agent" {
        return None;
    }
    let page = |name: &OsString| {
        let name = name.to_string_lossy();
        guide_of(&name).ok_or_else(|| unknown_command_error(&name))
    };
    if names.is_empty() { Some(Ok(guide.to_owned())) } else { Some(names.iter().map(page).collect()) }
}

fn unknown_command_error(name: &str) -> Error {
    let commands: Vec<&str> = built_commands().collect();
    let near = nearest(name, built_commands().map(str::to_owned));
    let message = format!("'{name}' is not a command: {}", commands.join(", "));
    Error::usage(message).hint(format!("rread help agent {}", near.as_deref().unwrap_or("lines")))
}
