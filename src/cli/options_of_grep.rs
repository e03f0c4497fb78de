//! Options of grep and rg: the search of rread that does the same, or a pipe where there is none.

use super::typed::{Token, TokenRole, TypedCommand, piped, shown};
use crate::args::file::names_file;
use rread_reader::search::pattern::Pattern;

/// How rread does what an option of another program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ours {
    /// Under the same name; in a row of short options too.
    Same,
    /// Nothing: rread does it anyway, or it does not change which lines are shown.
    Needless,
    /// Another option of rread, with the value if the option has one.
    Option(&'static str),
    /// The option `-g`, with this before the value.
    Glob(&'static str),
    /// Nothing does the same, so the other program searches.
    Missing,
    /// The same, and records end with NUL.
    Records,
}

/// An option of other programs: its names, whether it has a value, what takes its place, and why.
struct Row(&'static str, bool, Ours, &'static str);

const ROWS: &[Row] = &[
    Row(
        "-i -F -x -w -v -c -l -S -a -0 -o -b -q --ignore-case --fixed-strings --line-regexp --word-regexp",
        false,
        Ours::Same,
        "",
    ),
    Row("--invert-match --count --files-with-matches --smart-case --text --null", false, Ours::Same, ""),
    Row(
        "--only-matching --byte-offset --column --vimgrep --count-matches --files-without-match --stats --quiet",
        false,
        Ours::Same,
        "",
    ),
    Row(
        "--passthru --trim --hidden --no-ignore --files --multiline --follow --unrestricted --type-list",
        false,
        Ours::Same,
        "",
    ),
    Row(
        "-e -m -A -B -C --regexp --max-count --after-context --before-context --context --max-columns",
        true,
        Ours::Same,
        "",
    ),
    Row(
        "-M -f --file --glob --iglob --type --type-not --max-depth --replace --sort --sortr --max-filesize",
        true,
        Ours::Same,
        "",
    ),
    Row("-y", false, Ours::Option("-i"), "-i is its name"),
    Row("-Z", false, Ours::Option("-0"), "-0 is its name"),
    Row("-L", false, Ours::Option("--files-without-match"), "--files-without-match is its name"),
    Row("-h", false, Ours::Option("-I"), "-I is its name"),
    Row("-s", false, Ours::Option("--no-messages"), "--no-messages is its name"),
    Row("--silent", false, Ours::Option("-q"), "-q is its name"),
    Row("--include", true, Ours::Glob(""), "-g is its name"),
    Row("--exclude --exclude-dir", true, Ours::Glob("!"), "-g '!GLOB' leaves files and directories out"),
    Row(
        "-n --line-number -H --with-filename --heading --no-heading --initial-tab",
        false,
        Ours::Needless,
        "lines have numbers, and names if there are several files",
    ),
    Row("-N --no-line-number", false, Ours::Option("--raw"), "--raw writes the lines alone"),
    Row("--no-filename", false, Ours::Needless, "only -f text writes names before lines"),
    Row(
        "-r -R --recursive --dereference-recursive",
        false,
        Ours::Needless,
        "rread searches directories recursively",
    ),
    Row("-I -U", false, Ours::Needless, "binary files below directories are left out"),
    Row(
        "-E --extended-regexp -P --perl-regexp --pcre2 --auto-hybrid-regex",
        false,
        Ours::Needless,
        "patterns are those of the Rust regex crate, which has neither look-around nor back-references",
    ),
    Row("-G --basic-regexp", false, Ours::Needless, "patterns are those of the regex crate, as in rg"),
    Row("-z --search-zip", false, Ours::Same, ""),
    Row(
        "--crlf --no-messages --color --colour --mmap --no-mmap --line-buffered --no-config --binary",
        false,
        Ours::Needless,
        "it changes nothing here",
    ),
    Row("-j --threads --binary-files --regex-size-limit", true, Ours::Needless, "it changes nothing here"),
    Row("--colors --hyperlink-format --path-separator", true, Ours::Needless, "output has one form"),
    Row("--debug --trace", false, Ours::Needless, "--files shows which files would be searched"),
    Row("--null-data", false, Ours::Records, "lines end with a newline"),
    Row("--stop-on-nonmatch", false, Ours::Missing, "all lines are searched"),
    Row("--pre --pre-glob", true, Ours::Missing, "rread runs no other program on the files"),
];

/// Short options that mean something else in rg.
const OF_RG: &[Row] =
    &[Row("-r -E -d -g -t -T", true, Ours::Same, ""), Row("-L -I -s -U -u -. -p", false, Ours::Same, "")];

fn row(name: &str, is_rg: bool) -> Option<&'static Row> {
    let specific = OF_RG.iter().filter(|_| is_rg);
    specific.chain(ROWS).find(|row| row.0.split(' ').any(|known| known == name))
}

