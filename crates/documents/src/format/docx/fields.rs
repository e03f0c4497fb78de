//! Form fields of the older make: the states of check boxes and the chosen entries of lists.

/// A field, from its data to its end.
#[derive(Default)]
pub(super) struct Field {
    is_open: bool,
    is_check_box: bool,
    /// What the file says first, and what a person chose.
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

    /// What the field shows, at the end of its data; a field of text has its text elsewhere.
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
