//! The forms of records that `--parse` names: `form` tells them apart, and the others read one each.

mod clf;
mod form;
mod logfmt;
mod pattern;
mod quotes;

pub(crate) use form::{Form, Key};
