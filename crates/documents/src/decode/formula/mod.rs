//! Formulas as lines of text: `1/2`, `x²`, `√(a+b)`. Their structure carries the value, so none of it is dropped.

mod element;
pub(super) mod line;
mod mathml;
mod omml;

use self::element::Element;

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

    pub(super) fn start(&mut self, name: &str, attribute: impl Fn(&str) -> Option<String>) {
        if self.open.len() >= MAX_DEPTH {
            self.skipped += 1;
        } else {
            self.open.push(Element::new(name, attribute));
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        if let Some(element) = self.open.last_mut() {
            element.push_text(text);
        }
    }

    /// Ends an element, and returns the text of the formula if that is its end.
    pub(super) fn end(&mut self) -> Option<String> {
        if self.skipped > 0 {
            self.skipped -= 1;
            return None;
        }
        let element = self.open.pop()?;
        match self.open.last_mut() {
            Some(parent) => {
                parent.push(element);
                None
            }
            None if element.name == "math" => Some(mathml::text(&element).trim().to_owned()),
            None => Some(omml::text(&element)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::zip_xml::{Part, parse};

    fn text(formula: &str) -> String {
        let (mut builder, mut text) = (Builder::default(), None);
        parse(formula.as_bytes(), |part| {
            match part {
                Part::Start(name, attributes) => builder.start(name, |name| attributes.get(name)),
                Part::Text(part) => builder.text(part),
                Part::End(_) => text = builder.end().or(text.take()),
            }
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
