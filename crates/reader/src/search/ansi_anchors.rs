//! Lets the anchors of a pattern match beside colors, which a terminal shows as nothing.

use std::convert::Infallible;

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{AssertionKind, Ast, Visitor, visit};

/// Colors and attributes: `ESC [ … m`.
const SEQUENCES: &str = r"(?:\x1b\[[0-9;:]*m)*";

/// `pattern` with anchors that match as if lines had no colors: `^` also before those at the start of a line, `$` also
/// after those at its end. A pattern that is not valid is returned as it is.
pub(super) fn past_sequences(pattern: &str) -> String {
    let mut text = pattern.to_owned();
    let Ok(ast) = Parser::new().parse(pattern) else { return text };
    let Ok(mut places) = visit(&ast, Anchors::default());
    places.sort_unstable();
    places.iter().rev().for_each(|place| text.insert_str(*place, SEQUENCES));
    text
}

/// Where sequences may be: after the anchors of starts, and before those of ends.
#[derive(Default)]
struct Anchors(Vec<usize>);

impl Visitor for Anchors {
    type Output = Vec<usize>;
    type Err = Infallible;

    fn finish(self) -> Result<Vec<usize>, Self::Err> {
        Ok(self.0)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        if let Ast::Assertion(assertion) = ast {
            match assertion.kind {
                AssertionKind::StartLine | AssertionKind::StartText => self.0.push(assertion.span.end.offset),
                AssertionKind::EndLine | AssertionKind::EndText => self.0.push(assertion.span.start.offset),
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use grep_matcher::Matcher;

    use super::*;
    use crate::search::pattern::Pattern;

    #[test]
    fn anchors_match_as_if_there_were_no_colors() {
        let red = |text: &str| format!("\x1b[1;31m\x1b[4m{text}\x1b[0m");
        let lines = ["commit 1", "a commit", "Ümlaut", "", "^$", "1^", "a\tb", "x "];
        let anchored = [
            "^commit",
            "1$",
            "^$",
            r"^\w",
            "^(a|Ü)",
            "(?i)^COMMIT",
            r"\^$",
            "(?x) ^ a ",
            r"\Aa",
            "^x? $",
            "^|b",
        ];
        for pattern in anchored.into_iter().chain(["commit", "[$^]"]) {
            let compiled = |sequences| {
                let pattern = Pattern { patterns: vec![pattern.to_owned()], sequences, ..Pattern::default() };
                pattern.compile(false).unwrap()
            };
            let (plain, past) = (compiled(false), compiled(true));
            for line in lines {
                let found = plain.is_match(line.as_bytes()).unwrap();
                assert_eq!(past.is_match(line.as_bytes()).unwrap(), found, "{pattern} {line}");
                assert_eq!(past.is_match(red(line).as_bytes()).unwrap(), found, "{pattern} {line} in red");
            }
        }
        for kept in ["commit", "[", "a{2", r"\$", "[^$]"] {
            assert_eq!(past_sequences(kept), kept);
        }
    }
}
