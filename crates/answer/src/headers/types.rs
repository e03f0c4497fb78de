//! The facts that headers state.

use crate::rows::{Optional, rows};

rows! {
    /// The facts that the header of a binary file states. What lies outside the first and last bytes of the file is left out.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct FormatDetails: "format_details" {
        /// The format: ELF, PE, Mach-O, Java class, WebAssembly, ZIP, tar, gzip, SQLite, PDF or a collection of fonts.
        pub format?: Option<&'static str>,
        /// The version of the format: of PDF, WebAssembly, and of Java for class files.
        pub version?: Option<String>,
        /// 32 or 64, for machine code.
        pub bits?: Option<u8>,
        /// The order of bytes in a number, for machine code.
        pub byte_order?: Option<&'static str> = ["little", "big"],
        /// The processor, or its number in hexadecimal; all of a Mach-O file for several, with commas.
        pub machine?: Option<String>,
        /// The kind of machine code: executable, shared object, relocatable, core dump, DLL and others; the flavour of tar.
        pub kind as "type"?: Option<&'static str>,
        /// The program that links it when it starts.
        pub interpreter?: Option<String>,
        /// Whether an ELF file has no table of symbols.
        pub stripped?: Option<bool>,
        /// The members of a ZIP archive, or the fonts of a collection.
        pub members?: Option<u64>,
        /// The name of the first member of a tar archive.
        pub first_member?: Option<String>,
        /// Bytes in a page of a database.
        pub page_size?: Option<u32>,
        /// The pages of a database.
        pub pages?: Option<u32>,
        /// The encoding of the texts in a database.
        pub encoding?: Option<&'static str> = ["utf-8", "utf-16le", "utf-16be"],
        /// The version that an application gave its database (PRAGMA user_version); left out if it is 0.
        pub user_version?: Option<i32>,
        /// The number of the application that made the database (PRAGMA application_id); left out if it is 0.
        pub application_id?: Option<u32>,
        /// The name of the file before gzip compressed it.
        pub original_name?: Option<String>,
        /// When that file was modified, in UTC (RFC 3339).
        pub original_modified?: Option<String>,
    }
}

impl Optional for FormatDetails {
    type Value = Self;

    /// Whether the header states nothing.
    fn is_absent(&self) -> bool {
        *self == FormatDetails::default()
    }
}
