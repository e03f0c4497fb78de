//! The files that words of a command line mean: paths, patterns, directories and lists.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use globset::GlobBuilder;

use super::compressed::recognition::ending;
use crate::access::{Access, Naming};
use crate::archive::MemberAddress;
use crate::member_address::is_inside_file;
use crate::members::{self, NamedMembers};
use crate::spelling::near_miss;
use crate::version::Version;
use rread_text::address::Scheme;
use rread_text::{Address, Error, Kind, Result, did_you_mean};

/// Directories are searched to this depth.
const DEPTH: usize = 64;

/// The files that words name.
#[derive(Debug)]
pub enum Meaning {
    /// One file, which is opened as it is.
    One(PathBuf),
    /// Files, of which there may be none or one.
    Many(NamedFiles),
}

/// The files that words mean.
#[derive(Clone, Debug, Default)]
pub struct NamedFiles {
    /// Each once, under the first of its names, in the order of the words, and inside a word by name.
    pub files: Vec<NamedFile>,
    /// Directories of a store that conditions exclude: the objects below them are not listed.
    pub excluded: Vec<PathBuf>,
    /// Members of archives that are already open.
    pub members: NamedMembers,
    /// How many objects below a prefix are left out because their names are hidden.
    pub hidden: u64,
}

/// A file, and what a listing says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// The name, as it can be typed.
    pub path: PathBuf,
    /// The stored bytes of an object.
    pub size: Option<u64>,
    /// The version of an object.
    pub version: Option<Version>,
    /// The last change of an object.
    pub modified: Option<SystemTime>,
}

impl From<PathBuf> for NamedFile {
    fn from(path: PathBuf) -> Self {
        NamedFile { path, size: None, version: None, modified: None }
    }
}

/// The files of `words`.
///
/// # Errors
///
/// [`Kind::NotFound`] for a word that means no file, and those of reading a directory or a list, and of a store.
pub fn resolve(words: &[PathBuf], naming: Naming<'_>) -> Result<Meaning> {
    let mut named = NamedFiles::default();
    for word in words {
        let is_literal = of_word(word, naming, &mut named).map_err(|error| error.about(word))?;
        if is_literal && words.len() == 1 {
            return Ok(Meaning::One(word.clone()));
        }
    }
    let mut seen = HashSet::new();
    named.files.retain(|file| seen.insert(FileIdentity::of(&file.path)));
    Ok(Meaning::Many(named))
}

/// The objects that `path` means as a prefix or a pattern of a store, in the order of their names; `None` if it is the name of
/// one file, also of one that cannot be listed: opening it reports why.
pub fn objects_of(path: &Path, access: &mut Access, hidden: bool) -> Option<NamedFiles> {
    let is_file = || access.opener.is_none() && path.symlink_metadata().is_ok();
    let address = store(path).filter(|address| may_mean_several(address) && !is_file())?;
    access.session.get_or_insert_default();
    let mut named = NamedFiles::default();
    let found = of_store(&address, Naming { endings: &[], access, conditions: None, hidden }, &mut named);
    #[cfg(feature = "cloud")]
    if let (Err(error), Some(session)) = (&found, &access.session)
        // A key need not be a pattern.
        && error.kind != Kind::Usage
    {
        crate::remote::refuse(&address, error.clone(), session);
    }
    found.is_ok_and(|is_literal| !is_literal).then_some(named)
}

/// Has the objects of `files` opened in this order, several at the same time.
pub fn open_in_turn<'p>(files: impl Iterator<Item = &'p Path>, access: &Access) {
    #[cfg(feature = "cloud")]
    if let Some(session) = &access.session {
        crate::remote::expect(session, files.filter_map(|path| Some(store(path)?.url.to_owned())).collect());
    }
    #[cfg(not(feature = "cloud"))]
    let _ = (files, access);
}

