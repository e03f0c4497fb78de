//! The tool `image`: a picture, as a picture.

use std::sync::Arc;

use serde_json::{Value, json};

use super::answered::{answered_once, incomplete};
use super::names::{all, named, translated};
use super::stat::name_for_client;
use super::table::{Answer, Arguments, Body, IMAGE, ImageArguments};
use crate::cmd::image::{ImageRequest, WantedPicture};
use crate::roots::call::Call;
use rread_answer::{PartData, Receipt};
use rread_text::{Error, Kind, Result};

/// Vision models scale larger pictures down.
const SIDE: u64 = 1568;
/// The most bytes of base64.
const BYTES: u64 = 1_000_000;

pub(super) fn run(call: &Arc<Call>, arguments: Arguments) -> Result<Answer> {
    let asked = ImageArguments::read(&arguments)?;
    let name = all(asked.path.as_ref(), &[])?.remove(0);
    let file = named(call, &name)?;
    let files = [file.clone()];
    let no_data = asked.facts_only;
    let side = asked.max_side.unwrap_or(SIDE);
    let image = |output| {
        let thumbnail = (!no_data && cfg!(feature = "thumbnails")).then_some(side);
        let max_bytes = (!no_data).then_some(asked.max_bytes.unwrap_or(BYTES).min(8 * BYTES));
        let (file, options) = (file.path.clone(), call.read_options()?);
        let default_max_bytes = call.content()?.default_max_bytes;
        let page = asked.page.unwrap_or(1).max(1);
        let wanted = WantedPicture { thumbnail, page, max_bytes, no_data };
        ImageRequest { file, wanted, default_max_bytes, is_strict: true, options, output }.run()
    };
    let (part, error) = answered_once(image).map_err(|error| translated(error, &files, &IMAGE))?;
    if let Some(error) = error {
        return Err(translated(error, &files, &IMAGE));
    }
    let PartData::Image(mut info) = part.data else { return Err(incomplete()) };
    let mime = info.thumbnail_mime.unwrap_or(info.mime).to_owned();
    info.content_bytes = None;
    let mut file = part.file;
    (file.details.version, file.details.encoding.encoding_hint) = (None, None);
    file.details = file.details.for_tools();
    let links = name_for_client(&mut file.name, call, &files);
    let mut facts = info.members(&file).members()?;
    facts.extend(links.map(|links| ("hard_links".to_owned(), json!(links))));
    let facts = Value::Object(facts).to_string();
    if no_data {
        return Ok(Answer::new(Body::Text(facts), None));
    }
    let Some((_, data)) = part.content.split_once(";base64,") else {
        return Err(Error::new(Kind::Io, "the picture is incomplete"));
    };
    Ok(Answer::new(Body::Picture { data: data.to_owned(), mime, facts }, None))
}
