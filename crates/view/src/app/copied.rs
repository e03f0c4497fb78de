//! The command that prints what is on the screen.

use std::ops::Range;
use std::path::Path;

use super::App;
use super::facts::{Effect, MergedFacts};
use crate::piece::Passage;
use rread_reader::Pattern;
use rread_text::{quoted, quoted_word};

/// The first and the last, or the first and the end.
type Ends = (u64, u64);

impl App {
    /// The bytes on the screen, and the numbers of its lines if they are known.
    pub(super) fn span_on_screen(&mut self) -> Option<(Ends, Option<Ends>)> {
        let visible = self.screen.visible()?;
        let first = self.screen.piece(visible.first()?.piece);
        let last = self.screen.piece(visible.last()?.piece);
        let number = |offset| self.numbers.number_at(&self.screen.passage, offset);
        Some(((first.start, last.end), number(first.start).zip(number(last.start))))
    }

    /// Copies the command that prints what is on the screen.
    pub(super) fn copy(&mut self) {
        let Some(((start, end), lines)) = self.span_on_screen() else { return self.say("nothing is shown") };
        if let Some(merged) = self.facts.merged.clone() {
            return match merged_command(&self.screen.passage, start..end, &merged) {
                Ok(command) => self.give(command),
                Err(words) => self.say(words),
            };
        }
        if self.facts.is_stream {
            return self.say("standard input cannot be read again: rread capture -- COMMAND keeps its text");
        }
        let file = &self.facts.quoted;
        let command = match (self.search.filters.split_first(), lines) {
            (Some((first, others)), _) => {
                let search = |pattern: &Pattern| {
                    let options = [(pattern.invert, "-v "), (pattern.fixed, "-F ")];
                    let options = options.into_iter().filter(|(is_set, _)| *is_set).map(|(_, option)| option);
                    format!(
                        "rread search {}-e {}",
                        options.collect::<String>(),
                        quoted_word(&pattern.patterns[0])
                    )
                };
                let mut command = format!("{} {file} --in b{start}:{end}", search(first));
                for other in others {
                    command = format!("{command} --raw | {} -", search(other));
                }
                command
            }
            (None, Some((first, last))) => format!("rread lines {file} {first}:{last}"),
            (None, None) => format!("rread bytes {file} {start}:{end}"),
        };
        self.give(command);
    }

    /// Copies a command, and shows it.
    fn give(&mut self, command: String) {
        self.say(command.clone());
        self.tasks.emit(Effect::Copy(command));
    }
}

/// The command for the lines between `bytes` of a text of several files: their lines in each.
fn merged_command(
    passage: &Passage,
    bytes: Range<u64>,
    merged: &MergedFacts,
) -> Result<String, &'static str> {
    let mut lines: Vec<Vec<u64>> = vec![Vec::new(); merged.files.len()];
    for piece in passage.pieces.iter().filter(|piece| bytes.contains(&piece.start)) {
        let origin = passage.origin_at(piece.start);
        let of_file = origin.and_then(|origin| Some((lines.get_mut(origin.file)?, origin)));
        let Some((of_file, origin)) = of_file else { return Err("the files of these lines are not known") };
        if of_file.last() != Some(&origin.line) {
            of_file.push(origin.line);
        }
    }
    let mut command = "rread ranges".to_owned();
    for (file, lines) in merged.files.iter().zip(&lines).filter(|(_, lines)| !lines.is_empty()) {
        if file.path == Path::new("-") {
            return Err("standard input cannot be read again: rread capture -- COMMAND keeps its text");
        }
        if !file.has_lines {
            return Err("the numbers of these lines in their files are not known");
        }
        let mut word = file.path.clone().into_os_string();
        word.push(format!(":{}", ranges(lines)));
        command = format!("{command} {}", quoted(Path::new(&word)));
    }
    Ok(format!("{command} --merge{}", merged.options))
}

/// `3-5,9`, for ascending numbers: `FILE:3:5` is a line and a column, as compilers write them.
fn ranges(numbers: &[u64]) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match runs.last_mut().filter(|(_, last)| last + 1 == *number) {
            Some((_, last)) => *last = *number,
            None => runs.push((*number, *number)),
        }
    }
    let run = |(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(",")
}
