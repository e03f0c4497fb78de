//! The text of a paragraph while it grows: runs, raised and lowered text, formulas.

use super::styles::Style;
use crate::decode::formula::line;
use crate::decode::numerals::Script;

#[derive(Default)]
pub(super) struct Paragraph {
    text: String,
    /// Raised or lowered text at the end, which may come in several runs.
    script: Option<(Script, String)>,
    is_after_formula: bool,
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

impl Paragraph {
    /// A paragraph that begins with the text of this one, and has properties of its own.
    pub(super) fn continue_from(self) -> Self {
        let Paragraph { text, script, is_after_formula, .. } = self;
        Paragraph { text, script, is_after_formula, ..Paragraph::default() }
    }

    pub(super) fn push(&mut self, text: &str, script: Option<Script>) {
        match (script, &mut self.script) {
            (Some(script), Some((open, inner))) if *open == script => inner.push_str(text),
            (Some(script), _) => {
                self.end_script();
                self.script = Some((script, text.to_owned()));
            }
            (None, _) => {
                self.end_script();
                self.part(text);
            }
        }
    }

    /// Adds a formula, which must not become one number with what is around it.
    pub(super) fn push_formula(&mut self, formula: &str) {
        self.end_script();
        line::push(&mut self.text, formula);
        self.is_after_formula = true;
    }

    fn part(&mut self, text: &str) {
        match self.is_after_formula {
            true => line::push(&mut self.text, text),
            false => self.text.push_str(text),
        }
        self.is_after_formula &= text.is_empty();
    }

    fn end_script(&mut self) {
        if let Some((script, inner)) = self.script.take() {
            script.push(&mut self.text, &inner);
            self.is_after_formula = false;
        }
    }

    /// The whole text.
    pub(super) fn take(&mut self) -> String {
        self.end_script();
        std::mem::take(&mut self.text)
    }
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
