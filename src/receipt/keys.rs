//! The keys of frontmatter and XML, in their order, and the member of JSON with the same fact.

pub(crate) struct Key {
    pub(crate) brief: &'static str,
    // The documents print it.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(crate) json: &'static str,
}

/// `range = actual_range` is the key `range`, which JSON calls `actual_range`.
macro_rules! keys {
    ($($(#[$doc:meta])* $name:ident { $($brief:ident $(= $json:ident)?)* })*) => {
        $($(#[$doc])* pub(crate) const $name: &[Key] = &[$(keys!(@ $brief $($json)?)),*];)*
        #[cfg(test)]
        pub(crate) const TABLES: &[(&str, &[Key])] = &[$((stringify!($name), $name)),*];
    };
    (@ $name:ident) => { Key { brief: stringify!($name), json: stringify!($name) } };
    (@ $brief:ident $json:ident) => { Key { brief: stringify!($brief), json: stringify!($json) } };
}

/// The keys of a slice that are about its file, beside its name.
pub(crate) const KEYS_OF_FILE: &[&str] = &[
    "total",
    "total_lines",
    "decoded",
    "picture_pages",
    "compression",
    "compressed_size",
    "uncompressed_size",
    "encoding",
    "encoding_source",
    "encoding_guess",
    "encoding_hint",
    "encode",
    "bom",
    "time",
    "version",
    "requests",
    "bytes_fetched",
    "fd",
];

keys! {
    SLICE {
        path path_base64 page pages continued lines = actual_range range = actual_range total = file_size
        total_lines requested = requested_range adjusted = boundary_adjustments error kind header_lines
        decoded picture_pages compression compressed_size uncompressed_size damaged encoding encoding_source encoding_guess
        encoding_hint encode bom invalid_utf8 content_bytes estimated_tokens truncated cut_by clipped_lines time version eof next
        requests bytes_fetched notices change fd = path
    }

    VERIFICATION {
        path path_base64 total = file_size total_lines checked summary mismatches remaps affected_ranges
        decoded picture_pages compression compressed_size uncompressed_size damaged encoding encoding_source encoding_guess
        encoding_hint bom invalid_utf8 content_bytes estimated_tokens truncated cut_by clipped_lines version requests
        bytes_fetched next notices change
    }

    SEARCH {
        path path_base64 error kind matches matched_lines shown searched total = file_size total_lines
        decoded picture_pages compression compressed_size uncompressed_size damaged encoding encoding_source encoding_guess
        encoding_hint bom invalid_utf8 content_bytes estimated_tokens truncated cut_by clipped_lines time version next requests
        bytes_fetched notices change
    }

    CAPTURE {
        fd name command exit_status signal bytes_produced bytes_kept kept_to binary mime encoding
        decoded compression pages truncated cut_by clipped_lines lines = actual_range range = actual_range total_lines
        total content_bytes invalid_utf8 notices evicted evicted_elsewhere version next message
    }

    /// The last page beside the first one.
    LAST_PAGE {
        fd page lines = start_line range = start_byte content_bytes clipped_lines invalid_utf8
    }

    STAT {
        path path_base64 error error_kind kind mime binary encoding encoding_source encoding_guess
        encoding_hint bom newline final_newline lines estimated_lines longest_line newlines invalid_utf8
        width height format_details hint pages range total decoded picture_pages compression compressed_size
        uncompressed_size damaged time modified mode
        content_type content_encoding storage_class version_id etag metadata version index bytes_scanned
        requests bytes_fetched notices change
    }

    /// A member in the answer of `stat --list`.
    MEMBER {
        name name_base64 kind size modified mode target encrypted
    }

    /// The archive after its members.
    MEMBERS {
        path path_base64 archive listed truncated next_offset hint
    }

    BYTE {
        path path_base64 byte line column line_start total total_lines decoded picture_pages compression compressed_size
        uncompressed_size damaged version index bytes_scanned requests bytes_fetched notices change
    }

    LINE {
        path path_base64 line byte range total total_lines decoded picture_pages compression compressed_size uncompressed_size
        damaged time version index bytes_scanned requests bytes_fetched notices change
    }

    /// The answers of `index build`, `show` and `clear`.
    INDEX {
        path path_base64 state index total total_lines bytes_scanned requests bytes_fetched milliseconds
        decoded picture_pages compression compressed_size uncompressed_size covered indexed_size complete index_bytes index_file
        device inode removed freed_bytes
    }

    /// An index in the answer of `index list`.
    LISTED_INDEX {
        index_file index_bytes used covered indexed_size
    }

    /// The answers of `capture list`, `save` and `drop`.
    CAPTURES {
        fd name command exit_status signal bytes_produced bytes_kept kept_to path path_base64 saved created
        bytes chars total total_lines notices captured dropped freed_bytes
    }

    IMAGE {
        path path_base64 format mime width height mode orientation frames file_size decoded picture_pages compression
        compressed_size uncompressed_size content_bytes exact thumbnail_mime thumbnail version notices
        change
    }

    #[cfg(any(test, feature = "sql"))]
    QUERY {
        path path_base64 query input sheet other_sheets output columns offset rows_returned content_bytes truncated cut_by next
        total decoded picture_pages compression compressed_size uncompressed_size encoding invalid_utf8 skipped_rows first_skipped
        unknown_members first_unknown bytes_spilled bytes_scanned version requests bytes_fetched notices
        change
    }
}
