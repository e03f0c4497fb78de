//! The blocks of a text, without a parser for each language: what indentation, brackets, headings and `[sections]` enclose,
//! and what the first line of a block defines.

use std::ops::Range;
use std::path::Path;

use crate::reader::Reader;
use crate::reader::encoding::decode_line;
use crate::reader::find_lines::LineWalk;
use rread_text::{Encoding, Error, Result, setting};

/// The largest text whose blocks are found: all of them are in memory.
const MAX_TEXT: u64 = 64 << 20;
/// Bytes of a line that are looked at; a longer line is no header.
const MAX_LINE: usize = 4096;
/// The lines that show whether a text has headings or sections.
const MAX_SAMPLE: usize = 400;

/// A line, and those that belong to it.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Its comments and decorators.
    pub(super) start: u64,
    /// Its first line.
    pub(super) head: Range<u64>,
    pub(super) next: u64,
    parent: Option<usize>,
    defines: Defines,
    /// The level of a heading, 1 for the highest.
    level: Option<u8>,
}

/// A block that may go on.
#[derive(Debug)]
struct Open {
    block: usize,
    indent: usize,
    round: i32,
    braces: i32,
    /// Whether it had a brace.
    had_brace: bool,
}

/// A comment or string of several lines: its end, and the indentation of blocks that it ends.
#[derive(Clone, Copy, Debug)]
struct Inside {
    end: &'static str,
    indent: usize,
}

/// The marks of headings in a text.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    /// `# heading`
    hashes: bool,
    /// A line of `=` or `-` below the heading.
    underlines: bool,
    /// `[section]`
    sections: bool,
}

/// The blocks of a text, in the order of their first lines.
#[derive(Debug, Default)]
pub(super) struct Outline {
    blocks: Vec<Block>,
    open: Vec<Open>,
    marks: Marks,
    /// The start of the comments and decorators that belong to the next line of this indentation.
    lead: Option<(usize, u64)>,
    /// A type on a line of its own: its indentation, its start and its end.
    type_line: Option<(usize, Range<u64>)>,
    /// The end of a comment or string of several lines.
    inside: Option<Inside>,
    /// Brackets of a decorator that goes on.
    decorator: i32,
}

struct Line<'t> {
    range: Range<u64>,
    text: &'t str,
}

impl Outline {
    /// The blocks of the text of `reader`, whose name is `path`.
    pub(super) fn of(reader: &Reader, path: &Path) -> Result<Self> {
        let lines = lines(reader)?;
        let mut outline = Outline { marks: marks(path, &lines), ..Outline::default() };
        for (at, (range, text)) in lines.iter().enumerate() {
            let below = lines.get(at + 1).map_or("", |(_, text)| text.as_str());
            outline.line(&Line { range: range.clone(), text }, below);
        }
        outline.pop_to(0);
        Ok(outline)
    }

    fn line(&mut self, line: &Line<'_>, below: &str) {
        let text = line.text.trim();
        if text.is_empty() {
            (self.lead, self.type_line) = (None, None);
            return;
        }
        let indent = indentation(line.text);
        if let Some(indent) = self.is_inside(text) {
            return self.extend(line.range.end, indent);
        }
        let is_item = text.starts_with("- ") || text == "-";
        let indent = indent + usize::from(is_item);
        if let Some(level) = self.heading(line.text, text, below) {
            return self.begin_section(line, level);
        }
        if self.decorator > 0 {
            self.decorator += brackets(text).0;
            return;
        }
        match kind_of(text) {
            LineKind::Text => self.statement(line, indent, text),
            LineKind::Preprocessor => {
                self.lead = None;
                self.extend(line.range.end, usize::MAX);
            }
            kind => {
                if let LineKind::LongComment(end) = kind {
                    self.inside = Some(Inside { end, indent });
                }
                if kind == LineKind::Decorator {
                    self.decorator = brackets(text).0.max(0);
                }
                let lead = self.lead.filter(|(at, _)| *at == indent);
                self.lead = lead.or(Some((indent, line.range.start)));
                self.extend(line.range.end, indent);
            }
        }
    }

