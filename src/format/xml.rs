//! XML: the facts of the frontmatter as attributes, the content as text; well-formed whatever it holds.

use super::escape::{XmlText, xml_attribute};
use super::{Body, Ending, Renderer};
use crate::capture::Handle;
use crate::envelope::{Answer, Fact, Facts, Part, facts};
use crate::error::Result;
use crate::output::Out;

#[derive(Default)]
pub(super) struct Xml {
    several: bool,
}

/// What a part of a file is called, and what a part of a capture is.
const PARTS: [&str; 2] = ["file_content", "fd_content"];
const SEVERAL: &str = "file_contents";

impl Renderer for Xml {
    fn begin(&mut self, out: &mut Out, answer: Option<&Answer<'_>>) -> Result<()> {
        self.several = answer.is_none_or(|answer| answer.several);
        if !self.several {
            return Ok(());
        }
        let mut facts = Facts::default();
        if let Some(answer) = answer {
            facts.path(answer.path);
            facts.number("total", answer.size);
            facts.number("total_lines", answer.total_lines);
        }
        out.write(format!("{}\n", element(SEVERAL, &facts, ">")).as_bytes())
    }

    fn part(&mut self, out: &mut Out, answer: &Answer<'_>, part: &Part, body: &mut dyn Body) -> Result<()> {
        let handle = Handle::from_path(answer.path);
        let name = PARTS[usize::from(handle.is_some())];
        // As the answer of capture and its errors name it; the path is there for those who read any file.
        let mut facts = facts(answer, part);
        if let Some(handle) = handle {
            facts.text("fd", handle.to_string());
        }
        if answer.metadata_only || part.outcome.is_err() {
            return out.write(format!("{}\n", element(name, &facts, "/>")).as_bytes());
        }
        out.write(element(name, &facts, ">").as_bytes())?;
        body.write(&mut XmlText(out))?;
        out.write(format!("</{name}>\n").as_bytes())
    }

    fn finish(&mut self, out: &mut Out, _: Ending<'_>) -> Result<()> {
        if self.several { out.write(format!("</{SEVERAL}>\n").as_bytes()) } else { Ok(()) }
    }
}

/// The start tag `name` with `facts` as attributes; `close` is `>` or `/>`.
pub(super) fn element(name: &str, facts: &Facts, close: &str) -> String {
    let mut tag = format!("<{name}");
    let mut attribute =
        |key: &str, value: &str| tag.push_str(&format!(" {key}=\"{}\"", xml_attribute(value)));
    for (key, fact) in facts.iter() {
        match fact {
            Fact::Text(text) => attribute(key, text),
            Fact::Number(n) => attribute(key, &n.to_string()),
            Fact::Flag(flag) => attribute(key, if *flag { "true" } else { "false" }),
            Fact::List(items) => attribute(key, &items.join(" ")),
            // Not what an attribute can hold: see `children`.
            Fact::Nothing | Fact::Records(..) | Fact::Pairs(..) => {}
            // `invalid_utf8: {count, first_byte}` becomes `invalid_utf8_count`, `invalid_utf8_first_byte`.
            Fact::Map(entries) => {
                entries.iter().for_each(|(part, n)| attribute(&format!("{key}_{part}"), &n.to_string()));
            }
            Fact::Record(record) => record.iter().for_each(|(part, fact)| match fact {
                Fact::Text(text) => attribute(&format!("{key}_{part}"), text),
                Fact::Number(n) => attribute(&format!("{key}_{part}"), &n.to_string()),
                _ => {}
            }),
        }
    }
    tag + close
}

/// The facts that are too much for an attribute, an element for each of their entries.
pub(super) fn children(facts: &Facts) -> String {
    let mut elements = String::new();
    for (_, fact) in facts.iter() {
        match fact {
            Fact::Records(each, records) => {
                records.iter().for_each(|record| elements.push_str(&(element(each, record, "/>") + "\n")));
            }
            Fact::Pairs([each, from, to], pairs) => {
                for (first, second) in pairs {
                    let (first, second) = (xml_attribute(first), xml_attribute(second));
                    elements.push_str(&format!("<{each} {from}=\"{first}\" {to}=\"{second}\"/>\n"));
                }
            }
            _ => {}
        }
    }
    elements
}

/// The element `name` with everything that `facts` say, and nothing else in it.
pub(super) fn whole(name: &str, facts: &Facts) -> String {
    match children(facts) {
        inner if inner.is_empty() => element(name, facts, "/>") + "\n",
        inner => format!("{}\n{inner}</{name}>\n", element(name, facts, ">")),
    }
}
