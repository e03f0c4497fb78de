//! Which language a file is in: by its name, then by its first line, as bat decides.

use std::path::Path;
use std::sync::LazyLock;

use syntect::parsing::{SyntaxReference, SyntaxSet};

use crate::content::{self, ContentOptions, Segment};
use rread_reader::reader::Reader;
use rread_source::compressed::name::uncompressed;
use rread_source::near_miss::nearest;
use rread_text::error::{Error, Result};

/// Loading takes 1.3 ms; each language is unpacked when it is used first.
pub(super) static LANGUAGES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

pub type Language = &'static SyntaxReference;

/// File name extensions that mean another language here than in the syntaxes, or none there.
const EXTENSIONS: &[(&str, &str)] = &[
    ("conf", "INI"),
    ("h", "C++"),
    ("jsonl", "JSON"),
    ("ndjson", "JSON"),
    ("service", "INI"),
    ("socket", "INI"),
    ("timer", "INI"),
];

/// Ends of the names of copies, after the extension that shows the language.
const COPIES: &[&str] =
    &["bak", "old", "orig", "dpkg-dist", "dpkg-old", "rpmnew", "rpmorig", "rpmsave", "in"];

/// As much of the first line as shows the language.
const HEAD: usize = 1 << 10;

/// The language with this name or extension, in any case.
///
/// # Errors
/// Usage, with the most similar name.
pub fn find_language(name: &str) -> Result<Language> {
    LANGUAGES.find_syntax_by_token(name).ok_or_else(|| {
        let error = Error::usage(format!("--highlight is '{name}', which is not a language, auto or never"));
        let names = LANGUAGES.syntaxes().iter().filter(|syntax| !syntax.hidden).flat_map(|syntax| {
            std::iter::once(syntax.name.to_lowercase()).chain(syntax.file_extensions.iter().cloned())
        });
        match (name, nearest(name, names)) {
            ("always", _) => error.hint("--color always colours in pipes too"),
            (_, Some(near)) => error
                .hint(format!("did you mean --highlight {}?", rread_text::quote::quoted(Path::new(&near)))),
            (_, None) => error.hint("write a name or a file name extension, such as rust, py or json"),
        }
    })
}

/// The language of the file at `path`; `None` for plain text and for unknown names.
pub(super) fn of_file(reader: &Reader, path: &Path) -> Result<Option<Language>> {
    let name = path.file_name().map(|name| name.to_string_lossy());
    let by_name = name.and_then(|name| by_name(&name));
    let language = match by_name {
        Some(language) => Some(language),
        None => LANGUAGES.find_syntax_by_first_line(&first_line(reader)?),
    };
    Ok(language.filter(|language| !std::ptr::eq(*language, LANGUAGES.find_syntax_plain_text())))
}

fn by_name(name: &str) -> Option<Language> {
    // The query of a URL is not part of the name.
    let name = name.split(['?', '#']).next().unwrap_or(name).trim_end_matches('~');
    if let Some(language) = LANGUAGES.find_syntax_by_extension(name) {
        return Some(language);
    }
    let (rest, extension) = name.rsplit_once('.')?;
    let mapped = EXTENSIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(extension));
    let language = match mapped {
        Some((_, language)) => LANGUAGES.find_syntax_by_name(language),
        None => LANGUAGES.find_syntax_by_extension(extension),
    };
    // A rotated log is `app.log.1`, and a manual page is `rread.1`.
    let is_number = extension.bytes().all(|byte| byte.is_ascii_digit());
    let is_compressed = uncompressed(name).is_some();
    if is_number || is_compressed || COPIES.contains(&extension) {
        by_name(rest).or(language)
    } else {
        language
    }
}

fn first_line(reader: &Reader) -> Result<String> {
    let mut head = [0; HEAD];
    let end = reader.read_front(&mut head)? as u64;
    let options = ContentOptions { skip_bom: reader.decided().bom, ..ContentOptions::default() };
    let mut text = Vec::new();
    content::deliver(reader, &[Segment { start: 0, end, line: 1 }], &options, &mut text)?;
    let text = String::from_utf8_lossy(&text);
    Ok(text.split_inclusive('\n').next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_show_the_language() {
        for (name, language) in [
            ("main.rs", "Rust"),
            ("MAIN.RS", "Rust"),
            ("main.rs.gz", "Rust"),
            ("main.rs.orig.zst", "Rust"),
            ("main.rs.bgz", "Rust"),
            ("main.rs.GZ", "Rust"),
            ("main.rs.zz", "Rust"),
            ("main.rs~", "Rust"),
            ("app.log.3.gz", "log"),
            ("app.log.1", "log"),
            ("rread.1", "Groff/troff"),
            ("Cargo.lock", "TOML"),
            ("Makefile", "Makefile"),
            ("Makefile.in", "Makefile"),
            (".bashrc", "Bourne Again Shell (bash)"),
            ("x.h", "C++"),
            ("rows.jsonl", "JSON"),
            ("a.py?versionId=3", "Python"),
        ] {
            assert_eq!(by_name(name).map(|found| found.name.as_str()), Some(language), "{name}");
        }
        for name in ["noname", "x.nosuch", "gz", ".gz", "main.rs.tgz", ".", ""] {
            assert!(by_name(name).is_none(), "{name}");
        }
    }

    #[test]
    fn a_wrong_name_gets_the_nearest_one() {
        for name in ["rust", "RS", "Python", "c++", "json"] {
            assert!(find_language(name).is_ok(), "{name}");
        }
        let hint = find_language("pyton").unwrap_err().hint.unwrap().plain();
        assert_eq!(hint, "did you mean --highlight python?");
    }
}
