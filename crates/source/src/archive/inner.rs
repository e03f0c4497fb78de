//! Archives that are members of archives.

use std::path::Path;

use super::address::MemberAddress;
use super::entry::{Reading, read_error};
use super::package::kind_of_archive;
use crate::Source;
use crate::access::OpensMember;
use crate::compressed::decompress;
use crate::member_address::{ArchiveKind, Nesting};
use rread_text::{Error, Kind, Result, Sentence, call, shell};

/// The most archives around a file.
const MAX_DEPTH: u32 = 5;

/// The archive that `member` is, and its address; `None` if it is not an archive.
///
/// # Errors
///
/// The member cannot be read, or it is in too many archives.
pub(crate) fn inner(
    member: &dyn OpensMember,
    reading: Reading,
) -> Result<Option<(Box<dyn Source>, MemberAddress)>> {
    let (archive, nesting) = member.place();
    let source =
        decompress(member.open()?, &archive, reading.salvages).map_err(|cause| read_error(&cause))?;
    let Some(kind) = kind_of_archive(&*source) else { return Ok(None) };
    if nesting.depth >= MAX_DEPTH {
        return Err(too_deep(&archive, nesting.outermost, kind));
    }
    let nesting = Nesting { depth: nesting.depth + 1, ..nesting };
    Ok(Some((source, MemberAddress { kind, archive, member: Vec::new(), reading, nesting })))
}

/// The error for an archive in too many others, with the command that searches it.
fn too_deep(archive: &Path, outermost: ArchiveKind, kind: ArchiveKind) -> Error {
    let address = format!("{}{}", outermost.prefix(), archive.display());
    let bytes = call("bytes").file(address).on("raw").on("text");
    let list = call("lines").file(kind.prefix().to_owned() + "-").word("1:20");
    Error::new(Kind::Io, format!("is an archive in {MAX_DEPTH} archives, the most that rread looks into"))
        .hint(Sentence::from(bytes).then(shell(" | ")).then(list))
}
