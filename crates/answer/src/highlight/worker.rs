//! The parser on a thread of its own: it cannot be stopped, and some of its regular expressions take cubic time.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use syntect::highlighting::{HighlightIterator, HighlightState, Style};
use syntect::parsing::{ParseState, ScopeStack};

use super::language::{LANGUAGES, Language};
use super::theme::Theme;

/// Longest line that is colored, as in bat.
pub(super) const LONGEST: usize = 16 << 10;

/// Lines before a slice that are parsed if the state at the first of them is unknown.
const LINES: usize = 200;

/// Time to parse the lines before a slice, from a line with a known state; then from a nearer one.
const PATIENCE: Duration = Duration::from_millis(120);

/// The styles of a line, each with its length in bytes.
pub(super) type Styles = Vec<(Style, usize)>;

pub(super) enum ParserJob {
    /// Go on after these lines.
    Skip(String, Origin),
    /// Answer with the styles of these lines.
    Paint(Vec<String>),
}

/// Where lines come from that are parsed before a slice.
pub enum Origin {
    /// They follow the last line.
    Kept,
    /// They are the first of the file.
    Start,
    /// They may begin inside a comment or a string.
    Middle,
}

/// A running parser. One that is too slow for its caller ends with the program.
pub(super) struct ParserThread {
    jobs: Sender<ParserJob>,
    styles: Receiver<Vec<Styles>>,
}

impl ParserThread {
    /// `None` if the system starts no thread.
    pub(super) fn start(language: Language, theme: &'static Theme) -> Option<Self> {
        let ((jobs, received), (send, styles)) = (channel(), channel());
        let parse = move || {
            let fresh = State::new(language, theme);
            let mut state = fresh.clone();
            for job in received {
                let painted = match job {
                    ParserJob::Skip(lines, origin) => {
                        state = state.at_the_end_of(&lines, origin, &fresh);
                        Vec::new()
                    }
                    ParserJob::Paint(lines) => lines.iter().map(|line| state.styles(line)).collect(),
                };
                if send.send(painted).is_err() {
                    break;
                }
            }
        };
        thread::Builder::new().spawn(parse).ok()?;
        Some(ParserThread { jobs, styles })
    }

    /// `None` if it takes longer than `patience`; the worker is of no more use then.
    pub(super) fn run(&self, job: ParserJob, patience: Duration) -> Option<Vec<Styles>> {
        self.jobs.send(job).ok()?;
        self.styles.recv_timeout(patience).ok()
    }
}

/// The state of the parser between two lines.
#[derive(Clone)]
struct State {
    theme: &'static Theme,
    parser: ParseState,
    style: HighlightState,
}

impl State {
    fn new(language: Language, theme: &'static Theme) -> Self {
        let style = HighlightState::new(&theme.highlighter, ScopeStack::new());
        State { theme, parser: ParseState::new(language), style }
    }

    /// The styles of `line`, which ends with a newline; none if the syntax is wrong.
    fn styles(&mut self, line: &str) -> Styles {
        let Ok(scopes) = self.parser.parse_line(line, &LANGUAGES) else { return Styles::new() };
        let styles = HighlightIterator::new(&mut self.style, &scopes, line, &self.theme.highlighter);
        styles.map(|(style, piece)| (style, piece.len())).collect()
    }

    fn at_the_end_of(&self, lines: &str, origin: Origin, fresh: &State) -> State {
        let whole = || lines.split_inclusive('\n');
        let known = match origin {
            Origin::Kept => self.clone().after(whole()),
            Origin::Start => fresh.clone().after(whole()),
            Origin::Middle => None,
        };
        known.or_else(|| fresh.clone().after(safe_lines(lines))).unwrap_or_else(|| fresh.clone())
    }

    /// `None` if `lines` take too long.
    fn after<'l>(mut self, lines: impl Iterator<Item = &'l str>) -> Option<Self> {
        let begun = Instant::now();
        for line in lines {
            // As when they are painted, long lines count as empty.
            self.styles(if line.len() > LONGEST { "\n" } else { line });
            if begun.elapsed() > PATIENCE {
                return None;
            }
        }
        Some(self)
    }
}

/// The last lines of `text`, from the first that no comment or string is likely to hold: at the margin after an
/// empty line.
fn safe_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut lines: Vec<&str> = text.split_inclusive('\n').rev().take(LINES).collect();
    lines.reverse();
    let begins =
        |pair: &[&str]| pair[0].trim().is_empty() && pair[1].starts_with(|c: char| !c.is_whitespace());
    let safe = lines.windows(2).position(begins).map_or(0, |before| before + 1);
    lines.into_iter().skip(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_safe_line_is_at_the_margin_after_an_empty_one() {
        let text = "    inside\n\n    still\n\nfn next() {\n\n}\n";
        assert_eq!(safe_lines(text).collect::<String>(), "fn next() {\n\n}\n");
        assert_eq!(safe_lines("a\nb\n").collect::<String>(), "a\nb\n");
        assert_eq!(safe_lines(&"x\n".repeat(1000)).count(), LINES);
        assert_eq!(safe_lines("").count(), 0);
    }

    #[test]
    fn every_language_colors_a_line() {
        let theme = super::super::theme::theme(&Default::default()).unwrap();
        // With `panic = "abort"`, a regular expression that does not compile would end the program.
        let text = "#include <a> /* b */ \"c\" 'd' // e\n\n<f g=\"h\">i</f> $j {k: 0x1f, l = [1]}\n";
        for language in LANGUAGES.syntaxes() {
            let mut state = State::new(language, theme);
            for line in text.split_inclusive('\n') {
                let length: usize = state.styles(line).iter().map(|(_, length)| length).sum();
                assert_eq!(length, line.len(), "{}", language.name);
            }
        }
        assert!(LANGUAGES.syntaxes().len() > 200);
    }

    #[test]
    fn a_line_that_takes_too_long_is_given_up() {
        let theme = super::super::theme::theme(&Default::default()).unwrap();
        let ini = LANGUAGES.find_syntax_by_name("INI").unwrap();
        let worker = ParserThread::start(ini, theme).unwrap();
        let begun = Instant::now();
        let slow = format!("{}\n", " ".repeat(4000));
        assert!(worker.run(ParserJob::Paint(vec![slow]), Duration::from_millis(100)).is_none());
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}
