//! Stands for the module `remote` in a build without the feature `cloud`.

use std::sync::Arc;

use crate::Source;
use crate::access::Access;
use crate::object::{ListedObject, RequestPlan};
use rread_text::address::Address;
use rread_text::error::{Error, Result};

pub(super) fn open(_: &Address<'_>, _: &Access) -> Result<Box<dyn Source>> {
    Err(missing_feature())
}

pub(super) fn plan(_: &Address<'_>, _: &Access) -> Result<RequestPlan> {
    Err(missing_feature())
}

/// Says which keys are kept.
pub(super) type Wanted = dyn Fn(&str) -> bool + Send + Sync;

/// A page of a listing, of which there are none.
#[derive(Default)]
pub(super) struct Page {
    pub(super) objects: Vec<ListedObject>,
    pub(super) prefixes: Vec<String>,
    pub(super) first: Option<String>,
    pub(super) keys: u64,
}

impl Page {
    pub(super) fn is_cut(&self) -> bool {
        false
    }
}

/// Lists nothing.
pub(super) struct Lister;

impl Lister {
    pub(super) fn begin(_: &Address<'_>, _: &Access, _: Arc<Wanted>, _: &str) -> Result<(Self, Page)> {
        Err(missing_feature())
    }

    pub(super) fn rest(&self, _: &mut Page, _: &str) -> Result<()> {
        Err(missing_feature())
    }

    pub(super) fn each(&self, _: &[String], _: bool) -> Result<Page> {
        Err(missing_feature())
    }

    pub(super) fn has(_: &Address<'_>, _: &Access) -> Result<bool> {
        Err(missing_feature())
    }

    pub(super) fn command(&self) -> Option<String> {
        None
    }
}

fn missing_feature() -> Error {
    Error::usage("this rread was built without the feature that reads from object stores and web servers")
        .hint("cargo install --path . --features cloud (in a checkout)")
}
