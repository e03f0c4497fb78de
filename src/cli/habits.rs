//! Habits of other tools: what people type, and the command line of rread that does the same.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::LazyLock;

use super::commands::built_commands;
use super::typed::{Grammar, Token, TokenRole, TypedCommand, command_line, missing_file, piped};
use crate::args::choice::{FORMATS, named};
use crate::args::input::names_file;
use rread_reader::Pattern;

/// The names of programs, the words after the name, and what follows `rread`, as habits.txt says.
#[derive(Clone, Copy)]
pub struct Habit(pub &'static str, pub &'static str, pub &'static str);

/// The rows of habits.txt.
pub static HABITS: LazyLock<Vec<Habit>> = LazyLock::new(|| {
    let rows = include_str!("habits.txt").lines().filter(|row| !row.starts_with('#'));
    let habit = |row: &'static str| {
        let (programs, rest) = row.split_once(": ")?;
        let (words, ours) = rest.split_once("->")?;
        Some(Habit(programs, words.trim(), ours.trim()))
    };
    rows.filter_map(habit).collect()
});

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A word that rows may match.
    Typed,
    /// An existing file, or a word after `--`.
    Name,
    /// An option of rread that rows may match.
    Known,
    /// Another option of rread, or its value.
    Option,
    /// The words that a row made of an option, if it is not an option.
    Range,
}

#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) role: Role,
}

impl Word {
    fn new(text: &str, role: Role) -> Self {
        Word { text: text.to_owned(), role }
    }
}

/// How a program reads regular expressions.
#[derive(Clone, Copy, Default)]
struct Dialect {
    is_basic: bool,
    is_fixed: bool,
    /// An expression stands between slashes.
    is_script: bool,
}

impl Dialect {
    fn of(program: &str, words: &[Word]) -> Self {
        let names = |letters: &str, long: &[&str]| {
            words.iter().any(|word| {
                let short = word.text.strip_prefix('-').unwrap_or_default();
                let is_short = short.bytes().all(|byte| byte.is_ascii_alphabetic());
                long.contains(&&*word.text) || is_short && short.contains(|c| letters.contains(c))
            })
        };
        let is_extended = names("EFP", &["--extended-regexp", "--fixed-strings", "--perl-regexp"]);
        let is_basic = matches!(program, "grep" | "zgrep") && !is_extended
            || program == "sed" && !names("Er", &["--regexp-extended"]);
        let is_fixed = program == "fgrep" || names("F", &["--fixed-strings"]);
        Dialect { is_basic, is_fixed, is_script: program == "sed" || program.ends_with("awk") }
    }

    /// `pattern` if it means the same to rread.
    fn translate(self, pattern: &str) -> Option<String> {
        // In a basic expression, these mean what they mean with a backslash elsewhere.
        if self.is_basic && pattern.contains(['\\', '|', '(', ')', '{', '}', '+', '?'])
            || self.is_script && pattern.contains('/')
        {
            return None;
        }
        let check = Pattern { patterns: vec![pattern.to_owned()], ..Pattern::default() };
        (self.is_fixed || check.check(false).is_ok()).then(|| pattern.to_owned())
    }
}

type Values = BTreeMap<char, String>;

