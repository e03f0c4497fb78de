//! Names of compressed files, and the programs for formats that rread does not decompress.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use super::format::CompressionFormat;
use crate::{Source, read_full};
use rread_text::sentence::{Sentence, file, shell};
use rread_text::sniff::{SAMPLE, mime, sniff};

/// Whether `name` ends with a dot and `ending`, in any case.
pub(crate) fn has_ending(name: &str, ending: &str) -> bool {
    let Some((rest, end)) = name.as_bytes().split_at_checked(name.len().saturating_sub(ending.len())) else {
        return false;
    };
    end.eq_ignore_ascii_case(ending.as_bytes()) && rest.ends_with(b".")
}

impl CompressionFormat {
    /// Whether a file with this name, which may be an archive, should have the format.
    pub(crate) fn is_ending_of(self, name: &str) -> bool {
        self.endings().iter().chain(self.tar_endings()).any(|ending| has_ending(name, ending))
    }

    /// Whether a file with this name should be a tar archive in the format.
    pub(crate) fn is_archive_ending_of(self, name: &str) -> bool {
        let is_long = |ending: &&str| has_ending(name, &format!("tar.{ending}"));
        self.endings().iter().any(is_long) || self.tar_endings().iter().any(|ending| has_ending(name, ending))
    }
}

/// The last part of `path`, without the query of a URL.
pub fn file_name(path: &Path) -> Cow<'_, str> {
    match path.file_name().unwrap_or_default().to_string_lossy() {
        Cow::Borrowed(name) => Cow::Borrowed(without_query(name)),
        Cow::Owned(name) => Cow::Owned(without_query(&name).to_owned()),
    }
}

fn without_query(name: &str) -> &str {
    name.split(['?', '#']).next().unwrap_or_default()
}

/// The format in which the file `path` is compressed, by its name.
pub fn compression_of(path: &Path) -> Option<CompressionFormat> {
    let name = file_name(path);
    CompressionFormat::ALL.iter().copied().find(|format| format.is_ending_of(&name))
}

/// `name` without the ending of a compressed file; `None` if it has none.
pub fn strip_ending(name: &str) -> Option<&str> {
    let mut endings = CompressionFormat::ALL.iter().flat_map(|format| format.endings());
    let ending = endings.find(|ending| has_ending(name, ending))?;
    name.get(..name.len() - ending.len() - 1)
}

/// The ending of the name of `path` in small letters, without that of a compressed file: `html` for `PAGE.HTML.gz`.
/// Empty if there is none.
pub fn ending(path: &Path) -> String {
    let name = file_name(path);
    let name = strip_ending(&name).unwrap_or(&name);
    name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase())
}

/// Media types, and the programs with their option to write to standard output.
const PROGRAMS: &[(&str, &str)] = &[
    ("application/x-compress", "gzip -dc"),
    ("application/vnd.bzip3", "bzip3 -dc"),
    ("application/x-lzip", "lzip -dc"),
    ("application/x-lzop", "lzop -dc"),
    ("application/x-lrzip", "lrzip -dqo -"),
    ("application/x-snappy-framed", "snzip -dc"),
];

/// The program that decompresses files of the media type.
pub fn foreign_program(mime: &str) -> Option<&'static str> {
    PROGRAMS.iter().find(|(of, _)| *of == mime).map(|(_, program)| *program)
}

/// The command that decompresses `source`, which is the file `path`, to standard output.
pub fn foreign_decompression(source: &dyn Source, path: &Path) -> io::Result<Option<Sentence>> {
    let mut head = vec![0; SAMPLE];
    let got = read_full(source, &mut head, 0)?;
    let head = &head[..got];
    let mime = mime(head, sniff(head, got < SAMPLE).content);
    Ok(foreign_program(mime)
        .filter(|_| path != Path::new("-"))
        .map(|program| shell(format!("{program} ")).then(file(path))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_of_a_compressed_file_is_left_out() {
        for format in CompressionFormat::ALL {
            for ending_of in format.endings() {
                for name in [
                    format!("a.b/PAGE.Html.{ending_of}"),
                    format!("p.html.{}?v=1.x", ending_of.to_uppercase()),
                ] {
                    assert_eq!(ending(Path::new(&name)), "html", "{name}");
                    assert_eq!(compression_of(Path::new(&name)), Some(*format), "{name}");
                }
            }
        }
        for (name, expected) in [
            ("page.html", "html"),
            ("page.html.gz.gz", "gz"),
            ("page", ""),
            ("gz", ""),
            ("page.gz", ""),
            (".html", "html"),
            ("page.tgz", "tgz"),
            ("x.ÄÖ", "ÄÖ"),
            ("ö.gz", ""),
            ("https://host/a/page.html?key=b.csv#c.txt", "html"),
            ("", ""),
        ] {
            assert_eq!(ending(Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn no_ending_has_two_formats() {
        let mut endings: Vec<&str> =
            CompressionFormat::ALL.iter().flat_map(|format| format.endings()).copied().collect();
        let all = endings.len();
        endings.sort_unstable();
        endings.dedup();
        assert_eq!(endings.len(), all);
    }
}
