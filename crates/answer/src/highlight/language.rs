//! The languages of files, by their names or first lines as bat decides, and the colors of themes.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{LazyLock, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use syntect::highlighting::{Color, FontStyle, HighlightIterator, HighlightState, Highlighter, Style};
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};
use two_face::theme::{EmbeddedLazyThemeSet, EmbeddedThemeName};

use crate::content;
use crate::output::ThemeChoice;
use rread_reader::Reader;
use rread_source::compressed::recognition::strip_ending;
use rread_source::spelling::nearest;
use rread_text::{Error, Result};

/// Loading takes 1.3 ms; each language is unpacked when it is used first.
pub(super) static LANGUAGES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

pub type Language = &'static SyntaxReference;

/// Languages of file name extensions that mean another one, or none, in the syntaxes.
const EXTENSIONS: [(&str, &str); 3] =
    [("INI", "conf service socket timer"), ("C++", "h"), ("JSON", "jsonl ndjson")];

/// Ends of the names of copies, after the extension that shows the language.
const COPIES: &[&str] =
    &["bak", "old", "orig", "dpkg-dist", "dpkg-old", "rpmnew", "rpmorig", "rpmsave", "in"];

/// As much of the first line as shows the language.
const HEAD: usize = 1 << 10;

/// The language with this name or extension, in any case.
///
/// # Errors
/// Usage, with the most similar name.
pub fn find_language(name: &str) -> Result<Language> {
    LANGUAGES.find_syntax_by_token(name).ok_or_else(|| {
        let error = Error::usage(format!("--highlight is '{name}', which is not a language, auto or never"));
        let names = LANGUAGES.syntaxes().iter().filter(|syntax| !syntax.hidden).flat_map(|syntax| {
            std::iter::once(syntax.name.to_lowercase()).chain(syntax.file_extensions.iter().cloned())
        });
        match (name, nearest(name, names)) {
            ("always", _) => error.hint("--color always colours in pipes too"),
            (_, Some(near)) => error.hint(format!(
                "did you mean --highlight {}?",
                rread_text::sentence::quoted(Path::new(&near))
            )),
            (_, None) => error.hint("write a name or a file name extension, such as rust, py or json"),
        }
    })
}

/// The language of the file at `path`; `None` for plain text and for unknown names.
pub(super) fn of_file(reader: &Reader, path: &Path) -> Result<Option<Language>> {
    let name = path.file_name().map(|name| name.to_string_lossy());
    let by_name = name.and_then(|name| by_name(&name));
    let language = match by_name {
        Some(language) => Some(language),
        None => LANGUAGES.find_syntax_by_first_line(&first_line(reader)?),
    };
    Ok(language.filter(|language| !std::ptr::eq(*language, LANGUAGES.find_syntax_plain_text())))
}

fn by_name(name: &str) -> Option<Language> {
    // The query of a URL is not part of the name.
    let name = name.split(['?', '#']).next().unwrap_or(name).trim_end_matches('~');
    if let Some(language) = LANGUAGES.find_syntax_by_extension(name) {
        return Some(language);
    }
    let (rest, extension) = name.rsplit_once('.')?;
    let is_it = |known: &str| known.eq_ignore_ascii_case(extension);
    let mapped = EXTENSIONS.iter().find(|(_, known)| known.split(' ').any(is_it));
    let language = match mapped {
        Some((language, _)) => LANGUAGES.find_syntax_by_name(language),
        None => LANGUAGES.find_syntax_by_extension(extension),
    };
    // A rotated log is `app.log.1`, and a manual page is `rread.1`.
    let is_number = extension.bytes().all(|byte| byte.is_ascii_digit());
    let is_compressed = strip_ending(name).is_some();
    if is_number || is_compressed || COPIES.contains(&extension) {
        by_name(rest).or(language)
    } else {
        language
    }
}

fn first_line(reader: &Reader) -> Result<String> {
    let mut head = [0; HEAD];
    let end = reader.read_front(&mut head)? as u64;
    let text = content::text(reader, 0, end)?;
    Ok(text.split_inclusive('\n').next().unwrap_or_default().to_owned())
}

static THEMES: LazyLock<EmbeddedLazyThemeSet> = LazyLock::new(two_face::theme::extra);

/// The theme that colors are taken from.
pub(super) struct Theme {
    pub(super) highlighter: Highlighter<'static>,
    has_true_color: bool,
}

/// The theme of `choice`, for the whole process.
///
/// # Errors
/// Usage, if there is no such theme.
pub(super) fn theme(choice: &ThemeChoice) -> Result<&'static Theme> {
    static THEME: OnceLock<Theme> = OnceLock::new();
    if let Some(theme) = THEME.get() {
        return Ok(theme);
    }
    let ThemeChoice { name, has_true_color } = choice;
    let theme = if name.is_empty() { EmbeddedThemeName::Ansi } else { find_theme(name)? };
    let has_true_color = *has_true_color;
    Ok(THEME.get_or_init(|| Theme { highlighter: Highlighter::new(THEMES.get(theme)), has_true_color }))
}

fn find_theme(wanted: &str) -> Result<EmbeddedThemeName> {
    let all = EmbeddedLazyThemeSet::theme_names();
    let found = all.iter().find(|theme| theme.as_name().eq_ignore_ascii_case(wanted));
    found.copied().ok_or_else(|| {
        let names = all.iter().map(|theme| theme.as_name().to_owned());
        let near = nearest(wanted, names).unwrap_or_else(|| "GitHub".to_owned());
        Error::usage(format!("RREAD_THEME is '{wanted}', which is not a theme"))
            .hint(format!("export RREAD_THEME='{near}' (docs/highlight.md lists the themes)"))
    })
}