    /// The indentation of the comment or string of several lines that the line lies in.
    fn is_inside(&mut self, text: &str) -> Option<usize> {
        if let Some(Inside { end, indent }) = self.inside {
            if text.contains(end) && (end.len() < 3 || end == "-->" || text.matches(end).count() % 2 == 1) {
                self.inside = None;
            }
            return Some(indent);
        }
        let end = ["\"\"\"", "'''"].into_iter().find(|quotes| {
            // Quotes in a string of another kind are text.
            let is_quoted = text.find(*quotes).is_some_and(|at| text[..at].ends_with(['"', '\'', '\\']));
            !is_quoted && text.matches(quotes).count() % 2 == 1
        });
        self.inside = end.map(|end| Inside { end, indent: usize::MAX });
        None
    }

    fn heading(&mut self, line: &str, text: &str, below: &str) -> Option<u8> {
        if self.marks.hashes {
            if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| text.starts_with(fence)) {
                let inside = Inside { end: fence, indent: usize::MAX };
                self.inside = (text.matches(fence).count() == 1).then_some(inside);
                return None;
            }
            let level = line.bytes().take_while(|byte| *byte == b'#').count();
            if (1..=6).contains(&level) && line[level..].starts_with([' ', '\t']) {
                return u8::try_from(level).ok();
            }
        }
        if self.marks.sections && is_section(line.trim_end()) {
            return Some(1);
        }
        let under = below.trim_end();
        let mark = under.chars().next().filter(|_| self.marks.underlines && under.len() >= 3)?;
        let is_line = under.chars().all(|c| c == mark) && matches!(mark, '=' | '-' | '~' | '^' | '*' | '+');
        let is_text = text.starts_with(char::is_alphanumeric) && !line.starts_with(' ');
        let level = "=-~^*+".find(mark).and_then(|at| u8::try_from(at + 1).ok());
        if is_line && is_text {
            return level;
        }
        None
    }

    fn begin_section(&mut self, line: &Line<'_>, level: u8) {
        let is_over = |open: &Open| self.blocks[open.block].level.is_none_or(|other| other >= level);
        let from = self.open.iter().position(is_over).unwrap_or(self.open.len());
        self.pop_to(from);
        self.push(line, 0, Some(level), Defines::Container);
    }

    /// A line of code, of data or of text.
    fn statement(&mut self, line: &Line<'_>, indent: usize, text: &str) {
        let (round, braces) = brackets(text);
        let defined = defines(text);
        if continues(text)
            && let Some(at) = self.continued(indent, closes(text))
        {
            self.pop_to(at + 1);
            self.extend(line.range.end, usize::MAX);
            self.count(round, braces);
            (self.lead, self.type_line) = (None, None);
            return;
        }
        // Brackets that are open keep a block open, unless a definition begins.
        let ends = |open: &Open| {
            let is_kept =
                (open.braces > 0 || open.round > 0) && !(defined.is_sure() && indent <= open.indent);
            open.indent >= indent && !is_kept
        };
        while self.open.last().is_some_and(|open| self.blocks[open.block].level.is_none() && ends(open)) {
            self.pop_to(self.open.len() - 1);
        }
        if defined.is_sure() {
            let outer = self
                .open
                .iter()
                .position(|open| self.blocks[open.block].level.is_none() && open.indent >= indent);
            self.pop_to(outer.unwrap_or(self.open.len()));
        }
        self.extend(line.range.end, usize::MAX);
        let type_line =
            self.type_line.take().filter(|(at, _)| *at == indent && defined == Defines::PerhapsFunction);
        if let Some((_, range)) = type_line {
            self.lead = self.lead.or(Some((indent, range.start)));
        } else if is_type(text) {
            self.type_line = Some((indent, line.range.clone()));
        }
        let keeps_lead = self.type_line.is_some();
        let lead = self.lead;
        self.push(line, indent, None, defined);
        if defined == Defines::PerhapsFunction && ends_in_arrow(text) {
            self.decide(self.open.len() - 1);
        }
        self.count(round, braces);
        if keeps_lead {
            self.lead = lead;
        }
    }

    /// The open block that goes on with a line of this indentation.
    fn continued(&self, indent: usize, closes: bool) -> Option<usize> {
        let is_here = |open: &Open| open.indent == indent && self.blocks[open.block].level.is_none();
        let bracketed = |open: &Open| is_here(open) && (open.braces > 0 || open.round > 0);
        let found = self.open.iter().rposition(bracketed).filter(|_| closes);
        found.or_else(|| self.open.iter().rposition(is_here))
    }

    /// Counts the brackets of a line in the blocks that it belongs to.
    fn count(&mut self, round: i32, braces: i32) {
        for at in 0..self.open.len() {
            let open = &mut self.open[at];
            (open.round, open.braces) = (open.round + round, open.braces + braces);
            if !open.had_brace && open.braces > 0 {
                open.had_brace = true;
                self.decide(at);
            }
        }
    }

    /// Decides about a function when its first brace opens: it has one if its arguments are complete.
    fn decide(&mut self, at: usize) {
        let Open { block, round, .. } = self.open[at];
        let mut outer = self.blocks[block].parent;
        while outer.is_some_and(|outer| !self.blocks[outer].defines.is_sure()) {
            outer = outer.and_then(|outer| self.blocks[outer].parent);
        }
        let is_nested = outer.is_some_and(|outer| self.blocks[outer].defines == Defines::Function);
        let block = &mut self.blocks[block];
        if block.defines == Defines::PerhapsFunction {
            block.defines = if round <= 0 && !is_nested { Defines::Function } else { Defines::Nothing };
        }
    }

    fn push(&mut self, line: &Line<'_>, indent: usize, level: Option<u8>, defines: Defines) {
        let lead = self.lead.take().filter(|(at, _)| *at == indent && (level.is_none() || defines.is_sure()));
        let start = lead.map_or(line.range.start, |(_, start)| start);
        let parent = self.open.last().map(|open| open.block);
        let (head, next) = (line.range.clone(), line.range.end);
        self.blocks.push(Block { start, head, next, parent, defines, level });
        let block = self.blocks.len() - 1;
        self.open.push(Open { block, indent, round: 0, braces: 0, had_brace: false });
    }

    /// A line that ends at `next` belongs to the open blocks with less indentation.
    fn extend(&mut self, next: u64, indent: usize) {
        for open in &self.open {
            let block = &mut self.blocks[open.block];
            if open.indent < indent || block.level.is_some() || open.braces > 0 {
                block.next = next;
            }
        }
    }

    /// Ends the open blocks from the `from`-th on. A line alone is not a block.
    fn pop_to(&mut self, from: usize) {
        while self.open.len() > from {
            let Some(open) = self.open.pop() else { return };
            let block = &self.blocks[open.block];
            let is_line = block.start == block.head.start && block.next == block.head.end;
            if is_line
                && block.level.is_none()
                && !block.defines.is_sure()
                && open.block + 1 == self.blocks.len()
            {
                self.blocks.pop();
            } else if block.defines == Defines::PerhapsFunction {
                self.blocks[open.block].defines = Defines::Nothing;
            }
        }
    }

    /// The blocks that enclose the byte at `offset`, the innermost first.
    fn around(&self, offset: u64) -> impl Iterator<Item = &Block> {
        let last = self.blocks.partition_point(|block| block.start <= offset).checked_sub(1);
        let chain = std::iter::successors(last, |at| self.blocks[*at].parent);
        chain.map(|at| &self.blocks[at]).filter(move |block| offset < block.next)
    }

    /// The unit of a line: the definition or section around it, else the innermost block, else the line.
    pub(super) fn unit_of(&self, line: &Range<u64>) -> Range<u64> {
        let defined = self.around(line.start).find(|block| block.defines.is_sure());
        let Some(block) = defined.or_else(|| self.around(line.start).next()) else { return line.clone() };
        // The text of a section ends where the first section in it begins.
        let inner = self.blocks.iter().skip(self.blocks.partition_point(|one| one.start <= block.start));
        let inner = inner.take_while(|one| one.start < block.next).find(|one| one.level.is_some());
        let is_text = block.level.is_some() && line.start > block.head.start;
        block.start..inner.filter(|_| is_text).map_or(block.next, |inner| inner.start)
    }

    /// The outermost block around a line.
    pub(super) fn top_of(&self, line: &Range<u64>) -> Range<u64> {
        self.around(line.start).last().map_or(line.clone(), |block| block.start..block.next)
    }

    /// The first lines of what encloses the byte at `offset`, from the outermost on.
    pub(super) fn heads(&self, offset: u64) -> Vec<Range<u64>> {
        let above = || self.around(offset).filter(|block| block.head.start < offset);
        let defined: Vec<_> = above().filter(|block| block.defines.is_sure()).collect();
        let chain: Vec<_> = if defined.is_empty() { above().collect() } else { defined };
        chain.iter().rev().map(|block| block.head.clone()).collect()
    }
}

