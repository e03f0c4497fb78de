//! Compiles the patterns of a search, and reports what is wrong with them.

use std::sync::{Arc, OnceLock};

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use regex_automata::util::syntax::Config as Syntax;
use regex_syntax::ParserBuilder;
use regex_syntax::ast::{Ast, ClassSetItem, Visitor};

use super::steps::Steps;
use rread_source::access::Watch;
use rread_text::{Error, Result, Sentence, call, setting};

/// The most memory of a compiled pattern, and of the cache of its lazy automaton.
const SIZE_LIMIT: usize = 32 << 20;

/// The same for a pattern of a client, which is not the user: a large pattern takes seconds for one long line.
const CLIENT_SIZE_LIMIT: usize = 4 << 20;

/// Groups inside groups.
const NEST_LIMIT: u32 = 200;

/// When upper and lower case are one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// Never.
    #[default]
    Sensitive,
    /// Always.
    Insensitive,
    /// Insensitive unless a pattern has an upper-case letter.
    Smart,
}

/// See [`Pattern::seen`].
pub type SeenLines = fn(&[u8]) -> Option<Vec<u8>>;

/// The patterns of a search, and how they match.
#[derive(Clone, Debug, Default)]
pub struct Pattern {
    /// A line matches if any of them does.
    pub patterns: Vec<String>,
    /// The patterns are strings, not regular expressions.
    pub fixed: bool,
    /// When upper and lower case are one.
    pub case: Case,
    /// Matches begin and end at the edges of words.
    pub word: bool,
    /// Matches are whole lines.
    pub whole_line: bool,
    /// The lines without a match are wanted.
    pub invert: bool,
    /// Matches may have several lines.
    pub several_lines: bool,
    /// A dot matches a newline too.
    pub dot_all: bool,
    /// Classes such as `\\w` are those of ASCII, and patterns match bytes.
    pub ascii: bool,
    /// Says whether the client still wants the answer. Patterns of clients must be smaller than those of the user.
    pub client: Option<Arc<dyn Watch>>,
    /// Makes of lines the text that is searched, such as that without colors; `None` if they are that text already.
    /// Newlines stay.
    pub seen: Option<SeenLines>,
    /// Compiled once for all files, without and with `crlf`: that takes longer than searching a small file.
    pub compiled: [OnceLock<Compiled>; 2],
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub(super) regex: Arc<RegexMatcher>,
    /// Whether what follows a match decides about it.
    pub(super) looks_ahead: bool,
    /// For a client.
    pub(super) steps: Option<Arc<Steps>>,
}

impl Pattern {
    /// Refuses patterns that cannot be compiled; with `crlf`, as for a file whose lines end so.
    pub fn check(&self, crlf: bool) -> Result<()> {
        self.compiled(self.joins_returns(crlf)).map(|_| ())
    }

    /// Whether the carriage return of `\r\n` belongs to the line end, in a file with `crlf`: not if a pattern names it.
    pub(super) fn joins_returns(&self, crlf: bool) -> bool {
        let names_it = |pattern: &String| {
            if self.fixed { pattern.contains('\r') } else { names_carriage_return(pattern) }
        };
        crlf && !self.patterns.iter().any(names_it)
    }

    /// The compiled patterns; with `crlf`, `$` matches before `\r\n` too.
    pub(super) fn compiled(&self, crlf: bool) -> Result<&Compiled> {
        let cell = &self.compiled[usize::from(crlf)];
        if let Some(compiled) = cell.get() {
            return Ok(compiled);
        }
        let (regex, looks_ahead) = (Arc::new(self.compile(crlf)?), self.looks_ahead());
        let steps = self.client.clone().and_then(|client| self.steps(crlf, client));
        Ok(cell.get_or_init(|| Compiled { regex, looks_ahead, steps: steps.map(Arc::new) }))
    }

