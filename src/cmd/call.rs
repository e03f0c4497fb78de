//! `rread call`: one call of a tool for agents, without a server.

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde_json::Value;

use super::tools;
use super::tools::table::{Answer, Arguments, Body, Tool, unwrapped};
use crate::args::OutputArgs;
use crate::roots::Roots;
use crate::roots::call::{Call, LIMIT, Permissions, SecretUrls};
use crate::standard::stdout;
use rread_source::spelling::nearest;
use rread_text::{Error, Result};

/// The longest JSON on standard input.
const MAX_JSON: u64 = 16 << 20;

/// Call a tool for agents once, without a server
///
/// The tools are those of rread mcp: read, search, stat, verify, image, follow, in builds with the feature sql select, and
/// capture; rread --schema tools prints them with their arguments. The answer is that of the server: text, JSON in one line,
/// or the facts of a picture and its data URI. The exit code is that of the command which does the same, such as 1 if
/// nothing matches; an error is a JSON object on standard error, with error, kind and hint.
///
/// The call has the rights of its user, as every command: it reads any file, URL and capture, and capture runs its command.
/// With --root it reads files below these directories, and nothing else.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread call read '{\"path\": \"app.log\", \"lines\": \"-20:\"}'
  rread call search '{\"pattern\": \"ERROR\", \"path\": \"logs\", \"max_count\": 5}'
  echo '{\"path\": \"app.log\"}' | rread call stat -")]
pub(crate) struct CallArgs {
    /// The tool to call
    #[arg(value_name = "TOOL")]
    tool: String,
    /// Its arguments, a JSON object; - is standard input [default: {}]
    #[arg(value_name = "JSON")]
    arguments: Option<String>,
    /// Read only files below DIR; may be given several times
    #[arg(long, value_name = "DIR")]
    root: Vec<PathBuf>,
    #[arg(skip = OutputArgs { json: true, ..OutputArgs::default() })]
    pub(crate) output: OutputArgs,
}

impl CallArgs {
    pub(crate) fn run(self) -> Result<u8> {
        let tool = self.tool()?;
        let arguments = self.arguments(tool)?;
        let limit = tool.limit(&arguments, LIMIT);
        let is_free = self.root.is_empty();
        if !is_free && !tool.only_reads {
            return Err(Error::usage(format!("{} runs commands, which no --root confines", tool.name)));
        }
        let roots = if is_free { Roots::everywhere()? } else { Roots::open(&self.root)? };
        let remote = is_free && cfg!(feature = "cloud");
        let permissions =
            Permissions { roots, capture: is_free, remote, is_server: false, urls: SecretUrls::default() };
        let Answer { body, failure, is_error } =
            tools::call(tool, &Arc::new(Call::new(Arc::new(permissions), limit)), arguments)?;
        let code = failure.as_ref().map_or(0, Error::exit_code);
        if let Some(error) = failure.filter(|_| is_error) {
            return Err(error);
        }
        let mut text = match body {
            Body::Text(text) => text,
            Body::Structured(value) => value.to_string(),
            Body::Picture { data, mime, facts } => format!("{facts}\ndata:{mime};base64,{data}"),
        };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let mut out = stdout()?;
        out.write(text.as_bytes())?;
        out.flush().map(|()| code)
    }

    fn tool(&self) -> Result<&'static Tool> {
        let names = || tools::all().map(|tool| tool.name);
        tools::all().find(|tool| tool.name == self.tool).ok_or_else(|| {
            let message = format!("'{}' is not a tool; the tools are ", self.tool);
            let near = nearest(&self.tool, names().map(str::to_owned)).unwrap_or_else(|| "read".to_owned());
            Error::usage(message + &names().collect::<Vec<_>>().join(", "))
                .hint(format!("rread call {near} '{{\"path\": \"app.log\"}}'"))
        })
    }

    fn arguments(&self, tool: &Tool) -> Result<Arguments> {
        let text = match self.arguments.as_deref() {
            Some("-") => {
                let mut text = String::new();
                let read = std::io::stdin().take(MAX_JSON).read_to_string(&mut text);
                read.map_err(|cause| Error::read("cannot read standard input", &cause))?;
                text
            }
            given => given.unwrap_or_default().to_owned(),
        };
        let wrong = |what: String| {
            let hint = format!("rread call {} '{{\"path\": \"app.log\"}}'", tool.name);
            Error::usage(format!("the arguments of {} {what}", tool.name)).hint(hint)
        };
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => unwrapped(value.clone())
                .ok_or_else(|| wrong(format!("are {value}; they must be a JSON object"))),
            Err(_) if text.trim().is_empty() => Ok(Arguments::new()),
            Err(cause) => Err(wrong(format!("are not JSON: {cause}"))),
        }
    }
}
