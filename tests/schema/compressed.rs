//! Calls about compressed files, and the files that they are about.

use std::fs;
use std::path::Path;

use rread_testkit::pack::Pack;

/// Command lines, as those of `calls`.
pub const COMMANDS: &[&str] = &[
    "lines app.log.gz 1:3",
    "lines app.log.gz -3:",
    "lines app.log.gz 1:3,900",
    "lines app.log.gz 1:3 --metadata-only",
    "bytes app.log.gz 100:+50",
    "bytes app.log.gz 0:20 --no-decompress --encode hex",
    "lines app.log.bgz -3:",
    "lines app.log.zst -3:",
    "lines app.log.xz -3:",
    "lines app.log.lzma -3:",
    "lines app.log.bz2 -3:",
    "lines app.log.lz4 -3:",
    "lines garbage.gz -3:",
    "lines garbage.gz 1,900",
    "lines cut.gz 1:3",
    "lines cut.gz -3:",
    "stat app.log.gz",
    "stat app.log.gz --count",
    "stat garbage.gz --count",
    "stat cut.gz --count",
    "stat app.log.gz cut.gz garbage.gz",
    "where app.log.gz --line 7",
    "where app.log.gz --byte -1",
    "where garbage.gz --byte -1",
    "where garbage.gz --line -1",
    "app.log.gz | lines - 1:3",
    "app.log.gz | lines - -3:",
    "app.log.gz | stat -",
    "index build app.log.gz",
    "lines app.log.gz -3:",
    "stat app.log.gz",
    "index show app.log.gz",
];

/// The text that `log` gives for a number of lines in every format, with garbage after it, and cut off.
pub fn write_files(folder: &Path, log: &dyn Fn(u32) -> String) {
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    let text = log(300);
    for (name, pack) in [
        ("app.log.gz", Pack::Gzip),
        ("app.log.bgz", Pack::Bgzf),
        ("app.log.zst", Pack::Zstd),
        ("app.log.xz", Pack::Xz),
        ("app.log.lzma", Pack::Lzma),
        ("app.log.bz2", Pack::Bzip2),
        ("app.log.lz4", Pack::Lz4),
    ] {
        write(name, &pack.of(text.as_bytes()));
    }
    write("garbage.gz", &[&Pack::Gzip.of(text.as_bytes())[..], &Pack::Zstd.of(b"more")].concat());
    let long = Pack::Gzip.of(log(30_000).as_bytes());
    write("cut.gz", &long[..long.len() / 2]);
}
