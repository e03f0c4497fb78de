//! The options of less in the variable `LESS`, as far as they mean something to `rread view`.

use super::LookArgs;

/// Options of less with a number, or with numbers and commas.
const NUMBERS: &str = "bhjxyz#";

/// Options of less with a string, which ends with `$` or the text.
const STRINGS: &str = "DkoOpPtT\"";

impl LookArgs {
    /// The options in `text`: letters with or without a dash, long names, and others that are passed over.
    pub(super) fn of_less(text: &str) -> Self {
        let mut options = LookArgs::default();
        let mut rest = text;
        // Whether the letters that follow reset options.
        let mut resets = false;
        loop {
            let trimmed = rest.trim_start_matches([' ', '\t', '$']);
            resets &= trimmed.len() == rest.len();
            rest = trimmed;
            let Some(first) = rest.chars().next() else { return options };
            if let Some(long) = rest.strip_prefix("--") {
                let (word, after) = split_word(long);
                options.long(word.strip_prefix('+').unwrap_or(word), !word.starts_with('+'));
                rest = after;
            } else if first == '+' {
                rest = split_word(rest).1;
            } else if let Some(after) = rest.strip_prefix('-') {
                resets = after.starts_with('+');
                rest = after.strip_prefix('+').unwrap_or(after);
            } else {
                rest = &rest[first.len_utf8()..];
                options.letter(first, !resets);
                if NUMBERS.contains(first) && !resets {
                    rest = rest
                        .trim_start_matches(' ')
                        .trim_start_matches(|c: char| c.is_ascii_digit() || "-.,".contains(c));
                } else if STRINGS.contains(first) && !resets {
                    rest = rest.split_once('$').map_or("", |(_, after)| after);
                }
            }
        }
    }

    fn letter(&mut self, letter: char, is_set: bool) {
        match letter {
            'F' => self.one_screen = is_set,
            'S' => self.chop = is_set,
            'N' => self.number = is_set,
            'n' => self.number = false,
            'i' => self.ignore_case = is_set,
            'I' => self.ignore_all_case = is_set,
            'G' => self.no_matches = is_set,
            'U' => self.controls = is_set,
            _ => {}
        }
    }

    fn long(&mut self, word: &str, is_set: bool) {
        let name = word.split('=').next().unwrap_or_default();
        let letter = match name {
            "quit-if-one-screen" => 'F',
            "chop-long-lines" => 'S',
            "LINE-NUMBERS" => 'N',
            "line-numbers" => 'n',
            "ignore-case" => 'i',
            "IGNORE-CASE" => 'I',
            "HILITE-SEARCH" => 'G',
            "UNDERLINE-SPECIAL" => 'U',
            _ => return,
        };
        self.letter(letter, is_set);
    }
}

fn split_word(text: &str) -> (&str, &str) {
    text.split_at(text.find([' ', '\t', '$']).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_less_are_found_among_others() {
        let (none, f, s, both) = ("", "F", "S", "FS");
        for (text, expected) in [
            ("", none),
            ("FRX", f),
            ("-FRX", f),
            ("-R -F -X", f),
            ("FRSX", both),
            ("-x4F", f),
            ("-x4,8 -F", f),
            ("x 4 -F", f),
            ("-x4$F", f),
            ("-j.5F", f),
            ("-j5 -F", f),
            ("-z-4F", f),
            ("-P %f S$F", f),
            ("-PFS", none),
            ("--quit-if-one-screen --tabs=4 -S", both),
            ("--chop-long-lines=F", s),
            ("F-+F", none),
            ("F --+quit-if-one-screen S", s),
            ("+FS -S", s),
            ("-iMR", "i"),
            ("-N -n", none),
            ("IGU", "IGU"),
            ("-é -- F", f),
            ("-", none),
            ("--", none),
        ] {
            let look = LookArgs::of_less(text);
            let letters = [
                (look.one_screen, 'F'),
                (look.chop, 'S'),
                (look.number, 'N'),
                (look.ignore_case, 'i'),
                (look.ignore_all_case, 'I'),
                (look.no_matches, 'G'),
                (look.controls, 'U'),
            ];
            let set = letters.into_iter().filter(|(is_set, _)| *is_set).map(|(_, letter)| letter);
            assert_eq!(set.collect::<String>(), expected, "{text}");
        }
    }
}
