//! Maps the client's file names to paths.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::mcp::call::Call;
use crate::mcp::roots::Place;
use rread_reader::capture::Handle;
use rread_source::member_address;
use rread_text::address::{self, Address};
use rread_text::error::{Error, Result};

/// The most files that a call may name.
const MOST: usize = 200;

/// A file that a client named.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) path: PathBuf,
}

/// The file that a name refers to.
pub(super) enum Meaning<'c> {
    /// In a root.
    Place(Place<'c>),
    /// A capture or a URL.
    Elsewhere(PathBuf),
}

/// The meaning of `name`. A file in a root wins over any other reading.
pub(super) fn meaning<'c>(call: &'c Arc<Call>, name: &str) -> Result<Meaning<'c>> {
    let permissions = &call.permissions;
    let path = Path::new(name);
    let about = |error: Error| error.at(path);
    let place = permissions.roots.place(name).map_err(about)?;
    if place.exists() {
        return Ok(Meaning::Place(place));
    }
    if Handle::parse(name).is_some() {
        if permissions.capture {
            return Ok(Meaning::Elsewhere(path.to_owned()));
        }
        return Err(about(Error::usage("is a capture, and this server was started without --allow-capture")));
    }
    if Address::of(path).is_some() {
        if permissions.remote {
            return Ok(Meaning::Elsewhere(path.to_owned()));
        }
        return Err(about(Error::usage("is a URL, and this server was started without --allow-remote")));
    }
    if name == "-" {
        return Err(about(Error::usage("is standard input, which carries the protocol; name a file")));
    }
    if name.starts_with("sqlite:") {
        let message =
            "is in an SQLite database, which this server does not open: SQLite follows paths by itself";
        return Err(about(Error::usage(message)));
    }
    if member_address::is_member(path) {
        let message = "is in an archive, which this server does not open; name a file";
        return Err(about(Error::usage(message)));
    }
    Ok(Meaning::Place(place))
}

/// The file `name`; a directory is found to be one when it is opened.
pub(super) fn named(call: &Arc<Call>, name: &str) -> Result<Named> {
    let path = match meaning(call, name)? {
        Meaning::Place(place) => place.path(),
        Meaning::Elsewhere(path) => path,
    };
    Ok(Named { name: name.to_owned(), path })
}

/// The names of the arguments `path` and `paths` together.
pub(super) fn all(path: Option<&String>, paths: &[String]) -> Result<Vec<String>> {
    let names: Vec<String> = path.into_iter().chain(paths).cloned().collect();
    if names.is_empty() {
        return Err(Error::usage("no file was given").hint(r#"{"path": "app.log"}"#));
    }
    if names.len() > MOST {
        return Err(Error::usage(format!("{} files are given; a call may name {MOST}", names.len()))
            .hint("name the others in another call"));
    }
    Ok(names)
}

/// The name for the client of what is called `shown` inside.
pub(super) fn name_of<'n>(files: &'n [Named], shown: &str) -> Option<&'n str> {
    files.iter().find(|file| address::shown(&file.path) == shown).map(|file| file.name.as_str())
}
