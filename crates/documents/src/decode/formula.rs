//! Formulas as lines of text: `1/2`, `x²`, `√(a+b)`, from MathML and from Office Open XML (ECMA-376, 22.1). Their structure
//! carries the value, so none of it is dropped.

use std::io::Read;

use super::numerals::{RAISED, Script};
use super::zip_xml::{Attributes, Part, parse};
use crate::protocol::Failure;

/// A formula with more elements inside of each other ends there.
const MAX_DEPTH: usize = 200;

/// Makes a formula of the parts of a member of XML.
#[derive(Debug, Default)]
pub(super) struct Builder {
    open: Vec<Element>,
    /// Elements that are too deep.
    skipped: usize,
}

impl Builder {
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Takes a part, and returns the text of the formula if that is its end.
    pub(super) fn take(&mut self, part: &Part<'_>) -> Option<String> {
        match part {
            Part::Start(..) if self.open.len() >= MAX_DEPTH => self.skipped += 1,
            Part::Start(name, attributes) => self.open.push(Element::new(name, attributes)),
            Part::Text(text) => self.open.last_mut()?.text.push_str(text),
            Part::End(_) if self.skipped > 0 => self.skipped -= 1,
            Part::End(_) => {
                let element = self.open.pop()?;
                match self.open.last_mut() {
                    Some(parent) => parent.push(element),
                    None if element.name == "math" => return Some(text(&element).trim().to_owned()),
                    None => return Some(text(&element)),
                }
            }
        }
        None
    }
}

/// The text of the formula in MathML that `member` is; `None` for anything else.
pub(super) fn read(member: impl Read) -> Option<String> {
    let (mut formula, mut text) = (Builder::default(), None);
    // A formula that is whole counts, whatever comes after it.
    let _ = parse(member, |part| match part {
        Part::Start(name, _) if !formula.is_open() && name != "math" => Err(Failure::Damaged),
        part => {
            text = formula.take(&part).or(text.take());
            Ok(())
        }
    });
    text
}

/// Adds `part` to `line`, with a blank where two numbers would become one.
pub(crate) fn push(line: &mut String, part: &str) {
    if line.ends_with(is_number) && part.starts_with(is_number) && (ends_apart(line) || part.contains('/')) {
        line.push(' ');
    }
    line.push_str(part);
}

fn is_number(c: char) -> bool {
    c.is_alphanumeric() && !c.is_alphabetic()
}

/// Whether the number at the end of `line` is below a fraction line or under a root: a digit after it were a part of it.
pub(crate) fn ends_apart(line: &str) -> bool {
    let before = line.trim_end_matches(|c: char| is_number(c) || matches!(c, '.' | ','));
    before.ends_with(['/', '√', '∛', '∜'])
}

/// The parts one after the other.
fn join(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().fold(String::new(), |mut line, part| {
        push(&mut line, &part);
        line
    })
}

/// `text` in parentheses, unless it is one number, one letter or in parentheses already: `1/2x` would be half of x.
fn enclose(text: &str) -> String {
    let is_mark = |c: char| {
        matches!(c, '\'' | '′' | '\u{300}'..='\u{36F}' | '\u{20D0}'..='\u{20FF}')
            || c.is_numeric() && !c.is_ascii_digit()
    };
    let is_number = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    let is_letter = text.chars().skip(1).all(is_mark) && !text.starts_with(is_mark);
    if is_number || is_letter || is_enclosed(text) { text.to_owned() } else { format!("({text})") }
}

/// Whether the parenthesis at the start is closed at the end, and not before.
fn is_enclosed(text: &str) -> bool {
    let mut depth = 0i64;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth <= 0 {
            return depth == 0 && at > 0 && at + c.len_utf8() == text.len();
        }
    }
    false
}

fn fraction(above: &str, below: &str) -> String {
    // A product above the line needs no parentheses.
    let is_product = above.chars().all(|c| c.is_alphanumeric() || c == '.');
    let above = if is_product { above.to_owned() } else { enclose(above) };
    format!("{above}/{}", enclose(below))
}