fn indentation(line: &str) -> usize {
    let mut width = 0;
    for c in line.chars() {
        match c {
            ' ' => width += 1,
            '\t' => width = (width / 8 + 1) * 8,
            _ => break,
        }
    }
    width
}

fn is_section(text: &str) -> bool {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inner.is_some_and(|inner| {
        inner.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '[' | '_' | '"' | '.'))
    })
}

/// The lines with their text, without their ends.
fn lines(reader: &Reader) -> Result<Vec<(Range<u64>, String)>> {
    let (mut walk, mut lines, mut at) = (LineWalk::new(reader), Vec::new(), 0);
    loop {
        let mut bytes = Vec::new();
        let walked = walk.line(at, &mut |part| {
            bytes.extend_from_slice(&part[..part.len().min(MAX_LINE.saturating_sub(bytes.len()))]);
        })?;
        if walked.next == at {
            return Ok(lines);
        }
        if walked.next > MAX_TEXT {
            let sentence = format!("is larger than {} MiB, and blocks are found in memory", MAX_TEXT >> 20);
            return Err(Error::usage(sentence).hint(setting("unit").then(" record")));
        }
        let bytes = match reader.encoding() {
            Encoding::Utf8 if at > 0 => bytes,
            encoding => decode_line(encoding, &bytes, at),
        };
        lines.push((at..walked.next, String::from_utf8_lossy(&bytes).into_owned()));
        at = walked.next;
    }
}

