//! What styles say about paragraphs: which are titles, and how lists are numbered.

use std::collections::HashMap;

use crate::format::zip_xml::{Attributes, Package, Part};
use crate::protocol::Failure;

/// The style of titles, and of styles that derive from it.
const TITLE: &str = "Title";

/// The longest chain of styles that derive from one another.
const LONGEST_CHAIN: usize = 16;

#[derive(Default)]
pub(super) struct Styles {
    /// The style that each derives from.
    parents: HashMap<String, String>,
    /// The first number of each level of a list that is numbered.
    numbered: HashMap<(String, usize), u64>,
}

impl Styles {
    /// Reads named styles, and the automatic styles of single paragraphs.
    pub(super) fn read(package: &mut Package<'_>) -> Result<Self, Failure> {
        let mut all = Styles::default();
        for member in ["styles.xml", "content.xml"] {
            let mut list = String::new();
            package.parse(member, |part| {
                if let Part::Start(name, attributes) = part {
                    all.note(name, &attributes, &mut list);
                }
                Ok(())
            })?;
        }
        Ok(all)
    }

    fn note(&mut self, name: &str, attributes: &Attributes<'_>, list: &mut String) {
        match name {
            "style" => {
                if let (Some(name), Some(parent)) =
                    (attributes.get("name"), attributes.get("parent-style-name"))
                {
                    self.parents.insert(name, parent);
                }
            }
            "list-style" => *list = attributes.get("name").unwrap_or_default(),
            // A level without a format has no number.
            "list-level-style-number"
                if attributes.get("num-format").is_some_and(|format| !format.is_empty()) =>
            {
                let number = |name: &str| attributes.get(name).and_then(|value| value.parse().ok());
                let level = number("level").and_then(|level: u64| usize::try_from(level).ok()).unwrap_or(1);
                self.numbered.insert((list.clone(), level), number("start-value").unwrap_or(1));
            }
            _ => {}
        }
    }

    pub(super) fn is_title(&self, style: &str) -> bool {
        let chain = std::iter::successors(Some(style), |style| self.parents.get(*style).map(String::as_str));
        chain.take(LONGEST_CHAIN).any(|style| style == TITLE)
    }

    /// The first number of a list at `level`, from 1; `None` if its items have no numbers.
    pub(super) fn first_number(&self, list: &str, level: usize) -> Option<u64> {
        self.numbered.get(&(list.to_owned(), level)).copied()
    }
}
