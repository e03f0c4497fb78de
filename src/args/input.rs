//! How a file is opened and what is saved of it: the options that every command with a FILE has, and the meanings of FILE.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{OsStringValueParser, StringValueParser, TypedValueParser};

use super::choice::{ANSI, choice};
use super::environment::{http_headers, kept_hashes, policy, session};
use rread_answer::{ReadOptions, SourceOptions};
use rread_reader::Ansi;
use rread_source::access::{Access, HttpHeaders, Plain};
use rread_source::compressed::CompressionFormat;
use rread_text::{Result, listed, parse_mixed};

pub(crate) use rread_answer::names::{
    existing, is_file, is_number, is_place, is_there, split_ranges, unshield, without_blank,
};
#[cfg(feature = "cluster")]
use rread_text::error::Error;
#[cfg(feature = "cluster")]
use std::path::Path;

/// How the text of a file is read.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputArgs {
    /// Neither use nor build a line index of the file [default: RREAD_INDEX]
    #[arg(long)]
    pub(crate) no_index: bool,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) encoding: EncodingArgs,
}

/// How a file is opened and read.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Input")]
pub(crate) struct SourceArgs {
    /// Read FILE as it comes, even if it is a named pipe or a character device
    ///
    /// Opening a named pipe waits for a writer, so rread does it only with this option. Regular files, standard
    /// input and the pipe of <(COMMAND) do not need it.
    #[arg(long)]
    pub(crate) stream: bool,
    /// Read a damaged compressed file as if it ended where the damage begins
    ///
    /// Without this option, rread reads the text before the damage like any text. A range that reaches the damage
    /// returns what could be decoded of it, with exit code 3. A range that counts from the end is an error.
    #[arg(long, conflicts_with = "no_decompress")]
    pub(crate) salvage: bool,
    /// Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased
    ///
    /// Numbers and offsets are those of the file. A line is shown without the blanks at its end.
    #[arg(long, conflicts_with = "no_decompress")]
    pub(crate) plain: bool,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
}

/// How bytes are asked for, and which of them: timeout, retries and credentials, decompressed or not, and of a capture.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Input")]
pub(crate) struct AccessArgs {
    /// Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5
    ///
    /// Without this option, rread waits 30s for a server, and forever for a stream. It does not repeat a request to
    /// a silent server. If the requested part has arrived by then, rread returns it; otherwise it ends with exit
    /// code 3. DURATION also limits the wait for a writer of a named pipe, and the time in all that the text of a
    /// document may take to decode [default: 30s]. It does not apply to other regular files.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
    /// Repeat a request up to N times if the server is busy or the connection breaks [default: 4]
    ///
    /// rread repeats a request after the responses 408, 429, 500, 502, 503 and 504, and after a response that
    /// breaks off. Pauses double from a fifth of a second, unless the server says how long to wait.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=100))]
    pub(crate) retries: Option<u32>,
    /// Send no credentials, for public objects
    #[arg(long)]
    pub(crate) anonymous: bool,
    /// Send this header to web servers, such as 'Authorization: Bearer TOKEN'; may be given several times
    ///
    /// rread sends it to the host that the URL names, and to no other host, even if that one redirects there. Object
    /// stores do not get it. Receipts and messages never show a value. Other users of the machine may see options, but
    /// not variables: RREAD_HTTP_HEADERS has headers too, one on each line.
    #[arg(long, value_name = "HEADER")]
    pub(crate) http_header: Vec<String>,
    /// Read the bytes of a compressed file as they are
    #[arg(long, long_help = no_decompress_help())]
    pub(crate) no_decompress: bool,
    /// Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]
    ///
    /// strip leaves out escape sequences such as colours, text that a carriage return overwrites (progress bars), and
    /// characters before a backspace. Both have the same line numbers; byte offsets and versions differ. Files that
    /// are not captures are always read as they are.
    #[arg(long, value_parser = choice(ANSI), value_name = "HOW", hide_possible_values = true)]
    pub(crate) ansi: Option<Ansi>,
}

fn no_decompress_help() -> String {
    let list = |is_listed: fn(CompressionFormat) -> bool, word: fn(CompressionFormat) -> String| {
        let formats = CompressionFormat::ALL.iter().copied().filter(|format| is_listed(*format));
        listed(&formats.map(word).collect::<Vec<_>>(), "and")
    };
    let by_content = list(CompressionFormat::is_recognised_by_content, |format| format.name().to_owned());
    let by_name = list(CompressionFormat::is_recognised_by_name, |format| {
        format!("{} (.{})", format.name(), format.endings().join(", ."))
    });
    format!(
        "Read the bytes of a compressed file as they are\n\n\
         Without this option, rread recognises {by_content} by content, not by file name, and {by_name} by file name \
         if the content can be decoded. It reads the text inside: offsets and lines are those of the text. It does the \
         same with files that an archive keeps compressed, and, in builds with the feature documents, with the text of \
         documents, such as PDF."
    )
}

