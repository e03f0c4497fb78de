//! Jupyter notebooks (nbformat 3 and 4): cells with their numbers, languages and outputs, one after the other.

use data_encoding::BASE64;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::html::text as text_of_page;
use super::recognition::{BOM, FirstBytes, Verdict};
use crate::protocol::{Failure, Output};

#[derive(Deserialize)]
struct Notebook {
    nbformat: u64,
    #[serde(default)]
    metadata: Value,
    cells: Option<Vec<Value>>,
    /// The parts of a notebook of nbformat 3.
    worksheets: Option<Vec<Value>>,
}

/// The start of a notebook, without blanks, and the first member of its first cell.
const CELLS: &[u8] = b"{\"cells\":[";
const CELL: &[u8] = b"\"cell_type\":";

/// By name, if it is an object, or by its cells.
pub(super) fn recognise(head: &FirstBytes<'_>) -> Verdict {
    let text = head.bytes.strip_prefix(BOM).unwrap_or(head.bytes);
    let text: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
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

/// Sends the text of the notebook, cell by cell.
pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let Notebook { nbformat, metadata, cells, worksheets } = serde_json::from_slice(bytes)?;
    if cells.is_none() && worksheets.is_none() || !(3..=4).contains(&nbformat) {
        return Err(Failure::Damaged);
    }
    let sheets: Vec<Value> = worksheets.into_iter().flatten().collect();
    let of_sheets = sheets.iter().filter_map(|sheet| sheet["cells"].as_array()).flatten();
    let cells = cells.unwrap_or_default();
    let cells: Vec<&Value> = cells.iter().chain(of_sheets).collect();
    out.pages(cells.len())?;
    let known = [&metadata["language_info"]["name"], &metadata["kernelspec"]["language"]];
    let language = known.into_iter().find_map(Value::as_str);
    for (number, cell) in (1..).zip(&cells) {
        // The blank line belongs to the cell before, which is not the last.
        if number > 1 {
            out.text("\n")?;
            out.page_end(false)?;
        }
        send_cell(number, cell, language, out)?;
    }
    if !cells.is_empty() {
        out.page_end(false)?;
    }
    Ok(())
}

