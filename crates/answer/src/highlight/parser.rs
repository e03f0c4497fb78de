//! The parser on a thread of its own: it cannot be stopped, and some of its regular expressions take cubic time.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rread_reader::Reader;
use rread_text::Result;
use syntect::highlighting::{HighlightIterator, HighlightState, Style};
use syntect::parsing::{ParseState, ScopeStack};

use super::language::{self, LANGUAGES, Language, Theme, theme};
use crate::output::ThemeChoice;

/// Longest line that is colored, as in bat.
pub(super) const MAX_LINE_BYTES: usize = 16 << 10;

/// Lines before a slice that are parsed if the state at the first of them is unknown.
const MAX_SKIPPED_LINES: usize = 200;

/// Time to parse the lines before a slice, from a line with a known state; then from a nearer one.
const SKIP_TIMEOUT: Duration = Duration::from_millis(120);

/// Nobody waits for the colors of a screen; but a parser that takes so long for a few lines may never end.
const SCREEN_TIMEOUT: Duration = Duration::from_secs(3);

/// Lines that are parsed together.
const BATCH: usize = 64;

/// For each part of a line, its length and the parameters of its color (SGR), empty for that of the terminal.
pub(super) type Styles = Vec<(usize, String)>;

pub(super) enum ParserJob {
    /// Go on after these lines.
    Skip(String, Origin),
    /// Answer with the styles of these lines.
    Paint(Vec<String>),
}

/// The source of lines that are parsed before a slice.
pub enum Origin {
    /// They follow the last line.
    Kept,
    /// They are the first of the file.
    Start,
    /// They may begin inside a comment or a string.
    Middle,
}

/// The parser of a file, between two lines. One that is too slow for its caller ends with the program.
pub struct LineColors {
    jobs: Sender<ParserJob>,
    styles: Receiver<Vec<Styles>>,
    keeps_levels: bool,
}

impl LineColors {
    /// The colors of the file at `path` in `language`, or in its own; `None` if that is plain text or a log, whose lines
    /// have the colors of their levels.
    pub fn of(
        language: Option<Language>,
        choice: &ThemeChoice,
        reader: &Reader,
        path: &Path,
    ) -> Result<Option<Self>> {
        let own = || Ok(language::of_file(reader, path)?.filter(|language| language.name != "log"));
        match language.map_or_else(own, |language| Ok(Some(language)))? {
            Some(language) => LineColors::start(language, choice),
            None => Ok(None),
        }
    }

    /// `None` if the system starts no thread.
    pub(super) fn start(language: Language, choice: &ThemeChoice) -> Result<Option<Self>> {
        let theme = theme(choice)?;
        let ((jobs, received), (send, styles)) = (channel(), channel());
        let coded = |styles: Vec<(Style, usize)>| {
            styles.into_iter().map(|(style, length)| (length, theme.codes(style))).collect()
        };
        let parse = move || {
            let fresh = State::new(language, theme);
            let mut state = fresh.clone();
            for job in received {
                let painted = match job {
                    ParserJob::Skip(lines, origin) => {
                        state = state.at_the_end_of(&lines, origin, &fresh);
                        Vec::new()
                    }
                    ParserJob::Paint(lines) => lines.iter().map(|line| coded(state.styles(line))).collect(),
                };
                if send.send(painted).is_err() {
                    break;
                }
            }
        };
        let keeps_levels = language.name == "JSON";
        Ok(thread::Builder::new().spawn(parse).ok().map(|_| LineColors { jobs, styles, keeps_levels }))
    }

    /// `None` if it takes longer than `timeout`; the parser is of no more use then.
    pub(super) fn run(&self, job: ParserJob, timeout: Duration) -> Option<Vec<Styles>> {
        self.jobs.send(job).ok()?;
        self.styles.recv_timeout(timeout).ok()
    }

    /// Whether lines may be records of a log, whose level is worth more than their syntax.
    pub fn keeps_levels(&self) -> bool {
        self.keeps_levels
    }

    /// Takes the parser past these lines; `None` if it is too slow, and of no more use.
    pub fn skip(&self, lines: String, origin: Origin) -> Option<()> {
        self.run(ParserJob::Skip(lines, origin), SCREEN_TIMEOUT).map(drop)
    }

    /// The styles of each line, which ends with a newline.
    pub fn styles(&self, lines: &[String]) -> Option<Vec<Styles>> {
        let batches =
            lines.chunks(BATCH).map(|lines| self.run(ParserJob::Paint(lines.to_vec()), SCREEN_TIMEOUT));
        Some(batches.collect::<Option<Vec<_>>>()?.concat())
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

    /// The styles of `line`, which ends with a newline; none if the syntax is wrong. A long line counts as empty.
    fn styles(&mut self, line: &str) -> Vec<(Style, usize)> {
        let is_long = line.trim_end_matches('\n').len() > MAX_LINE_BYTES;
        let line = if is_long { "\n" } else { line };
        let Ok(scopes) = self.parser.parse_line(line, &LANGUAGES) else { return Vec::new() };
        let styles = HighlightIterator::new(&mut self.style, &scopes, line, &self.theme.highlighter);
        let styles = styles.map(|(style, piece)| (style, piece.len())).collect();
        if is_long { Vec::new() } else { styles }
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
            self.styles(line);
            if begun.elapsed() > SKIP_TIMEOUT {
                return None;
            }
        }
        Some(self)
    }
}

/// The last lines of `text`, from the first that no comment or string is likely to hold: at the margin after an
/// empty line.
fn safe_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut lines: Vec<&str> = text.split_inclusive('\n').rev().take(MAX_SKIPPED_LINES).collect();
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
        assert_eq!(safe_lines(&"x\n".repeat(1000)).count(), MAX_SKIPPED_LINES);
        assert_eq!(safe_lines("").count(), 0);
    }

    #[test]
    fn every_language_colors_a_line() {
        let theme = super::super::language::theme(&Default::default()).unwrap();
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
        let ini = LANGUAGES.find_syntax_by_name("INI").unwrap();
        let worker = LineColors::start(ini, &ThemeChoice::default()).unwrap().unwrap();
        let begun = Instant::now();
        let slow = format!("{}\n", " ".repeat(4000));
        assert!(worker.run(ParserJob::Paint(vec![slow]), Duration::from_millis(100)).is_none());
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}
