//! Texts that a row must have for a condition to hold: the scan passes over rows without them, and the engine filters again.

/// Finds the first place of a text.
pub(super) type Find = dyn Fn(&[u8]) -> Option<usize>;

/// In each group, one of the texts must be in a row. No text has an end of a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Literals {
    pub groups: Vec<Vec<String>>,
}

impl Literals {
    /// Finds one of the texts of the rarest group in the bytes of a file whose encoding keeps UTF-8.
    pub fn finder(&self) -> Option<Box<Find>> {
        let shortest = |group: &&Vec<String>| group.iter().map(String::len).min().unwrap_or(0);
        let group = self.groups.iter().max_by_key(shortest)?;
        if let [one] = &group[..] {
            let finder = memchr::memmem::Finder::new(one.as_bytes()).into_owned();
            return Some(Box::new(move |bytes| finder.find(bytes)));
        }
        let words: Vec<String> = group.iter().map(|one| regex::escape(one)).collect();
        let finder = regex::bytes::Regex::new(&words.join("|")).ok()?;
        Some(Box::new(move |bytes| finder.find(bytes).map(|found| found.start())))
    }

    /// Whether `text` has one of each group.
    pub fn are_in(&self, text: &str) -> bool {
        self.groups.iter().all(|group| {
            group.iter().any(|one| memchr::memmem::find(text.as_bytes(), one.as_bytes()).is_some())
        })
    }
}
