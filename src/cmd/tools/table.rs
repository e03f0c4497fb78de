//! The tools and their arguments: one table a tool, from which the schema, the names and the values of its arguments follow.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};

use rread_answer::wording;
use rread_source::spelling::nearest;
use rread_text::range::parse_size;
use rread_text::{Error, Result};

/// Makes a tool and the struct of its arguments, from rows of a name, a type, a description and marks.
macro_rules! tool {
    ($tool:ident, $called:literal, $title:literal: $description:literal $(, $key:ident: $value:expr)*;
    $name:ident { $($field:ident: $type:ty, $about:literal $(, $mark:ident $(($($one:literal)*))?)*;)* }) => {
        pub(super) static $tool: Tool =
            Tool { $($key: $value,)* ..Tool::reading($called, $title, $description, $name::FIELDS) };

        // A time limit is read before the call.
        #[allow(dead_code)]
        #[derive(Clone, Debug)]
        pub(super) struct $name {
            $(pub(super) $field: $type,)*
        }

        impl $name {
            const FIELDS: &'static [Field] = &[$(Field {
                name: plain(stringify!($field)),
                schema: <$type as Argument>::SCHEMA,
                about: $about,
                marks: &[$((stringify!($mark), &[$($($one),*)?])),*],
                fault: |field, arguments| field.value::<$type>(arguments).err(),
            },)*];

            pub(super) fn read(arguments: &Arguments) -> Result<Self> {
                let mut fields = Self::FIELDS.iter();
                let missing = || Error::usage("the table of the tool is shorter than its struct");
                Ok($name { $($field: fields.next().ok_or_else(missing)?.value(arguments).map_err(Error::usage)?,)* })
            }
        }
    };
}

tool! {
    READ, "read", "Read parts of files":
    "Read lines, bytes, pages or a time window of files of any size; compressed files and documents as text. Each \
        part: a line of facts, then content.";
    ReadArguments {
        path: Option<String>, "File, FILE:LINES, archive or tar:a.tgz/**/*.log";
        paths: Vec<String>, "";
        lines: Ranges, "From 1, end included: 100:120, 100:+20, -20: (last 20), 7, 1:5,40:45";
        bytes: Ranges, "From 0, end excluded: 0:4096, 4KiB:+512, -1MiB:", zero;
        page: Option<i64>, "From 1; -1 is the last; a document has its own";
        page_size: Option<u64>, "Bytes (4000)";
        since: Option<String>, "From 06:01, 2026-11-23T06:01, -15m";
        until: Option<String>, "Before; +10m counts from since";
        time_format: Option<String>, "As in strptime";
        tz: Option<String>, "Zone of times without one";
        bounded: bool, "No next after the range";
        context: Option<u64>, "Lines around";
        header: Option<u64>, "Repeat the first N lines (CSV)", repeated;
        number: bool, "", repeated;
        hash: bool, "N#hash|text, for verify", repeated;
        encode: Option<String>, "Exact bytes", one_of("base64" "hex" "hexdump"), repeated;
        encoding: Option<String>, "Such as windows-1252", repeated;
        text: bool, "Even if binary", repeated;
        salvage: bool, "Up to the damage", repeated;
        plain: bool, "", repeated;
        max_bytes: Option<u64>, "Budget (10000)", repeated;
        max_lines: Option<u64>, "In all", repeated;
        max_columns: Option<u64>, "Clip long lines", repeated;
        timeout: Option<Duration>, "Seconds (60)", repeated;
        skip: Option<u64>, "";
    }
}

