//! Man pages and shell completions, made from the definitions of the parser.

use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::Cli;
use rread_text::{Error, Result};

/// The day of the last review of the pages; `man` shows it at the foot.
const DATE: &str = "2026-11-22";

/// Sections of `rread(1)` that the help does not have.
const SHARED: [&str; 4] = [
    include_str!("names.roff"),
    include_str!("ranges.roff"),
    include_str!("exit-status.roff"),
    include_str!("environment.roff"),
];

/// The text of a man page (`man`, `man-lines`, …) or of a completion (`bash`, `zsh`, …).
pub fn generate(what: &str) -> Result<Vec<u8>> {
    // `man` generates the page `rread`, `man-lines` the page `rread-lines`.
    let wanted = what.replacen("man", "rread", 1);
    if let Some((_, page)) = man_pages()?.into_iter().find(|(name, _)| *name == wanted) {
        return Ok(page);
    }
    // The parser takes no other words.
    let shell = what.parse::<Shell>().map_err(Error::usage)?;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "rread", &mut script);
    Ok(if shell == Shell::Bash { for_bash(&String::from_utf8_lossy(&script)).into_bytes() } else { script })
}

/// The script for bash, with files in the place of options where a command takes a FILE.
fn for_bash(script: &str) -> String {
    const OPTIONS: &str = "            COMPREPLY=( $(compgen -W \"${opts}\" -- \"${cur}\") )\n";
    let mut text = String::new();
    let mut label = "";
    for line in script.split_inclusive('\n') {
        label = line.strip_prefix("        rread").and_then(|line| line.strip_suffix(")\n")).unwrap_or(label);
        let has_actions = matches!(label, "" | "__subcmd__index" | "__subcmd__capture");
        match line.split_once(" || ${COMP_CWORD} -eq ") {
            Some((condition, _)) if !has_actions => text.push_str(&format!("{condition} ]] ; then\n")),
            None if line == OPTIONS && !label.is_empty() => text.push_str("            COMPREPLY=()\n"),
            _ => text.push_str(line),
        }
    }
    text
}

/// Every man page with its name, without the section.
pub fn man_pages() -> Result<Vec<(String, Vec<u8>)>> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let commands: Vec<Command> = program.get_subcommands().cloned().collect();
    let page_name = |command: &Command| format!("rread-{}", command.get_name());
    let names: Vec<String> = commands.iter().map(page_name).collect();
    let mut pages = vec![("rread".to_owned(), program_page(program, &names)?)];
    for command in commands {
        let name = page_name(&command);
        let others = names.iter().filter(|other| **other != name).map(String::as_str);
        let see_also = see_also(std::iter::once("rread").chain(others));
        let page = command_page(command, &name, &see_also)?;
        pages.push((name, page));
    }
    Ok(pages)
}

/// `rread(1)`, which has the sections that all commands share.
fn program_page(program: Command, names: &[String]) -> Result<Vec<u8>> {
    let usage = "rread COMMAND [OPTIONS] FILE [RANGES]\nrread [OPTIONS] FILE [RANGES]\nrread --schema [OF]\nrread --help-agent\nrread help agent [COMMAND]...\nrread --generate WHAT";
    let man = manual(program.override_usage(usage), "rread");
    let mut page = Vec::new();
    head(&man, &mut page)?;
    let subcommands = render(|page| man.render_subcommands_section(page))?;
    page.extend(subcommands.replace(".SH SUBCOMMANDS", ".SH COMMANDS").bytes());
    options(&man, &mut page)?;
    for section in SHARED {
        page.extend(section.bytes());
    }
    page.extend(see_also(names.iter().map(String::as_str)).bytes());
    Ok(page)
}

