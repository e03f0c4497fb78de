//! Arguments of the read and search tools of other servers, as those of the tools of this one.

use serde_json::{Value, json};

use super::tool::Arguments;

/// Names of other tools for an argument with the same values.
const SAME: &[(&str, &[&str])] = &[
    (
        "path",
        &[
            "file_path",
            "filepath",
            "filePath",
            "file",
            "file_name",
            "filename",
            "fileName",
            "target_file",
            "absolute_path",
            "absolutePath",
            "relative_path",
            "relativePath",
            "relative_workspace_path",
            "target_directory",
            "directory",
            "dir",
            "folder",
            "uri",
            "url",
        ],
    ),
    ("paths", &["file_paths", "filePaths", "files"]),
    ("pattern", &["query", "regex", "regexp", "search_pattern", "search_term"]),
    ("ignore_case", &["-i", "case_insensitive", "caseInsensitive", "ignoreCase"]),
    ("context", &["-C", "context_lines", "contextLines", "lines_of_context"]),
    ("files_only", &["files_with_matches", "filesOnly"]),
    ("max_bytes", &["max_size", "maxBytes"]),
    ("max_lines", &["maxLines"]),
    ("page_size", &["pageSize"]),
];

/// Arguments that ask for what the tools do anyway.
const NEEDLESS: &[&str] =
    &["explanation", "description", "should_read_entire_file", "recursive", "-n", "-r", "line_numbers"];

const FIRST: &[&str] = &[
    "start_line",
    "startLine",
    "line_start",
    "lineStart",
    "first_line",
    "from_line",
    "start_line_one_indexed",
    "start",
    "from",
];
const LAST: &[&str] = &[
    "end_line",
    "endLine",
    "line_end",
    "lineEnd",
    "last_line",
    "to_line",
    "end_line_one_indexed_inclusive",
    "end",
    "to",
];
const OFFSET: &[&str] = &["offset", "line_offset", "start_offset", "skip"];
const COUNT: &[&str] =
    &["limit", "num_lines", "numLines", "line_count", "lineCount", "n_lines", "count", "length"];
const LINE: &[&str] = &["line", "line_number", "lineNumber", "lineno"];
const RANGES: &[&str] = &["view_range", "viewRange", "line_range", "lineRange", "range", "ranges"];

/// `arguments`, some of which are not among `names`, in the names of this tool; `None` if one has no counterpart.
pub(super) fn translated(arguments: &Arguments, names: &[&str]) -> Option<Arguments> {
    let (mut ours, mut others): (Arguments, Arguments) =
        arguments.clone().into_iter().partition(|(name, _)| names.contains(&name.as_str()));
    if names.contains(&"lines") {
        let before = others.len();
        match lines(&mut others) {
            Some(lines) if !["lines", "bytes", "page"].iter().any(|name| ours.contains_key(*name)) => {
                ours.insert("lines".to_owned(), json!(lines));
            }
            None if others.len() == before => {}
            // Two answers to one question have no translation.
            _ => return None,
        }
    }
    if let Some(mode) = others.remove("output_mode") {
        match mode.as_str()? {
            "files_with_matches" => drop(ours.insert("files_only".to_owned(), json!(true))),
            "count" => drop(ours.insert("count".to_owned(), json!(true))),
            "content" => {}
            _ => return None,
        }
    }
    let case = others.remove("case_sensitive").or_else(|| others.remove("caseSensitive"));
    if case == Some(json!(false)) {
        ours.insert("ignore_case".to_owned(), json!(true));
    }
    for (name, value) in others {
        let known = SAME.iter().find(|(_, others)| others.contains(&name.as_str()));
        match known.map(|(ours, _)| *ours).filter(|ours| names.contains(ours)) {
            Some(name) if !ours.contains_key(name) => drop(ours.insert(name.to_owned(), value)),
            None if NEEDLESS.contains(&name.as_str()) => {}
            _ => return None,
        }
    }
    ours.keys().all(|name| names.contains(&name.as_str())).then(|| in_order(&ours, names))
}

/// `arguments` in the order of `names`, the one with which a caller begins first.
fn in_order(arguments: &Arguments, names: &[&str]) -> Arguments {
    names.iter().filter_map(|name| Some(((*name).to_owned(), arguments.get(*name)?.clone()))).collect()
}

/// The range of lines that `others` ask for, whose arguments it takes.
fn lines(others: &mut Arguments) -> Option<String> {
    let mut number = |names: &[&str]| take(others, names).and_then(|value| integer(&value));
    let (head, tail) = (number(&["head"]), number(&["tail"]));
    let (first, last, line) = (number(FIRST), number(LAST), number(LINE));
    let (offset, count) = (number(OFFSET), number(COUNT));
    let range = take(others, RANGES).and_then(|value| pair(&value));
    let from_one = |number: i64| number.max(1);
    let given = [
        head.map(|count| format!(":{}", from_one(count))),
        tail.map(|count| format!("-{}:", from_one(count))),
        line.map(|line| from_one(line).to_string()),
        range.map(|(first, last)| span(Some(first), Some(last))),
        (first.is_some() || last.is_some()).then(|| span(first, last)),
        match (offset, count) {
            (None, None) => None,
            (None, Some(count)) => Some(format!(":{}", from_one(count))),
            (Some(offset), None) => Some(format!("{}:", from_front_or_end(offset))),
            (Some(offset), Some(count)) => {
                Some(format!("{}:+{}", from_front_or_end(offset), from_one(count)))
            }
        },
    ];
    let mut given = given.into_iter().flatten();
    let range = given.next()?;
    given.next().is_none().then_some(range)
}

