//! Rich Text Format 1.9.1: a paragraph is a line, a row of a table is a line with tabs.

use std::collections::HashMap;

use encoding_rs::{Encoding, WINDOWS_1252};

use super::docx::symbol;
use crate::decode::recognition::{FirstBytes, Verdict};
use crate::protocol::{Failure, Notice, Output};

const MAGIC: &[u8] = b"{\\rtf";

pub(super) fn recognise(head: &FirstBytes<'_>) -> Verdict {
    match head.bytes {
        bytes if bytes.starts_with(MAGIC) => Verdict::Is,
        bytes if MAGIC.starts_with(bytes) => Verdict::Open,
        _ => Verdict::Not,
    }
}

/// Groups that are not text of the page, beside those that begin with `\*`.
#[rustfmt::skip]
const LEFT_OUT: [&str; 21] = [
    "colortbl", "stylesheet", "info", "pict", "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr",
    "footerf", "objdata", "fldinst", "filetbl", "nonshppict", "upr", "xe", "tc", "tcn", "sp",
];

/// Control words that are characters.
#[rustfmt::skip]
const CHARACTERS: [(&str, &str); 21] = [
    ("par", "\n"), ("line", "\n"), ("sect", "\n"), ("page", "\n"), ("row", "\n"), ("nestrow", "\n"), ("tab", "\t"),
    ("cell", "\t"), ("nestcell", "\t"), ("emdash", "—"), ("endash", "–"), ("bullet", "•"), ("lquote", "‘"), ("rquote", "’"),
    ("ldblquote", "“"), ("rdblquote", "”"), ("emspace", " "), ("enspace", " "), ("qmspace", " "), ("column", "\n"), ("lbr", "\n"),
];

/// The character sets of fonts, and their code pages. Other fonts have the one of the document.
#[rustfmt::skip]
const CHARSETS: [(i32, i32); 16] = [
    (2, SYMBOLS), (77, 10000), (128, 932), (129, 949), (134, 936), (136, 950), (161, 1253), (162, 1254), (163, 1258),
    (177, 1255), (178, 1256), (186, 1257), (204, 1251), (222, 874), (238, 1250), (254, 437),
];

/// The code page of fonts whose characters are pictures.
const SYMBOLS: i32 = 42;

/// The encoding of characters, or the number of a code page whose characters are those of a symbol font.
type Charset = Result<&'static Encoding, i32>;

/// Sends the text of the document.
pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let (mut text, mut rest) = (RichText { groups: vec![Group::default()], ..RichText::default() }, bytes);
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'{' => text.begin(),
            b'}' => {
                text.end();
                if text.groups.len() == 1 {
                    // Bytes after the document, such as NULs, are no text of it.
                    rest = &[];
                }
            }
            b'\\' => rest = text.control(after),
            b'\r' | b'\n' => {}
            byte => text.byte(*byte),
        }
        if !text.done.is_empty() {
            out.text(&std::mem::take(&mut text.done))?;
        }
    }
    text.flush();
    if !text.line.is_empty() {
        out.text(&format!("{}\n", text.line))?;
    }
    // The document is a group, which has to end.
    if text.groups.len() > 1 {
        out.notice(Notice::Damaged, "its end is missing")?;
    }
    Ok(())
}

#[derive(Clone, Default)]
struct Group {
    is_left_out: bool,
    is_font_table: bool,
    is_hidden: bool,
    /// How many characters stand for one in Unicode, for readers that do not know that; usually one.
    replaced: Option<usize>,
    /// The font, by its number.
    font: Option<i32>,
    /// A note, which is a part of its line.
    is_note: bool,
    is_shape: bool,
}

#[derive(Default)]
struct RichText {
    /// The charset, if the document names another one than Windows-1252.
    charset: Option<Charset>,
    /// The charsets of fonts that have one of their own, by their numbers.
    fonts: HashMap<i32, Charset>,
    /// The last font of the table.
    last_font: i32,
    /// The innermost is the last.
    groups: Vec<Group>,
    /// Characters in the encoding of the font, and those in UTF-16.
    bytes: Vec<u8>,
    units: Vec<u16>,
    /// How many characters stand for one that came.
    replaced: usize,
    line: String,
    is_in_table: bool,
    /// The last shape has a box of text.
    has_box: bool,
    done: String,
}

