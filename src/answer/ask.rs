//! The interface between the sequence of an answer and the kinds of requests.

use super::planned::Plan;
use super::request::{Opened, Request};
use crate::content::Budget;
use crate::envelope::SliceResult;
use crate::error::{Error, Result};

/// A request about one file, which may be one of several.
pub(crate) trait Ask {
    /// The options that all kinds of requests have.
    fn request(&self) -> &Request<'_>;

    /// Finds what was asked for, within `left` of the budget.
    fn plan<'o>(&'o self, opened: &'o Opened<'_>, left: Budget) -> Result<Plan<'o>>;

    /// The parts that report `error` in the place of a file that rread cannot read.
    fn refused(&self, error: &Error) -> Vec<SliceResult>;
}
