//! Recognises the format of a compressed file: by content, or by name where the content has more than one meaning.

use std::borrow::Cow;
use std::io::{self, Cursor};
use std::iter::successors;
use std::path::Path;
use std::sync::Arc;

use super::damage::{CUT_OFF, DecodeError};
use super::decoder::{Begins, HEAD, RawInput, StepEnd};
use super::format::{CompressionFormat, Start};
use crate::spool::Spool;
use crate::{Source, read_full, retried};
use rread_text::sentence::{Sentence, shell, through_copy};
use rread_text::sniff::{Content, SAMPLE, mime, sniff};

/// The most skippable frames before the first real one.
const MAX_SKIPPED: usize = 16;

/// The most steps of a decoder that is tried on the first bytes of a file.
const MAX_STEPS: usize = 64;

impl CompressionFormat {
    /// The format of `source`, recognised by content; `None` if it is not compressed.
    pub fn of(source: &dyn Source) -> io::Result<Option<CompressionFormat>> {
        let mut at = 0;
        for _ in 0..MAX_SKIPPED {
            let mut head = [0; HEAD];
            let got = read_while(source, &mut head, at, can_begin)?;
            match skippable(&head[..got]) {
                // zstd and LZ4 share these: the next frame decides.
                Some(size) => at += size,
                None if got == 0 && at > 0 => return empty(source, at),
                None => {
                    let Some(format) = starting(&head[..got]) else { return Ok(None) };
                    let is_real = !format.is_vague(&head[..got]) || format.decodes_all(source)?;
                    return Ok(is_real.then_some(format));
                }
            }
        }
        Ok(None)
    }

    /// The format of `source`, which is the file `path`, recognised by content or else by name.
    pub fn of_file(source: &dyn Source, path: &Path) -> io::Result<Option<CompressionFormat>> {
        if let Some(format) = CompressionFormat::of(source)? {
            return Ok(Some(format));
        }
        match compression_of(path).filter(|named| named.is_recognised_by_name()) {
            Some(named) if named.decodes(source)? => Ok(Some(named)),
            _ => Ok(None),
        }
    }

    /// Whether `source` is of this format, which has no magic number: the decoder makes text of its first bytes, and they
    /// are not text themselves. Measured with brotli: the decoder makes text of 0.4 % of 90,000 texts, which begin like a
    /// block that is not compressed, and of 6 % of random bytes. It fails in 0.4 % of them after some text, and never in
    /// other files: so text before a failure is that of a damaged file.
    fn decodes(self, source: &dyn Source) -> io::Result<bool> {
        let mut head = vec![0; SAMPLE];
        let is_text = |head: &[u8]| sniff(head, false).content != Content::Binary;
        let is_open = |head: &[u8]| is_text(head) && self.try_on(head) != Trial::Fails;
        let got = read_while(source, &mut head, 0, is_open)?;
        let is_end = || source.read_at(&mut [0], got as u64).map(|more| more == 0);
        Ok(match self.try_on(&head[..got]) {
            Trial::Fails => false,
            Trial::GoesOn => !is_text(&head[..got]),
            Trial::Ends => got > 0 && (is_end()? || !is_text(&head[..got])),
        })
    }

    /// Whether the decoder makes text of all of the first bytes of `source`. It makes some text of any bytes.
    fn decodes_all(self, source: &dyn Source) -> io::Result<bool> {
        let mut head = vec![0; SAMPLE];
        let mut has_text = false;
        let got = read_while(source, &mut head, 0, |_| true)?;
        Ok(match self.first_text(&head[..got], &mut has_text) {
            Ok(trial) => trial != Trial::Fails,
            // Any bytes are a whole file that is cut off.
            Err(DecodeError::Damage(what)) => what == CUT_OFF && got == SAMPLE,
            Err(DecodeError::Unsupported { .. }) => true,
            Err(_) => false,
        })
    }

    fn try_on(self, head: &[u8]) -> Trial {
        let mut has_text = false;
        self.first_text(head, &mut has_text).unwrap_or_else(|error| match error {
            DecodeError::Damage(what) if what == CUT_OFF => Trial::GoesOn,
            DecodeError::Unsupported { .. } => Trial::GoesOn,
            _ if has_text => Trial::GoesOn,
            _ => Trial::Fails,
        })
    }

