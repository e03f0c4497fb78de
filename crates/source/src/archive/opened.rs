//! An archive that stays open for its members, so that each of its bytes is decoded once.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::address::{MemberAddress, MemberPattern};
use super::entry::{Entry, Found, Reading, plain_name};
use super::find::{follow_links, leads_nowhere, wrong_kind};
use super::inner::inner;
use super::member::MemberSource;
use super::walk::{Contents, Walk};
use crate::access::{Access, OpensMember};
use crate::compressed::damage::Damage;
use crate::member_address::{ArchiveKind, Nesting};
use crate::member_metadata::EntryKind;
use crate::spool::Spool;
use crate::stdin::warn;
use crate::{Decoding, Source, SourceInfo};
use rread_text::{Error, Kind, Result, Sentence, call};

/// How much decoded text of an archive is kept. A longer archive is decoded once all the same, in the order of its members.
const KEPT: u64 = 64 << 20;

/// The longest member that is kept while it is read. Of a longer one, the decoder has checkpoints.
const MAX_KEPT: u64 = 64 << 20;

/// An archive whose members are read one after another.
pub struct Archive {
    source: Arc<dyn Source>,
    /// The source of the archive with its decoder.
    decoded: Arc<dyn Source>,
    /// How much decoded text is kept.
    kept: u64,
    address: MemberAddress,
    contents: Contents,
    /// Whether all of the archive agrees with the checksums around it.
    is_verified: bool,
}

/// A regular file in an open archive.
pub struct Member {
    archive: Arc<Archive>,
    /// Its header.
    pub entry: Entry,
    /// The position of its header.
    position: u64,
    has_duplicates: bool,
}

/// The result of a walk over an archive.
#[derive(Debug, Default)]
pub struct Walked {
    /// How many members were passed on.
    pub members: u64,
    /// Why the walk ended before the end of the archive.
    pub error: Option<Error>,
}

impl Archive {
    /// The archive `source`, which is the file `path`.
    pub(crate) fn new(
        source: Box<dyn Source>,
        kind: ArchiveKind,
        path: &Path,
        access: &Access,
    ) -> Result<Arc<Self>> {
        let address = MemberAddress::new(kind, path, Vec::new()).within(&*source, access);
        Archive::with_limit(KEPT, source, address)
    }

    /// The archive that `member` is; `None` if it is not one.
    ///
    /// # Errors
    ///
    /// The member cannot be read, or it is in too many archives.
    pub(crate) fn of_member(member: &dyn OpensMember, reading: Reading) -> Result<Option<Arc<Self>>> {
        let Some((source, address)) = inner(member, reading)? else { return Ok(None) };
        Archive::with_limit(KEPT, source, address).map(Some)
    }

    /// Opens an archive and keeps `kept` bytes of decoded text.
    fn with_limit(kept: u64, source: Box<dyn Source>, address: MemberAddress) -> Result<Arc<Self>> {
        let decoded: Arc<dyn Source> = source.into();
        let is_decoded = decoded.info().decoding.is_some();
        let source = match is_decoded {
            true => Arc::new(Kept::new(Arc::clone(&decoded), kept)),
            false => Arc::clone(&decoded),
        };
        let listed = Contents::list(&*source, &address, if is_decoded { kept } else { u64::MAX });
        let contents = listed.map_err(|error| wrong_kind(error, &*source, &address))?;
        let unread = |decoding: &dyn Decoding| !contents.is_complete || !decoding.check_span(0..contents.end);
        let is_verified = !decoded.info().decoding.is_some_and(unread);
        Ok(Arc::new(Archive { source, decoded, kept, address, contents, is_verified }))
    }

    /// The kind.
    pub fn kind(&self) -> ArchiveKind {
        self.address.kind
    }

    /// The call that lists the members.
    pub fn list(&self) -> Sentence {
        self.address.list()
    }

    /// The archive, as it can be typed.
    pub fn shown_path(&self) -> PathBuf {
        self.address.shown_archive()
    }

    /// The innermost archive that the name `member` leads into, and the rest of the name.
    ///
    /// # Errors
    ///
    /// An archive on the way cannot be read.
    pub(crate) fn innermost(self: Arc<Self>, member: &[u8]) -> Result<(Arc<Self>, Vec<u8>)> {
        let member = plain_name(member);
        let is_end = |at: &usize| member.get(*at).is_none_or(|byte| *byte == b'/');
        for end in (1..=member.len()).filter(is_end) {
            let Some(position) = self.contents.last(hash_of(&member[..end])) else { continue };
            let mut walk = self.walk()?.starting_at(position);
            let pattern = MemberPattern::All;
            let Some(found) = walk.next()?.and_then(|entry| self.member(entry, position, &pattern)) else {
                continue;
            };
            if let Some(archive) = Archive::of_member(&found, self.address.reading)? {
                let rest = member.get(end + 1..).unwrap_or_default();
                return archive.innermost(rest);
            }
        }
        Ok((Arc::clone(&self), member.to_owned()))
    }

