//! `rread view --merge`: several logs as one text in the order of time.

use std::path::{Path, PathBuf};

use super::{ViewOptions, ViewerArgs, show};
use crate::answer::window::of_one_day;
use crate::args::file::{existing, is_there};
use crate::args::view_start::{Begin, MergeRequest};
use crate::args::{ContentArgs, Highlight, OutputArgs, TimeArgs};
use crate::format::Format;
use rread_text::error::{Error, Result};

impl ViewerArgs {
    pub(super) fn run_merged(&self) -> Result<()> {
        let (files, begin) = self.files_and_place()?;
        let Some(first) = files.first().cloned() else {
            return Err(Error::usage("--merge needs files").hint("rread view a.log b.log --merge"));
        };
        let content = ContentArgs { input: self.input.clone(), ..ContentArgs::default() };
        let time =
            TimeArgs { since: self.time.clone(), until: self.until.clone(), reading: self.reading.clone() };
        let window = time.window_of_merged()?;
        let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        time.reading.check_zones(paths.iter().copied())?;
        let is_window = window.is_some();
        let time = window.and_then(|time| of_one_day(time, &paths, &self.input)).unwrap_or(time);
        let output = OutputArgs { format: Some(Format::Text), ..self.output.clone() };
        let merge = MergeRequest { files, content, output, time, is_window, names: !self.no_path };
        let options = ViewOptions {
            begin: begin.or_else(|| self.pattern.clone().map(Begin::Pattern)),
            look: self.whole_look()?,
            // The colours of one language would be wrong in the others.
            highlight: Highlight::Never,
            merge: Some(merge.into()),
            ..ViewOptions::default()
        };
        show(&first, &self.input, &self.reading, &self.output, options)
    }

    /// The files, and the place with which the view begins: a word that is not a file.
    fn files_and_place(&self) -> Result<(Vec<PathBuf>, Option<Begin>)> {
        let mut files: Vec<PathBuf> = self.file.iter().cloned().collect();
        let mut begin = None;
        for word in self.place.iter().chain(&self.others) {
            let path = existing(word.as_ref());
            match Begin::parse(word, &path) {
                Ok(place) if begin.is_none() && !is_there(&path) => begin = Some(place),
                _ => files.push(path),
            }
        }
        let is_place = |file: &PathBuf| file.to_str().is_some_and(|name| name.starts_with('+'));
        if let Some(at) = files.iter().position(|file| is_place(file) && !is_there(file)) {
            let word = files.remove(at);
            begin = Some(Begin::parse(&word.to_string_lossy(), &word)?);
        }
        if matches!(begin, Some(Begin::Follow)) {
            return Err(Error::usage("merged files are not followed in the viewer")
                .hint("rread follow FILE... --merge"));
        }
        Ok((files, begin))
    }
}