    fn first_text(self, head: &[u8], has_text: &mut bool) -> Result<Trial, DecodeError> {
        let source: Arc<dyn Source> = Arc::new(Spool::new(Box::new(Cursor::new(head.to_vec()))));
        let mut decoder = self.decoder(&*source)?;
        let mut input = RawInput::new(source);
        decoder.begin(&mut input)?;
        // A decoder looks back at the text before its step; little input may be much text, of which the first bytes suffice.
        let (mut text, mut at) = (vec![0; 4 * SAMPLE], 0);
        for _ in 0..MAX_STEPS {
            let step = decoder.decode(&mut input, &mut text, at, false)?;
            at += step.decoded;
            *has_text |= step.decoded > 0;
            match step.end {
                StepEnd::EndOfMember if input.fill()?.is_empty() => return Ok(Trial::Ends),
                StepEnd::EndOfMember if !*has_text => return Ok(Trial::Fails),
                StepEnd::EndOfMember => break,
                StepEnd::Failed(error) => return Err(error),
                StepEnd::More | StepEnd::Checkpoint(_) if at == text.len() => break,
                StepEnd::More | StepEnd::Checkpoint(_) => {}
            }
        }
        Ok(Trial::GoesOn)
    }

    /// Whether `head`, the last bytes of the file, can begin another member or skippable frame.
    pub(super) fn is_cut_off(self, head: &[u8]) -> bool {
        let is_skippable = || self.has_skippable_frames() && may_be_skippable(head);
        self.begins_member(head) == Begins::Perhaps || is_skippable()
    }

    /// The size of the skippable frame that begins with `head`.
    pub(super) fn skippable(self, head: &[u8]) -> Option<u64> {
        if self.has_skippable_frames() { skippable(head) } else { None }
    }

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

/// A file that ends at `at`, after skippable frames of zstd or LZ4: an empty text, unless the last frame is cut off.
fn empty(source: &dyn Source, at: u64) -> io::Result<Option<CompressionFormat>> {
    let is_whole = source.read_at(&mut [0], at - 1)? == 1;
    Ok(is_whole.then_some(CompressionFormat::Zstd))
}

/// The number of zeros at the start of `head`, which are padding between or after members of every format.
pub(super) fn padding(head: &[u8]) -> usize {
    head.iter().take_while(|byte| **byte == 0).count()
}

/// The result of decoding the first bytes of a file.
#[derive(PartialEq, Eq)]
enum Trial {
    /// No text.
    Fails,
    /// A whole text, which ends with them.
    Ends,
    /// Some text, or it needs more bytes.
    GoesOn,
}

/// The formats that begin with `head`, of those that are recognised by content.
fn verdicts(head: &[u8]) -> impl Iterator<Item = (CompressionFormat, Begins)> {
    CompressionFormat::ALL.iter().filter_map(move |format| match format.start() {
        Start::Content(begins) => Some((*format, begins(head))),
        Start::Name | Start::Container => None,
    })
}

/// The format whose member begins with `head`.
fn starting(head: &[u8]) -> Option<CompressionFormat> {
    verdicts(head).find(|(_, begins)| *begins == Begins::Yes).map(|(format, _)| format)
}

/// The word of the format that begins at `offset` of `source`, even if the decoder refuses its header.
pub(super) fn format_at(source: &dyn Source, offset: u64) -> Option<&'static str> {
    let mut head = [0; HEAD];
    let got = read_while(source, &mut head, offset, can_begin).ok()?;
    let refused = head[..got].starts_with(b"\x1F\x8B\x08").then_some(CompressionFormat::Gzip);
    starting(&head[..got]).or(refused).map(CompressionFormat::name)
}

/// Whether a format, or a skippable frame, begins with `head` and more bytes.
fn can_begin(head: &[u8]) -> bool {
    verdicts(head).any(|(_, begins)| begins == Begins::Perhaps) || may_be_skippable(head)
}

/// A skippable frame (RFC 8878, section 3.1.2): one of sixteen magic numbers, then the size of the content.
fn skippable(head: &[u8]) -> Option<u64> {
    match head {
        [0x50..=0x5F, 0x2A, 0x4D, 0x18, a, b, c, d, ..] => {
            Some(8 + u64::from(u32::from_le_bytes([*a, *b, *c, *d])))
        }
        _ => None,
    }
}

/// Whether a skippable frame begins with `head` and more bytes.
fn may_be_skippable(head: &[u8]) -> bool {
    head.len() < 8 && {
        let mut whole = [0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0];
        whole[..head.len()].copy_from_slice(head);
        skippable(&whole).is_some()
    }
}

/// Reads `head` at `at`, only while the bytes so far are `open`: the rest of a stream's first line may come much later.
fn read_while(
    source: &dyn Source,
    head: &mut [u8],
    at: u64,
    open: impl Fn(&[u8]) -> bool,
) -> io::Result<usize> {
    let mut got = 0;
    while got < head.len() && open(&head[..got]) {
        match retried(|| source.read_at(&mut head[got..], at.saturating_add(got as u64))) {
            // A later read of these bytes reports the error.
            Err(_) if got > 0 => break,
            Err(cause) => return Err(cause),
            Ok(0) => break,
            Ok(more) => got += more,
        }
    }
    Ok(got)
}

