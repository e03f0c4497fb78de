//! What stands around the lines of a file: names, numbers and colors, as the format and the options want them.

use std::borrow::Cow;

use super::colors;
use super::find::FileSearch;
use super::options::LineParts;
use super::unit::LineMarks;
use crate::format::Format;
use rread_reader::search::unit::UnitKind;
use rread_text::address;
use rread_text::error::printable;
use rread_text::range::Context;

/// The most characters of a line beside a receipt.
const COLUMNS: u64 = 300;

impl FileSearch<'_> {
    /// The name of the file as raw and text show it, without secrets: on one line on a terminal, and else the bytes
    /// with which a program opens the file.
    pub(super) fn name(&self) -> Vec<u8> {
        let path = &self.file.request.path;
        match address::display(path) {
            name if self.is_for_people => printable(&name).into_bytes(),
            Cow::Borrowed(_) => path.as_os_str().as_encoded_bytes().to_vec(),
            Cow::Owned(name) if name == path.to_string_lossy() => {
                path.as_os_str().as_encoded_bytes().to_vec()
            }
            Cow::Owned(name) => name.into_bytes(),
        }
    }

    /// The name in color, if colors are on.
    pub(super) fn paint_name(&self) -> Vec<u8> {
        let mut painted = Vec::new();
        colors::within(&mut painted, colors::PATH, self.color, &self.name());
        painted
    }

    /// The marks of lines of several files that are mixed.
    pub(super) fn marks_of_merged(&self) -> LineMarks {
        let (marks, format) = (self.style(), self.opened.format);
        let has_name = self.options.lines.names.unwrap_or(self.of_files && format != Format::Raw);
        let path = (has_name && format != Format::Json).then(|| self.name());
        LineMarks { path, heading: None, separators: false, stops_in_lines: false, ..marks }
    }

    pub(super) fn columns(&self) -> Option<u64> {
        let is_alone = self.options.lines.parts == LineParts::Matches;
        let default = (self.opened.format.has_receipt() && !is_alone).then_some(COLUMNS);
        self.file.request.content.max_columns.or(default)
    }

    /// The style of grep; in JSON, lines as they stand in the file.
    pub(super) fn style(&self) -> LineMarks {
        let (format, options) = (self.opened.format, &self.options.lines);
        let has_receipt = format.has_receipt();
        let marks = LineMarks {
            columns: self.columns(),
            shares_columns: has_receipt && self.file.request.content.max_columns.is_none(),
            stops_in_lines: has_receipt,
            collects: format == Format::Json,
            options: options.clone(),
            ..LineMarks::default()
        };
        if format == Format::Json {
            return marks;
        }
        let has_name = options.names.unwrap_or(self.of_files && format == Format::Text) && !has_receipt;
        let is_above = has_name && options.heading;
        LineMarks {
            path: (has_name && !options.heading).then(|| self.name()),
            heading: is_above.then(|| [if self.is_first { &b""[..] } else { b"\n" }, &self.name()].concat()),
            null: self.options.null,
            has_fields: format != Format::Raw,
            separators: self.file.request.context != Context::default()
                || self.options.unit != UnitKind::Line && !self.options.passes_through,
            follows_file: !has_receipt && !is_above && !self.is_first && !self.options.passes_through,
            ends_lines: true,
            color: self.color,
            ..marks
        }
    }
}