/// Adds the values of the placeholders of `template` in `word`; `None` if `word` has another form.
fn bind(template: &str, word: &str, mut values: Values, dialect: Dialect) -> Option<Values> {
    let Some((before, rest)) = template.split_once('%') else { return (template == word).then_some(values) };
    let word = word.strip_prefix(before)?;
    let (name, rest) = rest.split_at_checked(1)?;
    let name = name.chars().next()?;
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let end = match name {
        'n' | 'm' | 'a' | 'b' | 'k' | 'l' => digits,
        's' => digits + usize::from(word[digits..].starts_with(['k', 'K', 'M', 'G'])),
        _ => word.len().checked_sub(rest.len())?,
    };
    let (value, after) = word.split_at_checked(end)?;
    let is_plain = !value.starts_with('0') || value == "0";
    let is_format = || named(FORMATS, value.trim_start_matches('=')).is_some();
    let fits = match name {
        'n' | 'm' | 'a' | 'b' => is_plain && value.parse::<u64>().is_ok(),
        'k' | 'l' => value.len() == 3,
        's' => is_plain && digits > 0,
        'v' => !value.is_empty() && !names_file(value.as_ref()),
        'e' => value == "-" || !is_format() && Path::new(value).exists() && !Path::new(value).is_dir(),
        'x' => is_format() && !names_file(value.as_ref()),
        _ => !value.is_empty(),
    };
    let value = if name == 'r' { dialect.translate(value)? } else { value.to_owned() };
    let is_again = values.get(&name).is_some_and(|known| *known != value);
    if !fits || is_again {
        return None;
    }
    values.insert(name, value);
    bind(rest, after, values, dialect)
}

/// A row that is held against words.
struct Fit<'w> {
    words: &'w [Word],
    dialect: Dialect,
    values: Values,
    taken: Vec<usize>,
}

impl<'w> Fit<'w> {
    /// Takes all items of `habit` from `words`.
    fn of(habit: &Habit, words: &'w [Word], dialect: Dialect) -> Option<Self> {
        let mut fit = Fit { words, dialect, values: Values::new(), taken: Vec::new() };
        let mut items = habit.1.split(' ').filter(|item| !matches!(*item, "" | "%F" | "%f" | "%W"));
        (items.all(|item| fit.take(item)) && fit.is_ascending()).then_some(fit)
    }

    fn is_ascending(&self) -> bool {
        !self.values.contains_key(&'b') || self.number("a") <= self.number("b")
    }

    fn take(&mut self, item: &str) -> bool {
        let is_anywhere = item.starts_with(['-', '+']) || item.contains("=%") && !item.starts_with("NR");
        for at in (0..self.words.len()).filter(|at| matches!(self.words[*at].role, Role::Typed | Role::Known))
        {
            let is_option = self.words[at].text.starts_with('-') && self.words[at].text != "-";
            if self.taken.contains(&at) || !is_anywhere && is_option {
                continue;
            }
            if let Some(count) = item.split('|').find_map(|form| self.bind_form(form, at)) {
                self.taken.extend(at..at + count);
                return true;
            }
            if !is_anywhere {
                return false;
            }
        }
        false
    }

    /// The number of words, from the one at `at`, that one form of an item takes.
    fn bind_form(&mut self, form: &str, at: usize) -> Option<usize> {
        let word = &*self.words[at].text;
        let valued = form.split_once('=').filter(|(_, value)| form.starts_with('-') && value.contains('%'));
        let Some((names, value)) = valued else { return self.bind(form, word).then_some(1) };
        let next = self.words.get(at + 1);
        names.split('/').find_map(|name| {
            let equals = if name.starts_with("--") { "=" } else { "" };
            if self.bind(&format!("{name}{equals}{value}"), word) {
                Some(1)
            } else if word == name && next.is_some_and(|next| self.bind(value, &next.text)) {
                Some(2)
            } else {
                (word == name && value == "%v").then_some(1)
            }
        })
    }

    fn bind(&mut self, template: &str, word: &str) -> bool {
        let values = bind(template, word, self.values.clone(), self.dialect);
        values.map(|values| self.values = values).is_some()
    }

    /// The words that no item took and that are no options of rread; `None` if one is an option of another program.
    fn files(&self) -> Option<Vec<String>> {
        let left = self.words.iter().enumerate().filter(|(at, _)| !self.taken.contains(at));
        let left = left.map(|(_, word)| word).filter(|word| !matches!(word.role, Role::Known | Role::Option));
        let is_name =
            |word: &&Word| !word.text.starts_with('-') || word.text == "-" || word.role == Role::Name;
        left.map(|word| Some(word).filter(is_name).map(|word| word.text.clone())).collect()
    }

