//! Commands to type next: for binary files, pictures and encodings without a decoder.

use std::borrow::Cow;
use std::path::Path;

use rread_documents::format::DocumentFormat;
use rread_reader::{Handle, Reader};
use rread_source::compressed::CompressionFormat;
use rread_source::compressed::recognition::{for_programs, foreign_program};
use rread_source::member_address::is_inside_file;
use rread_source::{Decoding, TrailingGarbage};
use rread_text::sentence::{Argument, file, pipe_through};
use rread_text::sniff::UNNAMED;
use rread_text::{Address, Call, Error, Kind, Result, Sentence, call, quoted_word, setting, shell};

/// The beginning and the end of a command in Python, for which `PANDAS(` and `) {}` stand.
const PANDAS: [&str; 2] =
    ["python3 -c 'import sys, pandas; pandas.read_", "(sys.argv[1]).to_csv(sys.stdout)' {}"];

/// Commands that make text of types: `{}` is the file, `PIPE` is `| rread lines - 1:20`. A type that ends with `/` or `.`
/// is a prefix; the first match counts.
const CONVERTERS: &[(&str, &str)] = &[
    ("application/x-7z-compressed", "7z l {} PIPE; 7z x -so {} PIPE"),
    ("application/vnd.rar", "unrar l {} PIPE; unrar p -inul {} PIPE"),
    ("application/vnd.debian.binary-package", "dpkg-deb -c {} PIPE"),
    ("application/x-rpm", "rpm -qlvp {} PIPE"),
    ("application/x-unix-archive", "ar tv {} PIPE"),
    ("application/x-cpio", "cpio -itv < {} PIPE"),
    ("application/pdf", "pdftotext {} - PIPE"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.", "pandoc -t plain {} PIPE"),
    ("application/vnd.oasis.opendocument.text", "pandoc -f odt -t plain {} PIPE"),
    ("application/epub+zip", "pandoc -f epub -t plain {} PIPE"),
    (
        "application/vnd.openxmlformats-officedocument.spreadsheetml. application/vnd.oasis.opendocument.spreadsheet \
         application/vnd.ms-excel",
        "libreoffice --headless --convert-to csv {}",
    ),
    ("application/vnd.ms-outlook", "msgconvert --outfile - {} PIPE"),
    ("application/msword", "libreoffice --headless --convert-to txt:Text {}"),
    // The first bytes do not say which kind of old office file it is.
    (
        "application/x-ole-storage application/vnd.openxmlformats-officedocument. application/vnd.oasis.opendocument. \
         application/vnd.ms-powerpoint",
        "libreoffice --headless --convert-to pdf {}",
    ),
    ("application/vnd.sqlite3", "sqlite3 {} .dump PIPE"),
    ("application/vnd.apache.parquet", "PANDAS(parquet) {} PIPE"),
    ("application/vnd.apache.arrow.", "PANDAS(feather) {} PIPE"),
    ("application/vnd.apache.orc", "PANDAS(orc) {} PIPE"),
    ("application/x-hdf5", "h5dump -n {} PIPE"),
    ("application/x-systemd-journal", "journalctl --file {} PIPE"),
    ("application/vnd.tcpdump.pcap application/x-pcapng", "tcpdump -nr {} PIPE"),
    ("application/x-bplist", "plutil -p {} PIPE"),
    ("application/x-gettext-translation", "msgunfmt {} PIPE"),
    ("application/x-git-index", "GIT_INDEX_FILE={} git ls-files --stage PIPE"),
    ("application/x-x509-ca-cert", "openssl asn1parse -inform DER -in {} PIPE"),
    ("application/java", "javap -v {} PIPE"),
    ("application/wasm", "wasm-objdump -x {} PIPE"),
    (
        "application/x-executable application/x-mach-binary application/vnd.microsoft.portable-executable \
         application/x-llvm application/vnd.android. application/x-python-bytecode",
        "strings {} PIPE",
    ),
    // It has several pictures.
    ("image/vnd.microsoft.icon", "magick {}'[0]' picture.png && rread image picture.png"),
    ("image/heif", "heif-convert {} picture.png && rread image picture.png"),
    ("image/", "magick {} picture.png && rread image picture.png"),
    ("audio/ video/", "ffprobe {}"),
];

/// The error for the binary file that `reader` reads, with the command that shows its content.
pub fn unreadable(path: &Path, reader: &Reader, raw: bool) -> Result<Error> {
    let mime = reader.mime()?;
    let compression = reader.source().info().decoding.map(Decoding::format);
    let inside = match compression {
        Some(format) if reader.document().is_some() => format!(" (the text of a {format})"),
        Some(format) => format!(" (compressed with {format})"),
        None => String::new(),
    };
    let detected = format!("Binary files are not supported. File detected as {mime}{inside}. Use ");
    let message = Sentence::from(detected).then(setting("text")).then(" to read it anyway, or ");
    let error = Error::new(Kind::Binary, message.then(setting("encode")).then(" for its exact bytes."));
    let lines = call("lines").file(path).word("1:20");
    if raw && is_decoded(mime) {
        return Ok(error.hint(lines.again()));
    }
    if mime == UNNAMED && reader.is_text_with_nuls()? {
        return Ok(error.hint(lines.on("text").again()));
    }
    Ok(error.hint(hint(path, reader, mime)))
}

/// Whether `path` has a form that other programs do not know: a handle, an address in a database, or a URL.
pub fn is_ours(path: &Path) -> bool {
    Handle::from_path(path).is_some() || is_inside_file(path) || Address::of(path).is_some()
}

/// The option that reads a file in the encoding `guess`; a command, if rread has no decoder for it.
pub fn encoding_hint(path: &Path, reader: &Reader, guess: &str) -> Sentence {
    if !CONVERTED.contains(&guess) {
        return setting("E").then(format!(" {guess}"));
    }
    // Only a plain file is the same for other programs.
    let is_plain = !is_ours(path) && reader.source().info().decoding.is_none();
    pipe_through(path, &converter_of(guess), is_plain, call("bytes").file(path).on("raw"))
}

/// The command that reads the compressed data after the end of `path`.
pub fn after(path: &Path, garbage: TrailingGarbage) -> Option<Sentence> {
    garbage.compression.filter(|_| !is_ours(path) && path != Path::new("-"))?;
    let tail = format!("tail -c +{} ", garbage.start_byte.saturating_add(1));
    Some(shell(tail).then(file(path)).piped_to_lines(""))
}

pub fn converted(error: Error, path: &Path, reader: &Reader) -> Error {
    match (&error.hint, reader.encoding_guess()) {
        (None, Some(guess)) => error.hint(encoding_hint(path, reader, &guess)),
        _ => error,
    }
}

/// The command that makes UTF-8 of `path`, whose encoding `label` rread does not decode.
pub fn conversion(path: &Path, label: &str) -> Sentence {
    pipe_through(path, &converter_of(label), !is_ours(path), call("bytes").file(path).on("raw"))
}

/// The encodings for which rread, like the WHATWG standard, has no decoder for safety.
const CONVERTED: [&str; 6] = ["ibm037", "cp850", "cp852", "iso-2022-kr", "iso-2022-cn", "hz-gb-2312"];

fn python(label: &str) -> String {
    format!("python3 -c \"import sys; print(sys.stdin.buffer.read().decode('{label}'), end='')\"")
}

/// The program that converts an encoding; iconv has no HZ.
fn converter_of(label: &str) -> String {
    match label {
        "hz" | "hz-gb-2312" => python("hz"),
        // Names of Python, and encodings that iconv has under no name.
        _ if ["_", "2004", "0213"].iter().any(|sign| label.contains(sign)) => python(label),
        _ => {
            let is_number = label.bytes().all(|byte| byte.is_ascii_digit());
            let name = format!("{}{label}", if is_number { "cp" } else { "" }).to_ascii_uppercase();
            format!("iconv -f {} -t UTF-8", quoted_word(&name))
        }
    }
}

/// `page` is the one that the user wants of a document.
pub fn no_picture(path: &Path, reader: &Reader, page: u64) -> Error {
    let mime = match reader.mime() {
        Ok(mime) => mime,
        Err(error) => return error,
    };
    let document = reader.decoding().filter(|decoding| decoding.document().is_some());
    if document.is_some_and(|document| document.format() == "pdf") || mime == "application/pdf" {
        let error = Error::usage("is application/pdf, not an image: rread makes no pictures of its pages");
        let picture = |file: Sentence| {
            let converter = shell(format!("pdftoppm -png -singlefile -f {page} -l {page} "));
            converter.then(file).then(shell(" page && ")).then(call("image").file("page.png"))
        };
        return error.hint(for_programs(reader.source(), path, picture));
    }
    if reader.known_size() == Some(0) {
        return Error::usage("is empty, not an image").hint(call("stat").file(path));
    }
    if mime.starts_with("image/") {
        let converter = converter(mime).unwrap_or_default();
        let program = converter.split(' ').next().unwrap_or_default();
        let error = Error::usage(format!(
            "is {mime}: not supported, but {program} converts it; supported: PNG, JPEG, GIF, BMP, WebP, TIFF, SVG"
        ));
        return error.hint(hint(path, reader, mime));
    }
    let error = Error::usage(format!("is {mime}, not an image"));
    if reader.is_binary() && document.is_none() {
        return error.hint(hint(path, reader, mime));
    }
    error.hint(call("lines").file(path).word("1:20").again())
}

/// Whether this build reads files of the media type as text, whatever their names are.
fn is_decoded(mime: &str) -> bool {
    let is_binary = |format: DocumentFormat| format.is_contained() || format == DocumentFormat::Pdf;
    let is_document = cfg!(feature = "documents") && DocumentFormat::of_mime(mime).is_some_and(is_binary);
    let is_database = cfg!(feature = "sqlite") && mime == "application/vnd.sqlite3";
    is_document || is_database || CompressionFormat::of_mime(mime).is_some()
}

/// The command that makes text of the type, as in [`CONVERTERS`].
fn converter(mime: &str) -> Option<Cow<'static, str>> {
    let own = CompressionFormat::of_mime(mime).map(CompressionFormat::program);
    if let Some(program) = own.or_else(|| foreign_program(mime)) {
        return Some(format!("{program} {{}} PIPE").into());
    }
    let fits = |of: &str| mime == of || of.ends_with(['/', '.']) && mime.starts_with(of);
    let command = CONVERTERS.iter().find(|(types, _)| types.split(' ').any(fits))?.1;
    let [start, end] = PANDAS;
    Some(command.replace("PANDAS(", start).replace(") {}", end).into())
}

