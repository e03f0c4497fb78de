//! Patterns of one kind of line that the masks alone keep apart: those that are alike but for words that vary.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Patterns of more words are not compared.
const MAX_WORDS: usize = 64;
/// So many words in one place, none of which comes often, are names: states of a job are few, and come again and again.
const MIN_NAMES: u64 = 8;
const MAX_LINES_OF_NAME: u64 = 4;
/// In a place where words vary, such a word is an identifier too.
const MIN_LONG: usize = 16;
/// What stands in place of words that vary.
const ANY: &[u8] = b"<*>";
const MASKS: [&[u8]; 12] =
    [b"n", b"hex", b"id", b"uuid", b"time", b"ip", b"host", b"mac", b"email", b"user", b"s", b"*"];

/// Patterns of one kind.
#[derive(Debug)]
pub struct Alike<'p> {
    words: Vec<&'p [u8]>,
    /// Of each word without what varies in it.
    hashes: Vec<u64>,
    /// Words that do not vary.
    texts: usize,
    lines: u64,
    /// The places of the patterns in the list, those that came first in front.
    pub members: Vec<usize>,
}

impl<'p> Alike<'p> {
    fn new(at: usize, pattern: &'p [u8], lines: u64) -> Self {
        let words: Vec<&[u8]> = pattern.split(|byte| *byte == b' ').collect();
        let bare: Vec<Vec<u8>> = words.iter().map(|word| bare(word)).collect();
        let hashes = bare.iter().zip(0..).map(|(word, place)| xxh3_64_with_seed(word, place)).collect();
        let texts = bare.iter().filter(|word| !word.is_empty() && *word != ANY).count();
        Alike { words, hashes, texts, lines, members: vec![at] }
    }

    /// In `<*>`, words have nothing in common.
    pub fn pattern(&self) -> Vec<u8> {
        self.words.join(&b' ')
    }

    /// Distinguishes kinds that differ in more than the word at `place`; `None` if there is none, or not enough besides it.
    fn key(&self, place: Option<usize>) -> Option<u64> {
        let left_out = place.map_or(Some(0), |place| self.hashes.get(place).copied())?;
        let is_compared = self.texts > usize::from(place.is_some()) && self.words.len() <= MAX_WORDS;
        let sum = |sum: u64, hash: &u64| sum.wrapping_add(*hash);
        is_compared.then(|| self.hashes.iter().fold(self.words.len() as u64, sum).wrapping_sub(left_out))
    }

    fn take(&mut self, other: Alike<'p>) {
        for (place, (own, word)) in (0..).zip(self.words.iter_mut().zip(other.words)) {
            // The key of a value is shown.
            let key = own.split_inclusive(|byte| *byte == b'=').next().unwrap_or_default();
            let has_key = key.ends_with(b"=") && word.starts_with(key);
            match has_key {
                _ if *own == word => {}
                true if is_masked(word) => (*own, self.hashes[place]) = (word, other.hashes[place]),
                true if is_masked(own) => {}
                _ => (*own, self.hashes[place]) = (ANY, xxh3_64_with_seed(ANY, place as u64)),
            }
        }
        self.lines += other.lines;
        self.members.extend(other.members);
    }
}

/// Joins patterns, each with its number of lines, that are alike but for words that vary.
pub fn join<'p>(patterns: impl Iterator<Item = (&'p [u8], u64)>) -> Vec<Alike<'p>> {
    let kinds = (0..).zip(patterns).map(|(at, (pattern, lines))| Alike::new(at, pattern, lines)).collect();
    let kinds = joined(kinds, None);
    let most = kinds.iter().map(|kind| kind.words.len()).max().unwrap_or(0).min(MAX_WORDS);
    (0..most).fold(kinds, |kinds, place| joined(kinds, Some(place)))
}

