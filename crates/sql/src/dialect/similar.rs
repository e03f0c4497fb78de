//! `SIMILAR TO`: the engine takes the pattern for a regular expression, which it is not.

use datafusion::sql::sqlparser::ast::{Expr, Value, ValueWithSpan};

use super::literals::{null, text, written};
use rread_text::error::{Error, Result};

/// Converts a pattern of the SQL standard, which matches all of a text and in which `%` and `_` stand for text.
pub(super) fn rewrite(pattern: &mut Expr, escape: &mut Option<ValueWithSpan>) -> Result<()> {
    if *pattern == null() {
        return Ok(());
    }
    let Some(old) = written(pattern) else {
        return Err(Error::usage("SIMILAR TO needs its pattern as a text in quotes")
            .hint("s ~ ('^(' || pattern || ')$'), with a regular expression"));
    };
    let sign = match escape.as_ref().map(|escape| &escape.value) {
        Some(Value::SingleQuotedString(sign)) => sign.parse::<char>().ok(),
        _ => Some('\\'),
    };
    *pattern = text(expression(old, sign));
    *escape = None;
    Ok(())
}

fn expression(pattern: &str, escape: Option<char>) -> String {
    let mut out = String::from("^(?s:");
    let mut rest = pattern.chars();
    let mut in_brackets = false;
    while let Some(c) = rest.next() {
        match c {
            c if Some(c) == escape => literal(&mut out, rest.next().unwrap_or(c)),
            '[' | ']' => {
                in_brackets = c == '[';
                out.push(c);
            }
            c if in_brackets => out.push(c),
            '%' => out.push_str(".*"),
            '_' => out.push('.'),
            '(' => out.push_str("(?:"),
            '|' | '*' | '+' | '?' | '{' | '}' | ')' => out.push(c),
            c => literal(&mut out, c),
        }
    }
    out + ")$"
}

fn literal(out: &mut String, c: char) {
    // Not all punctuation: `\<` is the start of a word.
    if r"\.+*?()|[]{}^$#&-~".contains(c) {
        out.push('\\');
    }
    out.push(c);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_of_the_standard_is_a_regular_expression() {
        let rows = [
            ("ab", "^(?s:ab)$"),
            ("%(b|c)", "^(?s:.*(?:b|c))$"),
            ("a_c%", "^(?s:a.c.*)$"),
            (r"a.c\%", r"^(?s:a\.c%)$"),
            ("[%_.]{2}", "^(?s:[%_.]{2})$"),
            ("<a> & \"b\"%", r#"^(?s:<a> \& "b".*)$"#),
        ];
        for (pattern, expected) in rows {
            assert_eq!(expression(pattern, Some('\\')), expected, "{pattern}");
        }
        assert_eq!(expression(r"50!%\", Some('!')), r"^(?s:50%\\)$");
    }
}
