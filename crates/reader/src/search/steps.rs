//! The search for a client in a long text, which ends as soon as the client wants no answer. The regular expressions that
//! search for the user cannot be interrupted: one match may take them minutes.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::hybrid::regex::{Cache, Regex};
use regex_automata::nfa::thompson::Config as Nfa;
use regex_automata::util::syntax::Config as Syntax;
use regex_automata::{Anchored, Input};

use rread_source::access::Watch;
use rread_text::{Error, Result};

/// Bytes of text, times states of the pattern, that are searched at once: at worst 100 ms.
const AT_ONCE: usize = 16 << 20;

/// Bytes between two looks at the watch.
const LOOK: usize = 64;

/// Bytes of the states that each automaton remembers.
const CACHE: usize = 4 << 20;

/// A pattern as two automata, which know no more of a text than the state after each byte: one from the start of the text
/// to the end of a match, and one from there back to its start.
#[derive(Debug)]
pub(super) struct Steps {
    watch: Arc<dyn Watch>,
    automata: Regex,
    /// The caches of threads that do not search now.
    caches: Mutex<Vec<Cache>>,
    /// Longer texts are searched step by step.
    pub(super) longest: usize,
}

impl Steps {
    /// `None` for a pattern that automata cannot have.
    pub(super) fn of(pattern: &str, syntax: Syntax, watch: Arc<dyn Watch>) -> Option<Self> {
        let config = DFA::config().unicode_word_boundary(true).cache_capacity(CACHE);
        // The classes of the pattern have no carriage return then.
        let config = config.quit(b'\r', syntax.get_crlf()).skip_cache_capacity_check(true);
        let mut builder = Regex::builder();
        builder.syntax(syntax).thompson(Nfa::new().utf8(false)).dfa(config);
        let automata = builder.build(pattern).ok()?;
        let longest = AT_ONCE / automata.forward().get_nfa().states().len().max(1);
        Some(Steps { watch, automata, caches: Mutex::default(), longest })
    }

    pub(super) fn check(&self) -> Result<()> {
        self.watch.check().map_err(|cause| Error::read("", &cause))
    }

    /// The first match in `text` that begins at `at` or later; `None` if the automata do not know, because of a character
    /// that is not ASCII beside an edge of words.
    pub(super) fn find(&self, text: &[u8], at: usize) -> Result<Option<Option<Range<usize>>>> {
        let caches = || self.caches.lock().unwrap_or_else(PoisonError::into_inner);
        let free = caches().pop();
        let mut own = free.unwrap_or_else(|| self.automata.create_cache());
        let (forward, backward) = own.as_parts_mut();
        let mut found = self
            .last(self.automata.forward(), forward, &Input::new(text).range(at..))?
            .map(|end| end.map(|end| at..end));
        if let Some(Some(found)) = &mut found {
            let input = Input::new(text).range(found.clone()).anchored(Anchored::Yes);
            let start = self.last(self.automata.reverse(), backward, &input)?;
            found.start = start.flatten().unwrap_or(at);
        }
        caches().push(own);
        Ok(found)
    }

