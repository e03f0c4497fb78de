//! Strings of a workbook: runs of text without the readings of their words, and characters that XML cannot have.

use crate::format::script::Script;
use crate::format::zip_xml::{Package, Part};
use crate::protocol::Failure;

/// Reads the strings that cells share. Those before damage stay.
pub(super) fn shared_strings(
    package: &mut Package<'_>,
    member: &str,
    strings: &mut Vec<String>,
) -> Result<(), Failure> {
    let mut string = RichText::default();
    package.parse(member, |part| {
        match part {
            Part::Start("si", _) => string = RichText::default(),
            Part::End("si") => strings.push(string.take()),
            part => string.take_part(&part),
        }
        Ok(())
    })?;
    Ok(())
}

/// A string in runs.
#[derive(Default)]
pub(super) struct RichText {
    text: String,
    /// The run that is open, and whether its white space counts.
    run: Option<(String, bool)>,
    is_reading: bool,
    /// Whether the run is raised or lowered.
    script: Option<Script>,
}

impl RichText {
    pub(super) fn take_part(&mut self, part: &Part<'_>) {
        match part {
            Part::Start("rPh", _) => self.is_reading = true,
            Part::End("rPh") => self.is_reading = false,
            Part::Start("r", _) => self.script = None,
            Part::Start("vertAlign", attributes) => attributes.each(|_, value| {
                self.script = match value {
                    "superscript" => Some(Script::Raised),
                    "subscript" => Some(Script::Lowered),
                    _ => None,
                };
            }),
            Part::Start("t", attributes) if !self.is_reading => {
                let mut is_kept = false;
                attributes.each(|name, value| is_kept |= name == "space" && value == "preserve");
                self.run = Some((String::new(), is_kept));
            }
            Part::Text(text) => {
                if let Some((run, _)) = &mut self.run {
                    run.push_str(text);
                }
            }
            Part::End("t") => {
                if let Some((run, is_kept)) = self.run.take() {
                    let run = if is_kept { run.as_str() } else { run.trim_matches([' ', '\t', '\r', '\n']) };
                    match self.script {
                        Some(script) => {
                            let mut raised = String::new();
                            unescape(run, &mut raised);
                            script.push(&mut self.text, &raised);
                        }
                        None => unescape(run, &mut self.text),
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

/// Adds `text` to `out`, with the characters that it has as `_x000D_` (ECMA-376, 22.9.2.19).
pub(super) fn unescape(text: &str, out: &mut String) {
    let mut rest = text;
    let mut units: Vec<u16> = Vec::new();
    while let Some(at) = rest.find("_x") {
        let unit = rest.get(at + 2..at + 6).filter(|_| rest.as_bytes().get(at + 6) == Some(&b'_'));
        let unit = unit.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = unit.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        if at > 0 || unit.is_none() {
            end(&mut units, out);
        }
        out.push_str(&rest[..at]);
        match unit {
            Some(unit) => {
                units.push(unit);
                rest = &rest[at + 7..];
            }
            None => {
                out.push_str("_x");
                rest = &rest[at + 2..];
            }
        }
    }
    end(&mut units, out);
    out.push_str(rest);
}

fn end(units: &mut Vec<u16>, out: &mut String) {
    if !units.is_empty() {
        out.push_str(&String::from_utf16_lossy(units));
        units.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_characters() {
        for (text, expected) in [
            ("a_x000D_b", "a\rb"),
            ("_x0041__x0042_", "AB"),
            ("_xD83D__xDE00_!", "😀!"),
            ("_xD83D_", "\u{FFFD}"),
            ("_x005F_x000D_", "_x000D_"),
            ("_x00_ _xé123_ _x000G_", "_x00_ _xé123_ _x000G_"),
            ("_x", "_x"),
        ] {
            let mut out = String::new();
            unescape(text, &mut out);
            assert_eq!(out, expected, "{text}");
        }
    }
}