tool! {
    SEARCH, "search", "Search files":
    "Lines that match a regular expression (as in rg), in files and directories of any size: 12:match, \
        11-context. Leaves out hidden, ignored and binary files of directories.",
    output: Some(r#"{"type":"object","required":["files","files_searched","complete"],"properties":{"files":{"type":"array"}}}"#);
    SearchArguments {
        pattern: Patterns, "", required, empty;
        path: Option<String>, "File, directory, archive; default all";
        paths: Vec<String>, "";
        fixed: bool, "Plain text";
        ignore_case: bool, "";
        word: bool, "";
        invert: bool, "";
        unit: Option<String>, "Whole records, blocks", one_of("record" "block");
        enclosing: bool, "With function above";
        context: Option<u64>, "Lines around";
        glob: Patterns, "*.{ts,tsx}, !test*";
        r#type: Patterns, "As in rg: py";
        hidden: bool, "";
        no_ignore: bool, "";
        merge: bool, "All by time";
        max_count: Option<u64>, "Of each file; merge: of all";
        last: Option<u64>, "Last N; merge: of all";
        r#in: Ranges, "Lines 100:200, -1000: or bytes b0:1M";
        since: Option<String>, "As in read";
        until: Option<String>, "";
        time_format: Option<String>, "";
        tz: Option<String>, "";
        count: bool, "Numbers only";
        files_only: bool, "Names only";
        hash: bool, "For verify";
        encoding: Option<String>, "";
        text: bool, "";
        plain: bool, "";
        after: Option<String>, "From next";
        max_bytes: Option<u64>, "";
        timeout: Option<Duration>, "";
    }
}

tool! {
    STAT, "stat", "Facts about files":
    "Size, type, encoding, version, time, tables with columns. With count: exact lines, longest line, invalid text.",
    output: Some(r#"{"type":"object","required":["files"]}"#);
    StatArguments {
        path: Option<String>, "";
        paths: Vec<String>, "";
        count: bool, "";
        patterns: Option<u64>, "Kinds of lines";
        rarest: Option<u64>, "Whole lines";
        timeout: Option<Duration>, "";
    }
}

tool! {
    VERIFY, "verify", "Verify lines":
    "Whether lines are as they were read with hash: moved, changed and gone lines, new anchors (remaps), changed \
        lines as they are now.",
    output: Some(r#"{"type":"object","required":["path","ok","checked"]}"#);
    VerifyArguments {
        path: Option<String>, "File", required;
        anchors: Vec<String>, "12#a1b2c3, from read with hash";
        lines: Ranges, "Or 110:120";
        context: Option<u64>, "Lines around them (2)", zero;
        max_bytes: Option<u64>, "";
        timeout: Option<Duration>, "";
    }
}

tool! {
    IMAGE, "image", "Show a picture":
    "Show a picture (PNG, JPEG, GIF, WebP, BMP, TIFF), smaller if large.";
    ImageArguments {
        path: Option<String>, "File", required;
        max_side: Option<u64>, "Pixels (1568)";
        max_bytes: Option<u64>, "Of base64 (1000000)";
        page: Option<u64>, "";
        facts_only: bool, "";
        timeout: Option<Duration>, "";
    }
}

tool! {
    FOLLOW, "follow", "Wait for a line":
    "Wait until a line that matches is appended to a file, which may be rotated meanwhile.",
    waits: true;
    FollowArguments {
        path: Option<String>, "", required;
        pattern: Patterns, "", required, empty;
        ignore_case: bool, "";
        context: Option<u64>, "";
        timeout: Option<Duration>, "Seconds (30)", zero;
        from: Option<String>, "From next (the end)", zero;
    }
}

#[cfg(feature = "sql")]
tool! {
    SELECT, "select", "Query a table":
    "SQL (DataFusion) on the table t: CSV, JSON, Parquet, logs; sheets (FROM \"Name\") and tables of SQLite. Rows are CSV. \
        Members of objects: t.a.b.";
    SelectArguments {
        path: Option<String>, "";
        paths: Vec<String>, "";
        sql: Option<String>, "", required;
        sheet: Option<String>, "";
        options: Patterns, "--input log --null NA";
        offset: Option<u64>, "";
        max_bytes: Option<u64>, "";
        timeout: Option<Duration>, "";
    }
}

tool! {
    CAPTURE, "capture", "Run a command and keep its output":
    "Run a command in the server's working directory. Long output is kept: the answer has its first page and a \
        handle such as fd:1, which read and search take as path. Escape sequences and progress bars are left out.",
    only_reads: false,
    waits: true;
    CaptureArguments {
        command: CommandLine, "Program and arguments; one text is a line for a shell", required;
        name: Option<String>, "Handle fd:NAME";
        max_bytes: Option<u64>, "(10000)";
        timeout: Option<Duration>, "Seconds (60); then the output so far";
    }
}

pub(crate) type Arguments = Map<String, Value>;

/// A tool: its description for the client, its arguments, and the function that answers a call.
// A title and the schema of answers are for servers.
#[cfg_attr(not(feature = "mcp"), allow(dead_code))]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(super) fields: &'static [Field],
    /// The JSON Schema of a structured answer.
    pub(crate) output: Option<&'static str>,
    pub(crate) only_reads: bool,
    /// Whether a call waits for something outside, so that it needs no place among those that work.
    pub(crate) waits: bool,
}

/// An argument of a tool.
pub(super) struct Field {
    pub(super) name: &'static str,
    /// The type in JSON Schema.
    pub(super) schema: &'static str,
    pub(super) about: &'static str,
    /// `required`; `repeated` in the call that goes on; `one_of` some values; `empty` or `zero` if that is a value.
    pub(super) marks: &'static [(&'static str, &'static [&'static str])],
    /// What is wrong with its value in a call.
    fault: fn(&Field, &Arguments) -> Option<String>,
}

