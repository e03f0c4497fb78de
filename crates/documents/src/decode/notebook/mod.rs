//! Jupyter notebooks (nbformat 3 and 4): cells with their numbers, languages and outputs, one after the other.

mod output;

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use self::output::{ended, join_text, one_line};
use crate::decode::recognition::{BOM, FirstBytes, Verdict};
use crate::protocol::{Failure, Output};

/// The members that say how to read the others, which may come before them.
#[derive(Deserialize)]
struct Head {
    nbformat: u64,
    #[serde(default)]
    metadata: Value,
    cells: Option<Vec<IgnoredAny>>,
    worksheets: Option<Vec<Worksheet>>,
}

/// A part of a notebook of nbformat 3.
#[derive(Deserialize)]
struct Worksheet {
    #[serde(default)]
    cells: Vec<IgnoredAny>,
}

/// The start of a notebook, without blanks, and the first member of its first cell.
const CELLS: &[u8] = b"{\"cells\":[";
const CELL: &[u8] = b"\"cell_type\":";

/// By name, if it is an object, or by its cells.
pub(super) fn recognise(head: &FirstBytes<'_>) -> Verdict {
    let text = without_blanks(head.bytes);
    if head.is_named {
        return match text.first() {
            Some(b'{') => Verdict::Is,
            Some(_) => Verdict::Not,
            None => Verdict::Open,
        };
    }
    let is_indented = head.bytes.first().is_some_and(u8::is_ascii_whitespace);
    if is_indented || text.iter().zip(CELLS).any(|(byte, wanted)| byte != wanted) {
        Verdict::Not
    } else if head.is_last && text.starts_with(CELLS) && memchr::memmem::find(&text, CELL).is_some() {
        Verdict::Is
    } else {
        Verdict::Open
    }
}

fn without_blanks(head: &[u8]) -> Vec<u8> {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    head.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

/// Sends the text of the notebook, cell by cell.
pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
    let head: Head = serde_json::from_slice(bytes)?;
    if head.cells.is_none() && head.worksheets.is_none() || !(3..=4).contains(&head.nbformat) {
        return Err(Failure::Damaged);
    }
    let sheets = head.worksheets.iter().flatten().map(|sheet| &sheet.cells);
    out.pages(head.cells.iter().chain(sheets).map(Vec::len).sum())?;
    let mut cells = Cells { out, language: language(&head.metadata), number: 0 };
    let mut json = serde_json::Deserializer::from_slice(bytes);
    SheetVisitor(&mut cells).deserialize(&mut json)?;
    if cells.number > 0 {
        out.page_end(false)?;
    }
    Ok(())
}

fn language(metadata: &Value) -> Option<String> {
    let known = [&metadata["language_info"]["name"], &metadata["kernelspec"]["language"]];
    known.into_iter().find_map(Value::as_str).map(str::to_owned)
}

struct Cells<'a, 'o> {
    out: &'a mut Output<'o>,
    /// The language of cells that do not name another.
    language: Option<String>,
    number: u64,
}

impl Cells<'_, '_> {
    fn cell(&mut self, cell: &Value) -> std::io::Result<()> {
        self.number += 1;
        let number = self.number;
        // The blank line belongs to the cell before, which is not the last.
        if number > 1 {
            self.out.text("\n")?;
            self.out.page_end(false)?;
        }
        self.out.text(&format!("[{number}] {}\n", self.title(cell)))?;
        // nbformat 3 has the source of code in `input`.
        let source = [&cell["source"], &cell["input"]].into_iter().find_map(join_text);
        let source = source.unwrap_or_default();
        // A picture that was pasted is in the text of its cell.
        let source = if cell["cell_type"] == "code" { source } else { output::without_data(&source) };
        self.out.text(&ended(source))?;
        for (name, bundle) in cell["attachments"].as_object().into_iter().flatten() {
            for (mime, data) in bundle.as_object().into_iter().flatten() {
                self.out.text(&format!(
                    "[{number}] attachment {}\n{}\n",
                    one_line(name),
                    output::describe_data(mime, data)
                ))?;
            }
        }
        for result in cell["outputs"].as_array().into_iter().flatten() {
            self.out.text(&output::text(number, result))?;
        }
        Ok(())
    }

    /// The kind, and for code its language and the number of its execution.
    fn title(&self, cell: &Value) -> String {
        let kind = one_line(cell["cell_type"].as_str().unwrap_or("cell"));
        match kind.as_str() {
            "code" => {
                let own = [&cell["metadata"]["vscode"]["languageId"], &cell["language"]];
                let language = own.into_iter().find_map(Value::as_str).or(self.language.as_deref());
                let count =
                    [&cell["execution_count"], &cell["prompt_number"]].into_iter().find_map(Value::as_u64);
                let language =
                    language.map(|language| format!(" {}", one_line(language))).unwrap_or_default();
                let count = count.map(|count| format!(", execution {count}")).unwrap_or_default();
                format!("code{language}{count}")
            }
            "heading" => format!("heading {}", cell["level"].as_u64().unwrap_or(1)),
            _ => kind,
        }
    }
}

/// A notebook, or a worksheet of nbformat 3: an object with `cells`.
struct SheetVisitor<'c, 'a, 'o>(&'c mut Cells<'a, 'o>);

/// The list of cells, or that of worksheets.
struct CellList<'c, 'a, 'o> {
    cells: &'c mut Cells<'a, 'o>,
    is_of_sheets: bool,
}

impl<'de> DeserializeSeed<'de> for SheetVisitor<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for SheetVisitor<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with cells")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "cells" => map.next_value_seed(CellList { cells: self.0, is_of_sheets: false })?,
                "worksheets" => map.next_value_seed(CellList { cells: self.0, is_of_sheets: true })?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for CellList<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for CellList<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of cells")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if self.is_of_sheets {
            while list.next_element_seed(SheetVisitor(self.cells))?.is_some() {}
            return Ok(());
        }
        // One cell at a time is in memory.
        while let Some(cell) = list.next_element::<Value>()? {
            self.cells.cell(&cell).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}
