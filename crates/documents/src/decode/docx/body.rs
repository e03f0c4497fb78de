//! The lines of a text: paragraphs, rows of tables, items of lists; with the text of runs and of symbol fonts.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::styles::{Counter, Style, WordStyles, raised_by};
use crate::decode::drawings::Drawings;
use crate::decode::formula::Builder;
use crate::decode::lines::{LeftOut, Lines, MAX_COLUMNS, RunningText, heading, prepend_mark, words};
use crate::decode::numerals::{NumberFormat, Script};
use crate::decode::zip_xml::Part;

/// Takes the parts of a document and makes lines of them.
#[derive(Default)]
pub(crate) struct WordBody {
    styles: Rc<WordStyles>,
    /// The text of a note is its number in the file.
    pub(crate) lines: Lines,
    /// Kinds of parts that have no text here.
    pub(crate) missing: BTreeSet<&'static str>,
    /// A text box is inside a paragraph.
    paragraphs: Vec<Paragraph>,
    runs: Vec<Run>,
    formula: Builder,
    field: Field,
    /// The instructions of a field are open.
    is_instruction: bool,
    /// The fields around a run, and whether it is in their instructions.
    fields: Vec<bool>,
    /// The text in place of the last picture, which it may have twice.
    alternative: String,
    /// A paragraph that the next one continues: a large first letter, or one whose end was deleted.
    unfinished: Option<Paragraph>,
    /// The charts and diagrams of the document.
    drawings: Drawings,
    is_row_properties: bool,
    /// The last number of each counter and level.
    numbers: HashMap<(Counter, usize), u64>,
    is_text: bool,
    left_out: LeftOut,
}

/// Text that looks alike.
#[derive(Default)]
struct Run {
    script: Option<Script>,
    /// Its own properties have priority over those of its style.
    is_own: bool,
    /// A symbol font.
    font: Option<String>,
    is_properties: bool,
}

/// Elements of other versions of the text: deleted and moved text, earlier properties, the older form of a drawing, and how
/// a word is read.
#[rustfmt::skip]
const LEFT_OUT: [&str; 9] = [
    "moveFrom", "Fallback", "del", "pPrChange", "rPrChange", "sectPrChange", "tblPrChange", "trPrChange", "rt",
];

impl WordBody {
    pub(crate) fn new(styles: &Rc<WordStyles>, drawings: Drawings) -> Self {
        WordBody { styles: Rc::clone(styles), drawings, ..WordBody::default() }
    }

    pub(crate) fn take(&mut self, part: Part<'_>) {
        if let Part::Start("del" | "moveFrom", _) = part
            && !self.left_out.is_open()
        {
            self.note_deletion();
        }
        if self.left_out.takes(&part, |name| LEFT_OUT.contains(&name)) {
            return;
        }
        if self.formula.is_open() || matches!(part, Part::Start("oMath" | "oMathPara", _)) {
            if let (Some(text), Some(paragraph)) = (self.formula.take(&part), self.paragraphs.last_mut()) {
                paragraph.text.push_formula(&text);
            }
            return;
        }
        match part {
            Part::Start(name, attributes) => self.start(name, |name| attributes.get(name)),
            Part::End(name) => self.end(name),
            Part::Text(text) if self.is_text && !self.fields.contains(&true) => {
                self.text(&text.replace(['\n', '\r'], " "))
            }
            Part::Text(text) if self.is_instruction && text.trim_start().starts_with("EQ ") => {
                self.missing.insert("formulas in EQ fields");
            }
            Part::Text(_) => {}
        }
    }

    /// Takes a mark without content in the properties of a paragraph, whose end was deleted or moved, or of a row.
    fn note_deletion(&mut self) {
        if self.is_row_properties {
            self.lines.drop_row();
        } else if let Some(paragraph) = self.paragraphs.last_mut().filter(|paragraph| paragraph.is_properties)
        {
            paragraph.is_deleted = true;
        }
    }