    fn size_limit(&self) -> usize {
        if self.client.is_some() { CLIENT_SIZE_LIMIT } else { SIZE_LIMIT }
    }

    /// The pattern that [`Self::compile`] compiles, for `client`.
    fn steps(&self, crlf: bool, client: Arc<dyn Watch>) -> Option<Steps> {
        let one = |pattern: &String| if self.fixed { escaped(pattern) } else { pattern.clone() };
        let all =
            self.patterns.iter().map(|pattern| format!("(?:{})", one(pattern))).collect::<Vec<_>>().join("|");
        let text = match (self.whole_line, self.word) {
            (true, _) => format!("^(?:{all})$"),
            (_, true) => format!(r"\b{{start-half}}(?:{all})\b{{end-half}}"),
            _ => all,
        };
        let syntax = Syntax::new().nest_limit(NEST_LIMIT).utf8(false).multi_line(true).unicode(!self.ascii);
        let ignores_case = self.case == Case::Insensitive;
        let syntax = syntax.crlf(crlf).case_insensitive(ignores_case).dot_matches_new_line(self.dot_all);
        Steps::of(&text, syntax, client)
    }

    pub(super) fn compile(&self, crlf: bool) -> Result<RegexMatcher> {
        let mut builder = RegexMatcherBuilder::new();
        builder
            .multi_line(true)
            .fixed_strings(self.fixed)
            .case_insensitive(self.case == Case::Insensitive)
            .case_smart(self.case == Case::Smart)
            .word(self.word)
            .whole_line(self.whole_line)
            .size_limit(self.size_limit())
            .dfa_size_limit(SIZE_LIMIT)
            .nest_limit(NEST_LIMIT)
            .unicode(!self.ascii)
            .dot_matches_new_line(self.dot_all)
            // Setting the terminator last would undo `crlf`, and the other way round.
            .crlf(crlf && !self.several_lines);
        if !crlf && !self.several_lines {
            builder.line_terminator(Some(b'\n'));
        }
        if crlf && self.several_lines && !self.fixed {
            // The option of the builder would forbid newlines in matches.
            let patterns: Vec<String> =
                self.patterns.iter().map(|pattern| format!("(?R){pattern}")).collect();
            return builder.build_many(&patterns).map_err(|error| self.refusal(&error));
        }
        builder.build_many(&self.patterns).map_err(|error| self.refusal(&error))
    }

    /// Whether what follows a match may decide about it, as with `$`, `\b` and whole words.
    fn looks_ahead(&self) -> bool {
        use regex_syntax::hir::{Look, LookSet};
        let starts = LookSet::empty().insert(Look::Start).insert(Look::StartLF).insert(Look::StartCRLF);
        let looks = |pattern: &String| {
            let parsed = ParserBuilder::new()
                .nest_limit(NEST_LIMIT)
                .utf8(false)
                .multi_line(true)
                .build()
                .parse(pattern);
            parsed.is_ok_and(|hir| !hir.properties().look_set().subtract(starts).is_empty())
        };
        self.word || self.whole_line || !self.fixed && self.patterns.iter().any(looks)
    }

    fn refusal(&self, error: &grep_regex::Error) -> Error {
        let plain = call("search").on("fixed-strings");
        let hint = Sentence::from(plain).then(" takes the pattern as a plain string");
        let wrong = |text: String| Error::usage(text).hint(hint.clone());
        if !self.fixed {
            for pattern in &self.patterns {
                if let Some((at, reason)) = syntax_error(pattern) {
                    let sentence =
                        format!("the pattern '{pattern}' is not valid at character {at}: {reason}");
                    return wrong(sentence);
                }
            }
        }
        let all = self.patterns.join("', '");
        match error.kind() {
            grep_regex::ErrorKind::NotAllowed(_) => Error::usage(format!(
                "the pattern '{all}' contains a newline, and rread searches line by line"
            ))
            .hint(setting("multiline").then(" finds matches of several lines")),
            grep_regex::ErrorKind::Regex(text) if text.contains("size limit") => Error::usage(format!(
                "the pattern '{all}' is too large: compiled, it exceeds {} MiB",
                self.size_limit() >> 20
            ))
            .hint("use smaller repetition counts"),
            _ => wrong(format!("the pattern '{all}' is not valid: {}", last_line(&error.to_string()))),
        }
    }
}

