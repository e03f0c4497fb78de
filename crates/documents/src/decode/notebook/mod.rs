//! Jupyter notebooks (nbformat 3 and 4): cells with their numbers, languages and outputs, one after the other.

mod output;

use serde::Deserialize;
use serde_json::Value;

use self::output::{ended, join_text, one_line};
use crate::decode::recognition::{BOM, FirstBytes, Verdict};
use crate::protocol::{Failure, Output};

#[derive(Deserialize)]
struct Notebook {
    nbformat: u64,
    #[serde(default)]
    metadata: Value,
    cells: Option<Vec<Value>>,
    worksheets: Option<Vec<Worksheet>>,
}

/// A part of a notebook of nbformat 3.
#[derive(Deserialize)]
struct Worksheet {
    #[serde(default)]
    cells: Vec<Value>,
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
    let Notebook { nbformat, metadata, cells, worksheets } = serde_json::from_slice(bytes)?;
    if cells.is_none() && worksheets.is_none() || !(3..=4).contains(&nbformat) {
        return Err(Failure::Damaged);
    }
    let of_sheets = worksheets.into_iter().flatten().flat_map(|sheet| sheet.cells);
    let cells: Vec<Value> = cells.into_iter().flatten().chain(of_sheets).collect();
    out.pages(cells.len())?;
    let language = language(&metadata);
    for (number, cell) in (1..).zip(&cells) {
        // The blank line belongs to the cell before, which is not the last.
        if number > 1 {
            out.text("\n")?;
            out.page_end(false)?;
        }
        send_cell(number, cell, language.as_deref(), out)?;
    }
    if !cells.is_empty() {
        out.page_end(false)?;
    }
    Ok(())
}

fn language(metadata: &Value) -> Option<String> {
    let known = [&metadata["language_info"]["name"], &metadata["kernelspec"]["language"]];
    known.into_iter().find_map(Value::as_str).map(str::to_owned)
}

/// Sends the text of a cell. `language` is that of cells that do not name another.
fn send_cell(number: u64, cell: &Value, language: Option<&str>, out: &mut Output<'_>) -> Result<(), Failure> {
    out.text(&format!("[{number}] {}\n", title(cell, language)))?;
    // nbformat 3 has the source of code in `input`.
    let source = [&cell["source"], &cell["input"]].into_iter().find_map(join_text);
    let source = source.unwrap_or_default();
    // A picture that was pasted is in the text of its cell.
    let source = if cell["cell_type"] == "code" { source } else { output::without_data(&source) };
    out.text(&ended(source))?;
    for (name, bundle) in cell["attachments"].as_object().into_iter().flatten() {
        for (mime, data) in bundle.as_object().into_iter().flatten() {
            out.text(&format!(
                "[{number}] attachment {}\n{}\n",
                one_line(name),
                output::describe_data(mime, data)
            ))?;
        }
    }
    for result in cell["outputs"].as_array().into_iter().flatten() {
        out.text(&output::text(number, result))?;
    }
    Ok(())
}

/// The kind, and for code its language and the number of its execution.
fn title(cell: &Value, language: Option<&str>) -> String {
    let kind = one_line(cell["cell_type"].as_str().unwrap_or("cell"));
    match kind.as_str() {
        "code" => {
            let own = [&cell["metadata"]["vscode"]["languageId"], &cell["language"]];
            let language = own.into_iter().find_map(Value::as_str).or(language);
            let count =
                [&cell["execution_count"], &cell["prompt_number"]].into_iter().find_map(Value::as_u64);
            let language = language.map(|language| format!(" {}", one_line(language))).unwrap_or_default();
            let count = count.map(|count| format!(", execution {count}")).unwrap_or_default();
            format!("code{language}{count}")
        }
        "heading" => format!("heading {}", cell["level"].as_u64().unwrap_or(1)),
        _ => kind,
    }
}