/// The page of one command with its actions, options and examples; `rread(1)` has the rest.
fn command_page(mut command: Command, name: &str, see_also: &str) -> Result<Vec<u8>> {
    let examples = command.get_after_help().map(|text| examples(&text.to_string())).unwrap_or_default();
    let actions: Vec<Command> =
        command.get_subcommands().filter(|action| action.get_name() != "help").cloned().collect();
    // A command that also works without an action has its own options first.
    let acts_itself = command.get_arguments().any(|arg| !is_shared(arg));
    let own = acts_itself.then(|| usage(&mut command));
    let usage = own.into_iter().chain(actions.iter().map(|action| usage(&mut action.clone())));
    let usage = usage.collect::<Vec<_>>().join("\n");
    let man = manual(command.override_usage(usage).display_name(name.to_owned()), name);
    let mut page = Vec::new();
    head(&man, &mut page)?;
    if acts_itself {
        options(&man, &mut page)?;
    }
    if let Some(first) = actions.first() {
        page.extend(b".SH ACTIONS\n");
        actions.iter().try_for_each(|action| action_entry(action, &mut page))?;
        if !acts_itself {
            options(&Man::new(arguments(first, is_shared)), &mut page)?;
        }
    }
    page.extend(match name {
        "rread-index" => include_bytes!("index.roff").as_slice(),
        "rread-capture" => include_bytes!("capture.roff"),
        _ => b"",
    });
    page.extend(examples.bytes());
    let shared = ".SH EXIT STATUS\nThat of \\fBrread\\fR(1), which has the grammar of ranges and the environment too.\n";
    page.extend(shared.bytes());
    page.extend(see_also.bytes());
    Ok(page)
}

fn usage(command: &mut Command) -> String {
    let usage = command.render_usage().to_string().replace("Usage: ", "");
    usage.lines().next().unwrap_or_default().to_owned()
}

/// Whether all actions of a command have this option: shared options have a heading, like `--format`.
fn is_shared(arg: &Arg) -> bool {
    arg.get_help_heading().is_some() || arg.get_id() == "help"
}

fn arguments(of: &Command, which: impl Fn(&Arg) -> bool) -> Command {
    let arguments = of.get_arguments().filter(|arg| which(arg)).cloned();
    Command::new("rread").disable_help_flag(true).args(arguments)
}

fn action_entry(action: &Command, page: &mut Vec<u8>) -> Result<()> {
    let name = action.get_name();
    let does = action.get_long_about().or(action.get_about()).map(ToString::to_string).unwrap_or_default();
    let does = does.replace('\\', r"\e").replace('-', r"\-").replace("\n\n", "\n.sp\n");
    page.extend(format!(".TP\n\\fB{name}\\fR\n{does}\n").bytes());
    let mut own = Vec::new();
    options(&Man::new(arguments(action, |arg| !is_shared(arg))), &mut own)?;
    let own = String::from_utf8_lossy(&own);
    if let Some((_, own)) = own.split_once(".SH OPTIONS\n") {
        page.extend(format!(".RS\n{own}.RE\n").bytes());
    }
    Ok(())
}

fn manual(command: Command, name: &str) -> Man {
    let source = concat!("rread ", env!("CARGO_PKG_VERSION"));
    Man::new(command).title(name).section("1").date(DATE).source(source).manual("User Commands")
}

fn head(man: &Man, page: &mut Vec<u8>) -> Result<()> {
    let head = render(|page| {
        man.render_title(page)?;
        man.render_name_section(page)?;
        man.render_synopsis_section(page)?;
        man.render_description_section(page)
    })?;
    page.extend(head.bytes());
    Ok(())
}

/// The options. An empty line in their help becomes a macro of roff.
fn options(man: &Man, page: &mut Vec<u8>) -> Result<()> {
    let text = render(|page| man.render_options_section(page))?;
    page.extend(text.replace("\n.br\n\n.br\n", "\n\n").replace("\n\n", "\n.sp\n").bytes());
    Ok(())
}

/// The output of `render`, with → as an escape, because not every terminal has this character.
fn render(render: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Result<String> {
    let mut text = Vec::new();
    render(&mut text).map_err(|cause| Error::write(&cause))?;
    Ok(String::from_utf8_lossy(&text).replace('→', r"\(->"))
}

fn examples(help: &str) -> String {
    let lines = help.lines().filter(|line| *line != "Examples:").map(str::trim);
    let lines: String =
        lines.map(|line| format!("{}\n", line.replace('\\', r"\e").replace('-', r"\-"))).collect();
    format!(".SH EXAMPLES\n.nf\n.RS 4\n{lines}.RE\n.fi\n")
}

fn see_also<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!(".BR {} (1)", name.replace('-', r"\-"))).collect();
    format!(".SH SEE ALSO\n{}\n", names.join(",\n"))
}
