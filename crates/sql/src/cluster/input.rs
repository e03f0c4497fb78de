//! The kinds of tables by their words.

use rread_text::layout::Input;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SentInput {
    Csv,
    Json,
    Jsonl,
    Parquet,
    Sheet,
    Sqlite,
    Lines,
    Log,
}

impl From<Input> for SentInput {
    fn from(input: Input) -> Self {
        match input {
            Input::Csv => SentInput::Csv,
            Input::Json => SentInput::Json,
            Input::Jsonl => SentInput::Jsonl,
            Input::Parquet => SentInput::Parquet,
            Input::Sheet => SentInput::Sheet,
            Input::Sqlite => SentInput::Sqlite,
            Input::Lines => SentInput::Lines,
            Input::Log => SentInput::Log,
        }
    }
}

pub(super) fn input(sent: SentInput) -> Input {
    match sent {
        SentInput::Csv => Input::Csv,
        SentInput::Json => Input::Json,
        SentInput::Jsonl => Input::Jsonl,
        SentInput::Parquet => Input::Parquet,
        SentInput::Sheet => Input::Sheet,
        SentInput::Sqlite => Input::Sqlite,
        SentInput::Lines => Input::Lines,
        SentInput::Log => Input::Log,
    }
}