impl RichText {
    fn begin(&mut self) {
        self.flush();
        self.groups.push(self.groups.last().cloned().unwrap_or_default());
    }

    fn end(&mut self) {
        self.flush();
        self.replaced = 0;
        if self.groups.len() > 1 {
            let is_note = self.groups.pop().is_some_and(|group| group.is_note);
            if is_note && !self.groups.last().is_some_and(|group| group.is_note) {
                self.line.push(']');
            }
        }
    }

    /// Takes what comes after a backslash, and returns the rest.
    fn control<'a>(&mut self, rest: &'a [u8]) -> &'a [u8] {
        let Some((first, after)) = rest.split_first() else { return rest };
        match first {
            b'\'' => {
                let (digits, after) = after.split_at(after.len().min(2));
                let byte = str::from_utf8(digits).ok().and_then(|digits| u8::from_str_radix(digits, 16).ok());
                self.byte(byte.unwrap_or(b'?'));
                return after;
            }
            b'*' => self.group(|group| group.is_left_out = true),
            b'~' => self.byte(b' '),
            b'_' => self.byte(b'-'),
            b'\r' | b'\n' => self.character("\n"),
            b'\\' | b'{' | b'}' => self.byte(*first),
            letter if letter.is_ascii_alphabetic() => return self.word(rest),
            _ => {}
        }
        after
    }

    /// Takes a word with its number, and returns what comes after it.
    fn word<'a>(&mut self, rest: &'a [u8]) -> &'a [u8] {
        let end = rest.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        let is_number = |(at, byte): (usize, &u8)| byte.is_ascii_digit() || at == 0 && *byte == b'-';
        let end = rest.iter().enumerate().position(|part| !is_number(part)).unwrap_or(rest.len());
        let (number, rest) = rest.split_at(end);
        let number = str::from_utf8(number).ok().and_then(|number| number.parse::<i32>().ok());
        let rest = rest.strip_prefix(b" ").unwrap_or(rest);
        let word = str::from_utf8(word).unwrap_or_default();
        if word == "bin" {
            let length = usize::try_from(number.unwrap_or(0)).unwrap_or(0);
            return rest.get(length..).unwrap_or_default();
        }
        self.apply(word, number);
        rest
    }

    fn apply(&mut self, word: &str, number: Option<i32>) {
        match word {
            // Both halves of a character in UTF-16 are decoded together.
            "u" => self.unicode(number.unwrap_or(0)),
            "uc" => self.group(|group| group.replaced = number.and_then(|number| number.try_into().ok())),
            "ansicpg" => self.charset = number.and_then(code_page),
            "mac" => self.charset = code_page(10000),
            "pc" => self.charset = code_page(437),
            "pca" => self.charset = code_page(850),
            "fonttbl" => self.group(|group| (group.is_left_out, group.is_font_table) = (true, true)),
            "f" if self.groups.last().is_some_and(|group| group.is_font_table) => {
                self.last_font = number.unwrap_or(0);
            }
            "f" => self.group(|group| group.font = number),
            "fcharset" | "cpg" => {
                let page = CHARSETS.iter().find(|(set, _)| Some(*set) == number).map(|(_, page)| *page);
                let page = if word == "cpg" { number } else { page };
                self.fonts.extend(page.and_then(code_page).map(|charset| (self.last_font, charset)));
            }
            "v" | "deleted" => self.group(|group| group.is_hidden = number != Some(0)),
            "plain" => self.group(|group| (group.is_hidden, group.font) = (false, None)),
            "pard" => self.is_in_table = false,
            "intbl" => self.is_in_table = true,
            // Not every reader knows them. Styles of letters have no text of their own; shapes may have a box of text.
            "cs" | "ds" | "ts" | "do" | "shpinst" => self.show_as_around(1),
            // The other form of what `upr` has in an encoding of bytes.
            "ud" => self.show_as_around(2),
            "shp" | "shpgrp" => {
                self.has_box &= self.groups.last().is_some_and(|group| group.is_shape);
                self.group(|group| group.is_shape = true);
            }
            "shptxt" => self.has_box = true,
            // The shape once more, for older readers.
            "shprslt" if self.has_box => self.group(|group| group.is_left_out = true),
            "footnote" if self.is_shown() => {
                self.line.push_str(" [");
                self.group(|group| group.is_note = true);
            }
            _ if LEFT_OUT.contains(&word) => self.group(|group| group.is_left_out = true),
            _ => {
                if let Some((_, text)) = CHARACTERS.iter().find(|(name, _)| *name == word) {
                    let goes_on = self.is_in_table && matches!(word, "par" | "line");
                    self.character(if goes_on { " " } else { text });
                }
            }
        }
    }

    /// Shows the group if the one that is so many levels around it is shown.
    fn show_as_around(&mut self, levels: usize) {
        let around = self.groups.len().checked_sub(levels + 1).and_then(|at| self.groups.get(at));
        let is_left_out = around.is_some_and(|group| group.is_left_out);
        self.group(|group| group.is_left_out &= is_left_out);
    }

    fn group(&mut self, change: impl FnOnce(&mut Group)) {
        self.flush();
        if let Some(group) = self.groups.last_mut() {
            change(group);
        }
    }

    fn is_shown(&self) -> bool {
        self.groups.last().is_some_and(|group| !group.is_left_out && !group.is_hidden)
    }

    fn byte(&mut self, byte: u8) {
        match self.replaced {
            0 if self.is_shown() => {
                if !self.units.is_empty() {
                    self.flush();
                }
                self.bytes.push(byte);
            }
            0 => {}
            _ => self.replaced -= 1,
        }
    }

    /// Adds the characters that came to the line.
    fn flush(&mut self) {
        let font = self.groups.last().and_then(|group| self.fonts.get(&group.font?)).copied();
        match font.or(self.charset).unwrap_or(Ok(WINDOWS_1252)) {
            Ok(encoding) => self.line.push_str(&encoding.decode_without_bom_handling(&self.bytes).0),
            Err(page) => {
                let font = if page == SYMBOLS { "Symbol".to_owned() } else { format!("CP{page}") };
                self.line.extend(self.bytes.iter().map(|byte| symbol(&font, u32::from(*byte))));
            }
        }
        self.bytes.clear();
        self.line.push_str(&String::from_utf16_lossy(&std::mem::take(&mut self.units)));
    }

    /// Adds a character in UTF-16, of which each half comes alone.
    fn unicode(&mut self, unit: i32) {
        self.replaced = self.groups.last().and_then(|group| group.replaced).unwrap_or(1);
        if self.is_shown() {
            if !self.bytes.is_empty() {
                self.flush();
            }
            self.units.extend(u16::try_from(unit.rem_euclid(1 << 16)));
        }
    }

    /// Adds a character that is a word. In a cell, and in a note, a line goes on.
    fn character(&mut self, text: &str) {
        self.flush();
        if self.replaced > 0 {
            self.replaced -= 1;
        } else if self.is_shown() {
            let is_note = self.groups.last().is_some_and(|group| group.is_note);
            match text {
                "\n" if is_note => self.line.push(' '),
                "\n" => {
                    let line = std::mem::take(&mut self.line);
                    self.done.push_str(line.strip_suffix('\t').unwrap_or(&line));
                    self.done.push('\n');
                }
                text => self.line.push_str(text),
            }
        }
    }
}

/// The charset with the number `page` of Windows.
fn code_page(page: i32) -> Option<Charset> {
    match page {
        SYMBOLS | 437 | 850 | 852 | 860 | 862 | 863 | 865 => Some(Err(page)),
        _ => codepage::to_encoding(page.try_into().ok()?).filter(|of| of.is_ascii_compatible()).map(Ok),
    }
}
