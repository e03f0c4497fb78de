//! Stands for the module `remote` in a build without the feature `cloud`.

use crate::Source;
use crate::access::Access;
use crate::object::RequestPlan;
use rread_text::address::Address;
use rread_text::error::{Error, Result};

pub(super) fn open(_: &Address<'_>, _: &Access) -> Result<Box<dyn Source>> {
    Err(missing_feature())
}

pub(super) fn plan(_: &Address<'_>, _: &Access) -> Result<RequestPlan> {
    Err(missing_feature())
}

fn missing_feature() -> Error {
    Error::usage("this rread was built without the feature that reads from object stores and web servers")
        .hint("cargo install --path . --features cloud (in a checkout)")
}
