//! Man pages and shell completions, made from the same definitions as the parser and the help.

mod completions;

use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::Cli;
use crate::error::{Error, Result};

/// The day on which what the pages say was last looked at; `man` shows it at the foot.
const DATE: &str = "2026-11-22";

const NAMES: &str = r"
.SH NAMES OF FILES
A path, \fB\-\fR (standard input) or \fBfd:N\fR (a capture). A build with the Cargo feature \fBsqlite\fR also reads files inside SQLite
databases: \fBsqlite:archive.sqlar/path/in/it\fR, as \fBsqlite3 \-A\fR keeps them, and
\fBsqlite:database?table=T&key=K&column=C\fR, a value by its primary key, percent\-encoded. A file that is really called so is meant first.
";

const RANGES: &str = r"
.SH RANGES
Lines are numbered from 1 and the end is included. Bytes are numbered from 0 and the end is not included.
.PP
.nf
.RS 4
place  = N | \-N
range  = place | [place]:[place] | place:+COUNT
list   = range{,range}
.RE
.fi
.PP
\fB\-N\fR is the point N lines (bytes) before the end of the file, so \fB\-20:\fR is the last 20 and \fB:\-20\fR all but the
last 20. An open end is that of the file. \fB:+\fR is a count. A range that ends past the end of the file is cut there; one
that starts just after the end is empty; one that starts further on is refused with exit status 5.
.TP
\fBlines\fR
\fB100:120\fR and \fB100\-120\fR (21 lines), \fB100:+21\fR (the same), \fB:50\fR (the first 50), \fB7\fR (line 7), \fB\-1\fR
(the last line), \fB\-20:\fR, \fB:\-20\fR, \fB1:5,40:45\fR.
.TP
\fBbytes\fR
\fB0:4096\fR (the first 4096 bytes), \fB4KiB:+512\fR, \fB\-1MiB:\fR (the last mebibyte), \fB:100\fR. \fBbytes=0\-499\fR is the
form of HTTP, with both ends included. A lone place is refused, since it has two readings.
.TP
\fBranges\fR
Ranges of lines, or of bytes with the prefix \fBb\fR: \fB5,100:120 b0:512 \-3:\fR. The prefix \fBl\fR says lines.
.PP
Numbers have at most 64 bits and may have \fB_\fR between digits. Numbers of bytes may end in \fBK\fR, \fBM\fR, \fBG\fR,
\fBT\fR or \fBKiB\fR, \fBMiB\fR, \fBGiB\fR, \fBTiB\fR (powers of 1024), or in \fBkB\fR, \fBMB\fR, \fBGB\fR, \fBTB\fR (powers of 1000).
.PP
A line ends with a line feed. A last line without one counts; a file that ends with a line feed has no empty line after it.
.PP
The ranges of a list are answered in the order asked, overlaps and repetitions included.
";

const EXIT_STATUS: &str = r"
.SH EXIT STATUS
In brackets the word that tells the kind of failure in JSON.
.TP
\fB0\fR
Delivered; also when the reader of a pipe went away.
.TP
\fB1\fR
A clean no: lines are not what their anchors say (mismatch).
.TP
\fB2\fR
The command line makes no sense (usage), or a range does not (invalid_range).
.TP
\fB3\fR
The file cannot be read: not_found, permission, is_directory, special_file, io, network, locked.
.TP
\fB4\fR
The file is binary (binary).
.TP
\fB5\fR
The range is past the end of the file (out_of_range). The other ranges of a list are delivered.
.TP
\fB6\fR
The text is not valid in its encoding, and that was to be an error (invalid_text).
.TP
\fB7\fR
The file is not, or did not stay, the version that was expected (changed).
.TP
\fB8\fR
Standard output cannot be written (write).
.TP
\fB70\fR
A fault of the program, told in one sentence in every format; the answer may be cut off.
";

