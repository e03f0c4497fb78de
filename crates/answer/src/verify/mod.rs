//! Which lines have changed since they were read, and their new content.

mod check;
mod status;

use std::path::Path;

use crate::damage;
use crate::deliver::{Response, SegmentsBody, Shape, respond};
use crate::receipt::{Checked, Verification};
use crate::request::Request;
pub use check::{Since, shown_anchors};
use rread_text::{Anchor, Error, Kind, Result, counted, listed};

/// Compares the lines of `anchors` with those of the file as it is now.
pub fn verify(request: &Request<'_>, mut anchors: Vec<Anchor>) -> Result<()> {
    anchors.sort_unstable();
    anchors.dedup();
    respond(request.output, Shape::of(request.content, false), |response| {
        compare(request, &anchors, response)
    })
}

fn compare(request: &Request<'_>, anchors: &[Anchor], response: &mut Response) -> Result<()> {
    let opened = request.open(response.format, response.out.is_terminal)?;
    let (reader, options) = (&opened.reader, &opened.options);
    let (found, checked, excerpt, right) = {
        let _progress = request.output.watch(reader);
        let checked = check::check(reader, anchors)?;
        let moved = status::find_moved(reader, &checked)?;
        let statuses = status::find(reader, &checked, &moved)?;
        let right = damage::check(reader, 0, checked.end, false);
        let total = checked.total_lines;
        let excerpt = status::show(reader, &statuses, total, options, request.context, request.budget()?)?;
        reader.save_index(false);
        let found = Verification {
            checked: anchors.len() as u64,
            mismatches: statuses.mismatches,
            affected: statuses.affected,
            new: statuses.new,
            next: excerpt.next.clone(),
            stats: excerpt.stats,
        };
        (found, checked, excerpt, right)
    };
    let damage = reader.damage().filter(|_| right == Checked::Damaged && !reader.is_salvaged());
    let damage = damage.map(|damage| reader.damage_error(&damage).at(&request.path));
    let failure = damage.or_else(|| failure(anchors, &checked, &request.path));
    let mut file = opened.bare_file_info(checked.total_lines.or_else(|| reader.known_lines()));
    file.details.signs.checked = right;
    file.details.signs.guessed_encoding = opened.guessed_encoding();
    response.begin(file, false)?;
    let note = found.cut_note().filter(|_| !response.format.has_receipt());
    let mut body = SegmentsBody::new(reader, options, excerpt.segments, Some(found.stats));
    let sections = response.content(&mut body);
    response.part(Box::new(found), sections)?;
    // The lines that were read stay those to compare with, however often verify shows others.
    drop(reader.take_hashes());
    response.end(reader, &request.content.read)?;
    failure.into_iter().for_each(|error| response.remember(error));
    note.into_iter().for_each(|note| response.note_after(Some(&request.path), note));
    Ok(())
}

fn failure(anchors: &[Anchor], checked: &check::AnchorCheck, path: &Path) -> Option<Error> {
    let mismatches = &checked.mismatches;
    let mut lines: Vec<u64> = mismatches.iter().map(|mismatch| mismatch.anchor.line).collect();
    lines.dedup();
    lines.first()?;
    let verb = if mismatches.len() == 1 { "does" } else { "do" };
    let mut named: Vec<String> = lines.iter().take(3).map(u64::to_string).collect();
    named.extend(lines.len().checked_sub(4).map(|more| format!("{} more", more + 1)));
    let more = format!("{} {}", if lines.len() == 1 { "line" } else { "lines" }, listed(&named, "and"));
    let is_short = mismatches.iter().any(|mismatch| mismatch.now.is_none());
    let total = checked.total_lines.filter(|_| is_short);
    let end = total.map_or(String::new(), |total| format!("; the file has {}", counted(total, "line")));
    let all = counted(anchors.len() as u64, "anchor");
    let sentence = format!("{} of {all} {verb} not match: {more}{end}", mismatches.len());
    Some(Error::new(Kind::Mismatch, sentence).at(path))
}
