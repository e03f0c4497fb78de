//! The crates below the program name no option and no command: what they say is data, and each interface words it.

use std::collections::BTreeSet;
use std::fs;

use proc_macro2::{TokenStream, TokenTree};

use super::architecture::PACKAGES;
use super::uses::{Code, code_of, root};

/// Texts with options of other programs that are also called as ours, and whose they are.
const OF_OTHERS: [(&str, &str); 2] =
    [("export-credentials {profile}--format env", "aws"), ("--prefix '{folder}' --output table", "az")];

/// The options of the program, and its commands.
fn names() -> (BTreeSet<String>, BTreeSet<String>) {
    let completions = fs::read_to_string(root().join("completions/rread.fish")).unwrap();
    let words: Vec<&str> = completions.split_whitespace().collect();
    let options = words.windows(2).filter(|pair| pair[0] == "-l").map(|pair| pair[1].to_owned()).collect();
    let pages = fs::read_dir(root().join("man")).unwrap().map(|page| page.unwrap().file_name());
    let pages = pages.map(|page| page.into_string().unwrap());
    let command = |page: String| Some(page.strip_prefix("rread-")?.strip_suffix(".1")?.to_owned());
    (options, pages.filter_map(command).collect())
}

/// Every text that is not a comment, with the name before the parentheses that it begins, if it begins some.
fn texts(tokens: TokenStream, function: &str, found: &mut Vec<(String, String)>) {
    let mut before = String::new();
    for (at, token) in tokens.into_iter().enumerate() {
        match token {
            TokenTree::Literal(literal) if literal.to_string().contains('"') => {
                let function = if at == 0 { function } else { "" };
                found.push((function.to_owned(), literal.to_string().trim_matches('"').to_owned()));
            }
            TokenTree::Group(group) => {
                let is_comment = group.stream().to_string().starts_with("doc ");
                if !is_comment {
                    texts(group.stream(), &before, found);
                }
                before.clear();
            }
            TokenTree::Ident(word) => before = word.to_string(),
            _ => before.clear(),
        }
    }
}

fn texts_of(code: &Code) -> Vec<(String, String)> {
    let without_tests = code.text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let mut found = Vec::new();
    texts(without_tests.parse().unwrap(), "", &mut found);
    found
}

#[test]
fn no_crate_below_the_answers_names_an_option_or_a_command() {
    let (options, commands) = names();
    assert!(options.contains("max-bytes") && commands.contains("lines"), "{options:?} {commands:?}");
    let word = |text: &str| -> String {
        text.chars().take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-').collect()
    };
    let mut wrong = Vec::new();
    // The words of the command line stand in crates/answer, which has the wording, in the viewer, and in the program.
    let above = [".", "crates/answer", "crates/view"];
    for package in PACKAGES.iter().filter(|package| !above.contains(package)) {
        for code in code_of(package).iter().filter(|code| !code.name().ends_with("_tests.rs")) {
            for (_, text) in texts_of(code) {
                let after = |sign: &str| text.split(sign).skip(1).map(word).collect::<Vec<_>>();
                let is_named = after("--").iter().any(|name| options.contains(name))
                    || after("rread ").iter().any(|name| commands.contains(name));
                if is_named && !OF_OTHERS.iter().any(|(known, _)| text.contains(known)) {
                    wrong.push(format!("{package}: {}: {text}", code.path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn settings_are_options_and_calls_are_commands() {
    let (options, commands) = names();
    let mut count = 0;
    for (package, code) in
        PACKAGES.into_iter().flat_map(|one| code_of(one).into_iter().map(move |code| (one, code)))
    {
        for (function, name) in texts_of(&code) {
            let is_known = match function.as_str() {
                // `with` also has other meanings.
                "with" if name.contains(' ') => continue,
                "setting" | "on" | "with" => options.contains(&name) || name.len() == 1,
                // The rewriter of SQL calls functions.
                "call" if package == "crates/sql" && !commands.contains(&name) => continue,
                "call" => commands.contains(&name),
                _ => continue,
            };
            count += 1;
            assert!(is_known, "{}: {function}(\"{name}\")", code.path.display());
        }
    }
    assert!(count > 100, "only {count} were found");
}