/// The command that makes text of the type, otherwise one that shows the bytes.
fn hint(path: &Path, reader: &Reader, mime: &str) -> Sentence {
    let bytes = |code| call("bytes").file(path).word("0:256").with("encode", code).again();
    // The first bytes of an old office file do not say that it is mail.
    let is_mail = mime == "application/x-ole-storage" && path.extension().is_some_and(|of| of == "msg");
    let mime = if is_mail { "application/vnd.ms-outlook" } else { mime };
    match mime {
        "application/x-tar" | "application/zip" | "application/java-archive" => {
            call("stat").file(path).on("list").again()
        }
        "image/png" | "image/jpeg" | "image/gif" | "image/bmp" | "image/webp" | "image/tiff" => {
            call("image").file(path).again()
        }
        // Other programs know neither our names nor what standard input was.
        _ if path == Path::new("-") => bytes("hexdump"),
        _ => converter(mime).map_or_else(
            || bytes("hexdump"),
            |command| {
                let mut pieces = command.split("{}");
                let start = piped(pieces.next().unwrap_or_default());
                let run = |file: Sentence| {
                    pieces.fold(start, |line, text| line.then(file.clone()).then(piped(text)))
                };
                for_programs(reader.source(), path, run)
            },
        ),
    }
}

/// A piece of a command line, with pipes in the places of `PIPE`.
fn piped(text: &str) -> Sentence {
    let mut pieces = text.split(" PIPE");
    let start = shell(pieces.next().unwrap_or_default());
    pieces.fold(start, |line, text| line.piped_to_lines("1:20").then(shell(text)))
}

