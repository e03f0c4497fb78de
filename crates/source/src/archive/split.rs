//! Parts of split ZIP archives, which rread does not join.

use std::path::Path;

use rread_text::error::{Error, Kind};
use rread_text::sentence::{file, shell};

/// The number in the ending of a part: 2 for `s.z02`.
pub(super) fn part_of_name(path: &Path) -> Option<u32> {
    let ending = path.extension()?.to_str()?;
    let digits = ending.strip_prefix(['z', 'Z'])?;
    let is_number = digits.len() >= 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|number| is_number && *number > 0)
}

/// The error for the file `path`, which is `part` of an archive, with the command that joins the parts.
pub(super) fn part_error(path: &Path, part: &str) -> Error {
    let error = Error::new(Kind::Io, format!("is {part} of a split archive; rread reads whole archives"));
    if path == Path::new("-") {
        return error;
    }
    let (last, whole) = (path.with_extension("zip"), path.with_file_name("all.zip"));
    error.hint(shell("zip -s 0 ").then(file(last)).then(shell(" --out ")).then(file(whole)))
}

/// The error for the last part, whose number, from 0, is `number`.
pub(super) fn last_part_error(path: &Path, number: u32) -> Error {
    let all = u64::from(number) + 1;
    part_error(path, &format!("part {all} of {all}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_numbers_in_their_endings() {
        for (name, number) in [
            ("s.z01", Some(1)),
            ("a/S.Z12", Some(12)),
            ("s.z100", Some(100)),
            ("s.zip", None),
            ("s.z", None),
            ("s.z1", None),
            ("s.z00", None),
            ("s.zst", None),
            ("z01", None),
            ("s.z-1", None),
        ] {
            assert_eq!(part_of_name(Path::new(name)), number, "{name}");
        }
    }

    #[test]
    fn the_command_joins_the_parts_beside_the_file() {
        let hint = |name: &str| part_error(Path::new(name), "part 2 of 2").hint;
        assert_eq!(hint("s.zip").map(|hint| hint.plain()).as_deref(), Some("zip -s 0 s.zip --out all.zip"));
        assert_eq!(
            hint("d d/s.z01").map(|hint| hint.plain()).as_deref(),
            Some("zip -s 0 'd d/s.zip' --out 'd d/all.zip'")
        );
        assert_eq!(hint("-"), None);
    }
}
