//! A writer with a random history, and what a follower that loses nothing shows of it.

use std::fmt::Write as _;
use std::fs::{self, File};

use super::support::Folder;

/// xorshift64*: the seed in a failure message reproduces the failure.
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).unwrap() % limit
    }
}

/// The bytes of one file, or of what was written to it after a truncation.
#[derive(Default)]
pub struct Generation {
    pub bytes: Vec<u8>,
    pub is_wide: bool,
}

impl Generation {
    pub fn text(&self, from: usize, to: usize) -> String {
        let bytes = &self.bytes[from..to];
        if !self.is_wide {
            let mark = if from == 0 && bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
            return String::from_utf8_lossy(&bytes[mark..]).into_owned();
        }
        let (pairs, rest) = bytes.as_chunks::<2>();
        let units = pairs.iter().map(|pair| u16::from_le_bytes(*pair));
        let text = char::decode_utf16(units).map(|c| c.unwrap_or('\u{FFFD}')).collect::<String>();
        let text = if from == 0 { text.trim_start_matches('\u{FEFF}') } else { &text };
        format!("{text}{}", if rest.is_empty() { "" } else { "\u{FFFD}" })
    }

    pub fn newlines(&self, from: usize, to: usize) -> usize {
        self.text(from, to).matches('\n').count()
    }
}

/// Writes to `app.log` of a folder.
pub struct Writer<'a> {
    folder: &'a Folder,
    pub rng: Rng,
    pub generations: Vec<Generation>,
    /// Text that was begun: writes cut it anywhere.
    todo: Vec<u8>,
    files: usize,
    /// Every follower showed bytes of the file that has the name now, so it has opened it.
    pub is_seen: bool,
    /// What was done, for messages.
    pub history: String,
}

impl<'a> Writer<'a> {
    pub fn new(folder: &'a Folder, seed: u64) -> Self {
        let rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let history = format!("seed {seed}:");
        Writer { folder, rng, generations: Vec::new(), todo: Vec::new(), files: 0, is_seen: true, history }
    }

    pub fn current(&mut self) -> &mut Generation {
        self.generations.last_mut().unwrap()
    }

    fn note(&mut self, what: &str) {
        let _ = write!(self.history, " {what}");
    }

    pub fn begin(&mut self) {
        let is_wide = self.rng.below(4) == 0;
        self.generations.push(Generation { bytes: Vec::new(), is_wide });
        self.todo.clear();
    }

    /// Appends to `name` a random number of bytes of the text that comes next.
    pub fn append(&mut self, name: &str) {
        while self.todo.len() < 64 {
            let number = self.generations.len();
            let is_first = self.current().bytes.is_empty() && self.todo.is_empty();
            let mut line = format!("{number}");
            for _ in 0..1 + self.rng.below(12) {
                line += ["a", "é", "语", "🦀", "word ", "0", "~", "\t"][self.rng.below(8)];
            }
            line += ["\n", "\r\n", "\n\n", "\n"][self.rng.below(4)];
            let has_mark = is_first && (self.current().is_wide || self.rng.below(4) == 0);
            line.insert_str(0, if has_mark { "\u{FEFF}" } else { "" });
            match self.current().is_wide {
                true => self.todo.extend(line.encode_utf16().flat_map(u16::to_le_bytes)),
                false => self.todo.extend(line.bytes()),
            }
        }
        let most = [1, 4, 64, self.todo.len()][self.rng.below(4)];
        let len = 1 + self.rng.below(most.min(self.todo.len()));
        let bytes: Vec<u8> = self.todo.drain(..len).collect();
        self.folder.append(name, &bytes);
        self.note(&format!("{name}+{len}"));
        self.current().bytes.extend(bytes);
    }

    /// The next file gets the name; `true` if the old one stays with another name.
    pub fn rotate(&mut self) {
        self.files += 1;
        let old = format!("old.{}", self.files);
        match self.rng.below(4) {
            0 => {
                self.note("replace");
                self.begin();
                self.append("new");
                self.folder.rename("new", "app.log");
            }
            1 => {
                self.note("remove");
                fs::remove_file(self.folder.path("app.log")).unwrap();
                self.begin();
                self.append("app.log");
            }
            2 => {
                self.note("rename, late writes, create");
                self.folder.rename("app.log", &old);
                self.append(&old);
                File::create(self.folder.path("app.log")).unwrap();
                self.append(&old);
                self.begin();
                self.append("app.log");
            }
            _ => {
                self.note("rename, create");
                self.folder.rename("app.log", &old);
                self.begin();
                self.append("app.log");
            }
        }
        self.is_seen = false;
    }

    /// Truncates to nothing; every follower must have shown all.
    pub fn truncate(&mut self) {
        self.note("truncate");
        fs::copy(self.folder.path("app.log"), self.folder.path("copy")).unwrap();
        self.set_length(0);
        self.begin();
        self.append("app.log");
    }

    /// Truncates to a beginning, which followers show again.
    pub fn shorten(&mut self) {
        let most = self.current().bytes.len() - 16;
        let len = 16 + self.rng.below(most);
        self.note(&format!("shorten to {len}"));
        let (bytes, is_wide) = (self.current().bytes[..len].to_vec(), self.current().is_wide);
        self.todo.clear();
        self.generations.push(Generation { bytes, is_wide });
        self.set_length(len as u64);
    }

    fn set_length(&self, length: u64) {
        File::options().write(true).open(self.folder.path("app.log")).unwrap().set_len(length).unwrap();
    }
}
