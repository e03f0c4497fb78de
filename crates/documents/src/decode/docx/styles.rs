//! What styles say: the levels of headings, how lists are numbered, and which text is raised or lowered.

use std::collections::HashMap;

use crate::decode::numerals::Script;
use crate::decode::zip_xml::{Package, Part};
use crate::protocol::Failure;

/// The list of a paragraph: its number in the file, and the level.
pub(super) type ListLevel = (String, usize);

#[derive(Default)]
pub(crate) struct WordStyles {
    pub(super) paragraphs: HashMap<String, Style>,
    /// The definition that each list refers to.
    lists: HashMap<String, String>,
    /// The format of each level of a definition, and its first number.
    levels: HashMap<(String, usize), (String, u64)>,
    /// The values that lists have instead of it.
    overrides: HashMap<ListLevel, Override>,
}

/// The values of one list that replace those of its definition.
#[derive(Clone, Default)]
struct Override {
    format: Option<String>,
    /// A number with which the list starts anew.
    start: Option<u64>,
}

/// How the items of a list are numbered.
pub(super) struct Numbering<'a> {
    /// `bullet`, `decimal` and so on.
    pub(super) format: &'a str,
    pub(super) first: u64,
    pub(super) counter: Counter,
}

/// The counter of the items of a list: all lists of a definition share one, but a list that starts anew has its own.
pub(super) type Counter = (Option<String>, String);

#[derive(Default)]
pub(super) struct Style {
    /// The level of a heading, from 1.
    pub(super) heading: Option<usize>,
    pub(super) list: Option<ListLevel>,
    script: Option<Script>,
    /// The style that it derives from.
    base: String,
}

/// The longest chain of styles that derive from one another.
const MAX_CHAIN: usize = 16;

/// The least change of the base line that is seen, in half points.
const LEAST_RISE: i64 = 4;

/// Whether the property `name` of a text raises or lowers it.
pub(crate) fn raised_by(name: &str, value: &str) -> Option<Script> {
    let rise: i64 = if name == "position" { value.parse().unwrap_or(0) } else { 0 };
    match value {
        "superscript" => Some(Script::Raised),
        "subscript" => Some(Script::Lowered),
        _ if rise >= LEAST_RISE => Some(Script::Raised),
        _ if rise <= -LEAST_RISE => Some(Script::Lowered),
        _ => None,
    }
}

impl WordStyles {
    pub(super) fn read(package: &mut Package<'_>, styles: &str, numbering: &str) -> Result<Self, Failure> {
        let mut all = WordStyles::default();
        let (mut id, mut style) = (None, Style::default());
        package.parse(styles, |part| match part {
            Part::Start("style", attributes) => (id, style) = (attributes.get("styleId"), Style::default()),
            Part::Start(name, attributes) => style.note(name, &attributes.get("val").unwrap_or_default()),
            Part::End("style") => {
                all.paragraphs.extend(id.take().map(|id| (id, std::mem::take(&mut style))));
            }
            _ => {}
        })?;
        all.read_numbering(package, numbering)?;
        Ok(all)
    }

    fn read_numbering(&mut self, package: &mut Package<'_>, member: &str) -> Result<(), Failure> {
        let (mut definition, mut list, mut level) = (String::new(), None, 0);
        package.parse(member, |part| {
            let Part::Start(name, attributes) = part else {
                return list = list.take().filter(|_| !matches!(part, Part::End("num")));
            };
            let value = || attributes.get("val").unwrap_or_default();
            match (name, &list) {
                ("abstractNum", _) => definition = attributes.get("abstractNumId").unwrap_or_default(),
                ("lvl" | "lvlOverride", _) => {
                    level = attributes.get("ilvl").and_then(|level| level.parse().ok()).unwrap_or(level);
                }
                ("startOverride" | "start" | "numFmt", Some(list)) => {
                    let of: &mut Override = self.overrides.entry((String::clone(list), level)).or_default();
                    match name {
                        "numFmt" => of.format = Some(value()),
                        _ => of.start = value().parse().ok().or(of.start),
                    }
                }
                ("start" | "numFmt", None) => {
                    let of = self.levels.entry((definition.clone(), level)).or_insert((String::new(), 1));
                    match name {
                        "start" => of.1 = value().parse().unwrap_or(1),
                        _ => of.0 = value(),
                    }
                }
                ("num", _) => list = attributes.get("numId"),
                ("abstractNumId", Some(list)) => drop(self.lists.insert(list.clone(), value())),
                _ => {}
            }
        })?;
        Ok(())
    }

    /// Whether the style raises or lowers text.
    pub(super) fn script(&self, style: &str) -> Option<Script> {
        let base = |style: &&Style| self.paragraphs.get(&style.base);
        let mut chain = std::iter::successors(self.paragraphs.get(style), base).take(MAX_CHAIN);
        chain.find_map(|style| style.script)
    }

    /// How the items of `list` are numbered.
    pub(super) fn numbering(&self, list: &ListLevel) -> Numbering<'_> {
        let definition = self.lists.get(&list.0).map(String::as_str).unwrap_or_default();
        let level = self.levels.get(&(definition.to_owned(), list.1));
        let (format, first) = level.map_or(("bullet", 1), |(format, start)| (format, *start));
        let own = self.overrides.get(list);
        let start = own.and_then(|own| own.start);
        let format = own.and_then(|own| own.format.as_deref()).unwrap_or(format);
        let counter = (start.map(|_| list.0.clone()), definition.to_owned());
        Numbering { format, first: start.unwrap_or(first), counter }
    }
}

impl Style {
    /// Takes what the property `name` says, in a style or in a paragraph.
    pub(super) fn note(&mut self, name: &str, value: &str) {
        let list = || self.list.clone().unwrap_or_default();
        match name {
            "name" => {
                let value = value.to_ascii_lowercase();
                let level = value.strip_prefix("heading ").and_then(|level| level.parse().ok());
                self.heading = level.or((value == "title").then_some(1)).or(self.heading);
            }
            // 9 is the level of body text.
            "outlineLvl" => {
                let level = value.parse().ok().filter(|level| *level < 9);
                self.heading = level.map(|level: usize| level + 1);
            }
            "vertAlign" | "position" => self.script = raised_by(name, value).or(self.script),
            "basedOn" => value.clone_into(&mut self.base),
            // The list 0 takes a paragraph out of the list of its style.
            "numId" => self.list = Some((value.to_owned(), list().1)),
            "ilvl" => self.list = Some((list().0, value.parse().unwrap_or(0).min(8))),
            _ => {}
        }
    }
}
