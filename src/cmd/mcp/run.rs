//! Starts the server with its tools.

use std::io::IsTerminal;
use std::sync::Arc;

use super::{McpArgs, capture, image, read, search, stat, verify};
use crate::mcp::call::Permissions;
use crate::mcp::roots::Roots;
use crate::mcp::server::serve;
use crate::mcp::tool::Tool;
use rread_source::stdio::note;
use rread_text::error::{Error, Result};

impl McpArgs {
    pub(crate) fn run(self) -> Result<()> {
        if self.allow_remote && !cfg!(feature = "cloud") {
            return Err(Error::usage("this rread was built without object stores and web servers").hint(
                "leave out --allow-remote, or cargo install --path . --features cloud,mcp (in a checkout)",
            ));
        }
        let roots = Roots::open(&self.root)?;
        let mut tools: Vec<&'static Tool> =
            vec![&read::TOOL, &search::TOOL, &stat::TOOL, &verify::TOOL, &image::TOOL];
        if self.allow_capture {
            tools.push(&capture::TOOL);
        }
        let mut instructions = format!(
            "Reads parts of files of any size, compressed ones too. Files: below {}. Search first, then read the \
             lines around a match. An answer that is cut has `next`: the arguments of the call that continues it.",
            roots.names()
        );
        if self.allow_capture {
            instructions += " Captured output is read as fd:1, fd:2 and so on.";
        }
        if self.allow_remote {
            instructions += " A path may be a URL: https://, s3://, gs://, az://.";
        }
        if std::io::stdin().is_terminal() {
            note("rread mcp waits for the messages of a client on standard input; Ctrl-D ends it");
        }
        let (capture, remote) = (self.allow_capture, self.allow_remote);
        serve(tools, instructions, Arc::new(Permissions { roots, capture, remote }))
    }
}