fn from_front_or_end(offset: i64) -> i64 {
    if offset == 0 { 1 } else { offset }
}

/// Lines from `first` to `last`; the last is the end of the file if it is -1 or not given.
fn span(first: Option<i64>, last: Option<i64>) -> String {
    let first = first.map_or(String::new(), |first| from_front_or_end(first).to_string());
    let last =
        last.filter(|last| *last != -1).map_or(String::new(), |last| from_front_or_end(last).to_string());
    format!("{first}:{last}")
}

fn take(others: &mut Arguments, names: &[&str]) -> Option<Value> {
    let name = names.iter().find(|name| others.contains_key(**name))?;
    others.remove(*name)
}

fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn pair(value: &Value) -> Option<(i64, i64)> {
    match value.as_array().map(Vec::as_slice) {
        Some([first, last]) => Some((integer(first)?, integer(last)?)),
        _ => {
            let (first, last) = value.as_str()?.split_once(['-', ':', ','])?;
            Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: &[&str] = &["path", "paths", "lines", "bytes", "page", "max_lines"];
    const SEARCH: &[&str] = &["pattern", "path", "ignore_case", "context", "count", "files_only"];

    fn translation(arguments: Value, names: &[&str]) -> Option<Value> {
        let Value::Object(arguments) = arguments else { panic!("no object") };
        translated(&arguments, names).map(Value::Object)
    }

    #[test]
    fn calls_of_other_read_tools_have_the_same_meaning_here() {
        for (theirs, lines) in [
            (json!({"path": "a", "tail": 2}), "-2:"),
            (json!({"path": "a", "head": "3"}), ":3"),
            (json!({"path": "a", "offset": 2, "limit": 1}), "2:+1"),
            (json!({"path": "a", "offset": 0, "limit": 5}), "1:+5"),
            (json!({"path": "a", "offset": -5}), "-5:"),
            (json!({"path": "a", "offset": 7}), "7:"),
            (json!({"file_path": "a", "limit": 9}), ":9"),
            (json!({"filePath": "a", "startLine": 2, "endLine": 5}), "2:5"),
            (
                json!({"target_file": "a", "start_line_one_indexed": 2, "end_line_one_indexed_inclusive": 5,
                "should_read_entire_file": false, "explanation": "why"}),
                "2:5",
            ),
            (json!({"path": "a", "start_line": 4}), "4:"),
            (json!({"path": "a", "end_line": 4}), ":4"),
            (json!({"path": "a", "start_line": 4, "end_line": -1}), "4:"),
            (json!({"path": "a", "view_range": [2, 5]}), "2:5"),
            (json!({"path": "a", "view_range": [2, -1]}), "2:"),
            (json!({"path": "a", "line_range": "2-5"}), "2:5"),
            (json!({"path": "a", "line": 12}), "12"),
        ] {
            let what = theirs.to_string();
            assert_eq!(translation(theirs, READ), Some(json!({"path": "a", "lines": lines})), "{what}");
        }
        for (theirs, ours) in [
            (json!({"file_path": "a"}), json!({"path": "a"})),
            (json!({"files": ["a", "b"], "max_lines": 3}), json!({"paths": ["a", "b"], "max_lines": 3})),
        ] {
            assert_eq!(translation(theirs, READ), Some(ours));
        }
    }

    #[test]
    fn calls_of_other_search_tools_have_the_same_meaning_here() {
        for (theirs, ours) in [
            (
                json!({"pattern": "x", "path": "d", "-i": true, "-n": true, "-C": 2, "output_mode": "content"}),
                json!({"pattern": "x", "path": "d", "ignore_case": true, "context": 2}),
            ),
            (
                json!({"query": "x", "case_sensitive": false, "output_mode": "files_with_matches"}),
                json!({"pattern": "x", "ignore_case": true, "files_only": true}),
            ),
            (json!({"regex": "x", "case_sensitive": true}), json!({"pattern": "x"})),
        ] {
            assert_eq!(translation(theirs, SEARCH), Some(ours));
        }
    }

    #[test]
    fn what_has_no_counterpart_has_no_translation() {
        for theirs in [
            json!({"path": "a", "colour": 1}),
            json!({"path": "a", "lines": "1", "tail": 2}),
            json!({"path": "a", "head": 1, "tail": 2}),
            json!({"path": "a", "file_path": "b"}),
            json!({"path": "a", "tail": 2, "colour": 1}),
        ] {
            assert_eq!(translation(theirs.clone(), READ), None, "{theirs}");
        }
        assert_eq!(translation(json!({"pattern": "x", "glob": "*.rs"}), SEARCH), None);
        assert_eq!(translation(json!({"pattern": "x", "tail": 2}), SEARCH), None);
    }
}
