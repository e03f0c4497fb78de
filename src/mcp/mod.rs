//! The server of the Model Context Protocol: confined files, calls, and the protocol on standard input and output.

pub(crate) mod arguments;
pub(crate) mod call;
mod ignored;
mod lines;
mod message;
mod names_of_other_tools;
pub(crate) mod server;
pub(crate) mod tool;
pub(crate) mod urls;
pub(crate) mod walk;