/// Joins the kinds that are the same without what varies, or those that have a name at `place`.
fn joined(kinds: Vec<Alike<'_>>, place: Option<usize>) -> Vec<Alike<'_>> {
    // The words in the place: those without a mask, their lines, the short ones of them, and those with a mask.
    let mut sums: HashMap<u64, [u64; 4]> = HashMap::new();
    for (kind, place) in kinds.iter().filter_map(|kind| Some((kind, place?))) {
        let Some(key) = kind.key(Some(place)) else { continue };
        let word = kind.words[place];
        let added = match is_masked(word) {
            true => [0, 0, 0, 1],
            false => [1, kind.lines, u64::from(word.len() < MIN_LONG), 0],
        };
        let sum = sums.entry(key).or_default();
        sum.iter_mut().zip(added).for_each(|(sum, added)| *sum += added);
    }
    let are_one = |key: &u64| {
        let [names, lines, short, masked] = sums.get(key).copied().unwrap_or_default();
        let are_rare = names >= MIN_NAMES && lines <= names * MAX_LINES_OF_NAME;
        place.is_none() || are_rare || masked > 0 && names > 0 && short == 0
    };
    let (mut joined, mut slots): (Vec<Alike<'_>>, HashMap<u64, usize>) = Default::default();
    for kind in kinds {
        match kind.key(place).filter(are_one).map(|key| slots.entry(key)) {
            Some(Entry::Occupied(slot)) => joined[*slot.get()].take(kind),
            Some(Entry::Vacant(slot)) => {
                slot.insert(joined.len());
                joined.push(kind);
            }
            None => joined.push(kind),
        }
    }
    joined
}

/// Whether a mask is in the word; `<table>` is text.
fn is_masked(word: &[u8]) -> bool {
    let mask = |start| word[start + 1..].split(|byte| *byte == b'>').next().unwrap_or_default();
    memchr::memchr_iter(b'<', word).any(|start| MASKS.contains(&mask(start)))
}

/// The word without what varies in it. Of `key=value`, the key and the few values distinguish lines.
fn bare(word: &[u8]) -> Vec<u8> {
    let (mut bare, mut rest) = (Vec::new(), word);
    while let Some(start) = memchr::memchr(b'<', rest) {
        let end = memchr::memchr(b'>', &rest[start..]).map_or(rest.len(), |end| start + end);
        let is_mask = MASKS.contains(&&rest[start + 1..end]);
        bare.extend_from_slice(&rest[..if is_mask { start } else { start + 1 }]);
        rest = &rest[if is_mask { end + 1 } else { start + 1 }..];
    }
    bare.extend_from_slice(rest);
    let varies = bare.len() < word.len() && !word.contains(&b'=');
    // `-` stands for a value that is not known.
    if varies || matches!(word, b"-" | b"()" | b"[]") { ANY.to_owned() } else { bare }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_alike_but_for_a_name_are_one_kind() {
        let names = ["ann", "bob", "cy", "dan", "eve", "fay", "gus", "hal"];
        let named = |names: &[&str], lines: u64| -> Vec<(String, u64)> {
            names.iter().map(|name| (format!("User {name} came in"), lines)).collect()
        };
        let plain = |patterns: &[&str]| {
            patterns.iter().map(|pattern| ((*pattern).to_owned(), 20)).collect::<Vec<_>>()
        };
        for (patterns, expected) in [
            (named(&names, 4), vec!["User <*> came in"]),
            // Few words, and words that come again and again, are states.
            (named(&names[..3], 1), vec!["User ann came in", "User bob came in", "User cy came in"]),
            (named(&names, 5), names.iter().map(|_| "User").collect()),
            (plain(&["job <n> Queued", "job <n> Running"]), vec!["job <n> Queued", "job <n> Running"]),
            (plain(&["id <id> made", "id a-<n> made"]), vec!["id <*> made"]),
            (plain(&["key <id> used", "key AKIAQWERTYUIOPASDFGH used"]), vec!["key <*> used"]),
            (plain(&["key <id> used", "key none used"]), vec!["key <id> used", "key none used"]),
            (plain(&["a <table> b", "a abcdefghijklmnop b"]), vec!["a <table> b", "a abcdefghijklmnop b"]),
            (plain(&["open session=<id>", "open session=abcdefghijklmnop"]), vec!["open session=<id>"]),
            (plain(&["from <ip> ()", "from <ip> (<host>)", "from <ip> (x-<n>)"]), vec!["from <ip> <*>"]),
            (plain(&["it failed host=", "it failed host=<ip>"]), vec!["it failed host=<ip>"]),
            (plain(&["GET path=/a<n>", "GET path=/b<n>"]), vec!["GET path=/a<n>", "GET path=/b<n>"]),
            (plain(&["a<n>", "b<n>"]), vec!["a<n>", "b<n>"]),
            (plain(&["move <id> to <n>", "move <n> to x-<n>", "move y<n> to <n>"]), vec!["move <*> to <*>"]),
            (plain(&["at <init> here", "at <clinit> here"]), vec!["at <init> here", "at <clinit> here"]),
        ] {
            let joined = join(patterns.iter().map(|(pattern, lines)| (pattern.as_bytes(), *lines)));
            let shown: Vec<String> =
                joined.iter().map(|kind| String::from_utf8(kind.pattern()).unwrap()).collect();
            assert_eq!(shown.len(), expected.len(), "{patterns:?} {shown:?}");
            assert!(
                shown.iter().zip(&expected).all(|(shown, expected)| shown.starts_with(expected)),
                "{shown:?}"
            );
            assert_eq!(joined.iter().map(|kind| kind.members.len()).sum::<usize>(), patterns.len());
        }
    }
}