    /// Starts before the first member.
    pub fn walk(&self) -> Result<Walk<'_>> {
        let address = &self.address;
        Walk::new(&*self.source, address.kind, &address.shown_archive(), address.reading)
    }

    /// Whether a member has exactly this name; false if the archive is too long to know.
    pub fn has(&self, name: &[u8]) -> bool {
        // The name `.` of the directory itself is none.
        !plain_name(name).is_empty() && self.contents.last(hash_of(name)).is_some()
    }

    /// Passes the files that `pattern` means to `take`, in the order of the archive, until that returns false. Of
    /// several members of one name, only the last counts, as when they are unpacked, unless the archive is compressed and
    /// longer than what is kept of it: each of them counts then.
    ///
    /// # Errors
    ///
    /// `take` fails.
    pub fn each(
        self: &Arc<Self>,
        pattern: &MemberPattern,
        take: &mut dyn FnMut(Member) -> Result<bool>,
    ) -> Result<Walked> {
        let mut walked = Walked::default();
        let failed = |walked: Walked, error| Ok(Walked { error: Some(error), ..walked });
        let mut walk = match self.walk() {
            Ok(walk) => walk,
            Err(error) => return failed(walked, error),
        };
        loop {
            let position = walk.position();
            let entry = match walk.next() {
                Ok(Some(entry)) => entry,
                Ok(None) => break,
                Err(error) if self.address.reading.salvages => {
                    self.note_salvaged(&error.message.plain());
                    return Ok(walked);
                }
                Err(error) => return failed(walked, error),
            };
            let Some(member) = self.member(entry, position, pattern) else { continue };
            walked.members += 1;
            if !take(member)? {
                return Ok(walked);
            }
        }
        match self.damage_at_end(walk.position()) {
            Some(damage) if self.address.reading.salvages => self.note_salvaged(&damage.to_string()),
            Some(damage) => return failed(walked, Error::new(Kind::Io, damage.to_string())),
            None if walk.lacks_directory() => {
                self.note_salvaged("the archive is damaged: it has no directory at its end");
            }
            None => {}
        }
        Ok(walked)
    }

    /// Says what is missing, whatever the form of the answer: what is lost has no member that could say so.
    fn note_salvaged(&self, damage: &str) {
        warn(&self.shown_path(), &format!("{damage}; what comes after it is lost"));
    }

    /// The file that `entry` at `position` is, unless it is another kind of member or is not requested.
    fn member(self: &Arc<Self>, entry: Entry, position: u64, pattern: &MemberPattern) -> Option<Member> {
        let name = plain_name(&entry.listed.name);
        if !matches!(entry.listed.kind, EntryKind::File | EntryKind::HardLink(_)) || !pattern.matches(name) {
            return None;
        }
        let hash = hash_of(name);
        if self.contents.last(hash).is_some_and(|last| last != position) {
            return None;
        }
        let has_duplicates = self.contents.has_several(hash);
        Some(Member { archive: Arc::clone(self), entry, position, has_duplicates })
    }

    /// The damage that the decoder met, after it has read on to a checksum that is near.
    fn damage_at_end(&self, end: u64) -> Option<Damage> {
        let decoding = self.decoded.info().decoding?;
        if !self.is_verified {
            decoding.check_span(0..end);
        }
        decoding.damage()
    }

    /// The file that the member is, or that its hard link leads to.
    fn target(&self, member: &Member) -> Result<Found> {
        let found = Found { entry: member.entry.clone(), has_duplicates: member.has_duplicates };
        follow_links((found, member.position), |target, before| {
            let hash = hash_of(target);
            let at = self.contents.last_before(hash, before).or_else(|| self.contents.last(hash));
            let entry = at.map(|at| self.walk()?.starting_at(at).next()).transpose()?.flatten();
            let entry = entry.filter(|entry| plain_name(&entry.listed.name) == target);
            let next = entry.map(|entry| Found { entry, has_duplicates: false }).zip(at);
            next.ok_or_else(|| self.no_target(target, member))
        })
    }

    /// The error for the hard link `member` to `target`, which is not among the known members.
    fn no_target(&self, target: &[u8], member: &Member) -> Error {
        let shown = String::from_utf8_lossy(target);
        if self.contents.is_unknown() {
            let hint = call("lines").file(member.path()).word("1:20");
            let message = format!("is a hard link to {shown}, which is not near");
            return Error::new(Kind::NotFound, message).hint(hint);
        }
        if self.has(target) {
            return leads_nowhere();
        }
        let place =
            if self.contents.is_complete { "in the archive" } else { "before the damage of the archive" };
        let message = format!("is a hard link to {shown}, and there is no {shown} {place}");
        Error::new(Kind::NotFound, message).hint(self.list())
    }
}

