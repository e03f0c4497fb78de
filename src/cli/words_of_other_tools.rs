//! The words after the name of another program: its options with their values, and its files.

/// The options of a program.
struct Known {
    /// Letters of those without a value, and of those with one.
    flags: &'static str,
    valued: &'static str,
    /// Long names of those with a value that may be the next word.
    long: &'static [&'static str],
    /// Whether any other option may be given: it changes how the output looks.
    any: bool,
}

const COUNTED: &[&str] = &["--lines", "--bytes", "--pid", "--sleep-interval", "--max-unchanged-stats"];
const LOOKS: &[&str] = &[
    "--line-range",
    "--language",
    "--highlight-line",
    "--map-syntax",
    "--style",
    "--theme",
    "--color",
    "--decorations",
    "--paging",
    "--pager",
    "--wrap",
    "--tabs",
    "--terminal-width",
    "--file-name",
    "--diff-context",
    "--italic-text",
];
const OF_OD: &[&str] =
    &["--format", "--address-radix", "--skip-bytes", "--read-bytes", "--width", "--endian", "--strings"];
const OF_LESS: &[&str] =
    &["--pattern", "--prompt", "--jump-target", "--tabs", "--window", "--tag", "--shift"];

impl Known {
    fn of(program: &str) -> Self {
        let (flags, valued, long, any) = match program {
            "head" => ("qv", "nc", COUNTED, false),
            "tail" => ("fFqv", "ncs", COUNTED, false),
            "bat" | "batcat" => ("", "rHlm", LOOKS, true),
            "xxd" => ("adeEiuvCp", "slcgon", &[][..], false),
            "hexdump" | "hd" => ("bcCdovx", "snefL", &["--skip", "--length"][..], false),
            "od" => ("abcdfiloshHxOvw", "AjNt", OF_OD, false),
            "less" | "zless" | "more" | "zmore" | "most" => ("", "pPjxyzbhkoOtTDn", OF_LESS, true),
            _ => ("", "", &[][..], true),
        };
        // These of less and more have no value or a number alone.
        let valued = if program.ends_with("less") { "pPjxyzbhkoOtTD" } else { valued };
        Known { flags, valued, long, any }
    }

    fn has_value(&self, letter: char) -> bool {
        self.valued.contains(letter)
    }
}

/// Options whose output has the same text.
fn is_harmless(name: &str) -> bool {
    matches!(name, "--quiet" | "--silent" | "--verbose" | "--follow" | "--retry" | "--output-duplicates")
}

#[derive(Debug, Default)]
pub(super) struct ToolWords<'a> {
    pub(super) files: Vec<&'a str>,
    pub(super) options: Vec<(&'a str, Option<&'a str>)>,
    /// Whether an option may change what is printed in a way that rread does not know.
    pub(super) has_unknown: bool,
}

/// The option of each letter.
fn name(letter: char) -> Option<&'static str> {
    const NAMES: &str = "-a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t-u-v-w-x-y-z-A-B-C-D-E-F-G-H-I-J-K-L-M-N-O-P-Q-R-S-T-U-V-W-X-Y-Z";
    let at = NAMES.find(letter).filter(|_| letter.is_ascii_alphabetic())?;
    NAMES.get(at - 1..=at)
}

impl<'a> ToolWords<'a> {
    pub(super) fn of(program: &str, rest: &'a [String]) -> Self {
        let known = Known::of(program);
        let mut line = ToolWords::default();
        let mut words = rest.iter().map(String::as_str);
        let is_counting = matches!(program, "head" | "tail");
        while let Some(word) = words.next() {
            if word == "--" {
                line.files.extend(words.by_ref());
            } else if is_counting && line.add_old_count(program, word) {
            } else if !word.starts_with('-') || word == "-" {
                line.files.push(word);
            } else if word.starts_with("--") {
                let (name, value) =
                    word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
                let is_valued = known.long.contains(&name);
                line.has_unknown |= !is_valued && !known.any && !is_harmless(name);
                let value = if is_valued && value.is_none() { words.next() } else { value };
                line.options.push((name, value));
            } else {
                line.add_letters(&known, word, &mut words);
            }
        }
        line
    }

    /// A group of letters, such as `-qn5`.
    fn add_letters(&mut self, known: &Known, word: &'a str, words: &mut impl Iterator<Item = &'a str>) {
        for (at, letter) in word.char_indices().skip(1) {
            let rest = &word[at + letter.len_utf8()..];
            let Some(name) = name(letter) else {
                self.has_unknown |= !known.any;
                self.options.push((word, None));
                return;
            };
            if known.has_value(letter) {
                self.options.push((name, if rest.is_empty() { words.next() } else { Some(rest) }));
                return;
            }
            self.has_unknown |= !known.any && !known.flags.contains(letter);
            self.options.push((name, None));
            // The width of the rows of od may follow.
            if letter == 'w' && !known.any {
                return;
            }
        }
    }

    /// Takes `-5`, `+5`, `-5c` and the like, as old scripts have them; returns whether that is it.
    fn add_old_count(&mut self, program: &str, word: &'a str) -> bool {
        let is_end = word.starts_with('+') && program == "tail";
        let Some(rest) = word.strip_prefix(if is_end { '+' } else { '-' }) else { return false };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return false;
        }
        let (mut unit, mut option) = (0, "-n");
        for letter in rest[digits..].chars() {
            match letter {
                'l' => option = "-n",
                'c' => option = "-c",
                'b' | 'k' if unit == 0 => (unit, option) = (1, "-c"),
                'f' => self.options.push(("-f", None)),
                'q' | 'v' => {}
                _ => self.has_unknown = true,
            }
        }
        self.has_unknown |= unit == 1 && !rest[digits..].starts_with(['b', 'k']);
        let end = 1 + digits + unit;
        self.options.push((option, word.get(usize::from(!is_end)..end)));
        true
    }
}
