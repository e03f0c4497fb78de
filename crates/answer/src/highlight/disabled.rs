//! Stands for the module `highlight` in a build without this feature: a language cannot be named, so nothing is painted.

use std::path::Path;

use crate::content::{ContentOptions, ContentStats, Segment};
use crate::output::{Out, ThemeChoice};
use rread_reader::Reader;
use rread_text::{Error, Result};

/// No language is built in, so there are no colors.
#[derive(Clone, Copy, Debug)]
pub enum Language {}
pub type Colors = Language;
pub type LineColors = Language;

#[derive(Clone, Copy, Debug)]
pub enum Origin {
    Kept,
    Start,
    Middle,
}

/// Refuses `name`, and names the feature to build.
pub fn find_language(_: &str) -> Result<Language> {
    Err(Error::usage("this rread was built without syntax colours")
        .hint("cargo install --path . --features highlight (in a checkout)"))
}

impl Language {
    pub fn of(_: Option<Language>, _: &ThemeChoice, _: &Reader, _: &Path) -> Result<Option<Self>> {
        Ok(None)
    }

    pub fn deliver(self, _: &Reader, _: &[Segment], _: &ContentOptions, _: &mut Out) -> Result<ContentStats> {
        match self {}
    }

    pub fn keeps_levels(&self) -> bool {
        match *self {}
    }

    pub fn skip(self, _: String, _: Origin) -> Option<()> {
        match self {}
    }

    pub fn styles(self, _: &[String]) -> Option<Vec<Vec<(usize, String)>>> {
        match self {}
    }
}