/// The answer of a call.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) body: Body,
    /// Why the answer is no, or something is missing in it: the exit code of `rread call`.
    pub(crate) failure: Option<Error>,
    /// Whether nothing could be delivered.
    pub(crate) is_error: bool,
}

#[derive(Debug)]
pub(crate) enum Body {
    Text(String),
    Structured(Value),
    /// A picture in base64, its media type, and the facts about it.
    Picture {
        data: String,
        mime: String,
        facts: String,
    },
}

impl Answer {
    pub(super) fn new(body: Body, failure: Option<Error>) -> Self {
        Answer { body, failure, is_error: false }
    }
}

impl From<Error> for Answer {
    fn from(error: Error) -> Self {
        let hint = wording::hint(&error).map_or(String::new(), |hint| format!("\nhint: {hint}"));
        let text = wording::line(&error) + &hint;
        Answer { body: Body::Text(text), failure: Some(error), is_error: true }
    }
}

impl Field {
    fn mark(&self, mark: &str) -> Option<&'static [&'static str]> {
        self.marks.iter().find(|(name, _)| *name == mark).map(|(_, values)| *values)
    }

    fn to_schema(&self) -> Value {
        let mut schema = json!({"type": self.schema});
        if self.schema == "array" {
            schema["items"] = json!({"type": "string"});
        }
        if let Some(values) = self.mark("one_of") {
            schema["enum"] = json!(values);
        }
        if !self.about.is_empty() {
            schema["description"] = json!(self.about);
        }
        schema
    }

    /// Whether models send this value for an argument that they do not mean.
    fn is_placeholder(&self, value: &Value) -> bool {
        match value {
            Value::Null => true,
            Value::String(text) => {
                let is_none = || self.name != "path" && NONE.contains(&&*text.trim().to_ascii_lowercase());
                self.mark("empty").is_none() && (text.trim().is_empty() || is_none())
            }
            Value::Array(items) => items.iter().all(|item| item.is_null() || *item == ""),
            Value::Object(members) => members.is_empty(),
            Value::Number(number) => number.as_f64() == Some(0.0) && self.mark("zero").is_none(),
            Value::Bool(_) => false,
        }
    }

    /// The value of this argument in `arguments`, or what is wrong with it.
    pub(super) fn value<T: Argument>(&self, arguments: &Arguments) -> std::result::Result<T, String> {
        let Some(value) = arguments.get(self.name).filter(|value| !self.is_placeholder(value)) else {
            return Ok(T::default());
        };
        let allowed = self.mark("one_of");
        let is_allowed = allowed.is_none_or(|allowed| allowed.iter().any(|one| value == one));
        T::read(value).filter(|_| is_allowed).ok_or_else(|| {
            let form = allowed.map_or(T::FORM.to_owned(), |allowed| allowed.join(" or "));
            format!("{} is {value}; it must be {form}", self.name)
        })
    }
}

