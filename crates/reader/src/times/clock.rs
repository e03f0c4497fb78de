//! How the times of a file are read and shown.

use rread_text::timestamp::{Context, Detected, Timestamp};

/// How the times of a file are read and shown.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    pub(super) detected: Detected,
    /// The facts that records leave out, and the offset up to which they hold; `last` is of the rest.
    contexts: Vec<(u64, Context)>,
    last: Context,
}

impl Clock {
    pub(super) fn new(detected: Detected, context: Context) -> Self {
        Clock { detected, contexts: Vec::new(), last: context }
    }

    /// The same with other formats.
    pub(super) fn with_detected(&self, detected: Detected) -> Self {
        Clock { detected, ..self.clone() }
    }

    /// The same with contexts of the parts of the file before.
    pub(super) fn with_parts(self, contexts: Vec<(u64, Context)>) -> Self {
        Clock { contexts, ..self }
    }

    /// The facts that the record at this offset leaves out.
    #[inline]
    pub(super) fn context(&self, at: u64) -> &Context {
        if self.contexts.is_empty() {
            return &self.last;
        }
        let part = self.contexts.partition_point(|(end, _)| *end <= at);
        self.contexts.get(part).map_or(&self.last, |(_, context)| context)
    }

    /// The part of the file that has the facts for an offset.
    #[inline]
    pub(super) fn part(&self, at: u64) -> usize {
        if self.contexts.is_empty() { 0 } else { self.contexts.partition_point(|(end, _)| *end <= at) }
    }

    /// The facts that the last records leave out.
    pub(super) fn last_context(&self) -> &Context {
        &self.last
    }

    /// The name of the zone, or its offset at `time`.
    pub(super) fn zone(&self, time: Timestamp) -> String {
        let zone = self.last.zone();
        match zone.iana_name() {
            Some(name) => name.to_owned(),
            None => zone.to_offset(time).to_string(),
        }
    }

    pub(super) fn shown(&self, time: Timestamp) -> String {
        if self.detected.is_since_boot() {
            let nanoseconds = time.as_nanosecond();
            return format!("{}.{:06}", nanoseconds / 1_000_000_000, nanoseconds / 1000 % 1_000_000);
        }
        time.to_zoned(self.last.zone().clone()).strftime("%Y-%m-%dT%H:%M:%S%.f%:z").to_string()
    }
}
