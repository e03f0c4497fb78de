//! Equations in fields (`EQ`), the formulas of Word before it had others: `EQ \\f(1,2)` is a half.

use super::line::{fraction, joined, large, matrix, root};
use crate::format::script::Script;

/// Fields inside of each other up to this depth are read.
const DEEPEST: usize = 50;

/// The text of the field with these instructions, if it is an equation.
pub(crate) fn equation(instructions: &str) -> Option<String> {
    let (name, rest) = instructions.trim().split_once(char::is_whitespace)?;
    let is_equation = name.eq_ignore_ascii_case("EQ");
    is_equation.then(|| Reader { rest, depth: 0 }.parts(&[]).concat())
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    /// The parts up to one of `ends`, which stay, each as text.
    fn parts(&mut self, ends: &[char]) -> Vec<String> {
        let mut parts = Vec::new();
        let mut text = String::new();
        while let Some(c) = self.rest.chars().next().filter(|c| !ends.contains(c)) {
            self.rest = &self.rest[c.len_utf8()..];
            match (c, self.rest.chars().next()) {
                // A separator or a parenthesis as a character.
                ('\\', Some(next)) if !next.is_ascii_alphabetic() => {
                    text.push(next);
                    self.rest = &self.rest[next.len_utf8()..];
                }
                ('\\', Some(_)) if self.depth < DEEPEST => {
                    parts.push(std::mem::take(&mut text));
                    parts.push(self.command());
                }
                _ => text.push(c),
            }
        }
        parts.push(text);
        vec![joined(parts)]
    }

    /// A command with its options and arguments, after the backslash.
    fn command(&mut self) -> String {
        let head = self.rest.find('(').unwrap_or(self.rest.len());
        let words = self.rest[..head].to_ascii_lowercase();
        self.rest = self.rest.get(head + 1..).unwrap_or_default();
        let mut words = words.split('\\').map(str::trim);
        let name = words.next().unwrap_or_default();
        let options: Vec<&str> = words.collect();
        let arguments = self.arguments();
        let argument = |index: usize| arguments.get(index).map_or("", String::as_str).trim();
        let has = |option: &str| options.iter().any(|of| of.starts_with(option));
        match name {
            "f" => fraction(argument(0), argument(1)),
            "r" if arguments.len() < 2 => root("", argument(0)),
            "r" => root(argument(0), argument(1)),
            "s" if has("do") => Script::Lowered.of(argument(0)),
            "s" if has("up") => Script::Raised.of(argument(0)),
            "i" => {
                let sign = if has("su") {
                    "∑"
                } else if has("pr") {
                    "∏"
                } else {
                    "∫"
                };
                large(sign, argument(0), argument(1), argument(2))
            }
            "b" => format!("({})", argument(0)),
            "a" => matrix(&[arguments]),
            "l" => arguments.join(","),
            _ => arguments.concat(),
        }
    }

    fn arguments(&mut self) -> Vec<String> {
        self.depth += 1;
        let mut arguments = Vec::new();
        loop {
            arguments.extend(self.parts(&[',', ';', ')']));
            let end = self.rest.chars().next();
            self.rest = self.rest.get(1..).unwrap_or_default();
            if !matches!(end, Some(',' | ';')) {
                self.depth -= 1;
                return arguments;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_keep_their_structure() {
        for (field, expected) in [
            (r" EQ \f(1,2) ", Some("1/2")),
            (r"eq 2\f(1;2)", Some("2 1/2")),
            (r"EQ \r(3,x+1)", Some("∛(x+1)")),
            (r"EQ \r(2)", Some("√2")),
            (r"EQ x\s\up8(2)", Some("x²")),
            (r"EQ x\s\do8(max)", Some("x_{max}")),
            (r"EQ \i\su(i=1,n,\f(1,i))", Some("∑_{i=1}^{n} 1/i")),
            (r"EQ \b(\f(a+b,c))", Some("((a+b)/c)")),
            (r"EQ \a\al\co2(1,2)", Some("1, 2")),
            (r"EQ f\(x\,y\)", Some("f(x,y)")),
            (r"EQ \f(1", Some("1/")),
            ("PAGE 1", None),
            ("EQUAL 1", None),
        ] {
            assert_eq!(equation(field).as_deref(), expected, "{field}");
        }
        equation(&format!("EQ {}", r"\f(".repeat(100_000)));
    }
}
