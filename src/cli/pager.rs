//! Options of less that `rread view` does not have: what it does instead, and the command line without them.

use super::typed::{Token, TokenRole, TypedCommand};

/// Options without a value, and what `rread view` does.
const FLAGS: &[(&str, &str)] = &[
    (
        "-R -r --RAW-CONTROL-CHARS --raw-control-chars",
        "colours are always shown, and nothing else of the content acts on the terminal",
    ),
    ("-X --no-init", "the screen of the shell always comes back"),
    (
        "-E -e --quit-if-one-screen --QUIT-AT-EOF --quit-at-eof",
        "q quits; rread lines FILE prints without a screen",
    ),
    ("-M -m --LONG-PROMPT --long-prompt", "the status line always shows lines and percentage"),
    ("-n --line-numbers", "only -N shows line numbers"),
    ("-I --IGNORE-CASE", "-i ignores case, unless a pattern has an upper-case letter"),
    ("-K --quit-on-intr", "Ctrl-C stops what runs, and q quits"),
    ("-G -g --hilite-search --HILITE-SEARCH", "ESC-u hides the matches, and shows them"),
    ("-f --force", "rread view shows any file, with control characters as ^X"),
    ("-L --no-lessopen", "compressed files and URLs are read without other programs"),
    ("-s --squeeze-blank-lines", "rread view shows every line"),
    ("-q -Q --quiet --QUIET --silent --SILENT", "rread view never rings"),
    (
        "-c -C --clear-screen --CLEAR-SCREEN -d --dumb -a -u -U -w -W -J -B -~ -V --mouse --MOUSE --use-color",
        "h lists the keys that change what is shown",
    ),
];

/// Options with a value.
const VALUED: &[(&str, &str)] = &[
    ("-x --tabs", "tab stops are 8 columns apart"),
    ("-j --jump-target -y -h -z --window -b --buffers", "N before a key says how far it goes"),
    (
        "-P --prompt -D --color -k -t -T -o -O --log-file",
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
        let is_known = *role != TokenRole::Unknown;
        if is_known {
            words.push(text.clone());
        } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'))
            && letters.len() > 1
            && !is_valued
        {
            // -F of less quits if one screen shows everything.
            let known: String = letters.chars().filter(|letter| "SNi".contains(*letter)).collect();
            words.extend((!known.is_empty()).then(|| format!("-{known}")));
        } else if is_valued && text == name {
            tokens.next_if(|next| {
                next.role == TokenRole::Word
                    && next.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
            });
        }
    }
    let has_file = typed.words().next().is_some();
    words.extend((!has_file).then(|| "FILE".to_owned()));
    Some((why, typed.with(words.iter().map(String::as_str))))
}
