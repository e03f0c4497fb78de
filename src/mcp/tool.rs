//! A tool: its description for the client, and the function that answers a call.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::call::Call;
use rread_answer::wording;
use rread_text::error::{Error, Result};

pub(crate) type Arguments = Map<String, Value>;

pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    /// JSON Schemas.
    pub(crate) input: &'static str,
    pub(crate) output: Option<&'static str>,
    pub(crate) only_reads: bool,
    pub(crate) run: fn(&Arc<Call>, Arguments) -> Result<Answer>,
}

impl Tool {
    /// Whether it waits for something outside, for as long as the client says.
    pub(crate) fn waits(&self) -> bool {
        matches!(self.name, "follow" | "capture")
    }

    /// Answers a call. The tool does not see the secrets of URLs, so its answer cannot show them.
    pub(crate) fn answer(&self, call: &Arc<Call>, arguments: Arguments) -> Answer {
        let hidden = call.hide_secrets(arguments);
        hidden.and_then(|arguments| (self.run)(call, arguments)).unwrap_or_else(Answer::from)
    }
}

#[derive(Debug)]
pub(crate) enum Answer {
    Text(String),
    /// The text of an answer none of whose parts could be delivered.
    Failed(String),
    Structured(Value),
    /// A picture in base64, its media type, and the facts about it.
    Picture {
        data: String,
        mime: String,
        facts: String,
    },
}

impl From<Error> for Answer {
    fn from(error: Error) -> Self {
        let hint = wording::hint(&error).map_or(String::new(), |hint| format!("\nhint: {hint}"));
        Answer::Failed(wording::line(&error) + &hint)
    }
}
