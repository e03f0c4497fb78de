//! What users of tail type after `rread follow`: the same with the options of rread.

use std::ffi::OsString;

use crate::args::choice::format_of;
use crate::args::file::names_file;

/// `args` with the habits of tail as options of `rread follow`; the same for other commands.
pub(crate) fn of_tail(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let args: Vec<OsString> = args.collect();
    if args.get(1).is_none_or(|command| command != "follow") {
        return args;
    }
    let dashes = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
    let mut words = args[..2].to_vec();
    let mut rest = args[2..dashes].iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.to_str() else {
            words.push(word.clone());
            continue;
        };
        let next = rest.clone().next().and_then(|next| next.to_str());
        match Habit::of(text, next) {
            Habit::None => words.push(word.clone()),
            Habit::Options(options) => words.extend(options.into_iter().map(OsString::from)),
            Habit::WithNext(options) => {
                words.extend(options.into_iter().map(OsString::from));
                words.extend(rest.next().cloned());
            }
        }
    }
    words.extend_from_slice(&args[dashes..]);
    words
}

enum Habit {
    None,
    /// These options of rread, if any: it follows names, and waits for them, without an option.
    Options(Vec<String>),
    /// The same, and the next word is a value.
    WithNext(Vec<String>),
}

impl Habit {
    fn of(text: &str, next: Option<&str>) -> Self {
        match text {
            "--follow" | "--follow=name" | "--retry" => return Habit::Options(Vec::new()),
            "--lines" | "--bytes" | "--sleep-interval" | "--pid" | "--until-match" | "--timeout" => {
                return Habit::WithNext(vec![text.to_owned()]);
            }
            _ if text.starts_with("--max-unchanged-stats=") => return Habit::Options(Vec::new()),
            _ if text.starts_with("--") || names_file(text.as_ref()) => return Habit::None,
            _ => {}
        }
        let is_first_sign = |c: char| c == '-' || c == '+';
        let Some(rest) = text.strip_prefix(is_first_sign).filter(|rest| !rest.is_empty()) else {
            return Habit::None;
        };
        match (old_form(text), text.starts_with('-')) {
            (Some(options), _) => Habit::Options(options),
            (None, true) => letters(rest, next),
            (None, false) => Habit::None,
        }
    }
}

/// `-100f`, `-5`, `+5c`: a number, its unit and perhaps an `f`.
fn old_form(text: &str) -> Option<Vec<String>> {
    let (sign, rest) = text.split_at_checked(1)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = rest.split_at(digits);
    if number.is_empty() {
        return None;
    }
    let sign = if sign == "+" { "+" } else { "" };
    let unit = unit.trim_end_matches(['f', 'F']);
    let value = format!("{sign}{number}");
    Some(match unit {
        "" | "l" => vec!["-n".to_owned(), value],
        "c" => vec!["-c".to_owned(), value],
        "b" => vec!["-c".to_owned(), format!("{sign}{}", number.parse::<u64>().ok()?.checked_mul(512)?)],
        _ => return None,
    })
}

/// A word of short options, without its dash.
fn letters(letters: &str, next: Option<&str>) -> Habit {
    let is_format = |name: &str| format_of(name).is_some() && !names_file(name.as_ref());
    let mut options = Vec::new();
    for (at, letter) in letters.char_indices() {
        let rest = &letters[at + 1..];
        match letter {
            // The format of rread has the same letter.
            'f' if !rest.is_empty() && is_format(rest.trim_start_matches('=')) => {
                options.push(format!("-f{rest}"));
                return Habit::Options(options);
            }
            'f' if rest.is_empty() && next.is_some_and(is_format) => {
                options.push("-f".to_owned());
                return Habit::WithNext(options);
            }
            'f' | 'F' => {}
            'q' | 'v' => options.push(format!("-{letter}")),
            'n' | 'c' | 's' if rest.is_empty() => {
                options.push(format!("-{letter}"));
                return Habit::WithNext(options);
            }
            'n' | 'c' | 's' => {
                options.extend([format!("-{letter}"), rest.to_owned()]);
                return Habit::Options(options);
            }
            // Options of rread, and what neither has.
            _ => {
                options.push(format!("-{letter}{rest}"));
                let takes_next = letter == 'E' && rest.is_empty();
                return if takes_next { Habit::WithNext(options) } else { Habit::Options(options) };
            }
        }
    }
    Habit::Options(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_tail_are_options_of_follow() {
        for (typed, expected) in [
            ("-f a.log", "a.log"),
            ("-F a.log b.log", "a.log b.log"),
            ("-100f a.log", "-n 100 a.log"),
            ("-5 a.log", "-n 5 a.log"),
            ("-5F a.log", "-n 5 a.log"),
            ("+5 a.log", "-n +5 a.log"),
            ("+5lf a.log", "-n +5 a.log"),
            ("-20c a.log", "-c 20 a.log"),
            ("-2b a.log", "-c 1024 a.log"),
            ("-fn5 a.log", "-n 5 a.log"),
            ("-fn +5 a.log", "-n +5 a.log"),
            ("-Fqn 5 a.log", "-q -n 5 a.log"),
            ("-qf a.log", "-q a.log"),
            ("-vc5 a.log", "-v -c 5 a.log"),
            ("-s 1 -f a.log", "-s 1 a.log"),
            ("--follow=name --retry a.log", "a.log"),
            ("--follow a.log", "a.log"),
            ("--lines=+2 a.log", "--lines=+2 a.log"),
            ("--lines -f a.log", "--lines -f a.log"),
            ("-f text a.log", "-f text a.log"),
            ("-fjson a.log", "-fjson a.log"),
            ("-f=json a.log", "-f=json a.log"),
            ("-E utf-16le a.log", "-E utf-16le a.log"),
            ("-fE utf-16le a.log", "-E utf-16le a.log"),
            ("- -f", "-"),
            ("-z a.log", "-z a.log"),
            ("--follow=descriptor a.log", "--follow=descriptor a.log"),
            ("a.log -- -5", "a.log -- -5"),
            ("--until-match -f a.log", "--until-match -f a.log"),
        ] {
            let line = format!("rread follow {typed}");
            let words = of_tail(line.split(' ').map(OsString::from));
            let words: Vec<_> = words.iter().skip(2).map(|word| word.to_string_lossy()).collect();
            assert_eq!(words.join(" "), expected, "{typed}");
        }
        let other = ["rread", "lines", "-5"].map(OsString::from);
        assert_eq!(of_tail(other.clone().into_iter()), other);
    }
}