const ENVIRONMENT: &str = r"
.SH ENVIRONMENT
.TP
\fBRREAD_FORMAT\fR
The format of answers and errors where no option names one: frontmatter, json, raw, text or xml.
.TP
\fBRREAD_MAX_BYTES\fR
The budget of content in bytes, such as 4096 or 64KiB, where \fB\-\-max\-bytes\fR is not given.
.TP
\fBRREAD_INDEX\fR
Whether line indexes are used: \fBauto\fR (the default), \fBro\fR (those that exist are used, none is made or changed)
or \fBoff\fR (as with \fB\-\-no\-index\fR). See \fBrread\-index\fR(1).
.TP
\fBRREAD_INDEX_MIN\fR
The size, such as 64MiB, from which on a file gets a line index and its index is used; 16MiB otherwise.
.TP
\fBRREAD_CACHE_DIR\fR
The directory of the line indexes. It has to be this user's own and no link, and is made when it is missing.
.TP
\fBRREAD_CACHE_MAX\fR
The bytes that all line indexes together may take, such as 100MiB; 1GiB otherwise. Those not used for the longest time are dropped.
.TP
\fBXDG_CACHE_HOME\fR
Where \fBRREAD_CACHE_DIR\fR is not set, indexes live in the directory \fBrread\fR in this one, which has to be an absolute
path; otherwise in \fI~/.cache/rread\fR. On macOS it is \fI~/Library/Caches/rread\fR; on Windows there is none yet.
.TP
\fBRREAD_SESSION\fR
The session that handles of captures belong to, any text; without it, there is one for all. See \fBrread\-capture\fR(1).
.TP
\fBRREAD_STATE_DIR\fR
The directory of the captures. It has to be this user's own and no link, and is made when it is missing.
.TP
\fBRREAD_STATE_MAX\fR
The bytes that all captures of all sessions together may take, such as 500MiB; 4GiB otherwise. The oldest go first.
.TP
\fBXDG_STATE_HOME\fR
Where \fBRREAD_STATE_DIR\fR is not set, captures live in the directory \fBrread\fR in this one, which has to be an absolute
path; otherwise in \fI~/.local/state/rread\fR. On macOS it is \fI~/Library/Application Support/rread\fR.
.TP
\fBNO_COLOR\fR
When it is set and not empty, nothing is painted, unless \fB\-\-color always\fR is given.
.TP
\fBTERM\fR
When it is \fBdumb\fR, nothing is painted, unless \fB\-\-color always\fR is given.
";

