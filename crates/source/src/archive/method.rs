//! The methods with which ZIP archives compress members.

use std::borrow::Cow;
use std::path::Path;

use super::address::MemberAddress;
use super::entry::Entry;
use crate::ContainerMethod;
use rread_text::error::{Error, Kind};
use rread_text::sentence::{file, shell};

/// Methods that rread does not decompress.
const OTHERS: &[(u16, &str)] = &[
    (1, "shrink"),
    (2, "reduce"),
    (3, "reduce"),
    (4, "reduce"),
    (5, "reduce"),
    (6, "implode"),
    (9, "deflate64"),
    (10, "PKWARE implode"),
    (94, "mp3"),
    (96, "jpeg"),
    (97, "wavpack"),
    (98, "ppmd"),
];

/// How the data of a member is compressed.
pub(super) enum Method {
    Stored,
    Contained(ContainerMethod),
    Other(Cow<'static, str>),
}

impl Method {
    /// The method with this number (APPNOTE.TXT 6.3.10, 4.4.5).
    pub(super) fn of(number: u16) -> Self {
        Method::Contained(match number {
            0 => return Method::Stored,
            8 => ContainerMethod::Deflate,
            12 => ContainerMethod::Bzip2,
            14 => ContainerMethod::Lzma,
            20 | 93 => ContainerMethod::Zstd,
            95 => ContainerMethod::Xz,
            _ => {
                let known = OTHERS.iter().find(|(other, _)| *other == number);
                let name =
                    known.map_or_else(|| format!("method {number}").into(), |(_, name)| (*name).into());
                return Method::Other(name);
            }
        })
    }
}

/// The error for the member `entry`, which is compressed with `method`, with the command of a program that reads most of
/// them, unless the archive is compressed itself.
pub(super) fn unsupported(method: &str, entry: &Entry, address: &MemberAddress, is_plain: bool) -> Error {
    let message = format!("is compressed with {method} in the archive, which rread does not decompress");
    let error = Error::new(Kind::Io, message);
    if !is_plain || address.archive == Path::new("-") {
        return error;
    }
    let name = String::from_utf8_lossy(&entry.name).into_owned();
    let unpack = shell("7z x -so -- ").then(file(&address.archive)).then(shell(" ")).then(file(name));
    error.hint(unpack.piped_to_lines("1:20"))
}
