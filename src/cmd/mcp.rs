//! `rread mcp`: a server of the Model Context Protocol on standard input and output.

#[cfg(feature = "mcp")]
mod lines;
#[cfg(feature = "mcp")]
mod server;

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
    /// End a call that works longer than DURATION, unless its argument timeout says otherwise
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = crate::args::input::duration)]
    #[cfg_attr(not(feature = "mcp"), allow(dead_code))]
    timeout: Duration,
    #[arg(skip)]
    pub(crate) output: OutputArgs,
}

impl McpArgs {
    #[cfg(not(feature = "mcp"))]
    pub(crate) fn run(self) -> rread_text::error::Result<()> {
        Err(rread_text::error::Error::usage(
            "this rread was built without the server of the Model Context Protocol",
        )
        .hint("cargo install --path . --features mcp (in a checkout)"))
    }

    #[cfg(feature = "mcp")]
    pub(crate) fn run(self) -> rread_text::error::Result<()> {
        use std::io::IsTerminal;

        use crate::cmd::tools;
        use crate::roots::Roots;
        use crate::roots::call::{Permissions, SecretUrls};

        if self.allow_remote && !cfg!(feature = "cloud") {
            let message = "this rread was built without object stores and web servers";
            return Err(rread_text::error::Error::usage(message).hint(
                "leave out --allow-remote, or cargo install --path . --features cloud,mcp (in a checkout)",
            ));
        }
        let roots = Roots::open(&self.root)?;
        let is_offered = |tool: &&tools::table::Tool| tool.only_reads || self.allow_capture;
        let mut instructions = format!(
            "Reads parts of files of any size, compressed ones too. Files: below {}. Search first, then read the \
             lines around a match. An answer that is cut has `next`: the arguments of the call that continues it.",
            roots.names()
        );
        if self.allow_capture {
            instructions += " Captured output is read as fd:1, fd:2 and so on.";
        }
        if self.allow_remote {
            instructions += " A path may be a URL: https://, s3://, gs://, az://, in stores also s3://b/logs/ and s3://b/**/*.gz.";
        }
        if std::io::stdin().is_terminal() {
            rread_source::stdin::note(
                "rread mcp waits for the messages of a client on standard input; Ctrl-D ends it",
            );
        }
        let (capture, remote) = (self.allow_capture, self.allow_remote);
        let permissions =
            Permissions { roots, capture, remote, is_server: true, urls: SecretUrls::default() };
        let offered = tools::all().filter(is_offered).collect();
        server::serve(offered, instructions, permissions.into(), self.timeout)
    }
}
