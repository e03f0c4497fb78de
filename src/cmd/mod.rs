//! The subcommands.

pub mod bytes;
pub mod capture;
mod files;
mod from;
pub mod image;
pub mod index;
pub mod lines;
mod neighbours;
pub mod page;
pub mod ranges;
pub mod select;
pub mod stat;
pub mod verify;
pub mod where_;
