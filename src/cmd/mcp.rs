//! `rread mcp`: a server of the Model Context Protocol on standard input and output.

#[cfg(feature = "mcp")]
mod answered;
#[cfg(feature = "mcp")]
mod archive_name;
#[cfg(feature = "mcp")]
mod capture;
#[cfg(feature = "mcp")]
mod collector;
#[cfg(feature = "mcp")]
mod follow;
#[cfg(feature = "mcp")]
mod hint;
#[cfg(feature = "mcp")]
mod image;
#[cfg(feature = "mcp")]
mod names;
#[cfg(feature = "mcp")]
mod read;
#[cfg(feature = "mcp")]
mod run;
#[cfg(feature = "mcp")]
mod search;
#[cfg(feature = "mcp")]
mod search_results;
#[cfg(all(feature = "mcp", feature = "sql"))]
mod select;
#[cfg(feature = "mcp")]
mod stat;
#[cfg(feature = "mcp")]
mod text_renderer;
#[cfg(feature = "mcp")]
mod tool_names;
#[cfg(feature = "mcp")]
mod verify;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::OutputArgs;

/// Serve the tools for agents over the Model Context Protocol, on standard input and output
///
/// The tools are read, search, stat, verify, image, follow, in builds with the feature sql select and, with --allow-capture,
/// capture. An answer has at most 10,000
/// bytes by default, and the arguments of the call that continues it. Clients can read only files below the roots: rread
/// refuses a path that leads out of them by .. or by a link, even if a directory is replaced in the same moment.
/// The server ends when its input ends.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread mcp                             files below the working directory
  rread mcp --root /var/log --root ~/src
  claude mcp add rread -- rread mcp")]
pub(crate) struct McpArgs {
    /// Directory that clients may read; may be given several times [default: the working directory]
    #[arg(long, value_name = "DIR")]
    root: Vec<PathBuf>,
    /// Offer the tool capture, which runs any command, and read captures (fd:N)
    #[arg(long)]
    allow_capture: bool,
    /// Read objects and web pages by their URLs, with the credentials of the environment
    #[arg(long)]
    allow_remote: bool,
    /// End a call that works longer than DURATION; calls that wait have a timeout of their own
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = crate::args::input::duration)]
    #[cfg_attr(not(feature = "mcp"), allow(dead_code))]
    timeout: Duration,
    #[arg(skip)]
    output: OutputArgs,
}

impl McpArgs {
    pub(crate) fn output(&self) -> &OutputArgs {
        &self.output
    }

    #[cfg(not(feature = "mcp"))]
    pub(crate) fn run(self) -> rread_text::error::Result<()> {
        Err(rread_text::error::Error::usage(
            "this rread was built without the server of the Model Context Protocol",
        )
        .hint("cargo install --path . --features mcp (in a checkout)"))
    }
}