/// The marks of headings that the name and the first lines of a text show.
fn marks(path: &Path, lines: &[(Range<u64>, String)]) -> Marks {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_named = |ends: &[&str]| name.split('.').skip(1).any(|end| ends.contains(&end));
    let sample = &lines[..lines.len().min(MAX_SAMPLE)];
    let text = |at: usize| sample.get(at).map_or("", |(_, text)| text.trim());
    let is_code = sample.iter().any(|(_, text)| text.trim_end().ends_with(['{', ';']));
    let is_blank = |at: Option<usize>| at.is_none_or(|at| text(at).is_empty());
    let headings = (0..sample.len()).filter(|at| {
        let is_heading = text(*at).starts_with("# ") || text(*at).starts_with("## ");
        is_heading && is_blank(at.checked_sub(1)) && is_blank(Some(at + 1))
    });
    let sections = (0..sample.len()).any(|at| {
        let mut below =
            (at + 1..sample.len()).map(text).filter(|text| !text.is_empty() && !text.starts_with(['#', ';']));
        is_section(text(at)) && below.next().is_some_and(|below| below.contains('=') || is_section(below))
    });
    let is_markdown = is_named(&["md", "markdown", "mdx", "rmd", "qmd"]);
    let is_text = is_markdown || is_named(&["rst", "adoc", "txt"]);
    Marks {
        hashes: is_markdown || !is_text && !is_code && headings.count() > 1,
        underlines: is_text,
        sections: sections && !is_markdown && !is_named(&["cs", "py", "js", "ts", "rs"]),
    }
}

/// Words after which a name follows, which has the block.
const DEFINING: &str = "fn func fun function def defp defn defun defmacro defmethod defmodule defprotocol sub proc \
    procedure class struct enum union trait impl interface module namespace mod protocol \
    extension record object type contract service message package macro_rules macro resource \
    library actor instance constructor";

/// The first so many of them have statements in their block.
const FUNCTIONS: usize = 15;

/// Words that begin a block without a name, or a statement.
const CONTROL: &str = "if else elif elsif elseif for foreach while until unless do switch case match select when \
    try catch except finally rescue ensure with using lock synchronized loop begin return await \
    yield throw raise new go defer repeat guard assert print delete not";

