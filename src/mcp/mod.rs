//! The server of the Model Context Protocol: confined files, calls, and the protocol on standard input and output.

#[cfg(feature = "mcp")]
pub(crate) mod arguments;
#[cfg(feature = "mcp")]
pub(crate) mod call;
#[cfg(feature = "mcp")]
mod ignored;
#[cfg(feature = "mcp")]
pub(crate) mod roots;
#[cfg(feature = "mcp")]
pub(crate) mod server;
#[cfg(feature = "mcp")]
mod streams;
#[cfg(feature = "mcp")]
pub(crate) mod tool;
#[cfg(feature = "mcp")]
pub(crate) mod walk;