    fn start(&mut self, name: &str, attribute: impl Fn(&str) -> Option<String>) {
        if self.field.start(name, || attribute("val")) {
            return;
        }
        let value = || attribute("val").unwrap_or_default();
        match name {
            "p" => {
                let text = self.unfinished.take().map(|before| before.text).unwrap_or_default();
                self.paragraphs.push(Paragraph { text, ..Paragraph::default() });
            }
            "r" => self.runs.push(Run::default()),
            "t" => self.is_text = true,
            "instrText" => self.is_instruction = true,
            "fldChar" => match attribute("fldCharType").unwrap_or_default().as_str() {
                "begin" => self.fields.push(true),
                "separate" => self.fields.iter_mut().last().into_iter().for_each(|field| *field = false),
                _ => drop(self.fields.pop()),
            },
            "tbl" => {
                self.end_unfinished();
                self.lines.begin_table();
            }
            "trPr" => self.is_row_properties = true,
            "tc" => self.lines.begin_cell(),
            // The row begins at a later column.
            "gridBefore" => {
                let columns = value().parse().unwrap_or(0).min(MAX_COLUMNS);
                (0..columns).for_each(|_| self.lines.begin_cell());
            }
            "gridSpan" => self.lines.widen_cell(value().parse().unwrap_or(1)),
            "footnoteReference" | "endnoteReference" => {
                let kind = name.trim_end_matches("Reference").to_owned();
                let note = self.lines.add_note(kind, attribute("id").unwrap_or_default());
                self.push(&note);
            }
            "sym" => {
                let code = attribute("char").and_then(|code| u32::from_str_radix(&code, 16).ok());
                let font = attribute("font").unwrap_or_default();
                self.text(symbol(&font, code.unwrap_or(0)).encode_utf8(&mut [0; 4]));
            }
            "docPr" | "cNvPr" | "shape" | "imagedata" => self.picture(name, attribute),
            "chart" => self.drawing(attribute("id")),
            "relIds" => self.drawing(attribute("dm")),
            // The text of a drawing of letters (WordArt).
            "textpath" => attribute("string").iter().for_each(|text| self.lines.end(&words(text))),
            "altChunk" => drop(self.missing.insert("documents inside of it")),
            "control" => drop(self.missing.insert("controls")),
            "OLEObject" if attribute("ProgID").is_some_and(|id| id.starts_with("Equation")) => {
                self.missing.insert("formulas of the older equation editor");
            }
            _ => self.property(name, &value(), attribute),
        }
    }

    /// Adds the lines of a chart or a diagram, by the name of its part.
    fn drawing(&mut self, id: Option<String>) {
        let Some(id) = id else { return };
        match self.drawings.get(&id) {
            Some(text) => text.lines().for_each(|line| self.lines.end(line)),
            None => drop(self.missing.insert("charts and diagrams")),
        }
    }

    /// Adds the text in place of a picture.
    fn picture(&mut self, name: &str, attribute: impl Fn(&str) -> Option<String>) {
        let names = match name {
            "shape" => ["alt", "alt"],
            "imagedata" => ["title", "title"],
            _ => ["descr", "title"],
        };
        let text = names.iter().filter_map(|name| attribute(name)).find(|text| !text.trim().is_empty());
        let text = words(&text.unwrap_or_default());
        // The picture in a drawing has the text of the drawing again.
        let is_again = matches!(name, "cNvPr" | "imagedata") && text == self.alternative;
        if !text.is_empty() && !is_again {
            self.push(&format!("[{text}]"));
        }
        self.alternative = text;
    }

    fn property(&mut self, name: &str, value: &str, attribute: impl Fn(&str) -> Option<String>) {
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        let run = self.runs.last_mut();
        match (name, run) {
            ("pPr", _) => paragraph.is_properties = true,
            ("pStyle", _) => value.clone_into(&mut paragraph.style),
            ("framePr", _) => paragraph.is_initial = attribute("dropCap").is_some_and(|kind| kind != "none"),
            _ if paragraph.is_properties => paragraph.own.note(name, value),
            ("rPr", Some(run)) => run.is_properties = true,
            (_, Some(run)) if run.is_properties => match name {
                "rStyle" if !run.is_own => run.script = self.styles.script(value),
                // An initial stands lower than its word, and is no index.
                "vertAlign" | "position" if !paragraph.is_initial => {
                    // One of them raises the text, although the other does not.
                    run.script = raised_by(name, value).or(run.script.filter(|_| run.is_own));
                    run.is_own = true;
                }
                "rFonts" => run.font = attribute("ascii").filter(|font| is_symbol_font(font)),
                _ => {}
            },
            ("tab" | "ptab", _) => self.push("\t"),
            ("br" | "cr", _) => self.push("\n"),
            ("noBreakHyphen", _) => self.text("-"),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "t" => self.is_text = false,
            "instrText" => self.is_instruction = false,
            "ffData" => {
                let state = self.field.end();
                self.push(&state.unwrap_or_default());
            }
            "rPr" => self.runs.last_mut().into_iter().for_each(|run| run.is_properties = false),
            "r" => drop(self.runs.pop()),
            "pPr" => self.paragraphs.last_mut().into_iter().for_each(|of| of.is_properties = false),
            "p" => {
                // No field hides more, if its parts are not there.
                self.fields.fill(false);
                match self.paragraphs.pop() {
                    Some(of) if of.is_initial || of.is_deleted => self.unfinished = Some(of),
                    other => other.into_iter().for_each(|paragraph| self.end_paragraph(paragraph)),
                }
            }
            "body" | "txbxContent" | "footnote" | "endnote" => self.end_unfinished(),
            "tc" => {
                self.end_unfinished();
                self.lines.end_cell(false);
            }
            "trPr" => self.is_row_properties = false,
            "tr" => self.lines.end_row(),
            "tbl" => self.lines.end_table(),
            _ => {}
        }
    }

