//! Lines and characters of a source.

pub mod capture;
pub mod follow;
pub mod index;
pub mod paging;
pub mod private;
pub mod reader;
pub mod search;
pub mod selection;
pub mod store;
pub mod times;
