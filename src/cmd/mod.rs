//! The subcommands.

pub(crate) mod bytes;
pub(crate) mod call;
pub(crate) mod capture;
pub(crate) mod doctor;
mod files;
pub(crate) mod follow;
mod from;
pub(crate) mod image;
pub(crate) mod index;
pub(crate) mod lines;
pub(crate) mod mcp;
pub(crate) mod page;
pub(crate) mod ranges;
pub(crate) mod search;
pub(crate) mod select;
pub(crate) mod stat;
mod stat_lines;
mod stat_list;
#[cfg(feature = "sql")]
mod stat_tables;
pub(crate) mod tools;
pub(crate) mod verify;
pub(crate) mod view;
pub(crate) mod where_;
pub(crate) mod worker;
