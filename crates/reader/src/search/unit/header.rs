//! What the first line of a block says: whether it defines something that has a name, in any language.

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
            () if ends_block => LineKind::Text,
            () => LineKind::Comment,
        };
    }
    if text.starts_with("//") || text.starts_with(';') || text.starts_with("-- ") || text.starts_with("% ") {
        return LineKind::Comment;
    }
    let is_attribute =
        text.starts_with('[') && text.ends_with(']') && text[1..].starts_with(char::is_alphabetic);
    let is_marked = text.starts_with('@') && text[1..].starts_with(char::is_alphabetic);
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
        || text.starts_with("</")
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
            quote @ (b'"' | b'`') => {
                // A string that does not end here does not begin here.
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != quote {
                    end += 1 + usize::from(bytes[end] == b'\\');
                }
                at = if end < bytes.len() { end } else { at };
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
    let text = if text.starts_with("(def") { &text[1..] } else { text };
    let head = &text[..text.find(['(', '{', '=', ';', '"', '\'', ':']).unwrap_or(text.len())];
    let words: Vec<&str> =
        head.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let is_control = words.first().is_some_and(|word| place_of(word, CONTROL).is_some());
    let keyword = words.iter().take(6).enumerate().find_map(|(at, word)| {
        let place = place_of(word, DEFINING)?;
        // `type: object` and `data = {` name nothing.
        let is_named = words.len() > at + 1 || text[head.len()..].starts_with(['"', '\'']) || *word == "impl";
        let is_plain = !head.contains(". ") && !head.trim_end().ends_with('.');
        (is_named && is_plain).then_some(place)
    });
    if let Some(place) = keyword.filter(|_| !is_control) {
        return if place < FUNCTIONS { Defines::Function } else { Defines::Container };
    }
    let is_assigned = text.contains("=>") || text.contains("function") || text.contains("constructor");
    let is_call = head.len() < text.len() && text[head.len()..].starts_with('(') && !head.contains('.');
    let ends_in_name =
        head.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '>' | '?' | '!' | '~'));
    let is_arrow = is_assigned && text[head.len()..].starts_with(['=', ':']) && !head.is_empty();
    match !is_control && !words.is_empty() && (is_call && ends_in_name || is_arrow) {
        true => Defines::PerhapsFunction,
        false => Defines::Nothing,
    }
}

/// Whether `text` may be the type before the name of a function, on a line of its own, as in C.
pub(super) fn is_type(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '*' | '&' | ':' | '<' | '>');
    text.len() < 80
        && text.chars().all(is_part)
        && !text.ends_with(':')
        && place_of(first_word(text), CONTROL).is_none()
}
