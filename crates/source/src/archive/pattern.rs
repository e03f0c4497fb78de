//! Which members of an archive a name asks for: all, those that a pattern matches, or those below a directory.

use globset::{GlobBuilder, GlobMatcher};

use super::entry::plain_name;
use crate::member_address::as_path;
use rread_text::error::{Error, Result};

/// The characters that make a name a pattern.
const SPECIAL: &[u8] = b"*?[{";

/// Whether the name `member` of an address asks for several members.
pub fn asks_for_several(member: &[u8]) -> bool {
    plain_name(member).is_empty() || member.iter().any(|byte| SPECIAL.contains(byte))
}

/// The members that a name asks for.
#[derive(Clone, Debug)]
pub enum MemberPattern {
    /// All.
    All,
    /// Those below the directory.
    Below(Vec<u8>),
    /// Those that match, and the one that has exactly this name.
    Glob {
        /// The pattern as it was typed.
        text: Vec<u8>,
        /// As in a shell, `*` and `?` match no `/`, and `**` does.
        matcher: GlobMatcher,
    },
}

impl MemberPattern {
    /// The pattern that the name `member` of an address is.
    ///
    /// # Errors
    ///
    /// One of usage for a pattern that is not well-formed.
    pub fn of(member: &[u8]) -> Result<Self> {
        let member = plain_name(member);
        if member.is_empty() {
            return Ok(MemberPattern::All);
        }
        let text = String::from_utf8_lossy(member).into_owned();
        let glob = GlobBuilder::new(&text).literal_separator(true).backslash_escape(true).build();
        let glob = glob.map_err(|cause| {
            Error::usage(format!("'{text}' is not a pattern of members: {}", cause.kind()))
                .hint("* matches no /, ** does; \\[ is a plain [")
        })?;
        Ok(MemberPattern::Glob { text: member.to_owned(), matcher: glob.compile_matcher() })
    }

    /// All members below `directory`.
    pub fn below(directory: &[u8]) -> Self {
        match plain_name(directory) {
            b"" => MemberPattern::All,
            name => MemberPattern::Below(name.to_owned()),
        }
    }

    /// Whether a list that the pattern asks for has the member `name`: also those below a directory of exactly this name.
    pub fn lists(&self, name: &[u8]) -> bool {
        let name = plain_name(name);
        match self {
            MemberPattern::Glob { text, .. } => {
                self.matches(name) || MemberPattern::Below(text.clone()).matches(name)
            }
            _ => self.matches(name),
        }
    }

    pub(super) fn matches(&self, name: &[u8]) -> bool {
        match self {
            MemberPattern::All => true,
            MemberPattern::Below(directory) => {
                name.strip_prefix(&directory[..]).is_some_and(|rest| rest.starts_with(b"/"))
            }
            MemberPattern::Glob { text, matcher } => {
                name == text || as_path(name).is_some_and(|path| matcher.is_match(path))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell() {
        for (pattern, matched, others) in [
            ("*.log", &["a.log", ".log"][..], &["a/b.log", "a.log.gz", "alog"][..]),
            ("**/run.log", &["run.log", "a/run.log", "a/b/run.log"], &["a/xrun.log", "run.log/x"]),
            ("var/**", &["var/a", "var/a/b"], &["var", "variable/a", "x/var/a"]),
            ("a?c", &["abc"], &["a/c", "ac"]),
            ("{a,b}/[0-9].txt", &["a/1.txt", "b/9.txt"], &["c/1.txt", "a/10.txt"]),
            ("[id].tsx", &["i.tsx", "[id].tsx"], &["id.tsx"]),
            ("\\[id].tsx", &["[id].tsx"], &["i.tsx"]),
            ("./*.log", &["a.log"], &["b/a.log"]),
            ("", &["a", "a/b"], &[]),
            ("./", &["a", "a/b"], &[]),
        ] {
            assert!(asks_for_several(pattern.as_bytes()), "{pattern}");
            let found = MemberPattern::of(pattern.as_bytes()).unwrap();
            for name in matched {
                assert!(found.matches(name.as_bytes()), "{pattern} {name}");
            }
            for name in others {
                assert!(!found.matches(name.as_bytes()), "{pattern} {name}");
            }
        }
        for name in ["a", "a/b.log", "../x", "a b"] {
            assert!(!asks_for_several(name.as_bytes()), "{name}");
        }
        let below = MemberPattern::Below(b"var/log".to_vec());
        assert!(below.matches(b"var/log/a") && !below.matches(b"var/log") && !below.matches(b"var/logs/a"));
    }

    #[test]
    fn an_unfinished_pattern_is_an_error() {
        for pattern in ["[a", "{a,b", "a[z-a]"] {
            assert!(MemberPattern::of(pattern.as_bytes()).is_err(), "{pattern}");
        }
    }
}
