//! The table of each tool: its description for clients, and its arguments, from which names, schema and values come.

use std::time::Duration;

use super::arguments::{Arguments, CommandLine, Field, Patterns, Ranges, Tool, arguments};
use rread_text::error::{Error, Result};

pub(super) static READ: Tool = Tool {
    name: "read",
    title: "Read parts of files",
    description: "Read lines, bytes, pages or a time window of files of any size; compressed files and documents as text. Each \
        part: a line of facts, then content.",
    fields: ReadArguments::FIELDS,
    output: None,
    only_reads: true,
    waits: false,
};

arguments! {
    ReadArguments {
        path: Option<String>, "File, FILE:LINES, archive or tar:a.tgz/**/*.log";
        paths: Vec<String>, "";
        lines: Ranges, "From 1, end included: 100:120, 100:+20, -20: (last 20), 7, 1:5,40:45";
        bytes: Ranges, "From 0, end excluded: 0:4096, 4KiB:+512, -1MiB:", zero;
        page: Option<i64>, "From 1; -1 is the last; a document has its own";
        page_size: Option<u64>, "Bytes (4000)";
        since: Option<String>, "From time: 06:01, 2026-11-23T06:01, -15m";
        until: Option<String>, "Before; +10m counts from since";
        time_format: Option<String>, "As in strptime";
        tz: Option<String>, "Zone of times without one";
        bounded: bool, "No next after the range";
        context: Option<u64>, "Lines around";
        header: Option<u64>, "Repeat the first N lines (CSV)";
        number: bool, "Number the lines", repeated;
        hash: bool, "N#hash|text, for verify", repeated;
        encode: Option<String>, "Exact bytes", one_of("base64" "hex" "hexdump"), repeated;
        encoding: Option<String>, "Such as windows-1252", repeated;
        text: bool, "Even if binary", repeated;
        salvage: bool, "Up to the damage", repeated;
        plain: bool, "", repeated;
        max_bytes: Option<u64>, "Budget (10000)", repeated;
        max_lines: Option<u64>, "", repeated;
        max_columns: Option<u64>, "Clip long lines", repeated;
        timeout: Option<Duration>, "Seconds (60)", repeated;
    }
}

pub(super) static SEARCH: Tool = Tool {
    name: "search",
    title: "Search files",
    description: "Lines that match a regular expression (as in rg), in files and directories of any size: 12:match, \
        11-context. Leaves out hidden, ignored and binary files of directories. `next` is the arguments that go on.",
    fields: SearchArguments::FIELDS,
    output: Some(
        r#"{"type":"object","required":["files","files_searched","complete"],"properties":{"files":{"type":"array"}}}"#,
    ),
    only_reads: true,
    waits: false,
};

arguments! {
    SearchArguments {
        pattern: Patterns, "", required, empty;
        path: Option<String>, "File, directory, archive; default all";
        paths: Vec<String>, "";
        fixed: bool, "Plain text";
        ignore_case: bool, "";
        word: bool, "";
        invert: bool, "";
        unit: Option<String>, "Whole records, blocks", one_of("record" "block");
        enclosing: bool, "With function, section above";
        context: Option<u64>, "Lines around matches";
        glob: Patterns, "*.{ts,tsx}, !test*";
        r#type: Patterns, "As in rg: py";
        hidden: bool, "";
        no_ignore: bool, "";
        max_count: Option<u64>, "Of each file";
        last: Option<u64>, "Last N of each file";
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

pub(super) static STAT: Tool = Tool {
    name: "stat",
    title: "Facts about files",
    description: "Size, type, encoding, line ends, version and time of files of any size. With count: exact lines, longest \
        line, invalid text.",
    fields: StatArguments::FIELDS,
    output: Some(r#"{"type":"object","required":["files"]}"#),
    only_reads: true,
    waits: false,
};

arguments! {
    StatArguments {
        path: Option<String>, "";
        paths: Vec<String>, "";
        count: bool, "Scan the file";
        patterns: Option<u64>, "Kinds of lines";
        timeout: Option<Duration>, "";
    }
}

pub(super) static VERIFY: Tool = Tool {
    name: "verify",
    title: "Verify lines",
    description: "Check that lines are as they were read with hash. Reports moved, changed and gone lines, new anchors (remaps), \
        and changed lines as they are now.",
    fields: VerifyArguments::FIELDS,
    output: Some(r#"{"type":"object","required":["path","ok","checked"]}"#),
    only_reads: true,
    waits: false,
};

arguments! {
    VerifyArguments {
        path: Option<String>, "File", required;
        anchors: Vec<String>, "12#a1b2c3, from read with hash";
        lines: Ranges, "Or 110:120, as last read with hash";
        context: Option<u64>, "Lines around them (2)", zero;
        max_bytes: Option<u64>, "";
        timeout: Option<Duration>, "";
    }
}

pub(super) static IMAGE: Tool = Tool {
    name: "image",
    title: "Show a picture",
    description: "Show a picture (PNG, JPEG, GIF, WebP, BMP, TIFF), smaller if large, with its facts.",
    fields: ImageArguments::FIELDS,
    output: None,
    only_reads: true,
    waits: false,
};

arguments! {
    ImageArguments {
        path: Option<String>, "File", required;
        max_side: Option<u64>, "Pixels (1568)";
        max_bytes: Option<u64>, "Of base64 (1000000)";
        facts_only: bool, "No picture";
        timeout: Option<Duration>, "";
    }
}

pub(super) static FOLLOW: Tool = Tool {
    name: "follow",
    title: "Wait for a line",
    description: "Wait until a line that matches is appended to a file, which may be rotated meanwhile.",
    fields: FollowArguments::FIELDS,
    output: None,
    only_reads: true,
    waits: true,
};

arguments! {
    FollowArguments {
        path: Option<String>, "", required;
        pattern: Patterns, "", required, empty;
        ignore_case: bool, "";
        timeout: Option<Duration>, "Seconds (30)", zero;
        from: Option<String>, "From next (the end)";
    }
}

#[cfg(feature = "sql")]
pub(super) static SELECT: Tool = Tool {
    name: "select",
    title: "Query a table",
    description: "SQL (DataFusion) on CSV, JSON, JSON lines, Parquet, a workbook: the table is t; on SQLite, its tables. Rows are CSV. \
        Members of objects: t.a.b.",
    fields: SelectArguments::FIELDS,
    output: None,
    only_reads: true,
    waits: false,
};

#[cfg(feature = "sql")]
arguments! {
    SelectArguments {
        path: Option<String>, "";
        paths: Vec<String>, "";
        sql: Option<String>, "SELECT level, count(*) FROM t GROUP BY 1", required;
        sheet: Option<String>, "";
        offset: Option<u64>, "From next";
        max_bytes: Option<u64>, "";
        timeout: Option<Duration>, "";
    }
}

pub(super) static CAPTURE: Tool = Tool {
    name: "capture",
    title: "Run a command and keep its output",
    description: "Run a command in the server's working directory. Long output is kept: the answer has its first page and a \
        handle such as fd:1, which read and search take as path. Escape sequences and progress bars are left out.",
    fields: CaptureArguments::FIELDS,
    output: None,
    only_reads: false,
    waits: true,
};

arguments! {
    CaptureArguments {
        command: CommandLine, "Program and arguments; one text is a line for a shell", required;
        name: Option<String>, "Handle fd:NAME";
        max_bytes: Option<u64>, "(10000)";
        timeout: Option<Duration>, "Seconds (60); then the output so far";
    }
}