fn root(degree: &str, of: &str) -> String {
    match degree.trim() {
        "" | "2" => format!("√{}", enclose(of)),
        "3" => format!("∛{}", enclose(of)),
        "4" => format!("∜{}", enclose(of)),
        degree => format!("√[{degree}]({of})"),
    }
}

/// Signs that make a base more than one sign or name.
const OPERATORS: [char; 10] = [' ', '+', '-', '\u{2212}', '/', '*', '=', '·', '×', '±'];

/// `base` with an index, an exponent or both.
fn scripts(base: &str, index: &str, exponent: &str) -> String {
    let is_compound = base.contains(OPERATORS) && base.chars().count() > 1;
    let is_power = !exponent.trim().is_empty() && !is_enclosed(base) && has_exponent(base);
    let mut line = match (is_power, is_compound) {
        (true, _) => format!("({base})"),
        (_, true) => enclose(base),
        _ => base.to_owned(),
    };
    for (script, text) in [(Script::Lowered, index), (Script::Raised, exponent)] {
        match text.trim() {
            "" => {}
            // Primes are raised already, and a degree sign is.
            text if text.chars().all(|c| matches!(c, '\'' | '′' | '″' | '‴' | '°')) => {
                line.push_str(text)
            }
            text => line.push_str(&script.of(text)),
        }
    }
    line
}

/// Whether `base` ends with an exponent: 2³ with the exponent 4 is not 2³⁴.
fn has_exponent(base: &str) -> bool {
    let is_braced = || base.rsplit_once('{').is_some_and(|(before, _)| before.ends_with('^'));
    base.ends_with(|c| RAISED.contains(c)) || base.ends_with('}') && is_braced()
}

/// `text` with the mark `accent` over or under each character.
fn add_accent(text: &str, accent: &str) -> String {
    let Some(mark) = accent.chars().next().and_then(combining) else {
        return scripts(text, "", accent);
    };
    let is_line = matches!(mark, '\u{305}' | '\u{332}' | '\u{333}');
    if is_line || text.chars().count() == 1 {
        return text.chars().flat_map(|c| [c, mark]).collect();
    }
    format!("{}{mark}", enclose(text))
}

/// The combining form of an accent.
fn combining(accent: char) -> Option<char> {
    Some(match accent {
        '\u{300}'..='\u{36F}' | '\u{20D0}'..='\u{20FF}' => accent,
        '^' | 'ˆ' => '\u{302}',
        '~' | '˜' | '∼' => '\u{303}',
        '¯' | '‾' | '―' | '_' | '‐' => '\u{305}',
        '˙' | '.' => '\u{307}',
        '¨' => '\u{308}',
        'ˇ' => '\u{30C}',
        '→' => '\u{20D7}',
        _ => return None,
    })
}

/// An element of a formula: its name without a prefix, and what is in it.
#[derive(Debug, Default)]
struct Element {
    name: String,
    /// Attributes, and the properties of Office Open XML.
    attributes: Vec<(String, String)>,
    children: Vec<Element>,
    /// The text of an element that has no others in it.
    text: String,
}

/// Attributes that say how the neighbours of an element look.
const ATTRIBUTES: [&str; 5] = ["val", "linethickness", "open", "close", "separators"];

impl Element {
    fn new(name: &str, attributes: &Attributes<'_>) -> Self {
        let attributes =
            ATTRIBUTES.iter().filter_map(|name| Some(((*name).to_owned(), attributes.get(name)?)));
        Element { name: name.to_owned(), attributes: attributes.collect(), ..Element::default() }
    }

    /// Adds `child`. A list of properties, such as `naryPr`, has no text.
    fn push(&mut self, child: Element) {
        if !child.name.ends_with("Pr") {
            return self.children.push(child);
        }
        for property in child.children {
            // A character without a value is none, and a switch without one is on.
            let usual = if property.name.ends_with("hr") { "" } else { "1" };
            let value = property.attribute("val").unwrap_or(usual).to_owned();
            self.attributes.push((property.name, value));
        }
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(of, _)| of == name).map(|(_, value)| value.as_str())
    }

    /// Whether a fraction has no line.
    fn is_stacked(&self) -> bool {
        let is_none = |width: &str| width.trim_start_matches(['0', '.']).chars().all(char::is_alphabetic);
        self.attribute("type") == Some("noBar") || self.attribute("linethickness").is_some_and(is_none)
    }
}

