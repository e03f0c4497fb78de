//! Words sentences for the command line: settings are options, calls are commands, names are quoted for a shell.

use std::path::Path;

use rread_text::address::hide_in;
use rread_text::sentence::{Argument, Part};
use rread_text::{Call, Error, Sentence, quoted, quoted_word};

pub fn worded(sentence: &Sentence) -> String {
    with_names(sentence, &quoted)
}

/// The same with the names of files that `name` makes of their paths.
pub fn with_names(sentence: &Sentence, name: &dyn Fn(&Path) -> String) -> String {
    let is_call = |part: &&Part| matches!(part, Part::Call(_));
    let is_one_of_several = sentence.parts().iter().filter(is_call).count() > 1;
    let word = |part: &Part| match part {
        Part::Text(text) | Part::Shell(text) => text.clone(),
        Part::Path(path) => name(path),
        Part::Setting(setting) => option(setting, false),
        Part::Call(call) => format!("rread {}", command(call, is_one_of_several, name)),
    };
    let text: String = sentence.parts().iter().map(word).collect();
    // A message repeats what a user typed, which may be a URL in the wrong place.
    hide_in(&text).into_owned()
}

/// The file and the message of an error, on one line.
pub fn line(error: &Error) -> String {
    error.on_one_line(&worded(&error.message))
}

/// The hint of an error.
pub fn hint(error: &Error) -> Option<String> {
    error.hint.as_ref().map(worded)
}

/// A call without the name of the program.
pub fn command_line(call: &Call) -> String {
    command(call, false, &quoted)
}

fn command(call: &Call, is_short: bool, name: &dyn Fn(&Path) -> String) -> String {
    let word = |argument: &Argument| match argument {
        Argument::Path(path) => name(path),
        Argument::Word(word) => quoted_word(word),
        Argument::Setting(setting, None) => option(setting, is_short),
        Argument::Setting(setting, Some(value)) => {
            format!("{} {}", option(setting, is_short), quoted_word(value))
        }
    };
    let words = call.arguments.iter().map(|argument| format!(" {}", word(argument)));
    call.command.to_string() + &words.collect::<String>()
}

/// The option that sets `setting`, as it is usually written; `is_short` where room is scarce.
fn option(setting: &str, is_short: bool) -> String {
    match setting {
        "context" => "-C".to_owned(),
        "fixed-strings" => "-F".to_owned(),
        "encoding" if is_short => "-E".to_owned(),
        letter if letter.len() == 1 => format!("-{letter}"),
        name => format!("--{}", name.replace('_', "-")),
    }
}
