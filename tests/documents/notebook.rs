//! Notebooks: cells, their outputs, and how they are recognised.

use serde_json::{Value, json};

use super::Lab;

fn notebook(cells: &Value) -> Vec<u8> {
    let metadata = json!({"kernelspec": {"language": "python"}, "language_info": {"name": "python"}});
    let notebook = json!({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5});
    serde_json::to_vec_pretty(&notebook).unwrap()
}

fn code(source: &Value, outputs: &Value) -> Value {
    json!({"cell_type": "code", "execution_count": 7, "metadata": {}, "source": source, "outputs": outputs})
}

pub fn sample() -> Vec<u8> {
    notebook(&json!([
        {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "words"]},
        code(&json!("print(1)\nx"), &json!([
            {"output_type": "stream", "name": "stdout", "text": ["1\n"]},
            {"output_type": "execute_result", "data": {"text/plain": ["'x'"], "text/html": "<b>x</b>"}},
        ])),
        {"cell_type": "raw", "metadata": {}, "source": []},
    ]))
}

const TEXT: &str = "[1] markdown\n# Title\nwords\n\n[2] code python, execution 7\nprint(1)\nx\n\
                    [2] stdout\n1\n[2] result\n'x'\n\n[3] raw\n";

#[test]
fn cells_are_numbered_and_sources_are_as_they_are() {
    let lab = Lab::with("n.ipynb", &sample());
    assert_eq!(lab.text("lines n.ipynb"), TEXT);
    assert_eq!(lab.text("search print n.ipynb"), "6:print(1)\n");
    // The pages of a notebook are its cells.
    assert_eq!(lab.text("page n.ipynb 3"), "[3] raw\n");
    let stat = lab.json("stat n.ipynb --count");
    assert_eq!(
        (&stat["decoded"], &stat["pages"], &stat["lines"]),
        (&"notebook".into(), &3.into(), &13.into())
    );
    let stored = lab.command("lines n.ipynb --no-decompress --raw").output().unwrap();
    assert_eq!(stored.stdout, sample());
}

#[test]
fn the_name_does_not_matter_where_the_content_says_it() {
    let lab = Lab::with("n.json", &sample());
    assert_eq!(lab.text("lines n.json"), TEXT);
    lab.write("data.json", b"{\"cells\": [{\"row\": 1}], \"nbformat\": 4}\n");
    assert!(lab.text("lines data.json").starts_with("{\"cells\""));
    // One of nbformat 3 begins with its metadata.
    let older = json!({"metadata": {"name": ""}, "nbformat": 3, "worksheets": [{"cells": [
        {"cell_type": "heading", "level": 2, "source": "Head"},
        {"cell_type": "code", "language": "ruby", "prompt_number": 4, "input": "puts 1", "outputs": [
            {"output_type": "stream", "stream": "stderr", "text": "oh\n"},
            {"output_type": "pyout", "text": "2"},
            {"output_type": "pyerr", "ename": "E", "evalue": "bad", "traceback": []},
        ]},
    ]}]});
    lab.write("old.ipynb", older.to_string().as_bytes());
    assert_eq!(
        lab.text("lines old.ipynb"),
        "[1] heading 2\nHead\n\n[2] code ruby, execution 4\nputs 1\n[2] stderr\noh\n[2] result\n2\n[2] error\nE: bad\n"
    );
}

#[test]
fn outputs_are_clipped_and_pictures_named() {
    let picture = data_encoding::BASE64.encode(include_bytes!("../../fixtures/tiny.png"));
    let (start, end) = picture.split_at(20);
    let long: String = (0..1000).map(|line| format!("line {line}\n")).collect();
    let cells = json!([
        code(
            &json!("a"),
            &json!([
                {"output_type": "stream", "name": "stdout", "text": long},
                {"output_type": "display_data", "data": {"image/png": [format!("{start}\n"), end], "text/plain": "<Figure>"}},
            ])
        ),
        code(
            &json!("b"),
            &json!([
                {"output_type": "error", "ename": "E", "evalue": "v",
                 "traceback": ["\u{1b}[0;31mE\u{1b}[0m  Traceback", "E: v"]},
                {"output_type": "display_data", "data": {"application/x-y": {"a": [1, 2]}}},
                {"output_type": "display_data", "data": {"text/html": "<table><tr><td>1</td><td>2</td></tr></table>"}},
            ])
        ),
    ]);
    let lab = Lab::with("n.ipynb", &notebook(&cells));
    let text = lab.text("lines n.ipynb");
    assert!(text.contains("line 39\n[... 945 lines, 8 kB left out]\nline 985\n"), "{text}");
    assert!(text.contains("line 999\n[1] display\n[image/png, "), "{text}");
    let size = include_bytes!("../../fixtures/tiny.png").len();
    assert!(text.contains(&format!(", {size} bytes]\n")), "{text}");
    assert!(!text.contains("Figure"), "{text}");
    let errors = "[2] error\nE  Traceback\nE: v\n[2] display\n[application/x-y, 11 bytes]\n[2] display\n";
    assert!(text.contains(errors), "{text}");
}

#[test]
fn a_budget_cuts_and_the_next_range_goes_on() {
    let lab = Lab::with("n.ipynb", &sample());
    let cut = lab.json("lines n.ipynb --max-bytes 30");
    let range = cut["metadata"]["next"]["range"].as_str().unwrap().to_owned();
    let rest = lab.text(&format!("lines n.ipynb {range}"));
    assert_eq!(format!("{}{rest}", cut["content"].as_str().unwrap()), TEXT);
    assert_eq!(cut["metadata"]["decoded"], "notebook");
}

#[test]
fn json_that_is_not_a_notebook_is_refused_by_name_only() {
    let lab = Lab::with("f.ipynb", b"{\"a\": 1}\n");
    let run = lab.run("lines f.ipynb");
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("is damaged, or is not a notebook"), "{}", run.stderr);
    assert!(run.stderr.contains("hint: rread lines f.ipynb 1:20 --no-decompress"), "{}", run.stderr);
}