    fn end_paragraph(&mut self, mut paragraph: Paragraph) {
        let text = paragraph.text.take();
        let mark = if paragraph.is_initial { String::new() } else { self.mark(&paragraph) };
        self.lines.end(&prepend_mark(&mark, &text));
    }

    /// Ends a paragraph that no other one continues.
    fn end_unfinished(&mut self) {
        if let Some(paragraph) = self.unfinished.take().filter(|paragraph| !paragraph.text.is_empty()) {
            self.end_paragraph(paragraph);
        }
    }

    /// Adds the text of a run.
    fn text(&mut self, text: &str) {
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        let run = self.runs.last();
        let script = run.and_then(|run| run.script);
        match run.and_then(|run| run.font.as_deref()).filter(|_| text.contains(is_private)) {
            Some(font) => {
                let draw = |c: char| if is_private(c) { symbol(font, u32::from(c)) } else { c };
                paragraph.text.push(&text.chars().map(draw).collect::<String>(), script);
            }
            None => paragraph.text.push(text, script),
        }
    }

    /// Adds text that is neither raised nor lowered.
    fn push(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push(text, None);
        }
    }

    /// The mark of a heading or of an item of a list.
    fn mark(&mut self, paragraph: &Paragraph) -> String {
        let style = self.styles.paragraphs.get(&paragraph.style);
        if let Some(level) = paragraph.own.heading.or(style.and_then(|style| style.heading)) {
            return heading(level);
        }
        let list = paragraph.own.list.as_ref().or(style.and_then(|style| style.list.as_ref()));
        let Some(list) = list.filter(|list| list.0 != "0") else { return String::new() };
        let numbering = self.styles.numbering(list);
        let indent = "  ".repeat(list.1);
        if matches!(numbering.format, "bullet" | "none") {
            return format!("{indent}- ");
        }
        self.numbers.retain(|(of, level), _| *of != numbering.counter || *level <= list.1);
        let next = |number: &mut u64| *number = number.saturating_add(1);
        let number =
            self.numbers.entry((numbering.counter, list.1)).and_modify(next).or_insert(numbering.first);
        format!("{indent}{}. ", NumberFormat::from_name(numbering.format).show(*number))
    }
}

/// Whether `c` is where symbol fonts have their characters.
fn is_private(c: char) -> bool {
    matches!(c, '\u{F000}'..='\u{F0FF}')
}

#[derive(Default)]
pub(super) struct Paragraph {
    pub(super) text: RunningText,
    /// The style that the paragraph itself defines.
    pub(super) own: Style,
    pub(super) style: String,
    /// Its properties define tabs, too.
    pub(super) is_properties: bool,
    /// Its end was deleted or moved, so that the next paragraph continues it.
    pub(super) is_deleted: bool,
    /// The large first letter of the paragraph that follows.
    pub(super) is_initial: bool,
}

/// A field, from its data to its end.
#[derive(Default)]
pub(super) struct Field {
    is_open: bool,
    is_check_box: bool,
    /// The default of the field, and the choice of a person.
    default: Option<String>,
    chosen: Option<String>,
    entries: Vec<String>,
}

/// Whether a switch with the value `value` is on.
pub(super) fn is_on(value: Option<&str>) -> bool {
    !matches!(value, Some("0" | "false" | "off"))
}

impl Field {
    /// Takes the start of an element; whether it belongs to a field.
    pub(super) fn start(&mut self, name: &str, value: impl FnOnce() -> Option<String>) -> bool {
        match name {
            "ffData" => *self = Field { is_open: true, ..Field::default() },
            _ if !self.is_open => return false,
            "checkBox" => self.is_check_box = true,
            "default" => self.default = Some(value().unwrap_or_default()),
            "checked" | "result" => self.chosen = Some(value().unwrap_or_default()),
            "listEntry" => self.entries.push(value().unwrap_or_default()),
            _ => {}
        }
        true
    }

    /// The text of the field, at the end of its data; a field of text has its text elsewhere.
    pub(super) fn end(&mut self) -> Option<String> {
        let field = std::mem::take(self);
        let state = field.chosen.or(field.default);
        if field.is_check_box {
            let sign = if state.is_some_and(|state| is_on(Some(&state))) { "☒" } else { "☐" };
            return Some(sign.to_owned());
        }
        let index = state.and_then(|state| state.parse().ok()).unwrap_or(0);
        field.entries.into_iter().nth(index)
    }
}

