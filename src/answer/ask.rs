//! What the sequence of an answer needs of a request, whatever its kind.

use super::planned::Plan;
use super::request::{Opened, Request};
use crate::content::Budget;
use crate::envelope::SliceResult;
use crate::error::{Error, Result};

/// What is asked of one file, which may be one of several.
pub(crate) trait Ask {
    /// What all kinds of requests have in common.
    fn request(&self) -> &Request<'_>;

    /// Finds what was asked for, within `left` of the budget.
    fn plan<'o>(&'o self, opened: &'o Opened<'_>, left: Budget) -> Result<Plan<'o>>;

    /// What stands in the place of a file that cannot be answered because of `error`.
    fn refused(&self, error: &Error) -> Vec<SliceResult>;
}
