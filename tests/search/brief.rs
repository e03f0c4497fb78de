//! `--brief` of many files: a line for each, a sum, and how to go on.

use std::fs;
use std::process::Command;

use rread_testkit::sandbox::{Document, Sandbox};

use super::number;

fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("d")).unwrap();
    for n in 0..12 {
        let lines: String = (1..=n).map(|line| format!("needle {n} {line}\nhay\n")).collect();
        sandbox.file(&format!("d/f{n:02}.log"), lines);
    }
    sandbox.file("d/one.bin", b"needle\0\0\0\x01\x02");
    sandbox
}

/// The headings and the lines of documents.
fn content(documents: &[Document]) -> (Vec<String>, Vec<String>) {
    let lines = documents.iter().flat_map(|document| document.content.lines()).map(str::to_owned);
    lines.partition(|line| line.starts_with("==> "))
}

#[test]
fn a_file_costs_one_line_and_the_receipt_has_the_sum() {
    let sandbox = tree();
    for files in ["d", "d/f01.log d/f02.log d/f03.log d/f00.log", "-C 1 d", "-o d", "--unit block d"] {
        let document = sandbox.line(&format!("search needle --brief {files}")).ok().document();
        let (headings, _) = content(std::slice::from_ref(&document));
        let named = if files.contains("f00") { 4 } else { 11 };
        assert_eq!(headings.len(), named, "{document:?}");
        assert_eq!(number(&document, "files"), named as u64);
        let sum = if named == 4 { 6 } else { 66 };
        assert_eq!([number(&document, "matches"), number(&document, "matched_lines")], [sum, sum]);
        assert!(!document.has("truncated") && !document.has("next") && !document.has("path"));
    }
    let document = sandbox.line("search needle --brief d/f02.log d/f01.log d/f00.log").ok().document();
    let expected = "==> d/f02.log: 2 matches <==\n1:needle 2 1\n3:needle 2 2\n==> d/f01.log: 1 match <==\n1:needle 1 1\n\
        ==> d/f00.log: 0 matches <==\n";
    assert_eq!(document.content, expected);
    let left_out = sandbox.line("search needle d --brief").ok();
    assert!(left_out.text().contains("left_out:\n  binary: 1\n"), "{left_out}");
    assert_eq!(sandbox.line("search nothing d --brief").code, 1);
}

#[test]
fn what_a_count_stopped_goes_on_in_its_file() {
    let sandbox = tree();
    let document = sandbox.line("search needle d -m 2 --brief").ok().document();
    assert!(document.content.contains("==> d/f01.log: 1 match <==\n"), "{document:?}");
    assert!(document.content.contains("==> d/f05.log: 2 matches; next: --in 4: <==\n"), "{document:?}");
    let rest = sandbox.line("search needle d/f05.log -m 2 --brief --in 4:").ok();
    assert!(rest.text().contains("---\n5:needle 5 3\n7:needle 5 4\n"), "{rest}");
}

#[test]
fn every_file_that_a_budget_cut_goes_on_by_its_next() {
    let sandbox = tree();
    let pack = Command::new("tar")
        .args(["cf", "z.tar", "f02.log", "f04.log"])
        .current_dir(sandbox.path("d"))
        .status();
    let has_tar = pack.is_ok_and(|status| status.success());
    for kind in ["d", "d/f11.log d/f03.log d/f07.log d/f10.log", "-z -C 1 d"]
        .iter()
        .filter(|kind| has_tar || !kind.starts_with("-z"))
    {
        let whole = sandbox.line(&format!("search needle {kind} --brief")).ok().document();
        let (_, mut expected) = content(std::slice::from_ref(&whole));
        let options = if kind.starts_with("-z") { "-C 1" } else { "" };
        for budget in [90, 150, 400] {
            let run = sandbox.line(&format!("search needle {kind} --brief --max-bytes {budget}"));
            let document = run.document();
            let (headings, mut found) = content(std::slice::from_ref(&document));
            assert_eq!((document.fact("truncated"), document.fact("cut_by")), ("true", "max_bytes"), "{run}");
            assert!(found.iter().map(|line| line.len() + 1).sum::<usize>() <= budget, "{run}");
            assert_eq!(
                [document.fact("files"), document.fact("matches")],
                [whole.fact("files"), whole.fact("matches")]
            );
            for heading in headings {
                let (name, rest) = heading.trim_start_matches("==> ").split_once(": ").unwrap();
                let mut next =
                    rest.split_once("--in ").map(|(_, range)| range.trim_end_matches(" <==").to_owned());
                while let Some(range) = next {
                    let more = sandbox
                        .line(&format!("search needle {name} {options} --max-bytes {budget} --in {range}"))
                        .ok();
                    let more = more.document();
                    found.extend(more.content.lines().map(str::to_owned));
                    next = more
                        .facts
                        .get("next")
                        .map(|next| next.rsplit(' ').next().unwrap().trim_matches('"').to_owned());
                }
            }
            let mut sorted: Vec<String> = found.into_iter().filter(|line| line != "--").collect();
            expected.retain(|line| line != "--");
            sorted.sort();
            expected.sort();
            if options.is_empty() {
                assert_eq!(sorted, expected, "{kind} {budget}");
            } else {
                // Context may come twice.
                sorted.dedup();
                assert!(expected.iter().all(|line| sorted.contains(line)), "{kind} {budget}");
            }
        }
    }
}

#[test]
fn a_file_of_which_more_has_to_be_said_has_a_receipt_in_its_place() {
    let sandbox = tree();
    sandbox.file("d/f05.log", b"needle \xff\n");
    let documents = sandbox.line("search needle d --brief").documents();
    let paths: Vec<&str> = documents.iter().map(|document| document.fact("path")).collect();
    assert_eq!(paths, ["", "d/f05.log", ""], "{documents:?}");
    assert_eq!(number(&documents[2], "matches"), 62);
    let missing = sandbox.line("search needle d/f01.log missing d/f02.log --brief");
    assert_eq!(missing.code, 3, "{missing}");
    assert!(missing.text().contains("kind: not_found"), "{missing}");
}
