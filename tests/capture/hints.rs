//! Refused command lines: the hint is the corrected line with all its words.

use super::support::{Lab, Run};

fn run(lab: &Lab, line: &[&str]) -> Run {
    lab.run(&[&["capture"], line].concat())
}

#[test]
fn a_command_without_its_dashes_is_shown_with_all_its_words() {
    let lab = Lab::new();
    for (line, hint) in [
        (&["echo"][..], "rread capture -- echo"),
        (&["seq", "1", "5000"], "rread capture -- seq 1 5000"),
        (&["tail", "-5", "two words"], "rread capture -- tail -5 'two words'"),
        (&["--name", "x", "-fxml", "seq", "9"], "rread capture --name x -fxml -- seq 9"),
        (&["-f", "xml", "--name=x", "ls", "-l"], "rread capture -f xml --name=x -- ls -l"),
        (&["a | b"], "rread capture -- sh -c 'a | b'"),
        (&["it's done"], r"rread capture -- sh -c 'it'\''s done'"),
        (&["rm", "file"], "rread capture -- rm file"),
    ] {
        let hint = format!("is not an action of capture; a command goes after --\nhint: {hint}\n");
        run(&lab, line).refused(2, &[&hint]);
    }
    let json = run(&lab, &["--json", "seq", "9"]);
    json.refused(2, &[r#""hint":"rread capture --json -- seq 9""#]);
}

#[test]
fn other_errors_are_unchanged() {
    let lab = Lab::new();
    for line in [&["list", "fd:1"][..], &["drop"], &["--frob", "make"], &["save", "fd:1"]] {
        let run = run(&lab, line).refused(2, &["rread: "]);
        assert!(!run.stderr.contains("is not an action"), "{line:?}: {}", run.stderr);
    }
}

#[test]
fn a_refused_command_line_exits_with_125() {
    let lab = Lab::new();
    for line in [&["--frob", "--", "make"][..], &["--page-size", "3", "--", "make"], &["make", "--", "all"]] {
        run(&lab, line).refused(125, &["rread: "]);
    }
    for line in [&["--frob", "--"][..], &["list", "--frob", "--", "x"]] {
        run(&lab, line).refused(2, &["rread: "]);
    }
}
