//! Several logs as one text in the order of time. The text is a stream, which is merged as far as it is looked at and kept
//! as any other; for each place of it, the file, the line and the time are kept beside it.

mod origins;
mod stream;

use std::sync::Arc;

use crate::options::MergeRequest;
use origins::Origins;
use rread_reader::reader::Reader;
use rread_reader::times::TypedTimes;
use rread_source::spool::Spool;
use rread_text::encoding::Encoding;
use rread_text::error::{Error, Result};
pub(crate) use stream::{MergedName, copy};

use super::piece::Passage;

/// The text of several logs.
#[derive(Debug)]
pub(crate) struct MergedText {
    names: Arc<Vec<MergedName>>,
    /// What to say about files that are not in the text, or not as a whole.
    notes: Vec<String>,
    times: Option<TypedTimes>,
    origins: Arc<Origins>,
}

impl MergedText {
    /// Looks at each file, and begins to merge them.
    pub(crate) fn open(request: &Arc<MergeRequest>) -> Result<(Reader, Self)> {
        let origins = Arc::new(Origins::default());
        let (looked, stream) = stream::start(Arc::clone(request), Arc::clone(&origins))?;
        let reader = Reader::of_text(Box::new(Spool::new(Box::new(stream))), Encoding::Utf8);
        let stream::Looked { names, notes, times } = looked;
        Ok((reader, MergedText { names: Arc::new(names), notes, times, origins }))
    }

    pub(crate) fn names(&self) -> Arc<Vec<MergedName>> {
        Arc::clone(&self.names)
    }

    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Keeps the file and the line of each piece in `passage`, which was read from `reader`.
    pub(crate) fn add_origins(&self, passage: &mut Passage, reader: &Reader) -> Result<()> {
        passage.origins = self.origins.of(&passage.pieces, reader)?;
        Ok(())
    }

    /// The place of the first record at or after a time that a user typed, and what to say if it is not there.
    pub(crate) fn find_time(&self, text: &str) -> Result<(Option<u64>, Option<String>)> {
        let times = self.times.as_ref().ok_or_else(|| Error::usage("the files have no records"))?;
        let time = times.time(text)?;
        let found = self.origins.first_since(time)?;
        let missing = || format!("no record is at or after {}", times.format_time(time));
        Ok((found, found.is_none().then(missing)))
    }
}
