//! The directories that a server may read, and the only way to open a file in them.

pub(crate) mod call;
#[cfg(feature = "cluster")]
pub(crate) mod of_worker;
pub(crate) mod walk;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use serde_json::json;

use rread_source::spelling::{MAX_NAMES, folder_of, names_of_pattern, nearest, path_of_url, respell_in};
use rread_text::{Error, Kind, Result, did_you_mean, inert};

/// One root: a directory that is open, and its names.
#[derive(Debug)]
pub(crate) struct Root {
    dir: Dir,
    /// Without links, for names that other parts of rread see.
    pub(crate) path: PathBuf,
    /// As it was given, which may be a link.
    given: PathBuf,
}

#[derive(Debug)]
pub(crate) struct Roots {
    roots: Vec<Root>,
    /// The working directory, if there are no limits: the roots are those of the file system then.
    pub(crate) everywhere: Option<PathBuf>,
}

/// A file or directory in a root.
#[derive(Clone, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) root: &'a Root,
    /// The path below the root; empty for the root itself.
    pub(crate) rest: PathBuf,
}

/// The file that a name has, which stays open when the name gets another. Without Unix, a file that was replaced is
/// noticed only if it is shorter.
#[derive(Debug)]
pub(crate) struct FileState {
    /// Device and inode.
    pub(crate) id: (u64, u64),
    pub(crate) size: u64,
    file: File,
}

impl FileState {
    /// The bytes from `offset` on, at most `most` of them.
    pub(crate) fn rest(&self, offset: u64, most: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = &self.file;
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.take(most).read_to_end(&mut bytes));
        read.map(|_| bytes).map_err(|cause| Error::read("cannot read", &cause))
    }
}

impl Place<'_> {
    pub(crate) fn path(&self) -> PathBuf {
        if self.rest == Path::new("") { self.root.path.clone() } else { self.root.path.join(&self.rest) }
    }

    fn below(&self) -> &Path {
        if self.rest == Path::new("") { Path::new(".") } else { &self.rest }
    }

    pub(crate) fn open_dir(&self) -> io::Result<Dir> {
        self.root.dir.open_dir(self.below())
    }

    pub(crate) fn is_dir(&self) -> bool {
        self.root.dir.metadata(self.below()).is_ok_and(|metadata| metadata.is_dir())
    }

    /// Takes the path of the one file below the root whose name differs only in its spelling.
    fn respell(&mut self) {
        let exists = |path: &Path| self.root.dir.symlink_metadata(path).is_ok();
        if let Some(rest) = respell_in(&self.rest, exists, |directory| names_in(self.root, directory)) {
            self.rest = rest;
        }
    }

    /// Whether there is anything of that name, even a link that leads outside.
    pub(crate) fn exists(&self) -> bool {
        self.root.dir.symlink_metadata(self.below()).is_ok()
    }
}

impl Roots {
    /// Opens `paths`, or the working directory.
    pub(crate) fn open(paths: &[PathBuf]) -> Result<Self> {
        let here = [PathBuf::from(".")];
        let paths = if paths.is_empty() { &here } else { paths };
        let roots = paths.iter().map(|path| open_root(path).map_err(|error| error.at(path)));
        Ok(Roots { roots: roots.collect::<Result<_>>()?, everywhere: None })
    }