/// Operators that have limits and stand before what they are of.
const LARGE: [char; 12] = ['∑', '∏', '∐', '∫', '∬', '∭', '∮', '⋂', '⋃', '⋀', '⋁', '⨁'];

/// The text of an element, whatever it is. The names of MathML are those of nothing in Office Open XML.
fn text(element: &Element) -> String {
    let children = &element.children;
    let parts = || children.iter().map(text);
    let shown = || parts().filter(|part| !part.is_empty());
    // Parts have positions in MathML, and names in Office Open XML.
    let part = |name: &str, index: usize| match element.name.starts_with('m') {
        true => children.get(index).map(text).unwrap_or_default(),
        false => children.iter().find(|child| child.name == name).map(text).unwrap_or_default(),
    };
    let attribute = |name: &str, usual: &'static str| element.attribute(name).unwrap_or(usual).to_owned();
    match element.name.as_str() {
        "t" => element.text.replace(['\n', '\r'], " "),
        "br" => "\n".to_owned(),
        "mspace" => " ".to_owned(),
        "mphantom" | "annotation" | "annotation-xml" | "none" | "mprescripts" => String::new(),
        "phant" if matches!(element.attribute("show"), Some("0" | "false" | "off")) => String::new(),
        // Two parts one above the other without a line, as in binomials.
        "mfrac" | "f" if element.is_stacked() => format!("({}¦{})", part("num", 0), part("den", 1)),
        "mfrac" | "f" => fraction(&part("num", 0), &part("den", 1)),
        "msqrt" => root("", &row(children)),
        "mroot" | "rad" => root(&part("deg", 1), &part("e", 0)),
        "msup" | "sSup" => scripts(&part("e", 0), "", &part("sup", 1)),
        "msub" | "sSub" => scripts(&part("e", 0), &part("sub", 1), ""),
        "msubsup" | "munderover" | "sSubSup" => scripts(&part("e", 0), &part("sub", 1), &part("sup", 2)),
        "limLow" => scripts(&part("e", 0), &part("lim", 1), ""),
        "limUpp" => scripts(&part("e", 0), "", &part("lim", 1)),
        "sPre" => scripts("", &part("sub", 0), &part("sup", 1)) + &part("e", 2),
        "mmultiscripts" => multiscripts(children),
        "nary" => {
            let sign = attribute("chr", "∫");
            let head = scripts(&sign, &part("sub", 0), &part("sup", 1));
            let is_beside = head == sign;
            apart(head, &part("e", 2), is_beside)
        }
        "func" => {
            let of = part("e", 1);
            apart(part("fName", 0), &of, of.starts_with(['(', '[', '{', '|']))
        }
        // A brace only shows how far its neighbour goes.
        "mover" | "munder" if matches!(&*part("", 1), "⏞" | "⏟" | "⏜" | "⏝" | "⎴" | "⎵") => {
            part("", 0)
        }
        "mover" => add_accent(&part("", 0), &part("", 1)),
        "munder" => match part("", 1).as_str() {
            "_" | "¯" | "‾" | "\u{332}" => add_accent(&part("", 0), "\u{332}"),
            below => scripts(&part("", 0), below, ""),
        },
        "acc" => add_accent(&part("e", 0), &attribute("chr", "\u{302}")),
        "bar" if element.attribute("pos") == Some("top") => add_accent(&part("e", 0), "\u{305}"),
        "bar" => add_accent(&part("e", 0), "\u{332}"),
        "mfenced" => {
            let separators: String = attribute("separators", ",").split_whitespace().collect();
            fenced(parts(), &attribute("open", "("), &separators, &attribute("close", ")"))
        }
        "d" => {
            fenced(parts(), &attribute("begChr", "("), &attribute("sepChr", "|"), &attribute("endChr", ")"))
        }
        "mtable" | "m" | "eqArr" => join_with(parts(), "; "),
        "mtr" | "mlabeledtr" | "mr" => join_with(parts(), ", "),
        // Rows of a sum or a division in columns, whose numbers would become one.
        "mstack" | "mlongdiv" | "msgroup" => join_with(shown(), "; "),
        "mscarries" => join_with(shown(), " "),
        // The lines of a paragraph of formulas.
        "oMathPara" => join_with(shown(), "\n"),
        "semantics" | "maction" => parts().next().unwrap_or_default(),
        _ if children.is_empty() => token(&element.text),
        _ => row(children),
    }
}