/// Words at which a block goes on that began with as much indentation.
const GOES_ON: &str = "else elif elsif elseif except finally rescue ensure catch then do end fi done esac where \
    endif endfunction endclass";

/// The role of a line in the structure of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Text,
    /// The line belongs to the one below.
    Comment,
    /// A comment that ends lines below.
    LongComment(&'static str),
    /// `@name`, `#[name]`: it belongs to the definition below.
    Decorator,
    /// `#ifdef`: it has no place in the structure.
    Preprocessor,
}

/// The kind of the line `text`, which is not empty and begins with no white space.
pub(super) fn kind_of(text: &str) -> LineKind {
    const PREPROCESSOR: &str =
        "include if ifdef ifndef else elif endif define undef pragma error line region endregion";
    let ends_block = text.ends_with('{') || text.ends_with("};");
    for (start, end) in [("/*", "*/"), ("<!--", "-->"), ("{- ", "-}"), ("(* ", "*)")] {
        if let Some(rest) = text.strip_prefix(start) {
            return if rest.contains(end) { LineKind::Comment } else { LineKind::LongComment(end) };
        }
    }
    if let Some(rest) = text.strip_prefix('#') {
        let word = first_word(rest.trim_start());
        return match () {
            () if rest.starts_with('[') || rest.starts_with("![") => LineKind::Decorator,
            () if place_of(word, PREPROCESSOR).is_some() && !rest.starts_with(' ') => LineKind::Preprocessor,
            () if ends_block && !rest.starts_with(' ') => LineKind::Text,
            () => LineKind::Comment,
        };
    }
    if text.starts_with("//") || text.starts_with(';') || text.starts_with("-- ") || text.starts_with("% ") {
        return LineKind::Comment;
    }
    let is_attribute =
        text.starts_with('[') && text.ends_with(']') && text[1..].starts_with(char::is_alphabetic);
    let is_marked = text.starts_with('@') && text[1..].starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_template = text.starts_with("template") && text.ends_with('>');
    if (is_marked || is_attribute || is_template) && !ends_block {
        LineKind::Decorator
    } else {
        LineKind::Text
    }
}

/// Whether a line that begins with `text` belongs to the block that began with as much indentation.
pub(super) fn continues(text: &str) -> bool {
    text.starts_with(['}', ')', ']', '{'])
        || ["</", ">(", "> {", "> ="].iter().any(|start| text.starts_with(start))
        || place_of(first_word(text), GOES_ON).is_some()
}

/// Whether `text` ends a block.
pub(super) fn closes(text: &str) -> bool {
    text.starts_with(['}', ')', ']'])
}

/// The place of `word` in the list `words`.
fn place_of(word: &str, words: &str) -> Option<usize> {
    words.split_ascii_whitespace().position(|known| known == word)
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The brackets that a line opens and does not close: round and square ones, and braces. Those in strings and comments do
/// not count, as far as a line alone shows.
pub(super) fn brackets(text: &str) -> (i32, i32) {
    let (mut round, mut braces) = (0, 0);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\'' if bytes.get(at + 2) == Some(&b'\'') => at += 2,
            b'\'' if bytes.get(at + 1) == Some(&b'\\') && bytes.get(at + 3) == Some(&b'\'') => at += 3,
            quote @ (b'"' | b'`' | b'\'') => {
                // A string that does not end here does not begin here.
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != quote {
                    end += 1 + usize::from(bytes[end] == b'\\');
                }
                let before = &bytes[..at];
                let before = before.strip_suffix(b"b").or(before.strip_suffix(b"r")).unwrap_or(before);
                let is_outside = before.last().is_none_or(|byte| b" \t([{,=$:!+".contains(byte));
                let goes_on = bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
                // An apostrophe and the name of a lifetime begin no string.
                let is_string = quote != b'\'' || is_outside && !goes_on;
                at = if end < bytes.len() && is_string { end } else { at };
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') && (at == 0 || bytes[at - 1] == b' ') => break,
            b'#' if at > 0 && bytes[at - 1] == b' ' && bytes.get(at + 1) == Some(&b' ') => break,
            b'(' | b'[' => round += 1,
            b')' | b']' => round -= 1,
            b'{' => braces += 1,
            b'}' => braces -= 1,
            _ => {}
        }
        at += 1;
    }
    (round, braces)
}

