//! Opens a name as a source, or reports why it cannot be opened.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use crate::access::{Access, OpensMember, Plain, Watched};
use crate::archive::{MemberAddress, NamedMember};
use crate::compressed::{decompress, unpack};
#[cfg(feature = "documents")]
use crate::document;
use crate::file::FileSource;
use crate::member_address::ArchiveKind;
use crate::plain::PlainSource;
#[cfg(feature = "cloud")]
use crate::remote;
use crate::spelling::{matching, near_miss};
#[cfg(feature = "sqlite")]
use crate::sqlite;
use crate::swapped::SwappedSource;
use crate::{Decoding, Source, archive, member_address, pipe, read_full, regular, stdin};
#[cfg(not(feature = "documents"))]
use rread_documents::sheets::Sheet;
use rread_text::screen::acts;
use rread_text::sentence::file;
use rread_text::sniff::SAMPLE;
use rread_text::{Address, Error, Kind, Result, Sentence, call, counted, did_you_mean, setting, shell};

/// Pauses between attempts to open a file that is busy: a little under a second in all.
const RETRIES: [u64; 7] = [5, 10, 25, 60, 150, 300, 400];

/// Opens `path`, or standard input for `-`. A file named `-` is `./-`.
pub fn open(path: &Path) -> Result<Box<dyn Source>> {
    open_as(path, &Access::default())
}

#[cfg(feature = "cloud")]
pub use super::remote::plan;

/// Fails: this build sends no requests.
#[cfg(not(feature = "cloud"))]
pub fn plan(_: &Address<'_>, _: &Access) -> Result<super::object::RequestPlan> {
    Err(without("cloud"))
}

/// Opens `path` with options.
///
/// # Errors
///
/// One about `path`, of any kind that [`Kind`] has for files and servers.
pub fn open_as(path: &Path, access: &Access) -> Result<Box<dyn Source>> {
    let source = open_decompressed(path, access)?;
    if access.null_data {
        return Ok(Box::new(SwappedSource(source)));
    }
    if access.raw {
        return Ok(source);
    }
    let source = text_of(source, path, access).map_err(|cause| read_error(&cause, path))?;
    // A decoder writes nothing for terminals, and pages and sheets are its own.
    let is_document = source.info().decoding.and_then(Decoding::document).is_some();
    let is_plain = match access.plain {
        _ if is_document => false,
        Plain::Never => false,
        Plain::Always => true,
        Plain::IfItActs => {
            let mut sample = vec![0; SAMPLE];
            let got = read_full(&*source, &mut sample, 0).map_err(|cause| read_error(&cause, path))?;
            let has = |sign: &u8| sample[..got].contains(sign);
            // Text of wider units has NULs, and carriage returns alone end the lines of old Macs.
            acts(&sample[..got]) && !has(&0) && b"\n\x1B\x08".iter().any(has)
        }
    };
    Ok(if is_plain { Box::new(PlainSource::new(source)) } else { source })
}

/// The text of `source`, if it is a document.
fn text_of(source: Box<dyn Source>, path: &Path, access: &Access) -> io::Result<Box<dyn Source>> {
    #[cfg(feature = "documents")]
    let source = document::decode(source, path, access)?;
    #[cfg(not(feature = "documents"))]
    if matches!(access.sheet, Some(Sheet::Named(_))) {
        return Err(without("documents").into_io());
    }
    #[cfg(feature = "sqlite")]
    let source = sqlite::decode(source, path, access)?;
    #[cfg(not(any(feature = "documents", feature = "sqlite")))]
    let _ = path;
    Ok(source)
}

fn read_error(cause: &io::Error, path: &Path) -> Error {
    Error::read("cannot read at byte 0", cause).at(path)
}

/// Opens `path` with options, and reads no text out of documents.
pub(super) fn open_decompressed(path: &Path, access: &Access) -> Result<Box<dyn Source>> {
    if let Some(member) = &access.member {
        // Reads of the archive are watched.
        let source = member.open().map_err(|error| error.at(path))?;
        return unwrap_compression(source, path, access);
    }
    let opener = access.opener.as_ref();
    let opened = opener.map_or(Ok(None), |opener| opener.open(path)).map_err(|error| error.at(path))?;
    // An opener takes all names but addresses.
    let is_address = || opener.is_some() || path.symlink_metadata().is_err();
    let source = match (opened, Address::of(path).filter(|_| is_address())) {
        (Some(file), _) => regular::open(file, 0).map_err(|error| error.at(path))?,
        #[cfg(feature = "cloud")]
        (None, Some(address)) => remote::in_turn(&address, access, remote::open).map_err(|e| e.at(path))?,
        #[cfg(not(feature = "cloud"))]
        (None, Some(_)) => return Err(without("cloud").at(path)),
        // Not even if an opener takes a name for an address that is none.
        (None, None) if opener.is_some() => {
            return Err(Error::new(Kind::Permission, "is not a file").at(path));
        }
        (None, None) if path == Path::new("-") => stdin::open(access)?,
        (None, None) => open_file(path, access).map_err(|error| error.at(path))?,
    };
    let source: Box<dyn Source> = match &access.watch {
        Some(watch) => Box::new(Watched { source, watch: Arc::clone(watch) }),
        None => source,
    };
    unwrap_compression(source, path, access)
}