/// Whether `name` ends with a dot and `ending`, in any case.
pub(crate) fn has_ending(name: &str, ending: &str) -> bool {
    let Some((rest, end)) = name.as_bytes().split_at_checked(name.len().saturating_sub(ending.len())) else {
        return false;
    };
    end.eq_ignore_ascii_case(ending.as_bytes()) && rest.ends_with(b".")
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

/// The command line that `run` makes of other programs with the file `path`, whose content is `source`.
pub fn for_programs(source: &dyn Source, path: &Path, run: impl FnOnce(Sentence) -> Sentence) -> Sentence {
    let mut layers = successors(source.info().decoding, |layer| layer.input().info().decoding);
    let program = |format: CompressionFormat| Some(format.program()).filter(|program| !program.is_empty());
    let filter = layers.find_map(|layer| program(CompressionFormat::from_name(layer.format())?));
    through_copy(path, filter.unwrap_or_default(), run)
}

/// The command that decompresses `source`, which is the file `path`, to standard output.
pub fn foreign_decompression(source: &dyn Source, path: &Path) -> io::Result<Option<Sentence>> {
    let mut head = vec![0; SAMPLE];
    let got = read_full(source, &mut head, 0)?;
    let head = &head[..got];
    let mime = mime(head, sniff(head, got < SAMPLE).content);
    let command = |program| for_programs(source, path, |file| shell(format!("{program} ")).then(file));
    Ok(foreign_program(mime).map(command))
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::*;
    use crate::MemorySource;

    fn of_file(bytes: &[u8], name: &str) -> Option<CompressionFormat> {
        CompressionFormat::of_file(&MemorySource::new(bytes), Path::new(name)).unwrap()
    }

    #[test]
    fn text_that_begins_like_a_format_is_not_recognised() {
        for text in ["BZh9 is how it starts", "]\0\0 no", "7zXZ", "\x1F\u{8b}", "(\u{b5}/", "BZh", ""] {
            assert_eq!(starting(text.as_bytes()), None, "{text}");
        }
        assert_eq!(starting(b"\x1F\x8B\x08\xFF rest"), None);
        assert_eq!(starting(b"\x1F\x8B\x08"), None);
    }

    #[test]
    fn skippable_frames_alone_are_an_empty_text() {
        let frame = b"\x50\x2A\x4D\x18\x03\0\0\0abc";
        for count in [1, 3, MAX_SKIPPED - 1] {
            let source = MemorySource::new(frame.repeat(count));
            assert_eq!(CompressionFormat::of(&source).unwrap(), Some(CompressionFormat::Zstd));
        }
        for cut in 1..frame.len() {
            assert_eq!(CompressionFormat::of(&MemorySource::new(&frame[..cut])).unwrap(), None, "{cut}");
        }
    }

    #[test]
    fn lzma_of_any_properties_is_recognised_if_it_decodes() {
        use liblzma::stream::{Action, LzmaOptions, Stream};
        let noise: Vec<u8> = (0..40_000_u32).map(|n| xxh3_64(&n.to_le_bytes()).to_le_bytes()[0]).collect();
        let long = b"a line of text\n".repeat(4000);
        for (lc, lp, pb) in [(3, 0, 2), (4, 0, 0), (0, 0, 0), (0, 4, 4), (1, 3, 1), (2, 2, 2), (3, 1, 0)] {
            for dictionary in [1 << 12, 3 << 12, 1 << 16, 3 << 20, 1 << 24] {
                for text in [&b""[..], b"one\n", &long, &noise] {
                    let mut options = LzmaOptions::new_preset(1).unwrap();
                    options
                        .literal_context_bits(lc)
                        .literal_position_bits(lp)
                        .position_bits(pb)
                        .dict_size(dictionary);
                    let mut packed = Vec::with_capacity(text.len() * 2 + 1000);
                    let mut stream = Stream::new_lzma_encoder(&options).unwrap();
                    stream.process_vec(text, &mut packed, Action::Finish).unwrap();
                    assert_eq!(
                        of_file(&packed, "x"),
                        Some(CompressionFormat::Lzma),
                        "{lc} {lp} {pb} {dictionary}"
                    );
                }
            }
        }
        // The header alone makes no LZMA: other bytes follow.
        for seed in 0..500_u64 {
            let head =
                [&[0x66, 0, 0, 1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0][..], &[]].concat();
            let rest: Vec<u8> =
                (0..3000_u64).flat_map(|n| xxh3_64(&(n ^ seed << 20).to_le_bytes()).to_le_bytes()).collect();
            assert_eq!(of_file(&[&head[..], &rest].concat(), "x"), None, "{seed}");
            assert_eq!(of_file(&[&head[..], &rest[..100]].concat(), "x"), None, "{seed}");
        }
        for bytes in [
            &[0; 100][..],
            b"text of a file, longer than the header",
            b"U\0T\0F\0-\x001\x006\0 \0t\0e\0x\0t\0",
        ] {
            assert_eq!(of_file(bytes, "x"), None);
        }
    }

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