/// The kind of block that a header begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Defines {
    #[default]
    Nothing,
    /// A function, if its brackets show a body.
    PerhapsFunction,
    Function,
    /// A class, a section, a module.
    Container,
}

impl Defines {
    pub(super) fn is_sure(self) -> bool {
        matches!(self, Defines::Function | Defines::Container)
    }
}

/// The kind of block that the line `text` begins, if one follows.
pub(super) fn defines(text: &str) -> Defines {
    if let Some((_, method)) = text.strip_prefix("func (").and_then(|text| text.split_once(") ")) {
        // The receiver of a method of Go.
        return if method.contains('(') { Defines::Function } else { Defines::Nothing };
    }
    let text = text.strip_prefix("extern \"C\" ").unwrap_or(text);
    let text = if text.starts_with("(def") { &text[1..] } else { text };
    let head = &text[..end_of_name(text)];
    let rest = &text[head.len()..];
    let words: Vec<&str> = head
        .split_ascii_whitespace()
        .map(|word| word.find(['<', '!', '*']).map_or(word, |end| &word[..end]))
        .collect();
    let is_control = match words.first() {
        // Names of variables follow in a shell, a function in Lua.
        Some(&"local") => words.get(1) != Some(&"function"),
        Some(word) => place_of(word, CONTROL).is_some(),
        None => false,
    };
    let keyword = words.iter().take(6).enumerate().find_map(|(at, word)| {
        let place = place_of(word, DEFINING)?;
        // `type: object`, `data = {` and `type -t "$1"` name nothing, and `struct one *two;` has no block.
        let is_quoted =
            rest.starts_with(['"', '\'']) && (text.ends_with(['{', '=']) || text.ends_with(" do"));
        let is_named =
            words.get(at + 1).is_some_and(|word| !word.starts_with('-')) || is_quoted || *word == "impl";
        let has_block = place < FUNCTIONS || text.contains('{') || !text.ends_with(';');
        let is_plain = !head.contains(". ") && !head.trim_end().ends_with('.');
        (is_named && is_plain && has_block).then_some(place)
    });
    if let Some(place) = keyword.filter(|_| !is_control) {
        return if place < FUNCTIONS { Defines::Function } else { Defines::Container };
    }
    let is_assigned =
        ["=>", "function", "constructor"].iter().any(|word| text.contains(word)) || text.ends_with(" =");
    let is_operator = head.contains("operator") && rest.contains('(');
    let is_call = rest.starts_with('(') && !head.contains('.') || is_operator;
    let ends_in_name =
        head.trim_end().ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '>' | '?' | '!' | '~'));
    let is_arrow = is_assigned && rest.starts_with(['=', ':']) && !rest.starts_with("=>");
    let is_name = head.starts_with(|c: char| c.is_alphanumeric() || "_~$*@<[".contains(c));
    match !is_control && is_name && (is_call && (ends_in_name || is_operator) || is_arrow) {
        true => Defines::PerhapsFunction,
        false => Defines::Nothing,
    }
}

/// The end of the words before arguments, a block or a value. `::` is part of a name.
fn end_of_name(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_double = |at: usize| bytes.get(at + 1) == Some(&b':') || at > 0 && bytes[at - 1] == b':';
    let ends = |(at, byte): &(usize, &u8)| match **byte {
        b':' => !is_double(*at),
        byte => b"({=;\"'`".contains(&byte),
    };
    bytes.iter().enumerate().find(ends).map_or(text.len(), |(at, _)| at)
}

/// Whether `text` names an arrow function whose value begins at its end, perhaps in round brackets.
fn ends_in_arrow(text: &str) -> bool {
    let is_value = |(_, value): (&str, &str)| matches!(value.trim(), "" | "(" | "({" | "{" | "[");
    !text[end_of_name(text)..].starts_with('(') && text.rsplit_once("=>").is_some_and(is_value)
}