/// The position (in characters, from 1) and the reason of the first error in `pattern`.
fn syntax_error(pattern: &str) -> Option<(usize, String)> {
    let mut parser = ParserBuilder::new().nest_limit(NEST_LIMIT).utf8(false).build();
    let (span, reason) = match parser.parse(pattern).err()? {
        regex_syntax::Error::Parse(error) => (*error.span(), error.kind().to_string()),
        regex_syntax::Error::Translate(error) => (*error.span(), error.kind().to_string()),
        _ => return None,
    };
    Some((pattern.get(..span.start.offset)?.chars().count() + 1, reason))
}

/// Whether `pattern` has a carriage return, written in any way that the syntax allows. Ranges that merely include it,
/// such as `[\x00-\x1f]`, do not name it.
fn names_carriage_return(pattern: &str) -> bool {
    let mut parser = regex_syntax::ast::parse::ParserBuilder::new().nest_limit(NEST_LIMIT).build();
    parser.parse(pattern).is_ok_and(|ast| regex_syntax::ast::visit(&ast, CarriageReturn(false)) == Ok(true))
}

/// Looks for a carriage return in a parsed pattern.
struct CarriageReturn(bool);

impl Visitor for CarriageReturn {
    type Output = bool;
    type Err = ();

    fn finish(self) -> std::result::Result<bool, ()> {
        Ok(self.0)
    }

    fn visit_pre(&mut self, ast: &Ast) -> std::result::Result<(), ()> {
        self.0 |= matches!(ast, Ast::Literal(literal) if literal.c == '\r');
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> std::result::Result<(), ()> {
        self.0 |= match item {
            ClassSetItem::Literal(literal) => literal.c == '\r',
            ClassSetItem::Range(range) => range.start.c == '\r' || range.end.c == '\r',
            _ => false,
        };
        Ok(())
    }
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or(text).trim_start_matches("error: ")
}

/// Whether `pattern` asks for look-around, which only other programs have.
pub fn has_look_around(pattern: &str) -> bool {
    ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|opening| pattern.contains(opening))
}

/// `text` as a pattern that matches itself.
pub fn escaped(text: &str) -> String {
    regex_syntax::escape(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(pattern: &str) -> String {
        let pattern = Pattern { patterns: vec![pattern.to_owned()], ..Pattern::default() };
        pattern.compile(false).unwrap_err().to_string()
    }

    #[test]
    fn a_bad_pattern_is_refused_with_the_position_of_the_error() {
        assert_eq!(refused("a(b"), "the pattern 'a(b' is not valid at character 2: unclosed group");
        assert!(refused("é[z-a]").contains("at character 3: invalid character class range"));
        assert!(refused("a\\nb").contains("contains a newline"));
        assert!(refused(r"(\w{1000}){1000}").contains("too large"));
    }

    #[test]
    fn a_pattern_names_the_carriage_return_in_every_syntax() {
        for named in [
            "\\r$",
            "\r",
            "a\\x0D",
            "\\x{d}",
            "\\u{000d}",
            "\\u000D",
            "[\\t\\r]",
            "[^\\r]",
            "(?i:x|\\r+)",
            "[a[b\\x0d]]",
            "[\\n-\\r]",
        ] {
            assert!(names_carriage_return(named), "{named:?}");
        }
        for other in ["$", "\\s", ".", "[\\x00-\\x1f]", "[[:cntrl:]]", "\\\\r", "r", "a(b"] {
            assert!(!names_carriage_return(other), "{other:?}");
        }
    }
}