    /// All files that the user can read.
    pub(crate) fn everywhere() -> Result<Self> {
        let here = std::env::current_dir().map_err(|cause| Error::read("no working directory", &cause))?;
        let here = here.canonicalize().unwrap_or(here);
        #[cfg(unix)]
        let tops = [PathBuf::from("/")];
        #[cfg(not(unix))]
        let tops = ('A'..='Z').map(|drive| PathBuf::from(format!(r"\\?\{drive}:\")));
        let roots = tops.into_iter().filter_map(|top| open_root(&top).ok()).collect();
        Ok(Roots { roots, everywhere: Some(here) })
    }

    /// The roots as they were given.
    pub(crate) fn names(&self) -> String {
        let names: Vec<String> = self.roots.iter().map(|root| root.given.display().to_string()).collect();
        names.join(", ")
    }

    /// The names that stand for all roots.
    pub(crate) fn defaults(&self) -> Vec<String> {
        match &self.roots[..] {
            _ if self.everywhere.is_some() => vec![".".to_owned()],
            [_] => vec![".".to_owned()],
            several => several.iter().map(|root| root.given.to_string_lossy().into_owned()).collect(),
        }
    }

    /// The place that `name` means: an absolute path in a root, or a path below the first root that has it.
    pub(crate) fn place(&self, name: &str) -> Result<Place<'_>> {
        let path = Path::new(name);
        if name.is_empty() {
            return Err(Error::usage("the path is empty"));
        }
        let local = path_of_url(name);
        let mut places = self.places(local.as_deref().unwrap_or(path));
        if !places.iter().any(Place::exists) {
            places.iter_mut().for_each(Place::respell);
        }
        let found = places.iter().position(Place::exists).unwrap_or(0);
        if places.is_empty() {
            return Err(self.outside());
        }
        Ok(places.swap_remove(found))
    }

    /// Every place that `path` can mean, the deepest root first.
    fn places(&self, path: &Path) -> Vec<Place<'_>> {
        if let Some(here) = &self.everywhere {
            let path = without_links(&here.join(path));
            let top = self.roots.iter().find_map(|root| Some((root, path.strip_prefix(&root.path).ok()?)));
            return top.map(|(root, rest)| Place { root, rest: rest.to_owned() }).into_iter().collect();
        }
        if !path.has_root() && !matches!(path.components().next(), Some(Component::Prefix(_))) {
            let rest = path.strip_prefix(".").unwrap_or(path);
            return self.roots.iter().map(|root| Place { root, rest: rest.to_owned() }).collect();
        }
        let below = |root: &Root| {
            path.strip_prefix(&root.path).or_else(|_| path.strip_prefix(&root.given)).map(Path::to_owned).ok()
        };
        let inside = self.roots.iter().filter_map(|root| Some(Place { root, rest: below(root)? }));
        let mut places: Vec<Place<'_>> = inside.collect();
        places.sort_by_key(|place| place.rest.components().count());
        places
    }

    /// Opens the regular file `path`. Neither `..` nor a link nor a race leads out of the roots.
    pub(crate) fn open_file(&self, path: &Path) -> Result<File> {
        let mut outcome = Err(self.outside());
        for place in self.places(path) {
            outcome = self.open_at(&place);
            if outcome.is_ok() {
                break;
            }
        }
        outcome
    }

    /// The file `path` as it is now.
    pub(crate) fn state(&self, path: &Path) -> Result<FileState> {
        let file = self.open_file(path)?;
        let metadata = file.metadata();
        let metadata = metadata.map_err(|cause| Error::read("cannot open", &cause))?;
        #[cfg(unix)]
        let id = {
            use std::os::unix::fs::MetadataExt;
            (metadata.dev(), metadata.ino())
        };
        #[cfg(not(unix))]
        let id = (0, 0);
        Ok(FileState { id, size: metadata.len(), file })
    }

    fn open_at(&self, place: &Place<'_>) -> Result<File> {
        let file = open(&place.root.dir, place.below()).map_err(|cause| self.open_error(&cause, place))?;
        let kind = file.metadata().map_err(|cause| Error::read("cannot open", &cause))?.file_type();
        if kind.is_file() {
            return Ok(file.into_std());
        }
        Err(if kind.is_dir() {
            Error::new(Kind::IsDirectory, "is a directory")
        } else {
            let call = json!({"command": ["timeout", "10", "head", place.below().to_string_lossy()]});
            let hint = format!("capture {call} reads a named pipe, if the server allows commands");
            Error::new(Kind::SpecialFile, "is a device, socket or named pipe, not a regular file").hint(hint)
        })
    }

    fn open_error(&self, cause: &io::Error, place: &Place<'_>) -> Error {
        // The sandbox has no error of the system for a way out.
        if cause.kind() == io::ErrorKind::PermissionDenied && cause.raw_os_error().is_none() {
            return self.outside();
        }
        if matches!(cause.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::ResourceBusy) {
            return Error::new(Kind::Locked, "is locked by another process");
        }
        let error = Error::read("cannot open", cause);
        if cause.kind() != io::ErrorKind::NotFound {
            return error;
        }
        // Without limits, the root is not the directory from which the client names files.
        let shown = |name: String| match &self.everywhere {
            Some(here) => {
                let full = place.root.path.join(name);
                full.strip_prefix(here).unwrap_or(&full).display().to_string()
            }
            None => name,
        };
        let matching: Vec<String> = matching(place).into_iter().map(shown).collect();
        if !matching.is_empty() {
            let call = json!({"paths": matching});
            return Error::new(Kind::NotFound, "is a pattern, and paths are names")
                .hint(inert(&call.to_string()));
        }
        near_miss(place).map(shown).map(did_you_mean).into_iter().fold(error, Error::hint)
    }

    fn outside(&self) -> Error {
        Error::new(Kind::Permission, "is outside the directories that this server may read").hint(format!(
            "only files in {} can be read, and links must be relative and not lead out",
            self.names()
        ))
    }
}

/// The path of the same file without links, whose targets may be absolute; the last parts need not exist.
fn without_links(path: &Path) -> PathBuf {
    let resolved = path.canonicalize().ok();
    let of_parent = || Some(without_links(path.parent()?).join(path.file_name()?));
    resolved.or_else(of_parent).unwrap_or_else(|| path.to_owned())
}

fn open_root(path: &Path) -> Result<Root> {
    let failed = |cause| Error::read("cannot open the directory", &cause);
    let dir = Dir::open_ambient_dir(path, ambient_authority()).map_err(failed)?;
    let canonical = path.canonicalize().map_err(failed)?;
    let given = std::path::absolute(path).map_err(failed)?;
    let given = if path == Path::new(".") { canonical.clone() } else { given };
    Ok(Root { dir, path: canonical, given })
}

/// Opens without waiting, for the writer of a named pipe or the holder of a lease.
pub(crate) fn open(dir: &Dir, path: &Path) -> io::Result<cap_std::fs::File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        use rustix::fs::OFlags;
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    }
    dir.open_with(path, &options)
}

/// The names in `directory`, a path below `root`.
fn names_in(root: &Root, directory: &Path) -> Vec<String> {
    let entries = root.dir.read_dir(directory).into_iter().flatten().take(MAX_NAMES);
    entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
}

/// The files that the name means as a pattern, at most 20.
fn matching(place: &Place<'_>) -> Vec<String> {
    let Some(pattern) = place.rest.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let names = names_in(place.root, folder_of(&place.rest)).into_iter();
    let names = names_of_pattern(pattern, names).into_iter().take(20);
    names.map(|name| place.rest.with_file_name(name).display().to_string()).collect()
}

/// The existing name in the same directory that a misspelled one probably means.
fn near_miss(place: &Place<'_>) -> Option<String> {
    let wanted = place.rest.file_name()?.to_str()?;
    let near = nearest(wanted, names_in(place.root, folder_of(&place.rest)).into_iter())?;
    Some(place.rest.with_file_name(near).display().to_string())
}