/// Sends the text of a cell. `language` is that of cells that do not name another.
fn send_cell(number: u64, cell: &Value, language: Option<&str>, out: &mut Output<'_>) -> Result<(), Failure> {
    out.text(&format!("[{number}] {}\n", title(cell, language)))?;
    // nbformat 3 has the source of code in `input`.
    let source = [&cell["source"], &cell["input"]].into_iter().find_map(join_text);
    let source = source.unwrap_or_default();
    // A picture that was pasted is in the text of its cell.
    let source = if cell["cell_type"] == "code" { source } else { without_data(&source) };
    out.text(&ended(source))?;
    for (name, bundle) in cell["attachments"].as_object().into_iter().flatten() {
        for (mime, data) in bundle.as_object().into_iter().flatten() {
            out.text(&format!("[{number}] attachment {}\n{}\n", one_line(name), describe_data(mime, data)))?;
        }
    }
    for result in cell["outputs"].as_array().into_iter().flatten() {
        out.text(&text(number, result))?;
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

/// Texts, the most readable first. A page of HTML is a last resort: it holds the same as the plain text.
const TEXTS: [&str; 4] = ["text/plain", "text/markdown", "text/latex", "text/html"];

/// The least base64 in a link that is shown as its size.
const LEAST_DATA: usize = 100;

/// The members of an output of nbformat 3 that are data, and their types.
const OLDER: [(&str, &str); 8] = [
    ("text", "text/plain"),
    ("png", "image/png"),
    ("jpeg", "image/jpeg"),
    ("svg", "image/svg+xml"),
    ("html", "text/html"),
    ("latex", "text/latex"),
    ("json", "application/json"),
    ("javascript", "application/javascript"),
];

/// The lines of `output`, the first with the `number` of its cell.
fn text(number: u64, output: &Value) -> String {
    let name = |key: &str| output[key].as_str().map(one_line);
    let (title, text) = match output["output_type"].as_str().unwrap_or_default() {
        "stream" => {
            let name = name("name").or_else(|| name("stream")).unwrap_or("stdout".to_owned());
            (name, clip(&strip_escapes(&join_text(&output["text"]).unwrap_or_default())))
        }
        "error" | "pyerr" => ("error".to_owned(), clip(&error(output))),
        kind => {
            let is_result = matches!(kind, "execute_result" | "pyout");
            (if is_result { "result" } else { "display" }.to_owned(), data(output))
        }
    };
    format!("[{number}] {title}\n{}", ended(text))
}

/// The traceback, which ends with the name and the words of the error.
fn error(output: &Value) -> String {
    let frames = output["traceback"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let traceback: Vec<String> = frames.map(strip_escapes).collect();
    if traceback.is_empty() {
        let part = |key: &str| output[key].as_str().map(strip_escapes).unwrap_or_default();
        return format!("{}: {}", part("ename"), part("evalue"));
    }
    traceback.join("\n")
}

fn data(output: &Value) -> String {
    let of_older = |(key, mime): &(&str, &str)| Some(((*mime).to_owned(), output.get(*key)?.clone()));
    let older = || OLDER.iter().filter_map(of_older).collect();
    let bundle: Map<String, Value> = output["data"].as_object().cloned().unwrap_or_else(older);
    let described = |part: &str| -> Vec<String> {
        let found = bundle.iter().filter(|(mime, _)| mime.starts_with(part));
        found.map(|(mime, data)| describe_data(mime, data)).collect()
    };
    let pictures = described("image/").join("\n");
    // Beside a picture, this is its name in Python.
    let is_name =
        |text: &str| !pictures.is_empty() && text.starts_with('<') && text.trim_end().ends_with('>');
    match TEXTS.iter().find_map(|mime| Some((*mime, join_text(bundle.get(*mime)?)?))) {
        Some(("text/html", page)) => ended(clip(&text_of_page(page.as_bytes()).unwrap_or(page))) + &pictures,
        Some((_, text)) if !is_name(&text) => ended(clip(&strip_escapes(&text))) + &pictures,
        None if pictures.is_empty() => described("").join("\n"),
        _ => pictures,
    }
}

/// Data that rread does not show: its type and size.
fn describe_data(mime: &str, data: &Value) -> String {
    let shown = one_line(mime);
    let Some(text) = join_text(data) else {
        return format!("[{shown}, {}]", size(data.to_string().len()));
    };
    let compact: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let is_text = mime.starts_with("text/") || mime.ends_with("+xml") || mime.ends_with("json");
    let bytes =
        if is_text { text.into_bytes() } else { BASE64.decode(&compact).unwrap_or(text.into_bytes()) };
    format!("[{shown}, {}]", size(bytes.len()))
}

/// `text` with the type and size of each picture or other file that a link contains.
fn without_data(text: &str) -> String {
    let (mut shown, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("data:") {
        let (before, link) = rest.split_at(at);
        shown.push_str(before);
        let head = link["data:".len()..].split_once(";base64,");
        let head = head.filter(|(mime, _)| {
            mime.bytes().all(|byte| byte.is_ascii_graphic() && !b"()<>\"'".contains(&byte))
        });
        let Some((mime, after)) = head else {
            shown.push_str("data:");
            rest = &link["data:".len()..];
            continue;
        };
        let is_data = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '-' | '_' | '%');
        let end = after.find(|c| !is_data(c)).unwrap_or(after.len());
        if end < LEAST_DATA {
            shown.push_str(&link[..link.len() - after.len() + end]);
        } else {
            let mime = mime.split(';').next().filter(|mime| !mime.is_empty()).unwrap_or("text/plain");
            let data = Value::String(after[..end].replace("%2B", "+").replace("%2F", "/"));
            shown.push_str(&describe_data(mime, &data));
        }
        rest = &after[end..];
    }
    shown + rest
}

/// `text` as a terminal shows it: without escape sequences, and of a line that is written again its last state.
fn strip_escapes(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1B}') {
        shown.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(sequence) = rest.strip_prefix('[') {
            let end = sequence.trim_start_matches(|c| matches!(c, '\u{20}'..='\u{3F}'));
            // A letter ends a control sequence.
            rest = end.strip_prefix(|c| matches!(c, '@'..='~')).unwrap_or(end);
        }
    }
    shown.push_str(rest);
    if !shown.contains('\r') {
        return shown;
    }
    let last = |line: &str| line.trim_end_matches('\r').rsplit('\r').next().unwrap_or_default().to_owned();
    shown.split('\n').map(last).collect::<Vec<_>>().join("\n")
}

/// Lines and bytes of an output that are shown whole, and of a longer one those of its start and end.
const WHOLE: Excerpt = Excerpt { lines: 60, bytes: 4000 };
const START: Excerpt = Excerpt { lines: 40, bytes: 2500 };
const END: Excerpt = Excerpt { lines: 15, bytes: 1000 };

struct Excerpt {
    lines: usize,
    bytes: usize,
}

/// `text`, or its start and its end and a line that says how much is between them.
fn clip(text: &str) -> String {
    if text.len() <= WHOLE.bytes && text.lines().count() <= WHOLE.lines {
        return text.to_owned();
    }
    let start = start(text);
    let end = start + end(&text[start..]);
    let (head, middle, tail) = (&text[..start], &text[start..end], &text[end..]);
    let lines = match middle.lines().count() {
        1 => "1 line".to_owned(),
        count => format!("{count} lines"),
    };
    let newline = |part: &str| if part.is_empty() || part.ends_with('\n') { "" } else { "\n" };
    format!("{head}{}[... {lines}, {} left out]\n{tail}", newline(head), size(middle.len()))
}

/// The end of the shown start: after a line, or inside one that is too long.
fn start(text: &str) -> usize {
    let lines = text.match_indices('\n').map(|(at, _)| at + 1).take(START.lines);
    let whole = lines.take_while(|end| *end <= START.bytes).last();
    whole.unwrap_or_else(|| text.floor_char_boundary(START.bytes))
}

fn end(text: &str) -> usize {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let least = text.len().saturating_sub(END.bytes);
    let lines = body.rmatch_indices('\n').map(|(at, _)| at + 1).take(END.lines);
    let whole = lines.take_while(|start| *start >= least).last();
    whole.unwrap_or_else(|| text.ceil_char_boundary(least))
}

/// `bytes` in the largest unit that leaves a whole number.
pub(super) fn size(bytes: usize) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        0..1000 => format!("{bytes} bytes"),
        1000..999_500 => format!("{} kB", (bytes + 500) / 1000),
        _ => format!("{} MB", (bytes + 500_000) / 1_000_000),
    }
}