/// The decompressed `source`, or its bytes if `access` says so.
fn unwrap_compression(source: Box<dyn Source>, path: &Path, access: &Access) -> Result<Box<dyn Source>> {
    let unwrap = if access.raw { unpack } else { decompress };
    unwrap(source, path, access.salvage).map_err(|cause| read_error(&cause, path))
}

fn open_file(path: &Path, access: &Access) -> Result<Box<dyn Source>> {
    if let Some(_address) = member_address::database_address(path) {
        #[cfg(feature = "sqlite")]
        return sqlite::open(_address);
        #[cfg(not(feature = "sqlite"))]
        return Err(without("sqlite"));
    }
    if let Some(MemberAddress { kind, archive, member, .. }) = MemberAddress::of(path)? {
        return open_member(kind, &archive, &member, access)?.open();
    }
    // Check before opening: opening a FIFO would wait forever for a writer.
    let metadata = fs::metadata(path).map_err(|e| cannot_open(path, &e))?;
    if stdin::is_named(path, &metadata) {
        return stdin::open(access);
    }
    if pipe::is_null(&metadata) {
        let source = File::open(path).and_then(FileSource::new).map_err(|e| cannot_open(path, &e))?;
        return Ok(Box::new(source.with_size(0)));
    }
    if pipe::is_stream(path, &metadata, access) {
        return pipe::open(path, access).map_err(|e| cannot_open(path, &e));
    }
    refuse_special(path, &metadata)?;
    let file = open_patiently(path).map_err(|e| cannot_open(path, &e))?;
    let opened = file.metadata().map_err(|e| cannot_open(path, &e))?;
    refuse_special(path, &opened)?;
    regular::with_metadata(file, opened, 0)
}

/// The member `member` of the archive `path`.
///
/// # Errors
///
/// The archive cannot be opened, or no member has the name.
pub fn open_member(
    kind: ArchiveKind,
    path: &Path,
    member: &[u8],
    access: &Access,
) -> Result<Arc<dyn OpensMember>> {
    let source = open_as(path, &access.of_archive())?;
    let address = MemberAddress::new(kind, path, member.to_owned()).within(&*source, access);
    Ok(Arc::new(NamedMember::find(source.into(), address)?))
}

fn refuse_special(path: &Path, metadata: &Metadata) -> Result<()> {
    let file_type = metadata.file_type();
    if file_type.is_file() {
        return Ok(());
    }
    if file_type.is_dir() {
        return Err(Error::new(Kind::IsDirectory, "is a directory").hint(shell("ls ").then(file(path))));
    }
    let (what, verb) = special_name(file_type);
    // A FIFO may stay open: `lines --stream` would wait for its end.
    let hint = match verb {
        "cat" => call("follow").file(path).with("timeout", "5s").into(),
        _ => shell(format!("{verb} ")).then(file(path)).piped_to_lines("1:20"),
    };
    let mut message = Sentence::from(format!("is {what}, not a regular file"));
    if pipe::can_stream(file_type) {
        message = message.then("; ").then(setting("stream")).then(" reads it as it comes");
    }
    Err(Error::new(Kind::SpecialFile, message).hint(hint))
}

#[cfg(unix)]
fn special_name(file_type: fs::FileType) -> (&'static str, &'static str) {
    use std::os::unix::fs::FileTypeExt;
    if file_type.is_fifo() {
        ("a FIFO (named pipe)", "cat")
    } else if file_type.is_socket() {
        ("a socket", "nc -U")
    } else {
        ("a device", "head -c 1M")
    }
}

#[cfg(not(unix))]
fn special_name(_: fs::FileType) -> (&'static str, &'static str) {
    ("a special file", "type")
}

fn open_patiently(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    never_wait(&mut options);
    for pause in RETRIES {
        match options.open(path) {
            Err(e) if is_busy(&e) => sleep(Duration::from_millis(pause)),
            result => return result,
        }
    }
    options.open(path)
}

