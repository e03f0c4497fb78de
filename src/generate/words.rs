//! `rread --complete WORD`: the words that the completions of shells offer for handles and members of archives.

use std::ffi::OsString;

use crate::args::environment::session;
use rread_source::completions::complete;

/// The words for which `args` ask, one a line; `None` for all other calls. Nobody sees an error here, so there is none.
pub(crate) fn words(args: &[OsString]) -> Option<String> {
    let [_, option, word] = args else { return None };
    if option != "--complete" {
        return None;
    }
    let word = word.to_str().unwrap_or_default();
    let found = if word.starts_with("fd") { handles(word) } else { complete(word) };
    Some(found.iter().map(|word| format!("{word}\n")).collect())
}

/// The captures of the session by number and by name.
fn handles(start: &str) -> Vec<String> {
    let captures = session().and_then(|session| session.captures()).unwrap_or_default();
    let numbers = captures.iter().map(|capture| capture.handle().to_string());
    let named = captures.iter().filter_map(|capture| Some(format!("fd:{}", capture.record.name.as_ref()?)));
    numbers.chain(named).filter(|handle| handle.starts_with(start)).collect()
}
