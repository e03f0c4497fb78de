//! Writes a capture to a file of the user, completely or not at all.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use rread_source::limits;
use rread_text::{Error, Kind, Result, Sentence, call, setting};

/// The treatment of a file that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Refuse it.
    New,
    /// Replace its content.
    Replace,
    /// Write after its end.
    Append,
}

/// Writes the file `from` to `path`; after a failure, `path` is unchanged. Without `create`, `path` must exist. Returns
/// `created`, `replaced` or `appended`, and the topmost directory that was made.
pub fn save(from: &Path, path: &Path, mode: Mode, create: bool) -> Result<(&'static str, Option<PathBuf>)> {
    try_save(from, path, mode, create).map_err(|error| error.at(path))
}

fn try_save(from: &Path, path: &Path, mode: Mode, create: bool) -> Result<(&'static str, Option<PathBuf>)> {
    let source = File::open(from).map_err(|cause| Error::read("cannot read the capture", &cause))?;
    let there = target(path)?;
    let before = there.as_ref().map_or(0, |(_, metadata)| metadata.len());
    check_limit(&source, if mode == Mode::Append { before } else { 0 })?;
    let saved = match (there, mode) {
        (Some(_), Mode::New) => {
            return Err(Error::new(Kind::Write, "already exists").hint(replace_or_append()));
        }
        (None, _) if !create => {
            return Err(Error::new(
                Kind::Write,
                Sentence::from("does not exist, and ").then(setting("no-create")).then(" was given"),
            ));
        }
        (Some((real, _)), Mode::Append) => append(source, &real, before).map(|()| ("appended", None)),
        (Some((real, old)), Mode::Replace) => {
            write(source, folder_of(&real), &real, Some(&old)).map(|()| ("replaced", None))
        }
        (None, _) => create_file(source, path).map(|made| ("created", made)),
    };
    saved.map_err(|cause| match cause.kind() {
        io::ErrorKind::AlreadyExists => {
            Error::new(Kind::Write, "was created by another program meanwhile").hint(replace_or_append())
        }
        _ => Error::writing("cannot be written", &cause),
    })
}

/// The regular file at `path`, with links resolved; `None` if nothing exists there.
fn target(path: &Path) -> Result<Option<(PathBuf, Metadata)>> {
    let refuse = |message: String| Err(Error::new(Kind::Write, message));
    if path.as_os_str().is_empty() {
        return refuse("an empty name is not a file".to_owned());
    }
    refuse_links_of_others(path)?;
    let failed = |cause: io::Error| Error::writing("cannot be written", &cause);
    match path.symlink_metadata() {
        // The system's error for a trailing slash is hard to understand.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return match path.as_os_str().as_encoded_bytes().ends_with(b"/") {
                true => refuse("is the name of a directory".to_owned()),
                false => Ok(None),
            };
        }
        Err(error) => return Err(failed(error)),
        Ok(_) => {}
    }
    let metadata = match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let to = fs::read_link(path).map_err(failed)?;
            return refuse(format!("broken link to '{}'", to.display()));
        }
        found => found.map_err(failed)?,
    };
    if metadata.is_dir() {
        let hint = call("capture").word("save").word("fd:N").file(path.join("NAME"));
        return Err(Error::new(Kind::Write, "is a directory").hint(hint));
    }
    if !metadata.is_file() {
        return refuse("is not a regular file".to_owned());
    }
    Ok(Some((path.canonicalize().map_err(failed)?, metadata)))
}

/// Links to follow on the way to a file, as many as Linux follows.
#[cfg(unix)]
const MAX_LINKS: usize = 40;

