//! The files that had a followed name, one after another as one text.

use std::fs::File;
use std::io;
use std::sync::Arc;

use rread_source::Source;
use rread_source::file::read_at;

/// Bytes of older files that are kept open beside the last one: a deleted file takes room on the disk as long as it is open.
const MOST_OLD: u64 = 64 << 20;

/// Files that are kept open.
const MOST_FILES: usize = 64;

#[derive(Clone, Debug)]
struct Link {
    file: Arc<File>,
    len: u64,
}

/// The files that a followed name had, oldest first; each as long as it was when the next one came.
#[derive(Clone, Debug, Default)]
pub struct FileChain(Vec<Link>);

impl FileChain {
    /// A chain that begins with the first `len` bytes of `file`.
    pub fn new(file: File, len: u64) -> Self {
        FileChain(vec![Link { file: Arc::new(file), len }])
    }

    /// Adds the next file, of which nothing was read yet; returns how many bytes at the start of the text are given up.
    pub fn push(&mut self, file: File) -> u64 {
        self.0.push(Link { file: Arc::new(file), len: 0 });
        let mut dropped = 0;
        // The one before the new file stays in any case.
        while self.0.len() > 2 && (self.0.len() > MOST_FILES || self.len() > MOST_OLD) {
            dropped += self.0.remove(0).len;
        }
        dropped
    }

    /// The last file has so many bytes now.
    pub fn set_len_of_last(&mut self, len: u64) {
        if let Some(last) = self.0.last_mut() {
            last.len = len;
        }
    }

    /// The last file, and how much of it was read.
    pub fn last(&self) -> Option<(&File, u64)> {
        self.0.last().map(|link| (&*link.file, link.len))
    }

    /// The number of files.
    pub fn files(&self) -> usize {
        self.0.len()
    }

    /// The bytes of all files.
    pub fn len(&self) -> u64 {
        self.0.iter().map(|link| link.len).sum()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Source for FileChain {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut within = offset;
        for link in &self.0 {
            if within < link.len {
                let left = usize::try_from(link.len - within).unwrap_or(usize::MAX);
                let wanted = buffer.len().min(left);
                return read_at(&link.file, &mut buffer[..wanted], within);
            }
            within -= link.len;
        }
        Ok(0)
    }

    fn size(&self) -> Option<u64> {
        Some(self.len())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn file(text: &str) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    #[test]
    fn files_follow_each_other() {
        let mut chain = FileChain::new(file("one\nmore"), 4);
        assert_eq!(chain.push(file("two\n")), 0);
        assert_eq!(chain.len(), 4, "of the new file, nothing was read");
        chain.set_len_of_last(4);
        chain.push(file("three\n"));
        chain.set_len_of_last(6);
        let all = b"one\ntwo\nthree\n";
        for from in 0..=all.len() {
            for len in 0..=all.len() {
                let mut buffer = vec![0; len];
                let got = rread_source::read_full(&chain, &mut buffer, from as u64).unwrap();
                assert_eq!(&buffer[..got], &all[from..(from + len).min(all.len())]);
            }
        }
    }

    #[test]
    fn old_files_are_given_up() {
        let mut chain = FileChain::new(file(""), MOST_OLD);
        assert_eq!(chain.push(file("a")), 0, "the one before the new file stays");
        chain.set_len_of_last(1);
        assert_eq!(chain.push(file("b")), MOST_OLD);
        assert_eq!((chain.files(), chain.len()), (2, 1));
        for _ in 0..200 {
            chain.push(file("b"));
        }
        assert_eq!(chain.files(), MOST_FILES);
    }
}