/// Whether the word is the name of one file, whatever else it may mean.
fn is_plain(word: &Path) -> bool {
    if word.is_dir() {
        return false;
    }
    let text = word.to_string_lossy();
    if word.symlink_metadata().is_ok() || is_inside_file(word) {
        return true;
    }
    if let Some(address) = store(word) {
        return !may_mean_several(&address);
    }
    Address::of(word).is_some() || !(text.starts_with('@') || text.ends_with('/') || is_pattern(&text))
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// Adds the files of `word`. Returns whether it is the name of one file, whatever else it may mean.
fn of_word(word: &Path, naming: Naming<'_>, named: &mut NamedFiles) -> Result<bool> {
    if of_archive(word, naming, named)? {
        return Ok(false);
    }
    if is_plain(word) {
        named.files.push(word.to_owned().into());
        return Ok(true);
    }
    if let Some(address) = store(word) {
        return of_store(&address, naming, named);
    }
    let text = word.to_string_lossy();
    if let Some(list) = text.strip_prefix('@') {
        for file in read_list(Path::new(list))? {
            match store(&file).filter(may_mean_several) {
                Some(address) => {
                    of_store(&address, naming, named).map_err(|error| error.about(&file))?;
                }
                None if of_archive(&file, naming, named).map_err(|error| error.about(&file))? => {}
                None => named.files.push(file.into()),
            }
        }
        return Ok(false);
    }
    if word.is_dir() {
        named.files.extend(of_directory(word, naming.endings)?.into_iter().map(NamedFile::from));
        return Ok(false);
    }
    let missing = |message: String| {
        let error = Error::new(Kind::NotFound, message).at(word);
        near_miss(word).map_or(error.clone(), |near| error.hint(did_you_mean(near)))
    };
    if !is_pattern(&text) {
        return Err(missing("is not a directory".to_owned()));
    }
    let found = expand_pattern(&text)?;
    if found.is_empty() {
        return Err(missing("no file matches this pattern".to_owned()));
    }
    named.files.extend(found.into_iter().map(NamedFile::from));
    Ok(false)
}

/// Adds the members that `word` means. Returns whether it is an address of several.
fn of_archive(word: &Path, naming: Naming<'_>, named: &mut NamedFiles) -> Result<bool> {
    let Some(members) = members::of_word(word, naming.endings, naming.access)? else {
        return Ok(false);
    };
    for (path, member) in members {
        named.members.insert(path.clone().into_os_string(), member);
        named.files.push(path.into());
    }
    Ok(true)
}

#[cfg(feature = "cloud")]
fn of_store(address: &Address<'_>, naming: Naming<'_>, named: &mut NamedFiles) -> Result<bool> {
    let found = crate::remote::named_objects(address, naming)?;
    named.excluded.extend(found.excluded);
    named.hidden += found.hidden;
    named.files.extend(found.objects.into_iter().map(|object| NamedFile {
        path: format!("{}{}", found.root, object.key).into(),
        size: object.size,
        version: object.version,
        modified: object.modified,
    }));
    Ok(found.is_literal)
}

#[cfg(not(feature = "cloud"))]
fn of_store(_: &Address<'_>, _: Naming<'_>, _: &mut NamedFiles) -> Result<bool> {
    Err(crate::open::without("cloud"))
}

/// The word as an address in a store that lists its objects.
fn store(word: &Path) -> Option<Address<'_>> {
    Address::of(word).filter(|address| address.scheme != Scheme::Http)
}

/// Whether the name is that of a prefix or may be a pattern.
fn may_mean_several(address: &Address<'_>) -> bool {
    let (bucket, key) = address.bucket_and_key();
    !bucket.is_empty() && (key.is_empty() || key.ends_with('/') || is_pattern(key))
}

/// The files below a directory, without hidden ones and those that begin with `_`, which programs write for each other.
fn of_directory(directory: &Path, endings: &[&str]) -> Result<Vec<PathBuf>> {
    let takes = |path: &Path| endings.contains(&&*ending(path));
    let mut descent = Descent { hidden: b"._", takes: &takes, above: Vec::new(), found: Vec::new() };
    descent.descend(directory, directory, DEPTH)?;
    let files = descent.sorted();
    if files.is_empty() {
        let message = format!("has no file below it that ends with {}", endings.join(", "));
        let pattern = directory.join("*.log");
        return Err(Error::new(Kind::NotFound, message)
            .at(directory)
            .hint(format!("name the files, such as '{}'", pattern.display())));
    }
    Ok(files)
}