/// What languages call nothing, which some models write as a text.
const NONE: [&str; 3] = ["null", "none", "undefined"];

/// Some clients put all arguments into one of these.
const WRAPPERS: [&str; 6] = ["arguments", "args", "input", "kwargs", "parameters", "params"];

/// Our arguments, and the names that other tools have for them.
const NAMES_OF_OTHER_TOOLS: &[(&str, &str)] = &[
    ("path", "file file_path filename target_file absolute_path relative_path directory dir folder uri url"),
    ("path", "image image_path"),
    ("paths", "files file_paths"),
    ("pattern", "query regex regexp search_term"),
    ("sql", "query statement"),
    ("command", "cmd code script"),
    ("max_count", "max_results max_matches head_limit limit"),
    ("max_bytes", "max_tokens token_limit max_chars max_length"),
    ("context", "-A -B -C after_context before_context context_lines"),
    ("files_only", "output_mode files_with_matches"),
    ("number", "-n line_numbers show_line_numbers"),
    (
        "glob",
        "include include_pattern include_glob exclude exclude_pattern file_pattern file_glob globs glob_pattern",
    ),
    ("type", "file_type language"),
    ("ignore_case", "-i case_insensitive case_sensitive"),
    (
        "lines",
        "line offset limit head tail start_line end_line first last start end line_start line_end num_lines view_range line_range range",
    ),
];

/// Whether two names differ at most in the way in which their words are joined, such as `filePath` and `file_path`.
fn is_same(a: &str, b: &str) -> bool {
    a.replace('_', "").eq_ignore_ascii_case(&b.replace('_', ""))
}

impl Tool {
    /// A tool that only reads, and answers as text.
    const fn reading(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        fields: &'static [Field],
    ) -> Self {
        Tool { name, title, description, fields, output: None, only_reads: true, waits: false }
    }