impl Theme {
    /// The parameters of a style (SGR); empty for the color that the terminal writes anyway.
    pub(super) fn codes(&self, style: Style) -> String {
        let mut codes = Vec::new();
        let fonts = [(FontStyle::BOLD, "1"), (FontStyle::UNDERLINE, "4")];
        codes.extend(
            fonts
                .iter()
                .filter(|(font, _)| style.font_style.contains(*font))
                .map(|(_, code)| (*code).to_owned()),
        );
        codes.extend(self.foreground(style.foreground));
        codes.join(";")
    }

    /// bat's themes write a color of the terminal's palette as red with alpha 0, and its default color as alpha 1.
    fn foreground(&self, color: Color) -> Option<String> {
        let Color { r, g, b, a } = color;
        match (a, r) {
            (0, 0..=7) => Some(format!("{}", 30 + r)),
            (0, _) => Some(format!("38;5;{r}")),
            (1, _) => None,
            _ if self.has_true_color => Some(format!("38;2;{r};{g};{b}")),
            _ => Some(format!("38;5;{}", nearest_of_256(r, g, b))),
        }
    }
}

/// The most similar color of the 6x6x6 cube and the 24 greys, which all terminals with 256 colors share.
fn nearest_of_256(r: u8, g: u8, b: u8) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let distance = |color: [u8; 3]| -> u32 {
        let wanted = [r, g, b];
        color.iter().zip(wanted).map(|(is, wanted)| u32::from(is.abs_diff(wanted)).pow(2)).sum()
    };
    let cube = (0..216u8).map(|n| {
        let level = |n: u8| LEVELS[usize::from(n % 6)];
        (16 + n, [level(n / 36), level(n / 6), level(n)])
    });
    let greys = (0..24u8).map(|n| (232 + n, [8 + 10 * n; 3]));
    cube.chain(greys).min_by_key(|(_, color)| distance(*color)).map_or(7, |(code, _)| code)
}

/// Longest line that is colored, as in bat.
pub(super) const MAX_LINE_BYTES: usize = 16 << 10;

/// Lines before a slice that are parsed if the state at the first of them is unknown.
const MAX_SKIPPED_LINES: usize = 200;

/// Time to parse the lines before a slice, from a line with a known state; then from a nearer one.
const SKIP_TIMEOUT: Duration = Duration::from_millis(120);

/// The time that a parser has for a few lines: one that takes longer may never end.
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
    /// Whether lines may be records of a log, whose level is worth more than their syntax.
    keeps_levels: bool,
}

impl LineColors {
    pub fn keeps_levels(&self) -> bool {
        self.keeps_levels
    }

    /// The colors of the file at `path` in `language`, or in its own; `None` if that is plain text or a log, whose lines
    /// have the colors of their levels.
    pub fn of(
        language: Option<Language>,
        choice: &ThemeChoice,
        reader: &Reader,
        path: &Path,
    ) -> Result<Option<Self>> {
        let own = || Ok(of_file(reader, path)?.filter(|language| language.name != "log"));
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
    fn names_show_the_language() {
        for (name, language) in [
            ("main.rs", "Rust"),
            ("MAIN.RS", "Rust"),
            ("main.rs.gz", "Rust"),
            ("main.rs.orig.zst", "Rust"),
            ("main.rs.bgz", "Rust"),
            ("main.rs.GZ", "Rust"),
            ("main.rs.zz", "Rust"),
            ("main.rs~", "Rust"),
            ("app.log.3.gz", "log"),
            ("app.log.1", "log"),
            ("rread.1", "Groff/troff"),
            ("Cargo.lock", "TOML"),
            ("Makefile", "Makefile"),
            ("Makefile.in", "Makefile"),
            (".bashrc", "Bourne Again Shell (bash)"),
            ("x.h", "C++"),
            ("rows.jsonl", "JSON"),
            ("a.py?versionId=3", "Python"),
        ] {
            assert_eq!(by_name(name).map(|found| found.name.as_str()), Some(language), "{name}");
        }
        for name in ["noname", "x.nosuch", "gz", ".gz", "main.rs.tgz", ".", ""] {
            assert!(by_name(name).is_none(), "{name}");
        }
    }

    #[test]
    fn a_wrong_name_gets_the_nearest_one() {
        for name in ["rust", "RS", "Python", "c++", "json"] {
            assert!(find_language(name).is_ok(), "{name}");
        }
        let hint = find_language("pyton").unwrap_err().hint.unwrap().plain();
        assert_eq!(hint, "did you mean --highlight python?");
    }

    #[test]
    fn colors_beyond_the_palette_become_the_nearest() {
        for (color, code) in [
            ([0, 0, 0], 16),
            ([255, 255, 255], 231),
            ([255, 0, 0], 196),
            ([9, 9, 9], 232),
            ([130, 130, 130], 244),
            ([90, 140, 180], 67),
        ] {
            assert_eq!(nearest_of_256(color[0], color[1], color[2]), code, "{color:?}");
        }
    }

    #[test]
    fn every_theme_loads_and_has_its_name() {
        for theme in EmbeddedLazyThemeSet::theme_names() {
            assert_eq!(find_theme(&theme.as_name().to_uppercase()).unwrap(), *theme);
            Highlighter::new(THEMES.get(*theme)).get_default();
        }
        let error = find_theme("GitHib").unwrap_err();
        assert!(error.hint.unwrap().plain().contains("GitHub"));
    }
}

#[cfg(test)]
mod parser_tests {
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
        let theme = super::theme(&Default::default()).unwrap();
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