/// The files that a pattern means, in the order of their names. `**` means directories of any depth.
fn expand_pattern(pattern: &str) -> Result<Vec<PathBuf>> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    let glob =
        glob.map_err(|error| Error::usage(format!("is no pattern: {}", error.kind())))?.compile_matcher();
    // The part before the first sign of a pattern is a directory.
    let first = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    let start = pattern[..first].rfind('/').map_or("", |slash| &pattern[..=slash]);
    let depth = if pattern.contains("**") { DEPTH } else { pattern[start.len()..].matches('/').count() };
    let directory = if start.is_empty() { Path::new(".") } else { Path::new(start) };
    let takes_hidden = pattern[start.len()..].split('/').any(|part| part.starts_with('.') && part.len() > 2);
    let hidden: &[u8] = if takes_hidden { b"" } else { b"." };
    let takes = |path: &Path| glob.is_match(path);
    let mut descent = Descent { hidden, takes: &takes, above: Vec::new(), found: Vec::new() };
    if directory.is_dir() {
        descent.descend(directory, Path::new(start), depth)?;
    }
    Ok(descent.sorted())
}

/// The entries of a directory. One that cannot be read may have files that match, so it is an error.
fn entries(directory: &Path) -> Result<Vec<fs::DirEntry>> {
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    entries.map_err(|cause| Error::read("cannot list the directory", &cause).at(directory))
}

/// The listing says it of all entries but links, so that a thousand files need no system call each.
fn is_directory(entry: &fs::DirEntry) -> bool {
    match entry.file_type() {
        Ok(of) if !of.is_symlink() => of.is_dir(),
        Ok(_) | Err(_) => entry.path().is_dir(),
    }
}

/// A search for the files below a directory.
struct Descent<'a> {
    /// Names that begin with one of these bytes are left out.
    hidden: &'a [u8],
    takes: &'a dyn Fn(&Path) -> bool,
    /// The directories around the current one: a link may lead back to one of them.
    above: Vec<PathBuf>,
    found: Vec<PathBuf>,
}

impl Descent<'_> {
    /// Adds the files below `directory`, which is called `name`.
    fn descend(&mut self, directory: &Path, name: &Path, depth: usize) -> Result<()> {
        let real = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
        if self.above.contains(&real) {
            return Ok(());
        }
        self.above.push(real);
        for entry in entries(directory)? {
            let file_name = entry.file_name();
            if file_name.as_encoded_bytes().first().is_some_and(|first| self.hidden.contains(first)) {
                continue;
            }
            let (path, name) = (entry.path(), name.join(&file_name));
            if is_directory(&entry) {
                if depth > 0 {
                    self.descend(&path, &name, depth - 1)?;
                }
            } else if (self.takes)(&name) {
                self.found.push(name);
            }
        }
        self.above.pop();
        Ok(())
    }

    /// The files in the order of their names, byte by byte.
    fn sorted(mut self) -> Vec<PathBuf> {
        self.found.sort_unstable();
        self.found
    }
}

/// The files of a list, one a line; `-` is standard input.
fn read_list(list: &Path) -> Result<Vec<PathBuf>> {
    let cannot = |cause: &io::Error| Error::read("cannot read the list of files", cause).at(list);
    let source: Box<dyn Read> = if list == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(fs::File::open(list).map_err(|cause| cannot(&cause))?)
    };
    let mut files = Vec::new();
    for line in BufReader::new(source).split(b'\n') {
        let mut name = line.map_err(|cause| cannot(&cause))?;
        if name.ends_with(b"\r") {
            name.pop();
        }
        if !name.is_empty() {
            files.push(path_of(name));
        }
    }
    if files.is_empty() {
        return Err(Error::new(Kind::InvalidText, "the list names no file").at(list));
    }
    Ok(files)
}

/// A name on Unix is any bytes.
#[cfg(unix)]
fn path_of(name: Vec<u8>) -> PathBuf {
    <std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(name).into()
}

#[cfg(not(unix))]
fn path_of(name: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&name).into_owned().into()
}

/// The identity of a file, whatever its name: equal for `a.csv`, `./a.csv`, an absolute path and a symbolic link to it.
///
/// Two hard links are two files: programs that save space make such links of files that have equal content by chance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FileIdentity {
    /// Device and inode of a file that has only one name in its file system.
    Inode(u64, u64),
    /// The path without links, or the name of what is not a regular file. As text: `s3://b//a` is not `s3://b/a`.
    Name(OsString),
    /// A member of an archive.
    Member(Box<FileIdentity>, Vec<u8>),
}