    /// The words that `template` stands for; `None` if a number of it is too large or negative.
    fn expand(&self, template: &str) -> Option<String> {
        let Some((before, rest)) = template.split_once('%') else { return Some(template.to_owned()) };
        let (value, rest) = match rest.strip_prefix('(') {
            Some(sum) => {
                let (sum, rest) = sum.split_once(')')?;
                let (one, operator, other) = (&sum[..1], &sum[1..2], &sum[2..]);
                let (one, other) = (self.number(one)?, self.number(other)?);
                let value = match operator {
                    "+" => one.checked_add(other)?,
                    "-" => one.checked_sub(other)?,
                    _ => one.checked_mul(other)?,
                };
                (value.to_string(), rest)
            }
            None => (self.values.get(&rest.chars().next()?).cloned().unwrap_or_default(), &rest[1..]),
        };
        Some(format!("{before}{value}{}", self.expand(rest)?))
    }

    /// A number, or the value of a placeholder: `4k` is 4096.
    fn number(&self, text: &str) -> Option<u64> {
        let value = text.chars().next().and_then(|name| self.values.get(&name)).map_or(text, String::as_str);
        let digits = value.trim_end_matches(char::is_alphabetic);
        let power = "kMG".find(value[digits.len()..].replace('K', "k").as_str()).map_or(0, |at| at + 1);
        let unit = 1u64 << (10 * if digits.len() < value.len() { power } else { 0 });
        digits.parse::<u64>().ok()?.checked_mul(unit)
    }

    /// The command line of `habit`, whose pattern fits.
    fn line(&self, habit: &Habit) -> Option<String> {
        let mut files = self.files()?;
        let takes = |name: &str| habit.1.split(' ').next_back() == Some(name);
        if !takes("%F") && !takes("%W") && files.len() > usize::from(takes("%f")) {
            return None;
        }
        if files.is_empty() && !self.values.contains_key(&'f') {
            files.push(missing_file().to_owned());
        }
        let (command, rest) = habit.2.split_once(' ')?;
        let grammar = Grammar::of(command);
        let mut words = Vec::new();
        for template in rest.split(' ') {
            match template {
                "%F" | "%W" => words.append(&mut files),
                "%f" if !self.values.contains_key(&'f') => words.append(&mut files),
                "%O" => {
                    let options =
                        self.words.iter().filter(|word| matches!(word.role, Role::Known | Role::Option));
                    words.extend(options.map(|word| word.text.clone()));
                }
                _ => {
                    let word = self.expand(template)?;
                    let is_range = template.contains(':') || template.starts_with("%n") || template == "-1";
                    if is_range && grammar.is_some_and(|grammar| !grammar.takes(&word)) {
                        return None;
                    }
                    let needs_option = template == "%r" && word.starts_with('-') && !rest.contains("-e %r");
                    words.extend(needs_option.then(|| "-e".to_owned()));
                    words.push(word);
                }
            }
        }
        Some(command_line(command, words.iter().map(String::as_str)))
    }
}

impl Habit {
    fn is_of(&self, program: &str) -> bool {
        self.0.split(' ').any(|name| name == program)
    }

    /// Whether the row is of an option, for the other rows of the program.
    fn is_option(&self) -> bool {
        !self.2.starts_with(|c: char| c.is_ascii_lowercase() || c == '|')
    }
}

fn rows(program: &str) -> impl Iterator<Item = &'static Habit> {
    HABITS.iter().filter(move |habit| habit.is_of(program))
}

/// Whether some command lines of the program `name` have one of ours.
pub(super) fn is_program(name: &str) -> bool {
    rows(name).next().is_some()
}

