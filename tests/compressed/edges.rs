//! Damage at the edges: before any text, at the end of a page, inside a block that is not compressed.

use crate::pack::zstd;
use crate::support::{Lab, Style, text_of};
use crate::text::Rng;

/// No text comes before the damage: the answer is empty, and its receipt says where the damage is.
#[test]
fn damage_before_any_text_is_in_the_receipt() {
    let text = text_of(&mut Rng::new(3), Style::Words, 5000);
    let packed = zstd(&text, 3);
    let lab = Lab::with("packed", &packed[..packed.len() - 20]);
    for question in ["lines packed", "lines packed 1:5", "bytes packed", "page packed", "stat packed --count"]
    {
        let run = lab.line(&format!("{question} --json"));
        assert_eq!(run.code, Some(3), "{run}");
        let answer = run.json();
        let facts = answer.get("metadata").unwrap_or(&answer);
        assert_eq!(facts["damaged"]["offset"], 0, "{question}: {answer}");
        assert!(facts["next"].is_null() && run.stderr.contains("--salvage"), "{question}: {run}");
    }
    assert_eq!(lab.json("stat packed")["damaged"]["offset"], 0);
    for question in ["lines packed -5:", "bytes packed -9:", "page packed -1", "where packed --line -1"] {
        let run = lab.line(question);
        assert_eq!((run.code, run.stdout.len()), (Some(3), 0), "{run}");
        assert!(run.stderr.contains(&format!("{question} --salvage")), "{run}");
        lab.line(&format!("{question} --salvage"));
    }
    let run = lab.line("verify packed 1#a1b2c3");
    assert_eq!((run.code, run.stdout.len()), (Some(3), 0), "{run}");
}
