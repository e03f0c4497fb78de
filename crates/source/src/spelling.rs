//! Finds the file that a name means if it is misspelled or written in another way: as a `file:` URL, with accents in another form, or
//! with blanks and quotes of another kind.

use std::fs;
use std::path::{Component, Path, PathBuf};

use globset::GlobBuilder;
use rread_text::range::without_mark;
use unicode_normalization::UnicodeNormalization;

/// The most names of a directory that are compared.
pub const MAX_NAMES: usize = 10_000;

/// The existing file that `path`, which does not exist, means in another spelling; `None` also if it may be several.
pub fn respell(path: &Path) -> Option<PathBuf> {
    let exists = |path: &Path| path.symlink_metadata().is_ok();
    if let Some(meant) = path.to_str().and_then(unmarked) {
        return Some(meant);
    }
    if let Some(local) = path.to_str().and_then(path_of_url) {
        return exists(&local).then(|| local.clone()).or_else(|| respell(&local)).or(Some(local));
    }
    respell_in(path, exists, |directory| names_in(directory).collect())
}

/// The directory of the file at `path`.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Names in `directory`; none if it cannot be read. A directory of millions is not worth a hint.
fn names_in(directory: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(directory).into_iter().flatten().take(MAX_NAMES);
    entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok())
}

/// The existing file that a name in a diff means, such as `b/x.rs`, or one in the home directory that no shell expanded.
fn unmarked(name: &str) -> Option<PathBuf> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(name.strip_prefix("~/")?));
    let plain = without_mark(name).filter(|_| !name.starts_with('@')).map(PathBuf::from);
    plain.or_else(home).filter(|path| path.is_file())
}

/// As [`respell`], where `exists` tells whether a path exists, and `names` lists a directory.
pub fn respell_in(
    path: &Path,
    exists: impl Fn(&Path) -> bool,
    names: impl Fn(&Path) -> Vec<String>,
) -> Option<PathBuf> {
    let has_other_forms = |c: char| !c.is_ascii() || matches!(c, ' ' | '\'' | '"');
    if !path.to_str()?.contains(has_other_forms) {
        return None;
    }
    let mut found = PathBuf::new();
    for component in path.components() {
        let next = found.join(component);
        let Component::Normal(name) = component else {
            found = next;
            continue;
        };
        if exists(&next) {
            found = next;
            continue;
        }
        let wanted = fold_name(name.to_str()?);
        let directory = if found == Path::new("") { Path::new(".") } else { &found };
        let mut same = names(directory).into_iter().filter(|name| fold_name(name) == wanted);
        let (one, None) = (same.next()?, same.next()) else { return None };
        found.push(one);
    }
    Some(found)
}

/// `name` in a form that is the same for all spellings (Unicode Standard Annex 15, form C).
fn fold_name(name: &str) -> String {
    let kept = name.nfc().filter(|c| !matches!(c, '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{FEFF}'));
    kept.map(|c| match c {
        _ if c.is_whitespace() => ' ',
        '‘' | '’' | 'ʼ' | '′' => '\'',
        '“' | '”' => '"',
        _ => c,
    })
    .collect()
}

/// The path of the URL of a local file (RFC 8089): `file:///a%20b`, `file://localhost/a`, `file:/a`.
pub fn path_of_url(url: &str) -> Option<PathBuf> {
    let (scheme, rest) = url.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) => {
            let path = &rest[rest.find('/')?..];
            let host = &rest[..rest.len() - path.len()];
            (host.is_empty() || host.eq_ignore_ascii_case("localhost")).then_some(path)?
        }
        None => rest,
    };
    (!path.is_empty()).then(|| decoded(path))?.map(|path| PathBuf::from(at_its_drive(&path)))
}

/// `C:/a` for `/C:/a` on Windows, where a drive comes after the slash that begins the path of a URL.
fn at_its_drive(path: &str) -> &str {
    let is_at_drive =
        cfg!(windows) && matches!(path.as_bytes(), [b'/', drive, b':', ..] if drive.is_ascii_alphabetic());
    if is_at_drive { &path[1..] } else { path }
}

