//! Small files of binary formats, with headers that state facts.

/// `fields` at their offsets, in a file of `size` zeros.
pub fn file(size: usize, fields: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![0; size];
    for (at, field) in fields {
        bytes[*at..*at + field.len()].copy_from_slice(field);
    }
    bytes
}

pub fn elf() -> Vec<u8> {
    let segment: &[u8] = &[3, 0, 0, 0, 4, 0, 0, 0, 0xB0];
    file(
        512,
        &[
            (0, b"\x7FELF\x02\x01\x01"),
            (16, &[3, 0, 183, 0]),
            // Program headers at 64, section headers at 256; two of 56 bytes and two of 64.
            (32, &[64]),
            (40, &[0, 1]),
            (54, &[56, 0, 2, 0, 64, 0, 2, 0]),
            (64 + 56, segment),
            (64 + 56 + 32, &[16]),
            (0xB0 + 56, &[0]),
            (176, b"/lib/ld-musl.so\0"),
            (256 + 64 + 4, &[2]),
        ],
    )
}

pub fn pe() -> Vec<u8> {
    file(512, &[(0, b"MZ"), (0x3C, &[0x80]), (0x80, b"PE\0\0\x64\xAA"), (0x80 + 22, &[0x22, 0x20, 0x0B, 2])])
}

pub fn fat() -> Vec<u8> {
    file(64, &[(0, &[0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 2, 1, 0, 0, 7]), (28, &[1, 0, 0, 12])])
}

pub fn sqlite() -> Vec<u8> {
    let header = b"SQLite format 3\0\x10\x00\x01\x01\0\x40\x20\x20\0\0\0\x05\0\0\0\x0C";
    file(
        4096,
        &[(0, header), (56, &[0, 0, 0, 2, 0xFF, 0xFF, 0xFF, 0xFE]), (68, &[0, 0, 0, 9]), (92, &[0, 0, 0, 5])],
    )
}

pub fn zip(members: u16, comment: &[u8]) -> Vec<u8> {
    let [low, high] = members.to_le_bytes();
    let length = u8::try_from(comment.len()).unwrap();
    let end = [&b"PK\x05\x06\0\0\0\0"[..], &[low, high, low, high], &[0; 8], &[length, 0], comment].concat();
    [&b"PK\x03\x04 a member"[..], &end].concat()
}

pub fn zip64() -> Vec<u8> {
    let record = file(56, &[(0, b"PK\x06\x06"), (32, &[0, 0, 2])]);
    let locator = file(20, &[(0, b"PK\x06\x07"), (8, &[13])]);
    let whole = zip(u16::MAX, b"");
    [&whole[..13], &record, &locator, &whole[13..]].concat()
}

pub fn gzip() -> Vec<u8> {
    [&b"\x1F\x8B\x08\x0C\x00\x94\x35\x77\0\x03\x02\0xxa\xE9.log\0"[..], &[3, 0, 0, 0, 0, 0, 0, 0, 0, 0]]
        .concat()
}

pub fn tar() -> Vec<u8> {
    with_sum(file(1024, &[(0, b"app.log"), (156, b"0"), (257, b"ustar\x0000"), (345, b"var/log")]))
}

/// A tar archive of files with their texts.
pub fn tar_of<T: AsRef<[u8]>>(members: &[(&str, T)]) -> Vec<u8> {
    let member = |(name, text): &(&str, T)| {
        let text = text.as_ref();
        let size = format!("{:011o}", text.len());
        let places = [(0, name.as_bytes()), (124, size.as_bytes()), (156, b"0"), (257, b"ustar\x0000")];
        let mut all = with_sum(file(512, &places));
        all.extend(text);
        all.resize(all.len().next_multiple_of(512), 0);
        all
    };
    members.iter().flat_map(member).chain([0; 1024]).collect()
}

/// For the tests of the schema: a symbolic link whose name is not UTF-8, and an empty file.
pub fn linked_tar() -> Vec<u8> {
    let link = with_sum(file(
        512,
        &[
            (0, b"odd\xFF"),
            (100, b"0000777"),
            (136, b"14000000000"),
            (156, b"2"),
            (157, b"app.log"),
            (257, b"ustar\x0000"),
        ],
    ));
    let empty = with_sum(file(1024, &[(0, b"odd"), (156, b"0"), (257, b"ustar\x0000")]));
    [link, empty].concat()
}

fn with_sum(mut header: Vec<u8>) -> Vec<u8> {
    let sum: u32 = header[..512].iter().map(|byte| u32::from(*byte)).sum::<u32>() + 8 * u32::from(b' ');
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

/// The directory of an archive with one encrypted member.
pub fn encrypted_zip() -> Vec<u8> {
    let central = [&file(46, &[(0, b"PK\x01\x02"), (8, &[1]), (28, &[1])])[..], b"f"].concat();
    let end = file(22, &[(0, b"PK\x05\x06"), (8, &[1, 0, 1]), (12, &[47]), (16, &[4])]);
    [&b"PK\x03\x04"[..], &central, &end].concat()
}