/// The command line that does what `program` does with the words `rest`; `None` if there is none.
pub(super) fn ours(program: &str, rest: &[String]) -> Option<String> {
    let mut words: Vec<Word> = rest.iter().map(|text| Word::new(text, Role::Typed)).collect();
    let is_search = program == "rg" || program.ends_with("grep");
    for at in 1..words.len() {
        let before = &*words[at - 1].text;
        let is_short = before.starts_with('-') && !before.starts_with("--") && before.ends_with(['e', 'f']);
        if is_search && (is_short || before == "--regexp" || before == "--file") {
            words[at].role = Role::Name;
        }
    }
    if let Some(script) = words.first_mut().filter(|_| program.ends_with("awk")) {
        if !script.text.contains('/') {
            script.text.retain(|c| !c.is_whitespace());
        }
        let end = ["{print}", "{print$0}", "{print $0}"].iter().find(|end| script.text.ends_with(**end));
        script.text.truncate(script.text.len() - end.map_or(0, |end| end.len()));
        script.text = script.text.trim().to_owned();
    }
    translate(program, &words, rest, &|_| None)
}

/// Whether a letter is an option of rread without a value; `None` if it is none.
type Letters<'t> = &'t dyn Fn(char) -> Option<bool>;

/// The command line that the rows of `program` make of `words`, which are `rest` as it was typed.
fn translate(program: &str, words: &[Word], rest: &[String], is_flag: Letters) -> Option<String> {
    let dialect = Dialect::of(program, words);
    let rewritten = rewrite(program, words.to_vec(), dialect, is_flag);
    let is_built = |habit: &&Habit| built_commands().any(|name| habit.2.split(' ').next() == Some(name));
    rows(program).filter(|habit| !habit.is_option()).find_map(|habit| {
        if habit.2 == "|" {
            return Fit::of(habit, words, dialect).map(|_| piped(program, rest));
        }
        let fit = Fit::of(Some(habit).filter(is_built)?, &rewritten, dialect)?;
        fit.line(habit).filter(|_| !habit.1.is_empty() || rest.is_empty())
    })
}

/// `words` with what the rows of options of `program` make of them; `is_flag` knows the letters of other options.
fn rewrite(program: &str, mut words: Vec<Word>, dialect: Dialect, is_flag: Letters) -> Vec<Word> {
    split_letters(program, &mut words, dialect, is_flag);
    for habit in rows(program).filter(|habit| habit.is_option()) {
        while let Some(Fit { values, mut taken, .. }) = Fit::of(habit, &words, dialect) {
            taken.sort_unstable();
            let typed: Vec<Word> = taken.iter().map(|at| words[*at].clone()).collect();
            taken.iter().rev().for_each(|at| drop(words.remove(*at)));
            let fit = Fit { words: &[], dialect, values, taken: Vec::new() };
            let new: Vec<String> = match habit.2 {
                "=" => typed.into_iter().map(|word| word.text).collect(),
                new => {
                    new.split(' ').filter_map(|word| fit.expand(word)).filter(|new| !new.is_empty()).collect()
                }
            };
            let mut letters = new.first().map_or("", String::as_str).chars();
            let is_option =
                letters.next() == Some('-') && letters.next().is_some_and(|c| !c.is_ascii_digit());
            let role = if is_option { Role::Option } else { Role::Range };
            words.splice(taken[0]..taken[0], new.iter().map(|text| Word::new(text, role)));
        }
    }
    words
}

