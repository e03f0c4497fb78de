//! The colors of lines in memory, for a screen.

use std::path::Path;
use std::time::Duration;

use super::language::{self, Language};
use super::theme::{Theme, theme};
use super::worker::{LONGEST, Origin, ParserJob, ParserThread};
use crate::output::ThemeChoice;
use rread_reader::reader::Reader;
use rread_text::error::Result;

/// Nobody waits for the colors of a screen; but a parser that takes so long for a few lines may never end.
const PATIENCE: Duration = Duration::from_secs(3);

/// Lines that are parsed together.
const BATCH: usize = 64;

/// The parser of a file, between two lines.
pub struct LineColors {
    theme: &'static Theme,
    worker: ParserThread,
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
        let Some(language) = language.map_or_else(own, |language| Ok(Some(language)))? else {
            return Ok(None);
        };
        let theme = theme(choice)?;
        let keeps_levels = language.name == "JSON";
        Ok(ParserThread::start(language, theme).map(|worker| LineColors { theme, worker, keeps_levels }))
    }

    /// Whether lines may be records of a log, whose level is worth more than their syntax.
    pub fn keeps_levels(&self) -> bool {
        self.keeps_levels
    }

    /// Takes the parser past these lines; `None` if it is too slow, and of no more use.
    pub fn skip(&self, lines: String, origin: Origin) -> Option<()> {
        self.worker.run(ParserJob::Skip(lines, origin), PATIENCE).map(drop)
    }

    /// For each part of each line, which ends with a newline, its length and the parameters of its color (SGR). None for
    /// a long line, which counts as empty.
    pub fn styles(&self, lines: Vec<String>) -> Option<Vec<Vec<(usize, String)>>> {
        let mut painted = Vec::new();
        for lines in lines.chunks(BATCH) {
            let is_long = |line: &String| line.len() > LONGEST;
            let parsed = lines.iter().map(|line| if is_long(line) { "\n".to_owned() } else { line.clone() });
            let styles = self.worker.run(ParserJob::Paint(parsed.collect()), PATIENCE)?;
            painted.extend(lines.iter().zip(styles).map(|(line, styles)| {
                let styles = if is_long(line) { Vec::new() } else { styles };
                styles.into_iter().map(|(style, length)| (length, self.theme.codes(style))).collect()
            }));
        }
        Some(painted)
    }
}
