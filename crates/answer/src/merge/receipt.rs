//! The receipt of a merge.

use super::files::{Entry, Set};
use super::mix::Walked;
use super::next::next;
use super::options::Merging;
use crate::receipt::{ContentInfo, MergedFileInfo, MergedInfo};
use rread_text::sentence::call;

/// The receipt.
pub fn info(set: &Set<'_>, walked: &Walked, merging: &Merging<'_>) -> MergedInfo {
    let out_of_order: u64 = walked.files.iter().map(|file| file.out_of_order).sum();
    MergedInfo {
        left_out: None,
        merged: true,
        records: Some(walked.files.iter().map(|file| file.records).sum()),
        matched_lines: None,
        matches: None,
        out_of_order: Some(out_of_order).filter(|count| *count > 0),
        files: files(set, walked),
        content: ContentInfo::from(&walked.stats),
        truncated: walked.stats.cut.is_some() || walked.stats.clipped_lines > 0,
        time: set.time(),
        version: set.version(),
        next: walked.rest.as_ref().and_then(|rest| next(set, rest, merging, call("ranges"))),
    }
}

/// The facts of each file for the receipt.
fn files(set: &Set<'_>, walked: &Walked) -> Vec<MergedFileInfo> {
    let mut infos: Vec<MergedFileInfo> = set.entries.iter().map(Entry::info).collect();
    for (place, got) in set.places.iter().zip(&walked.files) {
        let (info, entry) = (&mut infos[*place], &set.entries[*place]);
        info.records = Some(got.records);
        info.out_of_order = Some(got.out_of_order).filter(|count| *count > 0);
        if let Some((start, end)) = got.range {
            info.range = Some(format!("{start}-{end}"));
            let lines = got.lines.filter(|_| entry.has_lines);
            info.lines = lines.map(|(first, last)| format!("{first}-{last}"));
        }
    }
    infos
}
