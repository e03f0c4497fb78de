//! The envelope of a part for people and for XML: a key appears only when it has something to say.

use super::{Answer, Compression, Damaged, Fact, Facts, Part};
use crate::content::{ContentStats, Encode};
use crate::encoding::Origin;
use crate::error::printable;
use crate::source::Change;
use crate::source::object::Traffic;

/// The envelope of one part for people and for XML: a key appears only when it has something to say.
pub fn facts(answer: &Answer<'_>, part: &Part) -> Facts {
    let mut facts = Facts::default();
    facts.path(answer.path);
    let delivered = match &part.outcome {
        Ok(delivered) => delivered,
        Err(error) => {
            facts.number("total", answer.size);
            facts.number("total_lines", answer.total_lines);
            facts.text("requested", part.request());
            facts.text("error", printable(&error.message));
            facts.text("kind", error.kind.name());
            facts.number("content_bytes", 0);
            return facts;
        }
    };
    let answer = &answer.with(delivered.checked);
    let stats = &delivered.stats;
    if let Some(page) = &part.page {
        facts.number("page", page.page.number);
        facts.number("pages", page.pages);
        facts.if_true("continued", page.page.continued);
    }
    if let (Some(first), Some(last)) = (delivered.first_line, delivered.last_line())
        && last >= first
    {
        facts.text("lines", format!("{first}-{last}"));
    }
    facts.text("range", format!("{}-{}", delivered.start, delivered.end));
    facts.number("total", answer.size);
    facts.number("total_lines", answer.total_lines);
    if !delivered.exact || delivered.moved != (0, 0) || delivered.stats.cut.is_some() {
        facts.text("requested", part.request());
    }
    if delivered.moved != (0, 0) {
        facts.text("adjusted", adjusted(delivered.moved, &answer.alignment()));
    }
    facts.number("header_lines", Some(delivered.header_lines).filter(|n| *n > 0));
    compression_facts(&mut facts, answer.compression, answer.size);
    damage_facts(&mut facts, answer.damage());
    facts.words("encoding", answer.encoding.as_deref());
    facts.words("encoding_source", answer.encoding_source.map(Origin::name));
    facts.words("encoding_guess", answer.encoding_guess.as_deref());
    facts.words("encoding_hint", answer.encoding_hint.as_deref());
    facts.words("encode", answer.encode.map(Encode::name));
    facts.if_true("bom", answer.bom);
    if stats.invalid.count > 0 {
        facts.map("invalid_utf8", invalid_counts(stats));
    }
    facts.number("content_bytes", stats.content_bytes);
    facts.if_true("truncated", part.is_truncated());
    facts.words("cut_by", delivered.cut_by());
    facts.number("clipped_lines", Some(stats.clipped_lines).filter(|n| *n > 0));
    facts.words("version", answer.version.as_deref());
    facts.if_true("eof", Some(delivered.end) == answer.size);
    if let Some(next) = delivered.next {
        facts.text("next", next.to_string());
    }
    traffic_facts(&mut facts, answer.traffic);
    notice_facts(&mut facts, &answer.notices(), answer.change);
    facts
}

/// How the file is compressed, and both of its sizes where they are known.
pub(crate) fn compression_facts(facts: &mut Facts, compression: Option<Compression>, text_size: Option<u64>) {
    let Some(compression) = compression else { return };
    facts.text("compression", compression.format);
    facts.number("compressed_size", compression.size);
    facts.number("uncompressed_size", text_size);
}

/// Where the readable text ends, and why.
pub(crate) fn damage_facts(facts: &mut Facts, damaged: Option<&Damaged>) {
    let Some(Damaged { offset, reason }) = damaged else { return };
    let mut record = Facts::default();
    record.number("offset", *offset);
    record.text("reason", reason);
    facts.put("damaged", Fact::Record(record));
}

/// What was asked of a server.
pub(crate) fn traffic_facts(facts: &mut Facts, traffic: Option<Traffic>) {
    facts.number("requests", traffic.map(|traffic| traffic.requests));
    facts.number("bytes_fetched", traffic.map(|traffic| traffic.bytes_fetched));
}

/// What the reader should know of the file, in words, and how it changed while it was read.
pub(crate) fn notice_facts(facts: &mut Facts, notices: &[&str], change: Option<Change>) {
    if !notices.is_empty() {
        facts.list("notices", notices.iter().map(|notice| (*notice).to_owned()).collect());
    }
    facts.words("change", change.map(Change::name));
}

fn adjusted((start, end): (i64, i64), reason: &str) -> String {
    let ends = [("start", start), ("end", end)];
    let moves: Vec<String> =
        ends.iter().filter(|(_, by)| *by != 0).map(|(what, by)| format!("{what} {by:+}")).collect();
    format!("{} ({reason})", moves.join(", "))
}

pub(super) fn invalid_counts(stats: &ContentStats) -> Vec<(&'static str, u64)> {
    let first = stats.invalid.first_byte.map(|at| ("first_byte", at));
    [("count", stats.invalid.count)].into_iter().chain(first).collect()
}