impl FileIdentity {
    pub(crate) fn of(path: &Path) -> Self {
        let named = || FileIdentity::Name(path.as_os_str().to_owned());
        if Address::of(path).is_some() {
            return named();
        }
        match MemberAddress::of(path) {
            Ok(Some(address)) => {
                let archive = Box::new(FileIdentity::of(&address.archive));
                return FileIdentity::Member(archive, address.plain_member().to_owned());
            }
            Ok(None) => {}
            Err(_) => return named(),
        }
        let Some(metadata) = fs::metadata(path).ok().filter(Metadata::is_file) else { return named() };
        if let Some((device, inode)) = only_inode(&metadata) {
            return FileIdentity::Inode(device, inode);
        }
        fs::canonicalize(path).map_or_else(|_| named(), |real| FileIdentity::Name(real.into_os_string()))
    }
}

/// Device and inode, unless the file has several hard links.
#[cfg(unix)]
fn only_inode(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    (metadata.nlink() == 1).then(|| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn only_inode(_: &Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tests::tar;

    #[test]
    fn words_mean_files_in_a_stable_order() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().to_str().unwrap().to_owned();
        for name in [
            "a/x1.csv",
            "a/x2.csv",
            "a/x10.csv",
            "a/.h.csv",
            "a/_s.csv",
            "a/b/y.csv.gz",
            "a/b/n.txt",
            "a/[1].csv",
        ] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "a\n1\n").unwrap();
        }
        let members = ["d/y.csv", "d/n.txt", "x.csv", "[1].csv", ".h.csv", "d/_s.csv"];
        fs::write(dir.path().join("m.tar"), tar(&members.map(|name| (name.to_owned(), b"a\n".to_vec()))))
            .unwrap();
        fs::write(dir.path().join("members"), format!("tar:{root}/m.tar/d/[ny]*\n")).unwrap();
        let list = dir.path().join("list");
        fs::write(&list, format!("{root}/a/x2.csv\r\n\n{root}/a/x1.csv\n")).unwrap();
        let of = |words: &[&str]| {
            let words: Vec<PathBuf> =
                words.iter().map(|word| PathBuf::from(word.replace('R', &root))).collect();
            let access = Access::default();
            match resolve(
                &words,
                Naming { endings: &["csv"], access: &access, conditions: None, hidden: false },
            ) {
                Ok(Meaning::One(file)) => format!("one {}", file.display()).replace(&root, "R"),
                Ok(Meaning::Many(files)) => {
                    let names: Vec<String> =
                        files.files.iter().map(|file| file.path.display().to_string()).collect();
                    names.join(" ").replace(&root, "R")
                }
                Err(error) => error.message.plain(),
            }
        };
        for (words, expected) in [
            (&["R/a/x1.csv"][..], "one R/a/x1.csv"),
            (&["R/none.csv"], "one R/none.csv"),
            (&["-"], "one -"),
            (&["https://h/a?b=*"], "one https://h/a?b=*"),
            (&["https://h/a/"], "one https://h/a/"),
            (&["s3://b/a.csv"], "one s3://b/a.csv"),
            (&["R/a/[1].csv"], "one R/a/[1].csv"),
            (&["sqlite:R/app.db?table=T&key=1"], "one sqlite:R/app.db?table=T&key=1"),
            (&["tar:R/none.tar/*.csv"], "one tar:R/none.tar/*.csv"),
            (&["tar:R/m.tar/x.csv"], "one tar:R/m.tar/x.csv"),
            (&["tar:R/m.tar/[1].csv"], "one tar:R/m.tar/[1].csv"),
            (&["tar:R/m.tar/[!.]*.csv"], "tar:R/m.tar/[1].csv tar:R/m.tar/x.csv"),
            (&["tar:R/m.tar/**/[!._]*.csv"], "tar:R/m.tar/[1].csv tar:R/m.tar/d/y.csv tar:R/m.tar/x.csv"),
            (&["tar:R/m.tar"], "tar:R/m.tar/[1].csv tar:R/m.tar/d/y.csv tar:R/m.tar/x.csv"),
            (&["tar:R/m.tar/d/*"], "tar:R/m.tar/d/_s.csv tar:R/m.tar/d/n.txt tar:R/m.tar/d/y.csv"),
            (&["tar:R/m.tar/x.csv", "tar:R/a/../m.tar/./x.csv"], "tar:R/m.tar/x.csv"),
            (
                &["tar:R/m.tar/d/y.csv", "tar:R/m.tar"],
                "tar:R/m.tar/d/y.csv tar:R/m.tar/[1].csv tar:R/m.tar/x.csv",
            ),
            (&["@R/members"], "tar:R/m.tar/d/n.txt tar:R/m.tar/d/y.csv"),
            (&["tar:R/m.tar/none*"], "no file in the archive matches 'none*'"),
            (&["R/a/*.csv"], "R/a/[1].csv R/a/_s.csv R/a/x1.csv R/a/x10.csv R/a/x2.csv"),
            (&["R/a/x?.csv"], "R/a/x1.csv R/a/x2.csv"),
            (&["R/a/x{10,2}.csv"], "R/a/x10.csv R/a/x2.csv"),
            (&["R/**/*.csv.gz"], "R/a/b/y.csv.gz"),
            (&["R/*/*/*"], "R/a/b/n.txt R/a/b/y.csv.gz"),
            (&["R/a"], "R/a/[1].csv R/a/b/y.csv.gz R/a/x1.csv R/a/x10.csv R/a/x2.csv"),
            (&["R/a/x2.csv", "R/a/x?.csv", "R/a/x2.csv"], "R/a/x2.csv R/a/x1.csv"),
            (&["R/a/x2.csv", "R/a/./x2.csv", "R/a/b/../x2.csv"], "R/a/x2.csv"),
            (&["R/a/b/../x2.csv", "R/a/x?.csv"], "R/a/b/../x2.csv R/a/x1.csv"),
            (&["@R/list"], "R/a/x2.csv R/a/x1.csv"),
            (&["R/a/*.none"], "no file matches this pattern"),
            (&["R/a/b/n.txt/"], "is not a directory"),
        ] {
            assert_eq!(of(words), expected, "{words:?}");
        }
    }

    /// A link to a file is that file, and a directory that leads back to itself has its files once.
    #[cfg(unix)]
    #[test]
    fn links_name_no_file_twice() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("d")).unwrap();
        fs::write(dir.path().join("d/b.csv"), "a\n1\n").unwrap();
        symlink("b.csv", dir.path().join("d/c.csv")).unwrap();
        symlink(".", dir.path().join("d/loop")).unwrap();
        let access = Access::default();
        for word in ["d", "d/*.csv", "d/**/*.csv"] {
            let words = [dir.path().join(word)];
            let naming = Naming { endings: &["csv"], access: &access, conditions: None, hidden: false };
            let Ok(Meaning::Many(files)) = resolve(&words, naming) else { panic!("{word}") };
            assert_eq!(files.files, [dir.path().join("d/b.csv").into()], "{word}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_of_one_file_have_one_identity() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        fs::create_dir(path("d")).unwrap();
        for name in ["a", "b", "hard"] {
            fs::write(path(name), "x\n").unwrap();
        }
        fs::hard_link(path("hard"), path("hard2")).unwrap();
        symlink(path("a"), path("d/link")).unwrap();
        symlink(path("hard"), path("d/hard")).unwrap();
        symlink(dir.path(), path("d/up")).unwrap();
        let of = |name: &str| FileIdentity::of(&path(name));
        for (one, other) in [
            ("a", "./a"),
            ("a", "d/../a"),
            ("a", "d/link"),
            ("a", "d/up/a"),
            ("hard", "d/hard"),
            ("hard", "d/up/hard"),
        ] {
            assert_eq!(of(one), of(other), "{one} {other}");
        }
        for (one, other) in [("a", "b"), ("hard", "hard2"), ("none", "./no"), ("d", "a")] {
            assert_ne!(of(one), of(other), "{one} {other}");
        }
        let member = |name: &str, rest: &str| {
            let address = format!("tar:{}{rest}", path(name).display());
            FileIdentity::of(Path::new(&address))
        };
        assert_eq!(member("a", "/x/y.csv"), member("d/link", "/./x/y.csv"));
        assert_ne!(member("a", "/x/y.csv"), member("b", "/x/y.csv"));
        assert_ne!(member("a", "/x/y.csv"), member("a", "/y.csv"));
        let url = |url: &str| FileIdentity::of(Path::new(url));
        assert_ne!(url("s3://b/a"), url("s3://b/./a"));
    }
}
