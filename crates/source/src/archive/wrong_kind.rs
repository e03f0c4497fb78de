//! The error for an archive that is not of the kind that its address says.

use super::address::MemberAddress;
use super::walk::kind_of;
use crate::Source;
use crate::compressed::foreign;
use rread_text::error::Error;
use rread_text::sentence::{call, shell};

/// The error for an archive of the other kind.
pub(super) fn wrong_kind(error: Error, archive: &dyn Source, address: &MemberAddress) -> Error {
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
