//! Stands for the module `highlight` in a build without this feature: a language cannot be named, so nothing is painted.

#![cfg_attr(not(feature = "view"), allow(dead_code))]

use std::path::Path;

use crate::content::{ContentOptions, ContentStats, Segment};
use crate::output::Out;
use rread_reader::reader::Reader;
use rread_text::error::{Error, Result};

/// No language is built in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Language {}

/// Refuses `name`, and names the feature to build.
pub(crate) fn find_language(_: &str) -> Result<Language> {
    Err(Error::usage("this rread was built without syntax colours")
        .hint("cargo install --path . --features highlight (in a checkout)"))
}

pub(crate) struct Colors(Language);

impl Colors {
    pub(crate) fn of(_: Option<Language>, _: &Reader, _: &Path) -> Result<Option<Self>> {
        Ok(None)
    }

    pub(crate) fn deliver(
        &self,
        _: &Reader,
        _: &[Segment],
        _: &ContentOptions,
        _: &mut Out,
    ) -> Result<ContentStats> {
        match self.0 {}
    }
}

/// See `lines.rs`.
pub(crate) struct LineColors(Language);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    Kept,
    Start,
    Middle,
}

impl LineColors {
    pub(crate) fn of(_: Option<Language>, _: &Reader, _: &Path) -> Result<Option<Self>> {
        Ok(None)
    }

    pub(crate) fn keeps_levels(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn skip(&self, _: String, _: Origin) -> Option<()> {
        match self.0 {}
    }

    pub(crate) fn styles(&self, _: Vec<String>) -> Option<Vec<Vec<(usize, String)>>> {
        match self.0 {}
    }
}