/// Whether `text` may be the type before the name of a function, on a line of its own, as in C.
pub(super) fn is_type(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '*' | '&' | ':' | '<' | '>');
    text.len() < 80
        && text.chars().all(is_part)
        && !text.ends_with(':')
        && place_of(first_word(text), CONTROL).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Tuning;
    use rread_source::MemorySource;

    /// The lines of the unit of the line with `here`.
    fn unit(path: &str, text: &str) -> Vec<String> {
        let reader = Reader::new(Box::new(MemorySource::new(text.as_bytes())), Tuning::default()).unwrap();
        let outline = Outline::of(&reader, Path::new(path)).unwrap();
        let at = text.find("here").unwrap();
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1) as u64;
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1) as u64;
        let unit = outline.unit_of(&(start..end));
        let unit = usize::try_from(unit.start).unwrap()..usize::try_from(unit.end).unwrap();
        text[unit].lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_function_is_whole_in_every_language() {
        // All lines are of the unit, but for those after `|`.
        for (path, text) in [
            ("a.go", "func (s *Set[T]) Each(f func(T)) {\n\tfor x := range s {\n\t\there(x)\n\t}\n}\n"),
            ("a.cc", "void A::run() {\n  if (x) {\n    here();\n  }\n  b::c(d);\n}\n"),
            ("a.cc", "extern \"C\" int test(char *data) {\n  if (data) {\n    here();\n  }\n}\n"),
            ("a.h", "bool operator==(const A& o) const {\n  if (o) {\n    return here;\n  }\n}\n"),
            ("a.h", "A & operator+=(int i) {\n  if (i) {\n    return here;\n  }\n}\n"),
            ("a.c", "static void\nname  (int a)\n{\n  if (a) {\n    here ();\n  }\n}\n"),
            ("a.c", "void a(void *p) {\n  struct b *c = (struct b *)here;\n  free(c);\n}\n"),
            ("a.js", "const a = ({ b }) => (\n  <p>\n    {here}\n  </p>\n)\n"),
            ("a.js", "export const a =\n  (b = []) =>\n  c => {\n    if (b) {\n      here()\n    }\n  }\n"),
            ("a.js", "$.fn.a.b = function b() {\n  $.fn.a = here;\n  return this;\n};\n"),
            ("a.ts", "export function a<\n  S\n>(\n  s: S\n): T {\n  here(`an object or {`)\n  b()\n}\n"),
            ("a.sh", "a() {\n  type -t \"$1\" > here\n  local cmd func x\n}\n"),
            ("a.sh", "a() {\n  sed 's/[({]/\\(/' here\n  b=${x-'{'} y=*'('*\n}\n|b() {\n  c\n}\n"),
            ("a.sh", "# a() {\n#   b\n# }\na() {\n  if here; then\n    b\n  fi\n}\n|c() {\n  d\n}\n"),
            (
                "a.py",
                "def a():\n    b(\n        b'{\\x00\"'\n    )\n    here = c(\n        d=2,\n    )\n|\ndef e():\n    pass\n",
            ),
            ("a.kt", "fun a() {\n  service.body().here(b)\n  c()\n}\n"),
            ("a.swift", "@_unsafe\n@objc\nfunc a(\n  b: C\n) -> D {\n  e { f in\n    here()\n  }\n}\n"),
            (
                "a.rs",
                "fn a<'a>(b: &'a str, c: char) -> &'a str {\n    if c == '(' && c == '\\'' {\n        here()\n    }\n}\n|fn d() {\n}\n",
            ),
        ] {
            let whole: Vec<&str> = text.split('|').next().unwrap_or_default().lines().collect();
            assert_eq!(unit(path, &text.replace('|', "")), whole);
        }
    }

    #[test]
    fn what_only_looks_like_a_definition_is_none() {
        for text in [
            "type -t \"$x\"",
            "local cmd func x",
            "service.body().call(x)",
            "struct a *b = c;",
            "$.fn.a = b;",
            "`expected an object or a function, '${kind(",
            "&& !(a(b) & c)) {",
        ] {
            assert!(!defines(text).is_sure(), "{text}");
        }
        assert_eq!(defines("resource \"aws_instance\" \"web\" {"), Defines::Container);
        assert_eq!(defines("createStore =>"), Defines::Nothing);
        assert_eq!(defines("local function a()"), Defines::Function);
    }
}
