//! What styles say: which paragraphs are titles, how lists are numbered, and which text is raised or lowered.

use std::collections::HashMap;

use crate::decode::numerals::{NumberFormat, Script};
use crate::decode::zip_xml::{Attributes, Package, Part};
use crate::protocol::Failure;

/// The style of titles, and of styles that derive from it.
const TITLE: &str = "Title";

/// The longest chain of styles that derive from one another.
const MAX_CHAIN: usize = 16;

#[derive(Default)]
pub(super) struct OdtStyles {
    /// The style that each derives from.
    parents: HashMap<String, String>,
    scripts: HashMap<String, Script>,
    /// The first number of each level of a list that is numbered, and how numbers are shown.
    numbered: HashMap<(String, usize), (u64, NumberFormat)>,
}

impl OdtStyles {
    /// Reads named styles, and the automatic styles of single paragraphs.
    pub(super) fn read(package: &mut Package<'_>) -> Result<Self, Failure> {
        let mut all = OdtStyles::default();
        for member in ["styles.xml", "content.xml"] {
            let mut open = String::new();
            package.parse(member, |part| {
                if let Part::Start(name, attributes) = part {
                    all.note(name, &attributes, &mut open);
                }
                Ok(())
            })?;
        }
        Ok(all)
    }

    /// Takes an element of the style or list `open`.
    fn note(&mut self, name: &str, attributes: &Attributes<'_>, open: &mut String) {
        match name {
            "style" => {
                *open = attributes.get("name").unwrap_or_default();
                if let Some(parent) = attributes.get("parent-style-name") {
                    self.parents.insert(open.clone(), parent);
                }
            }
            "text-properties" => {
                if let Some(script) = attributes.get("text-position").and_then(|position| script(&position)) {
                    self.scripts.insert(open.clone(), script);
                }
            }
            "list-style" => *open = attributes.get("name").unwrap_or_default(),
            // A level without a format has no number.
            "list-level-style-number"
                if attributes.get("num-format").is_some_and(|format| !format.is_empty()) =>
            {
                let number = |name: &str| attributes.get(name).and_then(|value| value.parse().ok());
                let level = number("level").and_then(|level: u64| usize::try_from(level).ok()).unwrap_or(1);
                let format = NumberFormat::from_name(&attributes.get("num-format").unwrap_or_default());
                let first = number("start-value").unwrap_or(1);
                self.numbered.insert((open.clone(), level), (first, format));
            }
            _ => {}
        }
    }

    pub(super) fn is_title(&self, style: &str) -> bool {
        self.chain(style).any(|style| style == TITLE)
    }

    /// Whether text of `style` is raised or lowered.
    pub(super) fn script(&self, style: &str) -> Option<Script> {
        self.chain(style).find_map(|style| self.scripts.get(style).copied())
    }

    /// `style` and those that it derives from.
    fn chain<'s>(&'s self, style: &'s str) -> impl Iterator<Item = &'s str> {
        let parent = |style: &&'s str| self.parents.get(*style).map(String::as_str);
        std::iter::successors(Some(style), parent).take(MAX_CHAIN)
    }

    /// The first number of a list at `level`, from 1, and how it is shown; `None` if its items have no numbers.
    pub(super) fn first_number(&self, list: &str, level: usize) -> Option<(u64, NumberFormat)> {
        self.numbered.get(&(list.to_owned(), level)).copied()
    }
}

/// The script of text at `position`: `super`, `sub`, or how far above the base line, in percent of the font.
fn script(position: &str) -> Option<Script> {
    let rise = position.split_whitespace().next()?;
    match (rise, rise.trim_end_matches('%').parse::<f64>()) {
        ("super", _) => Some(Script::Raised),
        ("sub", _) => Some(Script::Lowered),
        (_, Ok(rise)) if rise > 0.0 => Some(Script::Raised),
        (_, Ok(rise)) if rise < 0.0 => Some(Script::Lowered),
        _ => None,
    }
}
