//! The answer of `stat --list`: the members of an archive.

use serde::Serialize;

use super::envelope::Plain;
use super::file::NameInfo;
use super::keys::{Key, MEMBER, MEMBERS};

/// A member of an archive.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "member"))]
pub(crate) struct MemberInfo {
    /// The name in the archive. What is not valid UTF-8 in it is U+FFFD, and name_base64 has the exact bytes.
    pub(crate) name: String,
    /// The exact bytes of a name that is not valid UTF-8, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name_base64: Option<String>,
    /// What the member is; rread reads files and hard links.
    #[cfg_attr(test, schemars(extend("enum" = ["file", "directory", "symlink", "hardlink", "device", "fifo", "other"])))]
    pub(crate) kind: &'static str,
    /// Bytes of the content.
    pub(crate) size: u64,
    /// When the member was modified, in UTC (RFC 3339); without Z, in the unknown zone of a ZIP archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) modified: Option<String>,
    /// The permissions, in octal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mode: Option<String>,
    /// The target of a link, if its header has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
    /// Whether the content is encrypted; left out if it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) encrypted: bool,
}

impl Plain for MemberInfo {
    const ELEMENT: &'static str = "member";
    const KEYS: &'static [Key] = MEMBER;
}

/// The archive of the members, after them.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "members"))]
pub(crate) struct MembersInfo {
    #[serde(flatten)]
    pub(crate) name: NameInfo,
    /// The kind of archive.
    #[cfg_attr(test, schemars(extend("enum" = ["tar", "ZIP", "sqlar"])))]
    pub(crate) archive: &'static str,
    /// The number of members in the answer.
    pub(crate) listed: u64,
    /// Whether --max-lines left out members.
    pub(crate) truncated: bool,
    /// The --offset of the next member; left out unless members were left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_offset: Option<u64>,
    /// The command that reads the first file of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

impl Plain for MembersInfo {
    const ELEMENT: &'static str = "archive";
    const KEYS: &'static [Key] = MEMBERS;
}
