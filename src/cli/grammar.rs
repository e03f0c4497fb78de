//! The ranges that each command takes, and what stands for a FILE that is missing.

use std::io::{self, IsTerminal};

use rread_text::range::{Place, Unit, parse_list, parse_mixed, parse_place};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    Lines,
    Bytes,
    Mixed,
    Page,
}

impl Grammar {
    pub(super) fn of(command: &str) -> Option<Self> {
        match command {
            "lines" => Some(Grammar::Lines),
            "bytes" => Some(Grammar::Bytes),
            "ranges" => Some(Grammar::Mixed),
            "page" => Some(Grammar::Page),
            _ => None,
        }
    }

    pub(super) fn takes(self, text: &str) -> bool {
        match self {
            Grammar::Lines => parse_list(text, Unit::Lines).is_ok(),
            Grammar::Bytes => parse_list(text, Unit::Bytes).is_ok(),
            Grammar::Mixed => parse_mixed(text).is_ok(),
            Grammar::Page => parse_place(text, Unit::Bytes).is_ok_and(|place| place != Place::Front(0)),
        }
    }

    pub(super) fn example(self) -> &'static str {
        match self {
            Grammar::Lines | Grammar::Mixed => ":20",
            Grammar::Bytes => "0:4096",
            Grammar::Page => "1",
        }
    }
}

pub(super) fn is_piped() -> bool {
    !io::stdin().is_terminal() && !rread_source::stdio::stdin_was_closed()
}

/// The FILE to suggest if none was typed.
pub(super) fn missing_file() -> &'static str {
    if is_piped() { "-" } else { "FILE" }
}