    /// How long a call with `arguments` may take.
    pub(crate) fn limit(&self, arguments: &Arguments, default: Duration) -> Duration {
        let given: Option<Duration> = self.field("timeout").and_then(|field| field.value(arguments).ok()?);
        // `follow`, which may be asked not to wait at all, answers at its time by itself.
        let is_own = self.field("timeout").is_some_and(|field| field.mark("zero").is_some());
        match given {
            Some(wait) if is_own => default.saturating_add(wait),
            Some(limit) if !limit.is_zero() => limit,
            _ => default,
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.fields.iter().map(|field| field.name)
    }

    fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The JSON Schema of the arguments.
    pub(crate) fn input(&self) -> Arguments {
        let required = self.fields.iter().filter(|field| field.mark("required").is_some());
        let required: Vec<&str> = required.map(|field| field.name).collect();
        let properties = self.fields.iter().map(|field| (field.name.to_owned(), field.to_schema()));
        let mut input = Map::from_iter([("type".to_owned(), json!("object"))]);
        input.insert("additionalProperties".to_owned(), json!(false));
        input.extend((!required.is_empty()).then(|| ("required".to_owned(), json!(required))));
        input.insert("properties".to_owned(), properties.collect());
        input
    }

    /// The `arguments` that the call that goes on repeats.
    pub(super) fn repeated(&self, arguments: &Arguments) -> Arguments {
        let is_repeated = |name: &str| self.field(name).is_some_and(|field| field.mark("repeated").is_some());
        let repeated = arguments.iter().filter(|(name, _)| is_repeated(name));
        repeated.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Removes what stands for no argument; refuses names that the tool does not have, and values that it cannot read.
    pub(super) fn check(&self, arguments: &mut Arguments) -> Result<()> {
        const UNKNOWN: Field =
            Field { name: "", schema: "", about: "", marks: &[("zero", &[])], fault: |_, _| None };
        arguments.retain(|name, value| !self.field(name).unwrap_or(&UNKNOWN).is_placeholder(value));
        let several =
            arguments.get("path").and_then(Value::as_array).filter(|files| files.len() > 1).cloned();
        if let Some(mut files) = several.filter(|_| self.field("paths").is_some()) {
            arguments.remove("path");
            files.extend(arguments.get("paths").and_then(texts).into_iter().flatten().map(Value::from));
            arguments.insert("paths".to_owned(), Value::Array(files));
        }
        let unknown: Vec<&str> =
            arguments.keys().map(String::as_str).filter(|name| self.field(name).is_none()).collect();
        let mut faults: Vec<String> =
            unknown.iter().map(|name| format!("there is no argument '{name}'")).collect();
        faults.extend(self.fields.iter().filter_map(|field| (field.fault)(field, arguments)));
        let hints: BTreeSet<String> = unknown.iter().map(|name| self.instead_of(name)).collect();
        let error = Error::usage(faults.join("; "));
        let error = if hints.is_empty() { error } else { error.hint(Vec::from_iter(hints).join(" ")) };
        if faults.is_empty() { Ok(()) } else { Err(error) }
    }

    /// What to use instead of an argument that the tool does not have.
    fn instead_of(&self, unknown: &str) -> String {
        let is_other_name = |name: &&'static str| {
            let others = NAMES_OF_OTHER_TOOLS.iter().filter(|(ours, _)| ours == name);
            is_same(name, unknown)
                || others.flat_map(|(_, theirs)| theirs.split(' ')).any(|it| is_same(it, unknown))
        };
        let other = self.names().find(is_other_name).map(str::to_owned);
        let near = other.or_else(|| nearest(unknown, self.names().map(str::to_owned)));
        match near.as_deref().and_then(|near| self.field(near)) {
            Some(field) if field.about.is_empty() => format!("did you mean '{}'?", field.name),
            Some(field) => format!("did you mean '{}'? {}", field.name, field.about),
            None => format!("the arguments are {}", self.names().collect::<Vec<_>>().join(", ")),
        }
    }
}

/// The arguments of a call, which may be the JSON text of an object, and inside another one.
pub(crate) fn unwrapped(value: Value) -> Option<Arguments> {
    let arguments = match value {
        Value::Object(arguments) => arguments,
        Value::String(text) => serde_json::from_str(&text).ok()?,
        _ => return None,
    };
    let inner = match arguments.iter().next() {
        Some((name, inner)) if arguments.len() == 1 && WRAPPERS.contains(&&**name) => {
            unwrapped(inner.clone())
        }
        _ => None,
    };
    Some(inner.unwrap_or(arguments))
}

/// The name of a field, which may be a keyword: `in` for `r#in`.
pub(super) const fn plain(name: &'static str) -> &'static str {
    if let [b'r', b'#', ..] = name.as_bytes() { name.split_at(2).1 } else { name }
}

/// A type of arguments, in the forms that clients send.
pub(super) trait Argument: Default {
    /// The type in JSON Schema.
    const SCHEMA: &'static str;
    /// The form of a value.
    const FORM: &'static str;

    /// `None` if `value` is something else.
    fn read(value: &Value) -> Option<Self>;
}

/// A text, or a number or truth value as its text; some clients have only floating numbers.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(number) if number.is_f64() => {
            number.as_f64().filter(|number| number.fract() == 0.0).map(|number| format!("{number:.0}"))
        }
        Value::Number(number) => Some(number.to_string()),
        Value::Array(items) => match &items[..] {
            [one @ (Value::String(_) | Value::Number(_))] => text(one),
            _ => None,
        },
        _ => None,
    }
}

