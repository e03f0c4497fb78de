//! Names an archive and its members as the client does, in the place of paths of the server.

use std::path::{Path, PathBuf};

use rread_source::member_address::ArchiveKind;
use rread_text::error::Error;

/// The two names of an archive.
#[derive(Clone, Debug)]
pub(super) struct ArchiveName {
    /// The server's.
    pub(super) path: PathBuf,
    /// The client's.
    pub(super) shown: String,
}

impl ArchiveName {
    /// The client's name of `path`, if that is the archive or an address in it.
    pub(super) fn of(&self, path: &Path) -> Option<String> {
        if path == self.path {
            return Some(self.shown.clone());
        }
        let (text, archive) = (path.to_string_lossy(), self.path.to_string_lossy());
        [ArchiveKind::Tar, ArchiveKind::Zip].into_iter().find_map(|kind| {
            let member = text.strip_prefix(kind.prefix())?.strip_prefix(&*archive)?;
            let is_whole = member.is_empty() || member.starts_with('/');
            is_whole.then(|| format!("{}{}{member}", kind.prefix(), self.shown))
        })
    }

    /// `error` with the client's names.
    pub(super) fn in_error(&self, error: Error) -> Error {
        let named = |path: PathBuf| self.of(&path).map_or(path, PathBuf::from);
        let hint = error.hint.clone().map(|hint| hint.map_paths(named));
        Error { message: error.message.clone().map_paths(named), hint, ..error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_archive_get_the_name_of_the_client() {
        let name = ArchiveName { path: "/root/a.tar".into(), shown: "./a.tar".to_owned() };
        for (path, expected) in [
            ("/root/a.tar", Some("./a.tar")),
            ("tar:/root/a.tar", Some("tar:./a.tar")),
            ("zip:/root/a.tar/x/y", Some("zip:./a.tar/x/y")),
            ("tar:/root/a.tar//x", Some("tar:./a.tar//x")),
            ("tar:/root/a.tar.gz/x", None),
            ("/root/a.tar/x", None),
            ("x", None),
        ] {
            assert_eq!(name.of(Path::new(path)).as_deref(), expected, "{path}");
        }
    }
}