/// `error` of a file in which `search` was to find something: its hint searches what it would show.
pub fn searched(mut error: Error, search: &Call) -> Error {
    if matches!(error.kind, Kind::Binary | Kind::Io) {
        error.hint = error.hint.map(|hint| hint.map_calls(|shown| searching(shown, search)));
    }
    error
}

/// `search` in the file that the call `shown` shows as lines or as bytes.
fn searching(shown: Call, search: &Call) -> Call {
    let path = shown.arguments.iter().find_map(|argument| match argument {
        Argument::Path(path) => Some(path),
        _ => None,
    });
    // The search of the stored bytes is no other one.
    let reads_text = shown.has("text") || search.has("no-decompress");
    match (&*shown.command, path) {
        ("lines", Some(path)) if shown.has("salvage") => search.clone().file(path).on("salvage"),
        // It is the input of another program.
        ("bytes", _) if shown.has("raw") => shown,
        ("lines", Some(path)) if !reads_text => search.clone().file(path),
        ("lines" | "bytes", Some(path)) => search.clone().file(path).on("text"),
        _ => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::worded;

    /// The hint for a file on this machine.
    fn hint(path: &Path, mime: &str) -> Sentence {
        super::hint(path, &Reader::open(Path::new("Cargo.toml")).unwrap(), mime)
    }

    #[test]
    fn the_hint_of_a_search_goes_on_with_the_search() {
        let search = call("search").on("i").word("a b");
        let searched = |hint: Sentence| {
            let error = searched(Error::new(Kind::Binary, "").hint(hint), &search);
            worded(&error.hint.unwrap())
        };
        let lines = || call("lines").file("f").word("1:20");
        for (hint, expected) in [
            (lines().on("text").again(), "rread search -i 'a b' f --text"),
            (lines().again(), "rread search -i 'a b' f"),
            (hint(Path::new("f"), "x/y"), "rread search -i 'a b' f --text"),
            (hint(Path::new("-"), "x/y"), "COMMAND | rread search -i 'a b' - --text"),
            (
                hint(Path::new("Cargo.toml"), "application/x-executable"),
                "strings Cargo.toml | rread search -i 'a b' -",
            ),
            (
                hint(Path::new("Cargo.toml"), "application/vnd.rar"),
                "unrar l Cargo.toml | rread search -i 'a b' -; unrar p -inul Cargo.toml | rread search -i 'a b' -",
            ),
            (hint(Path::new("f"), "image/png"), "rread image f"),
            (hint(Path::new("f"), "application/zip"), "rread stat f --list"),
        ] {
            assert_eq!(searched(hint.clone()), expected, "{hint:?}");
        }
        let usage = Error::usage("").hint(lines());
        assert_eq!(super::searched(usage.clone(), &search).hint, usage.hint);
    }

    #[test]
    fn names_are_quoted_and_nothing_in_them_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let prefix = format!("{}/", folder.path().display());
        let hint = |name: &str, mime| {
            let path = if name == "-" { name.into() } else { folder.path().join(name) };
            // Other programs read only what is there.
            if name != "-" {
                std::fs::write(&path, "").unwrap();
            }
            worded(&hint(&path, mime)).replace(&prefix, "")
        };
        assert_eq!(
            hint("my PIPE {}.pdf", "application/pdf"),
            "pdftotext 'my PIPE {}.pdf' - | rread lines - 1:20"
        );
        assert_eq!(hint("-rf", "application/x-rpm"), "rpm -qlvp -rf | rread lines - 1:20");
        assert_eq!(
            worded(&super::tests::hint(Path::new("zip:a.zip/-b.rpm"), "application/x-rpm")),
            "rread bytes zip:a.zip/-b.rpm --raw --text --no-decompress > COPY.rpm && rpm -qlvp COPY.rpm | rread lines - 1:20"
        );
        assert_eq!(hint("it's", "x/y"), "rread bytes 'it'\\''s' 0:256 --encode hexdump");
        assert_eq!(hint("-", "application/pdf"), "COMMAND | rread bytes - 0:256 --encode hexdump");
        assert_eq!(hint("a b", "image/avif"), "magick 'a b' picture.png && rread image picture.png");
        assert_eq!(hint("a", "image/heif"), "heif-convert a picture.png && rread image picture.png");
        assert_eq!(hint("a b", "image/png"), "rread image 'a b'");
        assert_eq!(hint("a", "application/x-lzma"), "xz -dc a | rread lines - 1:20");
        // What is inside a compressed file, other programs do not read.
        assert_eq!(hint("a", ""), "rread bytes a 0:256 --encode hexdump");
        assert_eq!(hint("-", "image/png"), "COMMAND | rread image -");
    }

    #[test]
    fn every_converter_is_reached_and_names_the_file() {
        for (at, (of, command)) in CONVERTERS.iter().enumerate() {
            assert!(command.contains("{}"), "{command}");
            let shadowed = CONVERTERS[..at]
                .iter()
                .any(|(before, _)| before == of || before.ends_with(['/', '.']) && of.starts_with(before));
            assert!(!shadowed, "{of}");
        }
    }
}
