//! The tool `image`: a picture, as a picture.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::answered::{answered_once, text};
use super::hint::translated;
use super::names::{all, named};
use super::stat::rename;
use super::tool_names::IMAGE;
use crate::cmd::image::ImageArgs;
use crate::mcp::arguments::{self, flag, words};
use crate::mcp::call::Call;
use crate::mcp::tool::{Answer, Arguments, Tool};
use rread_answer::rows::Tools;
use rread_text::error::{Error, Kind, Result};

/// Vision models scale larger pictures down.
const SIDE: u64 = 1568;
/// The most bytes of base64.
const BYTES: u64 = 1_000_000;

pub(super) const TOOL: Tool = Tool {
    name: "image",
    title: "Show a picture",
    description: "Show a picture (PNG, JPEG, GIF, WebP, BMP, TIFF), made smaller if it is large, with its format and size.",
    input: r#"{"type":"object","additionalProperties":false,"required":["path"],"properties":{
"path":{"type":"string","description":"File"},
"max_side":{"type":"integer","description":"Pixels (1568)"},
"max_bytes":{"type":"integer","description":"Of base64 (1000000)"},
"facts_only":{"type":"boolean","description":"No picture"}}}"#,
    output: None,
    only_reads: true,
    run: |call, arguments| run(call, arguments).map_err(|error| translated(error, &[], &IMAGE)),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ImageArguments {
    #[serde(deserialize_with = "words")]
    path: Option<String>,
    #[serde(deserialize_with = "arguments::number")]
    max_side: Option<u64>,
    #[serde(deserialize_with = "arguments::number")]
    max_bytes: Option<u64>,
    #[serde(deserialize_with = "flag")]
    facts_only: bool,
}

fn run(call: &Arc<Call>, arguments: Arguments) -> Result<Answer> {
    let asked: ImageArguments = arguments::parse(arguments, &TOOL)?;
    let name = all(asked.path.as_ref(), &[])?.remove(0);
    let file = named(call, &name)?;
    let files = [file.clone()];
    let no_data = asked.facts_only;
    let side = asked.max_side.unwrap_or(SIDE).max(1);
    let image = |output| {
        let thumbnail = (!no_data && cfg!(feature = "thumbnails")).then_some(side);
        let max_bytes = (!no_data).then_some(asked.max_bytes.unwrap_or(BYTES).min(8 * BYTES));
        ImageArgs { file: file.path.clone(), thumbnail, max_bytes, no_data, source: call.source(), output }
            .run()
    };
    let (part, error) =
        answered_once(Tools::Objects, image).map_err(|error| translated(error, &files, &IMAGE))?;
    if let Some(error) = error {
        return Err(translated(error, &files, &IMAGE));
    }
    let mut facts = part.receipt;
    rename(&mut facts, call, &files);
    let stored = text(&facts, "mime").unwrap_or_default();
    let mime = text(&facts, "thumbnail_mime").unwrap_or(stored).to_owned();
    let facts = Value::Object(facts).to_string();
    if no_data {
        return Ok(Answer::Text(facts));
    }
    let Some((_, data)) = part.content.split_once(";base64,") else {
        return Err(Error::new(Kind::Io, "the picture is incomplete"));
    };
    Ok(Answer::Picture { data: data.to_owned(), mime, facts })
}
