//! Arguments of the read and search tools of other servers, as those of the tools of this one.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

type Arguments = Map<String, Value>;

/// An argument of our tools, or a part of `lines`, and the names that other tools have for it; without a name, what the
/// tools do anyway.
const NAMES: &[(&str, &str)] = &[
    (
        "path",
        "paths file_paths files file_path filepath filePath file file_name filename fileName target_file absolute_path absolutePath relative_path \
         relativePath relative_workspace_path target_directory directory dir folder uri url",
    ),
    ("paths", "file_paths filePaths files"),
    ("pattern", "query regex regexp search_pattern search_term"),
    ("ignore_case", "-i case_insensitive caseInsensitive ignoreCase"),
    ("context", "-C context_lines contextLines lines_of_context"),
    ("files_only", "files_with_matches filesOnly"),
    ("max_bytes", "max_size maxBytes"),
    (
        "glob",
        "include includes include_pattern includePattern include_glob file_pattern filePattern file_glob fileGlob globs \
         glob_pattern file_filter -g",
    ),
    ("type", "file_type fileType filetype language lang"),
    ("hidden", "include_hidden includeHidden search_hidden show_hidden"),
    ("no_ignore", "noIgnore include_ignored includeIgnored no_gitignore search_ignored"),
    ("max_lines", "maxLines"),
    ("number", "line_numbers show_line_numbers"),
    ("page_size", "pageSize"),
    ("", "explanation description should_read_entire_file recursive -n -r line_numbers"),
    (
        "first",
        "start_line startLine line_start lineStart first_line from_line start_line_one_indexed start from",
    ),
    ("last", "end_line endLine line_end lineEnd last_line to_line end_line_one_indexed_inclusive end to"),
    ("offset", "offset line_offset start_offset skip"),
    ("length", "limit num_lines numLines line_count lineCount n_lines count length"),
    ("line", "line line_number lineNumber lineno"),
    ("head", "head"),
    ("tail", "tail"),
    ("range", "view_range viewRange line_range lineRange range ranges"),
];

/// The rows of parts of `lines`.
const PARTS: [&str; 8] = ["first", "last", "offset", "length", "line", "head", "tail", "range"];

/// `arguments`, some of which are not among `names`, in the names of this tool; `None` if one has no counterpart.
pub(super) fn translated(arguments: &Arguments, names: &[&str]) -> Option<Arguments> {
    let (mut ours, others): (Arguments, Arguments) =
        arguments.clone().into_iter().partition(|(name, _)| names.contains(&name.as_str()));
    let mut parts = BTreeMap::new();
    for (name, value) in others {
        let is_here = |row: &&str| match *row {
            part if PARTS.contains(&part) => names.contains(&"lines"),
            row => row.is_empty() || names.contains(&row),
        };
        let rows = NAMES.iter().filter(|(_, theirs)| theirs.split(' ').any(|their| their == name));
        match (name.as_str(), rows.map(|(row, _)| *row).find(is_here)) {
            ("output_mode", _) => match value.as_str()? {
                "files_with_matches" => drop(ours.insert("files_only".to_owned(), json!(true))),
                "count" => drop(ours.insert("count".to_owned(), json!(true))),
                "content" => {}
                _ => return None,
            },
            ("case_sensitive" | "caseSensitive", _) if value == json!(false) || value == json!("false") => {
                ours.insert("ignore_case".to_owned(), json!(true));
            }
            ("case_sensitive" | "caseSensitive", _) => {}
            ("exclude" | "excludes" | "exclude_pattern" | "excludePattern" | "exclude_glob", _)
                if names.contains(&"glob") =>
            {
                let excluded = value.as_str()?.trim_start_matches('!');
                let globs = ours.remove("glob").into_iter().chain([json!(format!("!{excluded}"))]);
                let mut globs: Vec<Value> = globs.collect();
                ours.insert("glob".to_owned(), if globs.len() == 1 { globs.remove(0) } else { json!(globs) });
            }
            ("respect_gitignore" | "respectGitignore" | "use_gitignore", _)
                if names.contains(&"no_ignore") =>
            {
                (value == json!(false)).then(|| ours.insert("no_ignore".to_owned(), json!(true)));
            }
            // What is below a directory is always searched.
            ("recursive", _) if value == json!(false) => return None,
            (_, Some("")) => {}
            (_, Some("range")) => {
                let (first, last) = pair(&value)?;
                let is_again = parts.insert("first", first).or(parts.insert("last", last)).is_some();
                (!is_again).then_some(())?;
            }
            (_, Some(part)) if PARTS.contains(&part) => {
                (parts.insert(part, integer(&value)?).is_none()).then_some(())?;
            }
            (_, Some(name)) if !ours.contains_key(name) || name == "glob" => {
                let value = without_scheme(value)?;
                // A list of one name is that name, if the tool takes one.
                let value = match value.as_array().map(Vec::as_slice) {
                    Some([one]) if name != "paths" => one.clone(),
                    _ => value,
                };
                let both = ours.remove(name).map(|before| json!([value, before]));
                ours.insert(name.to_owned(), both.unwrap_or(value));
            }
            _ => return None,
        }
    }
    if !parts.is_empty() {
        // Two answers to one question have no translation.
        let is_given = ["lines", "bytes", "page"].iter().any(|name| ours.contains_key(*name));
        ours.insert("lines".to_owned(), json!(lines(&parts).filter(|_| !is_given)?));
    }
    // In the order of `names`, the one with which a caller begins first.
    let known = ours.keys().all(|name| names.contains(&name.as_str()));
    let ordered = names.iter().filter_map(|name| Some(((*name).to_owned(), ours.get(*name)?.clone())));
    known.then(|| ordered.collect())
}

