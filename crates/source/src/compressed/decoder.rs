//! The decoder of one format: members (streams, frames) one after another.

use super::decode_error::{DecodeError, Result};
use super::decoder_state::DecoderState;
use super::raw_input::RawInput;

pub(super) struct Step {
    /// Bytes of text decoded.
    pub(super) decoded: usize,
    pub(super) end: StepEnd,
}

/// Why a step ended after the text it decoded.
pub(super) enum StepEnd {
    /// The buffer is full, or more input is needed.
    More,
    /// Decoding can continue here later, from this state.
    Checkpoint(DecoderState),
    EndOfMember,
    Failed(DecodeError),
}

impl StepEnd {
    /// The end of a member. A wrong trailer is reported after the text; a read that failed is retried.
    pub(super) fn after(trailer: Result<()>) -> Result<Self> {
        match trailer {
            Ok(()) => Ok(StepEnd::EndOfMember),
            Err(error @ DecodeError::Read(_)) => Err(error),
            Err(error) => Ok(StepEnd::Failed(error)),
        }
    }
}

/// The most bytes that a member, padding or a skippable frame is recognised by.
pub(super) const HEAD: usize = 32;

/// Whether a member begins with some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begins {
    Yes,
    No,
    /// More bytes decide.
    Perhaps,
}

impl Begins {
    /// Compares `head` with the numbers that members begin with.
    pub(super) fn with(head: &[u8], numbers: &[&[u8]]) -> Begins {
        if numbers.iter().any(|number| head.starts_with(number)) {
            Begins::Yes
        } else if numbers.iter().any(|number| number.starts_with(head)) {
            Begins::Perhaps
        } else {
            Begins::No
        }
    }
}

pub(super) trait Decoder: Send {
    /// Starts the member at the position of `input`.
    fn begin(&mut self, input: &mut RawInput) -> Result<()>;

    /// Continues inside a member, at the position of `input`, with `window` as the text before it.
    fn resume(&mut self, input: &mut RawInput, _state: &DecoderState, _window: &[u8]) -> Result<()> {
        self.begin(input)
    }

    /// Bytes of text before a checkpoint that the decoder needs to continue there.
    fn window(&self) -> usize {
        0
    }

    /// Bytes at the end of the text whose checksum is still to come; `None` if it can no longer be compared.
    fn unchecked(&self) -> Option<u64>;

    /// Decodes into `text[at..]`, which is never empty; `text[..at]` is the text before it.
    /// With `mark`, stops at the next point inside the member where decoding can continue later.
    fn decode(&mut self, input: &mut RawInput, text: &mut [u8], at: usize, mark: bool) -> Result<Step>;
}