/// The parts of a search: options and words for rread.
#[derive(Default)]
struct Line {
    options: Vec<String>,
    words: Vec<String>,
    has_pattern: bool,
    is_recursive: bool,
    /// Patterns of `-e`, and the word that is the pattern, are basic regular expressions.
    is_basic: bool,
    /// Patterns are strings.
    is_fixed: bool,
    is_missing: bool,
    /// The output of the other program has NULs in place of newlines.
    has_records: bool,
    why: Option<&'static str>,
}

impl Line {
    /// Takes the option `name`, whose value is `value`; `false` if nobody knows it.
    fn option(&mut self, name: &str, value: Option<&str>, row: Option<&'static Row>) -> bool {
        let Some(Row(_, _, ours, why)) = row else { return false };
        if *ours != Ours::Same {
            self.why.get_or_insert(why);
        }
        self.is_recursive |= matches!(name, "-r" | "-R" | "--recursive" | "--dereference-recursive");
        self.has_pattern |= matches!(name, "-e" | "--regexp" | "-f" | "--file");
        let is_pattern = matches!(name, "-e" | "--regexp");
        let ours = match ours {
            Ours::Same => name,
            Ours::Option(ours) => ours,
            Ours::Needless => return true,
            Ours::Glob(before) => {
                self.options.push("-g".to_owned());
                self.options.push(shown(&format!("{before}{}", value.unwrap_or_default())));
                return true;
            }
            Ours::Missing | Ours::Records => {
                self.is_missing = true;
                self.has_records |= *ours == Ours::Records;
                return true;
            }
        };
        self.options.push(ours.to_owned());
        if let Some(value) = value {
            let value = if is_pattern { self.pattern(value) } else { value.to_owned() };
            self.options.push(shown(&value));
        }
        true
    }

    /// `pattern` as rread writes it. The other program keeps one that rread does not take, such as a back-reference.
    fn pattern(&mut self, pattern: &str) -> String {
        let pattern = if self.is_basic { from_basic(pattern) } else { pattern.to_owned() };
        self.is_missing |= !self.is_fixed && !is_pattern(&pattern);
        pattern
    }

    /// Takes `word` as grep does: one option, several short ones, or an option with its value; `false` if nobody knows
    /// it. `next` gives the word after it.
    fn typed<'t>(&mut self, word: &'t str, is_rg: bool, mut next: impl FnMut() -> Option<&'t str>) -> bool {
        if word.starts_with("--") {
            let (name, attached) =
                word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
            let row = row(name, is_rg);
            let has_value = row.is_some_and(|row| row.1);
            let value = attached.filter(|_| has_value).or_else(|| if has_value { next() } else { None });
            return self.option(name, value, row);
        }
        for (at, letter) in word[1..].char_indices() {
            let name = format!("-{letter}");
            let row = row(&name, is_rg);
            let rest = &word[1 + at + letter.len_utf8()..];
            let has_value = row.is_some_and(|row| row.1);
            let value = has_value.then(|| if rest.is_empty() { next() } else { Some(rest) }).flatten();
            if letter.is_ascii_digit() && at == 0 && word[1..].bytes().all(|byte| byte.is_ascii_digit()) {
                // -3 of grep is a context of three lines.
                self.options.push(format!("-C {}", &word[1..]));
                return true;
            }
            if !self.option(&name, value, row) {
                return false;
            }
            if has_value {
                return true;
            }
        }
        true
    }

    fn finish(self, program: &str, rest: &[String]) -> String {
        if self.is_missing {
            let line = piped(program, rest);
            let translated = if self.has_records { " | tr '\\0' '\\n' | " } else { " | " };
            return line.replacen(" | ", translated, 1);
        }
        let command = std::iter::once("rread search".to_owned()).chain(self.options).chain(self.words);
        command.collect::<Vec<_>>().join(" ")
    }
}