/// Refuses a link, also of a directory on the way, whose owner is neither this user nor root: it may lead anywhere.
#[cfg(unix)]
fn refuse_links_of_others(path: &Path) -> Result<()> {
    use std::os::unix::fs::MetadataExt;
    let failed = |cause: io::Error| Error::writing("cannot be written", &cause);
    let mut rest = std::path::absolute(path).map_err(failed)?;
    for _ in 0..MAX_LINKS {
        let links = |part: &&Path| part.symlink_metadata().is_ok_and(|found| found.is_symlink());
        let parts: Vec<&Path> = rest.ancestors().collect();
        let Some(link) = parts.into_iter().rev().find(links).map(Path::to_owned) else { return Ok(()) };
        let owner = link.symlink_metadata().map_err(failed)?.uid();
        if owner != 0 && owner != rustix::process::geteuid().as_raw() {
            let message = format!("leads over the link '{}', which belongs to another user", link.display());
            return Err(Error::new(Kind::Write, message).hint("name the file itself"));
        }
        let after = rest.strip_prefix(&link).map(Path::to_owned).unwrap_or_default();
        let target = link.parent().unwrap_or(Path::new("/")).join(fs::read_link(&link).map_err(failed)?);
        rest = if after.as_os_str().is_empty() { target } else { target.join(after) };
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_links_of_others(_: &Path) -> Result<()> {
    Ok(())
}

/// Writing past the file size limit would kill rread by a signal.
fn check_limit(source: &File, before: u64) -> Result<()> {
    let Some(limit) = limits::file_size() else { return Ok(()) };
    let size = source.metadata().map_or(0, |metadata| metadata.len()).saturating_add(before);
    if size <= limit {
        return Ok(());
    }
    Err(Error::new(
        Kind::Write,
        format!("would have {size} bytes, more than the limit of {limit} (ulimit -f)"),
    ))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a new file and makes missing directories; returns the topmost of them.
fn create_file(source: File, path: &Path) -> io::Result<Option<PathBuf>> {
    let folder = folder_of(path);
    let missing: Vec<&Path> = folder.ancestors().take_while(|dir| is_missing(dir)).collect();
    // A broken link on the way fails with AlreadyExists, which would be read as the file itself.
    let made = fs::create_dir_all(folder).map_err(|cause| match cause.kind() {
        io::ErrorKind::AlreadyExists => io::Error::other(format!("{} is not a directory", folder.display())),
        _ => cause,
    });
    let written = made.and_then(|()| write(source, folder, path, None));
    if written.is_err() {
        // Deepest first; `remove_dir` removes only empty directories.
        missing.iter().for_each(|dir| drop(fs::remove_dir(dir)));
    }
    written.map(|()| missing.last().map(|dir| dir.to_path_buf()))
}

fn is_missing(dir: &Path) -> bool {
    let found = dir.symlink_metadata();
    !dir.as_os_str().is_empty() && found.is_err_and(|cause| cause.kind() == io::ErrorKind::NotFound)
}

/// Writes a temporary file in `folder`, then renames it to `path`.
fn write(mut source: File, folder: &Path, path: &Path, old: Option<&Metadata>) -> io::Result<()> {
    let mut file = beside(folder)?;
    io::copy(&mut source, file.as_file_mut())?;
    match old {
        None => file.persist_noclobber(path).map_err(|error| error.error)?,
        Some(old) => {
            // A read-only file must not be replaced.
            OpenOptions::new().append(true).open(path)?;
            file.as_file().set_permissions(old.permissions())?;
            file.persist(path).map_err(|error| error.error)?
        }
    };
    Ok(())
}

/// A temporary file with the permissions of an ordinary new file.
fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rread-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Extends `path`, whose size is `before`; truncates it again after a failure.
fn append(source: File, path: &Path, before: u64) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.append(true);
    // Links were resolved; one that came meanwhile is not followed.
    #[cfg(unix)]
    {
        let flags = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).map_err(io::Error::other)?;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    let mut file = options.open(path)?;
    // `path` may be a hard link to the capture, which then grows while it is read.
    let size = source.metadata()?.len();
    io::copy(&mut source.take(size), &mut file).inspect_err(|_| drop(file.set_len(before))).map(drop)
}

fn replace_or_append() -> Sentence {
    setting("force").then(" replaces it, ").then(setting("append")).then(" writes after its end")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_appended_to_itself_ends() {
        let dir = tempfile::tempdir().unwrap();
        let (output, link) = (dir.path().join("output"), dir.path().join("link"));
        fs::write(&output, "some lines\n".repeat(1000)).unwrap();
        fs::hard_link(&output, &link).unwrap();
        assert_eq!(save(&output, &link, Mode::Append, true).unwrap(), ("appended", None));
        assert_eq!(fs::read_to_string(&link).unwrap(), "some lines\n".repeat(2000));
    }

    /// Only root can make a link that belongs to another user.
    #[cfg(unix)]
    #[test]
    fn links_of_other_users_are_not_followed() {
        use std::os::unix::fs::{lchown, symlink};
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        fs::write(path("output"), "text").unwrap();
        fs::create_dir(path("d")).unwrap();
        fs::write(path("d/mine"), "mine").unwrap();
        for (name, to) in [("theirs", "d/mine"), ("dir", "d"), ("broken", "nowhere"), ("own", "theirs")] {
            symlink(to, path(name)).unwrap();
            if name != "own" && lchown(path(name), Some(12345), Some(12345)).is_err() {
                // Only root can give a link away.
                return;
            }
        }
        for name in ["theirs", "dir/mine", "dir/new", "dir/new/deep", "broken", "own"] {
            for mode in [Mode::New, Mode::Replace, Mode::Append] {
                let error = save(&path("output"), &path(name), mode, true).unwrap_err();
                assert!(error.to_string().contains("belongs to another user"), "{name} {mode:?}: {error:?}");
            }
        }
        assert_eq!(fs::read_to_string(path("d/mine")).unwrap(), "mine");
        assert_eq!(fs::read_dir(path("d")).unwrap().count(), 1);
        lchown(path("theirs"), Some(0), Some(0)).unwrap();
        for link in ["theirs", "own"] {
            save(&path("output"), &path(link), Mode::Replace, true).unwrap();
        }
        assert_eq!(fs::read_to_string(path("d/mine")).unwrap(), "text");
    }

    #[cfg(unix)]
    #[test]
    fn a_broken_link_on_the_way_is_not_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let (output, link) = (dir.path().join("output"), dir.path().join("link"));
        fs::write(&output, "text").unwrap();
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        let error = save(&output, &link.join("file"), Mode::New, true).unwrap_err();
        assert!(error.to_string().contains("is not a directory") && error.hint.is_none(), "{error:?}");
        assert!(!dir.path().join("nowhere").exists());
    }
}
