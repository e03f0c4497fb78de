//! The text of a paragraph while it grows: runs, raised and lowered text, formulas.

use super::styles::Style;
use crate::decode::lines::RunningText;

#[derive(Default)]
pub(super) struct Paragraph {
    pub(super) text: RunningText,
    /// The style that the paragraph itself defines.
    pub(super) own: Style,
    pub(super) style: String,
    /// Its properties define tabs, too.
    pub(super) is_properties: bool,
    /// Its end was deleted or moved, so that the next paragraph continues it.
    pub(super) is_deleted: bool,
    /// The large first letter of the paragraph that follows.
    pub(super) is_initial: bool,
}

/// A field, from its data to its end.
#[derive(Default)]
pub(super) struct Field {
    is_open: bool,
    is_check_box: bool,
    /// The default of the field, and the choice of a person.
    default: Option<String>,
    chosen: Option<String>,
    entries: Vec<String>,
}

/// Whether a switch with the value `value` is on.
pub(super) fn is_on(value: Option<&str>) -> bool {
    !matches!(value, Some("0" | "false" | "off"))
}

pub(super) fn check_box(is_checked: bool) -> &'static str {
    if is_checked { "☒" } else { "☐" }
}

impl Field {
    /// Takes the start of an element; whether it belongs to a field.
    pub(super) fn start(&mut self, name: &str, value: impl FnOnce() -> Option<String>) -> bool {
        match name {
            "ffData" => *self = Field { is_open: true, ..Field::default() },
            _ if !self.is_open => return false,
            "checkBox" => self.is_check_box = true,
            "default" => self.default = Some(value().unwrap_or_default()),
            "checked" | "result" => self.chosen = Some(value().unwrap_or_default()),
            "listEntry" => self.entries.push(value().unwrap_or_default()),
            _ => {}
        }
        true
    }

    /// The text of the field, at the end of its data; a field of text has its text elsewhere.
    pub(super) fn end(&mut self) -> Option<String> {
        let field = std::mem::take(self);
        let state = field.chosen.or(field.default);
        if field.is_check_box {
            return Some(check_box(state.is_some_and(|state| is_on(Some(&state)))).to_owned());
        }
        let index = state.and_then(|state| state.parse().ok()).unwrap_or(0);
        field.entries.into_iter().nth(index)
    }

    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }
}