/// The hash of a name in the contents of an archive.
fn hash_of(name: &[u8]) -> u64 {
    xxh3_64(plain_name(name))
}

impl Member {
    /// The address of the member.
    pub fn path(&self) -> PathBuf {
        self.archive.address.member_path(self.name())
    }

    /// The name in the archive.
    pub fn name(&self) -> &[u8] {
        plain_name(&self.entry.listed.name)
    }
}

impl OpensMember for Member {
    fn open(&self) -> Result<Box<dyn Source>> {
        let archive = &self.archive;
        let found = archive.target(self)?;
        if !matches!(found.entry.listed.kind, EntryKind::File) {
            return Err(leads_nowhere());
        }
        let source = Arc::clone(&archive.source);
        let member = MemberSource::with_layout(source, found, &archive.address, !archive.is_verified)?;
        let is_decoded = archive.decoded.info().decoding.is_some();
        let span = member.span();
        let is_after_kept = span.end > archive.kept && span.end - span.start <= MAX_KEPT;
        Ok(if is_decoded && is_after_kept {
            Box::new(Kept::new(Arc::new(member), u64::MAX))
        } else {
            Box::new(member)
        })
    }

    fn place(&self) -> (PathBuf, Nesting) {
        self.archive.address.place(self.name())
    }
}

impl std::fmt::Debug for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path().display())
    }
}

/// The source `decoded`, of which the first bytes are kept.
pub(super) struct Kept {
    decoded: Arc<dyn Source>,
    limit: u64,
    start: Spool,
}

impl Kept {
    /// Keeps up to `limit` bytes from the start.
    pub(super) fn new(decoded: Arc<dyn Source>, limit: u64) -> Self {
        let start = Spool::new(Box::new(Forward { source: Arc::clone(&decoded), at: 0, end: limit }));
        Kept { decoded, limit, start }
    }
}

impl Source for Kept {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if offset >= self.limit {
            return self.decoded.read_at(buffer, offset);
        }
        // Each read decodes if there is no room to keep bytes.
        self.start.read_at(buffer, offset).or_else(|_| self.decoded.read_at(buffer, offset))
    }

    fn inner(&self) -> Option<&dyn Source> {
        Some(&*self.decoded)
    }

    /// Without the decoder: reads on to a checksum would move it.
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo { decoding: None, file: None, is_sequential: true, ..self.decoded.info() }
    }
}

/// Reads a source once, from its start to `end`.
struct Forward {
    source: Arc<dyn Source>,
    at: u64,
    end: u64,
}

impl Read for Forward {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let got = self.source.read_at(&mut buffer[..wanted], self.at)?;
        self.at += got as u64;
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::super::tests::tar;
    use super::*;
    use crate::compressed::{Compressed, CompressionFormat};
    use crate::{MemorySource, read_full};
    use rread_testkit::pack;