fn join_with(parts: impl Iterator<Item = String>, separator: &str) -> String {
    parts.collect::<Vec<_>>().join(separator)
}

/// `head` and what it is `of`, with a blank between them.
fn apart(head: String, of: &str, is_beside: bool) -> String {
    let separator = if of.is_empty() || is_beside { "" } else { " " };
    head + separator + of
}

/// The text of a token, with one blank for white space in it, and without operators that nobody sees.
fn token(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().filter(|c| !matches!(c, '\u{2061}'..='\u{2064}')).collect()
}

fn row(children: &[Element]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = children.iter().peekable();
    while let Some(child) = rest.next() {
        let part = text(child);
        let is_one = part.chars().count() == 1;
        let next = rest.peek().map_or("", |next| next.name.as_str());
        // A sum with limits stands apart from what it is of.
        let is_large = part.starts_with(LARGE) && child.name.starts_with('m') && !next.is_empty();
        // The name of a function stands apart from its argument.
        let is_name = child.name == "mi" && matches!(next, "mi" | "mn" | "msup" | "msub" | "mfrac");
        let is_apart = (is_large || is_name) && !part.is_empty() && !is_one;
        parts.push(part);
        parts.extend(is_apart.then(|| " ".to_owned()));
    }
    join(parts)
}

/// `parts` in parentheses. The last separator stands for all that follow.
fn fenced(parts: impl Iterator<Item = String>, open: &str, separators: &str, close: &str) -> String {
    let mut inner = String::new();
    for (index, part) in parts.enumerate() {
        if index > 0 {
            inner.extend(separators.chars().nth(index - 1).or(separators.chars().last()));
        }
        inner.push_str(&part);
    }
    format!("{open}{inner}{close}")
}

