//! The options that say how an answer is written.

use std::env;

use clap::{Args, ValueEnum};

use super::choice::{FORMATS, choice, named};
use super::environment::theme;
use crate::progress::Progress;
use crate::standard::stdout;
use rread_answer::options::{Color, Highlight};
use rread_answer::{Format, OutputOptions, highlight};
use rread_text::{Error, Result};

/// When to use color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How the answer is written.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write the answer in this format [default: frontmatter, or RREAD_FORMAT]
    ///
    /// The format never depends on whether standard output is a terminal. With json, errors on standard error are
    /// JSON too. Commands without content (stat, where, index) write plain YAML in raw and text.
    #[arg(short, long, value_parser = choice(FORMATS), value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Short for --format json
    #[arg(long, conflicts_with_all = ["format", "raw", "xml"])]
    pub(crate) json: bool,
    /// Short for --format raw: the bytes of the file and nothing else
    #[arg(long, conflicts_with_all = ["format", "xml"])]
    pub(crate) raw: bool,
    /// Short for --format xml
    #[arg(long, conflicts_with = "format")]
    pub(crate) xml: bool,
    /// Colour metadata keys, line numbers, matches and hex dumps
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: ColorChoice,
}

/// Whether source code is colored, and in which language it is.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(crate) struct HighlightArgs {
    /// Colour source code where --color allows it: auto, LANGUAGE (a name or an extension: rust, py) or never [default:
    /// auto]
    ///
    /// With auto, the name of the file shows the language, or its first line, as in bat. Frontmatter and text have
    /// colours, the other formats never. RREAD_THEME names another theme of bat than ansi, which uses the colours of
    /// the terminal.
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) highlight: Option<String>,
}

impl HighlightArgs {
    pub(crate) fn choice(&self) -> Result<Highlight> {
        match self.highlight.as_deref() {
            None => Ok(Highlight::Auto),
            Some("auto") if cfg!(feature = "highlight") => Ok(Highlight::Auto),
            Some("never") => Ok(Highlight::Never),
            Some(name) => highlight::find_language(name).map(Highlight::As),
        }
    }
}

impl OutputArgs {
    pub(crate) fn options(&self) -> Result<OutputOptions> {
        Ok(OutputOptions {
            format: self.format()?,
            color: self.color(),
            theme: theme(),
            out: stdout,
            renders: None,
            progress: Some(|reader| Box::new(Progress::watch(reader))),
        })
    }

    pub(crate) fn format(&self) -> Result<Format> {
        match self {
            OutputArgs { json: true, .. } => Ok(Format::Json),
            OutputArgs { raw: true, .. } => Ok(Format::Raw),
            OutputArgs { xml: true, .. } => Ok(Format::Xml),
            OutputArgs { format: Some(format), .. } => Ok(*format),
            _ => format_from_environment(),
        }
    }

    fn color(&self) -> Color {
        let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_able = || !set("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb");
        match self.color {
            ColorChoice::Always => Color::Always,
            ColorChoice::Auto if is_able() => Color::OnTerminal,
            ColorChoice::Auto | ColorChoice::Never => Color::Never,
        }
    }
}

pub(crate) fn format_from_environment() -> Result<Format> {
    let Some(name) = env::var_os("RREAD_FORMAT").filter(|name| !name.is_empty()) else {
        return Ok(Format::default());
    };
    let name = name.to_string_lossy();
    named(FORMATS, &name).ok_or_else(|| {
        Error::usage(format!("RREAD_FORMAT is '{name}', which is not a format"))
            .hint("export RREAD_FORMAT=json (or frontmatter, raw, text, xml)")
    })
}
