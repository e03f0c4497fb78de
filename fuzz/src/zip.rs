//! A small writer of ZIP archives.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write;

/// A member: its name, its content, and whether to deflate it.
pub struct Member<'a> {
    pub name: &'a [u8],
    pub content: &'a [u8],
    pub is_deflated: bool,
}

/// The archive of `members`.
pub fn zip(members: &[Member<'_>]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for member in members {
        let offset = u32::try_from(archive.len()).unwrap();
        let data = if member.is_deflated { deflated(member.content) } else { member.content.to_vec() };
        let fields = fields(member, data.len());
        archive.extend(b"PK\x03\x04\x14\0");
        archive.extend(&fields);
        archive.extend([0, 0]);
        archive.extend(member.name);
        archive.extend(data);
        directory.extend(b"PK\x01\x02\x14\x03\x14\0");
        directory.extend(&fields);
        // No extra field, no comment, disk 0, no attributes but the mode of a file.
        directory.extend([0; 8]);
        directory.extend((0o100_644u32 << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(member.name);
    }
    let start = u32::try_from(archive.len()).unwrap();
    let length = u32::try_from(directory.len()).unwrap();
    let count = u16::try_from(members.len()).unwrap().to_le_bytes();
    archive.extend(directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([count, count].concat());
    archive.extend([length.to_le_bytes(), start.to_le_bytes()].concat());
    archive.extend([0, 0]);
    archive
}

/// What both headers of a member have: flags, method, time, checksum, sizes and the length of the name.
fn fields(member: &Member<'_>, stored: usize) -> Vec<u8> {
    let method = if member.is_deflated { 8u16 } else { 0 };
    let numbers = [crc32fast::hash(member.content), size(stored), size(member.content.len())];
    let mut fields = [[0; 2], method.to_le_bytes(), [0; 2], [0x21, 0]].concat();
    fields.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    fields.extend(u16::try_from(member.name.len()).unwrap().to_le_bytes());
    fields
}

fn size(length: usize) -> u32 {
    u32::try_from(length).unwrap()
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}