    /// The last offset at which `automaton` matches on its way through `input`, or `None` if it does not know.
    fn last(
        &self,
        automaton: &DFA,
        cache: &mut dfa::Cache,
        input: &Input<'_>,
    ) -> Result<Option<Option<usize>>> {
        let is_backward = input.get_anchored().is_anchored();
        let (text, span) = (input.haystack(), input.get_span());
        let started = match is_backward {
            true => automaton.start_state_reverse(cache, input),
            false => automaton.start_state_forward(cache, input),
        };
        let (Ok(mut state), mut last) = (started, None) else { return Ok(None) };
        // A match shows one step later. After the span comes the byte next to it, or the end of the text.
        for step in 0..=span.len() {
            if step % LOOK == 0 {
                self.check()?;
            }
            let at = if is_backward { span.end - step } else { span.start + step };
            let byte = if is_backward {
                at.checked_sub(1).map(|before| text[before])
            } else {
                text.get(at).copied()
            };
            let next = match byte {
                Some(byte) => automaton.next_state(cache, state, byte),
                None => automaton.next_eoi_state(cache, state),
            };
            match next {
                Ok(next) if next.is_match() => last = Some(at),
                Ok(next) if next.is_dead() => break,
                Ok(next) if !next.is_quit() => {}
                _ => return Ok(None),
            }
            state = next.unwrap_or(state);
        }
        Ok(Some(last))
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::time::{Duration, Instant};

    use grep_matcher::Matcher;
    use proptest::prelude::*;

    use super::super::matcher::LineMatcher;
    use super::super::pattern::{Case, Pattern};
    use super::*;
    use rread_text::encoding::Encoding;

    /// Wants the answer until a moment.
    #[derive(Debug)]
    struct Until(Instant);

    impl Watch for Until {
        fn check(&self) -> io::Result<()> {
            if Instant::now() < self.0 { Ok(()) } else { Err(io::Error::other("nobody waits")) }
        }

        fn report_read(&self, _: u64) {}
    }

    fn of_client(pattern: &str, wait: Duration) -> Pattern {
        let client = Some(Arc::new(Until(Instant::now() + wait)) as Arc<dyn Watch>);
        Pattern { patterns: vec![pattern.to_owned()], client, ..Pattern::default() }
    }

    const PATTERNS: [&str; 16] = [
        "needle",
        "a|ab",
        "ab|a",
        "a*?b",
        "(?:a|b)*",
        "",
        r"\ba+ ?b\b",
        "^a",
        "b$",
        r"\w+\s",
        "é",
        "[^a]b",
        r"(?i)NEEDLE",
        r"\Aa",
        r"b\z",
        "(a{1,9}){1,9}b",
    ];

    proptest! {
        #[test]
        fn every_match_is_that_of_the_regular_expression(
            pieces in prop::collection::vec(prop::sample::select(vec!["a", "b", " ", "é", "\r", "needle", "Ab"]), 0..30),
            pattern in prop::sample::select(PATTERNS.to_vec()),
            (word, fixed, ignores_case, whole_line, crlf) in any::<(bool, bool, bool, bool, bool)>(),
        ) {
            let case = if ignores_case { Case::Insensitive } else { Case::Sensitive };
            let pattern = Pattern { word, fixed, case, whole_line, ..of_client(pattern, Duration::from_secs(60)) };
            let compiled = pattern.compiled(crlf).unwrap();
            let (steps, text) = (compiled.steps.as_ref().unwrap(), pieces.concat().into_bytes());
            for at in 0..=text.len() {
                let expected = compiled.regex.find_at(&text, at).unwrap();
                let found = steps.find(&text, at).unwrap();
                let is_plain = !text.contains(&b'\r') && text.is_ascii();
                prop_assert!(found.is_some() || !is_plain);
                if let Some(found) = found {
                    prop_assert_eq!(found, expected.map(|found| found.start()..found.end()), "from {}", at);
                }
            }
        }
    }

    #[test]
    fn a_match_of_a_long_line_ends_when_nobody_waits() {
        const WAIT: Duration = Duration::from_millis(200);
        let line = ["a".repeat(200_000), "\n".to_owned()].concat().into_bytes();
        let lines = ["a".repeat(9_000), "\n".to_owned()].concat().repeat(90).into_bytes();
        for text in [&line, &lines] {
            for pattern in ["(a{1,100}){1,60}b", "(?:a?){900}a{900}b", r"(\w{1,9}){1,9}\d"] {
                let matcher = LineMatcher::new(&of_client(pattern, WAIT), Encoding::Utf8, false).unwrap();
                let started = Instant::now();
                let ended = matcher.lines(text, 0, &mut |_, _| Ok(true));
                let took = started.elapsed();
                // A build for tests is slower.
                assert!(took < WAIT + Duration::from_secs(1), "{pattern}: {took:?}");
                assert!(ended.is_err() || took < WAIT, "{pattern}: {took:?}");
            }
        }
    }

    #[test]
    fn long_lines_have_the_matches_of_short_ones() {
        let text = ["x".repeat(40_000), "aab é aab".to_owned(), "x".repeat(40_000)].concat();
        for pattern in [r"a+b", r"(?:a|é| ){1,90}b", r"\w{1,9} "] {
            let ranges = |pattern: Pattern| {
                let mut ranges = Vec::new();
                let matcher = LineMatcher::new(&pattern, Encoding::Utf8, false).unwrap();
                matcher
                    .matches(text.as_bytes(), &mut |found| {
                        ranges.push(found);
                        true
                    })
                    .unwrap();
                ranges
            };
            let client = of_client(pattern, Duration::from_secs(60));
            let user = Pattern { client: None, ..of_client(pattern, Duration::ZERO) };
            let steps = client.compiled(false).unwrap().steps.clone().unwrap();
            assert!(steps.longest < text.len() || pattern == "a+b", "{}", steps.longest);
            assert_eq!(ranges(client), ranges(user), "{pattern}");
        }
    }
}