/// What the page of `index` has beyond its help.
const TRUST: &str = r"
.SH WHEN AN INDEX IS BELIEVED
An index belongs to an inode of a device, not to a name, so a log keeps its index when it is rotated. It is used as it is when the
size, the modification time and the time of the last change of the inode are what they were. Of a file that has
grown or was renamed, the first indexed block, the last and 126 others are compared first (all of them, if there are
no more than 512), and only what is new is scanned. In every other case the index is dropped and made again.
Each block in which a line is looked up is compared as it is read, and so is the last one when a scan goes on behind it.
The index of a compressed file, which also keeps the places where decoding can be taken up again, is used only while the file is
what it was under the same name: once it has grown or was renamed, it is made again.
.PP
A file that was changed less than 20 milliseconds ago (2.1 seconds, where times are kept in whole seconds) could be changed
again without another time. What is read of it then is not taken for granted later, or is read after a pause of 21 milliseconds.
.PP
What is not noticed, and can give a wrong number to every line behind the place:
.IP \(bu 2
An overwrite in the middle of a file of more than 32 MiB, followed by an append before the next look-up, where no block compared was hit.
.IP \(bu 2
The same with the size kept and the modification time set back, when the file is then renamed or read under another hard link.
.IP \(bu 2
A write through a memory mapping to a page that was written, but not stored, before the index was made: the system gives it no new time.
.IP \(bu 2
A change that a network file system stamps with a clock behind this machine's.
.IP \(bu 2
A single write so large that it goes on for more than 20 ms, and goes on while the index is made.
.PP
Even then the text of a line is the file's own; its number is wrong. \fB\-\-no\-index\fR counts without an index.
.SH FILES
.TP
\fI~/.cache/rread\fR
The indexes, one file each, readable by this user only; \fBRREAD_CACHE_DIR\fR and \fBXDG_CACHE_HOME\fR name another place.
Whatever is wrong with this directory costs only the index, never an answer.
";

/// What the page of `capture` has beyond its help.
const CAPTURES: &str = r"
.SH WHAT IS KEPT
The bytes as they came, standard output and standard error in the order in which they were written to one pipe. Programs that look
whether they write to a terminal see that they do not. What is beyond \fB\-\-limit\fR, or \fBRREAD_STATE_MAX\fR, or the limit on the size of
files (ulimit \-f) is counted and not kept; bytes_produced, bytes_kept and kept_to say so. Where the disk is full, nothing is kept and the exit
status is 8. In all of these cases the command can write on to its end.
.PP
What is binary and short is printed as it is too, but not in JSON and XML, nor in frontmatter on a terminal: there it is kept, and has no preview. In the formats raw and text there is no receipt: the
first page is the answer, and standard error has the handle and how the command ended. In the other formats the last page
follows the first one when the command failed: in JSON as last_page, and its place as last_page of the metadata. \fB\-\-max\-bytes\fR and
\fB\-\-max\-lines\fR bound both together.
.PP
A capture is there when all of it is there. What a killed rread has left unfinished is removed by the next capture of the session.
The numbers of a session go up and are not given twice. A name belongs to the newest capture that asked for it: older ones lose it
when the newer one is there, or when rread could not keep it or start its command. A rread that is killed takes no name. Of two captures at once,
the one that ends last is the newer one. A file that is called fd:1 is read before a capture; \fB./fd:1\fR is always the file.
.SH SIGNALS
Ctrl\-C goes from the terminal to the command as well; when it ends, what it put out by then is kept. A second one ends rread, and nothing is
kept. SIGTERM and SIGHUP are handed on to the command.
.SH EXIT STATUS OF A COMMAND
When a command is given, the exit status is that of the command:
.TP
\fB0\fR to \fB255\fR
The status that the command ended with; 0 with \fB\-\-always\-zero\fR. It is in the receipt as exit_status.
.TP
\fB128 + N\fR
Signal N ended the command; 0 with \fB\-\-always\-zero\fR. It is in the receipt as signal.
.TP
\fB125\fR
rread itself failed, also when its own options make no sense. The word in JSON tells the kind of failure.
.TP
\fB126\fR
The command was found and could not be run.
.TP
\fB127\fR
The command was not found.
.PP
For standard input, and for list, save and drop, the usual ones hold.
.SH FILES
.TP
\fI~/.local/state/rread\fR
The captures, a directory for each session, readable by this user only; \fBRREAD_STATE_DIR\fR and \fBXDG_STATE_HOME\fR name another place.
";

/// The text of a man page (`man`, `man-lines`, …) or of a completion (`bash`, `zsh`, …).
///
/// # Errors
/// `usage` for a word that is neither.
pub fn generate(what: &str) -> Result<Vec<u8>> {
    let pages = man_pages()?;
    if let Some((_, page)) = pages.iter().find(|(name, _)| word_for(name) == what) {
        return Ok(page.clone());
    }
    let Ok(shell) = what.parse::<Shell>() else {
        let pages = pages.iter().map(|(name, _)| word_for(name));
        let shells = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish];
        let words: Vec<String> = pages.chain(shells.map(|shell| shell.to_string())).collect();
        return Err(Error::usage(format!("there is no '{what}' to generate")).hint(words.join(", ")));
    };
    Ok(completions::script(shell))
}

/// What to say to get the page `name`: `man` for `rread`, `man-lines` for `rread-lines`.
fn word_for(name: &str) -> String {
    name.replacen("rread", "man", 1)
}

/// Every man page with its name, without the section.
///
/// # Errors
/// None that writing to memory can cause.
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

/// `rread(1)`: what all commands have in common.
fn program_page(program: Command, names: &[String]) -> Result<Vec<u8>> {
    let usage = "rread COMMAND [OPTIONS] FILE [RANGES]\nrread --schema [OF]\nrread --help-agent\nrread --generate WHAT";
    let man = manual(program.override_usage(usage), "rread");
    let mut page = Vec::new();
    head(&man, &mut page)?;
    let subcommands = rendered(|page| man.render_subcommands_section(page))?;
    page.extend(subcommands.replace(".SH SUBCOMMANDS", ".SH COMMANDS").bytes());
    options(&man, &mut page)?;
    for section in [NAMES, RANGES, EXIT_STATUS, ENVIRONMENT] {
        page.extend(section.trim_start().bytes());
    }
    page.extend(see_also(names.iter().map(String::as_str)).bytes());
    Ok(page)
}

/// The page of one command: its options and examples; the rest is in `rread(1)`. Actions of it are told on the same page.
fn command_page(mut command: Command, name: &str, see_also: &str) -> Result<Vec<u8>> {
    let examples = command.get_after_help().map(|text| examples(&text.to_string())).unwrap_or_default();
    let actions: Vec<Command> =
        command.get_subcommands().filter(|action| action.get_name() != "help").cloned().collect();
    // What is done without an action is told before the actions.
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
    let more = [("rread-index", TRUST), ("rread-capture", CAPTURES)];
    more.iter().filter(|(of, _)| *of == name).for_each(|(_, more)| page.extend(more.trim_start().bytes()));
    page.extend(examples.bytes());
    let shared = ".SH EXIT STATUS\nThat of \\fBrread\\fR(1), which has the grammar of ranges and the environment too.\n";
    page.extend(shared.bytes());
    page.extend(see_also.bytes());
    Ok(page)
}

/// How it is called, in one line: that there are actions is told by theirs.
fn usage(command: &mut Command) -> String {
    let usage = command.render_usage().to_string().replace("Usage: ", "");
    usage.lines().next().unwrap_or_default().to_owned()
}

/// Whether all actions of a command have this option: those that do stand under a heading, like `--format`.
fn is_shared(arg: &Arg) -> bool {
    arg.get_help_heading().is_some() || arg.get_id() == "help"
}

/// A command with some of the options of another.
fn arguments(of: &Command, which: impl Fn(&Arg) -> bool) -> Command {
    let arguments = of.get_arguments().filter(|arg| which(arg)).cloned();
    Command::new("rread").disable_help_flag(true).args(arguments)
}

/// What an action does, and the options that only it has.
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
    let head = rendered(|page| {
        man.render_title(page)?;
        man.render_name_section(page)?;
        man.render_synopsis_section(page)?;
        man.render_description_section(page)
    })?;
    page.extend(head.bytes());
    Ok(())
}

/// The options. Their help is plain text, and what is meant there by an empty line is a macro in a page.
fn options(man: &Man, page: &mut Vec<u8>) -> Result<()> {
    let text = rendered(|page| man.render_options_section(page))?;
    page.extend(text.replace("\n.br\n\n.br\n", "\n\n").replace("\n\n", "\n.sp\n").bytes());
    Ok(())
}

/// What `render` writes, with a character that not every terminal's encoding has in roff's own words.
fn rendered(render: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Result<String> {
    let mut text = Vec::new();
    render(&mut text).map_err(|cause| Error::write(&cause))?;
    Ok(String::from_utf8_lossy(&text).replace('→', r"\(->"))
}

/// The examples under a command's help, line by line as they stand there.
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
