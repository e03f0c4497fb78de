//! Members of archives: `tar:logs.tar.gz/path` and `zip:bundle.zip/path`. Nothing is unpacked.

mod address;
mod entry;
mod find;
mod inner;
mod local;
mod member;
mod names;
mod opened;
mod package;
mod tar;
mod walk;
mod zip;

pub(crate) use address::MemberAddress;
pub use address::{MemberPattern, asks_for_several, kind_by_name};
pub use entry::{Entry, Reading};
pub(crate) use find::NamedMember;
pub use opened::{Archive, Member, Walked};
pub(crate) use package::kind_of_archive;
pub use package::{mime, package_mime};
pub use walk::{Walk, kind_of, kind_of_head};

#[cfg(test)]
pub(crate) mod tests {
    /// A tar archive of files.
    pub(crate) fn tar(members: &[(String, Vec<u8>)]) -> Vec<u8> {
        let mut archive = Vec::new();
        for (name, content) in members {
            let mut header = [0; 512];
            header[..name.len()].copy_from_slice(name.as_bytes());
            header[100..107].copy_from_slice(b"0000644");
            header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
            header[136..147].copy_from_slice(b"00000000000");
            header[148..156].fill(b' ');
            header[156] = b'0';
            let sum: u64 = header.iter().map(|byte| u64::from(*byte)).sum();
            header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
            archive.extend(header);
            archive.extend(content);
            archive.resize(archive.len().next_multiple_of(512), 0);
        }
        archive.resize(archive.len() + 1024, 0);
        archive
    }
}