/// `text` with the bytes that `%` and two digits stand for; `None` if they are not UTF-8.
pub fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).filter(|_| *first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        let byte =
            digits.filter(|two| !two.starts_with('+')).and_then(|two| u8::from_str_radix(two, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).ok()
}

/// The most similar name in the directory of `path`, if one is similar enough.
pub fn near_miss(path: &Path) -> Option<PathBuf> {
    if let Some(meant) = path.to_str().and_then(without_mark).map(PathBuf::from).filter(|path| path.is_file())
    {
        return Some(meant);
    }
    let wanted = path.file_name()?.to_str()?;
    nearest(wanted, names_in(folder_of(path))).map(|name| path.with_file_name(name))
}

/// The most similar of `names`, if it is similar enough.
pub fn nearest(wanted: &str, names: impl Iterator<Item = String>) -> Option<String> {
    let allowed = (wanted.chars().count() / 3).clamp(1, 3);
    names
        .map(|name| (strsim::osa_distance(&name.to_lowercase(), &wanted.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, name)| name)
}

/// The files that the name `path` means as a pattern that no shell expanded, in order; none if it is no pattern, or if
/// directories in it are patterns too.
pub fn matching(path: &Path) -> Vec<PathBuf> {
    let name = path.file_name().and_then(|name| name.to_str());
    let Some(name) = name.filter(|_| !is_pattern(folder_of(path))) else { return Vec::new() };
    let matching = names_of_pattern(name, names_in(folder_of(path)));
    matching.into_iter().map(|name| path.with_file_name(name)).collect()
}

/// The `names` that `pattern` means, in order; none if it is not a pattern.
pub fn names_of_pattern(pattern: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build().ok();
    let Some(glob) = glob.filter(|_| is_pattern(Path::new(pattern))) else { return Vec::new() };
    let matcher = glob.compile_matcher();
    // As in a shell, a pattern means no hidden files.
    let is_meant =
        |name: &String| matcher.is_match(name) && (pattern.starts_with('.') || !name.starts_with('.'));
    let mut names: Vec<String> = names.filter(is_meant).collect();
    names.sort_unstable();
    names
}

fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_in_another_spelling_is_found() {
        let names = |directory: &Path| {
            let names: &[&str] = match directory.to_str() {
                Some(".") => &[
                    "Re\u{301}sume\u{301} nai\u{308}ve.txt",
                    "d\u{e9}",
                    "it’s.log",
                    "a\u{a0}b",
                    "a\u{202f}b",
                ],
                Some("d\u{e9}") => &["Shot 3.04\u{202f}PM.txt", "zero\u{200b}width"],
                _ => &[],
            };
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        for (typed, found) in [
            ("Résumé naïve.txt", Some("Re\u{301}sume\u{301} nai\u{308}ve.txt")),
            ("de\u{301}/Shot 3.04 PM.txt", Some("d\u{e9}/Shot 3.04\u{202f}PM.txt")),
            ("dé/Shot 3.04\u{2009}PM.txt", Some("d\u{e9}/Shot 3.04\u{202f}PM.txt")),
            ("it's.log", Some("it’s.log")),
            // Two files are the same but for their blanks.
            ("a b", None),
            ("Resume naive.txt", None),
            ("zerowidth", None),
            ("dé/zero\u{200b}width", Some("d\u{e9}/zero\u{200b}width")),
        ] {
            let exists = |path: &Path| path == Path::new("d\u{e9}");
            assert_eq!(respell_in(Path::new(typed), exists, names), found.map(PathBuf::from), "{typed}");
        }
    }

    #[test]
    fn urls_of_local_files_have_paths() {
        for (url, path) in [
            ("file:///tmp/a%20b", Some("/tmp/a b")),
            ("FILE://localhost/a", Some("/a")),
            ("file:/a%C3%A9", Some("/aé")),
            ("file:a.txt", Some("a.txt")),
            ("file:///C:/a%20b", Some(if cfg!(windows) { "C:/a b" } else { "/C:/a b" })),
            ("file:///C%3A/a", Some(if cfg!(windows) { "C:/a" } else { "/C:/a" })),
            ("file:///1:/a", Some("/1:/a")),
            ("file:///100%", Some("/100%")),
            ("file:///%+1%2", Some("/%+1%2")),
            ("file://host/a", None),
            ("file:///%FF", None),
            ("file:", None),
            ("file://", None),
            ("http://a/b", None),
            ("profile:a", None),
        ] {
            assert_eq!(path_of_url(url), path.map(PathBuf::from), "{url}");
        }
    }
}
