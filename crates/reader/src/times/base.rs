//! The best date that is known of a file: that of the last year of its records.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::reader::Reader;
use rread_source::member_metadata::Modified;

/// When the text was written: as the archive of a member says, else the header of a gzip file, else the file or object.
pub(super) fn modified(reader: &Reader, zone: &TimeZone) -> Option<Timestamp> {
    let recorded = reader.source().info().recorded.map(|recorded| recorded.modified);
    let of_member = match recorded {
        Some(Modified::Utc(seconds, _)) => {
            Timestamp::from_second(seconds).ok().filter(|time| time.as_second() > 0)
        }
        // ZIP has the time of a clock, in an unknown zone.
        Some(dos @ Modified::Dos { .. }) => {
            dos.text().and_then(|text| zone.to_timestamp(text.parse::<DateTime>().ok()?).ok())
        }
        Some(Modified::Unknown) | None => None,
    };
    if of_member.is_some() {
        return of_member;
    }
    let in_header = if recorded.is_none() { in_gzip_header(reader) } else { None };
    in_header.or_else(|| of_file(reader))
}

fn of_file(reader: &Reader) -> Option<Timestamp> {
    let info = reader.stored().info();
    let of_file = info.metadata.and_then(|metadata| metadata.modified().ok());
    let time = of_file.or_else(|| info.object.and_then(|object| object.modified))?;
    Timestamp::try_from(time).ok()
}

/// RFC 1952, section 2.3: four bytes at offset 4, zero if there is no time.
fn in_gzip_header(reader: &Reader) -> Option<Timestamp> {
    if reader.source().info().decoding?.format() != "gzip" {
        return None;
    }
    let mut header = [0; 8];
    let got = rread_source::read_full(reader.stored(), &mut header, 0).ok()?;
    let seconds = u32::from_le_bytes(*header.last_chunk()?);
    let is_time = got == header.len() && header.starts_with(b"\x1f\x8b") && seconds > 0;
    is_time.then(|| Timestamp::from_second(seconds.into()).ok()).flatten()
}
