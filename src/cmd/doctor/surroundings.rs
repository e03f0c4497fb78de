//! The surroundings of rread: the terminal, and other programs.

use std::collections::BTreeMap;
use std::env;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use rread_answer::receipt::TerminalInfo;

/// Variables of the locale; the first that is set counts.
const LOCALE: [&str; 3] = ["LC_ALL", "LC_CTYPE", "LANG"];

pub(super) fn terminal(has_colors: bool) -> TerminalInfo {
    let stdout = io::stdout().is_terminal();
    let (columns, rows) = size().filter(|_| stdout).unzip();
    let is_exact = variable("COLORTERM").is_some_and(|depth| depth == "truecolor" || depth == "24bit");
    let colors = match (has_colors, is_exact) {
        (false, _) => "none",
        (true, true) => "exact",
        (true, false) => "ansi",
    };
    let locale = LOCALE.iter().find_map(|name| variable(name)).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    TerminalInfo {
        stdin: io::stdin().is_terminal(),
        stdout,
        stderr: io::stderr().is_terminal(),
        columns,
        rows,
        colors,
        utf8: locale.contains("utf-8") || locale.contains("utf8"),
    }
}

#[cfg(feature = "view")]
fn size() -> Option<(u16, u16)> {
    rread_view::terminal_size()
}

#[cfg(not(feature = "view"))]
fn size() -> Option<(u16, u16)> {
    None
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The programs that rread starts: itself as the decoder of documents, the editor of the viewer, the client of Azure.
pub(super) fn programs() -> BTreeMap<&'static str, String> {
    let mut programs = BTreeMap::new();
    if cfg!(feature = "documents")
        && let Ok(own) = env::current_exe()
    {
        programs.insert("decoder", own.to_string_lossy().into_owned());
    }
    if cfg!(feature = "view") {
        let editor = variable("VISUAL").or_else(|| variable("EDITOR")).unwrap_or_else(|| "vi".to_owned());
        let found = editor.split_whitespace().next().and_then(found);
        programs.insert("editor", found.unwrap_or_else(|| "none".to_owned()));
    }
    if cfg!(feature = "cloud")
        && let Some(az) = found("az")
    {
        programs.insert("az", az);
    }
    programs
}

/// The path of the program `name`.
fn found(name: &str) -> Option<String> {
    let is_file = |path: &PathBuf| path.is_file();
    let path = match Path::new(name).components().count() {
        1 => env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(name)).find(is_file),
        _ => Some(PathBuf::from(name)).filter(is_file),
    };
    path.map(|path| path.to_string_lossy().into_owned())
}
