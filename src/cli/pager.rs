//! Options of less that `rread view` does not have: what it does instead, and the command line without them.

use super::typed::{Token, TokenRole, TypedCommand};
use crate::args::file::names_file;

/// Options without a value, and what `rread view` does.
const FLAGS: &[(&str, &str)] = &[
    ("-E -e --QUIT-AT-EOF --quit-at-eof", "q quits, and -F quits if one screen shows everything"),
    ("-g --hilite-search", "all matches are highlighted, and ESC-u hides them"),
    (
        "-c -C --clear-screen --CLEAR-SCREEN -d --dumb -a -A -u --underline-special -w -W -J -B -~ -V --mouse --MOUSE --use-color",
        "h lists the keys that change what is shown",
    ),
];

/// Options with a value.
const VALUED: &[(&str, &str)] = &[
    ("-x --tabs", "tab stops are 8 columns apart"),
    ("-j --jump-target -y -h -z --window -b --buffers", "N before a key says how far it goes"),
    (
        "-P --prompt -D --color -k --lesskey-file -t --tag -T --tag-file -o -O --log-file --LOG-FILE",
        "rread view has neither prompts of its own nor logs nor tags",
    ),
];

/// Why `name` is not there, and the command line without it.
pub(super) fn explain_refusal(typed: &TypedCommand, name: &str) -> Option<(&'static str, String)> {
    let find = |table: &[(&str, &'static str)]| {
        table.iter().find(|(names, _)| names.split(' ').any(|known| known == name)).map(|(_, why)| *why)
    };
    let (why, is_valued) = match find(FLAGS) {
        Some(why) => (why, false),
        None => (find(VALUED)?, true),
    };
    let mut words = Vec::new();
    let mut tokens = typed.tokens.iter().peekable();
    while let Some(Token { text, role }) = tokens.next() {
        if *role != TokenRole::Unknown {
            words.push(text.clone());
        } else if is_valued {
            let has_file_after = tokens.clone().skip(1).any(|token| token.role == TokenRole::Word);
            // The value belongs to the option, unless it is the only name.
            let is_value = |next: &&Token| {
                next.role == TokenRole::Word && (has_file_after || !names_file(next.text.as_ref()))
            };
            if text == name {
                tokens.next_if(|next| is_value(next));
            }
        } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')) {
            let known = letters.chars().filter(|letter| typed.option(&format!("-{letter}")).is_some());
            let known: String = known.collect();
            words.extend((!known.is_empty()).then(|| format!("-{known}")));
        }
    }
    let has_file = typed.words().next().is_some();
    words.extend((!has_file).then(|| "FILE".to_owned()));
    Some((why, typed.with(words.iter().map(String::as_str))))
}