    /// Hardly compressible members of many sizes.
    fn members() -> Vec<(String, Vec<u8>)> {
        let mut state = 7u64;
        let mut byte = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_le_bytes()[7]
        };
        let sizes = (0..60).map(|n| [0, 1, 511, 512, 40_000, 150_000][n % 6]);
        sizes.enumerate().map(|(n, size)| (format!("m{n}"), (0..size).map(|_| byte()).collect())).collect()
    }

    fn open(kept: u64, text: Compressed, salvages: bool) -> Result<Arc<Archive>> {
        let reading = Reading { salvages, ..Reading::default() };
        let address = MemberAddress::new(ArchiveKind::Tar, Path::new("a"), Vec::new());
        Archive::with_limit(kept, Box::new(text), MemberAddress { reading, ..address })
    }

    #[test]
    fn all_members_cost_one_decoding_however_they_are_read() {
        let members = members();
        let packed = pack::gzip(&tar(&members), 1);
        for kept in [0, 100_000, 1 << 20, 1 << 30] {
            let read = Arc::new(AtomicU64::new(0));
            let raw = Counted { bytes: MemorySource::new(packed.clone()), read: Arc::clone(&read) };
            let text = Compressed::new(Box::new(raw), CompressionFormat::Gzip).unwrap();
            let archive = open(kept, text, false);
            let mut found = Vec::new();
            let walked = archive.unwrap().each(&MemberPattern::All, &mut |member| {
                let source = member.open()?;
                let size = source.size().unwrap();
                // A search reads the first bytes, perhaps the last ones, and its lines once more.
                read_full(&*source, &mut [0; 8192], 0).unwrap();
                read_full(&*source, &mut [0; 100], size.saturating_sub(100)).unwrap();
                let mut content = vec![0; usize::try_from(size).unwrap()];
                for _ in 0..2 {
                    assert_eq!(read_full(&*source, &mut content, 0).unwrap() as u64, size);
                }
                found.push((String::from_utf8_lossy(member.name()).into_owned(), content));
                Ok(true)
            });
            let walked = walked.unwrap();
            assert!(walked.error.is_none() && walked.members == 60, "{walked:?}");
            assert!(found == members, "kept {kept}");
            let (read, size) = (read.load(Ordering::Relaxed), packed.len() as u64);
            assert!(read <= size + 4096, "kept {kept}: {read} bytes of {size} were read");
        }
    }

    #[test]
    fn the_last_of_a_name_counts_if_all_are_known() {
        let members = ["a", "b", "a"].map(|name| (name.to_owned(), vec![b'x'; 1000]));
        let packed = pack::gzip(&tar(&members), 6);
        for (kept, expected) in [(1 << 20, &["b", "a"][..]), (100, &["a", "b", "a"])] {
            let raw = Box::new(MemorySource::new(packed.clone()));
            let text = Compressed::new(raw, CompressionFormat::Gzip).unwrap();
            let archive = open(kept, text, false);
            let mut names = Vec::new();
            archive
                .unwrap()
                .each(&MemberPattern::All, &mut |member| {
                    names.push(String::from_utf8_lossy(member.name()).into_owned());
                    Ok(true)
                })
                .unwrap();
            assert_eq!(names, expected);
        }
    }

    #[test]
    fn a_wrong_checksum_around_the_archive_is_reported_after_the_members() {
        let mut packed = pack::gzip(&tar(&members()), 1);
        let end = packed.len();
        packed[end - 8] ^= 1;
        for (kept, salvages) in [(0, false), (1 << 30, false), (0, true), (1 << 30, true)] {
            let raw = Box::new(MemorySource::new(packed.clone()));
            let text = Compressed::open(raw, CompressionFormat::Gzip, Path::new("a"), salvages).unwrap();
            let archive = open(kept, text, salvages);
            let walked = archive.unwrap().each(&MemberPattern::All, &mut |_| Ok(true)).unwrap();
            assert_eq!((walked.members, walked.error.is_none()), (60, salvages), "{kept}: {walked:?}");
        }
    }

    /// Bytes, and how many of them were read.
    pub(in crate::archive) struct Counted {
        pub(in crate::archive) bytes: MemorySource,
        pub(in crate::archive) read: Arc<AtomicU64>,
    }

    impl Source for Counted {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            let got = self.bytes.read_at(buffer, offset)?;
            self.read.fetch_add(got as u64, Ordering::Relaxed);
            Ok(got)
        }

        fn size(&self) -> Option<u64> {
            self.bytes.size()
        }
    }

    #[test]
    fn what_is_kept_is_read_once() {
        let bytes: Vec<u8> = (0..=255).cycle().take(300_000).collect();
        for limit in [0, 1, 65_536, 200_000, 300_000, 1 << 20] {
            let counted = Counted { bytes: MemorySource::new(bytes.clone()), read: Arc::default() };
            let counted = Arc::new(counted);
            let kept = Kept::new(Arc::clone(&counted) as Arc<dyn Source>, limit);
            let whole = || {
                let mut read = vec![0; bytes.len()];
                assert_eq!(read_full(&kept, &mut read, 0).unwrap(), bytes.len());
                assert!(read == bytes, "limit {limit}");
            };
            whole();
            whole();
            let after = (bytes.len() as u64).saturating_sub(limit);
            assert_eq!(counted.read.load(Ordering::Relaxed), bytes.len() as u64 + after, "limit {limit}");
        }
    }
}
