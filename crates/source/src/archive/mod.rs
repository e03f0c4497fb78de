//! Members of archives: `tar:logs.tar.gz/path` and `zip:bundle.zip/path`. Nothing is unpacked.

mod address;
mod blocks;
mod checksum;
mod entry;
mod find;
mod member;
mod method;
mod pax;
mod sparse;
mod split;
mod tar;
mod tar_header;
mod walk;
mod zip;
mod zip_end;
mod zip_name;

use std::path::Path;
use std::sync::Arc;

use super::Source;
use super::access::Access;
use super::compressed::foreign;
use super::member_address::ArchiveKind;
use address::MemberAddress;
pub use entry::Entry;
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::{call, shell};
pub use walk::{Walk, kind_of};

/// Opens a member; `open_archive` opens the archive by its path, without its compression.
pub(super) fn open(
    path: &Path,
    access: &Access,
    open_archive: impl FnOnce(&Path, &Access) -> Result<Box<dyn Source>>,
) -> Result<Box<dyn Source>> {
    let Some((kind, rest)) = ArchiveKind::of_address(path) else {
        return Err(Error::new(Kind::NotFound, "is not an address of a member"));
    };
    let address = MemberAddress { salvages: access.salvage, ..MemberAddress::parse(kind, rest)? };
    // --no-decompress is about the member.
    let access = Access { raw: false, ..access.clone() };
    let archive: Arc<dyn Source> = open_archive(&address.archive, &access)?.into();
    let found = find::find(&archive, &address).map_err(|error| wrong_kind(error, &*archive, &address))?;
    let member = member::MemberSource::new(archive, found, &address, access.salvage)?;
    member.refuse_damage(&address)?;
    Ok(Box::new(member))
}

/// The error for an archive of the other kind.
fn wrong_kind(error: Error, archive: &dyn Source, address: &MemberAddress) -> Error {
    match kind_of(archive, &address.archive) {
        Ok(Some(kind)) if kind != address.kind => {
            let other =
                MemberAddress { kind, archive: address.archive.clone(), member: Vec::new(), salvages: false };
            let message = format!("is a {} archive, not a {} archive", kind.name(), address.kind.name());
            Error::usage(message).hint(call("lines").file(other.path(&address.member)))
        }
        Ok(None) => match foreign::decompression(archive, &address.archive) {
            Ok(Some(command)) => {
                let piped = MemberAddress { archive: "-".into(), member: Vec::new(), ..*address };
                let lines = call("lines").file(piped.path(&address.member)).word("1:20");
                error.hint(command.then(shell(" | ")).then(lines))
            }
            _ => error,
        },
        _ => error,
    }
}
