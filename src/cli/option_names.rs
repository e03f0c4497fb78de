//! Options of other programs: those that rread has under another name, and why it lacks others.

/// The names in other programs of options that rread has: the commands, the names, and the option of rread. `=` keeps the value,
/// which then has to fit. A row of no commands is of all of them.
const OTHER_NAMES: &[(&str, &str, &str)] = &[
    ("search", "--tail --tail-lines", "--last="),
    ("search", "--head --limit --first --top --max --max-matches --max-results", "-m="),
    (
        "lines search stat select view follow",
        "--start --from --after --begin --time --start-time --since-time",
        "--since=",
    ),
    ("lines search stat select view follow", "--end --to --before --end-time --until-time", "--until="),
    ("where", "--since --at --timestamp", "--time="),
    ("select", "--limit --head --top", "--max-rows="),
    ("", "--no-header --no-headers", "--raw"),
    ("", "--no-receipt --no-frontmatter --no-metadata --plain-text --quiet -q --pretty --silent", "-f text"),
    ("", "--yaml --frontmatter", "-f frontmatter"),
    ("", "--output -o", "-f="),
];

/// The option of rread for `name`, which another program has; with `=` at the end, it takes the value.
pub(super) fn known_elsewhere(command: &str, name: &str) -> impl Iterator<Item = &'static str> {
    let is_of = move |row: &&(&str, &str, &str)| {
        let is_command = row.0.is_empty() || row.0.split(' ').any(|known| known == command);
        is_command && row.1.split(' ').any(|known| known == name)
    };
    OTHER_NAMES.iter().filter(is_of).map(|(_, _, ours)| *ours)
}

/// Why `rread search` lacks options of grep.
pub(super) const REASONS: &[(&str, &str)] = &[
    (
        "-P -E -G --perl-regexp --pcre2 --extended-regexp --basic-regexp",
        "patterns are those of the Rust regex crate, which has neither look-around nor back-references",
    ),
    ("-R --recursive --dereference-recursive", "rread searches directories recursively"),
    ("--include", "-g is its name"),
    ("--exclude --exclude-dir", "-g '!GLOB' leaves files and directories out"),
    ("-y", "-i is its name"),
];