/// Makes opening fail rather than wait, for the holder of a lease or for the writer of a FIFO that has just
/// replaced the file. Reads of regular files do not change.
#[cfg(unix)]
fn never_wait(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    if let Ok(flag) = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()) {
        options.custom_flags(flag);
    }
}

#[cfg(not(unix))]
fn never_wait(_: &mut OpenOptions) {}

fn is_busy(error: &io::Error) -> bool {
    use io::ErrorKind::{ExecutableFileBusy, Interrupted, ResourceBusy, WouldBlock};
    // 32 and 33 are the sharing and locking violations of Windows.
    let is_shared = cfg!(windows) && matches!(error.raw_os_error(), Some(32 | 33));
    is_shared || matches!(error.kind(), WouldBlock | ResourceBusy | ExecutableFileBusy | Interrupted)
}

fn cannot_open(path: &Path, cause: &io::Error) -> Error {
    if is_busy(cause) {
        return Error::new(Kind::Locked, "is locked by another process and was not released within a second")
            .hint(shell("fuser ").then(file(path)));
    }
    let mut error = Error::read("cannot open", cause);
    match cause.kind() {
        // No file of Windows has `*` or `?` in its name.
        kind if kind == io::ErrorKind::NotFound
            || cfg!(windows) && kind == io::ErrorKind::InvalidFilename =>
        {
            if let Some(error) = of_other_scheme(path) {
                return error;
            }
            if let Ok(target) = fs::read_link(path) {
                return Error::new(Kind::NotFound, format!("broken link to '{}'", target.display()));
            }
            let matching = matching(path);
            if let Some(first) = matching.first() {
                let files = counted(matching.len() as u64, "file");
                let message = format!("is a pattern that no shell expanded; it means {files}");
                return Error::new(Kind::NotFound, message).hint(did_you_mean(first));
            }
            error.hint = near_miss(path).map(did_you_mean);
        }
        io::ErrorKind::NotADirectory => return below_a_file(path).unwrap_or(error),
        io::ErrorKind::PermissionDenied => error.hint = Some(shell("ls -l ").then(file(path))),
        _ => {}
    }
    error
}

/// The error for a URL that rread does not read, with the address that works for one of Azure as Hadoop writes it.
fn of_other_scheme(path: &Path) -> Option<Error> {
    let (scheme, rest) = path.to_str()?.split_once("://")?;
    if scheme.is_empty() || scheme.contains(['/', '\\']) {
        return None;
    }
    let read = "s3://, gs://, az://, http:// and https://";
    let error = Error::usage(format!("{scheme}:// is not a scheme that rread reads: it reads {read}"));
    let Some((container, host)) = rest.split_once('@').filter(|_| rest.contains(".core.")) else {
        return Some(error);
    };
    let (host, blob) = host.split_once('/').unwrap_or((host, ""));
    let account = host.split('.').next().unwrap_or_default();
    let lines = call("lines").file(format!("az://{container}/{blob}"));
    Some(error.hint(shell(format!("AZURE_STORAGE_ACCOUNT_NAME={account} ")).then(lines)))
}

/// The address of the member that `backup.tar.gz:etc/hosts` means.
pub fn member_after_colon(path: &Path) -> Option<PathBuf> {
    let (archive, member) =
        path.to_str()?.split_once(':').filter(|(_, member)| member.contains(|c: char| c.is_alphabetic()))?;
    let kind = archive::kind_by_name(archive).filter(|_| Path::new(archive).is_file())?;
    Some(format!("{}{archive}/{member}", kind.prefix()).into())
}

/// The error for a path that goes on below a file, as if an archive were a directory.
fn below_a_file(path: &Path) -> Option<Error> {
    let parent = path.ancestors().skip(1).find(|parent| parent.is_file())?;
    let error = Error::new(Kind::NotFound, format!("does not exist: {} is a file", parent.display()));
    let kind = archive::kind_by_name(&parent.to_string_lossy());
    Some(match kind {
        Some(kind) => error.hint(did_you_mean(format!("{}{}", kind.prefix(), path.display()))),
        None => error.hint(did_you_mean(parent)),
    })
}

/// The error for a name that needs `feature`, which this build does not have.
#[cfg(not(all(feature = "cloud", feature = "documents", feature = "sqlite")))]
pub(crate) fn without(feature: &'static str) -> Error {
    let (message, features) = match feature {
        "cloud" => (
            "this rread was built without the feature that reads from object stores and web servers",
            "cloud",
        ),
        "sqlite" => ("is in an SQLite database, which this build of rread does not read", "sqlite"),
        _ => ("this rread was built without the feature that reads workbooks", "documents,sql"),
    };
    Error::usage(message).hint(format!("cargo install --path . --features {features} (in a checkout)"))
}
