//! Every source of the library against the suite.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};

use rread_source::compressed::Compressed;
use rread_source::file::FileSource;
use rread_source::spool::Spool;
use rread_source::{Source, read_full};
use rread_testkit::pack;
use rread_testkit::sources::{Act, Scripted, Trickle};
use rread_testkit::suite::{conforms, read};

/// What `pack` makes of the contents of the suite, each compressed once.
fn packed(pack: pack::Pack) -> impl Fn(&[u8]) -> Vec<u8> {
    let made = RefCell::new(HashMap::new());
    move |bytes: &[u8]| made.borrow_mut().entry(bytes.to_vec()).or_insert_with(|| pack.of(bytes)).clone()
}

fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

#[test]
fn a_file_conforms() {
    conforms(&|bytes| Box::new(FileSource::new(file_of(bytes)).unwrap()));
}

#[test]
fn a_named_file_opened_for_reading_conforms() {
    let folder = tempfile::tempdir().unwrap();
    conforms(&|bytes| {
        let path = folder.path().join(format!("{}.txt", bytes.len()));
        std::fs::write(&path, bytes).unwrap();
        Box::new(FileSource::new(File::open(&path).unwrap()).unwrap())
    });
}

#[test]
fn a_file_known_to_be_shorter_than_it_reports_conforms() {
    conforms(&|bytes| {
        let longer = [bytes, b"not of this file\n"].concat();
        Box::new(FileSource::new(file_of(&longer)).unwrap().with_size(bytes.len() as u64))
    });
}

#[test]
fn the_rest_of_a_file_conforms() {
    for base in [1, 69, 4096, 65_537] {
        conforms(&|bytes| {
            let longer = [&vec![b'\n'; base][..], bytes].concat();
            Box::new(FileSource::new(file_of(&longer)).unwrap().starting_at(base as u64))
        });
        conforms(&|bytes| {
            let longer = [&vec![b'x'; base][..], bytes, b"not of this file\n"].concat();
            let rest = FileSource::new(file_of(&longer)).unwrap().starting_at(base as u64);
            Box::new(rest.with_size(bytes.len() as u64))
        });
    }
}

#[test]
fn after_the_end_of_a_file_is_an_empty_source() {
    for base in [3, 4, u64::MAX] {
        let source = FileSource::new(file_of(b"abc")).unwrap().starting_at(base);
        assert_eq!((source.size(), read(&source, &mut [0; 9], 0)), (Some(0), 0), "from {base}");
        assert_eq!(source.changed().unwrap(), None, "from {base}");
    }
}

/// Changes before the source do not count; bytes after its end are an append.
#[test]
fn changes_of_the_rest_of_a_file_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let open = || {
        std::fs::write(&path, "0123456789").unwrap();
        let source = FileSource::new(File::open(&path).unwrap()).unwrap().starting_at(4);
        assert_eq!(source.version().unwrap().unwrap().size(), Some(6));
        source
    };
    let source = open();
    OpenOptions::new().append(true).open(&path).unwrap().write_all(b"ab").unwrap();
    assert_eq!(source.changed().unwrap(), Some(rread_source::Change::Appended));
    let source = open();
    // Still longer than the source, but not past its end.
    OpenOptions::new().write(true).open(&path).unwrap().set_len(9).unwrap();
    assert_eq!(source.changed().unwrap(), Some(rread_source::Change::Truncated));
    let source = open();
    std::fs::write(&path, "0123456789ABCDEF").unwrap();
    assert_eq!(source.changed().unwrap(), Some(rread_source::Change::Appended));
    let source = open();
    std::fs::write(&path, "0123X56789ABCDEF").unwrap();
    assert_eq!(source.changed().unwrap(), Some(rread_source::Change::Rewritten));
}

/// Bytes appended after opening do not belong to the source, which reports the append.
#[test]
fn a_file_that_grows_keeps_the_size_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    std::fs::write(&path, "1\n2\n").unwrap();
    let source = FileSource::new(File::open(&path).unwrap()).unwrap();
    let mut end = OpenOptions::new().append(true).open(&path).unwrap();
    end.write_all(b"3\n").unwrap();
    assert_eq!(source.size(), Some(4));
    let mut buffer = [0; 10];
    assert_eq!(read_full(&source, &mut buffer, 0).unwrap(), 4);
    assert_eq!(source.read_at(&mut buffer, 4).unwrap(), 0);
    assert_eq!(source.changed().unwrap(), Some(rread_source::Change::Appended));
}

fn spool(bytes: &[u8], most: usize, memory: usize) -> Box<dyn Source> {
    Box::new(Spool::with_memory(Box::new(Trickle::new(bytes, most)), memory))
}

#[test]
fn a_spool_in_memory_conforms() {
    conforms(&|bytes| Box::new(Spool::new(Box::new(Trickle::new(bytes, usize::MAX)))));
}

#[test]
fn a_spool_that_spills_into_a_file_conforms() {
    for memory in [0, 1, 69, 70, 71, 65_536] {
        conforms(&|bytes| spool(bytes, usize::MAX, memory));
        conforms(&|bytes| spool(bytes, 4096, memory));
    }
}

#[test]
fn a_spool_over_a_stream_of_single_bytes_conforms() {
    conforms(&|bytes| spool(bytes, 1, usize::MAX));
    conforms(&|bytes| spool(bytes, 1, 100));
}

#[test]
fn a_spool_over_a_stream_with_interrupted_reads_conforms() {
    let stumbling = |kind: io::ErrorKind, most: usize| {
        move |bytes: &[u8]| -> Box<dyn Source> {
            Box::new(Spool::with_memory(Box::new(Trickle::new(bytes, most).stumbling(kind)), 50))
        }
    };
    conforms(&stumbling(io::ErrorKind::Interrupted, 700));
    conforms(&stumbling(io::ErrorKind::WouldBlock, 7000));
}

#[test]
fn a_spool_over_a_stream_with_a_timeout_conforms() {
    conforms(&|bytes| super::timed::timed(bytes, usize::MAX));
    conforms(&|bytes| super::timed::timed(bytes, 4096));
}

#[test]
fn the_text_of_a_compressed_file_conforms() {
    for pack in pack::all() {
        let packed = packed(pack);
        conforms(&|bytes| {
            let file = FileSource::new(file_of(&packed(bytes))).unwrap();
            Box::new(Compressed::new(Box::new(file), pack.format()).unwrap())
        });
    }
}

#[test]
fn the_text_of_a_compressed_stream_conforms() {
    for pack in pack::all() {
        let packed = packed(pack);
        for (most, memory) in [(usize::MAX, usize::MAX), (1000, 70), (1, 1 << 20)] {
            conforms(&|bytes| {
                let stream = spool(&packed(bytes), most, memory);
                Box::new(Compressed::new(stream, pack.format()).unwrap())
            });
        }
    }
}

/// The suite itself, on sources that do no more than they must.
#[test]
fn sources_with_short_and_interrupted_reads_conform() {
    for most in (1..=20).chain([63, 64, 65, usize::MAX]) {
        conforms(&|bytes| Box::new(Scripted::new(bytes, move |_, _| Act::Short(most))));
    }
    let script = |call: usize, _| if call.is_multiple_of(2) { Act::Interrupt } else { Act::Short(900) };
    conforms(&|bytes| Box::new(Scripted::new(bytes, script)));
    conforms(&|bytes| Box::new(Scripted::new(bytes, script).without_size()));
}
