//! The sentences of the answer of `rread capture`: what is kept, and how to go on.

use rread_answer::continuation::Next;
use rread_answer::receipt::Captured;
pub use rread_reader::capture::{Ansi, Capture, Ended, KeptTo, Record, signal_name};
use rread_text::error::{Error, counted};

/// Adds the hint of an error of the state directory.
pub(super) fn name_state_dir(error: Error) -> Error {
    error.hint("RREAD_STATE_DIR=DIR, a directory with room in it that is yours alone")
}

pub(super) fn ending(ended: Ended) -> String {
    match ended {
        Ended::Status(status) => format!("ended with exit status {status}"),
        Ended::Signal(signal) => format!("was ended by {}", signal_name(signal)),
    }
}

pub(super) fn kept_message(answer: &Captured) -> String {
    let Record { produced, kept, kept_to, .. } = &answer.record;
    let fd = answer.fd.as_deref().unwrap_or_default();
    let pages = answer.pages.map_or(String::new(), |(pages, _)| format!(", {}", counted(pages, "page")));
    let kept = match kept_to {
        None => format!("{} of output are kept as {fd}{pages}.", counted(*produced, "byte")),
        Some(why) => {
            let limit = match why {
                KeptTo::Limit => "--limit",
                KeptTo::StateLimit => "RREAD_STATE_MAX",
                KeptTo::FileSizeLimit => "ulimit -f",
            };
            format!("The first {kept} of {produced} bytes of output are kept as {fd}{pages} ({limit}).")
        }
    };
    let stripped =
        if answer.is_stripped { " Escape sequences are left out; --ansi keep shows them." } else { "" };
    kept + stripped
}

/// How to read on after the first page, if it is shown.
pub(super) fn go_on(capture: &Capture, ansi: Ansi, next: Option<Next>, is_shown: bool) -> String {
    let fd = capture.handle();
    // What is stored and what is shown have the same numbers of lines, but not the same pages.
    let keep =
        if capture.record.is_stripped(Ansi::Strip) && ansi == Ansi::Keep { " --ansi keep" } else { "" };
    let end = format!("the end: rread lines {fd} -20:{keep}");
    match next {
        _ if !is_shown => format!(" Read it with: rread page {fd}{keep}; {end}"),
        Some(Next::Slice(range, _)) => format!(
            " Cut by a budget; go on with: rread bytes {fd} {range}{keep}; by pages: rread page {fd}{keep}; {end}"
        ),
        Some(next @ Next::Page { .. }) => {
            let size = next.page_size().map_or(String::new(), |size| format!(" --page-size {size}"));
            format!(" This is page 1; go on with: rread page {fd} 2{size}{keep}; {end}")
        }
        None => {
            let all = if capture.record.kept_to.is_some() { "all that is kept" } else { "all of it" };
            format!(" This is {all}; again: rread lines {fd}{keep}")
        }
    }
}

pub(super) fn binary_hint(capture: &Capture) -> String {
    let fd = capture.handle();
    format!(
        " It is not text; its bytes: rread bytes {fd} 0:256 --encode hexdump; to a file: rread capture save {fd} FILE"
    )
}
