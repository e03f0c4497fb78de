//! The examples of the page run, with workers on this machine.

use rread_testkit::sandbox::Run;

use super::workers::{Worker, data};

const PAGE: &str = include_str!("../../docs/cluster.md");

/// The commands and the output of each block of the page that is to be run.
fn examples() -> Vec<Vec<(String, String)>> {
    let blocks = PAGE.split("```text\n").skip(1).filter_map(|rest| rest.split_once("```"));
    let commands = |block: &str| {
        let parts = format!("\n{block}");
        let commands = parts.split("\n$ ").skip(1).map(|part| {
            let (command, output) = part.split_once('\n').unwrap_or((part, ""));
            (command.to_owned(), output.trim_end().to_owned())
        });
        commands.collect()
    };
    blocks.map(|(block, _)| commands(block)).collect()
}

#[test]
fn the_examples_of_the_page_run() {
    let sandbox = data();
    sandbox.file("token", "0123456789abcdef\n");
    let workers = [(); 2].map(|()| Worker::start(&sandbox, &["--root", "data", "--token-file", "token"]));
    let mut count = 0;
    for (command, output) in examples().into_iter().flatten() {
        let mut shell = sandbox.command();
        // The words of the page, with the addresses of this test.
        let command = command
            .replace("10.0.0.7:7180", &workers[0].address)
            .replace("10.0.0.8:7180", &workers[1].address);
        let words = shlex(&command);
        assert_eq!(words[0], "rread", "{command}");
        shell.args(&words[1..]);
        let run = Run::of(&mut shell);
        let shown: Vec<&str> = output.lines().filter(|line| *line != "…").collect();
        for line in &shown {
            let (start, _) = line.split_once('…').unwrap_or((line, ""));
            assert!(
                run.text().lines().any(|other| other.starts_with(start.trim_end())),
                "{command}: {line}: {run}"
            );
        }
        count += 1;
    }
    assert_eq!(count, 4);
}

/// The words of a command line with quotes.
fn shlex(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (' ', None) => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