/// Splits rows of short options, such as `-qn5`, where a row or the command has their letters.
fn split_letters(program: &str, words: &mut Vec<Word>, dialect: Dialect, is_flag: Letters) {
    let mut at = 0;
    while let Some(Word { text, role }) = words.get(at).cloned() {
        let mut letters = text.chars();
        let is_dashed = letters.next() == Some('-') && matches!(role, Role::Typed | Role::Known);
        let letter = letters.next().filter(|letter| is_dashed && letter.is_ascii_alphabetic());
        let forms =
            || rows(program).flat_map(|habit| habit.1.split([' ', '|'])).filter(|form| form.starts_with('-'));
        let mut fit = Fit { words, dialect, values: Values::new(), taken: Vec::new() };
        let is_whole = letter.is_some() && forms().any(|form| fit.bind_form(form, at).is_some());
        let is_row = |letter| forms().any(|form| form == format!("-{letter}"));
        if let Some(letter) = letter.filter(|_| !is_whole) {
            let rest = letters.as_str();
            let known = is_flag(letter).filter(|_| !is_row(letter));
            match known {
                None if !is_row(letter) => {}
                // The option takes the rest, or the next word.
                Some(false) => {
                    words[at].role = Role::Known;
                    if let Some(next) = words.get_mut(at + 1).filter(|_| rest.is_empty()) {
                        next.role = Role::Option;
                    }
                }
                _ => {
                    let role = if known.is_some() { Role::Known } else { role };
                    words[at] = Word::new(&format!("-{letter}"), role);
                    if !rest.is_empty() {
                        words.insert(at + 1, Word::new(&format!("-{rest}"), Role::Typed));
                    }
                }
            }
        }
        at += 1;
    }
}

/// The words of `typed`; rows match the options that rread has too if `is_open`.
fn words_of(typed: &TypedCommand, is_open: bool) -> Vec<Word> {
    let dashes = typed.tokens.iter().position(|token| token.role == TokenRole::Dashes);
    let word = |(at, token): (usize, &Token)| {
        let role = match token.role {
            TokenRole::Known if is_open => Role::Known,
            TokenRole::Known | TokenRole::Value => Role::Option,
            _ if dashes.is_some_and(|dashes| at >= dashes) || names_file(token.text.as_ref()) => Role::Name,
            _ => Role::Typed,
        };
        Word::new(&token.text, role)
    };
    typed.tokens.iter().enumerate().map(word).collect()
}

/// The words of `typed`, with what the rows of `program` make of its options.
pub(super) fn rewritten(program: &str, typed: &TypedCommand) -> Vec<Word> {
    rewrite(program, words_of(typed, true), Dialect::default(), &|letter| typed.is_flag(letter))
}

/// `args` with the words of tail after `follow`, and of grep after `search`, that work as they are typed.
pub(crate) fn of_other_tools(args: Vec<OsString>) -> Vec<OsString> {
    let may_name_patterns = |arg: &OsString| {
        let bytes = arg.as_encoded_bytes();
        bytes.starts_with(b"-") && !bytes.starts_with(b"--") && bytes.contains(&b'f')
    };
    let program = match args.get(1).and_then(|command| command.to_str()) {
        Some("follow") => "=follow",
        Some("search") if args.iter().any(may_name_patterns) => "=search",
        _ => return args,
    };
    let Some(typed) = TypedCommand::of(&args) else { return args };
    let words = rewritten(program, &typed).into_iter().map(|word| word.text.into());
    args.iter().take(2).cloned().chain(words).collect()
}

/// Why `rread search` lacks `option` of grep, and the command line to type, if there is one.
pub(super) fn explain_refusal(typed: &TypedCommand, option: &str) -> Option<(&'static str, Option<String>)> {
    let reasons = REASONS.iter().filter(|_| typed.command == "search");
    let (_, reason) = reasons.into_iter().find(|(names, _)| names.split(' ').any(|name| name == option))?;
    Some((reason, translate_typed(typed, &words_of(typed, false))))
}

fn translate_typed(typed: &TypedCommand, words: &[Word]) -> Option<String> {
    let rest: Vec<String> = typed.tokens.iter().map(|token| token.text.clone()).collect();
    translate(&typed.command, words, &rest, &|letter| typed.is_flag(letter))
}