/// The texts of a list; some clients send it as its JSON text.
fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(items) => items.iter().filter(|item| !item.is_null()).map(text).collect(),
        Value::String(word) => match serde_json::from_str(word) {
            Ok(list @ Value::Array(_)) => texts(&list),
            _ => Some(vec![word.clone()]),
        },
        value => Some(vec![text(value)?]),
    }
}

/// Implements [`Argument`]: the type, its name in the schema, the form of a value, and how one is read.
macro_rules! arguments {
    ($($type:ty: $schema:literal, $form:literal, $read:expr;)*) => {$(
        impl Argument for $type {
            const SCHEMA: &'static str = $schema;
            const FORM: &'static str = $form;

            fn read(value: &Value) -> Option<Self> {
                ($read as fn(&Value) -> Option<Self>)(value)
            }
        }
    )*};
}

arguments! {
    Option<String>: "string", "one text", |value| text(value).map(Some);
    Ranges: "string", "ranges, such as \"1:20,40\"",
        |value| texts(value).map(|ranges| Ranges(Some(ranges.join(","))));
    // The text of a list begins with a quote: [12] is a pattern.
    Patterns: "string", "one text, such as \"ERROR|WARN\"", |value| match value {
        Value::String(word) if !word.starts_with("[\"") => Some(Patterns(vec![word.clone()])),
        value => texts(value).map(Patterns),
    };
    Option<i64>: "integer", "a whole number, such as 3 or -1", |value| {
        let number: i64 = text(value)?.trim().replace('_', "").parse().ok()?;
        Some(Some(number).filter(|number| *number != 0))
    };
    // Also "5" and "10KB".
    Option<u64>: "integer", "a whole number from 1 on, such as 20 or \"10KB\"", |value| {
        let number = parse_size(&text(value)?.trim().replace(' ', "")).ok()?;
        Some(Some(number).filter(|number| *number != 0))
    };
    // Also "30", 0.5 and "5m".
    Option<Duration>: "integer", "a number of seconds, such as 30 or \"5m\"", |value| {
        let text = value.as_f64().map_or_else(|| text(value), |seconds| Some(seconds.to_string()))?;
        let seconds = text.trim().parse().ok().map(Duration::try_from_secs_f64);
        seconds.map_or_else(|| humantime::parse_duration(text.trim()).ok(), std::result::Result::ok).map(Some)
    };
    bool: "boolean", "true or false", |value| match &*text(value)?.trim().to_ascii_lowercase() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    };
    Vec<String>: "array", "a list of texts, such as [\"a\", \"b\"]", texts;
    CommandLine: "array", "a list of texts, such as [\"make\", \"test\"]", |value| {
        let words = texts(value).filter(|_| value.is_string() || value.is_array())?;
        match &words[..] {
            [line] if line.contains(char::is_whitespace) && !Path::new(line).exists() => {
                let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
                Some(CommandLine(vec![shell.to_owned(), option.to_owned(), line.clone()]))
            }
            _ => Some(CommandLine(words)),
        }
    };
}

/// Ranges, which may be a list: `["1:2", 4]` is `1:2,4`.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges(pub(super) Option<String>);

/// Patterns, any of which may match.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns(pub(super) Vec<String>);

impl Patterns {
    /// All of them as one.
    pub(super) fn joined(&self) -> String {
        match &self.0[..] {
            [one] => one.clone(),
            several => several.iter().map(|one| format!("(?:{one})")).collect::<Vec<_>>().join("|"),
        }
    }
}

/// A program and its arguments; a text is a line for a shell.
#[derive(Clone, Debug, Default)]
pub(super) struct CommandLine(pub(super) Vec<String>);
