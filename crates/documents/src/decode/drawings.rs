//! The text of charts and diagrams, which Word documents and slides have in parts of their own.

use std::collections::HashMap;

use super::lines::words;
use super::zip_xml::{Package, Part};
use crate::protocol::Failure;

/// The ends of the types of relations that lead to such parts.
const KINDS: [&str; 3] = ["/chart", "/chartEx", "/diagramData"];

/// The texts of the drawings of one part, by the names of its relations: lines, each with its end. A drawing that cannot be
/// read is not among them.
pub(super) type Drawings = HashMap<String, String>;

/// Reads the drawings that the member `part` has.
pub(super) fn read(package: &mut Package<'_>, part: &str) -> Result<Drawings, Failure> {
    let mut drawings = Drawings::new();
    let mut relations = package.relations(part)?;
    relations.retain(|relation| KINDS.iter().any(|kind| relation.kind.ends_with(kind)));
    for relation in relations {
        let mut drawing = Drawing::default();
        if package.parse(&relation.target, |part| drawing.take(&part)) == Ok(true) {
            drawings.insert(relation.id, drawing.lines);
        }
    }
    Ok(drawings)
}

/// The parts of a series of a chart: its name, the names of its values, and the values.
const SERIES: [&[&str]; 3] = [&["tx"], &["cat", "xVal"], &["val", "yVal"]];

#[derive(Default)]
struct Drawing {
    lines: String,
    /// The paragraph that is open.
    text: String,
    /// Whether text that comes now is shown: that of a run, or a value.
    is_text: bool,
    /// The series that is open, and which part of it.
    series: Option<[Vec<String>; 3]>,
    at: Option<usize>,
    /// The names of values that were shown last.
    names: Vec<String>,
}

impl Drawing {
    fn take(&mut self, part: &Part<'_>) {
        match part {
            Part::Start("ser" | "series", _) => self.series = Some(Default::default()),
            Part::Start("t" | "v" | "pt", _) => self.is_text = true,
            Part::Start(name, _) => {
                self.at = SERIES.iter().position(|names| names.contains(name)).or(self.at)
            }
            Part::Text(text) if self.is_text => self.text.push_str(text),
            Part::End("v" | "pt") => {
                self.is_text = false;
                self.end_value();
            }
            Part::End("t") => self.is_text = false,
            Part::End("p") => self.end_value(),
            Part::End("ser" | "series") => self.end_series(),
            _ => {}
        }
    }

    fn end_value(&mut self) {
        let text = words(&std::mem::take(&mut self.text));
        match &mut self.series {
            _ if text.is_empty() => {}
            Some(series) => series[self.at.unwrap_or(0)].push(text),
            None => self.lines += &(text + "\n"),
        }
    }

    /// A series is a line with tabs, after a line with the names of its values.
    fn end_series(&mut self) {
        let Some([own, names, values]) = self.series.take() else { return };
        self.at = None;
        if !names.is_empty() && names != self.names {
            self.lines += &format!("\t{}\n", names.join("\t"));
            self.names = names;
        }
        self.lines += &[own, values].concat().join("\t");
        self.lines.push('\n');
    }
}
