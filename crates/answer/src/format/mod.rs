//! The output formats: one `Renderer` for every command, one file for each format. None of them can influence what is read.

mod escape;
mod frontmatter;
mod json;
mod renderer;
mod xml;

pub use renderer::{Body, Frame, List, Part, Renderer, Renders, Section, Tail};

#[cfg(test)]
pub use renderer::{BRIEF, OF_MANY};
pub use xml::capture_error;

/// The formats of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// YAML between `---` lines, then the content
    #[default]
    Frontmatter,
    /// One JSON document
    Json,
    /// The bytes of the file and nothing else
    Raw,
    /// The content alone, as UTF-8
    Text,
    /// The keys of frontmatter as attributes, with all text escaped
    Xml,
}

impl Format {
    pub fn renderer(self, color: bool) -> Box<dyn Renderer> {
        match self {
            Format::Frontmatter => Box::new(frontmatter::Frontmatter::new(color)),
            Format::Json => Box::<json::Json>::default(),
            Format::Raw | Format::Text => Box::new(frontmatter::Plain::new(color)),
            Format::Xml => Box::<xml::Xml>::default(),
        }
    }

    /// Whether the format writes anything beside the content.
    pub fn has_receipt(self) -> bool {
        !matches!(self, Format::Raw | Format::Text)
    }
}
