//! Words that continue the address of a member, for the completions of shells.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::access::Access;
use crate::archive::{MemberAddress, Walk, kind_by_name, kind_of};
use crate::member_address::ArchiveKind;
use crate::open::open_decompressed;
use crate::spelling::MAX_NAMES;
use rread_text::error::Result;

/// How long the members of an archive are listed: somebody waits for a key.
const PATIENCE: Duration = Duration::from_millis(200);

/// The largest compressed archive that is read: to list its members, all of it is decompressed.
const MAX_COMPRESSED: u64 = 4 << 20;

/// The words that may follow `word`, the beginning of an address such as `zip:logs.zip/a`, each as a whole, in order.
///
/// A word that ends with `/` goes on. There are none for anything that cannot be read at once: no error, no network.
pub fn complete(word: &str) -> Vec<String> {
    let Some((kind, rest)) = ArchiveKind::of_address(Path::new(word)) else { return Vec::new() };
    let rest = &word[word.len() - rest.len()..];
    let found = match MemberAddress::parse(kind, rest.as_bytes()) {
        // As paths, `a` and `a/` are equal.
        Ok(address) if address.archive.is_file() && address.archive.as_os_str() != rest => {
            members(&address).unwrap_or_default()
        }
        _ => archives(kind, rest),
    };
    found.into_iter().map(|found| format!("{}{found}", kind.prefix())).collect()
}

/// Directories, and archives that have the ending of their kind, whose paths begin with `start`.
fn archives(kind: ArchiveKind, start: &str) -> BTreeSet<String> {
    let at = start.rfind('/').map_or(0, |slash| slash + 1);
    let (folder, name) = start.split_at(at);
    let Ok(entries) = fs::read_dir(if folder.is_empty() { "." } else { folder }) else {
        return BTreeSet::new();
    };
    let names = entries.take(MAX_NAMES).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let is_meant =
        |found: &String| found.starts_with(name) && (name.starts_with('.') || !found.starts_with('.'));
    let paths = names.filter(is_meant).map(|found| format!("{folder}{found}"));
    let leads_on = |path: &String| {
        let path = Path::new(path);
        path.is_dir() || path.is_file() && path.to_str().and_then(kind_by_name) == Some(kind)
    };
    paths.filter(leads_on).filter(|path| is_word(path)).map(|path| format!("{path}/")).collect()
}

/// The members of the archive of `address` that begin as it does, up to the end of one folder.
fn members(address: &MemberAddress) -> Result<BTreeSet<String>> {
    let archive = &address.archive;
    let source = open_decompressed(archive, &Access::default())?;
    let mut found = BTreeSet::new();
    let is_large = source.stored().size().is_none_or(|size| size > MAX_COMPRESSED);
    if source.info().decoding.is_some() && is_large
        || kind_of(source.as_ref(), archive)? != Some(address.kind)
    {
        return Ok(found);
    }
    let until = Instant::now() + PATIENCE;
    let mut walk = Walk::new(source.as_ref(), address.kind, archive)?;
    // The members before a damage are offered too.
    while let Ok(Some(entry)) = walk.next() {
        let name = entry.listed.name;
        if let Some(rest) = name.strip_prefix(&address.member[..])
            && let Ok(name) = std::str::from_utf8(&name)
            && is_word(name)
        {
            let end = rest
                .iter()
                .position(|byte| *byte == b'/')
                .map_or(name.len(), |at| name.len() - rest.len() + at + 1);
            found.insert(format!("{}/{}", archive.display(), &name[..end]));
        }
        if found.len() >= MAX_NAMES || Instant::now() > until {
            break;
        }
    }
    Ok(found)
}

/// Whether `name` can be one line of a list.
fn is_word(name: &str) -> bool {
    !name.contains(char::is_control)
}
