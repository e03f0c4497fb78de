//! Keeps the hashes that an answer showed, and finds those of an earlier one.

use std::borrow::Cow;
use std::path::{Path, absolute};

use crate::options::ReadOptions;
use crate::receipt::FileInfo;
use rread_reader::reader::Reader;
use rread_source::Change;
use rread_text::address::Address;
use rread_text::hashline::Anchor;

/// Keeps the hashes of the lines that were shown, under the version in the receipt. A hash that cannot be kept is no
/// fault of the answer.
pub(crate) fn keep(file: &FileInfo, reader: &Reader, options: &ReadOptions) {
    let anchors = reader.take_hashes();
    if anchors.is_empty() {
        return;
    }
    // Without a receipt, nobody has asked for the version yet: after a change it is another one.
    let now = || match file.details.signs.change {
        None => reader.version().ok().flatten().map(|version| version.to_string()),
        Some(Change::Appended | Change::Truncated | Change::Rewritten | Change::Replaced) => None,
    };
    let (Some(version), Some((kept, true))) =
        (file.details.version.clone().flatten().or_else(now), &options.hashes)
    else {
        return;
    };
    let _ = kept.keep(&place(&file.path), &version, anchors);
}

/// The hashes that were shown of a version of the file at `path`, ascending by line.
pub fn of(options: &ReadOptions, path: &Path, version: &str) -> Vec<Anchor> {
    options.hashes.as_ref().map(|(kept, _)| kept.of(&place(path), version)).unwrap_or_default()
}

/// The versions of the file at `path` that hashes were shown of, the last first.
pub fn versions(options: &ReadOptions, path: &Path) -> Vec<String> {
    options.hashes.as_ref().map(|(kept, _)| kept.versions(&place(path))).unwrap_or_default()
}

/// Whether hashes may be kept here.
pub fn are_kept(options: &ReadOptions) -> bool {
    matches!(options.hashes, Some((_, true)))
}

/// One name for a file, from wherever it is named.
fn place(path: &Path) -> Cow<'_, Path> {
    match path.canonicalize() {
        Ok(path) => Cow::Owned(path),
        // A URL is the same everywhere; the member of an archive is named with its archive.
        Err(_) if Address::of(path).is_some() => Cow::Borrowed(path),
        Err(_) => absolute(path).map_or(Cow::Borrowed(path), Cow::Owned),
    }
}
