//! Starts the server with its tools.

use std::io::IsTerminal;
use std::sync::Arc;

#[cfg(feature = "sql")]
use super::select;
use super::{McpArgs, capture, follow, image, read, search, stat, verify};
use crate::mcp::call::Permissions;
use crate::mcp::server::serve;
use crate::mcp::tool::Tool;
use crate::mcp::urls::SecretUrls;
use crate::roots::Roots;
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
            vec![&read::TOOL, &search::TOOL, &stat::TOOL, &verify::TOOL, &image::TOOL, &follow::TOOL];
        #[cfg(feature = "sql")]
        tools.push(&select::TOOL);
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
        serve(
            tools,
            instructions,
            Arc::new(Permissions {
                roots,
                capture,
                remote,
                limit: Some(self.timeout),
                urls: SecretUrls::default(),
            }),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::tool_names::{self, ToolNames};
    use super::*;
    use serde_json::Value;

    #[test]
    fn the_names_of_arguments_are_those_of_the_schemas() {
        let tools: &[(&Tool, &ToolNames)] = &[
            (&read::TOOL, &tool_names::READ),
            (&search::TOOL, &tool_names::SEARCH),
            (&stat::TOOL, &tool_names::STAT),
            (&verify::TOOL, &tool_names::VERIFY),
            (&image::TOOL, &tool_names::IMAGE),
            (&follow::TOOL, &tool_names::FOLLOW),
            #[cfg(feature = "sql")]
            (&select::TOOL, &tool_names::SELECT),
            (&capture::TOOL, &tool_names::CAPTURE),
        ];
        for (tool, names) in tools {
            let input: Value = serde_json::from_str(tool.input).unwrap();
            let of_schema = input["properties"].as_object().unwrap().keys();
            let (mut of_schema, mut known): (Vec<&str>, _) =
                (of_schema.map(String::as_str).collect(), names.arguments.to_vec());
            of_schema.sort_unstable();
            known.sort_unstable();
            assert_eq!((tool.name, of_schema), (names.tool, known));
        }
    }
}
