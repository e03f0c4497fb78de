//! The text of a paragraph while it grows: runs, raised and lowered text, formulas.

use super::styles::Style;
use crate::format::formula::line;
use crate::format::script::Script;

#[derive(Default)]
pub(super) struct Paragraph {
    text: String,
    /// Raised or lowered text at the end, which may come in several runs.
    script: Option<(Script, String)>,
    is_after_formula: bool,
    /// What the paragraph itself says.
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
    pub(super) fn continued(self) -> Self {
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
