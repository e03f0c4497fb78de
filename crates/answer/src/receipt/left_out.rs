//! What a search of directories did not read, and why.

use serde::Serialize;

use rread_text::error::{Error, Kind, printable};

/// Files that could not be read are named up to this number.
const MAX_NAMED: usize = 5;

/// The files that a search did not read, by the reason; a directory that is left out counts once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "left_out"))]
pub struct LeftOut {
    /// The number of binary files.
    #[serde(skip_serializing_if = "is_zero")]
    pub binary: u64,
    /// The number of archives; -z searches them.
    #[serde(skip_serializing_if = "is_zero")]
    pub archives: u64,
    /// The number of files that are larger than --max-filesize.
    #[serde(skip_serializing_if = "is_zero")]
    pub too_large: u64,
    /// The number of files without the times that --since and --until need.
    #[serde(skip_serializing_if = "is_zero")]
    pub without_times: u64,
    /// The number of files and directories whose name begins with a dot.
    #[serde(skip_serializing_if = "is_zero")]
    pub hidden: u64,
    /// The number of files and directories that .gitignore and the like name.
    #[serde(skip_serializing_if = "is_zero")]
    pub ignored: u64,
    /// The first files and directories that cannot be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
    /// How many more of them there are.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_unreadable: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The receipt after those of the files.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct LeftOutOfSearch {
    /// The files that the search did not read, by the reason.
    pub left_out: LeftOut,
    /// No content follows.
    pub content_bytes: u64,
}

impl LeftOut {
    pub fn is_empty(&self) -> bool {
        *self == LeftOut::default()
    }

    /// Whether files are left out that no rule and no name leaves out.
    pub fn has_gaps(&self) -> bool {
        let rules = LeftOut { hidden: self.hidden, ignored: self.ignored, ..LeftOut::default() };
        *self != rules
    }

    /// Counts a file below a directory that is not searched because of `error`; false if it is an error to report.
    pub fn add(&mut self, path: &str, error: &Error, is_archive: bool) -> bool {
        match error.kind {
            Kind::Binary if is_archive => self.archives += 1,
            Kind::Binary => self.binary += 1,
            Kind::InvalidText => self.without_times += 1,
            _ => {
                self.add_unreadable(path);
                return false;
            }
        }
        true
    }

    pub fn add_unreadable(&mut self, path: &str) {
        match self.unreadable.len() < MAX_NAMED {
            true => self.unreadable.push(path.to_owned()),
            false => self.more_unreadable += 1,
        }
    }

    /// The sum in words: `2 binary files, 1 archive (-z)`; with `all`, also what rules and names leave out.
    pub fn words(&self, all: bool) -> String {
        let counted = |count: u64, one: &str, several: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {several}")),
        };
        let unreadable = self.unreadable.len() as u64 + self.more_unreadable;
        let names: Vec<String> = self.unreadable.iter().map(|name| printable(name)).collect();
        let mut words: Vec<String> = [
            counted(self.binary, "binary file", "binary files (--binary searches them)"),
            counted(self.archives, "archive (-z searches it)", "archives (-z searches them)"),
            counted(self.too_large, "file that is too large", "files that are too large"),
            counted(self.without_times, "file without times", "files without times"),
            counted(unreadable, "that cannot be read", "that cannot be read").map(|sum| {
                let more = if self.more_unreadable > 0 { ", …" } else { "" };
                format!("{sum} ({}{more})", names.join(", "))
            }),
        ]
        .into_iter()
        .flatten()
        .collect();
        if all {
            let rules = [
                counted(self.hidden, "hidden (--hidden)", "hidden (--hidden)"),
                counted(
                    self.ignored,
                    "that .gitignore names (--no-ignore)",
                    "that .gitignore names (--no-ignore)",
                ),
            ];
            words.extend(rules.into_iter().flatten());
        }
        words.join(", ")
    }
}