/// The same search, for `program` with the words `rest`.
pub(super) fn search_command(program: &str, rest: &[String]) -> Option<String> {
    let is_rg = matches!(program, "rg" | "ag" | "ack" | "ug");
    let is_of_grep = program.ends_with("grep") && !program.ends_with("egrep") && !program.ends_with("fgrep");
    let mut line =
        Line { is_basic: is_of_grep && !rest.iter().any(|word| names_syntax(word)), ..Line::default() };
    line.is_fixed = program.ends_with("fgrep") || rest.iter().any(|word| names(word, 'F', "--fixed-strings"));
    if program.ends_with("fgrep") {
        line.options.push("-F".to_owned());
    }
    let mut words = Vec::new();
    let mut later = rest.iter().map(String::as_str);
    let mut only_words = false;
    while let Some(word) = later.next() {
        if only_words || !word.starts_with('-') || word == "-" {
            words.push(word);
        } else if word == "--" {
            only_words = true;
        } else if !line.typed(word, is_rg, || later.next()) {
            return None;
        }
    }
    if words.is_empty() && !line.has_pattern {
        return Some("rread search PATTERN FILE".to_owned());
    }
    let recursive = line.is_recursive || is_rg;
    if words.len() + usize::from(line.has_pattern) == 1 && recursive {
        words.push(".");
    }
    for (n, word) in words.iter().enumerate() {
        let is_pattern = n == 0 && !line.has_pattern;
        let text = if is_pattern { line.pattern(word) } else { (*word).to_owned() };
        if is_pattern && text.starts_with('-') {
            line.words.push("-e".to_owned());
        }
        line.words.push(shown(&text));
    }
    Some(line.finish(program, rest))
}

/// Whether an option of grep says that patterns are not basic regular expressions.
fn names_syntax(word: &str) -> bool {
    names(word, 'E', "--extended-regexp")
        || names(word, 'F', "--fixed-strings")
        || names(word, 'P', "--perl-regexp")
}

/// Whether `word` is the option `long`, or has it among its letters.
fn names(word: &str, letter: char, long: &str) -> bool {
    let short =
        word.strip_prefix('-').filter(|letters| letters.bytes().all(|byte| byte.is_ascii_alphabetic()));
    word == long || short.is_some_and(|letters| letters.contains(letter))
}

/// Why `rread search` has no option like an unknown one of `typed`, and the command line to type.
pub(super) fn explain_refusal(typed: &TypedCommand) -> Option<(&'static str, String)> {
    let mut line = Line::default();
    let (mut words, mut first) = (Vec::new(), None);
    let mut tokens = typed.tokens.iter().peekable();
    while let Some(Token { text, role }) = tokens.next() {
        match role {
            TokenRole::Unknown => {
                let mut next =
                    || tokens.next_if(|next| next.role == TokenRole::Word).map(|next| next.text.as_str());
                if !line.typed(text, false, &mut next) {
                    return None;
                }
            }
            TokenRole::Word => {
                first = first.or(Some(text));
                words.push(shown(text));
            }
            TokenRole::Known | TokenRole::Value | TokenRole::Dashes => line.options.push(shown(text)),
        }
    }
    line.words = words;
    let pattern = first.filter(|_| !line.is_fixed && !line.has_pattern);
    line.is_missing |= pattern.is_some_and(|pattern| !is_pattern(pattern));
    Some((
        line.why?,
        line.finish("rg", &typed.tokens.iter().map(|token| token.text.clone()).collect::<Vec<_>>()),
    ))
}

/// Whether rread takes `pattern` as a regular expression.
pub(super) fn is_pattern(pattern: &str) -> bool {
    let pattern = Pattern { patterns: vec![pattern.to_owned()], ..Pattern::default() };
    pattern.check(false).is_ok()
}