/// Runs of characters of symbol fonts, each with the number of its first; of those fonts that Microsoft drew, the ones that
/// carry meaning in a text. Code pages of DOS are like such fonts.
#[rustfmt::skip]
const RUNS: [(&str, u8, &str); 46] = [
    ("Symbol", 0x20, " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"),
    ("Symbol", 0xA0, "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u{FFFD}〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"),
    ("Wingdings", 0x20, " ✏✂"), ("Wingdings", 0x28, "☎"), ("Wingdings", 0x2A, "✉"), ("Wingdings", 0x36, "⌛"),
    ("Wingdings", 0x3F, "✍"), ("Wingdings", 0x41, "✌"), ("Wingdings", 0x43, "👍👎☜☞☝☟"), ("Wingdings", 0x4A, "☺"),
    ("Wingdings", 0x4C, "☹💣☠"), ("Wingdings", 0x51, "✈☼"), ("Wingdings", 0x54, "❄"), ("Wingdings", 0x6C, "●"),
    ("Wingdings", 0x6E, "■□"), ("Wingdings", 0x71, "❑❒"), ("Wingdings", 0x74, "⧫◆❖⬥⌧"),
    ("Wingdings", 0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"), ("Wingdings", 0x9E, "·•"), ("Wingdings", 0xA1, "○"),
    ("Wingdings", 0xA4, "◉"), ("Wingdings", 0xA7, "▪☐"), ("Wingdings", 0xAB, "★"), ("Wingdings", 0xD8, "➢"),
    ("Wingdings", 0xDF, "←→↑↓"), ("Wingdings", 0xE8, "➔"), ("Wingdings", 0xEF, "⇦⇨⇧⇩"), ("Wingdings", 0xFB, "✗✓☒☑"),
    ("Wingdings 2", 0x20, " "), ("Wingdings 2", 0x4F, "✗✓☒☑☒☒"), ("Wingdings 2", 0x96, "•"),
    ("Wingdings 2", 0x98, "●"), ("Wingdings 2", 0xA2, "■☐"), ("Webdings", 0x20, " "), ("Webdings", 0x61, "✓"),
    ("Webdings", 0x63, "☐"), ("Webdings", 0x67, "■"), ("Webdings", 0x6E, "●"), ("Webdings", 0x72, "✗"),
    ("CP437", 0x80, "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"),
    ("CP850", 0x80, "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}"),
    ("CP852", 0x80, "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{AD}˝˛ˇ˘§÷¸°¨˙űŘř■\u{A0}"),
    ("CP860", 0x80, "ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧ÓáíóúñÑªº¿Ò¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"),
    ("CP862", 0x80, "אבגדהוזחטיךכלםמןנסעףפץצקרשת¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"),
    ("CP863", 0x80, "ÇüéâÂà¶çêëèïî‗À§ÉÈÊôËÏûù¤ÔÜ¢£ÙÛƒ¦´óú¨¸³¯Î⌐¬½¼¾«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"),
    ("CP865", 0x80, "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"),
];

/// Whether the numbers of the characters of `font` mean pictures.
pub(super) fn is_symbol_font(font: &str) -> bool {
    font == "Symbol" || font == "Webdings" || font.starts_with("Wingdings")
}

/// The character that `font` draws for the character `code`, U+FFFD if nobody knows.
pub(crate) fn symbol(font: &str, code: u32) -> char {
    // Symbol fonts have their characters in a private area of Unicode, too.
    let number = match code {
        0xF000..=0xF0FF => u8::try_from(code - 0xF000).ok(),
        _ => u8::try_from(code).ok(),
    };
    let runs = RUNS.iter().filter(|(name, _, _)| *name == font);
    let found = match runs.rev().find(|(_, first, _)| Some(*first) <= number) {
        Some((_, first, characters)) => {
            number.and_then(|number| characters.chars().nth(usize::from(number - first)))
        }
        None if is_symbol_font(font) => None,
        None => char::from_u32(code).filter(|c| !matches!(c, '\u{E000}'..='\u{F8FF}') && !c.is_control()),
    };
    found.unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_symbol_fonts_are_characters() {
        for (font, code, expected) in [
            ("Wingdings", 0xF0FE, '☑'),
            ("Wingdings", 0xFE, '☑'),
            ("Wingdings", 0xF0A8, '☐'),
            ("Wingdings 2", 0xF052, '☑'),
            ("Symbol", 0xF061, 'α'),
            ("Symbol", 0xF07E, '∼'),
            ("Symbol", 0xF0A3, '≤'),
            ("Symbol", 0xF0B3, '≥'),
            ("Symbol", 0xF0E5, '∑'),
            ("Symbol", 0xF0FE, '⎭'),
            ("MS Gothic", 0x2612, '☒'),
            ("Wingdings 3", 0xF021, '\u{FFFD}'),
            ("Other", 0xF021, '\u{FFFD}'),
        ] {
            assert_eq!(symbol(font, code), expected, "{font} {code:x}");
        }
    }
}
