//! The committed man pages and completions against what the program generates, `mandoc` and the real shells.

use std::collections::BTreeSet;
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use clap::CommandFactory;
use rread::internals::cli::Cli;
use rread_testkit::home::{AtHome, binary};
use rread_text::error::Kind;
use tempfile::TempDir;

/// Each file of completions, and the shell that it is for.
const COMPLETIONS: [(&str, &str); 5] = [
    ("completions/rread.bash", "bash"),
    ("completions/_rread", "zsh"),
    ("completions/rread.fish", "fish"),
    ("completions/_rread.ps1", "powershell"),
    ("completions/rread.elv", "elvish"),
];

const VARIABLES: [&str; 13] = [
    "RREAD_FORMAT",
    "RREAD_MAX_BYTES",
    "RREAD_INDEX",
    "RREAD_INDEX_MIN",
    "RREAD_CACHE_DIR",
    "RREAD_CACHE_MAX",
    "XDG_CACHE_HOME",
    "RREAD_SESSION",
    "RREAD_STATE_DIR",
    "RREAD_STATE_MAX",
    "XDG_STATE_HOME",
    "NO_COLOR",
    "TERM",
];

/// The names of all commands, in every build.
fn commands() -> Vec<String> {
    Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// Each man page in the repository, and the word that generates it.
fn pages() -> Vec<(String, String)> {
    let page = |name: String| (format!("man/rread{name}.1"), format!("man{name}"));
    let suffixes = commands().into_iter().map(|command| format!("-{command}"));
    iter::once(String::new()).chain(suffixes).map(page).collect()
}

/// Each generated file in the repository, and the word that generates it.
fn files() -> Vec<(String, String)> {
    let completions = COMPLETIONS.map(|(file, what)| (file.to_owned(), what.to_owned()));
    pages().into_iter().chain(completions).collect()
}

fn generate(what: &str) -> Output {
    let mut command = Command::new(binary());
    command.at_home(Path::new(env!("CARGO_TARGET_TMPDIR"))).args(["--generate", what]).output().unwrap()
}

fn generated(what: &str) -> String {
    let output = generate(what);
    assert!(output.status.success(), "{what}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn in_repository(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

#[test]
fn what_is_committed_is_what_is_generated() {
    let regenerate = std::env::var_os("RREAD_REGENERATE").is_some_and(|value| value == "1");
    for (file, what) in files() {
        let fresh = generated(&what);
        let path = in_repository(&file);
        if regenerate {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &fresh).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(committed == fresh, "{file} is not what rread --generate {what} writes: .ci/regenerate");
    }
}

#[test]
fn nothing_else_lies_beside_the_generated_files() {
    for folder in ["man", "completions"] {
        for entry in fs::read_dir(in_repository(folder)).unwrap() {
            let name = format!("{folder}/{}", entry.unwrap().file_name().to_str().unwrap());
            assert!(files().iter().any(|(file, _)| *file == name), "{name} is not generated");
        }
    }
}

#[test]
fn every_command_has_a_page_and_every_page_can_be_printed() {
    let made: BTreeSet<String> =
        rread::internals::generate::man_pages().unwrap().into_iter().map(|(name, _)| name).collect();
    let names = commands().into_iter().map(|command| format!("rread-{command}"));
    assert_eq!(made, iter::once("rread".to_owned()).chain(names).collect());
    let refusal = generate("nothing");
    assert_eq!(refusal.status.code(), Some(2));
    let hint = String::from_utf8(refusal.stderr).unwrap();
    for (_, what) in files() {
        assert!(hint.contains(&what), "{what} is not in: {hint}");
    }
}

#[test]
fn pages_have_their_names_and_examples_and_name_the_others() {
    let names: Vec<String> = pages().iter().map(|(file, _)| file[4..file.len() - 2].to_owned()).collect();
    for (name, (_, what)) in names.iter().zip(pages()) {
        let page = generated(&what);
        let title = format!(".TH {name} 1 ");
        assert!(page.lines().any(|line| line.starts_with(&title)), "{name} has another title");
        assert!(
            page.contains(concat!("\"rread ", env!("CARGO_PKG_VERSION"), "\"")),
            "{name} names no version"
        );
        assert!(page.contains(".SH EXAMPLES\n") || name == "rread", "{name} has no examples");
        let (_, see_also) = page.split_once(".SH SEE ALSO\n").unwrap();
        for other in &names {
            let listed = see_also.contains(&format!(".BR {} (1)", other.replace('-', r"\-")));
            assert_eq!(listed, other != name, "{other} in SEE ALSO of {name}");
        }
    }
}

#[test]
fn the_main_page_has_all_exit_codes_and_kinds() {
    use Kind::*;
    let page = generated("man");
    let (_, section) = page.split_once(".SH EXIT STATUS\n").unwrap();
    let (section, _) = section.split_once(".SH ").unwrap();
    let told = |code: u8| {
        let (_, rest) = section.split_once(&format!("\\fB{code}\\fR\n")).unwrap();
        rest.split(".TP").next().unwrap()
    };
    for kind in [
        Usage,
        InvalidRange,
        NotFound,
        Permission,
        IsDirectory,
        SpecialFile,
        Io,
        Network,
        Locked,
        Binary,
        OutOfRange,
        InvalidText,
        Changed,
        Mismatch,
        NoRows,
        Write,
    ] {
        let text = told(kind.exit_code());
        assert!(text.contains(kind.name()), "{} is not told of at {}: {text}", kind.name(), kind.exit_code());
    }
    for name in VARIABLES {
        assert!(page.contains(&format!("\\fB{name}\\fR\n")), "{name} is not told of");
    }
}

/// Each action of `index`, with the options that only it has, and those that all have once.
#[test]
fn the_page_of_index_names_its_actions() {
    let page = generated("man-index");
    let (_, actions) = page.split_once(".SH ACTIONS\n").unwrap();
    let (actions, rest) = actions.split_once(".SH ").unwrap();
    for (action, argument) in [
        ("build", "FILE"),
        ("show", "FILE"),
        ("list", ""),
        ("clear", "\\-\\-older\\-than"),
        ("clear", "\\-\\-all"),
    ] {
        let (_, entry) = actions.split_once(&format!(".TP\n\\fB{action}\\fR\n")).expect(action);
        let entry = entry.split(".TP\n\\fBlist\\fR").next().unwrap().split("\n.RE\n").next().unwrap();
        assert!(entry.contains(argument), "{action} has no {argument}: {entry}");
        assert!(page.contains(&format!("\\fBrread index\\fR {action} ")), "{action} is not in the synopsis");
    }
    assert!(!actions.contains("\\-\\-format") && rest.matches("\\fB\\-\\-format\\fR").count() == 1);
}

/// The examples and grammar of the pages are ranges that the parser takes.
#[test]
fn the_ranges_of_the_main_page_are_understood() {
    use rread_text::range::{Unit, parse_list, parse_mixed};
    let page = generated("man");
    let (_, section) = page.split_once(".SH RANGES\n").unwrap();
    let entry = |name: &str| {
        let (_, rest) = section.split_once(&format!("\\fB{name}\\fR\n")).unwrap();
        let text = rest.split(".TP").next().unwrap().split(".PP").next().unwrap();
        let bold = text.split("\\fB").skip(1).map(|rest| rest.split("\\fR").next().unwrap());
        bold.map(|range| range.replace(r"\-", "-")).collect::<Vec<_>>()
    };
    let lines = entry("lines");
    assert!(lines.len() > 7, "{lines:?}");
    lines.iter().for_each(|list| drop(parse_list(list, Unit::Lines).expect(list)));
    let bytes = entry("bytes");
    assert!(bytes.len() > 4, "{bytes:?}");
    bytes.iter().for_each(|list| drop(parse_list(list, Unit::Bytes).expect(list)));
    let ranges = entry("ranges");
    let mixed = ranges.iter().find(|text| text.contains(' ')).unwrap();
    mixed.split(' ').for_each(|list| drop(parse_mixed(list).expect(list)));
    for size in ["1K", "1M", "1G", "1T", "1KiB", "1MiB", "1GiB", "1TiB", "1kB", "1MB", "1GB", "1TB", "1_0"] {
        assert!(
            section.contains(&format!("\\fB{}\\fR", size.trim_start_matches("1").replace("_0", "_"))),
            "{size}"
        );
        rread_text::range::parse_size(size).expect(size);
    }
}

/// Runs `program`; `None`, said aloud, where there is none.
fn tool(program: &str, arguments: &[&str]) -> Option<Output> {
    if cfg!(windows) {
        eprintln!("skipped: {program} of Windows may be that of another system");
        return None;
    }
    match Command::new(program).args(arguments).output() {
        Ok(output) => Some(output),
        Err(error) => {
            eprintln!("skipped: {program} cannot be run: {error}");
            None
        }
    }
}

/// What `program` prints, which must succeed and have no complaint.
fn clean(program: &str, arguments: &[&str]) -> Option<String> {
    let output = tool(program, arguments)?;
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaints.is_empty(), "{program} {arguments:?}: {output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// A folder with what `rread --generate` writes for `what`, under its own name, and the path of that.
fn written(what: &str) -> (TempDir, String) {
    let (file, _) = files().into_iter().find(|(_, word)| *word == what).unwrap();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(Path::new(&file).file_name().unwrap());
    fs::write(&path, generated(what)).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn mandoc_has_no_complaint() {
    for (_, what) in pages() {
        let (_folder, page) = written(&what);
        let Some(complaints) = clean("mandoc", &["-Tlint", "-W", "warning", &page]) else { return };
        assert_eq!(complaints, "", "{what}");
    }
}

#[test]
fn groff_has_no_complaint() {
    for (_, what) in pages() {
        let (_folder, page) = written(&what);
        if clean("groff", &["-man", "-Tascii", "-z", &page]).is_none() {
            return;
        }
    }
}

#[test]
fn bash_completes() {
    let (_folder, script) = written("bash");
    let complete = |words: &[&str]| {
        let last = words.len() - 1;
        let ask = r#"source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
            _rread "$1" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"; printf '%s\n' "${COMPREPLY[@]}""#;
        let mut arguments = vec!["--norc", "--noprofile", "-c", ask, "bash", &script];
        arguments.extend(words);
        clean("bash", &arguments).map(|reply| (words[last].to_owned(), reply))
    };
    let Some((_, reply)) = complete(&["rread", "li"]) else { return };
    assert_eq!(reply, "lines\n");
    let (_, reply) = complete(&["rread", ""]).unwrap();
    commands().iter().for_each(|command| assert!(reply.lines().any(|line| line == command), "{reply}"));
    assert_eq!(complete(&["rread", "lines", "--max-l"]).unwrap().1, "--max-lines\n");
    assert_eq!(complete(&["rread", "index", "cl"]).unwrap().1, "clear\n");
    assert_eq!(complete(&["rread", "index", "clear", "--ol"]).unwrap().1, "--older-than\n");
    let (_, formats) = complete(&["rread", "lines", "--format", ""]).unwrap();
    assert_eq!(formats.split_whitespace().collect::<Vec<_>>(), ["frontmatter", "json", "raw", "text", "xml"]);
    let registered = clean(
        "bash",
        &["--norc", "--noprofile", "-c", r#"source "$1" && complete -p rread"#, "bash", &script],
    );
    assert!(registered.unwrap().contains("-F _rread"));
}

#[test]
fn fish_completes() {
    let (_folder, script) = written("fish");
    let complete = |line: &str| {
        clean("fish", &["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", &script, line])
    };
    let Some(reply) = complete("rread li") else { return };
    assert!(reply.starts_with("lines\t"), "{reply}");
    let options = complete("rread lines --max-l").unwrap();
    assert!(options.starts_with("--max-lines\t"), "{options}");
    let actions = complete("rread index cl").unwrap();
    assert!(actions.starts_with("clear\t"), "{actions}");
    let formats = complete("rread stat --format x").unwrap();
    assert!(formats.starts_with("xml\t"), "{formats}");
}

#[test]
fn zsh_loads_and_registers() {
    let (folder, script) = written("zsh");
    if clean("zsh", &["-f", "-n", &script]).is_none() {
        return;
    }
    let load = "fpath=($1 $fpath); autoload -Uz compinit; compinit -D -u; print -r -- $_comps[rread]; \
                autoload +X -Uz _rread && (( $+functions[_rread] )) && print loaded";
    let reply = clean("zsh", &["-f", "-c", load, "zsh", folder.path().to_str().unwrap()]).unwrap();
    assert_eq!(reply, "_rread\nloaded\n");
}