/// The words of `typed` without the `-E` of grep, whose value is a pattern: `-nE 'A|B'`. `None` if another word or
/// option has the pattern, so that the value is a mistyped encoding.
pub(super) fn without_extended(typed: &TypedCommand) -> Option<String> {
    let bundled = |token: &Token| if token.role == TokenRole::Known { without_e(&token.text) } else { None };
    if let Some((at, option)) =
        typed.tokens.iter().enumerate().find_map(|(at, token)| Some((at, bundled(token)?)))
    {
        return Some(typed.replace(at, &option));
    }
    let has_pattern = typed.words().any(|word| word != "-" && !names_file(word.as_ref()))
        || typed.tokens.iter().any(|token| token.role == TokenRole::Known && is_of_patterns(&token.text));
    if has_pattern {
        return None;
    }
    let ends_in_option =
        |token: &Token| token.role == TokenRole::Known && letters_before_encoding(&token.text).is_some();
    let option = typed.tokens.iter().position(ends_in_option)?;
    let mut words: Vec<String> = Vec::new();
    for (n, token) in typed.tokens.iter().enumerate() {
        if n == option {
            let letters = letters_before_encoding(&token.text).filter(|letters| !letters.is_empty());
            words.extend(letters.map(|letters| format!("-{letters}")));
        } else {
            let is_pattern = n == option + 1;
            words.extend((is_pattern && token.text.starts_with('-')).then(|| "-e".to_owned()));
            words.push(token.text.clone());
        }
    }
    Some(typed.with(words.iter().map(String::as_str)))
}

/// The options of grep in `-Ev` without the E, for which the rest is the label of an encoding.
fn without_e(option: &str) -> Option<String> {
    let (before, after) = option.strip_prefix('-')?.split_once('E')?;
    let is_option = |letter: char| "ivnwxclLHhosqa".contains(letter);
    let are_options = !after.is_empty() && before.chars().chain(after.chars()).all(is_option);
    are_options.then(|| format!("-{before}{after}"))
}

/// Whether `option` gives patterns: -e, --regexp or --file.
fn is_of_patterns(option: &str) -> bool {
    let name = option.split('=').next().unwrap_or_default();
    matches!(name, "--regexp" | "--file") || !name.starts_with("--") && name.contains('e')
}

/// The short options before a last `E`.
fn letters_before_encoding(option: &str) -> Option<&str> {
    option.strip_prefix('-')?.strip_suffix('E').filter(|letters| !letters.starts_with('-'))
}

/// A basic regular expression of grep and sed in the syntax of rread: `\|` is an alternative and `|` a character.
pub(super) fn from_basic(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars().peekable();
    let mut at_start = true;
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(special @ ('|' | '(' | ')' | '{' | '}' | '+' | '?')) => {
                    out.push(special);
                    at_start = matches!(special, '|' | '(');
                    continue;
                }
                Some('<' | '>') => out.push_str("\\b"),
                Some(other) => out.extend(['\\', other]),
                None => out.push('\\'),
            },
            '|' | '(' | ')' | '{' | '}' | '+' | '?' => out.extend(['\\', c]),
            '*' if at_start => out.push_str("\\*"),
            '[' => {
                out.push(c);
                // A `]` at the start of a bracket expression is a member of it.
                out.extend(chars.next_if_eq(&'^'));
                if chars.next_if_eq(&']').is_some() {
                    out.push_str("\\]");
                }
                while let Some(member) = chars.next() {
                    match member {
                        '\\' => out.push_str("\\\\"),
                        '[' if chars.peek() == Some(&':') => {
                            out.push('[');
                            while let Some(c) = chars.next_if(|c| *c != ']') {
                                out.push(c);
                            }
                            out.extend(chars.next());
                        }
                        '[' => out.push_str("\\["),
                        _ => out.push(member),
                    }
                    if member == ']' {
                        break;
                    }
                }
            }
            _ => out.push(c),
        }
        at_start = at_start && c == '^';
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basic_regular_expressions_are_translated() {
        for (basic, ours) in [
            (r"a\|b", "a|b"),
            ("a|b", r"a\|b"),
            (r"\(ab\)\{2\}", "(ab){2}"),
            ("f(x) + 1?", r"f\(x\) \+ 1\?"),
            ("*x", r"\*x"),
            ("^*x*", r"^\*x*"),
            (r"\<word\>", r"\bword\b"),
            (r"[]a\]", r"[\]a\\]"),
            ("[^[:alpha:]_]x", "[^[:alpha:]_]x"),
            ("[a[]", r"[a\[]"),
            (r"\.\d", r"\.\d"),
            ("a[(|]b", "a[(|]b"),
        ] {
            assert_eq!(from_basic(basic), ours, "{basic}");
        }
    }

    #[test]
    fn every_option_has_one_row_and_a_reason() {
        let mut names: Vec<&str> = ROWS.iter().flat_map(|row| row.0.split(' ')).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for Row(names, _, ours, why) in ROWS.iter().chain(OF_RG) {
            assert_eq!(why.is_empty(), *ours == Ours::Same, "{names}");
        }
    }
}
