//! Compressed formats that rread does not decompress, and the programs that do.

use std::io;
use std::path::Path;

use crate::{Source, read_full};
use rread_text::sentence::{Sentence, file, shell};
use rread_text::sniff::{SAMPLE, mime, sniff};

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
pub fn program(mime: &str) -> Option<&'static str> {
    PROGRAMS.iter().find(|(of, _)| *of == mime).map(|(_, program)| *program)
}

/// The command that decompresses `source`, which is the file `path`, to standard output.
pub fn decompression(source: &dyn Source, path: &Path) -> io::Result<Option<Sentence>> {
    let mut head = vec![0; SAMPLE];
    let got = read_full(source, &mut head, 0)?;
    let head = &head[..got];
    let mime = mime(head, sniff(head, got < SAMPLE).content);
    Ok(program(mime)
        .filter(|_| path != Path::new("-"))
        .map(|program| shell(format!("{program} ")).then(file(path))))
}
