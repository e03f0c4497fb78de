//! The names of the tools and of their arguments.

/// A tool, as hints and errors name it.
pub(super) struct ToolNames {
    pub(super) tool: &'static str,
    pub(super) arguments: &'static [&'static str],
}

pub(super) const READ: ToolNames = ToolNames {
    tool: "read",
    arguments: &[
        "path",
        "paths",
        "lines",
        "bytes",
        "page",
        "page_size",
        "since",
        "until",
        "time_format",
        "tz",
        "bounded",
        "context",
        "header",
        "number",
        "hash",
        "encode",
        "encoding",
        "text",
        "salvage",
        "max_bytes",
        "max_lines",
        "max_columns",
    ],
};

pub(super) const SEARCH: ToolNames = ToolNames {
    tool: "search",
    arguments: &[
        "pattern",
        "path",
        "paths",
        "fixed",
        "ignore_case",
        "word",
        "invert",
        "context",
        "max_count",
        "last",
        "in",
        "since",
        "until",
        "time_format",
        "tz",
        "count",
        "files_only",
        "hash",
        "encoding",
        "text",
        "after",
        "max_bytes",
    ],
};

pub(super) const STAT: ToolNames =
    ToolNames { tool: "stat", arguments: &["path", "paths", "count", "patterns"] };

pub(super) const VERIFY: ToolNames =
    ToolNames { tool: "verify", arguments: &["path", "anchors", "lines", "context", "max_bytes"] };

pub(super) const IMAGE: ToolNames =
    ToolNames { tool: "image", arguments: &["path", "max_side", "max_bytes", "facts_only"] };

pub(super) const FOLLOW: ToolNames =
    ToolNames { tool: "follow", arguments: &["path", "pattern", "ignore_case", "timeout", "from"] };

#[cfg(feature = "sql")]
pub(super) const SELECT: ToolNames =
    ToolNames { tool: "select", arguments: &["path", "sql", "sheet", "offset", "max_bytes"] };

pub(super) const CAPTURE: ToolNames =
    ToolNames { tool: "capture", arguments: &["command", "name", "max_bytes"] };