/// A base with pairs of an index and an exponent after it, and after `mprescripts` before it.
fn multiscripts(children: &[Element]) -> String {
    let Some((base, rest)) = children.split_first() else { return String::new() };
    let at = rest.iter().position(|child| child.name == "mprescripts").unwrap_or(rest.len());
    let (after, before) = (&rest[..at], rest.get(at + 1..).unwrap_or_default());
    let pairs = |list: &[Element]| -> String {
        let exponent = |pair: &[Element]| pair.get(1).map(text).unwrap_or_default();
        list.chunks(2).map(|pair| scripts("", &text(&pair[0]), &exponent(pair))).collect()
    };
    pairs(before) + &text(base) + &pairs(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(formula: &str) -> String {
        let (mut builder, mut text) = (Builder::default(), None);
        parse(formula.as_bytes(), |part| {
            text = builder.take(&part).or(text.take());
            Ok(())
        })
        .unwrap();
        text.unwrap()
    }

    fn tag(name: &str, inner: &str) -> String {
        format!("<{name}>{inner}</{name}>")
    }

    fn tags(parts: &[(&str, &str)]) -> String {
        parts.iter().map(|(name, inner)| tag(name, inner)).collect()
    }

    fn t(text: &str) -> String {
        tag("r", &tag("t", text))
    }

    fn of(name: &str, parts: &[(&str, &str)]) -> String {
        let parts: Vec<(&str, String)> = parts
            .iter()
            .map(|(name, inner)| (*name, if inner.starts_with('<') { (*inner).to_owned() } else { t(inner) }))
            .collect();
        tag(name, &parts.iter().map(|(name, inner)| tag(name, inner)).collect::<String>())
    }

    fn with(name: &str, properties: &str, parts: &[(&str, &str)]) -> String {
        let start = format!("<{name}>");
        of(name, parts).replacen(&start, &format!("{start}<{name}Pr>{properties}</{name}Pr>"), 1)
    }

    #[test]
    fn office_formulas_keep_their_structure() {
        let half = of("f", &[("num", "1"), ("den", "2")]);
        let sum = of("d", &[("e", "a+b")]);
        for (formula, expected) in [
            (half.clone(), "1/2"),
            (t("2") + &half + &t("3"), "2 1/2 3"),
            (t("x=") + &half, "x=1/2"),
            (of("f", &[("num", "2x"), ("den", "3y")]), "2x/(3y)"),
            (of("f", &[("num", "a+b"), ("den", "c")]), "(a+b)/c"),
            (of("f", &[("num", &half), ("den", &sum)]), "(1/2)/(a+b)"),
            (with("f", "<type val=\"noBar\"/>", &[("num", "n"), ("den", "k")]), "(n¦k)"),
            (of("rad", &[("deg", ""), ("e", "2")]), "√2"),
            (of("rad", &[("deg", "3"), ("e", "x+1")]), "∛(x+1)"),
            (of("rad", &[("deg", "n"), ("e", "2x")]), "√[n](2x)"),
            (of("sSup", &[("e", "10"), ("sup", "6")]), "10⁶"),
            (of("sSup", &[("e", "x"), ("sup", "2n")]), "x^{2n}"),
            (of("sSup", &[("e", "a+b"), ("sup", "2")]), "(a+b)²"),
            (of("sSup", &[("e", &sum), ("sup", "2")]), "(a+b)²"),
            (of("sSup", &[("e", "f"), ("sup", "′")]), "f′"),
            (of("sSup", &[("e", &of("sSup", &[("e", "2"), ("sup", "3")])), ("sup", "4")]), "(2³)⁴"),
            (of("sSup", &[("e", &of("sSup", &[("e", "x"), ("sup", "2n")])), ("sup", "3")]), "(x^{2n})³"),
            (of("sSup", &[("e", &of("sSub", &[("e", "x"), ("sub", "n")])), ("sup", "3")]), "x_{n}³"),
            // A root or a fraction ends before the next number; a number in several runs is one number.
            (t("2") + &of("rad", &[("deg", ""), ("e", "3")]) + &t("4"), "2√3 4"),
            (half.clone() + &t("+1") + &t("0"), "1/2+10"),
            (half.clone() + &t("+") + &half, "1/2+1/2"),
            (t("x=1") + "<r><br/></r>" + &t("2"), "x=1\n2"),
            (of("sSub", &[("e", "x"), ("sub", "12")]), "x₁₂"),
            (of("sSubSup", &[("e", "x"), ("sub", "i"), ("sup", "2")]), "x_{i}²"),
            (of("sPre", &[("sub", "92"), ("sup", "235"), ("e", "U")]), "₉₂²³⁵U"),
            (with("nary", "<chr val=\"∑\"/>", &[("sub", "i=1"), ("sup", "n"), ("e", "i")]), "∑_{i=1}^{n} i"),
            (of("nary", &[("sub", ""), ("sup", ""), ("e", "x")]), "∫x"),
            (of("func", &[("fName", "sin"), ("e", "x")]), "sin x"),
            (of("limLow", &[("e", "lim"), ("lim", "n→∞")]), "lim_{n→∞}"),
            (with("d", "<begChr val=\"[\"/><sepChr/>", &[("e", "0"), ("e", "1")]), "[01)"),
            (
                with(
                    "d",
                    "<endChr val=\"\"/>",
                    &[("e", &tag("m", &of("mr", &[("e", "1"), ("e", "2")]).repeat(2)))],
                ),
                "(1, 2; 1, 2",
            ),
            (of("acc", &[("e", "x")]), "x\u{302}"),
            (with("bar", "<pos val=\"top\"/>", &[("e", "xy")]), "x\u{305}y\u{305}"),
            (of("eqArr", &[("e", "a=1"), ("e", "b=2")]), "a=1; b=2"),
            (with("phant", "<show val=\"0\"/>", &[("e", "x")]) + &t("y"), "y"),
            (of("unknown", &[("part", "1"), ("part", "2")]), "12"),
        ] {
            assert_eq!(text(&tag("oMath", &formula)), expected, "{formula}");
        }
        assert_eq!(text(&tag("oMathPara", &tags(&[("oMath", &t("1")), ("oMath", &t("2"))]))), "1\n2");
    }

    #[test]
    fn mathml_keeps_its_structure() {
        let (one, two, x) = ("<mn>1</mn>", "<mn> 2 </mn>", "<mi>x</mi>");
        let half = format!("<mfrac>{one}{two}</mfrac>");
        for (formula, expected) in [
            (half.clone(), "1/2"),
            (format!("<mn>3</mn><mo>&#x2064;</mo>{half}"), "3 1/2"),
            (format!("<mfrac><mrow>{x}<mo>+</mo>{one}</mrow><mrow>{two}{x}</mrow></mfrac>"), "(x+1)/(2x)"),
            (format!("<mfrac linethickness=\"0\">{x}{two}</mfrac>"), "(x¦2)"),
            (format!("<mfrac linethickness=\"0.5pt\">{x}{two}</mfrac>"), "x/2"),
            (format!("<msqrt>{x}<mo>+</mo>{one}</msqrt>"), "√(x+1)"),
            (format!("<mroot>{x}<mn>3</mn></mroot>"), "∛x"),
            (format!("<msup>{x}{two}</msup>"), "x²"),
            (format!("<msub>{x}<mi>i</mi></msub>"), "x_{i}"),
            (format!("<msubsup>{x}{one}{two}</msubsup>"), "x₁²"),
            (format!("<munderover><mo>∑</mo>{one}<mi>n</mi></munderover>{x}"), "∑₁^{n} x"),
            (format!("<mover accent=\"true\">{x}<mo>→</mo></mover>"), "x\u{20D7}"),
            (format!("<mover>{x}<mi>n</mi></mover>"), "x^{n}"),
            (format!("<munder><mi>lim</mi>{x}</munder>"), "lim_{x}"),
            (format!("<mmultiscripts><mi>U</mi><mprescripts/>{one}{two}</mmultiscripts>"), "₁²U"),
            (format!("<mfenced open=\"[\" separators=\";\">{one}{two}</mfenced>"), "[1;2)"),
            (
                format!(
                    "<mtable><mtr><mtd>{one}</mtd><mtd>{two}</mtd></mtr><mtr><mtd>{x}</mtd></mtr></mtable>"
                ),
                "1, 2; x",
            ),
            (format!("<semantics><mrow>{x}</mrow><annotation>x over</annotation></semantics>"), "x"),
            (format!("<munder><munder>{x}<mo>⏟</mo></munder><mi>n</mi></munder>"), "x_{n}"),
            (
                format!("<mover><mover><mrow>{x}<mo>+</mo>{one}</mrow><mo>⏞</mo></mover>{two}</mover>"),
                "(x+1)²",
            ),
            (
                format!(
                    "<mstack>{one}<msrow><mo>+</mo>{two}</msrow><msline length=\"2\"/><mn>3</mn></mstack>"
                ),
                "1; +2; 3",
            ),
            (
                format!(
                    "<mlongdiv><mn>3</mn><mn>4</mn>{one}{two}<msgroup>{one}<msline/>{two}</msgroup></mlongdiv>"
                ),
                "3; 4; 1; 2; 1; 2",
            ),
            (format!("<mstack><mscarries>{one}<none/>{two}</mscarries>{x}</mstack>"), "1 2; x"),
            (format!("<mi>sin</mi><mo>&#x2061;</mo>{x}"), "sinx"),
            (format!("<mi>sin</mi>{x}"), "sin x"),
            (format!("<mphantom>{x}</mphantom>{two}"), "2"),
            ("<mtext> if  so </mtext>".to_owned(), "if so"),
        ] {
            assert_eq!(text(&tag("math", &formula)), expected, "{formula}");
        }
    }

    #[test]
    fn a_formula_that_is_too_deep_ends() {
        let deep = "<e>".repeat(MAX_DEPTH * 2) + "x" + &"</e>".repeat(MAX_DEPTH * 2);
        text(&tag("oMath", &(deep + &t("y"))));
    }
}
