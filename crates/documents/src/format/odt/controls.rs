//! Form controls of OpenDocument text: what each shows where the text has it.

use std::collections::HashMap;

use crate::format::zip_xml::Attributes;

/// What controls show, by their names in the file.
#[derive(Default)]
pub(super) struct Controls {
    texts: HashMap<String, String>,
    /// The list whose entries follow.
    list: Option<String>,
}

impl Controls {
    /// Takes the start of an element of the forms.
    pub(super) fn start(&mut self, name: &str, attributes: &Attributes<'_>) {
        let get = |name: &str| attributes.get(name).filter(|value| !value.is_empty());
        let is_selected =
            || get("current-selected").or_else(|| get("selected")).is_some_and(|value| value == "true");
        if name == "option" {
            if let Some(text) =
                self.list.as_ref().and_then(|list| self.texts.get_mut(list)).filter(|_| is_selected())
            {
                text.push_str(if text.is_empty() { "" } else { ", " });
                text.push_str(&get("label").unwrap_or_default());
            }
            return;
        }
        let Some(id) = get("id") else { return };
        let label = get("label").map(|label| format!(" {label}")).unwrap_or_default();
        let text = match name {
            "checkbox" => {
                let state = get("current-state").or_else(|| get("state")).unwrap_or_default();
                format!("{}{label}", if state == "checked" { "☒" } else { "☐" })
            }
            "radio" => format!("{}{label}", if is_selected() { "◉" } else { "○" }),
            "listbox" => {
                self.list = Some(id.clone());
                String::new()
            }
            "text" | "textarea" | "formatted-text" | "number" | "date" | "time" | "combobox" => {
                get("current-value").or_else(|| get("value")).unwrap_or_default()
            }
            "button" | "fixed-text" => label.trim_start().to_owned(),
            _ => return,
        };
        self.texts.insert(id, text);
    }

    pub(super) fn text(&self, control: &str) -> Option<&str> {
        self.texts.get(control).map(String::as_str)
    }
}