/// The words of `typed` without the `-E` of grep, whose value is a pattern: `-nE 'A|B'`. `None` if another word or
/// option has the pattern, so that the value is a mistyped encoding.
pub(super) fn without_extended(typed: &TypedCommand) -> Option<String> {
    let short = |token: &Token| {
        let is_short = token.role == TokenRole::Known && !token.text.starts_with("--");
        is_short.then(|| token.text.clone()).filter(|text| text.contains('E'))
    };
    let (at, option) = typed.tokens.iter().enumerate().find_map(|(at, token)| Some((at, short(token)?)))?;
    let mut words = words_of(typed, true);
    if option.ends_with('E') {
        let has_pattern = |token: &Token| match token.role {
            TokenRole::Word => token.text != "-" && !names_file(token.text.as_ref()),
            TokenRole::Known => ["-e", "--regexp", "--file"].iter().any(|name| token.text.starts_with(name)),
            _ => false,
        };
        if typed.tokens.iter().any(has_pattern) {
            return None;
        }
        words.get_mut(at + 1)?.role = Role::Typed;
    }
    translate_typed(typed, &words)
}

/// The range of rread that `text` means, if it is one.
pub(super) fn range(text: &str, grammar: Grammar) -> Option<String> {
    let text = text.trim();
    if grammar.takes(text) {
        return Some(text.to_owned());
    }
    let forms = rows("[range]").filter(|_| grammar != Grammar::Page);
    let mut forms = forms.flat_map(|habit| habit.1.split('|').map(move |form| (form, habit.2)));
    forms.find_map(|(form, range)| {
        let dialect = Dialect::default();
        let values = bind(form, text, Values::new(), dialect)?;
        let fit = Fit { words: &[], dialect, values, taken: Vec::new() };
        fit.expand(range).filter(|range| fit.is_ascending() && grammar.takes(range))
    })
}

/// The names in other programs of options that rread has: the commands, the names, and the option of rread. `=` keeps the value,
/// which then has to fit. A row of no commands is of all of them.
const OTHER_NAMES: &[(&str, &str, &str)] = &[
    ("search", "--tail --tail-lines", "--last="),
    ("search", "--head --limit --first --top --max --max-matches --max-results", "-m="),
    ("search follow", "--before --before-lines", "-B="),
    ("search follow", "--after --after-lines", "-A="),
    (
        "lines search stat select view follow",
        "--start --from --after --begin --time --start-time --since-time",
        "--since=",
    ),
    ("lines search stat select view follow", "--end --to --before --end-time --until-time", "--until="),
    ("where", "--since --at --timestamp", "--time="),
    ("select", "--limit --head --top", "--max-rows="),
    ("", "--no-header --no-headers", "--raw"),
    ("", "--no-receipt --no-frontmatter --no-metadata --plain-text --quiet -q --pretty --silent", "-f text"),
    ("", "--yaml --frontmatter", "-f frontmatter"),
    ("", "--output -o", "-f="),
];

/// The option of rread for `name`, which another program has; with `=` at the end, it takes the value.
pub(super) fn known_elsewhere(command: &str, name: &str) -> impl Iterator<Item = &'static str> {
    let is_of = move |row: &&(&str, &str, &str)| {
        let is_command = row.0.is_empty() || row.0.split(' ').any(|known| known == command);
        is_command && row.1.split(' ').any(|known| known == name)
    };
    OTHER_NAMES.iter().filter(is_of).map(|(_, _, ours)| *ours)
}

/// Why `rread search` lacks options of grep.
const REASONS: &[(&str, &str)] = &[
    (
        "-P -E -G --perl-regexp --pcre2 --extended-regexp --basic-regexp",
        "patterns are those of the Rust regex crate, which has neither look-around nor back-references",
    ),
    (
        "-R --recursive --dereference-recursive",
        "rread searches directories recursively, and -L follows links",
    ),
    ("--include", "-g is its name"),
    ("--exclude --exclude-dir", "-g '!GLOB' leaves files and directories out"),
    ("-y", "-i is its name"),
];
