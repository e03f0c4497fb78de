//! The facts that headers state.

use serde::Serialize;

/// The facts that the header of a binary file states. What lies outside the first and last bytes of the file is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "format_details"))]
pub struct FormatDetails {
    /// The format: ELF, PE, Mach-O, Java class, WebAssembly, ZIP, tar, gzip, SQLite, PDF or a collection of fonts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    /// The version of the format: of PDF, WebAssembly, and of Java for class files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// 32 or 64, for machine code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits: Option<u8>,
    /// The order of bytes in a number, for machine code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_order: Option<&'static str>,
    /// The processor, or its number in hexadecimal; all of a Mach-O file for several, with commas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The kind of machine code: executable, shared object, relocatable, core dump, DLL and others; the flavour of tar.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// The program that links it when it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpreter: Option<String>,
    /// Whether an ELF file has no table of symbols.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stripped: Option<bool>,
    /// The members of a ZIP archive, or the fonts of a collection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<u64>,
    /// The name of the first member of a tar archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_member: Option<String>,
    /// Bytes in a page of a database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_size: Option<u32>,
    /// The pages of a database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
    /// The encoding of the texts in a database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// The version that an application gave its database (PRAGMA user_version); left out if it is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_version: Option<i32>,
    /// The number of the application that made the database (PRAGMA application_id); left out if it is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub application_id: Option<u32>,
    /// The name of the file before gzip compressed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_name: Option<String>,
    /// When that file was modified, in UTC (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_modified: Option<String>,
}

impl FormatDetails {
    /// Whether the header states nothing.
    pub fn is_empty(&self) -> bool {
        *self == FormatDetails::default()
    }
}
