//! Man pages and shell completions, made from the same definitions as the parser and the help.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::Cli;
use crate::error::{Error, Result};

/// The text of a man page (`man`, `man-lines`, …) or of a completion (`bash`, `zsh`, …).
///
/// # Errors
/// `usage` for a word that is neither.
pub fn generate(what: &str) -> Result<Vec<u8>> {
    if let Some((_, page)) =
        man_pages()?.into_iter().find(|(name, _)| *name == what.replacen("man", "rread", 1))
    {
        return Ok(page);
    }
    let shell = match what {
        "bash" => Shell::Bash,
        "zsh" => Shell::Zsh,
        "fish" => Shell::Fish,
        "powershell" => Shell::PowerShell,
        "elvish" => Shell::Elvish,
        _ => {
            return Err(Error::usage(format!("there is no '{what}' to generate")).hint(
                "man, man-bytes, man-lines, man-ranges, man-stat, bash, zsh, fish, powershell, elvish",
            ));
        }
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "rread", &mut script);
    Ok(script)
}

/// Every man page with its name, without the section.
///
/// # Errors
/// None that writing to memory can cause.
pub fn man_pages() -> Result<Vec<(String, Vec<u8>)>> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let mut pages = vec![("rread".to_owned(), page(program.clone().display_name("rread"))?)];
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = format!("rread-{}", command.get_name());
        pages.push((name.clone(), page(command.clone().display_name(name))?));
    }
    Ok(pages)
}

fn page(command: Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page).map_err(|cause| Error::write(&cause))?;
    Ok(page)
}
