//! The members of an archive that a FILE means, each of which has an answer of its own.

use crate::request::Request;
use rread_source::archive::MemberPattern;
use rread_source::members::{self, Members};
use rread_text::error::{Error, Kind, Result};

/// The members that the path of `request` means; `None` if it means one file.
///
/// # Errors
///
/// Those of usage. A file that cannot be opened has its error where it is opened.
pub fn of(request: &Request<'_>) -> Result<Option<Members>> {
    let (content, source) = (request.content, &request.content.read.source);
    // A server finds the members of its clients' names by itself.
    if !request.takes_archives || request.member.is_some() || source.access.opener.is_some() {
        return Ok(None);
    }
    // The options say what of the archive itself to read.
    let takes_archives = !content.text && content.encode.is_none();
    match members::of_name(&request.path, &source.access, takes_archives) {
        Err(error) if error.kind != Kind::Usage => Ok(None),
        found => found,
    }
}

/// The error for an archive of which no member is in the answer, although `asked` are files that the name means.
pub fn none(members: &Members, asked: u64) -> Error {
    let error = match (&members.pattern, asked) {
        (MemberPattern::Glob { text, .. }, 0) => {
            let pattern = String::from_utf8_lossy(text);
            Error::new(Kind::NotFound, format!("no file in the archive matches '{pattern}'"))
        }
        (_, 0) => Error::new(Kind::NotFound, "no file is in the archive"),
        (_, 1) => Error::new(Kind::Binary, "the only file in the archive is binary"),
        (_, files) => Error::new(Kind::Binary, format!("the {files} files in the archive are binary")),
    };
    error.hint(members.archive.list())
}