/// The encoding of a file.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Input")]
pub(crate) struct EncodingArgs {
    /// The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]
    ///
    /// auto follows a byte order mark, and recognises UTF-8, UTF-16 and UTF-32 without one. Other text is read in the
    /// most likely encoding if that is evident (encoding_source: guess); if not, it is unknown-8bit: rread reads it as
    /// UTF-8 and replaces what is invalid. The receipt has the option to type as encoding_hint. Labels are those of the
    /// WHATWG Encoding Standard (with utf-16, the mark decides the order of bytes), and utf-32, utf-32le, utf-32be. none
    /// reads UTF-8 whatever mark the file has, as in rg. A label also makes rread read a file that looks binary as
    /// text. Content is UTF-8 in every format but raw, which is the bytes of the file and takes no label but none. Byte
    /// ranges and offsets are always those of the file.
    #[arg(short = 'E', long, value_name = "LABEL")]
    pub(crate) encoding: Option<String>,
}

/// How FILE is read: decompressed or not, and in which encoding.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input")]
pub(crate) struct ViewArgs {
    #[command(flatten)]
    access: AccessArgs,
    #[command(flatten)]
    encoding: EncodingArgs,
}

impl InputArgs {
    pub(crate) fn options(&self) -> Result<ReadOptions> {
        let index = if self.no_index { None } else { policy()? };
        let encoding = self.encoding.encoding.clone();
        Ok(ReadOptions { index, encoding, ..self.source.read_options() })
    }
}

impl ViewArgs {
    /// Without an index, which the command uses by itself.
    pub(crate) fn options(&self) -> ReadOptions {
        let (source, encoding) = (self.access.options(), self.encoding.encoding.clone());
        ReadOptions { source, encoding, ..ReadOptions::default() }
    }
}

impl SourceArgs {
    pub(crate) fn options(&self) -> SourceOptions {
        let options = self.access.options();
        let plain = if self.plain { Plain::Always } else { Plain::Never };
        let access = Access { stream: self.stream, salvage: self.salvage, plain, ..options.access };
        SourceOptions { access, ..options }
    }

    /// Without an index and an encoding.
    pub(crate) fn read_options(&self) -> ReadOptions {
        let hashes = kept_hashes().ok().flatten();
        ReadOptions { source: self.options(), hashes, ..ReadOptions::default() }
    }
}

impl AccessArgs {
    fn options(&self) -> SourceOptions {
        // The headers of the environment and those of the command line.
        let http_headers = HttpHeaders::new([http_headers(), self.http_header.clone()].concat());
        let AccessArgs { timeout, retries, anonymous, no_decompress: raw, ansi, .. } = *self;
        let access = Access { raw, timeout, retries, anonymous, http_headers, ..Access::default() };
        SourceOptions { access, ansi, captures: session().ok() }
    }
}

/// As humantime parses it, or a bare number of seconds.
pub(super) fn any_duration(text: &str) -> Option<Duration> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.or_else(|| humantime::parse_duration(text).ok())
}

pub(crate) fn duration(text: &str) -> std::result::Result<Duration, String> {
    match any_duration(text) {
        None => Err("give a duration such as 5s, 500ms or 5".to_owned()),
        Some(duration) if duration < Duration::from_millis(1) => Err("must be at least 1ms".to_owned()),
        Some(duration) => Ok(duration),
    }
}

pub(crate) fn names_file(word: &OsStr) -> bool {
    let path = existing(word);
    let has_ranges =
        || split_ranges(&path, parse_mixed).is_ok_and(|(name, ranges)| ranges.is_some() && is_there(&name));
    is_file(&path) || !is_there(&path) && has_ranges()
}

/// The parser of a FILE that is read.
pub(crate) fn file() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(|name| existing(&name))
}

/// The parser of a word that is not the name of an existing file.
pub(crate) fn word() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(|word| unshield(&word))
}

/// The parser of the value of an option that may begin with a hyphen, such as the zone `-03:00`.
pub(crate) fn value() -> impl TypedValueParser<Value = String> {
    StringValueParser::new().map(|word| without_blank(&word).to_owned())
}

/// The same for a value that need not be UTF-8.
pub(crate) fn os_value() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new().map(|word| unshield(&word).into())
}

/// A list, certificates or a key.
#[cfg(feature = "cluster")]
pub(crate) fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|cause| Error::read("cannot read", &cause).at(path))
}
