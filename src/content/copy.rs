//! File bytes to standard output unchanged: by the kernel alone where it can, by hand where it cannot.

use std::fs::File;

use super::{Budget, Segment};
use crate::buffer::Buffer;
use crate::error::Result;
use crate::output::Out;
use crate::reader::Reader;

/// Copies the bytes of `segment`.
pub(super) fn copy(reader: &Reader, segment: Segment, out: &mut Out) -> Result<()> {
    let (mut at, end) = (segment.start, segment.end);
    segment.announce(reader, Budget::default());
    // Not worth a system call more than the two that a short copy takes.
    if end - at >= 1 << 17
        && let Some((file, base)) = reader.source().info().file
    {
        at = kernel_copy(file, base + at, base + end, out.direct()?) - base;
    }
    // What is left, which is everything where the kernel would not. A fault that stopped the kernel
    // comes back here, where it is plain which side it is on.
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
            // That is all there is of a stream by now: whoever reads it need not wait for more.
            out.flush()?;
        }
        at += got as u64;
    }
    Ok(())
}

/// Lets the kernel copy as far as it will; returns where it stopped.
#[cfg(target_os = "linux")]
fn kernel_copy(file: &File, start: u64, end: u64, out: &File) -> u64 {
    use rustix::fs::{FileType, OFlags};
    use rustix::pipe::{SpliceFlags, splice};

    // Somebody set the other end non-blocking: copying by hand waits, the kernel would not.
    let waits = rustix::fs::fcntl_getfl(out).is_ok_and(|flags| !flags.contains(OFlags::NONBLOCK));
    if !waits {
        return start;
    }
    let kind = rustix::fs::fstat(out).map(|stat| FileType::from_raw_mode(stat.st_mode));
    let is_pipe = kind == Ok(FileType::Fifo);
    let end = match kind {
        Ok(FileType::RegularFile | FileType::CharacterDevice) => end,
        Ok(FileType::Fifo) => {
            // A larger pipe means fewer changes between writer and reader; a smaller one does as well.
            let _ = rustix::pipe::fcntl_setpipe_size(out, 1 << 20);
            // What is spliced stays the file's own memory until it is taken out at the other end: if the file
            // changes meanwhile, so does what is read there. So the last pipeful is copied. When all of that is
            // in, the rest is out, and a change until then is still seen by whoever looks at the file.
            let full = rustix::pipe::fcntl_getpipe_size(out).unwrap_or(1 << 20) as u64;
            end.saturating_sub(full + (64 << 10)).max(start)
        }
        // A socket hands out references too, and nobody knows until when.
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