/// `value` as it is, and the path of an address of a local file; `None` if the path is not in it as it is.
fn without_scheme(value: Value) -> Option<Value> {
    match value.as_str().and_then(|text| text.strip_prefix("file://")) {
        Some(path) if path.starts_with('/') && !path.contains('%') => Some(json!(path)),
        Some(_) => None,
        None => Some(value),
    }
}

/// The range of lines that `parts` ask for.
fn lines(parts: &BTreeMap<&str, i64>) -> Option<String> {
    // Line 0 is the first one.
    let place = |name| parts.get(name).map(|place| if *place == 0 { 1 } else { *place });
    let number = |name| parts.get(name).copied();
    let shown = |place: Option<i64>| place.map_or(String::new(), |place| place.to_string());
    // No lines, and all but the last, have no range here; for some tools, 0 or -1 is all.
    if ["head", "length"].into_iter().filter_map(number).any(|count| count < 1)
        || [number("line"), number("tail")].contains(&Some(0))
    {
        return None;
    }
    let names: Vec<&str> = parts.keys().copied().collect();
    Some(match names[..] {
        ["head"] => format!(":{}", number("head")?),
        // A minus before the number of last lines is a habit of the command tail.
        ["tail"] => format!("-{}:", number("tail")?.unsigned_abs()),
        ["line"] => number("line")?.to_string(),
        ["length"] => format!(":{}", number("length")?),
        ["offset"] => format!("{}:", place("offset")?),
        [start @ ("first" | "offset"), "length"] | ["length", start @ ("first" | "offset")] => {
            format!("{}:+{}", place(start)?, number("length")?)
        }
        ["first"] | ["last"] | ["first", "last"] => {
            let (first, last) = (place("first"), place("last").filter(|last| *last != -1));
            // A place that counts back from the end may be anywhere.
            let is_reversed = first.zip(last).is_some_and(|(first, last)| first > last && last > 0);
            (!is_reversed).then(|| format!("{}:{}", shown(first), shown(last)))?
        }
        _ => return None,
    })
}

fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn pair(value: &Value) -> Option<(i64, i64)> {
    match value.as_array().map(Vec::as_slice) {
        Some([first, last]) => Some((integer(first)?, integer(last)?)),
        _ => {
            let text = value.as_str()?.trim().trim_start_matches('[').trim_end_matches(']');
            let (first, last) = text.split_once(['-', ':', ','])?;
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
            (json!({"path": "a", "line": -1}), "-1"),
            (json!({"path": "a", "tail": -5}), "-5:"),
            (json!({"path": "a", "offset": -5, "limit": 2}), "-5:+2"),
            (json!({"path": "a", "start_line": 3, "limit": "4"}), "3:+4"),
            (json!({"path": "a", "start_line": 0, "line_count": 4}), "1:+4"),
            (json!({"path": "a", "start_line": 3, "end_line": -2}), "3:-2"),
            (json!({"path": "a", "view_range": "[2, 5]"}), "2:5"),
            (json!({"path": "a", "view_range": ["2", "5"]}), "2:5"),
            (json!({"path": "a", "view_range": [0, 0]}), "1:1"),
        ] {
            let what = theirs.to_string();
            assert_eq!(translation(theirs, READ), Some(json!({"path": "a", "lines": lines})), "{what}");
        }
        for (theirs, ours) in [
            (json!({"file_path": "a"}), json!({"path": "a"})),
            (json!({"uri": "file:///d/a b"}), json!({"path": "/d/a b"})),
            (json!({"files": ["a", "b"], "max_lines": 3}), json!({"path": ["a", "b"], "max_lines": 3})),
        ] {
            assert_eq!(translation(theirs, READ), Some(ours));
        }
        let numbered = translation(json!({"path": "a", "line_numbers": true}), &["path", "number"]);
        assert_eq!(numbered, Some(json!({"path": "a", "number": true})));
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
            (json!({"regex": "x", "caseSensitive": "false"}), json!({"pattern": "x", "ignore_case": true})),
            (json!({"regex": "x", "recursive": true, "line_numbers": true}), json!({"pattern": "x"})),
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
            json!({"path": "a", "tail": 0}),
            json!({"path": "a", "head": 0}),
            json!({"path": "a", "head": -3}),
            json!({"path": "a", "limit": 0}),
            json!({"path": "a", "limit": -1}),
            json!({"path": "a", "offset": 3, "limit": -1}),
            json!({"path": "a", "offset": 3, "limit": "all"}),
            json!({"path": "a", "offset": 2.5, "limit": 3}),
            json!({"path": "a", "head": 3, "tail": "x"}),
            json!({"path": "a", "line": 0}),
            json!({"path": "a", "view_range": [5, 2]}),
            json!({"path": "a", "start_line": 5, "end_line": 2}),
            json!({"path": "a", "start_line": 5, "end_line": 0}),
            json!({"path": "a", "range": [3], "head": 1}),
            json!({"path": "a", "start_line": 3, "end_line": 5, "limit": 4}),
            json!({"uri": "file:///d/a%20b"}),
            json!({"uri": "file://host/a"}),
        ] {
            assert_eq!(translation(theirs.clone(), READ), None, "{theirs}");
        }
        assert_eq!(translation(json!({"pattern": "x", "glob": "*.rs"}), SEARCH), None);
        assert_eq!(translation(json!({"pattern": "x", "tail": 2}), SEARCH), None);
        assert_eq!(translation(json!({"query": "x", "recursive": false}), SEARCH), None);
    }
}
