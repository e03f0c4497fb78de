//! The licences of syntaxes and themes, which go along with every release.

use std::process::Command;

use rread_answer::highlight::acknowledgement::listing;

use super::paint::root;

#[test]
fn a_release_has_the_licences_of_all_syntaxes_and_themes() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: python3 is not installed, so the licences of a release are not compared");
        return;
    }
    let output = Command::new(root().join(".ci/release"))
        .args(["licences", "x86_64-unknown-linux-gnu"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let all = listing();
    let expected: Vec<_> = all.for_syntaxes().iter().chain(all.for_themes()).collect();
    assert!(expected.len() > 50, "{}", expected.len());
    // One after the other, so that each text is below its own path.
    let mut rest = text.as_str();
    for licence in expected {
        let section = format!("\n---- {}\n\n{}\n", licence.rel_path.display(), licence.text.trim());
        let at = rest.find(&section).unwrap_or_else(|| panic!("{}", licence.rel_path.display()));
        rest = &rest[at + section.len()..];
    }
}
