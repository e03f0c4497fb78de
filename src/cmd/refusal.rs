//! Why a binary file is not read as text, and which program reads it instead.

use std::path::Path;

use crate::error::{Error, Kind};
use crate::source::open::quoted;

/// What makes text of a type: `FILE` stands for the file, `PIPE` for the end of a pipe. A type that ends with `/` or
/// `.` stands for all that begin with it; the first that fits counts.
const CONVERTERS: &[(&str, &str)] = &[
    ("application/x-tar", "tar -tvf FILE, and then tar -xOf FILE NAME PIPE"),
    ("application/zip", "unzip -l FILE, and then unzip -p FILE NAME PIPE"),
    ("application/java-archive", "unzip -l FILE, and then unzip -p FILE NAME PIPE"),
    ("application/x-7z-compressed", "7z l FILE, and then 7z x -so FILE NAME PIPE"),
    ("application/vnd.rar", "unrar l FILE, and then unrar p -inul FILE NAME PIPE"),
    ("application/vnd.debian.binary-package", "dpkg-deb -c FILE PIPE"),
    ("application/x-rpm", "rpm -qlvp FILE PIPE"),
    ("application/x-unix-archive", "ar tv FILE PIPE"),
    ("application/x-cpio", "cpio -itv < FILE PIPE"),
    ("application/gzip", "gzip -dc FILE PIPE"),
    ("application/x-compress", "gzip -dc FILE PIPE"),
    ("application/zstd", "zstd -dc FILE PIPE"),
    ("application/x-xz", "xz -dc FILE PIPE"),
    ("application/x-lzma", "xz -dc FILE PIPE"),
    ("application/x-bzip2", "bzip2 -dc FILE PIPE"),
    ("application/vnd.bzip3", "bzip3 -dc FILE PIPE"),
    ("application/x-lz4", "lz4 -dc FILE PIPE"),
    ("application/x-lzip", "lzip -dc FILE PIPE"),
    ("application/pdf", "pdftotext FILE - PIPE"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.", "pandoc -t plain FILE PIPE"),
    ("application/vnd.oasis.opendocument.text", "pandoc -f odt -t plain FILE PIPE"),
    ("application/epub+zip", "pandoc -f epub -t plain FILE PIPE"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.", "libreoffice --headless --convert-to csv FILE"),
    ("application/vnd.oasis.opendocument.spreadsheet", "libreoffice --headless --convert-to csv FILE"),
    ("application/vnd.ms-excel", "libreoffice --headless --convert-to csv FILE"),
    ("application/msword", "libreoffice --headless --convert-to txt:Text FILE"),
    ("application/vnd.openxmlformats-officedocument.", "libreoffice --headless --convert-to pdf FILE"),
    ("application/vnd.oasis.opendocument.", "libreoffice --headless --convert-to pdf FILE"),
    ("application/vnd.ms-powerpoint", "libreoffice --headless --convert-to pdf FILE"),
    ("application/vnd.sqlite3", "sqlite3 FILE .dump PIPE"),
    (
        "application/vnd.apache.parquet",
        "python3 -c 'import sys, pandas; pandas.read_parquet(sys.argv[1]).to_csv(sys.stdout)' FILE PIPE",
    ),
    (
        "application/vnd.apache.arrow.",
        "python3 -c 'import sys, pandas; pandas.read_feather(sys.argv[1]).to_csv(sys.stdout)' FILE PIPE",
    ),
    (
        "application/vnd.apache.orc",
        "python3 -c 'import sys, pandas; pandas.read_orc(sys.argv[1]).to_csv(sys.stdout)' FILE PIPE",
    ),
    ("application/x-hdf5", "h5dump -n FILE PIPE"),
    ("application/x-systemd-journal", "journalctl --file FILE PIPE"),
    ("application/vnd.tcpdump.pcap", "tcpdump -nr FILE PIPE"),
    ("application/x-pcapng", "tcpdump -nr FILE PIPE"),
    ("application/x-bplist", "plutil -p FILE PIPE"),
    ("application/x-gettext-translation", "msgunfmt FILE PIPE"),
    ("application/x-git-index", "GIT_INDEX_FILE=FILE git ls-files --stage PIPE"),
    ("application/x-x509-ca-cert", "openssl asn1parse -inform DER -in FILE PIPE"),
    ("application/java", "javap -v FILE PIPE"),
    ("application/wasm", "wasm-objdump -x FILE PIPE"),
    ("application/x-executable", "strings FILE PIPE"),
    ("application/x-mach-binary", "strings FILE PIPE"),
    ("application/vnd.microsoft.portable-executable", "strings FILE PIPE"),
    ("application/x-llvm", "strings FILE PIPE"),
    ("application/vnd.android.", "strings FILE PIPE"),
    ("application/x-python-bytecode", "strings FILE PIPE"),
    ("image/", "rread bytes FILE 0:256 --encode base64"),
    ("audio/", "ffprobe FILE"),
    ("video/", "ffprobe FILE"),
];

/// What every other type gets: the bytes themselves.
const BYTES: &str = "rread bytes FILE 0:256 --encode hex";

/// The refusal of the file at `path`, whose content is of type `mime`.
pub(super) fn binary(path: &Path, mime: &str) -> Error {
    let message = format!(
        "Binary files are not supported. File detected as {mime}. --text reads it all the same, --encode gives its exact bytes."
    );
    Error::new(Kind::Binary, message).hint(hint(path, mime))
}

/// What to type: a program that makes text of the type, else our own view of the bytes.
fn hint(path: &Path, mime: &str) -> String {
    if path == Path::new("-") {
        return "COMMAND | rread bytes - 0:256 --encode hex".to_owned();
    }
    // Other programs would take such a name for an option.
    let dashed = path.to_string_lossy().starts_with('-').then(|| Path::new(".").join(path));
    let fits = |of: &str| mime == of || of.ends_with(['/', '.']) && mime.starts_with(of);
    let command = CONVERTERS.iter().find(|(of, _)| fits(of)).map_or(BYTES, |(_, command)| command);
    // The name comes last: nothing in it is replaced.
    command.replace("PIPE", "| rread lines - 1:20").replace("FILE", &quoted(dashed.as_deref().unwrap_or(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_and_nothing_in_them_is_replaced() {
        let hint = |path: &str, mime| hint(Path::new(path), mime);
        assert_eq!(
            hint("my PIPE FILE.pdf", "application/pdf"),
            "pdftotext 'my PIPE FILE.pdf' - | rread lines - 1:20"
        );
        assert_eq!(hint("-rf", "application/x-rpm"), "rpm -qlvp ./-rf | rread lines - 1:20");
        assert_eq!(hint("it's", "x/y"), "rread bytes 'it'\\''s' 0:256 --encode hex");
        assert_eq!(hint("-", "application/pdf"), "COMMAND | rread bytes - 0:256 --encode hex");
        assert_eq!(hint("a", "image/png"), "rread bytes a 0:256 --encode base64");
    }

    #[test]
    fn every_converter_is_reached_and_names_the_file() {
        for (at, (of, command)) in CONVERTERS.iter().enumerate() {
            assert!(command.contains("FILE"), "{command}");
            let shadowed = CONVERTERS[..at]
                .iter()
                .any(|(before, _)| before == of || before.ends_with(['/', '.']) && of.starts_with(before));
            assert!(!shadowed, "{of}");
        }
    }
}