/// A text is one string or a list of them.
fn join_text(text: &Value) -> Option<String> {
    match text {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => Some(parts.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// Ends `text` with a newline, unless it is empty.
fn ended(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// A name from the file, as part of a line.
fn one_line(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_in_links_is_named() {
        let long = "A".repeat(100_000);
        for (text, expected) in [
            (format!("![x](data:image/png;base64,{long}) after"), "![x]([image/png, 75 kB]) after"),
            (
                format!("<img src=\"data:image/gif;charset=x;base64,{long}\"><b>"),
                "<img src=\"[image/gif, 75 kB]\"><b>",
            ),
            (
                format!("a data:;base64,{long}\ndata:font/woff;base64,{long}"),
                "a [text/plain, 100 kB]\n[font/woff, 75 kB]",
            ),
            ("![x](data:image/png;base64,AAAA)".to_owned(), "![x](data:image/png;base64,AAAA)"),
            ("data: a, data:b;base64, c".to_owned(), "data: a, data:b;base64, c"),
        ] {
            assert_eq!(without_data(&text), expected);
        }
    }

    #[test]
    fn escapes_and_overwritten_lines_are_not_shown() {
        assert_eq!(strip_escapes("a\u{1B}[0;31mred\u{1B}[0m b"), "ared b");
        assert_eq!(strip_escapes("10%\r50%\r100%\nnext\r\nend"), "100%\nnext\nend");
        assert_eq!(strip_escapes("cut \u{1B}[3"), "cut ");
        assert_eq!(strip_escapes("\u{1B}é\u{1B}[é."), "éé.");
        assert_eq!(strip_escapes("\u{1B}"), "");
    }

    #[test]
    fn what_is_shown_and_what_is_left_out_are_the_whole() {
        let numbered = |count: usize| (1..=count).map(|n| format!("line {n}\n")).collect::<String>();
        let long = "ü".repeat(5000);
        for text in [numbered(61), numbered(1000), numbered(100_000), long.clone(), format!("a\n{long}\nb")] {
            let clipped = clip(&text);
            let (head, rest) = clipped.split_once("[... ").unwrap();
            let (note, tail) = rest.split_once(" left out]\n").unwrap();
            let head = if text.starts_with(head) { head } else { head.trim_end() };
            assert!(text.starts_with(head) && text.ends_with(tail), "{clipped}");
            assert!(clipped.len() < WHOLE.bytes, "{}", clipped.len());
            let left = text.len() - head.len() - tail.len();
            assert!(note.ends_with(&size(left)), "{note} {left}");
            assert_eq!(clip(&clipped), clipped);
        }
        assert_eq!(clip(&numbered(60)), numbered(60));
        assert!(clip(&numbered(61)).contains("line 40\n[... 6 lines, 48 bytes left out]\nline 47\n"));
    }

    #[test]
    fn sizes_are_round() {
        assert_eq!(
            [0, 1, 999, 1000, 1499, 999_499, 999_500].map(size).join(" "),
            "0 bytes 1 byte 999 bytes 1 kB 1 kB 999 kB 1 MB"
        );
    }
}
