//! Copies file bytes to standard output unchanged, in the kernel where that is possible.

use std::fs::File;

use super::types::{Budget, Segment};
use crate::output::Out;
use rread_reader::Reader;
use rread_source::memory::Buffer;
use rread_text::Result;

pub(super) fn copy(reader: &Reader, segment: Segment, out: &mut Out) -> Result<()> {
    let (mut at, end) = (segment.start, segment.end);
    segment.advise(reader, Budget::default());
    // A short copy takes two system calls; the kernel would need more.
    if end - at >= 1 << 17
        && let Some((file, base)) = reader.source().info().file
        && let Some(direct) = out.direct()?
    {
        at = kernel_copy(file, base + at, base + end, direct) - base;
    }
    // A failure that stopped the kernel repeats here, where a read and a write fail apart.
    let mut buffer = Buffer::default();
    while at < segment.end_in(reader) {
        let wanted = usize::try_from(end - at).unwrap_or(usize::MAX).min(reader.block());
        let got = reader.read(buffer.at(at, wanted), at)?;
        if got == 0 && at >= segment.end_in(reader) {
            break;
        }
        reader.must_go_on(got, at)?;
        out.write(&buffer[..got])?;
        if got < wanted && reader.known_size().is_none() {
            // The stream has no more bytes yet; the reader of the output must not wait for them.
            out.flush()?;
        }
        at += got as u64;
    }
    Ok(())
}

/// Returns where the kernel stopped.
#[cfg(target_os = "linux")]
fn kernel_copy(file: &File, start: u64, end: u64, out: &File) -> u64 {
    use rustix::fs::{FileType, OFlags};
    use rustix::pipe::{SpliceFlags, splice};

    // On a non-blocking descriptor the kernel does not wait; the loop above does.
    let waits = rustix::fs::fcntl_getfl(out).is_ok_and(|flags| !flags.contains(OFlags::NONBLOCK));
    if !waits {
        return start;
    }
    let kind = rustix::fs::fstat(out).map(|stat| FileType::from_raw_mode(stat.st_mode));
    let is_pipe = kind == Ok(FileType::Fifo);
    let end = match kind {
        Ok(FileType::RegularFile | FileType::CharacterDevice) => end,
        Ok(FileType::Fifo) => {
            // A larger pipe needs fewer context switches.
            let _ = rustix::pipe::fcntl_setpipe_size(out, 1 << 20);
            // Spliced pages change with the file until somebody reads them. The last pipeful is therefore
            // copied: once it is in the pipe, all spliced pages are out.
            let full = rustix::pipe::fcntl_getpipe_size(out).unwrap_or(1 << 20) as u64;
            end.saturating_sub(full + (64 << 10)).max(start)
        }
        // A socket also keeps references to pages, for an unknown time.
        _ => return start,
    };
    let mut at = start;
    while at < end {
        let wanted = usize::try_from(end - at).unwrap_or(usize::MAX).min(1 << 30);
        let mut from = at;
        let moved = if is_pipe {
            splice(file, Some(&mut from), out, None, wanted, SpliceFlags::empty())
        } else {
            rustix::fs::sendfile(out, file, Some(&mut from), wanted)
        };
        match moved {
            Ok(0) => break,
            Ok(moved) => at += moved as u64,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => break,
        }
    }
    at
}

#[cfg(not(target_os = "linux"))]
fn kernel_copy(_: &File, start: u64, _: u64, _: &File) -> u64 {
    start
}
